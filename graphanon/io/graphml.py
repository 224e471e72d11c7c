"""GraphML, read as a stream and as text.

The parser is expat, fed in chunks: it builds no tree, keeps the line of every element, opens no other file and no
network, and lets an entity declaration be refused where it stands, before anything that uses it is read.

What the standard leaves to taste is decided for people: a node is a person, unless it holds a graph
of its own (a group of yEd), whose leaves are the persons then; an edge may not end at a group. Values
stay as they are written, whatever their type says; a ``<default>`` is a value of every node
without one; several keys with one name are one attribute. An attribute belongs to what carries
it, not to what its key declares. Drawings (yFiles) are passed over.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from graphanon.errors import Problem
from graphanon.io.cells import number_of
from graphanon.io.csv_table import Column
from graphanon.io.declared import Declared, declared_by, settled
from graphanon.io.elements import both_ways, column_of, refuse_width, tied_groups
from graphanon.io.faults import refusal, refuse_any
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.io.xml_walk import XmlWalk

__all__ = ["fits", "read"]

_NODE, _EDGE, _OTHER = 0, 1, 2
_KINDS = ("node", "edge", "other")
_STANDARD = frozenset({"boolean", "int", "long", "float", "double", "string"})
_FRACTIONS = frozenset({"float", "double", "real", "number"})
_DRAWING = ("yworks", "yfiles")
_LAYOUT = ("x", "y", "r", "g", "b", "z", "size", "alpha")


def fits(head: bytes) -> bool:
    """Tell whether a file begins like GraphML."""
    plain = head.replace(b"\0", b"")
    return plain.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<") and (
        b"graphml" in plain.lower()
        # so many entities that the outermost element is not in sight
        or (b"<!entity" in plain.lower() and re.search(rb"<(?!graphml)[a-z]", plain.lower()) is None))


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of a GraphML file.

    Raises
    ------
    InputProblem
        If the file is no well-formed GraphML, declares entities, holds several graphs or hyperedges,
        uses a key that it does not declare, ties a group, or mixes directed and undirected edges where
        no option says which; all at once.
    """
    walk = _Walk(content.name)
    walk.walk(content, options.encoding)
    walk.tell_layout()
    refuse_any(_problems(walk, options))
    return graph_source(_parts(walk, options), options)


@dataclass(frozen=True, kw_only=True)
class _Key:
    """A declared attribute."""

    id: str
    name: str
    owner: str
    type: str | None
    drawing: bool
    default: str | None = None


@dataclass
class _Values:
    """Values of one key on the nodes, or on the edges: which element, and the text."""

    at: array[int] = field(default_factory=lambda: array("q"))
    text: list[str | None] = field(default_factory=list)


