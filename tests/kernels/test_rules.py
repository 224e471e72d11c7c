"""The rules of a class against plain twins: counted by hand from the values, whoever leaves or comes."""

import math
from collections import Counter
from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from strategies import graphs, nominals, partitions, trees

from graphanon.domain import Order, Tree
from graphanon.graph import AttributedGraph
from graphanon.kernels.rules import (
    add,
    complies,
    farness,
    may_exchange,
    may_join,
    may_leave,
    remove,
    rules_of,
    tallies_of,
)
from graphanon.schema import Column, Role

NOBODY = np.empty(0, dtype=np.int64)


@st.composite
def promised(draw, n: int) -> tuple[tuple[Column, ...], dict]:
    """Draw one to three sensitive columns with promises, and everyone's values."""
    columns, payload = [], {}
    for number in range(draw(st.integers(1, 3))):
        name = f"s{number}"
        kind = draw(st.sampled_from(["flat", "order", "number", "tree"]))
        domain = None
        labels = ("", "1", "10", "2.5", "300")
        if kind == "order":
            domain = Order(("300", "1", "10"))
        if kind == "tree":
            domain = draw(trees(missing=False))
            labels = tuple(sorted(("", *domain.leaves)))
        payload[name] = draw(nominals(labels, n))
        diversity = draw(st.sampled_from(["distinct", "entropy", "recursive"]))
        whole = st.integers(1, 4)
        l_ = draw(st.none() | (whole if diversity != "entropy" else st.sampled_from([1.0, 1.5, 1.8, 2.0, 3.0])))
        columns.append(Column(
            name=name, role=Role.SENSITIVE, domain=domain, numeric=kind == "number", l=l_, diversity=diversity,
            c=draw(st.sampled_from([0.5, 1.0, 2.0])) if diversity == "recursive" else None,
            alpha={label: draw(st.sampled_from([0.2, 0.29, 1 / 3, 0.5, 1.0]))
                   for label in draw(st.sets(st.sampled_from(labels), max_size=2))},
            t=draw(st.none() | st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.8])),
        ))
    return tuple(columns), payload


@st.composite
def cases(draw):
    graph = draw(graphs(smallest=3))
    columns, payload = draw(promised(graph.n))
    schema = replace(graph.schema, columns=(*graph.schema.quasi, *columns))
    return replace(graph, schema=schema, payload=payload), draw(partitions(graph))


def values(graph: AttributedGraph, name: str, people) -> Counter:
    own = graph.payload[name]
    return Counter(own.labels[own.codes[v]] for v in people)


def distance(one: str, other: str, column: Column, line: list[str]) -> float:
    """Return the ground distance of two values."""
    if one == other:
        return 0.0
    if isinstance(column.domain, Tree):
        rows = {row[0]: row for row in column.domain.rows}
        if "" in (one, other):
            return 1.0
        both = list(zip(rows[one], rows[other], strict=True))
        return next(i for i in range(len(both)) if both[i][0] == both[i][1]) / column.domain.height
    if column.numeric or isinstance(column.domain, Order):
        return abs(line.index(one) - line.index(other)) / (len(line) - 1)
    return 1.0


def line_of(column: Column, whole: Counter) -> list[str]:
    line = list(column.domain.labels) if isinstance(column.domain, Order) else []
    rest = sorted(set(whole) - set(line))
    if column.numeric:
        rest.sort(key=lambda text: float(text) if text else math.inf)
    return line + rest


def moved(one: Counter, whole: Counter, column: Column) -> float:
    """Return the earth mover's distance by linear programming over all pairs of values."""
    from scipy.optimize import linprog

    line = line_of(column, whole)
    here = [value for value in one if one[value]]
    there = [value for value in whole if whole[value]]
    cost = np.array([[distance(a, b, column, line) for b in there] for a in here])
    rows = np.kron(np.eye(len(here)), np.ones(len(there)))
    columns = np.kron(np.ones(len(here)), np.eye(len(there)))
    wanted = [one[a] / one.total() for a in here] + [whole[b] / whole.total() for b in there]
    found = linprog(cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=wanted, method="highs")
    return float(found.fun)


def keeps(graph: AttributedGraph, people, everyone) -> bool:
    """Return whether these people's values satisfy every promise of the schema."""
    return not people or all(
        _shares(column, values(graph, column.name, people))
        and _diverse(column, values(graph, column.name, people))
        and (column.t is None or moved(values(graph, column.name, people), values(graph, column.name, everyone),
                                       column) <= column.t + 1e-9)
        for column in graph.schema.of_role(Role.SENSITIVE)
    )


def _shares(column: Column, tally: Counter) -> bool:
    return all(tally[value] <= math.floor(bound * tally.total() + 1e-9) for value, bound in column.alpha.items())


