"""Sources made of lists, as a reader would have made them of files."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from graphanon.io.source import ReadOptions, ReadReport, Source, Table, Ties


def table_of(columns: Mapping[str, Sequence[str | None]], file: str = "people.csv") -> Table:
    """Return people from their columns; the first stands in line 2, under a header."""
    frame = pd.DataFrame({name: pd.Series(list(cells), dtype=object) for name, cells in columns.items()})
    return Table(frame=frame, lines=np.arange(len(frame), dtype=np.int64) + 2, file=file)


def ties_of(
    pairs: Sequence[tuple[str | None, ...]], *, more: Sequence[str] = (), directed: bool | None = None,
    weight: str | None = None,
) -> Ties:
    """Return ties from rows of source, target and the columns named in `more`."""
    rows = [list(pair) for pair in pairs]
    frame = pd.DataFrame(rows, columns=["source", "target", *more], dtype=object)
    lines = np.arange(len(frame), dtype=np.int64) + 2
    return Ties(frame=frame, lines=lines, file="ties.csv", directed=directed, weight=weight)


def source_of(
    columns: Mapping[str, Sequence[str | None]] | None = None,
    pairs: Sequence[tuple[str | None, ...]] | None = None,
    *,
    id: str | None = None,  # noqa: A002
    ties: Ties | None = None,
    **options,
) -> Source:
    """Return people and ties, read with these options."""
    return Source(
        people=None if columns is None else table_of(columns),
        ties=ties if pairs is None else ties_of(pairs),
        id=id,
        report=ReadReport(),
        options=ReadOptions(**options),
    )