class _Walk(XmlWalk):
    """What has been seen of a file."""

    form = "GraphML"
    spaces = True

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.keys: dict[str, _Key] = {}
        self.ids: list[str] = []
        self.lines = array("q")
        self.groups: set[int] = set()
        self.source: list[str] = []
        self.target: list[str] = []
        self.tie_lines = array("q")
        self.tie_directed = bytearray()
        self.values: tuple[dict[str, _Values], ...] = ({}, {}, {})
        self.unknown: list[tuple[str, int, int]] = []
        self.seen: Counter[str] = Counter()
        self.graphs = 0
        self.space: str | None = None
        self._names: dict[str, str] = {}
        self._owners: list[tuple[int, int]] = []
        self._directed: list[bool] = []
        self._key: str | None = None
        self._structured = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        if self._skipping or self._text is not None:
            # an element inside a value: a drawing, or something structured
            self._skipping += 1
            self._structured = True
            self.refuse_deeper(self._skipping, "elements")
            return
        kind = self._names.get(tag) or self._local(tag)
        if kind == "edge":
            self._edge(attributes)
        elif kind == "node":
            self._node(attributes)
        elif kind == "data":
            self._text, self._key, self._structured = [], attributes.get("key", ""), False
        else:
            self._rarer(kind, attributes)

    def _local(self, tag: str) -> str:
        """Return an element's name without its namespace, which must be the root's."""
        space, _, name = tag.rpartition(" ")
        if self.space is None:
            if name.lower() != "graphml":
                raise refusal([Problem(what=f"the outermost element is '{name}', not 'graphml'", file=self.file,
                                line=self.line, allowed="GraphML")])
            self.space = space
        kind = name if space == self.space else "foreign"
        self._names[tag] = kind
        return kind

    def _rarer(self, kind: str, attributes: dict[str, str]) -> None:
        if kind == "graph":
            self._graph(attributes)
        elif kind == "key":
            self._declare(attributes)
        elif kind == "default":
            self._text, self._structured = [], False
        elif kind == "hyperedge":
            self.fault("a hyperedge ties more than two people", allowed="edges with two ends")
            self._skipping = 1
        elif kind == "port":
            self.seen["port"] += 1
            self._skipping = 1
        elif kind not in ("graphml", "GraphML"):
            self.seen[kind] += 1
            self._skipping = 1

    def _graph(self, attributes: dict[str, str]) -> None:
        said = attributes.get("edgedefault", "")
        if said not in ("directed", "undirected", ""):
            self.fault(f"edgedefault is '{said}'", allowed="directed or undirected")
        inner = bool(self._owners)
        if inner and self._owners[-1][0] == _NODE:
            self.groups.add(self._owners[-1][1])
        elif inner:
            self.fault("a graph inside an edge", allowed="graphs inside nodes")
        else:
            self.graphs += 1
            if self.graphs > 1:
                self.fault("a second graph begins here", allowed="one graph in a file", fix="split the file")
        outer = self._directed[-1] if self._directed else False
        self._directed.append(said == "directed" if said else outer)
        self.refuse_deeper(len(self._directed), "graphs")

    def _declare(self, attributes: dict[str, str]) -> None:
        key = attributes.get("id", "")
        drawing = "yfiles.type" in attributes or any(
            name.endswith("attr.uri") and any(word in value for word in _DRAWING)
            for name, value in attributes.items())
        if not key:
            self.fault("a key without an id")
        elif key in self.keys:
            self.fault(f"key '{key}' is declared twice")
        self.keys[key] = _Key(id=key, name=attributes.get("attr.name") or key, owner=attributes.get("for", "all"),
                              type=attributes.get("attr.type"), drawing=drawing)
        if "attr.name" not in attributes and not drawing:
            self.seen[f"key {key} has no attr.name and keeps its id as name"] += 1
        self._key = key

    def _node(self, attributes: dict[str, str]) -> None:
        name = attributes.get("id")
        if name is None:
            self.fault("a node without an id")
            name = ""
        place = len(self.ids)
        if attributes.get("yfiles.foldertype") in ("group", "folder"):
            self.groups.add(place)
        self.ids.append(name)
        self.lines.append(self._parser.CurrentLineNumber)
        self._owners.append((_NODE, place))
        self.refuse_deeper(len(self._owners), "nodes")

    def _edge(self, attributes: dict[str, str]) -> None:
        source, target = attributes.get("source"), attributes.get("target")
        if source is None or target is None:
            self.fault("an edge without " + ("a source" if source is None else "a target"))
        said = attributes.get("directed")
        if said not in (None, "true", "false", "1", "0"):
            self.fault(f"an edge says directed='{said}'", allowed="true or false")
        directed = said in ("true", "1") if said is not None else bool(self._directed and self._directed[-1])
        self._owners.append((_EDGE, len(self.source)))
        self.source.append(source or "")
        self.target.append(target or "")
        self.tie_lines.append(self._parser.CurrentLineNumber)
        self.tie_directed.append(directed)

    def tell_layout(self) -> None:
        """Take the keys by which Gephi tells where and how it draws each node for what they are."""
        drawn = [name for name in _LAYOUT if name in self.keys and self.keys[name].name == name and self.keys[name].owner == "node"]
        if not set(_LAYOUT[:5]) <= set(drawn):
            return
        for name in drawn:
            self.keys[name] = replace(self.keys[name], drawing=True)
        number = sum(len(self.values[_NODE][name].at) for name in drawn if name in self.values[_NODE])
        self.seen[f"Gephi's sizes, places and colours dropped: {', '.join(drawn)} ({number_of(number, 'value', 'values')})"] = 1

    def end(self, tag: str) -> None:
        """Close an element."""
        if self._skipping:
            self._skipping -= 1
            return
        kind = self._names[tag]
        if kind in ("node", "edge"):
            self._owners.pop()
        elif kind == "data":
            self._value()
        elif kind == "default" and self._key is not None:
            text, self._text = self._text or [], None
            key = self.keys[self._key]
            default = None if self._structured else "".join(text) or None
            self.keys[self._key] = replace(key, default=default)
        elif kind == "graph":
            self._directed.pop()

    def _value(self) -> None:
        text, self._text = "".join(self._text or ()), None
        kind, place = self._owners[-1] if self._owners else (_OTHER, 0)
        name = self._key or ""
        key = self.keys.get(name)
        if key is None:
            self.unknown.append((name, kind, self.line))
        elif self._structured and not key.drawing:
            self.fault(f"the value of key '{name}' holds elements, not text", allowed="one text in a value")
            return
        elif key.drawing:
            self.seen["drawing"] += 1
            return
        values = self.values[kind].setdefault(name, _Values())
        if values.at and values.at[-1] == place and kind != _OTHER:
            self.fault(f"two values of key '{name}' for one {_KINDS[kind]}")
            return
        values.at.append(place)
        # a value that was broken over lines was broken by whoever laid the file out
        values.text.append((text.strip() if "\n" in text else text) or None)


