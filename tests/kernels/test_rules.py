"""The rules of a class against plain twins: counted by hand from the values, whoever leaves or comes."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from promises import keeps, moved, promising, values
from strategies import graphs, partitions

from graphanon.kernels.rules import (
    add,
    complies,
    excess,
    farness,
    may_exchange,
    may_join,
    may_leave,
    remove,
    rules_of,
    tallies_of,
)
from graphanon.schema import Role

NOBODY = np.empty(0, dtype=np.int64)


@st.composite
def cases(draw):
    graph = draw(promising())
    return graph, draw(partitions(graph))


@given(cases())
def test_a_class_complies_if_its_values_do(case):
    graph, partition = case
    rules = rules_of(graph, partition.kept)
    tallies = tallies_of(rules, partition.labels, partition.n_classes)
    everyone = np.flatnonzero(partition.kept)
    for c in range(partition.n_classes):
        people = np.flatnonzero(partition.labels == c).tolist()
        good = keeps(graph, people, everyone)
        assert complies(rules, tallies, partition.sizes, c) == good
        size = len(people)
        assert (excess(rules, tallies[c], size, size) == 0) == good
        assert good or excess(rules, tallies[c], size, size) >= 1e-6
        assert excess(rules, tallies[c], size, size + 3) == pytest.approx(excess(rules, tallies[c], size, 0) + 3)


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
    # who is taken in anew changes the whole that distances are to: that is another set of rules
    u = data.draw(st.sampled_from(everyone))
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
