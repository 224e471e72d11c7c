"""GEXF 1.3: attributes are declared with types; no sizes, places, colours or metadata are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphanon.io.declared import Declared
from graphanon.io.writers.markup import attribute
from graphanon.io.writers.network import Cells, Network

__all__ = ["render"]

_TYPES = {"whole": "long", "number": "double", "boolean": "boolean", "text": "string"}


def render(network: Network) -> bytes:
    """Return the document."""
    return "".join(_lines(network)).encode("utf-8")


def _lines(network: Network) -> Iterator[str]:
    direction = "directed" if network.directed else "undirected"
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
    yield f'  <graph mode="static" defaultedgetype="{direction}">\n'
    yield from _declared(network.types, "node")
    yield from _declared(network.tie_types, "edge")
    names = [attribute(name) for name in network.ids.tolist()]
    yield "    <nodes>\n"
    for name, values in zip(names, _values(network.attributes, len(names)), strict=True):
        yield f"      <node id={name}>{values}</node>\n" if values else f"      <node id={name}/>\n"
    yield "    </nodes>\n    <edges>\n"
    ends = zip(network.source.tolist(), network.target.tolist(), strict=True)
    found = _values(network.tie_attributes, len(network.source))
    for number, ((source, target), values) in enumerate(zip(ends, found, strict=True)):
        head = f'      <edge id="{number}" source={names[source]} target={names[target]}'
        yield f"{head}>{values}</edge>\n" if values else f"{head}/>\n"
    yield "    </edges>\n  </graph>\n</gexf>\n"


def _declared(types: Mapping[str, Declared], owner: str) -> Iterator[str]:
    if types:
        yield f'    <attributes class="{owner}">\n'
        for number, (name, kind) in enumerate(types.items()):
            yield f'      <attribute id="{number}" title={attribute(name)} type="{_TYPES[kind]}"/>\n'
        yield "    </attributes>\n"


def _values(columns: Mapping[str, Cells], length: int) -> Iterator[str]:
    listed = [column.tolist() for column in columns.values()]
    for place in range(length):
        told = "".join(f'<attvalue for="{number}" value={attribute(cells[place])}/>'
                       for number, cells in enumerate(listed) if cells[place] is not None)
        yield f"<attvalues>{told}</attvalues>" if told else ""