def _problems(walk: _Walk, options: ReadOptions) -> Iterator[Problem]:
    yield from walk.problems
    if not walk.graphs and not walk.problems:
        yield Problem(what="holds no graph", file=walk.file)
    if not options.lenient:
        for name, kind, line in walk.unknown:
            if name not in walk.keys:
                yield Problem(what=f"a {_KINDS[kind]} uses the key '{name}', which the file does not declare",
                              file=walk.file, line=line, fix="declare the key, or --lenient drops the value")
    yield from tied_groups({walk.ids[place] for place in walk.groups}, walk.source, walk.target, walk.tie_lines, walk.file)
    kinds = set(walk.tie_directed)
    if len(kinds) == 2 and options.directed is None:
        place = walk.tie_directed.index(1 - walk.tie_directed[0])
        yield Problem(what="mixes directed and undirected edges", file=walk.file, line=walk.tie_lines[place],
                      fix="--directed reads an undirected edge as two arcs, --undirected reads arcs as ties")


def _parts(walk: _Walk, options: ReadOptions) -> GraphParts:
    people = np.array([place not in walk.groups for place in range(len(walk.ids))], dtype=bool)
    attributes, said = _columns(walk, _NODE, len(walk.ids), options)
    tie_attributes, tie_said = _columns(walk, _EDGE, len(walk.source), options)
    shared = {name: name for name in walk.ids}
    source, target = ([shared.get(end, end) for end in ends] for ends in (walk.source, walk.target))
    ends = np.array([source, target], dtype=object).reshape(2, -1)
    # an undirected edge among arcs goes both ways
    flags = np.frombuffer(bytes(walk.tie_directed), dtype=np.uint8) == 1
    rows = np.concatenate([np.arange(len(flags)), both_ways(flags, np.zeros(len(flags), dtype=bool), asked=options.directed)])
    turned = np.arange(len(rows)) >= len(flags)
    return GraphParts(
        file=walk.file, ids=column_of(walk.ids)[people], lines=np.array(walk.lines, dtype=np.int64)[people],
        attributes={name: column[people] for name, column in attributes.items()},
        source=np.where(turned, ends[1][rows], ends[0][rows]), target=np.where(turned, ends[0][rows], ends[1][rows]),
        tie_lines=np.array(walk.tie_lines, dtype=np.int64)[rows],
        tie_attributes={name: column[rows] for name, column in tie_attributes.items()},
        types=_types(walk, attributes), tie_types=_types(walk, tie_attributes),
        directed=bool(flags.any()) if len(flags) else None, report=_report(walk, said | tie_said, options),
    )


