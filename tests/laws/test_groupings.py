"""Laws that tie partitions and boxes together: hull and classes are two maps between them."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given
from publishable import smallest
from strategies import graphs, grouped, recoded

from graphanon.errors import InputProblem
from graphanon.grouping import Boxes, Grouping, Partition, at_levels, classes, hull, points, snap


def refines(fine: Partition, coarse: Partition) -> bool:
    """Whether every class of the first lies inside a class of the second."""
    together = zip(fine.labels.tolist(), coarse.labels.tolist(), strict=True)
    return len(set(together)) == fine.n_classes


@given(grouped())
def test_members_lie_in_the_hull_of_their_class(case):
    graph, partition = case
    boxes, kept = hull(graph, partition), partition.kept
    assert points(graph)[kept].within(boxes[partition.labels[kept]]).all()
    assert (boxes.lo[partition.labels[kept]] <= graph.values[kept] + 1e-9).all()
    assert (graph.values[kept] - 1e-9 <= boxes.hi[partition.labels[kept]]).all()


@given(grouped())
def test_the_hull_is_the_least_publishable_box(case):
    graph, partition = case
    boxes = hull(graph, partition)
    for number in range(partition.n_classes):
        members = graph.values[partition.labels == number]
        for j, domain in enumerate(graph.domains):
            wanted = smallest(domain, members[:, j].min(), members[:, j].max())
            assert np.allclose((boxes.lo[number, j], boxes.hi[number, j]), wanted, rtol=0, atol=1e-9)


@given(grouped())
def test_every_side_of_a_hull_is_publishable_as_it_is(case):
    graph, partition = case
    boxes = hull(graph, partition)
    again = snap(graph.domains, boxes.lo, boxes.hi)
    assert np.array_equal(again.lo, boxes.lo)
    assert np.array_equal(again.hi, boxes.hi)


@given(grouped(withheld=False))
def test_classes_of_the_hull_are_no_finer_than_the_partition(case):
    graph, partition = case
    assert refines(partition, classes(hull(graph, partition)[partition.labels])[0])


@given(recoded())
def test_the_hull_of_the_classes_is_no_wider_than_the_boxes(case):
    graph, levels = case
    partition, boxes = classes(at_levels(graph, levels))
    assert hull(graph, partition).within(boxes).all()


@given(grouped(withheld=False))
def test_the_hull_of_the_classes_of_a_hull_is_no_wider(case):
    graph, partition = case
    merged, boxes = classes(hull(graph, partition)[partition.labels])
    assert hull(graph, merged).within(boxes).all()


@given(recoded(), grouped(withheld=False))
def test_for_full_domain_recodings_fitting_in_the_boxes_is_refining_their_classes(case, other):
    graph, levels = case
    each = at_levels(graph, levels)
    merged, _ = classes(each)
    halves = np.arange(graph.n) % 2 + 2 * merged.labels
    cuts = [merged.labels, halves, np.zeros(graph.n), np.arange(graph.n), np.resize(other[1].labels, graph.n)]
    for raw in cuts:
        partition = Partition(np.unique(raw, return_inverse=True)[1].astype(np.int64))
        fits = bool(hull(graph, partition)[partition.labels].within(each).all())
        assert fits == refines(partition, merged)


@given(recoded())
def test_people_share_a_class_exactly_when_they_share_a_box(case):
    graph, levels = case
    each = at_levels(graph, levels)
    partition, boxes = classes(each)
    assert np.array_equal(boxes.lo[partition.labels], each.lo)
    assert np.array_equal(boxes.hi[partition.labels], each.hi)
    seen = {(*lo, *hi) for lo, hi in zip(boxes.lo.tolist(), boxes.hi.tolist(), strict=True)}
    assert len(seen) == partition.n_classes


@given(recoded())
def test_classes_are_numbered_by_first_appearance(case):
    graph, levels = case
    labels = classes(at_levels(graph, levels))[0].labels.tolist()
    assert list(dict.fromkeys(labels)) == list(range(max(labels) + 1))


@given(graphs())
def test_distinct_points_are_the_people(graph):
    view = graph.distinct()
    assert np.array_equal(view.points[view.inverse], graph.values)
    assert np.array_equal(np.bincount(view.inverse, minlength=len(view.points)), view.multiplicity)


@given(grouped())
def test_sizes_and_withheld_add_up_to_the_people(case):
    graph, partition = case
    assert partition.sizes.sum() + partition.withheld == graph.n
    assert partition.sizes.tolist() == [(partition.labels == c).sum() for c in range(partition.n_classes)]


def test_boxes_differ_when_only_their_upper_ends_differ():
    boxes = Boxes(np.array([[1.0], [1.0]]), np.array([[2.0], [3.0]]))
    assert classes(boxes)[0].n_classes == 2


@pytest.mark.parametrize("labels", [[0, 2], [-2, 0], [1, 1]])
def test_classes_are_numbered_without_gaps(labels):
    with pytest.raises(InputProblem, match=r"numbered|whole number"):
        Partition(np.array(labels))


@pytest.mark.parametrize("floors", [[2, 3], [2], [2, 2, 2]])
def test_a_class_below_its_floor_is_refused(floors):
    with pytest.raises(InputProblem, match="floor"):
        Partition(np.array([0, 0, 1, 1]), np.array(floors))


@given(grouped(withheld=False), st.data())
def test_a_single_member_outside_the_box_of_its_class_is_refused(case, data):
    graph, _ = case
    assume(graph.q > 0)
    alone = Partition(np.arange(graph.n, dtype=np.int64))
    boxes, person = hull(graph, alone), data.draw(st.integers(0, graph.n - 1))
    lo, hi = boxes.lo.copy(), boxes.hi.copy()
    lo[person], hi[person] = hi[person] + 1, hi[person] + 2
    with pytest.raises(InputProblem, match="1 people lie outside the box"):
        Grouping(graph, alone, Boxes(lo, hi))


@given(grouped(withheld=False))
def test_there_is_one_box_a_class(case):
    graph, partition = case
    boxes = hull(graph, partition)
    with pytest.raises(InputProblem, match="one box a class"):
        Grouping(graph, partition, Boxes(np.tile(boxes.lo, (2, 1)), np.tile(boxes.hi, (2, 1))))
