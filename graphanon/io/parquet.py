"""Tables in Parquet files, whose types are spelled as :mod:`graphanon.io.frames` says."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from graphanon.errors import InputProblem, Problem
from graphanon.io.declared import Declared
from graphanon.io.frames import spelled, table_of
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source

__all__ = ["MAGIC", "read"]

MAGIC = b"PAR1"


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people of a Parquet file.

    Raises
    ------
    InputProblem
        If the file is damaged or encrypted, a column name occurs twice, or a column is nested.
    """
    import pyarrow as pa
    from pyarrow import parquet

    stream: Any = content.stream if content.stream.seekable() else io.BytesIO(content.read())
    try:
        table = parquet.ParquetFile(stream).read()
        names = table.column_names
        # text that is none is found only here
        columns = [(name, _column(table.column(place))) for place, name in enumerate(names)]
    except InputProblem:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, RuntimeError) as error:
        what = f"is no Parquet file that can be read ({next(iter(str(error).splitlines()), type(error).__name__)[:200]})"
        raise InputProblem(Problem(what=what, file=content.name, fix="the file may be cut off; export it again")) from error
    types = {name: kind for name, column in zip(names, table.columns, strict=True) if (kind := _type(column.type))}
    people = table_of(columns, content.name, options, types=types)
    note = f"{content.name}: Parquet, {len(names)} columns, lines are row numbers counted from 1"
    return Source(people=people, ties=None, id=None, report=ReadReport(notes=(note,)), options=options)


def _type(kind: Any) -> Declared | None:
    """Return what a type of Arrow means, None of dates and the like."""
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    told: tuple[tuple[Any, Declared], ...] = (
        (pa.types.is_integer, "whole"), (pa.types.is_floating, "number"), (pa.types.is_decimal, "number"),
        (pa.types.is_boolean, "boolean"), (pa.types.is_string, "text"), (pa.types.is_large_string, "text"))
    return next((type_ for holds, type_ in told if holds(kind)), None)


def _column(column: Any) -> Any:
    """Return an Arrow column as something with a spelling, whole numbers and text without a detour."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        # encoded first, so that each distinct value is spelled once and each text is one object
        return _each_once(column)
    if pa.types.is_floating(kind) and not pa.types.is_float16(kind):
        return column.to_numpy()
    values = np.empty(len(column), dtype=object)
    values[:] = [None] * len(column)
    for place, value in enumerate(column.to_pylist()):
        values[place] = value
    return values


def _each_once(column: Any) -> Any:
    encoded = column if hasattr(column.type, "value_type") else column.dictionary_encode()
    chunk = encoded.unify_dictionaries().combine_chunks()
    distinct = np.array([*spelled(chunk.dictionary.to_pylist()), None], dtype=object)
    codes = chunk.indices.fill_null(len(distinct) - 1).to_numpy()
    return distinct[codes]
