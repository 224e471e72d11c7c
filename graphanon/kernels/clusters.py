"""GAA-CP's inner loops: grow a class by the point that costs least, and place people that are left over.

``left[p]`` people of point p are in no class; ``rest[:n_rest]`` lists the points that have any, in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphanon.closeness import Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.prices import Prices, apart, join
from graphanon.kernels.rows import TOLERANCE, price

__all__ = ["AFTER", "INCREMENT", "MEAN", "Growing", "farthest", "first_left", "grow", "growing_of", "nth_left", "place"]

INCREMENT, AFTER, MEAN = 0, 1, 2


class Growing(NamedTuple):
    """Who is left, and working memory for the class that grows.

    ``first`` and ``last`` are its box, ``table`` the price of the box joined with each value, ``far[p]`` the
    distance of point p to its members, summed. ``taken[p]`` people of ``members[:size]`` are in it.
    """

    prices: Prices
    need: Ints
    left: Ints
    rest: Shorts
    n_rest: Ints
    first: Shorts
    last: Shorts
    table: Floats
    far: Floats
    members: Shorts
    taken: Ints


def growing_of(prices: Prices, weight: Ints, need: Ints) -> Growing:
    """Return the state in which everyone is left; `weight` int64[u] people are at each point."""
    u, q = prices.crowd.codes.shape
    return Growing(
        prices, need, weight.copy(), np.arange(u, dtype=np.int32), np.array([u]), np.empty(q, dtype=np.int32),
        np.empty(q, dtype=np.int32), np.empty(len(prices.crowd.lo)), np.zeros(u), np.empty(u, dtype=np.int32),
        np.zeros(u, dtype=np.int64),
    )


@kernel
def first_left(growing: Growing) -> int:
    """Return the first point that has people left."""
    return np.int64(growing.rest[0])


@kernel
def nth_left(growing: Growing, place: int) -> int:
    """Return the point of the person at a `place`, from 0, among those left."""
    for i in range(growing.n_rest[0]):
        place -= growing.left[growing.rest[i]]
        if place < 0:
            return np.int64(growing.rest[i])
    return np.int64(growing.rest[growing.n_rest[0] - 1])


@kernel
def _price_of_point(growing: Growing, v: Index) -> None:
    """Price every value joined with those of point `v`."""
    crowd = growing.prices.crowd
    for j in range(crowd.codes.shape[1]):
        price(crowd, j, crowd.codes[v, j], crowd.codes[v, j], growing.table)


@kernel
def _priced(growing: Growing, p: Index) -> float:
    total = 0.0
    for j in range(len(growing.first)):
        total += growing.table[growing.prices.crowd.codes[p, j]]
    return total


@kernel
def farthest(growing: Growing, seed: int, distance: Floats, *, all_seeds: bool) -> int:
    """Return the point left that is farthest from `seed`, of equals the first.

    With `all_seeds` the nearest seed counts: `distance` float64[u] holds how far that is, and is kept up to date.
    """
    found, most = -1, -1.0
    _price_of_point(growing, seed)
    for i in range(growing.n_rest[0]):
        p = np.int64(growing.rest[i])
        far = _priced(growing, p)
        if all_seeds:
            far = min(far, distance[p])
            distance[p] = far
        if far > most + TOLERANCE:
            found, most = p, far
    return found


@kernel
def _admit(growing: Growing, v: Index, size: int) -> int:
    """Take one person of point `v`; return the number of points in the class."""
    growing.left[v] -= 1
    growing.taken[v] += 1
    if growing.taken[v] == 1:
        growing.members[size] = v
        size += 1
    return size


@kernel
def _widen(growing: Growing, v: Index) -> None:
    """Stretch the box to point `v` and price again the attributes that were stretched."""
    crowd, first, last = growing.prices.crowd, growing.first, growing.last
    for j in range(len(first)):
        c = crowd.codes[v, j]
        if c < first[j] or c > last[j]:
            first[j], last[j] = min(first[j], c), max(last[j], c)
            price(crowd, j, first[j], last[j], growing.table)


@kernel
def _draw_near(growing: Growing, v: Index) -> None:
    """Add the distances to point `v`."""
    _price_of_point(growing, v)
    for i in range(growing.n_rest[0]):
        p = np.int64(growing.rest[i])
        growing.far[p] += _priced(growing, p)


@kernel
def _cheapest(growing: Growing, rule: int) -> Index:
    """Return the point that costs least to add, of equals the first; -1 if nobody is left."""
    codes = growing.prices.crowd.codes
    found: Index = -1
    least = np.inf
    for i in range(growing.n_rest[0]):
        p = np.int64(growing.rest[i])
        if growing.left[p] == 0:
            continue
        cost = 0.0
        if rule == MEAN:
            cost = growing.far[p]
        else:
            # to one class of one size, what it costs after and how much that is more have the same order
            for j in range(codes.shape[1]):
                cost += growing.table[codes[p, j]]
                if cost >= least - TOLERANCE:
                    break
        if cost < least - TOLERANCE:
            found, least = p, cost
    return found


@kernel
def grow(growing: Growing, seed: int, rule: int) -> tuple[int, int]:
    """Grow a class from a person of point `seed` until it has as many people as each of them needs.

    Returns of how many points they are, ``members`` with ``taken``, and how many people are lacking.
    """
    for j in range(len(growing.first)):
        growing.first[j], growing.last[j] = len(growing.table), -1
    growing.far[:] = 0.0
    v: Index = seed
    people, points, need = 0, 0, 1
    while v >= 0:
        points = _admit(growing, v, points)
        people += 1
        need = max(need, growing.need[v])
        if people >= need:
            break
        if rule == MEAN:
            _draw_near(growing, v)
        else:
            _widen(growing, v)
        v = _cheapest(growing, rule)
    kept = 0
    for i in range(growing.n_rest[0]):
        if growing.left[growing.rest[i]] > 0:
            growing.rest[kept] = growing.rest[i]
            kept += 1
    growing.n_rest[0] = kept
    return points, max(need - people, 0)


@kernel
def place(
    prices: Prices, v: int, rule: int, sizes: Ints, first: Shorts, last: Shorts, owner: Ints, count: Ints,
    point: Shorts, sums: Floats
) -> int:
    """Put one person of point `v` into the class where it costs least, of equals the first, and return that class.

    Class d has ``sizes[d]`` people in the box ``first[d]`` ... ``last[d]``; both are kept up to date. Piece i is
    ``count[i]`` people of ``point[i]`` in class ``owner[i]``. `sums` float64[K] is working memory.
    """
    codes = prices.crowd.codes
    sums[:] = 0.0
    for i in range(len(point) if rule == MEAN else 0):
        sums[owner[i]] += count[i] * apart(prices, v, np.int64(point[i]))
    found, least = -1, np.inf
    for d in range(len(sizes)):
        if rule == MEAN:
            cost = sums[d] / sizes[d]
        else:
            cost = (sizes[d] + 1) * join(prices, first[d], last[d], codes[v], codes[v])
            if rule == INCREMENT:
                cost -= sizes[d] * join(prices, first[d], last[d], first[d], last[d])
        if cost < least - TOLERANCE:
            found, least = d, cost
    sizes[found] += 1
    for j in range(codes.shape[1]):
        first[found, j] = min(first[found, j], codes[v, j])
        last[found, j] = max(last[found, j], codes[v, j])
    return found
