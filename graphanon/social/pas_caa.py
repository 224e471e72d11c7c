"""PAS-CAA: dense supernodes are made larger, their least sizes an arithmetic sequence.

Liu Zhenpeng, Dong Shuhui, Li Zeyuan, Zhang Qingwen, Liu Jiahang and Li Xiaofei, *Personalized arithmetic
sequence clustering anonymous allocation algorithm for social network data*, Journal of Zhengzhou University
(Natural Science Edition) 54(1), 2022 (in Chinese).

Comprehensive similarity S(v, u) weighs common friends (``beta``) against attributes. Nc people that lie
densely and far from each other start a supernode each (algorithm 1). Supernodes as dense as ``rho_theta`` are
*sensitive*: the densest first, they have 2k, 2k + d, 2k + 2d, … people, never fewer than 3k/2 (equation 6).
All others have k.

**As printed** (``literal``, algorithms 2 and 3) everyone joins the most similar start. What that leaves below k
is dissolved, one to two thirds of all supernodes, and the rest grow large; the others then give what they have
beyond k to the sensitive ones, which stay below their targets where that does not reach. So only k is
promised. :meth:`PasCaa.cluster` tells who is short, and ``strict_targets`` dissolves supernodes that are
not sensitive until nobody is.

**The sound form**, the default, keeps the seeding, the sensitive supernodes and the sequence, and holds sizes
while supernodes grow. A supernode takes, one by one, the person who raises the total loss least (equation
10), until it has k people. A start that another supernode has taken meanwhile yields to the next. Of these
supernodes the dense ones are sensitive, and go on growing, the densest first, to their targets; so many
supernodes are begun that all targets together ask for no more people than there are. Who is left then goes
where the loss rises least. A target is met always, and is the floor of its supernode: whatever refines the
partition later keeps it. No target asks for more people than there are.

The text of the paper has lost most of its displayed formulas. What it leaves open is a parameter here;
the defaults are the readings that keep every definition sound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import Crowd, describe
from graphanon.density import TOLERANCE, clustering, local_density, nearest_others, ranked
from graphanon.domain import Floats
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, parameter
from graphanon.refine import Objective
from graphanon.requirement import Requirement
from graphanon.social.gathering import BySimilarity, Gathering
from graphanon.social.growing import Growing, price_of
from graphanon.social.starts import candidates, centres, threshold_of

__all__ = ["PasCaa", "Supernodes", "least_sizes"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Supernodes:
    """What PAS-CAA found: the supernode of each person, and how it came to be.

    Supernodes are numbered as their `seeds` were chosen, without those dissolved. `density` float64[K] is what
    decided who is sensitive; `sensitive` lists the dense ones, the densest first, `targets` the sizes they
    should reach, `short` those that did not.
    """

    labels: Ints
    seeds: Ints
    density: Floats
    sensitive: Ints
    targets: Ints
    rounds: int

    @property
    def short(self) -> Ints:
        """The sensitive supernodes that are smaller than their target."""
        return self.sensitive[np.bincount(self.labels)[self.sensitive] < self.targets]


def least_sizes(k: int, d: int, count: int) -> Ints:
    """Return the target sizes of the sensitive supernodes, the densest first (equation 6).

    Examples
    --------
    >>> least_sizes(4, -1, 5)
    array([8, 7, 6, 6, 6])
    """
    return np.maximum(2 * k + np.arange(count) * d, (3 * k + 1) // 2)


@dataclass(frozen=True, kw_only=True)
class PasCaa(BySimilarity):
    """Cluster by friends and attributes, then let dense supernodes take people from the others.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    yes     yes     yes         not looked at
    ======  ======  ==========  =================

    Source: Liu, Dong, Li, Zhang, Liu and Li, Personalized arithmetic sequence clustering anonymous allocation
    algorithm for social network data, 2022.

    Examples
    --------
    >>> PasCaa(beta=0.1, d=-2).Im
    5
    """

    about: ClassVar[About] = About(
        name="pas-caa",
        paper="Liu, Dong, Li, Zhang, Liu and Li, Personalized arithmetic sequence clustering anonymous allocation "
        "algorithm for social network data, 2022",
        guarantee="every supernode has at least k people, dense ones more",
        ties=True,
    )

    Nc: int | None = parameter(None, "most supernodes to begin with; none is people // k", low=1)
    K_nn: int | None = parameter(None, "nearest others that density looks at; none is k", low=1)
    rho_theta: float | str = parameter(
        "mean", "density from which a supernode is sensitive: a number, or made from theirs",
        choices=("mean", "median", "quantile"),
    )
    rho_level: float = parameter(0.5, "the quantile, where rho_theta is 'quantile'", low=0, high=1)
    theta_c: float | str = parameter(
        "mean", "clustering density from which people may start a supernode: a number, or made from theirs; "
        "'top' is a share of them", choices=("mean", "median", "quantile", "top"),
    )
    theta_level: float = parameter(0.5, "the quantile or share, where theta_c is 'quantile' or 'top'",
                                   low=0, high=1)
    d: int = parameter(-1, "difference of the arithmetic sequence, below 0", low=-1_000_000, high=-1)
    Im: int = parameter(5, "most rounds of the literal form", low=1)
    aggregate: Literal["max", "sum", "last"] = parameter(
        "max", "similarity to the starts already chosen: to the nearest, summed, or to the last alone (as printed)",
        choices=("max", "sum", "last"),
    )
    supernode: Literal["mean", "max", "centre"] = parameter(
        "mean", "similarity to a supernode in the literal form: mean or largest to its members, or that to its start",
        choices=("mean", "max", "centre"),
    )
    density: Literal["normalised", "count", "jaccard", "snndpc"] = parameter(
        "normalised", "how neighbours shared with one's nearest are counted",
        choices=("normalised", "count", "jaccard", "snndpc"),
    )
    include_self: bool = parameter(default=True, text="whether people count among those near themselves")
    strict_targets: bool = parameter(
        default=False, text="in the literal form, dissolve supernodes until every sensitive one reaches its target"
    )
    literal: bool = parameter(
        default=False, text="the steps as printed: sizes are not held, targets may be missed, only k is promised"
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the supernodes; the floor of a sensitive one is its target, in the literal form k."""
        del rng  # nothing is left to chance
        found = self.cluster(graph, requirement)
        floors = np.full(len(found.seeds), requirement.k, dtype=np.int64)
        if not self.literal:
            floors[found.sensitive] = found.targets
        return raised(graph, found.labels, needs(graph, requirement), floors)

    def cluster(self, graph: AttributedGraph, requirement: Requirement) -> Supernodes:
        """Return the supernodes with their seeds, densities, targets and shortfall."""
        k, n = requirement.k, graph.n
        crowd = describe(graph, categorical=self.categorical, closed=self.closed)
        near = nearest_others(crowd, float(self.beta), min(self.K_nn or k, n - 1))
        rho = local_density(near, self.density, include_self=self.include_self)
        merit = 1 + rho * clustering(graph)
        if self.literal:
            seeds = self._seeds(crowd, merit, min(self.Nc or n // k, n))
            return _Literal(Gathering(crowd, self.beta, self.supernode, seeds), self, rho, seeds).run(k)
        # the others follow where a start is in another's supernode already
        order = np.concatenate([self._seeds(crowd, merit, min(self.Nc or n, n // k)), ranked(merit)])
        return self._held(graph, requirement, rho, order)

    def _seeds(self, crowd: Crowd, merit: Floats, count: int) -> Ints:
        high = candidates(merit, count, self.theta_c, self.theta_level)
        return centres(crowd, merit, high, count=count, beta=self.beta, aggregate=self.aggregate)

    def _held(self, graph: AttributedGraph, requirement: Requirement, rho: Floats, order: Ints) -> Supernodes:
        """Return supernodes grown by loss, as many as there are people for; `order` is who may start them."""
        n, k, need, price = graph.n, requirement.k, needs(graph, requirement), price_of(graph, Objective())
        count = min(self.Nc or n, n // k)
        while True:
            growing = Growing(graph, need, price, count)
            seeds = growing.start_all(order, count, k)
            density = growing.mean_of(rho)
            sensitive = self._sensitive(density)
            targets = np.minimum(least_sizes(k, self.d, len(sensitive)), n)
            asked = growing.needed()
            asked[sensitive] = np.maximum(asked[sensitive], targets)
            if count == 1 or asked.sum() <= n:
                break
            count = max(1, min(count - 1, count * n // int(asked.sum())))
        for x, target in zip(sensitive.tolist(), targets.tolist(), strict=True):
            growing.go_on(x, target)
        growing.settle()
        return Supernodes(labels=growing.labels, seeds=seeds, density=density, sensitive=sensitive, targets=targets,
                          rounds=1)

    def _sensitive(self, density: Floats) -> Ints:
        """Return the supernodes as dense as the threshold, the densest first."""
        threshold = threshold_of(self.rho_theta, self.rho_level, density)
        dense = np.flatnonzero(density >= threshold - TOLERANCE)
        return dense[ranked(density[dense])]


class _Literal:
    """Algorithm 3 as printed, on supernodes that people join by similarity."""

    def __init__(self, at: Gathering, own: PasCaa, rho: Floats, seeds: Ints) -> None:
        self.at, self.own, self.rho, self.seeds = at, own, rho, seeds

    def run(self, k: int) -> Supernodes:
        """Return the supernodes after at most Im rounds."""
        queue = self.at.queue()
        rounds = 0
        while True:
            rounds += 1
            self.at.join(queue[self.at.labels[queue] < 0])
            self.at.dissolve_below(k)
            density = self.at.mean_of(self.rho)
            sensitive, targets, left = self._redistribute(k, density)
            if not len(left) or rounds == self.own.Im:
                break
        self.at.join(queue[self.at.labels[queue] < 0])
        return self._found(density, sensitive, targets, rounds)

    def _redistribute(self, k: int, density: Floats) -> tuple[Ints, Ints, Ints]:
        """Move what the others have beyond k to the sensitive ones, the densest first.

        Returns the sensitive supernodes in that order, their targets, and who is left in no supernode.
        """
        alive = self.at.alive()
        sensitive = alive[self.own._sensitive(density[alive])]  # noqa: SLF001  the form of one method
        others = np.setdiff1d(alive, sensitive)
        targets = least_sizes(k, self.own.d, len(sensitive))
        pool = self.at.fill(sensitive, targets, self.at.surplus(others, k))
        if self.own.strict_targets:
            pool = self._enforce(sensitive, targets, others[ranked(-density[others])], pool)
        return sensitive, targets, pool

    def _enforce(self, sensitive: Ints, targets: Ints, others: Ints, pool: Ints) -> Ints:
        """Dissolve the others, the least dense first, until every target is reached or none is left."""
        for x in others.tolist():
            if (self.at.sizes[sensitive] >= targets).all():
                break
            pool = self.at.fill(sensitive, targets, np.concatenate([pool, self.at.take_apart(x)]))
        return pool

    def _found(self, density: Floats, sensitive: Ints, targets: Ints, rounds: int) -> Supernodes:
        alive = self.at.alive()
        number = np.full(len(self.at.sizes), -1, dtype=np.int64)
        number[alive] = np.arange(len(alive))
        return Supernodes(labels=number[self.at.labels], seeds=self.seeds[alive], density=density[alive],
                          sensitive=number[sensitive], targets=targets, rounds=rounds)
