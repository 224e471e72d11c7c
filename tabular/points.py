"""People with the same record as one weighted point.

A clustering of a table looks at pairs, and most tables repeat themselves: Adult has 30,162 people and 11,089
different records, so a seventh of the pairs. People are one point if they have the same quasi-identifiers,
ask for a class of the same size, and, where a method looks at it, share what must not be too frequent.
Points stand in the order of their first person. A class is made of *pieces*: so many people of a point;
which of them makes no difference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.floors import needs
from graphanon.graph import AttributedGraph, no_ties
from graphanon.requirement import Requirement

__all__ = ["Points", "gather"]

Ints = NDArray[np.int64]


class Points(NamedTuple):
    """The points of a table.

    `graph` has one row a point and no ties; ``weight[p]`` people are at point p, each in need of a class of
    ``need[p]``. `order` lists everyone, the people of a point together, and ``first[p]`` is the first of them.
    """

    graph: AttributedGraph
    weight: Ints
    need: Ints
    order: Ints
    first: Ints

    def labels(self, point: Ints, count: Ints, label: Ints) -> Ints:
        """Return everyone's label, given pieces of `count` people at a `point`, that use up every point."""
        by_point = np.argsort(point, kind="stable")
        labels = np.empty(len(self.order), dtype=np.int64)
        labels[self.order] = np.repeat(label[by_point], count[by_point])
        return labels


def gather(graph: AttributedGraph, requirement: Requirement, apart: Ints | None = None) -> Points:
    """Return the points of a graph, whose ties are not looked at; rows of `apart` int64[n, m] tell more people apart.

    Examples
    --------
    >>> from graphanon.domain import Range
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(20, 40)),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[30.0], [20.0], [30.0]]), ties=no_ties(3))
    >>> points = gather(graph, Requirement(k=2))
    >>> points.graph.values.ravel(), points.weight
    (array([30., 20.]), array([2, 1]))
    """
    # a wish that not all people together can fulfil is for whoever may withhold that person to see to
    need = np.minimum(needs(graph, requirement), graph.n)
    extra = np.empty((graph.n, 0), dtype=np.int64) if apart is None else apart
    keys = np.column_stack([graph.distinct().inverse, need, extra])
    _, first, inverse, weight = np.unique(keys, axis=0, return_index=True, return_inverse=True, return_counts=True)
    by_first = np.argsort(first)
    rank = np.empty(len(first), dtype=np.int64)
    rank[by_first] = np.arange(len(first))
    first = first[by_first]
    rows = AttributedGraph(schema=graph.schema, values=graph.values[first], ties=no_ties(len(first)), has_ties=False)
    order = np.argsort(rank[inverse.reshape(-1)], kind="stable")
    return Points(rows, weight[by_first].astype(np.int64), need[first], order, first)
