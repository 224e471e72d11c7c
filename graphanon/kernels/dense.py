"""Ties among neighbours, and neighbours shared with one's nearest."""

from __future__ import annotations

from graphanon.closeness import Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.rows import TOLERANCE

__all__ = ["COUNT", "JACCARD", "NORMALISED", "SNNDPC", "neighbour_ties", "shared_density"]

NORMALISED, COUNT, JACCARD, SNNDPC = 0, 1, 2, 3


@kernel
def neighbour_ties(indptr: Ints, indices: Shorts, start: int, stop: int, mark: Shorts, ties: Ints) -> None:
    """Write to ``ties[v]`` how many ties there are among the neighbours of each of `start` ... `stop`.

    `mark` has a place a person, all 0, and left so.
    """
    for v in range(start, stop):
        found = 0
        for at in range(indptr[v], indptr[v + 1]):
            mark[indices[at]] = 1
        for at in range(indptr[v], indptr[v + 1]):
            y = indices[at]
            for at2 in range(indptr[y], indptr[y + 1]):
                found += mark[indices[at2]]
        for at in range(indptr[v], indptr[v + 1]):
            mark[indices[at]] = 0
        ties[v] = found // 2


@kernel
def _distance(near: Shorts, close: Floats, a: int, p: int) -> float:
    """Return 1 - S(a, p) for a neighbour p of a, 0 for a itself, -1 for anyone else."""
    if a == p:
        return 0.0
    for i in range(near.shape[1]):
        if near[a, i] == p:
            return max(1.0 - close[a, i], 0.0)
    return -1.0


@kernel
def _shared(near: Shorts, close: Floats, a: int, b: int, own: int) -> tuple[int, float]:
    """Return how many are near both (themselves too, if `own` is 1), and their summed distances."""
    common, apart = 0, 0.0
    for i in range(near.shape[1] + own):
        p = near[a, i] if i < near.shape[1] else a
        to_b = _distance(near, close, b, p)
        if to_b >= 0 and (own or p != b):
            common += 1
            apart += _distance(near, close, a, p) + to_b
    return common, apart


@kernel
def shared_density(near: Shorts, close: Floats, kind: int, own: int, rho: Floats) -> None:
    """Write everyone's local density to `rho`, from `near` and `close` of :mod:`graphanon.kernels.nearest`.

    `kind` is one of the four constants, `own` 1 where a person counts as near themselves.
    """
    n, most = near.shape
    for v in range(n):
        total = 0.0
        for i in range(most):
            u = near[v, i]
            common, apart = _shared(near, close, v, u, own)
            if kind == NORMALISED:
                total += common / (most + own)
            elif kind == COUNT:
                total += common
            elif kind == JACCARD:
                total += common / (2 * (most + own) - common)
            elif _distance(near, close, u, v) >= 0:
                total += common * common / max(apart, TOLERANCE)
        rho[v] = total if kind == SNNDPC else total / max(most, 1)
