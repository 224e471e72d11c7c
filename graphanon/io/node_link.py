"""Node-link JSON in its flavours: networkx, d3, netJSON, JSON Graph Format, Cytoscape, vis, graphology.

All hold a list of nodes and a list of edges; they differ in what these are called and in what an end refers to.
An end is the id of a node. Where nodes have no ids, as in d3's first files, ends are places in the list of nodes,
provided that all of them are whole numbers in its range. Where both could be meant, an option decides.

JSON tells 7 from "7" and we do not, for ids are text: a number and a text that read alike are one id, unless two
nodes differ in nothing else. Numbers stay as they are written, however long. A list or an object is
kept as the text that JSON spells it with. The elements of the long lists are taken one by one, so that the line
of each is known and no tree of the file is built; a name that stands twice in an object is refused, because every
library keeps one of the two without a word.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.io.cells import number_of
from graphanon.io.csv_table import Column
from graphanon.io.declared import Declared
from graphanon.io.elements import Values, both_ways, column_of, lines_at, stop_at_many, told
from graphanon.io.faults import refuse_any, shown
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.io.text import decoded
from graphanon.progress import advance

__all__ = ["fits", "read"]

Object: TypeAlias = dict[str, Any]
_SPACE = re.compile(r"[ \t\n\r]*")
_STARTS = re.compile(rb'\{\s*(?:"|\}|$)|\[\s*(?:\{|$)')
_EDGES = ("edges", "links")
_ENDS = (("source", "target"), ("from", "to"))
_PLAIN = {"source", "target"}
_INNER = ("data", "attributes", "properties", "metadata")  # where flavours keep the attributes of an element
_SHOWN = frozenset({"position", "renderedPosition", "style", "scratch", "classes", "selected", "selectable", "locked",
                    "grabbable", "grabbed", "removed", "pannable"})
_D3 = ("index", "x", "y", "z", "vx", "vy", "vz", "fx", "fy", "fz", "px", "py")
_UNSAFE = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_EVERY = 1 << 14
_LABELS = ("label", "name")


def fits(head: bytes) -> bool:
    """Tell whether a file begins like JSON that could hold a graph."""
    return _STARTS.match(head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")) is not None


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of a node-link JSON file.

    Raises
    ------
    InputProblem
        If the file is no JSON or no node-link graph, a node has no id while others do, an id or a name in an object
        stands twice, a number and a text are ids of two people and read alike, both ``edges`` and ``links``
        stand there and differ, or ends could be ids or places alike; as many at once as can be seen.
    """
    text = decoded(content.read(), content.name, options.encoding)
    report = ReadReport(notes=(f"{content.name}: {text.encoding}",), warnings=text.warnings)
    try:
        document = _Document(content.name, text.data.decode("utf-8"))
        del text
        graph = document.graph(options)
        parts = _parts(graph, report, options)
    except RecursionError as error:
        raise InputProblem(Problem(what="is nested too deeply", file=content.name, allowed="node-link JSON")) from error
    return graph_source(parts, options)


class _Whole(str):
    """A whole number as it is written."""

    __slots__ = ()


class _Fraction(str):
    """Another number as it is written."""

    __slots__ = ()


class _NoNumber(str):
    """What JSON forbids and Python writes: NaN and the infinities."""

    __slots__ = ()


@dataclass(kw_only=True)
class _Elements:
    """Nodes, or edges, as far as they are read: where each begins, what each says."""

    at: array[int] = field(default_factory=lambda: array("q"))
    keys: list[Any] = field(default_factory=list)
    values: Values


@dataclass(kw_only=True, eq=False)
class _Graph:
    """The graph of a file: nodes with their keys as JSON has them, edges with both ends likewise."""

    document: _Document
    nodes: _Elements
    edges: _Elements
    directed: bool | None
    flavour: str
    edge_directed: dict[int, bool] = field(default_factory=dict)
    others: tuple[str, ...] = ()


