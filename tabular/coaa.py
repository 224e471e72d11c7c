"""COAA: cut classes in two around the two members that lie farthest apart.

Zhang Qiang, Ye Ayong, Ye Guohua, Deng Huina and Chen Aimin, *k-anonymous data privacy protection mechanism
based on optimal clustering*, Journal of Computer Research and Development 59(7), 2022 (in Chinese).

Everyone begins in one class. The two members farthest apart draw the others to themselves, and both halves are
cut again while each has k and the loss falls. The distance of two records is the mean over attributes of what
the two would lose together, so loss and distance are one measure (theorem 1 of the paper, up to a factor: the two
together lose 2n times their distance over n attributes). Theorem 3, that the result is optimal, does not hold:
least loss at given k is NP-hard.

As printed, a pair of outliers freezes the whole class around them: their side stays too small, and nothing is
cut. Here the small side is filled up to k with those who lie nearest to it beside the other core
(``small_side``), and a cut that merely loses nothing is made, since later ones may gain (``allow_equal``).
Loss never rises by a cut, so that is the only case in which the paper's comparison of losses decides. The
paper asks for more than k in its algorithm and for k in its proof; here it is k unless ``strict``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import Crowd, describe
from graphanon.density import batches, ranked
from graphanon.domain import Floats, Tree
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, ClusterFirst, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.tabular.points import Points, gather

__all__ = ["Coaa"]

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class Coaa(ClusterFirst):
    """Cut classes in two around the two members farthest apart.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    ignored yes     yes         not looked at
    ======  ======  ==========  =================

    Source: Zhang, Ye, Ye, Deng and Chen, k-anonymous data privacy protection mechanism based on optimal
    clustering, 2022.

    Examples
    --------
    >>> Coaa(core="two_sweep").strict
    False
    """

    about: ClassVar[About] = About(
        name="coaa",
        paper="Zhang, Ye, Ye, Deng and Chen, k-anonymous data privacy protection mechanism based on optimal "
        "clustering, 2022",
        guarantee="every class has at least k people",
        ties=False,
    )

    core: Literal["exact", "two_sweep"] = parameter(
        "exact", "the two members farthest apart, or the one farthest from anyone and the one farthest from that",
        choices=("exact", "two_sweep"),
    )
    small_side: Literal["rebalance", "stop"] = parameter(
        "rebalance", "a side that is too small is filled up, or the class stays whole", choices=("rebalance", "stop")
    )
    strict: bool = parameter(default=False, text="whether both sides need more than k people")
    allow_equal: bool = parameter(default=True, text="whether to make cuts that lose as much as before")
    leaf_loss: Literal["none", "literal"] = parameter(
        "none", "what a category costs that is told as it is: nothing, or one leaf of all as the formula has it",
        choices=("none", "literal"),
    )
    literal: bool = parameter(
        default=False, text="the paper's words alone: the two farthest apart, more than k on both sides or no cut, "
        "and a loss that falls",
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the classes that are not cut any more."""
        own = self._reading()
        points = gather(graph, requirement)
        leaves = _Search(points, own, rng).run()
        sizes = [len(leaf.who) for leaf in leaves]
        labels = points.labels(
            np.concatenate([leaf.who for leaf in leaves]).astype(np.int64),
            np.concatenate([leaf.people for leaf in leaves]),
            np.repeat(np.arange(len(leaves)), sizes),
        )
        return raised(graph, labels, np.minimum(needs(graph, requirement), graph.n))

    def _reading(self) -> Coaa:
        if not self.literal:
            return self
        return replace(self, literal=False, core="exact", small_side="stop", strict=True, allow_equal=False,
                       leaf_loss="literal")


class _Pieces(NamedTuple):
    """A class in the making: ``people[i]`` of point ``who[i]``, points in order."""

    who: Shorts
    people: Ints

    def only(self, taken: Ints) -> _Pieces:
        """Return the class of `taken` of its people."""
        some = taken > 0
        return _Pieces(self.who[some], taken[some])


