"""What a published cell says, and whether it may be said: numbers on a grid, runs of ranks, nodes of trees.

Each line reads the cells of one attribute into what they cover, tells what that costs, and whether an
original value is covered. Numbers are decimals throughout, so that no rounding decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import combinations
from typing import Any, NamedTuple, Protocol

from graphanon.audit.files import csv_lines
from graphanon.audit.finding import Finding, broken
from graphanon.audit.statement import Attribute, Statement

__all__ = ["NOTHING", "Cover", "Numbers", "Ranks", "Tree", "ValueLine", "value_lines"]

ANY = "*"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_INTERVAL = re.compile(r"\[(.+), (.+)\]", re.DOTALL)


class Cover(NamedTuple):
    """What a cell covers: an interval of numbers or ranks, or a label; everything if `any`."""

    low: Any = None
    high: Any = None
    any: bool = False


# what a cell that cannot be read covers
NOTHING = Cover()


class ValueLine(Protocol):
    """The line of one attribute."""

    def read(self, cells: Sequence[str]) -> Cover:
        """Return what one or two cells cover; ValueError says why they may not be published."""

    def cost(self, cover: Cover, measure: str) -> float:
        """Return the share of its meaning that the cell has lost, by leaves or by height."""

    def covers(self, cover: Cover, value: str | None) -> bool:
        """Return whether the original value is covered; ValueError if it is no value at all."""


class Numbers:
    """A range of numbers, published between multiples of a grid."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.low, self.high = (Decimal(repr(end)) for end in facts["range"])
        self.span = float(facts["range"][1]) - float(facts["range"][0])
        self.grid = Decimal(repr(facts["grid"])).normalize()
        self.decimals = max(0, -int(self.grid.as_tuple().exponent))

    def read(self, cells: Sequence[str]) -> Cover:
        """Return the interval; both ends are multiples of the grid that the range reaches."""
        low, high = _ends(cells)
        if low == high == ANY:
            return Cover(any=True)
        first, last = self._end(low), self._end(high)
        if first > last:
            raise ValueError("the low end lies above the high end")
        if first <= self.low - self.grid or last >= self.high + self.grid:
            raise ValueError("lies outside the range")
        return Cover(first, last)

    def _end(self, text: str) -> Decimal:
        match = _NUMBER.fullmatch(text)
        # zero has no sign
        if not match or (text[0] == "-" and not text.strip("-0.")) or len(match[2] or "") != (self.decimals + 1 if self.decimals else 0):
            message = f"not a number with {self.decimals} decimals or *"
            raise ValueError(message)
        value = Decimal(text)
        if not _divides(self.grid, value):
            message = f"not a multiple of the grid {self.grid}"
            raise ValueError(message)
        return value

    def cost(self, cover: Cover, measure: str) -> float:  # noqa: ARG002  numbers have one measure
        """Return width over range, at most 1."""
        if cover.any:
            return 1.0
        return min((float(cover.high) - float(cover.low)) / self.span, 1.0) if self.span > 0 else 0.0

    def covers(self, cover: Cover, value: str | None) -> bool:
        """Return whether the number lies in the interval; one missing only in everything."""
        if cover.any or value is None:
            return cover.any
        try:
            number = Decimal(value.strip())
        except InvalidOperation:
            raise ValueError("not a number") from None
        # what arithmetic in floats has left behind, such as 0.30000000000000004, is three tenths
        slack = self.grid * Decimal("1e-9") + abs(number) * Decimal("4e-15")
        return bool(cover.low - slack <= number <= cover.high + slack)


def _divides(grid: Decimal, value: Decimal) -> bool:
    try:
        return value % grid == 0
    except ArithmeticError:  # more digits than a decimal divides
        return False


