"""GML, the graph modelling language, read by a reader of our own.

No library reads the GML that people have. networkx wants a label on every node, no label twice, plain
ASCII and a flag before it lets an edge repeat; igraph makes ids and whole numbers floating-point and keeps
most entities undecoded. Here identity is the ``id`` and nothing else, exactly as it is written; a label is an
attribute that may be missing or shared; an edge may repeat; text is UTF-8, or what the bytes show, with
the entities of HTML decoded.

A key that stands several times in one element is a list, as networkx writes lists. A record inside an
element becomes attributes with a dot in their name (``home.city``), unless it holds a drawing. Nodes
marked ``isGroup`` (yEd) are no people. What is said of the graph or the file as a whole is not read.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from html.entities import html5
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from graphanon.errors import InputProblem, Problem
from graphanon.io.cells import number_of
from graphanon.io.declared import Declared, settled
from graphanon.io.elements import Values, bracketed, column_of, lines_at, stop_at_many, tied_groups, told
from graphanon.io.faults import refuse_any, shown
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.io.text import decoded
from graphanon.progress import advance

__all__ = ["fits", "read"]

Record: TypeAlias = "list[tuple[bytes, bytes | Record]]"
_SPACE = rb"[ \t\n\f\v]*+(?:#[^\n]*+[ \t\n\f\v]*+)*+"
_TOKEN = re.compile(_SPACE + rb'(?:(?P<word>[^\s\[\]"#][^\s\[\]"]*+)|(?P<text>"[^"]*+")(?=[\s\[\]]|\Z)|(?P<open>\[)|(?P<close>\])'
                    rb'|(?P<end>\Z)|(?P<bad>["\r]))')
# most elements hold no record, so that one look takes the whole of them
_FLAT = re.compile(rb'((?:[^\[\]"#]{1,200}+|"[^"]{0,2000}+"(?=[\s\]])){0,500}+)\]')
_PIECES = re.compile(rb'"[^"]*+"|[^\s"]++')
_KEY = re.compile(rb"[A-Za-z_\x80-\xff][\w.:\-\x80-\xff]*")
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_INFINITE = re.compile(rb"[+-]?inf(?:inity)?", re.IGNORECASE)
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
_DRAWINGS = frozenset({"graphics", "labelgraphics", "edgeanchor", "nodegraphics", "edgegraphics", "viz", "line", "point"})
_LIST = "_networkx_list_start"
_DEEPEST = 100
_LONGEST, _SHORT = 200_000, 100
_LINED = 50
_LOOKED_AT = 200
_EVERY = 1 << 14


def fits(head: bytes) -> bool:
    """Tell whether a file begins like GML: names with values, then a record named graph."""
    plain = head.replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")
    cursor = _Cursor(plain.replace(b"\r", b"\n"))
    for _ in range(_LOOKED_AT):
        key, value = cursor.next(), cursor.next()
        if key.kind != "word" or not _KEY.fullmatch(key.text) or value.kind not in ("word", "text", "open"):
            return False
        if value.kind == "open":
            return key.text.lower() == b"graph"
    return False


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of a GML file.

    Raises
    ------
    InputProblem
        If the file is not built as GML, holds several graphs or none, a node without an id, an id that
        stands twice in one element, or an edge to a group; all at once, as far as the file can be followed.
    """
    text = decoded(content.read(), content.name, options.encoding)
    walk = _Walk(content.name, text.data)
    walk.file_level()
    refuse_any(_problems(walk))
    report = ReadReport(notes=(f"{content.name}: {text.encoding}",), warnings=text.warnings)
    return graph_source(_parts(walk, report, options), options)


class _Token(NamedTuple):
    kind: str
    text: bytes
    at: int


