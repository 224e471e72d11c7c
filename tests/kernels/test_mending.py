"""Exchanges and splits that mend a partition, against plain counts over all that could be done."""

from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given
from promises import keeps, promising
from strategies import partitions
from toy import graph_of
from twins import lost_of

from graphanon.domain import Range
from graphanon.grouping import Partition
from graphanon.kernels.mending import best_exchange
from graphanon.kernels.refine_state import state_of
from graphanon.kernels.rules import excess, rules_of, tallies_of
from graphanon.kernels.stratified import kinds_of, split
from graphanon.repair import dense_pairs
from graphanon.requirement import Requirement

CELL = 0.5


class Mended:
    """A partition as the kernels see it, and how far each class is from complying as if counted anew."""

    def __init__(self, graph, labels, floors, spare=0):
        self.graph, self.floors = graph, floors
        need = np.ones(graph.n, dtype=np.int64) if graph.wishes is None else graph.wishes
        self.state = state_of(graph, labels, floors, need=need, spare=spare)
        self.rules = rules_of(graph)
        self.tallies = tallies_of(self.rules, labels, len(floors) + spare)
        self.kinds = kinds_of(graph, self.rules)
        self.room = np.zeros((2, self.kinds.max(initial=0) + 1), dtype=np.int32)

    def trouble(self, labels, c) -> float:
        """Count how far class `c` of these labels is from complying, its least size that of whoever is in it."""
        members = np.flatnonzero(np.array(labels) == c)
        if not len(members):
            return np.inf
        asked = 0 if self.graph.wishes is None else self.graph.wishes[members].max()
        tally = tallies_of(self.rules, np.array(labels), len(self.floors))[c]
        return excess(self.rules, tally, len(members), max(self.floors[c], asked))


@st.composite
def mended(draw, *, spare=0):
    graph = draw(promising(wishes=draw(st.booleans()), most=2))
    partition = draw(partitions(graph, withheld=False))
    floors = np.full(partition.n_classes, draw(st.integers(1, 4)))
    if graph.wishes is not None:
        np.maximum.at(floors, partition.labels, graph.wishes)
    return Mended(graph, partition.labels, floors, spare)


def exchanges(at: Mended, c: int, near: list[int]):
    """Yield the score of everyone's exchange between `c` and a class near it that brings the former nearer."""
    labels = at.state.labels.tolist()
    before = lost_of(at.graph, labels, "height", CELL, 0.0)
    for d in near:
        for v in [-1, *np.flatnonzero(at.state.labels == c).tolist()]:
            for u in [-1, *np.flatnonzero(at.state.labels == d).tolist()]:
                after = labels.copy()
                for who, to in ((v, d), (u, c)):
                    if who >= 0:
                        after[who] = to
                gain = at.trouble(labels, c) - at.trouble(after, c)
                other = at.trouble(labels, d) - at.trouble(after, d)
                if gain >= 1e-7 and other >= 0:
                    cost = lost_of(at.graph, after, "height", CELL, 0.0) - before
                    yield cost / (gain + other) if cost > 0 else cost * (gain + other)


@given(mended(), st.data())
def test_no_exchange_is_better_than_the_one_that_is_found(at, data):
    count = len(at.floors)
    assume(count > 1)
    c = data.draw(st.integers(0, count - 1))
    near = [d for d in range(count) if d != c]
    score, *_ = best_exchange(at.state, at.rules, at.tallies, at.kinds, at.room, c, np.array(near), 1.0, CELL, 0.0)
    least = min(exchanges(at, c, near), default=np.inf)
    assert score == pytest.approx(least, abs=1e-9)
    assert not at.room.any()


@given(mended(spare=1), st.sampled_from([1.0, 0.5]))
def test_a_class_is_split_in_two_that_keep_what_it_keeps_and_lose_no_more(at, cap):
    graph, before = at.graph, at.state.labels.tolist()
    everyone = np.arange(graph.n)
    c, d = int(np.argmax(at.state.sizes)), len(at.floors)
    requirement = Requirement(k=1, tie_confidence=cap)
    was_dense = len(dense_pairs(graph, Partition(np.array(before)), requirement)[0])
    done = split(at.state, at.rules, at.tallies, at.kinds, c, d, cap, at.room)
    after = at.state.labels.tolist()
    assert not at.room.any()
    if not done:
        assert after == before
        return
    assert {v for v in range(graph.n) if before[v] == c} == {v for v in range(graph.n) if after[v] in (c, d)}
    for part in (c, d):
        members = [v for v in range(graph.n) if after[v] == part]
        assert len(members) >= at.floors[c]
        assert keeps(graph, members, everyone)
    for prices in ((CELL, 0.0), (0.0, 1.0)):
        assert lost_of(graph, after, "height", *prices) <= lost_of(graph, before, "height", *prices) + 1e-9
    assert was_dense or not len(dense_pairs(graph, Partition(np.array(after)), requirement)[0])


@given(mended())
def test_who_is_of_one_kind_may_stand_for_each_other(at):
    labels = at.state.labels.tolist()
    for v in range(at.graph.n):
        for u in range(v):
            if at.kinds[v] == at.kinds[u]:
                after = labels.copy()
                after[v], after[u] = labels[u], labels[v]
                assert [at.trouble(after, c) for c in (labels[u], labels[v])] == pytest.approx(
                    [at.trouble(labels, c) for c in (labels[u], labels[v])], abs=1e-9)


@pytest.mark.parametrize("n", [40, 400])
def test_what_is_as_common_as_it_may_be_is_shared_out_evenly(n):
    # one in five has it and one in five may: every class has to have them in just this proportion
    ills = ["hiv" if v % 5 == 0 else "flu" for v in range(n)]
    graph = graph_of([], n, lines=(Range(0, n),), values=[list(map(float, range(n)))], payload={"ill": ills})
    columns = tuple(replace(c, alpha={"hiv": 0.2}) if c.name == "ill" else c for c in graph.schema.columns)
    graph = replace(graph, schema=replace(graph.schema, columns=columns))
    at = Mended(graph, np.zeros(n, dtype=np.int64), np.array([5]), spare=n // 5 - 1)
    waiting, empty = [0], list(range(n // 5 - 1, 0, -1))
    while waiting:
        c = waiting.pop()
        if empty and split(at.state, at.rules, at.tallies, at.kinds, c, empty[-1], 1.0, at.room):
            waiting += [c, empty.pop()]
    assert np.bincount(at.state.labels).tolist() == [5] * (n // 5)
