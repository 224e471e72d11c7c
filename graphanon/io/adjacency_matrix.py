"""Square tables that are networks: people in the first line and in the first column, ties between them in the cells.

Such a table comes under the same names as a table of people (``.csv``, ``.xlsx``), so it must be told from one, safely: it
is a matrix if its first line holds the same names as its first column, which no table of people does. Without names it
is one if it is square, all numbers, zero on its diagonal, and no first line of names could look like its first; then people are
named by number, and a warning says that this is a guess. The same goes for a first line of names alone if the square below
mirrors itself or the names are whole numbers. Anything else is left to the readers of tables.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.io import csv_table, edge_list
from graphanon.io.cells import number_of
from graphanon.io.csv_table import Column
from graphanon.io.faults import refusal, refuse_any, shown
from graphanon.io.graph_parts import graph_source
from graphanon.io.numbered import TieList, column_of, matrix_of, parts_of, whole
from graphanon.io.numbers import parse_number
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.io.tie_columns import surely_names

__all__ = ["matrix_source", "read_people", "read_ties"]

Ints = NDArray[np.int64]
_UNEVEN = "lines differ in length, as in an adjacency list (a person, then everybody tied to that person)"
_SAY_SO = "--format 'adjacency list', or the ending .adjlist"
_ENDINGS_OF_TIES = (".edges", ".edgelist", ".ncol")
_SEPARATORS = (b",", b";", b"\t", b"|")


def read_people(content: Content, options: ReadOptions) -> Source:
    """Return the network of a matrix of text, or the people of a table.

    Raises
    ------
    InputProblem
        As the reader of tables says; or if a matrix names a person twice, its rows and columns differ in a few
        names, or its cells are no numbers.
    """
    head = content.head()
    found, content = _matrix(content, options)
    if found is not None:
        return found
    try:
        return _doubted(csv_table.read(content, options), content, head)
    except InputProblem as error:
        raise _advised(error, head, content, options) from error


def _doubted(table: Source, content: Content, head: bytes) -> Source:
    """Warn of a table of people that looks like a list of ties."""
    if table.people is None:
        return table
    names = [str(name) for name in table.people.frame.columns]
    by_blanks = len(names) == 2 and any(": separated by blanks" in note for note in table.report.notes)
    if len(names) == 1 and " " in names[0] and _is_uneven(head):
        told = f"{content.name}: {_UNEVEN}; if it is one: {_SAY_SO}"
        return replace(table, report=table.report.plus(warnings=(told,)))
    if not (surely_names(names) or by_blanks or content.suffix in _ENDINGS_OF_TIES):
        return table
    told = f"{content.name}: read as a table of people, but looks like a list of ties; --ties reads it as one"
    return replace(table, report=table.report.plus(warnings=(told,)))


def read_ties(content: Content, options: ReadOptions, known: AbstractSet[str] = frozenset()) -> Source:
    """Return the network of a matrix of text, or the ties of a list; `known` are ids of the people.

    Raises
    ------
    InputProblem
        As the readers of lists and of matrices say.
    """
    head = content.head()
    if options.source is None and options.target is None:
        found, content = _matrix(content, options)
        if found is not None:
            return _beside(found, known)
    try:
        return edge_list.read(content, options, known)
    except InputProblem as error:
        raise _advised(error, head, content, options) from error


def _beside(found: Source, known: AbstractSet[str]) -> Source:
    """Tell of people in a matrix of ties who are not among the people."""
    if not known or found.people is None or found.id is None:
        return found
    others = [cell for cell in found.people.frame[found.id].tolist() if cell not in known]
    if not others:
        return found
    told = f"{found.people.file}: {number_of(len(others), 'person', 'people')} of the matrix not among the people given"
    return replace(found, report=found.report.plus(warnings=(told,)))


def _advised(error: InputProblem, head: bytes, content: Content, options: ReadOptions) -> InputProblem:
    """Return the error with advice where uneven lines look like an adjacency list."""
    if options.delimiter is not None or not _is_uneven(head):
        return error
    return refusal([Problem(what=_UNEVEN, file=content.name, fix=f"if it is one: {_SAY_SO}"),
                    *error.problems])


def _is_uneven(head: bytes) -> bool:
    """Tell whether lines of words differ in length and begin with different words."""
    lines = [line.split() for line in _rows(head)]
    return len({len(line) for line in lines}) > 2 and len({line[0] for line in lines}) == len(lines)


def _matrix(content: Content, options: ReadOptions) -> tuple[Source | None, Content]:
    """Return the network of a matrix of text, None where it is none, and the content to read it as something else."""
    if not _may_be_square(content.head(), whole=False):
        return None, content
    data = content.read()
    again = replace(content, stream=io.BufferedReader(cast("io.RawIOBase", io.BytesIO(data))))
    cornered = _with_corner(data, options)
    if not _may_be_square(cornered, whole=True):
        return None, again
    try:
        found = csv_table.grid(cornered, content.name, options, blanks=False)
    except InputProblem:
        return None, again
    cells = np.array([np.asarray(column, dtype=object) for column in found.columns], dtype=object).T
    report = ReadReport(counts=found.counts, notes=found.notes, warnings=found.warnings)
    return matrix_source(cells, found.lines, content.name, options, report), again


def _rows(data: bytes) -> list[bytes]:
    """Return the lines that are neither blank nor marked as comments."""
    lines = re.split(rb"[\r\n]+", data)
    return [line for line in lines if line.strip() and not line.lstrip().startswith((b"#", b"%"))]


def _may_be_square(data: bytes, *, whole: bool) -> bool:
    """Tell by counting whether a text may have about as many lines as cells in a line."""
    rows = _rows(data)
    if not rows:
        return False
    begin = rows[0]
    widths = {begin.count(sign) + 1 for sign in _SEPARATORS} | {len(begin.split())}
    if not whole:
        return len(rows) <= max(widths) + 2
    return any(abs(len(rows) - width) <= 1 for width in widths if width > 1)


def _with_corner(data: bytes, options: ReadOptions) -> bytes:
    """Put an empty cell before a first line that R wrote without one."""
    lines = _rows(data)
    if len(lines) < 2 or options.delimiter not in (None, ",", ";", "\t", "tab", " "):
        return data
    for sign in (*_SEPARATORS, b" "):
        first, second = (len(line.split()) if sign == b" " else line.count(sign) + 1 for line in lines[:2])
        if sign == b" " and b"\t" in lines[0]:
            continue
        if first > 1 and second == first + 1 and len(lines) == first + 1:
            at = data.index(lines[0])
            return data[:at] + b'""' + sign + data[at:]
    return data


class _Square(NamedTuple):
    """The people and the cells between them, in one order."""

    ids: Column
    cells: Column
    lines: Ints
    told: str
    guessed: bool


def matrix_source(cells: Column, lines: Ints, file: str, options: ReadOptions, report: ReadReport) -> Source | None:
    """Return the network that a table of text holds, None if it is no matrix of ties.

    `cells` text or None [rows, columns] with the line of names, if there is one; `lines` int64[rows].

    Raises
    ------
    InputProblem
        If a matrix names a person twice or not at all, rows and columns differ in a few names, or a cell is no
        number.
    """
    square = _bare(cells, lines, options) or _labelled(cells, lines, file)
    if square is None:
        return None
    matrix = matrix_of(square.cells, square.lines, file, options, names=square.ids.tolist())
    ties = TieList()
    arcs = not matrix.symmetric or options.directed is True
    ties.add_matrix(matrix, None, arcs=arcs)
    number = len(square.ids)
    isolated = number - len(set(ties.source) | set(ties.target))
    kind = number_of(len(ties), "arc" if arcs else "tie", "arcs" if arcs else "ties")
    notes = [f"{file}: adjacency matrix, {number_of(number, 'person', 'people')}, {kind}; {square.told}",
             f"{file}: the matrix is {'' if matrix.symmetric else 'not '}its own mirror image, so ties have"
             f" {'a' if arcs else 'no'} direction" + (", as asked" if arcs and matrix.symmetric else "")]
    if isolated:
        notes.append(f"{file}: {number_of(isolated, 'person has', 'people have')} no tie and stay")
    guess = (f"{file}: read as a matrix of ties by guess, not as a table of people; {square.told}",) if square.guessed else ()
    warnings = matrix.warnings + guess
    parts = parts_of(ties, square.ids, square.lines, file, options,
                     report=report.plus(notes=tuple(notes), warnings=warnings))
    return graph_source(parts, options)


def _labelled(cells: Column, lines: Ints, file: str) -> _Square | None:
    """Return the matrix whose first line holds the names of its first column, in any order."""
    height, width = cells.shape
    if min(height, width) < 3 or abs(height - width) > 1:
        return None
    across, down = ([(cell or "").strip() for cell in names.tolist()] for names in (cells[0, 1:], cells[1:, 0]))
    common = set(across) & set(down) - {""}
    if set(across) != set(down) or "" in across:
        if len(common) * 2 > len(across) and len(common) >= 3 and _all_numbers(cells[1:, 1:]):
            raise refusal(_differing(across, down, lines, file))
        return None
    refuse_any(_twice(across, down, lines, file))
    places = {name: place for place, name in enumerate(across)}
    order = np.array([places[name] for name in down], dtype=np.int64)
    return _Square(column_of(down), cells[1:, 1:][:, order], lines[1:], f"line {lines[0]} and the first column name the people",
                   guessed=False)


def _differing(across: list[str], down: list[str], lines: Ints, file: str) -> Iterator[Problem]:
    for names, others, what in ((down, across, "row"), (across, down, "column")):
        lone = [name for name in names if name not in others]
        if lone:
            other = "column" if what == "row" else "row"
            yield Problem(what=f"the {what} of {shown(lone)} has no {other} of the same name", file=file,
                          line=int(lines[1 + names.index(lone[0])]) if what == "row" else int(lines[0]) or None,
                          allowed="an adjacency matrix has the same people in rows and columns", fix="mend the names, or add"
                          f" the {other}")


def _twice(across: list[str], down: list[str], lines: Ints, file: str) -> Iterator[Problem]:
    for names, where in ((across, "columns"), (down, "rows")):
        for name, number in Counter(names).items():
            if number > 1:
                line = int(lines[0]) if names is across else int(lines[1 + names.index(name)])
                yield Problem(what=f"{number} {where} of the matrix are named '{name}'", file=file, line=line,
                              allowed="every person once")


def _bare(cells: Column, lines: Ints, options: ReadOptions) -> _Square | None:
    """Return the matrix of a square of numbers without names, or with names in the first line alone."""
    height, width = cells.shape
    if width < 3 or options.header is True or height not in (width, width + 1):
        return None
    body = cells[height - width :]
    first = [cell or "" for cell in cells[0].tolist()]
    if not _all_numbers(body) or any(parse_number(cell or "0") for cell in body.diagonal().tolist()):
        return None
    if height == width:
        # distinct numbers could be names of columns; cells of a matrix repeat
        if len(set(first)) == width:
            return None
        numbers = column_of([str(place) for place in range(1, width + 1)])
        return _Square(numbers, body, lines, "it has no names, so numbers name the people", guessed=True)
    named = len(set(first)) == width and "" not in first and all(parse_number(cell) is None for cell in first)
    numbered = len(set(first)) == width and all(whole(cell) is not None for cell in first)
    if not numbered and not (named and bool((body == body.T).all())):
        return None
    return _Square(column_of(first), body, lines[1:], f"line {lines[0]} alone names the people", guessed=True)


def _all_numbers(cells: Column) -> bool:
    found = {cell for cell in cells.ravel().tolist() if cell is not None}
    return bool(found) and all(parse_number(cell) is not None for cell in found)
