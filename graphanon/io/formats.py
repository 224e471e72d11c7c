"""What each format can and cannot carry: the one table that conversion, its tests and the documentation share.

A network has people with ids and attributes, and ties with a direction or without, which may have attributes, repeat, or run
from a person to the same person. Hardly a format holds all of that. What one does not hold is named before
anything is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphanon.io.declared import Declared

__all__ = ["CARRIES", "Carries", "by_name", "by_path", "table_text"]


@dataclass(frozen=True, kw_only=True)
class Carries:
    """What one format holds.

    `ids` are any text, words without blanks and quotation marks, or the numbers 1 to n. `attributes` of people and
    `tie_attributes` are all of them, numbers only, the weight only, or none. `direction` is told by the format,
    or only by the order of the ends. An attribute without any value is kept where attributes are declared
    (`declares`). `pair` says that people and ties are two files. `kinds` are the types that it tells apart, and
    `numerals` the numbers that it holds as such, `doubles` if others than whole ones have a double's digits; without
    `kinds`, whatever looks like a number is read as one. No text may match `forbidden`, and no id `forbidden_ids` if that is another.
    """

    name: str
    suffixes: tuple[str, ...]
    ids: Literal["any", "words", "numbers"] = "any"
    isolates: bool = True
    attributes: Literal["any", "numbers", "none"] = "any"
    tie_attributes: Literal["any", "weight and relation", "weight", "none"] = "any"
    direction: Literal["yes", "order"] = "yes"
    loops: bool = True
    repeats: bool = True
    kinds: frozenset[Declared] = frozenset()
    numerals: str = ".*"
    doubles: bool = False
    empty: bool = False
    declares: bool = True
    zero_weights: bool = True
    pair: bool = False
    names: str | None = None
    reserved: frozenset[str] = frozenset()
    tie_reserved: frozenset[str] = frozenset()
    forbidden: str | None = None
    forbidden_ids: str | None = None
    note: str = ""

    def __repr__(self) -> str:
        return f"Carries({self.name!r})"


_XML = "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_LINE = "[\r\0]"
_ALL: frozenset[Declared] = frozenset({"whole", "number", "boolean", "text"})
_NUMBERS: frozenset[Declared] = frozenset({"whole", "number", "text"})
# every reader of GML keeps fifteen digits of a whole number, and wants a point in another one; a sheet keeps fifteen of any
_GML = r"0|-?[1-9][0-9]{0,14}|-?[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?"
# three numbers mean missing to Pajek
_PAJEK = r"(?!9{6,8}8\Z).*"
_SHEET = r"-?(?=(?:\.?[0-9]){1,15}\Z)(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?"

# how Graphviz draws, which readers of networks leave out
DRAWN_BY_DOT = frozenset({
    "_background", "_draw_", "_hdraw_", "_hldraw_", "_ldraw_", "_tdraw_", "_tldraw_", "arrowhead", "arrowsize", "arrowtail",
    "bgcolor", "color", "colorscheme", "constraint", "decorate", "dir", "distortion", "edgehref", "edgetarget", "edgetooltip",
    "fillcolor", "fixedsize", "fontcolor", "fontname", "fontpath", "fontsize", "gradientangle", "headclip", "headlp", "headport",
    "height", "image", "imagepos", "imagescale", "key", "labelangle", "labeldistance", "labelfloat", "labelfontcolor",
    "labelfontname", "labelfontsize", "labeljust", "labelloc", "layer", "lhead", "lp", "ltail", "margin", "minlen", "nojustify",
    "ordering", "orientation", "pencolor", "penwidth", "peripheries", "pin", "pos", "rects", "regular", "samehead", "sametail",
    "samplepoints", "shape", "shapefile", "showboxes", "sides", "skew", "sortv", "style", "tailclip", "taillp", "tailport",
    "vertices", "width", "xlp", "z", "id", "name",
})

CARRIES: tuple[Carries, ...] = (
    Carries(name="GraphML", suffixes=(".graphml",), kinds=_ALL, reserved=frozenset({"id"}), tie_reserved=frozenset({"id"}),
            forbidden_ids=_XML, forbidden=_XML + r"|\A\s[\s\S]*\n|\n[\s\S]*\s\Z|\A\n|\n\Z", note="typed keys; read by Gephi, igraph, networkx, visone"),
    Carries(name="GML", suffixes=(".gml",), kinds=_NUMBERS, declares=False, numerals=_GML, names="[A-Za-z][A-Za-z0-9_]*",
            reserved=frozenset({"id", "label", "graphics", "edge", "node", "isgroup", "gid"}),
            tie_reserved=frozenset({"id", "source", "target", "key", "graphics", "label"}), forbidden=_LINE,
            note="nodes are numbers there, so other ids become labels (read with --id label)"),
    Carries(name="GEXF", suffixes=(".gexf",), kinds=_ALL, reserved=frozenset({"id", "pid", "start", "end", "label"}),
            tie_reserved=frozenset({"id", "source", "target", "type", "kind", "start", "end", "label"}),
            forbidden=_XML, note="version 1.3"),
    Carries(name="JSON", suffixes=(".json",), kinds=_ALL, declares=False, reserved=frozenset({"id", "index", "x", "y", "z", "vx", "vy",
            "vz", "fx", "fy", "fz", "px", "py", "position", "style", "classes", "data", "attributes", "properties", "metadata",
            "scratch", "selected", "selectable", "locked", "grabbable", "grabbed", "removed", "pannable", "renderedposition"}),
            tie_reserved=frozenset({"id", "source", "target", "from", "to", "key", "index", "directed", "label", "data", "attributes",
            "properties", "metadata", "style", "classes", "position", "scratch", "selected", "removed"}),
            forbidden="[\0\ud800-\udfff]", note="node-link, as networkx writes it"),
    Carries(name="Pajek", suffixes=(".net",), attributes="none", tie_attributes="weight and relation",
            forbidden='["\r\n\0]', note="labels are the ids"),
    Carries(name="Pajek project", suffixes=(".paj",), attributes="numbers", tie_attributes="weight and relation",
            kinds=frozenset({"whole", "number"}), numerals=_PAJEK, declares=False, reserved=frozenset({"id", "label"}),
            forbidden='["\r\n\0]', note="labels are the ids; whole numbers as partitions, others as vectors"),
    Carries(name="UCINET DL", suffixes=(".dl",), ids="words", attributes="none", tie_attributes="weight", direction="order",
            note="edgelist1"),
    Carries(name="DOT", suffixes=(".dot", ".gv"), declares=False, reserved=DRAWN_BY_DOT, tie_reserved=DRAWN_BY_DOT,
            forbidden=_LINE + r'|\\(?=["\\\n]|\Z)', note="every value in quotation marks"),
    Carries(name="Matrix Market", suffixes=(".mtx",), ids="numbers", attributes="none", tie_attributes="weight",
            repeats=False, zero_weights=False, direction="order", note="coordinates"),
    Carries(name="adjacency list", suffixes=(".adjlist", ".adj"), ids="words", attributes="none", tie_attributes="none",
            direction="order", repeats=False, note="a person a line, then those tied to that person"),
    Carries(name="edge list", suffixes=(".edges", ".edgelist", ".txt"), isolates=False, attributes="none",
            tie_attributes="weight", direction="order", forbidden="[\r\n\0]", note="two ends, a blank between, and perhaps a weight"),
    Carries(name="adjacency matrix", suffixes=(".matrix.csv",), attributes="none", tie_attributes="weight", repeats=False,
            zero_weights=False, direction="order", forbidden="[\r\n\0]" + r"|\A\s|\s\Z", note="CSV, ids in the first line and column"),
    Carries(name="CSV", suffixes=(".csv",), pair=True, kinds=frozenset({"text"}), forbidden=_LINE,
            note="people and ties as two tables; digits that are text stand in quotation marks"),
    Carries(name="TSV", suffixes=(".tsv", ".tab"), pair=True, kinds=frozenset({"text"}), forbidden=_LINE, note="the same with tabs"),
    Carries(name="Excel", suffixes=(".xlsx",), pair=True, kinds=_ALL, numerals=_SHEET,
            forbidden="[\0-\x08\x0b\x0c\x0e-\x1f\r]|_x[0-9A-Fa-f]{4}_|[\ufffe\uffff\ud800-\udfff]",
            note="two workbooks; long numbers stay text"),
    Carries(name="Parquet", suffixes=(".parquet", ".pq"), pair=True, kinds=_ALL, doubles=True, forbidden="[\ud800-\udfff]", note="two files"),
)


def by_name(name: str) -> Carries | None:
    """Return the format of that name, in any letter case, or with that ending."""
    plain = name.casefold().strip()
    return next((c for c in CARRIES if plain == c.name.casefold() or f".{plain.lstrip('.')}" in c.suffixes), None)


def by_path(path: str) -> Carries | None:
    """Return the format that the ending of a path means, the longest ending first.

    Examples
    --------
    >>> by_path("town.matrix.csv"), by_path("town.CSV"), by_path("town")
    (Carries('adjacency matrix'), Carries('CSV'), None)
    """
    lower = path.casefold()
    fits = [(len(suffix), c.name) for c in CARRIES for suffix in c.suffixes if lower.endswith(suffix)]
    return by_name(max(fits)[1]) if fits else None


def _types(kinds: frozenset[Declared]) -> str:
    named = {_ALL: "yes", frozenset(): "no", frozenset({"text"}): "digits as text", _NUMBERS: "numbers and text"}
    return named.get(kinds, "numbers")


def _row(carries: Carries) -> Mapping[str, str]:
    yes = {True: "yes", False: "no"}
    return {
        "format": carries.name,
        "endings": " ".join(carries.suffixes),
        "ids": {"any": "any text", "words": "words without blanks", "numbers": "1 to n"}[carries.ids],
        "people without ties": yes[carries.isolates],
        "attributes of people": {"any": "yes", "none": "no"}.get(carries.attributes, carries.attributes),
        "attributes of ties": {"any": "yes", "none": "no"}.get(carries.tie_attributes, carries.tie_attributes),
        "direction": {"yes": "yes", "order": "by --directed"}[carries.direction] if not carries.pair else "column Type",
        "ties that repeat": yes[carries.repeats],
        "types": _types(carries.kinds),
        "files": "two" if carries.pair else "one",
        "remark": carries.note,
    }


def table_text() -> str:
    """Return the table as Markdown; docs/formats.md holds the same."""
    rows = [_row(carries) for carries in CARRIES]
    names = list(rows[0])
    cells = [names, *([row[name] for name in names] for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(names))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]) + "\n"
