"""Classes that someone finds too small are merged where that costs least."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given
from strategies import graphs
from toy import graph_of

from graphanon.domain import Range
from graphanon.floors import needs, raised
from graphanon.requirement import Requirement

AGES = [20, 21, 30, 31, 90, 91]


def three_pairs():
    return graph_of([], 6, lines=(Range(0, 100),), values=[AGES])


def test_a_wish_for_more_merges_with_the_nearest_pair():
    need = np.array([4, 2, 2, 2, 2, 2])
    partition = raised(three_pairs(), np.array([0, 0, 1, 1, 2, 2]), need)
    assert partition.labels.tolist() == [0, 0, 0, 0, 1, 1]
    assert partition.floors.tolist() == [4, 2]


def test_classes_that_are_large_enough_stay_as_they_are():
    partition = raised(three_pairs(), np.array([5, 5, 3, 3, 7, 7]), np.full(6, 2))
    assert partition.labels.tolist() == [1, 1, 0, 0, 2, 2]


def test_floors_of_classes_count_too():
    floors = np.array([2, 2, 4])
    partition = raised(three_pairs(), np.array([0, 0, 1, 1, 2, 2]), np.full(6, 2), floors)
    assert partition.labels.tolist() == [0, 0, 1, 1, 1, 1]
    assert floors.tolist() == [2, 2, 4], "the caller's floors are left alone"


@given(graphs(wishes=True), st.data())
def test_everyone_ends_with_what_they_need(graph, data):
    labels = np.array(data.draw(st.lists(st.integers(0, 4), min_size=graph.n, max_size=graph.n)))
    need = needs(graph, Requirement(k=data.draw(st.integers(1, graph.n))))
    partition = raised(graph, labels, need)
    assert (partition.sizes[partition.labels] >= need).all()
    together = {(a, b) for a, b in zip(labels.tolist(), partition.labels.tolist(), strict=True)}
    assert len(together) == len(set(labels.tolist())), "classes are merged, never torn"
