"""What a reader hands over: people and ties as text, and a report of what was read.

Every reader, whatever its format, ends in these types, so that ids stay opaque text and every rule
about persons and ties is applied in one place (:mod:`graphanon.io.build`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphanon.graph import AttributedGraph
from graphanon.io.declared import Declared
from graphanon.schema import Schema

__all__ = ["ReadOptions", "ReadReport", "Reading", "Source", "Table", "Ties"]


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How an ambiguous file is to be read; None leaves it to detection, which is reported.

    `format` names what a file is, of the file of ties where people come too.
    `header` says whether the first line of a table of text holds column names; False is about the ties
    where people come too. `lenient` passes over values that a graph file does not declare, with a
    warning, where the default refuses them. `relation` picks one of several kinds of ties. `project` names the mode
    of a two-mode network (people and events, say) whose nodes are the people. `ends` says what the ends of links
    refer to in JSON, the ids of nodes or their places in the list.
    """

    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    na_values: tuple[str, ...] = ()
    comment: Literal["auto", "none"] = "auto"
    header: bool | None = None
    lenient: bool = False
    id: str | None = None
    source: str | None = None
    target: str | None = None
    weight: str | None = None
    directed: bool | None = None
    relation: str | None = None
    project: str | None = None
    duplicate_nodes: Literal["error", "first"] = "error"
    missing_nodes: Literal["error", "add", "drop"] = "error"
    drop_incomplete_ties: bool = False
    ends: Literal["auto", "id", "position"] = "auto"
    unlisted: Literal["error", "drop"] = "error"

    def as_schema_says(self, schema: Schema) -> ReadOptions:
        """Return the options with the schema's word where they say nothing.

        Examples
        --------
        >>> ReadOptions(id="name").as_schema_says(Schema(columns=(), id="person")).id
        'name'
        """
        ties = schema.ties
        return replace(
            self,
            id=schema.id if self.id is None else self.id,
            source=ties.source if self.source is None else self.source,
            target=ties.target if self.target is None else self.target,
            relation=ties.relation if self.relation is None else self.relation,
            directed=ties.directed if self.directed is None else self.directed,
        )


@dataclass(frozen=True, kw_only=True)
class ReadReport:
    """What was read, guessed, merged and dropped; `counts` are numbers by name, `notes` are sentences.

    Both only grow on the way from file to graph. `warnings` are notes that a person must see.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def plus(
        self, counts: Mapping[str, int] | None = None, notes: tuple[str, ...] = (), warnings: tuple[str, ...] = ()
    ) -> ReadReport:
        """Return the report with more in it; numbers of the same name add up."""
        merged = dict(self.counts)
        for name, number in (counts or {}).items():
            merged[name] = merged.get(name, 0) + number
        return replace(self, counts=merged, notes=self.notes + notes, warnings=self.warnings + warnings)

    def as_json(self) -> dict[str, Any]:
        """Return the report in the shape that run.json and ``--json`` hold."""
        return {"counts": dict(self.counts), "notes": list(self.notes), "warnings": list(self.warnings)}


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """People as text: a frame whose cells are str or None (missing), the line each row stands in, the file.

    `types` are those that the file gives its columns, by name; a column that is not among them has none.
    """

    frame: pd.DataFrame
    lines: NDArray[np.int64]
    file: str
    types: Mapping[str, Declared] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Table({len(self.frame)} rows, {len(self.frame.columns)} columns)"


@dataclass(frozen=True, kw_only=True, eq=False)
class Ties:
    """Ties as text: `frame` has the columns source and target (str or None), the others as in the file.

    `weight` names the column of the frame that holds weights, if there is one; `directed` is what the
    file says of itself, None where the format cannot say. `types` are as of a table of people.
    """

    frame: pd.DataFrame
    lines: NDArray[np.int64]
    file: str
    directed: bool | None = None
    weight: str | None = None
    types: Mapping[str, Declared] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Ties({len(self.frame)} rows)"


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """People and ties as they were found, before a schema says what the columns are.

    `people` is None where only ties were given: the ends of the ties are the people then. `id` names
    the column of the people that holds their ids, None where rows have no names. `modes` gives the kind of
    each node of a two-mode network, beside the rows of the people, None where all nodes are of one kind.
    `labels` are columns of the people that their format keeps for names to show.
    """

    people: Table | None
    ties: Ties | None
    id: str | None
    report: ReadReport
    options: ReadOptions = field(default_factory=ReadOptions)
    modes: NDArray[np.object_] | None = None
    labels: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Source({self.people!r}, {self.ties!r})"


@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    """A graph ready for a method, and apart from it who is who: ids (None for rows without) and row numbers.

    `rows` int64[n] counts the input's people from 1. `table` is the kept people as text, for writing
    them down again. A reading is private.
    """

    graph: AttributedGraph
    ids: tuple[str, ...] | None
    rows: NDArray[np.int64]
    table: Table
    report: ReadReport

    def __repr__(self) -> str:
        return f"Reading({self.graph!r})"
