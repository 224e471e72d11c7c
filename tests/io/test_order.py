from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sources import source_of

from graphanon.io.build import build
from graphanon.io.order import arrange
from graphanon.schema import Column, Role, Schema

GRAPH = Schema(columns=(Column(name="id", role=Role.IDENTIFIER),
                        Column(name="age", role=Role.QUASI, numeric=True, declared=(0, 99)),
                        Column(name="ill", role=Role.SENSITIVE, l=2)))
PEOPLE = {"id": list("abcdefgh"), "age": list("31415926"), "ill": list("xyxyxyzz")}
PAIRS = [("a", "b"), ("b", "c"), ("c", "d"), ("h", "a"), ("e", "c")]


def shuffled(people, order):
    return {name: [cells[i] for i in order] for name, cells in people.items()}


def seen(reading):
    graph = reading.graph
    ill = graph.payload["ill"]
    return (reading.ids, graph.values.tolist(), graph.ties.toarray().tolist(), ill.labels, ill.codes.tolist())


@given(st.permutations(range(8)), st.permutations(PAIRS), st.integers(-5, 2**70))
def test_the_order_of_people_and_ties_in_their_files_does_not_matter(order, pairs, seed):
    one = build(source_of(PEOPLE, PAIRS, id="id"), GRAPH)
    other = build(source_of(shuffled(PEOPLE, order), [(b, a) for a, b in pairs], id="id"), GRAPH)
    assert seen(arrange(one, seed)) == seen(arrange(other, seed))


@given(st.permutations(range(8)))
def test_the_order_of_a_table_does_not_matter_even_with_ids(order):
    one, other = build(source_of(PEOPLE, id="id"), GRAPH), build(source_of(shuffled(PEOPLE, order), id="id"), GRAPH)
    assert seen(arrange(one, 3))[1:] == seen(arrange(other, 3))[1:]


def test_ids_of_a_table_do_not_matter_to_its_order():
    renamed = PEOPLE | {"id": list("stuvwxyz")}
    one, other = (arrange(build(source_of(p, id="id"), GRAPH), 3) for p in (PEOPLE, renamed))
    assert one.graph.values.tolist() == other.graph.values.tolist()


def test_everybody_keeps_their_row_text_and_line():
    reading = arrange(build(source_of(PEOPLE, PAIRS, id="id"), GRAPH), 11)
    assert sorted(reading.rows.tolist()) == list(range(1, 9))
    assert reading.table.frame["id"].tolist() == list(reading.ids)
    assert (reading.table.lines == reading.rows + 1).all()
    assert [PEOPLE["age"][row - 1] for row in reading.rows] == [f"{v:.0f}" for v in reading.graph.values[:, 0]]


def test_another_seed_is_another_order_and_the_same_seed_the_same():
    reading = build(source_of(PEOPLE, PAIRS, id="id"), GRAPH)
    orders = {arrange(reading, seed).ids for seed in range(20)}
    assert len(orders) == 20
    assert arrange(reading, 5).ids == arrange(reading, 5).ids


def test_every_order_of_three_people_comes_up_about_equally_often():
    people = {name: cells[:3] for name, cells in PEOPLE.items()}
    reading = build(source_of(people, [("a", "b")], id="id"), GRAPH)
    counts = Counter(arrange(reading, seed).ids for seed in range(600))
    assert len(counts) == 6
    assert min(counts.values()) > 60  # 100 expected, standard deviation 9


def test_missing_cells_and_columns_without_people_can_be_arranged():
    schema = Schema(columns=(Column(name="town", role=Role.QUASI),), missing="value")
    reading = arrange(build(source_of({"town": ["x", None, "y"]}), schema), 1)
    assert sorted(reading.rows.tolist()) == [1, 2, 3]
    ends = arrange(build(source_of(None, PAIRS), Schema(columns=())), 1)
    assert sorted(ends.ids) == list("abcdeh")


def test_the_reading_that_went_in_is_left_alone():
    reading = build(source_of(PEOPLE, PAIRS, id="id"), GRAPH)
    before = seen(reading)
    arrange(reading, 1)
    assert seen(reading) == before
    assert np.array_equal(reading.rows, np.arange(1, 9))
