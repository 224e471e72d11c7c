"""From a grouping to a release: counting, naming, shuffling.

Contraction is ``Mᵀ A M`` with M the membership of the people who are kept. Names, the order of a
table's lines and the shuffles inside a class come from the operating system's generator, never from the
seed of the search, for whoever learns a seed must not learn an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement
from random import Random, SystemRandom
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphanon.domain import ROOT, Domain, Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph, Nominal
from graphanon.grouping import Boxes, Grouping
from graphanon.loss import public_losses
from graphanon.release.model import Count, Kind, PublicColumn, Records, Release, SuperTies
from graphanon.release.names import file_names
from graphanon.release.promised import asked, found
from graphanon.release.stamp import software
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role

__all__ = ["Published", "publish", "publish_with_key"]

Ints = NDArray[np.int64]


class Published(NamedTuple):
    """A release, and apart from it the class that each person is in (empty: withheld); the latter is private."""

    release: Release
    membership: tuple[str, ...]


def publish(
    grouping: Grouping,
    *,
    requirement: Requirement,
    method: str,
    chance: Random | None = None,
    split_payload: bool = False,
) -> Release:
    """Return what may be told of a grouping; with ties a supernode graph, without a table.

    `chance` names and shuffles; left out, it is the operating system's generator. `split_payload`
    shuffles each sensitive and open column of a table on its own.

    Raises
    ------
    InputProblem
        If nothing would be released, a column's name clashes with a column of the release, or labels of an
        order are ambiguous.

    Examples
    --------
    >>> import numpy as np
    >>> from graphanon.domain import Range
    >>> from graphanon.graph import AttributedGraph, symmetric_ties
    >>> from graphanon.grouping import Partition, hull
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(20, 40)),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[20.0], [25.0], [40.0], [40.0]]),
    ...                         ties=symmetric_ties(4, np.array([0, 0]), np.array([1, 2])))
    >>> together = Partition(np.array([0, 0, 0, 0]))
    >>> grouping = Grouping(graph, together, hull(graph, together))
    >>> release = publish(grouping, requirement=Requirement(k=2), method="by-hand")
    >>> release.names, release.cells, release.superties.inside
    (('S1',), (('20', '40'),), array([2]))
    """
    return publish_with_key(
        grouping, requirement=requirement, method=method, chance=chance, split_payload=split_payload
    ).release


def publish_with_key(
    grouping: Grouping,
    *,
    requirement: Requirement,
    method: str,
    chance: Random | None = None,
    split_payload: bool = False,
) -> Published:
    """Return the release together with each person's class, which only the private key may hold."""
    chance = chance or SystemRandom()
    columns = _public_columns(grouping.source)
    if not columns and not grouping.source.has_ties:
        what = "nothing would be released: no column is quasi, sensitive or open, and there are no ties"
        raise InputProblem(Problem(what=what, fix="give columns a role in the schema"))
    if grouping.source.has_ties:
        parts, membership = _graph_parts(grouping, columns, chance)
    else:
        parts, membership = _table_parts(grouping, columns, chance, split=split_payload)
    trees = {
        public.facts["hierarchy"]: tuple(sorted(column.domain.rows))
        for public, column in zip(columns, _released(grouping.source), strict=True)
        if isinstance(column.domain, Tree) and "hierarchy" in public.facts
    }
    draft = Release(columns=columns, statement={}, hierarchies=trees, **parts)
    statement = _statement(grouping, draft, requirement, method, split=split_payload)
    return Published(Release(columns=columns, statement=statement, hierarchies=trees, **parts), membership)


def _released(graph: AttributedGraph) -> tuple[Column, ...]:
    return graph.schema.of_role(Role.QUASI, Role.SENSITIVE, Role.OPEN)


def _public_columns(graph: AttributedGraph) -> tuple[PublicColumn, ...]:
    columns = _released(graph)
    given = [c.name for c in columns if c.role is not Role.OPEN and isinstance(c.domain, Tree) and c.domain.given]
    files = file_names(given)
    return tuple(_public(column, files.get(column.name)) for column in columns)


