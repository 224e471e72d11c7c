"""What is left of a table, worked out by hand, and that a run tells its owner."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from strategies import grouped, table
from toy import graph_of

from graphanon.domain import Range, Tree
from graphanon.errors import InputProblem
from graphanon.graph import Nominal
from graphanon.grouping import Boxes, Grouping, Partition, hull
from graphanon.tabular.metrics import (
    associations,
    average_class_size,
    class_entropy,
    class_sizes,
    classifier,
    discernibility,
    distributions,
    entropy,
    gcp,
    marginals,
    measures,
    precision,
    utility,
)

WORK = Tree((("nurse", "health", "*"), ("doctor", "health", "*"), ("teacher", "school", "*"), ("tutor", "school", "*")))
AGE = Range(20, 59, steps=(10, 20))


def eight() -> Grouping:
    """Return two classes of four: health told by its group and in one decade, school told by nothing in two."""
    work = [WORK.addresses()[name] for name in
            ("nurse", "nurse", "nurse", "doctor", "teacher", "teacher", "nurse", "tutor")]
    graph = graph_of([], 8, lines=(AGE, WORK), values=[[20, 20, 22, 29, 30, 40, 45, 49], work], has_ties=False,
                     payload={"illness": ["flu", "flu", "flu", "hiv", "hiv", "hiv", "hiv", "flu"]})
    partition = Partition(np.array([0, 0, 0, 0, 1, 1, 1, 1]))
    return Grouping(graph, partition, hull(graph, partition))


def test_losses_of_the_eight():
    found = eight()
    # ages 20 to 29 and 30 to 49 of 39 years; half of the leaves and all of them
    assert gcp(found) == pytest.approx((4 * (9 / 39 + 2 / 4) + 4 * (19 / 39 + 1)) / 16)
    # of three levels above an age (10, 20, *), [20, 29] is the first; [30, 49] crosses the bins 20-39 and 40-59: the last
    assert precision(found) == pytest.approx(1 - (4 * (1 / 3 + 1 / 2) + 4 * (1 + 1)) / 16)
    assert discernibility(found, 2) == 4**2 + 4**2
    assert average_class_size(found, 2) == 4 / 2
    assert class_sizes(found) == {4: 2}
    assert class_entropy(found) == pytest.approx(1)
    # ages: two are 20, the other six differ, and 4 people each lie in the two intervals
    ages = 2 * np.log2(4 / 2) + 2 * np.log2(4) + 4 * np.log2(4)
    # four nurses, one doctor, two teachers and a tutor; five are in health, all eight in *
    works = 3 * np.log2(5 / 4) + np.log2(5 / 1) + 2 * np.log2(8 / 2) + np.log2(8 / 4) + np.log2(8 / 1)
    assert entropy(found)[0] == pytest.approx(ages + works)


def test_losses_of_single_attributes():
    told = measures(eight())["attributes"]
    assert told["a0"]["ncp"] == pytest.approx((9 / 39 + 19 / 39) / 2)
    assert told["a1"]["ncp"] == pytest.approx((1 / 2 + 1) / 2)
    assert told["a1"]["ngil"] == pytest.approx((1 / 2 + 1) / 2)
    assert told["a1"]["worst"] == 1


def test_a_withheld_person_counts_as_told_nothing_or_not_at_all():
    graph = eight().source
    partition = Partition(np.array([0, 0, 0, 0, 1, 1, 1, -1]))
    found = Grouping(graph, partition, hull(graph, partition))
    # without the last one the second class is 30 to 45
    lost = 4 * (1 / 3 + 1 / 2) + 3 * (1 + 1)
    assert precision(found) == pytest.approx(1 - (lost + 2) / 16)
    assert precision(found, "excluded") == pytest.approx(1 - lost / 14)
    assert discernibility(found) == 4**2 + 3**2 + 1 * 8


def test_an_attribute_that_is_told_alike_may_be_on_a_higher_level_than_its_cells():
    # "a" alone in its group is told as itself on level 1, "b" and "c" as their group
    tree = Tree((("a", "a", "*"), ("b", "g", "*"), ("c", "g", "*")))
    graph = graph_of([], 4, lines=(tree,), values=[[0, 0, 1, 2]], has_ties=False)
    partition = Partition(np.array([0, 0, 1, 1]))
    found = Grouping(graph, partition, hull(graph, partition))
    assert precision(found) == pytest.approx(1 - (2 * 0 + 2 * 1 / 2) / 4)
    assert precision(found, level="attribute") == pytest.approx(1 - 1 / 2)
    # the eight are told on no level in common
    assert precision(eight(), level="attribute") == precision(eight())


def test_distributions_spread_everyone_over_what_is_told_of_them():
    work = distributions(eight())["a1"]
    assert dict(zip(work["values"], work["before"], strict=True)) == \
        pytest.approx({"nurse": 4 / 8, "doctor": 1 / 8, "teacher": 2 / 8, "tutor": 1 / 8})
    # four over two leaves, four over four
    assert dict(zip(work["values"], work["after"], strict=True)) == \
        pytest.approx({"nurse": 3 / 8, "doctor": 3 / 8, "teacher": 1 / 8, "tutor": 1 / 8})
    assert marginals(eight())["a1"] == pytest.approx((1 / 8 + 2 / 8 + 1 / 8 + 0) / 2)


def test_an_association_that_the_classes_carry_stays_and_that_inside_them_goes():
    # two values each, in whole harmony: V is 1; told alike in one class they are independent
    flat = Tree((("a", "*"), ("b", "*")))
    graph = graph_of([], 4, lines=(flat, flat), values=[[0, 0, 1, 1], [0, 0, 1, 1]], has_ties=False)
    for labels, after, moved in (([0, 0, 1, 1], 1, 0), ([0, 0, 0, 0], 0, 4 * (1 / 4) / 2)):
        partition = Partition(np.array(labels))
        pair, = associations(Grouping(graph, partition, hull(graph, partition))).values()
        assert pair == pytest.approx({"before": 1, "after": after, "moved": moved})


def jobs(labels, illness, told) -> Grouping:
    """Return people of whom the job alone is known, in classes."""
    flat = Tree((("a", "*"), ("b", "*")))
    graph = graph_of([], len(labels), lines=(flat,), values=[labels], has_ties=False, payload={"illness": illness})
    partition = Partition(np.array(told))
    return Grouping(graph, partition, hull(graph, partition))


def test_a_classifier_of_the_release_knows_what_the_classes_tell():
    ill = ["x", "x", "x", "y", "y"]
    apart, together = jobs([0, 0, 0, 1, 1], ill, [0, 0, 0, 1, 1]), jobs([0, 0, 0, 1, 1], ill, [0] * 5)
    assert (classifier(apart, "illness").release, classifier(apart, "illness").originals) == (1, 1)
    # told nothing of the job, it says the commonest illness of everyone
    assert classifier(together, "illness").release == classifier(together, "illness").commonest == 3 / 5


def test_a_classifier_is_tried_on_others_as_well():
    learned = jobs([0, 0, 0, 1, 1], ["x", "x", "x", "y", "y"], [0, 0, 0, 1, 1])
    others = jobs([0, 1, 1, 1], ["x", "x", "y", "z"], [0] * 4).source
    # one in a with x and one in b with y are told; x in b and z, which nobody had, are not
    guess = classifier(learned, "illness", on=others)
    assert (guess.release, guess.originals, guess.commonest) == (2 / 4, 2 / 4, 2 / 4)


def test_a_classifier_needs_its_column_and_the_same_lines():
    learned = jobs([0, 0, 1, 1], ["x", "x", "y", "y"], [0, 0, 1, 1])
    with pytest.raises(InputProblem, match="no sensitive or open column 'wealth'"):
        classifier(learned, "wealth")
    with pytest.raises(InputProblem, match="other lines of values"):
        classifier(learned, "illness", on=eight().source)


def test_columns_of_many_values_are_not_told_by_a_classifier_of_their_own():
    found = jobs([0] * 4, ["x", "x", "y", "y"], [0] * 4)
    names = Nominal(np.arange(4), tuple(map(str, range(65))))
    many = replace(found, source=replace(found.source, payload={"illness": names}))
    assert utility(many)["classifiers"] == {}
    assert set(utility(found)["classifiers"]) == {"illness"}


@given(drawn=grouped())
def test_every_measure_of_any_grouping_is_a_number_in_its_bounds(drawn):
    graph, partition = drawn
    found = Grouping(table(graph), partition, hull(graph, partition))
    told = utility(found) | measures(found)
    json.dumps(told, allow_nan=False)
    assert all(0 <= moved <= 1 + 1e-9 for moved in told.get("marginals", {}).values())
    for each in told.get("distributions", {}).values():
        assert sum(each["after"]) == pytest.approx(1)
        assert sum(each["before"]) == pytest.approx(1)
    assert all(0 <= pair[when] <= 1 + 1e-9 for pair in told.get("associations", []) for when in ("before", "after", "moved"))
    assert 0 <= told["precision"] <= 1


def test_a_value_that_is_no_multiple_of_its_grid_lies_in_its_own_interval():
    line = Range(0, 1, grid=0.1)
    values = np.array([[0.1 + 0.2], [0.1 + 0.2]])
    graph = graph_of([], 2, lines=(line,), values=values.T, has_ties=False)
    found = Grouping(graph, Partition(np.array([0, 0])), Boxes(np.array([[0.3]]), np.array([[0.3]])))
    assert marginals(found) == {"a0": 0}
