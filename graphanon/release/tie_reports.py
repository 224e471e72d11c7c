"""Ties that people reported under a budget, as files: noisy reports, and what can be estimated from them.

Reports are either single pairs (rows of reports.csv that say they are tied, some of them wrongly) or, where
these would be too many, counts between classes. The classes come from chance or from an answer that was
randomized already, never from the ties. Estimates may be negative or fractional and are never called ties.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.ties import TieFlips, classes_by_chance, true_counts

__all__ = ["CHANCE", "EVERYONE", "TieClasses", "TieTables", "chance_classes", "tie_tables"]

Ints = NDArray[np.int64]
Lines = tuple[tuple[str, ...], ...]
CHANCE = "chance"
EVERYONE = "everyone"


@dataclass(frozen=True, kw_only=True, eq=False)
class TieClasses:
    """The class of everyone, int64[n], by what they are made (a column, or chance), and what each is called."""

    labels: Ints
    names: tuple[str, ...]
    by: str


@dataclass(frozen=True, kw_only=True)
class TieTables:
    """The files of reports and estimates, what release.json says of them, and what they spend."""

    tables: Mapping[str, Lines]
    statement: Mapping[str, Any]
    epsilon: Mapping[str, Any]


def chance_classes(n: int, count: int, coins: Coins) -> TieClasses:
    """Return so many classes of nearly equal size, drawn without a look at anything."""
    names = tuple(f"G{i + 1}" for i in range(count))
    return TieClasses(labels=classes_by_chance(n, count, coins), names=names, by=CHANCE)


def tie_tables(
    flips: TieFlips, pairs: Ints, n: int, coins: Coins, *, report: Literal["pairs", "counts"], classes: TieClasses
) -> TieTables:
    """Return what `n` people in the rows of reports.csv report about `pairs`, int64[ties, 2] of rows.

    `classes` are those of the counts; single pairs are reported without.
    """
    lines: Lines
    if report == "pairs":
        told = flips.report(n, pairs, coins)
        lines = (("source", "target"), *((str(a + 1), str(b + 1)) for a, b in told.tolist()))
        names: tuple[str, ...] = (EVERYONE,)
        sizes, by = np.array([n]), EVERYONE
        counts = true_counts(np.zeros(n, dtype=np.int64), told, 1) if n else np.zeros((1, 1), dtype=np.int64)
    else:
        names, by = classes.names, classes.by
        sizes = np.bincount(classes.labels, minlength=len(names))
        counts = _counts(flips, classes, pairs, coins)
        lines = (("source", "target", "reported"), *_upper(names, counts))
    estimate = flips.estimate(counts, sizes)
    numbers = zip(*(part.tolist() for part in estimate), strict=True)
    estimates = (("source", "target", "ties_estimate", "se"), *(
        (names[a], names[b], f"{value:.12g}", f"{se:.12g}") for a, b, value, se in numbers))
    statement = {**flips.as_json(), "report": report, "classes_by": by, "classes": list(names), "sizes": sizes.tolist()}
    return TieTables(tables={"tie_reports.csv": lines, "tie_estimates.csv": estimates}, statement=statement,
                     epsilon=flips.ledger())


def _counts(flips: TieFlips, classes: TieClasses, pairs: Ints, coins: Coins) -> Ints:
    """Return int64[K, K] of reported pairs; classes in which nobody is come last among the labels of some runs."""
    found = np.zeros((len(classes.names),) * 2, dtype=np.int64)
    own = flips.counts(classes.labels, pairs, coins)
    found[: len(own), : len(own)] = own
    return found


def _upper(names: Sequence[str], counts: Ints) -> list[tuple[str, str, str]]:
    source, target = np.triu_indices(len(names))
    return [(names[a], names[b], str(counts[a, b])) for a, b in zip(source.tolist(), target.tolist(), strict=True)]
