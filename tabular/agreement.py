"""How good a clustering of mixed records is: by how far they lie from their centres, and by how it agrees with classes.

NICV (D. Su, J. Cao, N. Li, E. Bertino and H. Jin, Differentially Private K-Means Clustering, 2016) is the mean squared distance of
everyone's *original* record to the nearest released centre; a category that differs counts 1. The F-measure (C. van Rijsbergen,
Information Retrieval, 1979; B. Larsen and C. Aone, 1999) gives each class its best cluster, the Rand index (W. Rand, 1971) counts
the pairs that both put together or both keep apart, and the adjusted one (L. Hubert and P. Arabie, 1985) takes off what chance gives.

None of them says much alone. One global centre has a NICV that noise easily exceeds, and where one class is common,
putting everyone into one cluster has a high F and a high Rand index: of the incomes of Adult, .743 and .626. So
:func:`assess` always gives both beside a result; by the adjusted Rand index everyone in one cluster gets 0.

All of it needs the originals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphanon.domain import Floats
from graphanon.errors import InputProblem, Problem
from graphanon.tabular.prototypes import Prototypes, Records, Weights, assigned, prototypes_of, weights_for

__all__ = [
    "Agreement", "Assessment", "adjusted_rand", "agreement", "assess", "f_measure", "global_centre", "nicv", "rand",
]

Ints = NDArray[np.int64]
By = Literal["classes", "clusters", "pairs"]


def nicv(
    records: Records, prototypes: Prototypes, *, labels: Ints | None = None, weights: Weights | None = None
) -> float:
    """Return the mean squared distance to the nearest prototype, or with `labels` to everyone's own.

    `weights` are what differences count, 1 each if left out. Prototypes that nobody is near do not matter.

    Raises
    ------
    InputProblem
        If there are no records.

    Examples
    --------
    >>> from graphanon.tabular.prototypes import records_from
    >>> points = records_from([[0.0], [0.2], [0.4], [1.0], [1.2], [0.6]])
    >>> round(nicv(points, Prototypes(np.array([[0.2], [2.8 / 3]]), np.empty((2, 0), dtype=np.int64))), 7)
    0.0444444
    """
    if not records.n:
        raise InputProblem(Problem(what="there are no records to measure"))
    counted = weights_for(records, 1.0) if weights is None else weights
    if labels is None:
        gaps = assigned(records, prototypes, counted)[1]
    else:
        steps = (records.numbers - prototypes.numbers[labels]) ** 2
        gaps = steps @ counted.numbers + (records.codes != prototypes.codes[labels]) @ counted.categories
    return float((records.weight * gaps).sum() / records.n)


def global_centre(records: Records) -> Prototypes:
    """Return the one centre of all records, the baseline of NICV."""
    return prototypes_of(records, np.zeros(len(records), dtype=np.int64), 1)


def _table(clusters: ArrayLike, classes: ArrayLike) -> Floats:
    """Return how many people are in each cluster and each class."""
    one, other = np.asarray(clusters), np.asarray(classes)
    if one.ndim != 1 or one.shape != other.shape:
        what = f"clusters of shape {one.shape} for classes of shape {other.shape}"
        raise InputProblem(Problem(what=what, allowed="one label a person in each"))
    lines = [np.unique(labels, return_inverse=True) for labels in (one, other)]
    rows, columns = (len(names) for names, _ in lines)
    place = lines[0][1].reshape(-1) * columns + lines[1][1].reshape(-1)
    return np.bincount(place, minlength=rows * columns).reshape(rows, columns).astype(float)


def f_measure(clusters: ArrayLike, classes: ArrayLike, *, by: By = "classes", alpha: float = 1.0) -> float:
    """Return the F-measure, 0 to 1: ``(1 + alpha²) P R / (alpha² P + R)`` of precision P and recall R.

    By `classes`, each class has its best cluster and counts by its size; by `clusters`, each cluster its best class; by
    `pairs`, P and R are of the pairs of people that are together.

    Raises
    ------
    InputProblem
        If there is not one cluster and one class a person.

    Examples
    --------
    >>> clusters, classes = [0, 0, 0, 1, 1, 1], [*"xxyyyy"]
    >>> [round(f_measure(clusters, classes, by=by), 6) for by in ("classes", "clusters", "pairs")]
    [0.838095, 0.828571, 0.615385]
    """
    table = _table(clusters, classes)
    if not table.size:
        return 1.0
    if by == "pairs":
        together, same, both = _pairs(table.sum(axis=1)), _pairs(table.sum(axis=0)), _pairs(table.ravel())
        return float(_f(np.array(both), np.array(together), np.array(same), alpha)) if together and same else 0.0
    each = _f(table, table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True), alpha)
    best, size = (each.max(axis=0), table.sum(axis=0)) if by == "classes" else (each.max(axis=1), table.sum(axis=1))
    return float(best @ size / table.sum())


def _f(common: Floats, cluster: Floats, own: Floats, alpha: float) -> Floats:
    # with P = common / cluster and R = common / own; 0 where nothing is common
    return np.asarray((1 + alpha**2) * common / (alpha**2 * own + cluster))


def _pairs(sizes: Floats) -> float:
    return float((sizes * (sizes - 1) / 2).sum())


def rand(clusters: ArrayLike, classes: ArrayLike) -> float:
    """Return the share of pairs that both put together or both keep apart; 1 for fewer than two people.

    Raises
    ------
    InputProblem
        If there is not one cluster and one class a person.

    Examples
    --------
    >>> rand([0, 0, 0, 1, 1, 1], [*"xxyyyy"]) == (4 + 6) / 15
    True
    """
    table = _table(clusters, classes)
    n = table.sum()
    if n < 2:
        return 1.0
    every, both = n * (n - 1) / 2, _pairs(table.ravel())
    apart = every - _pairs(table.sum(axis=1)) - _pairs(table.sum(axis=0)) + both
    return float((both + apart) / every)


def adjusted_rand(clusters: ArrayLike, classes: ArrayLike) -> float:
    """Return the Rand index less what chance gives, over the most it could be: 1 if they agree, about 0 by chance.

    Raises
    ------
    InputProblem
        If there is not one cluster and one class a person.

    Examples
    --------
    >>> round(adjusted_rand([0, 0, 0, 1, 1, 1], [*"xxyyyy"]), 6)  # (4 - 6 · 7 / 15) / ((6 + 7) / 2 - 6 · 7 / 15)
    0.324324
    """
    table = _table(clusters, classes)
    n = table.sum()
    both, one, other = _pairs(table.ravel()), _pairs(table.sum(axis=1)), _pairs(table.sum(axis=0))
    expected = one * other / max(n * (n - 1) / 2, 1.0)
    most = (one + other) / 2
    # everyone together in both, or everyone apart in both
    return 1.0 if most == expected else float((both - expected) / (most - expected))


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How clusters agree with classes; F is that by classes."""

    f: float
    f_clusters: float
    f_pairs: float
    rand: float
    adjusted_rand: float


