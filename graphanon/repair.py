"""Making a partition keep what was asked of it, at the least loss.

A method groups people as its paper says, and its paper rarely knows what is asked here of sensitive values,
of tie densities and of single persons. Whatever is wrong with a class is mended by the cheapest change that
brings it nearer: someone of a class near it comes, someone goes, two change places, someone is withheld
(within the allowance), or two classes become one. Merging never breaks what both classes keep and leaves
one class less, so the search ends; everyone in one class keeps every promise that can be kept at all
(:mod:`graphanon.feasibility`), and is the last resort. A merged class takes the larger of the least sizes.
What merging has made larger than it need be is split again in the end, everyone's sensitive values shared out
evenly (:mod:`graphanon.kernels.stratified`).

What is cheap is measured by the objective that refinement minimizes: cells that lose their meaning and ties
that lose their place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import sparse

from graphanon.domain import Floats
from graphanon.errors import InfeasiblePromise, Problem
from graphanon.feasibility import one_class
from graphanon.floors import needs
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.loss import arc_counts
from graphanon.progress import advance, notice
from graphanon.refine import Objective, default_objective
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role

__all__ = ["broken", "dense_pairs", "kept_classes", "promised", "repair"]

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
_NEAR = 24  # classes whose members are looked at one by one
_AROUND = 200  # classes that might be merged
_HELPFUL = 8  # classes that would mend most, farther away
_PAIRS = 20_000  # exchanges looked at for one change
_COUNTED = 400  # people in two classes whose ties are counted
_ROUNDS = 30  # rounds over dense pairs after which classes are only merged


def repair(
    graph: AttributedGraph,
    partition: Partition,
    requirement: Requirement,
    rng: Generator,
    objective: Objective | None = None,
) -> Partition:
    """Return a partition in which every class keeps what the requirement and the schema ask.

    One that does already is returned as it is, with the least size of each class as its floor. Left out, the
    objective is half `ngil` and half `nsil`, without ties `ncp`.

    Raises
    ------
    InfeasiblePromise
        If nothing can keep it, with the numbers.

    Examples
    --------
    >>> from graphanon.domain import Range
    >>> from graphanon.graph import Nominal, no_ties
    >>> from graphanon.schema import Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(20, 60)),
    ...                          Column(name="illness", role=Role.SENSITIVE, l=2)))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[20.0], [21], [23], [40], [41], [43]]), ties=no_ties(6),
    ...                         payload={"illness": Nominal(np.array([0, 0, 1, 1, 1, 0]), ("cold", "flu"))})
    >>> start = Partition(np.array([0, 0, 1, 1, 2, 2]))
    >>> repair(graph, start, Requirement(k=2), np.random.default_rng(1)).labels
    array([1, 0, 1, 0, 2, 2])
    """
    del rng  # the cheapest change is one, and ties break to the lowest index
    labels = _without(graph, partition, requirement)
    least = _least(graph, partition, labels, requirement)
    if _is_kept(graph, labels, least, requirement):
        return _numbered(labels, least)
    objective = objective or default_objective(graph)
    mender = _Mender(graph, labels, least, requirement, objective)
    try:
        while mender.mend_values() or mender.mend_ties():
            pass
    except InfeasiblePromise:
        # whom to withhold was chosen step by step; without those choices everyone in one class may do
        # (a floor that a method has set above their number asks for all of them)
        together = np.where(labels >= 0, 0, -1)
        largest = np.minimum(least.max(keepdims=True), (labels >= 0).sum())
        if not _is_kept(graph, together, largest, requirement):
            raise
        mender = _Mender(graph, together, largest, requirement, objective)
        mender.merged.add(0)
    mender.split_merged()
    mended = mender.partition()
    requirement.check_withheld(mended.withheld, graph.n)
    if 2 * mended.n_classes < partition.n_classes:
        left = "1 of all" if mended.n_classes == 1 else str(mended.n_classes)
        notice(f"to keep what is promised, the {partition.n_classes} classes that the method made had to become {left}; "
               "a weaker promise, or a larger allowance to withhold, would tell more")
    return mended


def promised(graph: AttributedGraph) -> bool:
    """Return whether the schema promises anything of sensitive values."""
    return any(_promises(column) for column in graph.schema.of_role(Role.SENSITIVE))


def _promises(column: Column) -> bool:
    return bool(column.alpha) or column.l is not None or column.t is not None


def _without(graph: AttributedGraph, partition: Partition, requirement: Requirement) -> Ints:
    """Return the labels, with -1 for those without whom alone anything can be kept."""
    labels = partition.labels.copy()
    inside = np.flatnonzero(partition.kept)
    if not partition.withheld:
        labels[~one_class(graph, requirement)] = -1
        return labels
    requirement.check_withheld(partition.withheld, graph.n)
    left = int(requirement.withhold * graph.n + 1e-9) - partition.withheld
    rest = replace(requirement, withhold=min(left / max(len(inside), 1), 1 - 1e-12))
    labels[inside[~one_class(graph.take(inside), rest)]] = -1
    return labels


def _least(graph: AttributedGraph, partition: Partition, labels: Ints, requirement: Requirement) -> Ints:
    """Return int64[K], the least size of each class: its own floor, k, and what its members ask for."""
    least = np.full(partition.n_classes, requirement.k, dtype=np.int64)
    if partition.floors is not None:
        least = np.maximum(least, partition.floors)
    kept = labels >= 0
    np.maximum.at(least, labels[kept], needs(graph, requirement)[kept])
    return least


def _is_kept(graph: AttributedGraph, labels: Ints, least: Ints, requirement: Requirement) -> bool:
    sizes = np.bincount(labels[labels >= 0], minlength=len(least))
    if ((sizes < least) & (sizes > 0)).any():
        return False
    present = _numbered(labels, np.zeros_like(least))
    return not broken(graph, present).any() and not len(dense_pairs(graph, present, requirement)[0])


def _numbered(labels: Ints, least: Ints) -> Partition:
    """Return the partition without the classes that nobody is in."""
    present = np.bincount(labels[labels >= 0], minlength=len(least)) > 0
    number = np.where(present, np.cumsum(present) - 1, -1)
    return Partition(np.where(labels >= 0, number[labels], -1) if len(number) else labels, least[present])


def broken(graph: AttributedGraph, partition: Partition) -> Mask:
    """Return bool[K], which classes do not keep what the schema promises of sensitive values."""
    if not promised(graph):
        return np.zeros(partition.n_classes, dtype=bool)
    from graphanon.kernels.rules import complies, rules_of, tallies_of

    rules = rules_of(graph, partition.kept)
    tallies, sizes = tallies_of(rules, partition.labels, partition.n_classes), partition.sizes
    return ~np.array([complies(rules, tallies, sizes, c) for c in range(len(sizes))], dtype=bool)


def dense_pairs(graph: AttributedGraph, partition: Partition, requirement: Requirement) -> tuple[Ints, Ints]:
    """Return the pairs of classes, or classes twice, of whose pairs of people too many are tied."""
    none = np.empty(0, dtype=np.int64)
    if requirement.tie_confidence is None or not graph.has_ties:
        return none, none
    return _dense(arc_counts(graph, partition), partition.sizes, requirement.tie_confidence, directed=graph.directed)


def _dense(counts: sparse.csr_array, sizes: Ints, cap: float, *, directed: bool) -> tuple[Ints, Ints]:
    block = counts.tocoo()
    row, column = block.row.astype(np.int64), block.col.astype(np.int64)
    halves = np.where((row == column) & (not directed), 2, 1)
    pairs = sizes[row] * (sizes[column] - (row == column)) // halves
    dense = block.data // halves > np.floor(cap * pairs + 1e-9)
    if not directed:
        dense &= row <= column
    return row[dense], column[dense]


def kept_classes(graph: AttributedGraph, partition: Partition, requirement: Requirement) -> Mask:
    """Return bool[K], which classes may be released as they are; withholding the others keeps every promise.

    Distances are to the values of those who are released, so they are measured again without the others.
    """
    least = _least(graph, replace(partition, floors=None), partition.labels, requirement)
    good = np.asarray(partition.sizes >= least)
    while good.any():
        rest = _only(partition, good)
        number = np.flatnonzero(good)
        bad = broken(graph, rest)
        one, other = dense_pairs(graph, rest, requirement)
        # of two classes that are tied too densely the smaller one goes
        smaller = np.where(rest.sizes[one] <= rest.sizes[other], one, other)
        bad[smaller[:1]] = True
        if not bad.any():
            break
        good[number[bad]] = False
    return good


def _only(partition: Partition, good: Mask) -> Partition:
    number = np.where(good, np.cumsum(good) - 1, -1)
    return Partition(np.where(partition.kept, number[partition.labels], -1))


class _Mender:
    """A partition in the making, with what every change of it would cost."""

    def __init__(
        self, graph: AttributedGraph, labels: Ints, least: Ints, requirement: Requirement, objective: Objective
    ) -> None:
        from graphanon.kernels.refine_state import state_of
        from graphanon.kernels.rules import rules_of, tallies_of
        from graphanon.kernels.stratified import kinds_of

        self.graph = graph
        # as many classes as there could be once some are split
        spare = max(graph.n // max(int(least.min()), 1) - len(least), 0)
        self.state = state_of(graph, labels, least, need=needs(graph, requirement), spare=spare,
                              measure="leaves" if objective.attributes == "ncp" else "height")
        self.rules = rules_of(graph, labels >= 0)
        self.tallies = tallies_of(self.rules, labels, len(least) + spare)
        self.kinds = kinds_of(graph, self.rules)
        self.room = np.zeros((2, int(self.kinds.max(initial=0)) + 1), dtype=np.int32)
        self.cell, self.arc = _prices(graph, objective)
        self.cap = 1.0 if requirement.tie_confidence is None or not graph.has_ties else requirement.tie_confidence
        self.trouble = np.empty(len(least) + spare)
        self.tries = np.zeros(len(least) + spare, dtype=np.int64)
        self.rounds = 0
        self.merged: set[int] = set()
        left = int(requirement.withhold * graph.n + 1e-9) - int((labels < 0).sum())
        # whoever is withheld changes the values that distances are measured from
        self.spare = 0 if np.isfinite(self.rules.t).any() else left

    def partition(self) -> Partition:
        """Return the classes as they are now."""
        return _numbered(self.state.labels.astype(np.int64), self.state.floors)

    def mend_values(self) -> bool:
        """Change classes until their sizes and values are as asked; return whether anything was wrong."""
        from graphanon.kernels.mending import troubles

        troubles(self.state, self.rules, self.tallies, self.trouble)
        wrong = np.flatnonzero(self.trouble)
        for done, first in enumerate(wrong[np.argsort(-self.trouble[wrong], kind="stable")].tolist()):
            advance("repair", done, len(wrong))
            c = first
            while self.trouble[c] > 0 and self.state.sizes[c]:
                c = self._mend(c)
        return bool(len(wrong))

    def split_merged(self) -> None:
        """Split the classes that merging has made, as long as both parts comply; no loss rises by that."""
        from graphanon.kernels.stratified import split

        waiting = [c for c in sorted(self.merged) if self.state.sizes[c]]
        empty = np.flatnonzero(self.state.sizes == 0)[::-1].tolist()
        while waiting and empty:
            c = waiting.pop()
            advance("split", 0, 0)
            if split(self.state, self.rules, self.tallies, self.kinds, c, empty[-1], self.cap, self.room):
                waiting += [c, empty.pop()]

    def _alive(self) -> Ints:
        return np.flatnonzero(self.state.sizes)

    def _mend(self, c: int) -> int:
        """Make the best change of class `c`; return the class that its people are in afterwards."""
        from graphanon.kernels.mending import best_exchange, best_leaver, carry_out

        near, costs, gains = self._merges(c)
        scores = np.where(gains > 0, _scores(costs, gains), np.inf)
        best = int(np.argmin(scores)) if len(near) else -1
        found = scores[best] if len(near) else np.inf
        leaver = -1
        if self.spare > 0:
            score, leaver = best_leaver(self.state, self.rules, self.tallies, c, self.cell, float(self.graph.q))
            found, leaver = (score, leaver) if score < found else (found, -1)
        if self.tries[c] < 4 * self.state.sizes[c]:
            few = self._few(c, near)
            score, d, v, u = best_exchange(self.state, self.rules, self.tallies, self.kinds, self.room, c, few, 1.0,
                                              self.cell, self.arc)
            if score < found:
                self.tries[c] += 1
                self._do(carry_out, c, d, v, u)
                return c
        if leaver >= 0:
            self.spare -= 1
            self._do(carry_out, c, -1, leaver, -1)
            return c
        if best < 0:
            raise InfeasiblePromise(Problem(what="not even everyone in one class keeps what is promised",
                                            allowed="weaker promises, or a larger allowance"))
        # where no merge helps, the cheapest one does in the end: one class less is nearer to all in one
        return self._merge(c, int(near[best if scores[best] < np.inf else np.argmin(costs)]))

    def _do(self, change: Any, *which: int) -> None:
        """Carry out a change and measure again the classes that it touched."""
        from graphanon.kernels.rules import excess

        change(self.state, self.rules, self.tallies, *which)
        for c in which[:2]:
            if c >= 0:
                own = self.tallies[c], self.state.sizes[c], self.state.floors[c]
                self.trouble[c] = excess(self.rules, *own)

    def _merge(self, c: int, d: int) -> int:
        """Make two classes one, and return which of them it is: the larger, since the others have to move."""
        from graphanon.kernels.mending import merge

        if self.state.sizes[c] > self.state.sizes[d]:
            c, d = d, c
        self._do(merge, c, d)
        self.merged.add(d)
        return d

    def _merges(self, c: int) -> tuple[Ints, Floats, Floats]:
        """Return the classes that `c` might be merged with, what that costs and by how much it mends."""
        from graphanon.kernels.mending import merge_ties, merged, merges

        cost = np.empty(len(self.trouble))
        merges(self.state, c, cost)
        around = _smallest(cost, _AROUND)
        left = np.empty(len(around))
        merged(self.state, self.rules, self.tallies, c, around, left)
        gains = self.trouble[c] + self.trouble[around] - left
        helpful = np.argsort(-gains[_NEAR:], kind="stable")[:_HELPFUL] + _NEAR
        chosen = np.concatenate([np.arange(min(_NEAR, len(around))), helpful])
        near, arcs = around[chosen], np.zeros(len(chosen))
        # the ties of large classes take long to count; that they cost no less than those of small ones is enough
        small = self.state.sizes[near] + self.state.sizes[c] <= _COUNTED
        if self.arc > 0 and small.any():
            found, beyond = np.zeros((2, int(small.sum())))
            merge_ties(self.state, c, near[small], np.inf, found, beyond)
            arcs[small], arcs[~small] = found, found.max()
        return near, self.cell * cost[near] + self.arc * arcs, gains[chosen]

    def _few(self, c: int, near: Ints) -> Ints:
        """Return as many of these classes as there is time to look at one by one."""
        # those that would mend most stand last
        order = np.concatenate([near[-_HELPFUL:], near[:-_HELPFUL]])
        work = np.cumsum((self.state.sizes[c] + 1) * (self.state.sizes[order] + 1))
        return order[work <= _PAIRS]

    def mend_ties(self) -> bool:
        """Change classes that are tied too densely, each at most once; return whether there were any."""
        if self.cap >= 1:
            return False
        touched: set[int] = set()
        self.rounds += 1
        pairs = list(self._dense())
        for done, (c, d) in enumerate(pairs):
            advance("repair ties", done, len(pairs))
            if c not in touched and d not in touched:
                touched |= self._thin(c, d)
        return bool(pairs)

    def _dense(self) -> Iterator[tuple[int, int]]:
        whole = self.partition()
        number = self._alive()
        one, other = _dense(arc_counts(self.graph, whole), whole.sizes, self.cap, directed=self.graph.directed)
        yield from zip(number[one].tolist(), number[other].tolist(), strict=True)

    def _thin(self, c: int, d: int) -> set[int]:
        """Make the best change that leaves neither too dense; return the classes that it touched."""
        from graphanon.kernels.mending import best_exchange, carry_out, merge_ties

        exchanges, joins = [], []
        for x in {c, d}:
            near, costs, _ = self._merges(x)
            if x == c != d and d not in near:
                near = np.append(near, d)
                costs = np.append(costs, self.cell * self._cost_of(c, d))
            arcs, beyond = np.zeros(len(near)), np.zeros(len(near))
            merge_ties(self.state, x, near, self.cap, arcs, beyond)
            joins += [(float(b), float(cost), x, int(y)) for b, cost, y in zip(beyond, costs, near, strict=True)]
            few = self._few(x, near)
            score, y, v, u = best_exchange(self.state, self.rules, self.tallies, self.kinds, self.room, x, few, self.cap,
                                              self.cell, self.arc)
            exchanges.append((float(score), x, y, v, u))
        best, cheapest = min(exchanges), min(joins, default=None)
        if best[0] < np.inf and self.rounds <= _ROUNDS and (cheapest is None or cheapest[0] > 0 or best[0] <= cheapest[1]):
            _, x, y, v, u = best
            self._do(carry_out, x, y, v, u)
            return {x, y}
        if cheapest is None:
            raise InfeasiblePromise(Problem(what="everyone in one class is tied more densely than tie_confidence allows",
                                            allowed="a larger tie_confidence", fix="--tie-confidence"))
        _, _, x, y = cheapest
        self._merge(x, y)
        return {x, y}

    def _cost_of(self, c: int, d: int) -> float:
        from graphanon.kernels.refine_state import attribute_merge

        return float(attribute_merge(self.state, c, d))


def _prices(graph: AttributedGraph, objective: Objective) -> tuple[float, float]:
    """Return what a lost cell and a lost arc add to the objective."""
    n, arcs = graph.n, graph.arcs
    whole = graph.ties.nnz if arcs is None else arcs.nnz
    if objective.ties == "nsil":
        whole = n * (n - 1) / 4
    cell = objective.w_attr / (n * graph.q) if graph.q else 0.0
    return cell, (objective.w_tie / whole if graph.has_ties and whole else 0.0)


def _scores(costs: Floats, gains: Floats) -> Floats:
    """Return what a change costs for what it mends; of those that cost nothing, less is better."""
    gains = np.maximum(gains, 1e-12)
    return np.where(costs > 0, costs / gains, costs * gains)


def _smallest(cost: Floats, count: int) -> Ints:
    """Return where the finite costs are least, the least first, ties to the lowest index."""
    few = np.flatnonzero(np.isfinite(cost))
    if len(few) > count:
        few = few[cost[few] <= np.partition(cost[few], count - 1)[count - 1]]
    return few[np.argsort(cost[few], kind="stable")][:count]
