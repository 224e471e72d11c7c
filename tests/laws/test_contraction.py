"""Laws of contraction: merging people into supernodes keeps every tie among the kept, once."""

import numpy as np
from hypothesis import given
from strategies import grouped

from graphanon.loss import arc_counts


def count_by_hand(matrix, labels) -> dict[tuple[int, int], int]:
    """Return how many ordered tied pairs lead from each class to each, counted one by one."""
    found: dict[tuple[int, int], int] = {}
    entries = matrix.tocoo()
    for a, b in zip(entries.row.tolist(), entries.col.tolist(), strict=True):
        ends = int(labels[a]), int(labels[b])
        if min(ends) >= 0:
            found[ends] = found.get(ends, 0) + 1
    return found


@given(grouped())
def test_contraction_keeps_the_number_of_ties_among_the_kept(case):
    graph, partition = case
    kept = np.flatnonzero(partition.kept)
    matrix = graph.ties if graph.arcs is None else graph.arcs
    assert arc_counts(graph, partition).sum() == matrix[kept][:, kept].sum()


@given(grouped())
def test_contraction_counts_each_pair_of_classes_as_a_person_would(case):
    graph, partition = case
    counts = arc_counts(graph, partition).tocoo()
    found = dict(zip(zip(counts.row.tolist(), counts.col.tolist(), strict=True), counts.data.tolist(), strict=True))
    matrix = graph.ties if graph.arcs is None else graph.arcs
    assert {ends: number for ends, number in found.items() if number} == count_by_hand(matrix, partition.labels)


@given(grouped())
def test_counts_of_undirected_ties_are_symmetric(case):
    graph, partition = case
    counts = arc_counts(graph, partition).toarray()
    assert graph.directed or np.array_equal(counts, counts.T)
    assert graph.directed or not (counts.diagonal() % 2).any()


@given(grouped())
def test_no_pair_of_classes_holds_more_ties_than_pairs_of_people(case):
    graph, partition = case
    counts, sizes = arc_counts(graph, partition).toarray(), partition.sizes
    room = np.outer(sizes, sizes) - np.diag(sizes)
    assert (counts <= room).all()