def agreement(clusters: ArrayLike, classes: ArrayLike) -> Agreement:
    """Return every measure of agreement at once.

    Raises
    ------
    InputProblem
        If there is not one cluster and one class a person.
    """
    return Agreement(
        f=f_measure(clusters, classes), f_clusters=f_measure(clusters, classes, by="clusters"),
        f_pairs=f_measure(clusters, classes, by="pairs"), rand=rand(clusters, classes),
        adjusted_rand=adjusted_rand(clusters, classes),
    )


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """NICV and agreement of a result, each beside its baseline: one global centre, and everyone in one cluster."""

    nicv: float
    nicv_of_one_centre: float
    found: Agreement
    everyone_together: Agreement


def assess(
    records: Records, prototypes: Prototypes, classes: ArrayLike, *, weights: Weights | None = None
) -> Assessment:
    """Return how good centres are for the original records, whose `classes` are known.

    Everyone is in the cluster of the nearest centre. `weights` are what differences count, 1 each if left out.

    Raises
    ------
    InputProblem
        If there are no records, or not one class each.
    """
    if not records.n:
        raise InputProblem(Problem(what="there are no records to measure"))
    if (records.weight != 1).any():
        raise InputProblem(Problem(what="classes are those of people, so each needs a record of their own"))
    labels, _ = assigned(records, prototypes, weights_for(records, 1.0) if weights is None else weights)
    return Assessment(
        nicv=nicv(records, prototypes, weights=weights),
        nicv_of_one_centre=nicv(records, global_centre(records), weights=weights),
        found=agreement(labels, classes),
        everyone_together=agreement(np.zeros(len(labels), dtype=np.int64), classes),
    )
