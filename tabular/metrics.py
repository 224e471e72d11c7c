"""What a grouping of a table costs, by the measures of the literature, and what an analyst can still do with it.

Losses say how much less is told: of cells (`gcp`, `precision`, entropy), of people (`discernibility`, class sizes).
Utility says what comes of it: an analyst who reads the release spreads everyone of a class evenly over the values
that their box covers, each attribute on its own, and computes. `marginals` and `associations` compare what comes
out with the originals, and `classifier` trains naive Bayes on the release and tries it on the originals, or on
others who had no part in it. All of it needs the originals, so none of it is published; a run keeps it in its private
``run.json``, and :func:`measures` and :func:`utility` give it for ``run.grouping``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import Domain, Floats, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, Grouping
from graphanon.loss import entropy_loss, private_losses, public_losses
from graphanon.schema import Role
from graphanon.tabular.ladders import doubled

__all__ = [
    "Guess", "associations", "average_class_size", "class_entropy", "class_sizes", "classifier", "discernibility",
    "distributions", "entropy", "gcp", "marginals", "measures", "precision", "private_measures", "utility",
]

Ints = NDArray[np.int64]
_CELLS = 64  # groups of values at most, of an attribute with more values than that
_TOLD = 64  # values at most of a column that utility tries to tell


def gcp(grouping: Grouping) -> float:
    """Return the global certainty penalty, 0 to 1: the mean share of leaves or range that a cell covers.

    Source: J. Xu, W. Wang, J. Pei, X. Wang, B. Shi and A. Fu, Utility-Based Anonymization Using Local Recoding, 2006.
    """
    return public_losses(grouping).get("ncp", 0.0)


def precision(
    grouping: Grouping, withheld: Literal["lost", "excluded"] = "lost", level: Literal["cell", "attribute"] = "cell"
) -> float:
    """Return 1 minus the mean share of the levels of its hierarchy that a cell has climbed.

    A cell is on the lowest level that tells no less, one between two levels on the higher; with `level` "attribute" all
    cells of an attribute are on the lowest that tells what each of them tells, if there is one (in a hierarchy with padded branches
    that may be higher). Withheld people count as told nothing, or not at all. Source: L. Sweeney, Achieving k-Anonymity
    Privacy Protection Using Generalization and Suppression, 2002.
    """
    graph, partition = grouping.source, grouping.partition
    if not graph.q:
        return 1.0
    boxes = grouping.boxes
    shares = [_climbed(domain, boxes.lo[:, j], boxes.hi[:, j]) for j, domain in enumerate(graph.domains)]
    if level == "attribute":
        alike = [_climbed_alike(grouping, j) for j in range(graph.q)]
        shares = [own if one is None else np.full_like(own, one) for own, one in zip(shares, alike, strict=True)]
    lost = float(partition.sizes @ np.sum(shares, axis=0)) if len(boxes) else 0.0
    people = int(partition.sizes.sum())
    if withheld == "lost":
        lost, people = lost + partition.withheld * graph.q, graph.n
    return 1.0 - lost / (people * graph.q) if people else 0.0


def _climbed_alike(grouping: Grouping, j: int) -> float | None:
    """Return the share of levels that an attribute has climbed if everyone is told it on the same, else None."""
    kept = grouping.partition.kept
    values, told = grouping.source.values[kept, j], grouping.boxes[grouping.partition.labels[kept]]
    line = doubled(grouping.source.domains[j])
    for level in range(line.height + 1):
        lo, hi = line.at_level(values, level)
        if np.array_equal(lo, told.lo[:, j]) and np.array_equal(hi, told.hi[:, j]):
            return level / line.height if line.height else 0.0
    return None


def _climbed(domain: Domain, lo: Floats, hi: Floats) -> Floats:
    if isinstance(domain, Tree):
        return domain.cost(lo, hi, "height")
    line = doubled(domain)
    share = np.ones(len(lo))
    for level in range(line.height - 1, -1, -1):
        low, high = line.at_level(lo, level)
        share = np.where((low <= lo) & (hi <= high), level / line.height, share)
    return share


def private_measures(grouping: Grouping) -> dict[str, Any]:
    """Return what a run keeps for its owner beside :func:`graphanon.loss.private_losses`."""
    if not (grouping.source.q and grouping.partition.n_classes):
        return {}
    return {"precision": precision(grouping), "class_sizes": class_sizes(grouping), "class_entropy": class_entropy(grouping)}


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
    """The values of an attribute in groups.

    ``line`` are the values that occur, in order, and ``part`` int64 whose group each is; ``group`` int64[n] is that of
    each person, ``share`` float64[classes, groups] where those of a class may be.
    """

    line: Floats
    part: Ints
    group: Ints
    share: Floats

    def placed(self, values: Floats) -> Ints:
        """Return the group of the value nearest below each of these."""
        return self.part[np.maximum(np.searchsorted(self.line, values, "right") - 1, 0)]


def _spread(values: Floats, boxes: Boxes, j: int) -> _Spread:
    line, place, count = np.unique(values, return_inverse=True, return_counts=True)
    part = np.arange(len(line), dtype=np.int64)
    if len(line) > _CELLS:
        part = np.minimum((np.cumsum(count) - count) * _CELLS // max(int(count.sum()), 1), _CELLS - 1)
        part = np.unique(part, return_inverse=True)[1].reshape(-1).astype(np.int64)
    share = np.zeros((len(boxes), int(part.max(initial=-1)) + 1))
    # 0.30000000000000004 is published as 0.3, and lies in its own interval all the same
    lo, hi = (side[:, j] + sign * 1e-9 * np.maximum(abs(side[:, j]), 1.0) for side, sign in ((boxes.lo, -1), (boxes.hi, 1)))
    first, last = np.searchsorted(line, lo, "left"), np.searchsorted(line, hi, "right")
    for g in range(share.shape[1]):
        begin, end = np.searchsorted(part, [g, g + 1])
        share[:, g] = np.maximum(np.minimum(last, end) - np.maximum(first, begin), 0)
    return _Spread(line, part, part[place.reshape(-1)], share / share.sum(axis=1, keepdims=True))


def _spreads(grouping: Grouping) -> list[_Spread]:
    if not grouping.partition.n_classes:
        raise InputProblem(Problem(what="nobody was released, so there is nothing to learn from the release"))
    values = grouping.source.values
    return [_spread(values[:, j], grouping.boxes, j) for j in range(values.shape[1])]


def distributions(grouping: Grouping) -> dict[str, dict[str, list[Any]]]:
    """Return for each quasi-identifier its `values`, and the share of people who have each `before` and `after`.

    An attribute with more than 64 values comes in groups of neighbours, named by the first and the last of them.
    """
    return _distributions(grouping, _spreads(grouping))


def _distributions(grouping: Grouping, spreads: list[_Spread]) -> dict[str, dict[str, list[Any]]]:
    graph = grouping.source
    weight = _weights(grouping)
    found = {}
    for column, domain, spread in zip(graph.schema.quasi, graph.domains, spreads, strict=True):
        ends = [np.searchsorted(spread.part, np.arange(spread.share.shape[1]), side) for side in ("left", "right")]
        first, last = (domain.bounds(spread.line[end], spread.line[end])[0] for end in (ends[0], ends[1] - 1))
        found[column.name] = {
            "values": [one if one == other else f"{one} to {other}" for one, other in zip(first, last, strict=True)],
            "before": (np.bincount(spread.group, minlength=spread.share.shape[1]) / graph.n).tolist(),
            "after": (weight @ spread.share).tolist(),
        }
    return found


def marginals(grouping: Grouping) -> dict[str, float]:
    """Return for each quasi-identifier how far its distribution has moved, 0 to 1 (total variation)."""
    return _moved(distributions(grouping))


def _moved(told: dict[str, dict[str, list[Any]]]) -> dict[str, float]:
    return {name: float(abs(np.subtract(each["before"], each["after"])).sum() / 2) for name, each in told.items()}


def _weights(grouping: Grouping) -> Floats:
    """Return float64[classes], the share of those released who are in each."""
    return grouping.partition.sizes / max(int(grouping.partition.sizes.sum()), 1)


def associations(grouping: Grouping) -> dict[tuple[str, str], dict[str, float]]:
    """Return Cramer's V of each pair of quasi-identifiers, before and after, and how far their table has moved."""
    return _associations(grouping, _spreads(grouping))


