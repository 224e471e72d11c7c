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
result; a time limit, where one is set, is the one thing that may end a search elsewhere on another machine. The
first interrupt ends it too, with the best partition found so far.
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
from graphanon.progress import advance
from graphanon.requirement import Requirement

if TYPE_CHECKING:
    from graphanon.kernels.anneal import Search
    from graphanon.kernels.refine_state import State

__all__ = ["Objective", "default_objective", "objective_of", "refine", "usual_passes"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_NEAR = 30
_ODDS = (0.8, 0.1, 0.5, 0.1, 0.002)
_ORDERS, _WIDTH, _ROWS = 12, 10, 4096
_HEAT, _TIE_HEAT = 1.0, 1.0
_BATCH, _SAMPLE = 25_000, 500
_LAST_PASSES = 150.0
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


def usual_passes(people: int) -> float:
    """Return how many proposals a person the search makes where nothing else is asked.

    Examples
    --------
    >>> usual_passes(700), round(usual_passes(37_700))
    (2500.0, 905)
    """
    many = max(people, 1000) / 1000
    return float(2500 / max(many**0.28, many / 40))


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
    passes = usual_passes(graph.n) if passes is None else passes
    if partition.n_classes < 1 or passes <= 0:
        return partition
    objective = objective or default_objective(graph)
    try:
        search = _search_of(graph, partition, requirement, rng, objective)
    except KeyboardInterrupt:
        return partition
    if not search.weights[:2].any():
        return partition
    before = _loss(search)
    best = _Best(search.state)
    total = passes * graph.n
    try:
        _cool(search, best, total, np.inf if seconds is None else perf_counter() + seconds)
    except KeyboardInterrupt:
        # whoever waits gets what there is; a second interrupt is let through
        advance(_STAGE, int(total), int(total))
    _settle(search, best, min(_LAST_PASSES, 0.1 * passes) * graph.n)
    best.restore(search.state)
    return _partition_of(search.state) if _loss(search) < before - _ROUNDING else partition


class _Best:
    """The best partition so far, and by how much its loss has risen since the first."""

    def __init__(self, state: State) -> None:
        self.rose = self.now = 0.0
        self.labels, self.floors = state.labels.copy(), state.floors.copy()

    def follow(self, state: State, change: float) -> None:
        """Take note of a change of the loss, and of the partition if it is the best."""
        self.now += change
        if self.now < self.rose - _ROUNDING:
            self.rose = self.now
            self.labels[:], self.floors[:] = state.labels, state.floors

    def restore(self, state: State) -> None:
        """Make the state that of the best partition."""
        from graphanon.kernels.refine_state import rebuild

        state.labels[:], state.floors[:] = self.labels, self.floors
        rebuild(state)


def _cool(search: Search, best: _Best, total: float, ends: float) -> None:
    """Anneal, with the heat falling to a tenth; stop at `ends` seconds of the clock."""
    from graphanon.kernels.anneal import anneal

    hot = _heat(search)
    work, batch = 0.0, min(max(_BATCH, total / 400), 8 * _BATCH)
    while work < total and perf_counter() < ends:
        advance(_STAGE, int(work), int(total))
        work, change = anneal(search, hot, hot / 10, work, min(work + batch, total), total)
        best.follow(search.state, change)


def _settle(search: Search, best: _Best, total: float) -> None:
    """Go downhill from the best partition, or from where the search is if that ends lower."""
    from graphanon.kernels.anneal import anneal

    work, cold = 0.0, _heat(search) / 1000
    while work < total:
        work, change = anneal(search, cold, cold / 10, work, min(work + _BATCH, total), total)
        best.follow(search.state, change)


def _heat(search: Search) -> float:
    """Return the heat to begin with: a cell or so an uphill step, and a share of what ties usually change."""
    return float(max(_HEAT * search.weights[0] + _TIE_HEAT * search.memory[1], _ROUNDING))


def _search_of(
    graph: AttributedGraph, partition: Partition, requirement: Requirement, rng: Generator, objective: Objective
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
        state, rules, tallies_of(rules, partition.labels, len(state.sizes)), _near(state, rng),
        _weights(graph, partition, requirement, objective), np.array(_ODDS),
        rng.integers(1, 2**63, size=1, dtype=np.uint64), np.zeros(2),
        np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n * q), np.empty(n),
        np.empty(q, dtype=np.int64), np.empty(q, dtype=np.int64),
    )
    if search.weights[1] > 0:
        search.memory[:] = search.weights[1] * typical_ties(search, _SAMPLE)
    return search


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


def _near(state: State, rng: Generator) -> NDArray[np.int32]:
    """Return int32[n, M], people near each other in attributes."""
    from graphanon.kernels.windows import nearest_in_orders

    n, q = state.crowd.codes.shape
    most = min(_NEAR, n - 1) if q else 0
    near, far = np.full((n, most), -1, dtype=np.int32), np.full((n, most), np.inf)
    orders = _ORDERS if most else 0
    for i in range(orders):
        keys = [rng.permutation(n), *state.crowd.codes.T[rng.permutation(q)]]
        order = np.lexsort(keys).astype(np.int32)
        for start in range(0, n, _ROWS):
            nearest_in_orders(state, order, _WIDTH, start, min(start + _ROWS, n), near, far)
            advance(_STAGE, i, orders)
    # where fewer were met than there is room for, the last one met stands in
    met = np.maximum.accumulate(np.where(near >= 0, np.arange(most), 0), axis=1)
    return np.ascontiguousarray(np.take_along_axis(near, met, axis=1))


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
