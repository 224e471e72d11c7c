"""The promises of a release and what its own numbers make of them.

The writer states what it found, and the audit, which shares no code with this, must find the same.
Bounds are compared as counts against ``floor(bound * size + 1e-9)``, never as quotients of floats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, log
from typing import Any

import numpy as np

from graphanon.release.model import PublicColumn, Release, SuperTies
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role, Schema

Rows = tuple[tuple[str, ...], ...]

__all__ = ["asked", "diverse", "farness", "found", "tie_confidence"]


def asked(requirement: Requirement, schema: Schema, *, graph: bool) -> dict[str, Any]:
    """Return the promises that were asked for, in the shape of release.json."""
    sensitive = schema.of_role(Role.SENSITIVE)
    promises: dict[str, Any] = {"k": requirement.k}
    asked_: dict[str, dict[str, Any]] = {
        "alpha": {
            column.name: {value: float(share) for value, share in sorted(column.alpha.items())}
            for column in sensitive if column.alpha
        },
        "l": {column.name: _diversity(column) for column in sensitive if column.l is not None},
        "t": {column.name: float(column.t) for column in sensitive if column.t is not None},
    }
    promises |= {name: bounds for name, bounds in asked_.items() if bounds}
    if graph and requirement.tie_confidence is not None:
        promises["tie_confidence"] = float(requirement.tie_confidence)
    return promises


def _diversity(column: Column) -> Any:
    assert column.l is not None
    if column.diversity == "distinct":
        return _plain(column.l)
    told: dict[str, Any] = {"l": _plain(column.l), "diversity": column.diversity}
    return told | ({"c": _plain(column.c)} if column.diversity == "recursive" and column.c is not None else {})


def _plain(number: float) -> int | float:
    return int(number) if float(number).is_integer() else float(number)


def found(release: Release, promises: Mapping[str, Any]) -> dict[str, Any]:
    """Return what holds of the promised things, and of a graph always the tie confidence."""
    told: dict[str, Any] = {"k": int(release.sizes.min()) if len(release.sizes) else 0}
    tallies = _tallies(release)
    if "alpha" in promises:
        told["alpha"] = {
            name: {value: _share(tallies[name], value) for value in bounds}
            for name, bounds in promises["alpha"].items()
        }
    if "l" in promises:
        told["l"] = {
            name: min((diverse(tally, bound) for tally in tallies[name]), default=diverse(Counter(), bound))
            for name, bound in promises["l"].items()
        }
    if "t" in promises:
        columns = {column.name: column for column in release.columns}
        told["t"] = {
            name: _farthest(tallies[name], columns[name], release.hierarchies.get(columns[name].facts.get("hierarchy", "")))
            for name in promises["t"]
        }
    if release.superties is not None:
        told["tie_confidence"] = tie_confidence(release.sizes, release.superties)
    return told


def _tallies(release: Release) -> dict[str, list[Counter[str]]]:
    """Return for each payload column how often each value occurs in each class."""
    tallies = {column.name: [Counter[str]() for _ in release.cells] for column in release.payload}
    if release.records is not None:
        for column, values in zip(release.payload, release.records.payload, strict=True):
            for place, value in zip(release.records.classes.tolist(), values, strict=True):
                tallies[column.name][place][value] += 1
        return tallies
    place = {name: i for i, name in enumerate(release.names)}
    for line in release.counts:
        tallies[line.attribute][place[line.supernode]][line.value] = line.people
    return tallies


def _share(tallies: Sequence[Counter[str]], value: str) -> float:
    return max((tally[value] / tally.total() for tally in tallies), default=0.0)


def diverse(tally: Counter[str], bound: Any) -> int | float:
    """Return the diversity of one class in the sense of the bound.

    Distinct values; the exponential of their entropy; or the largest l for which the commonest value
    occurs less than c times as often as all from the l-th commonest on. Source: A. Machanavajjhala,
    D. Kifer, J. Gehrke and M. Venkitasubramaniam, l-Diversity: Privacy Beyond k-Anonymity, 2007.

    Examples
    --------
    >>> diverse(Counter(flu=2, cold=2), 2), diverse(Counter(flu=2, cold=2), {"l": 2, "diversity": "entropy"})
    (2, 2.0)
    """
    kind = bound["diversity"] if isinstance(bound, Mapping) else "distinct"
    counts = sorted((count for count in tally.values() if count), reverse=True)
    if kind == "distinct":
        return len(counts)
    if kind == "entropy":
        whole = sum(counts)
        if not whole:
            return 0.0
        return float(f"{exp(-sum(c / whole * log(c / whole) for c in counts)):.12g}")
    rest = list(accumulate(reversed(counts)))[::-1]
    return sum(1 for tail in rest if counts[0] < bound["c"] * tail)


def _farthest(tallies: Sequence[Counter[str]], column: PublicColumn, tree: Rows | None) -> float:
    whole: Counter[str] = sum(tallies, Counter())
    return max((farness(tally, whole, column, tree) for tally in tallies), default=0.0)


def farness(tally: Counter[str], whole: Counter[str], column: PublicColumn, tree: Rows | None = None) -> float:
    """Return the earth mover's distance, 0 to 1, from a class's values to those of the whole release.

    Values of an order are as far apart as their ranks (one missing lies past the last), those of a
    hierarchy as high as they have to climb to meet (one missing meets the others at the root), values of
    any other column all alike. Source: N. Li, T. Li and S. Venkatasubramanian, t-Closeness: Privacy Beyond
    k-Anonymity and l-Diversity, 2007.
    """
    line = [*column.facts.get("order", ())]
    line += sorted(set(whole) - set(line), key=_as_number if column.type == "number" else None)
    gap = np.array([tally[v] / tally.total() - whole[v] / whole.total() for v in line])
    if tree:
        return _climbed(dict(zip(line, gap.tolist(), strict=True)), tree)
    if column.type in ("order", "number"):
        moved = float(np.abs(np.cumsum(gap)).sum())
        return moved / (len(line) - 1) if len(line) > 1 else 0.0
    return float(np.abs(gap).sum() / 2)


def _climbed(gap: Mapping[str, float], tree: Rows) -> float:
    """Return half of what crosses every branch of the tree, each of them as long as the others."""
    height = len(tree[0]) - 1
    crossed = abs(gap.get("", 0.0)) * height
    for level in range(height):
        branches: dict[tuple[str, ...], float] = {}
        for row in tree:
            branches[row[level:]] = branches.get(row[level:], 0.0) + gap.get(row[0], 0.0)
        crossed += sum(map(abs, branches.values()))
    return float(crossed / (2 * height)) if height else 0.0


def _as_number(value: str) -> tuple[int, float, str]:
    try:
        return 0, float(value), value
    except ValueError:
        return 1, 0.0, value


def tie_confidence(sizes: np.ndarray[Any, Any], ties: SuperTies) -> float:
    """Return the largest share of possible ties that are ties, over pairs of classes and inside them."""
    inside = sizes * (sizes - 1) // (1 if ties.directed else 2)
    shares = ties.inside / np.maximum(inside, 1)
    between = ties.ties / (sizes[ties.source] * sizes[ties.target])
    return float(max(shares.max(initial=0.0), between.max(initial=0.0)))
