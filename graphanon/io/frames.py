"""Typed tables as text: data frames of pandas and polars, and whatever Arrow holds.

A frame has types where a file has text, and each type has one spelling here: whole numbers without a
point, other numbers with the fewest digits that tell them apart, ``True`` and ``False``, dates as ISO
writes them. A column of whole numbers that became floating-point because a cell is missing prints as whole
numbers; past 2**53 such a column has already lost digits, so it is refused rather than read wrongly.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphanon.errors import Problem
from graphanon.io.csv_table import Column, frame_of
from graphanon.io.declared import Declared
from graphanon.io.faults import refuse_any
from graphanon.io.source import ReadOptions, ReadReport, Source, Table

__all__ = ["is_frame", "read", "spelled", "table_of"]

_EXACT = 2**53
_SINGLE = (int, float, np.number, Decimal, dt.timedelta, np.datetime64, pd.Period, pd.Interval)
_ALLOWED = "text, numbers, booleans and dates"


def is_frame(thing: object) -> bool:
    """Tell whether something is a data frame of pandas or polars."""
    kinds = {f"{kind.__module__.split('.')[0]}.{kind.__name__}" for kind in type(thing).__mro__}
    return bool(kinds & {"pandas.DataFrame", "polars.DataFrame", "polars.LazyFrame"})


def read(frame: Any, file: str, options: ReadOptions) -> Source:
    """Return the people in a data frame, which is left as it is.

    A named index counts as a column, an unnamed one does not.

    Raises
    ------
    InputProblem
        If a column name occurs twice, or a cell is a list, a mapping or another structure.
    """
    columns, notes = _pandas_columns(frame, file) if isinstance(frame, pd.DataFrame) else _polars_columns(frame)
    table = table_of(columns, file, options)
    notes = (f"{file}: {len(columns)} columns, lines are row numbers counted from 1", *notes)
    return Source(people=table, ties=None, id=None, report=ReadReport(notes=notes), options=options)


def _pandas_columns(frame: pd.DataFrame, file: str) -> tuple[list[tuple[str, Any]], tuple[str, ...]]:
    columns: list[tuple[str, Any]] = []
    notes: tuple[str, ...] = ()
    for level in range(frame.index.nlevels):
        values = frame.index.get_level_values(level)
        if values.name is not None:
            columns.append((str(values.name), pd.Series(values)))
    if not columns and not isinstance(frame.index, pd.RangeIndex):
        notes = (f"{file}: the index has no name and is not read",)
    columns += [(_label(name), frame.iloc[:, place]) for place, name in enumerate(frame.columns)]
    return columns, notes


def _label(name: object) -> str:
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _polars_columns(frame: Any) -> tuple[list[tuple[str, Any]], tuple[str, ...]]:
    whole = frame.collect() if hasattr(frame, "collect") else frame
    return [(name, np.array(whole[name].to_list(), dtype=object) if not _nested(whole[name].dtype)
             else _boxed(whole[name].to_list())) for name in whole.columns], ()


def _nested(kind: Any) -> bool:
    return bool(kind.is_nested())


def _boxed(values: Sequence[Any]) -> Column:
    """Return values as objects one by one, so that lists do not become further dimensions."""
    boxed = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        boxed[place] = value
    return boxed


def table_of(
    columns: Sequence[tuple[str, Any]], file: str, options: ReadOptions, first: int = 1, *,
    types: Mapping[str, Declared] | None = None,
) -> Table:
    """Return typed columns as a table of text, `first` being the number of its first row; `types` are kept beside it.

    Raises
    ------
    InputProblem
        If there is no column, a column name occurs twice or a cell has no spelling; all such cells at once.
    """
    names = [name for name, _ in columns]
    problems = [Problem(what=f"{count} columns are named '{name}'", file=file, column=name, fix="rename them")
                for name, count in Counter(names).items() if count > 1]
    if not columns:
        problems.append(Problem(what="there is no column", file=file))
    texts = []
    for name, values in columns:
        texts.append(spelled(values, options.na_values))
        problems += _unspelled(texts[-1], name, file, first)
    refuse_any(problems)
    length = len(texts[0])
    lines = np.arange(first, first + length, dtype=np.int64)
    return Table(frame=frame_of(names, texts), lines=lines, file=file, types=types or {})


def _unspelled(column: Column, name: str, file: str, first: int) -> Iterator[Problem]:
    for place in np.flatnonzero([isinstance(cell, _Unspelled) for cell in column.tolist()]).tolist():
        yield Problem(what=column[place].what, file=file, line=first + place, column=name, allowed=_ALLOWED)


class _Unspelled:
    """The place of a cell that has no spelling, with the reason."""

    def __init__(self, what: str) -> None:
        self.what = what


def spelled(values: Any, na_values: Sequence[str] = ()) -> Column:
    """Return typed values as text, None where missing.

    Examples
    --------
    >>> import numpy as np
    >>> spelled(np.array([7.0, np.nan])).tolist()
    ['7', None]
    >>> spelled(np.array([True, False])).tolist()
    ['True', 'False']
    """
    kind = getattr(values, "dtype", None)
    if isinstance(kind, np.dtype) and kind.kind in "iu":
        column = np.array([str(value) for value in np.asarray(values).tolist()], dtype=object)
    elif isinstance(kind, np.dtype) and kind.kind == "f":
        column = _floats(np.asarray(values))
    else:
        column = _objects(_objects_of(values))
    if na_values:
        missing = set(na_values)
        column = np.array([None if cell in missing else cell for cell in column.tolist()], dtype=object)
    return column


def _objects_of(values: Any) -> list[Any]:
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    # pandas' own missing values and polars' alike become None
    return [None if _is_missing(value) else value for value in listed]


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value)  # noqa: PLR0124  NaN


def _floats(values: NDArray[np.floating[Any]]) -> Column:
    gaps = np.isnan(values)
    given = values[~gaps]
    whole = bool(gaps.any()) and bool(np.isfinite(given).all()) and bool((given == np.trunc(given)).all())
    if not whole:
        return np.array([None if value != value else _float(value) for value in values], dtype=object)  # noqa: PLR0124  NaN
    return np.array([None if gap else _whole(float(value))
                     for value, gap in zip(values, gaps.tolist(), strict=True)], dtype=object)


def _float(value: Any) -> str:
    # str of a numpy number uses the digits of its own precision, so a float32 of 0.1 prints as 0.1
    return str(value)


def _whole(value: float) -> Any:
    if abs(value) >= _EXACT:
        return _Unspelled("a whole number beyond 2**53 that is stored as a fraction has lost digits")
    return str(int(value))


def _objects(values: Sequence[Any]) -> Column:
    given = [value for value in values if value is not None]
    kinds = set(map(type, given))
    if kinds <= {str}:
        return _boxed([value or None for value in values])
    if kinds == {float} and len(given) < len(values):
        return _floats(np.array([np.nan if value is None else value for value in values]))
    days = bool(given) and all(_is_midnight(value) for value in given)
    return _boxed([None if value is None else _cell(value, days=days) for value in values])


def _is_midnight(value: Any) -> bool:
    return isinstance(value, dt.datetime) and value.tzinfo is None and value.time() == dt.time()


def _cell(value: Any, *, days: bool) -> Any:
    if isinstance(value, str):
        return value or None
    if isinstance(value, dt.datetime) and days:
        return value.date().isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, _SINGLE):
        return str(value)
    structure = "a list" if isinstance(value, Sequence | np.ndarray | set | frozenset) else "a structure"
    structure = "bytes" if isinstance(value, bytes | bytearray) else structure
    structure = "a mapping" if isinstance(value, Mapping) else structure
    return _Unspelled(f"the cell holds {structure}, which is no single value")
