"""COAA, KACA and GAA-CP worked out by hand; people are numbered from 1 in the comments."""

import numpy as np
import pytest
from toy import WORK, graph_of

from graphanon.closeness import describe
from graphanon.domain import Range, Tree
from graphanon.grouping import Grouping, Partition, hull
from graphanon.kernels.merging import FIRST, chains_of, merge_small
from graphanon.kernels.prices import apart, prices_of
from graphanon.loss import public_losses
from graphanon.requirement import Requirement
from graphanon.tabular.coaa import Coaa
from graphanon.tabular.gaa_cp import GaaCp
from graphanon.tabular.kaca import Kaca, level_costs
from graphanon.tabular.points import gather

SEX = Tree((("M", "Any"), ("F", "Any")))


def table(*columns, lines):
    """Return people from one column of cells a line; categories as their labels."""
    values = [[line.addresses()[cell] for cell in column] if isinstance(line, Tree) else column
              for line, column in zip(lines, columns, strict=True)]
    return graph_of([], len(columns[0]), lines=lines, values=values, has_ties=False)


def t6():
    """Return six people of whom three are young and with the government, all but one."""
    return table([20, 22, 24, 50, 52, 55], ["Fed", "Local", "Fed", "Self", "Corp", "Corp"], lines=(Range(20, 55), WORK))


def classes_of(method, graph, k):
    labels = method.partition(graph, Requirement(k=k), np.random.default_rng(0)).labels
    return [set((np.flatnonzero(labels == label) + 1).tolist()) for label in range(labels.max() + 1)]


def il(graph, classes):
    """Return the loss summed over cells, IL of the papers."""
    labels = np.empty(graph.n, dtype=np.int64)
    for label, members in enumerate(classes):
        labels[np.array(sorted(members)) - 1] = label
    together = Partition(labels)
    return public_losses(Grouping(graph, together, hull(graph, together)))["ncp"] * graph.n * graph.q


# ---------------------------------------------------------------- losses and distances


def test_the_loss_of_two_triples():
    # three times 4 of 35 years and 2 of 4 leaves, three times 5 of 35 and 2 of 4
    expected = 3 * (4 / 35 + 1 / 2) + 3 * (5 / 35 + 1 / 2)
    assert expected == pytest.approx(132 / 35)
    assert il(t6(), [{1, 2, 3}, {4, 5, 6}]) == pytest.approx(expected)
    assert il(t6(), [{1, 2, 3}, {4, 5, 6}]) / (6 * 2) == pytest.approx(11 / 35)


def test_two_people_lose_together_twice_their_distance_in_each_attribute():
    graph = t6()
    distance = apart(prices_of(describe(graph, categorical="leaves")), 0, 1) / graph.q
    # the mean of 2 of 35 years and 2 of 4 leaves, which is 39 of 140
    assert distance == pytest.approx((2 / 35 + 2 / 4) / 2)
    assert distance == pytest.approx(39 / 140)
    assert il(graph, [{1, 2}, {3}, {4}, {5}, {6}]) == pytest.approx(2 * graph.q * distance)


# ---------------------------------------------------------------- COAA


@pytest.mark.parametrize("literal", [False, True])
def test_coaa_cuts_between_the_first_and_the_last(literal):
    assert classes_of(Coaa(literal=literal), t6(), 2) == [{1, 2, 3}, {4, 5, 6}]


@pytest.mark.parametrize("core", ["exact", "two_sweep"])
def test_coaa_needs_k_on_both_sides(core):
    assert classes_of(Coaa(core=core), t6(), 3) == [{1, 2, 3}, {4, 5, 6}]


def test_coaa_as_printed_needs_more_than_k_on_both_sides():
    assert classes_of(Coaa(strict=True, small_side="stop"), t6(), 3) == [{1, 2, 3, 4, 5, 6}]
    assert classes_of(Coaa(literal=True), t6(), 3) == [{1, 2, 3, 4, 5, 6}]
    # everyone loses everything in both attributes
    assert il(t6(), [{1, 2, 3, 4, 5, 6}]) == pytest.approx(6 * 2)


def test_an_outlier_freezes_its_class_as_printed_and_takes_its_nearest_otherwise():
    graph = table([0, 1, 2, 3, 4, 100], lines=(Range(0, 100),))
    assert classes_of(Coaa(small_side="stop"), graph, 2) == [{1, 2, 3, 4, 5, 6}]
    # 5 lies least farther from 6 than from 1; then 1 and 4 are farthest apart
    assert classes_of(Coaa(), graph, 2) == [{1, 2}, {3, 4}, {5, 6}]


def test_coaa_as_printed_makes_no_cut_that_gains_nothing():
    # both halves have the whole range in one attribute or the other
    graph = table(["Fed", "Self", "Fed", "Self"], lines=(WORK,))
    assert classes_of(Coaa(), graph, 2) == [{1, 3}, {2, 4}]
    flat = table([5, 5, 5, 5], lines=(Range(5, 5),))
    assert classes_of(Coaa(), flat, 2) == [{1, 2, 3, 4}]


# ---------------------------------------------------------------- KACA


