"""Arcs there and back in one number, so that graphs with and without directions share every kernel.

Between two people, or two classes, the arcs there stand in the low half and those back in the high half. A tie
without direction is an arc each way. Sums of packed numbers are the packed sums.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphanon.closeness import Crowd
from graphanon.graph import AttributedGraph
from graphanon.kernels.compiled import kernel

__all__ = ["HALF", "LOW", "Packed", "both", "directions", "dot", "square", "turned"]

Packed = NDArray[np.int64]
HALF = 32
LOW = (1 << HALF) - 1


def directions(graph: AttributedGraph, crowd: Crowd) -> Packed:
    """Return for every entry of the neighbour lists its arcs there and back.

    Examples
    --------
    >>> from graphanon.closeness import describe
    >>> from graphanon.graph import symmetric_ties
    >>> from graphanon.schema import Schema
    >>> ties = symmetric_ties(2, np.array([0]), np.array([1]))
    >>> graph = AttributedGraph(schema=Schema(columns=()), values=np.empty((2, 0)), ties=ties)
    >>> directions(graph, describe(graph)) == 1 + (1 << HALF)
    array([ True,  True])
    """
    if graph.arcs is None:
        return np.full(len(crowd.indices), 1 + (1 << HALF), dtype=np.int64)
    packed = sparse.csr_array(graph.arcs.astype(np.int64) + (1 << HALF) * graph.arcs.T.astype(np.int64))
    packed.sort_indices()
    return np.asarray(packed.data, dtype=np.int64)


@kernel
def turned(packed: int) -> int:
    """Return the arcs as they look from the other end."""
    return (packed >> HALF) + ((packed & LOW) << HALF)


@kernel
def both(packed: int) -> int:
    """Return how many arcs there are in either direction."""
    return (packed & LOW) + (packed >> HALF)


@kernel
def dot(one: int, other: int) -> float:
    """Return the product of the arcs there plus that of the arcs back."""
    return float(one & LOW) * float(other & LOW) + float(one >> HALF) * float(other >> HALF)


@kernel
def square(packed: int) -> float:
    """Return the sum of the squares of both numbers."""
    return dot(packed, packed)
