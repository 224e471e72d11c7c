import csv
import json
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ANONYMIZE = ("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml")


def nothing_made(folder):
    """Whether no run folder, whole or partial, is there."""
    return not [path.name for path in folder.iterdir() if path.name.startswith(("OUT", "graphanon-out"))]


def test_a_run_tells_where_its_release_is_and_what_it_cost(finished):
    told = finished.told
    assert told["release"] == "OUT/release"
    assert told["key"] == "OUT/private/key.csv"
    assert (told["people"], told["withheld"]) == (40, 0)
    assert told["ties"] == finished.ties
    assert 1 <= told["supernodes"] <= 40 // 3
    assert told["promises"]["k"] == 3
    assert told["found"]["k"] >= 3
    assert set(told["seconds"]) == {"read", "method", "refine", "write", "audit"}
    assert all(seconds >= 0 for seconds in told["seconds"].values())
    assert told["findings"]
    assert all(finding["holds"] for finding in told["findings"])


def test_the_losses_told_are_those_of_the_release(finished):
    assert finished.told["losses"] == json.loads((finished.release / "release.json").read_text())["losses"]
    assert {"ncp", "ngil", "nsil", "tie_loss", "total"} <= set(finished.told["losses"])


def test_the_key_is_for_its_owner_alone(finished):
    private = finished.folder / "OUT" / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert stat.S_IMODE((private / "key.csv").stat().st_mode) == 0o600
    with (private / "key.csv").open(newline="") as lines:
        assert len(list(csv.DictReader(lines))) == 40


