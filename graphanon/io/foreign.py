"""Graphs of networkx and igraph, read without changing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from graphanon.errors import Problem
from graphanon.io.csv_table import Column
from graphanon.io.faults import refuse_any
from graphanon.io.frames import table_of
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.source import ReadOptions, ReadReport, Source

__all__ = ["is_graph", "read"]


def is_graph(thing: object) -> bool:
    """Tell whether something is a graph of networkx or igraph."""
    return _library(thing) is not None


def _library(thing: object) -> str | None:
    for kind in type(thing).__mro__:
        library = kind.__module__.split(".")[0]
        if library in ("networkx", "igraph") and kind.__name__ in ("Graph", "GraphBase"):
            return library
    return None


def read(graph: Any, file: str, options: ReadOptions) -> Source:
    """Return people and ties of a graph of networkx or igraph.

    The ids of networkx are its nodes as text; those of igraph the attribute ``name`` where every vertex
    has one of its own, else the numbers of the vertices.

    Raises
    ------
    InputProblem
        If two nodes read the same as text, or an attribute holds a list, a mapping or another structure.

    Examples
    --------
    >>> import networkx as nx
    >>> read(nx.path_graph(3), "a path", ReadOptions())
    Source(Table(3 rows, 1 columns), Ties(2 rows))
    """
    parts = _networkx(graph, file, options) if _library(graph) == "networkx" else _igraph(graph, file, options)
    return graph_source(parts, options)


def _networkx(graph: Any, file: str, options: ReadOptions) -> GraphParts:
    nodes = list(graph.nodes)
    texts = _texts(str(node) for node in nodes)
    _refuse_doubles(texts, file)
    name = dict(zip(nodes, texts, strict=True))
    edges = list(graph.edges(data=True))
    return GraphParts(
        file=file, ids=texts, lines=np.arange(1, len(nodes) + 1),
        attributes=_columns([data for _, data in graph.nodes(data=True)], file, options),
        source=_texts(name[source] for source, _, _ in edges), target=_texts(name[target] for _, target, _ in edges),
        tie_lines=np.arange(1, len(edges) + 1), directed=bool(graph.is_directed()),
        tie_attributes=_columns([data for _, _, data in edges], file, options),
        report=_report(file, "networkx", len(nodes), len(edges)),
    )


def _igraph(graph: Any, file: str, options: ReadOptions) -> GraphParts:
    number = graph.vcount()
    attributes = _table({name: graph.vs[name] for name in graph.vs.attributes()}, file, options)
    named = attributes.get("name")
    proper = named is not None and None not in set(named) and len(set(named)) == number
    ids = named if proper and named is not None else _texts(str(place) for place in range(number))
    ends = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    return GraphParts(
        file=file, ids=ids, lines=np.arange(1, number + 1), attributes=attributes,
        id_name="name" if proper else None, source=ids[ends[:, 0]], target=ids[ends[:, 1]],
        tie_lines=np.arange(1, len(ends) + 1), directed=bool(graph.is_directed()),
        tie_attributes=_table({name: graph.es[name] for name in graph.es.attributes()}, file, options),
        report=_report(file, "igraph", number, len(ends)),
    )


def _report(file: str, library: str, nodes: int, edges: int) -> ReadReport:
    return ReadReport(notes=(f"{file}: {library}, {nodes:,} nodes, {edges:,} edges",))


def _texts(texts: Iterable[str]) -> Column:
    listed = list(texts)
    column = np.empty(len(listed), dtype=object)
    column[:] = listed
    return column


def _refuse_doubles(texts: Column, file: str) -> None:
    seen: set[str] = set()
    problems = []
    for place, text in enumerate(texts.tolist(), start=1):
        if text in seen:
            problems.append(Problem(what=f"two nodes read '{text}' as text", file=file, line=place,
                                    allowed="nodes that differ as text, not 7 beside '7'"))
        seen.add(text)
    refuse_any(problems)


def _columns(rows: Sequence[Mapping[Any, Any]], file: str, options: ReadOptions) -> dict[str, Column]:
    """Return the attributes of nodes or edges, in the order in which they first occur."""
    names = dict.fromkeys(name for row in rows for name in row)
    return _table({name: [row.get(name) for row in rows] for name in names}, file, options)


def _table(columns: Mapping[Any, list[Any]], file: str, options: ReadOptions) -> dict[str, Column]:
    if not columns:
        return {}
    table = table_of([(str(name), values) for name, values in columns.items()], file, options)
    return {str(name): table.frame[name].to_numpy() for name in table.frame.columns}
