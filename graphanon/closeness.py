"""How alike people are, and the arrays from which kernels read it.

Along one attribute, two values are as far apart as the price of saying only that the value is one of
the two: the height of their lowest common ancestor, or their difference over the range. So one layout
serves distances and losses. The distinct values of every attribute stand in address order in one long
line; a person is one position in it an attribute; a class is the lowest and the highest position among
its members, and both its price and the distance of two people are :func:`graphanon.kernels.rows.spread`.

With ``snapped`` ends the price is that of the box that would be published; without, it is the distance of
the values themselves. A missing value is like another missing value and unlike all else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphanon.domain import Domain, Floats, Measure, Tree
from graphanon.graph import AttributedGraph

__all__ = ["Categorical", "Crowd", "Index", "Ints", "Shorts", "describe", "tree_steps"]

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Index = int | np.int64
Categorical = Literal["height", "leaves", "exact", "path"]


class Crowd(NamedTuple):
    """People as flat arrays, for kernels.

    ``indices[indptr[v]:indptr[v + 1]]`` are the neighbours of v, in order. ``codes[v, j]`` is the position
    of v's value of attribute j in the line of distinct values; those of attribute j lie from ``start[j]``
    to ``start[j + 1]``. Position c reaches from ``lo[c]`` to ``hi[c]`` on a number line, where distances are
    divided by ``span[j]`` and everything from ``past[j]`` on is missing. Where ``tree[j]``, ``up[c, h]`` is
    the ancestor h levels up, and meeting there costs ``step[c, h]`` of either side.
    """

    indptr: Ints
    indices: Shorts
    codes: Shorts
    start: Ints
    lo: Floats
    hi: Floats
    tree: NDArray[np.bool_]
    span: Floats
    past: Floats
    up: Shorts
    step: Floats


def describe(
    graph: AttributedGraph,
    *,
    categorical: Categorical = "height",
    snapped: bool = False,
    closed: bool = False,
) -> Crowd:
    """Return the people of a graph as arrays; with `closed`, everyone is a neighbour of themselves.

    Examples
    --------
    >>> import numpy as np
    >>> from graphanon.domain import Range
    >>> from graphanon.graph import no_ties
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(20, 40)),))
    >>> values = np.array([[30.0], [20.0], [30.0]])
    >>> crowd = describe(AttributedGraph(schema=schema, values=values, ties=no_ties(3)))
    >>> crowd.codes.ravel(), crowd.lo
    (array([1, 0, 1], dtype=int32), array([20., 30.]))
    """
    codes = np.zeros((graph.n, graph.q), dtype=np.int32)
    start = np.zeros(graph.q + 1, dtype=np.int64)
    values: list[Floats] = []
    for j in range(graph.q):
        distinct, position = np.unique(graph.values[:, j], return_inverse=True)
        codes[:, j] = position.reshape(-1) + start[j]
        start[j + 1] = start[j] + len(distinct)
        values.append(distinct)
    ends = [_ends(domain, line, snapped=snapped) for domain, line in zip(graph.domains, values, strict=True)]
    up, step = _climbs(graph.domains, values, categorical)
    indptr, indices = _neighbours(graph.ties, closed=closed)
    return Crowd(
        indptr, indices, codes, start,
        np.concatenate([np.empty(0), *(lo for lo, _ in ends)]),
        np.concatenate([np.empty(0), *(hi for _, hi in ends)]),
        np.array([isinstance(domain, Tree) for domain in graph.domains], dtype=bool),
        np.array([_span(domain) for domain in graph.domains], dtype=float),
        np.array([domain.missing_address for domain in graph.domains], dtype=float),
        up, step,
    )


def _ends(domain: Domain, line: Floats, *, snapped: bool) -> tuple[Floats, Floats]:
    return domain.snap(line, line) if snapped else (line, line)


def _span(domain: Domain) -> float:
    return 0.0 if isinstance(domain, Tree) else float(domain.span)  # type: ignore[attr-defined]


def _neighbours(ties: sparse.csr_array, *, closed: bool) -> tuple[Ints, Shorts]:
    lists = ties + sparse.eye_array(ties.shape[0], dtype=ties.dtype, format="csr") if closed else ties.copy()
    lists = sparse.csr_array(lists)
    lists.sort_indices()
    return lists.indptr.astype(np.int64), lists.indices.astype(np.int32)


def _climbs(
    domains: Sequence[Domain], values: Sequence[Floats], categorical: Categorical
) -> tuple[Shorts, Floats]:
    """Return the ancestors of every distinct value and what meeting there costs of either side."""
    deepest = max((d.height for d in domains if isinstance(d, Tree)), default=0)
    ups, steps = [np.empty((0, deepest + 1), dtype=np.int32)], [np.empty((0, deepest + 1))]
    for domain, line in zip(domains, values, strict=True):
        up = np.zeros((len(line), deepest + 1), dtype=np.int32)
        step = np.zeros((len(line), deepest + 1))
        if isinstance(domain, Tree):
            levels = np.minimum(np.arange(deepest + 1), domain.height)
            leaves = line.astype(np.intp)
            up[:] = domain.nodes[leaves][:, levels]
            step[:] = tree_steps(domain, categorical)[leaves][:, levels]
        ups.append(up)
        steps.append(step)
    return np.concatenate(ups), np.concatenate(steps)


def tree_steps(tree: Tree, categorical: Categorical) -> Floats:
    """Return float64[leaves, height + 1], what meeting at each ancestor costs a leaf; two leaves at most 1.

    `height` and `leaves` share the price of the ancestor, `exact` knows only equal and unequal, `path` is
    the number of edges climbed over the longest path between two leaves; a label that is repeated as
    padding adds no edge.

    Examples
    --------
    >>> work = Tree((("Fed", "Gov", "*"), ("Local", "Gov", "*"), ("Self", "Self", "*")))
    >>> tree_steps(work, "path").round(2)
    array([[0.  , 0.33, 0.67],
           [0.  , 0.33, 0.67],
           [0.  , 0.  , 0.33]])
    """
    if categorical == "exact":
        return np.asarray(0.5 * (np.arange(tree.height + 1) > 0) * np.ones((len(tree.nodes), 1)))
    if categorical != "path":
        measure: Measure = categorical
        return np.asarray(tree.node_costs(measure)[tree.nodes] / 2)
    edges = _edges(tree)
    longest = _longest_path(tree, edges)
    return edges / longest if longest else np.zeros(edges.shape)


def _edges(tree: Tree) -> Floats:
    """Return how many edges lie between each leaf and each of its ancestors."""
    label = np.unique(np.array(tree.labels), return_inverse=True)[1].reshape(-1)[tree.nodes]
    # the leaf of a missing value is its own ancestor until the root, as padding is
    climbs = np.diff(label, axis=1) != 0
    return np.concatenate([np.zeros((len(label), 1)), np.cumsum(climbs, axis=1)], axis=1)


def _longest_path(tree: Tree, edges: Floats) -> float:
    """Return the edges between the two leaves that are farthest apart."""
    longest = 0.0
    for level in range(1, tree.height + 1):
        child, parent = tree.nodes[:, level - 1], tree.nodes[:, level]
        deep = np.zeros(len(tree.labels))
        np.maximum.at(deep, child, edges[:, level])
        below = np.unique(np.stack([parent, child]), axis=1)
        order = np.lexsort((-deep[below[1]], below[0]))
        node, depth = below[0][order], deep[below[1]][order]
        # sorted by parent, deepest child first: the second of each parent meets the first there
        first = np.r_[True, node[1:] != node[:-1]]
        second = ~first & np.r_[False, first[:-1]]
        if second.any():
            longest = max(longest, float((depth[second] + depth[np.flatnonzero(second) - 1]).max()))
    return longest
