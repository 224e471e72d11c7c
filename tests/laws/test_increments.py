"""Laws of costs that are kept up to date: what a kernel reports is what two full counts differ by.

The kernels that grow and move supernodes keep prices of stretched boxes, sums of structural distances and sums of
similarities; the one behind local search reports what a move or a swap would cost. Each is compared here,
for every person of many graphs, with the difference of two full counts.
"""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given
from strategies import graphs, grouped

from graphanon.closeness import describe
from graphanon.grouping import Partition, hull
from graphanon.kernels.greedy import _bind
from graphanon.kernels.refine_state import (
    attribute_move,
    attribute_swap,
    move,
    state_of,
    swap,
    tie_exchange,
    total_attributes,
    total_ties,
)
from graphanon.kernels.rows import price, room_for, row
from graphanon.kernels.supernodes import CENTRE, MAX, MEAN, fill, shed, within
from graphanon.loss import arc_counts, cell_costs, structural_loss


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


def lost(graph, labels: list[int], measure: str) -> tuple[float, float]:
    """Return what a partition loses by a full count: summed cell costs, and wrongly guessed arcs."""
    number = {label: i for i, label in enumerate(sorted({label for label in labels if label >= 0}))}
    partition = Partition(np.array([number.get(label, -1) for label in labels], dtype=np.int64))
    cells = cell_costs(graph.domains, hull(graph, partition), measure).sum(axis=1)
    return float(partition.sizes @ cells), structural_loss(arc_counts(graph, partition), partition.sizes)


@st.composite
def states(draw):
    """Draw a partition as the search sees it, with one class that nobody is in, and its labels."""
    graph, partition = draw(grouped(smallest=2))
    measure = draw(st.sampled_from(["height", "leaves"]))
    floors = np.ones(partition.n_classes, dtype=np.int64)
    return graph, partition.labels.tolist(), measure, \
        state_of(graph, partition.labels, floors, measure=measure, spare=1)


@given(states())
def test_the_cost_reported_for_a_move_is_the_loss_after_minus_the_loss_before(case):
    graph, labels, measure, state = case
    cells, arcs = lost(graph, labels, measure)
    for v in range(graph.n):
        for d in set(range(-1, len(state.sizes))) - {labels[v]}:
            after = lost(graph, [*labels[:v], d, *labels[v + 1 :]], measure)
            assert attribute_move(state, v, d) == pytest.approx(after[0] - cells, abs=1e-9)
            assert tie_exchange(state, v, d, -1, np.inf) == pytest.approx(after[1] - arcs, abs=1e-9)


def exchanged(labels: list[int], v: int, u: int) -> list[int]:
    """Return the labels after two people have changed places."""
    after = list(labels)
    after[v], after[u] = labels[u], labels[v]
    return after


@given(states())
def test_the_cost_reported_for_a_swap_is_the_loss_after_minus_the_loss_before(case):
    graph, labels, measure, state = case
    cells, arcs = lost(graph, labels, measure)
    for v in range(graph.n):
        for u in range(graph.n):
            if labels[v] != labels[u] and min(labels[v], labels[u]) >= 0:
                after = lost(graph, exchanged(labels, v, u), measure)
                assert attribute_swap(state, v, u) == pytest.approx(after[0] - cells, abs=1e-9)
                assert tie_exchange(state, v, labels[u], u, np.inf) == pytest.approx(after[1] - arcs, abs=1e-9)


def too_dense(graph, labels: list[int], touched: set[int], cap: float) -> bool:
    """Whether more than a share of the ordered pairs inside or beside a touched class would be tied."""
    dense = (graph.ties if graph.arcs is None else graph.arcs).toarray()
    members = {label: [i for i, other in enumerate(labels) if other == label] for label in set(labels) if label >= 0}
    blocks = [(a, b) for a in members for b in members if touched & {a, b}]
    for a, b in blocks:
        room = len(members[a]) * len(members[b]) - (len(members[a]) if a == b else 0)
        if dense[np.ix_(members[a], members[b])].sum() > cap * room + 1e-9:
            return True
    return False


@given(states(), st.sampled_from([0.25, 0.5, 0.9]))
def test_a_move_is_priceless_exactly_when_it_would_show_a_tie_too_surely(case, cap):
    graph, labels, _, state = case
    for v in range(graph.n):
        for d in set(range(-1, len(state.sizes))) - {labels[v]}:
            after = [*labels[:v], d, *labels[v + 1 :]]
            wanted = too_dense(graph, after, {labels[v], d} - {-1}, cap)
            assert np.isinf(tie_exchange(state, v, d, -1, cap)) == wanted


@given(states(), st.data())
def test_after_any_moves_and_swaps_the_state_is_that_of_the_new_partition(case, data):
    graph, labels, measure, state = case
    for _ in range(data.draw(st.integers(1, 6))):
        v, u = (data.draw(st.integers(0, graph.n - 1)) for _ in range(2))
        if data.draw(st.booleans()) and labels[v] != labels[u] and min(labels[v], labels[u]) >= 0:
            swap(state, v, u)
            labels = exchanged(labels, v, u)
        else:
            d = data.draw(st.integers(-1, len(state.sizes) - 1))
            move(state, v, d)
            labels = [*labels[:v], d, *labels[v + 1 :]]
        assert state.labels.tolist() == labels
        assert state.sizes.tolist() == [labels.count(c) for c in range(len(state.sizes))]
        cells, arcs = lost(graph, labels, measure)
        assert total_attributes(state) == pytest.approx(cells, abs=1e-9)
        assert total_ties(state) == pytest.approx(arcs, abs=1e-9)
