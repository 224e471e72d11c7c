"""The GraphML file: the same supernodes, ties and cells as the CSV files, and not a word more.

The document is parsed with a bare XML parser, so that comments, instructions and document types, which
readers of graphs pass over, are seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from graphanon.audit.files import decoded
from graphanon.audit.finding import Finding, broken
from graphanon.audit.groups import Groups, spans
from graphanon.audit.statement import Statement

__all__ = ["graphml_faults"]

FILE = "supernodes.graphml"
SPACE = "http://graphml.graphdrawing.org/xmlns "
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "graphml": (),
    "key": ("id", "for", "attr.name", "attr.type"),
    "graph": ("id", "edgedefault"),
    "node": ("id",),
    "edge": ("source", "target"),
    "data": ("key",),
}
PARENTS = {
    "graphml": ("",), "key": ("graphml",), "graph": ("graphml",), "node": ("graph",), "edge": ("graph",),
    "data": ("node", "edge"),
}
NAMES = {SPACE + name: name for name in ATTRIBUTES}
RESERVED = ("id", "size", "ties_inside", "arcs_inside", "weight_inside")
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(kw_only=True)
class _Document:
    """What the parser has met: keys, the graph, nodes and edges with their data."""

    keys: list[tuple[str, ...]] = field(default_factory=list)
    graphs: list[tuple[str, ...]] = field(default_factory=list)
    nodes: list[tuple[str, dict[str, str], int]] = field(default_factory=list)
    edges: list[tuple[tuple[str, str], dict[str, str], int]] = field(default_factory=list)
    faults: list[Finding] = field(default_factory=list)


class _Reader:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate("UTF-8", namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.CommentHandler = lambda _: self.fault("holds a comment")
        self.parser.ProcessingInstructionHandler = lambda *_: self.fault("holds an instruction")
        self.parser.StartDoctypeDeclHandler = lambda *_: self.fault("holds a document type")
        self.parser.StartCdataSectionHandler = lambda: self.fault("holds a CDATA section")
        self.document = _Document()
        self.stack: list[str] = []
        self.words: list[str] | None = None
        self.data_key = ""

    def fault(self, what: str) -> None:
        self.document.faults.append(broken("graphml", what, FILE, self.parser.CurrentLineNumber))

    def start(self, qualified: str, attributes: dict[str, str]) -> None:
        name = NAMES.get(qualified, "")
        parent = self.stack[-1] if self.stack else ""
        self.stack.append(name)
        known = ATTRIBUTES.get(name, ())
        if not name or parent not in PARENTS[name] or len(attributes) != len(known):
            self.fault("an element or an attribute that is not part of a release")
            return
        try:
            values = [attributes[key] for key in known]
        except KeyError:
            self.fault("an attribute that is not part of a release")
            return
        if name == "data":
            self.words, self.data_key = [], values[0]
        elif name == "edge":
            self.document.edges.append(((values[0], values[1]), {}, self.parser.CurrentLineNumber))
        elif name == "node":
            self.document.nodes.append((values[0], {}, self.parser.CurrentLineNumber))
        elif name == "key":
            self.document.keys.append(tuple(values))
        elif name == "graph":
            self.document.graphs.append(tuple(values))

    def end(self, qualified: str) -> None:
        self.stack.pop()
        if self.words is None or NAMES.get(qualified) != "data":
            return
        owners: list[Any] = self.document.nodes if self.stack[-1] == "node" else self.document.edges
        if owners:
            if self.data_key in owners[-1][1]:
                self.fault("a key stands twice in one element")
            owners[-1][1][self.data_key] = "".join(self.words)
        self.words = None

    def text(self, words: str) -> None:
        if self.words is not None:
            self.words.append(words)
        elif words.strip():
            self.fault("text outside of the data")


def graphml_faults(contents: Mapping[str, bytes], statement: Statement, groups: Groups) -> Iterator[Finding]:
    """Find everything in which the GraphML file differs from the CSV files."""
    text, faults = decoded(contents, FILE)
    yield from faults
    if not text:
        return
    reader = _Reader()
    try:
        reader.parser.Parse(text.encode("utf-8"), True)  # noqa: FBT003  the last piece of the document
    except expat.ExpatError as error:
        yield broken("graphml", f"not XML: {expat.errors.messages[error.code]}", FILE, error.lineno)
        return
    document = reader.document
    yield from document.faults
    keys = _keys(statement, groups)
    if document.keys != [(f"d{number}", *key) for number, key in enumerate(keys)]:
        yield broken("graphml", "its keys are not the columns of the CSV files", FILE)
        return
    if document.graphs != [("G", "directed" if statement.directed else "undirected")]:
        yield broken("graphml", "does not hold one graph of the stated direction", FILE)
    yield from _differences(document, keys, groups)


def _keys(statement: Statement, groups: Groups) -> list[tuple[str, str, str]]:
    """Return for, name and type of each key; igraph keeps the name `id` for itself."""
    count = "arcs" if statement.directed else "ties"
    cells, types = [], []
    for attribute in statement.of_role("quasi"):
        number = attribute.type == "number"
        whole = number and float(attribute.facts["grid"]).is_integer()
        for cell in spans(attribute, graph=True):
            cells.append(cell)
            types.append(("long" if whole else "double") if number else "string")
    taken = {*cells, *RESERVED}
    keys = [("node", "size", "long"), ("node", f"{count}_inside", "long")]
    keys += [("node", "weight_inside", "double")] if groups.weighted else []
    for cell, type_ in zip(cells, types, strict=True):
        name = cell
        while name in RESERVED or (name != cell and name in taken):
            name += "_"
        taken.add(name)
        keys.append(("node", name, type_))
    keys.append(("edge", count, "long"))
    return keys + ([("edge", "weight", "double")] if groups.weighted else [])


def _differences(document: _Document, keys: list[tuple[str, str, str]], groups: Groups) -> Iterator[Finding]:
    first = next(number for number, key in enumerate(keys) if key[0] == "edge")
    nodes = [
        (name, _data([str(g.size), str(g.inside), *([g.weight] if groups.weighted else []), *g.cells], keys))
        for name, g in groups.by_name.items()
    ]
    edges = [
        (pair, {f"d{first}": str(ties)} | ({f"d{first + 1}": groups.weights[pair]} if groups.weighted else {}))
        for pair, ties in groups.ties.items()
    ]
    for found, expected, what in ((document.nodes, nodes, "supernode"), (document.edges, edges, "superedge")):
        if len(found) != len(expected):
            yield broken("graphml", f"{len(found)} {what}s, not the {len(expected)} of the CSV file", FILE)
        for one, other in zip(found, expected, strict=False):
            if one[0] != other[0] or not _alike(one[1], other[1], keys):
                yield broken("graphml", f"a {what} is not the one of the CSV file", FILE, one[2])


def _data(values: list[str], keys: list[tuple[str, str, str]]) -> dict[str, str]:
    # what XML cannot write is replaced, a number that may be any is left out
    return {
        f"d{number}": _UNWRITABLE.sub("\ufffd", value)
        for number, value in enumerate(values)
        if not (value == "*" and keys[number][2] != "string")
    }


def _alike(one: Mapping[str, str], other: Mapping[str, str], keys: list[tuple[str, str, str]]) -> bool:
    if one == other:
        return True
    if set(one) != set(other):
        return False
    for key, text in one.items():
        weight = keys[int(key[1:])][1] in ("weight", "weight_inside")
        try:
            same = text == other[key] or (weight and float(text) == float(other[key]) and text == repr(float(text)))
        except ValueError:
            same = False
        if not same:
            return False
    return True
