"""A run folder is there whole or not at all, and nobody else's folder is touched."""

import errno
import os
import shutil
import stat
import subprocess
import sys
import textwrap
from pathlib import Path
from random import Random

import pytest
from releases import grouping, town, written

from graphanon.audit import audit_release
from graphanon.errors import BrokenPromise, InputProblem
from graphanon.release import Workspace, publish, read, write
from graphanon.release import workspace as workspace_module
from graphanon.requirement import Requirement


@pytest.fixture(scope="module")
def release():
    return publish(grouping(town()), requirement=Requirement(k=4), method="by-hand", chance=Random(1))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_reads_back_as_the_same_release(tmp_path, release):
    assert read(write(release, tmp_path / "release")) == release
    assert names(tmp_path) == ["release"]


@pytest.mark.parametrize("kind", [
    {"directed": True}, {"weight": "sum"}, {"directed": True, "weight": "sum"}, {"has_ties": False},
])
def test_every_kind_reads_back(tmp_path, kind):
    one = publish(grouping(town(**kind)), requirement=Requirement(k=4), method="by-hand")
    assert read(write(one, tmp_path / "release")) == one


def test_the_run_folder_is_private_where_it_must_be(tmp_path):
    before = os.umask(0)
    try:
        case = written(tmp_path / "out", grouping(town()))
    finally:
        os.umask(before)
    private = tmp_path / "out" / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in private.iterdir()} == {0o600}
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o777
    assert stat.S_IMODE(case.folder.stat().st_mode) == 0o777
    assert names(tmp_path / "out") == ["private", "release"]
    assert names(private) == ["key.csv", "run.json"]
    assert {int(path.stat().st_mtime) % 86_400 for path in [case.folder, *case.folder.rglob("*")]} == {0}


def test_the_key_of_a_table_counts_rows_and_names_classes_by_their_first_line(tmp_path):
    case = written(tmp_path / "out", grouping(town(has_ties=False), withheld=2))
    head, *lines = case.key.read_text(encoding="utf-8").splitlines()
    assert head == "row,class"
    assert [line.split(",")[0] for line in lines] == [str(i + 1) for i in range(60)]
    assert lines[:2] == ["1,", "2,"]


def test_a_folder_that_exists_is_refused_and_left_alone(tmp_path, release):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(InputProblem, match="--force"):
        write(release, tmp_path / "out")
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == ["mine.txt"]


@pytest.fixture
def old(tmp_path):
    """A release on its own that an earlier run has left in the place."""
    write(publish(grouping(town()), requirement=Requirement(k=2), method="earlier", chance=Random(2)), tmp_path / "out")
    return (tmp_path / "out" / "release.json").read_bytes()


@pytest.mark.parametrize("exchange", [True, False])
@pytest.mark.usefixtures("old")
def test_with_force_the_old_release_is_replaced(tmp_path, release, monkeypatch, exchange):
    if not exchange:
        monkeypatch.setattr(workspace_module, "_renameat2", lambda *_: False)
    write(release, tmp_path / "out", force=True)
    assert read(tmp_path / "out") == release
    assert names(tmp_path) == ["out"]


def test_without_the_system_call_the_old_folder_comes_back_when_the_rename_fails(tmp_path, release, monkeypatch, old):
    monkeypatch.setattr(workspace_module, "_renameat2", lambda *_: False)
    real = Path.rename

    def fails(self, target):
        if self.name == "out.partial":
            raise OSError(errno.EIO, "Input/output error")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(InputProblem, match="Input/output error"):
        write(release, tmp_path / "out", force=True)
    assert names(tmp_path) == ["out"]
    assert (tmp_path / "out" / "release.json").read_bytes() == old


def test_without_force_a_folder_that_appears_meanwhile_is_not_replaced(tmp_path, release):
    with Workspace(tmp_path / "out") as work:
        work.write_release(release)
        (tmp_path / "out").mkdir()
        with pytest.raises(InputProblem):
            work.appear()
    assert names(tmp_path / "out") == []
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("dangling", [False, True])
def test_a_link_is_refused(tmp_path, release, force, dangling):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / ("nowhere" if dangling else "elsewhere"))
    with pytest.raises(InputProblem, match="symbolic link"):
        write(release, tmp_path / "out", force=force)
    assert names(tmp_path) == ["elsewhere", "out"]


def test_a_file_in_the_place_is_refused(tmp_path, release):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(InputProblem, match="not a folder"):
        write(release, tmp_path / "out", force=True)
    assert (tmp_path / "out").read_text() == "mine"


def test_the_folder_that_one_stands_in_is_refused(tmp_path, release, monkeypatch):
    (tmp_path / "out" / "deeper").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "out" / "deeper")
    with pytest.raises(InputProblem, match="runs in"):
        write(release, tmp_path / "out", force=True)


@pytest.mark.parametrize("place", ["/", "/proc/out"])
def test_a_place_that_cannot_be_written_is_refused(release, place):
    with pytest.raises(InputProblem):
        write(release, Path(place))


def test_a_place_under_a_file_is_refused(tmp_path, release):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputProblem):
        write(release, tmp_path / "file" / "out")
    assert names(tmp_path) == ["file"]


def test_a_full_disk_is_told_and_nothing_is_left(tmp_path, release, monkeypatch):
    calls = []

    def full(_descriptor):
        calls.append(1)
        if len(calls) == 4:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputProblem, match="No space left on device"):
        write(release, tmp_path / "out")
    assert names(tmp_path) == []


