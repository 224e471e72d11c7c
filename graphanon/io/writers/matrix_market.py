"""Matrix Market coordinates: half of a symmetric matrix where ties have no direction, all of a general one where they have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphanon.io.writers.network import Network, kind_of_cells

__all__ = ["render"]


def render(network: Network) -> bytes:
    """Return the document."""
    return "".join(_lines(network)).encode("ascii")


def _lines(network: Network) -> Iterator[str]:
    weights = network.tie_attributes.get("weight")
    field = "pattern" if weights is None else "integer" if kind_of_cells(weights) == "whole" else "real"
    yield f"%%MatrixMarket matrix coordinate {field} {'general' if network.directed else 'symmetric'}\n"
    yield f"{len(network.ids)} {len(network.ids)} {len(network.source)}\n"
    rows, columns = network.source, network.target
    if not network.directed:
        rows, columns = np.maximum(rows, columns), np.minimum(rows, columns)
    for place, (row, column) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
        weight = "" if weights is None else f" {weights[place]}"
        yield f"{row + 1} {column + 1}{weight}\n"
