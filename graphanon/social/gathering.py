"""Supernodes in the making, by similarity: people join them, leave them, and go on to others.

The parameters and steps that methods with a comprehensive similarity share: PAS-CAA as printed, its predecessor
Adaptive-Dense-Cfs, and CAA-VS. A supernode is known by the index of the start it was made from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Crowd
from graphanon.density import batches, ranked, row_steps
from graphanon.domain import Floats
from graphanon.method import ClusterFirst, parameter
from graphanon.progress import advance

__all__ = ["BySimilarity", "Gathering", "Likeness", "mode_of"]

Ints = NDArray[np.int64]
Likeness = Literal["mean", "max", "centre"]


@dataclass(frozen=True, kw_only=True)
class BySimilarity(ClusterFirst):
    """A method that puts people with whom they resemble, in friends and attributes together."""

    beta: float = parameter(0.5, "weight of common friends against attributes", low=0, high=1)
    supernode: Literal["mean", "max", "centre"] = parameter(
        "mean", "similarity to a supernode: mean or largest to its members, or that to its start",
        choices=("mean", "max", "centre"),
    )
    categorical: Literal["height", "exact", "path"] = parameter(
        "height", "similarity of categories: by the height where they meet, equal or not, by path length",
        choices=("height", "exact", "path"),
    )
    closed: bool = parameter(default=False, text="whether people count among their own friends")


def mode_of(likeness: Likeness) -> int:
    """Return the kernels' number of a way to compare a person with a supernode."""
    from graphanon.kernels.supernodes import CENTRE, MAX, MEAN

    return {"mean": MEAN, "max": MAX, "centre": CENTRE}[likeness]


class Gathering:
    """Who is in which supernode, and the steps that change it.

    `labels` int64[n] are -1 for people in none; `sizes` int64[K] are 0 of supernodes that were dissolved.
    """

    def __init__(self, crowd: Crowd, beta: float, likeness: Likeness, starts: Ints) -> None:
        from graphanon.kernels.rows import room_for

        n = len(crowd.codes)
        self.crowd, self.beta, self.mode = crowd, float(beta), mode_of(likeness)
        self.room = room_for(crowd)
        self.centres = starts.astype(np.int32)
        self.labels = np.full(n, -1, dtype=np.int64)
        self.labels[starts] = np.arange(len(starts))
        self.sizes = np.ones(len(starts), dtype=np.int64)
        self.score, self.peer = np.empty(n), np.empty(n, dtype=np.int32)

    def queue(self) -> Ints:
        """Return everyone in the order of joining: who is most similar to a start comes first."""
        from graphanon.kernels.nearest import closest

        n, q = self.crowd.codes.shape
        best = np.empty(n)
        for start, stop in batches(n, row_steps(self.crowd, len(self.sizes), q)):
            closest(self.crowd, self.beta, start, stop, self.centres, self.room, best)
            advance("similarity matrix", stop, n)
        return ranked(best)

    def join(self, people: Ints) -> None:
        """Put each of these people in turn into the most similar supernode."""
        from graphanon.kernels.supernodes import join

        n, q = self.crowd.codes.shape
        waiting = people.astype(np.int32)
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

    def mean_of(self, values: Floats) -> Floats:
        """Return the mean over the members of each supernode of a value a person, 0 of one that has no members."""
        kept = self.labels >= 0
        total = np.bincount(self.labels[kept], weights=values[kept], minlength=len(self.sizes))
        return np.asarray(total / np.maximum(self.sizes, 1))

    def shed(self, x: int, least: int) -> Ints:
        """Take the least similar members out of a supernode until `least` are left, and return them."""
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

    def surplus(self, supernodes: Ints, least: int) -> Ints:
        """Take what these supernodes have beyond `least` out of them, and return all of it."""
        return np.concatenate([np.empty(0, dtype=np.int64), *(self.shed(x, least) for x in supernodes.tolist())])

    def fill(self, supernodes: Ints, targets: Ints, pool: Ints) -> Ints:
        """Let each of these supernodes take from the pool up to its target; return who is left."""
        from graphanon.kernels.supernodes import fill

        left = np.sort(pool).astype(np.int32)
        p = len(left)
        for done, (x, target) in enumerate(zip(supernodes.tolist(), targets.tolist(), strict=True)):
            m = int(self.sizes[x])
            if m >= target or p == 0:
                continue
            members = np.empty(target, dtype=np.int32)
            members[:m] = np.flatnonzero(self.labels == x)
            size, p = fill(self.crowd, self.beta, self.mode, members, m, target, int(self.centres[x]), left, p,
                           self.room, self.score)
            self.labels[members[m:size]] = x
            self.sizes[x] = size
            advance("fill supernodes", done + 1, len(supernodes))
        return left[:p].astype(np.int64)
