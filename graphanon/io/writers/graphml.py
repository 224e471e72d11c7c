"""GraphML, with a type for each key that no value contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphanon.io.writers.markup import attribute, content
from graphanon.io.writers.network import Cells, Network

__all__ = ["render"]

_TYPES = {"whole": "long", "number": "double", "boolean": "boolean", "text": "string"}


def render(network: Network) -> bytes:
    """Return the document."""
    return "".join(_lines(network)).encode("utf-8")


def _lines(network: Network) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    nodes, edges = _keys(network.attributes, 0), _keys(network.tie_attributes, len(network.attributes))
    for owner, keys, types in (("node", nodes, network.types), ("edge", edges, network.tie_types)):
        for name, key in keys.items():
            type_ = _TYPES[types[name]]
            yield f'  <key id="{key}" for="{owner}" attr.name={attribute(name)} attr.type="{type_}"/>\n'
    yield f'  <graph edgedefault="{"directed" if network.directed else "undirected"}">\n'
    names = [attribute(name) for name in network.ids.tolist()]
    for place, data in enumerate(_data(network.attributes, nodes, len(names))):
        yield f"    <node id={names[place]}>{data}</node>\n" if data else f"    <node id={names[place]}/>\n"
    ends = zip(network.source.tolist(), network.target.tolist(), strict=True)
    for (source, target), data in zip(ends, _data(network.tie_attributes, edges, len(network.source)), strict=True):
        head = f"    <edge source={names[source]} target={names[target]}"
        yield f"{head}>{data}</edge>\n" if data else f"{head}/>\n"
    yield "  </graph>\n</graphml>\n"


def _keys(columns: Mapping[str, Cells], first: int) -> dict[str, str]:
    return {name: f"d{number}" for number, name in enumerate(columns, start=first)}


def _data(columns: Mapping[str, Cells], keys: Mapping[str, str], length: int) -> Iterator[str]:
    listed = [(keys[name], column.tolist()) for name, column in columns.items()]
    for place in range(length):
        yield "".join(f'<data key="{key}">{content(cells[place])}</data>' for key, cells in listed
                      if cells[place] is not None)
