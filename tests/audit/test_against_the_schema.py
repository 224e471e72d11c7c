"""What a release says of its columns and promises is the schema's: its ranges, steps, labels, bounds and order."""

import shutil

import pandas as pd
import pytest
from releases import edit_json, grouping, put_rows, rows, sum_again, town, written

from graphanon.audit import audit_truth
from graphanon.cli.originals import originals
from graphanon.io import read
from graphanon.io.build import build
from graphanon.io.schema_file import read_schema
from graphanon.pipeline import anonymize, requirement_of

JOBS = "baker;crafts;*\nsmith;crafts;*\nnurse;care;*\nteacher;care;*\n"
SCHEMA = """
[people]
missing = "value"
[columns]
age = { role = "quasi", range = [18, 90], steps = [5, 10] }
job = { role = "quasi", hierarchy = "job.csv" }
rank = { role = "quasi", order = ["low", "mid", "high"] }
town = { role = "quasi" }
illness = { role = "sensitive", alpha = { hiv = 0.9 }, l = 2, t = 0.9 }
city = { role = "open" }
"""


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    return {
        "graph": written(tmp_path_factory.mktemp("graph") / "out", grouping(town()), k=3),
        "table": written(tmp_path_factory.mktemp("table") / "out", grouping(town(has_ties=False)), k=3),
    }


def findings_of(case, place, schema, folder=None):
    (place / "job.csv").write_text(JOBS, encoding="utf-8")
    (place / "schema.toml").write_text(schema, encoding="utf-8")
    told = {key: case.originals[key] for key in ("people", "ids", "ties")}
    return audit_truth(folder or case.folder, key_path=case.key, schema_path=place / "schema.toml", **told)


def broken(findings):
    return {finding.promise for finding in findings if not finding.holds}


def facts(column, **told):
    return lambda folder: edit_json(folder, lambda statement: statement["columns"][column].update(told))


def bounds(bound, **told):
    def change(statement):
        for part in ("promises", "found"):
            statement[part][bound].update(told)

    return lambda folder: edit_json(folder, change)


def no_bound(bound):
    def change(statement):
        for part in ("promises", "found"):
            del statement[part][bound]

    return lambda folder: edit_json(folder, change)


def labels(change):
    def plant(folder):
        path = folder / "hierarchies" / "job.csv"
        put_rows(path, sorted(change(rows(path, ";"))), ";")

    return plant


def other_order(folder):
    head, *lines = rows(folder / "codebook.csv")
    put_rows(folder / "codebook.csv", [head, *lines[:-2], lines[-1], lines[-2]])
    edit_json(folder, lambda told: told["columns"].update(illness=told["columns"].pop("illness")))


def other_type(folder):
    lines = rows(folder / "codebook.csv")
    place = next(i for i, line in enumerate(lines) if line[0] == "illness")
    lines[place][2] = "number"
    put_rows(folder / "codebook.csv", lines)


PLANTS = {
    "a wider range": facts("age", range=[17, 90]),
    "a range to another end": facts("age", range=[18, 4711]),
    "a finer grid": facts("age", grid=0.5),
    "a coarser grid": facts("age", grid=5),
    "another step": facts("age", steps=[5, 11]),
    "a further step": facts("age", steps=[5, 10, 4711]),
    "no steps": lambda folder: edit_json(folder, lambda told: told["columns"]["age"].pop("steps")),
    "a further label of an order": facts("rank", order=["low", "mid", "high", "4711"]),
    "labels in another order": facts("rank", order=["mid", "low", "high"]),
    "a further value of a hierarchy": labels(lambda lines: [*lines, ["4711", "care", "*"]]),
    "a value fewer": labels(lambda lines: lines[1:]),
    "a value in another group": labels(lambda lines: [[a, "care" if a == "smith" else b, c] for a, b, c in lines]),
    "another name of a group": labels(lambda lines: [[a, {"care": "4711"}.get(b, b), c] for a, b, c in lines]),
    "a further level": labels(lambda lines: [[a, b, b, c] for a, b, c in lines]),
    "another bound of a value": bounds("alpha", illness={"hiv": 0.95}),
    "a bound of another value": bounds("alpha", illness={"hiv": 0.9, "flu": 1.0}),
    "no bound of a value": no_bound("alpha"),
    "a smaller l": bounds("l", illness=1),
    "an l of another kind": bounds("l", illness={"l": 2, "diversity": "entropy"}),
    "no l": no_bound("l"),
    "a larger t": bounds("t", illness=0.91234),
    "no t": no_bound("t"),
    "columns in another order": other_order,
    "another type": other_type,
}


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("kind", ["graph", "table"])
def test_what_is_not_the_schema_s_is_refused(tmp_path, cases, kind, plant):
    folder = tmp_path / "release"
    shutil.copytree(cases[kind].folder, folder)
    PLANTS[plant](folder)
    sum_again(folder)
    findings = findings_of(cases[kind], tmp_path, SCHEMA, folder)
    assert {"truth.schema"} <= broken(findings) or "truth.people" in broken(findings), [str(f) for f in findings]
    if "truth.people" not in broken(findings):
        assert all(f.detail for f in findings if not f.holds)


