"""What is written: people by id and ties between them, all of it text, whatever it was read from.

Conversion changes nothing that it need not: ids stay as they are, ties keep their order and repeats, a cell
that was missing is missing. What cannot be one network (an id twice, a tie to nobody, half a tie) is refused
here as it is anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphanon.errors import Problem
from graphanon.io.cells import Findings
from graphanon.io.ends import complete, is_directed, match, of_relation, rows_of, unknown_ends
from graphanon.io.source import Source, Ties
from graphanon.io.tie_columns import SOURCE, TARGET
from graphanon.schema import TieColumns

__all__ = ["BIPARTITE", "Cells", "Kind", "Network", "kind_of_cells", "network_of", "spelled_alike"]

Cells: TypeAlias = NDArray[np.object_]
Kind: TypeAlias = Literal["whole", "number", "boolean", "text"]
BIPARTITE = "bipartite"
_WHOLE = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_LONG = 2**63


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """People by id and ties as places of their ends, int64, with attributes of both as columns of text or None.

    `weight` names the attribute of the ties that is their weight. `notes` say what became of the rest.
    """

    ids: Cells
    attributes: Mapping[str, Cells]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    tie_attributes: Mapping[str, Cells] = field(default_factory=dict)
    directed: bool = False
    weight: str | None = None
    modes: Cells | None = None
    has_ties: bool = True
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Network({len(self.ids)} people, {len(self.source)} ties)"


def network_of(source: Source) -> Network:
    """Return people and ties as they were read, without interpreting an attribute.

    Raises
    ------
    InputProblem
        If an id stands twice or is missing, or a tie misses an end or names nobody where no option says
        what to do.
    """
    findings = Findings()
    ids, attributes, notes = _people(source, findings)
    findings.stop_if_any()
    ties = source.ties
    if ties is None:
        nobody = np.zeros(0, dtype=np.int64)
        return Network(ids=ids, attributes=attributes, source=nobody, target=nobody, has_ties=False, notes=notes)
    if source.options.relation is not None:
        ties = of_relation(ties, TieColumns(), source.options, findings)
    ties = complete(ties, source.options, findings)
    if source.people is None:
        ids = _ends_in_order(ties)
    ends = match(ties, pd.Index(ids, dtype=object))
    added = unknown_ends(ties, ends, source.options, findings)
    findings.stop_if_any()
    if added:
        ids = np.concatenate([ids, np.array(added, dtype=object)])
        gap = np.full(len(added), None, dtype=object)
        attributes = {name: np.concatenate([column, gap]) for name, column in attributes.items()}
        ends = match(ties, pd.Index(ids, dtype=object))
    known = (ends.source >= 0) & (ends.target >= 0)
    if not known.all():
        ties = rows_of(ties, known)
    directed = is_directed(ties, TieColumns(), source.options)
    if source.modes is not None and BIPARTITE not in attributes:
        attributes = {**attributes, BIPARTITE: source.modes}
    return Network(
        ids=ids, attributes=attributes, source=ends.source[known], target=ends.target[known], weight=ties.weight,
        tie_attributes=_tie_attributes(ties, directed=directed), directed=directed, modes=source.modes,
        notes=(*notes, *findings.notes))


def _people(source: Source, findings: Findings) -> tuple[Cells, dict[str, Cells], tuple[str, ...]]:
    if source.people is None:
        return np.zeros(0, dtype=object), {}, ()
    frame, lines = source.people.frame, source.people.lines
    if source.id is None:
        ids = np.array([str(row) for row in range(1, len(frame) + 1)], dtype=object)
        attributes = {str(name): _cells(frame[name]) for name in frame.columns}
        return ids, attributes, (f"{source.people.file}: no column names the people; they are named by row, from 1",)
    names = frame[source.id]
    again = names.duplicated().to_numpy()
    keep = np.ones(len(frame), dtype=bool)
    if source.options.duplicate_nodes == "first":
        keep = ~again
        findings.counts["people_dropped"] += int(again.sum())
    for row in np.flatnonzero((again | names.isna().to_numpy()) & keep).tolist():
        what = "has no id" if names.iloc[row] is None else f"the id '{names.iloc[row]}' stands twice"
        findings.problems.append(Problem(what=what, file=source.people.file, line=int(lines[row]), column=source.id,
                                         fix="--duplicate-nodes first keeps the first row of each id"))
    frame = frame[keep]
    attributes = {str(name): _cells(frame[name]) for name in frame.columns if name != source.id}
    return _cells(frame[source.id]), attributes, ()


def _cells(column: pd.Series) -> Cells:
    cells = column.to_numpy(dtype=object)
    return np.asarray(np.where(pd.isna(cells), None, cells), dtype=object) if len(cells) else cells


def _ends_in_order(ties: Ties) -> Cells:
    both = np.stack([ties.frame[SOURCE].to_numpy(dtype=object), ties.frame[TARGET].to_numpy(dtype=object)], axis=1)
    return np.asarray(pd.unique(both.ravel()), dtype=object)


def _tie_attributes(ties: Ties, *, directed: bool) -> dict[str, Cells]:
    """Return what is said of ties, without a column that says of each what the network says of all."""
    columns = {}
    for name in ties.frame.columns[2:]:
        cells = _cells(ties.frame[name])
        told = {str(cell).casefold() for cell in cells.tolist()}
        if str(name).casefold() == "type" and told == {"directed" if directed else "undirected"}:
            continue
        columns[str(name).removesuffix(" (attribute)").removesuffix(" (column)")] = cells
    return columns


def spelled_alike(cell: str) -> bool:
    """Tell whether a text is how a double prints, so that reading it as a number loses nothing.

    Examples
    --------
    >>> spelled_alike("2.5"), spelled_alike("2.50"), spelled_alike("nan")
    (True, False, False)
    """
    try:
        number = float(cell)
    except ValueError:
        return False
    return repr(number) == cell and number - number == 0


def kind_of_cells(cells: Cells, *, true: str = "true", false: str = "false") -> Kind:
    """Return what a column may be written as without changing a cell: ``007`` and ``2.50`` are text.

    Examples
    --------
    >>> kind_of_cells(np.array(["7", None, "-12"], dtype=object)), kind_of_cells(np.array(["007"], dtype=object))
    ('whole', 'text')
    """
    texts = {cell for cell in cells.tolist() if cell is not None}
    if not texts:
        return "text"
    if all(_WHOLE.fullmatch(text) and -_LONG <= int(text) < _LONG for text in texts):
        return "whole"
    if texts <= {true, false}:
        return "boolean"
    return "number" if all(spelled_alike(text) for text in texts) else "text"