def _columns(
    walk: _Walk, kind: int, length: int, options: ReadOptions
) -> tuple[dict[str, Column], frozenset[str]]:
    """Return the attributes of the nodes or of the edges, and what is to be said of them."""
    refuse_width(len(walk.keys), length, walk.file)
    columns: dict[str, Column] = {}
    said: set[str] = set()
    other = walk.values[_EDGE if kind == _NODE else _NODE]
    missing = {"", *options.na_values}
    for key in walk.keys.values():
        values = walk.values[kind].get(key.id)
        meant = key.owner in (_KINDS[kind], "all")
        if key.drawing or (values is None and not (meant and (key.id not in other or key.default is not None))):
            continue
        if values is None and key.owner == "all" and key.default is None:
            continue
        if values is not None and not meant:
            said.add(f"key {key.id} declared for {key.owner} is used for {_KINDS[kind]}s and read as theirs")
        default = key.default if meant else None
        column = columns.get(key.name)
        if column is None:
            column = columns[key.name] = np.full(length, None, dtype=object)
        else:
            said.add(f"several keys are named {key.name}; they are read as one attribute")
        _fill(column, values, key, default, missing)
    return columns, frozenset(said)


def _types(walk: _Walk, columns: Mapping[str, Column]) -> dict[str, Declared]:
    """Return the types of the keys that these attributes were read from; a list has none."""
    told: dict[str, set[Declared | None]] = {}
    for key in walk.keys.values():
        if not key.drawing and key.name in columns:
            told.setdefault(key.name, set()).add("text" if key.type is None else declared_by(key.type))
    return {name: settled({kind for kind in kinds if kind is not None}) for name, kinds in told.items() if None not in kinds}


def _fill(column: Column, values: _Values | None, key: _Key, default: str | None, missing: set[str]) -> None:
    given = np.zeros(len(column), dtype=bool)
    absent = missing | {"NaN", "nan"} if key.type in _FRACTIONS else missing
    if values is not None:
        places = np.array(values.at, dtype=np.int64)
        given[places] = True
        column[places] = column_of([None if text in absent else text for text in values.text])
    if default is not None and default not in absent:
        column[~given & np.array([cell is None for cell in column.tolist()], dtype=bool)] = default


def _report(walk: _Walk, said: frozenset[str], options: ReadOptions) -> ReadReport:
    file = walk.file
    nodes = len(walk.ids) - len(walk.groups)
    note = f"{file}: GraphML, {nodes:,} nodes, {len(walk.source):,} edges, {walk.line:,} lines"
    seen = sorted(said)
    if not walk.space:
        seen.append("no GraphML namespace; elements are read by their names")
    seen += [f"key {key.id} ({key.name}): {_odd_type(key)}" for key in walk.keys.values()
             if not key.drawing and key.type not in _STANDARD]
    if walk.groups:
        number = len(walk.groups)
        seen.append(f"{number} group node{'s' if number > 1 else ''} passed over; the people are the nodes inside")
    if options.lenient:
        unknown = Counter(name for name, _, _ in walk.unknown if name not in walk.keys)
        seen += [f"undeclared key {name}: {number_of(number, 'value', 'values')} dropped" for name, number in sorted(unknown.items())]
    for name, number in sorted(walk.seen.items()):
        if name == "drawing":
            seen.append(f"yFiles graphics ignored ({number_of(number, 'value', 'values')})")
        elif name not in ("desc", "locator"):
            seen.append(name if name.startswith(("key ", "Gephi")) else f"{number:,} times '{name}' passed over")
    counts = {"lines_read": walk.line, "group_nodes": len(walk.groups)}
    return ReadReport(counts=counts, notes=(note,), warnings=tuple(f"{file}: {text}" for text in seen))


def _odd_type(key: _Key) -> str:
    if key.type is None:
        return "no attr.type, read as text"
    return f"attr.type {key.type} is no type of GraphML, read as text"


