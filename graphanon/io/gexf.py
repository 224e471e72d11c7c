"""GEXF 1.0 to 1.3, read as a stream and as text.

The parser is expat, as for GraphML, and as strict with entities. It is not asked to resolve namespaces, since
files that use ``viz:`` without declaring it are about; an element counts by its local name if it has the
prefix of the outermost one, so every version and every spelling of its namespace is read.

What the format leaves open is decided for people. A label names nobody: identity is the ``id``. Nodes that
hold other nodes, between tags or by ``pid``, are groups and no people; where ``pid`` points to no node it is an
attribute like any other (networkx writes such). A dynamic graph is collapsed over time: whoever was there at any
time counts once, times are dropped, and of several values of one attribute the latest is kept; the report says how
often. A mutual edge goes both ways. Lists are sets: sorted, each value once, in JSON's spelling. Sizes, places and
colours (viz) and the file's metadata are passed over.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import Problem
from graphanon.io.cells import number_of
from graphanon.io.csv_table import Column
from graphanon.io.declared import Declared, declared_by, settled
from graphanon.io.elements import (
    Values,
    both_ways,
    bracketed,
    column_of,
    refuse_width,
    tied_groups,
    told,
)
from graphanon.io.faults import refusal, refuse_any, shown
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.numbers import parse_numbers
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.io.xml_walk import XmlWalk

__all__ = ["fits", "read"]

_NODE, _EDGE = "node", "edge"
_FRACTIONS = frozenset({"float", "double", "bigdecimal"})
_TYPES = frozenset({"boolean", "integer", "long", "float", "double", "string", "anyuri", "byte", "short", "char",
                    "biginteger", "bigdecimal"})
_TIMES = ("start", "end", "startopen", "endopen", "timestamp", "timestamps", "intervals", "slices")
_DRAWN = frozenset({"color", "position", "size", "shape", "thickness"})
_WITHIN = frozenset({"gexf", "nodes", "edges", "attvalues", "spells", "slices", "parents"})
_DIRECTIONS = {"directed": 1, "dir": 1, "undirected": 0, "sym": 0, "mutual": 2, "double": 2}
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.)*+)"\s*', re.DOTALL)


def fits(head: bytes) -> bool:
    """Tell whether a file begins like GEXF."""
    plain = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return plain.startswith(b"<") and re.search(rb"<(?:[\w.-]+:)?gexf[\s>]", plain, re.IGNORECASE) is not None


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of a GEXF file.

    Raises
    ------
    InputProblem
        If the file is no well-formed GEXF, declares entities, holds several graphs, a node without an id, a value
        for an attribute that it does not declare, two values of one attribute at one time, an edge to a
        group, or edges with and without direction where no option says which; all at once.
    """
    walk = _Walk(content.name)
    walk.walk(content, options.encoding)
    hierarchy = _hierarchy(walk)
    refuse_any(_problems(walk, hierarchy, options))
    return graph_source(_parts(walk, hierarchy, options), options)


@dataclass(frozen=True, kw_only=True)
class _Attribute:
    """A declared attribute of nodes or edges."""

    id: str
    title: str
    type: str
    default: str | None = None


class _Value(NamedTuple):
    """A value while its element is open: when it began to hold, None where the file says nothing of time."""

    since: str | None
    text: str | None
    line: int


@dataclass
class _Element:
    """A node or an edge that is open."""

    kind: str
    place: int
    values: dict[str, list[_Value]] = field(default_factory=dict)


