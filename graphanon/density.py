"""How densely people lie: neighbours shared with one's nearest, ties among one's neighbours.

The local density of a person is the mean similarity to the nearest others by the neighbours that both have
near (SNER in Liu et al., 2022); the paper leaves its scale open, so four are offered. The local
clustering coefficient is the share of the pairs of one's neighbours that are tied.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Crowd, Ints, Shorts
from graphanon.domain import Floats
from graphanon.graph import AttributedGraph
from graphanon.progress import advance

__all__ = [
    "TOLERANCE",
    "Density",
    "Nearest",
    "batches",
    "clustering",
    "local_density",
    "nearest_others",
    "ranked",
    "row_steps",
]

Density = Literal["normalised", "count", "jaccard", "snndpc"]
TOLERANCE = 1e-12
BATCH = 20_000_000  # steps of a kernel between two chances to interrupt it, a fraction of a second


class Nearest(NamedTuple):
    """Everyone's nearest others, int32[n, K_nn], nearest first, and how similar they are, float64[n, K_nn]."""

    who: Shorts
    similarity: Floats


def ranked(values: Floats) -> Ints:
    """Return the order from the largest value down; values within rounding of each other stay in order.

    Examples
    --------
    >>> ranked(np.array([0.3, 0.1 + 0.2, 0.5]))
    array([2, 0, 1])
    """
    order = np.argsort(-values, kind="stable")
    drop = np.diff(values[order], prepend=np.inf) < -TOLERANCE
    return np.asarray(order[np.lexsort((order, np.cumsum(drop)))])


def batches(n: int, steps: float) -> list[tuple[int, int]]:
    """Return the ranges that cut 0 … n so that at `steps` an item each takes a fraction of a second."""
    size = max(1, int(BATCH / max(steps, 1.0)))
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def nearest_others(crowd: Crowd, beta: float, K_nn: int) -> Nearest:
    """Return the `K_nn` others most similar to each person, of equals the first."""
    from graphanon.kernels.nearest import nearest
    from graphanon.kernels.rows import room_for

    n, q = crowd.codes.shape
    found = Nearest(np.full((n, K_nn), -1, dtype=np.int32), np.zeros((n, K_nn)))
    everyone, room = np.arange(n, dtype=np.int32), room_for(crowd)
    for start, stop in batches(n, row_steps(crowd, n, q)):
        nearest(crowd, beta, start, stop, everyone, room, found.who, found.similarity)
        advance("nearest others", stop, n)
    return found


def row_steps(crowd: Crowd, people: int, q: int) -> float:
    """Return about how many steps one row of similarities takes."""
    degree = np.diff(crowd.indptr).astype(float)
    return float(people * (q + 2) + len(crowd.lo) + (degree @ degree) / max(len(degree), 1))


def local_density(near: Nearest, kind: Density = "normalised", *, include_self: bool = True) -> Floats:
    """Return float64[n], the mean shared-neighbour similarity of each person to their nearest others.

    `normalised` divides the number shared by the number near, `count` does not, `jaccard` divides by the
    number near either. `snndpc` is the sum of squared counts over summed distances among mutual
    neighbours (R. Liu, H. Wang and X. Yu, Shared-nearest-neighbor-based clustering by fast search and find
    of density peaks, 2018), where people always count as near themselves.
    """
    from graphanon.kernels import dense

    kinds = {"normalised": dense.NORMALISED, "count": dense.COUNT, "jaccard": dense.JACCARD, "snndpc": dense.SNNDPC}
    rho = np.zeros(len(near.who))
    own = int(include_self or kind == "snndpc")
    dense.shared_density(near.who, near.similarity, kinds[kind], own, rho)
    return rho


def clustering(graph: AttributedGraph) -> Floats:
    """Return float64[n], the share of pairs of each person's neighbours that are tied; 0 below two neighbours.

    Examples
    --------
    >>> from graphanon.graph import symmetric_ties
    >>> from graphanon.schema import Schema
    >>> ties = symmetric_ties(4, np.array([0, 0, 1, 0]), np.array([1, 2, 2, 3]))
    >>> clustering(AttributedGraph(schema=Schema(columns=()), values=np.empty((4, 0)), ties=ties)).round(3)
    array([0.333, 1.   , 1.   , 0.   ])
    """
    from graphanon.kernels.dense import neighbour_ties

    indptr, indices = graph.ties.indptr.astype(np.int64), graph.ties.indices.astype(np.int32)
    found, mark = np.zeros(graph.n, dtype=np.int64), np.zeros(graph.n, dtype=np.int32)
    degree = np.diff(indptr)
    for start, stop in batches(graph.n, float(degree.astype(float) @ degree) / max(graph.n, 1)):
        neighbour_ties(indptr, indices, start, stop, mark, found)
        advance("ties among neighbours", stop, graph.n)
    pairs: NDArray[np.float64] = degree * (degree - 1) / 2
    return np.asarray(found / np.maximum(pairs, 1))
