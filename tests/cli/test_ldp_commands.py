import json
import re

import pytest
from desk import Desk

from graphanon.datasets import export


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A folder with the heart table, its schema and hierarchies, and the answers to bits of it."""
    folder = tmp_path_factory.mktemp("ldp")
    export("heart", folder / "heart")
    desk = Desk(folder)
    done = desk("ldp", "perturb", "heart/people.csv", "--schema", "heart/schema.toml", "--epsilon", "2", "--mechanism", "bits",
                "-o", "answers", "--json")
    assert done.returncode == 0, done.stderr
    (folder / "told.json").write_text(done.stdout)
    return desk


def perturb(desk, *words):
    return desk("ldp", "perturb", "heart/people.csv", "--schema", "heart/schema.toml", *words)


def test_what_was_spent_is_told(desk):
    told = json.loads((desk.folder / "told.json").read_text())
    assert told["promises"] == {"epsilon": 2.0}
    assert told["people"] == 918
    assert told["for_release"] is True
    assert sum(told["epsilon"]["feature"].values()) == pytest.approx(2.0)
    assert all(finding["holds"] for finding in told["findings"])


def test_the_audit_accepts_it_from_the_files_and_with_the_people(desk):
    alone = desk("audit", "answers/release", "--json")
    assert alone.returncode == 0
    with_people = desk("audit", "answers/release", "--original", "heart/people.csv", "--schema", "heart/schema.toml", "--json")
    assert with_people.returncode == 0, with_people.stdout
    found = {finding["promise"] for finding in json.loads(with_people.stdout)["findings"]}
    assert {"epsilon.record", "truth.answers", "truth.domain"} <= found


def test_nothing_of_a_run_leads_back_to_people(desk):
    assert sorted(path.name for path in (desk.folder / "answers" / "private").iterdir()) == ["ledger.json", "run.json"]


def test_groups_are_found_from_the_release_alone(desk, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (desk.folder / "answers" / "release").rename(desk.folder / "alone")
    try:
        done = desk("ldp", "cluster", "alone", "--clusters", "2", "-o", "groups", "--json")
    finally:
        (desk.folder / "alone").rename(desk.folder / "answers" / "release")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["promises"] == {"epsilon": 2.0}
    assert desk("audit", "groups/release").returncode == 0


def test_runs_about_the_same_people_add_up_in_a_ledger(desk):
    for name in ("first", "second"):
        assert perturb(desk, "--epsilon", "0.5", "--mechanism", "grr", "--ledger", "sum.json", "-o", name).returncode == 0
    told = json.loads((desk.folder / "sum.json").read_text())
    assert len(told["runs"]) == 2
    assert told["total"]["record"] == pytest.approx(1.0)
    assert told == json.loads((desk.folder / "second" / "private" / "ledger.json").read_text())


def test_a_seeded_run_says_that_it_is_not_for_release(desk):
    done = perturb(desk, "--epsilon", "1", "--mechanism", "grr", "--seed", "3", "-o", "trial")
    assert done.returncode == 0
    assert "NOT FOR RELEASE" in done.stdout
    told = json.loads((desk.folder / "trial" / "release" / "release.json").read_text())
    assert (told["reproducible"], told["for_release"]) == (True, False)
    assert "seed" not in told


WRONG = {
    "no budget": (("--epsilon", "0"), "above 0"),
    "a budget below nothing": (("--epsilon", "-1"), "above 0"),
    "a budget that is no number": (("--epsilon", "nan"), "above 0"),
    "a scope for bits": (("--epsilon", "1", "--scope", "bit", "--mechanism", "grr"), "--mechanism bits"),
    "a mechanism nobody knows": (("--epsilon", "1", "--mechanism", "laplace"), "grr"),
    "a column nobody has": (("--epsilon", "1", "--mechanism", "Weight=grr"), "COLUMN=NAME"),
    "numbers for labels": (("--epsilon", "1", "--mechanism", "Sex=piecewise"), "grr"),
    "more columns than there are": (("--epsilon", "1", "--mechanism", "grr", "--asked", "99"), "from 1 to"),
    "a ledger that is none": (("--epsilon", "1", "--mechanism", "grr", "--ledger", "heart/people.csv"), "ledger"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use_is_exit_2_and_says_what_is_allowed(name, desk):
    words, allowed = WRONG[name]
    done = perturb(desk, *words, "-o", "wrong")
    assert done.returncode == 2, done.stderr
    assert allowed in done.stderr
    assert "Traceback" not in done.stderr
    assert not (desk.folder / "wrong").exists()


def schema_with(desk, name, old, new):
    text = (desk.folder / "heart" / "schema.toml").read_text()
    assert old in text
    (desk.folder / "heart" / name).write_text(text.replace(old, new))
    return f"heart/{name}"


def line_of(desk, column):
    return next(line for line in (desk.folder / "heart" / "schema.toml").read_text().splitlines() if line.startswith(column))


@pytest.mark.parametrize(("column", "now"), [
    ("Age", 'Age = { role = "quasi", grid = 1 }'),
    ("Sex", 'Sex = { role = "quasi" }'),
    ("Sex", 'Sex = { role = "open" }'),
])
def test_a_column_without_a_declared_domain_is_refused_before_the_people_are_read(column, now, desk):
    schema = schema_with(desk, "lacking.toml", line_of(desk, column), now)
    done = desk("ldp", "perturb", "nobody.csv", "--schema", schema, "--epsilon", "1", "--mechanism", "grr", "-o", "wrong")
    assert done.returncode == 2
    assert column in done.stderr


def place_of(desk, column):
    return (desk.folder / "heart" / "people.csv").read_text().splitlines()[0].split(",").index(column)


def test_numbers_between_values_of_the_grid_are_counted(desk):
    schema = schema_with(desk, "coarse.toml", line_of(desk, "Age"), 'Age = { role = "quasi", range = [20, 80], grid = 5 }')
    done = desk("ldp", "perturb", "heart/people.csv", "--schema", schema, "--epsilon", "1", "--mechanism", "grr", "-o", "coarse")
    ages = [float(line.split(",")[place_of(desk, "Age")]) for line in (desk.folder / "heart" / "people.csv").read_text().splitlines()[1:]]
    assert done.returncode == 0, done.stderr
    assert f"{sum(age % 5 != 0 for age in ages)} numbers of column 'Age' lie between two values of its grid" in done.stderr


def test_numbers_outside_their_range_are_refused_or_clipped(desk):
    line = line_of(desk, "Age")
    schema = schema_with(desk, "narrow.toml", line, 'Age = { role = "quasi", range = [40, 60], grid = 1 }')
    words = ("ldp", "perturb", "heart/people.csv", "--schema", schema, "--epsilon", "1", "--mechanism", "grr")
    refused = desk(*words, "-o", "wrong")
    assert refused.returncode == 2
    assert "range" in refused.stderr
    clipped = desk(*words, "--outside", "clip", "-o", "clipped", "--json")
    assert clipped.returncode == 0, clipped.stderr
    ages = [float(line.split(",")[place_of(desk, "Age")]) for line in (desk.folder / "heart" / "people.csv").read_text().splitlines()[1:]]
    moved = sum(not 40 <= age <= 60 for age in ages)
    assert f"{moved} numbers of column 'Age' lie outside its domain" in " ".join(json.loads(clipped.stdout)["warnings"])
    told = json.loads((desk.folder / "clipped" / "private" / "run.json").read_text())["read"]
    assert told["counts"]["numbers_clipped"] == moved
    assert not any("the release tells it" in warning for warning in told["warnings"])
    audited = desk("audit", "clipped/release", "--original", "heart/people.csv", "--schema", schema)
    assert audited.returncode == 0, audited.stdout


def test_more_groups_than_people_are_refused(desk):
    done = desk("ldp", "cluster", "answers/release", "--clusters", "919", "-o", "wrong")
    assert done.returncode == 2
    assert "919" in done.stderr


@pytest.mark.parametrize("method", ["odpc", "ldpk-prototypes"])
def test_anonymize_publishes_centres_under_a_budget(method, desk):
    words = ("anonymize", "heart/people.csv", "--schema", "heart/schema.toml", "--method", method, "--set", "epsilon=1")
    done = desk(*words, "-o", method, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["promises"]["epsilon"] <= 1
    assert desk("audit", f"{method}/release").returncode == 0
    refused = desk(*words, "-k", "5", "-o", "wrong")
    assert refused.returncode == 2
    assert "-k" in refused.stderr


@pytest.mark.parametrize("words", [("--ties", "ties.csv"), ("--tie-epsilon", "1"),
                                   ("--ties", "ties.csv", "--tie-epsilon", "1", "--tie-report", "pairs", "--tie-classes", "3")])
def test_ties_need_a_budget_of_their_own_and_a_budget_needs_ties(words, desk):
    (desk.folder / "ties.csv").write_text("source,target\n1,2\n")
    done = perturb(desk, "--epsilon", "1", *words, "-o", "wrong")
    assert done.returncode == 2
    assert "--tie" in done.stderr
    assert not (desk.folder / "wrong").exists()


DAMAGED = {
    "a number that is none": '{"runs": [{"record": NaN}]}',
    "a truth value": '{"runs": [{"record": true}]}',
    "a run that spent nothing known": '{"runs": [{}]}',
    "more than numbers can hold": '{"runs": [{"record": 1e308}, {"record": 1e308}]}',
    "a list": "[]",
    "no text": b"\xff\xfe",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_ledger_is_not_begun_anew(name, desk):
    text = DAMAGED[name]
    (desk.folder / "damaged.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    done = perturb(desk, "--epsilon", "1", "--ledger", "damaged.json", "-o", "wrong")
    assert (done.returncode, "damaged" in done.stderr) == (2, True), done.stderr
    assert not (desk.folder / "wrong").exists()
    assert not list(desk.folder.glob("*.partial"))


@pytest.mark.parametrize("ledger", ["nowhere/ledger.json", "heart", "held.json"])
def test_nothing_leaves_that_the_ledger_could_not_tell_of(ledger, desk):
    (desk.folder / "held.json.partial").touch()
    done = perturb(desk, "--epsilon", "1", "--ledger", ledger, "-o", "wrong")
    assert done.returncode == 2
    assert "ledger" in done.stderr
    assert not (desk.folder / "wrong").exists()
    assert [path.name for path in desk.folder.glob("*.partial")] == ["held.json.partial"]


def test_a_ledger_behind_a_link_is_written_where_it_is(desk):
    (desk.folder / "real.json").write_text('{"runs": []}')
    (desk.folder / "link.json").symlink_to("real.json")
    assert perturb(desk, "--epsilon", "1", "--ledger", "link.json", "-o", "linked").returncode == 0
    assert (desk.folder / "link.json").is_symlink()
    assert len(json.loads((desk.folder / "real.json").read_text())["runs"]) == 1


def test_what_a_budget_does_not_hold_is_said(desk):
    line = line_of(desk, "HeartDisease")
    schema = schema_with(desk, "promising.toml", line, line.replace('"sensitive"', '"sensitive", l = 2') + "\n[promises]\nk = 5")
    done = desk("ldp", "perturb", "heart/people.csv", "--schema", schema, "--epsilon", "30", "-o", "promising", "--json")
    assert done.returncode == 0, done.stderr
    said = "\n".join(json.loads(done.stdout)["warnings"])
    assert "HeartDisease" in said
    assert "[promises]" in said
    assert "protects next to nothing" in said


def test_no_extreme_of_the_people_is_told_where_numbers_are_clipped(desk):
    schema = schema_with(desk, "tight.toml", line_of(desk, "Age"), 'Age = { role = "quasi", range = [40, 60] }')
    done = desk("ldp", "perturb", "heart/people.csv", "--schema", schema, "--epsilon", "1", "--outside", "clip", "-o", "tight", "--json")
    assert done.returncode == 0, done.stderr
    # how many were moved is all that is told of numbers, here and in the private record
    recorded = json.loads((desk.folder / "tight" / "private" / "run.json").read_text())["read"]["warnings"]
    told = json.loads(done.stdout)["warnings"]
    moved = re.compile(r"[\d,]+ numbers of column '\w+' lie (outside its domain and are moved to the nearest end"
                       r"|between two values of its grid and are moved to the nearest)")
    assert told == recorded
    assert told
    assert all(moved.fullmatch(warning) for warning in told)


@pytest.mark.parametrize(("words", "said"), [
    (("--mechanism", "Age=grr", "--mechanism", "Age=oue"), "one column"),
    (("--mechanism", "grr", "--mechanism", "oue"), "all columns"),
])
def test_two_mechanisms_for_the_same_are_refused(words, said, desk):
    done = perturb(desk, "--epsilon", "1", *words, "-o", "wrong")
    assert done.returncode == 2
    assert said in done.stderr


def test_the_folder_of_a_run_is_not_what_the_server_is_given(desk):
    done = desk("ldp", "cluster", "answers", "--clusters", "2", "-o", "wrong")
    assert done.returncode == 2
    assert "answers/release" in done.stderr


def test_a_budget_of_ties_that_is_none_names_its_option(desk):
    (desk.folder / "ties.csv").write_text("source,target\n1,2\n")
    done = perturb(desk, "--epsilon", "1", "--ties", "ties.csv", "--tie-epsilon", "0", "-o", "wrong")
    assert done.returncode == 2
    assert "--tie-epsilon 1" in done.stderr
