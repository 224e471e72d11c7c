"""The supernode graph as GraphML that Gephi, igraph, networkx and R open without a word.

Written by hand, since it must not carry a date, a comment or a tool's own attributes. Source:
U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt and M. S. Marshall, GraphML Progress Report, 2002.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graphanon.domain import ROOT
from graphanon.release.model import PublicColumn, Release

__all__ = ["attribute_names", "graphml_text"]

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})
_RESERVED = ("id", "size", "ties_inside", "arcs_inside", "weight_inside")

Key = tuple[str, str, str]  # for, name, type


def graphml_text(release: Release) -> str:
    """Return the document; numbers that are ``*`` are left out of it."""
    return "".join(line + "\n" for line in _lines(release))


def attribute_names(cells: Sequence[str]) -> list[str]:
    """Return the name of each published cell in GraphML, where igraph keeps ``id`` for itself.

    Examples
    --------
    >>> attribute_names(["id", "job"])
    ['id_', 'job']
    """
    taken = set(cells) | set(_RESERVED)
    names = []
    for cell in cells:
        name = cell
        while name in _RESERVED or (name != cell and name in taken):
            name += "_"
        taken.add(name)
        names.append(name)
    return names


def _lines(release: Release) -> Iterable[str]:
    ties = release.superties
    assert ties is not None
    keys = _keys(release)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for number, (owner, name, type_) in enumerate(keys):
        yield f'  <key id="d{number}" for="{owner}" attr.name="{_escaped(name)}" attr.type="{type_}"/>'
    yield f'  <graph id="G" edgedefault="{"directed" if ties.directed else "undirected"}">'
    yield from _nodes(release, keys)
    yield from _edges(release, keys)
    yield "  </graph>"
    yield "</graphml>"


def _keys(release: Release) -> list[Key]:
    ties = release.superties
    assert ties is not None
    count = "arcs" if ties.directed else "ties"
    keys = [("node", "size", "long"), ("node", f"{count}_inside", "long")]
    keys += [] if ties.weight_inside is None else [("node", "weight_inside", "double")]
    types = [_type(column) for column in release.quasi for _ in column.cells(release.kind)]
    keys += [("node", name, type_) for name, type_ in zip(attribute_names(release.header), types, strict=True)]
    keys += [("edge", count, "long")]
    return keys + ([] if ties.weight is None else [("edge", "weight", "double")])


def _type(column: PublicColumn) -> str:
    if column.type != "number":
        return "string"
    return "long" if float(column.facts["grid"]).is_integer() else "double"


def _nodes(release: Release, keys: Sequence[Key]) -> Iterable[str]:
    ties = release.superties
    assert ties is not None
    weights = ties.weight_inside if ties.weight_inside is not None else None
    for place, name in enumerate(release.names):
        own = [str(release.sizes[place]), str(ties.inside[place])]
        own += [] if weights is None else [_double(weights[place])]
        yield f'    <node id="{name}">{_data([*own, *release.cells[place]], keys)}</node>'


def _edges(release: Release, keys: Sequence[Key]) -> Iterable[str]:
    ties = release.superties
    assert ties is not None
    first = next(number for number, key in enumerate(keys) if key[0] == "edge")
    names = release.names
    counts = [f'<data key="d{first}">{count}</data>' for count in ties.ties.tolist()]
    if ties.weight is not None:
        counts = [
            f'{count}<data key="d{first + 1}">{_double(weight)}</data>'
            for count, weight in zip(counts, ties.weight.tolist(), strict=True)
        ]
    for source, target, data in zip(ties.source.tolist(), ties.target.tolist(), counts, strict=True):
        yield f'    <edge source="{names[source]}" target="{names[target]}">{data}</edge>'


def _double(value: float) -> str:
    return repr(float(value))


def _data(values: Sequence[str], keys: Sequence[Key]) -> str:
    return "".join(
        f'<data key="d{number}">{_escaped(value)}</data>'
        for number, value in enumerate(values)
        if value != ROOT or keys[number][2] == "string"
    )


def _escaped(text: str) -> str:
    """Return text for XML; characters that XML 1.0 has no way to write become U+FFFD."""
    return _FORBIDDEN.sub("\ufffd", text).translate(_ESCAPES)
