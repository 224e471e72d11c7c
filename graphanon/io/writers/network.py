"""What is written: people by id and ties between them, all of it text, whatever it was read from.

Conversion changes nothing that it need not: ids stay as they are, ties keep their order and repeats, a cell
that was missing is missing. What cannot be one network (an id twice, a tie to nobody, half a tie) is refused
here as it is anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphanon.errors import Problem
from graphanon.io.cells import Findings
from graphanon.io.declared import Declared
from graphanon.io.ends import complete, is_directed, match, of_relation, rows_of, unknown_ends
from graphanon.io.source import Source, Ties
from graphanon.io.tie_columns import SOURCE, TARGET
from graphanon.schema import TieColumns

__all__ = ["BIPARTITE", "NOUNS", "Cells", "Network", "kind_of_cells", "network_of", "same_number", "spelled_alike"]

Cells: TypeAlias = NDArray[np.object_]
BIPARTITE = "bipartite"
_WHOLE = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_LONG = 2**63
_LONGEST = len(str(-_LONG))
_TRUTH = {"true": "true", "1": "true", "false": "false", "0": "false"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """People by id and ties as places of their ends, int64, with attributes of both as columns of text or None.

    `weight` names the attribute of the ties that is their weight. `types` and `tie_types` are what each attribute is: as
    its file says where the cells agree, else as they look. `notes` say what became of the rest.
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
    types: Mapping[str, Declared] = field(default_factory=dict)
    tie_types: Mapping[str, Declared] = field(default_factory=dict)
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
    declared = {} if source.people is None else dict(source.people.types)
    ties = source.ties
    if ties is None:
        nobody = np.zeros(0, dtype=np.int64)
        return _typed(Network(ids=ids, attributes=attributes, source=nobody, target=nobody, has_ties=False, notes=notes),
                      declared, {})
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
    tie_attributes = _tie_attributes(ties, directed=directed)
    return _typed(Network(
        ids=ids, attributes=attributes, source=ends.source[known], target=ends.target[known], weight=ties.weight,
        tie_attributes=tie_attributes, directed=directed, modes=source.modes,
        notes=(*notes, *findings.notes)), declared, {_own_name(name): kind for name, kind in ties.types.items()})


def _typed(network: Network, declared: Mapping[str, Declared], tied: Mapping[str, Declared]) -> Network:
    """Return the network with the type of every attribute, yes and no spelled in one way where the file says that it is that."""
    notes = list(network.notes)
    found: list[tuple[dict[str, Cells], dict[str, Declared]]] = []
    for columns, told in ((network.attributes, declared), (network.tie_attributes, tied)):
        cells = {name: _truth(column) if told.get(name) == "boolean" else column for name, column in columns.items()}
        types = {name: kind_of_cells(column, told.get(name)) for name, column in cells.items()}
        notes += [f"'{name}' is declared as {NOUNS[told[name]]} and not all of it is, so it is written as text"
                  for name, kind in types.items() if kind == "text" != told.get(name, "text") and _some(cells[name])]
        found.append((cells, types))
    (attributes, types), (tie_attributes, tie_types) = found
    return replace(network, attributes=attributes, types=types, tie_attributes=tie_attributes, tie_types=tie_types,
                   notes=tuple(notes))


NOUNS: Mapping[Declared, str] = {"whole": "whole numbers", "number": "numbers", "boolean": "true or false", "text": "text"}


def _some(cells: Cells) -> bool:
    return any(cell is not None for cell in cells.tolist())


def _truth(cells: Cells) -> Cells:
    """Return words and digits for yes and no as ``true`` and ``false``, other cells as they are."""
    return np.array([None if cell is None else _TRUTH.get(cell.casefold(), cell) for cell in cells.tolist()], dtype=object)


def _own_name(name: str) -> str:
    return name.removesuffix(" (attribute)").removesuffix(" (column)")


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
        columns[_own_name(str(name))] = cells
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


def same_number(one: str, other: str) -> bool:
    """Tell whether two spellings mean the same number, digit by digit.

    Examples
    --------
    >>> same_number("2.50", "2.5"), same_number("0.1", "0.10000000000000001")
    (True, False)
    """
    return one == other or Decimal(one) == Decimal(other)


def kind_of_cells(cells: Cells, declared: Declared | None = None) -> Declared:
    """Return what a column may be written as without changing a cell: ``007`` is text, and ``2.50`` unless it is declared.

    Examples
    --------
    >>> kind_of_cells(np.array(["7", None, "-12"], dtype=object)), kind_of_cells(np.array(["007"], dtype=object))
    ('whole', 'text')
    >>> kind_of_cells(np.array(["4051"], dtype=object), "text"), kind_of_cells(np.array(["2.50"], dtype=object), "number")
    ('text', 'number')
    """
    texts = {cell for cell in cells.tolist() if cell is not None}
    if declared == "text" or (not texts and declared is None):
        return "text"
    if declared is not None:
        return declared if all(map(_FITS[declared], texts)) else "text"
    if all(map(_is_whole, texts)):
        return "whole"
    if texts <= {"true", "false"}:
        return "boolean"
    return "number" if all(spelled_alike(text) for text in texts) else "text"


def _is_whole(text: str) -> bool:
    return len(text) <= _LONGEST and _WHOLE.fullmatch(text) is not None and -_LONG <= int(text) < _LONG


_FITS: Mapping[Declared, Callable[[str], bool]] = {
    "whole": _is_whole,
    "number": lambda text: _NUMBER.fullmatch(text) is not None,
    "boolean": lambda text: text in ("true", "false"),
    "text": lambda _: True,
}
