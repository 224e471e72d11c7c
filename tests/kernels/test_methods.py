"""What holds for every method on graphs too large to check by hand."""

import tracemalloc

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from strategies import graphs
from toy import WORK, graph_of

from graphanon import density
from graphanon.domain import Range
from graphanon.loss import public_losses
from graphanon.progress import listening
from graphanon.refine import Objective
from graphanon.requirement import Requirement
from graphanon.social import growing
from graphanon.social.adaptive_dense import AdaptiveDenseCfs
from graphanon.social.caa_vs import CaaVs
from graphanon.social.greedy import Greedy
from graphanon.social.pas_caa import PasCaa, least_sizes
from graphanon.social.sangreea import SaNGreeA
from graphanon.social.sequential import Sequential

LITERAL = PasCaa(literal=True)
METHODS = [SaNGreeA(), PasCaa(), LITERAL, CaaVs(), AdaptiveDenseCfs(), Greedy(), Sequential(starts=1, rounds=4)]


def named(method):
    """Return the name of a method, and whether it is the literal form."""
    return method.about.name + (" literal" if method is LITERAL else "")


def village(n, seed=0):
    """Return `n` people of random age and work, each tied to about six others, a few to many."""
    rng = np.random.default_rng(seed)
    popular = (n * rng.random(3 * n) ** 2).astype(int)
    pairs = np.unique(np.stack([rng.integers(0, n, 3 * n), popular], axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    values = [rng.integers(17, 91, n), rng.integers(0, 4, n)]
    return graph_of(pairs, n, lines=(Range(17, 90), WORK), values=values)


@pytest.mark.parametrize("method", METHODS, ids=named)
@pytest.mark.parametrize("k", [2, 7, 150, 300])
def test_everyone_is_in_a_class_of_k(method, k):
    partition = method.partition(village(300), Requirement(k=k), np.random.default_rng(0))
    assert partition.withheld == 0
    assert partition.sizes.min() >= k


@pytest.mark.parametrize("reading", [{}, {"supernode": "max"}, {"supernode": "centre"}], ids=str)
def test_the_size_of_batches_changes_nothing(monkeypatch, reading):
    graph, method = village(200), PasCaa(literal=True, **reading)
    whole = method.cluster(graph, Requirement(k=4))
    monkeypatch.setattr(density, "BATCH", 1)
    pieces = method.cluster(graph, Requirement(k=4))
    assert np.array_equal(whole.labels, pieces.labels)
    assert np.array_equal(whole.density, pieces.density)


@pytest.mark.parametrize("method", METHODS, ids=named)
def test_the_size_of_chunks_changes_nothing(monkeypatch, method):
    graph = village(120)
    whole = method.partition(graph, Requirement(k=7), np.random.default_rng(0))
    for module in (density, growing):
        monkeypatch.setattr(module, "BATCH", 1)
    pieces = method.partition(graph, Requirement(k=7), np.random.default_rng(0))
    assert np.array_equal(whole.labels, pieces.labels)


@pytest.mark.parametrize("method", METHODS, ids=named)
def test_memory_stays_linear_in_people_and_ties(method):
    graph, requirement = village(3000), Requirement(k=5)
    method.partition(village(50), requirement, np.random.default_rng(0))
    tracemalloc.start()
    method.partition(graph, requirement, np.random.default_rng(0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # a number a pair of people would be 72 MB, one a person and supernode 14 MB
    assert peak < 6e6


@pytest.mark.parametrize("method", METHODS, ids=named)
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


@given(graphs(smallest=2, largest=16, wishes=True), st.integers(1, 4), st.booleans())
def test_supernodes_are_as_large_as_each_member_wishes(graph, k, literal):
    k = min(k, graph.n)
    partition = PasCaa(literal=literal).partition(graph, Requirement(k=k), np.random.default_rng(0))
    assert (partition.sizes[partition.labels] >= np.maximum(graph.wishes, k)).all()
    assert (partition.floors[partition.labels] >= np.maximum(graph.wishes, k)).all()


@given(graphs(smallest=2, largest=16), st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_pas_caa_ends_after_at_most_its_rounds(graph, k, Im, strict):
    k = min(k, graph.n)
    found = PasCaa(Im=Im, strict_targets=strict, literal=True).cluster(graph, Requirement(k=k))
    sizes = np.bincount(found.labels)
    assert 1 <= found.rounds <= Im
    assert sizes.min() >= k
    assert set(found.short.tolist()) == {x for x, t in zip(found.sensitive, found.targets, strict=True) if sizes[x] < t}
    if strict and len(found.short):
        assert len(found.sensitive) == len(sizes), "no supernode is spared while a dense one is short"


@given(graphs(smallest=2, largest=16), st.integers(1, 4), st.sampled_from(["mean", "median", 0.0, 10.0]),
       st.sampled_from([-1, -3]), st.sampled_from([None, 1, 3, 50]))
def test_every_target_is_met_and_is_a_floor_where_sizes_are_held(graph, k, rho_theta, d, Nc):
    k = min(k, graph.n)
    method = PasCaa(rho_theta=rho_theta, d=d, Nc=Nc)
    found = method.cluster(graph, Requirement(k=k))
    sizes = np.bincount(found.labels)
    assert found.short.tolist() == []
    assert sizes.min() >= k
    dense = found.density[found.sensitive]
    assert (np.diff(dense) <= 1e-12).all()
    assert (np.delete(found.density, found.sensitive) <= dense.min(initial=np.inf)).all()
    assert found.targets.tolist() == np.minimum(least_sizes(k, d, len(dense)), graph.n).tolist()
    floors = method.partition(graph, Requirement(k=k), np.random.default_rng(0)).floors
    assert floors[found.sensitive].tolist() == found.targets.tolist()
    assert np.delete(floors, found.sensitive).tolist() == [k] * (len(floors) - len(dense))


@pytest.mark.parametrize("k", [3, 5, 20])
def test_no_supernode_grows_into_a_giant_where_sizes_are_held(k):
    graph = village(300)
    held, literal = (np.bincount(m.cluster(graph, Requirement(k=k)).labels) for m in (PasCaa(), LITERAL))
    assert held.max() <= 3 * k
    assert len(held) > len(literal)


@given(graphs(smallest=2, largest=16), st.integers(1, 4), st.booleans())
def test_seeds_stand_in_different_supernodes_and_are_people(graph, k, literal):
    found = PasCaa(supernode="centre", literal=literal).cluster(graph, Requirement(k=min(k, graph.n)))
    assert found.labels[found.seeds].tolist() == list(range(len(found.seeds)))


@given(graphs(smallest=2, largest=16), st.integers(1, 4), st.sampled_from(["nsil", "tie_loss"]))
def test_more_starts_never_end_worse(graph, k, ties):
    requirement, objective = Requirement(k=min(k, graph.n)), Objective(ties=ties)

    def lost(starts):
        method = Sequential(starts=starts, ties=ties)
        return objective.of(public_losses(method.group(graph, requirement, np.random.default_rng(0))))

    assert lost(4) <= lost(1) + 1e-9


def test_an_adaptive_number_of_supernodes_is_one_that_shrinks():
    graph = village(300)
    fixed, adaptive = (
        AdaptiveDenseCfs(adaptive_nc=a).partition(graph, Requirement(k=5), np.random.default_rng(0)).n_classes
        for a in (False, True)
    )
    assert (fixed, adaptive < fixed) == (60, True)
