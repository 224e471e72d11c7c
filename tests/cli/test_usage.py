import json
import os

import pytest

COMMANDS = ["demo", "inspect", "anonymize", "run", "audit", "plot", "methods", "datasets"]


def test_help_names_every_command(empty):
    done = empty("--help")
    assert done.returncode == 0
    assert all(f"\n  {command} " in done.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(empty, command):
    done = empty(command, "--help")
    assert done.returncode == 0
    assert "--json" in done.stdout
    assert done.stderr == ""


def test_help_is_there_at_once(empty):
    seconds = []
    for _ in range(3):
        started = os.times()
        assert empty.afresh("--help").returncode == 0
        ended = os.times()
        # of the processor, since other work may be in the way of a clock on the wall
        seconds.append(ended.children_user + ended.children_system - started.children_user - started.children_system)
    assert min(seconds) < 0.5


def test_help_imports_nothing_heavy(empty):
    done = empty.afresh("--help", options=("-X", "importtime"))
    loaded = {line.rsplit("|", 1)[-1].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert not loaded & {"numpy", "pandas", "numba", "scipy", "networkx", "igraph", "matplotlib", "rich", "pyarrow"}


def test_no_arguments_show_help(empty):
    assert empty().stdout.startswith("Usage: graphanon")


def test_the_version_is_told(empty):
    done = empty("--version")
    assert (done.returncode, done.stdout.split()[0]) == (0, "graphanon")


@pytest.mark.parametrize("words", [
    ("nothing",),
    ("demo", "--nothing"),
    ("anonymize", "-k", "many"),
    ("anonymize", "people.csv", "--unlisted", "keep"),
    ("plot", "somewhere"),
    ("run",),
    ("--json",),
])
def test_wrong_use_is_exit_2_in_words_and_in_json(empty, words):
    said = empty(*words)
    assert said.returncode == 2
    assert said.stdout == "" or "--json" in words
    assert said.stderr.startswith("graphanon: ")
    assert "Traceback" not in said.stderr
    told = empty(*words, "--json")
    assert told.returncode == 2
    error = json.loads(told.stdout)["error"]
    assert set(error) == {"what", "where", "allowed", "fix"}
    assert set(error["where"]) == {"file", "line", "column"}
    assert "--help" in error["fix"]


@pytest.mark.parametrize("words", [
    ("anonymize", "people.csv", "--schema", "schema.toml"),
    ("inspect", "people.csv"),
    ("run", "job.toml"),
    ("audit", "OUT/release"),
    ("plot", "OUT/release", "-o", "figure.png"),
])
def test_a_file_that_is_not_there_is_exit_2_and_named(empty, words):
    done = empty(*words)
    assert done.returncode == 2
    assert words[1] in done.stderr or "schema.toml" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_internal_fault_is_exit_3_and_quotes_no_data(desk):
    # a module of the search that fails on what it meets, as a bug would
    broken = desk.folder / "sabotage"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import graphanon.cli.release_commands as r\n"
        "def fail(*a, **k): raise ValueError('person p007 is ill')\n"
        "r._read = fail\n"
    )
    words = ("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml")
    done = desk.afresh(*words, PYTHONPATH=str(broken))
    assert done.returncode == 3
    assert "internal fault: ValueError" in done.stderr
    assert "GRAPHANON_TRACEBACK=1" in done.stderr
    assert "p007" not in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    told = desk.afresh(*words, "--json", PYTHONPATH=str(broken))
    assert told.returncode == 3
    assert "p007" not in told.stdout
    assert json.loads(told.stdout)["error"]["what"].startswith("internal fault")
    traced = desk.afresh(*words, PYTHONPATH=str(broken), GRAPHANON_TRACEBACK="1")
    assert traced.returncode == 3
    assert "Traceback (most recent call last)" in traced.stderr


@pytest.mark.parametrize("words", [("methods", "--json"), ("--help",)])
def test_a_reader_who_leaves_is_no_fault(empty, words):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = empty.afresh(*words, stdout=pipe)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_control_character_does_not_reach_the_terminal(empty, tmp_path):
    (tmp_path / "people.csv").write_text("id,\x1b[31mred\n1,2\n")
    done = empty("inspect", "people.csv")
    assert "\x1b" not in done.stdout + done.stderr


def test_progress_stays_away_from_files_and_pipes(finished):
    done = finished("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--dry-run", "--json")
    assert (done.returncode, done.stderr) == (0, "")
