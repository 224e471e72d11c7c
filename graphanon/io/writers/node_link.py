"""Node-link JSON as networkx reads it: ``nodes`` with an ``id``, ``edges`` with ``source`` and ``target``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from graphanon.io.declared import Declared
from graphanon.io.writers.network import Cells, Network

__all__ = ["render"]


def render(network: Network) -> bytes:
    """Return the document, an element a line."""
    return "".join(_lines(network)).encode("utf-8")


def _lines(network: Network) -> Iterator[str]:
    names = [_text(name) for name in network.ids.tolist()]
    yield f'{{"directed": {str(network.directed).lower()}, "multigraph": {str(_repeats(network)).lower()}, "graph": {{}},\n'
    yield '"nodes": ['
    for place, values in enumerate(_members(network.attributes, network.types, len(names))):
        yield f'{"," if place else ""}\n{{"id": {names[place]}{values}}}'
    yield '\n],\n"edges": ['
    found = zip(network.source.tolist(), network.target.tolist(),
                _members(network.tie_attributes, network.tie_types, len(network.source)), strict=True)
    for place, (source, target, values) in enumerate(found):
        yield f'{"," if place else ""}\n{{"source": {names[source]}, "target": {names[target]}{values}}}'
    yield "\n]}\n"


def _repeats(network: Network) -> bool:
    ends = list(zip(network.source.tolist(), network.target.tolist(), strict=True))
    return len({end if network.directed else tuple(sorted(end)) for end in ends}) < len(ends)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _members(columns: Mapping[str, Cells], types: Mapping[str, Declared], length: int) -> Iterator[str]:
    listed = []
    for name, column in columns.items():
        bare = types[name] != "text"
        listed.append((_text(name), [None if cell is None else cell if bare else _text(cell) for cell in column.tolist()]))
    for place in range(length):
        yield "".join(f", {name}: {cells[place]}" for name, cells in listed if cells[place] is not None)
