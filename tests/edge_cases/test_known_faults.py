"""Faults that were seen in other anonymizers, each looked for here.

A quasi-identifier released raw, rows lost without a word, a checker that skips what it cannot place, an
answer that depends on the call before: what has gone wrong once will go wrong again.
"""

import csv
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from graphanon.audit import audit_release
from graphanon.catalog import methods
from graphanon.domain import Range, Tree
from graphanon.errors import InfeasiblePromise, InputProblem
from graphanon.grouping import points
from graphanon.pipeline import anonymize, read
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role, Schema

TOWNS = ["Lund", "Malmo", "Ystad", "Eslov"]


def frame(n: int = 24) -> pd.DataFrame:
    """Return people whose town has no hierarchy, whose index has gaps and repeats, and of whom some keep silent."""
    rng = np.random.default_rng(4)
    people = pd.DataFrame({
        "id": [f"p{i}" for i in range(n)],
        "age": rng.integers(20, 60, n),
        "town": [TOWNS[i % 4] for i in range(n)],
        "illness": [["flu", "hiv", None][i % 3] for i in range(n)],
    })
    return people.set_index(pd.Index([7] * (n // 2) + list(range(100, 100 + n - n // 2))))


def ties(n: int = 24) -> pd.DataFrame:
    return pd.DataFrame({"source": [f"p{i}" for i in range(n)], "target": [f"p{(i * 5 + 1) % n}" for i in range(n)]})


def schema(**columns: Column) -> Schema:
    own = {
        "id": Column(name="id", role=Role.IDENTIFIER),
        "age": Column(name="age", role=Role.QUASI, numeric=True, declared=(20, 60)),
        "town": Column(name="town", role=Role.QUASI),
        "illness": Column(name="illness", role=Role.SENSITIVE),
    }
    return Schema(columns=tuple((own | columns).values()), id="id", missing="value")


def run(out=None, *, people=None, k: int = 3, with_ties: bool = True, **more):
    given = frame() if people is None else people
    reading = read(given, ties() if with_ties else None, schema=schema())
    return anonymize(reading, requirement=Requirement(k=k), method="sangreea", seed=2, out=out, **more)


def rows(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_quasi_identifier_without_a_hierarchy_is_generalized_all_the_same(tmp_path):
    run(tmp_path / "out", with_ties=False)
    seen = pd.DataFrame(rows(tmp_path / "out" / "release" / "records.csv"))
    assert seen.groupby(["age", "town"]).size().min() >= 3


@pytest.mark.parametrize("with_ties", [True, False])
def test_people_with_missing_cells_are_not_lost(with_ties, tmp_path):
    people = frame().reset_index(drop=True)
    people.loc[[1, 5], "town"] = None
    people["age"] = people["age"].astype("Int64")
    people.loc[[2], "age"] = pd.NA
    finished = run(tmp_path / "out", people=people, with_ties=with_ties)
    assert finished.release.sizes.sum() == 24
    assert all(finding.holds for finding in audit_release(tmp_path / "out" / "release"))


def test_missing_sensitive_values_are_counted_as_a_value(tmp_path):
    run(tmp_path / "out")
    told = rows(tmp_path / "out" / "release" / "sensitive.csv")
    assert sum(int(row["count"]) for row in told) == 24
    assert sum(int(row["count"]) for row in told if row["value"] == "") == 8


def test_the_callers_frames_are_left_as_they_were():
    people, pairs = frame(), ties()
    before = people.copy(deep=True), pairs.copy(deep=True)
    read(people, pairs, schema=schema())
    pd.testing.assert_frame_equal(people, before[0])
    pd.testing.assert_frame_equal(pairs, before[1])


def test_a_second_call_gives_the_same_answer():
    one, two = run(), run()
    assert one.release.statement["losses"] == two.release.statement["losses"]
    assert np.array_equal(one.grouping.partition.labels, two.grouping.partition.labels)


def test_an_index_that_repeats_is_no_name_of_a_person_and_does_not_leave(tmp_path):
    run(tmp_path / "out", with_ties=False)
    header = (tmp_path / "out" / "release" / "records.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header == "age,town,illness"


def test_a_column_that_is_not_listed_is_no_quasi_identifier_but_refused():
    people = frame().assign(note="x")
    with pytest.raises(InputProblem, match="note"):
        read(people, ties(), schema=schema())


def test_fewer_people_than_k_are_never_released(tmp_path):
    with pytest.raises(InfeasiblePromise):
        run(tmp_path / "out", k=25)
    assert not (tmp_path / "out").exists()


def test_a_k_of_0_does_not_run_at_all():
    with pytest.raises(InputProblem, match="k is 0"):
        run(k=0)


@pytest.mark.parametrize("value", [-3, 61])
def test_a_value_that_was_not_foreseen_is_told_with_its_column(value):
    people = frame()
    people.iloc[3, 1] = value
    with pytest.raises(InputProblem) as caught:
        read(people, ties(), schema=schema())
    assert caught.value.problems[0].column == "age"


def test_a_number_with_a_fraction_is_read_as_it_is():
    people = frame().astype({"age": float})
    people.iloc[3, 1] = 20.5
    age = Column(name="age", role=Role.QUASI, numeric=True, declared=(20, 60), grid=0.5)
    graph = read(people, ties(), schema=schema(age=age)).graph
    assert points(graph).lo[3, 0] == 20.5


def test_a_hierarchy_that_misses_the_value_of_the_first_row_says_so(tmp_path):
    (tmp_path / "town.csv").write_text("".join(f"{town};*\n" for town in TOWNS[1:]), encoding="utf-8")
    (tmp_path / "schema.toml").write_text(
        '[people]\nid = "id"\n[columns]\nage = { role = "drop" }\nillness = { role = "drop" }\n'
        'town = { role = "quasi", hierarchy = "town.csv" }\n', encoding="utf-8")
    with pytest.raises(InputProblem, match="Lund"):
        read(frame(), ties(), schema=tmp_path / "schema.toml")


def test_a_group_that_holds_one_value_keeps_its_level():
    tree = Tree((("a", "a", "*"), ("b", "g", "*"), ("c", "g", "*")))
    assert tree.height == 2
    assert tree.cost(*tree.snap(np.array([0.0]), np.array([2.0])), "height") == 1


def test_losses_are_numbers_even_when_everything_is_hidden(tmp_path):
    losses = run(tmp_path / "out", k=24).release.statement["losses"]
    assert all(np.isfinite(value) for value in losses.values())
    text = (tmp_path / "out" / "private" / "run.json").read_text(encoding="utf-8")
    assert "NaN" not in text
    assert json.loads(text)["losses"]["ncp"] == losses["ncp"]


def test_more_quasi_identifiers_than_a_key_could_hold_are_no_trouble():
    rng = np.random.default_rng(1)
    wide = pd.DataFrame({f"q{j}": rng.integers(0, 10_000, 40) for j in range(70)})
    columns = tuple(Column(name=f"q{j}", role=Role.QUASI, numeric=True, declared=(0, 10_000)) for j in range(70))
    reading = read(wide, schema=Schema(columns=columns))
    finished = anonymize(reading, requirement=Requirement(k=4), method="sangreea", seed=1)
    assert finished.release.sizes.min() >= 4


def test_a_single_quasi_identifier_is_enough():
    one = Schema(columns=(Column(name="age", role=Role.QUASI, numeric=True, declared=(20, 60)),))
    finished = anonymize(read(frame()[["age"]], schema=one), requirement=Requirement(k=3), method="sangreea", seed=1)
    assert finished.release.sizes.sum() == 24


def test_numbers_stay_numbers_and_words_stay_words(tmp_path):
    run(tmp_path / "out")
    for row in rows(tmp_path / "out" / "release" / "supernodes.csv"):
        assert row["age_low"].isdigit()
        assert row["age_high"].isdigit()
        assert row["town"] in {*TOWNS, "*"}


def test_withheld_people_are_no_class_when_a_release_is_read_again(tmp_path):
    finished = run(tmp_path / "out")
    told = json.loads((tmp_path / "out" / "release" / "release.json").read_text(encoding="utf-8"))
    assert told["people"] == sum(finished.release.sizes.tolist()) + told["withheld"]
    assert told["supernodes"] == len(finished.release.sizes)


def test_defaults_of_a_method_carry_nothing_from_call_to_call():
    for cls in methods().values():
        assert cls() == cls()
        assert cls() is not cls()


HASHED = """
import sys
sys.path.insert(0, {here!r})
from test_known_faults import run
print(sorted(map(str, run().release.cells)), run().grouping.partition.labels.tolist())
"""


def test_a_seed_gives_the_same_answer_whatever_the_hashes_of_a_process(request):
    here = str(request.path.parent)
    answers = {
        subprocess.run([sys.executable, "-c", HASHED.format(here=here)], capture_output=True, text=True, check=True,
                       env={"PYTHONHASHSEED": seed, "NUMBA_DISABLE_JIT": "1"}).stdout
        for seed in ("0", "1")
    }
    assert len(answers) == 1


def tabled(frame, columns, *, k=3, method="recursive", out=None, **asked):
    """Anonymize a frame as a table, unrefined."""
    reading = read(frame, schema=Schema(columns=tuple(columns)))
    return anonymize(reading, requirement=Requirement(k=k, **asked), method=method, seed=2, out=out, refine=False)


def test_categories_as_integers_and_as_a_categorical_are_read_as_they_are_written(tmp_path):
    rng = np.random.default_rng(1)
    towns = pd.Categorical(rng.choice(TOWNS[:3], 24), categories=TOWNS)
    people = pd.DataFrame({"zip": rng.choice([22100, 22200], 24), "town": towns}, index=[1] * 24)
    finished = tabled(people, [Column(name=name, role=Role.QUASI) for name in people], out=tmp_path / "out")
    told = pd.DataFrame(rows(tmp_path / "out" / "release" / "records.csv"))
    assert set(told["zip"]) <= {"22100", "22200", "*"}
    # a category that nobody has is no value
    assert set(finished.grouping.source.domains[1].leaves) == set(TOWNS[:3])
    assert set(told["town"]) <= {*TOWNS[:3], "*"}


def test_a_level_that_tells_no_less_than_the_one_below_is_a_level_all_the_same():
    line = Range(0, 5, steps=(10, 20))
    assert line.height == 3
    assert [line.at_level(np.array([3.0]), level) for level in (1, 2, 3)] == [(0, 5)] * 3


def test_rare_categories_that_are_merged_and_still_too_few_are_merged_on(tmp_path):
    tree = Tree((("a", "common", "*"), ("b", "rare", "*"), ("c", "rare", "*")))
    people = pd.DataFrame({"town": ["a"] * 10 + ["b", "c"]})
    columns = [Column(name="town", role=Role.QUASI, domain=tree)]
    for method in ("datafly-improved", "general-alpha-k", "top-down", "recursive", "kaca"):
        finished = tabled(people, columns, method=method, out=tmp_path / method)
        counts = pd.DataFrame(rows(tmp_path / method / "release" / "records.csv")).value_counts()
        assert counts.min() >= 3
        assert counts.sum() == 12 == finished.release.statement["people"]


@pytest.mark.parametrize("method", ["recursive", "coaa", "semi-alpha-k", "general-alpha-k", "datafly-improved"])
def test_each_of_several_sensitive_columns_is_kept_and_recounted(method):
    rng = np.random.default_rng(5)
    people = pd.DataFrame({"age": rng.integers(20, 60, 60), "illness": rng.choice(["flu", "hiv"], 60),
                           "debt": rng.choice(["none", "some"], 60), "faith": rng.choice(["a", "b", "c"], 60)})
    columns = [Column(name="age", role=Role.QUASI, numeric=True, declared=(20, 60)),
               Column(name="illness", role=Role.SENSITIVE, alpha={"hiv": 0.7}),
               Column(name="debt", role=Role.SENSITIVE, l=2), Column(name="faith", role=Role.SENSITIVE, t=0.35)]
    found = tabled(people, columns, method=method).release.statement["found"]
    assert max(found["alpha"]["illness"].values()) <= 0.7
    assert found["l"]["debt"] == 2
    assert found["t"]["faith"] <= 0.35


def test_a_missing_sensitive_value_makes_a_class_as_diverse_as_another_value_would():
    people = pd.DataFrame({"age": [20] * 4, "illness": ["flu", None, "flu", None]})
    columns = (Column(name="age", role=Role.QUASI, numeric=True, declared=(20, 60)),
               Column(name="illness", role=Role.SENSITIVE, l=2))
    reading = read(people, schema=Schema(columns=columns, missing="value"))
    finished = anonymize(reading, requirement=Requirement(k=4), method="recursive", seed=1, refine=False)
    assert finished.release.statement["found"]["l"] == {"illness": 2}


def test_who_may_withhold_more_never_loses_more():
    rng = np.random.default_rng(8)
    people = pd.DataFrame({"age": rng.integers(20, 60, 80), "town": rng.choice(TOWNS, 80),
                           "illness": rng.choice(["flu", "hiv", "none"], 80)})
    columns = [Column(name="age", role=Role.QUASI, numeric=True, declared=(20, 60)), Column(name="town", role=Role.QUASI),
               Column(name="illness", role=Role.SENSITIVE, alpha={"hiv": 0.6})]
    losses = [tabled(people, columns, method="general-alpha-k", withhold=share).release.statement["losses"]["ncp"]
              for share in (0.0, 0.05, 0.2, 0.5)]
    assert losses == sorted(losses, reverse=True)
