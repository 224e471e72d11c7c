"""DOT, with every name and value in quotation marks, so that none is taken for a word of the language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphanon.io.writers.network import Cells, Network

__all__ = ["render"]


def render(network: Network) -> bytes:
    """Return the document."""
    return "".join(_lines(network)).encode("utf-8")


def _lines(network: Network) -> Iterator[str]:
    names = [_quoted(name) for name in network.ids.tolist()]
    yield "digraph {\n" if network.directed else "graph {\n"
    for name, values in zip(names, _values(network.attributes, len(names)), strict=True):
        yield f"  {name}{values};\n"
    arrow = "->" if network.directed else "--"
    found = zip(network.source.tolist(), network.target.tolist(),
                _values(network.tie_attributes, len(network.source)), strict=True)
    for source, target, values in found:
        yield f"  {names[source]} {arrow} {names[target]}{values};\n"
    yield "}\n"


def _quoted(text: str) -> str:
    # only the quotation mark has an escape in this language
    return '"' + text.replace('"', '\\"') + '"'


def _values(columns: Mapping[str, Cells], length: int) -> Iterator[str]:
    listed = [(_quoted(name), column.tolist()) for name, column in columns.items()]
    for place in range(length):
        told = ", ".join(f"{name}={_quoted(cells[place])}" for name, cells in listed if cells[place] is not None)
        yield f" [{told}]" if told else ""
