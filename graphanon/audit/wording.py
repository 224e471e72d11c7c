"""What the custodian's schema file asks, read by the audit on its own."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphanon.errors import InputProblem, Problem

__all__ = ["Wording", "read_wording"]

SEPARATORS = ";\t,|"


@dataclass(frozen=True, kw_only=True)
class Wording:
    """Roles by column, what becomes of missing cells, how many may be withheld, direction.

    `labels` has those that orders and hierarchies declare, by column; None where nobody said.
    """

    roles: Mapping[str, str]
    missing: str = "error"
    withhold: float = 0.0
    directed: bool = False
    labels: Mapping[str, Collection[str]] | None = None


def read_wording(path: Path) -> Wording:
    """Return what a schema file says.

    Raises
    ------
    InputProblem
        If it cannot be read or is no schema.
    """
    try:
        told = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        columns: dict[str, dict[str, Any]] = told.get("columns", {})
        return Wording(
            roles={name: str(column["role"]) for name, column in columns.items()},
            missing=told.get("people", {}).get("missing", "error"),
            withhold=float(told.get("promises", {}).get("withhold", 0.0)),
            directed=bool(told.get("ties", {}).get("directed", False)),
            labels={
                name: _labels(column, path.parent)
                for name, column in columns.items() if "order" in column or "hierarchy" in column
            },
        )
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise InputProblem(Problem(what=what, file=str(error.filename or path), fix="--schema")) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"not a schema: {error}"
        raise InputProblem(Problem(what=what, file=str(path), fix="--schema")) from error


def _labels(column: Mapping[str, Any], folder: Path) -> set[str]:
    if "order" in column:
        return set(column["order"])
    text = (folder / column["hierarchy"]).read_bytes().decode("utf-8-sig")
    return {cell.strip() for row in _split(text) for cell in row}


def _split(text: str) -> list[list[str]]:
    """Return the lines in the separator that cuts most of them into the same number of cells."""
    tables = []
    for separator in SEPARATORS:
        lines = [row for row in csv.reader(text.splitlines(keepends=True), delimiter=separator,
                                           skipinitialspace=True) if row]
        widths = [len(row) for row in lines if len(row) > 1]
        tables.append((len(widths), max(map(widths.count, set(widths)), default=0), lines))
    return max(tables, key=lambda table: table[:2])[2]
