"""What may leave: the published form of a grouping, as a value.

A release is a list of classes with published cells and head counts, the counts of ties inside and
between them, and the payload of each class without its owners. There is no field that could hold a
record, an id, a label of the search or the order of the input: classes are named ``S1`` … at random and
stand sorted by name, a table's lines stand in random order, and text that describes the release is
limited to the statement that release.json prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.notebook import card

__all__ = ["Count", "Kind", "PublicColumn", "Records", "Release", "SuperTies"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Kind = Literal["supernode-graph", "table"]
FIXED = ("supernode", "size", "ties_inside", "arcs_inside", "weight_inside")


@dataclass(frozen=True, kw_only=True)
class PublicColumn:
    """A column that is released: its role, the kind of its cells, what the recipient must know to read them.

    `facts` has `range`, `grid`, `steps` of numbers, `order` of ranks, `hierarchy` (a file name) of
    categories whose tree is released; nothing else.
    """

    name: str
    role: Literal["quasi", "sensitive", "open"]
    type: Literal["number", "order", "category"]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", MappingProxyType(dict(self.facts)))

    def cells(self, kind: Kind) -> tuple[str, ...]:
        """Return the names of the columns that hold this one in a release of that kind."""
        if kind == "table" or self.type == "category":
            return (self.name,)
        return f"{self.name}_low", f"{self.name}_high"


@dataclass(frozen=True, kw_only=True, eq=False)
class SuperTies:
    """How many ties there are inside each supernode and between which.

    `inside` int64[K]; `source`, `target`, `ties` int64[m] are pairs of positions among the sorted names
    with at least one tie, unordered pairs once (directed: ordered pairs). Weights are None unless the
    schema adds them up.
    """

    directed: bool
    inside: Ints
    source: Ints
    target: Ints
    ties: Ints
    weight_inside: Floats | None = None
    weight: Floats | None = None


class Count(NamedTuple):
    """How many people of a supernode have a value."""

    supernode: str
    attribute: str
    value: str
    people: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Records:
    """The lines of a table: the class of each, int64[lines] from 0, and its payload, one tuple a column."""

    classes: Ints
    payload: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Release:
    """Classes with their published cells and sizes, counts of ties, payload without owners, the statement.

    `names` are ``S1`` … in the order of text; a table's classes are numbered by their first line instead.
    `cells` has one tuple of text a class, in the order of :attr:`header`; `sizes` int64[K].
    `statement` is what release.json says. Two releases are equal if their files are.

    Raises
    ------
    InputProblem
        If the parts do not fit together or a column would be written under another's name.
    """

    kind: Kind
    columns: tuple[PublicColumn, ...]
    cells: tuple[tuple[str, ...], ...]
    sizes: Ints
    statement: Mapping[str, Any]
    superties: SuperTies | None = None
    counts: tuple[Count, ...] = ()
    records: Records | None = None
    hierarchies: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "statement", MappingProxyType(dict(self.statement)))
        object.__setattr__(self, "hierarchies", MappingProxyType(dict(self.hierarchies)))
        problems = [*_clashes(self.kind, self.columns), *self._misfits()]
        if problems:
            raise InputProblem(problems)

    def _misfits(self) -> list[Problem]:
        graph = self.kind == "supernode-graph"
        if (self.superties is not None) != graph or (self.records is None) != graph:
            return [Problem(what="a graph has ties between supernodes, a table has lines")]
        if len(self.cells) != len(self.sizes) or any(len(row) != len(self.header) for row in self.cells):
            return [Problem(what="every class has one size and one cell a column")]
        if (self.sizes < 1).any():
            return [Problem(what="no class is empty")]
        return []

    def __repr__(self) -> str:
        what = "supernodes" if self.kind == "supernode-graph" else "classes"
        return f"Release({len(self.cells)} {what} of {int(self.sizes.sum())} people)"

    def _repr_html_(self) -> str:
        what = "supernodes" if self.kind == "supernode-graph" else "classes"
        told = self.statement
        rows: list[tuple[str, object]] = [("people", int(self.sizes.sum())), ("withheld", told.get("withheld", 0)), (what, len(self.cells))]
        if self.superties is not None:
            rows.append(("arcs" if self.superties.directed else "ties", told.get("ties", 0)))
        rows += [(name, value) for name, value in told.get("found", {}).items() if isinstance(value, int | float)]
        return card("Release", [*rows, *told.get("losses", {}).items()])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Release):
            return NotImplemented
        return _same(self._parts(), other._parts())

    __hash__ = None  # type: ignore[assignment]

    def _parts(self) -> list[Any]:
        ties, lines = self.superties, self.records
        parts: list[Any] = [self.kind, self.columns, self.cells, self.sizes, dict(self.statement)]
        parts += [self.counts, dict(self.hierarchies)]
        if ties:
            parts += [ties.directed, ties.inside, ties.source, ties.target, ties.ties]
            parts += [ties.weight_inside, ties.weight]
        return parts + ([lines.classes, lines.payload] if lines else [])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classes, in the order of `cells` and `sizes`."""
        numbers = [str(i + 1) for i in range(len(self.sizes))]
        if self.kind == "table":
            return tuple(numbers)
        return tuple(sorted("S" + number for number in numbers))

    @property
    def header(self) -> tuple[str, ...]:
        """The name of each published cell of a class."""
        return tuple(cell for column in self.quasi for cell in column.cells(self.kind))

    @property
    def quasi(self) -> tuple[PublicColumn, ...]:
        """The columns that are generalized."""
        return tuple(column for column in self.columns if column.role == "quasi")

    @property
    def payload(self) -> tuple[PublicColumn, ...]:
        """The columns that are published inside the class."""
        return tuple(column for column in self.columns if column.role != "quasi")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is not None and other is not None and np.array_equal(one, other)
    return bool(one == other)


def _clashes(kind: Kind, columns: tuple[PublicColumn, ...]) -> list[Problem]:
    """Find columns that would be written under the name of another or of a fixed column."""
    owners: dict[str, str] = {} if kind == "table" else dict.fromkeys(FIXED, "the release")
    problems = []
    for column in columns:
        # a graph's payload stands in lines of its own, so it only must not repeat a column's name
        written = column.cells(kind) if column.role == "quasi" or kind == "table" else ()
        for name in written:
            if name in owners:
                what = f"would be written as '{name}', which is a column of {owners[name]}"
                problems.append(Problem(what=what, column=column.name, fix="rename the column"))
            owners[name] = f"'{column.name}'"
    return problems
