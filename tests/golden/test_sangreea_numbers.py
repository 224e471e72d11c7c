"""SaNGreeA worked out by hand on the toy graph; people are numbered from 1 in the comments."""

import numpy as np
import pytest
from toy import g6, graph_of
from twins import addition_cost, distance

from graphanon.domain import Range, Tree
from graphanon.loss import public_losses
from graphanon.requirement import Requirement
from graphanon.social.sangreea import SaNGreeA


def classes_of(method, k):
    grouping = method.group(g6(), Requirement(k=k), np.random.default_rng(0))
    labels = grouping.partition.labels
    return [set((np.flatnonzero(labels == label) + 1).tolist()) for label in range(labels.max() + 1)], grouping


def test_distances_between_people():
    graph = g6()
    # of the other four: 1 and 2 know the same; 1 and 4 differ on 2, 5, 6; 3 and 4 on all
    assert distance(graph, 0, 1) == 0
    assert distance(graph, 0, 3) == 3 / 4
    assert distance(graph, 2, 3) == 1
    assert distance(graph, 4, 5) == 0


def test_the_first_person_added_to_3_is_1():
    costs = [addition_cost(g6(), [2], x, 0.5, 0.5) for x in (0, 1, 3, 4, 5)]
    assert costs == pytest.approx([13 / 40, 287 / 600, 11 / 15, 29 / 40, 71 / 120])


def test_the_next_is_2():
    assert addition_cost(g6(), [2, 0], 1, 0.5, 0.5) == pytest.approx(103 / 240)


def test_the_first_person_added_to_4_is_5():
    assert addition_cost(g6(), [3], 4, 0.5, 0.5) == pytest.approx(29 / 120)


def test_classes_of_three_are_the_triangles():
    classes, grouping = classes_of(SaNGreeA(), 3)
    assert classes == [{3, 1, 2}, {4, 5, 6}]
    assert public_losses(grouping)["total"] == pytest.approx((41 / 60 + 32 / 135) / 2)


def test_for_classes_of_four_the_last_two_are_dispersed():
    assert addition_cost(g6(), [2, 0, 1], 3, 0.5, 0.5) == pytest.approx(17 / 20)
    classes, grouping = classes_of(SaNGreeA(), 4)
    assert classes == [{1, 2, 3, 4, 5, 6}]
    losses = public_losses(grouping)
    assert (losses["ngil"], losses["nsil"]) == pytest.approx((1, 224 / 225))


def test_the_first_person_left_can_start_a_class():
    classes, _ = classes_of(SaNGreeA(seed="first"), 3)
    assert classes == [{1, 2, 3}, {4, 5, 6}]


def test_random_starts_come_from_the_runs_generator():
    def labels(seed):
        method = SaNGreeA(seed="random")
        return method.partition(g6(), Requirement(k=2), np.random.default_rng(seed)).labels.tolist()

    assert labels(1) == labels(1)
    assert len({tuple(labels(seed)) for seed in range(20)}) > 1


def test_a_category_costs_its_height_or_its_leaves():
    small = [(f"s{i}", "Small", "*") for i in range(2)]
    work = Tree(tuple(small + [(f"b{i}", "Big", "*") for i in range(8)]))
    b0, b1 = work.addresses()["b0"], work.addresses()["b1"]
    graph = graph_of([], 4, lines=(Range(0, 10), work), values=[[0, 6, 0, 6], [b0, b0, b1, b1]])

    def partner_of_the_first(measure):
        method = SaNGreeA(alpha=1.0, beta=0.0, seed="first", measure=measure)
        labels = method.partition(graph, Requirement(k=2), np.random.default_rng(0)).labels
        return np.flatnonzero(labels == labels[0]).tolist()[1]

    # with the second: 6 of 10 years; with the third: Big, half the height, but 8 of 10 leaves
    assert partner_of_the_first("height") == 2
    assert partner_of_the_first("leaves") == 1