class _Search:
    """The table and how it is cut."""

    def __init__(self, points: Points, own: Coaa, rng: Generator) -> None:
        from graphanon.kernels.prices import prices_of

        self.own, self.points, self.rng = own, points, rng
        crowds = [describe(points.graph, categorical="leaves", snapped=snapped) for snapped in (False, True)]
        if own.leaf_loss == "literal":
            crowds = [_with_leaf_loss(crowd, points.graph) for crowd in crowds]
        self.distances, self.prices = (prices_of(crowd) for crowd in crowds)

    def run(self) -> list[_Pieces]:
        """Return the classes, in the order of the cuts."""
        u = len(self.points.weight)
        stack = [_Pieces(np.arange(u, dtype=np.int32), self.points.weight)]
        leaves, done, n = [], 0, int(self.points.weight.sum())
        while stack:
            node = stack.pop()
            halves = self._cut(node)
            if halves:
                stack += halves[::-1]
                continue
            leaves.append(node)
            done += int(node.people.sum())
            advance("cut classes", done, n)
        return leaves

    def _least(self, side: _Pieces) -> int:
        """Return how many people a side must have."""
        return int(self.points.need[side.who].max(initial=0)) + self.own.strict

    def _cut(self, node: _Pieces) -> list[_Pieces]:
        """Return both halves, or nothing if the class stays whole."""
        size, least = int(node.people.sum()), int(self.points.need[node.who].min()) + self.own.strict
        if size < 2 * least or len(node.who) == 1:
            return []
        one, other, far = self._cores(node)
        if far <= 0:
            return []
        halves = self._halves(node, one, other)
        if not all(len(side.who) and int(side.people.sum()) >= self._least(side) for side in halves):
            return []
        if not (self.own.allow_equal or self._gains(node, halves)):
            return []
        return halves

    def _cores(self, node: _Pieces) -> tuple[int, int, float]:
        """Return the places of the two cores and how far apart they are."""
        from graphanon.kernels.halving import bounds, farthest, farthest_from

        q, m = self.points.graph.q, len(node.who)
        if self.own.core == "two_sweep":
            drawn = int(np.searchsorted(np.cumsum(node.people), self.rng.random() * node.people.sum(), "right"))
            one, _ = farthest_from(self.distances, node.who, drawn)
            other, far = farthest_from(self.distances, node.who, one)
            return min(one, other), max(one, other), far
        first, last = np.empty(q, dtype=np.int32), np.empty(q, dtype=np.int32)
        bounds(self.distances, node.who, first, last)
        found = 0, 0, 0.0
        pieces = batches(m, 2.0 * m * q)
        for start, stop in pieces:
            found = farthest(self.distances, node.who, start, stop, first, last, *found)
            if len(pieces) > 1:
                advance("farthest pair", stop, m)
        return found

    def _halves(self, node: _Pieces, one: int, other: int) -> list[_Pieces]:
        from graphanon.kernels.halving import divide

        nearer, surplus = np.empty(len(node.who), dtype=bool), np.empty(len(node.who))
        divide(self.distances, node.who, one, other, nearer, surplus)
        taken = np.where(nearer, node.people, 0)
        if self.own.small_side == "rebalance":
            rest = node.people - taken
            if self._short(node, taken):
                taken = self._filled(node, taken, surplus)
            elif self._short(node, rest):
                taken = node.people - self._filled(node, rest, -surplus)
        return [node.only(taken), node.only(node.people - taken)]

    def _short(self, node: _Pieces, taken: Ints) -> bool:
        return int(taken.sum()) < self._least(node.only(taken))

    def _filled(self, node: _Pieces, taken: Ints, surplus: Floats) -> Ints:
        """Return a side with enough people, those first who lie least farther from its core than from the other."""
        taken, need = taken.copy(), self.points.need[node.who] + self.own.strict
        size, least = int(taken.sum()), self._least(node.only(taken))
        for i in ranked(-surplus).tolist():
            if size >= least:
                break
            if taken[i] < node.people[i]:
                least = max(least, int(need[i]))
                more = min(int(node.people[i] - taken[i]), least - size)
                taken[i] += more
                size += more
        return taken

    def _gains(self, node: _Pieces, halves: list[_Pieces]) -> bool:
        """Whether the loss falls; it cannot rise, so that is whether one half is told more of than both."""
        whole = self._price(node)
        return any(self._price(half) < whole - 1e-12 for half in halves)

    def _price(self, side: _Pieces) -> float:
        from graphanon.kernels.halving import bounds
        from graphanon.kernels.prices import box

        first, last = (np.empty(self.points.graph.q, dtype=np.int32) for _ in range(2))
        bounds(self.prices, side.who, first, last)
        return float(box(self.prices, first, last))


def _with_leaf_loss(crowd: Crowd, graph: AttributedGraph) -> Crowd:
    """Return a crowd in which a category that is told as it is costs one of all leaves."""
    step = crowd.step.copy()
    for j, domain in enumerate(graph.domains):
        if isinstance(domain, Tree):
            step[crowd.start[j] : crowd.start[j + 1], 0] = 0.5 / len(domain.leaves)
    return crowd._replace(step=step)