class _Cursor:
    """Words, texts and brackets of a file, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def next(self) -> _Token:
        """Return the next piece and go past it; at the end, one of the kind ``end`` again and again."""
        found = _TOKEN.match(self.data, self.at)
        if found is None:
            return _Token("bad", b"", self.at)
        kind = found.lastgroup or "bad"
        self.at = found.end()
        return _Token(kind, found[kind], found.start(kind))

    def flat(self) -> bytes | None:
        """Return what stands before the closing bracket and go past it, None if there is more to it."""
        found = _FLAT.match(self.data, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found[1]


class _Walk:
    """What has been seen of a file."""

    def __init__(self, file: str, data: bytes) -> None:
        self.file = file
        self.cursor = _Cursor(data)
        self.problems: list[Problem] = []
        self.said: Counter[str] = Counter()
        self.drawings: Counter[str] = Counter()
        self.metadata: dict[str, None] = {}
        self.graphs = 0
        self.directed: str | None = None
        self.ids: list[str] = []
        self.at = array("q")
        self.groups: set[int] = set()
        self.values = Values(file)
        self.source: list[str | None] = []
        self.target: list[str | None] = []
        self.tie_at = array("q")
        self.tie_values = Values(file)
        self.lists: dict[str, Counter[str]] = {"node": Counter(), "edge": Counter()}
        self.types: dict[str, dict[str, set[Declared]]] = {"node": {}, "edge": {}}
        self._names: dict[bytes, str] = {}
        self._plain: dict[bytes, str] = {}

    def fault(self, what: str, at: int, allowed: str | None = None, fix: str | None = None) -> None:
        """Note a problem of the line that this place is in."""
        # a line costs a look through the file, so beyond those that are listed it is left out
        line = self.cursor.data.count(b"\n", 0, at) + 1 if len(self.problems) < _LINED else None
        self.problems.append(Problem(what=what, file=self.file, line=line, allowed=allowed, fix=fix))
        stop_at_many(self.problems)

    def stop(self, what: str, at: int, allowed: str | None = None, fix: str | None = None) -> InputProblem:
        """Return every problem so far as an error, for a file that cannot be followed beyond this place."""
        line = self.cursor.data.count(b"\n", 0, at) + 1
        problem = Problem(what=what, file=self.file, line=line, allowed=allowed, fix=fix)
        return InputProblem([*self.problems[:20], problem])

    def no_value(self, name: str, value: _Token) -> InputProblem:
        """Return that a name is not followed by what it needs."""
        if value.kind == "bad":
            return self.stop(f"the text of '{name}' does not end, or goes on behind its end", value.at, 'text such as "text"',
                             "write a quotation mark inside a text as &quot;")
        return self.stop(f"'{name}' has no value", value.at, "a number, a text in quotes or [")

    def name(self, word: bytes, at: int) -> str:
        """Return a key as text."""
        name = self._names.get(word)
        if name is None:
            if not _KEY.fullmatch(word):
                raise self.stop("a name of an attribute is expected here", at, "a name, then a number, a text in quotes or [",
                                "put texts in quotes, and write a quotation mark inside a text as &quot;")
            name = self._names[word] = word.decode("utf-8", "replace")
        return name

    def file_level(self) -> None:
        """Read the whole file."""
        while (token := self.cursor.next()).kind != "end":
            name = self.key(token)
            value = self.cursor.next()
            if value.kind == "open" and name.lower() == "graph":
                self.graphs += 1
                if self.graphs > 1:
                    self.fault("a second graph begins here", token.at, "one graph in a file", "split the file")
                self.graph_level(token.at)
            else:
                self.of_the_whole(name, value)

    def key(self, token: _Token) -> str:
        """Return the name that a piece must be."""
        if token.kind == "bad":
            raise self.stop("a text stands here where a name should", token.at, "a name, then its value")
        if token.kind == "close":
            raise self.stop("a closing bracket too many", token.at)
        return self.name(token.text, token.at)

    def of_the_whole(self, name: str, value: _Token) -> None:
        """Pass over what is said of the graph or the file."""
        self.metadata[name] = None
        if value.kind == "open":
            self.record(value.at)
        elif value.kind not in ("word", "text"):
            raise self.no_value(name, value)

    def graph_level(self, began: int) -> None:
        """Read what stands between the brackets of the graph."""
        while (token := self.cursor.next()).kind != "close":
            if token.kind == "end":
                raise self.stop("the graph that begins here is not closed", began, fix="the file may be cut off")
            name = self.key(token)
            kind = name.lower()
            value = self.cursor.next()
            if value.kind == "open" and kind == "node":
                self.node(self.element(value.at), token.at)
            elif value.kind == "open" and kind == "edge":
                self.edge(self.element(value.at), token.at)
            elif kind == "directed" and value.kind in ("word", "text"):
                self.direction(value)
            elif kind == "graph" and value.kind == "open":
                raise self.stop("a graph begins inside a graph", token.at, "one graph of nodes and edges")
            else:
                self.of_the_whole(name, value)

    def direction(self, value: _Token) -> None:
        """Read whether edges have a direction."""
        said = value.text.strip(b'"').decode("utf-8", "replace")
        if said not in ("0", "1"):
            self.fault(f"directed is '{said}'", value.at, "0 or 1")
        elif self.directed not in (None, said):
            self.fault("says directed twice, 0 and 1", value.at, "one of them")
        self.directed = said

    def element(self, began: int) -> Record:
        """Return what a node or an edge holds."""
        body = self.cursor.flat()
        if body is None:
            return self.record(began)
        pieces: list[bytes] = _PIECES.findall(body)
        if len(pieces) % 2:
            self.cursor.at = began + 1
            return self.record(began)
        return list(zip(pieces[::2], pieces[1::2], strict=True))

    def record(self, began: int) -> Record:
        """Return what stands before the bracket that closes, records inside records as lists."""
        record: Record = []
        open_records = [record]
        most = self.cursor.at + _LONGEST
        while open_records:
            token = self.cursor.next()
            if token.kind == "close":
                open_records.pop()
                continue
            if token.kind == "end":
                raise self.stop("the bracket that opens here is not closed", began, fix="the file may be cut off")
            self.key(token)
            if token.at > most:
                raise self.stop("one element goes on and on", began, f"up to {_LONGEST:,} bytes without long texts")
            value = self.cursor.next()
            most += max(0, len(value.text) - _SHORT)
            if value.kind == "open":
                inner: Record = []
                open_records[-1].append((token.text, inner))
                open_records.append(inner)
                if len(open_records) > _DEEPEST:
                    raise self.stop("records are nested too deeply", token.at, f"{_DEEPEST} records in each other")
            elif value.kind in ("word", "text"):
                open_records[-1].append((token.text, value.text))
            else:
                raise self.no_value(self.name(token.text, token.at), value)
        return record

    def node(self, record: Record, at: int) -> None:
        """Keep a person."""
        place = len(self.ids)
        told = self.attributes(record, "node", at)
        found = self.one(told, "id", "node", at)
        if found is None:
            self.fault(f"node {place + 1} has no id", at, "an id in every node",
                       "labels do not identify people, for two may share one; add ids")
        self.ids.append(found or "")
        if found is not None and found.isdecimal() and found.isascii():
            self._plain[found.encode()] = found
        self.at.append(at)
        if told.get("isGroup") == "1":
            self.groups.add(place)
        told.pop("isGroup", None)
        for name, text in told.items():
            self.values.put(name, place, text)
        self.heartbeat(len(self.at))

    def edge(self, record: Record, at: int) -> None:
        """Keep a tie."""
        place = len(self.source)
        if len(record) == 2:
            (first, source), (second, target) = record
            # nearly every edge is that plain
            if (first, second) == (b"source", b"target") and isinstance(source, bytes) and isinstance(target, bytes) \
                    and source in self._plain and target in self._plain:
                self.source.append(self._plain[source])
                self.target.append(self._plain[target])
                self.tie_at.append(at)
                self.heartbeat(place)
                return
        told = self.attributes(record, "edge", at)
        self.source.append(self.one(told, "source", "edge", at))
        self.target.append(self.one(told, "target", "edge", at))
        self.tie_at.append(at)
        for name, text in told.items():
            self.tie_values.put(name, place, text)
        self.heartbeat(len(self.tie_at))

    def heartbeat(self, number: int) -> None:
        """Tell now and then how far the file is read."""
        if number % _EVERY == 0:
            advance("read", self.cursor.at, len(self.cursor.data))

    def one(self, told: dict[str, str | None], name: str, kind: str, at: int) -> str | None:
        """Take out the value of a name, in any letter case if it does not stand as it should."""
        if name not in told:
            alike = [other for other in told if other.lower() == name]
            if len(alike) != 1:
                if alike:
                    self.fault(f"{shown(alike)} of one {kind} could all be its {name}", at, f"one {name}")
                return None
            self.said[f"'{alike[0]}' of {kind}s read as {name}"] += 1
            name = alike[0]
        return told.pop(name) or None

    def attributes(self, record: Record, kind: Literal["node", "edge"], at: int) -> dict[str, str | None]:
        """Return the attributes of an element by name, each with one text."""
        told: dict[str, str | None] = {}
        several: dict[str, list[bytes]] = {}
        for name, value in self.flattened(record, "", at):
            if name not in told:
                told[name] = self.text(name, value, at)
                self.types[kind].setdefault(name, set()).add(_type(value))
                several[name] = [value]
            else:
                several[name].append(value)
        for name, values in several.items():
            if len(values) > 1:
                told[name] = self.listed(name, values, kind, at)
        return told

    def flattened(self, record: Record, prefix: str, at: int) -> Iterator[tuple[str, bytes]]:
        """Yield names and values, those of inner records with the names of both."""
        for key, value in record:
            name = self.name(key, at)
            if isinstance(value, bytes):
                yield prefix + name, value
            elif name.lower() in _DRAWINGS:
                self.drawings[name] += 1
            elif name.lower() == "graph":
                self.fault("a graph begins inside a node or an edge", at, "one graph of nodes and edges")
            else:
                yield from self.flattened(value, f"{prefix}{name}.", at)

    def listed(self, name: str, values: Sequence[bytes], kind: Literal["node", "edge"], at: int) -> str | None:
        """Return the list that a key makes which stands several times."""
        if name in (("id",) if kind == "node" else ("source", "target")):
            self.fault(f"{'a node' if kind == 'node' else 'an edge'} has {len(values)} values of {name}", at, "one")
        texts = [self.text(name, value, at) for value in values]
        if texts[0] == _LIST:
            del texts[0]
        self.lists[kind][name] += 1
        self.types[kind][name].add("text")
        return bracketed(text or "" for text in texts)

    def text(self, name: str, value: bytes, at: int) -> str | None:
        """Return a value as text, None for a number that is none."""
        if value[:1] == b'"':
            return self.unescaped(value[1:-1].decode("utf-8"))
        if _NUMBER.fullmatch(value) or _INFINITE.fullmatch(value):
            return value.decode("ascii")
        if value.lower().lstrip(b"+-") == b"nan":
            self.said[f"'{name}' is NaN, read as missing"] += 1
            return None
        self.fault(f"the value of '{name}' is neither a number nor in quotes", at, 'a number, or text such as "text"',
                   "put texts in quotes, and write a quotation mark inside a text as &quot;")
        return None

    def unescaped(self, text: str) -> str:
        """Return a text with its entities decoded."""
        return _ENTITY.sub(self.entity, text) if "&" in text else text

    def entity(self, found: re.Match[str]) -> str:
        """Return what an entity stands for, itself if nobody knows."""
        name = found[1]
        letter = unescape(found[0]) if name[0] == "#" or f"{name};" in html5 else ""
        if letter in ("", "\ufffd", "\0"):
            self.said["an entity that nobody knows is kept as it is written"] += 1
            return found[0]
        return letter


def _type(value: bytes) -> Declared:
    """Return what a value is: text if it stands in quotes, else a number."""
    if value[:1] == b'"':
        return "text"
    return "whole" if value.lstrip(b"+-").isdigit() else "number"


def _problems(walk: _Walk) -> Iterator[Problem]:
    yield from walk.problems
    if not walk.graphs:
        yield Problem(what="holds no graph", file=walk.file, allowed="graph [ … ] with nodes and edges")
    if walk.groups:
        lines = lines_at(walk.cursor.data, walk.tie_at).tolist()
        groups = {walk.ids[place] for place in walk.groups}
        yield from tied_groups(groups, walk.source, walk.target, lines, walk.file)


def _parts(walk: _Walk, report: ReadReport, options: ReadOptions) -> GraphParts:
    data = walk.cursor.data
    people = np.array([place not in walk.groups for place in range(len(walk.ids))], dtype=bool)
    attributes = walk.values.columns(len(walk.ids), frozenset(options.na_values))
    shared = {name: name for name in walk.ids}
    source, target = ([None if end is None else shared.get(end, end) for end in ends] for ends in (walk.source, walk.target))
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    return GraphParts(
        file=walk.file, ids=column_of(walk.ids)[people], lines=lines_at(data, walk.at)[people],
        attributes={name: column[people] for name, column in attributes.items()},
        source=column_of(source), target=column_of(target), tie_lines=lines_at(data, walk.tie_at),
        tie_attributes=walk.tie_values.columns(len(source), frozenset(options.na_values)),
        types={name: settled(seen) for name, seen in walk.types["node"].items()},
        tie_types={name: settled(seen) for name, seen in walk.types["edge"].items()},
        directed=walk.directed == "1", labels=("label",), report=_report(walk, lines, report),
    )


def _report(walk: _Walk, lines: int, report: ReadReport) -> ReadReport:
    file = walk.file
    notes = [f"{file}: GML, {number_of(len(walk.ids) - len(walk.groups), 'node', 'nodes')}, {number_of(len(walk.source), 'edge', 'edges')}, {number_of(lines, 'line', 'lines')}"]
    if walk.metadata:
        notes.append(f"{file}: not read, what is said of the file and the graph: {shown(walk.metadata)}")
    seen = list(told(walk.drawings, "drawings ({name}) dropped, {number} times"))
    if walk.groups:
        number = len(walk.groups)
        seen.append(f"{number} group node{'s' if number > 1 else ''} passed over; the people are the nodes inside")
    for kind, lists in walk.lists.items():
        seen += told(lists, f"'{{name}}' stands several times in {{number}} {kind}s, read as a list")
    seen += told(walk.said, "{name} ({number} times)")
    counts = {"lines_read": lines, "group_nodes": len(walk.groups)}
    return report.plus(counts, tuple(notes), tuple(f"{file}: {text}" for text in seen))
