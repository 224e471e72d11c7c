"""The search of the lattice finds what looking at every node finds, and its counts are those of plain Python."""

from dataclasses import replace
from itertools import product

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, settings
from strategies import graphs
from toy import graph_of

from graphanon.domain import Order, Range, Tree
from graphanon.errors import InfeasiblePromise
from graphanon.grouping import at_levels, classes
from graphanon.kernels.lattice import Points, empty_like, gain, merge, survey, table_for
from graphanon.loss import cell_costs
from graphanon.repair import kept_classes
from graphanon.requirement import Requirement
from graphanon.schema import Role
from graphanon.tabular.general_alpha_k import GeneralAlphaK
from graphanon.tabular.ladders import doubled, ladders_of
from graphanon.tabular.lattice import best_node, weigh_node


def with_promise(graph, **promise):
    columns = tuple(replace(column, **promise) if column.role is Role.SENSITIVE else column
                    for column in graph.schema.columns)
    return replace(graph, schema=replace(graph.schema, columns=columns))


def counted(graph, requirement, level):
    """Count a node from the boxes alone: how many are left out, and what all cells cost."""
    boxes = ladders_of(graph, requirement).boxes(level)
    partition, distinct = classes(boxes)
    good = kept_classes(graph, partition, requirement)
    costs = cell_costs(graph.domains, distinct, "leaves").sum(axis=1)
    withheld = int(partition.sizes[~good].sum())
    return withheld, float((partition.sizes * costs)[good].sum()) + withheld * graph.q


def every_node(graph, requirement):
    tops = ladders_of(graph, requirement).tops.tolist()
    return {level: counted(graph, requirement, level) for level in product(*(range(top + 1) for top in tops))}


@settings(max_examples=60)
@given(data=st.data())
def test_the_best_node_is_as_good_as_the_best_of_all(data):
    graph = data.draw(graphs(smallest=2, largest=12, wishes=data.draw(st.booleans())))
    assume(graph.q)
    if "illness" in graph.payload and data.draw(st.booleans()):
        graph = with_promise(graph, **data.draw(st.sampled_from([{"alpha": {"hiv": 0.5}}, {"l": 2}, {"t": 0.4}])))
    requirement = Requirement(k=data.draw(st.integers(1, 4)), withhold=data.draw(st.sampled_from([0.0, 0.3])))
    ladders, allowed = ladders_of(graph, requirement), int(requirement.withhold * graph.n + 1e-9)
    nodes = every_node(graph, requirement)
    good = [cost for withheld, cost in nodes.values() if withheld <= allowed]
    method = GeneralAlphaK(general=False, subsets=data.draw(st.integers(0, 3)))
    best = method._search(graph, ladders, requirement)
    assert (best.level is None) == (not good)
    if good:
        assert best.cost == pytest.approx(min(good))
        assert nodes[best.level] == (best.withheld, pytest.approx(best.cost))


@settings(max_examples=40)
@given(data=st.data())
def test_counts_rolled_up_are_those_of_everyone(data):
    graph = data.draw(graphs(smallest=1, largest=16, wishes=True))
    assume(graph.q)
    requirement = Requirement(k=2)
    ladders = ladders_of(graph, requirement)
    low = [data.draw(st.integers(0, top)) for top in ladders.tops.tolist()]
    if not ladders.nested:
        low = [0] * graph.q
    high = [data.draw(st.integers(h, top)) for h, top in zip(low, ladders.tops.tolist(), strict=True)]
    once = _merged(ladders, ladders.points, low)
    twice = _merged(ladders, once, high)
    partition, _ = classes(ladders.boxes(high))
    assert sorted(twice.weight.tolist()) == sorted(partition.sizes.tolist())
    wished = np.zeros(partition.n_classes, dtype=np.int64)
    np.maximum.at(wished, partition.labels, np.maximum(graph.wishes, 2))
    assert sorted(zip(twice.weight.tolist(), twice.need.tolist(), strict=True)) == \
        sorted(zip(partition.sizes.tolist(), wished.tolist(), strict=True))


def _merged(ladders, points, level):
    room, slot = empty_like(points), np.empty(len(points.base), dtype=np.int64)
    found = merge(points, ladders.scale, np.array(level), table_for(points), room, slot)
    assert slot.max(initial=-1) == found - 1
    return Points(*(part[:found] for part in room))


@settings(max_examples=40)
@given(data=st.data())
def test_a_survey_finds_the_gain_of_every_node(data):
    graph = data.draw(graphs(smallest=1, largest=16))
    assume(graph.q)
    requirement = Requirement(k=data.draw(st.integers(1, 4)))
    ladders = ladders_of(graph, requirement)
    assume(ladders.nested)
    nodes = np.array(list(product(*(range(top + 1) for top in ladders.tops.tolist()))), dtype=np.int64)
    price = data.draw(st.sampled_from([0.1, 0.5, 1.0, 1.01])) * graph.q
    found = np.empty(len(nodes))
    rooms = Points(*(np.empty((graph.q, *part.shape), dtype=part.dtype) for part in ladders.points))
    survey(ladders.points, ladders.scale, ladders.rules, np.arange(graph.q), nodes, price, table_for(ladders.points),
           np.empty(len(ladders.points.base), dtype=np.int64), rooms, np.zeros(graph.q, dtype=np.int64), found)
    for node, won in zip(nodes, found.tolist(), strict=True):
        partition, boxes = classes(ladders.boxes(node))
        costs = cell_costs(graph.domains, boxes, "leaves").sum(axis=1)
        large = partition.sizes >= requirement.k
        assert won == pytest.approx((partition.sizes * np.maximum(price - costs, 0))[large].sum())
        assert won == pytest.approx(gain(_merged(ladders, ladders.points, node), ladders.scale, ladders.rules, node, price))