class Ranks:
    """Labels in order, published as runs."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.place = {label: rank for rank, label in enumerate(facts["order"])}
        labels = facts["order"]
        self.runs = {label: (label, label) for label in labels}
        self.ambiguous: set[str] = set()
        for low, high in combinations(labels, 2):
            text = f"[{low}, {high}]"
            if text in self.runs:
                self.ambiguous.add(text)
            self.runs[text] = low, high

    def read(self, cells: Sequence[str]) -> Cover:
        """Return the run of ranks."""
        if len(cells) == 1 and cells[0] != ANY:
            if cells[0] in self.ambiguous or cells[0] not in self.runs:
                raise ValueError("not a label, a run of two labels in order, or *")
            cells = self.runs[cells[0]]
        low, high = cells if len(cells) == 2 else (ANY, ANY)
        if low == high == ANY:
            return Cover(any=True)
        if low not in self.place or high not in self.place:
            raise ValueError("not a label of the order")
        if self.place[low] > self.place[high]:
            raise ValueError("the low label comes after the high one")
        return Cover(self.place[low], self.place[high])

    def cost(self, cover: Cover, measure: str) -> float:  # noqa: ARG002  ranks have one measure
        """Return steps covered over steps there are."""
        if cover.any:
            return 1.0
        return (cover.high - cover.low) / (len(self.place) - 1) if len(self.place) > 1 else 0.0

    def covers(self, cover: Cover, value: str | None) -> bool:
        """Return whether the label lies in the run; one missing only in everything."""
        if cover.any or value is None:
            return cover.any
        if value not in self.place:
            raise ValueError("not a label of the order")
        return bool(cover.low <= self.place[value] <= cover.high)


class Tree:
    """Categories: nodes of a released hierarchy, or values and `*` where none is released.

    The empty cell covers a missing value and nothing else.
    """

    def __init__(self, rows: Sequence[tuple[str, ...]] | None) -> None:
        self.rows = rows
        self.level: dict[str, int] = {}
        self.leaves: dict[str, frozenset[str]] = {}
        below: dict[str, set[str]] = {}
        for row in rows or ():
            for level, label in enumerate(row):
                self.level[label] = min(level, self.level.get(label, level))
                below.setdefault(label, set()).add(row[0])
        self.leaves = {label: frozenset(values) for label, values in below.items()}
        self.height = len(rows[0]) - 1 if rows else 1
        self.root = rows[0][-1] if rows else ANY

    def read(self, cells: Sequence[str]) -> Cover:
        """Return the node."""
        label = cells[0]
        if self.rows is not None and label not in self.level and label:
            raise ValueError("not a node of its hierarchy")
        alone = self.rows is not None and self.level.get(label) == 0
        return Cover(label, label, label == self.root and not alone)

    def cost(self, cover: Cover, measure: str) -> float:
        """Return the share of leaves under the node or of the height at which it stands."""
        label = cover.low
        if cover.any:
            return 1.0
        if self.rows is None or not label or self.level[label] == 0:
            return 0.0
        if measure == "height":
            return self.level[label] / max(self.height, 1)
        return len(self.leaves[label]) / len(self.rows)

    def covers(self, cover: Cover, value: str | None) -> bool:
        """Return whether the value is the node or lies under it."""
        if cover.any or value is None:
            return cover.any or cover.low == ""
        if self.rows is None:
            return bool(cover.low == value)
        if self.level.get(value) != 0:
            raise ValueError("not a value of its hierarchy")
        return value in self.leaves.get(cover.low, ())


def _ends(cells: Sequence[str]) -> tuple[str, str]:
    if len(cells) == 2:
        return cells[0], cells[1]
    match = _INTERVAL.fullmatch(cells[0])
    if match and match[1] == match[2]:
        raise ValueError("an interval of one value is printed as the value")
    return (match[1], match[2]) if match else (cells[0], cells[0])


def value_lines(
    contents: Mapping[str, bytes], statement: Statement
) -> tuple[dict[str, ValueLine], list[Finding]]:
    """Return the line of each quasi-identifier, the tree of each sensitive column, what is wrong with hierarchies."""
    lines: dict[str, ValueLine] = {}
    faults: list[Finding] = []
    for attribute in statement.of_role("quasi", "sensitive"):
        if attribute.role == "sensitive" and "hierarchy" not in attribute.facts:
            continue
        if attribute.type == "number":
            lines[attribute.name] = Numbers(attribute.facts)
        elif attribute.type == "order":
            lines[attribute.name] = Ranks(attribute.facts)
        else:
            rows, more = _rows(contents, attribute)
            faults += more
            lines[attribute.name] = Tree(rows)
    return lines, faults


def _rows(
    contents: Mapping[str, bytes], attribute: Attribute
) -> tuple[list[tuple[str, ...]] | None, list[Finding]]:
    if "hierarchy" not in attribute.facts:
        return None, []
    file = f"hierarchies/{attribute.facts['hierarchy']}"
    table = csv_lines(contents, file, ";", header=False)
    faults = [*table.faults, *_tree_faults(file, [(line.number, line.cells) for line in table.lines])]
    return [line.cells for line in table.lines], faults


def _tree_faults(file: str, lines: Sequence[tuple[int, tuple[str, ...]]]) -> Iterator[Finding]:
    below: dict[tuple[str, int], set[str]] = {}
    seen: set[str] = set()
    before: tuple[str, ...] = ()
    for number, row in lines:
        if row[0] in seen:
            yield broken("hierarchies", "a value stands twice", file, number)
        if row[-1] != lines[0][1][-1]:
            yield broken("hierarchies", "does not end in the root of the others", file, number)
        if row < before:
            yield broken("hierarchies", "lines are not sorted", file, number)
        if not all(row):
            yield broken("hierarchies", "a label is empty", file, number)
        seen.add(row[0])
        before = row
        for level, label in enumerate(row):
            below.setdefault((label, level), set()).add(row[0])
    sets: dict[str, set[str]] = {}
    for (label, _), values in sorted(below.items()):
        if sets.setdefault(label, values) != values:
            yield broken("hierarchies", "a label stands for two sets of values", file)