class _Walk(XmlWalk):
    """What has been seen of a file."""

    form = "GEXF"

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.root: str | None = None
        self.version = ""
        self.said: Counter[str] = Counter()
        self.drawings: Counter[str] = Counter()
        self.passed: Counter[str] = Counter()
        self.times: Counter[str] = Counter()
        self.changed: Counter[str] = Counter()
        self.unknown: dict[tuple[str, str], list[int]] = {}
        self.metadata: dict[str, None] = {}
        self.notes: tuple[str, ...] = ()
        self.graphs = 0
        self.announced: str | None = None
        self.dynamic = False
        self.default_direction = 0
        self.declared: dict[str, dict[str, _Attribute]] = {_NODE: {}, _EDGE: {}}
        self.values: dict[str, dict[str, Values]] = {_NODE: {}, _EDGE: {}}
        self.xml_values = {_NODE: Values(file), _EDGE: Values(file)}
        self.ids: list[str] = []
        self.lines = array("q")
        self.timed: set[int] = set()
        self.holding: set[int] = set()
        self.parents: list[tuple[int, str]] = []
        self.source: list[str | None] = []
        self.target: list[str | None] = []
        self.tie_lines = array("q")
        self.tie_directions = array("b")
        self._names: dict[str, str] = {}
        self._open: list[_Element] = []
        self._class: str | None = None
        self._attribute: _Attribute | None = None
        self._meta = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        if self._skipping:
            self._skipping += 1
            self.refuse_deeper(self._skipping, "elements")
            if self._meta and self._skipping == 2:
                self.metadata[tag.rpartition(":")[2]] = None
            return
        kind = self._names.get(tag) or self._local(tag)
        if "xmlns" in attributes and "viz" in attributes["xmlns"]:
            kind = "viz:" + kind
        if kind == "attvalue":
            self._value(attributes)
        elif kind == "edge":
            self._edge(attributes)
        elif kind == "node":
            self._node(attributes)
        else:
            self._rarer(kind, attributes)

    def _local(self, tag: str) -> str:
        """Return an element's name without the prefix that the outermost element has; others keep theirs."""
        prefix, _, name = tag.rpartition(":")
        if self.root is None:
            if name.lower() != "gexf":
                raise refusal([Problem(what=f"the outermost element is '{name}', not 'gexf'", file=self.file,
                                       line=self.line, allowed="GEXF")])
            self.root = prefix
        kind = self._names[tag] = name if prefix == self.root else tag
        return kind

    def _rarer(self, kind: str, attributes: dict[str, str]) -> None:
        if kind == "graph":
            self._graph(attributes)
        elif kind == "attributes":
            self._open_class(attributes.get("class", ""))
        elif kind == "attribute":
            self._declare(attributes)
        elif kind == "default" and self._attribute is not None:
            self._text = []
        elif kind == "spell":
            self._time("spell")
        elif kind == "parent" and self._open and self._open[-1].kind == _NODE:
            self.parents.append((self._open[-1].place, attributes.get("for", "")))
        elif kind == "nodes":
            self._nodes(attributes)
        elif kind == "gexf":
            self.version = attributes.get("version", "")
        elif kind not in _WITHIN:
            self._pass_over(kind)

    def _open_class(self, name: str) -> None:
        self._class = name
        if name not in (_NODE, _EDGE):
            self.fault(f"attributes of the class '{name}'", "node or edge")

    def _pass_over(self, kind: str) -> None:
        self._skipping = 1
        prefix, _, name = kind.rpartition(":")
        if kind == "meta":
            self._meta = True
        elif "viz" in prefix or name in _DRAWN:
            self.drawings[name] += 1
        elif kind != "options":
            self.passed[kind] += 1

    def _graph(self, attributes: dict[str, str]) -> None:
        self.graphs += 1
        if self.graphs > 1:
            self.fault("a second graph begins here", "one graph in a file", "split the file")
        said = attributes.get("defaultedgetype", "undirected")
        if said not in _DIRECTIONS:
            self.fault(f"defaultedgetype is '{said}'", "directed, undirected or mutual")
        self.default_direction = _DIRECTIONS.get(said, 0)
        self.dynamic = attributes.get("mode", attributes.get("type", "static")) == "dynamic"

    def _declare(self, attributes: dict[str, str]) -> None:
        key, title = attributes.get("id"), attributes.get("title")
        if key is None or self._class not in (_NODE, _EDGE):
            if key is None:
                self.fault("an attribute without an id")
            return
        if key in self.declared[self._class]:
            self.fault(f"attribute '{key}' is declared twice")
        kind = attributes.get("type", "string").lower()
        if not (kind in _TYPES or kind.startswith("list")):
            self.said[f"attribute {key}: type {kind} is no type of GEXF, read as text"] += 1
        self._attribute = _Attribute(id=key, title=title or key, type=kind)
        self.declared[self._class][key] = self._attribute

    def _nodes(self, attributes: dict[str, str]) -> None:
        if not self._open and attributes.get("count", "").isdecimal():
            self.announced = attributes["count"][:20]

    def _node(self, attributes: dict[str, str]) -> None:
        name = attributes.get("id")
        place = len(self.ids)
        if self._open:
            self.holding.add(self._open[-1].place)
        self.refuse_deeper(len(self._open), "nodes")
        if not name:
            self.fault(f"node {place + 1} has no id", "an id in every node", "labels do not identify people; add ids")
        self.ids.append(name or "")
        self.lines.append(self._parser.CurrentLineNumber)
        self._open.append(_Element(_NODE, place))
        for key, text in attributes.items():
            if key == "id":
                continue
            if key == "pid":
                self.parents.append((place, text))
            elif key in _TIMES:
                self._time(key, place)
            elif not key.startswith(("xmlns", "xml:", "xsi:")):
                self.xml_values[_NODE].put(key, place, text)

    def _edge(self, attributes: dict[str, str]) -> None:
        place = len(self.source)
        said = attributes.get("type", attributes.get("edgetype"))
        if said is not None and said.lower() not in _DIRECTIONS:
            self.fault(f"an edge says type='{said}'", "directed, undirected or mutual")
        self.source.append(attributes.get("source") or None)
        self.target.append(attributes.get("target") or None)
        self.tie_lines.append(self._parser.CurrentLineNumber)
        self.tie_directions.append(self.default_direction if said is None else _DIRECTIONS.get(said.lower(), 0))
        self._open.append(_Element(_EDGE, place))
        for key, text in attributes.items():
            if key in ("id", "source", "target", "type", "edgetype"):
                continue
            if key in _TIMES:
                self._time(key)
            elif not key.startswith(("xmlns", "xml:", "xsi:")):
                name = {"kind": "relation", "cardinal": "weight"}.get(key, key)
                self.xml_values[_EDGE].put(name, place, text)

    def _time(self, kind: str, node: int | None = None) -> None:
        self.times["spells" if kind == "spell" else kind] += 1
        if node is not None:
            self.timed.add(node)
        elif self._open and self._open[-1].kind == _NODE:
            self.timed.add(self._open[-1].place)

    def _value(self, attributes: dict[str, str]) -> None:
        key = attributes.get("for", attributes.get("id", attributes.get("attvalue")))
        if not self._open or key is None:
            self.fault("a value that belongs to no attribute" if self._open else "a value outside of nodes and edges")
            return
        element = self._open[-1]
        since = next((attributes[name] for name in ("start", "timestamp", "startopen") if name in attributes), None)
        if since is None and ("end" in attributes or "endopen" in attributes):
            since = ""
        if since is not None:
            self.times["times of values"] += 1
        if key not in self.declared[element.kind]:
            lines = self.unknown.setdefault((element.kind, key), [])
            lines.append(self._parser.CurrentLineNumber)
            return
        element.values.setdefault(key, []).append(_Value(since, attributes.get("value"), self._parser.CurrentLineNumber))

    def end(self, tag: str) -> None:
        """Close an element."""
        if self._skipping:
            self._skipping -= 1
            self._meta = self._meta and self._skipping > 0
            return
        kind = self._names[tag]
        if kind in (_NODE, _EDGE):
            self._keep(self._open.pop())
        elif kind == "default" and self._text is not None and self._attribute is not None and self._class is not None:
            default = "".join(self._text) or None
            self._attribute = _Attribute(**{**self._attribute.__dict__, "default": default})
            self.declared[self._class][self._attribute.id] = self._attribute
            self._text = None
        elif kind == "attribute":
            self._attribute = None

    def _keep(self, element: _Element) -> None:
        for key, values in element.values.items():
            text = values[0].text
            if len(values) > 1:
                text = self._latest(values, element.kind, key)
            self.values[element.kind].setdefault(key, Values(self.file)).put(key, element.place, text)

    def _latest(self, values: list[_Value], kind: str, key: str) -> str | None:
        """Return the value that holds last; several at one time are a problem."""
        texts = {value.text for value in values}
        if len(texts) == 1:
            return values[0].text
        last = max(values, key=lambda value: _moment(value.since))
        at_once = {value.text for value in values if _moment(value.since) == _moment(last.since)}
        if last.since is None or len(at_once) > 1:
            self.problems.append(Problem(what=f"two values of attribute '{key}' for one {kind}", file=self.file,
                                         line=values[1].line, allowed="one value, or values with times"))
        self.changed[key] += 1
        return last.text