class _Document:
    """A JSON text and how to go through it."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.problems: list[Problem] = []
        self.said: Counter[str] = Counter()
        self.nested: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self._twice: list[str] = []
        self._unsafe = _UNSAFE.search(text) is not None
        self._take = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_Whole, parse_float=_Fraction, parse_constant=_NoNumber,
            strict=False).scan_once  # type: ignore[attr-defined]

    def _object(self, pairs: list[tuple[str, Any]]) -> Object:
        made = dict(pairs)
        if len(made) < len(pairs):
            self._twice += [name for name, number in Counter(name for name, _ in pairs).items() if number > 1]
        return made

    def fault(self, what: str, at: int, allowed: str | None = None, fix: str | None = None, column: str | None = None) -> None:
        """Note a problem of the line that this place is in."""
        line = self.text.count("\n", 0, at) + 1 if len(self.problems) < 50 else None
        self.problems.append(Problem(what=what, file=self.file, line=line, column=column, allowed=allowed, fix=fix))
        stop_at_many(self.problems)

    def stop(self, what: str, at: int, allowed: str | None = None, fix: str | None = None) -> InputProblem:
        """Return every problem so far as an error, for a text that cannot be followed beyond this place."""
        problem = Problem(what=what, file=self.file, line=self.text.count("\n", 0, at) + 1, allowed=allowed, fix=fix)
        return InputProblem([*self.problems[:20], problem])

    def past_space(self, at: int) -> int:
        """Return the next place that holds no white space."""
        found = _SPACE.match(self.text, at)
        return at if found is None else found.end()

    def value(self, at: int, what: str) -> tuple[Any, int]:
        """Return the value that begins here and the place behind it; `what` names it in a message."""
        try:
            value, end = self._take(self.text, at)
        except StopIteration as stop:
            raise self._broken("a value is expected here", int(stop.value)) from None
        except json.JSONDecodeError as error:
            raise self._broken(error.msg[:1].lower() + error.msg[1:], error.pos) from None
        if self._twice:
            for name in dict.fromkeys(self._twice):
                self.fault(f"{what} says '{name}' twice", at, "every name once in an object", column=name)
            self._twice.clear()
        if self._unsafe and not all(map(_is_text, _texts_in(value))):
            half = f"a text in {what} holds half a character or a zero"
            raise self.stop(half, at, "whole characters")
        return value, end

    def cell(self, name: str, value: Any) -> str | None:
        """Return a value as the text of a cell, None for a missing one."""
        if value is None or value == "":
            return None
        if isinstance(value, _NoNumber):
            if value == "NaN":
                self.said[f"'{name}' is NaN and read as missing"] += 1
                return None
            return str(value)
        if isinstance(value, str):
            return str(value)
        if not isinstance(value, bool):
            self.nested[name] += 1
        return _spelled(value)

    def _broken(self, what: str, at: int) -> InputProblem:
        return self.stop(f"is not well-formed JSON ({what})", at, fix="the file may be cut off; export it again")

    def members(self, at: int) -> Iterator[tuple[str, int]]:
        """Yield the names in the object that begins here, with the place of each value.

        Whoever asks must send the place behind the value.
        """
        seen: set[str] = set()
        at = self.past_space(at + 1)
        while self.text[at: at + 1] != "}":
            if self.text[at: at + 1] != '"':
                raise self._broken("a name in double quotes is expected here", at)
            begins = at
            name, at = self.value(at, "the file")
            at = self.past_space(at)
            if self.text[at: at + 1] != ":":
                raise self._broken("a colon is expected here", at)
            if name in seen:
                self.fault(f"says '{name}' twice", begins, "every name once in an object", column=name)
            seen.add(name)
            self.behind = -1
            yield name, self.past_space(at + 1)
            at = self._next(self.behind, "}")
        self.behind = at + 1

    def items(self, at: int) -> Iterator[int]:
        """Yield the place of each item of the list that begins here, on the same terms."""
        at = self.past_space(at + 1)
        while self.text[at: at + 1] != "]":
            yield at
            at = self._next(self.behind, "]")
        self.behind = at + 1

    def _next(self, at: int, closing: str) -> int:
        at = self.past_space(at)
        mark = self.text[at: at + 1]
        if mark == ",":
            at = self.past_space(at + 1)
            if self.text[at: at + 1] == closing:
                raise self._broken("a comma stands before the closing bracket", at)
        elif mark != closing:
            raise self._broken("a comma or a closing bracket is expected here", at)
        return at

    behind = -1

    def graph(self, options: ReadOptions) -> _Graph:
        """Return the graph that the text holds."""
        begins = self.past_space(0)
        if self.text[begins: begins + 1] != "{":
            raise self.stop("holds no object with nodes and links", begins, _ALLOWED, _ADVICE)
        walk = _Walk(self, options)
        walk.level(begins, "")
        end = self.past_space(self.behind)
        if end < len(self.text):
            raise self._broken("more text stands behind the end", end)
        return walk.graph()


_ALLOWED = 'an object such as {"nodes": [{"id": 1}, …], "links": [{"source": 1, "target": 2}, …]}'
_ADVICE = "export it as node-link JSON, or people and ties as CSV"


class _Walk:
    """The way through a document: where the lists of nodes and edges stand, and what else is said."""

    def __init__(self, document: _Document, options: ReadOptions) -> None:
        self.document = document
        self.options = options
        self.nodes: _Elements | None = None
        self.lists: dict[str, _Elements] = {}
        self.directed: bool | None = None
        self.flavour = "node-link"
        self.others: list[str] = []
        self.edge_directed: dict[int, bool] = {}
        self._wholes: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    def level(self, at: int, inside: str) -> None:
        """Read an object that may hold lists of nodes and edges."""
        document = self.document
        for name, place in document.members(at):
            mark = document.text[place: place + 1]
            document.behind = -1
            if name == "nodes" and mark in "[{" and mark:
                self._nodes(place, mark)
            elif name in _EDGES and mark == "[":
                self.lists[name] = self._edges(place)
            elif name in ("graph", "elements") and mark == "{" and not inside:
                self.level(place, name)
            else:
                value, document.behind = document.value(place, "the file")
                self._other(name, value, place, inside)

    def _other(self, name: str, value: Any, place: int, inside: str) -> None:
        if name == "directed" and not isinstance(value, bool):
            self.document.fault("directed is neither true nor false", place, "true or false")
        elif name == "directed":
            self.directed = value
        elif name == "options" and isinstance(value, dict) and value.get("type") in ("directed", "undirected"):
            self.directed = value["type"] == "directed"
        elif name == "type" and value in ("NetworkGraph", "NetworkRoutes"):
            self.flavour = "netJSON"
        elif name in ("nodes", *_EDGES):
            self.document.fault(f"'{name}' is no list", place, _ALLOWED)
        elif name == "hyperedges" and value:
            self.document.fault("a hyperedge ties more than two people", place, "edges with two ends")
        elif name in ("adjacency", "children", "graphs") and value:
            self.document.fault(f"holds a graph as '{name}', which is not read", place, _ALLOWED, _ADVICE)
        elif name != "multigraph" and value not in (None, "", [], {}):
            self.others.append(f"{inside}.{name}" if inside else name)

    def _nodes(self, at: int, mark: str) -> None:
        document = self.document
        nodes = self.nodes = _Elements(values=Values(document.file))
        if mark == "[":
            for number, place in enumerate(document.items(at), start=1):
                value, document.behind = document.value(place, f"node {number}")
                self._node(nodes, value, place)
                if number % _EVERY == 0:
                    advance("read", place, len(document.text))
            return
        # the JSON Graph Format names its nodes outside of them
        self.flavour = "JSON Graph Format"
        for name, place in document.members(at):
            value, document.behind = document.value(place, f"node {len(nodes.at) + 1}")
            self._node(nodes, {**value, "id": name} if isinstance(value, dict) else {"id": name}, place)

    def _node(self, nodes: _Elements, value: Any, at: int) -> None:
        place = len(nodes.at)
        nodes.at.append(at)
        if isinstance(value, str):
            value = {"id": value}
        elif not isinstance(value, dict):
            self.document.fault(f"node {place + 1} is no object", at, '{"id": …}')
            value = {}
        flat = self._flattened(value)
        # graphology names its nodes by key
        name = "key" if "id" not in flat and "key" in flat and "attributes" in value else "id"
        nodes.keys.append(flat.pop(name, None))
        self._keep(nodes, place, flat)

    def _flattened(self, value: Object) -> Object:
        """Return an element's own members and those that its flavour keeps one level deeper."""
        flat: Object = {}
        for name, member in value.items():
            if name in _INNER and isinstance(member, dict):
                for inner, within in member.items():
                    flat[f"{name}.{inner}" if inner in value or inner in flat else inner] = within
            elif name in _SHOWN and ("data" in value or isinstance(member, dict)):
                self.document.dropped[name] += 1
            else:
                flat[name] = member
        return flat

    def _keep(self, elements: _Elements, place: int, members: Object) -> None:
        for name, value in members.items():
            text = self.document.cell(name, value)
            elements.values.put(name, place, text, None if text is None else _TYPES.get(type(value)))

    def _edges(self, at: int) -> _Elements:
        document = self.document
        edges = _Elements(values=Values(document.file))
        for number, place in enumerate(document.items(at), start=1):
            value, document.behind = document.value(place, f"edge {number}")
            edges.at.append(place)
            if number % _EVERY == 0:
                advance("read", place, len(document.text))
            if isinstance(value, dict) and value.keys() == _PLAIN:
                # nearly every edge is that plain
                edges.keys.append((self._shared(value["source"]), self._shared(value["target"])))
                continue
            if not isinstance(value, dict):
                document.fault(f"edge {number} is no object", place, '{"source": …, "target": …}')
                value = {}
            flat = self._flattened(value)
            self._direction(flat, number)
            source, target = self._ends_of(flat)
            edges.keys.append((self._shared(flat.pop(source, None)), self._shared(flat.pop(target, None))))
            self._keep(edges, number - 1, flat)
        return edges

    def _shared(self, end: Any) -> Any:
        """Return an end as one object for all edges that have it, for there are many."""
        known = self._wholes if end.__class__ is _Whole else self._texts if end.__class__ is str else None
        return end if known is None else known.setdefault(end, end)

    def _direction(self, members: Object, number: int) -> None:
        """Take out what an edge says of its own direction."""
        if isinstance(members.get("directed"), bool):
            self.edge_directed[number - 1] = members.pop("directed")
        elif isinstance(members.get("undirected"), bool):
            self.edge_directed[number - 1] = not members.pop("undirected")

    def _ends_of(self, members: Object) -> tuple[str, str]:
        asked = (self.options.source or "source", self.options.target or "target")
        pairs = (asked, *_ENDS)
        return next((pair for pair in pairs if pair[0] in members and pair[1] in members),
                    next((pair for pair in pairs if pair[0] in members or pair[1] in members), asked))

    def graph(self) -> _Graph:
        """Return what was found."""
        document = self.document
        if self.nodes is None:
            document.fault("holds no list of nodes", 0, _ALLOWED, _ADVICE)
        if not self.lists:
            document.fault("holds no list of links or edges", 0, _ALLOWED, "an empty list says that there are none")
        if len(self.lists) > 1 and not _same(*self.lists.values()):
            first, second = self.lists
            numbers = " and ".join(f"{len(edges.at):,} {name}" for name, edges in self.lists.items())
            document.fault(f"holds '{first}' and '{second}', and they differ ({numbers})", self.lists[second].at[0]
                           if self.lists[second].at else 0, "one of them", "remove the one that is not meant")
        refuse_any(document.problems)
        nodes, edges = self.nodes or _Elements(values=Values(document.file)), next(iter(self.lists.values()))
        if len(self.lists) > 1:
            document.said["edges and links stand there and are the same; they are read once"] += 1
        directed = self.directed
        if self.flavour == "JSON Graph Format" and directed is None:
            directed = True
            document.said["says nothing of directions, and the JSON Graph Format means arcs then"] += 1
        return _Graph(document=document, nodes=nodes, edges=edges, directed=directed, flavour=self.flavour,
                      edge_directed=self.edge_directed, others=tuple(self.others))


