"""KACA: join classes that are too small with what distorts them least, up the hierarchies.

J. Li, R. Wong, A. Fu and J. Pei, *Achieving k-Anonymity by Clustering in Attribute Hierarchical Structures*,
DaWaK 2006. Everyone with the same record is a class. While a class is below k, one such class joins the
nearest other: both are told as their closest common generalization, and how near they are is how much that
distorts their members. Distortion counts the levels climbed in each hierarchy, either alike or the more the
nearer they are to the root (weighted hierarchical distance); it adds up along the way, so all joins together cost
what the table then costs.

Where a class meets one that could spare people, it takes only as many as it lacks, a *stub*, and the rest
stays as it was. Numbers without levels cost what they lose of their range. With ``loss="range"`` categories cost
their share of leaves as well, and a join costs exactly what the table loses by it (the reading with which
Zhang et al., 2022, compare COAA).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import Crowd, describe
from graphanon.density import BATCH
from graphanon.domain import Floats, Tree
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, ClusterFirst, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.tabular.points import Points, gather

__all__ = ["Kaca", "level_costs"]

Ints = NDArray[np.int64]


def level_costs(height: int, weights: Literal["uniform", "height"] = "uniform", beta: float = 1.0) -> Floats:
    """Return float64[height + 1], what climbing 0, 1, … levels from a leaf costs; to the root it costs 1.

    `uniform` counts every level alike; by `height` the step into level i, from 1 at the root, weighs
    ``1 / i ** beta``.

    Examples
    --------
    >>> level_costs(2), level_costs(2, "height").round(3)
    (array([0. , 0.5, 1. ]), array([0.   , 0.333, 1.   ]))
    """
    if height == 0:
        return np.zeros(1)
    power = 0.0 if weights == "uniform" else beta
    into = 1.0 / np.arange(height, 0, -1) ** power
    return np.concatenate([np.zeros(1), np.cumsum(into) / into.sum()])


@dataclass(frozen=True, kw_only=True)
class Kaca(ClusterFirst):
    """Join classes that are too small with the nearest, by what their common generalization distorts.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    ignored yes     yes         not looked at
    ======  ======  ==========  =================

    Source: J. Li, R. Wong, A. Fu and J. Pei, Achieving k-Anonymity by Clustering in Attribute Hierarchical
    Structures, 2006.

    Examples
    --------
    >>> Kaca(weights="height", beta=2.0).stub
    True
    """

    about: ClassVar[About] = About(
        name="kaca",
        paper="Li, Wong, Fu and Pei, Achieving k-Anonymity by Clustering in Attribute Hierarchical Structures, 2006",
        guarantee="every class has at least k people",
        ties=False,
    )

    loss: Literal["range", "levels"] = parameter(
        "range", "what generalizing a category costs: its share of the leaves, or the levels climbed",
        choices=("range", "levels"),
    )
    weights: Literal["uniform", "height"] = parameter(
        "uniform", "whether levels count alike, or more the nearer they are to the root", choices=("uniform", "height")
    )
    beta: float = parameter(1.0, "how much more, where weights is 'height'", low=1, high=100)
    stub: bool = parameter(default=True, text="whether a class takes no more than it lacks from one that can spare it")
    choice: Literal["random", "first", "smallest"] = parameter(
        "random", "which class that is too small goes next", choices=("random", "first", "smallest")
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return classes of which none is too small."""
        points = gather(graph, requirement)
        labels = self._merge(points, rng)
        return raised(graph, labels, np.minimum(needs(graph, requirement), graph.n))

    def _merge(self, points: Points, rng: Generator) -> Ints:
        """Return everyone's class."""
        from graphanon.kernels.merging import FIRST, RANDOM, SMALLEST, chains_of, merge_small, owners
        from graphanon.kernels.prices import prices_of

        choice = {"random": RANDOM, "first": FIRST, "smallest": SMALLEST}[self.choice]
        chains = chains_of(prices_of(self._crowd(points.graph)), points.weight, points.need)
        total = int(chains.counts[0])
        going = True
        while going:
            steps = max(1, int(BATCH / (chains.counts[0] * (points.graph.q + 4))))
            going = merge_small(chains, choice, rng.random(steps), stub=self.stub) == steps
            left = int((chains.size < chains.need)[chains.line[: chains.counts[0]]].sum())
            advance("join small classes", total - left, total)
        made = int(chains.counts[1])
        label = np.empty(made, dtype=np.int64)
        owners(chains, label)
        return points.labels(chains.point[:made], chains.people[:made], label)

    def _crowd(self, graph: AttributedGraph) -> Crowd:
        """Return the points with what levels cost."""
        crowd = describe(graph, categorical="leaves", snapped=True)
        if self.loss == "range":
            return crowd
        step = crowd.step.copy()
        for j, domain in enumerate(graph.domains):
            if isinstance(domain, Tree):
                costs = level_costs(domain.height, self.weights, float(self.beta))
                levels = np.minimum(np.arange(step.shape[1]), domain.height)
                step[crowd.start[j] : crowd.start[j + 1]] = costs[levels] / 2
        return crowd._replace(step=step)

