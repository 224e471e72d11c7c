"""Supernodes in the making, by loss: each takes whoever raises the loss least, and its size is held.

The steps that PAS-CAA in its sound form and the greedy method share, on the kernels of
:mod:`graphanon.kernels.growth`. What is to be kept low is a weighted sum of two published losses, for methods
`ByLoss` one that their parameters weigh.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.density import BATCH
from graphanon.domain import Floats
from graphanon.graph import AttributedGraph
from graphanon.method import ClusterFirst, parameter
from graphanon.progress import advance
from graphanon.refine import Objective

__all__ = ["ByLoss", "Growing", "Price", "price_of"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class ByLoss(ClusterFirst):
    """A method that goes where a weighted sum of a loss of attributes and one of ties rises least."""

    attributes: Literal["ngil", "ncp"] = parameter(
        "ngil", "loss of attributes: height climbed, or leaves covered", choices=("ngil", "ncp")
    )
    ties: Literal["nsil", "tie_loss"] = parameter(
        "nsil", "loss of ties: wrong guesses over all pairs, or over the ties", choices=("nsil", "tie_loss")
    )
    w_attr: float = parameter(0.5, "weight of the loss of attributes", low=0, high=1000)
    w_tie: float = parameter(0.5, "weight of the loss of ties", low=0, high=1000)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.objective()  # refuses weights that are both 0

    def objective(self) -> Objective:
        """Return what the method keeps low."""
        return Objective(attributes=self.attributes, ties=self.ties, w_attr=self.w_attr, w_tie=self.w_tie)


class Price(NamedTuple):
    """What a lost cell and a lost arc cost, in losses times people, and what measures a cell."""

    cell: float
    arc: float
    measure: Literal["height", "leaves"]


def price_of(graph: AttributedGraph, objective: Objective) -> Price:
    """Return the prices that an objective sets for these people.

    Examples
    --------
    >>> from graphanon.graph import symmetric_ties
    >>> from graphanon.schema import Schema
    >>> ties = symmetric_ties(5, np.array([0, 1]), np.array([1, 2]))
    >>> graph = AttributedGraph(schema=Schema(columns=()), values=np.empty((5, 0)), ties=ties)
    >>> price_of(graph, Objective(ties="tie_loss"))
    Price(cell=0.0, arc=0.625, measure='height')
    """
    arcs = (graph.ties if graph.arcs is None else graph.arcs).nnz
    pairs = arcs if objective.ties == "tie_loss" else graph.n * (graph.n - 1) / 4
    return Price(
        objective.w_attr / graph.q if graph.q else 0.0,
        objective.w_tie * graph.n / pairs if arcs else 0.0,
        "height" if objective.attributes == "ngil" else "leaves",
    )


class Growing:
    """Supernodes that grow one at a time among the people who are in none yet.

    `need` int64[n] is the least size of each person's class; supernodes are numbered as they start.
    """

    def __init__(self, graph: AttributedGraph, need: Ints, price: Price, most: int) -> None:
        from graphanon.kernels.growth import growth_of
        from graphanon.kernels.refine_state import state_of

        nobody = np.full(graph.n, -1, dtype=np.int64)
        self.state = state_of(graph, nobody, np.empty(0, dtype=np.int64), measure=price.measure, spare=most)
        self.growth = growth_of(self.state)
        self.need, self.price, self.count = need, price, 0
        self._chunk = max(1, int(BATCH / (graph.n * (graph.q + 4))))

    @property
    def labels(self) -> Ints:
        """The supernode of each person, -1 in none."""
        return self.state.labels.astype(np.int64)

    @property
    def sizes(self) -> Ints:
        """People in each supernode."""
        return self.state.sizes[: self.count].copy()

    @property
    def alone(self) -> int:
        """How many people are in no supernode."""
        return int(self.growth.left[0])

    def start(self, seed: int, size: int) -> None:
        """Start a supernode and grow it to `size`."""
        self.count += 1
        self._grow(self.count - 1, seed, size)

    def go_on(self, x: int, size: int) -> None:
        """Grow a supernode on to `size`."""
        self._grow(x, -1, size)

    def _grow(self, x: int, seed: int, size: int) -> None:
        from graphanon.kernels.growth import grow

        before = -1
        # in chunks, so that an interrupt is heard while a large one grows
        while before < self.state.sizes[x]:
            before = int(self.state.sizes[x])
            grow(self.growth, x, seed, size, self.need, before + self._chunk, self.price.cell, self.price.arc)
            seed = -1
            advance("grow supernodes", len(self.need) - self.alone, len(self.need))

    def start_all(self, order: Ints, count: int, size: int) -> Ints:
        """Start up to `count` supernodes of `size`, each with the first of `order` that is in none; return with whom."""
        seeds: list[int] = []
        for seed in order.tolist():
            if self.count == count:
                break
            if self.state.labels[seed] < 0:
                self.start(seed, size)
                seeds.append(seed)
        return np.array(seeds, dtype=np.int64)

    def settle(self) -> None:
        """Put everyone left into the supernode where the loss rises least."""
        from graphanon.kernels.growth import settle

        left = np.flatnonzero(self.state.labels < 0)
        for done, v in enumerate(left.tolist()):
            settle(self.state, v, self.price.cell, self.price.arc)
            advance("settle the rest", done + 1, len(left))
        self.growth.left[0] = 0

    def mean_of(self, values: Floats) -> Floats:
        """Return the mean over the members of each supernode of a value a person."""
        kept = self.state.labels >= 0
        total = np.bincount(self.state.labels[kept], weights=values[kept], minlength=self.count)
        return np.asarray(total / self.sizes)

    def needed(self) -> Ints:
        """Return the largest size that a member of each supernode asks for."""
        kept = self.state.labels >= 0
        least = np.zeros(self.count, dtype=np.int64)
        np.maximum.at(least, self.state.labels[kept], self.need[kept])
        return least
