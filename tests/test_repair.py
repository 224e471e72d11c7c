"""Repair makes any partition keep what was asked, and changes no more than it must."""

from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from promises import faults, promising
from small_methods import AsDealt
from strategies import graphs, partitions
from toy import graph_of, nominal

from graphanon.domain import Range, Tree
from graphanon.errors import InfeasiblePromise, Problem
from graphanon.feasibility import one_class
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, Partition, hull
from graphanon.loss import public_losses
from graphanon.progress import hearing
from graphanon.refine import Objective
from graphanon.repair import _Mender, broken, dense_pairs, kept_classes, repair
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role


def repaired(graph, partition, requirement, **more) -> Partition:
    return repair(graph, partition, requirement, np.random.default_rng(0), **more)


@st.composite
def asked(draw, n: int) -> Requirement:
    return Requirement(
        k=draw(st.integers(1, min(n, 4))), withhold=draw(st.sampled_from([0.0, 0.0, 0.2, 0.5])),
        tie_confidence=draw(st.sampled_from([None, 0.2, 0.5, 0.8, 1.0])))


@settings(max_examples=150)
@given(st.data())
def test_what_is_repaired_keeps_everything_that_was_asked(data):
    graph = data.draw(promising(wishes=data.draw(st.booleans())))
    requirement = data.draw(asked(graph.n))
    start = data.draw(partitions(graph, withheld=False))
    try:
        one_class(graph, requirement)
    except InfeasiblePromise:
        with pytest.raises(InfeasiblePromise):
            repaired(graph, start, requirement)
        return
    end = repaired(graph, start, requirement)
    assert faults(graph, end, requirement) == []
    assert end.floors is not None
    assert (end.sizes >= end.floors).all()


@given(st.data())
def test_people_withheld_by_a_method_stay_withheld_and_count(data):
    graph = data.draw(promising())
    requirement = replace(data.draw(asked(graph.n)), withhold=0.5)
    start = data.draw(partitions(graph))
    try:
        end = repaired(graph, start, requirement)
    except InfeasiblePromise:
        return
    assert faults(graph, end, requirement) == []
    assert (end.labels[start.labels < 0] == -1).all()


@given(st.data())
def test_what_keeps_everything_already_is_left_alone(data):
    graph = data.draw(promising())
    requirement = data.draw(asked(graph.n))
    start = data.draw(partitions(graph, withheld=False))
    if faults(graph, start, requirement):
        return
    assert np.array_equal(repaired(graph, start, requirement).labels, start.labels)


@given(st.data())
def test_the_checks_find_what_counting_by_hand_finds(data):
    graph = data.draw(promising())
    requirement = replace(data.draw(asked(graph.n)), k=1, withhold=0.9999)
    start = data.draw(partitions(graph))
    wrong = broken(graph, start).any() or len(dense_pairs(graph, start, requirement)[0])
    assert bool(wrong) == bool([f for f in faults(graph, start, requirement) if "withheld" not in f])


@given(st.data())
def test_the_classes_that_may_be_released_keep_everything_on_their_own(data):
    graph = data.draw(promising(wishes=data.draw(st.booleans())))
    requirement = replace(data.draw(asked(graph.n)), withhold=0.9999)
    start = data.draw(partitions(graph))
    good = kept_classes(graph, start, requirement)
    number = np.where(good, np.cumsum(good) - 1, -1)
    rest = Partition(np.where(start.kept, number[start.labels], -1))
    assert [f for f in faults(graph, rest, requirement) if "withheld" not in f] == []
    if not faults(graph, start, replace(requirement, withhold=0.9999)):
        assert good.all()


@given(st.data())
def test_a_least_size_that_a_method_gave_a_class_is_kept_by_whoever_takes_its_people(data):
    graph = data.draw(promising())
    requirement = data.draw(asked(graph.n))
    start = data.draw(partitions(graph, withheld=False))
    start = Partition(start.labels, start.sizes)
    try:
        end = repaired(graph, start, requirement)
    except InfeasiblePromise:
        return
    largest = start.sizes.max()
    assert end.withheld or end.floors.max() >= largest