def _moment(since: str | None) -> tuple[int, float, str]:
    """Return a moment as something to compare: no word of time, from the beginning, numbers, dates."""
    if not since:
        return (0 if since is None else 1, 0.0, "")
    number = float(parse_numbers([since])[0])
    return (3, 0.0, since) if np.isnan(number) else (2, number, "")


class _Hierarchy(NamedTuple):
    """Which nodes are groups, and whether ``pid`` said so."""

    groups: frozenset[int]
    pid: dict[int, str] | None


def _hierarchy(walk: _Walk) -> _Hierarchy:
    """Return the nodes that hold others; a pid that points to no node is an attribute."""
    places: dict[str, list[int]] = {}
    if walk.parents:
        for place, name in enumerate(walk.ids):
            places.setdefault(name, []).append(place)
    points = [name in places and walk.ids[place] != name for place, name in walk.parents]
    if any(points) and not all(points):
        wrong = points.index(False)
        place, _ = walk.parents[wrong]
        walk.problems.append(Problem(
            what="some pids name a node that holds this one, and this one does not", file=walk.file,
            line=walk.lines[place], column="pid", allowed="the id of another node in every pid, or in none",
            fix="give the attribute pid another name if it is no hierarchy"))
    if not all(points):
        return _Hierarchy(frozenset(walk.holding), dict(walk.parents))
    named = {place for _, name in walk.parents for place in places[name]}
    return _Hierarchy(frozenset(walk.holding | named), None)


