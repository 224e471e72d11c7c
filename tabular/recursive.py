"""Recursive recoding: tell as many people as cheaply as possible, and recode the rest again.

A full-domain recoding tells everyone alike, so rare people make it coarse for all. Here only the classes that keep
what is asked and cost no more than a price stay; the rest is recoded on other levels, until none is left. The price
of a cell begins low, so that common people are told almost exactly before anybody else is looked at, and rises until
everything may be told as ``*``. At each price the node of the lattice goes first at which most is won: what its
classes cost less than the price, over all their people. Those few who are left at the end join the class where they
cost least. The hull of each class is published, not the levels that found it, and refinement follows.

The idea of recoding the rest again is that of local recoding in F. Prasser, F. Kohlmayer and K. Kuhn, *The
Importance of Context: Risk-based De-identification of Biomedical Data*, 2016; the rising price is our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition, hull, snap
from graphanon.kernels.lattice import (
    Points,
    cheap,
    empty_like,
    gain,
    merge,
    only,
    rooms_for,
    survey,
    table_for,
)
from graphanon.loss import cell_costs
from graphanon.method import About, ClusterFirst, parameter
from graphanon.progress import advance, notice
from graphanon.requirement import Requirement
from graphanon.tabular.ladders import Ladders, ladders_of

__all__ = ["Recursive"]

Ints = NDArray[np.int64]
_STAGE = "recode the rest"
_BATCH = 4_000_000  # points times nodes looked at between two signs of life
_EVERYTHING = 1.001
_FEW = 5


@dataclass(frozen=True, kw_only=True)
class Recursive(ClusterFirst):
    """Recode the rest again and again, at a rising price of a cell.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    no      yes     yes         promises are kept
    ======  ======  ==========  =================

    Level limits are not looked at: what is published is the hull of each class, which refinement goes on changing.
    With more nodes than `nodes` in the lattice as many are drawn at random from it, so time and memory stay bounded.

    Examples
    --------
    >>> Recursive(prices=5)
    Recursive(prices=5, cheapest=0.005, nodes=4096)
    """

    about: ClassVar[About] = About(
        name="recursive",
        paper="Prasser, Kohlmayer and Kuhn, The Importance of Context, 2016 (recoding the rest again)",
        guarantee="every class has at least k people and keeps what is promised of sensitive values",
        ties=False,
        sensitive=True,
    )

    prices: int = parameter(30, "how many prices are asked, each a step dearer than the one before", low=1)
    cheapest: float = parameter(0.005, "the first price of a cell, as a share of telling nothing", low=1e-6, high=1.0)
    nodes: int = parameter(4096, "how many nodes of the lattice are looked at; of a larger one some are drawn", low=1)

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the classes that were kept at each price, and nobody outside."""
        if not graph.q:
            return Partition(np.zeros(graph.n, dtype=np.int64))
        ladders = ladders_of(graph, requirement, limits=False)
        rest = _Rest(ladders, _nodes(ladders, self.nodes, rng))
        prices = [*np.geomspace(self.cheapest, 1.0, self.prices)[:-1].tolist(), _EVERYTHING]
        for done, price in enumerate(prices):
            rest.tell(price * ladders.q)
            advance(_STAGE, done + 1, len(prices))
        labels = rest.labels[ladders.inverse]
        return Partition(_joined(graph, labels, requirement))


def _nodes(ladders: Ladders, most: int, rng: Generator) -> Ints:
    """Return int64[m, q], the nodes that are looked at, sorted by the levels of the most diverse attributes."""
    tops = ladders.tops.tolist()
    if prod(top + 1 for top in tops) <= most:
        nodes = np.array(list(product(*(range(top + 1) for top in tops))), dtype=np.int64).reshape(-1, ladders.q)
    else:
        notice(f"of the {prod(top + 1 for top in tops):,} combinations of levels {most:,} are looked at, drawn at random "
               "(--set nodes=… looks at more)")
        # a share of the height for each node, so that low and high ones are as frequent
        share = rng.random((most - 1, 1)) ** rng.exponential(1.0, (most - 1, len(tops)))
        drawn = np.minimum(np.floor(share * (ladders.tops + 1)), ladders.tops).astype(np.int64)
        nodes = np.unique(np.concatenate([drawn, ladders.tops[None]]), axis=0)
    return np.ascontiguousarray(nodes[np.lexsort(nodes.T[_order(ladders)[::-1]])])