@given(graphs(smallest=4), st.data())
def test_ties_are_made_less_dense_without_any_sensitive_value(graph, data):
    requirement = Requirement(k=2, tie_confidence=0.4)
    start = data.draw(partitions(graph, withheld=False))
    try:
        end = repaired(graph, start, requirement)
    except InfeasiblePromise:
        return
    assert faults(graph, end, requirement) == []


@given(promising(wishes=True), st.data())
def test_where_stepwise_mending_ends_nowhere_everyone_in_one_class_is_what_is_split(graph, data):
    requirement = data.draw(asked(graph.n))
    start = data.draw(partitions(graph, withheld=False))
    # a method may ask more of a class than there are people once some are withheld
    floors = np.array([data.draw(st.integers(1, size)) for size in start.sizes.tolist()])
    start = Partition(start.labels, floors)
    calls = []

    def nowhere(_self):
        calls.append(1)
        raise InfeasiblePromise(Problem(what="not even everyone in one class keeps what is promised"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Mender, "mend_values", nowhere)
        try:
            end = repaired(graph, start, requirement)
        except InfeasiblePromise:
            with pytest.raises(InfeasiblePromise):
                one_class(graph, requirement)
            return
    assert faults(graph, end, requirement) == []
    assert (end.sizes >= end.floors).all()
    if calls:
        assert (end.floors == min(int(end.kept.sum()), max(*floors, requirement.k, *graph.wishes[end.kept]))).all()


def test_ties_and_values_that_leave_no_way_step_by_step_are_kept_in_one_class():
    # whom to withhold is chosen for the values first, and then the ties are too dense for whoever is left
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = 14
        ends = [(a, b) for a in range(n) for b in range(a) if rng.random() < 0.3]
        ills = rng.choice(["hiv", "flu", "cold"], n, p=[0.3, 0.4, 0.3]).tolist()
        graph = graph_of(ends, n, lines=(Range(0, 99),), values=[rng.integers(0, 99, n).astype(float)], payload={"ill": ills})
        columns = tuple(replace(c, alpha={"hiv": 0.25}) if c.name == "ill" else c for c in graph.schema.columns)
        graph = replace(graph, schema=replace(graph.schema, columns=columns))
        requirement = Requirement(k=3, withhold=0.25, tie_confidence=0.3)
        try:
            one_class(graph, requirement)
        except InfeasiblePromise:
            continue
        end = repaired(graph, Partition(np.arange(n) // 3 % 4), requirement)
        assert faults(graph, end, requirement) == []


def line_of_people(ills: list[str], **promises) -> AttributedGraph:
    """Return people aged 0, 1, 2, …, their illnesses, and what is promised of them."""
    n = len(ills)
    graph = graph_of([], n, lines=(Range(0, 99),), values=[list(map(float, range(n)))], payload={"ill": ills})
    columns = tuple(replace(c, **promises) if c.name == "ill" else c for c in graph.schema.columns)
    return replace(graph, schema=replace(graph.schema, columns=columns))


def test_two_people_change_places_where_that_is_cheapest():
    graph = line_of_people(["hiv", "hiv", "flu", "flu"] * 2, alpha={"hiv": 0.5})
    start = Partition(np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    end = repaired(graph, start, Requirement(k=2))
    assert end.sizes.tolist() == [2, 2, 2, 2]
    assert not broken(graph, end).any()


def test_a_far_class_is_only_merged_with_its_neighbour():
    graph = line_of_people(["hiv", "hiv", "flu", "flu", "flu", "cold", "cold", "flu"], l=2)
    start = Partition(np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    end = repaired(graph, start, Requirement(k=2))
    assert end.labels[4] == end.labels[5] != end.labels[0]
    assert not broken(graph, end).any()


@pytest.mark.parametrize(("t", "words"), [(0.0, "7 classes that the method made had to become 1 of all"), (0.9, None)])
def test_whoever_asks_so_much_that_little_can_be_told_hears_it(t, words):
    graph = line_of_people(["hiv", "flu", "cold", "cold"] * 3 + ["flu", "cold"], t=t)
    heard = []
    with hearing(heard.append):
        repaired(graph, Partition(np.repeat(np.arange(7), 2)), Requirement(k=2))
    assert [words in text for text in heard] == ([True] if words else [])


def test_a_clique_is_not_told_as_one_class():
    clique = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    graph = graph_of(clique, 12, lines=(Range(0, 99),), values=[list(map(float, range(12)))])
    start = Partition(np.repeat([0, 1, 2], 4))
    end = repaired(graph, start, Requirement(k=4, tie_confidence=0.5))
    assert faults(graph, end, Requirement(k=4, tie_confidence=0.5)) == []
    assert end.n_classes >= 2


def test_mending_costs_less_than_one_class():
    rng = np.random.default_rng(3)
    n = 200
    ends = rng.integers(0, n, (600, 2))
    graph = graph_of(ends.tolist(), n, lines=(Range(0, 99),), values=[np.sort(rng.integers(0, 100, n)).astype(float)])
    column = Column(name="ill", role=Role.SENSITIVE, alpha={"hiv": 0.2}, l=3, t=0.4)
    ills = rng.choice(["hiv", "flu", "cold", "cough"], n, p=[0.1, 0.4, 0.3, 0.2]).tolist()
    graph = replace(graph, schema=replace(graph.schema, columns=(*graph.schema.columns, column)),
                    payload={"ill": nominal(ills)})
    requirement = Requirement(k=5, tie_confidence=0.3)
    end = repaired(graph, Partition(np.repeat(np.arange(40), 5)), requirement)
    assert faults(graph, end, requirement) == []
    assert end.n_classes > 25
    assert public_losses(Grouping(graph, end, hull(graph, end)))["ngil"] < 0.15


def shops() -> AttributedGraph:
    """Return a class of two with the same illness, beside one near by the height of a tree and one near by its leaves."""
    tree = Tree((("a", "x", "*"), ("b", "x", "*"), *((name, "y", "*") for name in "cdefghij")))
    number = Range(0, 10)
    ills = ["hiv", "hiv", "flu", "cold", "flu", "cold"]
    graph = graph_of([], 6, lines=(tree, number), values=[[0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 4, 4]], payload={"ill": ills})
    columns = tuple(replace(c, l=2) if c.name == "ill" else c for c in graph.schema.columns)
    return replace(graph, schema=replace(graph.schema, columns=columns))


@pytest.mark.parametrize(("objective", "partner"), [(Objective(w_tie=0.0), 4), (Objective(attributes="ncp", w_tie=0.0), 2)])
def test_the_objective_decides_what_is_cheap(objective, partner):
    # "a" and "b" meet half way up the tree, which is two of ten leaves; a stretch of 4 is 4 of 10 spans
    graph, start = shops(), Partition(np.array([0, 0, 1, 1, 2, 2]))
    end = repaired(graph, start, Requirement(k=2), objective=objective)
    assert not broken(graph, end).any()
    near = {v for v in range(2, 6) if end.labels[v] in end.labels[:2]}
    assert near <= {partner, partner + 1}
    assert near


def test_a_method_mends_for_the_objective_that_the_run_has():
    graph = shops()
    found = {}
    for objective in (Objective(w_tie=0.0), Objective(attributes="ncp", w_tie=0.0)):
        method = AsDealt(labels=(0, 0, 1, 1, 2, 2))
        found[objective.attributes] = method.group(graph, Requirement(k=2), np.random.default_rng(0), objective=objective)
    assert found["ngil"].partition.labels.tolist() != found["ncp"].partition.labels.tolist()


def test_what_nothing_keeps_is_refused_with_the_numbers():
    graph = line_of_people(["hiv"] * 3 + ["flu"] * 3, alpha={"hiv": 0.2})
    with pytest.raises(InfeasiblePromise, match="3 of all 6"):
        repaired(graph, Partition(np.zeros(6, dtype=np.int64)), Requirement(k=2))
