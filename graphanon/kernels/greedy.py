"""SaNGreeA's inner loops: growing one class, and placing one person that is left over.

With b the adjacency rows, ``dist(x, c)`` summed over the members u of c is
``|c| deg(x) + sum deg(u) - 2 w(x)``, where w(x) counts for each u the common neighbours of x and u, and one
more if they are tied. Adding a member touches w only two steps around it; everything else is one pass
over the people that are left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Crowd, Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.rows import TOLERANCE, price, spread

__all__ = ["grow", "place"]

Flags = NDArray[np.bool_]


@kernel
def _degree(crowd: Crowd, v: Index) -> int:
    return crowd.indptr[v + 1] - crowd.indptr[v]


@kernel
def _bind(crowd: Crowd, u: Index, weight: Shorts, seen: Shorts, n_seen: int) -> int:
    """Add `u` to the weights of everyone up to two steps away; return how many weights are not 0."""
    for at in range(crowd.indptr[u], crowd.indptr[u + 1]):
        y = crowd.indices[at]
        if weight[y] == 0:
            seen[n_seen] = y
            n_seen += 1
        weight[y] += 1
        for at2 in range(crowd.indptr[y], crowd.indptr[y + 1]):
            x = crowd.indices[at2]
            if weight[x] == 0:
                seen[n_seen] = x
                n_seen += 1
            weight[x] += 1
    return n_seen


@kernel
def _widen(crowd: Crowd, v: Index, first: Shorts, last: Shorts, table: Floats) -> None:
    """Stretch the class to `v` and price again the attributes that were stretched."""
    for j in range(crowd.codes.shape[1]):
        c = crowd.codes[v, j]
        if c < first[j] or c > last[j]:
            first[j] = min(first[j], c)
            last[j] = max(last[j], c)
            price(crowd, j, first[j], last[j], table)


@kernel
def _cheapest(
    crowd: Crowd, alpha: float, beta: float, rest: Shorts, n_rest: int, taken: Flags,
    table: Floats, weight: Shorts, size: int, degrees: int,
) -> Index:
    """Return who of the people left costs least to add; of equals, the first."""
    n, q = crowd.codes.shape
    best: Index = -1
    least = 0.0
    pairs = size * max(n - 2, 1)
    for i in range(n_rest):
        x = np.int64(rest[i])
        if taken[x]:
            continue
        lost = 0.0
        for j in range(q):
            lost += table[crowd.codes[x, j]]
        apart = size * _degree(crowd, x) + degrees - 2 * weight[x]
        cost = alpha * (lost / max(q, 1)) + beta * (apart / pairs)
        if best < 0 or cost < least - TOLERANCE:
            best, least = x, cost
    return best


@kernel
def grow(
    crowd: Crowd, alpha: float, beta: float, wishes: Ints, seed: int,
    rest: Shorts, n_rest: int, taken: Flags,
    first: Shorts, last: Shorts, table: Floats, weight: Shorts, seen: Shorts, members: Shorts,
) -> tuple[int, int]:
    """Grow a class from `seed` until it has as many members as each of them wishes.

    ``rest[:n_rest]`` are the people left in order, `taken` whether each person is in a class: both are kept
    up to date. `weight` is all 0, and left so; `first`, `last`, `table`, `seen` and `members` are room, and the last
    holds the class. Returns the size of the class and of the rest.
    """
    v: Index = seed
    size, need, degrees, n_seen = 0, 1, 0, 0
    for j in range(len(first)):
        first[j], last[j] = len(crowd.lo), -1
    while True:
        members[size] = v
        size += 1
        taken[v] = True
        need = max(need, wishes[v])
        if size >= need or size == n_rest:
            break
        _widen(crowd, v, first, last, table)
        degrees += _degree(crowd, v)
        n_seen = _bind(crowd, v, weight, seen, n_seen)
        v = _cheapest(crowd, alpha, beta, rest, n_rest, taken, table, weight, size, degrees)
    for i in range(n_seen):
        weight[seen[i]] = 0
    kept = 0
    for i in range(n_rest):
        if not taken[rest[i]]:
            rest[kept] = rest[i]
            kept += 1
    return size, kept


@kernel
def place(
    crowd: Crowd, alpha: float, beta: float, x: int, labels: Ints, sizes: Ints, degrees: Ints,
    first: Shorts, last: Shorts, bound: Ints, weight: Shorts, seen: Shorts,
) -> int:
    """Put `x` into the class where it costs least, of equals the first, and return that class.

    For class d: ``sizes[d]``, ``degrees[d]`` (summed), ``first[d, j]`` and ``last[d, j]``; all are updated, and
    ``labels[x]``. `bound` has one place a class; `weight` is all 0, and left so.
    """
    n, q = crowd.codes.shape
    for d in range(len(bound)):
        bound[d] = 0
    n_seen = _bind(crowd, x, weight, seen, 0)
    for i in range(n_seen):
        if labels[seen[i]] >= 0:
            bound[labels[seen[i]]] += weight[seen[i]]
        weight[seen[i]] = 0
    best, least = -1, 0.0
    for d in range(len(sizes)):
        lost = 0.0
        for j in range(q):
            c = np.int64(crowd.codes[x, j])
            lost += spread(crowd, j, min(first[d, j], c), max(last[d, j], c))
        apart = sizes[d] * _degree(crowd, x) + degrees[d] - 2 * bound[d]
        cost = alpha * (lost / max(q, 1)) + beta * (apart / (sizes[d] * max(n - 2, 1)))
        if best < 0 or cost < least - TOLERANCE:
            best, least = d, cost
    labels[x] = best
    sizes[best] += 1
    degrees[best] += _degree(crowd, x)
    for j in range(q):
        first[best, j] = min(first[best, j], crowd.codes[x, j])
        last[best, j] = max(last[best, j], crowd.codes[x, j])
    return best
