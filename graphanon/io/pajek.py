"""Pajek networks and projects (``.net``, ``.paj``), read as people mean them.

The libraries at hand make people of section lines, drop the second relation, or stop at it; so this reader is our own.
A vertex is its number: a label names people only if every vertex has one and no two share it, else labels
are an attribute, so that two people of one name stay two. A vertex without a line of its own is still a vertex. Relations keep
their names (``*Arcs :1 "advice"``, or ``1: 2 3`` line by line). Several networks of one project are relations among the same
people if all their labels agree, and refused otherwise.

Partitions and vectors become attributes. Coordinates, shapes, colours and times say nothing of a person that may be released,
so they are dropped and counted. After Vladimir Batagelj and Andrej Mrvar: Pajek, Program for Analysis and
Visualization of Large Networks, Reference Manual.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphanon.errors import InputProblem, Problem
from graphanon.io.cells import number_of
from graphanon.io.csv_table import Column
from graphanon.io.declared import Declared
from graphanon.io.faults import refusal, refuse_any, shown
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.numbered import (
    Lines,
    Matrix,
    TieList,
    believable,
    column_of,
    lines_of,
    matrix_of,
    parts_of,
    whole,
)
from graphanon.io.numbers import parse_number
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.progress import advance

__all__ = ["fits", "read"]

_SECTION = re.compile(r"\*\s*([a-z]+)\s*(.*)", re.IGNORECASE | re.DOTALL)
_OPENS = re.compile(rb"\*(?:network|vertices|arcs|edges|arcslist|edgeslist|matrix|partition|vector)(?![\w])", re.IGNORECASE)
_SHAPES = frozenset({"ellipse", "box", "diamond", "triangle", "cross", "empty", "house", "man", "woman", "circle"})
_DRAWING = frozenset({
    "s_size", "x_fact", "y_fact", "phi", "r", "q", "ic", "bc", "bw", "lc", "la", "lr", "lphi", "fos", "font", "hook", "url",
    "c", "p", "w", "s", "a", "ap", "h1", "h2", "a1", "a2", "k1", "k2", "lp", "alpha", "beta", "l",
})
_MISSING = frozenset({"9999998", "99999998", "999999998"})  # Pajek's own, by the age of the program
_SKIPPED = {"permutation": "permutations", "cluster": "clusters", "hierarchy": "hierarchies"}
_ENDING = re.compile(r"\.(?:net|clu|vec|per|mat|paj)$", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?[0-9]+")
_WORD = re.compile(r"\S+")
_MOST = 1000
_BATCH = 1 << 16


def fits(head: bytes) -> bool:
    """Tell whether a file begins like Pajek, past comments and blank lines."""
    plain = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    for line in plain.splitlines():
        if line.strip() and not line.lstrip().startswith(b"%"):
            return _OPENS.match(line.lstrip()) is not None
    return False


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of a Pajek network or project.

    Raises
    ------
    InputProblem
        If a line cannot be read, a number names no vertex, vertices and their lines do not go together, a project
        holds networks of different people, or arcs and edges are mixed where no option says how to
        read them; as many as can be told at once.
    """
    lines = lines_of(content, options)
    walk = _Walk(lines, options)
    for number, text in enumerate(lines.texts, start=1):
        if number % _BATCH == 0:
            advance("read", number, len(lines.texts))
        walk.take(number, text.strip())
    walk.close()
    refuse_any(walk.problems)
    network = _one(walk)
    return graph_source(_parts(network, walk, options), options)


