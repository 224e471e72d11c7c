"""Greedy: grow classes of k around dense people, each time by whoever really costs least.

In the manner of the k-member algorithm (J.-W. Byun, A. Kamra, E. Bertino and N. Li, *Efficient
k-Anonymization Using Clustering Techniques*, DASFAA 2007), on graphs. A class starts with the densest person
that is left, density being the mean similarity to the nearest others, and takes, one by one, the person for
whom the loss rises least: of attributes by the published boxes, of ties by the expected number of wrongly
guessed pairs (SIL), with everyone who is in no class yet standing alone. Both are exact, so the sum of all
rises is the loss of the result. SaNGreeA's cost differs in both: it weighs a class without its size, and
compares neighbourhoods instead of counting what contraction would hide. When fewer than k people are left,
each goes where the loss rises least.

Dense people first is what makes the difference in practice: who lies far from all others then comes last and spoils few
classes, and not a class each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import describe
from graphanon.density import nearest_others, ranked
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, parameter
from graphanon.requirement import Requirement
from graphanon.social.growing import ByLoss, Growing, price_of
from graphanon.social.starts import queue_of

__all__ = ["Greedy"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Greedy(ByLoss):
    """Grow classes of k around dense people by the exact rise of the loss, of attributes and of ties.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    yes     yes     yes         not looked at
    ======  ======  ==========  =================

    Source: after J.-W. Byun, A. Kamra, E. Bertino and N. Li, Efficient k-Anonymization Using Clustering
    Techniques, 2007; the loss of ties is that of A. Campan and T. M. Truta, 2008.

    Examples
    --------
    >>> Greedy(ties="tie_loss", w_tie=0.1).seed
    'dense'
    """

    about: ClassVar[About] = About(
        name="greedy",
        paper="after Byun, Kamra, Bertino and Li, Efficient k-Anonymization Using Clustering Techniques, 2007, "
        "with the losses of Campan and Truta, 2008",
        guarantee="every supernode has at least k people",
        ties=True,
    )

    seed: Literal["dense", "max_degree", "random", "first"] = parameter(
        "dense", "who starts a class: whose nearest others are most similar, the best connected, anyone, or the first left",
        choices=("dense", "max_degree", "random", "first"),
    )
    beta: float = parameter(0.5, "weight of common friends against attributes in density", low=0, high=1)
    K_nn: int | None = parameter(None, "nearest others that density looks at; none is k", low=1)

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return classes of k, with whom was left over where it costs least."""
        need = needs(graph, requirement)
        growing = Growing(graph, need, price_of(graph, self.objective()), graph.n // requirement.k)
        for seed in self._queue(graph, requirement.k, rng).tolist():
            if growing.alone < need[seed] or growing.alone < requirement.k:
                continue
            if growing.state.labels[seed] < 0:
                growing.start(seed, requirement.k)
        growing.settle()
        return raised(graph, growing.labels, need)

    def _queue(self, graph: AttributedGraph, k: int, rng: Generator) -> Ints:
        """Return the order in which people are asked to start a class."""
        if self.seed != "dense":
            return queue_of(graph, self.seed, rng)
        near = nearest_others(describe(graph), float(self.beta), min(self.K_nn or k, graph.n - 1))
        if not near.similarity.shape[1]:
            return np.arange(graph.n)
        return ranked(near.similarity.mean(axis=1))
