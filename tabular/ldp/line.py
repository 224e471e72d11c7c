"""The public line of cells on which one attribute is perturbed.

Everyone's answers range over the same cells, whoever they are, so the line comes from the schema alone: a number's
declared range on its grid, the leaves of a given hierarchy, the labels of an order. A line read off the data
would tell who is in them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem

__all__ = ["Line", "Outside"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Outside = str  # "refuse" or "clip"
_MOST_CELLS = 1_000_000
_MOST_STEPS = 10**11


@dataclass(frozen=True, kw_only=True)
class Line:
    """The cells of one attribute: numbers from `low` to `high` in steps of `grid`, or labels.

    `ordered` labels are ranks. With `missing`, the last cell stands for a missing value.

    Examples
    --------
    >>> age = Line.numbers("age", 17, 90)
    >>> age.size, age.cells(np.array([17.0, 41.4])), age.texts(np.array([0, 24]))
    (74, array([ 0, 24]), ['17', '41'])
    >>> Line.of_labels("sex", ["F", "M"]).as_json()
    {'name': 'sex', 'labels': ['F', 'M'], 'ordered': False, 'missing': False}
    """

    name: str
    labels: tuple[str, ...] = ()
    ordered: bool = False
    low: float = 0.0
    high: float = 0.0
    grid: float = 0.0
    missing: bool = False

    @classmethod
    def numbers(cls, name: str, low: float, high: float, grid: float = 1.0, *, missing: bool = False) -> Line:
        """Return the multiples of the grid from `low` to `high`.

        Raises
        ------
        InputProblem
            If there is none, if there are more than can be told apart in answers, or need more than 12 digits.
        """
        if not (math.isfinite(low) and math.isfinite(high) and math.isfinite(grid) and grid > 0):
            raise InputProblem(Problem(what="a line needs a finite range and a grid above 0", column=name))
        if max(abs(low), abs(high)) / grid >= _MOST_STEPS or grid < 1 / _MOST_STEPS:
            raise InputProblem(Problem(what="numbers on so fine a grid need more than 12 digits", column=name,
                                       allowed="up to 10**11 steps from zero", fix="a coarser grid in the schema"))
        first, last = math.ceil(low / grid - 1e-9), math.floor(high / grid + 1e-9)
        if last < first:
            what = "the range holds no multiple of the grid"
            raise InputProblem(Problem(what=what, column=name, fix="a finer grid"))
        if last - first >= _MOST_CELLS:
            raise InputProblem(Problem(what=f"the range holds {last - first + 1:,} multiples of the grid", column=name,
                                       allowed=f"up to {_MOST_CELLS:,}", fix="a coarser grid in the schema"))
        # as decimals, so that the ends are those that are printed
        low, high = (float(step * Decimal(repr(float(grid)))) for step in (first, last))
        return cls(name=name, low=low, high=high, grid=grid, ordered=True, missing=missing)

    @classmethod
    def of_labels(cls, name: str, labels: Sequence[str], *, ordered: bool = False, missing: bool = False) -> Line:
        """Return the line of these labels, in this order."""
        return cls(name=name, labels=tuple(labels), ordered=ordered, missing=missing)

    @property
    def numeric(self) -> bool:
        """Whether the cells are numbers."""
        return self.grid > 0

    @property
    def known(self) -> int:
        """Number of cells without that of a missing value."""
        return round((self.high - self.low) / self.grid) + 1 if self.numeric else len(self.labels)

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.known + self.missing

    def cells(self, addresses: Floats, outside: Outside = "refuse") -> Ints:
        """Return the cell of each number (the nearest multiple of the grid) or of each rank.

        What lies past the last address is a missing value. `outside` says what becomes of numbers out of range.

        Raises
        ------
        InputProblem
            If a value has no cell and `outside` is ``"refuse"``; nobody's value is told.
        """
        values = np.asarray(addresses, dtype=np.float64)
        cell = np.rint((values - self.low) / self.grid) if self.numeric else values
        # an address one step past the end is a missing value, where there may be one
        strange = ~np.isfinite(values) | (cell < 0) | (cell >= self.size)
        if strange.any() and (outside == "refuse" or not self.numeric or not np.isfinite(values).all()):
            raise InputProblem(self._stranger(int(strange.sum())))
        return np.clip(cell, 0, self.size - 1).astype(np.int64)

    def _stranger(self, count: int) -> Problem:
        allowed = f"from {self.low:g} to {self.high:g}" if self.numeric else f"{self.known} declared values"
        return Problem(what=f"{count} values lie outside the declared domain", column=self.name, allowed=allowed,
                       fix="--outside clip, or a wider range in the schema" if self.numeric else "declare them")

    def cells_of_texts(self, texts: Sequence[str], outside: Outside = "refuse") -> Ints:
        """Return the cell of each text; an empty one is a missing value.

        Raises
        ------
        InputProblem
            If a text is no value of this line, or missing where there is no cell for that.
        """
        if self.numeric:
            return self._cells_of_numerals(texts, outside)
        place = {label: rank for rank, label in enumerate(self.labels)}
        if self.missing:
            place[""] = self.known
        found = np.array([place.get(text, -1) for text in texts], dtype=np.int64)
        if (found < 0).any():
            raise InputProblem(self._stranger(int((found < 0).sum())))
        return found

    def _cells_of_numerals(self, texts: Sequence[str], outside: Outside) -> Ints:
        # not a number: no cell at all, not even by clipping
        gone = np.array([text == "" for text in texts], dtype=bool) & self.missing
        cell = np.full(len(texts), self.known, dtype=np.int64)
        known = [text for text, empty in zip(texts, gone, strict=True) if not empty]
        cell[~gone] = Line.cells(self._present, np.array([_number(text) for text in known]), outside)
        return cell

    @property
    def _present(self) -> Line:
        return Line(name=self.name, low=self.low, high=self.high, grid=self.grid, ordered=True)

    def values(self) -> Floats:
        """Return float64[known]: the number of each cell, or its rank."""
        ranks = np.arange(self.known, dtype=np.float64)
        return np.round(self.low + ranks * self.grid, 12) if self.numeric else ranks

    def scaled(self) -> Floats:
        """Return float64[known]: where each cell lies between the first (0) and the last (1)."""
        return np.arange(self.known) / max(self.known - 1, 1)

    def texts(self, cells: Ints) -> list[str]:
        """Return the text of each cell, as it would stand in a table; a missing value is empty."""
        names = [f"{value:.12g}" for value in self.values()] if self.numeric else list(self.labels)
        names.append("")
        return [names[cell] for cell in cells.tolist()]

    def as_json(self) -> dict[str, Any]:
        """Return what :meth:`from_json` reads."""
        kind: dict[str, Any] = (
            {"range": [self.low, self.high], "grid": self.grid} if self.numeric
            else {"labels": list(self.labels), "ordered": self.ordered})
        return {"name": self.name, **kind, "missing": self.missing}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Line:
        """Return the line that :meth:`as_json` wrote."""
        if "labels" in data:
            return cls.of_labels(data["name"], data["labels"], ordered=data["ordered"], missing=data["missing"])
        low, high = data["range"]
        return cls.numbers(data["name"], low, high, data["grid"], missing=data["missing"])


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
