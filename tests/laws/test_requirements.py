"""Laws of promises: no method breaks what was asked, whatever it does to people on the way.

Improving a finished partition is the place where promises are usually lost. No step of the kind is
registered; so this law is put to every method as a whole, for k, for the k that persons ask for, for what
may be withheld, and for the floors that a partition carries on.
"""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, reject
from strategies import graphs, partitions, requirements

from graphanon.catalog import methods
from graphanon.errors import InfeasiblePromise, InputProblem
from graphanon.floors import needs, raised
from graphanon.grouping import Partition
from graphanon.method import PerturbFirst
from graphanon.requirement import Requirement

PROMISING = [cls() for cls in methods().values() if not issubclass(cls, PerturbFirst)]


@st.composite
def jobs(draw):
    graph = draw(graphs(smallest=2, wishes=draw(st.booleans())))
    return graph, draw(requirements(graph.n))


@pytest.mark.parametrize("method", PROMISING, ids=lambda method: method.about.name)
@given(jobs())
def test_no_method_breaks_a_requirement(method, case):
    graph, requirement = case
    try:
        partition = method.group(graph, requirement, np.random.default_rng(0)).partition
    except InfeasiblePromise:
        reject()
    kept, sizes = partition.kept, partition.sizes
    assert (sizes >= requirement.k).all()
    assert partition.withheld <= requirement.withhold * graph.n + 1e-9
    if graph.wishes is not None:
        assert (sizes[partition.labels[kept]] >= graph.wishes[kept]).all()


@pytest.mark.parametrize("method", PROMISING, ids=lambda method: method.about.name)
@given(jobs())
def test_no_class_forgets_the_least_size_that_its_members_asked_for(method, case):
    graph, requirement = case
    try:
        partition = method.group(graph, requirement, np.random.default_rng(0)).partition
    except InfeasiblePromise:
        reject()
    asked = needs(graph, requirement)
    assert partition.floors is not None
    assert (partition.floors[partition.labels[partition.kept]] >= asked[partition.kept]).all()


@given(st.data())
def test_merging_classes_that_are_too_small_leaves_none_and_takes_the_larger_floor(data):
    graph = data.draw(graphs(smallest=2, wishes=True))
    start = data.draw(partitions(graph, withheld=False))
    need = needs(graph, Requirement(k=data.draw(st.integers(1, graph.n))))
    partition = raised(graph, start.labels, need)
    asked = np.zeros(partition.n_classes, dtype=np.int64)
    np.maximum.at(asked, partition.labels, need)
    assert (partition.sizes >= asked).all()
    assert np.array_equal(partition.floors, asked)
    assert len({*zip(start.labels.tolist(), partition.labels.tolist(), strict=True)}) == start.n_classes


@given(st.data())
def test_classes_that_are_large_enough_are_left_alone(data):
    graph = data.draw(graphs(smallest=2))
    start = data.draw(partitions(graph, withheld=False))
    assume((start.sizes >= 2).all())
    partition = raised(graph, start.labels, needs(graph, Requirement(k=2)))
    assert np.array_equal(partition.labels, start.labels)


@given(st.data())
def test_the_floor_that_a_method_gives_a_class_survives_merging(data):
    graph = data.draw(graphs(smallest=3))
    start = data.draw(partitions(graph, withheld=False))
    partition = raised(graph, start.labels, needs(graph, Requirement(k=2)), start.sizes)
    before = Partition(start.labels, start.sizes)
    for number in range(partition.n_classes):
        parts = np.unique(before.labels[partition.labels == number])
        assert partition.floors[number] >= before.floors[parts].max()


@given(st.integers(-3, 0), st.floats(1.0, 2.0), st.floats(1.01, 3.0))
def test_a_requirement_that_means_nothing_is_refused_with_everything_wrong_with_it(k, withhold, confidence):
    with pytest.raises(InputProblem, match=f"k is {k}") as caught:
        Requirement(k=k, withhold=withhold, tie_confidence=confidence)
    assert len(caught.value.problems) == 3
