"""Matrix Market files (``.mtx``) as networks: row i and column i are person i.

Ids are the numbers 1 to n, for the format has no names; who has no entry is a person all the same. A pattern has no weights. A
symmetric matrix gives half its entries, each a tie; a general one gives arcs, unless every entry has its mirror. A stored
zero is no tie. As many rows as columns is one kind of people, anything else is two. After Ronald Boisvert, Roldan Pozo
and Karin Remington: The Matrix Market Exchange Formats: Initial Design (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from graphanon.errors import Problem
from graphanon.io.cells import number_of
from graphanon.io.faults import refusal, refuse_any
from graphanon.io.graph_parts import graph_source
from graphanon.io.numbered import Lines, TieList, believable, column_of, lines_of, matrix_of, parts_of, whole
from graphanon.io.numbers import parse_number
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.progress import advance

__all__ = ["fits", "read"]

_BANNER = b"%%matrixmarket"
_WORDS = (("matrix",), ("coordinate", "array"), ("real", "integer", "pattern", "double"),
          ("general", "symmetric", "skew-symmetric"))
_BATCH = 1 << 16


def fits(head: bytes) -> bool:
    """Tell whether a file begins like Matrix Market."""
    plain = head[:64].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return plain.lower().startswith(_BANNER)


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of a Matrix Market file.

    Raises
    ------
    InputProblem
        If the banner or the sizes cannot be read, or entries are no numbers, lie outside the matrix, or are
        more or fewer than announced; as many as can be told at once.
    """
    lines = lines_of(content, options)
    body = _body(lines)
    banner = _banner(lines)
    size = _size(lines, banner, next(body, None))
    walk = _Walk(lines=lines, banner=banner, size=size, options=options, problems=[], ties=TieList())
    told = walk.coordinates(body) if banner.sparse else walk.array(body)
    refuse_any(walk.problems)
    number = size.rows if size.rows == size.columns else size.rows + size.columns
    modes = None if number == size.rows else column_of(["1"] * size.rows + ["2"] * size.columns)
    parts = parts_of(
        walk.ties, column_of([str(place) for place in range(1, number + 1)]), np.zeros(number, dtype=np.int64),
        lines.file, options, modes=modes, report=_report(walk, told, number))
    return graph_source(parts, options)


@dataclass(frozen=True, kw_only=True)
class _Banner:
    """What the first line says."""

    sparse: bool
    pattern: bool
    symmetry: str


@dataclass(frozen=True, kw_only=True)
class _Size:
    """Rows, columns and entries announced, and the line that announces them."""

    rows: int
    columns: int
    entries: int
    line: int


def _refuse(lines: Lines, line: int, what: str, allowed: str | None = None, fix: str | None = None) -> NoReturn:
    raise refusal([Problem(what=what, file=lines.file, line=line, allowed=allowed, fix=fix)])


def _banner(lines: Lines) -> _Banner:
    words = lines.texts[0].casefold().split()[1:]
    if len(words) == 4 and (words[2] == "complex" or words[3] == "hermitian"):
        _refuse(lines, 1, "a complex number is no weight of a tie", "real, integer or pattern")
    for place, known in enumerate(_WORDS):
        if len(words) != 4 or words[place] not in known:
            allowed = "%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric"
            _refuse(lines, 1, "the first line does not say what kind of matrix follows", allowed)
    return _Banner(sparse=words[1] == "coordinate", pattern=words[2] == "pattern", symmetry=words[3])