def _order(ladders: Ladders) -> Ints:
    """Return the attributes with the most diverse first: putting its values together leaves the fewest points."""
    return np.argsort(-np.diff(ladders.start), kind="stable").astype(np.int64)


class _Rest:
    """The points whose people are in no class yet, and room for counting them."""

    def __init__(self, ladders: Ladders, nodes: Ints) -> None:
        self.ladders, self.nodes, self.order = ladders, nodes, _order(ladders)
        self.points, self.of = ladders.points, np.arange(len(ladders.points.base))
        self.labels = np.full(len(self.of), -1, dtype=np.int64)
        self.found = 0
        self.room, self.table = empty_like(self.points), table_for(self.points)
        self.rooms = rooms_for(self.points)
        self.slot = np.empty(len(self.of), dtype=np.int64)

    def tell(self, price: float) -> None:
        """Take out every class that costs less than `price` a person, the node where most is won first."""
        gains = self._survey(price)
        while len(self.of):
            best = int(np.argmax(gains))
            if gains[best] <= 0:
                return
            level = self.nodes[best]
            told = self._merged(level)
            # gains fall as people are taken out, so one that is still the largest is the largest
            gains[best] = gain(told, self.ladders.scale, self.ladders.rules, level, price)
            if gains[best] > 0 and gains[best] >= gains.max():
                self._take(told, level, price)
                gains[best] = 0.0

    def _survey(self, price: float) -> NDArray[np.float64]:
        gains = np.zeros(len(self.nodes))
        sizes = np.zeros(self.ladders.q, dtype=np.int64)
        batch = max(_BATCH // max(len(self.of), 1), 16)
        for start in range(0, len(self.nodes), batch):
            part = slice(start, start + batch)
            survey(self.points, self.ladders.scale, self.ladders.rules, self.order, self.nodes[part], price,
                   self.table, self.slot, self.rooms, sizes, gains[part])
            advance(_STAGE, 0, 0)
        return gains

    def _merged(self, level: Ints) -> Points:
        found = merge(self.points, self.ladders.scale, level, self.table, self.room, self.slot)
        return only(self.room, slice(found))

    def _take(self, told: Points, level: Ints, price: float) -> None:
        """Make a class of each of these points that can be told for less than `price`."""
        good = np.empty(len(told.base), dtype=bool)
        cheap(told, self.ladders.scale, self.ladders.rules, level, price, good)
        number = np.where(good, np.cumsum(good) - 1 + self.found, -1)
        slot = self.slot[: len(self.of)]
        self.labels[self.of] = number[slot]
        self.found += int(good.sum())
        left = ~good[slot]
        self.of = self.of[left]
        self.points = only(self.points, left)


def _joined(graph: AttributedGraph, labels: Ints, requirement: Requirement) -> Ints:
    """Return the labels with everyone who is in no class yet put where they cost least, or all together."""
    labels = labels.copy()
    rest = np.flatnonzero(labels < 0)
    found = int(labels.max(initial=-1)) + 1
    if not found or len(rest) > _FEW * requirement.k:
        labels[rest] = found
        return labels
    box, sizes = hull(graph, Partition(labels)), np.bincount(labels[labels >= 0])
    lo, hi = box.lo.copy(), box.hi.copy()
    before = cell_costs(graph.domains, box, "leaves").sum(axis=1)
    for v in rest.tolist():
        wider = snap(graph.domains, np.minimum(lo, graph.values[v]), np.maximum(hi, graph.values[v]))
        after = cell_costs(graph.domains, wider, "leaves").sum(axis=1)
        into = int(np.argmin((sizes + 1) * after - sizes * before))
        labels[v] = into
        lo[into], hi[into], before[into] = wider.lo[into], wider.hi[into], after[into]
        sizes[into] += 1
    return labels