def _same(one: _Elements, other: _Elements) -> bool:
    texts = [{name: column.tolist() for name, column in edges.values.columns(len(edges.at)).items()}
             for edges in (one, other)]
    return one.keys == other.keys and texts[0] == texts[1]


def _texts_in(value: Any) -> Iterator[str]:
    """Yield every text that a value holds, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts_in(item)
    elif isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from _texts_in(member)


def _is_text(text: str) -> bool:
    """Tell whether a text can be written down."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


_TYPES: Mapping[type, Declared] = {_Whole: "whole", _Fraction: "number", _NoNumber: "number", str: "text", bool: "boolean"}
_KINDS = {_Whole: "number", _Fraction: "number", _NoNumber: "number", str: "text", list: "list", bool: "boolean"}


def _spelled(value: Any) -> str:
    """Return a value as JSON spells it, numbers as they stand in the file."""
    if isinstance(value, _Whole | _Fraction | _NoNumber):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_spelled, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name, ensure_ascii=False)}: {_spelled(inner)}" for name, inner in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def _text(key: Any) -> str | None:
    """Return an id as text, None for one that is missing."""
    if key is None or isinstance(key, _NoNumber):
        return None
    return str(key) or None if isinstance(key, str) else _spelled(key)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Named:
    """Who is who: the ids of the nodes, the attribute that they come from, both ends of each edge."""

    ids: Column
    source: Column
    target: Column
    id_name: str | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def _named(graph: _Graph, attributes: Mapping[str, Column], options: ReadOptions) -> _Named:
    """Return the ids of nodes and what ends refer to, or refuse what could be meant in two ways."""
    keys = [_text(key) for key in graph.nodes.keys]
    unnamed = [place for place, key in enumerate(keys) if key is None]
    if len(unnamed) == len(keys):
        return _without_ids(graph, attributes, options)
    document = graph.document
    for place in unnamed:
        document.fault(f"node {place + 1} has no id, and others have", graph.nodes.at[place], "an id in every node")
    _refuse_alike(graph, keys)
    refuse_any(document.problems)
    if options.ends != "position" and _by_id(graph, keys, options):
        named = _Named(ids=column_of(keys), source=_ends(graph, 0), target=_ends(graph, 1), warnings=_mixed(graph))
        shared = dict(zip(keys, keys, strict=True))
        return replace(named, source=column_of([shared.get(end, end) for end in named.source.tolist()]),
                       target=column_of([shared.get(end, end) for end in named.target.tolist()]))
    ids = column_of(keys)
    source, target = _positions(graph, options)
    return _Named(ids=ids, source=ids[source], target=ids[target], warnings=(_PLACES,))


