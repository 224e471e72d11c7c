import hashlib
import json

import pytest


def figure(empty, finished, name, *words):
    return empty("plot", finished.release, "-o", name, *words)


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")])
def test_a_picture_is_of_the_kind_its_name_says_and_undated(empty, finished, tmp_path, name, begins):
    done = figure(empty, finished, name, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["picture"], told["kind"]) == (name, "supernodes")
    assert "supernodes, each of at least" in told["shows"]
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


def test_each_kind_of_picture_can_be_had_and_leaves_the_run_folder_as_it_was(empty, finished, tmp_path):
    def state():
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in (finished.folder / "OUT").rglob("*") if path.is_file()}

    before = state()
    for kind in ("blocks", "sizes", "losses", "class-losses", "levels", "degrees", "records"):
        done = figure(empty, finished, f"{kind}.svg", "--kind", kind, "--width", "89", "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["kind"] == kind
        assert "private" not in (tmp_path / f"{kind}.svg").read_text()
    assert state() == before


@pytest.mark.parametrize(("words", "told"), [
    (("--kind", "pie"), "supernodes, people, beside"),
    (("--kind", "sizes", "--layout", "drl"), "has no --layout"),
    (("--kind", "sizes", "--attribute", "age", "--seed", "1"), "has no --seed"),
    (("--layout", "spiral"), "islands"),
    (("--ring", "age"), "floor"),
    (("--attribute", "illness=unheard-of"), "no supernode is told to have anybody"),
    (("--kind", "people"), "--original PEOPLE"),
    (("--original", "people.csv"), "--schema S.toml"),
    (("--width", "10"), "--width"),
])
def test_what_a_picture_cannot_show_is_refused_in_a_sentence(empty, finished, tmp_path, words, told):
    done = figure(empty, finished, "a.svg", *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / "a.svg").exists()


def test_a_share_a_ring_and_a_layout_can_be_asked_for(empty, finished, tmp_path):
    value = next(line.split(",")[2] for line in (finished.release / "sensitive.csv").read_text().splitlines() if ",illness," in line)
    done = figure(empty, finished, "a.svg", "--attribute", f"illness={value}", "--ring", "illness", "--layout", "circle", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert f"share with illness={value}" in (tmp_path / "a.svg").read_text()


def test_several_releases_make_a_frontier_and_nothing_else(empty, finished):
    done = empty("plot", finished.release, finished.release, "-o", "a.svg", "--kind", "frontier")
    assert done.returncode == 0, done.stderr
    done = empty("plot", finished.release, finished.release, "-o", "b.svg")
    assert done.returncode == 2
    assert "--kind frontier compares several" in done.stderr


def test_the_run_folder_itself_also_tells_how_many_ties_people_had(empty, finished, tmp_path):
    done = empty("plot", (finished.folder / "OUT"), "-o", "a.svg", "--kind", "degrees")
    assert done.returncode == 0, done.stderr
    assert "private, not to be released" in (tmp_path / "a.svg").read_text()
    # as the private folder of a run: for its owner alone
    assert (tmp_path / "a.svg").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", ["people", "beside", "degrees"])
def test_with_the_original_it_is_told_how_it_was(empty, finished, tmp_path, kind):
    original = ("--original", finished.folder / "people.csv", "--ties", finished.folder / "ties.csv", "--schema",
                finished.folder / "schema.toml")
    done = figure(empty, finished, "a.svg", "--kind", kind, *original)
    assert done.returncode == 0, done.stderr
    assert "private, not to be released" in (tmp_path / "a.svg").read_text()
    # as the private folder of a run: for its owner alone
    assert (tmp_path / "a.svg").stat().st_mode & 0o777 == 0o600