def _public(column: Column, file: str | None) -> PublicColumn:
    facts: dict[str, Any] = {}
    type_: Any = "category"
    match column.domain:
        case Range() as line:
            type_ = "number"
            facts = {"range": [_number(line.low), _number(line.high)], "grid": _number(line.grid)}
            facts |= {"steps": [_number(width) for width in line.steps]} if line.steps else {}
            # the values of a payload column are published as they are: only that they are numbers matters
            facts = facts if column.role is Role.QUASI else {}
        case Order(labels=labels):
            type_, facts = "order", {"order": list(labels)}
        case _ if file is not None:
            facts = {"hierarchy": file}
        case None if column.role is Role.SENSITIVE and column.numeric:
            type_ = "number"
    return PublicColumn(name=column.name, role=column.role.value, type=type_, facts=facts)  # type: ignore[arg-type]


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


def _graph_parts(
    grouping: Grouping, columns: Sequence[PublicColumn], chance: Random
) -> tuple[dict[str, Any], tuple[str, ...]]:
    count = grouping.partition.n_classes
    ends = _texts(grouping.source.domains, grouping.boxes)
    names = [f"S{i + 1}" for i in range(count)]
    # which class gets which name is drawn; names then stand in the order of text
    chance.shuffle(names)
    order = np.array(sorted(range(count), key=names.__getitem__), dtype=np.int64)
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    kept = grouping.partition.kept
    place = np.where(kept, rank[grouping.partition.labels], -1) if count else grouping.partition.labels
    named = sorted(names)
    kind: Kind = "supernode-graph"
    quasi = [column for column in columns if column.role == "quasi"]
    rows = [
        tuple(text for column, (low, high) in zip(quasi, ends, strict=True)
              for text in ((low[c],) if column.type == "category" else (low[c], high[c])))
        for c in order.tolist()
    ]
    parts = {
        "kind": kind,
        "cells": tuple(rows),
        "sizes": grouping.partition.sizes[order],
        "superties": _contract(grouping.source, place, count),
        "counts": tuple(_counts(_payload(grouping.source, columns), place, named)),
    }
    return parts, tuple(named[c] if c >= 0 else "" for c in place.tolist())


