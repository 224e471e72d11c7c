"""GAA-CP: fill one class after the other with the record that it loses least by.

Jiang Huowen, Zeng Guosun and Ma Haiying, *Greedy clustering-anonymity method for privacy preservation of table
data-publishing*, Journal of Software 28(2), 2017 (in Chinese). Only its abstract was at hand: numbers and
categories are generalized each in their way, a distance of two records and one of a record to a class are
made so that joining loses least, and whatever is nearest is added until a class has k. So the distance of two
records is what the two lose together, and that of a record to a class by how much the loss of the class
rises (NCP; Xu et al., 2006). Who starts a class is not told and is a parameter, and so is the distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import describe
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, ClusterFirst, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.tabular.points import Points, gather

if TYPE_CHECKING:
    from graphanon.kernels.clusters import Growing

__all__ = ["GaaCp"]

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class GaaCp(ClusterFirst):
    """Grow classes of k, adding whoever costs least.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    ignored yes     yes         not looked at
    ======  ======  ==========  =================

    Source: Jiang, Zeng and Ma, Greedy clustering-anonymity method for privacy preservation of table
    data-publishing, 2017.

    Examples
    --------
    >>> GaaCp(seed="random")
    GaaCp(seed='random', distance='increment')
    """

    about: ClassVar[About] = About(
        name="gaa-cp",
        paper="Jiang, Zeng and Ma, Greedy clustering-anonymity method for privacy preservation of table "
        "data-publishing, 2017",
        guarantee="every class has at least k people",
        ties=False,
    )

    seed: Literal["first", "random", "farthest_last", "farthest_all"] = parameter(
        "first", "who starts a class: the first person left, anyone, the one farthest from the last who did, or "
        "from the nearest of all who did", choices=("first", "random", "farthest_last", "farthest_all"),
    )
    distance: Literal["increment", "after", "mean"] = parameter(
        "increment", "how far a person is from a class: by how much its loss rises, what it then is, or the mean "
        "distance to its members", choices=("increment", "after", "mean"),
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return classes as large as their members need, with the people left over at the end spread over them."""
        points = gather(graph, requirement)
        labels = _Search(points, self, rng).run()
        return raised(graph, labels, np.minimum(needs(graph, requirement), graph.n))


class _Search:
    """The table, who is left of it, and the pieces of the classes so far."""

    def __init__(self, points: Points, own: GaaCp, rng: Generator) -> None:
        from graphanon.kernels.clusters import AFTER, INCREMENT, MEAN, growing_of
        from graphanon.kernels.prices import prices_of

        self.points, self.own, self.rng = points, own, rng
        self.rule = {"increment": INCREMENT, "after": AFTER, "mean": MEAN}[own.distance]
        self.prices = prices_of(describe(points.graph, categorical="leaves", snapped=True))
        self.growing: Growing = growing_of(self.prices, points.weight, points.need)
        self.far = np.full(len(points.weight), np.inf)
        self.classes: list[tuple[Shorts, Ints]] = []

    def run(self) -> Ints:
        """Return everyone's class."""
        from graphanon.kernels.clusters import grow

        left = n = int(self.points.weight.sum())
        seed, lacking = -1, 0
        while left:
            seed = self._seed(seed, left)
            size, lacking = grow(self.growing, seed, self.rule)
            who = self.growing.members[:size].copy()
            self.classes.append((who, self.growing.taken[who]))
            self.growing.taken[who] = 0
            left -= int(self.classes[-1][1].sum())
            advance("grow classes", n - left, n)
        late = self.classes.pop() if lacking and len(self.classes) > 1 else None
        point, count = (np.concatenate(parts) for parts in zip(*self.classes, strict=True))
        owner = np.repeat(np.arange(len(self.classes)), [len(who) for who, _ in self.classes])
        if late:
            point, count, owner = self._spread(late, point, count, owner)
        return self.points.labels(point.astype(np.int64), count, owner)

    def _seed(self, last: int, left: int) -> int:
        """Return the point of whom starts the next class."""
        from graphanon.kernels.clusters import farthest, first_left, nth_left

        if self.own.seed == "random":
            return nth_left(self.growing, int(self.rng.random() * left))
        if self.own.seed == "first" or last < 0:
            return first_left(self.growing)
        return farthest(self.growing, last, self.far, all_seeds=self.own.seed == "farthest_all")

    def _spread(self, late: tuple[Shorts, Ints], point: Shorts, count: Ints, owner: Ints) -> tuple[Shorts, Ints, Ints]:
        """Return the pieces with everyone of the last class, which is too small, in the class that costs least."""
        from graphanon.kernels.clusters import place

        codes, K = self.prices.crowd.codes, len(self.classes)
        first = np.full((K, codes.shape[1]), np.iinfo(np.int32).max, dtype=np.int32)
        last = np.full((K, codes.shape[1]), -1, dtype=np.int32)
        np.minimum.at(first, owner, codes[point])
        np.maximum.at(last, owner, codes[point])
        sizes, sums = np.zeros(K, dtype=np.int64), np.empty(K)
        np.add.at(sizes, owner, count)
        for v in np.sort(np.repeat(*late)).tolist():
            d = place(self.prices, v, self.rule, sizes, first, last, owner, count, point, sums)
            point, count, owner = np.append(point, np.int32(v)), np.append(count, 1), np.append(owner, d)
            advance("place the rest", len(point), len(point))
        return point, count, owner
