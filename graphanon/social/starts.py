"""Who starts a supernode: in a fixed order, or people of much density that lie far from each other.

The latter is algorithm 1 of Liu, Dong, Li, Zhang, Liu and Li (see :mod:`graphanon.social.pas_caa`): of those whose merit is at least a
threshold, the best starts; each next start is the one least similar to those before, and of equals the best.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import Crowd
from graphanon.density import TOLERANCE, ranked
from graphanon.domain import Floats
from graphanon.graph import AttributedGraph
from graphanon.progress import advance

__all__ = ["Aggregate", "candidates", "centres", "queue_of", "threshold_of"]

Ints = NDArray[np.int64]
Aggregate = Literal["max", "sum", "last"]


def queue_of(graph: AttributedGraph, first: Literal["max_degree", "random", "first"], rng: Generator) -> Ints:
    """Return the order in which people are asked to start a class; of equal degrees, the first comes first.

    Examples
    --------
    >>> from graphanon.graph import symmetric_ties
    >>> from graphanon.schema import Schema
    >>> ties = symmetric_ties(3, np.array([0, 1]), np.array([1, 2]))
    >>> graph = AttributedGraph(schema=Schema(columns=()), values=np.empty((3, 0)), ties=ties)
    >>> queue_of(graph, "max_degree", np.random.default_rng(0))
    array([1, 0, 2])
    """
    if first == "random":
        return rng.permutation(graph.n)
    if first == "first":
        return np.arange(graph.n)
    return np.argsort(-np.diff(graph.ties.indptr), kind="stable")


def candidates(merit: Floats, count: int, rule: float | str = "mean", level: float = 0.5) -> Ints:
    """Return who may start a supernode, in order: at least `count` people.

    `rule` is a threshold of `merit`, the name of how it is made from everyone's, or ``"top"`` for the share `level`.

    Examples
    --------
    >>> candidates(np.array([1.0, 4.0, 2.0, 3.0]), 1)
    array([1, 3])
    >>> candidates(np.array([1.0, 4.0, 2.0, 3.0]), 3)
    array([1, 2, 3])
    """
    order = ranked(merit)
    if rule == "top":
        enough = int(np.ceil(level * len(merit)))
    else:
        enough = int((merit >= threshold_of(rule, level, merit) - TOLERANCE).sum())
    return np.sort(order[: max(enough, count, 1)])


def threshold_of(rule: float | str, level: float, values: Floats) -> float:
    """Return a threshold: a number as it is, or the mean, the median or the quantile `level` of the values.

    Examples
    --------
    >>> threshold_of("quantile", 0.75, np.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    3.0
    """
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