def _problems(walk: _Walk, hierarchy: _Hierarchy, options: ReadOptions) -> Iterator[Problem]:
    yield from walk.problems
    if not walk.graphs and not walk.problems:
        yield Problem(what="holds no graph", file=walk.file)
    if not options.lenient:
        for (kind, key), lines in walk.unknown.items():
            yield Problem(what=f"{len(lines):,} {kind}{'s use' if len(lines) > 1 else ' uses'} the attribute '{key}',"
                          " which the file does not declare", file=walk.file, line=lines[0],
                          fix="declare the attribute, or --lenient drops the values")
    groups = {walk.ids[place] for place in hierarchy.groups}
    yield from tied_groups(groups, walk.source, walk.target, walk.tie_lines, walk.file)
    kinds = set(walk.tie_directions)
    if {0, 1} <= kinds and options.directed is None:
        place = walk.tie_directions.index(1 - walk.tie_directions[0]) if walk.tie_directions[0] < 2 else 0
        yield Problem(what="mixes directed and undirected edges", file=walk.file, line=walk.tie_lines[place],
                      fix="--directed reads an undirected edge as two arcs, --undirected reads arcs as ties")


def _parts(walk: _Walk, hierarchy: _Hierarchy, options: ReadOptions) -> GraphParts:
    directions = np.frombuffer(walk.tie_directions.tobytes(), dtype=np.int8)
    again = both_ways(directions == 1, directions == 2, asked=options.directed)
    rows = np.concatenate([np.arange(len(directions)), again])
    turned = np.arange(len(rows)) >= len(directions)
    shared = {name: name for name in walk.ids}
    ends = [column_of([None if end is None else shared.get(end, end) for end in side])[rows]
            for side in (walk.source, walk.target)]
    attributes = _attributes(walk, _NODE, len(walk.ids), options)
    if hierarchy.pid:
        pid = attributes["pid (in file)" if "pid" in attributes else "pid"] = np.full(len(walk.ids), None, dtype=object)
        pid[list(hierarchy.pid)] = column_of(list(hierarchy.pid.values()))
    people = _kept(walk, hierarchy, attributes)
    tie_attributes = _attributes(walk, _EDGE, len(walk.source), options)
    _weigh(walk, tie_attributes)
    return GraphParts(
        file=walk.file, ids=column_of(walk.ids)[people], lines=np.array(walk.lines, dtype=np.int64)[people],
        attributes={name: column[people] for name, column in attributes.items()},
        source=np.where(turned, ends[1], ends[0]), target=np.where(turned, ends[0], ends[1]),
        tie_lines=np.array(walk.tie_lines, dtype=np.int64)[rows], labels=("label",),
        tie_attributes={name: column[rows] for name, column in tie_attributes.items()},
        types=_types(walk, _NODE), tie_types=_types(walk, _EDGE),
        directed=bool((directions == 1).any()) if len(directions) else walk.default_direction == 1,
        report=_report(walk, hierarchy, options),
    )


