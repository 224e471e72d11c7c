"""What a grouping of a table costs, by the measures of the literature, and what an analyst can still do with it.

Losses say how much less is told: of cells (`gcp`, `precision`, entropy), of people (`discernibility`, class sizes).
Utility says what comes of it: an analyst who reads the release spreads everyone of a class evenly over the values
that their box covers, each attribute on its own, and computes. `marginals` and `associations` compare what comes
out with the originals, and `classifier` trains naive Bayes on the release and tries it on the originals. All of it
needs the originals, so none of it is published.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import Domain, Floats, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, Grouping
from graphanon.loss import entropy_loss, private_losses, public_losses
from graphanon.tabular.ladders import doubled

__all__ = [
    "Guess", "associations", "average_class_size", "class_entropy", "class_sizes", "classifier", "discernibility",
    "entropy", "gcp", "marginals", "measures", "precision", "utility",
]

Ints = NDArray[np.int64]
_CELLS = 64  # groups of values at most, of an attribute with more values than that


def gcp(grouping: Grouping) -> float:
    """Return the global certainty penalty, 0 to 1: the mean share of leaves or range that a cell covers.

    Source: J. Xu, W. Wang, J. Pei, X. Wang, B. Shi and A. Fu, Utility-Based Anonymization Using Local Recoding, 2006.
    """
    return public_losses(grouping).get("ncp", 0.0)


def precision(grouping: Grouping, withheld: Literal["lost", "excluded"] = "lost") -> float:
    """Return 1 minus the mean share of the levels of its hierarchy that a cell has climbed.

    A cell between two levels counts as the higher one; withheld people count as told nothing, or not at all. Source:
    L. Sweeney, Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, 2002.
    """
    graph, partition = grouping.source, grouping.partition
    if not graph.q:
        return 1.0
    boxes = grouping.boxes
    shares = [_climbed(domain, boxes.lo[:, j], boxes.hi[:, j]) for j, domain in enumerate(graph.domains)]
    lost = float(partition.sizes @ np.sum(shares, axis=0)) if len(boxes) else 0.0
    people = int(partition.sizes.sum())
    if withheld == "lost":
        lost, people = lost + partition.withheld * graph.q, graph.n
    return 1.0 - lost / (people * graph.q) if people else 0.0


def _climbed(domain: Domain, lo: Floats, hi: Floats) -> Floats:
    if isinstance(domain, Tree):
        return domain.cost(lo, hi, "height")
    line = doubled(domain)
    share = np.ones(len(lo))
    for level in range(line.height - 1, -1, -1):
        low, high = line.at_level(lo, level)
        share = np.where((low <= lo) & (hi <= high), level / line.height, share)
    return share


def discernibility(grouping: Grouping, k: int = 1) -> int:
    """Return the sum over people of how many they cannot be told from; all are, for those in no class of k.

    Source: R. Bayardo and R. Agrawal, Data Privacy through Optimal k-Anonymization, 2005.
    """
    sizes, n = grouping.partition.sizes, grouping.source.n
    few = sizes < k
    return int((sizes[~few] ** 2).sum() + n * (sizes[few].sum() + grouping.partition.withheld))


def average_class_size(grouping: Grouping, k: int = 1) -> float:
    """Return people a class, over `k`: 1 is the best that classes of k can do.

    Source: K. LeFevre, D. DeWitt and R. Ramakrishnan, Mondrian Multidimensional k-Anonymity, 2006.
    """
    sizes = grouping.partition.sizes
    return float(sizes.mean() / k) if len(sizes) else 0.0


def class_sizes(grouping: Grouping) -> dict[int, int]:
    """Return how many classes have each size."""
    size, number = np.unique(grouping.partition.sizes, return_counts=True)
    return dict(zip(size.tolist(), number.tolist(), strict=True))


def class_entropy(grouping: Grouping) -> float:
    """Return the bits that telling someone's class tells of who they are, among those released."""
    sizes = grouping.partition.sizes
    share = sizes / max(int(sizes.sum()), 1)
    return float(-(share * np.log2(share)).sum())


def entropy(grouping: Grouping) -> tuple[float, float]:
    """Return the bits by which cells hide their values, and how many there would be if nothing were told.

    Source: A. Gionis and T. Tassa, k-Anonymization with Minimal Loss of Information, 2009 (the non-uniform measure).
    """
    kept = grouping.partition.kept
    values, boxes = grouping.source.values[kept], grouping.boxes[grouping.partition.labels[kept]]
    whole = np.full(len(values), -np.inf), np.full(len(values), np.inf)
    bits = sum(float(entropy_loss(column, boxes.lo[:, j], boxes.hi[:, j]).sum()) for j, column in enumerate(values.T))
    return float(bits), float(sum(float(entropy_loss(column, *whole).sum()) for column in values.T))


def measures(grouping: Grouping, k: int = 1) -> dict[str, Any]:
    """Return every loss of this module by name, `attributes` with one entry a quasi-identifier."""
    bits, most = entropy(grouping)
    return {
        "gcp": gcp(grouping),
        "precision": precision(grouping),
        "discernibility": discernibility(grouping, k),
        "average_class_size": average_class_size(grouping, k),
        "class_sizes": class_sizes(grouping),
        "class_entropy": class_entropy(grouping),
        "entropy": bits,
        "entropy_share": bits / most if most else 0.0,
        "withheld": grouping.partition.withheld,
        "attributes": private_losses(grouping).get("attributes", {}),
    }


@dataclass(frozen=True)
class _Spread:
    """The values of an attribute in groups: whose each is, and float64[classes, groups], where a class may be."""

    group: Ints
    share: Floats