def _body(lines: Lines) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line below the banner that is no comment."""
    for number, text in enumerate(lines.texts[1:], start=2):
        if number % _BATCH == 0:
            advance("read", number, len(lines.texts))
        cells = text.split()
        if cells and cells[0][0] != "%":
            yield number, cells


def _size(lines: Lines, banner: _Banner, found: tuple[int, list[str]] | None) -> _Size:
    line, cells = found or (1, [])
    numbers = [whole(cell) for cell in cells]
    wanted = 3 if banner.sparse else 2
    rows, columns, entries = (*(number or 0 for number in numbers), 0, 0, 0)[:3]
    if len(numbers) != wanted or None in numbers or not rows or not columns:
        _refuse(lines, line, "the size of the matrix is not told", "rows, columns, entries" if banner.sparse else "rows, columns")
    if banner.symmetry != "general" and rows != columns:
        _refuse(lines, line, f"a {banner.symmetry} matrix has as many rows as columns", f"{rows} {rows}")
    if not banner.sparse:
        half = {"general": rows * columns, "symmetric": rows * (rows + 1) // 2}
        entries = half.get(banner.symmetry, rows * (rows - 1) // 2)
    if not believable(rows + columns, 2 * lines.size) or entries > lines.size:
        _refuse(lines, line, f"{rows:,} by {columns:,} with {entries:,} entries is more than this file holds")
    return _Size(rows=rows, columns=columns, entries=entries, line=line)


@dataclass(kw_only=True)
class _Walk:
    """The entries, as ties."""

    lines: Lines
    banner: _Banner
    size: _Size
    options: ReadOptions
    problems: list[Problem]
    ties: TieList

    def _fault(self, line: int, what: str, allowed: str | None = None) -> None:
        self.problems.append(Problem(what=what, file=self.lines.file, line=line, allowed=allowed,
                                     fix="export the matrix again, or mend the line"))
        if len(self.problems) > 10_000:
            refuse_any(self.problems)

    def coordinates(self, body: Iterator[tuple[int, list[str]]]) -> list[str]:
        """Read entries given by row and column; return what is to be said of them."""
        wanted, number, zeros = 2 if self.banner.pattern else 3, 0, 0
        across = self.size.rows if self.size.rows != self.size.columns else 0
        for line, cells in body:
            number += 1
            if len(cells) != wanted:
                self._fault(line, f"has {number_of(len(cells), 'number', 'numbers')}",
                            "row and column" if wanted == 2 else "row, column and value")
                continue
            row, column = whole(cells[0]), whole(cells[1])
            if not (row and column and row <= self.size.rows and column <= self.size.columns):
                self._fault(line, f"entry {cells[0][:20]} {cells[1][:20]} lies outside the matrix",
                            f"1 1 to {self.size.rows} {self.size.columns}")
                continue
            value = 1.0 if wanted == 2 else parse_number(cells[2])
            if value is None:
                self._fault(line, f"'{cells[2][:40]}' is no number")
            elif value:
                self._entry(row - 1, column - 1 + across, line, None if wanted == 2 else cells[2])
            zeros += value == 0
        if number != self.size.entries:
            self._fault(self.size.line, f"announces {self.size.entries:,} entries, but {number:,} follow")
        if not across and self.banner.symmetry == "general" and not self.problems:
            self._mirrored()
        return [f"{number_of(zeros, 'entry that is', 'entries that are')} 0 read as no tie"] if zeros else []

    def _entry(self, row: int, column: int, line: int, weight: str | None) -> None:
        square = self.size.rows == self.size.columns
        both = self.options.directed is True and self.banner.symmetry == "symmetric" and row != column
        arc = square and (self.banner.symmetry != "symmetric" or self.options.directed is True)
        self.ties.add(row, column, line, arc=arc, weight=weight)
        if both:
            self.ties.add(column, row, line, arc=True, weight=weight)
        elif self.banner.symmetry == "skew-symmetric" and row != column:
            turned = None if weight is None else weight[1:] if weight[0] == "-" else "-" + weight.lstrip("+")
            self.ties.add(column, row, line, arc=True, weight=turned)

    def _mirrored(self) -> None:
        """Read each pair of mirrored entries as one tie if all entries have a mirror of the same value."""
        ties = self.ties
        entries = list(zip(ties.source, ties.target, ties.weights, strict=True))
        seen = set(entries)
        if self.options.directed is True or not entries or len(seen) < len(entries):
            return
        if all((target, source, weight) in seen for source, target, weight in entries):
            once = TieList()
            for (source, target, weight), line in zip(entries, ties.lines, strict=True):
                if source <= target:
                    once.add(source, target, line, arc=False, weight=weight)
            self.ties = once

    def array(self, body: Iterator[tuple[int, list[str]]]) -> list[str]:
        """Read entries given column by column; return what is to be said of them."""
        cells: list[str] = []
        lines: list[int] = []
        for line, given in body:
            cells += given
            lines += [line] * len(given)
        if len(cells) != self.size.entries:
            self._fault(self.size.line, f"announces {self.size.entries:,} values, but {len(cells):,} follow")
            return []
        values = {cell: parse_number(cell) for cell in set(cells)}
        for cell, line in zip(cells, lines, strict=True):
            if values[cell] is None:
                self._fault(line, f"'{cell[:40]}' is no number")
        if self.problems:
            return []
        across = self.size.rows if self.size.rows != self.size.columns else 0
        if not across and self.banner.symmetry != "skew-symmetric":
            return self._square(cells, lines)
        for place, (row, column) in enumerate(self._places()):
            if values[cells[place]]:
                self._entry(row, column + across, lines[place], cells[place])
        return []

    def _places(self) -> Iterator[tuple[int, int]]:
        below: Callable[[int], int] = {"general": lambda _: 0, "symmetric": lambda column: column}.get(
            self.banner.symmetry, lambda column: column + 1)
        return ((row, column) for column in range(self.size.columns) for row in range(below(column), self.size.rows))

    def _square(self, cells: list[str], lines: list[int]) -> list[str]:
        full = np.full((self.size.rows, self.size.rows), None, dtype=object)
        places = np.array(list(self._places()), dtype=np.int64)
        full[places[:, 0], places[:, 1]] = cells
        if self.banner.symmetry == "symmetric":
            full[places[:, 1], places[:, 0]] = cells
        matrix = matrix_of(full, np.array(lines[: self.size.rows], dtype=np.int64), self.lines.file, self.options)
        self.ties.add_matrix(matrix, None, arcs=not matrix.symmetric or self.options.directed is True)
        return [text.partition(": ")[2] for text in matrix.warnings]


def _report(walk: _Walk, told: list[str], number: int) -> ReadReport:
    file, size, ties = walk.lines.file, walk.size, walk.ties
    kind = number_of(len(ties), "arc" if 1 in ties.arcs else "tie", "arcs" if 1 in ties.arcs else "ties")
    people = number_of(number, "person", "people") if size.rows == size.columns else f"{size.rows:,} by {size.columns:,}"
    shape = f"{'coordinate' if walk.banner.sparse else 'array'} {walk.banner.symmetry}"
    notes = [f"{file}: Matrix Market, {shape}, {number_of(size.entries, 'entry', 'entries')}, {people}, {kind}",
             f"{file}: people are named by number, for the format has no names"]
    if size.rows == size.columns and walk.banner.symmetry == "general" and len(ties) and 1 not in ties.arcs:
        notes.append(f"{file}: the matrix is its own mirror image, so its ties have no direction")
    return ReadReport(counts={"lines_read": len(walk.lines.texts)}, notes=tuple(notes),
                      warnings=(*walk.lines.text.warnings, *(f"{file}: {text}" for text in told)))
