"""Ctrl-C and progress in a run that is long enough to meet them."""

import os
import random
import signal
import subprocess
import sys
import time

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
def test_an_interrupted_run_leaves_nothing(crowd, seconds, method):
    before = sorted(path.name for path in crowd.iterdir())
    run = subprocess.Popen(
        [*START, "anonymize", "--ties", "ties.txt", "-k", "10", "--method", method, "--json"], cwd=crowd,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )
    assert run.stderr.readline() == "ready\n"
    time.sleep(seconds)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
    assert sorted(path.name for path in crowd.iterdir()) == before


@pytest.mark.usefixtures("finished")
def test_progress_is_shown_late_and_only_at_a_terminal(crowd):
    ours, theirs = os.openpty()
    run = subprocess.Popen(
        [*START, "anonymize", "--ties", "ties.txt", "-k", "10", "--method", "sangreea", "--json"], cwd=crowd,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, text=True, start_new_session=True,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = b""
    while not shown.endswith(b"\n"):
        shown += os.read(ours, 1)
    started = time.monotonic()
    shown = os.read(ours, 1000)
    waited = time.monotonic() - started
    time.sleep(3)
    run.send_signal(signal.SIGINT)
    while chunk := _some(ours):
        shown += chunk
    os.close(ours)
    assert run.wait(timeout=60) == 130
    assert run.stdout.read() == ""
    run.stdout.close()
    assert waited > PATIENCE
    # told by name, and gone when the run is over: the cursor is shown again
    assert b"grow classes" in shown or b"reading" in shown
    assert b"\x1b[?25h" in shown


def _some(terminal):
    """Return what a terminal shows next, nothing once its process is gone."""
    try:
        return os.read(terminal, 10_000)
    except OSError:
        return b""
