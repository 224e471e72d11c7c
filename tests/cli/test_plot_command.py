import hashlib
import json

import pytest


def figure(empty, finished, name, *words):
    return empty("plot", finished.release, "-o", name, *words)


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")])
def test_a_picture_is_of_the_kind_its_name_says_and_undated(empty, finished, tmp_path, name, begins):
    done = figure(empty, finished, name, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"picture": name}
    content = (tmp_path / name).read_bytes()
    assert content.startswith(begins)
    assert not any(word in content for word in (b"CreationDate", b"dc:date", b"tIME", b"Creation Time"))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_same_release_gives_the_same_picture(empty, finished, tmp_path):
    figure(empty, finished, "a.svg")
    figure(empty, finished, "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_release_folder_is_never_changed(empty, finished):
    def state():
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in finished.release.rglob("*")
                if path.is_file()}

    before = state()
    done = figure(empty, finished, finished.release / "figure.png")
    assert done.returncode == 2
    assert figure(empty, finished, "a.png").returncode == 0
    assert state() == before


def test_the_colour_is_an_attribute_of_the_release(empty, finished, tmp_path):
    for attribute in ("age", "job", "illness"):
        assert figure(empty, finished, f"{attribute}.svg", "--colour", attribute).returncode == 0
        assert attribute in (tmp_path / f"{attribute}.svg").read_text()
    done = figure(empty, finished, "b.png", "--colour", "income")
    assert done.returncode == 2
    assert "age, job, illness" in done.stderr


def test_an_existing_file_and_a_strange_ending_are_refused(empty, finished, tmp_path):
    (tmp_path / "a.png").write_text("mine")
    assert figure(empty, finished, "a.png").returncode == 2
    assert (tmp_path / "a.png").read_text() == "mine"
    assert figure(empty, finished, "a.png", "--force").returncode == 0
    done = figure(empty, finished, "a.gif")
    assert done.returncode == 2
    assert ".svg" in done.stderr
    done = figure(empty, finished, "nowhere/a.png")
    assert done.returncode == 2
    assert "nowhere/a.png: its folder does not exist" in done.stderr
