"""Laws of costs that are kept up to date: what a kernel has after each move is what a full count would give.

The kernels never report a loss as such; they keep prices of stretched boxes, sums of structural distances
and sums of similarities, and choose by them. Each is compared here, for every person of many graphs, with
the difference of two full counts.
"""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given
from strategies import graphs, grouped

from graphanon.closeness import describe
from graphanon.grouping import Partition, hull
from graphanon.kernels.greedy import _bind
from graphanon.kernels.rows import price, room_for, row
from graphanon.kernels.supernodes import CENTRE, MAX, MEAN, fill, shed, within
from graphanon.loss import cell_costs


def class_cost(graph, members: list[int], measure: str) -> float:
    """Return what one person of a class loses: the cells of the smallest publishable box around it, summed."""
    labels = np.full(graph.n, -1, dtype=np.int64)
    labels[members] = 0
    return float(cell_costs(graph.domains, hull(graph, Partition(labels)), measure).sum())


@given(grouped(withheld=False), st.sampled_from(["height", "leaves"]))
def test_the_price_of_one_more_member_is_the_loss_after_minus_the_loss_before(case, measure):
    graph, partition = case
    crowd = describe(graph, categorical=measure, snapped=True)
    for number in range(partition.n_classes):
        members = np.flatnonzero(partition.labels == number).tolist()
        first, last = crowd.codes[members].min(axis=0), crowd.codes[members].max(axis=0)
        table = np.empty(len(crowd.lo))
        for j in range(graph.q):
            price(crowd, j, first[j], last[j], table)
        before = class_cost(graph, members, measure)
        for x in range(graph.n):
            reported = table[crowd.codes[x]].sum() - table[crowd.codes[members[0]]].sum()
            after = class_cost(graph, [*members, x], measure)
            assert reported == pytest.approx(after - before, abs=1e-9)


def distance(graph, a: int, b: int) -> int:
    """Return how many third people are tied to just one of two people, counted one by one."""
    ties = graph.ties.toarray()
    return sum(ties[a, c] != ties[b, c] for c in range(graph.n) if c not in (a, b))


@given(grouped(withheld=False, smallest=2))
def test_the_running_count_of_common_neighbours_gives_the_summed_structural_distance(case):
    graph, partition = case
    crowd = describe(graph)
    weight, seen, n_seen = np.zeros(graph.n, dtype=np.int32), np.empty(graph.n, dtype=np.int32), 0
    degree, members = np.diff(crowd.indptr), []
    for u in np.flatnonzero(partition.labels == 0).tolist():
        n_seen = _bind(crowd, u, weight, seen, n_seen)
        members.append(u)
        for x in set(range(graph.n)) - set(members):
            kept = len(members) * degree[x] + degree[members].sum() - 2 * weight[x]
            assert kept == sum(distance(graph, x, member) for member in members)


def likeness(crowd, beta: float, v: int, others: list[int], mode: int) -> float:
    """Return the similarity of a person to others as a full count: summed, or the largest."""
    room = room_for(crowd)
    row(crowd, beta, v, np.array(others, dtype=np.int32), len(others), room)
    each = room.out[: len(others)]
    return float(each.sum() if mode == MEAN else each.max(initial=0.0))


@st.composite
def crowds(draw):
    graph = draw(graphs(smallest=4))
    return describe(graph), graph.n, draw(st.sampled_from([0.0, 0.3, 1.0]))


@given(crowds(), st.sampled_from([MEAN, MAX]), st.data())
def test_similarities_within_a_supernode_stay_true_while_members_leave(case, mode, data):
    crowd, n, beta = case
    members = np.array(data.draw(st.permutations(range(n)))[: data.draw(st.integers(3, n))], dtype=np.int32)
    m, room = len(members), room_for(crowd)
    score, peer = np.empty(n), np.empty(n, dtype=np.int32)
    within(crowd, beta, mode, members, 0, m, members[0], room, score, peer)
    least = data.draw(st.integers(2, m))
    left = shed(crowd, beta, mode, members, m, least, room, score, peer)
    assert left == least
    for i in range(left):
        others = [other for other in members[:left].tolist() if other != members[i]]
        assert score[i] == pytest.approx(likeness(crowd, beta, int(members[i]), others, mode), abs=1e-9)


@given(crowds(), st.sampled_from([MEAN, MAX]), st.data())
def test_similarities_to_a_supernode_stay_true_while_members_join(case, mode, data):
    crowd, n, beta = case
    order = data.draw(st.permutations(range(n)))
    m, target = 1, data.draw(st.integers(1, n))
    assume(target >= m)
    members, pool = np.empty(n, dtype=np.int32), np.array(order[1:], dtype=np.int32)
    members[0] = order[0]
    score = np.empty(n)
    size, left = fill(crowd, beta, mode, members, m, target, order[0], pool, len(pool), room_for(crowd), score)
    assert size == target
    assert sorted([*members[:size].tolist(), *pool[:left].tolist()]) == list(range(n))
    for i in range(left):
        inside = members[:size].tolist()
        assert score[i] == pytest.approx(likeness(crowd, beta, int(pool[i]), inside, mode), abs=1e-9)


@given(crowds())
def test_a_centre_is_never_the_one_to_leave(case):
    crowd, n, beta = case
    members, room = np.arange(n, dtype=np.int32), room_for(crowd)
    score, peer = np.empty(n), np.empty(n, dtype=np.int32)
    within(crowd, beta, CENTRE, members, 0, n, 2, room, score, peer)
    left = shed(crowd, beta, CENTRE, members, n, 1, room, score, peer)
    assert members[:left].tolist() == [2]
