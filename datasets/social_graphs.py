"""Social graphs of people who stand in a table.

Published social graphs with attributes of persons are rare, for good reasons. So the methods for graphs are
tried on people of a survey between whom ties are drawn. :func:`social` draws them by a model of who knows
whom (:mod:`graphanon.datasets.homophily`), by one of the classic random graphs
(:mod:`graphanon.datasets.classic`), or takes ties that there are. ``docs/social-graphs.md`` in the repository
shows what each parameter does, as measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from graphanon.datasets.chance import shuffled, substream
from graphanon.datasets.classic import Classic, classic_ties
from graphanon.errors import InputProblem, Problem
from graphanon.io.build import build
from graphanon.io.source import Reading, ReadReport, Source, Table, Ties
from graphanon.schema import Column, Role, Schema

__all__ = ["MODELS", "Model", "social"]

Ints = NDArray[np.int64]
Model = Literal["homophily"] | Classic
MODELS: tuple[Model, ...] = ("homophily", "watts-strogatz", "erdos-renyi", "barabasi-albert")


def social(
    people: Reading,
    *,
    n: int | None = None,
    model: Model = "homophily",
    mean_degree: float = 6.0,
    seed: int = 0,
    homophily: float = 3.0,
    tail: float = 3.0,
    closure: float = 0.5,
    weights: Mapping[str, float] | None = None,
    rewiring: float = 0.1,
    ties: ArrayLike | None = None,
) -> Reading:
    """Return a graph of people from a table: the people drawn in random order, new names, and ties.

    `n` persons are drawn, all of them by default; where the table has fewer, everybody stands in the graph
    as often as needed. Names are ``p1`` … ``pn``, padded with zeros. There are round(n · `mean_degree` / 2)
    ties, none of a person with itself and no pair twice. The same seed gives the same graph.

    `model` ``"homophily"`` has three parameters. `homophily` ≥ 0: a meeting becomes a tie with probability
    exp(-homophily · D), D the distance of two persons where strangers have 1 on average; 0 ignores
    attributes. `tail` > 2: the density of degrees falls as degree^-tail; ``math.inf`` makes all alike.
    `closure` from 0 to 1: the share of the ties that go to a friend of a friend. `weights` says how much
    the attributes count in D, by quasi-identifier (1 where not named).

    ``"watts-strogatz"`` needs an even mean degree and moves each tie with probability `rewiring`;
    ``"erdos-renyi"`` and ``"barabasi-albert"`` have no more parameters. Given `ties`, int[m, 2] of row
    numbers from 0, people stay all and in their order, and no model is asked.

    Raises
    ------
    InputProblem
        If a parameter is out of its range, a weight names no quasi-identifier, or a given tie ends at no person.

    Examples
    --------
    >>> from graphanon.datasets.heart import load_heart
    >>> friends = social(load_heart(), n=200, seed=1)
    >>> friends.graph, friends.ids[:2]
    (AttributedGraph(200 people, 600 ties, 8 quasi-identifiers), ('p001', 'p002'))
    """
    if ties is not None:
        _refuse([_wrong("n", n, "all people, where ties are given", n in (None, people.graph.n))])
        rows = np.arange(people.graph.n)
        source, target = _given(ties, len(rows))
    else:
        rows = _drawn(people.graph.n, people.graph.n if n is None else n, seed)
        _refuse(_problems(people, len(rows), model=model, mean_degree=mean_degree, homophily=homophily,
                          tail=tail, closure=closure, weights=weights, rewiring=rewiring))
        if model == "homophily":
            from graphanon.datasets.homophily import tie_people

            source, target = tie_people(
                people.graph.values[rows], people.graph.domains,  # noqa: PD011  no frame
                mean_degree=mean_degree, strength=homophily,
                tail=tail, closure=closure, weights=_weights(people.graph.schema, weights), seed=seed)
        else:
            source, target = classic_ties(
                model, len(rows), mean_degree=mean_degree, rewiring=rewiring, seed=substream(seed, model))
    return _graph(people, rows, source, target)


def _drawn(size: int, n: int, seed: int) -> Ints:
    """Return `n` of `size` row numbers in random order, each as often as any other, give or take one."""
    rounds = [shuffled(substream(seed, f"people {i}"), size) for i in range(-(-n // max(size, 1)))]
    order = shuffled(substream(seed, "order"), n)
    return np.asarray(np.concatenate([*rounds, np.empty(0, dtype=np.int64)])[:n][order])


def _given(ties: ArrayLike, n: int) -> tuple[Ints, Ints]:
    ends = np.asarray(ties)
    if ends.size == 0:
        ends = np.empty((0, 2), dtype=np.int64)
    if ends.ndim != 2 or ends.shape[1] != 2 or not np.issubdtype(ends.dtype, np.integer):
        raise InputProblem(Problem(what="ties must be pairs of row numbers", allowed="an integer array (m, 2)"))
    outside = (ends < 0) | (ends >= n)
    if outside.any():
        what = f"{int(outside.any(axis=1).sum())} ties end at no person, the first at {ends[outside][0]}"
        raise InputProblem(Problem(what=what, allowed=f"row numbers from 0 to {n - 1}"))
    return ends[:, 0].astype(np.int64), ends[:, 1].astype(np.int64)


def _problems(
    people: Reading, n: int, *, model: str, mean_degree: float, homophily: float, tail: float, closure: float,
    weights: Mapping[str, float] | None, rewiring: float,
) -> Sequence[Problem | None]:
    names = [column.name for column in people.graph.schema.quasi]
    strange = [name for name in weights or () if name not in names]
    return [
        _wrong("n", n, "at least 2 persons", n >= 2 and people.graph.n > 0),
        _wrong("model", model, ", ".join(MODELS), model in MODELS),
        _wrong("mean_degree", mean_degree, f"above 0 up to {n - 1}, the others", 0 < mean_degree <= n - 1),
        _wrong("homophily", homophily, "0 or above", 0 <= homophily < math.inf),
        _wrong("tail", tail, "above 2, or infinity", tail > 2),
        _wrong("closure", closure, "a share from 0 to 1", 0 <= closure <= 1),
        _wrong("rewiring", rewiring, "a probability from 0 to 1", 0 <= rewiring <= 1),
        _wrong("weights", strange, ", ".join(names), not strange),
        _wrong("weights", weights, "0 or above", all(0 <= w < math.inf for w in (weights or {}).values())),
    ]


def _wrong(name: str, value: object, allowed: str, holds: bool) -> Problem | None:  # noqa: FBT001
    return None if holds else Problem(what=f"{name} is {value}", allowed=allowed)


def _refuse(problems: Sequence[Problem | None]) -> None:
    found = [problem for problem in problems if problem is not None]
    if found:
        raise InputProblem(found)


def _weights(schema: Schema, weights: Mapping[str, float] | None) -> list[float]:
    return [float((weights or {}).get(column.name, 1.0)) for column in schema.quasi]


def _graph(people: Reading, rows: Ints, source: Ints, target: Ints) -> Reading:
    """Name the people of these rows, write down their ties and read both as any input is read."""
    names = _names(len(rows))
    frame, schema = _named(people, rows, names)
    ends = pd.DataFrame({"source": names[source], "target": names[target]}, dtype=object)
    return build(
        Source(
            people=Table(frame=frame, lines=_lines(len(frame)), file="people.csv"),
            ties=Ties(frame=ends, lines=_lines(len(ends)), file="ties.csv", directed=False),
            id=schema.id,
            report=ReadReport(),
        ),
        schema,
    )


def _lines(n: int) -> Ints:
    return np.arange(2, n + 2, dtype=np.int64)


def _names(n: int) -> NDArray[np.object_]:
    width = len(str(n))
    return np.array([f"p{i:0{width}d}" for i in range(1, n + 1)], dtype=object)


def _named(people: Reading, rows: Ints, names: NDArray[np.object_]) -> tuple[pd.DataFrame, Schema]:
    """Return the people's cells under their new names and the schema that knows the column of names."""
    schema, frame = people.graph.schema, people.table.frame.iloc[rows].reset_index(drop=True)
    if schema.id is not None and schema.id in frame.columns:
        frame = frame.drop(columns=schema.id)
    taken = {column.name for column in schema.columns} - {schema.id}
    id_ = next(name for name in ("id", "person", "person_id") if name not in taken)
    frame.insert(0, id_, names)
    columns = (
        Column(name=id_, role=Role.IDENTIFIER),
        *(column for column in schema.columns if column.name != schema.id),
    )
    return frame, replace(schema, id=id_, columns=columns)