def test_a_person_reads_a_summary(desk):
    done = desk(*ANONYMIZE, "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "40 people" in done.stdout
    assert "tie confidence" in done.stdout
    assert "graphanon-out/release" in done.stdout
    assert done.stderr == ""


def test_a_warning_is_beside_the_answer_and_in_it(desk):
    schema = (desk.folder / "schema.toml").read_text().replace('"open"', '"sensitive"')
    (desk.folder / "schema.toml").write_text(schema)
    done = desk(*ANONYMIZE, "--json")
    assert done.returncode == 0, done.stderr
    warning, = json.loads(done.stdout)["warnings"]
    assert "illness" in warning
    assert done.stderr == f"graphanon: warning: {warning}\n"


def test_a_missing_schema_is_answered_with_the_command_that_drafts_one(desk):
    done = desk("anonymize", "people.csv", "--ties", "ties.csv")
    assert done.returncode == 2
    command = done.stderr.partition("draft one with: ")[2].strip()
    assert command == "graphanon inspect people.csv --ties ties.csv --write-schema schema.toml"
    (desk.folder / "schema.toml").unlink()
    assert desk(*shlex.split(command)[1:]).returncode == 0
    assert (desk.folder / "schema.toml").is_file()


def test_the_ends_of_ties_need_no_schema(desk):
    done = desk("anonymize", "--ties", "ties.csv", "-k", "2", "--json", "-o", "OUT")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert "ncp" not in told["losses"]
    assert told["found"]["k"] >= 2


def test_a_table_may_come_through_standard_input(desk):
    done = desk("anonymize", "-", "--schema", "schema.toml", "--method", "sangreea", "--json",
                stdin=(desk.folder / "people.csv").read_text())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["people"] == 40


def test_people_and_ties_cannot_both_be_standard_input(desk):
    done = desk("anonymize", "-", "--ties", "-", "--schema", "schema.toml", stdin="")
    assert done.returncode == 2
    assert "standard input" in done.stderr


def test_nothing_to_read_is_wrong_use(empty):
    assert empty("anonymize").returncode == 2
    assert empty("inspect").returncode == 2


def test_an_existing_folder_is_refused_without_force(desk):
    (desk.folder / "OUT").mkdir()
    (desk.folder / "OUT" / "mine.txt").write_text("mine")
    done = desk(*ANONYMIZE, "-o", "OUT")
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert (desk.folder / "OUT" / "mine.txt").read_text() == "mine"


def test_force_replaces_a_run_folder(desk):
    assert desk(*ANONYMIZE, "-o", "OUT").returncode == 0
    key = (desk.folder / "OUT" / "private" / "key.csv").read_text()
    done = desk(*ANONYMIZE, "-o", "OUT", "--force")
    assert done.returncode == 0, done.stderr
    assert (desk.folder / "OUT" / "private" / "key.csv").read_text() != key
    assert [path.name for path in desk.folder.iterdir() if path.name.startswith("OUT")] == ["OUT"]


def test_an_unwritable_place_is_told(desk):
    (desk.folder / "file").write_text("")
    done = desk(*ANONYMIZE, "-o", "file/OUT")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "file" in done.stderr


@pytest.mark.parametrize("k", ["1", "0", "-3"])
def test_k_below_two_is_refused(desk, k):
    done = desk(*ANONYMIZE, "-k", k, "-o", "OUT")
    assert done.returncode == 2
    assert "from 2" in done.stderr
    assert nothing_made(desk.folder)


def test_k_below_two_in_a_schema_is_refused(desk):
    schema = (desk.folder / "schema.toml").read_text().replace("k = 3", "k = 1")
    (desk.folder / "schema.toml").write_text(schema)
    done = desk(*ANONYMIZE, "-o", "OUT")
    assert done.returncode == 2
    assert nothing_made(desk.folder)


def test_a_dry_run_reads_and_estimates_and_writes_nothing(desk):
    done = desk(*ANONYMIZE, "-k", "1", "--dry-run", "--json", "-o", "OUT")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["dry_run"] is True
    assert (told["people"], told["k"]) == (40, 1)
    assert nothing_made(desk.folder)
    assert "dry run" in desk(*ANONYMIZE, "--dry-run").stdout


def test_more_than_there_are_people_is_infeasible(desk):
    for words in ((), ("--dry-run",)):
        done = desk(*ANONYMIZE, "-k", "41", "--json", *words)
        assert done.returncode == 2
        error = json.loads(done.stdout)["error"]
        assert "40 people" in error["what"]
        assert error["fix"] == "-k 40"
    assert nothing_made(desk.folder)


@pytest.mark.parametrize("words", [
    ("--method", "nothing"),
    ("--set", "nothing=1"),
    ("--set", "alpha"),
    ("--method", "sangreea", "--set", "alpha=-1"),
    ("--method", "sangreea", "--set", "alpha=high"),
    ("--tie-confidence", "1.5"),
    ("--withhold", "1"),
    ("--seed", "-1"),
])
def test_a_choice_that_is_not_allowed_says_what_is(desk, words):
    done = desk(*ANONYMIZE, *words, "-o", "OUT")
    assert done.returncode == 2
    assert "allowed:" in done.stderr or "greater than or equal to 0" in done.stderr or "x>=0" in done.stderr
    assert "Traceback" not in done.stderr
    assert nothing_made(desk.folder)


def test_a_bad_cell_is_told_with_file_line_column_and_option(desk):
    lines = (desk.folder / "people.csv").read_text().splitlines()
    lines[3] = lines[3].split(",")[0] + ",old,nurse,flu"
    (desk.folder / "people.csv").write_text("\n".join(lines) + "\n")
    done = desk(*ANONYMIZE, "--json", "-o", "OUT")
    assert done.returncode == 2
    where = json.loads(done.stdout)["error"]["where"]
    assert (where["file"], where["line"], where["column"]) == ("people.csv", 4, "age")
    assert nothing_made(desk.folder)


def test_an_unlisted_column_is_refused_and_can_be_dropped(desk):
    lines = (desk.folder / "people.csv").read_text().splitlines()
    (desk.folder / "people.csv").write_text("\n".join([lines[0] + ",phone", *(line + ",5" for line in lines[1:])]) + "\n")
    done = desk(*ANONYMIZE, "-o", "OUT")
    assert done.returncode == 2
    assert "phone" in done.stderr
    assert "--unlisted drop" in done.stderr
    assert desk(*ANONYMIZE, "-o", "OUT", "--unlisted", "drop").returncode == 0


def test_a_promise_of_ties_that_cannot_be_kept_releases_nothing(desk):
    done = desk(*ANONYMIZE, "--tie-confidence", "0", "--json", "-o", "OUT")
    assert done.returncode in (1, 2)
    assert "error" in json.loads(done.stdout)
    if done.returncode == 1:
        assert any(not finding["holds"] for finding in json.loads(done.stdout)["findings"])
    assert nothing_made(desk.folder)


def test_a_full_disk_under_standard_output_is_told(empty):
    with Path("/dev/full").open("w") as full:
        done = empty.afresh("methods", stdout=full)
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("finished")
def test_a_full_disk_leaves_nothing(desk):
    # files that may not grow beyond four blocks stand in for a disk that is full
    done = subprocess.run(["sh", "-c", 'ulimit -f 4; exec "$0" -m graphanon "$@"', sys.executable, *ANONYMIZE, "-o", "OUT"],
                          cwd=desk.folder, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "OUT" in done.stderr
    assert nothing_made(desk.folder)


def test_pages_are_drawn_where_they_are_asked_for(desk):
    done = desk("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--no-refine", "--report", "--json",
                "-o", "OUT")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert all((desk.folder / told[name]).is_file() for name in ("report", "report_json", "internal", "internal_json"))
    again = desk("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--no-refine", "-o", "OUT", "--force")
    assert again.returncode == 0, again.stderr
    assert "graphanon report OUT" in again.stdout
    assert not (desk.folder / "OUT" / "report.html").exists()
