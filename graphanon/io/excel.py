"""Tables in Excel workbooks: the first sheet that holds anything.

A sheet stores numbers, not what one sees. So a whole number prints without a point, a format of zeros
(``00000``) gives a postcode its leading zeros back, and a number of more than fifteen digits, which a
sheet cannot hold, is refused. A formula whose result was never stored would read as missing, so it is
refused too.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphanon.errors import InputProblem, Problem
from graphanon.io.adjacency_matrix import matrix_source
from graphanon.io.csv_table import frame_of
from graphanon.io.declared import Declared, settled
from graphanon.io.faults import refusal, refuse_any, shown
from graphanon.io.frames import spelled
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source, Table

__all__ = ["fits", "read"]

_DIGITS = 10**15
_FLOOR, _RATIO = 1 << 28, 50  # bytes that a workbook may unpack to, and how many more for each packed byte
_MOST_ROWS = 1 << 20
_ZEROS = re.compile(r"0{2,}")
_TYPES: dict[type, Declared] = {bool: "boolean", int: "whole", float: "number", str: "text"}
Rows = list[tuple[Any, ...]]


def fits(head: bytes) -> bool:
    """Tell whether a file begins like a workbook."""
    return head.startswith(b"PK\x03\x04")


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people in the first sheet of a workbook that is not empty, or the network if it is a matrix of ties.

    Raises
    ------
    InputProblem
        If the workbook is damaged, has no usable line of column names, or a cell holds an error, a
        formula without a result or a number of more than fifteen digits; all such cells at once.
    """
    data = content.read()
    title, rows, others = _sheet(data, content.name)
    matrix = _matrix(rows, _report(content.name, title, others), content.name, options)
    if matrix is not None:
        refuse_any(_unsolved(data, title, *_places(rows), content.name))
        return matrix
    names, lines, width = _names(rows, content.name)
    body = [row for row in rows[1:] if any(cell.value is not None for cell in row)]
    numbers = [number for number, row in zip(lines[1:], rows[1:], strict=True)
               if any(cell.value is not None for cell in row)]
    refuse_any(_bad_cells(body, numbers, names, content.name))
    if any(cell.value is None for row in body for cell in row[:width]):
        refuse_any(_unsolved(data, title, names, numbers, content.name))
    values = [_values([row[place] if place < len(row) else None for row in body]) for place in range(width)]
    columns = [spelled(column, options.na_values) for column in values]
    types = {name: settled(seen) for name, column in zip(names, values, strict=True) if (seen := _seen(column))}
    table = Table(frame=frame_of(names, columns), lines=np.array(numbers, dtype=np.int64), file=content.name, types=types)
    report = _report(content.name, title, others, width)
    return Source(people=table, ties=None, id=None, report=report, options=options)


def _report(file: str, title: str, others: list[str], width: int | None = None) -> ReadReport:
    seen = (f"{file}: only the first sheet was read, not {shown(others)}",) if others else ()
    columns = "" if width is None else f", {width} columns"
    return ReadReport(notes=(f"{file}: Excel, sheet '{title}'{columns}",), warnings=seen)


def _matrix(rows: Rows, report: ReadReport, file: str, options: ReadOptions) -> Source | None:
    """Return the network of a sheet that is a matrix of ties, None of one that is not."""
    names, numbers = _places(rows)
    if abs(len(numbers) - len(names)) > 1:
        return None
    kept = [rows[number - 1][: len(names)] for number in numbers]
    cells = np.full((len(numbers), len(names)), None, dtype=object)
    for place, row in enumerate(kept):
        cells[place, : len(row)] = spelled(_values(row), options.na_values)
    found = matrix_source(cells, np.array(numbers, dtype=np.int64), file, options, report)
    if found is not None:
        refuse_any(_bad_cells(kept, numbers, names, file))
    return found


def _places(rows: Rows) -> tuple[list[str], list[int]]:
    """Return the columns by number, as far as any is filled, and the lines of the rows that are filled."""
    filled = [[place for place, cell in enumerate(row) if cell.value is not None] for row in rows]
    width = max((row[-1] + 1 for row in filled if row), default=0)
    return [str(place) for place in range(1, width + 1)], [line for line, row in enumerate(filled, start=1) if row]


@contextmanager
def _readable(file: str) -> Iterator[None]:
    """Turn whatever openpyxl raises of a damaged workbook, which is of many kinds, into a refusal."""
    try:
        with warnings.catch_warnings():
            # openpyxl warns of styles and extensions, which carry no cell
            warnings.simplefilter("ignore")
            yield
    except InputProblem:
        raise
    except Exception as error:
        raise InputProblem(Problem(what=f"is no Excel workbook that can be read ({type(error).__name__})", file=file,
                                   allowed=".xlsx", fix="save it again as .xlsx or CSV")) from error


