"""Nearest others, shared neighbours and clustering are what their definitions say."""

import hypothesis.strategies as st
import numpy as np
import pytest
import twins
from hypothesis import given
from strategies import graphs

from graphanon.closeness import describe
from graphanon.density import batches, clustering, local_density, nearest_others, ranked
from graphanon.kernels.nearest import closest
from graphanon.kernels.rows import room_for


@given(graphs(largest=12), st.integers(1, 5), st.sampled_from([0.0, 0.5, 1.0]))
def test_the_nearest_others_are_the_most_similar(graph, K_nn, beta):
    K_nn = min(K_nn, graph.n - 1)
    s = twins.similarity_matrix(graph, beta)
    found = nearest_others(describe(graph), beta, K_nn)
    assert found.who.tolist() == twins.nearest(s, K_nn)
    for v in range(graph.n):
        assert found.similarity[v] == pytest.approx(s[v, found.who[v]], abs=1e-12)


@given(graphs(largest=12), st.integers(1, 5), st.booleans(),
       st.sampled_from(["normalised", "count", "jaccard", "snndpc"]))
def test_local_density_is_its_definition(graph, K_nn, include_self, kind):
    near = nearest_others(describe(graph), 0.5, min(K_nn, graph.n - 1))
    wanted = twins.density(twins.similarity_matrix(graph, 0.5), near.who.tolist(), kind, include_self=include_self)
    assert local_density(near, kind, include_self=include_self) == pytest.approx(wanted, rel=1e-6, abs=1e-12)


@given(graphs(largest=14))
def test_clustering_counts_tied_pairs_of_neighbours(graph):
    assert clustering(graph) == pytest.approx(twins.clustering(graph), abs=1e-12)


@given(graphs(largest=12), st.data())
def test_the_closest_of_a_few_is_the_largest_similarity_to_another(graph, data):
    few = np.array(data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=graph.n)), dtype=np.int32)
    best, crowd = np.empty(graph.n), describe(graph)
    closest(crowd, 0.5, 0, graph.n, few, room_for(crowd), best)
    s = twins.similarity_matrix(graph, 0.5)
    np.fill_diagonal(s, 0.0)
    assert best == pytest.approx(s[:, few].max(axis=1), abs=1e-12)


@given(st.lists(st.sampled_from([0.1 + 0.2, 0.3, 0.0, 1.0, -1.0])))
def test_ranking_keeps_the_order_of_equals(values):
    assert ranked(np.array(values)).tolist() == twins.ranking(range(len(values)), lambda i: values[i])


@given(st.integers(0, 1000), st.floats(0, 1e9))
def test_batches_cover_everything_once(n, steps):
    assert [i for start, stop in batches(n, steps) for i in range(start, stop)] == list(range(n))
