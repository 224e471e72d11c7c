"""What the custodian's schema file asks, read by the audit on its own."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphanon.errors import InputProblem, Problem

__all__ = ["Wording", "read_wording"]

SEPARATORS = ";\t,|"


@dataclass(frozen=True, kw_only=True)
class Wording:
    """Roles by column, what becomes of missing cells, how many may be withheld, direction.

    `columns` has what the file says of each column, `trees` the lines of its hierarchy. `labels` has
    those that orders and hierarchies declare, by column; None where nobody said.
    """

    roles: Mapping[str, str]
    missing: str = "error"
    withhold: float = 0.0
    directed: bool = False
    k: int | None = None
    tie_confidence: float | None = None
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    trees: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)
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
        promises = told.get("promises", {})
        trees = {
            name: _rows((path.parent / column["hierarchy"]).read_bytes().decode("utf-8-sig"))
            for name, column in columns.items() if "hierarchy" in column
        }
        orders = {name: set(column["order"]) for name, column in columns.items() if "order" in column}
        return Wording(
            roles={name: str(column["role"]) for name, column in columns.items()},
            missing=told.get("people", {}).get("missing", "error"),
            withhold=float(promises.get("withhold", 0.0)),
            directed=bool(told.get("ties", {}).get("directed", False)),
            k=promises.get("k"),
            tie_confidence=promises.get("tie_confidence"),
            columns=columns,
            trees=trees,
            labels=orders | {name: {cell for row in rows for cell in row} for name, rows in trees.items()},
        )
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise InputProblem(Problem(what=what, file=str(error.filename or path), fix="--schema")) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"not a schema: {error}"
        raise InputProblem(Problem(what=what, file=str(path), fix="--schema")) from error


def _rows(text: str) -> list[tuple[str, ...]]:
    """Return the lines in the separator that cuts most of them into the same number of cells."""
    tables = []
    for separator in SEPARATORS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
        lines = [tuple(row) for row in reader if any(cell.strip() for cell in row)]
        widths = [len(row) for row in lines if len(row) > 1]
        tables.append((len(widths), max(map(widths.count, set(widths)), default=0), lines))
    rows = max(tables, key=lambda table: table[:2])[2]
    # a separator at the end of every line leaves a cell that is no label
    while rows and all(len(row) > 1 and not row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    return rows
