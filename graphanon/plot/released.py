"""A release as a picture sees it: numbers read off its cells, and what they have lost.

Everything here comes from the files of a release, or from the same release before it was written; a run
lends only its release.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import ROOT, Measure, Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.release import PublicColumn, Release, read

if TYPE_CHECKING:
    from graphanon.pipeline import Run

__all__ = ["Source", "cell_costs", "class_tie_loss", "expected_degrees", "intervals", "release_of", "run_of", "supernodes_of", "unit"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Source: TypeAlias = "Run | Release | Path | str"


def release_of(source: Source) -> Release:
    """Return the release of a run, of a folder, or as it is.

    Raises
    ------
    InputProblem
        If the folder is no release of supernodes or of a table.
    """
    if isinstance(source, Release):
        return source
    if isinstance(source, Path | str):
        return _read(Path(source))
    return source.release


def run_of(source: object) -> Run | None:
    """Return the source if it is a run, which knows more than what is released."""
    if isinstance(source, Release | Path | str):
        return None
    from graphanon.pipeline import Run

    return source if isinstance(source, Run) else None


def _read(folder: Path) -> Release:
    file = folder / "release.json"
    if not file.is_file():
        inner = folder / "release"
        fix = str(inner) if (inner / "release.json").is_file() else None
        raise InputProblem(Problem(what="is no release folder: it has no release.json", file=str(folder),
                                   allowed="the folder OUT/release of a run", fix=fix))
    kind = _kind(file)
    if kind not in ("supernode-graph", "table"):
        what = f"is a release of kind '{kind}', of which there is no picture"
        raise InputProblem(Problem(what=what, file=str(folder), allowed="a release of supernodes or of a table"))
    return read(folder)


def _kind(file: Path) -> object:
    try:
        told = json.loads(file.read_bytes())
    except ValueError as error:
        raise InputProblem(Problem(what=f"not valid JSON: {error}", file=str(file))) from error
    return told.get("kind") if isinstance(told, dict) else None


def supernodes_of(source: Source) -> Release:
    """Return the release of a source that must be one of supernodes.

    Raises
    ------
    InputProblem
        If it is that of a table.
    """
    release = release_of(source)
    if release.superties is None:
        where = str(source) if isinstance(source, Path | str) else None
        raise InputProblem(Problem(what="is a table, and the picture is one of supernodes", file=where,
                                   allowed="a release of a graph", fix="--kind records, sizes, losses or levels"))
    return release


def unit(release: Release) -> str:
    """Return what joins people in this release: ties or arcs."""
    return "arcs" if release.superties is not None and release.superties.directed else "ties"


def intervals(release: Release, column: PublicColumn) -> tuple[Sequence[str], Sequence[str]]:
    """Return the text of both ends of a quasi column's cell in each class; a category's are the same."""
    header = release.header
    if release.kind == "table" or column.type == "category":
        place = header.index(column.name)
        cells = [row[place] for row in release.cells]
        return _ends_in_table(cells, column) if column.type != "category" else (cells, cells)
    low, high = (header.index(name) for name in column.cells(release.kind))
    return [row[low] for row in release.cells], [row[high] for row in release.cells]


def _ends_in_table(cells: Sequence[str], column: PublicColumn) -> tuple[list[str], list[str]]:
    """Return both ends of cells such as ``37``, ``[33, 37]`` and ``[low, mid]``."""
    known = {label: (label, label) for label in column.facts.get("order", ())}
    known |= {f"[{low}, {high}]": (low, high) for low in known for high in known}
    pairs = [known.get(cell) or _split(cell) for cell in cells]
    return [low for low, _ in pairs], [high for _, high in pairs]


def _split(cell: str) -> tuple[str, str]:
    if not (cell.startswith("[") and cell.endswith("]")):
        return cell, cell
    low, _, high = cell[1:-1].partition(", ")
    return low, high


def cell_costs(release: Release, measure: Measure = "leaves") -> Floats:
    """Return float64[classes, q], the share 0 to 1 of its meaning that each published cell has lost.

    The definitions are those of :func:`graphanon.loss.cell_costs`, with lines as the release describes them; a
    category whose hierarchy is not in the release has lost nothing or all.
    """
    costs = np.zeros((len(release.cells), len(release.quasi)))
    for j, column in enumerate(release.quasi):
        low, high = intervals(release, column)
        costs[:, j] = _costs(release, column, low, high, measure)
    return costs


def _costs(
    release: Release, column: PublicColumn, low: Sequence[str], high: Sequence[str], measure: Measure
) -> Floats:
    if column.type == "category":
        known = _category_costs(release.hierarchies.get(column.facts.get("hierarchy", ""), ()), measure)
        return np.array([known.get(label, float(label == ROOT)) for label in low], dtype=float)
    any_ = np.array([text == ROOT for text in high])
    if column.type == "order":
        rank = {label: i for i, label in enumerate(column.facts["order"])} | {ROOT: 0}
        order = Order(tuple(column.facts["order"]))
        begin, end = (np.array([rank[text] for text in ends], dtype=float) for ends in (low, high))
        cost = order.cost(begin, end)
    else:
        first, last = column.facts["range"]
        line = Range(first, last, column.facts.get("grid", 1))
        begin, end = (np.array([0.0 if text == ROOT else float(text) for text in ends]) for ends in (low, high))
        cost = line.cost(begin, end)
    return np.where(any_, 1.0, cost)


@cache
def _category_costs(rows: tuple[tuple[str, ...], ...], measure: Measure) -> dict[str, float]:
    if not rows:
        return {}
    tree = Tree(rows)
    # a label that is repeated as padding counts at its lowest level, which comes first
    return dict(list(zip(tree.labels, tree.node_costs(measure).tolist(), strict=True))[::-1])


def expected_degrees(release: Release) -> Floats:
    """Return float64[supernodes], the mean number of ties (arcs, both ways) of the people of each."""
    ties = release.superties
    assert ties is not None
    count = len(release.sizes)
    ends = 2.0 * ties.inside
    ends += np.bincount(ties.source, ties.ties, count) + np.bincount(ties.target, ties.ties, count)
    return np.asarray(ends / release.sizes)


def class_tie_loss(release: Release) -> Floats:
    """Return float64[supernodes], the share 0 to 1 of each supernode's ties that a reader would misplace.

    Of what joins it to itself and to others: the expected number of wrongly guessed pairs over twice the
    number of ties, as `tie_loss` is for the whole release. A supernode without ties has lost nothing.
    """
    ties = release.superties
    assert ties is not None
    sizes, count = release.sizes, len(release.sizes)
    inside = ties.inside * (1 if ties.directed else 2)
    lost = inside * (1 - inside / np.maximum(sizes * (sizes - 1), 1))
    apart = ties.ties * (1 - ties.ties / (sizes[ties.source] * sizes[ties.target]))
    both = 1.0 if ties.directed else 2.0
    share = [np.bincount(end, both * apart, count) / 2 for end in (ties.source, ties.target)]
    have = [np.bincount(end, both * ties.ties, count) / 2 for end in (ties.source, ties.target)]
    arcs = inside + have[0] + have[1]
    return np.asarray((lost + share[0] + share[1]) / np.where(arcs > 0, arcs, 1))