def _kept(walk: _Walk, hierarchy: _Hierarchy, attributes: Mapping[str, Column]) -> NDArray[np.bool_]:
    """Return which nodes are people: no groups, and of one node told once for each time of its life, the first."""
    kept = np.array([place not in hierarchy.groups for place in range(len(walk.ids))], dtype=bool)
    first: dict[str, int] = {}
    for place, name in enumerate(walk.ids):
        earlier = first.setdefault(name, place)
        both_timed = place in walk.timed and earlier in walk.timed
        if earlier != place and both_timed and all(column[place] == column[earlier] for column in attributes.values()):
            kept[place] = False
            walk.said["a node that stands again for another time is one person"] += 1
    return kept


def _attributes(walk: _Walk, kind: str, length: int, options: ReadOptions) -> dict[str, Column]:
    """Return declared attributes by title, then those written at the element itself (label, weight, …)."""
    own = walk.xml_values[kind].columns(length, frozenset(options.na_values))
    columns: dict[str, Column] = {}
    refuse_width(len(walk.declared[kind]), length, walk.file)
    for attribute in walk.declared[kind].values():
        column = _column(walk, kind, attribute, length, options)
        if attribute.title in columns:
            walk.said[f"several attributes are titled {attribute.title}; they are read as one"] += 1
            _merge(walk, columns[attribute.title], column, attribute)
        else:
            columns[attribute.title] = column
    for name, column in own.items():
        if name in columns and _agree(columns[name], column):
            _merge(walk, columns[name], column, None)
        else:
            columns[f"{name} (in file)" if name in columns else name] = column
    return columns


def _types(walk: _Walk, kind: str) -> dict[str, Declared]:
    """Return the types of attributes by title; a list, and what stands at the element itself, has none but a label's."""
    told: dict[str, set[Declared | None]] = {"label": {"text"}}
    for attribute in walk.declared[kind].values():
        told.setdefault(attribute.title, set()).add(declared_by(attribute.type))
    return {name: settled({type_ for type_ in types if type_ is not None}) for name, types in told.items() if None not in types}


def _weigh(walk: _Walk, tie_attributes: Mapping[str, Column]) -> None:
    """Give edges without a weight the weight 1 that the format means, where others have one."""
    weights = tie_attributes.get("weight")
    if weights is not None:
        gaps = np.array([cell is None for cell in weights.tolist()], dtype=bool)
        weights[gaps] = "1.0"
        walk.notes += (f"edges without a weight weigh 1, as GEXF means it ({int(gaps.sum()):,})",) if gaps.any() else ()


def _agree(one: Column, other: Column) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one.tolist(), other.tolist(), strict=True))