@given(graph=graphs(smallest=1))
def test_levels_are_those_of_the_lines(graph):
    ladders = ladders_of(graph, Requirement(k=1))
    lines = tuple(doubled(domain) for domain in graph.domains)
    for begun in product(*(range(line.height + 1) for line in lines[:2])):
        level = begun + (0,) * (graph.q - len(begun))
        wanted = [line.at_level(graph.values[:, j], level[j]) for j, line in enumerate(lines)]
        boxes = ladders.boxes(level)
        assert all(np.array_equal(lo, boxes.lo[:, j]) and np.array_equal(hi, boxes.hi[:, j])
                   for j, (lo, hi) in enumerate(wanted))


def test_widths_double_where_no_steps_are_given():
    assert doubled(Range(0, 10, grid=0.5)).steps == (1.0, 2.0, 4.0, 8.0)
    assert doubled(Range(0, 10, steps=(3,))).steps == (3,)
    assert doubled(Order(("a", "b", "c", "d", "e"))).steps == (2.0, 4.0)
    assert doubled(Range(7, 7)).steps == ()


def test_bins_that_do_not_nest_are_searched_to_the_end():
    # widths 2 and 3: people 2 and 3 are together in twos and apart in threes
    graph = graph_of([], 6, lines=(Range(0, 5, steps=(2, 3)),), values=[[0, 1, 2, 3, 4, 5]], has_ties=False)
    ladders = ladders_of(graph, Requirement(k=2))
    assert not ladders.nested
    assert best_node(ladders, 0).level == (1,)
    assert best_node(ladders_of(graph, Requirement(k=3)), 0).level == (2,)


def test_a_search_that_may_not_look_far_says_so_and_still_keeps_k():
    rng = np.random.default_rng(4)
    lines = tuple(Range(0, 31) for _ in range(5))
    graph = graph_of([], 300, lines=lines, values=rng.integers(0, 32, (5, 300)).astype(float), has_ties=False)
    ladders = ladders_of(graph, Requirement(k=5))
    short, long = best_node(ladders, 15, work=20_000), best_node(ladders, 15)
    assert not short.complete
    assert long.complete
    assert long.cost <= short.cost
    assert short.withheld <= 15


def test_limits_that_block_everything_are_told_with_the_levels():
    tree = Tree(tuple((f"v{i}", f"g{i // 2}", "*") for i in range(4)))
    graph = graph_of([], 4, lines=(tree,), values=[[0, 1, 2, 3]], has_ties=False)
    column = replace(graph.schema.columns[0], limit=1)
    graph = replace(graph, schema=replace(graph.schema, columns=(column,)))
    assert GeneralAlphaK().group(graph, Requirement(k=2), np.random.default_rng(0)).partition.sizes.tolist() == [2, 2]
    with pytest.raises(InfeasiblePromise, match=r"4 of 4 people(?s:.*)a0: level 1 of 2, 2 values left"):
        GeneralAlphaK().group(graph, Requirement(k=3), np.random.default_rng(0))


def test_every_value_of_a_promised_column_is_promised_and_recounted():
    graph = graph_of([], 8, lines=(Range(0, 9),), values=[[1, 1, 1, 1, 9, 9, 9, 9]], has_ties=False,
                     payload={"illness": ["flu", "flu", "flu", "hiv", "hiv", "flu", "cold", "cold"]})
    graph = with_promise(graph, alpha={"hiv": 0.5})
    simple = GeneralAlphaK(general=False).group(graph, Requirement(k=2), np.random.default_rng(0))
    general = GeneralAlphaK().group(graph, Requirement(k=2), np.random.default_rng(0))
    assert simple.partition.n_classes == 2
    # three of the first four have flu
    assert general.partition.n_classes == 1
    assert dict(general.source.schema["illness"].alpha) == {"hiv": 0.5, "flu": 0.5, "cold": 0.5}


def test_the_weight_of_a_node_is_what_its_boxes_say():
    graph = graph_of([], 4, lines=(Range(0, 10, steps=(2, 5)),), values=[[0, 1, 4, 9]], has_ties=False)
    ladders = ladders_of(graph, Requirement(k=2))
    assert at_levels(graph, [1]).hi.ravel().tolist() == [1, 1, 5, 9]
    assert weigh_node(ladders, (1,)) == (2, pytest.approx(2 * 0.1 + 2 * 1))
