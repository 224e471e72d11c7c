"""Ctrl-C and progress in a run that is long enough to meet them."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from graphanon.cli.bar import PATIENCE

# tells when the interpreter has started, which is not ours to interrupt
READY = "import sys; from graphanon.__main__ import main; print('ready', file=sys.stderr, flush=True); main()"
START = [sys.executable, "-c", READY]


@pytest.fixture(scope="session")
def crowd(tmp_path_factory):
    """Ties of enough people that a run lasts longer than a test waits."""
    folder = tmp_path_factory.mktemp("crowd")
    chance = random.Random(1)
    n = 30000
    lines = (f"{chance.randrange(n)} {chance.randrange(n)}\n" for _ in range(8 * n))
    (folder / "ties.txt").write_text("".join(lines))
    return folder


@pytest.mark.parametrize("seconds", [0.05, 0.5, 1.5, 4.0])
@pytest.mark.parametrize("method", ["sangreea", "pas-caa"])
@pytest.mark.usefixtures("finished")
def test_an_interrupted_run_leaves_nothing(crowd, tmp_path, seconds, method):
    run = subprocess.Popen(
        [*START, *_anonymize(tmp_path, "--no-refine", method=method)], cwd=crowd,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )
    assert run.stderr.readline() == "ready\n"
    time.sleep(seconds)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
    assert _nothing_but_ties(crowd, tmp_path)


@pytest.mark.usefixtures("finished")
def test_an_interrupt_ends_refinement_with_the_best_so_far(crowd, tmp_path):
    with _at_a_terminal(crowd, *_anonymize(tmp_path)) as (run, terminal):
        _read_until(terminal, b"refine")
        run.send_signal(signal.SIGINT)
        shown = _read_until(terminal, None)
        told = json.loads(run.stdout.read())
        assert run.wait(timeout=60) == 0, shown
    assert b"Traceback" not in shown
    assert b"the best so far is kept" in b" ".join(shown.split())
    assert _record(tmp_path)["refined"]["ended"] == "interrupt"
    assert told["findings"]
    assert [path.name for path in tmp_path.iterdir()] == ["OUT"]
    audit = subprocess.run([*START, "audit", str(tmp_path / "OUT" / "release")], cwd=crowd, capture_output=True,
                           text=True, timeout=120, check=False)
    assert audit.returncode == 0, audit.stderr


def test_a_time_limit_ends_refinement_and_is_told(tmp_path):
    chance = random.Random(1)
    (tmp_path / "ties.txt").write_text("".join(f"{chance.randrange(3000)} {chance.randrange(3000)}\n" for _ in range(12000)))
    run = subprocess.run([*START, *_anonymize(tmp_path, "--refine-seconds", "0.2")], cwd=tmp_path, capture_output=True,
                         text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert "refinement was ended after 0.2 s as asked" in run.stderr
    refined = _record(tmp_path)["refined"]
    assert refined["ended"] == "time"
    assert json.loads(run.stdout)["losses"]["tie_loss"] <= refined["before"]["tie_loss"]


@pytest.mark.usefixtures("finished")
def test_a_second_interrupt_during_refinement_stops_the_run(crowd, tmp_path):
    with _at_a_terminal(crowd, *_anonymize(tmp_path)) as (run, terminal):
        _read_until(terminal, b"refine")
        run.send_signal(signal.SIGINT)
        # the first must have been seen: two that are pending at once are one
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        shown = _read_until(terminal, None)
        assert run.stdout.read() == ""
        assert run.wait(timeout=60) == 130, shown
    assert b"Traceback" not in shown
    assert _nothing_but_ties(crowd, tmp_path)


@pytest.mark.usefixtures("finished")
def test_progress_is_shown_late_and_only_at_a_terminal(crowd, tmp_path):
    with _at_a_terminal(crowd, *_anonymize(tmp_path, "--no-refine")) as (run, terminal):
        _read_until(terminal, b"\n")
        started = time.monotonic()
        shown = _some(terminal)
        waited = time.monotonic() - started
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        shown += _read_until(terminal, None)
        assert run.wait(timeout=60) == 130
        assert run.stdout.read() == ""
    assert waited > PATIENCE
    # told by name, and gone when the run is over: the cursor is shown again
    assert b"grow classes" in shown or b"reading" in shown
    assert b"\x1b[?25h" in shown


def _anonymize(folder, *more, method="sangreea"):
    """Return the command line that anonymizes the crowd into OUT of a folder."""
    return ["anonymize", "--ties", "ties.txt", "-k", "10", "--method", method, "-o", str(folder / "OUT"), "--json", *more]


def _record(folder):
    return json.loads((folder / "OUT" / "private" / "run.json").read_text(encoding="utf-8"))


def _nothing_but_ties(crowd, folder):
    return [path.name for path in crowd.iterdir()] == ["ties.txt"] and not list(folder.iterdir())


@contextmanager
def _at_a_terminal(folder, *command):
    """Yield a running command and the terminal that its standard error is; it is gone afterwards."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*START, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, text=True,
        start_new_session=True, env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    ) as run:
        os.close(theirs)
        try:
            yield run, ours
        finally:
            run.kill()
            os.close(ours)


def _read_until(terminal, mark):
    """Return what a terminal shows until it has shown a mark, or until its process is gone."""
    shown = b""
    while mark is None or mark not in shown:
        if not (chunk := _some(terminal)):
            assert mark is None, shown
            break
        shown += chunk
    return shown


def _some(terminal):
    """Return what a terminal shows next, nothing once its process is gone."""
    try:
        return os.read(terminal, 10_000)
    except OSError:
        return b""
