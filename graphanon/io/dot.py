"""DOT, the language of Graphviz, read as a network: nodes are people, whatever they look like.

The language is small and its traps are in the corners: names in quotation marks over many lines, ports, chains
(``a -> b -> {c d}``), defaults that hold for what is made after them, comments anywhere. A parser that stumbles over
one of them loses people, so this reader is our own and follows the grammar to the letter; what the
grammar does not allow is refused with its line.

A node takes the defaults of the block in which it is first named. In a strict graph a repeated edge is the same edge, whose
attributes are added to. What says only how a thing is drawn (colours, shapes, fonts, places) is dropped and
counted; so are ports, and who stands in which subgraph. After Emden Gansner and Stephen North: An open graph
visualization system and its applications to software engineering (2000), and Graphviz' own description of the language.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import Problem
from graphanon.io.cells import number_of
from graphanon.io.csv_table import Column
from graphanon.io.faults import refusal, refuse_any
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.numbered import column_of
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.io.text import Text, decoded
from graphanon.progress import advance

__all__ = ["fits", "read"]

_SPACE = re.compile(r"(?:\n[ \t\r]*+#[^\n]*+|(?<![^\n])#[^\n]*+|[\s\ufeff]|//[^\n]*+)++")
_NUMBER = re.compile(r"-?(?:\.\d++|\d++(?:\.\d*+)?)", re.ASCII)
_WORD = re.compile(r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*+")
_TOKEN = re.compile(rf"(?:{_SPACE.pattern})?(?:(?P<word>{_WORD.pattern})|(?P<sign>->|--|[{{}}\[\];,=:+]))")
# most statements are a name or two, perhaps with attributes, and one look takes the whole of them
_GAP = r"[ \t\r\n]*+"
_NAME = rf'(?:{_WORD.pattern}|{_NUMBER.pattern}(?![\w.\u0080-\U0010ffff])|"[^"\\]*+"(?!{_GAP}\+))'
_PAIR = re.compile(rf"{_GAP}({_NAME}){_GAP}={_GAP}({_NAME}){_GAP}[,;]?")
_KEYWORD = r"(?!(?i:node|edge|graph|digraph|subgraph|strict)(?![A-Za-z0-9_\u0080-\U0010ffff]))"
_PLAIN = re.compile(
    rf"{_GAP}{_KEYWORD}({_NAME}){_GAP}(?:(--|->){_GAP}{_KEYWORD}({_NAME}){_GAP}|(=){_GAP}{_NAME}{_GAP}(?!\[))?"
    rf'(\[(?:{_PAIR.pattern.replace("(" + _NAME + ")", _NAME)})*+{_GAP}\])?{_GAP}(?:;|(?=[A-Za-z0-9_"}}\u0080-\U0010ffff]))')
_MORE = re.compile(r"[; \t\r\n]*+")
_QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ANGLE = re.compile(r"[<>]")
_BEGINS = re.compile(r'(?:strict\b\s*)?(?:di)?graph\b\s*(?:"(?:[^"\\]|\\.)*"|<[^{]*>|[\w.\-]+)?\s*(?:\{|/[/*])',
                     re.IGNORECASE | re.DOTALL)
_DRAWING = frozenset({
    "arrowhead", "arrowsize", "arrowtail", "bgcolor", "color", "colorscheme", "constraint", "decorate", "dir", "distortion",
    "edgehref", "edgetarget", "edgetooltip", "fillcolor", "fixedsize", "fontcolor", "fontname", "fontpath", "fontsize",
    "gradientangle", "headclip", "headlp", "headport", "image", "imagepos", "imagescale", "labelangle", "labeldistance",
    "labelfloat", "labelfontcolor", "labelfontname", "labelfontsize", "labeljust", "labelloc", "layer", "lhead", "lp", "ltail",
    "margin", "minlen", "nojustify", "ordering", "orientation", "pencolor", "penwidth", "peripheries", "pin", "pos", "rects",
    "regular", "samehead", "sametail", "samplepoints", "shape", "shapefile", "showboxes", "sides", "skew", "sortv", "style",
    "tailclip", "taillp", "tailport", "vertices", "xlp", "z", "_draw_", "_ldraw_", "_hdraw_", "_tdraw_", "_hldraw_", "_tldraw_",
})
_MEASURES = frozenset({"height", "width"})  # of a person, unless Graphviz has laid the graph out
_DEEPEST = 100
_DEFAULTS = 1000
_BATCH = 1 << 16


def fits(head: bytes) -> bool:
    """Tell whether a file begins like DOT, past comments."""
    text = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").decode("latin-1")
    at = 0
    while True:
        at = found.end() if (found := _SPACE.match(text, at)) else at
        if not text.startswith("/*", at):
            return _BEGINS.match(text, at) is not None
        end = text.find("*/", at + 2)
        if end < 0:
            return False
        at = end + 2


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of a DOT file.

    Raises
    ------
    InputProblem
        If the file does not follow the grammar, holds several graphs, nests too deep, ties absurdly many pairs
        in a few words, or names a node by nothing.
    """
    text = decoded(content.read(), content.name, options.encoding)
    graph = _Parser(_Tokens(text.data.decode("utf-8"), content.name)).graph()
    refuse_any(graph.problems)
    return graph_source(_parts(graph, text, content.name, options), options)