def _diverse(column: Column, tally: Counter) -> bool:
    counts = sorted((count for count in tally.values() if count), reverse=True)
    if column.l is None:
        return True
    if column.diversity == "distinct":
        return len(counts) >= column.l
    if column.diversity == "entropy":
        return math.prod((tally.total() / c) ** (c / tally.total()) for c in counts) >= column.l - 1e-9
    return len(counts) >= column.l and counts[0] < column.c * sum(counts[column.l - 1:])


@given(cases())
def test_a_class_complies_if_its_values_do(case):
    graph, partition = case
    rules = rules_of(graph, partition.kept)
    tallies = tallies_of(rules, partition.labels, partition.n_classes)
    everyone = np.flatnonzero(partition.kept)
    for c in range(partition.n_classes):
        people = np.flatnonzero(partition.labels == c).tolist()
        assert complies(rules, tallies, partition.sizes, c) == keeps(graph, people, everyone)


@given(cases())
def test_distances_are_what_moving_earth_costs(case):
    graph, partition = case
    rules = rules_of(graph, partition.kept)
    tallies = tallies_of(rules, partition.labels, partition.n_classes)
    everyone = np.flatnonzero(partition.kept)
    columns = [c for c in graph.schema.of_role(Role.SENSITIVE) if c.alpha or c.l is not None or c.t is not None]
    for c, size in enumerate(partition.sizes.tolist()):
        people = np.flatnonzero(partition.labels == c)
        for j, column in enumerate(columns):
            if column.t is not None:
                wanted = moved(values(graph, column.name, people), values(graph, column.name, everyone), column)
                assert farness(rules, tallies[c], size, j) == pytest.approx(wanted, abs=1e-9)


@given(cases(), st.data())
def test_what_may_leave_join_or_change_places_is_what_keeps_the_promises(case, data):
    graph, partition = case
    if partition.n_classes < 1:
        return
    rules = rules_of(graph, partition.kept)
    tallies = tallies_of(rules, partition.labels, partition.n_classes)
    before = tallies.copy()
    everyone = np.flatnonzero(partition.kept).tolist()
    v = data.draw(st.sampled_from(everyone))
    c = int(partition.labels[v])
    people = np.flatnonzero(partition.labels == c).tolist()
    without = [u for u in people if u != v]
    floors = np.full(partition.n_classes, data.draw(st.integers(1, 3)), dtype=np.int64)
    large = len(without) >= floors[c] or not without
    assert may_leave(rules, tallies, partition.sizes, floors, v, c) == (large and keeps(graph, without, everyone))
    u = data.draw(st.integers(0, graph.n - 1))
    if partition.labels[u] == c:
        return
    need = data.draw(st.sampled_from([NOBODY, np.full(graph.n, 3, dtype=np.int64)]))
    asked = need[u] if len(need) else 0
    good = keeps(graph, [*people, u], everyone) and len(people) + 1 >= asked
    assert may_join(rules, tallies, partition.sizes, need, u, c) == good
    good = keeps(graph, [*without, u], everyone) and len(people) >= asked
    assert may_exchange(rules, tallies, partition.sizes, need, v, u, c) == good
    assert np.array_equal(tallies, before)


@given(cases(), st.data())
def test_counts_that_are_kept_up_are_counts_made_anew(case, data):
    graph, partition = case
    if partition.n_classes < 1:
        return
    rules = rules_of(graph)
    labels = partition.labels.copy()
    tallies = tallies_of(rules, labels, partition.n_classes)
    for v in data.draw(st.lists(st.integers(0, graph.n - 1), max_size=10)):
        if labels[v] >= 0:
            remove(rules, tallies, v, labels[v])
        labels[v] = data.draw(st.integers(-1, partition.n_classes - 1))
        if labels[v] >= 0:
            add(rules, tallies, v, labels[v])
    assert np.array_equal(tallies, tallies_of(rules, labels, partition.n_classes))


@given(cases())
def test_two_classes_that_comply_comply_together(case):
    graph, partition = case
    rules = rules_of(graph, partition.kept)
    tallies = tallies_of(rules, partition.labels, partition.n_classes)
    sizes = partition.sizes
    good = [c for c in range(partition.n_classes) if complies(rules, tallies, sizes, c)]
    for c in good:
        for d in good:
            if c < d:
                assert complies(rules, tallies[[c]] + tallies[[d]], sizes[[c]] + sizes[[d]], 0)


@given(graphs())
def test_without_promises_everything_is_permitted(graph):
    rules = rules_of(graph)
    tallies = tallies_of(rules, np.zeros(graph.n, dtype=np.int64), 1)
    assert tallies.shape == (1, 0)
    assert complies(rules, tallies, np.array([graph.n]), 0)
