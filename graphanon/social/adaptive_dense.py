"""Adaptive-Dense-Cfs: supernodes around dense people, as many as turn out large enough.

A reconstruction. PAS-CAA's paper (Liu, Dong, Li, Zhang, Liu and Li, 2022) compares itself with a method of this name,
which could not be found; its name, and what that paper builds on it, give PAS-CAA without its stages of
sensitive supernodes: dense people with tied neighbours, far from each other, start supernodes, everyone
joins the most similar one, and those below k are dissolved, so that their number adapts. It is the
baseline that shows what the arithmetic sequence adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import describe
from graphanon.density import clustering, local_density, nearest_others
from graphanon.domain import Floats
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, parameter
from graphanon.requirement import Requirement
from graphanon.social.gathering import BySimilarity, Gathering
from graphanon.social.starts import candidates, centres

__all__ = ["AdaptiveDenseCfs"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class AdaptiveDenseCfs(BySimilarity):
    """Cluster by friends and attributes around dense people; dissolve what is too small (a reconstruction).

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    yes     yes     yes         not looked at
    ======  ======  ==========  =================

    Source: reconstructed from Liu, Dong, Li, Zhang, Liu and Li, Personalized arithmetic sequence clustering
    anonymous allocation algorithm for social network data, 2022, which names it as its predecessor.

    Examples
    --------
    >>> AdaptiveDenseCfs(centres="density").adaptive_nc
    True
    """

    about: ClassVar[About] = About(
        name="adaptive-dense-cfs",
        paper="reconstruction of the Adaptive-Dense-Cfs named in Liu, Dong, Li, Zhang, Liu and Li, Personalized "
        "arithmetic sequence clustering anonymous allocation algorithm for social network data, 2022",
        guarantee="every supernode has at least k people",
        ties=True,
    )

    Nc: int | None = parameter(None, "supernodes to begin with; none is people // k", low=1)
    K_nn: int | None = parameter(None, "nearest others that density looks at; none is k", low=1)
    centres: Literal["density*cfs", "density", "cfs"] = parameter(
        "density*cfs", "what makes a start: density times the ties among neighbours, or one of the two",
        choices=("density*cfs", "density", "cfs"),
    )
    adaptive_nc: bool = parameter(
        default=True, text="dissolve supernodes below k; if false, they take from those that have more than k"
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the supernodes that are large enough."""
        del rng  # nothing is left to chance
        k, n = requirement.k, graph.n
        crowd = describe(graph, categorical=self.categorical, closed=self.closed)
        near = nearest_others(crowd, float(self.beta), min(self.K_nn or k, n - 1))
        merit = self._merit(local_density(near), clustering(graph))
        most = n if self.adaptive_nc else n // k
        count = min(self.Nc or n // k, most)
        seeds = centres(crowd, merit, candidates(merit, count), count=count, beta=self.beta)
        gathering = Gathering(crowd, self.beta, self.supernode, seeds)
        queue = gathering.queue()
        gathering.join(queue[gathering.labels[queue] < 0])
        if self.adaptive_nc:
            gathering.dissolve_below(k)
        else:
            _even_out(gathering, k)
        return raised(graph, gathering.labels, needs(graph, requirement))

    def _merit(self, rho: Floats, cfs: Floats) -> Floats:
        if self.centres == "density*cfs":
            return np.asarray(1 + rho * cfs)
        return rho if self.centres == "density" else cfs


def _even_out(gathering: Gathering, k: int) -> None:
    """Let supernodes below k take the most similar of those whom the others have beyond k."""
    small, large = np.flatnonzero(gathering.sizes < k), np.flatnonzero(gathering.sizes > k)
    left = gathering.fill(small, np.full(len(small), k), gathering.surplus(large, k))
    gathering.join(left)