class _Token(NamedTuple):
    """A name (`kind` word, quoted, html), a sign (its own kind), or the end (kind empty)."""

    kind: str
    text: str
    at: int


class _Tokens:
    """A text as tokens, with one to look at before it is taken."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self._breaks = array("q", (found.start() for found in re.finditer("\n", text)))
        self._at = 0
        self._told = 0
        self.ahead = self._read()

    @property
    def size(self) -> int:
        """Number of characters."""
        return len(self.text)

    @property
    def lines(self) -> int:
        """Number of lines."""
        return len(self._breaks) + (not self.text.endswith("\n"))

    def line(self, at: int) -> int:
        """Return the line of a place."""
        return bisect_right(self._breaks, at - 1) + 1

    def lines_of(self, places: array[int]) -> NDArray[np.int64]:
        """Return the lines of many places."""
        return np.searchsorted(np.asarray(self._breaks), np.asarray(places), side="left").astype(np.int64) + 1

    def plain(self) -> Iterator[re.Match[str]]:
        """Yield plain statements from the token ahead on, and go past each; whoever has one must take it."""
        begins = at = self.ahead.at
        while (found := _PLAIN.match(self.text, at)) is not None:
            yield found
            at = found.end()
            if at - self._told > _BATCH:
                self._told = at
                advance("read", at, self.size)
            self._at = at
        if at > begins:
            self.ahead = self._read()

    def past_signs(self) -> None:
        """Go past the semicolon ahead, and those that follow it."""
        found = _MORE.match(self.text, self._at)
        self._at = self._at if found is None else found.end()
        self.ahead = self._read()

    def refuse(self, what: str, at: int, allowed: str | None = None, fix: str | None = None) -> NoReturn:
        """Refuse the file for what stands at a place."""
        raise refusal([Problem(what=what, file=self.file, line=self.line(at), allowed=allowed, fix=fix)])

    def take(self, *kinds: str) -> _Token:
        """Return the next token, which must be of one of these kinds if there are any."""
        token = self.ahead
        if kinds and token.kind not in kinds:
            self.refuse(f"{_shown(token)} stands where it cannot", token.at, " or ".join(_NAMES.get(kind, f"'{kind}'") for kind in kinds))
        self.ahead = self._read()
        if token.at - self._told > _BATCH:
            self._told = token.at
            advance("read", token.at, self.size)
        return token

    def name(self) -> _Token:
        """Return the next token as a name, pieces in quotation marks joined by ``+``."""
        token = self.take("word", "quoted", "html")
        pieces = [token.text]
        while token.kind == "quoted" and self.ahead.kind == "+":
            self.take()
            pieces.append(self.take("quoted").text)
        return token._replace(text="".join(pieces))

    def keyword(self) -> str:
        """Return the next token in small letters if it may be a keyword, else nothing."""
        return self.ahead.text.casefold() if self.ahead.kind == "word" else ""

    def _read(self) -> _Token:
        found = _TOKEN.match(self.text, self._at)
        if found is None or (kind := found.lastgroup) is None:
            return self._rarer(self._past_space())
        text = found.group(kind)
        self._at = found.end()
        return _Token(text if kind == "sign" else kind, text, found.start(kind))

    def _rarer(self, at: int) -> _Token:
        """Read what stands behind a comment, or is no plain word or sign."""
        self._at = at
        if at >= len(self.text):
            return _Token("", "", at)
        found = _TOKEN.match(self.text, at)
        return self._named(self.text[at], at) if found is None or found.lastgroup is None else self._read()

    def _named(self, sign: str, at: int) -> _Token:
        if sign == '"':
            found = _QUOTED.match(self.text, at)
            if found is None:
                self.refuse("a quotation mark is opened here and never closed", at)
            self._at = found.end()
            return _Token("quoted", _ESCAPED.sub(_plain, found.group()[1:-1]), at)
        if sign == "<":
            self._at = self._html_end(at)
            return _Token("html", self.text[at : self._at], at)
        found = _NUMBER.match(self.text, at)
        if found is None:
            self.refuse(f"'{sign}' stands where it cannot", at, fix="put names with such signs in quotation marks")
        self._at = found.end()
        after = self.text[self._at : self._at + 1]
        if after == "." or _WORD.match(after):
            self.refuse(f"a name begins with the number {found.group()[:20]}", at, fix="put the name in quotation marks")
        return _Token("word", found.group(), at)

    def _past_space(self) -> int:
        at = self._at
        while True:
            at = found.end() if (found := _SPACE.match(self.text, at)) else at
            if not self.text.startswith("/*", at):
                return at
            end = self.text.find("*/", at + 2)
            if end < 0:
                self.refuse("a comment is opened here and never closed", at)
            at = end + 2

    def _html_end(self, at: int) -> int:
        depth = 0
        for found in _ANGLE.finditer(self.text, at):
            depth += 1 if found.group() == "<" else -1
            if not depth:
                return found.end()
        return self.refuse("'<' is opened here and never closed", at)


_NAMES = {"word": "a name", "quoted": "a name in quotation marks", "html": "a name in < >", "": "the end of the file"}


def _plain(escape: re.Match[str]) -> str:
    return {'"': '"', "\n": ""}.get(escape.group(1), escape.group())


def _shown(token: _Token) -> str:
    return f"'{token.text[:40]}'" if token.kind else "the end of the file"


_Said = tuple[Mapping[str, str], dict[str, str]]  # the defaults that held for a thing, and what is said of it alone


@dataclass
class _Block:
    """A graph or subgraph while it is read: the defaults that hold now, never changed but replaced, and who is named in it."""

    node: Mapping[str, str] = field(default_factory=dict)
    edge: Mapping[str, str] = field(default_factory=dict)
    members: list[int] = field(default_factory=list)
    _held: set[int] = field(default_factory=set)
    _absorbed: dict[int, int] = field(default_factory=dict)

    def add(self, node: int) -> None:
        """Let a node stand in the block."""
        if node not in self._held:
            self._held.add(node)
            self.members.append(node)

    def absorb(self, inner: _Block) -> None:
        """Let the nodes of an inner block stand here too, those that have come to it since the last time."""
        if inner is not self:
            known = self._absorbed.get(id(inner), 0)
            self._absorbed[id(inner)] = len(inner.members)
            for node in inner.members[known:]:
                self.add(node)


class _Parser:
    """The grammar, statement by statement, and the graph that comes of it."""

    def __init__(self, tokens: _Tokens) -> None:
        self.tokens = tokens
        self.problems: list[Problem] = []
        self.strict = self.directed = False
        self.ids: list[str] = []
        self.places = array("q")
        self.nodes: list[_Said] = []
        self.source = array("q")
        self.target = array("q")
        self.tie_places = array("q")
        self.edges: list[_Said] = []
        self.counts: Counter[str] = Counter()
        self.merged = 0
        self._of: dict[str, tuple[int, bool]] = {}
        self._rows: dict[tuple[int, int], int] = {}
        self.subgraphs: dict[str, _Block] = {}
        self._depth = 0

    def graph(self) -> _Parser:
        """Read the one graph that the file holds."""
        tokens = self.tokens
        if tokens.keyword() == "strict":
            tokens.take()
            self.strict = True
        if tokens.keyword() not in ("graph", "digraph"):
            tokens.refuse(f"{_shown(tokens.ahead)} stands where it cannot", tokens.ahead.at, "graph or digraph")
        self.directed = tokens.take().text.casefold() == "digraph"
        if tokens.ahead.kind in ("word", "quoted", "html"):
            tokens.name()
        self._body(_Block())
        if tokens.ahead.kind:
            several = tokens.keyword() in ("strict", "graph", "digraph")
            what = "holds several graphs" if several else f"{_shown(tokens.ahead)} stands after the end of the graph"
            tokens.refuse(what, tokens.ahead.at, "one graph in a file")
        return self

    def _body(self, block: _Block) -> None:
        opened = self.tokens.take("{")
        self._depth += 1
        if self._depth > _DEEPEST:
            self.tokens.refuse(f"more than {_DEEPEST} blocks stand one inside another", opened.at)
        while self.tokens.ahead.kind != "}":
            if not self.tokens.ahead.kind:
                self.tokens.refuse("'{' is opened here and never closed", opened.at)
            if self.tokens.ahead.kind == ";":
                self.tokens.past_signs()
            elif self.tokens.ahead.kind not in ("word", "quoted") or not self._plain(block):
                self._statement(block)
        self.tokens.take("}")
        self._depth -= 1

    def _plain(self, block: _Block) -> bool:
        """Take plain statements as long as there are any, and tell whether there was one."""
        right = "->" if self.directed else "--"
        took = False
        bare = block.edge, dict[str, str]()
        for found in self.tokens.plain():
            name, sign, other, equals, attributes = found.groups()
            took = True
            if equals is not None:
                self.counts["graph attributes"] += 1
                continue
            if sign is not None and sign != right:
                self._wrong_sign(sign, found.start(2))
            node = self._node(name.strip('"'), found.start(1), block)
            given = {key.strip('"'): value.strip('"') for key, value in _PAIR.findall(attributes[1:])} if attributes else None
            if sign is None:
                self.nodes[node][1].update(given or {})
            else:
                said = bare if given is None else (block.edge, given)
                self._edge(node, self._node(other.strip('"'), found.start(3), block), found.start(2), said)
        return took

    def _wrong_sign(self, sign: str, at: int) -> NoReturn:
        kind, right = ("digraph", "->") if self.directed else ("graph", "--")
        self.tokens.refuse(f"'{sign}' stands in a {kind}", at, f"'{right}'")

    def _statement(self, block: _Block) -> None:
        word = self.tokens.keyword()
        if word in ("node", "edge", "graph"):
            self.tokens.take()
            self._defaults(block, word)
        elif word == "subgraph" or self.tokens.ahead.kind == "{":
            ends = self._subgraph(block)
            if self.tokens.ahead.kind in ("->", "--"):
                self._chain(ends, block)
        else:
            self._named(block)

    def _defaults(self, block: _Block, word: str) -> None:
        if self.tokens.ahead.kind != "[":
            self.tokens.take("[")
        given = self._attributes()
        if word == "graph":
            self.counts["graph attributes"] += len(given)
            return
        held = block.node if word == "node" else block.edge
        if len(held) + len(given) > _DEFAULTS:
            self.tokens.refuse(f"more than {_DEFAULTS:,} defaults hold at once", self.tokens.ahead.at)
        if word == "node":
            block.node = {**held, **given}
        else:
            block.edge = {**held, **given}

    def _named(self, block: _Block) -> None:
        name = self.tokens.name()
        if self.tokens.ahead.kind == "=":
            self.tokens.take()
            self.tokens.name()
            self.counts["graph attributes"] += 1
            return
        node = self._node(name.text, name.at, block, html=name.kind == "html")
        self._port()
        if self.tokens.ahead.kind in ("->", "--"):
            self._chain([node], block)
        else:
            self.nodes[node][1].update(self._attributes())

    def _node(self, name: str, at: int, block: _Block, *, html: bool = False) -> int:
        """Return the place of a node, made with the defaults of the block if it is new."""
        known = self._of.get(name)
        if known is None:
            known = self._of[name] = len(self.ids), html
            self.ids.append(name)
            self.places.append(at)
            self.nodes.append((block.node, {}))
            if not name:
                self._fault("a node has an empty name", at, "a name for every person")
        elif known[1] != html:
            self._fault(f"two nodes are named {name[:40]}, one of them as HTML", at, "names that differ as text")
        block.add(known[0])
        return known[0]

    def _fault(self, what: str, at: int, allowed: str) -> None:
        self.problems.append(Problem(what=what, file=self.tokens.file, line=self.tokens.line(at), allowed=allowed))

    def _port(self) -> None:
        if self.tokens.ahead.kind == ":":
            self.counts["ports"] += 1
        for _ in range(2):
            if self.tokens.ahead.kind == ":":
                self.tokens.take()
                self.tokens.name()

    def _subgraph(self, outer: _Block) -> list[int]:
        """Return the nodes of a subgraph, read or named again."""
        name = ""
        if self.tokens.keyword() == "subgraph":
            self.tokens.take()
            if self.tokens.ahead.kind in ("word", "quoted", "html"):
                name = self.tokens.name().text
        block = self.subgraphs.get(name) if name else None
        if block is None:
            block = _Block(outer.node, outer.edge)
        if name:
            self.subgraphs[name] = block
        if not name or self.tokens.ahead.kind == "{":
            self._body(block)
        outer.absorb(block)
        return block.members

    def _chain(self, ends: list[int], block: _Block) -> None:
        """Read the rest of a chain of edges from the nodes it begins with."""
        links = [ends]
        places = []
        while self.tokens.ahead.kind in ("->", "--"):
            sign = self.tokens.take()
            if (sign.kind == "->") is not self.directed:
                self._wrong_sign(sign.kind, sign.at)
            if self.tokens.keyword() == "subgraph" or self.tokens.ahead.kind == "{":
                following = self._subgraph(block)
            else:
                name = self.tokens.name()
                following = [self._node(name.text, name.at, block, html=name.kind == "html")]
                self._port()
            places.append(sign.at)
            links.append(following)
        said = block.edge, self._attributes()
        for first, second, at in zip(links[:-1], links[1:], places, strict=True):
            # a few words can tie every node with every other, again and again
            if len(self.source) + len(first) * len(second) > 1_000_000 + self.tokens.size:
                self.tokens.refuse("the edges between subgraphs are more than a file of this size can mean", at)
            for source in first:
                for target in second:
                    self._edge(source, target, at, said)

    def _edge(self, source: int, target: int, at: int, said: _Said) -> None:
        if self.strict:
            pair = (source, target) if self.directed or source <= target else (target, source)
            row = self._rows.setdefault(pair, len(self.source))
            if row < len(self.source):
                before = self.edges[row]
                self.edges[row] = before[0], {**before[1], **said[1]}
                self.merged += 1
                return
        self.source.append(source)
        self.target.append(target)
        self.tie_places.append(at)
        self.edges.append(said)

    def _attributes(self) -> dict[str, str]:
        given: dict[str, str] = {}
        tokens = self.tokens
        while tokens.ahead.kind == "[":
            opened = tokens.take()
            while tokens.ahead.kind != "]":
                if not tokens.ahead.kind:
                    tokens.refuse("'[' is opened here and never closed", opened.at)
                name = tokens.name().text
                given[name] = "true"
                if tokens.ahead.kind == "=":
                    tokens.take()
                    given[name] = tokens.name().text
                if tokens.ahead.kind in (",", ";"):
                    tokens.take()
            tokens.take("]")
        return given


def _parts(graph: _Parser, text: Text, file: str, options: ReadOptions) -> GraphParts:
    ids = column_of(graph.ids)
    dropped: Counter[str] = Counter()
    laid_out = any("pos" in own for _, own in graph.nodes)
    drawing = _DRAWING | _MEASURES if laid_out else _DRAWING
    _bounded(graph)
    attributes = _columns(graph.nodes, drawing, dropped, options)
    tie_attributes = _columns(graph.edges, drawing, dropped, options)
    return GraphParts(
        file=file, ids=ids, lines=graph.tokens.lines_of(graph.places),
        attributes=attributes, tie_attributes=tie_attributes,
        source=ids[np.array(graph.source, dtype=np.int64)], target=ids[np.array(graph.target, dtype=np.int64)],
        tie_lines=graph.tokens.lines_of(graph.tie_places),
        directed=graph.directed, report=ReadReport(
            counts={"lines_read": graph.tokens.lines}, notes=tuple(_notes(graph, text, file)),
            warnings=(*text.warnings, *_warnings(graph, dropped, file))))


def _bounded(graph: _Parser) -> None:
    """Refuse attributes whose table would be far larger than the file."""
    for rows in (graph.nodes, graph.edges):
        defaults = {id(given): given for given, _ in rows}.values()
        names = {name for given in defaults for name in given} | {name for _, own in rows for name in own}
        if len(names) * len(rows) > 20_000_000 + 20 * graph.tokens.size:
            graph.tokens.refuse(f"{len(names):,} attributes of {len(rows):,} things are more than a file of this size can"
                                " mean", 0)


def _columns(
    rows: list[_Said], drawing: frozenset[str], dropped: Counter[str], options: ReadOptions
) -> dict[str, Column]:
    """Return attributes as columns, those apart that say how things are drawn."""
    columns: dict[str, Column] = {}
    for place, (given, own) in enumerate(rows):
        if not own and not given:
            continue
        for name, value in (own if not given else {**given, **own}).items():
            if name.casefold() in drawing:
                dropped[name] += 1
            elif value and value != "\\N" and value not in options.na_values:
                if name not in columns:
                    columns[name] = np.full(len(rows), None, dtype=object)
                columns[name][place] = value
    return columns


def _notes(graph: _Parser, text: Text, file: str) -> Iterator[str]:
    kind = f"{'strict ' if graph.strict else ''}{'digraph' if graph.directed else 'graph'}"
    edges = number_of(len(graph.source), "edge", "edges")
    yield f"{file}: DOT, {kind}, {text.encoding}, {number_of(len(graph.ids), 'node', 'nodes')}, {edges}"
    if graph.merged:
        yield f"{file}: strict, so {number_of(graph.merged, 'repeated edge is', 'repeated edges are')} the edge before"


def _warnings(graph: _Parser, dropped: Counter[str], file: str) -> Iterator[str]:
    if dropped:
        shown = ", ".join(f"{name} ({number:,})" for name, number in sorted(dropped.items()))
        yield f"{file}: how things are drawn was dropped: {shown}"
    if graph.counts["ports"]:
        yield f"{file}: {number_of(graph.counts['ports'], 'port', 'ports')} dropped, edges end at the node"
    if graph.counts["graph attributes"]:
        number = graph.counts["graph attributes"]
        yield f"{file}: {number_of(number, 'attribute', 'attributes')} of the graph itself dropped"
    if graph.subgraphs:
        yield f"{file}: who stands in which of {number_of(len(graph.subgraphs), 'named subgraph', 'named subgraphs')} is not kept"