_PLACES = "ends of links are places in the list of nodes, counted from 0"


def _refuse_alike(graph: _Graph, keys: Sequence[str | None]) -> None:
    """Note nodes whose ids differ only in that one is a number and one a text."""
    first: dict[str | None, int] = {}
    for place, key in enumerate(keys):
        if key is None:
            continue
        earlier = first.setdefault(key, place)
        kinds = [_KINDS.get(type(graph.nodes.keys[number]), "object") for number in (earlier, place)]
        if kinds[0] != kinds[1]:
            graph.document.fault(f"nodes {earlier + 1} and {place + 1} have the id {key}, one as {kinds[0]} and one as {kinds[1]}",
                                 graph.nodes.at[place], "ids that differ as text", "give one of the two another id")
        elif kinds[0] == "object":
            graph.document.fault(f"the id of node {place + 1} is an object", graph.nodes.at[place], "a text or a number")


def _ends(graph: _Graph, side: int) -> Column:
    return column_of([_text(ends[side]) for ends in graph.edges.keys])


def _mixed(graph: _Graph) -> tuple[str, ...]:
    """Return what is to be said of numbers and texts that are taken for the same."""
    ids = Counter(_KINDS.get(type(key), "object") for key in graph.nodes.keys)
    kinds = {_KINDS.get(kind, "object") for side in (0, 1) for kind in {type(ends[side]) for ends in graph.edges.keys}
             if kind is not type(None)} | set(ids)
    if len(kinds) < 2:
        return ()
    shown_kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(ids.items()))
    return (f'ids of mixed JSON type (nodes: {shown_kinds}); 1 and "1" are one id, lists are read as text',)


