"""What holds for both methods on graphs too large to check by hand."""

import tracemalloc

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from strategies import graphs
from toy import WORK, graph_of

from graphanon import density
from graphanon.domain import Range
from graphanon.progress import listening
from graphanon.requirement import Requirement
from graphanon.social.pas_caa import PasCaa
from graphanon.social.sangreea import SaNGreeA

METHODS = [SaNGreeA(), PasCaa()]


def village(n, seed=0):
    """Return `n` people of random age and work, each tied to about six others, a few to many."""
    rng = np.random.default_rng(seed)
    popular = (n * rng.random(3 * n) ** 2).astype(int)
    pairs = np.unique(np.stack([rng.integers(0, n, 3 * n), popular], axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    values = [rng.integers(17, 91, n), rng.integers(0, 4, n)]
    return graph_of(pairs, n, lines=(Range(17, 90), WORK), values=values)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.about.name)
@pytest.mark.parametrize("k", [2, 7, 150, 300])
def test_everyone_is_in_a_class_of_k(method, k):
    partition = method.partition(village(300), Requirement(k=k), np.random.default_rng(0))
    assert partition.withheld == 0
    assert partition.sizes.min() >= k


@pytest.mark.parametrize("reading", [{}, {"supernode": "max"}, {"supernode": "centre"}], ids=str)
def test_the_size_of_batches_changes_nothing(monkeypatch, reading):
    graph, method = village(200), PasCaa(**reading)
    whole = method.cluster(graph, Requirement(k=4))
    monkeypatch.setattr(density, "BATCH", 1)
    pieces = method.cluster(graph, Requirement(k=4))
    assert np.array_equal(whole.labels, pieces.labels)
    assert np.array_equal(whole.density, pieces.density)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.about.name)
def test_memory_stays_linear_in_people_and_ties(method):
    graph, requirement = village(3000), Requirement(k=5)
    method.partition(village(50), requirement, np.random.default_rng(0))
    tracemalloc.start()
    method.partition(graph, requirement, np.random.default_rng(0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # a number a pair of people would be 72 MB, one a person and supernode 14 MB
    assert peak < 6e6


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.about.name)
def test_an_interrupt_between_steps_ends_the_method(method):
    steps = []

    def listener(stage, done, total):
        assert 0 < done <= total
        steps.append(stage)
        if len(steps) == 5:
            raise KeyboardInterrupt

    with listening(listener), pytest.raises(KeyboardInterrupt):
        method.partition(village(300), Requirement(k=5), np.random.default_rng(0))
    assert len(steps) == 5


@given(graphs(smallest=2, largest=16, wishes=True), st.integers(1, 4))
def test_supernodes_are_as_large_as_each_member_wishes(graph, k):
    k = min(k, graph.n)
    partition = PasCaa().partition(graph, Requirement(k=k), np.random.default_rng(0))
    assert (partition.sizes[partition.labels] >= np.maximum(graph.wishes, k)).all()
    assert (partition.floors[partition.labels] >= np.maximum(graph.wishes, k)).all()


@given(graphs(smallest=2, largest=16), st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_pas_caa_ends_after_at_most_its_rounds(graph, k, Im, strict):
    k = min(k, graph.n)
    found = PasCaa(Im=Im, strict_targets=strict).cluster(graph, Requirement(k=k))
    sizes = np.bincount(found.labels)
    assert 1 <= found.rounds <= Im
    assert sizes.min() >= k
    assert set(found.short.tolist()) == {x for x, t in zip(found.sensitive, found.targets, strict=True) if sizes[x] < t}
    if strict and len(found.short):
        assert len(found.sensitive) == len(sizes), "no supernode is spared while a dense one is short"


@given(graphs(smallest=2, largest=16), st.integers(1, 4))
def test_seeds_stand_in_different_supernodes_and_are_people(graph, k):
    found = PasCaa(supernode="centre").cluster(graph, Requirement(k=min(k, graph.n)))
    assert found.labels[found.seeds].tolist() == list(range(len(found.seeds)))