def _associations(grouping: Grouping, spreads: list[_Spread]) -> dict[tuple[str, str], dict[str, float]]:
    weight = _weights(grouping)
    named = list(zip([column.name for column in grouping.source.schema.quasi], spreads, strict=True))
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


def classifier(grouping: Grouping, target: str, on: AttributedGraph | None = None) -> Guess:
    """Return how well naive Bayes tells the sensitive or open column `target` from the quasi-identifiers.

    It learns from the classes of the release, in each of which the values of the column are counted, and is tried on
    everyone's own record; so is one that has learned from the records. With `on` both are tried on those people instead,
    whose quasi-identifiers lie on the same lines.

    Raises
    ------
    InputProblem
        If there is no such column, or the lines are others.
    """
    tried = grouping.source if on is None else on
    _check_tried(grouping.source, tried, target)
    return _classifier(grouping, target, tried, _spreads(grouping))


def _classifier(grouping: Grouping, target: str, tried: AttributedGraph, spreads: list[_Spread]) -> Guess:
    graph, partition = grouping.source, grouping.partition
    own = graph.payload[target].codes
    labels = len(graph.payload[target].labels)
    kept = partition.kept
    told = np.bincount(partition.labels[kept] * labels + own[kept], minlength=partition.n_classes * labels)
    told = told.reshape(partition.n_classes, labels)
    places = [spread.placed(tried.values[:, j]) for j, spread in enumerate(spreads)]
    truth = _as_labelled(tried, graph, target)
    learned = [told.T @ spread.share for spread in spreads]
    known = [_counted(spread, own, labels) for spread in spreads]
    seen = np.bincount(own, minlength=labels)
    return Guess(
        release=_hits(places, truth, learned, told.sum(axis=0)),
        originals=_hits(places, truth, known, seen),
        commonest=float((truth == seen.argmax()).mean()),
    )


