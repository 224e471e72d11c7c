"""What a release says of its classes is what pyCANON counts in records.csv, a checker that others have written.

It leaves out rows with a missing quasi-identifier, so there are none here.
"""

import json

import numpy as np
import pandas as pd
import pytest
from pycanon import anonymity

from graphanon.catalog import make, methods
from graphanon.domain import Order, Tree
from graphanon.method import PerturbFirst
from graphanon.pipeline import anonymize, read
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role, Schema

QUASI = ["age", "job", "area"]
JOBS = Tree((("nurse", "health", "*"), ("doctor", "health", "*"), ("teacher", "school", "*"), ("tutor", "school", "*")))
STAGES = ("1", "2", "3", "4")
ASKED: list[dict] = [
    {},
    {"illness": {"alpha": {"hiv": 0.45}}},
    {"illness": {"l": 2}, "stage": {"l": 2}},
    {"illness": {"l": 1.7, "diversity": "entropy"}},
    {"illness": {"l": 2, "diversity": "recursive", "c": 2.0}},
    {"illness": {"t": 0.35}},
    {"stage": {"t": 0.3}},
    {"illness": {"alpha": {"hiv": 0.5, "flu": 0.6}, "l": 2, "t": 0.45}, "stage": {"l": 2, "t": 0.4}},
]
METHODS = [name for name, cls in methods().items() if not issubclass(cls, PerturbFirst) and not cls.about.ties]
CASES = [(name, i % len(ASKED), 2 + i % 4) for i, name in enumerate(METHODS)]


def people(promises):
    """Return eighty people with two sensitive columns, of which something may be promised."""
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({
        "age": rng.integers(20, 60, 80), "job": rng.choice(list(JOBS.leaves), 80), "area": rng.choice(list("NSW"), 80),
        "illness": rng.choice(["cold", "flu", "hiv"], 80, p=[0.4, 0.35, 0.25]), "stage": rng.choice(STAGES, 80),
    })
    columns = (
        Column(name="age", role=Role.QUASI, numeric=True, declared=(20, 60), steps=(5, 10, 20)),
        Column(name="job", role=Role.QUASI, domain=JOBS),
        Column(name="area", role=Role.QUASI),
        Column(name="illness", role=Role.SENSITIVE, **promises.get("illness", {})),
        Column(name="stage", role=Role.SENSITIVE, domain=Order(STAGES), **promises.get("stage", {})),
    )
    return read(frame, schema=Schema(columns=columns))


@pytest.mark.parametrize(("name", "number", "k"), CASES)
def test_pycanon_counts_what_the_release_says(name, number, k, tmp_path):
    run = anonymize(people(ASKED[number]), requirement=Requirement(k=k), method=make(name), seed=3, refine=False,
                    out=tmp_path / "out")
    records = pd.read_csv(tmp_path / "out" / "release" / "records.csv", dtype=dict.fromkeys([*QUASI, "illness"], str))
    said = json.loads((tmp_path / "out" / "release" / "release.json").read_text(encoding="utf-8"))
    assert len(records) == said["people"] - said["withheld"]
    assert anonymity.k_anonymity(records, QUASI) == said["found"]["k"] >= k
    recounted = {finding.promise: finding.found for finding in run.findings}
    for column in ("illness", "stage"):
        promised = ASKED[number].get(column, {})
        for value, share in promised.get("alpha", {}).items():
            found = recounted[f"alpha.{column}.{value}"]
            assert largest_share(records, column, value) == pytest.approx(max(found, 1 / said["found"]["k"]))
            assert found <= share + 1e-9
        if not promised.get("alpha"):
            assert recounted[f"alpha.{column}"] == pytest.approx(largest_share(records, column))
        diversity = promised.get("diversity", "distinct")
        count = anonymity.entropy_l_diversity if diversity == "entropy" else anonymity.l_diversity
        found = int(recounted[f"l.{column}"] + 1e-9)
        # pyCANON measures no l of a recursive diversity; the distinct one is at least that
        assert found == count(records, QUASI, [column]) or (diversity == "recursive" and found < count(records, QUASI, [column]))
        assert found >= int(promised.get("l", 1))
        assert recounted[f"t.{column}"] == pytest.approx(anonymity.t_closeness(records, QUASI, [column]))
        assert recounted[f"t.{column}"] <= promised.get("t", 1) + 1e-9


def largest_share(records, column, value=None):
    """Return the largest share that pyCANON finds of any value in a class, or of one, all others being told apart."""
    cells = records[column].astype(str)
    alone = cells if value is None else cells.where(cells == value, [f"other {i}" for i in range(len(cells))])
    return anonymity.alpha_k_anonymity(records.assign(**{column: alone}), QUASI, [column])[0]