def _spread(values: Floats, boxes: Boxes, j: int) -> _Spread:
    line, place, count = np.unique(values, return_inverse=True, return_counts=True)
    group = np.arange(len(line))
    if len(line) > _CELLS:
        group = np.minimum((np.cumsum(count) - count) * _CELLS // max(int(count.sum()), 1), _CELLS - 1)
        group = np.unique(group, return_inverse=True)[1].reshape(-1)
    share = np.zeros((len(boxes), int(group.max(initial=-1)) + 1))
    first = np.searchsorted(line, boxes.lo[:, j], "left")
    last = np.searchsorted(line, boxes.hi[:, j], "right")
    for g in range(share.shape[1]):
        begin, end = np.searchsorted(group, [g, g + 1])
        share[:, g] = np.maximum(np.minimum(last, end) - np.maximum(first, begin), 0)
    return _Spread(group[place.reshape(-1)].astype(np.int64), share / share.sum(axis=1, keepdims=True))


def _spreads(grouping: Grouping) -> list[_Spread]:
    if not grouping.partition.n_classes:
        raise InputProblem(Problem(what="nobody was released, so there is nothing to learn from the release"))
    values = grouping.source.values
    return [_spread(values[:, j], grouping.boxes, j) for j in range(values.shape[1])]


def marginals(grouping: Grouping) -> dict[str, float]:
    """Return for each quasi-identifier how far its distribution has moved, 0 to 1 (total variation)."""
    weight = grouping.partition.sizes / grouping.partition.sizes.sum()
    found = {}
    for column, spread in zip(grouping.source.schema.quasi, _spreads(grouping), strict=True):
        before = np.bincount(spread.group, minlength=spread.share.shape[1]) / grouping.source.n
        found[column.name] = float(abs(before - weight @ spread.share).sum() / 2)
    return found


def associations(grouping: Grouping) -> dict[tuple[str, str], dict[str, float]]:
    """Return Cramer's V of each pair of quasi-identifiers, before and after, and how far their table has moved."""
    weight = grouping.partition.sizes / grouping.partition.sizes.sum()
    named = list(zip([column.name for column in grouping.source.schema.quasi], _spreads(grouping), strict=True))
    found = {}
    for (one, a), (other, b) in combinations(named, 2):
        shape = a.share.shape[1], b.share.shape[1]
        counts = np.bincount(a.group * shape[1] + b.group, minlength=shape[0] * shape[1])
        before = np.asarray(counts.reshape(shape) / grouping.source.n, dtype=float)
        after = (a.share * weight[:, None]).T @ b.share
        found[one, other] = {"before": _cramer(before), "after": _cramer(after),
                             "moved": float(abs(before - after).sum() / 2)}
    return found


def _cramer(table: Floats) -> float:
    """Return Cramer's V of a table of shares, 0 where one side has a single value."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    degrees = min(table.shape) - 1
    return float(np.sqrt(((table - expected) ** 2 / expected).sum() / degrees)) if degrees > 0 else 0.0


@dataclass(frozen=True, kw_only=True)
class Guess:
    """How many of the people a classifier tells rightly, 0 to 1.

    It was trained on the `release`, on the `originals`, or always says the `commonest` value.
    """

    release: float
    originals: float
    commonest: float


def classifier(grouping: Grouping, target: str) -> Guess:
    """Return how well naive Bayes tells the sensitive or open column `target` from the quasi-identifiers.

    It learns from the classes of the release, in each of which the values of the column are counted, and is tried on
    everyone's own record; so is one that has learned from the records.

    Raises
    ------
    InputProblem
        If there is no such column.
    """
    graph, partition = grouping.source, grouping.partition
    if target not in graph.payload:
        raise InputProblem(Problem(what=f"there is no sensitive or open column '{target}'",
                                   allowed=", ".join(graph.payload) or "none"))
    spreads, truth = _spreads(grouping), graph.payload[target].codes
    labels = len(graph.payload[target].labels)
    kept = partition.kept
    told = np.bincount(partition.labels[kept] * labels + truth[kept], minlength=partition.n_classes * labels)
    told = told.reshape(partition.n_classes, labels)
    return Guess(
        release=_hits(graph, spreads, truth, [told.T @ spread.share for spread in spreads], told.sum(axis=0)),
        originals=_hits(graph, spreads, truth, [_own(spread, truth, labels) for spread in spreads],
                        np.bincount(truth, minlength=labels)),
        commonest=float(np.bincount(truth).max() / graph.n),
    )


def _own(spread: _Spread, truth: Ints, labels: int) -> Floats:
    groups = spread.share.shape[1]
    return np.bincount(truth * groups + spread.group, minlength=labels * groups).reshape(labels, groups).astype(float)


def _hits(graph: AttributedGraph, spreads: list[_Spread], truth: Ints, counts: list[Floats], prior: Ints) -> float:
    """Return the share of people whose label is the likeliest, one more of each value being counted (Laplace)."""
    score = np.tile(np.log(prior + 1.0), (graph.n, 1))
    for spread, count in zip(spreads, counts, strict=True):
        share = (count + 1.0) / (count.sum(axis=1, keepdims=True) + count.shape[1])
        score += np.log(share).T[spread.group]
    return float((score.argmax(axis=1) == truth).mean())


def utility(grouping: Grouping, target: str | None = None) -> Mapping[str, Any]:
    """Return marginals, associations and, with a `target`, the classifier, as a report needs them."""
    found: dict[str, Any] = {"marginals": marginals(grouping), "associations": associations(grouping)}
    if target is not None:
        found["classifier"] = classifier(grouping, target)
    return found
