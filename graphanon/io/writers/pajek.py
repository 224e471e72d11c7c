"""Pajek networks and projects: people as numbered vertices whose labels are their ids, a section for each relation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphanon.io.writers.network import Network

__all__ = ["project", "render"]

_MISSING = "999999998"


def render(network: Network) -> bytes:
    """Return the document, in UTF-8 with the mark by which Pajek knows it."""
    return "".join(_lines(network)).encode("utf-8-sig")


def project(network: Network) -> bytes:
    """Return a project: the network, then a partition or a vector for each attribute of people."""
    return "".join(["*Network people.net\n", *_lines(network), *_attributes(network)]).encode("utf-8-sig")


def _attributes(network: Network) -> Iterator[str]:
    for name, column in network.attributes.items():
        # readers take one ending off the name
        kind, ending = ("Partition", "clu") if network.types[name] == "whole" else ("Vector", "vec")
        yield f"\n*{kind} {name}.{ending}\n*Vertices {len(column)}\n"
        yield from (f"{_MISSING if cell is None else cell}\n" for cell in column.tolist())


def _lines(network: Network) -> Iterator[str]:
    number = len(network.ids)
    first = "" if network.modes is None else f" {_first_mode(network)}"
    yield f"*Vertices {number}{first}\n"
    for place, name in enumerate(network.ids.tolist(), start=1):
        yield f'{place} "{name}"\n'
    section = "*Arcs" if network.directed else "*Edges"
    relation = network.tie_attributes.get("relation")
    if relation is None:
        yield f"{section}\n"
        yield from _ties(network, np.arange(len(network.source)))
        return
    for place, name in enumerate(dict.fromkeys(relation.tolist()), start=1):
        yield f'{section} :{place} "{name}"\n'
        yield from _ties(network, np.flatnonzero(relation == name))


def _first_mode(network: Network) -> int:
    modes = network.modes if network.modes is not None else network.ids
    return int((modes == modes[0]).sum())


def _ties(network: Network, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Iterator[str]:
    weights = network.tie_attributes.get("weight")
    for row in rows.tolist():
        weight = "" if weights is None else f" {weights[row]}"
        yield f"{network.source[row] + 1} {network.target[row] + 1}{weight}\n"
