"""Rows of similarities and prices of intervals are what their definitions say."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from strategies import graphs
from toy import toys
from twins import class_cost, similarity, value_similarity

from graphanon.closeness import describe
from graphanon.kernels.rows import price, room_for, row, spread

KINDS = st.sampled_from(["height", "exact", "path"])


@given(graphs(), KINDS, st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.data())
def test_a_row_holds_the_similarity_to_everyone_asked_for(graph, categorical, closed, beta, data):
    crowd = describe(graph, categorical=categorical, closed=closed)
    room = room_for(crowd)
    for v in range(graph.n):
        who = np.array(data.draw(st.lists(st.integers(0, graph.n - 1), max_size=graph.n)), dtype=np.int32)
        row(crowd, beta, v, who, len(who), room)
        wanted = [similarity(graph, v, u, beta, categorical, closed=closed) for u in who.tolist()]
        assert room.out[: len(who)] == pytest.approx(wanted, abs=1e-12)


@given(graphs(), st.booleans())
def test_a_row_leaves_no_count_behind(graph, closed):
    crowd = describe(graph, closed=closed)
    room, everyone = room_for(crowd), np.arange(graph.n, dtype=np.int32)
    for v in range(graph.n):
        row(crowd, 0.5, v, everyone, graph.n, room)
        assert not room.shared.any()


@given(graphs(), KINDS)
def test_similarity_is_symmetric_to_the_last_bit(graph, categorical):
    crowd = describe(graph, categorical=categorical)
    room, everyone = room_for(crowd), np.arange(graph.n, dtype=np.int32)
    rows = []
    for v in range(graph.n):
        row(crowd, 0.5, v, everyone, graph.n, room)
        rows.append(room.out.copy())
    assert np.array_equal(np.array(rows), np.array(rows).T)


@given(graphs(), KINDS)
def test_a_spread_of_values_is_one_minus_their_similarity(graph, categorical):
    crowd = describe(graph, categorical=categorical)
    for j, domain in enumerate(graph.domains):
        for i in range(graph.n):
            for u in range(graph.n):
                a, b = sorted((int(crowd.codes[i, j]), int(crowd.codes[u, j])))
                wanted = 1 - value_similarity(domain, graph.values[i, j], graph.values[u, j], categorical)
                assert spread(crowd, j, a, b) == pytest.approx(wanted, abs=1e-12)


@given(graphs(), st.data())
def test_a_spread_of_snapped_ends_is_the_loss_of_the_class(graph, data):
    crowd = describe(graph, snapped=True)
    members = sorted(data.draw(st.sets(st.integers(0, graph.n - 1), min_size=1)))
    codes = crowd.codes[members]
    found = sum(spread(crowd, j, int(codes[:, j].min()), int(codes[:, j].max())) for j in range(graph.q))
    assert found == pytest.approx(class_cost(graph, members), abs=1e-12)


@given(graphs(), st.data())
def test_the_price_of_joining_is_the_loss_after_it(graph, data):
    crowd = describe(graph, snapped=True)
    members = sorted(data.draw(st.sets(st.integers(0, graph.n - 1), min_size=1)))
    table, total = np.zeros(len(crowd.lo)), np.zeros(graph.n)
    for j in range(graph.q):
        price(crowd, j, int(crowd.codes[members, j].min()), int(crowd.codes[members, j].max()), table)
        total += table[crowd.codes[:, j]]
    wanted = [class_cost(graph, [*members, x]) for x in range(graph.n)]
    assert total == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("name", toys())
def test_everyone_is_wholly_similar_to_themselves_in_attributes(name):
    graph = toys()[name]
    crowd = describe(graph)
    room, everyone = room_for(crowd), np.arange(graph.n, dtype=np.int32)
    for v in range(graph.n):
        row(crowd, 0.0, v, everyone, graph.n, room)
        assert room.out[v] == (1.0 if graph.q else 0.0)
