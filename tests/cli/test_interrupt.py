"""Ctrl-C at any time of a run that is long enough to meet it."""

import random
import signal
import subprocess
import sys
import time

import pytest

START = [sys.executable, "-m", "graphanon"]


@pytest.fixture(scope="session")
def crowd(tmp_path_factory):
    """Ties of enough people that a run lasts longer than a test waits."""
    folder = tmp_path_factory.mktemp("crowd")
    chance = random.Random(1)
    n = 30000
    lines = (f"{chance.randrange(n)} {chance.randrange(n)}\n" for _ in range(8 * n))
    (folder / "ties.txt").write_text("".join(lines))
    return folder


@pytest.mark.parametrize("seconds", [0.5, 1.5, 3.0, 4.5])
@pytest.mark.parametrize("method", ["sangreea", "pas-caa"])
@pytest.mark.usefixtures("finished")
def test_an_interrupted_run_leaves_nothing(crowd, seconds, method):
    before = sorted(path.name for path in crowd.iterdir())
    run = subprocess.Popen(
        [*START, "anonymize", "--ties", "ties.txt", "-k", "10", "--method", method, "--json"], cwd=crowd,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )
    time.sleep(seconds)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
    assert sorted(path.name for path in crowd.iterdir()) == before
