"""The files that come with the package, as the pipeline wants them: tables of text and schemas."""

from __future__ import annotations

import gzip
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from graphanon.errors import InputProblem, Problem
from graphanon.io.schema_file import read_schema
from graphanon.io.source import Table
from graphanon.schema import Column, Missing, Role, Schema

__all__ = ["DATA", "lines_of", "schema_with", "table"]

DATA = Path(__file__).resolve().parent / "data"


def table(name: str) -> Table:
    """Return a packed CSV file as text; empty cells are missing, lines are counted as in the file."""
    file = f"{name}.csv.gz"
    with gzip.open(DATA / file, "rt", encoding="utf-8", newline="") as text:
        frame = pd.read_csv(text, dtype=object, keep_default_na=False, na_filter=False)
    frame = frame.mask(frame == "", None)
    return Table(frame=frame, lines=np.arange(2, len(frame) + 2, dtype=np.int64), file=file)


@cache
def lines_of(name: str) -> Schema:
    """Return the schema that says on which line of values each column of a data set lies."""
    return read_schema(DATA / f"{name}.toml")


def schema_with(
    name: str, *, quasi: Collection[str], sensitive: Collection[str], missing: Missing = "error"
) -> Schema:
    """Return the schema in which these columns are quasi-identifiers, those sensitive, the others dropped.

    Raises
    ------
    InputProblem
        If a column is not in the data set or has two roles.
    """
    schema = lines_of(name)
    known = [column.name for column in schema.columns]
    problems = [
        Problem(what="is no column of this data set", column=column, file=name, allowed=", ".join(known))
        for column in (*quasi, *sensitive) if column not in known
    ]
    problems += [
        Problem(what="cannot be quasi and sensitive", column=column, file=name)
        for column in quasi if column in sensitive
    ]
    if problems:
        raise InputProblem(problems)
    columns = (_with_role(column, quasi, sensitive) for column in schema.columns)
    return replace(schema, columns=tuple(columns), missing=missing)


def _with_role(column: Column, quasi: Collection[str], sensitive: Collection[str]) -> Column:
    if column.name in quasi:
        return replace(column, role=Role.QUASI)
    if column.name in sensitive:
        return replace(column, role=Role.SENSITIVE)
    return Column(name=column.name, role=Role.DROP)