def _check_tried(graph: AttributedGraph, tried: AttributedGraph, target: str) -> None:
    missing = [people for people in (graph, tried) if target not in people.payload]
    if missing:
        raise InputProblem(Problem(what=f"there is no sensitive or open column '{target}'",
                                   allowed=", ".join(missing[0].payload) or "none"))
    if graph.domains != tried.domains:
        raise InputProblem(Problem(what="the people to try it on have other lines of values",
                                   allowed="the same ranges, orders and hierarchies", fix="read both with one schema"))


def _as_labelled(tried: AttributedGraph, graph: AttributedGraph, target: str) -> Ints:
    """Return the values of a column as places among the labels of another, -1 where it is none of them."""
    number = {label: code for code, label in enumerate(graph.payload[target].labels)}
    column = tried.payload[target]
    return np.array([number.get(label, -1) for label in column.labels], dtype=np.int64)[column.codes]


def _counted(spread: _Spread, truth: Ints, labels: int) -> Floats:
    groups = spread.share.shape[1]
    return np.bincount(truth * groups + spread.group, minlength=labels * groups).reshape(labels, groups).astype(float)


def _hits(places: list[Ints], truth: Ints, counts: list[Floats], prior: Ints) -> float:
    """Return the share of people whose label is the likeliest, one more of each value being counted (Laplace)."""
    score = np.tile(np.log(prior + 1.0), (len(truth), 1))
    for place, count in zip(places, counts, strict=True):
        share = (count + 1.0) / (count.sum(axis=1, keepdims=True) + count.shape[1])
        score += np.log(share).T[place]
    return float((score.argmax(axis=1) == truth).mean())


def utility(grouping: Grouping, target: str | None = None) -> dict[str, Any]:
    """Return marginals, distributions, associations and classifiers as a report needs them, in plain numbers and text.

    Classifiers are those of `target`; left out, of each sensitive column with at most 64 values.
    """
    if not (grouping.source.q and grouping.partition.n_classes):
        return {}
    payload = grouping.source.payload
    targets = [target] if target else [column.name for column in grouping.source.schema.of_role(Role.SENSITIVE)
                                       if len(payload[column.name].labels) <= _TOLD]
    for name in targets:
        _check_tried(grouping.source, grouping.source, name)
    spreads = _spreads(grouping)
    told = _distributions(grouping, spreads)
    return {
        "marginals": _moved(told),
        "distributions": told,
        "associations": [{"columns": list(pair)} | found for pair, found in _associations(grouping, spreads).items()],
        "classifiers": {name: asdict(_classifier(grouping, name, grouping.source, spreads)) for name in targets},
    }
