"""Ties between people known by number, and square tables of ties: what several formats share.

Pajek, UCINET and Matrix Market number their nodes from 1 and say at the head how many there are. A number costs a few
bytes to write and gigabytes to believe, so it is believed only as far as a file of its size can mean it.

A square table is read by one rule whatever it stands in. What is not 0 is a tie; a table that is its own mirror
image holds ties without direction, each once; another one holds arcs from the rows to the columns. An
empty cell is not 0: it is no tie only where the table has no zeros, or in one half whose mirror is filled.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphanon.errors import Problem
from graphanon.io.cells import number_of
from graphanon.io.csv_table import Column
from graphanon.io.declared import Declared
from graphanon.io.faults import refusal, refuse_any
from graphanon.io.graph_parts import GraphParts
from graphanon.io.numbers import parse_numbers
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport
from graphanon.io.text import Text, decoded

__all__ = ["Lines", "Matrix", "TieList", "believable", "column_of", "lines_of", "matrix_of", "mixed_problem", "parts_of", "whole"]

Ints = NDArray[np.int64]
_FREE = 1_000_000  # so many people are believed whatever the size of the file


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Lines:
    """A text as lines, and what it was decoded from."""

    file: str
    texts: list[str]
    text: Text

    @property
    def size(self) -> int:
        """Number of bytes."""
        return len(self.text.data)


def lines_of(content: Content, options: ReadOptions) -> Lines:
    """Return the lines of a file of text, the one after the last newline left out if it is empty.

    Raises
    ------
    InputProblem
        If it is no text.
    """
    text = decoded(content.read(), content.name, options.encoding)
    texts = text.data.decode("utf-8").split("\n")
    return Lines(file=content.name, texts=texts[:-1] if not texts[-1] else texts, text=text)


def whole(text: str) -> int | None:
    """Return the whole number that plain digits spell, None where it is something else or absurdly long.

    Examples
    --------
    >>> whole("007"), whole("7.0"), whole("9" * 30)
    (7, None, None)
    """
    return int(text) if len(text) < 18 and text.isascii() and text.isdecimal() else None


def believable(number: int, size: int) -> bool:
    """Tell whether a file of `size` bytes can mean that many people."""
    return number <= _FREE + size


def column_of(texts: Sequence[str | None]) -> Column:
    """Return texts as a column of objects."""
    column = np.empty(len(texts), dtype=object)
    column[:] = texts
    return column


@dataclass
class TieList:
    """Ties as a reader meets them: ends counted from 0, weight and relation as text or None, arc or edge."""

    source: array[int] = field(default_factory=lambda: array("q"))
    target: array[int] = field(default_factory=lambda: array("q"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    weights: list[str | None] = field(default_factory=list)
    relations: list[str | None] = field(default_factory=list)
    arcs: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self.source)

    def add(
        self, source: int, target: int, line: int, *, arc: bool, weight: str | None = None, relation: str | None = None
    ) -> None:
        """Add one tie."""
        self.source.append(source)
        self.target.append(target)
        self.lines.append(line)
        self.weights.append(weight)
        self.relations.append(relation)
        self.arcs.append(arc)

    def add_matrix(self, matrix: Matrix, relation: str | None, *, arcs: bool) -> None:
        """Add the ties of a square table, each once without a direction or as it stands."""
        source, target = matrix.ends(arcs=arcs)
        for ends, numbers in ((self.source, source), (self.target, target), (self.lines, matrix.lines[source])):
            ends.frombytes(np.ascontiguousarray(numbers, dtype=np.int64).tobytes())
        weights = matrix.cells[source, target].tolist()
        self.weights += [None] * len(source) if matrix.plain else weights
        self.relations += [relation] * len(source)
        self.arcs += bytes([arcs]) * len(source)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Matrix:
    """A square table of ties: `cells` text[n, n], `values` float64[n, n], the line of each row."""

    cells: Column
    values: NDArray[np.float64]
    lines: Ints
    warnings: tuple[str, ...] = ()

    @property
    def symmetric(self) -> bool:
        """Whether the table is its own mirror image."""
        return bool((self.values == self.values.T).all())

    @property
    def plain(self) -> bool:
        """Whether no cell is other than 0 and 1, so that nothing is a weight."""
        return bool(np.isin(self.values, (0.0, 1.0)).all())

    def ends(self, *, arcs: bool) -> tuple[Ints, Ints]:
        """Return row and column of every tie; without arcs only of the upper half."""
        source, target = np.nonzero(self.values if arcs else np.triu(self.values))
        return source.astype(np.int64), target.astype(np.int64)


def matrix_of(
    cells: Column, lines: Ints, file: str, options: ReadOptions, names: Sequence[str | None] | None = None
) -> Matrix:
    """Return a square table of text as a matrix of ties.

    `names` are those of the columns, for telling where a cell stands.

    Raises
    ------
    InputProblem
        If a cell is no number, or cells are empty and what that means cannot be told.
    """
    where = _Where(file, lines, names)
    codes, texts = pd.factorize(cells.ravel(), use_na_sentinel=True)
    numbers = np.append(parse_numbers([str(text) for text in texts]), 0.0)
    values = numbers[codes].reshape(cells.shape)
    refuse_any(
        where.problem(row, column, f"'{cells[row, column]}' is no number",
                      allowed="0 where there is no tie, 1 or a weight where there is one")
        for row, column in np.argwhere(np.isnan(values)).tolist()
    )
    empty = (codes < 0).reshape(cells.shape) & ~np.eye(len(values), dtype=bool)
    cells = cells.copy() if empty.any() else cells
    warnings = _fill_empty(values, cells, empty, where, options) + _one_sided(values, file, options)
    return Matrix(cells=cells, values=values, lines=lines, warnings=warnings)


class _Where(NamedTuple):
    """Where the cells of a table stand."""

    file: str
    lines: Ints
    names: Sequence[str | None] | None

    def problem(self, row: int, column: int, what: str, *, allowed: str | None = None, fix: str | None = None) -> Problem:
        name = None if self.names is None else self.names[column]
        return Problem(what=what, file=self.file, line=int(self.lines[row]) or None, allowed=allowed, fix=fix,
                       column=str(column + 1) if name is None else name)


def _fill_empty(
    values: NDArray[np.float64], cells: Column, empty: NDArray[np.bool_], where: _Where, options: ReadOptions
) -> tuple[str, ...]:
    """Settle what empty cells mean, in place, and return what is to be said of it."""
    file = where.file
    number = int(empty.sum())
    if not number:
        return ()
    told = number_of(number, "empty cell is", "empty cells are")
    upper = np.triu(np.ones_like(empty), 1)
    for half in (upper, upper.T):
        if len(values) > 2 and empty[half].all() and not empty[half.T].any():
            values[half], cells[half] = values.T[half], cells.T[half]
            return (f"{file}: one half of the matrix is empty and was read as the mirror of the other",)
    zeros = (values == 0) & ~empty & ~np.eye(len(values), dtype=bool)
    if not zeros.any():
        return (f"{file}: {told} read as no tie, for no cell is 0",)
    if options.drop_incomplete_ties:
        return (f"{file}: {told} read as no tie, as asked",)
    raise refusal(
        where.problem(row, column, "an empty cell beside zeros: whether there is a tie is not told",
                      fix="write 0 or a weight, or --drop-incomplete-ties reads empty cells as no tie")
        for row, column in np.argwhere(empty).tolist()
    )


def _one_sided(values: NDArray[np.float64], file: str, options: ReadOptions) -> tuple[str, ...]:
    above, below = np.triu(values, 1).any(), np.tril(values, -1).any()
    if above == below or options.directed is not None:
        return ()
    told = "every tie stands on one side of the diagonal; they are read as arcs, --undirected reads them as ties"
    return (f"{file}: {told}",)


def mixed_problem(ties: TieList, file: str, options: ReadOptions) -> Iterator[Problem]:
    """Find arcs beside edges where no option says how to read them alike."""
    if options.directed is None and 0 in ties.arcs and 1 in ties.arcs:
        place = ties.arcs.index(1 - ties.arcs[0])
        yield Problem(what="mixes directed and undirected ties", file=file, line=ties.lines[place] or None,
                      fix="--directed reads an undirected one as two arcs, --undirected reads arcs as ties")


def parts_of(
    ties: TieList, ids: Column, lines: Ints, file: str, options: ReadOptions, *, report: ReadReport,
    attributes: Mapping[str, Column] | None = None, tie_attributes: Mapping[str, Column] | None = None,
    modes: Column | None = None, types: Mapping[str, Declared] | None = None,
) -> GraphParts:
    """Return numbered people and ties as parts of a graph; a tie without a weight among weights weighs 1.

    Raises
    ------
    InputProblem
        If arcs and undirected ties are mixed and no option says how to read them.
    """
    refuse_any(mixed_problem(ties, file, options))
    flags = np.frombuffer(bytes(ties.arcs), dtype=np.uint8) == 1
    # an undirected tie among arcs goes both ways
    mixed = bool(flags.any()) and not bool(flags.all()) and options.directed is True
    rows = np.concatenate([np.arange(len(flags)), np.flatnonzero(~flags)]) if mixed else np.arange(len(flags))
    turned = np.arange(len(rows)) >= len(flags)
    source, target = (np.array(ends, dtype=np.int64)[rows] for ends in (ties.source, ties.target))
    columns = _said_of_ties(ties) | dict(tie_attributes or {})
    return GraphParts(
        file=file, ids=ids, lines=lines, attributes=dict(attributes or {}), modes=modes, types=types or {},
        source=ids[np.where(turned, target, source)], target=ids[np.where(turned, source, target)],
        tie_lines=np.array(ties.lines, dtype=np.int64)[rows],
        tie_attributes={name: column[rows] for name, column in columns.items()},
        directed=bool(flags.any()) if len(flags) else None, report=report,
    )


def _said_of_ties(ties: TieList) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    if any(weight is not None for weight in ties.weights):
        columns["weight"] = column_of(["1" if weight is None else weight for weight in ties.weights])
    if any(relation is not None for relation in ties.relations):
        columns["relation"] = column_of(ties.relations)
    return columns
