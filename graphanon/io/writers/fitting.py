"""A network held against what a format can carry: what would be lost, by name and number, and what is left.

Losing something is never silent: :func:`fitted` returns the sentences that conversion refuses with, or reports if
the user has said to drop such things. A name that means something else to a format is no loss; it is
spelled anew by one rule (``a_`` before it, other characters than the format's as ``_``) and both names are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphanon.errors import Problem
from graphanon.io.cells import number_of
from graphanon.io.declared import Declared
from graphanon.io.faults import refuse_any, shown
from graphanon.io.formats import Carries
from graphanon.io.numbers import parse_number
from graphanon.io.writers.network import BIPARTITE, NOUNS, Cells, Network, kind_of_cells, same_number

__all__ = ["Fitted", "fitted"]

RELATION = "relation"
WEIGHT = "weight"
_EXACT = 2.0**53


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What of a network a format carries, what it does not, and which names were spelled anew."""

    network: Network
    lost: tuple[str, ...]
    renamed: Mapping[str, str]
    notes: tuple[str, ...]


def fitted(network: Network, carries: Carries) -> Fitted:
    """Return the part of a network that a format carries and what is lost, each thing named once.

    Raises
    ------
    InputProblem
        If an id is no text that the format can hold; no option could help that.
    """
    fit = _Fit(network, carries)
    fit.ids()
    fit.people()
    fit.ties()
    fit.values()
    fit.kinds()
    fit.names()
    return Fitted(network=fit.network, lost=tuple(fit.lost), renamed=fit.renamed, notes=tuple(fit.notes))


