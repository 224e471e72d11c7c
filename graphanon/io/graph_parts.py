"""What every graph format ends in: nodes with attributes and edges between them, as a Source.

The id of a node becomes a column of the people like any other. Where an attribute already bears the name
``id``, the node's own id takes the next free name. A schema may choose an attribute as the id instead; then the
ends of the ties are renamed with it, which needs a value that no two nodes share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import Problem
from graphanon.io.csv_table import Column, frame_of
from graphanon.io.declared import Declared
from graphanon.io.faults import refusal, refuse_any
from graphanon.io.source import ReadOptions, ReadReport, Source, Table, Ties
from graphanon.io.tie_columns import SOURCE, TARGET, column_named, dropped, weight_among

__all__ = ["GraphParts", "graph_source", "id_column_name"]

_ID_NAMES = ("id", "node", "node_id", "vertex", "node_id_in_file")


@dataclass(frozen=True, kw_only=True, eq=False)
class GraphParts:
    """Nodes by id, edges by the ids of their ends, attributes of both as columns of text or None.

    `id_name` is the attribute that the ids come from, None where they are the nodes' own. `modes` names the kind of
    each node where the format has two (Pajek's ``*Vertices 6 4``), None where it has one. `labels` are the attributes
    that the format keeps for names to show. `types` and `tie_types` are those that the file gives attributes.
    """

    file: str
    ids: Column
    lines: NDArray[np.int64]
    source: Column
    target: Column
    tie_lines: NDArray[np.int64]
    directed: bool | None
    attributes: Mapping[str, Column] = field(default_factory=dict)
    tie_attributes: Mapping[str, Column] = field(default_factory=dict)
    id_name: str | None = None
    modes: Column | None = None
    labels: tuple[str, ...] = ()
    types: Mapping[str, Declared] = field(default_factory=dict)
    tie_types: Mapping[str, Declared] = field(default_factory=dict)
    report: ReadReport = field(default_factory=ReadReport)

    def __repr__(self) -> str:
        return f"GraphParts({len(self.ids)} nodes, {len(self.source)} edges)"


def id_column_name(attributes: Sequence[str]) -> str:
    """Return the first name for a column of ids that no attribute bears."""
    free = [name for name in _ID_NAMES if name not in attributes]
    return free[0] if free else "_".join(attributes)


def graph_source(parts: GraphParts, options: ReadOptions) -> Source:
    """Return people and ties of a graph.

    Raises
    ------
    InputProblem
        If the attribute chosen as id is missing for a node or shared by two, or a chosen weight is no
        attribute of the edges.
    """
    own = parts.id_name or id_column_name(list(parts.attributes))
    columns = {own: parts.ids, **{name: c for name, c in parts.attributes.items() if name != own}}
    ids, source, target = own, parts.source, parts.target
    if options.id is not None:
        ids = list(columns)[column_named(list(columns), options.id, "[people] id", parts.file)]
        if ids != own:
            source, target = _renamed(parts, columns[ids], ids)
    people = Table(frame=frame_of(list(columns), list(columns.values())), lines=parts.lines, file=parts.file,
                   types=parts.types)
    ties = _ties(parts, source, target, options)
    filled = [name for name, column in parts.tie_attributes.items()
              if name.casefold() != "relation" and any(cell is not None for cell in column)]
    report = parts.report.plus(notes=(f"{parts.file}: column '{ids}' names the people",),
                               warnings=dropped(filled, ties.weight, parts.file))
    return Source(people=people, ties=ties, id=ids, report=report, options=options, modes=_modes(parts),
                  labels=tuple(name for name in parts.labels if name in columns))


def _modes(parts: GraphParts) -> Column | None:
    """Return the kind of each node: as the format says, or by an attribute ``bipartite`` that every edge crosses."""
    if parts.modes is not None:
        return parts.modes
    column = parts.attributes.get("bipartite")
    if column is None or None in (kinds := set(column.tolist())) or len(kinds) != 2:
        return None
    of = dict(zip(parts.ids.tolist(), column.tolist(), strict=True))
    ends = zip(parts.source.tolist(), parts.target.tolist(), strict=True)
    return column if all(of.get(a) != of.get(b) for a, b in ends) else None


def _renamed(parts: GraphParts, names: Column, column: str) -> tuple[Column, Column]:
    problems, seen = [], set()
    for line, name in zip(parts.lines.tolist(), names.tolist(), strict=True):
        if name is None or name in seen:
            what = "has no value, so it cannot name the person" if name is None else "names two nodes alike"
            problems.append(Problem(what=what, file=parts.file, line=line, column=column,
                                    fix="[people] id, another column"))
        seen.add(name)
    refuse_any(problems)
    of = dict(zip(parts.ids.tolist(), names.tolist(), strict=True))
    source, target = (
        np.array([of.get(end, end) for end in ends.tolist()], dtype=object) for ends in (parts.source, parts.target)
    )
    return source, target


def _ties(parts: GraphParts, source: Column, target: Column, options: ReadOptions) -> Ties:
    named = {name: f"{name} (attribute)" if name in (SOURCE, TARGET) else name for name in parts.tie_attributes}
    others = {named[name]: column for name, column in parts.tie_attributes.items()}
    weight = weight_among(list(others))
    if options.weight is not None:
        if not others:
            raise refusal([Problem(what="the ties have no attributes, so no weight", file=parts.file, fix="--weight")])
        weight = list(others)[column_named(list(others), options.weight, "--weight", parts.file)]
    frame = frame_of([SOURCE, TARGET, *others], [source, target, *others.values()])
    return Ties(frame=frame, lines=parts.tie_lines, file=parts.file, directed=parts.directed, weight=weight,
                types={named[name]: kind for name, kind in parts.tie_types.items() if name in named})
