"""Ties as text: CSV with or without names, or two ids and a blank between them.

Whether the first line names the columns or is a tie already changes the number of people, so it is
decided from evidence, in this order: what the steward says; names that hardly any person bears; the
ids of the people; ids that are numbers; whether the cells of the first line occur again as ends. Where a
table with delimiters gives no evidence at all, the reader asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from graphanon.errors import InputProblem, Problem
from graphanon.io.csv_table import BLANKS, Column, Grid, frame_of, grid
from graphanon.io.faults import refusal, refuse_any, shown
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source, Table
from graphanon.io.tie_columns import OF_PEOPLE, SOURCE, TARGET, known_pair, surely_names, ties_of, where_named

__all__ = ["is_surely", "read"]

_NAMED = ("source", "target")
_ENDINGS = (".edges", ".edgelist", ".ncol")


def is_surely(content: Content, options: ReadOptions) -> bool:
    """Tell from the first lines whether a text is a list of ties rather than a table of people.

    Columns called source and target are enough; under other names, or none, both columns must hold some id
    in common. A table that names a column of ids is of people.
    """
    if options.id is not None:
        return False
    head = content.head()
    whole = head[: head.rfind(b"\n") + 1] or head
    try:
        found = grid(whole, content.name, options, blanks=True)
    except InputProblem:
        return content.suffix in _ENDINGS
    if len(found.columns) < 2 or not len(found.lines):
        return content.suffix in _ENDINGS
    return _speaks_of_ties(found, options, content.suffix)


def _speaks_of_ties(found: Grid, options: ReadOptions, suffix: str) -> bool:
    first = found.row(0)
    plain = [(cell or "").strip().casefold() for cell in first]
    if not OF_PEOPLE.isdisjoint(cell.replace(" ", "_") for cell in plain):
        return False
    if set(_NAMED) <= set(plain) or set(_NAMED) <= {options.source, options.target}:
        return True
    if suffix in _ENDINGS:
        return True
    bare = len(plain) == 2 and found.delimiter == BLANKS
    if not (bare or surely_names(first)) or {"start", "end"} <= set(plain):
        return False
    places = known_pair(first) or (0, 1)
    source, target = ({cell for cell in found.columns[place].tolist() if cell is not None} for place in places)
    return not source.isdisjoint(target)


def read(content: Content, options: ReadOptions, known: AbstractSet[str] = frozenset()) -> Source:
    """Return the ties of a table of text; `known` are ids of the people, if there are any.

    Raises
    ------
    InputProblem
        If the text cannot be decoded or split, its lines differ in their number of cells, or the
        columns of the ends or the place of the first tie cannot be told.
    """
    found = grid(content.read(), content.name, options, blanks=True)
    options = where_named(options, found.row(0))
    if len(found.columns) < 2:
        raise refusal([Problem(what="a tie needs two ends, but the lines have one cell", file=content.name,
                        fix="--delimiter names what stands between them")])
    named, why, warned = _header(found, options, known, content.name)
    report = ReadReport(counts=found.counts, notes=found.notes, warnings=found.warnings + warned)
    if named:
        names = _names(found, content.name)
        columns, lines = found.below()
        _refuse_repeats(found, content.name)
        note = f"{content.name}: line {found.lines[0]} names the columns ({why})"
    else:
        names, columns, lines = _numbered(found, options, known, content.name), found.columns, found.lines
        note = f"{content.name}: no column names, line {found.lines[0]} is a tie ({why})"
    table = Table(frame=frame_of(names, columns), lines=lines, file=content.name, types=found.types(names))
    ties = ties_of(table, options, known)
    return Source(people=None, ties=ties.ties, id=None, options=options,
                  report=report.plus(notes=(note, *ties.report.notes), warnings=ties.report.warnings))


def _names(found: Grid, file: str) -> list[str]:
    names = [(cell or "").strip() or f"column_{number}" for number, cell in enumerate(found.row(0), start=1)]
    refuse_any(
        Problem(what=f"two columns are named '{name}'", file=file, line=int(found.lines[0]), column=name,
                fix="rename one")
        for name in sorted({name for name in names if names.count(name) > 1})
    )
    return names


def _refuse_repeats(found: Grid, file: str) -> None:
    columns, lines = found.below()
    same = np.ones(len(lines), dtype=bool)
    for name, column in zip(found.row(0), columns, strict=True):
        same &= column == name
    refuse_any(Problem(what="repeats the column names", file=file, line=line, fix="remove the line")
               for line in lines[same].tolist())


def _numbered(found: Grid, options: ReadOptions, known: AbstractSet[str], file: str) -> list[str]:
    """Return names for the columns of a list without names: two ends and perhaps a weight."""
    columns = found.columns
    held = _holding(columns, known)
    ends = held if len(held) == 2 else [0, 1]
    if len(columns) > 3 and len(held) != 2 and options.header is None:
        raise refusal([Problem(
            what=f"has {len(columns)} cells and no names, so which are the ends of a tie cannot be told",
            file=file, line=int(found.lines[0]), allowed="two ends, or two ends and a weight",
            fix="add a line of names, or --no-header takes the first two")])
    names = [f"column_{number}" for number in range(1, len(columns) + 1)]
    names[ends[0]], names[ends[1]] = SOURCE, TARGET
    if len(columns) == 3 and ends == [0, 1] and all(map(_is_number, columns[2][:1000].tolist())):
        names[2] = "weight"
    return names


def _holding(columns: Sequence[Column], known: AbstractSet[str]) -> list[int]:
    """Return the places of the columns in which most cells are ids of people."""
    heads = [column[:1000].tolist() for column in columns]
    return [place for place, head in enumerate(heads) if sum(cell in known for cell in head) * 2 > len(head)]


def _header(
    found: Grid, options: ReadOptions, known: AbstractSet[str], file: str
) -> tuple[bool, str, tuple[str, ...]]:
    """Tell whether the first row names columns, why, and what the steward must see of it."""
    if options.header is not None or options.source is not None or options.target is not None:
        return options.header is not False, "as asked", ()
    first = found.row(0)
    columns, _ = found.below()
    again = _recurring(first, columns)
    if surely_names(first):
        told = f"{file}: line {found.lines[0]} is read as column names, though {shown(again)} is an end of a tie too"
        return True, "known names", (told,) if again else ()
    evidence = _by_ids(first, columns, known)
    if evidence is not None:
        return evidence, "by the ids of the people", ()
    if again:
        return False, "guessed: its ends have other ties too", ()
    if known_pair(first) is not None:
        return True, "known names", ()
    return _by_look(found, first, columns, file)


def _recurring(first: Sequence[str | None], columns: Sequence[Column]) -> list[str]:
    """Return the ends in the first line that are also ends below it."""
    ends = known_pair(first) or (0, 1)
    return [
        cell for cell in (first[place] for place in ends)
        if cell is not None and any(bool((columns[place] == cell).any()) for place in ends)
    ]


def _by_ids(first: Sequence[str | None], columns: Sequence[Column], known: AbstractSet[str]) -> bool | None:
    if not known:
        return None
    hits = sum(cell in known for cell in first)
    if hits >= 2:
        return False
    return True if len(_holding(columns, known)) >= 2 and hits == 0 else None


def _by_look(
    found: Grid, first: Sequence[str | None], columns: Sequence[Column], file: str
) -> tuple[bool, str, tuple[str, ...]]:
    line = int(found.lines[0])
    if all(map(_is_number, first[:2])):
        return False, "guessed: it holds numbers", ()
    if len(columns[0]) and all(_is_number(cell) for column in columns[:2] for cell in column[:1000].tolist()):
        return True, "guessed: the lines below hold numbers", ()
    if found.delimiter in (BLANKS, " ") or not len(columns[0]):
        told = f"{file}: line {line} is read as a tie; --header reads it as column names"
        return False, "guessed", (told,)
    raise refusal([Problem(
        what=f"cannot tell whether {shown(first[:2])} are column names or the ends of a tie", file=file, line=line,
        allowed="names such as source and target, or ends that occur again",
        fix="--header or --no-header, or --source and --target")])


def _is_number(cell: str | None) -> bool:
    try:
        float(cell or "")
    except ValueError:
        return False
    return True
