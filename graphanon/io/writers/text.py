"""Formats that are lines of words or tables of cells: edge and adjacency lists, matrices, CSV and TSV pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from graphanon.io.declared import Declared
from graphanon.io.writers.network import Cells, Network, kind_of_cells

__all__ = ["adjacency_list", "adjacency_matrix", "edge_list", "people_table", "tie_table"]

_OPEN = re.compile(r"""\A[\s#%]|["\n]|\s\Z""")


def edge_list(network: Network) -> bytes:
    """Return two ends a line, and the weight where ties have one."""
    names = [_word(name) for name in network.ids.tolist()]
    weights = network.tie_attributes.get("weight")
    ends = zip(network.source.tolist(), network.target.tolist(), strict=True)
    lines = (f"{names[a]} {names[b]}" + ("" if weights is None else f" {weights[row]}") for row, (a, b) in enumerate(ends))
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _word(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if re.search(r'[\s"]|\A[#%]', name) else name


def adjacency_list(network: Network) -> bytes:
    """Return a person a line, followed by those tied to that person; ties without a direction stand in both lines."""
    names = network.ids.tolist()
    others: list[list[str]] = [[] for _ in names]
    for source, target in zip(network.source.tolist(), network.target.tolist(), strict=True):
        others[source].append(names[target])
        if not network.directed and source != target:
            others[target].append(names[source])
    return "".join(f"{' '.join([name, *tied])}\n" for name, tied in zip(names, others, strict=True)).encode("utf-8")


def adjacency_matrix(network: Network) -> bytes:
    """Return a square table, ids in its first line and column, 0 where there is no tie."""
    names = network.ids.tolist()
    weights = network.tie_attributes.get("weight")
    cells = np.full((len(names), len(names)), "0", dtype=object)
    values = np.full(len(network.source), "1", dtype=object) if weights is None else weights
    cells[network.source, network.target] = values
    if not network.directed:
        cells[network.target, network.source] = values
    rows: Iterator[Sequence[str | None]] = ([name, *row] for name, row in zip(names, cells.tolist(), strict=True))
    return _table([["", *names], *rows], ",")


def people_table(network: Network, delimiter: str) -> bytes:
    """Return people as a table whose first column is ``id``."""
    columns = {"id": network.ids, **network.attributes}
    return _table(_rows(columns), delimiter, _marked(columns, network.types))


def tie_table(network: Network, delimiter: str) -> bytes:
    """Return ties as a table; a column ``Type`` says that they have a direction."""
    columns = tie_columns(network)
    return _table(_rows(columns), delimiter, _marked(columns, network.tie_types))


def _marked(columns: Mapping[str, Cells], types: Mapping[str, Declared]) -> frozenset[int]:
    """Return the places of the columns of text that would be taken for something else without quotation marks."""
    return frozenset(place for place, (name, column) in enumerate(columns.items())
                     if types.get(name) == "text" and kind_of_cells(column, None) != "text")


def tie_columns(network: Network) -> Mapping[str, Cells]:
    """Return ties as columns, both ends first."""
    columns = {"source": network.ids[network.source], "target": network.ids[network.target]}
    if network.directed:
        columns["Type"] = np.full(len(network.source), "Directed", dtype=object)
    return {**columns, **network.tie_attributes}


def _rows(columns: Mapping[str, Cells]) -> Iterator[Sequence[str | None]]:
    yield list(columns)
    yield from zip(*(column.tolist() for column in columns.values()), strict=True)


def _table(
    rows: Sequence[Sequence[str | None]] | Iterator[Sequence[str | None]], delimiter: str, marked: AbstractSet[int] = frozenset()
) -> bytes:
    special = re.compile(f"{_OPEN.pattern}|{re.escape(delimiter)}")

    def cell(place: int, text: str | None) -> str:
        if text is None:
            return ""
        return '"' + text.replace('"', '""') + '"' if place in marked or special.search(text) else text

    lines = iter(rows)
    names = delimiter.join(cell(-1, name) for name in next(lines, ()))
    return "".join([f"{names}\n", *(delimiter.join(map(cell, range(len(row)), row)) + "\n" for row in lines)]).encode("utf-8")
