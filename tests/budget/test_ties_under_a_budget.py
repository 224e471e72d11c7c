"""Ties that people report under a budget: what leaves is noisy, recounted, and never the ties themselves."""

import shutil
from fractions import Fraction

import numpy as np
import pytest
from releases import edit_json, put_rows, rows, sum_again

from graphanon.audit import audit_release
from graphanon.audit.private.ledger import logarithm
from graphanon.datasets import load
from graphanon.errors import BrokenPromise, InputProblem
from graphanon.perturbing import TieAsk, coins_of, perturb_people
from graphanon.tabular.ldp.client import lines_of
from graphanon.tabular.ldp.exact import WHOLE
from graphanon.tabular.ldp.pairs import plan_pairs
from graphanon.tabular.ldp.planning import plan_columns
from graphanon.tabular.ldp.ties import TieFlips

PEOPLE = load("m1")
SCHEMA = PEOPLE.graph.schema
PLAN = plan_columns(lines_of(SCHEMA), 3.0, "grr")
ASKED = {
    "pairs": TieAsk(epsilon=6.0, report="pairs"),
    "chance": TieAsk(epsilon=1.0, classes=4),
    "column": TieAsk(epsilon=1.0, classes="sex"),
}


def broken(folder):
    return {finding.promise for finding in audit_release(folder) if not finding.holds}


@pytest.fixture(scope="module", params=ASKED)
def told(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param) / "out"
    return perturb_people(PEOPLE, PLAN, schema=SCHEMA, coins=coins_of(1), out=folder, ties=ASKED[request.param])


def test_reports_of_each_kind_pass_and_spend_what_was_asked(told):
    assert all(finding.holds for finding in told.findings)
    assert {"epsilon.tie", "truth.ties"} <= {finding.promise for finding in told.findings}
    asked = 6.0 if told.release.statement["ties"]["report"] == "pairs" else 1.0
    assert asked - 1e-9 < told.release.statement["epsilon"]["tie"] <= asked


def test_estimates_lie_around_the_true_number(told):
    lines = rows(told.folder / "release" / "tie_estimates.csv")[1:]
    total = sum(float(line[2]) for line in lines)
    spread = sum(float(line[3]) ** 2 for line in lines) ** 0.5
    assert abs(total - PEOPLE.graph.n_ties) < 5 * spread


def test_many_people_report_counts_and_few_single_pairs(tmp_path):
    plan = plan_pairs(lines_of(SCHEMA), 1.0)
    for epsilon, report in ((1.0, "counts"), (8.0, "pairs")):
        run = perturb_people(PEOPLE, plan, schema=SCHEMA, coins=coins_of(1), out=tmp_path / report, ties=TieAsk(epsilon=epsilon))
        assert run.release.statement["ties"]["report"] == report


def _change(file, line, column, value):
    def plant(folder):
        lines = rows(folder / file)
        lines[line][column] = value
        put_rows(folder / file, lines)

    return plant


def _say(name, value):
    return lambda folder: edit_json(folder, lambda told: told["ties"].update({name: value}))


def _spend(value):
    return lambda folder: edit_json(folder, lambda told: told["epsilon"].update(tie=value))


PLANTS = {
    "a smaller flip": (_say("flip", str(WHOLE // 10**6)), {"epsilon.tie", "ties", "chance"}),
    "a flip of nothing": (_say("flip", "0"), {"ties"}),
    "a smaller budget": (_spend(0.1), {"epsilon.tie"}),
    "an estimate that the reports do not give": (_change("tie_estimates.csv", 1, 2, "12"), {"ties"}),
    "a certain estimate": (_change("tie_estimates.csv", 1, 3, "0"), {"ties"}),
    "classes of another origin": (_say("classes_by", "communities"), {"ties"}),
    "sizes that do not add up": (_say("sizes", [1]), {"ties"}),
    "a report that is none": (_change("tie_reports.csv", 1, 0, "x"), {"ties"}),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_plant_among_reports_of_ties_is_found(name, told, tmp_path):
    plant, promises = PLANTS[name]
    folder = tmp_path / "release"
    shutil.copytree(told.folder / "release", folder)
    plant(folder)
    sum_again(folder)
    assert broken(folder) & promises, broken(folder)


@pytest.mark.parametrize("name", ASKED)
def test_ties_that_leave_as_they_are_leave_not_at_all(name, tmp_path, monkeypatch):
    monkeypatch.setattr(TieFlips, "report", lambda *given: np.unique(np.sort(given[2], axis=1), axis=0))
    monkeypatch.setattr(TieFlips, "counts", lambda *given: _true(given[1], given[2]))
    with pytest.raises(BrokenPromise):
        perturb_people(PEOPLE, PLAN, schema=SCHEMA, coins=coins_of(1), out=tmp_path / "out", ties=ASKED[name])
    assert not (tmp_path / "out").exists()


def _true(labels, pairs):
    k = int(labels.max()) + 1
    found = np.zeros((k, k), dtype=np.int64)
    for a, b in pairs.tolist():
        low, high = sorted((labels[a], labels[b]))
        found[low, high] += 1
    return found


def test_ties_are_counted_between_answers_only_where_there_are_records(tmp_path):
    with pytest.raises(InputProblem, match="no column of randomized records"):
        perturb_people(PEOPLE, plan_pairs(lines_of(SCHEMA), 1.0), schema=SCHEMA, coins=coins_of(1), out=tmp_path / "out",
                       ties=TieAsk(epsilon=1.0, classes="sex"))
    with pytest.raises(InputProblem, match="too many"):
        perturb_people(PEOPLE, PLAN, schema=SCHEMA, coins=coins_of(1), out=tmp_path / "out",
                       ties=TieAsk(epsilon=1.0, classes="age"))


def test_the_logarithm_of_the_flip_is_within_the_budget():
    flips = TieFlips.of(1.0)
    assert logarithm(Fraction(WHOLE - flips.flip, flips.flip)) <= 1
