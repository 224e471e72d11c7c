"""Laws of the one input type: what does not fit together is refused when it is put together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from strategies import graphs
from toy import g6

from graphanon.domain import Tree
from graphanon.errors import InputProblem
from graphanon.graph import AttributedGraph, Nominal, symmetric_ties


def refused(graph: AttributedGraph, match: str, **changes) -> None:
    with pytest.raises(InputProblem, match=match):
        replace(graph, **changes)


def with_entry(matrix, row: int, column: int, value: float) -> sparse.csr_array:
    dense = matrix.toarray()
    dense[row, column] = value
    return sparse.csr_array(dense)


@given(graphs())
def test_a_graph_that_fits_together_may_be_put_together_again(graph):
    assert replace(graph).n == graph.n


@pytest.mark.parametrize("stray", [np.nan, np.inf, -1.0, 0.5, 99.0])
def test_what_is_no_address_of_a_tree_is_refused(stray):
    values = g6().values.copy()
    values[2, 2] = stray
    refused(g6(), "finite|rank of a leaf", values=values)


def test_a_missing_value_has_an_address_only_where_one_is_allowed():
    graph = g6()
    tree = graph.domains[2]
    values = graph.values.copy()
    values[0, 2] = tree.missing_address
    refused(graph, "rank of a leaf", values=values)
    columns = (*graph.schema.columns[:2], replace(graph.schema.columns[2], domain=Tree(tree.rows, missing=True)))
    allowed = replace(graph, values=values, schema=replace(graph.schema, columns=columns))
    assert allowed.values[0, 2] == len(tree.leaves)


def test_a_column_of_values_too_many_is_refused():
    refused(g6(), "4 columns of values for 3", values=np.zeros((6, 4)))


@pytest.mark.parametrize("entry", [(0, 0, 1), (0, 5, 1), (0, 1, 2), (0, 1, 0)])
def test_ties_that_are_no_symmetric_pairs_of_people_are_refused(entry):
    refused(g6(), "symmetric", ties=with_entry(g6().ties, *entry))


def test_ties_among_other_people_are_refused():
    refused(g6(), "ties of shape", ties=symmetric_ties(5, np.array([0]), np.array([1])))


def test_arcs_that_are_not_those_of_the_ties_are_refused():
    graph = g6()
    upper = sparse.csr_array(sparse.triu(graph.ties))
    assert replace(graph, arcs=upper).directed
    for entry in ((0, 0, 1), (0, 5, 1), (0, 1, 2), (0, 1, 0)):
        refused(graph, "arcs are 0 or 1", arcs=with_entry(upper, *entry))


def test_a_payload_or_wishes_of_other_people_are_refused():
    refused(g6(), "one value a person", payload={"illness": Nominal(np.zeros(5, dtype=np.int64), ("flu",))})
    refused(g6(), "5 wishes for 6 people", wishes=np.ones(5, dtype=np.int64))


@given(graphs())
def test_the_payload_of_a_graph_cannot_be_changed_from_outside(graph):
    with pytest.raises(TypeError):
        graph.payload["illness"] = None
