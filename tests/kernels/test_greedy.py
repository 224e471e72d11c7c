"""SaNGreeA's kernels choose as its definition does."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given
from strategies import graphs
from twins import sangreea

from graphanon.closeness import describe
from graphanon.kernels.greedy import grow, place
from graphanon.requirement import Requirement
from graphanon.social.sangreea import SaNGreeA

WEIGHTS = st.sampled_from([(0.5, 0.5), (1.0, 0.0), (0.0, 1.0), (0.25, 0.75), (3.0, 1.0)])


def as_sets(classes):
    return sorted(map(sorted, classes))


def members_of(labels):
    return [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]


@given(graphs(largest=12), st.integers(1, 6), WEIGHTS, st.sampled_from(["max_degree", "first"]))
def test_the_method_finds_the_classes_of_its_definition(graph, k, weights, seed):
    k, (alpha, beta) = min(k, graph.n), weights
    order = range(graph.n)
    if seed == "max_degree":
        order = sorted(order, key=lambda v: -graph.ties.toarray()[v].sum())
    method = SaNGreeA(alpha=alpha, beta=beta, seed=seed)
    found = method.partition(graph, Requirement(k=k), np.random.default_rng(0))
    wanted = sangreea(graph, [k] * graph.n, list(order), alpha, beta)
    assert as_sets(members_of(found.labels)) == as_sets(wanted)


def arrays(graph):
    n, q = graph.n, graph.q
    return {
        "rest": np.arange(n, dtype=np.int32), "taken": np.zeros(n, dtype=bool),
        "first": np.empty(q, dtype=np.int32), "last": np.empty(q, dtype=np.int32),
        "weight": np.zeros(n, dtype=np.int32), "seen": np.empty(n, dtype=np.int32),
        "members": np.empty(n, dtype=np.int32),
    }


@given(graphs(largest=12, wishes=True), st.data())
def test_a_class_grows_until_each_member_has_what_they_wish(graph, data):
    crowd, room = describe(graph, snapped=True), arrays(graph)
    start = data.draw(st.integers(0, graph.n - 1))
    size, left = grow(crowd, 0.5, 0.5, graph.wishes, start, room["rest"], graph.n, room["taken"], room["first"],
                      room["last"], np.empty(len(crowd.lo)), room["weight"], room["seen"], room["members"])
    members = room["members"][:size]
    assert members[0] == start
    assert size >= graph.wishes[members].max() or left == 0
    assert size == 1 or size - 1 < graph.wishes[members[:-1]].max()
    assert sorted([*members, *room["rest"][:left]]) == list(range(graph.n))
    assert np.array_equal(np.flatnonzero(room["taken"]), np.sort(members))
    assert not room["weight"].any()


@given(graphs(smallest=2, largest=12), st.data())
def test_what_place_keeps_up_to_date_is_what_a_recount_gives(graph, data):
    crowd = describe(graph, snapped=True)
    x = data.draw(st.integers(0, graph.n - 1))
    raw = np.array(data.draw(st.lists(st.integers(0, 2), min_size=graph.n, max_size=graph.n)))
    labels = np.unique(raw[np.arange(graph.n) != x], return_inverse=True)[1]
    labels = np.insert(labels, x, -1).astype(np.int64)
    before = recount(graph, crowd, labels)
    sizes, degrees, first, last = before
    place(crowd, 0.5, 0.5, x, labels, sizes, degrees, first, last, np.zeros(len(sizes), dtype=np.int64),
          np.zeros(graph.n, dtype=np.int32), np.empty(graph.n, dtype=np.int32))
    assert labels[x] >= 0
    for kept, counted in zip((sizes, degrees, first, last), recount(graph, crowd, labels), strict=True):
        assert np.array_equal(kept, counted)


def recount(graph, crowd, labels):
    classes = [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]
    degree = graph.ties.toarray().sum(axis=1)
    return (
        np.array([len(c) for c in classes], dtype=np.int64),
        np.array([degree[c].sum() for c in classes], dtype=np.int64),
        np.array([crowd.codes[c].min(axis=0) for c in classes], dtype=np.int32),
        np.array([crowd.codes[c].max(axis=0) for c in classes], dtype=np.int32),
    )


@given(graphs(smallest=2, largest=14, wishes=True), st.integers(1, 4))
def test_every_person_gets_the_class_size_they_wish(graph, k):
    partition = SaNGreeA().partition(graph, Requirement(k=min(k, graph.n)), np.random.default_rng(0))
    assert (partition.sizes[partition.labels] >= np.maximum(graph.wishes, min(k, graph.n))).all()
    assert (partition.floors[partition.labels] >= graph.wishes).all()
