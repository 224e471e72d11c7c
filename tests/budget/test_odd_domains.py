"""Odd people and odd domains: each run leaves a release that its audit accepts, or a message and nothing."""

import pandas as pd
import pytest

from graphanon import pipeline
from graphanon.domain import Tree
from graphanon.errors import InputProblem
from graphanon.perturbing import TieAsk, client_schema, coins_of, perturb_people
from graphanon.schema import Column, Role, Schema
from graphanon.tabular.ldp.client import lines_of
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.pairs import plan_pairs
from graphanon.tabular.ldp.planning import plan_columns

ONE, TWO = Tree((("x", "*"),)), Tree((("x", "*"), ("y", "*")))
PLANS = {
    "pairs": lambda lines: plan_pairs(lines, 2.0),
    "bits": lambda lines: plan_columns(lines, 2.0, "bits"),
    **{name: lambda lines, name=name: plan_columns(lines, 2.0, {lines[0].name: name})
       for name in ("grr", "oue", "olh", "duchi", "piecewise", "hybrid", "square-wave")},
}


def answered(tmp_path, plan, *, numbers, declared=(0.0, 9.0), grid=1.0, tree=TWO, name="a", missing="error", clip=False, ties=None):
    schema = Schema(missing=missing, columns=(
        Column(name=name, role=Role.QUASI, declared=declared, grid=grid, numeric=True),
        Column(name="b", role=Role.SENSITIVE, domain=tree)))
    people = pd.DataFrame({name: numbers, "b": [tree.leaves[i % len(tree.leaves)] for i in range(len(numbers))]})
    reading = pipeline.read(people, schema=client_schema(schema, clip=clip))
    return perturb_people(reading, PLANS[plan](lines_of(schema)), schema=schema, coins=coins_of(None), out=tmp_path / "out",
                          outside="clip" if clip else "refuse", ties=ties)


ODD = {
    "one person": {"numbers": ["3"]},
    "everyone alike": {"numbers": ["3"] * 40},
    "one number in the range": {"numbers": ["5"] * 9, "declared": (5.0, 5.0)},
    "two numbers in the range": {"numbers": ["5", "6", "5"], "declared": (5.0, 6.0)},
    "one category": {"numbers": list("0123456789"), "tree": ONE},
    "a grid wider than the range": {"numbers": ["5"] * 9, "declared": (0.0, 9.0), "grid": 100.0},
    "a grid that is no binary fraction": {"numbers": ["0.1", "0.3"], "declared": (0.0, 0.3), "grid": 0.1},
    "a grid of many digits": {"numbers": ["1", "2"], "grid": 0.333333333333},
    "numbers off the grid": {"numbers": ["3.4", "4.5", "5.5"]},
    "numbers off a grid that nobody named": {"numbers": ["3.4", "4.5", "5.5"], "grid": None},
    "numbers outside": {"numbers": ["-3", "400", "5.5"], "clip": True},
    "column names with marks": {"numbers": ["3", "4"], "name": 'a & b, "c"=\u00fc'},
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("plan", PLANS)
def test_odd_people_and_domains_leave_a_release_that_holds(name, plan, tmp_path):
    run = answered(tmp_path, plan, **ODD[name])
    assert all(finding.holds for finding in run.findings)
    assert run.release.statement["people"] == len(ODD[name]["numbers"])


@pytest.mark.parametrize(("low", "high", "grid", "what"), [
    (0, 1e6, 1e-3, "1,000,000,001 multiples"),
    (0, 1e15, 1, "12 digits"),
    (1e15, 1e15 + 10, 1, "12 digits"),
    (0, 1e-12, 1e-13, "12 digits"),
    (1, 9, 100, "no multiple"),
    (0, float("inf"), 1, "finite"),
])
def test_a_domain_that_answers_cannot_tell_apart_is_refused(low, high, grid, what):
    with pytest.raises(InputProblem, match=what):
        Line.numbers("a", low, high, grid)


def test_all_domains_that_are_too_fine_are_told_at_once():
    schema = Schema(columns=tuple(Column(name=name, role=Role.QUASI, declared=(0.0, 1e9), grid=1.0) for name in "ab"))
    with pytest.raises(InputProblem) as error:
        lines_of(schema)
    assert {problem.column for problem in error.value.problems} == {"a", "b"}


@pytest.mark.parametrize("name", ["question", "answer", "centre", "share"])
def test_a_name_that_answers_or_centres_take_is_refused_before_a_budget_is_spent(name, tmp_path):
    with pytest.raises(InputProblem, match="column of the release itself"):
        answered(tmp_path, "grr", numbers=["3", "4"], name=name)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["chance", "everyone"])
def test_ties_are_not_counted_between_classes_whose_origin_could_be_mistaken(name, tmp_path):
    with pytest.raises(InputProblem, match="no column makes"):
        answered(tmp_path, "grr", numbers=["3", "4"], name=name, ties=TieAsk(epsilon=1.0, classes=name))


@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 1e9])
def test_ties_of_any_budget_are_estimated_as_the_audit_does(epsilon, tmp_path):
    run = answered(tmp_path, "grr", numbers=list("0123456789") * 6, ties=TieAsk(epsilon=epsilon, report="counts"))
    assert all(finding.holds for finding in run.findings)
