"""The GraphML file: the same supernodes, ties and cells as the CSV files, and not a byte more.

Comments, instructions, namespaces, entities, attributes and blanks all have room for a message that
readers of graphs pass over. So the document is not parsed: it is written anew from the CSV files, line
by line, and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from graphanon.audit.canonical import line_difference
from graphanon.audit.files import decoded
from graphanon.audit.finding import Finding, broken
from graphanon.audit.groups import Groups, spans
from graphanon.audit.statement import Statement

__all__ = ["graphml_faults"]

FILE = "supernodes.graphml"
RESERVED = ("id", "size", "ties_inside", "arcs_inside", "weight_inside")
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;",
})


class _Key(NamedTuple):
    owner: str
    name: str
    type: str


def graphml_faults(contents: Mapping[str, bytes], statement: Statement, groups: Groups) -> Iterator[Finding]:
    """Find the first line in which the document is not what the other files make it."""
    text, faults = decoded(contents, FILE)
    yield from faults
    place = line_difference(text, _lines(statement, groups))
    if text and place is not None:
        yield broken("graphml", "is not, letter by letter, what the CSV files make of it", FILE, place)


def _lines(statement: Statement, groups: Groups) -> Iterator[str]:
    keys = _keys(statement, groups)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for number, (owner, name, type_) in enumerate(keys):
        yield f'  <key id="d{number}" for="{owner}" attr.name="{_escaped(name)}" attr.type="{type_}"/>\n'
    yield f'  <graph id="G" edgedefault="{"directed" if statement.directed else "undirected"}">\n'
    for name, group in groups.by_name.items():
        weight = [repr(float(group.weight))] if groups.weighted else []
        data = _data([str(group.size), str(group.inside), *weight, *group.cells], keys)
        yield f'    <node id="{_escaped(name)}">{data}</node>\n'
    yield from _edges(groups, next(number for number, key in enumerate(keys) if key.owner == "edge"))
    yield "  </graph>\n"
    yield "</graphml>\n"


def _edges(groups: Groups, first: int) -> Iterator[str]:
    for (source, target), ties in groups.ties.items():
        weight = ""
        if groups.weighted:
            weight = f'<data key="d{first + 1}">{float(groups.weights[source, target])!r}</data>'
        yield (f'    <edge source="{source}" target="{target}">'
               f'<data key="d{first}">{ties}</data>{weight}</edge>\n')


def _keys(statement: Statement, groups: Groups) -> list[_Key]:
    """Return what is said of nodes, then of edges; igraph keeps the name `id` for itself."""
    count = "arcs" if statement.directed else "ties"
    cells, types = [], []
    for attribute in statement.of_role("quasi"):
        number = attribute.type == "number"
        whole = number and float(attribute.facts["grid"]).is_integer()
        for cell in spans(attribute, graph=True):
            cells.append(cell)
            types.append(("long" if whole else "double") if number else "string")
    taken = {*cells, *RESERVED}
    keys = [_Key("node", "size", "long"), _Key("node", f"{count}_inside", "long")]
    keys += [_Key("node", "weight_inside", "double")] if groups.weighted else []
    for cell, type_ in zip(cells, types, strict=True):
        name = cell
        while name in RESERVED or (name != cell and name in taken):
            name += "_"
        taken.add(name)
        keys.append(_Key("node", name, type_))
    keys.append(_Key("edge", count, "long"))
    return keys + ([_Key("edge", "weight", "double")] if groups.weighted else [])


def _data(values: Sequence[str], keys: Sequence[_Key]) -> str:
    # a number that may be any is left out
    return "".join([
        f'<data key="d{number}">{_escaped(value)}</data>'
        for number, value in enumerate(values)
        if value != "*" or keys[number].type == "string"
    ])


def _escaped(text: str) -> str:
    # what XML cannot write is replaced
    return _UNWRITABLE.sub("\ufffd", text).translate(_ESCAPES)
