"""What a grouping costs those who will read it.

Two things are lost when people are told together: what each of them was (the boxes), and who of them
was tied to whom (the counts). The first is a mean over cells, either of the share of leaves that a
cell covers (`ncp`; Xu, Wang, Pei, Wang, Shi and Fu, Utility-based anonymization using local recoding,
2006) or of the height it climbed (`ngil`; Campan and Truta, 2008). The second is the expected number of
wrongly guessed pairs when a reader scatters the counted ties at random (`nsil`, same paper). On ordered
pairs one formula serves ties and arcs, inside and between classes: a arcs among p pairs cost
``a (1 - a / p)``; an undirected tie is two arcs.

Public losses can be recomputed by anyone from the files of a release; private ones need the originals.
A loss that does not apply is absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphanon.domain import Domain, Floats, Measure
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, Grouping, Partition, classes

__all__ = [
    "arc_counts",
    "cell_costs",
    "entropy_loss",
    "paper_losses",
    "private_losses",
    "public_losses",
    "structural_loss",
]

Ints = NDArray[np.int64]


def public_losses(grouping: Grouping) -> dict[str, float]:
    """Return the losses that the files of the release show, by the names release.json uses.

    A withheld person costs 1 in every cell; ties are those among the people released. Tie losses are
    absent without ties, attribute losses without quasi-identifiers, `total` without either. The
    classes of a table are its distinct boxes.

    Examples
    --------
    >>> import numpy as np
    >>> from graphanon.domain import Range
    >>> from graphanon.graph import AttributedGraph, symmetric_ties
    >>> from graphanon.grouping import Grouping, Partition, hull
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(20, 40)),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[20.0], [25.0], [40.0], [40.0]]),
    ...                         ties=symmetric_ties(4, np.array([0]), np.array([2])))
    >>> together = Partition(np.array([0, 0, 1, 1]))
    >>> public_losses(Grouping(graph, together, hull(graph, together)))["nsil"]
    0.5
    """
    graph, partition = grouping.source, grouping.partition
    losses: dict[str, float] = {}
    if graph.n and graph.q:
        losses["ncp"] = _mean_cost(grouping, "leaves")
        losses["ngil"] = _mean_cost(grouping, "height")
    counts = arc_counts(graph, partition)
    if graph.has_ties and counts.nnz:
        people, lost = partition.kept.sum(), structural_loss(counts, partition.sizes)
        losses["nsil"] = float(lost / (people * (people - 1) / 4))
        losses["tie_loss"] = float(lost / counts.sum())
        if "ngil" in losses:
            losses["total"] = (losses["ngil"] + losses["nsil"]) / 2
    return losses | _size_losses(_published_sizes(grouping), partition.withheld)


def _mean_cost(grouping: Grouping, measure: Measure) -> float:
    graph, partition = grouping.source, grouping.partition
    costs = cell_costs(graph.domains, grouping.boxes, measure)
    lost = partition.sizes @ costs.sum(axis=1) + partition.withheld * graph.q
    return float(lost / (graph.n * graph.q))


def _published_sizes(grouping: Grouping) -> Ints:
    """Return the sizes of the classes that a reader can tell apart."""
    sizes = grouping.partition.sizes
    if grouping.source.has_ties:
        return sizes
    alike, _ = classes(grouping.boxes)
    return np.bincount(alike.labels, weights=sizes).astype(np.int64)


def _size_losses(sizes: Ints, withheld: int) -> dict[str, float]:
    people = int(sizes.sum()) + withheld
    losses = {"discernibility": float((sizes**2).sum() + withheld * people)}
    if len(sizes):
        losses["average_class_size"] = float(sizes.mean())
    return losses


def cell_costs(domains: Sequence[Domain], boxes: Boxes, measure: Measure) -> Floats:
    """Return float64[rows, q], the share 0 to 1 of its meaning that each cell of the boxes has lost."""
    costs = np.empty(boxes.lo.shape)
    for j, domain in enumerate(domains):
        costs[:, j] = domain.cost(boxes.lo[:, j], boxes.hi[:, j], measure)
    return costs


def arc_counts(graph: AttributedGraph, partition: Partition) -> sparse.csr_array:
    """Return int64[K, K], the ordered tied pairs from each class to each; a tie counts both ways."""
    arcs = graph.ties if graph.arcs is None else graph.arcs
    kept = np.flatnonzero(partition.kept)
    ones = np.ones(len(kept), dtype=np.int64)
    shape = (graph.n, partition.n_classes)
    members = sparse.csr_array((ones, (kept, partition.labels[kept])), shape=shape, dtype=np.int64)
    return sparse.csr_array(members.T @ arcs.astype(np.int64) @ members)


def structural_loss(counts: sparse.csr_array, sizes: Ints) -> float:
    """Return the expected number of wrongly guessed ordered pairs (SIL).

    Source: A. Campan and T. M. Truta, A Clustering Approach for Data and Structural Anonymity in Social
    Networks, 2008.
    """
    block = counts.tocoo()
    arcs = block.data.astype(float)
    pairs = sizes[block.row] * (sizes[block.col] - (block.row == block.col))
    return float((arcs * (1 - arcs / np.maximum(pairs, 1))).sum())


def paper_losses(grouping: Grouping, attributes: Literal["mean", "sum"] = "mean") -> dict[str, float]:
    """Return the losses of PAS-CAA's equations 7 to 10: `inf` of attributes, `str` of ties, their mean `sum`.

    Source: Liu, Dong, Li, Zhang, Liu and Li, Arithmetic sequence clustering anonymous algorithm for social
    network data, 2022. Equation 8 measures tree paths, which on hierarchies of even depth is height.
    """
    graph, partition = grouping.source, grouping.partition
    inf = _mean_cost(grouping, "height") if graph.q else 0.0
    inf *= graph.q if attributes == "sum" else 1
    people = int(partition.kept.sum())
    lost = structural_loss(arc_counts(graph, partition), partition.sizes)
    structure = lost / (people * (people - 1) / 4) if people > 1 else 0.0
    return {"inf": inf, "str": structure, "sum": (inf + structure) / 2}


def entropy_loss(values: Floats, lo: Floats, hi: Floats) -> Floats:
    """Return the bits by which each person's value is hidden among all values inside its interval.

    Three arrays float64[people] of one attribute. Source: A. Gionis and T. Tassa, k-Anonymization with
    Minimal Loss of Information, 2009 (the non-uniform measure).

    Examples
    --------
    >>> import numpy as np
    >>> entropy_loss(np.array([1.0, 1.0, 2.0, 2.0]), np.ones(4), np.array([1.0, 2.0, 2.0, 2.0]))
    array([0., 1., 1., 1.])
    """
    line = np.sort(values)
    own = np.searchsorted(line, values, "right") - np.searchsorted(line, values, "left")
    # 0.30000000000000004 is published as 0.3, and lies in its own interval all the same
    lo, hi = np.minimum(lo, values), np.maximum(hi, values)
    covered = np.searchsorted(line, hi, "right") - np.searchsorted(line, lo, "left")
    return np.asarray(np.log2(covered / own))


def private_losses(grouping: Grouping) -> dict[str, Any]:
    """Return what the originals are needed for, or what tells of single classes: for run.json only.

    `entropy` is in bits, `entropy_share` against telling nothing; `attributes` and `worst` have one entry a
    quasi-identifier; sizes are of classes.
    """
    graph, partition = grouping.source, grouping.partition
    found: dict[str, Any] = {"withheld": partition.withheld, "classes": partition.n_classes}
    if partition.n_classes:
        found |= {"smallest_class": int(partition.sizes.min()), "largest_class": int(partition.sizes.max())}
    if not (graph.q and partition.n_classes):
        return found
    each = _entropies(grouping)
    bits, most = (float(sum(pair[i] for pair in each)) for i in (0, 1))
    found |= {"entropy": bits, "entropy_share": bits / most if most else 0.0}
    leaves, heights = (cell_costs(graph.domains, grouping.boxes, m) for m in ("leaves", "height"))
    share = partition.sizes / partition.sizes.sum()
    found["attributes"] = {
        column.name: {
            "ncp": float(share @ leaves[:, j]),
            "ngil": float(share @ heights[:, j]),
            "worst": float(leaves[:, j].max()),
            "entropy": each[j][0],
        }
        for j, column in enumerate(graph.schema.quasi)
    }
    found["worst_class_ncp"] = float(leaves.mean(axis=1).max())
    return found


def _entropies(grouping: Grouping) -> list[tuple[float, float]]:
    """Return for each attribute the bits lost, and those lost if nothing were told."""
    kept = grouping.partition.kept
    values = grouping.source.values[kept]
    boxes = grouping.boxes[grouping.partition.labels[kept]]
    whole = np.full(len(values), -np.inf), np.full(len(values), np.inf)
    return [
        (
            float(entropy_loss(column, boxes.lo[:, j], boxes.hi[:, j]).sum()),
            float(entropy_loss(column, *whole).sum()),
        )
        for j, column in enumerate(values.T)
    ]
