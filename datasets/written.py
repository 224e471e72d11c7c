"""Writing people, ties and a schema down as files that ``graphanon anonymize`` takes as they are.

These files are originals: they name everybody. They are for trying things out and for showing the formats.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from graphanon.domain import Tree
from graphanon.errors import InputProblem, Problem
from graphanon.io.hierarchy_file import hierarchy_text
from graphanon.io.schema_file import schema_text
from graphanon.io.source import Reading

__all__ = ["save"]


def save(reading: Reading, folder: Path | str) -> tuple[Path, ...]:
    """Write a reading into a new or empty folder and return the files.

    They are ``people.csv``, ``schema.toml``, ``hierarchies/*.csv`` and, for a graph, ``ties.csv``.

    Raises
    ------
    InputProblem
        If the folder holds something already, or it cannot be written.
    """
    folder = Path(folder)
    texts = dict(_texts(reading))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = f"{folder} is there already and not an empty folder"
        raise InputProblem(Problem(what=what, fix="give the name of a new folder"))
    try:
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputProblem(Problem(what=f"cannot be written: {error.strerror}", file=str(folder))) from None
    return tuple(folder / name for name in texts)


def _texts(reading: Reading) -> Iterator[tuple[str, str]]:
    """Return the name and the text of each file."""
    frame, schema = reading.table.frame, reading.graph.schema
    yield "people.csv", _csv([list(frame.columns), *frame.to_numpy(dtype=object, na_value=None).tolist()])
    if reading.graph.has_ties and reading.ids is not None:
        yield "ties.csv", _csv([("source", "target"), *_ends(reading, reading.ids)])
    hierarchies = {
        column.name: f"hierarchies/{column.name}.csv" for column in schema.columns
        if isinstance(column.domain, Tree) and column.domain.given
    }
    yield "schema.toml", schema_text(schema, hierarchies)
    for column in schema.columns:
        if column.name in hierarchies and isinstance(column.domain, Tree):
            yield hierarchies[column.name], hierarchy_text(column.domain)


def _ends(reading: Reading, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    graph = reading.graph
    matrix = (graph.ties if graph.arcs is None else graph.arcs).tocoo()
    source, target = matrix.row, matrix.col
    if graph.arcs is None:
        once = source < target
        source, target = source[once], target[once]
    for place in np.lexsort((target, source)).tolist():
        yield ids[source[place]], ids[target[place]]


def _csv(rows: Iterable[Sequence[str | None]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
