"""UCINET DL as an edge list: the labels of everybody first, so that people without ties stay."""

from __future__ import annotations

from collections.abc import Iterator

from graphanon.io.writers.network import Network

__all__ = ["render"]


def render(network: Network) -> bytes:
    """Return the document; every tie is written once, though the format takes it for an arc."""
    return "".join(_lines(network)).encode("utf-8")


def _lines(network: Network) -> Iterator[str]:
    yield f"dl n={len(network.ids)} format=edgelist1\nlabels:\n"
    for name in network.ids.tolist():
        yield f'"{name}"\n'
    yield "data:\n"
    weights = network.tie_attributes.get("weight")
    for row, (source, target) in enumerate(zip(network.source.tolist(), network.target.tolist(), strict=True)):
        weight = "" if weights is None else f" {weights[row]}"
        yield f"{source + 1} {target + 1}{weight}\n"
