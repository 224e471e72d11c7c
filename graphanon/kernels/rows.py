"""Distances along attributes, and one person's similarity to others.

The primitives of every kernel. A similarity is never stored for all pairs: a row is computed when it is
needed, in time linear in the people asked for and the ties that lead to them, so memory stays linear.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphanon.closeness import Crowd, Index, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel

__all__ = ["TOLERANCE", "Room", "price", "room_for", "row", "spread"]

TOLERANCE = 1e-12
"""Two costs or similarities closer than this are equal: they differ by rounding alone."""



class Room(NamedTuple):
    """Working memory of one row: prices of distinct values; friends shared (all 0 between rows), who was seen, scores."""

    table: Floats
    shared: Shorts
    seen: Shorts
    out: Floats


def room_for(crowd: Crowd) -> Room:
    """Return fresh working memory for this crowd."""
    n = len(crowd.codes)
    return Room(
        np.empty(len(crowd.lo)), np.zeros(n, dtype=np.int32), np.empty(n, dtype=np.int32), np.empty(n)
    )


@kernel
def spread(crowd: Crowd, j: int, a: Index, b: Index) -> float:
    """Return the price, 0 to 1, of reaching from position `a` to position `b` >= `a` of attribute `j`."""
    if crowd.tree[j]:
        level = 0
        while crowd.up[a, level] != crowd.up[b, level]:
            level += 1
        return crowd.step[a, level] + crowd.step[b, level]
    if crowd.hi[b] >= crowd.past[j]:
        return 0.0 if crowd.lo[a] >= crowd.past[j] else 1.0
    if crowd.span[j] <= 0:
        return 0.0
    return min((crowd.hi[b] - crowd.lo[a]) / crowd.span[j], 1.0)


@kernel
def price(crowd: Crowd, j: int, first: int, last: int, table: Floats) -> None:
    """Write the price of `first` ... `last` of attribute `j` joined with each value of its line."""
    for c in range(crowd.start[j], crowd.start[j + 1]):
        table[c] = spread(crowd, j, min(first, c), max(last, c))


@kernel
def _attributes(crowd: Crowd, v: Index, who: Shorts, m: int, table: Floats, out: Floats) -> None:
    """Write the mean attribute similarity of `v` to each of ``who[:m]``."""
    q = crowd.codes.shape[1]
    priced = m * q >= len(table)
    if priced:
        for j in range(q):
            price(crowd, j, crowd.codes[v, j], crowd.codes[v, j], table)
    for i in range(m):
        total = 0.0
        for j in range(q):
            a, b = np.int64(crowd.codes[v, j]), np.int64(crowd.codes[who[i], j])
            total += 1.0 - (table[b] if priced else spread(crowd, j, min(a, b), max(a, b)))
        out[i] = total / q if q else 0.0


@kernel
def _common(crowd: Crowd, v: Index, count: Shorts, seen: Shorts) -> int:
    """Count in `count` the neighbours that each person shares with `v`; return how many are `seen`."""
    n_seen = 0
    for at in range(crowd.indptr[v], crowd.indptr[v + 1]):
        y = crowd.indices[at]
        for at2 in range(crowd.indptr[y], crowd.indptr[y + 1]):
            x = crowd.indices[at2]
            if count[x] == 0:
                seen[n_seen] = x
                n_seen += 1
            count[x] += 1
    return n_seen


@kernel
def _marked(crowd: Crowd, u: Index, mark: Shorts) -> int:
    """Return how many neighbours of `u` are marked."""
    found = 0
    for at in range(crowd.indptr[u], crowd.indptr[u + 1]):
        found += mark[crowd.indices[at]]
    return found


@kernel
def _from_here(crowd: Crowd, v: Index, who: Shorts, m: int) -> bool:
    """Return whether counting from `v` two steps outwards is shorter than counting from each of `who`."""
    outwards = 0
    for at in range(crowd.indptr[v], crowd.indptr[v + 1]):
        y = crowd.indices[at]
        outwards += crowd.indptr[y + 1] - crowd.indptr[y]
    inwards = crowd.indptr[v + 1] - crowd.indptr[v]
    for i in range(m):
        inwards += crowd.indptr[who[i] + 1] - crowd.indptr[who[i]]
    return outwards <= inwards


@kernel
def row(crowd: Crowd, beta: float, v: Index, who: Shorts, m: int, room: Room) -> None:
    """Write S(v, u) for each u of ``who[:m]``, at most n, to ``room.out``.

    `beta` weighs common friends over all friends against the mean of the attributes.
    """
    out, count, seen = room.out, room.shared, room.seen
    _attributes(crowd, v, who, m, room.table, out)
    for i in range(m):
        out[i] *= 1.0 - beta
    own = crowd.indptr[v + 1] - crowd.indptr[v]
    if beta == 0.0 or own == 0:
        return
    outwards = _from_here(crowd, v, who, m)
    if outwards:
        n_seen = _common(crowd, v, count, seen)
    else:
        n_seen = own
        for at in range(own):
            seen[at] = crowd.indices[crowd.indptr[v] + at]
            count[seen[at]] = 1
    for i in range(m):
        u = who[i]
        shared = count[u] if outwards else _marked(crowd, u, count)
        if shared > 0:
            union = own + crowd.indptr[u + 1] - crowd.indptr[u] - shared
            out[i] += beta * (shared / union)
    for i in range(n_seen):
        count[seen[i]] = 0
