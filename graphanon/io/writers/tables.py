"""Typed tables, Excel and Parquet: a column has a type only where that changes none of its cells."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from graphanon.io.declared import Declared
from graphanon.io.writers.network import Cells, Network
from graphanon.io.writers.text import tie_columns

__all__ = ["excel_people", "excel_ties", "parquet_people", "parquet_ties"]


def excel_people(network: Network) -> bytes:
    """Return people as a workbook."""
    return _workbook({"id": network.ids, **network.attributes}, network.types)


def excel_ties(network: Network) -> bytes:
    """Return ties as a workbook."""
    return _workbook(tie_columns(network), network.tie_types)


def parquet_people(network: Network) -> bytes:
    """Return people as a Parquet file."""
    return _parquet({"id": network.ids, **network.attributes}, network.types)


def parquet_ties(network: Network) -> bytes:
    """Return ties as a Parquet file."""
    return _parquet(tie_columns(network), network.tie_types)


_MADE: Mapping[Declared, Callable[[str], Any]] = {
    "whole": int, "number": float, "boolean": lambda cell: cell == "true", "text": str}


def _workbook(columns: Mapping[str, Cells], types: Mapping[str, Declared]) -> bytes:
    import openpyxl
    from openpyxl.cell import WriteOnlyCell

    book = openpyxl.Workbook(write_only=True)
    # a date of now would tell when it was written
    book.properties.created = book.properties.modified = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
    book.properties.creator = None
    sheet = book.create_sheet("Sheet1")

    def text(value: str) -> Any:
        # openpyxl would take a text that begins with = for a formula
        cell = WriteOnlyCell(sheet, value="")
        cell.value = value
        cell.data_type = "s"
        return cell

    sheet.append([text(name) for name in columns])
    made = [_MADE[kind] if (kind := types.get(name, "text")) != "text" else text for name in columns]
    for row in zip(*(column.tolist() for column in columns.values()), strict=True):
        sheet.append([None if cell is None else make(cell) for make, cell in zip(made, row, strict=True)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _parquet(columns: Mapping[str, Cells], types: Mapping[str, Declared]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    stored = {"whole": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(), "text": pa.string()}
    arrays = []
    for name, column in columns.items():
        kind = types.get(name, "text")
        arrays.append(pa.array([None if cell is None else _MADE[kind](cell) for cell in column.tolist()], type=stored[kind]))
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, names=list(columns)), out)
    return out.getvalue()