@pytest.mark.parametrize("plant", [
    ('age = { role = "quasi", range = [18, 90], steps = [5, 10] }', 'age = { role = "quasi", range = [18, 90] }'),
    ("range = [18, 90], steps", "range = [18, 91], steps"),
    ("steps = [5, 10]", "steps = [5, 10], grid = 5"),
    ('["low", "mid", "high"]', '["low", "mid", "higher", "high"]'),
    ("hiv = 0.9", "flu = 0.9"),
    ("l = 2, ", ""),
    ("t = 0.9 ", "t = 0.8 "),
])
def test_a_schema_that_says_otherwise_is_refused_too(tmp_path, cases, plant):
    assert SCHEMA.replace(*plant) != SCHEMA
    for case in cases.values():
        assert "truth.schema" in broken(findings_of(case, tmp_path, SCHEMA.replace(*plant)))


def test_without_a_schema_file_nothing_is_said_of_it(cases):
    findings = audit_truth(cases["graph"].folder, key_path=cases["graph"].key, **cases["graph"].originals)
    assert not any(finding.promise.startswith(("truth.schema", "promises")) for finding in findings)


@pytest.mark.parametrize("hierarchy", [
    JOBS, JOBS.replace(";", ","), JOBS.replace(";", "\t"), JOBS.replace(";", "; "), JOBS.replace("\n", ";\n"),
    JOBS.replace("\n", "\r\n"), '"baker";"crafts";"*"\n' + JOBS.split("\n", 1)[1], "\ufeff" + JOBS, JOBS + "\n\n",
])
def test_the_same_hierarchy_may_be_written_in_many_ways(tmp_path, cases, hierarchy):
    (tmp_path / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    (tmp_path / "job.csv").write_text(hierarchy, encoding="utf-8", newline="")
    case = cases["graph"]
    told = {key: case.originals[key] for key in ("people", "ids", "ties")}
    assert not broken(audit_truth(case.folder, key_path=case.key, schema_path=tmp_path / "schema.toml", **told))


@pytest.mark.parametrize(("asked", "weaker"), [
    ("k = 4", {"promises.k"}), ("k = 3", set()), ("k = 2", set()), ("tie_confidence = 0.5", {"promises.tie_confidence"}),
    ("k = 9\ntie_confidence = 0.5", {"promises.k", "promises.tie_confidence"}), ("withhold = 0.1", set()),
])
def test_a_promise_weaker_than_the_schema_s_is_told_and_holds(tmp_path, cases, asked, weaker):
    findings = findings_of(cases["graph"], tmp_path, SCHEMA + f"[promises]\n{asked}\n")
    told = [finding for finding in findings if finding.promise.startswith("promises.")]
    assert {finding.promise for finding in told} == weaker
    assert all(finding.holds and "weaker" in finding.detail for finding in findings if finding in told)
    assert not broken(findings)


def test_a_table_has_no_tie_confidence_to_be_weak(tmp_path, cases):
    findings = findings_of(cases["table"], tmp_path, SCHEMA + "[promises]\ntie_confidence = 0.5\n")
    assert not any(finding.promise.startswith("promises.") for finding in findings)


NUMBERS = {
    "whole numbers": [str(18 + i % 40) for i in range(60)],
    "negative numbers": [str(-18 + i % 40) for i in range(60)],
    "fractions": [f"{1.05 + i % 7 / 10:.2f}" for i in range(60)],
    "what arithmetic leaves behind": [repr(0.1 * (i % 12)) for i in range(60)],
    "one number": ["7"] * 60,
    "exponents": ["1e3" if i % 2 else " +250.0" for i in range(60)],
    "a missing cell": [None, *(str(i) for i in range(59))],
    "extremes that are missing elsewhere": ["999", *(str(i) for i in range(59))],
}


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("line", ['range = "observed", grid = 1', "grid = 0.1, steps = [0.1, 0.5]", "grid = 25"])
def test_a_range_that_was_observed_is_recounted(tmp_path, numbers, line):
    other = [None if numbers.startswith("extremes") and i == 0 else "x" for i in range(60)]
    people = pd.DataFrame({"n": NUMBERS[numbers], "other": other}, dtype=object)
    for missing in ("value", "drop"):
        place = tmp_path / missing
        place.mkdir()
        (place / "schema.toml").write_text(
            f'people.missing = "{missing}"\n[columns]\nn = {{ role = "quasi", {line} }}\nother = {{ role = "quasi" }}\n',
            encoding="utf-8")
        schema = read_schema(place / "schema.toml")
        source = read(people)
        reading, requirement = build(source, schema), requirement_of(schema, k=2)
        anonymize(reading, requirement=requirement, seed=1, out=place / "out", refine=False)

        def findings(place=place, source=source, schema=schema):
            return audit_truth(place / "out" / "release", key_path=place / "out" / "private" / "key.csv",
                               schema_path=place / "schema.toml", **originals(source, schema))

        assert [str(finding) for finding in findings() if not finding.holds] == []
        edit_json(place / "out" / "release", lambda told: told["columns"]["n"]["range"].__setitem__(1, 99999.5))
        assert "truth.schema" in broken(findings())
