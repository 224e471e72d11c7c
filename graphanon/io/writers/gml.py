"""GML, in its seven-bit spelling: other letters as entities, numbers bare where no reader would change them.

A node's id is a whole number there. Ids that are such numbers are written as they are; others become labels, and the
nodes are numbered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from graphanon.io.declared import Declared
from graphanon.io.writers.network import Cells, Network

__all__ = ["numbered", "render"]

_BEYOND = re.compile("[^ !#-%'-~]")  # all but plain letters and signs, the quotation mark and the ampersand
_SMALL = re.compile(r"0|-?[1-9][0-9]{0,8}")


def numbered(network: Network) -> bool:
    """Tell whether every id is a whole number that GML can hold."""
    return all(_SMALL.fullmatch(name) for name in network.ids.tolist())


def render(network: Network) -> bytes:
    """Return the document."""
    return "".join(_lines(network)).encode("ascii")


def _lines(network: Network) -> Iterator[str]:
    plain = numbered(network)
    numbers = network.ids.tolist() if plain else [str(number) for number in range(1, len(network.ids) + 1)]
    yield f"graph [\n  directed {int(network.directed)}\n"
    if _repeats(network):
        yield "  multigraph 1\n"
    for place, (name, values) in enumerate(zip(network.ids.tolist(), _values(network.attributes, network.types, len(numbers)), strict=True)):
        label = "" if plain else f" label {_text(name)}"
        yield f"  node [ id {numbers[place]}{label}{values} ]\n"
    ends = zip(network.source.tolist(), network.target.tolist(), strict=True)
    for (source, target), values in zip(ends, _values(network.tie_attributes, network.tie_types, len(network.source)), strict=True):
        yield f"  edge [ source {numbers[source]} target {numbers[target]}{values} ]\n"
    yield "]\n"


def _repeats(network: Network) -> bool:
    ends = list(zip(network.source.tolist(), network.target.tolist(), strict=True))
    return len({end if network.directed else tuple(sorted(end)) for end in ends}) < len(ends)


def _values(columns: Mapping[str, Cells], types: Mapping[str, Declared], length: int) -> Iterator[str]:
    listed = [(name, _spelled(column, bare=types[name] in ("whole", "number"))) for name, column in columns.items()]
    for place in range(length):
        yield "".join(f" {name} {cells[place]}" for name, cells in listed if cells[place] is not None)


def _spelled(column: Cells, *, bare: bool) -> list[str | None]:
    """Return a column as GML writes it, numbers bare and text in quotation marks."""
    return [None if cell is None else cell if bare else _text(cell) for cell in column.tolist()]


def _text(text: str) -> str:
    return '"' + _BEYOND.sub(lambda mark: "&amp;" if mark[0] == "&" else "&quot;" if mark[0] == '"' else f"&#{ord(mark[0])};", text) + '"'
