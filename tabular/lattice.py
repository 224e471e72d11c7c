"""The search of the lattice of levels: the best way to tell every value of an attribute alike.

A node of the lattice is one level an attribute. The search goes down a tree: first the level of one attribute, then
of a second one, and so on, and the counts of each step are rolled up from those of the step before. Two bounds cut
the tree. What is told already costs something, whatever is told of the rest. And if too many people had to be left
out even where nothing else is told, no node below will do; this asks that whoever can be told stays so when less is
told, which holds of k, and of every other promise as long as nobody may be withheld. By the same token small
subsets of the attributes are tried beforehand (Apriori): a pair of levels that fails is left out wherever it
occurs, and above one that holds nothing is counted.

Source: K. LeFevre, D. DeWitt and R. Ramakrishnan, Incognito: Efficient Full-Domain K-Anonymity, 2005; for shares of
sensitive values R. Wong, J. Li, A. Fu and K. Wang, (alpha, k)-Anonymity, 2006.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from graphanon.kernels.lattice import Points, empty_like, floor_of, merge, only, table_for, weigh
from graphanon.progress import advance
from graphanon.tabular.ladders import Ladders

__all__ = ["Best", "Judge", "best_node", "weigh_node"]

Ints = NDArray[np.int64]
Judge = Callable[[tuple[int, ...]], tuple[int, float]]
_ROUNDING = 1e-9
_STAGE = "search the lattice"


@dataclass(frozen=True, kw_only=True)
class Best:
    """The best node: its levels (None: there is none), how many are withheld there, and what it costs.

    `counted` is how many nodes were counted; `complete` is False if the search ended before it had looked everywhere.
    """

    level: tuple[int, ...] | None
    withheld: int
    cost: float
    counted: int
    complete: bool


def weigh_node(ladders: Ladders, level: tuple[int, ...], price: float | None = None) -> tuple[int, float]:
    """Return how many people cannot be told on these levels, and the cost of all, theirs being `price` (all cells)."""
    return _Counter(ladders).weigh(ladders.points, level, float(ladders.q) if price is None else price)


def best_node(
    ladders: Ladders,
    allowed: int,
    *,
    price: float | None = None,
    monotone: bool = True,
    subsets: int = 2,
    work: float = 1e9,
    judge: Judge | None = None,
) -> Best:
    """Return the node of least cost at which at most `allowed` people are withheld; equal costs go to lower levels.

    Someone withheld costs `price` (left out: every cell). `monotone` tells that whoever can be told stays so when less
    is told; subsets of up to `subsets` attributes are then tried beforehand. After `work` looks at a cell the best
    node so far is returned. `judge` counts a node that the tables alone cannot judge.

    Examples
    --------
    >>> from graphanon.domain import Range
    >>> from graphanon.graph import AttributedGraph, no_ties
    >>> from graphanon.requirement import Requirement
    >>> from graphanon.schema import Column, Role, Schema
    >>> from graphanon.tabular.ladders import ladders_of
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(0, 10, steps=(2, 5))),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[0.0], [1.0], [4.0], [9.0]]), ties=no_ties(4))
    >>> ladders = ladders_of(graph, Requirement(k=2))
    >>> best_node(ladders, 0).level, best_node(ladders, 1).level
    ((3,), (2,))
    """
    search = _Search(ladders, allowed, price=float(ladders.q) if price is None else price,
                     monotone=monotone and ladders.nested, work=work, judge=judge)
    search.climb_down()
    if search.monotone:
        search.try_subsets(min(subsets, ladders.q - 1))
    search.descend(0, ladders.points, [0] * ladders.q)
    return search.best()


class _Counter:
    """Room for counting, and how much has been counted."""

    def __init__(self, ladders: Ladders) -> None:
        self.ladders = ladders
        self.table = table_for(ladders.points)
        self.slot = np.empty(len(ladders.points.base), dtype=np.int64)
        self.room = empty_like(ladders.points)
        self.work = 0.0
        self.counted = 0

    def merge(self, points: Points, level: tuple[int, ...] | list[int], room: Points) -> Points:
        """Return what the points make on these levels."""
        at = np.array(level, dtype=np.int64)
        found = merge(points, self.ladders.scale, at, self.table, room, self.slot)
        self.work += points.base.size + found
        self.counted += 1
        if self.counted % 64 == 0:
            advance(_STAGE, 0, 0)
        return only(room, slice(found))

    def weigh(self, points: Points, level: tuple[int, ...] | list[int], price: float) -> tuple[int, float]:
        """Return how many people cannot be told on these levels, and the cost of all."""
        together = self.merge(points, level, self.room)
        withheld, cost = weigh(together, self.ladders.scale, self.ladders.rules, np.array(level, dtype=np.int64), price)
        return int(withheld), float(cost)


class _Search(_Counter):
    """A search in progress: the best node so far, and the levels of few attributes that fail."""

    def __init__(
        self, ladders: Ladders, allowed: int, *, price: float, monotone: bool, work: float, judge: Judge | None
    ) -> None:
        super().__init__(ladders)
        self.allowed, self.price, self.monotone, self.most, self.judge = allowed, price, monotone, work, judge
        self.tops = ladders.tops.tolist()
        variety = np.diff(ladders.start)
        self.order = np.argsort(-variety, kind="stable").tolist()
        self.rooms = [empty_like(ladders.points) for _ in self.order]
        self.holds: dict[tuple[int, ...], NDArray[np.bool_]] = {}
        self.level: tuple[int, ...] | None = None
        self.withheld, self.cost = 0, np.inf
        self.complete = True

    def best(self) -> Best:
        """Return the best node so far."""
        return Best(level=self.level, withheld=self.withheld, cost=float(self.cost), counted=self.counted,
                    complete=self.complete)

    def consider(self, points: Points, level: list[int], *, told: Points | None = None) -> float:
        """Count a node, keep it if it is the best, and return its cost, infinite if too many are withheld."""
        node = tuple(level)
        if told is None:
            told = self.merge(points, level, self.room)
        withheld, cost = weigh(told, self.ladders.scale, self.ladders.rules, np.array(level, dtype=np.int64), self.price)
        if self.judge is not None and cost < self.cost + _ROUNDING:
            withheld, cost = self.judge(node)
        if withheld > self.allowed:
            return np.inf
        tied = self.level is not None and abs(cost - self.cost) <= _ROUNDING and node < self.level
        if cost < self.cost - _ROUNDING or tied:
            self.level, self.withheld, self.cost = node, int(withheld), float(cost)
        return float(cost)

    def climb_down(self) -> None:
        """Find a good node by lowering from the top whatever wins most."""
        level = list(self.tops)
        now = self.consider(self.ladders.points, level)
        while self.work < self.most:
            steps = [j for j in range(len(level)) if level[j] > 0]
            lower = [[*level[:j], level[j] - 1, *level[j + 1:]] for j in steps]
            costs = [self.consider(self.ladders.points, other) for other in lower]
            if not costs or (min(costs) >= now and np.isfinite(now)) or not np.isfinite(min(costs)):
                return
            now = min(costs)
            level = lower[costs.index(now)]

    def try_subsets(self, largest: int) -> None:
        """Find the levels of few attributes that fail, even where nothing is told of the others."""
        for size in range(1, largest + 1):
            for subset in combinations(range(self.ladders.q), size):
                if self.work < self.most / 2:
                    self._try(subset)

    def _try(self, subset: tuple[int, ...]) -> None:
        level = list(self.tops)
        for j in subset:
            level[j] = 0
        points = self.merge(self.ladders.points, level, empty_like(self.ladders.points))
        shape = tuple(self.tops[j] + 1 for j in subset)
        holds = np.zeros(shape, dtype=bool)
        for node in sorted(product(*map(range, shape)), key=sum):
            below = [(*node[:i], h - 1, *node[i + 1:]) for i, h in enumerate(node) if h]
            if any(holds[other] for other in below):
                holds[node] = True
            elif self._survives(subset, node):
                for j, h in zip(subset, node, strict=True):
                    level[j] = h
                holds[node] = self.weigh(points, level, self.price)[0] <= self.allowed
        self.holds[subset] = holds

    def _survives(self, subset: tuple[int, ...], node: tuple[int, ...]) -> bool:
        """Return whether no smaller subset of this one is known to fail."""
        for i in range(len(subset)):
            smaller = subset[:i] + subset[i + 1:]
            if smaller in self.holds and not self.holds[smaller][node[:i] + node[i + 1:]]:
                return False
        return True

    def _may_hold(self, depth: int, level: list[int]) -> bool:
        """Return whether no subset that the newest attribute is in is known to fail."""
        newest, others = self.order[depth], self.order[:depth]
        for size in range(min(depth, 3) + 1):
            for rest in combinations(others, size):
                subset = tuple(sorted((*rest, newest)))
                if subset in self.holds and not self.holds[subset][tuple(level[j] for j in subset)]:
                    return False
        return True

    def descend(self, depth: int, points: Points, level: list[int]) -> None:
        """Look at every node that has these levels of the attributes up to `depth` and might be the best."""
        if depth == self.ladders.q:
            if not depth:
                self.consider(points, level)
            return
        j = self.order[depth]
        for h in range(self.tops[j] + 1):
            if self.work > self.most:
                self.complete = False
                break
            level[j] = h
            if self._may_hold(depth, level):
                self._step(depth, points, level)
        level[j] = 0

    def _step(self, depth: int, points: Points, level: list[int]) -> None:
        told = self.merge(points, level, self.rooms[depth])
        if depth == self.ladders.q - 1:
            self.consider(points, level, told=told)
            return
        if floor_of(told, self.ladders.scale, np.array(level, dtype=np.int64), self.price) > self.cost + _ROUNDING:
            return
        if self.monotone and depth:
            rest = self.order[depth + 1:]
            least = [self.tops[i] if i in rest else h for i, h in enumerate(level)]
            if self.weigh(told, least, self.price)[0] > self.allowed:
                return
        self.descend(depth + 1, told, level)