def test_levels_weigh_alike_or_more_near_the_root():
    # of a hierarchy of three levels, counted from the root, the step from 3 to 2 and that from 2 to 1
    assert np.diff(level_costs(2)) == pytest.approx([1 / 2, 1 / 2])
    assert np.diff(level_costs(2, "height")) == pytest.approx([(1 / 2) / (1 / 2 + 1), 1 / (1 / 2 + 1)])
    # of six levels, the step from 5 to 4 and that from 6 to 5
    assert np.diff(level_costs(5))[1] == pytest.approx(1 / 5)
    assert np.diff(level_costs(5, "height"))[0] == pytest.approx((1 / 5) / (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5))
    assert pytest.approx(12 / 137) == (1 / 5) / (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5)


def workers():
    """Return two men with the federal government and three women elsewhere."""
    return table(["Fed", "Fed", "Local", "Self", "Corp"], ["M", "M", "F", "F", "F"], lines=(WORK, SEX))


def test_kaca_joins_the_women():
    # to the men: (1 + 2) people, half way up and all the way; to either woman: 2 people all the way up
    graph = workers()
    method = Kaca(loss="levels", choice="first")
    points = gather(graph, Requirement(k=2))
    chains = chains_of(prices_of(method._crowd(points.graph)), points.weight, points.need)
    both = (3 * (1 / 2 + 1), 2 * 1.0, 2 * 1.0)
    assert both == (9 / 2, 2, 2)
    merge_small(chains, FIRST, np.zeros(1), stub=True)
    # Local with Self, the first of equals: all of the work, none of the sex
    assert chains.price.tolist() == [0, 1, 0, 0]
    assert chains.size[1] == 2
    assert classes_of(method, graph, 2) == [{1, 2}, {3, 4, 5}]


def test_the_distortion_of_all_joins_adds_up_to_that_of_the_table():
    graph = workers()
    for choice in ("first", "smallest", "random"):
        assert classes_of(Kaca(loss="levels", choice=choice), graph, 2) == [{1, 2}, {3, 4, 5}]
    # three women, all the way up in work: with Local first 2 and then 1, with Corp first 1 and then 2
    partition = Partition(np.array([0, 0, 1, 1, 1]))
    assert public_losses(Grouping(graph, partition, hull(graph, partition)))["ngil"] * 5 * 2 == pytest.approx(3)


def test_a_stub_leaves_the_rest_of_a_large_class_as_it_was():
    graph = table(["Local"] + ["Fed"] * 5, ["F"] + ["M"] * 5, lines=(WORK, SEX))
    # a full join costs 6 people half of the work and all of the sex, one with two of the five only 3
    assert (6 * 3 / 2, 3 * 3 / 2) == (9, 9 / 2)
    assert classes_of(Kaca(loss="levels"), graph, 3) == [{2, 3, 4}, {1, 5, 6}]  # two of five who are alike
    assert classes_of(Kaca(loss="levels", stub=False), graph, 3) == [{1, 2, 3, 4, 5, 6}]


def test_a_number_costs_what_it_loses_of_its_range():
    # 20 and 24 in one: 2 people times 4 of 35
    graph = table([20, 24, 54, 55], lines=(Range(20, 55),))
    assert classes_of(Kaca(loss="levels"), graph, 2) == classes_of(Kaca(), graph, 2)
    assert il(graph, classes_of(Kaca(), graph, 2)) == pytest.approx(2 * 4 / 35 + 2 * 1 / 35)


# ---------------------------------------------------------------- GAA-CP


def test_the_first_person_taken_is_the_one_who_costs_least():
    rises = [il(t6(), [{1, x}, *({y} for y in range(2, 7) if y != x)]) for x in range(2, 7)]
    # two people times years of 35 and leaves of 4: 2 and Gov, 4 and Fed, 30, 32, 35 and everything
    assert rises == pytest.approx([2 * (2 / 35 + 1 / 2), 2 * 4 / 35, 2 * (30 / 35 + 1), 2 * (32 / 35 + 1), 4])


@pytest.mark.parametrize("distance", ["increment", "after", "mean"])
def test_gaa_cp_makes_three_pairs(distance):
    classes = classes_of(GaaCp(distance=distance), t6(), 2)
    assert classes == [{1, 3}, {2, 4}, {5, 6}]
    assert il(t6(), classes) == pytest.approx(4)


def test_whoever_is_left_joins_where_the_loss_rises_least():
    graph = table([0, 1, 10, 11, 12], lines=(Range(0, 12),))
    assert classes_of(GaaCp(), graph, 2) == [{1, 2}, {3, 4, 5}]


def test_who_starts_a_class():
    graph = table([0, 1, 2, 8, 9, 5, 6], lines=(Range(0, 9),))
    # after 1 (with 2) the one farthest from it is 5
    assert classes_of(GaaCp(seed="farthest_last"), graph, 2)[1] == {4, 5}
    # then the nearest start of 3 is 2 away and that of 6 and 7 is 4 and 3
    assert classes_of(GaaCp(seed="farthest_all"), graph, 2)[2] == {6, 7}
    drawn = {tuple(map(tuple, map(sorted, classes_of_seeded(graph, seed)))) for seed in range(12)}
    assert len(drawn) > 1


def classes_of_seeded(graph, seed):
    labels = GaaCp(seed="random").partition(graph, Requirement(k=2), np.random.default_rng(seed)).labels
    return [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]
