"""Laws of names and order: relabelling sibling leaves, renaming or shuffling people change no promise and no loss.

People inside are numbers, so renaming them is shuffling them. A method that breaks ties by the lowest
index may choose another grouping after a shuffle; these laws therefore speak of given partitions and
of a method that has no ties to break. What holds for every method stands in the conformance tests.
"""

from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from small_methods import FullDomain
from strategies import graphs, grouped

from graphanon.domain import Tree
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, Partition, at_levels, classes, hull
from graphanon.loss import public_losses
from graphanon.requirement import Requirement


def relabelled(tree: Tree, names: dict[str, str]) -> Tree:
    """Return the tree with other names for its values and groups; the root keeps its own."""
    rows = tuple((*(names[label] for label in row[:-1]), row[-1]) for row in tree.rows)
    return Tree(rows, missing=tree.missing, given=tree.given)


def moved(values: np.ndarray, old: Tree, new: Tree, names: dict[str, str]) -> np.ndarray:
    """Return the addresses that the same values have under their new names."""
    where = new.addresses()
    rank = [where[names[leaf]] for leaf in old.leaves] + [int(new.missing_address)]
    return np.array(rank, dtype=float)[values.astype(int)]


@st.composite
def relabellings(draw, graph: AttributedGraph):
    """Draw the same graph with its trees' labels renamed, so that siblings stand in another order."""
    values, columns = graph.values.copy(), list(graph.schema.columns)
    for j, column in enumerate(graph.schema.quasi):
        if isinstance(column.domain, Tree):
            old = sorted({label for row in column.domain.rows for label in row[:-1]})
            new = draw(st.permutations([f"n{i}" for i in range(len(old))]))
            names = dict(zip(old, new, strict=True))
            tree = relabelled(column.domain, names)
            columns[j] = replace(column, domain=tree)
            values[:, j] = moved(values[:, j], column.domain, tree, names)
    return replace(graph, schema=replace(graph.schema, columns=tuple(columns)), values=values)


def losses_of(graph: AttributedGraph, partition: Partition) -> dict[str, float]:
    return public_losses(Grouping(graph, partition, hull(graph, partition)))


@given(grouped(), st.data())
def test_relabelling_sibling_leaves_changes_no_loss_of_a_partition(case, data):
    graph, partition = case
    other = data.draw(relabellings(graph))
    assert losses_of(other, partition) == pytest.approx(losses_of(graph, partition), abs=1e-12)


@given(graphs(), st.data())
def test_relabelling_sibling_leaves_changes_no_class_of_a_recoding(graph, data):
    other = data.draw(relabellings(graph))
    levels = [data.draw(st.integers(0, domain.height)) for domain in graph.domains]
    one, two = (classes(at_levels(g, levels))[0].labels for g in (graph, other))
    assert np.array_equal(one, two)


@given(grouped(), st.data())
def test_shuffling_the_people_changes_no_loss_of_a_partition(case, data):
    graph, partition = case
    order = np.array(data.draw(st.permutations(range(graph.n))))
    shuffled = losses_of(graph.take(order), Partition(partition.labels[order]))
    assert shuffled == pytest.approx(losses_of(graph, partition), abs=1e-12)


@given(grouped(), st.data())
def test_numbering_the_classes_otherwise_changes_no_loss(case, data):
    graph, partition = case
    number = np.array([*data.draw(st.permutations(range(partition.n_classes))), -1], dtype=np.int64)
    renumbered = Partition(number[partition.labels])
    assert losses_of(graph, renumbered) == pytest.approx(losses_of(graph, partition), abs=1e-12)


@given(graphs(smallest=3), st.data())
def test_a_method_without_ties_to_break_reaches_the_same_loss_after_any_shuffle_and_relabelling(graph, data):
    order = np.array(data.draw(st.permutations(range(graph.n))))
    other = data.draw(relabellings(graph)).take(order)
    requirement, method = Requirement(k=data.draw(st.integers(1, 3)), withhold=0.99), FullDomain()
    one, two = (method.group(g, requirement, np.random.default_rng(0)) for g in (graph, other))
    assert np.array_equal(one.partition.kept[order], two.partition.kept)
    assert public_losses(two) == pytest.approx(public_losses(one), abs=1e-12)


@given(graphs(), st.data())
def test_shuffling_people_back_gives_the_same_graph(graph, data):
    order = np.array(data.draw(st.permutations(range(graph.n))))
    back = graph.take(order).take(np.argsort(order))
    assert np.array_equal(back.values, graph.values)
    assert (back.ties != graph.ties).nnz == 0
    assert {name: c.codes.tolist() for name, c in back.payload.items()} == \
        {name: c.codes.tolist() for name, c in graph.payload.items()}
