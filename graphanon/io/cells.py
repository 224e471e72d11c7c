"""Columns of text as codes, and what comes up while they are read.

Every rule about cells looks at the distinct texts of a column, not at its rows, so its cost does not
grow with the number of people; the first row of each text is kept for telling where it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem

__all__ = ["EXAMPLES", "Coded", "Findings", "Place", "code", "in_lines", "number_of", "some"]

EXAMPLES = 5
LISTED = 100

Ints = NDArray[np.int64]


class Coded(NamedTuple):
    """A column of text: `codes` int64[n] into the sorted `labels`, -1 where missing; `first` row and `count` of each."""

    codes: Ints
    labels: tuple[str, ...]
    first: Ints
    count: Ints  # type: ignore[assignment]  # the tuple's own count is not missed

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Whether each cell is missing."""
        return np.asarray(self.codes < 0)


def code(cells: pd.Series) -> Coded:
    """Return a column of str and None as codes into its sorted distinct texts.

    Examples
    --------
    >>> code(pd.Series(["b", None, "a", "b"])).codes
    array([ 1, -1,  0,  1])
    """
    raw, found = pd.factorize(cells, use_na_sentinel=True)
    texts = list(map(str, np.asarray(found, dtype=object).tolist()))
    order = sorted(range(len(texts)), key=texts.__getitem__)
    rank = np.empty(len(texts) + 1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    rank[-1] = -1
    codes = rank[raw]
    there = np.flatnonzero(codes >= 0)
    first = np.full(len(texts), len(codes), dtype=np.int64)
    np.minimum.at(first, codes[there], there)
    count = np.bincount(codes[there], minlength=len(texts)).astype(np.int64)
    return Coded(codes, tuple(texts[i] for i in order), first, count)


@dataclass(frozen=True)
class Place:
    """Where rows stand: the file, and the line of each row (below 1: in no file)."""

    file: str
    lines: Ints

    def line(self, row: int) -> int | None:
        """Return the line of a row, None if it stands in no file."""
        line = int(self.lines[row]) if row < len(self.lines) else 0
        return line if line > 0 else None


@dataclass
class Findings:
    """What comes up on the way from text to graph: problems that stop it, warnings, notes, numbers."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def stop_if_any(self) -> None:
        """Raise InputProblem with every problem so far, the listing cut where it becomes unreadable."""
        if not self.problems:
            return
        shown = self.problems[:LISTED]
        if len(self.problems) > LISTED:
            shown.append(Problem(what=f"and {len(self.problems) - LISTED} more problems"))
        raise InputProblem(shown)

    def add_some(self, problems: Iterable[Problem], more: Problem) -> None:
        """Add the first few problems of a kind and, in place of the others, `more` with their number in front."""
        found = in_lines(problems)
        self.problems += found[:EXAMPLES]
        if len(found) > EXAMPLES:
            what = f"and {len(found) - EXAMPLES} more {more.what}"
            self.problems.append(Problem(what=what, file=more.file, column=more.column, fix=more.fix))


def in_lines(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems in the order of their lines, those without a line last."""
    return sorted(problems, key=lambda problem: (problem.line is None, problem.line or 0))


def some(items: Iterable[str], total: int) -> str:
    """Return a few items as a sentence's list, with the number of those left out.

    Examples
    --------
    >>> some(["line 2", "line 7"], 4)
    'line 2, line 7 and 2 more'
    """
    shown = list(items)[:EXAMPLES]
    more = f" and {total - len(shown)} more" if total > len(shown) else ""
    return ", ".join(shown) + more


def number_of(number: int, one: str, several: str) -> str:
    """Return a number with the words that go with it.

    Examples
    --------
    >>> number_of(1, "id stands", "ids stand"), number_of(2500, "id stands", "ids stand")
    ('1 id stands', '2,500 ids stand')
    """
    return f"{number:,} {one if number == 1 else several}"
