"""How large each person's class must be, and raising classes that someone in them finds too small.

Everyone asks for k; a column of role ``k`` lets a person ask for more. A method grows classes as its
paper says; where a wish is still unmet at its end, the class is merged with the one that costs least.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, Partition, hull, snap
from graphanon.loss import cell_costs
from graphanon.requirement import Requirement

__all__ = ["needs", "raised"]

Ints = NDArray[np.int64]


def needs(graph: AttributedGraph, requirement: Requirement) -> Ints:
    """Return int64[n], the least size of each person's class.

    Examples
    --------
    >>> from graphanon.graph import no_ties
    >>> from graphanon.schema import Schema
    >>> graph = AttributedGraph(schema=Schema(columns=()), values=np.empty((3, 0)), ties=no_ties(3),
    ...                         wishes=np.array([0, 3, 2]))
    >>> needs(graph, Requirement(k=2))
    array([2, 3, 2])
    """
    least = np.full(graph.n, requirement.k, dtype=np.int64)
    return least if graph.wishes is None else np.maximum(least, graph.wishes)


def raised(graph: AttributedGraph, labels: Ints, need: Ints, floors: Ints | None = None) -> Partition:
    """Return the classes `labels` with those merged that are smaller than a member needs.

    `floors` int64[K] are further least sizes, kept where a class already has them. The smallest class
    goes first, into the one where all who are together then lose least.
    """
    labels = np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)
    floors = np.zeros(labels.max(initial=-1) + 1, dtype=np.int64) if floors is None else floors.copy()
    np.maximum.at(floors, labels, need)
    while True:
        sizes = np.bincount(labels, minlength=len(floors))
        short = np.flatnonzero(sizes < floors)
        if not len(short):
            return Partition(labels, floors)
        gone = short[np.argmin(sizes[short])]
        into = _cheapest_partner(graph, labels, int(gone))
        floors[into] = max(floors[into], floors[gone])
        labels[labels == gone] = into
        labels[labels > gone] -= 1
        floors = np.delete(floors, gone)


def _cheapest_partner(graph: AttributedGraph, labels: Ints, gone: int) -> int:
    partition = Partition(labels)
    box = hull(graph, partition)
    together = snap(graph.domains, np.minimum(box.lo, box.lo[gone]), np.maximum(box.hi, box.hi[gone]))
    before, after = _class_costs(graph, box), _class_costs(graph, together)
    sizes = partition.sizes
    rise = (sizes + sizes[gone]) * after - sizes * before
    rise[gone] = np.inf
    return int(np.argmin(rise))


def _class_costs(graph: AttributedGraph, boxes: Boxes) -> NDArray[np.float64]:
    return np.asarray(cell_costs(graph.domains, boxes, "height").sum(axis=1))
