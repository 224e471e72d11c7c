"""What a file is may be said where it does not show."""

from dataclasses import replace

import pytest
from sources import source_of, ties_of

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read
from graphanon.io.formats import CARRIES
from graphanon.io.writers.network import network_of
from graphanon.io.writers.saving import save

ONE_FILE = [carries for carries in CARRIES if not carries.pair]


@pytest.mark.parametrize("carries", ONE_FILE, ids=lambda carries: carries.name)
def test_a_file_without_a_telling_name_is_read_as_the_format_that_is_named(tmp_path, carries):
    source = source_of({"id": ["1", "2", "3"]}, id="id", ties=ties_of([("1", "2"), ("2", "3")], directed=False))
    out = tmp_path / f"net{carries.suffixes[0]}"
    save(source, out, drop_uncarried=True)
    plain = out.rename(tmp_path / "net")
    # an adjacency list shows by itself that ties have no direction
    options = ReadOptions(directed=None if carries.name == "adjacency list" else False, header=False if carries.name == "edge list" else None)
    for name in (carries.name, carries.name.upper(), carries.suffixes[0]):
        found = network_of(read(plain, options=replace(options, format=name)))
        assert (sorted(found.ids), len(found.source)) == (["1", "2", "3"], 2)


def test_of_people_and_ties_the_ties_are_meant(tmp_path):
    (tmp_path / "people.csv").write_text("id,age\na,1\nb,2\nc,3\n")
    (tmp_path / "ties").write_text("a b c\nb a\nc a\n")
    found = network_of(read(tmp_path / "people.csv", tmp_path / "ties", options=ReadOptions(format="adjacency list")))
    assert (list(found.ids), len(found.source), list(found.attributes)) == (["a", "b", "c"], 2, ["age"])


def test_a_format_that_is_none_or_is_not_that_of_the_file_is_refused(tmp_path):
    (tmp_path / "net").write_text("a b\nb c\n")
    with pytest.raises(InputProblem, match="no format 'visio'") as caught:
        read(tmp_path / "net", options=ReadOptions(format="visio"))
    assert "adjacency list" in caught.value.problems[0].allowed
    for name in ("GML", "GraphML", "JSON", "Parquet", "Excel", "DOT"):
        with pytest.raises(InputProblem):
            read(tmp_path / "net", options=ReadOptions(format=name))


@pytest.mark.parametrize("text", ["a b c\nb a\nc a d\nd c\n", "a b c\nb d\nc\nd a b c\n", "1 2 3\n2 1\n3 1\n"])
def test_lines_of_several_words_make_no_person_of_each_line(tmp_path, text):
    (tmp_path / "net.txt").write_text(text)
    with pytest.raises(InputProblem, match="--format 'adjacency list'"):
        read(tmp_path / "net.txt")