class _Fit:
    """The network as it becomes less, and what was said of that."""

    def __init__(self, network: Network, carries: Carries) -> None:
        self.network, self.carries = network, carries
        self.lost: list[str] = []
        self.notes: list[str] = []
        self.renamed: dict[str, str] = {}

    def ids(self) -> None:
        """See that every id can be written, or number the people where the format only numbers."""
        ids, carries = self.network.ids, self.carries
        if carries.ids == "numbers":
            numbers = np.array([str(number) for number in range(1, len(ids) + 1)], dtype=object)
            if (ids != numbers).any():
                self.lost.append(f"the ids of {number_of(len(ids), 'person', 'people')}, who are numbered from 1 instead")
            self.network = replace(self.network, ids=numbers)
            return
        forbidden = carries.forbidden_ids or carries.forbidden
        pattern = re.compile(forbidden) if forbidden else None
        words = re.compile(r"""[\s"'=:,;*!\\]|\A[#%]""") if carries.ids == "words" else None
        refuse_any(
            Problem(what=f"the id '{name}' cannot be written as {carries.name}", column="id",
                    allowed="ids without blanks, quotation marks and signs" if words else "ids without control characters")
            for name in ids.tolist() if name == "" or (pattern and pattern.search(name)) or (words and words.search(name)))

    def people(self) -> None:
        """Leave out attributes and people that the format has no place for."""
        network, carries = self.network, self.carries
        if carries.name.startswith("Pajek") and network.modes is not None and _in_order(network.modes):
            network = replace(network, attributes=_without(network.attributes, BIPARTITE))
        elif network.modes is not None:
            network = replace(network, modes=None)
        gone = [name for name in network.attributes if carries.attributes != "any" and not self._a_number(name)]
        if gone:
            self.lost.append(f"{number_of(len(gone), 'attribute', 'attributes')} of people: {shown(gone)}"
                             + (", which do not hold numbers alone" if carries.attributes == "numbers" else ""))
            network = replace(network, attributes={name: c for name, c in network.attributes.items() if name not in gone})
        if not carries.isolates:
            tied = np.zeros(len(network.ids), dtype=bool)
            tied[network.source] = tied[network.target] = True
            if not tied.all():
                self.lost.append(f"{number_of(int((~tied).sum()), 'person', 'people')} without a tie")
                place = np.cumsum(tied) - 1
                network = replace(
                    network, ids=network.ids[tied], source=place[network.source], target=place[network.target],
                    attributes={name: column[tied] for name, column in network.attributes.items()})
        self.network = network

    def _a_number(self, name: str) -> bool:
        cells = self.network.attributes[name].tolist()
        return self.network.types[name] in self.carries.kinds and all(
            re.fullmatch(self.carries.numerals, cell) for cell in cells if cell is not None)

    def ties(self) -> None:
        """Leave out what is said of ties, and ties, that the format has no place for."""
        network, carries = self.network, self.carries
        if carries.tie_attributes != "any":
            network = self._few_attributes(network)
        if not carries.repeats:
            network = self._once(network)
        if carries.name == "adjacency matrix" and all(cell == "1" for cell in network.tie_attributes.get(WEIGHT, ())):
            # nothing but 0 and 1 is a matrix of ties without weights
            network = replace(network, tie_attributes=_without(network.tie_attributes, WEIGHT), weight=None)
        if carries.direction == "order" and network.directed and len(network.source):
            self.notes.append(f"{carries.name} does not say that ties have a direction: read it with --directed")
        self.network = network

    def _few_attributes(self, network: Network) -> Network:
        kept: dict[str, Cells] = {}
        weight = None if network.weight is None else network.tie_attributes.get(network.weight)
        if weight is not None and self.carries.tie_attributes != "none":
            weight = self._numbers(weight)
            kept |= {} if weight is None else {WEIGHT: weight}
        relation = network.tie_attributes.get(RELATION)
        if relation is not None and "relation" in self.carries.tie_attributes:
            kept[RELATION] = relation
        names = {network.weight if name == WEIGHT else name for name in kept}
        gone = [name for name in network.tie_attributes if name not in names]
        if gone and not (weight is None and gone == [network.weight] and self.carries.tie_attributes != "none"):
            self.lost.append(f"{number_of(len(gone), 'attribute', 'attributes')} of ties: {shown(gone)}")
        return replace(network, tie_attributes=kept, weight=WEIGHT if WEIGHT in kept else None)

    def _numbers(self, weight: Cells) -> Cells | None:
        """Return weights as a format without words holds them, None if they are no numbers."""
        numbers = [None if cell is None else parse_number(cell) for cell in weight.tolist()]
        words = sum(number is None and cell is not None for number, cell in zip(numbers, weight.tolist(), strict=True))
        if words:
            self.lost.append(f"the weights, of which {words:,} are no numbers")
            return None
        missing = sum(cell is None for cell in weight.tolist())
        if missing:
            self.lost.append(f"{number_of(missing, 'missing weight', 'missing weights')}, written as 1")
        if not self.carries.zero_weights and (zeros := sum(number == 0 for number in numbers)):
            self.lost.append(f"{number_of(zeros, 'weight', 'weights')} of 0, which would mean no tie and become 1")
        zero = 0.0 if not self.carries.zero_weights else None
        return np.array(["1" if cell is None or (zero is not None and number == zero) else cell
                         for cell, number in zip(weight.tolist(), numbers, strict=True)], dtype=object)

    def _once(self, network: Network) -> Network:
        ends = np.stack([network.source, network.target], axis=1)
        if not network.directed:
            ends = np.sort(ends, axis=1)
        first = np.sort(np.unique(ends, axis=0, return_index=True)[1]) if len(ends) else np.zeros(0, dtype=np.int64)
        gone = len(ends) - len(first)
        if gone:
            self.lost.append(f"{number_of(gone, 'tie that repeats', 'ties that repeat')} another, of which the first is kept")
        return replace(network, source=network.source[first], target=network.target[first],
                       tie_attributes={name: column[first] for name, column in network.tie_attributes.items()})

    def values(self) -> None:
        """Make missing what the format cannot tell from missing, or has no characters for."""
        if not self.carries.declares:
            self._undeclared()
        self.network = replace(
            self.network,
            attributes={name: self._writable(name, column) for name, column in self.network.attributes.items()},
            tie_attributes={name: self._writable(name, column) for name, column in self.network.tie_attributes.items()})

        relation = self.network.tie_attributes.get(RELATION)
        if self.carries.tie_attributes == "weight and relation" and relation is not None and None in relation.tolist():
            self.lost.append("the relations, which some ties do not have")
            self.network = replace(self.network, tie_attributes=_without(self.network.tie_attributes, RELATION))

    def _undeclared(self) -> None:
        """Leave out attributes that nobody has, where only values tell that there is one."""
        network = self.network
        for columns in (network.attributes, network.tie_attributes):
            self.lost += [f"the attribute '{name}', which has no value"
                          for name, column in columns.items() if not any(cell is not None for cell in column.tolist())]
        some_value = [{name: column for name, column in columns.items() if any(cell is not None for cell in column.tolist())}
                      for columns in (network.attributes, network.tie_attributes)]
        self.network = replace(network, attributes=some_value[0], tie_attributes=some_value[1])

    def _writable(self, name: str, column: Cells) -> Cells:
        pattern = re.compile(self.carries.forbidden) if self.carries.forbidden else None
        cells = column.tolist()
        empty = 0 if self.carries.empty else sum(cell == "" for cell in cells)
        odd = [cell is not None and bool(pattern and pattern.search(cell)) for cell in cells]
        if empty:
            self.lost.append(f"the difference of {number_of(empty, 'empty text', 'empty texts')} from missing: '{name}'")
        if any(odd):
            self.lost.append(f"{number_of(sum(odd), 'value', 'values')} of '{name}' with characters that it cannot hold")
        return np.array([None if bad or (cell == "" and not self.carries.empty) else cell
                         for cell, bad in zip(cells, odd, strict=True)], dtype=object)

    def kinds(self) -> None:
        """Name the types that do not come back, and make text of what the format has no other place for."""
        network = self.network
        self.network = replace(
            network, types={name: self._kind(name, column, network.types[name]) for name, column in network.attributes.items()},
            tie_types={name: self._kind(name, column, network.tie_types[name]) for name, column in network.tie_attributes.items()
                       if self.carries.tie_attributes == "any"})

    def _kind(self, name: str, column: Cells, kind: Declared) -> Declared:
        carries, cells = self.carries, [cell for cell in column.tolist() if cell is not None]
        if not carries.kinds - {"text"}:
            if kind == "text" and not carries.kinds and kind_of_cells(column) != "text" and carries.attributes == "any":
                self.lost.append(f"that '{name}' is text: all of it looks like {NOUNS[kind_of_cells(column)]}")
            return kind
        held = kind in carries.kinds and (kind not in ("whole", "number") or all(
            re.fullmatch(carries.numerals, cell) and (kind == "whole" or not carries.doubles or _is_double(cell)) for cell in cells))
        if not held:
            self.lost.append(f"that '{name}' is {NOUNS[kind]} as all of it is written, so it becomes text")
        return kind if held else "text"

    def names(self) -> None:
        """Spell anew the names that mean something else to the format."""
        network = self.network
        tied = self._named(list(network.tie_attributes), self.carries.tie_reserved | self._ends())
        own = self._named(list(network.attributes), self.carries.reserved | ({"id"} if self.carries.pair else set()))
        self.renamed = {f"people: {old}": new for old, new in own.items() if old != new}
        self.renamed |= {f"ties: {old}": new for old, new in tied.items() if old != new}
        self.network = replace(
            network, attributes={own[name]: column for name, column in network.attributes.items()},
            types={own[name]: kind for name, kind in network.types.items()},
            tie_types={tied[name]: kind for name, kind in network.tie_types.items()},
            tie_attributes={tied[name]: column for name, column in network.tie_attributes.items()},
            weight=None if network.weight is None else tied.get(network.weight))

    def _ends(self) -> frozenset[str]:
        return frozenset({"source", "target", "type"}) if self.carries.pair else frozenset()

    def _named(self, names: Sequence[str], reserved: frozenset[str] | set[str]) -> dict[str, str]:
        new: dict[str, str] = {}
        for name in names:
            taken = set(new.values()) | (set(names) - {name})
            new[name] = next(spelling for spelling in self._spellings(name, reserved) if spelling not in taken)
        return new

    def _spellings(self, name: str, reserved: frozenset[str] | set[str]) -> Iterator[str]:
        legal = _legal(name, self.carries)
        spelling = name if legal == name and name.casefold() not in reserved else f"a_{legal}"
        while True:
            yield spelling
            spelling += "_"


def _is_double(cell: str) -> bool:
    """Tell whether a double holds this number digit by digit, and whole numbers around it too."""
    return abs(float(cell)) < _EXACT and same_number(cell, repr(float(cell)))


def _legal(name: str, carries: Carries) -> str:
    """Return the name without what a name of this format cannot hold."""
    legal = name.strip() or "attribute"
    if carries.names is not None and not re.fullmatch(carries.names, legal):
        legal = re.sub(r"[^A-Za-z0-9_]", "_", legal)
    return re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "_", legal)


def _without(columns: Mapping[str, Cells], name: str) -> dict[str, Cells]:
    return {other: column for other, column in columns.items() if other != name}


def _in_order(modes: Cells) -> bool:
    """Tell whether all of one mode stand before all of the other."""
    return int((modes[1:] != modes[:-1]).sum()) <= 1
