"""Datafly's options: who is withheld and how many, and what follows when limits block every attribute."""

import re
from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from strategies import graphs
from toy import graph_of

from graphanon.domain import Range, Tree
from graphanon.errors import InfeasiblePromise
from graphanon.graph import AttributedGraph
from graphanon.progress import hearing
from graphanon.requirement import Requirement
from graphanon.tabular.datafly import Datafly, DataflyFixed, DataflyImproved, DataflyMulti

FORMS = [Datafly, DataflyFixed, DataflyMulti, DataflyImproved]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.about.name)
TOWN = Tree((("a", "north", "*"), ("b", "north", "*"), ("c", "south", "*"), ("d", "south", "*")))


def towns(*counts: int, limit: int | None = None, illness: list[str] | None = None) -> AttributedGraph:
    """Return people in the four towns, so many in each."""
    values = np.repeat(np.arange(4.0), counts)
    graph = graph_of([], len(values), lines=(TOWN,), values=[values], has_ties=False,
                     payload={"illness": illness} if illness else None)
    columns = [replace(column, limit=limit) if column.name == "a0" else column for column in graph.schema.columns]
    return replace(graph, schema=replace(graph.schema, columns=tuple(columns)))


def grouped(method, graph, k, seed=1, **asked):
    """Group as a run does: the method is asked first how many may be withheld."""
    requirement = Requirement(k=k, **asked)
    requirement = replace(requirement, withhold=method.allowance(graph, requirement))
    return method.group(graph, requirement, np.random.default_rng(seed))


def withheld(*given, **asked):
    return grouped(*given, **asked).partition.withheld


def test_up_to_k_or_k_less_one_or_a_share_may_be_withheld():
    graph = towns(5, 5, 2, 1)
    # three are in towns below 3: k people may go, k - 1 = 2 may not, so that south becomes one class
    assert withheld(Datafly(), graph, 3) == 3
    assert withheld(Datafly(max_suppress="k-1"), graph, 3) == 0
    # 3 of 13 are a share of 0.231
    assert withheld(Datafly(max_suppress=0.24), graph, 3) == 3
    assert withheld(Datafly(max_suppress=0.22), graph, 3) == 0
    assert withheld(Datafly(), graph, 3, withhold=0.01) == 0


def test_those_who_are_withheld_can_be_made_k():
    graph = towns(5, 4, 3, 1)
    assert withheld(Datafly(), graph, 3) == 1
    made = grouped(Datafly(enforce_k=True), graph, 3)
    # one alone in the south is joined by two of the largest town, which then has the k that it needs
    assert made.partition.labels.tolist() == [-1, -1, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, -1]


def test_towns_that_can_spare_nobody_are_told_coarsely_instead():
    graph = towns(3, 3, 3, 1)
    assert withheld(Datafly(), graph, 3) == 1
    made = grouped(Datafly(enforce_k=True), graph, 3)
    assert made.partition.withheld == 0
    assert made.partition.sizes.tolist() == [6, 4]


def test_nobody_is_spared_whose_class_would_break_a_promise():
    ill = ["hiv", "hiv", "flu", "flu", "flu", "flu", "hiv", "flu", "flu", "flu", "flu"]
    graph = towns(6, 4, 0, 1, illness=ill)
    column = replace(graph.schema["illness"], alpha={"hiv": 1 / 3})
    graph = replace(graph, schema=replace(graph.schema, columns=(graph.schema.columns[0], column)))
    # without one with flu the six would have 2 of 5, so both with hiv are the ones who can go
    assert grouped(Datafly(enforce_k=True), graph, 3).partition.labels.tolist() == [-1, -1, 0, 0, 0, 0, 1, 1, 1, 1, -1]


def test_an_allowance_below_k_lets_nobody_be_withheld_where_k_must_be():
    assert withheld(Datafly(enforce_k=True), towns(5, 4, 3, 1), 3, withhold=0.2) == 0


def test_where_limits_leave_too_few_to_be_k_that_is_told():
    with pytest.raises(InfeasiblePromise, match=r"1 of 10 people are withheld, fewer than k(?s:.*)enforce_k=false"):
        grouped(Datafly(enforce_k=True), towns(3, 3, 3, 1, limit=0), 3)


@every_form
def test_limits_that_block_every_attribute_fail_or_withhold_who_is_left(form):
    graph = towns(6, 5, 2, 3, limit=0)
    said = []
    with pytest.raises(InfeasiblePromise) as caught, hearing(said.append):
        grouped(form(), graph, 4, **({"withhold": 0.05} if form is Datafly else {}))
    message = str(caught.value)
    assert "5 of 16 people, in 2 of 4 classes, are not kept" in message
    assert "a0: level 0 of 2, 4 values left" in message
    assert "withhold = 0.313, or --set blocked=suppress" in message
    # the share that is advised is enough
    share = float(re.search(r"withhold = ([\d.]+)", message)[1])
    assert withheld(form(), graph, 4, withhold=share) == 5
    with hearing(said.append):
        assert withheld(form(blocked="suppress"), graph, 4) == 5
    assert any("5 of 16 people are withheld as asked" in text for text in said)


@every_form
def test_nothing_is_advised_where_nobody_would_be_left(form):
    graph = graph_of([], 4, lines=(Range(0, 9, steps=(5,)),), values=[range(4)], has_ties=False)
    graph = replace(graph, schema=replace(graph.schema, columns=(replace(graph.schema.columns[0], limit=0),)))
    said = []
    with pytest.raises(InfeasiblePromise) as caught, hearing(said.append):
        grouped(form(blocked="suppress"), graph, 3)
    assert "withhold =" not in str(caught.value)
    assert not [text for text in said if "as asked" in text]


@pytest.mark.parametrize(("left_out", "people"), [(1, 3), (2, 3), (17, 40), (1, 1001)])
def test_a_share_that_is_advised_is_never_one_person_short(left_out, people):
    with pytest.raises(InfeasiblePromise) as caught:
        Requirement(k=2).check_withheld(left_out, people)
    share = float(re.search(r"withhold = ([\d.]+)", str(caught.value))[1])
    Requirement(k=2, withhold=share).check_withheld(left_out, people)


@settings(max_examples=60)
@given(data=st.data())
def test_nobody_or_k_are_withheld_where_that_is_enforced(data):
    graph = data.draw(graphs(smallest=3, largest=14, wishes=data.draw(st.booleans())))
    k = data.draw(st.integers(2, 4))
    try:
        made = grouped(Datafly(enforce_k=True), graph, min(k, graph.n), withhold=data.draw(st.sampled_from([0.0, 0.4])))
    except InfeasiblePromise:
        return
    assert made.partition.withheld == 0 or made.partition.withheld >= min(k, graph.n)
    assert made.partition.sizes.min() >= min(k, graph.n)
    if graph.wishes is not None:
        kept = made.partition.kept
        assert (made.partition.sizes[made.partition.labels[kept]] >= graph.wishes[kept]).all()
