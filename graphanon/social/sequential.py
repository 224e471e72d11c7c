"""Sequential clustering: people move one by one to where the loss falls most, until nobody gains by moving.

T. Tassa and D. J. Cohen, *Anonymization of Centralized and Distributed Social Networks by Sequential
Clustering*, IEEE Transactions on Knowledge and Data Engineering 25(2), 2013, after J. Goldberger and T. Tassa,
*Efficient Anonymizations with Enhanced Utility*, 2010.

People are dealt at random to clusters of ``alpha`` k. In each round everyone in turn is tried in every
other cluster, and moves to the one for which the loss of attributes and ties falls most; who is alone
in a cluster moves in any case. After a round, clusters of more than ``beta`` k people are halved at random. When
nobody moves any more, or after ``rounds``, clusters below k are dealt with, the smallest first: the paper unites
each with the nearest, here its people go one by one where the loss rises least, which loses less and keeps
clusters small. All of it is done ``starts`` times, and the result of least loss is kept.

While people move, clusters may be of any size: a cluster that nobody wants shrinks and dies, and another
one is halved. That freedom is what the method lives on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.density import batches
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.social.growing import ByLoss, Price, price_of

__all__ = ["Sequential"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Sequential(ByLoss):
    """Move people one by one between clusters to where the loss falls most, from several starts.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    yes     yes     yes         not looked at
    ======  ======  ==========  =================

    Source: T. Tassa and D. J. Cohen, Anonymization of Centralized and Distributed Social Networks by Sequential
    Clustering, 2013.

    Examples
    --------
    >>> Sequential(starts=5).beta
    1.5
    """

    about: ClassVar[About] = About(
        name="sequential",
        paper="Tassa and Cohen, Anonymization of Centralized and Distributed Social Networks by Sequential Clustering, 2013",
        guarantee="every supernode has at least k people",
        ties=True,
    )

    starts: int = parameter(3, "random starts, of which the best result is kept", low=1)
    rounds: int = parameter(5, "most rounds over everyone, of each start", low=1)
    alpha: float = parameter(0.5, "size of the first clusters, in shares of k", low=0.1, high=10)
    beta: float = parameter(1.5, "size above which clusters are halved, in shares of k", low=1, high=1000)

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the best of several results."""
        need = needs(graph, requirement)
        price = price_of(graph, self.objective())
        best, least = np.zeros(graph.n, dtype=np.int64), np.inf
        for _ in range(self.starts):
            clusters = _Clusters(graph, need, price, self._dealt(graph.n, requirement.k, rng))
            clusters.improve(self.rounds, self.beta, rng)
            clusters.dissolve_small()
            if clusters.loss() < least:
                best, least = clusters.labels(), clusters.loss()
        return raised(graph, best, need)

    def _dealt(self, n: int, k: int, rng: Generator) -> Ints:
        """Return clusters of about alpha k people, everyone's chosen by lot."""
        count = max(1, n // max(1, round(self.alpha * k)))
        labels = np.empty(n, dtype=np.int64)
        labels[rng.permutation(n)] = np.arange(n) % count
        return labels


class _Clusters:
    """One start on its way: the clusters, what their changes cost, and the steps of the method."""

    def __init__(self, graph: AttributedGraph, need: Ints, price: Price, labels: Ints) -> None:
        from graphanon.kernels.refine_state import state_of
        from graphanon.kernels.relocate import book_of

        self.need, self.price, n = need, price, graph.n
        count = int(labels.max()) + 1
        self.state = state_of(graph, labels, np.ones(count, dtype=np.int64), measure=price.measure,
                              spare=n // int(need.min()))
        self.book = book_of(self.state)
        self.steps = len(self.state.sizes) * (2 * graph.q + 12) + 4 * graph.ties.nnz / max(n, 1)

    def improve(self, rounds: int, beta: float, rng: Generator) -> None:
        """Let everyone move, and halve what grows too large, until nothing changes."""
        from graphanon.kernels.relocate import visit, weigh

        n = len(self.need)
        order = np.arange(n)
        for _ in range(rounds):
            moved = 0
            for start, stop in batches(n, self.steps):
                moved += visit(self.state, self.book, order, start, stop, self.need, self.price.cell, self.price.arc)
                advance("move people", stop, n)
            halved = self._halve_large(beta, rng)
            # counted afresh, so that rounding does not pile up
            weigh(self.state, self.book)
            if not moved and not halved:
                return

    def _halve_large(self, beta: float, rng: Generator) -> int:
        """Cut clusters of more than beta times what their members need in two, by lot; return how many."""
        from graphanon.kernels.refine_state import move, open_class

        halved = 0
        for c in np.flatnonzero(self.state.sizes > np.maximum(beta * self._needed(), 1)).tolist():
            other = open_class(self.state)
            if other < 0:
                break
            members = rng.permutation(np.flatnonzero(self.state.labels == c))
            for v in members[: len(members) // 2].tolist():
                move(self.state, v, other)
            halved += 1
        return halved

    def _needed(self) -> Ints:
        """Return the largest size that a member of each cluster asks for."""
        least = np.zeros(len(self.state.sizes), dtype=np.int64)
        np.maximum.at(least, self.state.labels, self.need)
        return least

    def dissolve_small(self) -> None:
        """Spread the smallest cluster that is below what its members need over the others, until none is."""
        from graphanon.kernels.relocate import dissolve

        total = done = 0
        while True:
            sizes = self.state.sizes
            small = np.flatnonzero((sizes > 0) & (sizes < self._needed()))
            if not len(small) or (sizes > 0).sum() == 1:
                return
            total, done = max(total, done + len(small)), done + 1
            c = int(small[np.argmin(sizes[small])])
            dissolve(self.state, self.book, c, self.price.cell, self.price.arc)
            advance("dissolve small clusters", done, total)

    def loss(self) -> float:
        """Return the objective times the number of people, but for what nothing changes."""
        from graphanon.kernels.refine_state import total_attributes, total_ties

        ties = self.price.arc * total_ties(self.state) if self.price.arc else 0.0
        return float(self.price.cell * total_attributes(self.state) + ties)

    def labels(self) -> Ints:
        """Return the cluster of each person, numbered without gaps."""
        return np.unique(self.state.labels, return_inverse=True)[1].reshape(-1).astype(np.int64)
