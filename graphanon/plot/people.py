"""The people and their ties as they were: for the custodian's eyes, beside the supernodes that leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.plot.colouring import Colouring, by_label, by_number, declared
from graphanon.plot.layout import places, strongest
from graphanon.plot.style import LINE, OKABE_ITO, Key, dots, head, legend, short, stroke
from graphanon.plot.supernodes import Scale, disc_area, draw_lines, leave_room

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from graphanon.io import Reading
    from graphanon.pipeline import Run

__all__ = ["draw_people", "few_valued", "graph_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_LINES = 16_000
AREAS = (1.2, 14.0)  # square points of a person's dot, from many people to few


def draw_people(
    ax: Axes, source: Run | Reading | AttributedGraph | object, *, colour: str | None = None, layout: str | None = None, seed: int = 0
) -> Axes:
    """Draw people as dots and ties as lines, as they were before anything was done.

    Never from a release. `colour` names a column of any role but identifier; left out, it is the first
    quasi-identifier with few values.

    Raises
    ------
    InputProblem
        If the people have no ties, or no such column.
    """
    graph = graph_of(source)
    if not graph.has_ties:
        raise InputProblem(Problem(what="the people have no ties to draw", allowed="people and ties"))
    pairs = sparse.triu(graph.ties).tocoo()
    ends = np.column_stack([pairs.row, pairs.col]).astype(np.int64)
    place = places(graph.n, ends, np.ones(len(ends)), layout=layout, seed=seed)
    shown = _shown(graph, ends)
    scale = Scale(area=float(np.clip(disc_area(ax, np.ones(graph.n)), *AREAS)), widest=5.0)
    scale = scale.for_lines(ax, place, ends[shown], np.ones(len(shown)))
    draw_lines(ax, place, ends[shown], np.ones(len(shown)), scale)
    fill = _fill(graph, colour)
    people = ax.scatter(place.xy[:, 0], place.xy[:, 1], s=scale.area, c=list(fill.colours), linewidths=0, zorder=2)
    people.set_gid("people")
    ax.set_axis_off()
    leave_room(ax, scale.area)
    kind = "arcs" if graph.directed else "ties"
    thinned = f"; drawn: {len(shown):,} of them" if len(shown) < len(ends) else ""
    head(ax, f"Before: {graph.n:,} people", f"{graph.n_ties:,} {kind} between them{thinned}", private=True)
    keys = [Key(fill.title, tuple(dots(42, shade, text) for shade, text in fill.meaning))]
    legend(ax, [*keys, Key("", (dots(scale.area, "#888888", "a person"), stroke(LINE, 0.6, f"one of the {kind}")))], below=4)
    return ax


def graph_of(source: object) -> AttributedGraph:
    """Return the people of a run, of a reading, or as they are.

    Raises
    ------
    InputProblem
        If they are not known.
    """
    if isinstance(source, AttributedGraph):
        return source
    grouping = getattr(source, "grouping", None)
    graph = getattr(source, "graph", None) if grouping is None else grouping.source
    if not isinstance(graph, AttributedGraph):
        what = "people as they were are not in a release"
        raise InputProblem(Problem(what=what, allowed="a run, or the people themselves",
                                   fix="--original PEOPLE --ties TIES --schema S.toml"))
    return graph


def _shown(graph: AttributedGraph, ends: Ints) -> Ints:
    """Return the ties that are drawn: all, or one or so of each person."""
    if len(ends) <= MOST_LINES:
        return np.arange(len(ends))
    found = strongest(ends, _near(graph, ends), 1)
    return found[:: -(-len(found) // MOST_LINES)]


def _near(graph: AttributedGraph, ends: Ints) -> Floats:
    """Return how much each tie tells of structure: one between people of few ties tells most."""
    degree = np.asarray(graph.ties.sum(axis=1), dtype=float).reshape(-1)
    return np.asarray(1 / np.sqrt(degree[ends[:, 0]] * degree[ends[:, 1]]))


def _fill(graph: AttributedGraph, colour: str | None) -> Colouring:
    quasi = [column.name for column in graph.schema.quasi]
    known = [*quasi, *graph.payload]
    name = colour or few_valued(graph)
    if name is None:
        return Colouring(title="", colours=(OKABE_ITO[0],) * graph.n, meaning=())
    if name not in known:
        what = f"the people have no attribute '{short(name)}' to colour by"
        raise InputProblem(Problem(what=what, allowed=", ".join(known), fix="--attribute NAME"))
    if name in graph.payload:
        column = graph.payload[name]
        return by_label(name, [column.labels[code] for code in column.codes.tolist()])
    place = quasi.index(name)
    line, values = graph.domains[place], graph.values[:, place]
    missing = values >= line.missing_address
    if isinstance(line, Range):
        return by_number(name, np.where(missing, np.nan, values))
    assert isinstance(line, Order | Tree)
    labels = (*(line.labels if isinstance(line, Order) else line.leaves), "")
    told = declared(line.rows) if isinstance(line, Tree) and line.given else ()
    return by_label(name, [labels[int(value)] for value in values.tolist()], told)


def few_valued(graph: AttributedGraph) -> str | None:
    """Return the name of the attribute whose number of values colours tell apart best, None if there is none."""
    known = [column.name for column in graph.schema.quasi] or [*graph.payload]
    return min(known, key=lambda name: _off(graph, name), default=None)


def _off(graph: AttributedGraph, name: str) -> int:
    """Return how far a column's number of values is from what colours can tell apart."""
    quasi = [column.name for column in graph.schema.quasi]
    number = len(np.unique(graph.values[:, quasi.index(name)])) if name in quasi else len(graph.payload[name].labels)
    return abs(number - 5)
