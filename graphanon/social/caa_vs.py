"""CAA-VS: grow classes of k around the best connected people left, by similarity.

A reconstruction. PAS-CAA's paper (Liu, Dong, Li, Zhang, Liu and Li, 2022) compares itself with CAA-VS and says little
of it. The likely source is Jiang and others, a clustering anonymity approach for publishing graph data,
Journal of Software 28(9), 2017 (in Chinese), whose abstract tells of supernodes of at least k people clustered
by ties and attributes together (VS, vertex similarity). So it is read as SaNGreeA's loop with the
comprehensive similarity in place of its cost: a class starts with the person of highest degree that is left
and takes, one by one, whoever is most similar to it. When fewer than k people are left, each goes to the
class that is most similar to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import Crowd, describe
from graphanon.density import batches, row_steps
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.social.gathering import BySimilarity, Gathering, mode_of
from graphanon.social.starts import queue_of

__all__ = ["CaaVs"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class CaaVs(BySimilarity):
    """Grow classes of k by similarity of friends and attributes (a reconstruction).

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    yes     yes     yes         not looked at
    ======  ======  ==========  =================

    Source: reconstructed from Liu, Dong, Li, Zhang, Liu and Li, Personalized arithmetic sequence clustering
    anonymous allocation algorithm for social network data, 2022, and the abstract of Jiang and others, 2017.

    Examples
    --------
    >>> CaaVs(seed="first").beta
    0.5
    """

    about: ClassVar[About] = About(
        name="caa-vs",
        paper="reconstruction of the CAA-VS named in Liu, Dong, Li, Zhang, Liu and Li, Personalized arithmetic "
        "sequence clustering anonymous allocation algorithm for social network data, 2022; likely Jiang and others, 2017",
        guarantee="every supernode has at least k people",
        ties=True,
    )

    seed: Literal["max_degree", "random", "first"] = parameter(
        "max_degree", "who starts a class: the best connected, anyone, or the first person left",
        choices=("max_degree", "random", "first"),
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return classes of k, with whom was left over in the most similar ones."""
        need = needs(graph, requirement)
        crowd = describe(graph, categorical=self.categorical, closed=self.closed)
        classes = self._grow(crowd, need, queue_of(graph, self.seed, rng))
        rest = classes.pop() if len(classes) > 1 and len(classes[-1]) < need[classes[-1]].max() else classes[0][:0]
        gathering = Gathering(crowd, self.beta, self.supernode, np.array([c[0] for c in classes]))
        for label, members in enumerate(classes):
            gathering.labels[members] = label
            gathering.sizes[label] = len(members)
        gathering.join(np.sort(rest))
        return raised(graph, gathering.labels, need)

    def _grow(self, crowd: Crowd, need: Ints, queue: Ints) -> list[Ints]:
        """Return the classes, each in the order in which people came; the last may be too small."""
        n = len(need)
        grower = _Grower(crowd, float(self.beta), mode_of(self.supernode), need)
        classes: list[Ints] = []
        for start in queue.tolist():
            if grower.rest[start]:
                classes.append(grower.grow(start))
                advance("grow classes", n - int(grower.rest.sum()), n)
        return classes


class _Grower:
    """Who is left, and the room in which a class grows from them."""

    def __init__(self, crowd: Crowd, beta: float, mode: int, need: Ints) -> None:
        from graphanon.kernels.rows import room_for

        n, q = crowd.codes.shape
        self.crowd, self.beta, self.mode, self.need = crowd, beta, mode, need
        self.rest = np.ones(n, dtype=bool)
        self.room, self.score = room_for(crowd), np.empty(n)
        self.members = np.empty(n, dtype=np.int32)
        # how many may join between two chances to interrupt
        self.chunk = batches(n, row_steps(crowd, n, q))[0][1]

    def grow(self, start: int) -> Ints:
        """Return the class that `start` begins, as large as each member needs, or as there are people left."""
        from graphanon.kernels.supernodes import fill

        self.members[0] = start
        self.rest[start] = False
        pool = np.flatnonzero(self.rest).astype(np.int32)
        m, p, target = 1, len(pool), int(self.need[start])
        while m < target and p:
            target = min(target, len(self.need))
            before = m
            m, p = fill(self.crowd, self.beta, self.mode, self.members, m, min(target, m + self.chunk), start, pool, p,
                        self.room, self.score)
            target = max(target, int(self.need[self.members[before:m]].max()))
            advance("grow a class", m, max(m, target))
        grown = self.members[:m].astype(np.int64)
        self.rest[grown] = False
        return grown
