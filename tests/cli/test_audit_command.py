import json
import shutil

import pytest
from desk import Desk
from toy_files import SCHEMA


@pytest.fixture
def copied(finished, tmp_path):
    """The finished folder where a test may change it."""
    shutil.copytree(finished.folder, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)


TRUTH = ("--original", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--key", "OUT/private/key.csv")


def test_a_sound_release_is_exit_0(copied):
    done = copied("audit", "OUT/release", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["ok"] is True
    assert all({"promise", "asked", "found", "holds"} <= set(finding) for finding in told["findings"])
    k = next(finding for finding in told["findings"] if finding["promise"] == "k")
    assert k["asked"] == 3
    assert k["found"] >= 3


def test_with_original_and_key_the_truth_is_checked_too(copied):
    alone = json.loads(copied("audit", "OUT/release", "--json").stdout)["findings"]
    done = copied("audit", "OUT/release", *TRUTH, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(json.loads(done.stdout)["findings"]) > len(alone)


def test_a_changed_file_is_exit_1_with_findings(copied):
    file = copied.folder / "OUT" / "release" / "supernodes.csv"
    lines = file.read_text().splitlines(keepends=True)
    file.chmod(0o600)
    file.write_text("".join(lines[:-1]))
    done = copied("audit", "OUT/release", "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["ok"] is False
    assert any(not finding["holds"] for finding in told["findings"])
    assert told["error"]["where"]["file"] == "OUT/release"
    said = copied("audit", "OUT/release")
    assert said.returncode == 1
    assert "FAILED" in said.stdout
    assert "Traceback" not in said.stderr


def test_a_wrong_key_is_exit_1(copied):
    key = copied.folder / "OUT" / "private" / "key.csv"
    lines = key.read_text().splitlines()
    cells = [line.split(",") for line in lines[1:]]
    first, other = cells[0], next(row for row in cells if row[1] != cells[0][1])
    first[1], other[1] = other[1], first[1]
    key.write_text("\n".join([lines[0], *(",".join(row) for row in cells)]) + "\n")
    assert copied("audit", "OUT/release", *TRUTH).returncode == 1


def test_the_run_folder_is_answered_with_its_release(copied):
    done = copied("audit", "OUT")
    assert done.returncode == 2
    assert "graphanon audit OUT/release" in done.stderr


@pytest.mark.parametrize("words", [
    ("--original", "people.csv"),
    ("--key", "OUT/private/key.csv"),
    ("--original", "people.csv", "--key", "OUT/private/key.csv"),
])
def test_half_of_what_truth_needs_is_wrong_use(copied, words):
    done = copied("audit", "OUT/release", *words)
    assert done.returncode == 2
    assert "to fix:" in done.stderr


def test_the_toy_schema_asks_for_k(copied):
    assert (copied.folder / "schema.toml").read_text() == SCHEMA