def _merge(walk: _Walk, column: Column, more: Column, attribute: _Attribute | None) -> None:
    """Put values into the gaps of a column."""
    gaps = np.array([cell is None for cell in column.tolist()], dtype=bool)
    if attribute is not None and not _agree(column, more):
        walk.said[f"attribute {attribute.id} repeats the title {attribute.title} with other values; the first are kept"] += 1
    column[gaps] = more[gaps]


def _column(walk: _Walk, kind: str, attribute: _Attribute, length: int, options: ReadOptions) -> Column:
    missing = set(options.na_values) | ({"NaN", "nan"} if attribute.type in _FRACTIONS else set())
    values = walk.values[kind].get(attribute.id, Values(walk.file))
    column = values.columns(length, missing).get(attribute.id, np.full(length, None, dtype=object))
    default = attribute.default
    if default is not None and default not in missing:
        column[[cell is None for cell in column.tolist()]] = default
    if attribute.type.startswith("list"):
        column = column_of([None if cell is None else _set(cell) for cell in column.tolist()])
    return column


def _set(text: str) -> str:
    """Return a list as GEXF spells it, as a set: sorted, each value once.

    Version 1.3 writes ``[a, "b, c"]``; older files write ``a|b``, with any of three separators.
    """
    inner = text.strip()
    commas = inner.startswith("[") and inner.endswith("]")
    inner = inner[1:-1] if commas else inner
    separator = "," if commas else next((mark for mark in "|;," if mark in inner), ",")
    items, at = [], 0
    while inner.strip() and at <= len(inner):
        quoted = _QUOTED.match(inner, at)
        if quoted and inner[quoted.end(): quoted.end() + 1] in ("", separator):
            items.append(re.sub(r"\\(.)", r"\1", quoted[1]))
            at = quoted.end() + 1
        else:
            end = inner.find(separator, at)
            end = len(inner) if end < 0 else end
            items.append(inner[at:end].strip())
            at = end + 1
    return bracketed(sorted({item for item in items if item}))


def _report(walk: _Walk, hierarchy: _Hierarchy, options: ReadOptions) -> ReadReport:
    file = walk.file
    version = f"GEXF {walk.version[:20]}".strip()
    notes = [f"{file}: {version}, {number_of(len(walk.ids), 'node', 'nodes')}, {number_of(len(walk.source), 'edge', 'edges')}, {number_of(walk.line, 'line', 'lines')}"]
    notes += [f"{file}: {note}" for note in walk.notes]
    if walk.metadata:
        notes.append(f"{file}: not read, what is said of the file: {shown(walk.metadata)}")
    seen = []
    if walk.announced is not None and walk.announced.lstrip("0") != str(len(walk.ids)).lstrip("0"):
        seen.append(f"announces {walk.announced} nodes and holds {len(walk.ids):,}")
    if hierarchy.groups:
        number = len(hierarchy.groups)
        seen.append(f"{number} group node{'s' if number > 1 else ''} passed over; the people are the nodes inside")
    if hierarchy.pid:
        seen.append(f"pid names no node and is read as an attribute ({len(hierarchy.pid):,} nodes)")
    if walk.times or walk.dynamic:
        kinds = ", ".join(f"{name} {number:,}" for name, number in sorted(walk.times.items()))
        seen.append("collapsed over time: whoever was there at any time counts once; times dropped"
                    + (f" ({kinds})" if kinds else ""))
    seen += told(walk.changed, "attribute {name} changes over time, the latest value is kept ({number} times)")
    seen += [f"sizes, places and colours (viz) dropped: {shown(sorted(walk.drawings))}, {sum(walk.drawings.values()):,} in all"
             ] if walk.drawings else []
    seen += told(walk.passed, "{number} times '{name}' passed over")
    if options.lenient:
        seen += [f"undeclared attribute {key}: {len(lines):,} values of {kind}s dropped"
                 for (kind, key), lines in sorted(walk.unknown.items())]
    seen += told(walk.said, "{name} ({number} times)")
    counts = {"lines_read": walk.line, "group_nodes": len(hierarchy.groups)}
    return ReadReport(counts=counts, notes=tuple(notes), warnings=tuple(f"{file}: {text}" for text in seen))
