"""From the people of a graph to records, and from clusters of records to classes that may be released.

Numbers are put on [0, 1] by the range that the schema declares; ranks of an order are numbers, leaves of a tree
categories, and a missing category is one more of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphanon.density import batches
from graphanon.domain import Tree
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.tabular.prototypes import Clustering, Records, Weights, centres_of, completed, rows_of

__all__ = ["classes_of", "clusters_for", "records_of"]

Ints = NDArray[np.int64]


def records_of(graph: AttributedGraph) -> Records:
    """Return the quasi-identifiers of a graph as records: ranges and ranks on [0, 1], leaves of trees as categories.

    A missing number takes the mean of the others, a missing category is a value of its own.

    Examples
    --------
    >>> from graphanon.domain import Range
    >>> from graphanon.graph import no_ties
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(20, 40)),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[30.0], [20.0]]), ties=no_ties(2))
    >>> records_of(graph).numbers.ravel()
    array([0.5, 0. ])
    """
    numbers, codes, sizes = [np.empty((graph.n, 0))], [np.empty((graph.n, 0), dtype=np.int64)], []
    for domain, column in zip(graph.domains, graph.values.T, strict=True):
        if isinstance(domain, Tree):
            codes.append(column[:, None].astype(np.int64))
            sizes.append(len(domain.leaves) + domain.missing)
        else:
            span, low = float(domain.span), float(getattr(domain, "low", 0.0))  # type: ignore[attr-defined]
            scaled = (column - low) / span if span else np.zeros(graph.n)
            numbers.append(np.where(column < domain.missing_address, scaled, np.nan)[:, None])
    return Records(completed(np.concatenate(numbers, axis=1)), np.concatenate(codes, axis=1), tuple(sizes),
                   np.ones(graph.n, dtype=np.int64))


def clusters_for(graph: AttributedGraph, requirement: Requirement, clusters: int | None) -> int:
    """Return how many clusters to look for: those asked for, but not more than people; or one for every k people."""
    return max(1, min(clusters or graph.n // requirement.k, graph.n))


def classes_of(
    graph: AttributedGraph, requirement: Requirement, records: Records, found: Clustering, weights: Weights
) -> Partition:
    """Return the clusters, those that are smaller than a member needs dissolved into the nearest that are left.

    The smallest goes first; each of its people goes to the nearest prototype that is left.
    """
    from graphanon.kernels.prototypes import dissolve

    # a wish that not all people together can fulfil is for whoever may withhold that person to see to
    need = np.minimum(needs(graph, requirement), graph.n)
    rows, K = rows_of(records), len(found.prototypes)
    labels = found.labels.copy()
    people = np.bincount(labels, weights=records.weight, minlength=K).astype(np.int64)
    left = (people > 0).astype(np.int64)
    centres = centres_of(found.prototypes, rows, weights)
    for start, stop in batches(K, len(labels) * 2):
        dissolve(rows, centres, need, labels, people, left, stop - start)
        advance("dissolve small clusters", stop, K)
    return raised(graph, labels, need)
