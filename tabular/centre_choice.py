"""Where to start: records that lie far from the others, and from each other.

Algorithm 2 of Zhang, Chen, Wang, Zhai and Ma, *K-Prototypes clustering method for local differential privacy*, Journal
of Computer Applications 42(12), 2022 (in Chinese). With the Euclidean distance over all scaled columns, Adis is the
mean distance of a record to the others and Tdis that of all pairs. The record of largest Adis is the first
centre; then records are gone through from the largest Adis down, and each is taken that lies farther than Tdis from
all centres before it.

The paper leaves open what a category counts (here 1 where two differ; as its label code, on [0, 1], with ``codes="label"``),
and what to do when too few records are far enough: take the one farthest from all centres, again and again, or halve Tdis.
Its first centre is the most outlying record of all; ``first="medoid"`` begins with the least outlying one.

Everyone is compared with everyone, block by block; nothing is stored for pairs. A sample costs less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.density import batches, ranked
from graphanon.domain import Floats
from graphanon.progress import advance
from graphanon.tabular.prototypes import Records, check_clusters, distinct, rows_of

if TYPE_CHECKING:
    from graphanon.kernels.prototypes import Rows

__all__ = ["Codes", "Dissimilarity", "Fallback", "First", "choose_centres", "dissimilarities", "sampled"]

Ints = NDArray[np.int64]
Codes = Literal["names", "label"]
Fallback = Literal["farthest", "shrink"]
First = Literal["outlier", "medoid"]
_STEP = 1e-12  # distances that differ by less are equal


class Dissimilarity(NamedTuple):
    """The mean distance of each record to the others, float64[n], and that of all pairs of people."""

    mean: Floats
    overall: float


def dissimilarities(records: Records, *, codes: Codes = "names", average: Literal["others", "all"] = "others") -> Dissimilarity:
    """Return Adis and Tdis; Adis divides by everyone but oneself, or by all.

    Examples
    --------
    >>> from graphanon.tabular.prototypes import records_from
    >>> dissimilarities(records_from([[0.0], [0.5], [1.0]]))
    Dissimilarity(mean=array([0.75, 0.5 , 0.75]), overall=0.6666666666666666)
    """
    from graphanon.kernels.prototypes import pair_sums

    rows, n, sums = _scaled(records, codes), records.n, np.zeros(len(records))
    for start, stop in batches(len(sums), len(sums) * (rows.numbers.shape[1] + rows.codes.shape[1] + 1) / 2):
        pair_sums(rows, 1.0, start, stop, sums)
        advance("mean dissimilarities", stop, len(sums))
    overall = float(rows.weight @ sums) / max(n * (n - 1), 1)
    return Dissimilarity(sums / max(n - 1 if average == "others" else n, 1), overall)


def _scaled(records: Records, codes: Codes) -> Rows:
    """Return the records with categories as they are compared here."""
    if codes == "names" or not records.sizes:
        return rows_of(records)
    span = np.maximum(np.array(records.sizes, dtype=float) - 1, 1)
    numbers = np.concatenate([records.numbers, records.codes / span], axis=1)
    return rows_of(Records(numbers, records.codes[:, :0], (), records.weight))


def sampled(records: Records, size: int | None, rng: Generator) -> Records:
    """Return so many of the people, each as likely as any other; all, if there are no more or `size` is None or 0."""
    if not size or size >= records.n:
        return records
    weight = rng.multivariate_hypergeometric(records.weight, size, method="marginals")
    drawn = np.flatnonzero(weight)
    return Records(records.numbers[drawn], records.codes[drawn], records.sizes, weight[drawn].astype(np.int64))


def choose_centres(
    records: Records,
    clusters: int,
    *,
    first: First = "outlier",
    codes: Codes = "names",
    fallback: Fallback = "farthest",
    average: Literal["others", "all"] = "others",
) -> Ints:
    """Return the records to start from, fewer than `clusters` if there are fewer different ones.

    Raises
    ------
    InputProblem
        If there are not so many records.

    Examples
    --------
    >>> from graphanon.tabular.prototypes import records_from
    >>> choose_centres(records_from([[0, 0], [0.1, 0], [0, 0.1], [1, 1], [0.9, 1], [0.5, 0.2]]), 2)
    array([3, 0])
    """
    check_clusters(records, clusters)
    points, inverse = distinct(records)
    found = dissimilarities(points, codes=codes, average=average)
    order = ranked(found.mean)
    if first == "medoid":
        # of equals the first, as from the other end
        order = np.concatenate([ranked(-found.mean)[:1], order[order != ranked(-found.mean)[0]]])
    chosen = _scan(_scaled(points, codes), order, found.overall, min(clusters, len(points)), fallback)
    return np.array([np.flatnonzero(inverse == v)[0] for v in chosen], dtype=np.int64)


def _scan(rows: Rows, order: Ints, limit: float, clusters: int, fallback: Fallback) -> list[int]:
    """Go through the records in order and take who lies farther than the limit from all taken before."""
    chosen, near = [int(order[0])], _distances(rows, int(order[0]))
    while len(chosen) < clusters:
        # who has been passed over stays too near
        far = order[near[order] > limit + _STEP]
        if len(far):
            v = int(far[0])
        elif fallback == "farthest":
            v = int(ranked(near)[0]) if near.max() > 0 else -1
        elif near.max() > 0:
            limit = limit / 2 if limit > _STEP else -1.0
            continue
        else:
            v = -1
        if v < 0:
            break
        chosen.append(v)
        near = np.minimum(near, _distances(rows, v))
        advance("choose centres", len(chosen), clusters)
    return chosen


def _distances(rows: Rows, v: int) -> Floats:
    squares = ((rows.numbers - rows.numbers[v]) ** 2).sum(axis=1) + (rows.codes != rows.codes[v]).sum(axis=1)
    return np.asarray(np.sqrt(squares))
