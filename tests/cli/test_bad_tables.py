"""Bad and rare tables through the command line as a process: what is told, and that nothing half-made is left."""

import csv
import json
import random

import pytest
from desk import Desk

SCHEMA = """[people]
missing = "{missing}"

[columns]
age = {{ role = "quasi", range = [18, 70], steps = [5, 10] {limit} }}
job = {{ role = "quasi", hierarchy = "job.csv" {limit} }}
zip = {{ role = "quasi" {limit} }}
illness = {{ role = "sensitive" {promise} }}

[promises]
k = 3
"""
JOBS = "nurse;health;*\ndoctor;health;*\nteacher;school;*\ntutor;school;*\n"


class Table(Desk):
    """A desk with a table, its schema and a hierarchy, any of which a test may spoil."""

    def write(self, rows=None, *, jobs=JOBS, missing="error", limit="", promise=""):
        chance = random.Random(3)
        whole = [[chance.randint(18, 70), chance.choice(["nurse", "doctor", "teacher", "tutor"]), chance.choice([1001, 2002]),
                  chance.choice(["flu", "none", "hiv"])] for _ in range(30)]
        with (self.folder / "t.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["age", "job", "zip", "illness"], *(whole if rows is None else rows)])
        (self.folder / "job.csv").write_text(jobs)
        (self.folder / "s.toml").write_text(SCHEMA.format(missing=missing, limit=limit and f", limit = {limit}",
                                                          promise=promise and f", {promise}"))
        return whole

    def run(self, *more):
        return self("anonymize", "t.csv", "--schema", "s.toml", "-o", "OUT", "--seed", "1", "--no-refine", *more)

    def refused(self, *more):
        """Run, expect a refusal, and return what was told."""
        done = self.run(*more)
        assert done.returncode == 2, done.stderr
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
        assert not list(self.folder.glob("OUT*"))
        return done.stderr

    def released(self, *more):
        """Run, expect a release, and return its records."""
        done = self.run(*more)
        assert done.returncode == 0, done.stderr
        with (self.folder / "OUT" / "release" / "records.csv").open(newline="") as lines:
            return list(csv.DictReader(lines))


@pytest.fixture
def desk(tmp_path):
    return Table(tmp_path)


def test_a_hierarchy_that_misses_a_value_names_it_and_its_place(desk):
    desk.write(jobs=JOBS.replace("tutor;school;*\n", ""))
    told = desk.refused()
    assert "t.csv, line 5, column 'job': value 'tutor' is not in the hierarchy job.csv" in told
    assert "add it to the hierarchy" in told


@pytest.mark.parametrize(("line", "told"), [("nurse;health;*", "'nurse' stands in two lines"),
                                            ("nurse;school;*", "'nurse' stands under two parents")])
def test_a_hierarchy_that_holds_a_value_twice_names_both_lines(desk, line, told):
    desk.write(jobs=f"{JOBS}{line}\n")
    message = desk.refused()
    assert "job.csv, line 5" in message
    assert told in message
    assert "the first is line 1" in message


@pytest.mark.parametrize("method", ["recursive", "semi-alpha-k", "datafly"])
def test_a_share_that_rounds_down_in_small_classes_is_kept_in_larger_ones(desk, method):
    # half may have it and half do: one of three each would leave one over, all six together are just right
    desk.write([[20 + i, "nurse", 1001, "hiv" if i < 3 else "flu"] for i in range(6)], promise="alpha = { hiv = 0.5 }")
    allowed = ("--set", "max_suppress=0") if method == "datafly" else ()
    assert len(desk.released("--method", method, *allowed)) == 6


def test_a_share_below_that_of_everyone_is_refused_with_one_that_is_enough(desk):
    rows = [[20 + i, "nurse", 1001, "hiv" if i % 3 == 0 else "flu"] for i in range(30)]
    desk.write(rows, promise="alpha = { hiv = 0.33 }")
    told = desk.refused()
    assert "10 of all 30 people have it" in told
    assert "alpha of 'hiv' = 0.3334" in told
    desk.write(rows, promise="alpha = { hiv = 0.3334 }")
    assert len(desk.released()) == 30


@pytest.mark.parametrize("method", ["datafly-improved", "top-down"])
def test_limits_that_block_every_attribute_are_refused_with_a_table(desk, method):
    desk.write(limit="0")
    told = desk.refused("--method", method)
    assert "of 30 people" in told
    assert "job: level 0 of 2, 4 values left" in told
    assert "raise a limit in the schema" in told


def test_limits_that_block_every_attribute_withhold_who_is_left_on_request(desk):
    whole = desk.write(limit="0")
    desk.write(whole + [[30, "nurse", 1001, "flu"]] * 4, limit="0")
    records = desk.released("--method", "datafly-improved", "--set", "blocked=suppress")
    assert {tuple(row.values())[:3] for row in records} == {("30", "nurse", "1001")}
    assert len(records) >= 4


def test_a_limit_that_a_method_does_not_look_at_is_told(desk):
    desk.write(limit="1")
    done = desk.run("--method", "coaa")
    assert done.returncode == 0
    assert "the level limit of 'age', 'job', 'zip' is for methods that recode; coaa" in done.stderr


def test_a_number_column_with_text_in_one_cell_names_the_cell(desk):
    whole = desk.write()
    whole[7][0] = "old"
    desk.write(whole)
    told = desk.refused()
    assert "t.csv, line 9, column 'age': 'old' is not a number" in told
    assert "read the column as text" in told


def test_categories_written_as_numbers_stay_what_they_are(desk):
    desk.write()
    assert {row["zip"] for row in desk.released()} <= {"1001", "2002", "*"}


def test_a_column_in_which_everything_is_missing_is_refused_or_tells_nothing(desk):
    rows = [[age, job, "", ill] for age, job, _, ill in desk.write()]
    desk.write(rows)
    told = desk.refused()
    assert "30 missing cells" in told
    assert 'missing = "drop"' in told
    desk.write(rows, missing="drop")
    assert "nobody is left" in desk.refused()
    desk.write(rows, missing="value")
    records = desk.released()
    assert len(records) == 30
    assert {row["zip"] for row in records} <= {"", "*"}


def test_a_single_quasi_identifier_is_enough(desk):
    desk.write()
    text = (desk.folder / "s.toml").read_text().replace('role = "quasi", hierarchy = "job.csv"', 'role = "drop"')
    (desk.folder / "s.toml").write_text(text.replace('zip = { role = "quasi"', 'zip = { role = "drop"'))
    assert set(desk.released()[0]) == {"age", "illness"}


def test_twelve_quasi_identifiers_stay_within_bounds(desk):
    chance = random.Random(1)
    names = [f"q{j}" for j in range(12)]
    with (desk.folder / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([names, *([chance.choice("abcd") for _ in names] for _ in range(120))])
    (desk.folder / "s.toml").write_text("[columns]\n" + "".join(f'{name} = {{ role = "quasi" }}\n' for name in names))
    assert len(desk.released("--method", "general-alpha-k", "-k", "4")) == 120


@pytest.mark.parametrize("method", ["recursive", "coaa"])
def test_rows_that_are_all_equal_lose_nothing(desk, method):
    desk.write([[30, "nurse", 1001, "flu"]] * 12)
    assert {tuple(row.values()) for row in desk.released("--method", method)} == {("30", "nurse", "1001", "flu")}


@pytest.mark.parametrize("method", ["recursive", "datafly"])
def test_a_k_of_everyone_makes_one_class_and_one_more_is_refused(desk, method):
    desk.write()
    told = desk.refused("--method", method, "-k", "31")
    assert "there are only 30 people" in told
    assert "-k 30" in told
    records = desk.released("--method", method, "-k", "30")
    assert len(records) == 30
    assert len({tuple(row.values())[:3] for row in records}) == 1


def test_everything_that_is_wrong_is_told_as_json_too(desk):
    desk.write(limit="0")
    done = desk.run("--method", "datafly-improved", "--json")
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert "level 0 of 2" in error["what"]
    assert "raise a limit" in error["fix"]
