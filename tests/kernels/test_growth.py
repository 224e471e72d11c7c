"""Growing and moving by loss: what the kernels report is what full counts of the losses differ by, and nobody is cheaper."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from strategies import graphs, grouped
from toy import graph_of
from twins import cheapest_growth, lost_of

from graphanon.kernels.growth import grow, growth_of, settle
from graphanon.kernels.refine_state import state_of
from graphanon.kernels.relocate import book_of, cells_by_joining, dissolve, lost_by_moving, relocate, visit
from graphanon.requirement import Requirement
from graphanon.social.greedy import Greedy

PRICES = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.1, 2.0)])
NONE = np.empty(0, dtype=np.int64)


def nobody(graph, most, **reading):
    """Return a state in which everyone is alone."""
    return state_of(graph, np.full(graph.n, -1), NONE, spare=most, **reading)


def check_growth(graph, turns, start, measure, prices):
    """Grow classes by one at each turn, and compare with everyone who could have come; `start` says who begins."""
    state, need = nobody(graph, 3, measure=measure), np.ones(graph.n, dtype=np.int64)
    growth, (cell, arc) = growth_of(state), prices
    for c in turns:
        before = state.labels.tolist()
        alone = [v for v in range(graph.n) if before[v] < 0]
        if not alone:
            break
        if state.sizes[c] == 0:
            grow(growth, c, start(alone), 1, need, graph.n, cell, arc)
            continue
        grow(growth, c, -1, int(state.sizes[c]) + 1, need, graph.n, cell, arc)
        least = min(lost_of(graph, [*before[:v], c, *before[v + 1 :]], measure, cell, arc) for v in alone)
        assert lost_of(graph, state.labels.tolist(), measure, cell, arc) == pytest.approx(least, abs=1e-9)
        assert growth.left[0] == len(alone) - 1


@given(graphs(smallest=3, largest=14), PRICES, st.sampled_from(["height", "leaves"]), st.data())
def test_whoever_joins_a_growing_class_raises_the_loss_least(graph, prices, measure, data):
    turns = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=6))
    check_growth(graph, [0, 1, 2, *turns], lambda alone: data.draw(st.sampled_from(alone)), measure, prices)


@pytest.mark.parametrize("directed", [False, True])
def test_whoever_joins_raises_the_loss_least_where_ties_are_many(directed):
    rng = np.random.default_rng(3)
    for _ in range(4):
        pairs = {(int(a), int(b)) for a, b in rng.integers(0, 12, size=(30, 2)) if (a != b if directed else a < b)}
        graph = graph_of(sorted(pairs), 12, directed=directed)
        check_growth(graph, [0, 1, 2, *rng.integers(0, 3, 8).tolist()], lambda alone: alone[-1], "height", (0.0, 1.0))


@given(graphs(smallest=3, largest=12), st.integers(1, 4), PRICES)
def test_classes_that_grow_in_one_go_lose_what_the_definition_loses(graph, k, prices):
    (cell, arc), k = prices, min(k, graph.n)
    state, need = nobody(graph, graph.n), np.ones(graph.n, dtype=np.int64)
    growth = growth_of(state)
    c = 0
    while growth.left[0] >= k:
        before = state.labels.tolist()
        seed = int(growth.rest[0])
        grow(growth, c, seed, k, need, graph.n, cell, arc)
        wanted = cheapest_growth(graph, before, c, seed, k=k, prices=(cell, arc))
        assert lost_of(graph, state.labels.tolist(), "height", cell, arc) == pytest.approx(wanted, abs=1e-9)
        c += 1
    assert not growth.bound.any()
    assert not growth.row.any()
    assert not growth.cross.any()


@given(graphs(smallest=2, largest=12, wishes=True), st.data())
def test_a_class_grows_until_each_member_has_what_they_need_however_often_it_is_stopped(graph, data):
    seed = data.draw(st.integers(0, graph.n - 1))
    found = []
    for chunk in (graph.n, 1):
        state = nobody(graph, 1)
        growth, start, before = growth_of(state), seed, -1
        while before < state.sizes[0]:
            before = int(state.sizes[0])
            grow(growth, 0, start, 1, graph.wishes, before + chunk, 0.5, 0.5)
            start = -1
        members = np.flatnonzero(state.labels == 0)
        assert len(members) >= min(graph.wishes[members].max(), graph.n)
        found.append(members.tolist())
    assert found[0] == found[1]


@given(grouped(withheld=False, smallest=2), PRICES, st.data())
def test_whoever_is_left_over_settles_where_the_loss_rises_least(case, prices, data):
    graph, partition = case
    v = data.draw(st.integers(0, graph.n - 1))
    labels = partition.labels.copy()
    labels[v] = -1
    state = state_of(graph, labels, np.ones(partition.n_classes, dtype=np.int64))
    least = [lost_of(graph, [*labels[:v].tolist(), d, *labels[v + 1 :].tolist()], "height", *prices)
             for d in range(partition.n_classes) if (labels == d).any()]
    settle(state, v, *prices)
    if least:
        assert lost_of(graph, state.labels.tolist(), "height", *prices) == pytest.approx(min(least), abs=1e-9)
    else:
        assert state.labels[v] == -1


@st.composite
def booked(draw):
    """Draw a partition as the sequential search sees it, with a class that nobody is in."""
    graph, partition = draw(grouped(withheld=False, smallest=2))
    state = state_of(graph, partition.labels, np.ones(partition.n_classes, dtype=np.int64), spare=1)
    return graph, state, book_of(state)


@given(booked())
def test_all_moves_of_a_person_cost_the_loss_after_minus_the_loss_before(case):
    graph, state, book = case
    labels = state.labels.tolist()
    arcs = lost_of(graph, labels, "height", 0.0, 1.0)
    for v in range(graph.n):
        lost_by_moving(state, book, v)
        cells_by_joining(state, book, v)
        away = lost_of(graph, [*labels[:v], -1, *labels[v + 1 :]], "height", 1.0, 0.0)
        for d in set(labels) - {labels[v]}:
            after = [*labels[:v], d, *labels[v + 1 :]]
            assert book.lost[d] == pytest.approx(lost_of(graph, after, "height", 0.0, 1.0) - arcs, abs=1e-9)
            assert book.cells[d] == pytest.approx(lost_of(graph, after, "height", 1.0, 0.0) - away, abs=1e-9)


@given(booked(), st.data())
def test_the_book_stays_true_while_people_move(case, data):
    graph, state, book = case
    for _ in range(data.draw(st.integers(1, 6))):
        v, d = data.draw(st.integers(0, graph.n - 1)), data.draw(st.integers(0, len(state.sizes) - 1))
        if d != state.labels[v] and state.sizes[d]:
            relocate(state, book, v, d)
        fresh, there = book_of(state), state.sizes > 0
        assert book.squares[there] == pytest.approx(fresh.squares[there], abs=1e-9)
        assert book.inside[there].tolist() == fresh.inside[there].tolist()


@given(booked(), PRICES)
def test_a_round_moves_each_person_where_the_loss_falls_most(case, prices):
    graph, state, book = case
    for v in range(graph.n):
        labels = state.labels.tolist()
        now = lost_of(graph, labels, "height", *prices)
        tried = [lost_of(graph, [*labels[:v], d, *labels[v + 1 :]], "height", *prices) for d in set(labels) - {labels[v]}]
        moved = visit(state, book, np.array([v]), 0, 1, np.full(graph.n, 2), *prices)
        after = lost_of(graph, state.labels.tolist(), "height", *prices)
        lonely = labels.count(labels[v]) == 1
        if tried and (lonely or min(tried) < now - 1e-9):
            assert moved == 1
            assert after == pytest.approx(min(tried), abs=1e-9)
        else:
            assert after == pytest.approx(now, abs=1e-9)


@given(booked(), st.data())
def test_who_needs_nobody_may_stay_alone(case, data):
    graph, state, book = case
    v = data.draw(st.integers(0, graph.n - 1))
    if (state.labels == state.labels[v]).sum() == 1:
        assert visit(state, book, np.array([v]), 0, 1, np.ones(graph.n, dtype=np.int64), 1.0, 0.0) == 0


@given(booked(), PRICES)
def test_a_class_that_is_dissolved_leaves_its_members_with_others(case, prices):
    graph, state, book = case
    if (state.sizes > 0).sum() > 1:
        dissolve(state, book, int(np.argmax(state.sizes)), *prices)
    assert state.sizes.sum() == graph.n
    assert (state.labels >= 0).all()
    assert book.squares[state.sizes > 0] == pytest.approx(book_of(state).squares[state.sizes > 0], abs=1e-9)


@given(graphs(smallest=2, largest=14), st.integers(1, 4))
def test_greedy_with_a_free_choice_of_starts_takes_the_densest_first(graph, k):
    k = min(k, graph.n)
    labels = Greedy().partition(graph, Requirement(k=k), np.random.default_rng(0)).labels
    densest = int(Greedy()._queue(graph, k, np.random.default_rng(0))[0])
    assert labels[densest] == 0
