"""Recodings worked out by hand: the lattice of (alpha, k), top-down recoding, Datafly in four forms, and their losses."""

from dataclasses import replace
from math import log2, sqrt

import numpy as np
import pytest
from toy import graph_of

from graphanon.domain import Tree
from graphanon.errors import InfeasiblePromise
from graphanon.grouping import Grouping, at_levels, classes, points
from graphanon.requirement import Requirement
from graphanon.tabular.datafly import Datafly, DataflyFixed, DataflyImproved, DataflyMulti, approximation
from graphanon.tabular.general_alpha_k import GeneralAlphaK
from graphanon.tabular.metrics import discernibility, entropy, precision
from graphanon.tabular.top_down import TopDown

SEX = Tree((("M", "*"), ("F", "*")))
AGE = Tree((("23", "20-29", "*"), ("27", "20-29", "*"), ("31", "30-39", "*"), ("36", "30-39", "*")))
ZIP = Tree((("1001", "10", "*"), ("1002", "10", "*"), ("1101", "11", "*"), ("1102", "11", "*")))
EIGHT = "M 23 1001,M 23 1001,F 23 1002,F 23 1002,M 23 1101,F 27 1101,M 31 1102,F 36 1102"
ILL = "M 4350 HIV,M 4351 flu,F 4352 flu,F 4353 HIV,M 4350 flu,F 4352 fever,F 4353 flu,M 4351 fever"
HOME = Tree(tuple((zip_, "435", "*") for zip_ in ("4350", "4351", "4352", "4353")))


def table(rows, lines, illness=(), alpha=None, limits=None):
    """Return a table of text with the promised alpha of an illness and the limits of columns by place."""
    cells = list(zip(*(row.split() for row in rows.split(",")), strict=True))
    values = [[line.addresses()[cell] for cell in column] for line, column in zip(lines, cells, strict=False)]
    payload = {"illness": cells[len(lines)]} if illness else None
    graph = graph_of([], len(cells[0]), lines=lines, values=values, payload=payload, has_ties=False)
    columns = [replace(column, limit=(limits or {}).get(j)) for j, column in enumerate(graph.schema.columns)]
    if alpha:
        columns[-1] = replace(columns[-1], alpha=alpha)
    return replace(graph, schema=replace(graph.schema, columns=tuple(columns)))


def grouped(method, graph, k=2, **asked):
    requirement = Requirement(k=k, **asked)
    requirement = replace(requirement, withhold=method.allowance(graph, requirement))
    return method.group(graph, requirement, np.random.default_rng(1))


def recoded(graph, levels):
    partition, boxes = classes(at_levels(graph, levels))
    return Grouping(graph, partition, boxes)


def levels_of(grouping):
    """Return the levels on which everyone is told, if all are told alike."""
    graph, labels = grouping.source, grouping.partition.labels
    for levels in np.ndindex(*(domain.height + 1 for domain in graph.domains)):
        boxes = at_levels(graph, levels)
        if np.array_equal(boxes.lo, grouping.boxes.lo[labels]) and np.array_equal(boxes.hi, grouping.boxes.hi[labels]):
            return levels
    return None


def share(grouping, value):
    """Return the largest share of an illness in any class."""
    own = grouping.source.payload["illness"]
    has = own.codes == own.labels.index(value)
    return (np.bincount(grouping.partition.labels, weights=has) / grouping.partition.sizes).max()


@pytest.mark.parametrize(
    ("levels", "hiv", "size"),
    # men live in 4350 and 4351, women in 4352 and 4353: the homes are pairs; one of each two in 4350 and 4353 has it
    [((0, 0), 1 / 2, 2), ((1, 0), 1 / 2, 2), ((0, 1), 1 / 4, 4), ((0, 2), 1 / 4, 4), ((1, 1), 2 / 8, 8), ((1, 2), 2 / 8, 8)],
)
def test_the_share_of_hiv_at_every_node_of_the_lattice(levels, hiv, size):
    grouping = recoded(table(ILL, (SEX, HOME), "illness"), levels)
    assert share(grouping, "HIV") == hiv
    assert grouping.partition.sizes.min() == size


def test_half_of_a_class_may_have_hiv_as_the_people_are():
    for general in (False, True):
        graph = table(ILL, (SEX, HOME), "illness", alpha={"HIV": 0.5})
        assert levels_of(grouped(GeneralAlphaK(general=general), graph)) == (0, 0)


def test_a_quarter_may_have_hiv_where_homes_are_told_coarsely():
    graph = table(ILL, (SEX, HOME), "illness", alpha={"HIV": 0.25})
    # told as 435 or as *, a home covers all four leaves: of equal losses the lower levels are taken
    assert levels_of(grouped(GeneralAlphaK(general=False), graph)) == (0, 1)


def test_a_quarter_of_every_illness_is_infeasible_since_half_have_flu():
    graph = table(ILL, (SEX, HOME), "illness", alpha={"HIV": 0.25})
    with pytest.raises(InfeasiblePromise, match=r"4 of all 8 people have it, which is 0\.5"):
        grouped(GeneralAlphaK(general=True), graph)