def test_a_full_disk_in_somebody_else_s_writing_is_told_too(tmp_path):
    with pytest.raises(InputProblem, match="No space left"), Workspace(tmp_path / "out"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert names(tmp_path) == []


def test_files_that_do_not_read_back_are_refused(tmp_path, release, monkeypatch):
    real = workspace_module._write

    def garbles(path, content, *, mode):
        real(path, content.replace(b"S1,", b"S9,") if path.name == "superedges.csv" else content, mode=mode)

    monkeypatch.setattr(workspace_module, "_write", garbles)
    with pytest.raises(BrokenPromise, match=r"superedges\.csv"):
        write(release, tmp_path / "out")
    assert names(tmp_path) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, BrokenPromise])
def test_whatever_goes_wrong_inside_nothing_is_left(tmp_path, release, error):
    def goes_wrong():
        with Workspace(tmp_path / "out") as work:
            work.write_release(release)
            raise error([]) if error is BrokenPromise else error

    with pytest.raises(error):
        goes_wrong()
    assert names(tmp_path) == []


def test_a_partial_folder_of_somebody_else_is_never_touched(tmp_path, release):
    (tmp_path / "out.partial").mkdir()
    (tmp_path / "out.partial" / "thesis.txt").write_text("mine")
    with pytest.raises(InputProblem, match="not left by an unfinished run"):
        write(release, tmp_path / "out")
    assert names(tmp_path) == ["out.partial"]
    assert names(tmp_path / "out.partial") == ["thesis.txt"]


def test_folders_that_were_made_for_a_run_vanish_with_it(tmp_path, release):
    with pytest.raises(KeyError), Workspace(tmp_path / "a" / "b" / "out"):
        raise KeyError
    assert names(tmp_path) == []
    write(release, tmp_path / "a" / "b" / "out")
    assert names(tmp_path / "a" / "b") == ["out"]


def test_a_stale_lock_does_not_prove_that_another_folder_is_ours(tmp_path, release):
    (tmp_path / "out.partial.lock").write_text("1:1\n")
    (tmp_path / "out.partial").mkdir()
    (tmp_path / "out.partial" / "thesis.txt").write_text("mine")
    with pytest.raises(InputProblem, match="not left by an unfinished run"):
        write(release, tmp_path / "out")
    assert names(tmp_path / "out.partial") == ["thesis.txt"]


def test_two_runs_cannot_write_to_one_place(tmp_path, release):
    with Workspace(tmp_path / "out"), pytest.raises(InputProblem, match="another run"):
        write(release, tmp_path / "out")
    assert names(tmp_path) == []
    write(release, tmp_path / "out")


CHILD = textwrap.dedent("""
    import os, signal, sys
    from pathlib import Path
    from releases import grouping, town, written
    from graphanon.release import Workspace, publish
    from graphanon.requirement import Requirement

    out, force = Path(sys.argv[1]), sys.argv[2] == "force"
    release = publish(grouping(town()), requirement=Requirement(k=4), method="by-hand")

    def run():
        with Workspace(out, force=force) as work:
            work.write_release(release)
            work.write_key([""] * 60)
            work.write_run({"seed": 1})
            work.appear()

    EVENTS = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.utime", "os.chmod", "os.truncate",
              "shutil.rmtree", "os.listdir", "os.scandir", "fcntl.flock", "ctypes.dlsym")
    seen, deadly = [0], [0]

    def watch(event, args):
        if event in EVENTS and deadly[0]:
            seen[0] += 1
            if seen[0] == deadly[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    point = 0
    while True:
        # every point of the run in a process of its own, until one lives to the end
        point += int(sys.argv[3])
        child = os.fork()
        if child == 0:
            deadly[0] = point
            run()
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        print(point, os.WIFSIGNALED(status), flush=True)
        sys.stdin.readline()
        if not os.WIFSIGNALED(status):
            break
""")


def _each_death(tmp_path, force, stride):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path / "out"), force, str(stride)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True, env=environment,
    ) as child:
        for line in child.stdout:
            point, killed = line.split()
            yield int(point), killed == "True"
            child.stdin.write("\n")
            child.stdin.flush()
    assert child.returncode == 0


def _whole(folder):
    held = names(folder) == ["private", "release"] and names(folder / "private") == ["key.csv", "run.json"]
    return held and all(finding.holds for finding in audit_release(folder / "release", fresh=True))


def test_a_run_that_is_killed_anywhere_leaves_all_or_nothing_and_the_next_one_cleans_up(tmp_path, release):
    points = 0
    for point, killed in _each_death(tmp_path, "", 1):
        points += killed
        out = tmp_path / "out"
        assert set(names(tmp_path)) <= {"out", "out.partial", "out.partial.lock"}, point
        assert _whole(out) if out.exists() else killed, point
        if out.exists():
            shutil.rmtree(out)
        if point % 7 == 0 and killed:
            write(release, out)
            assert names(tmp_path) == ["out"], point
            shutil.rmtree(out)
    assert points > 60


def test_a_replacement_that_is_killed_anywhere_leaves_the_old_or_the_new(tmp_path):
    written(tmp_path / "out", grouping(town()))
    sure = (tmp_path / "out" / "private" / "run.json").read_bytes()
    replaced = 0
    for point, killed in _each_death(tmp_path, "force", 2):
        assert _whole(tmp_path / "out"), point
        replaced += (tmp_path / "out" / "private" / "run.json").read_bytes() != sure
        if not killed:
            assert names(tmp_path) == ["out"]
    # killed while it cleans up too, when the new one is in place
    assert replaced > 3