def _contract(graph: AttributedGraph, place: Ints, count: int) -> SuperTies:
    """Return ``Mᵀ A M``: the ties inside and between classes, each pair of people counted once."""
    member = _membership(place, count)
    arcs = graph.ties if graph.arcs is None else graph.arcs
    block = sparse.csr_array(member.T @ arcs.astype(np.int64) @ member)
    halves = 1 if graph.directed else 2
    pairs = sparse.coo_array(block if graph.directed else sparse.triu(block, k=1))
    apart = (pairs.row != pairs.col) & (pairs.data > 0)
    source, target = pairs.row[apart].astype(np.int64), pairs.col[apart].astype(np.int64)
    order = np.lexsort((target, source))
    weighed = graph.weights if graph.schema.ties.weight == "sum" else None
    weight_inside = weight = None
    if weighed is not None:
        heavy = sparse.csr_array(member.T.astype(float) @ weighed.astype(float) @ member.astype(float))
        weight_inside = _rounded(heavy.diagonal() / halves)
        weight = _rounded(_entries(heavy, source[order], target[order]))
    return SuperTies(
        directed=graph.directed,
        inside=(block.diagonal() // halves).astype(np.int64),
        source=source[order],
        target=target[order],
        ties=pairs.data[apart][order].astype(np.int64),
        weight_inside=weight_inside,
        weight=weight,
    )


def _entries(matrix: sparse.csr_array, row: Ints, column: Ints) -> NDArray[np.float64]:
    held = sparse.coo_array(matrix)
    width = matrix.shape[1]
    keys = held.row.astype(np.int64) * width + held.col
    order = np.argsort(keys)
    wanted = row * width + column
    place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
    if not len(keys):
        return np.zeros(len(wanted))
    # weights that add up to nothing are not stored
    return np.where(keys[order][place] == wanted, held.data[order][place], 0.0)


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    # the last digits of a sum of fractions depend on the order of its terms, which is not to be seen
    return np.array([float(f"{value:.12g}") + 0.0 for value in values.tolist()], dtype=float)


def _payload(graph: AttributedGraph, columns: Sequence[PublicColumn]) -> dict[str, Nominal]:
    return {column.name: graph.payload[column.name] for column in columns if column.role != "quasi"}


def _membership(place: Ints, count: int) -> sparse.csr_array:
    kept = np.flatnonzero(place >= 0)
    ones = np.ones(len(kept), dtype=np.int64)
    return sparse.csr_array((ones, (kept, place[kept])), shape=(len(place), count), dtype=np.int64)


def _counts(payload: Mapping[str, Nominal], place: Ints, names: Sequence[str]) -> Iterable[Count]:
    """Return how often each value occurs in each class, sorted by name, attribute and value."""
    lines: list[Count] = []
    for attribute, column in payload.items():
        kept = place >= 0
        pairs = np.stack([place[kept], column.codes[kept]], axis=1)
        distinct, counts = np.unique(pairs, axis=0, return_counts=True)
        lines += [
            Count(names[c], attribute, column.labels[code], count)
            for (c, code), count in zip(distinct.tolist(), counts.tolist(), strict=True)
        ]
    return sorted(lines)


def _texts(domains: Sequence[Domain], boxes: Boxes) -> list[tuple[list[str], list[str]]]:
    return [domain.bounds(boxes.lo[:, j], boxes.hi[:, j]) for j, domain in enumerate(domains)]


def _table_parts(
    grouping: Grouping, columns: Sequence[PublicColumn], chance: Random, *, split: bool
) -> tuple[dict[str, Any], tuple[str, ...]]:
    quasi = [column for column in columns if column.role == "quasi"]
    ends = _texts(grouping.source.domains, grouping.boxes)
    for column in quasi:
        _check_order(column)
    texts = [
        [_interval(low, high) for low, high in zip(*pair, strict=True)] for pair in ends
    ]
    tuples = list(zip(*texts, strict=True)) if texts else [()] * grouping.partition.n_classes
    kept = np.flatnonzero(grouping.partition.kept).tolist()
    chance.shuffle(kept)
    labels = grouping.partition.labels.tolist()
    number: dict[tuple[str, ...], int] = {}
    lines = [number.setdefault(tuples[labels[person]], len(number)) for person in kept]
    payload = [
        [column.labels[code] for code in column.codes[kept].tolist()]
        for column in _payload(grouping.source, columns).values()
    ]
    classes = np.array(lines, dtype=np.int64)
    if split:
        for values in payload:
            _shuffle_inside(values, lines, chance)
    membership = [""] * grouping.source.n
    for person, line in zip(kept, lines, strict=True):
        membership[person] = str(line + 1)
    parts = {
        "kind": "table",
        "cells": tuple(number),
        "sizes": np.bincount(classes, minlength=len(number)).astype(np.int64),
        "records": Records(classes=classes, payload=tuple(map(tuple, payload))),
    }
    return parts, tuple(membership)


def _interval(low: str, high: str) -> str:
    return low if low == high else f"[{low}, {high}]"


def _check_order(column: PublicColumn) -> None:
    """Raise InputProblem if two runs of an order would be printed alike."""
    labels = column.facts.get("order", ())
    printed = [_interval(low, high) for low, high in combinations_with_replacement((*labels, ROOT), 2)
               if ROOT not in (low, high) or low == high]
    if len(set(printed)) < len(printed):
        what = "two intervals of its labels would be printed alike"
        raise InputProblem(Problem(what=what, column=column.name, allowed="labels without ', ' and brackets"))


def _shuffle_inside(values: list[str], lines: Sequence[int], chance: Random) -> None:
    members: dict[int, list[int]] = {}
    for place, line in enumerate(lines):
        members.setdefault(line, []).append(place)
    for places in members.values():
        drawn = [values[place] for place in places]
        chance.shuffle(drawn)
        for place, value in zip(places, drawn, strict=True):
            values[place] = value


def _statement(
    grouping: Grouping, draft: Release, requirement: Requirement, method: str, *, split: bool
) -> dict[str, Any]:
    """Return what release.json says, in its order."""
    graph = draft.kind == "supernode-graph"
    promises = asked(requirement, grouping.source.schema, graph=graph)
    told: dict[str, Any] = {
        "format": 1,
        "kind": draft.kind,
        "people": grouping.source.n,
        "withheld": grouping.partition.withheld,
        "supernodes" if graph else "classes": len(draft.cells),
    }
    if draft.superties:
        told["ties"] = int(draft.superties.inside.sum() + draft.superties.ties.sum())
        told["directed"] = draft.superties.directed
    else:
        told["payload"] = "split" if split else "together"
    return told | {
        "promises": promises,
        "found": found(draft, promises),
        "columns": {column.name: dict(column.facts) for column in draft.columns},
        "method": method,
        "losses": public_losses(grouping),
        "software": software(),
    }
