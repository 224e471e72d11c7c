"""The dissimilarity of mixed records, and SemiAnony's inner loops on it.

Attributes of which both records have a value count alike, each from 0 to 1: names differ or not, numbers and ranks
by their distance on a scale of length 1. Where a value says only that something is present, two who lack it are
not compared. Nothing is stored for pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.rows import TOLERANCE

__all__ = ["Gower", "Semi", "grow", "make_room", "next_seed", "place", "refresh", "row", "sums_of"]

Flags = NDArray[np.bool_]
# sums run over everyone, and so do their rounding errors
SUM_TOLERANCE = 1e-9


class Gower(NamedTuple):
    """Records on scales.

    ``codes[v, f]`` is the position of a value in the line of distinct ones; those of attribute f lie from ``start[f]``
    to ``start[f + 1]``. ``scale`` of a position is -1 where missing, a number of its own for each name, else from 0 to
    1. ``name[f]`` tells names, ``one_sided[f]`` attributes of which 0 is an absence; `whole` that every pair of values
    can be compared. `undefined` is how far records lie apart that have nothing to compare. Working memory for one
    record: how far each value lies from its own, ``far``, and whether they are compared, ``seen``.
    """

    codes: Shorts
    start: Ints
    scale: Floats
    name: Flags
    one_sided: Flags
    whole: bool
    undefined: float
    far: Floats
    seen: Shorts


@kernel
def _measure(gower: Gower, v: Index) -> None:
    """Measure how far every value lies from those of record `v`."""
    for f in range(gower.codes.shape[1]):
        a = gower.scale[gower.codes[v, f]]
        for c in range(gower.start[f], gower.start[f + 1]):
            b = gower.scale[c]
            gower.seen[c] = a >= 0 and b >= 0 and not (gower.one_sided[f] and a == 0 and b == 0)
            if not gower.seen[c]:
                gower.far[c] = 0.0
            elif gower.name[f]:
                gower.far[c] = 1.0 if a != b else 0.0
            else:
                gower.far[c] = abs(a - b)


@kernel
def row(gower: Gower, v: Index, who: Shorts, m: int, out: Floats) -> None:
    """Write how far each of ``who[:m]`` lies from record `v`, 0 to 1, or -1 if there is nothing to compare."""
    _measure(gower, v)
    codes, far, seen, q = gower.codes, gower.far, gower.seen, gower.codes.shape[1]
    for i in range(m):
        u, total, compared = who[i], 0.0, 0
        for f in range(q):
            total += far[codes[u, f]]
        if gower.whole:
            compared = q
        else:
            for f in range(q):
                compared += seen[codes[u, f]]
        out[i] = total / compared if compared else -1.0


@kernel
def _known(gower: Gower, far: float) -> float:
    return far if far >= 0 else gower.undefined


@kernel
def sums_of(
    gower: Gower, weight: Ints, everyone: Shorts, start: int, stop: int, out: Floats, sums: Floats, holes: Ints
) -> None:
    """Add up the distances from every point to everyone, in pairs of which the earlier is one of `start` ... `stop`.

    Those of which there is nothing to compare are counted in `holes` instead. `everyone` is 0 ... u - 1, `out`
    float64[u] working memory.
    """
    for v in range(start, stop):
        row(gower, v, everyone[v:], len(weight) - v, out)
        for u in range(v, len(weight)):
            far, here, there = out[u - v], weight[v], weight[u]
            if u == v:
                here, there = here - 1, 0
            if far >= 0:
                sums[v] += there * far
                sums[u] += here * far
            else:
                holes[v] += there
                holes[u] += here


class Semi(NamedTuple):
    """Who is left, and what may not become too frequent.

    ``left[p]`` people of point p are in no class, `rest` lists the points that have any, the first ``n_rest[0]`` of
    it. ``high[p, s]`` is the place in `cap` of the value whose share is bounded, -1 of one that is not. ``sums[p]`` is
    the distance to everyone. Working memory: ``far[p]`` to the class that grows, ``inside`` its values,
    ``taken[p]`` of its points ``members``; `out` a row of distances.
    """

    gower: Gower
    need: Ints
    high: Ints
    cap: Floats
    left: Ints
    rest: Shorts
    n_rest: Ints
    sums: Floats
    far: Floats
    inside: Ints
    out: Floats
    members: Shorts
    taken: Ints


@kernel
def _fits(high: Ints, cap: Floats, inside: Ints, v: Index, size: Index) -> bool:
    """Return whether a class of `size` may have one more with the values of point `v`."""
    for s in range(high.shape[1]):
        value = high[v, s]
        if value >= 0 and inside[value] + 1 > np.floor(cap[value] * size + 1e-9):
            return False
    return True


@kernel
def next_seed(semi: Semi) -> int:
    """Return the point left with the least sum that may be in a class of the size that it needs, or -1."""
    semi.inside[:] = 0
    found, least = -1, np.inf
    for i in range(semi.n_rest[0]):
        p = np.int64(semi.rest[i])
        if semi.sums[p] < least - SUM_TOLERANCE and _fits(semi.high, semi.cap, semi.inside, p, semi.need[p]):
            found, least = p, semi.sums[p]
    return found


@kernel
def _nearest(semi: Semi, target: int) -> Index:
    """Return the nearest point that a class growing to `target` may take, of equals the first; -1 if there is none."""
    found: Index = -1
    least = np.inf
    for i in range(semi.n_rest[0]):
        p = np.int64(semi.rest[i])
        if semi.left[p] == 0 or semi.far[p] >= least - TOLERANCE:
            continue
        if _fits(semi.high, semi.cap, semi.inside, p, max(target, semi.need[p])):
            found, least = p, semi.far[p]
    return found


@kernel
def _admit(semi: Semi, v: Index, points: int) -> int:
    """Take one person of point `v`; return the number of points in the class."""
    semi.left[v] -= 1
    semi.taken[v] += 1
    for s in range(semi.high.shape[1]):
        if semi.high[v, s] >= 0:
            semi.inside[semi.high[v, s]] += 1
    if semi.taken[v] > 1:
        return points
    semi.members[points] = v
    return points + 1


@kernel
def _draw_near(semi: Semi, v: Index) -> None:
    """Add the distances to point `v`."""
    row(semi.gower, v, semi.rest, semi.n_rest[0], semi.out)
    for i in range(semi.n_rest[0]):
        semi.far[semi.rest[i]] += _known(semi.gower, semi.out[i])


@kernel
def _give_back(semi: Semi, points: int) -> None:
    for i in range(points):
        p = np.int64(semi.members[i])
        semi.left[p] += semi.taken[p]
        semi.taken[p] = 0


@kernel
def _compact(semi: Semi) -> None:
    kept = 0
    for i in range(semi.n_rest[0]):
        if semi.left[semi.rest[i]] > 0:
            semi.rest[kept] = semi.rest[i]
            kept += 1
    semi.n_rest[0] = kept


@kernel
def grow(semi: Semi, seed: int, *, average: bool) -> tuple[int, int]:
    """Grow a class from a person of point `seed` to the size that its members need, by distance from the seed.

    With `average` the distance to all members counts. Returns of how many points it is, ``members`` with ``taken``, and
    how many people it lacks; if any, it is empty again.
    """
    semi.inside[:] = 0
    semi.far[:] = 0.0
    v: Index = seed
    people, points, target = 0, 0, 1
    while v >= 0:
        points = _admit(semi, v, points)
        people, target = people + 1, max(target, semi.need[v])
        if people >= target:
            _compact(semi)
            return points, 0
        if people == 1 or average:
            _draw_near(semi, v)
        v = _nearest(semi, target)
    _give_back(semi, points)
    return 0, target - people


@kernel
def refresh(semi: Semi, who: Shorts, count: Ints) -> None:
    """Take the distances to `count` people of each point `who` from the sums of those left."""
    for m in range(len(who)):
        row(semi.gower, np.int64(who[m]), semi.rest, semi.n_rest[0], semi.out)
        for i in range(semi.n_rest[0]):
            # of the same point, too, one person left has this distance to each that went
            semi.sums[semi.rest[i]] -= count[m] * _known(semi.gower, semi.out[i])


@kernel
def _enter(high: Ints, v: Index, d: Index, sizes: Ints, inside: Ints) -> None:
    sizes[d] += 1
    for s in range(high.shape[1]):
        if high[v, s] >= 0:
            inside[d, high[v, s]] += 1


@kernel
def _closest(gower: Gower, v: Index, centres: Shorts, sizes: Ints, joined: Flags, but: int, out: Floats) -> int:
    """Return the class whose centre is nearest to point `v`, of equals the first; -1 if `but` is the only one.

    Classes that are `joined` already come after all others, so that none swallows its surroundings.
    """
    row(gower, v, centres, len(centres), out)
    found, least = -1, np.inf
    for d in range(len(centres)):
        far = _known(gower, out[d]) + (2.0 if joined[d] else 0.0)
        if sizes[d] > 0 and d != but and far < least - TOLERANCE:
            found, least = d, far
    return found


@kernel
def place(
    gower: Gower, high: Ints, cap: Floats, v: int, centres: Shorts, sizes: Ints, inside: Ints, out: Floats
) -> int:
    """Put a person of point `v` into the class with the nearest centre that may take them, of equals the first.

    Class d has ``sizes[d]`` people, 0 if it is no more, of whom ``inside[d]`` have each value; both are kept up to
    date. `out` float64[K] is working memory. Returns the class, or -1.
    """
    found, least = -1, np.inf
    row(gower, v, centres, len(centres), out)
    for d in range(len(centres)):
        far = _known(gower, out[d])
        if sizes[d] > 0 and far < least - TOLERANCE and _fits(high, cap, inside[d], v, sizes[d] + 1):
            found, least = d, far
    if found >= 0:
        _enter(high, v, found, sizes, inside)
    return found


@kernel
def make_room(
    gower: Gower, high: Ints, cap: Floats, v: int, centres: Shorts, sizes: Ints, inside: Ints, into: Ints,
    joined: Flags, out: Floats
) -> int:
    """Put a person of point `v` into the nearest class, joined with those nearest to it until it may take them.

    ``into[d]`` tells the class that class d became part of, ``joined[d]`` whether others became part of it. Returns the class; if not even everyone may, that.
    """
    c = _closest(gower, v, centres, sizes, joined, -1, out)
    while not _fits(high, cap, inside[c], v, sizes[c] + 1):
        d = _closest(gower, np.int64(centres[c]), centres, sizes, joined, c, out)
        if d < 0:
            break
        into[d] = c
        joined[c] = True
        sizes[c] += sizes[d]
        sizes[d] = 0
        inside[c] += inside[d]
    _enter(high, v, c, sizes, inside)
    return c
