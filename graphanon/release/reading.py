"""A release folder read back as a value.

This reader trusts what it reads as far as it can be parsed; whether a release keeps its word is the
audit's question (:mod:`graphanon.audit`), which reads the files on its own.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.release.model import Count, PublicColumn, Records, Release, SuperTies
from graphanon.release.perturbed import FILES, PerturbedRelease

__all__ = ["read", "read_any"]

KINDS = ("supernode-graph", "table", *FILES)

Ints = NDArray[np.int64]
Rows = list[list[str]]
_SHARED = 20_000  # how many different cells of a file are looked out for


def read(folder: Path | str) -> Release:
    """Return the release of supernodes or classes in a folder.

    Raises
    ------
    InputProblem
        If a file is missing or cannot be understood, or it is a release of randomized answers or of centres.
    """
    release = read_any(folder)
    if isinstance(release, PerturbedRelease):
        what = f"is a release of kind '{release.kind}', which has no classes of people"
        raise InputProblem(Problem(what=what, file=str(folder), allowed="a release of supernodes or of a table"))
    return release


def read_any(folder: Path | str) -> Release | PerturbedRelease:
    """Return the release in a folder, whatever its kind.

    Raises
    ------
    InputProblem
        If a file is missing or cannot be understood.
    """
    folder = Path(folder)
    statement = _statement(folder / "release.json")
    try:
        columns = _columns(folder, statement)
        hierarchies = {
            column.facts["hierarchy"]: tuple(
                tuple(row) for row in _rows(folder / "hierarchies" / column.facts["hierarchy"], ";")
            )
            for column in columns
            if "hierarchy" in column.facts
        }
        common = {"columns": columns, "statement": statement, "hierarchies": hierarchies}
        if statement["kind"] in FILES:
            return _perturbed(folder, common)
        if statement["kind"] == "table":
            return _table(folder, common)
        return _graph(folder, common)
    except (KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
        what = f"this is not a release that can be read: {error}"
        raise InputProblem(Problem(what=what, file=str(folder), fix="graphanon audit says what is wrong")) from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise InputProblem(Problem(what=what, file=str(path), allowed="a release folder")) from error


def _statement(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(_bytes(path))
    except ValueError as error:
        raise InputProblem(Problem(what=f"not valid JSON: {error}", file=str(path))) from error
    if not isinstance(told, dict) or told.get("kind") not in KINDS:
        what = "not the statement of a release"
        raise InputProblem(Problem(what=what, file=str(path)))
    return told


def _rows(path: Path, separator: str = ",") -> Rows:
    return list(_lines(path, separator))


def _lines(path: Path, separator: str = ",") -> Iterator[list[str]]:
    """Yield the lines of a file; equal cells are one text, which saves most of the memory of a large table."""
    known: dict[str, str] = {}
    text = io.TextIOWrapper(io.BytesIO(_bytes(path)), encoding="utf-8", newline="")
    for line in csv.reader(text, delimiter=separator, strict=True):
        share = known.setdefault if len(known) < _SHARED else known.get
        yield list(map(share, line, line))


def _columns(folder: Path, statement: Mapping[str, Any]) -> tuple[PublicColumn, ...]:
    _, *lines = _rows(folder / "codebook.csv")
    return tuple(
        PublicColumn(name=name, role=role, type=type_, facts=statement["columns"][name])  # type: ignore[arg-type]
        for name, role, type_, _ in lines
    )


def _graph(folder: Path, common: dict[str, Any]) -> Release:
    head, *lines = _rows(folder / "supernodes.csv")
    place = {line[0]: i for i, line in enumerate(lines)}
    weighed = "weight_inside" in head
    first = 3 + weighed
    _, *edges = _rows(folder / "superedges.csv")
    superties = SuperTies(
        directed=common["statement"]["directed"],
        inside=_ints(line[2] for line in lines),
        source=_ints(place[line[0]] for line in edges),
        target=_ints(place[line[1]] for line in edges),
        ties=_ints(line[2] for line in edges),
        weight_inside=_floats(lines) if weighed else None,
        weight=_floats(edges) if weighed else None,
    )
    _, *counts = _rows(folder / "sensitive.csv") if (folder / "sensitive.csv").exists() else [[]]
    return Release(
        kind="supernode-graph",
        cells=tuple(tuple(line[first:]) for line in lines),
        sizes=_ints(line[1] for line in lines),
        superties=superties,
        counts=tuple(Count(name, attribute, value, int(count)) for name, attribute, value, count in counts),
        **common,
    )


def _table(folder: Path, common: dict[str, Any]) -> Release:
    _, *lines = _rows(folder / "records.csv")
    width = sum(column.role == "quasi" for column in common["columns"])
    number: dict[tuple[str, ...], int] = {}
    classes = _ints(number.setdefault(tuple(line[:width]), len(number)) for line in lines)
    payload = range(width, len(common["columns"]))
    return Release(
        kind="table",
        cells=tuple(number),
        sizes=np.bincount(classes, minlength=len(number)).astype(np.int64),
        records=Records(classes=classes, payload=tuple(tuple(line[j] for line in lines) for j in payload)),
        **common,
    )


def _perturbed(folder: Path, common: dict[str, Any]) -> PerturbedRelease:
    kind = common["statement"]["kind"]
    tables = {
        name: tuple(tuple(line) for line in _rows(folder / name)) for name in FILES[kind] if (folder / name).exists()
    }
    return PerturbedRelease(kind=kind, tables=tables, **common)


def _ints(values: Any) -> Ints:
    return np.array([int(value) for value in values], dtype=np.int64)


def _floats(lines: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    return np.array([float(line[3]) for line in lines], dtype=float)
