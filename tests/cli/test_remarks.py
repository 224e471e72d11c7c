"""What a person is told beside a result, and that every refusal says how to go on."""

import json
import os
import signal
import subprocess
import sys

import pytest
from toy_files import write_files

from graphanon.cli.app import run
from graphanon.cli.remarks import lose_less

BASE = '[people]\nid = "id"\n[columns]\nid = { role = "identifier" }\nage = { role = "quasi", range = [0, 99] }\n'


@pytest.fixture
def say(tmp_path, monkeypatch, capsys):
    """Return a function that carries out a command line in a folder with files, and what it said."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)

    def said(*words):
        code = run([str(word) for word in words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return said


def write(**files):
    for name, text in files.items():
        with open(f"{name}.csv" if name != "schema" else "schema.toml", "w") as file:  # noqa: PTH123
            file.write(text)


PEOPLE = "id,age\n" + "".join(f"p{i},{20 + i}\n" for i in range(12))
TIES = "source,target,closeness,since\n" + "".join(f"p{i},p{i + 1},2,1999\n" for i in range(11))
GO = ("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--seed", "1", "-k", "3", "--no-refine")
TABLE = ("anonymize", "people.csv", "--schema", "schema.toml", "--seed", "1", "-k", "3", "--no-refine", "--dry-run")


@pytest.mark.parametrize("directed", ["true", "false"])
@pytest.mark.parametrize("weight", ["sum", "drop"])
def test_people_without_a_tie_between_them_are_released(say, directed, weight):
    write(people=PEOPLE, ties="source,target\n",
          schema=f'[ties]\nweight = "{weight}"\ndirected = {directed}\n{BASE}')
    code, out, err = say(*GO, "--json")
    assert code == 0, err
    assert json.loads(out)["ties"] == 0


@pytest.mark.parametrize("directed", ["true", "false"])
def test_sums_of_weights_need_a_column_of_weights(say, directed):
    write(people=PEOPLE, ties=TIES, schema=f'[ties]\nweight = "sum"\ndirected = {directed}\n{BASE}')
    code, _, err = say(*GO)
    assert code == 2
    assert "no column of weights was found" in err
    assert "'closeness', 'since'" in err
    assert "--weight COLUMN" in err
    code, out, err = say(*GO, "--weight", "closeness", "--dry-run", "--json")
    assert code == 0, err
    assert json.loads(out)["ties"] == 11


@pytest.mark.parametrize("head", ["source,target", "source,target,relation"])
def test_repeats_add_up_where_ties_have_nothing_but_ends(say, head):
    more = ",kin" * (head.count(",") - 1)
    write(people=PEOPLE, ties=f"{head}\np0,p1{more}\np1,p0{more}\np1,p2{more}\n", schema=f'[ties]\nweight = "sum"\n{BASE}')
    code, out, _ = say(*GO, "--dry-run", "--json")
    assert code == 0
    assert "each line weighs 1" in " ".join(json.loads(out)["read"]["notes"])


@pytest.mark.parametrize(("promises", "asked", "weaker"), [
    ("k = 5", ("-k", "3"), "k = 3 is weaker than the schema, which promises k = 5"),
    ("k = 3", ("-k", "3"), None),
    ("k = 3", ("-k", "4"), None),
    ("k = 3\ntie_confidence = 0.5", ("--tie-confidence", "0.9"), "tie_confidence = 0.9 is weaker"),
    ("k = 3\ntie_confidence = 0.9", ("--tie-confidence", "0.8"), None),
    ("k = 3\nwithhold = 0.1", ("--withhold", "0.2"), "withhold = 0.2 is weaker"),
    ("k = 3\nwithhold = 0.1", ("--withhold", "0"), None),
])
def test_asking_for_less_than_the_schema_promises_is_told(say, promises, asked, weaker):
    write(people=PEOPLE, ties="source,target\np0,p1\n", schema=f"{BASE}[promises]\n{promises}\n")
    code, out, err = say(*GO[:-3], *asked, "--dry-run", "--json")
    assert code == 0, err
    warnings = " ".join(json.loads(out)["warnings"])
    assert (weaker is None) == ("weaker" not in warnings + err)
    assert weaker is None or (weaker in warnings and weaker in err)


def test_all_that_was_left_out_is_told_once_with_its_numbers(say):
    rows = "".join(f"p{i},{20 + i},{'flu' if i % 2 else ''}\n" for i in range(12))
    write(people=f"id,age,illness\n{rows}p99,,flu\n", ties="source,target\np0,p1\np1,p0\np2,p2\np1,p3\np3,p4\n",
          schema='[people]\nmissing = "value"\n' + BASE.replace("[people]\n", "") + 'illness = { role = "sensitive", l = 1 }\n')
    code, _, err = say(*GO, "--dry-run")
    assert code == 0, err
    assert [line.split(":")[1] for line in err.splitlines() if "self-loop" in line or "to themselves" in line] == [" warning"]
    assert [line.split(":")[1] for line in err.splitlines() if "repeated" in line] == [" warning"]
    assert "warning: 1 self-loop dropped" in err
    assert "warning: 1 repeated edge merged" in err
    line = next(line for line in err.splitlines() if "not taken as it stood" in line)
    assert "6 missing values of 'illness' counted by alpha and l as a value of their own" in line
    write(schema=BASE.replace("[people]\n", '[people]\nmissing = "drop"\n') + 'illness = { role = "sensitive", l = 1 }\n')
    _, _, err = say(*GO, "--dry-run")
    assert "7 people dropped" in err
    assert "ties dropped" in err


def test_nothing_is_said_where_everything_was_taken(say):
    code, _, err = say("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--dry-run")
    assert (code, err) == (0, "")


@pytest.mark.parametrize(("role", "cells", "told"), [
    ("open", ["2024-05-01 13:45"] * 12, "times leave as they are"),
    ("sensitive", ["1.5.2024 7:05"] * 12, "times leave as they are"),
    ("open", ["2024-05-01T13:45:10Z"] * 12, "times leave as they are"),
    ("open", ["13:45"] * 12, "times leave as they are"),
    ("open", ["2024-05-01"] * 12, None),
    ("open", [f"street {i}" for i in range(12)], "12 of its 12 values occur once"),
    ("open", ["a", "b"] * 6, None),
    ("open", ["=1+1", "a"] * 6, "1 value begins with = + - or @"),
    ("sensitive", ["@SUM(A1)", "+x", "-y"] * 4, "3 values begin with = + - or @"),
    ("open", ["-5", "+3", "-"] * 4, None),
    ("quasi", ["=cmd", "a"] * 6, "1 value begins with = + - or @"),
    ("open", ["a\x1b[31m", "b"] * 6, "1 value holds control characters"),
    ("identifier", ["=1"] * 12, None),
    ("drop", ["=1"] * 12, None),
])
def test_text_that_does_more_than_it_seems_is_warned_of(say, role, cells, told):
    rows = "".join(f"p{i},{20 + i},{cell}\n" for i, cell in enumerate(cells))
    write(people=f"id,age,text\n{rows}", schema=f'{BASE}text = {{ role = "{role}" }}\n')
    code, out, err = say(*TABLE, "--json")
    assert code == 0, err
    warnings = [line for line in json.loads(out)["warnings"] if "nothing is promised" not in line]
    assert warnings == [] if told is None else told in " ".join(warnings)
    assert all(len(line) < 120 for line in warnings)


@pytest.mark.parametrize("blank", ["  ", "\u00a0"])
def test_ids_of_blanks_are_refused(say, blank):
    write(people=f'{PEOPLE}"{blank}",30\n', schema=BASE)
    code, _, err = say(*TABLE)
    assert code == 2
    assert "1 id consists of blanks" in err
    assert "--id COLUMN" in err
    write(ties=f'source,target\nann,bo\nann,"{blank}"\n')
    code, _, err = say("anonymize", "--ties", "ties.csv", "-k", "2", "--dry-run")
    assert code == 2
    assert "blanks" in err


REFUSED = [
    (("anonymize", "empty.csv", "--schema", "schema.toml"), "the file is empty"),
    (("anonymize", "people.csv", "--ties", "empty.csv", "--schema", "schema.toml"), "the file is empty"),
    (("anonymize", "header.csv", "--schema", "schema.toml"), "there are no people"),
    (("anonymize", "--ties", "heads.csv"), "there are no ties"),
    (("anonymize", "people.csv", "--schema", "schema.toml", "--method", "sangreea", "--set", "nope=1"), "no parameter 'nope'"),
    (("anonymize", "people.csv", "--schema", "schema.toml", "--method", "sangreea", "--set", "beta=x"), "cannot be 'x'"),
    (("anonymize", "people.csv", "--schema", "alpha.toml"), "alpha = { hiv = 0.2 }"),
    (("datasets", "nope"), "'graphanon datasets' lists them"),
    (("datasets", "-o", "there"), "graphanon datasets adult -o there"),
    (("methods", "nope"), "'graphanon methods' lists them"),
    (("anonymize", "people.csv", "--schema", "schema.toml", "--tie-confidence", "2"), "--tie-confidence 0.8"),
    (("anonymize", "people.csv", "--schema", "schema.toml", "--withhold", "2"), "--withhold 0.02"),
    (("anonymize", "people.csv", "--schema", "schema.toml", "-o", ""), "-o names no folder"),
    ((*GO, "--split-payload"), "--split-payload is for tables"),
    (("anonymize", "twice.csv", "--ties", "ties.csv", "--schema", "schema.toml"), "or name another id column: --id"),
    (("plot", "OUT/release"), "-o supernodes.png"),
    (("anonymize", "people.csv", "--schema", "schema.toml", "-o", "."), "another -o OUT"),
    (("anonymize", "people.csv", "--schema", "schema.toml", "-o", "people.csv", "--force"), "is a file that this run reads"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_every_refusal_says_how_to_go_on(say, words, told):
    write(people=PEOPLE, ties="source,target\np0,p1\n", schema=BASE, empty="", header="id,age\n", heads="source,target\n",
          twice=f"{PEOPLE}p1,30\n")
    with open("alpha.toml", "w") as file:  # noqa: PTH123
        file.write(BASE.replace('"quasi", range = [0, 99]', '"sensitive", alpha = 0.5'))
    code, _, err = say(*words)
    assert code == 2
    assert told in err
    assert "to fix: " in err


@pytest.mark.parametrize("header", ["value;group", "value;group;all", "value;group;more;all"])
def test_a_header_of_a_hierarchy_is_told_alike_whatever_its_length(say, header):
    write(people="id,age,job\n" + "".join(f"p{i},{20 + i},nurse\n" for i in range(12)), job=f"{header}\nnurse;health;*\ncook;food;*\n",
          schema=f'{BASE}job = {{ role = "quasi", hierarchy = "job.csv" }}\n')
    code, _, err = say(*TABLE)
    assert code == 2
    assert "leave out the header line" in err


def test_problems_of_a_column_come_in_the_order_of_lines(say):
    ages = ["20", "old", "120", "-1", "x", "300", "a", "12.5.1"]
    write(people="id,age\n" + "".join(f"p{i},{age}\n" for i, age in enumerate(ages)), schema=BASE)
    _, _, err = say(*TABLE)
    lines = [int(part.split(",")[0]) for part in err.split("line ")[1:]]
    assert len(lines) == 7
    assert lines == sorted(lines)


def test_files_that_the_job_reads_are_not_written_over(say):
    write(people=PEOPLE, schema=BASE)
    os.makedirs("OUT/release")  # noqa: PTH103
    for name, text in (("job.toml", 'people = "../people.csv"\nschema = "../schema.toml"\nout = "."\n'),):
        with open(f"OUT/{name}", "w") as file:  # noqa: PTH123
            file.write(text)
    code, _, err = say("run", "OUT/job.toml", "--force")
    assert code == 2
    assert "OUT/job.toml, which this run reads" in err


def test_where_much_is_lost_a_way_to_lose_less_is_told():
    assert lose_less({"ncp": 0.6}) is None
    assert "hierarchies" in lose_less({"ncp": 0.61})


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
@pytest.mark.parametrize("ignored", [False, True])
def test_a_run_that_is_told_to_end_leaves_nothing_unless_it_is_to_ignore_it(tmp_path, number, code, ignored):
    write_files(tmp_path)
    # tells in the middle of a run, when its folder is being built, and goes on if nothing came of it
    program = (
        "import os, signal, sys\n"
        f"if {ignored}: signal.signal({int(number)}, signal.SIG_IGN)\n"
        "from graphanon.release import Workspace\n"
        "real = Workspace.write_release\n"
        "def tells(self, release):\n"
        "    made = real(self, release)\n"
        f"    os.kill(os.getpid(), {int(number)})\n"
        "    return made\n"
        "Workspace.write_release = tells\n"
        "from graphanon.__main__ import main\n"
        "main()\n"
    )
    words = ("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "-o", "OUT", "--no-refine")
    before = {path.name for path in tmp_path.iterdir()}
    done = subprocess.run([sys.executable, "-c", program, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if ignored else code), done.stderr
    assert {path.name for path in tmp_path.iterdir()} == (before | {"OUT"} if ignored else before)
