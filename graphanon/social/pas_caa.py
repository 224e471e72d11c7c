"""PAS-CAA: dense supernodes are made larger, their least sizes an arithmetic sequence.

Liu Zhenpeng, Dong Shuhui, Li Zeyuan, Zhang Qingwen, Liu Jiahang and Li Xiaofei, *Personalized arithmetic
sequence clustering anonymous allocation algorithm for social network data*, Journal of Zhengzhou University
(Natural Science Edition) 54(1), 2022 (in Chinese).

Comprehensive similarity S(v, u) weighs common friends (``beta``) against attributes. Nc people that lie
densely and far from each other start a supernode each (algorithm 1); everyone joins the most similar one;
supernodes below k are dissolved; those as dense as ``rho_theta`` are *sensitive*. The others give what
they have beyond k to the sensitive ones, which, the densest first, take up to 2k, 2k + d, 2k + 2d, …
people, never fewer than 3k/2 (equation 6). What nobody takes joins again, up to ``Im`` rounds.

The text of the paper has lost most of its displayed formulas. What it leaves open is a parameter here;
the defaults are the readings that keep every definition sound. Where the surplus does not reach, a
sensitive supernode stays below its target: :meth:`PasCaa.cluster` tells which, and ``strict_targets``
dissolves supernodes that are not sensitive until it does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import Crowd, describe
from graphanon.density import (
    TOLERANCE,
    batches,
    clustering,
    local_density,
    nearest_others,
    ranked,
    row_steps,
)
from graphanon.domain import Floats
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, ClusterFirst, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement

__all__ = ["PasCaa", "Supernodes", "centres", "least_sizes"]

Ints = NDArray[np.int64]
Aggregate = Literal["max", "sum", "last"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Supernodes:
    """What PAS-CAA found: the supernode of each person, and how it came to be.

    Supernodes are numbered as their `seeds` were chosen, without those dissolved. `density` float64[K] is that of the
    last round; `sensitive` lists the dense ones, the densest first, `targets` the sizes they should reach,
    `short` those that did not.
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
class PasCaa(ClusterFirst):
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

    beta: float = parameter(0.5, "weight of common friends against attributes", low=0, high=1)
    Nc: int | None = parameter(None, "supernodes to begin with; none is people // k", low=1)
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
    Im: int = parameter(5, "most rounds", low=1)
    aggregate: Literal["max", "sum", "last"] = parameter(
        "max", "similarity to the starts already chosen: to the nearest, summed, or to the last alone",
        choices=("max", "sum", "last"),
    )
    supernode: Literal["mean", "max", "centre"] = parameter(
        "mean", "similarity to a supernode: mean or largest to its members, or that to its start",
        choices=("mean", "max", "centre"),
    )
    density: Literal["normalised", "count", "jaccard", "snndpc"] = parameter(
        "normalised", "how neighbours shared with one's nearest are counted",
        choices=("normalised", "count", "jaccard", "snndpc"),
    )
    include_self: bool = parameter(default=True, text="whether people count among those near themselves")
    categorical: Literal["height", "exact", "path"] = parameter(
        "height", "similarity of categories: by the height where they meet, equal or not, by path length",
        choices=("height", "exact", "path"),
    )
    closed: bool = parameter(default=False, text="whether people count among their own friends")
    strict_targets: bool = parameter(
        default=False, text="dissolve supernodes until every sensitive one reaches its target"
    )
    literal: bool = parameter(
        default=False, text="the paper's words alone: a start is compared with the last one, targets are not "
        "enforced, friends and similarity as printed",
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the supernodes; the floor of a sensitive one is its target, as far as it was reached."""
        del rng  # nothing is left to chance
        found = self.cluster(graph, requirement)
        sizes = np.bincount(found.labels)
        floors = np.full(len(sizes), requirement.k, dtype=np.int64)
        floors[found.sensitive] = np.minimum(found.targets, sizes[found.sensitive])
        return raised(graph, found.labels, needs(graph, requirement), floors)

    def cluster(self, graph: AttributedGraph, requirement: Requirement) -> Supernodes:
        """Return the supernodes with their seeds, densities, targets and shortfall."""
        own, k, n = self._reading(), requirement.k, graph.n
        crowd = describe(graph, categorical=own.categorical, closed=own.closed)
        near = nearest_others(crowd, float(own.beta), min(own.K_nn or k, n - 1))
        rho = local_density(near, own.density, include_self=own.include_self)
        merit = 1 + rho * clustering(graph)
        count = min(own.Nc or n // k, n)
        high = _candidates(own, merit, count)
        seeds = centres(crowd, merit, high, count=count, beta=own.beta, aggregate=own.aggregate)
        return _Search(crowd, own, rho, seeds).run(k)

    def _reading(self) -> PasCaa:
        if not self.literal:
            return self
        return replace(self, literal=False, aggregate="last", supernode="mean", strict_targets=False, closed=False)


def _candidates(own: PasCaa, merit: Floats, count: int) -> Ints:
    """Return who may start a supernode, in order: at least `count` people."""
    order = ranked(merit)
    if own.theta_c == "top":
        enough = int(np.ceil(own.theta_level * len(merit)))
    else:
        threshold = _threshold(own.theta_c, own.theta_level, merit)
        enough = int((merit >= threshold - TOLERANCE).sum())
    return np.sort(order[: max(enough, count, 1)])


def _threshold(rule: float | str, level: float, values: Floats) -> float:
    if rule == "mean":
        return float(values.mean())
    if rule == "median":
        return float(np.median(values))
    return float(np.quantile(values, level)) if rule == "quantile" else float(rule)


def centres(
    crowd: Crowd, merit: Floats, high: Ints, *, count: int, beta: float = 0.5, aggregate: Aggregate = "max"
) -> Ints:
    """Return `count` of the people `high` that lie far from each other, the one of most merit first.

    Each next one is the least similar to those before, by `aggregate`, and of these the one of most `merit`
    (algorithm 1).
    """
    from graphanon.kernels.rows import room_for, row

    room, pool = room_for(crowd), high.astype(np.int32)
    worth = merit[high]
    free = np.ones(len(pool), dtype=bool)
    likeness = np.zeros(len(pool)) if aggregate == "sum" else np.full(len(pool), -np.inf)
    chosen = [int(ranked(worth)[0])]
    while len(chosen) < count:
        free[chosen[-1]] = False
        row(crowd, float(beta), int(pool[chosen[-1]]), pool, len(pool), room)
        new = room.out[: len(pool)]
        if aggregate == "max":
            np.maximum(likeness, new, out=likeness)
        else:
            likeness = likeness + new if aggregate == "sum" else new.copy()
        far = np.flatnonzero(free)
        far = far[likeness[far] <= likeness[far].min() + TOLERANCE]
        chosen.append(int(far[ranked(worth[far])[0]]))
        advance("choose centres", len(chosen), count)
    return high[chosen]


class _Search:
    """Supernodes in the making: who is in which, under the creation index of its seed."""

    def __init__(self, crowd: Crowd, own: PasCaa, rho: Floats, seeds: Ints) -> None:
        from graphanon.kernels.rows import room_for
        from graphanon.kernels.supernodes import CENTRE, MAX, MEAN

        n = len(crowd.codes)
        self.crowd, self.own, self.rho, self.seeds = crowd, own, rho, seeds
        self.beta = float(own.beta)
        self.mode = {"mean": MEAN, "max": MAX, "centre": CENTRE}[own.supernode]
        self.room = room_for(crowd)
        self.centres = seeds.astype(np.int32)
        self.labels = np.full(n, -1, dtype=np.int64)
        self.labels[seeds] = np.arange(len(seeds))
        self.sizes = np.ones(len(seeds), dtype=np.int64)
        self.score, self.peer = np.empty(n), np.empty(n, dtype=np.int32)

    def run(self, k: int) -> Supernodes:
        """Return the supernodes after at most Im rounds (algorithm 3)."""
        rank = self._order()
        free = np.flatnonzero(self.labels < 0)
        rounds = 0
        while True:
            rounds += 1
            self.join(free[np.argsort(rank[free])])
            self.dissolve_below(k)
            density = self.densities()
            sensitive, targets, free = self.redistribute(k, density)
            if not len(free) or rounds == self.own.Im:
                break
        self.join(free[np.argsort(rank[free])])
        return self._found(density, sensitive, targets, rounds)

    def _order(self) -> Ints:
        """Return everyone's place in the queue: who is most similar to a seed comes first."""
        from graphanon.kernels.nearest import closest

        n, q = self.crowd.codes.shape
        best = np.empty(n)
        for start, stop in batches(n, row_steps(self.crowd, len(self.seeds), q)):
            closest(self.crowd, self.beta, start, stop, self.centres, self.room, best)
            advance("similarity matrix", stop, n)
        rank = np.empty(n, dtype=np.int64)
        rank[ranked(best)] = np.arange(n)
        return rank

    def join(self, queue: Ints) -> None:
        """Put each of the queue in turn into the most similar supernode."""
        from graphanon.kernels.supernodes import join

        n, q = self.crowd.codes.shape
        waiting = queue.astype(np.int32)
        inside = np.flatnonzero(self.labels >= 0)
        who = np.empty(n, dtype=np.int32)
        who[: len(inside)] = inside
        m = len(inside)
        score = np.empty(len(self.sizes))
        for start, stop in batches(len(waiting), row_steps(self.crowd, n, q)):
            m = join(self.crowd, self.beta, self.mode, waiting, start, stop, who, m, self.labels, self.sizes,
                     self.centres, self.room, score)
            advance("join supernodes", stop, len(waiting))

    def alive(self) -> Ints:
        """Return the supernodes that have members."""
        return np.flatnonzero(self.sizes)

    def take_apart(self, x: int) -> Ints:
        """Return the members of a supernode after its end."""
        members = np.flatnonzero(self.labels == x)
        self.labels[members] = -1
        self.sizes[x] = 0
        return members

    def dissolve_below(self, k: int) -> None:
        """Spread the members of the smallest supernode over the others until none is below k."""
        while True:
            alive = self.alive()
            x = int(alive[np.argmin(self.sizes[alive])])
            if self.sizes[x] >= k or len(alive) == 1:
                return
            self.join(self.take_apart(x))

    def densities(self) -> Floats:
        """Return the mean local density of each supernode, 0 of one that has no members."""
        total = np.bincount(self.labels, weights=self.rho, minlength=len(self.sizes))
        return np.asarray(total / np.maximum(self.sizes, 1))

    def redistribute(self, k: int, density: Floats) -> tuple[Ints, Ints, Ints]:
        """Move what the others have beyond k to the sensitive ones, the densest first.

        Returns the sensitive supernodes in that order, their targets, and who is left in no supernode.
        """
        alive = self.alive()
        threshold = _threshold(self.own.rho_theta, self.own.rho_level, density[alive])
        dense = density[alive] >= threshold - TOLERANCE
        sensitive, others = alive[dense], alive[~dense]
        sensitive = sensitive[ranked(density[sensitive])]
        targets = least_sizes(k, self.own.d, len(sensitive))
        pool = np.concatenate([np.empty(0, dtype=np.int64), *(self.shed(x, k) for x in others.tolist())])
        pool = self.fill(sensitive, targets, pool)
        if self.own.strict_targets:
            pool = self._enforce(sensitive, targets, others[ranked(-density[others])], pool)
        return sensitive, targets, pool

    def _enforce(self, sensitive: Ints, targets: Ints, others: Ints, pool: Ints) -> Ints:
        """Dissolve the others, the least dense first, until every target is reached or none is left."""
        for x in others.tolist():
            if (self.sizes[sensitive] >= targets).all():
                break
            pool = self.fill(sensitive, targets, np.concatenate([pool, self.take_apart(x)]))
        return pool

    def shed(self, x: int, least: int) -> Ints:
        """Take the least similar members out of a supernode until `least` are left."""
        from graphanon.kernels.supernodes import shed, within

        members = np.flatnonzero(self.labels == x).astype(np.int32)
        m, q = len(members), self.crowd.codes.shape[1]
        if m <= least:
            return np.empty(0, dtype=np.int64)
        centre = int(self.centres[x])
        for start, stop in batches(m, row_steps(self.crowd, m, q)):
            within(self.crowd, self.beta, self.mode, members, start, stop, centre, self.room, self.score, self.peer)
            advance("similarity within", stop, m)
        for start, stop in batches(m - least, row_steps(self.crowd, m, q)):
            shed(self.crowd, self.beta, self.mode, members, m - start, m - stop, self.room, self.score, self.peer)
            advance("give up members", stop, m - least)
        gone = members[least:].astype(np.int64)
        self.labels[gone] = -1
        self.sizes[x] = least
        return gone

    def fill(self, sensitive: Ints, targets: Ints, pool: Ints) -> Ints:
        """Let each sensitive supernode take from the pool up to its target; return who is left."""
        from graphanon.kernels.supernodes import fill

        left = np.sort(pool).astype(np.int32)
        p = len(left)
        for done, (x, target) in enumerate(zip(sensitive.tolist(), targets.tolist(), strict=True)):
            m = int(self.sizes[x])
            if m >= target or p == 0:
                continue
            members = np.empty(target, dtype=np.int32)
            members[:m] = np.flatnonzero(self.labels == x)
            size, p = fill(self.crowd, self.beta, self.mode, members, m, target, int(self.centres[x]), left, p,
                           self.room, self.score)
            self.labels[members[m:size]] = x
            self.sizes[x] = size
            advance("fill sensitive supernodes", done + 1, len(sensitive))
        return left[:p].astype(np.int64)

    def _found(self, density: Floats, sensitive: Ints, targets: Ints, rounds: int) -> Supernodes:
        alive = self.alive()
        number = np.full(len(self.sizes), -1, dtype=np.int64)
        number[alive] = np.arange(len(alive))
        return Supernodes(labels=number[self.labels], seeds=self.seeds[alive], density=density[alive],
                          sensitive=number[sensitive], targets=targets, rounds=rounds)
