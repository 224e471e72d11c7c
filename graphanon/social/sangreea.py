"""SaNGreeA: grow classes of k around the best connected people left.

A. Campan and T. M. Truta, *A Clustering Approach for Data and Structural Anonymity in Social Networks*,
PinKDD 2008. A class starts with the person of highest degree that is left and takes, one by one, whoever
costs least: ``alpha`` times the generalization of the class with that person in it (NGIL of the class
alone, over the ranges of the whole network), plus ``beta`` times the mean distance of that person's
neighbourhood to those of the members, where the two ends of a pair are left out of both. The last class,
if it stays too small, is dispersed over the others at the same costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import Crowd, describe
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, ClusterFirst, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.social.starts import queue_of

__all__ = ["SaNGreeA"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class SaNGreeA(ClusterFirst):
    """Grow classes of k greedily, by what the class would say and how alike its ties are.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    yes     yes     yes         not looked at
    ======  ======  ==========  =================

    Source: A. Campan and T. M. Truta, A Clustering Approach for Data and Structural Anonymity in Social
    Networks, 2008.

    Examples
    --------
    >>> SaNGreeA(beta=0.25)
    SaNGreeA(alpha=0.5, beta=0.25, seed='max_degree', measure='height')
    """

    about: ClassVar[About] = About(
        name="sangreea",
        paper="Campan and Truta, A Clustering Approach for Data and Structural Anonymity in Social Networks, 2008",
        guarantee="every supernode has at least k people",
        ties=True,
    )

    alpha: float = parameter(0.5, "weight of generalizing attributes", low=0)
    beta: float = parameter(0.5, "weight of structural distance (0 ignores ties)", low=0)
    seed: Literal["max_degree", "random", "first"] = parameter(
        "max_degree", "who starts a class: the best connected, anyone, or the first person left",
        choices=("max_degree", "random", "first"),
    )
    measure: Literal["height", "leaves"] = parameter(
        "height", "what generalizing a category costs: its share of the height, or of the leaves",
        choices=("height", "leaves"),
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return classes of k, the last of them dispersed if it is too small."""
        need = needs(graph, requirement)
        crowd = describe(graph, categorical=self.measure, snapped=True)
        classes = self._grow(crowd, need, queue_of(graph, self.seed, rng))
        labels = np.full(graph.n, -1, dtype=np.int64)
        last = classes[-1]
        too_small = len(classes) > 1 and len(last) < need[last].max()
        kept = classes[:-1] if too_small else classes
        for label, members in enumerate(kept):
            labels[members] = label
        if too_small:
            self._disperse(crowd, last, labels, len(kept))
        return raised(graph, labels, need)

    def _grow(self, crowd: Crowd, need: Ints, queue: Ints) -> list[NDArray[np.int32]]:
        from graphanon.kernels.greedy import grow

        n, q = crowd.codes.shape
        rest, taken = np.arange(n, dtype=np.int32), np.zeros(n, dtype=bool)
        first, last = np.empty(q, dtype=np.int32), np.empty(q, dtype=np.int32)
        table, weight = np.empty(len(crowd.lo)), np.zeros(n, dtype=np.int32)
        seen, members = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
        classes: list[NDArray[np.int32]] = []
        left = n
        for start in queue.tolist():
            if taken[start]:
                continue
            size, left = grow(crowd, float(self.alpha), float(self.beta), need, start, rest, left, taken,
                              first, last, table, weight, seen, members)
            classes.append(members[:size].copy())
            advance("grow classes", n - left, n)
        return classes

    def _disperse(self, crowd: Crowd, leftover: NDArray[np.int32], labels: Ints, n_classes: int) -> None:
        """Put each of the people left over into the class where it costs least."""
        from graphanon.kernels.greedy import place

        n, q = crowd.codes.shape
        kept = np.flatnonzero(labels >= 0)
        first = np.full((n_classes, q), np.iinfo(np.int32).max, dtype=np.int32)
        last = np.full((n_classes, q), -1, dtype=np.int32)
        np.minimum.at(first, labels[kept], crowd.codes[kept])
        np.maximum.at(last, labels[kept], crowd.codes[kept])
        degree = np.diff(crowd.indptr)
        sizes = np.bincount(labels[kept], minlength=n_classes).astype(np.int64)
        degrees = np.zeros(n_classes, dtype=np.int64)
        np.add.at(degrees, labels[kept], degree[kept])
        bound, weight = np.zeros(n_classes, dtype=np.int64), np.zeros(n, dtype=np.int32)
        seen = np.empty(n, dtype=np.int32)
        for done, x in enumerate(leftover.tolist()):
            place(crowd, float(self.alpha), float(self.beta), x, labels, sizes, degrees, first, last, bound,
                  weight, seen)
            advance("disperse the rest", done + 1, len(leftover))
