"""CAA-VS and Adaptive-Dense-Cfs worked out by hand on the toy graph; people are numbered from 1 in the comments."""

import numpy as np
import pytest
from toy import g6
from twins import similarity_matrix

from graphanon.loss import paper_losses
from graphanon.requirement import Requirement
from graphanon.social.adaptive_dense import AdaptiveDenseCfs
from graphanon.social.caa_vs import CaaVs

S = similarity_matrix(g6(), 0.5)


def to_class(v, members):
    """Return the mean similarity of a person to a class, numbered from 1."""
    return sum(S[v - 1, u - 1] for u in members) / len(members)


def classes_of(method, k):
    labels = method.partition(g6(), Requirement(k=k), np.random.default_rng(0)).labels
    return [set((np.flatnonzero(labels == label) + 1).tolist()) for label in range(labels.max() + 1)]


def test_3_has_the_highest_degree_and_takes_1_then_2():
    first = [to_class(v, [3]) for v in (1, 2, 4, 5, 6)]
    assert first == pytest.approx([0.4250, 0.2717, 0.2667, 0.2750, 0.4083], abs=5e-5)
    assert to_class(2, [3, 1]) == pytest.approx(0.3375)
    assert to_class(6, [3, 1]) == pytest.approx(0.2875)


def test_4_is_left_with_the_highest_degree_and_takes_5():
    assert to_class(5, [4]) == pytest.approx(0.5083, abs=5e-5)


def test_classes_of_three_are_the_triangles():
    assert classes_of(CaaVs(), 3) == [{3, 1, 2}, {4, 5, 6}]


def test_of_classes_of_four_there_is_one_and_two_people_are_left_over():
    # {3,1,2,4}, then 5 and 6 are fewer than 4 and go to the only class
    assert classes_of(CaaVs(), 4) == [{1, 2, 3, 4, 5, 6}]


def test_whoever_is_left_over_goes_to_the_most_similar_class():
    # k = 2: 3 takes 1, 4 takes 5; then 2 and 6 are two people, and a class
    assert to_class(5, [4]) > max(to_class(2, [4]), to_class(6, [4]))
    assert classes_of(CaaVs(), 2) == [{3, 1}, {4, 5}, {2, 6}]


def test_the_similarity_to_a_class_can_be_that_to_its_start():
    # of 2, 4, 5 and 6, 3 itself is most similar to 6
    assert classes_of(CaaVs(supernode="centre"), 3)[0] == {3, 1, 6}


def test_the_steps_of_pas_caa_without_its_sensitive_supernodes():
    # starts 5, 1 and 2; 4 and 6 join 5, 3 joins 1; {2} is dissolved, and 2 joins {1,3}
    assert classes_of(AdaptiveDenseCfs(Nc=3, K_nn=3), 2) == [{5, 4, 6}, {1, 3, 2}]


def test_the_stage_of_sensitive_supernodes_made_the_result_worse():
    grouping = AdaptiveDenseCfs(Nc=3, K_nn=3).group(g6(), Requirement(k=2), np.random.default_rng(0))
    assert paper_losses(grouping)["sum"] == pytest.approx(497 / 1080)
    assert 497 / 1080 < 757 / 900


def test_a_fixed_number_of_supernodes_takes_from_those_that_have_more():
    # of {5,4,6} and {1,3}, each of which has no more than 3: one of the first goes to 2
    s = {v: to_class(v, [u for u in (4, 5, 6) if u != v]) for v in (4, 5, 6)}
    gone = min(s, key=s.get)
    assert classes_of(AdaptiveDenseCfs(Nc=3, K_nn=3, adaptive_nc=False), 2) == [{4, 5, 6} - {gone}, {1, 3}, {2, gone}]


@pytest.mark.parametrize(("centres", "first"), [("density*cfs", 5), ("density", 5), ("cfs", 1)])
def test_a_start_is_dense_or_has_tied_neighbours_or_both(centres, first):
    # densities 2/3 and 5/6 (of 5 and 6); coefficients 1 but 1/3 of 3 and 4
    labels = AdaptiveDenseCfs(K_nn=3, centres=centres).partition(g6(), Requirement(k=3), np.random.default_rng(0)).labels
    assert labels[first - 1] == 0
