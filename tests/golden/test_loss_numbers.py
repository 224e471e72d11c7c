"""Losses worked out by hand on the toy graph and on a table of six."""

import numpy as np
import pytest
from toy import WORK, g6, graph_of

from graphanon.domain import Range
from graphanon.grouping import Grouping, Partition, hull
from graphanon.loss import entropy_loss, paper_losses, private_losses, public_losses

TRIANGLES = [0, 0, 0, 1, 1, 1]
MIXED = [0, 0, 1, 0, 1, 1]


def grouped(graph, labels):
    partition = Partition(np.array(labels, dtype=np.int64))
    return Grouping(graph, partition, hull(graph, partition))


def test_the_triangles_lose_little():
    # ages 25-30 and 40-50 of 25; both sexes in both; works meet at the root, and at Priv
    ngil = (3 * (5 / 25 + 1 + 1) + 3 * (10 / 25 + 1 + 1 / 2)) / (6 * 3)
    # complete inside, one of nine pairs between
    nsil = 2 * 1 * (1 - 1 / 9) / (6 * 5 / 4)
    losses = public_losses(grouped(g6(), TRIANGLES))
    assert (ngil, nsil) == pytest.approx((41 / 60, 32 / 135))
    assert losses["ngil"] == pytest.approx(ngil)
    assert losses["nsil"] == pytest.approx(nsil)
    assert losses["tie_loss"] == pytest.approx(2 * (1 - 1 / 9) / (2 * 7))
    assert losses["total"] == pytest.approx((ngil + nsil) / 2)
    assert losses["discernibility"] == 3**2 + 3**2
    assert losses["average_class_size"] == 3


def test_torn_triangles_lose_much():
    losses = public_losses(grouped(g6(), MIXED))
    # one tie of three pairs inside each, five of nine between
    inside, between = 2 * 1 * (1 - 1 / 3), 2 * 5 * (1 - 5 / 9)
    assert losses["ngil"] == pytest.approx(49 / 60)
    assert losses["nsil"] == pytest.approx((2 * inside + between) / (6 * 5 / 4))
    assert losses["nsil"] == pytest.approx(128 / 135)


def test_everyone_together_tells_nothing():
    losses = public_losses(grouped(g6(), [0] * 6))
    assert losses["ngil"] == 1
    assert losses["nsil"] == pytest.approx(2 * 7 * (1 - 7 / 15) / (6 * 5 / 4))
    assert losses["nsil"] == pytest.approx(224 / 225)


def test_everyone_alone_loses_nothing():
    losses = public_losses(grouped(g6(), range(6)))
    assert (losses["ncp"], losses["ngil"], losses["nsil"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("labels", "numbers", "structure", "total"),
    [(TRIANGLES, (3 / 10, 1, 3 / 4), 32 / 135, 497 / 1080), (MIXED, None, 128 / 135, 953 / 1080)],
)
def test_the_papers_losses(labels, numbers, structure, total):
    losses = paper_losses(grouped(g6(), labels))
    inf = 49 / 60 if numbers is None else sum(numbers) / 3
    assert losses == pytest.approx({"inf": inf, "str": structure, "sum": total})
    assert paper_losses(grouped(g6(), labels), attributes="sum")["inf"] == pytest.approx(3 * inf)


def test_each_attribute_of_the_triangles_on_its_own():
    each = private_losses(grouped(g6(), TRIANGLES))["attributes"]
    assert [each[name]["ngil"] for name in ("a0", "a1", "a2")] == pytest.approx([3 / 10, 1, 3 / 4])


def six_records():
    """Return (20,Fed) (22,Local) (24,Fed) (50,Self) (52,Corp) (55,Corp) as a table."""
    work = WORK.addresses()
    cells = [work[w] for w in ("Fed", "Local", "Fed", "Self", "Corp", "Corp")]
    return graph_of([], 6, lines=(Range(20, 55), WORK), values=[[20, 22, 24, 50, 52, 55], cells], has_ties=False)


def test_a_table_of_two_classes():
    losses = public_losses(grouped(six_records(), TRIANGLES))
    # ages 20-24 and 50-55 of 35; two of four leaves in each
    lost = 3 * (4 / 35 + 2 / 4) + 3 * (5 / 35 + 2 / 4)
    assert lost == pytest.approx(132 / 35)
    assert losses["ncp"] == pytest.approx(lost / (6 * 2))
    assert losses["ncp"] == pytest.approx(11 / 35)
    assert not {"nsil", "tie_loss", "total"} & set(losses)


def test_a_withheld_person_costs_every_cell():
    losses = public_losses(grouped(six_records(), [0, 0, 0, 1, 1, -1]))
    lost = 3 * (4 / 35 + 2 / 4) + 2 * (2 / 35 + 2 / 4) + 2
    assert losses["ncp"] == pytest.approx(lost / (6 * 2))
    assert losses["discernibility"] == 3**2 + 2**2 + 1 * 6


def test_classes_of_a_table_with_one_box_are_one_class():
    graph = graph_of([], 4, lines=(Range(0, 9),), values=[[1, 1, 1, 1]], has_ties=False)
    losses = public_losses(grouped(graph, [0, 0, 1, 1]))
    assert losses["discernibility"] == 4**2
    assert losses["average_class_size"] == 4


def test_arcs_count_one_way():
    graph = graph_of([(0, 1), (0, 2), (1, 3)], 4, directed=True, lines=(Range(0, 9),), values=[[1, 1, 1, 1]])
    losses = public_losses(grouped(graph, [0, 0, 1, 1]))
    # one arc of the two ordered pairs inside; two of the four from the first class to the second
    lost = 1 * (1 - 1 / 2) + 2 * (1 - 2 / 4)
    assert losses["nsil"] == pytest.approx(lost / (4 * 3 / 4))
    assert losses["tie_loss"] == pytest.approx(lost / 3)


def test_ties_both_ways_cost_what_the_undirected_tie_costs():
    one_way = [(0, 1), (1, 2), (2, 3)]
    both_ways = one_way + [(b, a) for a, b in one_way]
    labels = [0, 0, 1, 1]
    undirected = public_losses(grouped(graph_of(one_way, 4), labels))
    directed = public_losses(grouped(graph_of(both_ways, 4, directed=True), labels))
    assert directed == pytest.approx(undirected)


def test_entropy_counts_the_values_that_an_interval_hides():
    values = np.array([1.0, 1, 2, 3])
    lost = entropy_loss(values, np.array([1.0, 1, 1, 3]), np.array([1.0, 2, 3, 3]))
    assert lost == pytest.approx([np.log2(2 / 2), np.log2(3 / 2), np.log2(4 / 1), np.log2(1 / 1)])


def test_telling_nothing_loses_all_entropy():
    losses = private_losses(grouped(g6(), [0] * 6))
    ages, sexes, works = 6 * np.log2(6), 6 * np.log2(6 / 3), 2 * np.log2(6) + 4 * np.log2(6 / 2)
    assert losses["entropy"] == pytest.approx(ages + sexes + works)
    assert losses["entropy_share"] == pytest.approx(1)