def _by_id(graph: _Graph, keys: Sequence[str | None], options: ReadOptions) -> bool:
    """Tell whether ends are ids, which they are if all of them are or if they can be nothing else."""
    known = set(keys)
    ends = [end for both in graph.edges.keys for end in both]
    strange = [end for end in ends if end is not None and _text(end) not in known]
    if not strange or options.ends == "id" or not _are_positions(ends, len(keys)):
        return True
    if len(strange) < len(ends) or any((key or "").isdecimal() for key in keys):
        strays = (f"{number_of(len(strange), 'end of a link is', 'ends of links are')} no id of a node,"
                  " but all ends could be places in the list of nodes")
        raise graph.document.stop(strays, graph.edges.at[0], "ends that are ids, or places counted from 0",
                                  "--ends id or --ends position")
    return False


def _are_positions(ends: Sequence[Any], number: int) -> bool:
    return all(isinstance(end, _Whole) and end.isdecimal() and len(end) < 12 and int(end) < number for end in ends)


def _positions(graph: _Graph, options: ReadOptions) -> NDArray[np.int64]:
    """Return both ends of each edge as places."""
    number = len(graph.nodes.at)
    for place, ends in enumerate(graph.edges.keys):
        if not _are_positions(ends, number):
            graph.document.fault(
                f"an end of link {place + 1} is no place in the list of nodes", graph.edges.at[place],
                f"whole numbers from 0 to {number - 1}", "--ends id" if options.ends == "position" else None)
    refuse_any(graph.document.problems)
    return np.array([[int(end) for end in ends] for ends in graph.edges.keys], dtype=np.int64).reshape(-1, 2).T