@dataclass
class _Network:
    """A network as it is met: how many vertices, who they are, how they are tied."""

    name: str
    size: int
    first: int | None
    line: int
    labels: list[str | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    ties: TieList = field(default_factory=TieList)
    tie_labels: dict[int, str] = field(default_factory=dict)
    matrices: list[tuple[str | None, Matrix]] = field(default_factory=list)
    relations: dict[int, str] = field(default_factory=dict)


@dataclass
class _Values:
    """A partition or a vector."""

    kind: str
    name: str
    line: int
    size: int | None = None
    texts: list[str | None] = field(default_factory=list)


class _Walk:
    """What has been seen of a file, line by line."""

    def __init__(self, lines: Lines, options: ReadOptions) -> None:
        self.lines, self.options, self.file = lines, options, lines.file
        self.problems: list[Problem] = []
        self.networks: list[_Network] = []
        self.values: list[_Values] = []
        self.counts: Counter[str] = Counter({"lines_read": len(lines.texts), "comment_lines": 0, "blank_lines": 0})
        self.seen: Counter[str] = Counter()
        self._line = 0
        self._name: str | None = None
        self._each: Callable[[str], None] = self._before
        self._relation: int | None = None
        self._arc = True
        self._cells: list[str] = []
        self._rows: list[int] = []

    def take(self, number: int, text: str) -> None:
        """Take in one line."""
        self._line = number
        if not text:
            self.counts["blank_lines"] += 1
        elif text[0] == "%":
            self.counts["comment_lines"] += 1
        elif text[0] == "*":
            self._section(text)
        else:
            self._each(text)

    def close(self) -> None:
        """End the section that is open."""
        self._end_matrix()
        for values in self.values:
            if values.kind not in _SKIPPED and values.size is not None and len(values.texts) != values.size:
                self._fault(f"the {values.kind} '{values.name}' has {len(values.texts)} values",
                            line=values.line, allowed=f"{values.size}, as its line *Vertices says")
        if not self.networks and not self.problems:
            self._fault("holds no network", line=1, allowed="a line *Vertices")

    def _fault(self, what: str, *, line: int | None = None, allowed: str | None = None, fix: str | None = None) -> None:
        self.problems.append(Problem(what=what, file=self.file, line=self._line if line is None else line,
                                     allowed=allowed, fix=fix))
        if len(self.problems) > 10_000:
            refuse_any(self.problems)

    def _before(self, _text: str) -> None:
        self._fault("stands outside any section", allowed="*Network, *Vertices, *Arcs, *Edges … first")
        self._each = self._pass

    def _pass(self, _text: str) -> None:
        """Pass over a line of a section that is not read."""

    def _section(self, text: str) -> None:
        self._end_matrix()
        found = _SECTION.match(text)
        word = found.group(1).casefold() if found else ""
        rest = found.group(2).strip() if found else ""
        self._each = self._pass
        if word == "network":
            self._name = rest
        elif word == "vertices":
            self._vertices(rest)
        elif word in ("arcs", "edges", "arcslist", "edgeslist", "matrix"):
            self._ties(word, rest)
        elif word in ("partition", "vector", *_SKIPPED):
            self._name = None
            self._bounded(len(self.values))
            self.values.append(_Values(kind=word, name=rest, line=self._line))
            self._each = self._pass if word in _SKIPPED else self._value
            self.seen[f"{_SKIPPED.get(word)} dropped"] += word in _SKIPPED
        elif word == "events":
            self._fault("the network is told as events in time, which are not read",
                        fix="in Pajek: Network / Temporal Network, save one moment as .net")
        else:
            self._fault(f"there is no section '{text[:40]}'", allowed="*Network, *Vertices, *Arcs, *Edges, *Arcslist,"
                        " *Edgeslist, *Matrix, *Partition, *Vector")

    def _bounded(self, number: int) -> None:
        if number >= _MOST:
            raise refusal([*self.problems, Problem(what=f"holds more than {_MOST:,} networks, partitions or vectors",
                                                   file=self.file, line=self._line)])

    def _vertices(self, rest: str) -> None:
        numbers = [whole(part) for part in rest.split()]
        if not numbers or len(numbers) > 2 or None in numbers:
            self._fault("*Vertices does not say how many there are", allowed="*Vertices 6, or *Vertices 6 4 for two modes")
            return
        size, first = numbers[0] or 0, numbers[1] if len(numbers) == 2 else None
        if self.values and self.values[-1].size is None and self._name is None:
            self.values[-1].size = size
            self._each = self._value if self.values[-1].kind in ("partition", "vector") else self._pass
            return
        if not believable(size, self.lines.size) or (first is not None and first > size):
            raise refusal([*self.problems, Problem(
                what=f"*Vertices {' '.join(rest.split())} cannot be right", file=self.file, line=self._line,
                allowed="the number of vertices, then of those of the first mode")])
        self._bounded(len(self.networks))
        name = self._name or f"network {len(self.networks) + 1}"
        self.networks.append(_Network(name=name, size=size, first=first, line=self._line,
                                      labels=[None] * size, lines=[0] * size))
        self._each = self._vertex

    def _vertex(self, text: str) -> None:
        tokens = self._tokens(text)
        network = self.networks[-1]
        place = self._place(tokens[0][0], network) if tokens else None
        if place is None:
            return
        if network.lines[place]:
            if self.options.duplicate_nodes == "first":
                self.counts["people_dropped"] += 1
            else:
                self._fault(f"vertex {place + 1} has a line already, line {network.lines[place]}",
                            allowed="one line a vertex", fix="--duplicate-nodes first keeps the first")
            return
        network.lines[place] = self._line
        if len(tokens) > 1:
            network.labels[place] = tokens[1][0] or None
            self._drawn(tokens[2:], quoted=tokens[1][1])

    def _drawn(self, tokens: Sequence[tuple[str, bool]], *, quoted: bool) -> None:
        """Count what is said of how a vertex is drawn, and when it is there."""
        kinds = set()
        known = quoted
        for token, marked in tokens:
            if token.startswith("[") and not marked:
                kinds.add("time intervals dropped")
            elif not known and parse_number(token) is None and token.casefold() not in _SHAPES | _DRAWING:
                self._fault("there is more than one word where the label stands",
                            allowed="a label without blanks, or in quotation marks", fix="put the label in quotation marks")
                return
            elif parse_number(token) is not None and not kinds & {"shapes and colours dropped"}:
                kinds.add("coordinates dropped")
            else:
                kinds.add("shapes and colours dropped")
                known = True
        self.seen.update(f"{kind} (vertices)" for kind in kinds)

    def _place(self, text: str, network: _Network) -> int | None:
        """Return the place of a vertex by its number, from 0."""
        number = whole(text)
        if number is not None and 1 <= number <= network.size:
            return number - 1
        what = f"there is no vertex {text}" if number is not None else f"'{text[:40]}' is no number of a vertex"
        self._fault(what, allowed=f"1 to {network.size}")
        return None

    def _tokens(self, text: str) -> list[tuple[str, bool]]:
        """Split a line at blanks, quotation marks and brackets; tell of each token whether it was quoted."""
        if '"' not in text and "[" not in text:
            return [(token, False) for token in text.split()]
        tokens = []
        at = 0
        while word := _WORD.search(text, at):
            at, sign = word.start(), word.group()[0]
            if sign not in '"[':
                tokens.append((word.group(), False))
                at = word.end()
                continue
            end = text.find('"' if sign == '"' else "]", at + 1)
            if end < 0 or (sign == '"' and not text[end + 1 : end + 2].isspace() and end + 1 < len(text)):
                self._fault("a quotation mark is not closed, or stands inside a label" if sign == '"' else "'[' is not closed",
                            allowed='a label like "Ann Lee", followed by a blank')
                return []
            tokens.append((text[at + 1 : end], True) if sign == '"' else (text[at : end + 1], False))
            at = end + 1
        return tokens

    def _ties(self, word: str, rest: str) -> None:
        if not self.networks:
            self._fault(f"*{word} stands before *Vertices", allowed="*Vertices first")
            return
        self._relation = self._declared(rest)
        self._arc = word.startswith("arcs")
        if word == "matrix":
            self._each = self._matrix_row
        else:
            self._each = self._list if word.endswith("list") else self._tie

    def _declared(self, rest: str) -> int | None:
        """Return the number of the relation that a section names, and keep its name."""
        found = re.match(r":?\s*(\d+)\s*:?\s*(.*)", rest, re.DOTALL)
        number = whole(found.group(1)) if found else None
        if found is None or number is None:
            if rest and not rest.startswith('"'):
                self._fault("the relation of the section cannot be read", allowed='*Arcs :1 "advice"')
            number, rest = (1, rest) if rest.startswith('"') else (None, "")
        else:
            rest = found.group(2)
        if number is not None:
            relations = self.networks[-1].relations
            name = rest.strip().strip('"').strip()
            if name or number not in relations:
                relations[number] = name or str(number)
        return number

    def _of_relation(self, text: str) -> tuple[int | None, str]:
        """Return the relation that a line of a tie names before a colon, else that of its section."""
        head, colon, rest = text.partition(":")
        if not colon or (number := whole(head.strip())) is None:
            return self._relation, text
        self.networks[-1].relations.setdefault(number, str(number))
        return number, rest

    def _tie(self, text: str) -> None:
        network = self.networks[-1]
        relation, rest = self._of_relation(text)
        tokens = self._tokens(rest)
        if len(tokens) < 2:
            if not self.problems or self.problems[-1].line != self._line:
                self._fault("a tie needs two vertices", allowed="1 2, or 1 2 and a weight")
            return
        source, target = (self._place(token, network) for token, _ in tokens[:2])
        if source is None or target is None:
            return
        weighed = len(tokens) > 2 and not tokens[2][1] and parse_number(tokens[2][0]) is not None
        if len(tokens) > 2:
            self._tie_drawn(tokens[3:] if weighed else tokens[2:], len(network.ties))
        network.ties.add(source, target, self._line, arc=self._arc, relation=None if relation is None else str(relation),
                         weight=tokens[2][0] if weighed else None)

    def _tie_drawn(self, tokens: Sequence[tuple[str, bool]], row: int) -> None:
        kinds, before = set(), ""
        for token, quoted in tokens:
            if token.startswith("[") and not quoted:
                kinds.add("time intervals dropped")
            elif before == "l" and row not in self.networks[-1].tie_labels:
                self.networks[-1].tie_labels[row] = token
            elif quoted or before or token.casefold() in _DRAWING:
                kinds.update(() if token.casefold() == "l" else ("shapes and colours dropped",))
            else:
                self._fault(f"'{token[:40]}' cannot be read after a tie", allowed="a weight, times in [ ], how it is drawn")
                return
            before = "" if quoted or before or token.startswith("[") else token.casefold()
        self.seen.update(f"{kind} (ties)" for kind in kinds)

    def _list(self, text: str) -> None:
        network = self.networks[-1]
        relation, rest = self._of_relation(text)
        places = [self._place(token, network) for token in rest.split()]
        for target in places[1:]:
            if places[0] is not None and target is not None:
                network.ties.add(places[0], target, self._line, arc=self._arc,
                                 relation=None if relation is None else str(relation))
        if len(places) == 1:
            self.seen["lists of ties without a second vertex"] += 1

    def _matrix_row(self, text: str) -> None:
        network = self.networks[-1]
        width = network.size if network.first is None else network.size - network.first
        cells = text.split()
        self._rows += [self._line] * sum((len(self._cells) + place) % max(width, 1) == 0 for place in range(len(cells)))
        self._cells += cells

    def _end_matrix(self) -> None:
        if self._each != self._matrix_row:
            return
        network = self.networks[-1]
        height = network.size if network.first is None else network.first
        width = network.size if network.first is None else network.size - height
        cells, rows, self._cells, self._rows = self._cells, self._rows, [], []
        if len(cells) != height * width:
            self._fault(f"the matrix has {len(cells):,} cells", line=rows[0] if rows else None,
                        allowed=f"{height:,} rows of {width:,}")
            return
        relation = None if self._relation is None else str(self._relation)
        if network.first is not None:
            self._across(network, cells, rows, relation)
            return
        try:
            matrix = matrix_of(column_of(cells).reshape(height, width), np.array(rows, dtype=np.int64), self.file, self.options)
            network.matrices.append((relation, matrix))
        except InputProblem as error:
            self.problems += error.problems

    def _across(self, network: _Network, cells: Sequence[str], rows: Sequence[int], relation: str | None) -> None:
        """Add the ties of a matrix from the vertices of the first mode to those of the second."""
        height = network.first or 0
        width = network.size - height
        values = [parse_number(cell) for cell in cells]
        plain = set(values) <= {0.0, 1.0}
        for place, (cell, value) in enumerate(zip(cells, values, strict=True)):
            row, column = divmod(place, width)
            if value is None:
                self._fault(f"'{cell[:40]}' is no number", line=rows[row], allowed="0 where there is no tie")
            elif value:
                network.ties.add(row, height + column, rows[row], arc=False, relation=relation,
                                 weight=None if plain else cell)

    def _value(self, text: str) -> None:
        tokens = text.split()
        if len(tokens) != 1:
            self._fault(f"a {self.values[-1].kind} has one value a line", allowed="one number")
        self.values[-1].texts.append(None if tokens[0] in _MISSING else tokens[0])
        self.seen[f"values of Pajek for missing read as missing ({self.values[-1].name})"] += tokens[0] in _MISSING


def _one(walk: _Walk) -> _Network:
    """Return the network, or several among the same people as one with as many relations."""
    first, *others = walk.networks
    same = all(network.labels == first.labels and network.first == first.first for network in others)
    if others and not (same and _named(first)):
        raise refusal([Problem(
            what=f"holds {len(walk.networks)} networks: {shown(network.name for network in walk.networks)}", file=walk.file,
            line=others[0].line, allowed="one network, or several whose vertices all have the same labels",
            fix="save the network that you mean as a file of its own")])
    arcs = any(1 in network.ties.arcs or any(not matrix.symmetric for _, matrix in network.matrices)
               for network in walk.networks)
    names = _stems([network.name for network in walk.networks])
    for network, name in zip(walk.networks, names, strict=True):
        _settle(network, arcs=arcs, prefix=name if others else None)
    for network in others:
        _append(first, network)
    return first


def _named(network: _Network) -> bool:
    """Tell whether labels tell all people apart."""
    return bool(network.size) and None not in network.labels and len(set(network.labels)) == network.size


def _stems(names: Sequence[str]) -> list[str]:
    """Return names without the endings of Pajek's files, each once."""
    stems = [_ENDING.sub("", name).strip() or str(number) for number, name in enumerate(names, start=1)]
    return [f"{stem} ({number})" if stems.count(stem) > 1 else stem for number, stem in enumerate(stems, start=1)]


def _settle(network: _Network, *, arcs: bool, prefix: str | None) -> None:
    """Add the ties of matrices to the others, and give relations their names."""
    for relation, matrix in network.matrices:
        network.ties.add_matrix(matrix, relation, arcs=arcs)
    several = Counter(network.relations.values())
    names: dict[str | None, str | None] = {
        str(number): name if several[name] == 1 else f"{name} ({number})" for number, name in network.relations.items()
    }
    # a tie of no said relation is of the first
    names[None] = names.get("1", "1") if names else None
    if prefix is not None:
        names = {number: prefix if name is None else f"{prefix}: {name}" for number, name in names.items()}
    network.ties.relations = [names[relation] for relation in network.ties.relations]


def _append(network: _Network, other: _Network) -> None:
    offset = len(network.ties)
    mine, theirs = network.ties, other.ties
    mine.source += theirs.source
    mine.target += theirs.target
    mine.lines += theirs.lines
    mine.weights += theirs.weights
    mine.relations += theirs.relations
    mine.arcs += theirs.arcs
    network.matrices += other.matrices
    network.tie_labels |= {row + offset: label for row, label in other.tie_labels.items()}


def _parts(network: _Network, walk: _Walk, options: ReadOptions) -> GraphParts:
    numbers = column_of([str(number) for number in range(1, network.size + 1)])
    labels = column_of(network.labels)
    attributes, types, said = _attributes(network, walk, options)
    named = _named(network)
    if not named and any(label is not None for label in network.labels):
        attributes = {"label": labels, **attributes}
        said += (f"{walk.file}: labels are missing or shared, so the numbers of the vertices name them",)
    modes = None
    if network.first is not None and 0 < network.first < network.size:
        modes = column_of(["1"] * network.first + ["2"] * (network.size - network.first))
    tie_labels = None
    if network.tie_labels:
        tie_labels = {"label": column_of([network.tie_labels.get(row) for row in range(len(network.ties))])}
    return parts_of(
        network.ties, labels if named else numbers, np.array(network.lines, dtype=np.int64), walk.file, options,
        attributes=attributes, types=types, tie_attributes=tie_labels, modes=modes, report=_report(network, walk, said))


def _attributes(
    network: _Network, walk: _Walk, options: ReadOptions
) -> tuple[dict[str, Column], dict[str, Declared], tuple[str, ...]]:
    """Return partitions and vectors as attributes, their types, and what is to be said of those that do not fit."""
    attributes: dict[str, Column] = {}
    types: dict[str, Declared] = {}
    said: list[str] = []
    for values in walk.values:
        if values.kind in _SKIPPED:
            continue
        if len(values.texts) != network.size:
            said.append(f"{walk.file}: {values.kind} '{values.name}' dropped: it has"
                        f" {number_of(len(values.texts), 'value', 'values')}, the network {network.size:,} vertices")
            continue
        name = _ENDING.sub("", values.name).strip() or values.kind
        while name in attributes or name in ("id", "label"):
            name = f"{name} ({values.kind})"
        attributes[name] = column_of([None if text in options.na_values else text for text in values.texts])
        wholes = all(text is None or _WHOLE.fullmatch(text) for text in values.texts)
        types[name] = "whole" if wholes else "number"
    return attributes, types, tuple(said)


def _report(network: _Network, walk: _Walk, said: tuple[str, ...]) -> ReadReport:
    file, ties = walk.file, network.ties
    arcs = sum(ties.arcs)
    held = (number_of(network.size, "vertex", "vertices"), number_of(arcs, "arc", "arcs"),
            number_of(len(ties) - arcs, "edge", "edges"))
    notes = [f"{file}: Pajek, {walk.lines.text.encoding}, {', '.join(held)}"]
    relations = Counter(ties.relations)
    relations.pop(None, None)
    if relations:
        notes.append(f"{file}: {number_of(len(relations), 'relation', 'relations')}: "
                     + ", ".join(f"{name} ({number:,})" for name, number in relations.items()))
    if network.first is not None and network.first < network.size:
        notes.append(f"{file}: two modes, {network.first:,} vertices of mode 1 and {network.size - network.first:,} of mode 2")
    own = sum(line > 0 for line in network.lines)
    if own < network.size:
        notes.append(f"{file}: {number_of(network.size - own, 'vertex has', 'vertices have')} no line of their own and stay")
    warnings = tuple(f"{file}: {what}: {number:,}" for what, number in sorted(walk.seen.items()) if number)
    return ReadReport(counts=dict(walk.counts), notes=tuple(notes), warnings=(*walk.lines.text.warnings, *said, *warnings))