def test_top_down_leaves_those_behind_whose_own_part_is_too_ill():
    rows = "4350 HIV,4350 flu,4351 HIV,4360 flu,4360 flu,4360 HIV,4361 flu"
    homes = Tree((("4350", "435", "*"), ("4351", "435", "*"), ("4360", "436", "*"), ("4361", "436", "*")))
    grouping = grouped(TopDown(), table(rows, (homes,), "illness", alpha={"HIV": 0.5}))
    # 435 has 2 of 3 and goes back up; so are 2 of 3 behind, and the one of 4361 joins them: 2 of 4
    # 436 without that one is 4360 alone, told as it is, with 1 of 3
    assert grouping.partition.labels.tolist() == [0, 0, 0, 1, 1, 1, 0]
    assert grouping.source.domains[0].bounds(grouping.boxes.lo[:, 0], grouping.boxes.hi[:, 0])[0] == ["*", "4360"]
    assert share(grouping, "HIV") == 1 / 2


def eight(**limits):
    return table(EIGHT, (SEX, AGE, ZIP), limits={["sex", "age", "zip"].index(name): h for name, h in limits.items()})


def test_how_unevenly_the_values_of_the_eight_are_shared_out():
    # five of eight are 23, the three other ages one each; two of eight at each zip
    assert approximation(np.array([5, 1, 1, 1])) == pytest.approx(sqrt(((5 / 8 - 1 / 4) ** 2 + 3 * (1 / 8 - 1 / 4) ** 2) / 4))
    assert approximation(np.array([5, 1, 1, 1])) == pytest.approx(0.216506, abs=1e-6)
    assert approximation(np.array([2, 2, 2, 2])) == 0
    assert approximation(np.array([8])) == 0


def test_the_improved_form_climbs_age_then_zip_then_age():
    # values 2, 4, 4: age is less even; 2, 2, 4: zip; 2, 2, 2: six of eight are 20-29, a degree of 1/4 against 0
    grouping = grouped(DataflyImproved(), eight())
    assert approximation(np.array([6, 2])) == pytest.approx(1 / 4)
    assert levels_of(grouping) == (0, 2, 1)
    assert precision(grouping) == pytest.approx(1 - (0 / 1 + 2 / 2 + 1 / 2) / 3)
    assert precision(grouping) == pytest.approx(0.5)


def test_a_limit_on_age_sends_the_third_step_to_sex():
    grouping = grouped(DataflyImproved(), eight(age=1))
    assert levels_of(grouping) == (1, 1, 1)
    assert precision(grouping) == pytest.approx(1 - (1 / 1 + 1 / 2 + 1 / 2) / 3)


def test_sweeneys_form_breaks_ties_by_the_declared_order_and_withholds_nobody_here():
    # after age and zip four people are alone, more than k: sex comes first of three attributes with two values
    grouping = grouped(Datafly(), eight())
    assert levels_of(grouping) == (1, 1, 1)
    assert grouping.partition.withheld == 0
    assert precision(grouping) == pytest.approx(1 / 3)


def test_the_fixed_form_exhausts_age_before_it_begins_with_zip():
    grouping = grouped(DataflyFixed(), eight())
    assert levels_of(grouping) == (0, 2, 1)
    assert precision(grouping) == pytest.approx(0.5)


def test_the_multi_attribute_form_draws_among_equals():
    assert levels_of(grouped(DataflyMulti(among="first"), eight())) == (1, 1, 1)
    # at (0, 1, 1) all three have two values; sex or age is enough, and after zip two are alone until sex or age follows
    found = {levels_of(DataflyMulti().group(eight(), Requirement(k=2), np.random.default_rng(seed))) for seed in range(40)}
    assert found == {(1, 1, 1), (0, 2, 1), (1, 1, 2), (0, 2, 2)}


def test_sweeneys_form_withholds_up_to_k_people_by_its_own_rule():
    rows = "M 23 1001,M 23 1001,M 23 1001,F 27 1101,F 36 1102"
    grouping = grouped(Datafly(), table(rows, (SEX, AGE, ZIP)))
    # two people are alone as they are, and two are k: nothing is generalized
    assert grouping.partition.labels.tolist() == [0, 0, 0, -1, -1]
    assert grouped(Datafly(max_suppress=0), table(rows, (SEX, AGE, ZIP))).partition.withheld == 0
    # an allowance wins, here that of one person
    assert grouped(Datafly(), table(rows, (SEX, AGE, ZIP)), withhold=0.2).partition.withheld <= 1


def test_discernibility_of_two_classes_of_four():
    grouping = recoded(eight(), (0, 2, 2))
    assert grouping.partition.sizes.tolist() == [4, 4]
    assert discernibility(grouping, k=2) == 4**2 + 4**2
    assert discernibility(grouping, k=5) == 8 * 4 + 8 * 4


def test_entropy_of_the_eight():
    # nothing is told of sex and age; the zips 10 and 11 halve four equally common ones
    sex, age = 8 * 1, 5 * log2(8 / 5) + 3 * log2(8)
    bits, most = entropy(recoded(eight(), (1, 2, 1)))
    assert bits == pytest.approx(sex + age + 8 * 1)
    assert most == pytest.approx(sex + age + 8 * 2)
    assert (bits, most) == pytest.approx((28.3904, 36.3904), abs=1e-4)


def test_nothing_is_lost_where_nothing_is_generalized():
    graph = eight()
    everyone = classes(points(graph))[0]
    grouping = recoded(graph, (0, 0, 0))
    assert np.array_equal(grouping.partition.labels, everyone.labels)
    assert precision(grouping) == 1
    assert entropy(grouping)[0] == 0
