"""What nothing can keep is told before anybody is grouped, with the numbers and the way out."""

from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, reject
from strategies import ILLNESSES, graphs, nominals
from toy import graph_of

from graphanon.domain import Range
from graphanon.errors import InfeasiblePromise, InputProblem
from graphanon.feasibility import one_class, within
from graphanon.graph import AttributedGraph
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role

AGE = {"lines": (Range(0, 9),), "values": [[0.0] * 10]}
ILLS = ["flu"] * 5 + ["hiv"] * 3 + ["", "cold"]


def crowd(**promises) -> AttributedGraph:
    """Return ten people, five with flu and three with hiv, and these promises."""
    graph = graph_of([(0, 1), (0, 2), (0, 3), (4, 5)], 10, payload={"ill": ILLS}, **AGE)
    columns = tuple(replace(c, **promises) if c.name == "ill" else c for c in graph.schema.columns)
    return replace(graph, schema=replace(graph.schema, columns=columns))


def refusal(graph: AttributedGraph, **asked) -> str:
    with pytest.raises(InfeasiblePromise) as caught:
        Requirement(**{"k": 2, **asked}).check_feasible(graph)
    return str(caught.value)


@pytest.mark.parametrize(("promises", "words"), [
    ({"alpha": {"hiv": 0.2}}, ["0.2", "3 of all 10", "0.3", "alpha of 'hiv' = 0.3", "withhold = 0.2"]),
    ({"alpha": {"": 0.05}}, ["a missing value", "1 of all 10", "0.1"]),
    ({"l": 5}, ["5 different values", "only 4", "1 are missing", "l = 4"]),
    ({"l": 4, "diversity": "entropy"}, ["all 10 people", "3.216", "l up to 3.2164"]),
    ({"l": 2, "diversity": "recursive", "c": 1}, ["occurs 5 times", "those 5 times", "c above 1"]),
    ({"l": 5, "diversity": "recursive", "c": 9}, ["occurs 5 times", "those 0 times", "l up to 4"]),
])
def test_a_promise_of_values_that_nothing_keeps_is_told_with_its_numbers(promises, words):
    told = refusal(crowd(**promises))
    assert "column 'ill'" in told
    assert [word for word in words if word not in told] == []


def test_every_promise_that_nothing_keeps_is_told_at_once():
    with pytest.raises(InfeasiblePromise) as caught:
        Requirement(k=11, tie_confidence=0.01).check_feasible(crowd(alpha={"hiv": 0.1, "flu": 0.1}, l=9))
    assert len(caught.value.problems) == 5


@pytest.mark.parametrize("promises", [
    {"alpha": {"hiv": 0.3}}, {"alpha": {"hiv": 0.29999999999}}, {"l": 4}, {"l": 3.2164, "diversity": "entropy"},
    {"l": 2, "diversity": "recursive", "c": 1.01}, {"t": 0.0}, {"alpha": {"nobody": 0.01}},
])
def test_a_promise_that_one_class_keeps_is_accepted(promises):
    assert one_class(crowd(**promises), Requirement(k=10)).all()


def test_a_confidence_below_the_density_of_everyone_is_told_with_ties_and_pairs():
    told = refusal(crowd(), tie_confidence=0.05)
    assert [word for word in ("4", "45 pairs", "0.08889", "--tie-confidence 0.0889") if word not in told] == []
    Requirement(k=2, tie_confidence=4 / 45).check_feasible(crowd())


def test_arcs_are_held_against_ordered_pairs():
    graph = graph_of([(0, 1), (1, 0), (2, 1)], 4, directed=True)
    assert "12 pairs of 4 people 3 are" in refusal(graph, tie_confidence=0.2)
    Requirement(k=2, tie_confidence=0.25).check_feasible(graph)


def test_a_wish_larger_than_everyone_is_told_with_both_numbers():
    graph = replace(crowd(), wishes=np.array([1] * 8 + [11, 30]))
    assert "2 people ask for a class larger than the 10 people" in refusal(graph)
    assert "30" in refusal(graph)
    assert one_class(graph, Requirement(k=2, withhold=0.2)).tolist() == [True] * 8 + [False] * 2


def test_withholding_those_who_have_what_is_too_common_makes_room():
    kept = one_class(crowd(alpha={"hiv": 0.2}), Requirement(k=2, withhold=0.2))
    assert kept.tolist() == [True] * 5 + [False, False] + [True] * 3
    assert "1 people may be withheld, which is too few" in refusal(crowd(alpha={"hiv": 0.2}), withhold=0.1)


def test_withholding_whom_most_are_tied_to_makes_room():
    kept = one_class(crowd(), Requirement(k=2, tie_confidence=0.05, withhold=0.1))
    assert kept.tolist() == [False] + [True] * 9


def test_promises_that_need_too_many_withheld_only_together_are_told_so():
    graph = crowd(alpha={"hiv": 0.2, "flu": 0.45})
    for alone in ({"hiv": 0.2}, {"flu": 0.45}):
        one_class(crowd(alpha=alone), Requirement(k=2, withhold=0.2))
    assert "together, 5 of the 10 people would have to be withheld, and 2 may be" in refusal(graph, withhold=0.2)


@pytest.mark.parametrize("promises", [
    {"alpha": {"hiv": 0.0}}, {"l": 0}, {"t": -0.1}, {"t": 1.5}, {"l": 2, "diversity": "recursive"},
])
def test_a_promise_that_means_nothing_is_refused(promises):
    with pytest.raises(InputProblem, match="column 'ill'"):
        Requirement(k=2).check_feasible(crowd(**promises))


def test_nobody_is_no_crowd():
    with pytest.raises(InputProblem, match="no people"):
        Requirement(k=2).check_feasible(graph_of([], 0))


@given(st.integers(0, 50), st.sampled_from([0.1, 0.2, 0.29, 0.3, 1 / 3, 0.7]), st.integers(1, 150))
def test_counts_are_compared_as_counts(count, bound, size):
    from fractions import Fraction

    assert within(count, bound, size) == (Fraction(count) <= Fraction(bound).limit_denominator(1000) * size)


@given(st.data())
def test_whoever_one_class_keeps_keeps_every_promise(data):
    graph = data.draw(graphs(smallest=2, wishes=True))
    column = Column(
        name="ill", role=Role.SENSITIVE, alpha={"flu": data.draw(st.sampled_from([0.2, 0.5, 1.0]))},
        l=data.draw(st.none() | st.sampled_from([1, 2, 3])),
        diversity=data.draw(st.sampled_from(["distinct", "entropy", "recursive"])), c=1.5)
    schema = replace(graph.schema, columns=(*graph.schema.quasi, column))
    graph = replace(graph, schema=schema, payload={"ill": data.draw(nominals(ILLNESSES, graph.n))})
    requirement = Requirement(k=2, withhold=data.draw(st.sampled_from([0.0, 0.3, 0.6])),
                              tie_confidence=data.draw(st.sampled_from([None, 0.3, 0.7])))
    try:
        kept = one_class(graph, requirement)
    except InfeasiblePromise:
        reject()
    assert (~kept).sum() <= requirement.withhold * graph.n + 1e-9
    rest = graph.take(np.flatnonzero(kept))
    assert one_class(rest, Requirement(k=2, tie_confidence=requirement.tie_confidence)).all()
