"""Local search that lowers the loss of any partition and never breaks what it must satisfy.

A method groups people as its paper says; what it leaves on the table is found here, by the same search for
all of them: people move and change places, pairs of classes are pooled and shared out anew, large classes
are split and others dissolved. Every change is priced exactly (:mod:`graphanon.kernels.refine_state`) and
uphill ones are permitted less and less often (:mod:`graphanon.kernels.anneal`), so that the search leaves the
first local minimum. A class keeps its floor: a new class takes that of the class it was split from, and the
members of one that is dissolved go where the floor is no lower.

What is lowered is an :class:`Objective`: a weighted sum of one loss of attributes and one of ties, as they are
published. Of a directed graph the arcs count, not the ties they are joined to. With sparse ties `nsil` is nearly
constant and the objective sees attributes alone; `tie_loss` is the same sum on a scale that stays readable.

The budget is counted in work, a *pass* being as many proposals as there are people, so a seed fixes the
result. A time limit, where one is set, is the one thing that may end a search elsewhere on another machine: the
search cools as fast as the time asks, and every stage looks at the clock, which starts when all is compiled. The
first interrupt ends the search too: it goes downhill for a moment, and the best partition found is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.floors import needs
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.loss import arc_counts
from graphanon.progress import advance, notice
from graphanon.requirement import Requirement

if TYPE_CHECKING:
    from graphanon.kernels.anneal import Search
    from graphanon.kernels.refine_state import State

__all__ = ["End", "Objective", "Refinement", "default_objective", "objective_of", "refine", "refinement", "usual_passes"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Shorts = NDArray[np.int32]
_BITS = 62
_NEAR = 30
_ODDS = (0.8, 0.1, 0.5, 0.1, 0.002)
_ORDERS, _WIDTH, _ROWS = 12, 10, 4096
_HEAT, _TIE_HEAT, _MEAN_HEAT = 1.0, 1.0, 1.5
_BATCH, _SAMPLE = 25_000, 500
_LAST_PASSES = 150.0
_NEAR_SHARE, _COOL_SHARE = 0.25, 0.85  # of the time, when looking for people near each other and cooling must be over
_GOODBYE = 3.0  # the most seconds that going downhill may take after an interrupt
_ROUNDING = 1e-9
_STAGE = "refine"


@dataclass(frozen=True, kw_only=True)
class Objective:
    """What refinement lowers: ``w_attr`` times a loss of attributes plus ``w_tie`` times a loss of ties.

    `attributes` is `ngil` (height climbed) or `ncp` (leaves covered), `ties` is `nsil` (of all pairs) or
    `tie_loss` (of the ties there are).

    Raises
    ------
    InputProblem
        If a weight is negative, both are 0, or a loss is none of these.

    Examples
    --------
    >>> Objective(ties="tie_loss", w_tie=0.2)
    Objective(attributes='ngil', ties='tie_loss', w_attr=0.5, w_tie=0.2)
    """

    attributes: Literal["ngil", "ncp"] = "ngil"
    ties: Literal["nsil", "tie_loss"] = "nsil"
    w_attr: float = 0.5
    w_tie: float = 0.5

    def __post_init__(self) -> None:
        problems = []
        if self.attributes not in ("ngil", "ncp") or self.ties not in ("nsil", "tie_loss"):
            problems.append(Problem(what=f"there is no objective of {self.attributes} and {self.ties}",
                                    allowed="ngil or ncp, and nsil or tie_loss"))
        if not (0 <= self.w_attr < np.inf and 0 <= self.w_tie < np.inf and self.w_attr + self.w_tie > 0):
            problems.append(Problem(what=f"an objective cannot weigh attributes {self.w_attr} and ties {self.w_tie}",
                                    allowed="numbers from 0, not both 0"))
        if problems:
            raise InputProblem(problems)

    def of(self, losses: Mapping[str, Any]) -> float:
        """Return the objective of published losses; one that is absent counts 0."""
        weighed = self.w_attr * losses.get(self.attributes, 0.0) + self.w_tie * losses.get(self.ties, 0.0)
        return float(weighed)


def default_objective(graph: AttributedGraph) -> Objective:
    """Return `total` for graphs and `ncp` for tables."""
    return Objective() if graph.has_ties else Objective(attributes="ncp", w_attr=1.0, w_tie=0.0)


def objective_of(text: str) -> Objective:
    """Return the objective of a text such as ``total``, ``ncp``, or ``ngil=0.5,tie_loss=0.5``.

    Raises
    ------
    InputProblem
        If a name or a weight is none, or two losses of one kind are named.

    Examples
    --------
    >>> objective_of("total") == Objective()
    True
    >>> objective_of("ncp=2,tie_loss")
    Objective(attributes='ncp', ties='tie_loss', w_attr=2.0, w_tie=1.0)
    """
    if text.strip() == "total":
        return Objective()
    named: dict[str, Any] = {"w_attr": 0.0, "w_tie": 0.0}
    for part in text.split(","):
        name, _, weight = (piece.strip() for piece in part.partition("="))
        kind, place = ("attributes", "w_attr") if name in ("ngil", "ncp") else ("ties", "w_tie")
        try:
            known = kind not in named and name in ("ngil", "ncp", "nsil", "tie_loss")
            value = float(weight or 1) if known else np.nan
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise InputProblem(Problem(what=f"an objective cannot be '{text}'",
                                       allowed="total, or one of ngil and ncp, one of nsil and tie_loss, or both",
                                       fix="--objective ngil=0.5,tie_loss=0.5"))
        named |= {kind: name, place: value}
    return Objective(**named)


def usual_passes(people: int, *, ties: bool = True) -> float:
    """Return how many proposals a person the search makes where nothing else is asked; a table needs fewer.

    Examples
    --------
    >>> usual_passes(700), round(usual_passes(37_700)), round(usual_passes(37_700, ties=False))
    (2500.0, 905, 607)
    """
    many = max(people, 1000) / 1000
    return float(2500 / max(many**0.28, many / 40)) if ties else float(2500 / max(many**0.39, many / 20))


def refine(
    graph: AttributedGraph,
    partition: Partition,
    requirement: Requirement,
    rng: Generator,
    *,
    objective: Objective | None = None,
    passes: float | None = None,
    seconds: float | None = None,
) -> Partition:
    """Return a partition of no larger loss that satisfies what this one does, and keeps its floors.

    `passes` is the work, in proposals a person (left out: :func:`usual_passes`); `seconds` ends the search
    early. People withheld stay so.

    Examples
    --------
    >>> from graphanon.domain import Range
    >>> from graphanon.graph import no_ties
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(20, 40)),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[20.0], [40.0], [21.0], [40.0]]), ties=no_ties(4))
    >>> apart = Partition(np.array([0, 0, 1, 1]))
    >>> refine(graph, apart, Requirement(k=2), np.random.default_rng(0)).labels
    array([0, 1, 0, 1])
    """
    found = refinement(graph, partition, requirement, rng, objective=objective, passes=passes, seconds=seconds)
    return found.partition


End = Literal["done", "time", "interrupt"]


@dataclass(frozen=True, kw_only=True)
class Refinement:
    """The best partition found, and what ended the search: its work was done, its time was over, an interrupt."""

    partition: Partition
    ended: End


def refinement(
    graph: AttributedGraph,
    partition: Partition,
    requirement: Requirement,
    rng: Generator,
    *,
    objective: Objective | None = None,
    passes: float | None = None,
    seconds: float | None = None,
) -> Refinement:
    """Refine as :func:`refine` does, and tell what ended the search; whoever hears is told if it was cut short."""
    passes = usual_passes(graph.n, ties=graph.has_ties) if passes is None else passes
    if partition.n_classes < 1 or passes <= 0:
        return Refinement(partition=partition, ended="done")
    run = _Run(graph, partition, passes, seconds)
    try:
        ended = run.through(requirement, rng, objective or default_objective(graph))
    except KeyboardInterrupt:
        notice("refinement is ended, and the best so far is kept; interrupt again to stop the run")
        # a second interrupt is let through
        ended = run.hurried()
    if ended == "time":
        notice(f"refinement was ended after {seconds:g} s as asked, before its search was through: more time may lose less")
    return Refinement(partition=run.best_partition(), ended=ended)


class _Clock:
    """How much of the time that a search may take is gone."""

    def __init__(self, seconds: float) -> None:
        self.begin, self.seconds = perf_counter(), seconds

    def start(self) -> None:
        """Start anew."""
        self.begin = perf_counter()

    def gone(self, since: float = 0.0, until: float = 1.0) -> float:
        """Return the share that is gone of the time from one share of it to another; 1 and more is all."""
        spent = perf_counter() - self.begin - since * self.seconds if np.isfinite(self.seconds) else 0.0
        whole = (until - since) * self.seconds
        return spent / whole if whole > 0 else np.inf

    def hurry(self, most: float) -> None:
        """Let the time be over in a tenth of what has gone, but in no more than `most` seconds."""
        now = perf_counter()
        self.begin, self.seconds = now, min(max(0.1 * (now - self.begin), 0.1), most)


class _Run:
    """One search on its way, which may be ended at any time."""

    def __init__(self, graph: AttributedGraph, partition: Partition, passes: float, seconds: float | None) -> None:
        self.graph, self.partition = graph, partition
        self.total, self.last = passes * graph.n, min(_LAST_PASSES, 0.1 * passes) * graph.n
        self.clock = _Clock(np.inf if seconds is None else seconds)
        self.search: Search | None = None
        self.best: _Best | None = None

    def through(self, requirement: Requirement, rng: Generator, objective: Objective) -> End:
        """Search to the end of the work or of the time."""
        search = _search_of(self.graph, self.partition, requirement, rng, objective, clock=self.clock)
        if not search.weights[:2].any():
            return "done"
        self.search, self.best = search, _Best(search)
        cooled = _cool(search, self.best, self.total, self.clock)
        settled = _settle(search, self.best, self.last, self.clock)
        return "done" if cooled and settled else "time"

    def hurried(self) -> End:
        """Go downhill for a moment from where an interrupt has ended the search."""
        if self.search is not None and self.best is not None:
            self.clock.hurry(_GOODBYE)
            self.best.catch_up(self.search)
            _settle(self.search, self.best, self.last, self.clock)
        return "interrupt"

    def best_partition(self) -> Partition:
        """Return the best partition found, the one that it began with if none is better."""
        if self.search is None or self.best is None:
            return self.partition
        self.best.restore(self.search.state)
        better = _loss(self.search) < self.best.first - _ROUNDING
        return _partition_of(self.search.state) if better else self.partition


class _Best:
    """The best partition so far, and by how much the loss has risen since the first."""

    def __init__(self, search: Search) -> None:
        self.first, self.rose, self.now = _loss(search), 0.0, 0.0
        self.kept = search.state.labels.copy(), search.state.floors.copy()

    def follow(self, state: State, change: float) -> None:
        """Take note of a change of the loss, and of the partition if it is the best."""
        self.now += change
        if self.now < self.rose - _ROUNDING:
            self.rose = self.now
            # in one step, so that no interrupt can part the labels from the floors
            self.kept = state.labels.copy(), state.floors.copy()

    def catch_up(self, search: Search) -> None:
        """Measure the loss afresh: an interrupt may have come between a change and taking note of it."""
        self.follow(search.state, _loss(search) - self.first - self.now)

    def restore(self, state: State) -> None:
        """Make the state that of the best partition."""
        from graphanon.kernels.refine_state import rebuild

        state.labels[:], state.floors[:] = self.kept
        rebuild(state)


def _cool(search: Search, best: _Best, total: float, clock: _Clock) -> bool:
    """Anneal, with the heat falling to a tenth; return whether all the work was done, not only what there is time for."""
    from graphanon.kernels.anneal import anneal

    hot, asked = _heat(search), total
    work, batch = 0.0, min(max(_BATCH, total / 400), 8 * _BATCH)
    since = clock.gone()
    while work < total and since < _COOL_SHARE:
        advance(_STAGE, int(work), int(total))
        work, change = anneal(search, hot, hot / 10, work, min(work + batch, total), total)
        best.follow(search.state, change)
        gone = clock.gone(since, _COOL_SHARE)
        if gone > work / total:
            # there is less time than work: what can be done in it is all there is, so that it still cools to the end
            total, batch = work / gone, _BATCH
        if gone >= 1:
            break
    return work >= asked


def _settle(search: Search, best: _Best, total: float, clock: _Clock) -> bool:
    """Go downhill from where the search is; return whether that was done to its end."""
    from graphanon.kernels.anneal import anneal

    work, cold = 0.0, _heat(search) / 1000
    while work < total and clock.gone() < 1:
        advance(_STAGE, int(work), int(total))
        work, change = anneal(search, cold, cold / 10, work, min(work + _BATCH, total), total)
        best.follow(search.state, change)
    return work >= total


def _heat(search: Search) -> float:
    """Return the heat to begin with: a cell or so an uphill step, and a share of what ties usually change.

    Where there are no ties to lose, half again what a person of the partition loses on the mean is enough, if that is
    less than a cell: a good partition is lost in greater heat, and what is found again is hardly better.
    """
    cell = search.weights[0]
    if search.weights[1] == 0:
        mean = _loss(search) / max(int((search.state.labels >= 0).sum()), 1)
        return float(max(min(_HEAT * cell, _MEAN_HEAT * mean), _ROUNDING))
    return float(max(_HEAT * cell + _TIE_HEAT * search.memory[1], _ROUNDING))


def _search_of(
    graph: AttributedGraph, partition: Partition, requirement: Requirement, rng: Generator, objective: Objective,
    *, clock: _Clock | None = None,
) -> Search:
    """Return the state of the partition with everything that the search needs beside it."""
    from graphanon.kernels.anneal import Search, typical_ties
    from graphanon.kernels.refine_state import state_of
    from graphanon.kernels.rules import rules_of, tallies_of

    need = needs(graph, requirement)
    floors = np.full(partition.n_classes, requirement.k, dtype=np.int64)
    if partition.floors is not None:
        np.maximum(floors, partition.floors, out=floors)
    state = state_of(
        graph, partition.labels, floors, need=None if graph.wishes is None else need,
        measure="height" if objective.attributes == "ngil" else "leaves",
        spare=max(graph.n // max(int(floors.min()), 1) - partition.n_classes, 0),
    )
    rules = rules_of(graph, partition.kept)
    n, q = graph.n, graph.q
    search = Search(
        state, rules, tallies_of(rules, partition.labels, len(state.sizes)),
        np.full((n, min(_NEAR, n - 1) if q else 0), -1, dtype=np.int32),
        _weights(graph, partition, requirement, objective), np.array(_ODDS), np.zeros(1, dtype=np.uint64), np.zeros(2),
        np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n * q), np.empty(n),
        np.empty(q, dtype=np.int64), np.empty(q, dtype=np.int64),
    )
    if clock is not None:
        _compile(search)
        clock.start()
    _look_around(search, rng, clock)
    search.seed[:] = rng.integers(1, 2**63, size=1, dtype=np.uint64)
    if search.weights[1] > 0:
        search.memory[:] = search.weights[1] * typical_ties(search, _SAMPLE)
    return search


def _compile(search: Search) -> None:
    """Have every kernel of the search compiled or loaded, by asking for no work."""
    from graphanon.kernels.anneal import anneal, typical_ties
    from graphanon.kernels.windows import nearest_in_orders

    anneal(search, 1.0, 1.0, 0.0, 0.0, 1.0)
    typical_ties(search, 0)
    nearest_in_orders(search.state, np.empty(0, dtype=np.int32), _WIDTH, 0, 0, search.near, np.empty((0, 0)))


def _weights(
    graph: AttributedGraph, partition: Partition, requirement: Requirement, objective: Objective
) -> Floats:
    """Return the price of a cell, of an arc, both in losses times people, and the largest share of pairs tied."""
    cell = objective.w_attr / graph.q if graph.q else 0.0
    arcs, arc = arc_counts(graph, partition).sum() if graph.has_ties else 0, 0.0
    if arcs and objective.w_tie:
        people = int(partition.kept.sum())
        arc = objective.w_tie * graph.n / (arcs if objective.ties == "tie_loss" else people * (people - 1) / 4)
    cap = requirement.tie_confidence if arcs and requirement.tie_confidence is not None else np.inf
    return np.array([cell, arc, cap])


def _look_around(search: Search, rng: Generator, clock: _Clock | None = None) -> None:
    """Fill in who is near each other in attributes; fewer orders are looked through where time is short."""
    from graphanon.kernels.windows import nearest_in_orders

    codes, near = search.state.crowd.codes, search.near
    n, q = codes.shape
    far = np.full(near.shape, np.inf)
    orders = _ORDERS if near.shape[1] else 0
    for i in range(orders):
        if i and clock is not None and clock.gone() > _NEAR_SHARE:
            break
        order = _sorted(codes, rng.permutation(n), rng.permutation(q))
        for start in range(0, n, _ROWS):
            nearest_in_orders(search.state, order, _WIDTH, start, min(start + _ROWS, n), near, far)
            advance(_STAGE, i, orders)
    # where fewer were met than there is room for, the last one met stands in
    met = np.maximum.accumulate(np.where(near >= 0, np.arange(near.shape[1]), 0), axis=1)
    near[:] = np.take_along_axis(near, met, axis=1)


def _sorted(codes: Shorts, chance: Ints, keys: Ints) -> Shorts:
    """Return people sorted by these attributes, the last one first, equals by `chance`."""
    base, width = codes.min(axis=0), np.ptp(codes, axis=0).astype(np.int64) + 1
    if np.log2(width.astype(float)).sum() > _BITS:
        return np.lexsort([chance, *codes.T[keys]]).astype(np.int32)
    number = np.zeros(len(codes), dtype=np.int64)
    for j in keys[::-1].tolist():
        number = number * width[j] + (codes[:, j] - base[j])
    mixed = np.empty_like(chance)
    mixed[chance] = np.arange(len(chance))
    return mixed[np.argsort(number[mixed], kind="stable")].astype(np.int32)


def _loss(search: Search) -> float:
    """Return the objective times the number of people, but for what nothing changes."""
    from graphanon.kernels.refine_state import total_attributes, total_ties

    cells, arcs = total_attributes(search.state), 0.0
    if search.weights[1] > 0:
        arcs = total_ties(search.state)
    return float(search.weights[0] * cells + search.weights[1] * arcs)


def _partition_of(state: State) -> Partition:
    """Return the partition with its classes numbered without gaps, by first appearance."""
    labels = state.labels.astype(np.int64)
    kept = np.flatnonzero(labels >= 0)
    used, first, number = np.unique(labels[kept], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(used), dtype=np.int64)
    rank[order] = np.arange(len(used))
    labels[kept] = rank[number]
    return Partition(labels, state.floors[used[order]].copy())
