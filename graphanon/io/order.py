"""An order of people that does not depend on the file.

Methods break ties to the lowest index, so whoever stands first in a file would have a say in the
result. Before a method runs, people are put in the order of a keyed hash: of their ids in a graph, of
what is read of them in a table. The key is the run's seed, so another seed is another order. People
with equal rows of a table are interchangeable, whichever of them comes first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b

import numpy as np

from graphanon.io.cells import Ints
from graphanon.io.source import Reading
from graphanon.schema import Role

__all__ = ["arrange"]

USED = (Role.QUASI, Role.SENSITIVE, Role.OPEN, Role.K)


def arrange(reading: Reading, seed: int) -> Reading:
    """Return the same people and ties in the order that this seed gives them, whatever their file's order.

    Examples
    --------
    >>> import pandas as pd
    >>> from graphanon.io.build import build
    >>> from graphanon.io.source import ReadReport, Source, Table
    >>> from graphanon.schema import Column, Schema
    >>> schema = Schema(columns=(Column(name="town", role=Role.QUASI),))
    >>> def towns(*names):
    ...     table = Table(frame=pd.DataFrame({"town": names}), lines=np.arange(len(names)) + 2, file="towns.csv")
    ...     return build(Source(people=table, ties=None, id=None, report=ReadReport()), schema)
    >>> one, other = arrange(towns("Ulm", "Bonn", "Kiel"), 7), arrange(towns("Kiel", "Ulm", "Bonn"), 7)
    >>> bool((one.graph.values == other.graph.values).all())
    True
    """
    order = np.array(_order(_content(reading), seed), dtype=np.int64)
    frame = reading.table.frame.iloc[order].reset_index(drop=True)
    ids = reading.ids
    return replace(
        reading, graph=reading.graph.take(order), ids=None if ids is None else tuple(ids[i] for i in order.tolist()),
        rows=reading.rows[order], table=replace(reading.table, frame=frame, lines=reading.table.lines[order]),
    )


def _order(texts: list[str], seed: int) -> Ints:
    # seeds of any size make a key of one size
    key = blake2b(str(seed).encode()).digest()
    digests = [blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=16).digest() for text in texts]
    return np.argsort(np.array(digests, dtype="S16"), kind="stable").astype(np.int64)


def _content(reading: Reading) -> list[str]:
    """Return what a person is known by: the id in a graph, the row as read in a table."""
    if reading.graph.has_ties and reading.ids is not None:
        return list(reading.ids)
    names = sorted(column.name for column in reading.graph.schema.of_role(*USED))
    if not names:
        return [""] * reading.graph.n
    columns: Iterable[list[object]] = (reading.table.frame[name].tolist() for name in names)
    return ["\x00".join("\x01" if cell is None or cell != cell else str(cell) for cell in row)  # noqa: PLR0124  NaN
            for row in zip(*columns, strict=True)]
