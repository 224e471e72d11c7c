"""Files in packings, files that are not there, and files of other kinds."""

import bz2
import gzip
import lzma
import zipfile

import pytest

from graphanon.errors import InputProblem
from graphanon.io import packed, read

TEXT = b"id,age\n007,31\n8,33\n"


def refused(*given):
    with pytest.raises(InputProblem) as caught:
        read(*given)
    return caught.value.problems[0]


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_packed_text_is_read_whatever_its_name(tmp_path, ending, pack):
    for name in (f"people.csv.{ending}", "people"):
        (tmp_path / name).write_bytes(pack(TEXT))
        source = read(tmp_path / name)
        assert source.people.frame["id"].tolist() == ["007", "8"]
        assert "unpacked" in source.report.notes[0]


def test_a_zip_of_one_file_is_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "people.zip", "w") as archive:
        archive.writestr("inner/people.csv", TEXT)
        archive.writestr("__MACOSX/._people.csv", b"junk")
    assert len(read(tmp_path / "people.zip").people.frame) == 2


def test_a_zip_of_two_files_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "both.zip", "w") as archive:
        archive.writestr("people.csv", TEXT)
        archive.writestr("ties.csv", b"a,b\n")
    assert "2 files" in refused(tmp_path / "both.zip").what


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_file_that_is_cut_off_is_refused(tmp_path, pack):
    path = tmp_path / "people.csv.x"
    path.write_bytes(pack(TEXT * 100)[:-12])
    assert "damaged or cut off" in refused(path).what


def test_a_file_that_unfolds_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(packed, "_FLOOR", 1 << 20)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(bytes(1 << 23)))
    assert "unpacks to more than" in refused(path).what


def test_a_file_that_is_not_there_is_named(tmp_path):
    found = refused(tmp_path / "nobody.csv")
    assert found.what == "there is no such file"
    assert found.file.endswith("nobody.csv")


def test_a_folder_is_no_file(tmp_path):
    assert "folder" in refused(tmp_path).what


@pytest.mark.parametrize(("name", "content", "kind"), [
    ("a.xml", b"<html/>", "XML"), ("a.xls", b"\xd0\xcf\x11\xe0....", "Excel"),
    ("a.csv", b"\x28\xb5\x2f\xfd....", "Zstandard"),
])
def test_other_kinds_of_files_are_named_not_misread(tmp_path, name, content, kind):
    (tmp_path / name).write_bytes(content)
    found = refused(tmp_path / name)
    assert kind in found.what
    assert "GraphML" in found.allowed


def test_a_name_that_does_not_fit_its_content_is_refused(tmp_path):
    (tmp_path / "people.parquet").write_bytes(TEXT)
    assert "no Parquet" in refused(tmp_path / "people.parquet").what


def test_something_that_is_no_source_is_refused():
    assert "list" in refused([1, 2]).what


@pytest.mark.parametrize(("at", "byte"), [(4, 99), (6, 32), (6, 64), (8, 97)])
@pytest.mark.parametrize("name", ["people.zip", "people.xlsx"])
def test_a_zip_of_a_kind_that_is_not_known_is_refused(tmp_path, at, byte, name):
    import openpyxl

    if name.endswith("zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("people.csv", TEXT)
    else:
        book = openpyxl.Workbook()
        book.active.append(["id", "age"])
        book.save(tmp_path / name)
    data = bytearray((tmp_path / name).read_bytes())
    for begin, ahead in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        place = data.find(begin)
        while place >= 0:
            data[place + at + ahead] = byte
            place = data.find(begin, place + 1)
    (tmp_path / name).write_bytes(data)
    assert refused(tmp_path / name).file.endswith(name)


def test_a_zip_whose_file_has_no_name_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "people.zip", "w") as archive:
        archive.writestr("x", TEXT)
    data = (tmp_path / "people.zip").read_bytes()
    # a name ends at a zero, here at once
    for name in (30, data.find(b"PK\x01\x02") + 46):
        data = data[:name] + b"\0" + data[name + 1:]
    (tmp_path / "people.zip").write_bytes(data)
    assert "the archive holds 0 files" in refused(tmp_path / "people.zip").what


@pytest.mark.parametrize("place", [0, 1], ids=["before the file", "in the directory"])
def test_a_zip_whose_file_is_named_in_no_text_is_refused(tmp_path, place):
    path = tmp_path / "people.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pöople.csv", "id\n1\n2\n")
    name = "pö".encode()
    parts = path.read_bytes().split(name)
    assert len(parts) == 3
    names = [name, name]
    names[place] = b"p\x8f\x8f"
    path.write_bytes(parts[0] + names[0] + parts[1] + names[1] + parts[2])
    assert "no text" in refused(path).what
