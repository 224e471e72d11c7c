"""Promises on the command line: what nothing can keep is refused with its numbers, what can is in the release."""

import csv
import json

import pytest

ANONYMIZE = ("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--method", "sangreea", "-o", "OUT", "--json")


def town(desk, column: str, *, values=None, wish="", promises="k = 3", missing="error"):
    """Write 20 people, two friends each, with an illness of which something is promised."""
    ills = values or (["flu"] * 9 + ["cold"] * 6 + ["hiv"] * 5)
    rows = [{"id": f"p{i}", "age": 20 + i, "ill": ill, "wish": wish if i == 7 else "1"} for i, ill in enumerate(ills)]
    with (desk.folder / "people.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "age", "ill", "wish"])
        writer.writeheader()
        writer.writerows(rows)
    ties = [f"p{i},p{(i + step) % len(rows)}" for i in range(len(rows)) for step in (1, 4)]
    (desk.folder / "ties.csv").write_text("\n".join(["source,target", *ties]) + "\n")
    (desk.folder / "schema.toml").write_text(
        f'[people]\nid = "id"\nmissing = "{missing}"\n[columns]\nid = {{ role = "identifier" }}\n'
        f'age = {{ role = "quasi", range = [0, 99] }}\nwish = {{ role = "{"k" if wish else "drop"}" }}\n'
        f"ill = {{ {column} }}\n[promises]\n{promises}\n")


def refused(desk, *more) -> dict:
    done = desk(*ANONYMIZE, *more)
    assert done.returncode == 2, done.stdout + done.stderr
    assert not (desk.folder / "OUT").exists()
    return json.loads(done.stdout)["error"]


@pytest.mark.parametrize(("column", "settings", "words"), [
    ('role = "sensitive", alpha = { hiv = 0.2 }', {}, ["0.2", "hiv", "5 of all 20", "0.25"]),
    ('role = "sensitive", l = 4', {}, ["4 different values", "only 3"]),
    ('role = "sensitive", l = 3, diversity = "entropy"', {}, ["20 people have that of 2.9"]),
    ('role = "sensitive", l = 2, diversity = "recursive", c = 0.5', {}, ["occurs 9 times", "those 11 times"]),
    ('role = "sensitive"', {"promises": "k = 3\ntie_confidence = 0.1"}, ["40 are", "190 pairs", "0.2105"]),
    ('role = "sensitive"', {"wish": "21"}, ["someone asks", "the 20 people", "21"]),
    ('role = "sensitive", t = -0.1', {}, ["t is -0.1"]),
    ('role = "sensitive", t = 0.2', {"values": [str(1000 + 7 * i) for i in range(20)]}, ["20 different values are all numbers"]),
    ('role = "sensitive", l = 2', {"values": [str(i % 5) for i in range(20)]}, ["5 different values are all numbers"]),
    ('role = "sensitive", l = 2', {"values": ["flu", ""] * 10}, ["10 missing cells"]),
    ('role = "sensitive", l = 2, range = [0, 9]', {"values": ["1", "1.0"] * 10}, ["1.0", "written in another way"]),
])
def test_bad_promises_are_explained_with_numbers_before_the_search(empty, column, settings, words):
    town(empty, column, **settings)
    told = refused(empty)
    text = json.dumps(told)
    assert [word for word in words if word not in text] == []
    assert told["allowed"] or told["fix"]


def test_a_k_above_everyone_is_refused(empty):
    town(empty, 'role = "sensitive"')
    assert "only 20 people" in refused(empty, "-k", "21")["what"]


def test_a_dry_run_refuses_the_same(empty):
    town(empty, 'role = "sensitive", l = 4')
    assert "only 3" in refused(empty, "--dry-run")["what"]


@pytest.mark.parametrize(("column", "settings"), [
    ('role = "sensitive", alpha = { hiv = 0.34 }, l = 2, t = 0.5', {"promises": "k = 3\ntie_confidence = 0.6"}),
    ('role = "sensitive", order = ["cold", "flu", "hiv"], t = 0.4', {"wish": "8"}),
    ('role = "sensitive", hierarchy = "ill.csv", t = 0.4', {}),
    ('role = "sensitive", range = [0, 9], l = 3, diversity = "recursive", c = 2, t = 0.4', {"values": [str(i % 6) for i in range(20)]}),
    ('role = "sensitive", alpha = { hiv = 0.2 }', {"promises": "k = 3\nwithhold = 0.1"}),
    ('role = "sensitive", l = 2', {"values": ["flu", "", "cold", "flu"] * 5, "missing": "value"}),
])
def test_what_can_be_kept_is_kept_and_audited_with_the_originals(empty, column, settings):
    town(empty, column, **settings)
    (empty.folder / "ill.csv").write_text("flu;airways;*\ncold;airways;*\nhiv;blood;*\n")
    done = empty(*ANONYMIZE, "--seed", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert set(told["promises"]) <= set(told["found"])
    audit = empty("audit", "OUT/release", "--original", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml",
                  "--key", "OUT/private/key.csv", "--json")
    assert audit.returncode == 0, audit.stdout
    assert ("hierarchy" in column) == (empty.folder / "OUT" / "release" / "hierarchies" / "ill.csv").exists()