def _workbook(data: bytes, file: str, *, solved: bool) -> Any:
    import openpyxl

    with _readable(file):
        packed = zipfile.ZipFile(io.BytesIO(data)).infolist()
        # no more can come out of a member than it announces
        if sum(info.file_size for info in packed) > _FLOOR + _RATIO * len(data):
            raise refusal([Problem(what="unpacks to far more than its packed size", file=file,
                                   fix="save it as CSV if you trust it")])
        return openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=solved)


def _rows_of(sheet: Any, file: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a sheet, those left out as empty ones, as many as a sheet can have."""
    # the stored size of a sheet may be wrong
    sheet.reset_dimensions()
    with _readable(file):
        for number, row in enumerate(sheet.iter_rows(), start=1):
            if number > _MOST_ROWS:
                raise refusal([Problem(what=f"a row has a number above {_MOST_ROWS:,}", file=file,
                                       allowed=f"{_MOST_ROWS:,} rows in a sheet")])
            yield tuple(row)


def _sheet(data: bytes, file: str) -> tuple[str, Rows, list[str]]:
    book = _workbook(data, file, solved=True)
    found: tuple[str, Rows] | None = None
    others = []
    with _readable(file):
        sheets = book.worksheets
    for sheet in sheets:
        rows = list(_rows_of(sheet, file))
        if not any(cell.value is not None for row in rows for cell in row):
            continue
        if found is None:
            found = str(sheet.title), rows
        else:
            others.append(str(sheet.title))
    book.close()
    if found is None:
        raise refusal([Problem(what="the workbook is empty", file=file)])
    return *found, others


def _names(rows: Rows, file: str) -> tuple[list[str], list[int], int]:
    """Return the column names, the line of each row, and the number of columns."""
    lines = list(range(1, len(rows) + 1))
    while not any(cell.value is not None for cell in rows[0]):
        del rows[0], lines[0]
    width = max(
        (place + 1 for row in rows for place, cell in enumerate(row) if cell.value is not None), default=0)
    cells = [cell.value for cell in rows[0][:width]] + [None] * (width - len(rows[0]))
    problems = [
        Problem(what=f"column {place} has no name", file=file, line=lines[0], fix="name it, or empty the column")
        for place, cell in enumerate(cells, start=1) if cell is None or not str(cell).strip()
    ]
    names = [str(cell).strip() for cell in cells]
    problems += [
        Problem(what=f"two columns are named '{name}'", file=file, line=lines[0], column=name, fix="rename one")
        for name in sorted({name for name in names if names.count(name) > 1 and name != "None"})
    ]
    refuse_any(problems)
    return names, lines, width


def _bad_cells(body: Rows, numbers: Sequence[int], names: Sequence[str], file: str) -> Iterator[Problem]:
    for number, row in zip(numbers, body, strict=True):
        for name, cell in zip(names, row, strict=False):
            what = _fault(cell)
            if what:
                yield Problem(what=what, file=file, line=number, column=name,
                              fix="mend the cell, or keep long numbers as text")


def _fault(cell: Any) -> str | None:
    if cell.value is not None and cell.data_type == "e":
        return f"the cell holds the error {cell.value}"
    number = isinstance(cell.value, int | float) and not isinstance(cell.value, bool)
    if number and abs(cell.value) >= _DIGITS and float(cell.value).is_integer():
        return "a sheet keeps fifteen digits of a number, so this one has lost some"
    return None


def _unsolved(
    data: bytes, title: str, names: Sequence[str], numbers: Sequence[int], file: str
) -> Iterator[Problem]:
    solved, raw = (_workbook(data, file, solved=solved)[title] for solved in (True, False))
    wanted = set(numbers)
    pairs = zip(_rows_of(solved, file), _rows_of(raw, file), strict=True)
    for number, (results, formulas) in enumerate(pairs, start=1):
        for name, result, formula in zip(names, results, formulas, strict=False):
            if result.value is None and formula.data_type == "f" and number in wanted:
                yield Problem(what="the cell holds a formula whose result was not saved", file=file, line=number,
                              column=name, fix="open and save the workbook, or save it as CSV")


def _values(cells: Sequence[Any]) -> list[Any]:
    return [None if cell is None else _value(cell) for cell in cells]


def _seen(values: Sequence[Any]) -> set[Declared]:
    """Return the types of the cells of a column, nothing of dates."""
    kinds = {type(value) for value in values if value is not None}
    return {_TYPES[kind] for kind in kinds} if kinds <= _TYPES.keys() else set()


def _value(cell: Any) -> Any:
    value = cell.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        shape = str(cell.number_format)
        return str(value).zfill(len(shape)) if _ZEROS.fullmatch(shape) else value
    return value
