"""Prototypes as they may be published: centres on public lines, with the budget that was spent on them.

Methods of this kind publish nothing about any person but what the budget allows, and no classes; so they claim no k.
Whoever they are computed for stands on public lines (:class:`graphanon.tabular.ldp.line.Line`): cells from the first to
the last value that the schema declares. Numbers and ranks are numbers on [0, 1], other labels categories, a missing one
a category of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.method import Declared
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.prototypes import Prototypes, Records

__all__ = ["Centres", "CentresOnly", "records_on"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Centres:
    """Prototypes on public lines.

    `epsilon` is the ledger: what a record spends and between which neighbours, None where nothing is claimed. `plan` says
    how it was spent. Those that are `reproducible` come from a seed and are not for release. `shares`, where they are
    known, are float64[K], the estimated share of people that each stands for.
    """

    lines: tuple[Line, ...]
    prototypes: Prototypes
    epsilon: Mapping[str, Any]
    plan: Mapping[str, Any]
    reproducible: bool
    shares: Floats | None = None

    def __repr__(self) -> str:
        return f"Centres({len(self.prototypes)} of {len(self.lines)} attributes, epsilon {self.epsilon['record']})"

    def texts(self) -> dict[str, list[str]]:
        """Return the value of each centre by the names of the columns: a number on its grid, or a label."""
        numbers, codes = iter(self.prototypes.numbers.T), iter(self.prototypes.codes.T)
        return {
            line.name: line.texts(np.rint(next(numbers).clip(0, 1) * max(line.known - 1, 0)).astype(np.int64))
            if line.ordered else line.texts(next(codes))
            for line in self.lines
        }


def records_on(lines: Sequence[Line], cells: Ints) -> Records:
    """Return cells, int64[n, lines], as records: places on ordered lines from 0 to 1, other cells as categories.

    Raises
    ------
    InputProblem
        If a number or a rank is missing; every such column is named.

    Examples
    --------
    >>> lines = [Line.numbers("age", 20, 40), Line.of_labels("sex", ["F", "M"])]
    >>> records_on(lines, np.array([[10, 0], [20, 1]])).numbers.ravel()
    array([0.5, 1. ])
    """
    missing = [line.name for j, line in enumerate(lines) if line.ordered and (cells[:, j] >= line.known).any()]
    if missing:
        raise InputProblem([Problem(what="a missing number has no place among means", column=name,
                                    fix='missing = "drop" in [people]') for name in missing])
    ordered = [j for j, line in enumerate(lines) if line.ordered]
    named = [j for j, line in enumerate(lines) if not line.ordered]
    spans = np.array([max(lines[j].known - 1, 1) for j in ordered], dtype=float)
    return Records(cells[:, ordered] / spans, cells[:, named].astype(np.int64), tuple(lines[j].size for j in named),
                   np.ones(len(cells), dtype=np.int64))


@dataclass(frozen=True, kw_only=True)
class CentresOnly(Declared, ABC):
    """Publish the centres of clusters and nothing else; the guarantee is a bound on what a record can change."""

    @abstractmethod
    def centres(self, graph: AttributedGraph, coins: Coins) -> Centres:
        """Return the centres of these people, with all noise drawn from the coins."""
