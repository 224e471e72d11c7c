"""Refinement never raises the loss and never breaks what a partition keeps; and it says truly what it changed."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from promises import faults, promising
from strategies import graphs, partitions, table
from toy import graph_of, toys

from graphanon.domain import Range
from graphanon.errors import InfeasiblePromise, InputProblem
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, Partition, hull
from graphanon.kernels.anneal import anneal
from graphanon.loss import public_losses
from graphanon.progress import hearing, listening
from graphanon.refine import (
    Objective,
    _search_of,
    _sorted,
    default_objective,
    objective_of,
    refine,
    refinement,
    usual_passes,
)
from graphanon.repair import repair
from graphanon.requirement import Requirement

OBJECTIVES = [
    Objective(), Objective(ties="tie_loss"), Objective(attributes="ncp", w_attr=1.0, w_tie=0.0),
    Objective(ties="tie_loss", w_attr=0.0, w_tie=2.0),
]


def loss(graph: AttributedGraph, partition: Partition, objective: Objective) -> float:
    return objective.of(public_losses(Grouping(graph, partition, hull(graph, partition))))


@st.composite
def started(draw, *, smallest: int = 3, largest: int = 20):
    """Draw people, what is asked, and a partition that keeps it."""
    make = promising if draw(st.booleans()) else graphs
    graph = draw(make(smallest=smallest, largest=largest, wishes=draw(st.booleans())))
    requirement = Requirement(k=draw(st.integers(1, min(graph.n, 4))), withhold=draw(st.sampled_from([0.0, 0.4])),
                              tie_confidence=draw(st.sampled_from([None, None, 0.3, 0.6])))
    first = draw(partitions(graph, withheld=False))
    floors = np.minimum(first.sizes, np.array([draw(st.integers(1, 6)) for _ in range(first.n_classes)]))
    try:
        return graph, requirement, repair(graph, Partition(first.labels, floors), requirement, np.random.default_rng(0))
    except InfeasiblePromise:
        # nothing keeps it: ask less
        easy = Requirement(k=1, withhold=0.4)
        return graphs_without_promises(graph), easy, Partition(first.labels, floors)


def graphs_without_promises(graph: AttributedGraph) -> AttributedGraph:
    return graph_of([], graph.n, lines=graph.domains, values=graph.values.T.tolist())


def floors_are_kept(before: Partition, after: Partition) -> bool:
    """Whether every least size still stands: as often, unless merged into one that is as large."""
    old = np.ones(before.n_classes, dtype=int) if before.floors is None else before.floors
    return bool((after.sizes >= after.floors).all()) and after.floors.max() >= old.max() \
        and all((after.floors >= floor).sum() >= 1 for floor in old.tolist())


@settings(max_examples=60)
@given(started(), st.sampled_from(OBJECTIVES), st.integers(0, 9))
def test_refinement_never_raises_the_loss_and_never_breaks_a_requirement(case, objective, seed):
    graph, requirement, partition = case
    after = refine(graph, partition, requirement, np.random.default_rng(seed), objective=objective, passes=60)
    assert loss(graph, after, objective) <= loss(graph, partition, objective) + 1e-12
    assert (after.kept == partition.kept).all()
    assert not faults(graph, after, requirement)
    assert floors_are_kept(partition, after)


@settings(max_examples=60)
@given(started(), st.sampled_from(OBJECTIVES), st.integers(0, 9), st.sampled_from([1e-6, 0.1, 10.0]))
def test_the_rise_that_is_reported_is_the_loss_after_minus_the_loss_before(case, objective, seed, heat):
    graph, requirement, partition = case
    search = _search_of(graph, partition, requirement, np.random.default_rng(seed), objective)
    search.odds[:] = [0.4, 0.3, 0.5, 0.4, 0.2]
    before, work = loss(graph, partition, objective), 0.0
    for _ in range(20):
        work, rise = anneal(search, heat, heat, work, work + 3.0, 1e9)
        labels = search.state.labels.astype(np.int64)
        kept = labels >= 0
        labels[kept] = np.unique(labels[kept], return_inverse=True)[1]
        after = loss(graph, Partition(labels), objective)
        assert rise / graph.n == pytest.approx(after - before, abs=1e-9)
        assert not faults(graph, Partition(labels), requirement)
        assert not search.state.row_c.any()
        assert not search.state.row_d.any()
        before = after


def crowd(n: int = 120, *, ties: int = 360, seed: int = 1) -> AttributedGraph:
    rng = np.random.default_rng(seed)
    lines = (Range(0, 50), Range(0, 9), Range(0, 3))
    values = [rng.integers(0, int(line.high) + 1, n).tolist() for line in lines]
    pairs = [(int(a), int(b)) for a, b in rng.integers(0, n, (ties, 2)) if a != b]
    return graph_of(pairs, n, lines=lines, values=values)


def in_a_row(n: int, size: int) -> Partition:
    return Partition(np.minimum(np.arange(n) // size, n // size - 1))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_partition_made_by_chance_becomes_much_better(objective):
    graph, start = crowd(), in_a_row(120, 5)
    after = refine(graph, start, Requirement(k=5), np.random.default_rng(0), objective=objective, passes=300)
    assert loss(graph, after, objective) < (0.99 if objective.w_attr == 0 else 0.85) * loss(graph, start, objective)


def test_a_large_class_is_split_as_far_as_its_floor_permits():
    graph = crowd(ties=0)
    start = Partition(np.zeros(120, dtype=np.int64), np.array([10]))
    after = refine(graph, start, Requirement(k=3), np.random.default_rng(0), passes=200)
    assert after.n_classes >= 9
    assert after.floors.tolist() == [10] * after.n_classes


def test_a_class_of_strangers_is_dissolved():
    # six and six are alike, and two of each make a class that says nothing
    ages = [20.0] * 4 + [40.0] * 4 + [20.0, 40.0] * 2
    graph = graph_of([], 12, lines=(Range(20, 40),), values=[ages])
    start = Partition(np.array([0] * 4 + [1] * 4 + [2] * 4))
    after = refine(graph, start, Requirement(k=4), np.random.default_rng(0), passes=200)
    assert loss(graph, after, default_objective(graph)) == 0
    assert after.n_classes == 2


def test_members_of_a_class_never_go_where_the_floor_is_lower():
    graph = crowd(40, ties=0)
    start = Partition(np.arange(40) // 8, np.array([8, 2, 2, 2, 2]))
    for seed in range(5):
        after = refine(graph, start, Requirement(k=2), np.random.default_rng(seed), passes=200)
        assert after.floors.max() == 8
        assert after.sizes[after.floors == 8].min() >= 8


@pytest.mark.parametrize("name", sorted(toys()))
def test_every_toy_graph_is_refined(name):
    graph = toys()[name]
    k = min(2, graph.n)
    start = in_a_row(graph.n, k)
    after = refine(graph, start, Requirement(k=k), np.random.default_rng(0), passes=50)
    assert after.sizes.min() >= k
    assert loss(graph, after, default_objective(graph)) <= loss(graph, start, default_objective(graph)) + 1e-12


def test_a_seed_fixes_the_result_and_batches_do_not_change_it():
    graph, start = crowd(), in_a_row(120, 4)
    first, again, other = (
        refine(graph, start, Requirement(k=4), np.random.default_rng(seed), passes=100).labels.tolist()
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_people_withheld_stay_so():
    graph, start = crowd(), in_a_row(120, 4)
    labels = start.labels.copy()
    labels[4:8] = -1
    labels[labels > 1] -= 1
    after = refine(graph, Partition(labels), Requirement(k=4, withhold=0.1), np.random.default_rng(0), passes=100)
    assert np.flatnonzero(after.labels < 0).tolist() == [4, 5, 6, 7]


class Interrupter:
    """Interrupts the search when it has told of its progress so many times."""

    def __init__(self, *moments: int) -> None:
        self.moments, self.calls = moments, 0

    def __call__(self, *_progress) -> None:
        self.calls += 1
        if self.calls in self.moments:
            raise KeyboardInterrupt


def test_an_interrupt_ends_the_search_with_the_best_so_far():
    graph, start = crowd(), in_a_row(120, 4)
    # twelve orders are looked through first, in a batch each
    with listening(Interrupter(15)):
        after = refine(graph, start, Requirement(k=4), np.random.default_rng(0), passes=5000)
    assert loss(graph, after, Objective()) < loss(graph, start, Objective())
    assert after.sizes.min() >= 4


def test_an_interrupt_while_the_search_prepares_ends_it_too():
    graph, start = crowd(), in_a_row(120, 4)
    with listening(Interrupter(2)):
        after = refine(graph, start, Requirement(k=4), np.random.default_rng(0))
    assert loss(graph, after, Objective()) <= loss(graph, start, Objective())


def test_a_second_interrupt_is_let_through():
    graph, start = crowd(), in_a_row(120, 4)
    with listening(Interrupter(15, 16)), pytest.raises(KeyboardInterrupt):
        refine(graph, start, Requirement(k=4), np.random.default_rng(0), passes=5000)


def test_no_time_still_gives_a_partition_that_is_not_worse():
    graph, start = crowd(), in_a_row(120, 4)
    after = refine(graph, start, Requirement(k=4), np.random.default_rng(0), seconds=0.0)
    assert loss(graph, after, Objective()) <= loss(graph, start, Objective())


def test_no_passes_change_nothing():
    graph, start = crowd(), in_a_row(120, 4)
    assert refine(graph, start, Requirement(k=4), np.random.default_rng(0), passes=0) is start


def test_a_table_is_refined_by_leaves_and_a_graph_by_half_of_each():
    graph = crowd()
    assert default_objective(graph) == Objective()
    assert default_objective(table(graph)) == Objective(attributes="ncp", w_attr=1.0, w_tie=0.0)


@pytest.mark.parametrize("ties", [True, False])
def test_ever_less_work_a_person_is_done_for_more_people(ties):
    passes = [usual_passes(n, ties=ties) for n in (1, 700, 4039, 37_700, 10**6, 10**7)]
    assert passes == sorted(passes, reverse=True)
    assert passes[0] == passes[1] == 2500
    assert 10**7 * passes[-1] <= 10**8


@pytest.mark.parametrize("text", ["", "ngl", "ngil=x", "ngil,ncp", "nsil=1,tie_loss=1", "ngil=inf", "ngil=-1", "ngil=0"])
def test_what_is_no_objective_is_refused(text):
    with pytest.raises(InputProblem):
        objective_of(text)


def test_objectives_are_read_from_text():
    assert objective_of("tie_loss=2") == Objective(ties="tie_loss", w_attr=0.0, w_tie=2.0)
    assert objective_of(" ncp = 0.25 , nsil ") == Objective(attributes="ncp", w_attr=0.25, w_tie=1.0)


class Watch:
    """A clock that stands still until it has been looked at so often, and then is far ahead."""

    def __init__(self, looks: int) -> None:
        self.looks, self.now = looks, 0.0

    def __call__(self) -> float:
        self.looks -= 1
        if self.looks == 0:
            self.now += 1000.0
        return self.now


@pytest.mark.parametrize("looks", [*range(1, 9), 16, 17, 24, 40, 43, 44, 60])
def test_every_stage_looks_at_the_clock_and_the_best_so_far_is_kept(monkeypatch, looks):
    graph, start = crowd(), in_a_row(120, 4)
    watch = Watch(looks)
    monkeypatch.setattr("graphanon.refine.perf_counter", watch)
    heard: list[str] = []
    with hearing(heard.append):
        found = refinement(graph, start, Requirement(k=4), np.random.default_rng(0), passes=5000, seconds=500)
    # once the time is over it is looked at no more than a few times, whichever stage it is over in
    assert watch.looks > -6 or found.ended == "done"
    assert loss(graph, found.partition, Objective()) <= loss(graph, start, Objective())
    assert found.partition.sizes.min() >= 4
    assert (found.ended == "time") == bool(heard)
    assert not heard or "500 s" in heard[0]


def test_a_search_with_too_little_time_cools_as_fast_as_the_time_asks(monkeypatch):
    graph, start = crowd(), in_a_row(120, 4)
    ticks = iter(range(10**6))
    monkeypatch.setattr("graphanon.refine.perf_counter", lambda: float(next(ticks)))
    long = refinement(graph, start, Requirement(k=4), np.random.default_rng(0), passes=10**6, seconds=60)
    assert long.ended == "time"
    enough = refine(graph, start, Requirement(k=4), np.random.default_rng(0), passes=5000)
    assert loss(graph, long.partition, Objective()) <= 1.02 * loss(graph, enough, Objective())


@pytest.mark.parametrize("moment", [1, 2, 12, 13, 14, 30, 37])
def test_the_first_interrupt_ends_any_stage_and_says_so(moment):
    graph, start = crowd(), in_a_row(120, 4)
    heard: list[str] = []
    with listening(Interrupter(moment)), hearing(heard.append):
        found = refinement(graph, start, Requirement(k=4), np.random.default_rng(0), passes=5000)
    assert (found.ended, len(heard)) == ("interrupt", 1)
    assert "best so far" in heard[0]
    assert loss(graph, found.partition, Objective()) <= loss(graph, start, Objective())


def test_a_search_that_is_not_cut_short_says_nothing():
    graph, start = crowd(), in_a_row(120, 4)
    heard: list[str] = []
    with hearing(heard.append):
        found = refinement(graph, start, Requirement(k=4), np.random.default_rng(0), passes=50, seconds=10**6)
    assert (found.ended, heard) == ("done", [])


@given(st.integers(1, 40), st.integers(0, 9))
def test_people_are_sorted_by_attributes_and_by_chance_where_these_are_equal(n, seed):
    rng = np.random.default_rng(seed)
    chance, keys = rng.permutation(n), rng.permutation(3)
    for width in (4, 2**30):  # numbers that fit into one, and numbers that do not
        codes = rng.integers(0, width, (n, 3)).astype(np.int32)
        codes[: n // 2] = codes[0]
        assert (_sorted(codes, chance, keys) == np.lexsort([chance, *codes.T[keys]])).all()


def test_a_class_that_loses_nothing_is_not_split():
    graph = graph_of([], 40, lines=(Range(0, 9),), values=[[3.0] * 40])
    search = _search_of(graph, Partition(np.zeros(40, dtype=np.int64)), Requirement(k=2), np.random.default_rng(0),
                        default_objective(graph))
    anneal(search, 1.0, 1.0, 0.0, 2000.0, 2000.0)
    assert np.flatnonzero(search.state.sizes).tolist() == [0]
