"""Nothing is replaced but what a run has left, and no run folder lies where it would do harm."""

import json
import os
import shutil
import stat
from random import Random

import pytest
from releases import grouping, town, written

from graphanon.errors import InputProblem
from graphanon.release import Workspace, publish
from graphanon.release.place import foreign, refuse_place
from graphanon.requirement import Requirement


@pytest.fixture
def out(tmp_path):
    """A run folder as a run has left it."""
    written(tmp_path / "out", grouping(town()))
    return tmp_path / "out"


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def replace(out, **reads):
    with Workspace(out, force=True, **reads) as work:
        work.write_release(publish(grouping(town()), requirement=Requirement(k=4), method="later", chance=Random(3)))
        return work.appear()


@pytest.mark.parametrize("beside", [(), ("supernodes.png",), ("supernodes.png", "report.html")])
def test_a_run_folder_with_what_is_drawn_beside_it_is_replaced(out, beside):
    for name in beside:
        (out / name).write_text("drawn")
    assert foreign(out) == []
    replace(out)
    assert json.loads((out / "release" / "release.json").read_text())["method"] == "later"


def test_a_run_folder_without_its_key_is_replaced_and_an_empty_one_too(out):
    shutil.rmtree(out / "private")
    assert foreign(out) == []
    shutil.rmtree(out)
    out.mkdir()
    assert foreign(out) == []


@pytest.mark.parametrize("place", [
    "thesis.txt", "notes/thesis.txt", "release/thesis.txt", "release/hierarchies/thesis.csv", "private/thesis.txt",
    "release/notes/thesis.txt", ".hidden", "key.csv", "supernodes.png/thesis.txt",
])
def test_with_force_a_folder_with_anything_of_somebody_else_stays(out, place):
    (out / place).parent.mkdir(exist_ok=True)
    (out / place).write_text("mine")
    before = contents(out)
    with pytest.raises(InputProblem, match="no run has put there") as caught:
        replace(out)
    assert place.split("/")[-1] in str(caught.value) or place.split("/")[0] in str(caught.value)
    assert contents(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["out"]


@pytest.mark.parametrize("break_", [
    lambda out: (out / "release" / "release.json").unlink(),
    lambda out: (out / "release" / "release.json").write_text("{}"),
    lambda out: (out / "release" / "release.json").write_text("no JSON"),
    lambda out: (out / "release" / "release.json").write_text('{"format": 1, "kind": "table", "software": "other"}'),
    lambda out: (out / "release" / "SHA256SUMS").write_text(""),
    lambda out: shutil.rmtree(out / "release"),
    lambda out: (out / "release" / "link.csv").symlink_to(out / "release" / "codebook.csv"),
    lambda out: (out / "supernodes.png").symlink_to(out / "release" / "codebook.csv"),
])
def test_a_folder_that_only_looks_like_a_run_stays(out, break_):
    break_(out)
    before = contents(out)
    with pytest.raises(InputProblem, match="no run has put there"):
        replace(out)
    assert contents(out) == before


def test_up_to_three_foreign_things_are_named(out):
    for name in "abcde":
        (out / f"{name}.txt").write_text("mine")
    with pytest.raises(InputProblem, match=r"'a\.txt', 'b\.txt', 'c\.txt' and 2 more"):
        refuse_place(out, force=True)


def test_what_appears_in_the_old_folder_meanwhile_is_not_lost(out):
    with Workspace(out, force=True) as work:
        work.write_release(publish(grouping(town()), requirement=Requirement(k=4), method="later", chance=Random(3)))
        (out / "thesis.txt").write_text("mine")
        with pytest.raises(InputProblem, match="thesis"):
            work.appear()
    assert (out / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("read", ["out/release/supernodes.csv", "out/people.csv", "out", "out/a/b/schema.toml"])
def test_a_folder_that_touches_what_is_read_is_refused(tmp_path, read, force):
    (tmp_path / read).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / read).write_text("id\n")
    with pytest.raises(InputProblem, match="this run reads"):
        refuse_place(tmp_path / "out", force=force, reads=[tmp_path / read])
    with pytest.raises(InputProblem, match="this run reads"):
        refuse_place(tmp_path / "linked" / ".." / "out", force=force, reads=[str(tmp_path / "." / read)])


def test_a_link_to_what_is_read_does_not_hide_it(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "people.csv").write_text("id\n")
    (tmp_path / "there").symlink_to(tmp_path / "data")
    with pytest.raises(InputProblem, match="this run reads"):
        refuse_place(tmp_path / "data", reads=[tmp_path / "there" / "people.csv"])


@pytest.mark.parametrize("inside", ["", "again", "hierarchies/deep/again"])
@pytest.mark.parametrize("force", [False, True])
def test_no_run_lies_inside_a_release(out, inside, force):
    before = contents(out)
    with pytest.raises(InputProblem, match="handed out with it"):
        refuse_place(out / "release" / inside, force=force)
    assert contents(out) == before


def test_the_folder_is_closed_to_others_until_it_is_finished(tmp_path):
    before = os.umask(0o022)
    try:
        with Workspace(tmp_path / "out") as work:
            work.write_release(publish(grouping(town()), requirement=Requirement(k=4), method="by-hand"))
            assert stat.S_IMODE(work.folder.stat().st_mode) == 0o700
            work.appear()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "out" / "release").stat().st_mode) == 0o755


def test_an_empty_name_is_no_folder():
    with pytest.raises(InputProblem, match="-o names no folder"):
        refuse_place("")