def _without_ids(graph: _Graph, attributes: Mapping[str, Column], options: ReadOptions) -> _Named:
    """Return the ids of nodes that have none: places, or an attribute that was asked for."""
    number = len(graph.nodes.at)
    ends = [end for both in graph.edges.keys for end in both]
    if options.ends != "id" and _are_positions(ends, number):
        source, target = _positions(graph, options)
        ids = column_of([str(place) for place in range(number)])
        notes = ("nodes have no id and are named by their places, counted from 0",)
        return _Named(ids=ids, source=ids[source], target=ids[target], notes=notes)
    if options.id is not None and options.id in attributes:
        ids = attributes[options.id]
        return _Named(ids=ids, source=_ends(graph, 0), target=_ends(graph, 1), id_name=options.id)
    wanted = {_text(end) for end in ends if end is not None}
    holding = [name for name, column in attributes.items() if wanted <= set(column.tolist())]
    fix = f"--id {holding[0]} takes {shown(holding)} as the id" if holding else "add ids"
    raise graph.document.stop("nodes have no id, and ends of links are not all places in the list of nodes",
                              graph.nodes.at[0] if number else 0, '"id" in every node', fix)


def _parts(graph: _Graph, report: ReadReport, options: ReadOptions) -> GraphParts:
    document, missing = graph.document, frozenset(options.na_values)
    number, edges = len(graph.nodes.at), len(graph.edges.at)
    attributes = graph.nodes.values.columns(number, missing)
    layout = _layout(attributes)
    attributes = {name: column for name, column in attributes.items() if name not in layout}
    named = _named(graph, attributes, options)
    directions = np.full(edges, bool(graph.directed), dtype=bool)
    directions[list(graph.edge_directed)] = list(graph.edge_directed.values())
    again = _again(graph, directions, options)
    rows = np.concatenate([np.arange(edges), again])
    turned = np.arange(len(rows)) >= edges
    source, target = named.source[rows], named.target[rows]
    tie_attributes = graph.edges.values.columns(edges, missing)
    return GraphParts(
        file=document.file, ids=named.ids, id_name=named.id_name, lines=lines_at(document.text, graph.nodes.at),
        attributes=attributes, source=np.where(turned, target, source), target=np.where(turned, source, target),
        tie_lines=lines_at(document.text, graph.edges.at)[rows], labels=_LABELS,
        tie_attributes={name: column[rows] for name, column in tie_attributes.items()},
        types=graph.nodes.values.types(), tie_types=graph.edges.values.types(),
        directed=bool(directions.any()) if edges and graph.edge_directed else graph.directed,
        report=_report(graph, named, layout, report),
    )


def _again(graph: _Graph, directions: NDArray[np.bool_], options: ReadOptions) -> NDArray[np.int64]:
    """Return the edges without direction among arcs, which go both ways."""
    if options.directed is None and len(set(directions.tolist())) == 2:
        odd = int(np.argmax(directions != directions[0]))
        raise graph.document.stop("mixes directed and undirected edges", graph.edges.at[odd], None,
                                  "--directed reads an undirected edge as two arcs, --undirected reads arcs as ties")
    return both_ways(directions, np.zeros(len(directions), dtype=bool), asked=options.directed)


def _layout(attributes: Mapping[str, Column]) -> tuple[str, ...]:
    """Return the attributes in which d3 keeps where it drew a node, known by its numbering of the nodes."""
    index = attributes.get("index")
    if index is None or any(cell != str(place) for place, cell in enumerate(index.tolist())):
        return ()
    return tuple(name for name in _D3 if name in attributes)


def _report(graph: _Graph, named: _Named, layout: Sequence[str], report: ReadReport) -> ReadReport:
    document = graph.document
    lines = document.text.count("\n") + (not document.text.endswith("\n"))
    nodes, edges = number_of(len(graph.nodes.at), "node", "nodes"), number_of(len(graph.edges.at), "edge", "edges")
    notes = [f"{graph.flavour} JSON, {nodes}, {edges}, {number_of(lines, 'line', 'lines')}", *named.notes]
    if graph.others:
        notes.append(f"not read, what is said of the file and the graph: {shown(graph.others)}")
    seen = [*named.warnings]
    if layout:
        seen.append(f"the numbering and layout of d3 dropped: {', '.join(layout)}")
    seen += told(document.dropped, "what belongs to a drawing dropped: '{name}' ({number} times)")
    seen += told(document.nested, "'{name}' holds lists or objects, kept as JSON text ({number} times)")
    seen += told(document.said, "{name}")
    file = document.file
    return report.plus({"lines_read": lines}, tuple(f"{file}: {text}" for text in notes),
                       tuple(f"{file}: {text}" for text in seen))
