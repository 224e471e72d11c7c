"""What K-Prototypes and its relatives do with records that are too few, all alike, or no records at all."""

import numpy as np
import pytest
from toy import graph_of

from graphanon.domain import Range, Tree
from graphanon.errors import InputProblem
from graphanon.requirement import Requirement
from graphanon.tabular.agreement import agreement, assess, f_measure, nicv, rand
from graphanon.tabular.centre_choice import choose_centres, dissimilarities
from graphanon.tabular.ekpca import Ekpca, cluster_by_frequency
from graphanon.tabular.entropy_weights import entropy_weights
from graphanon.tabular.k_prototypes import KPrototypes, cluster_records
from graphanon.tabular.prototypes import Prototypes, Records, default_eta, records_from

THREE = records_from([[0.0], [0.5], [1.0]], [["a"], ["a"], ["b"]])
WAYS = [lambda r, K: cluster_records(r, K, np.random.default_rng(0)), cluster_by_frequency]


@pytest.mark.parametrize("cluster", WAYS)
def test_more_clusters_than_records_are_refused_with_both_numbers(cluster):
    with pytest.raises(InputProblem, match="4 clusters were asked of 3 records"):
        cluster(THREE, 4)
    with pytest.raises(InputProblem, match="0 clusters"):
        cluster(THREE, 0)


@pytest.mark.parametrize("cluster", WAYS)
def test_no_records_are_refused(cluster):
    none = Records(np.empty((0, 1)), np.empty((0, 0), dtype=np.int64), (), np.empty(0, dtype=np.int64))
    with pytest.raises(InputProblem, match="no records"):
        cluster(none, 1)
    with pytest.raises(InputProblem, match="no records"):
        nicv(none, Prototypes(np.zeros((1, 1)), np.empty((1, 0), dtype=np.int64)))


@pytest.mark.parametrize("cluster", WAYS)
def test_records_that_are_all_alike_are_one_cluster(cluster):
    alike = records_from([[0.5]] * 4, [["a"]] * 4)
    found = cluster(alike, 3)
    assert (len(found.prototypes), found.cost) == (1, 0)
    assert found.labels.tolist() == [0] * 4


@pytest.mark.parametrize("cluster", WAYS)
@pytest.mark.parametrize("records", [
    records_from([[0.0], [0.1], [1.0], [0.9]]),
    records_from(categories=[["a"], ["a"], ["b"], ["b"]]),
    records_from([[7.0], [7.0], [7.0], [7.0]], [["a"], ["a"], ["b"], ["b"]]),
    records_from([[0.0], [0.1], [1.0], [0.9]], [["only"]] * 4),
], ids=["numbers alone", "categories alone", "a constant number", "one category"])
def test_one_kind_of_column_or_a_constant_one_is_enough(cluster, records):
    labels = cluster(records, 2).labels
    assert labels[0] == labels[1] != labels[2] == labels[3]


def test_numbers_that_do_not_differ_leave_the_choice_to_categories():
    assert default_eta(records_from([[7.0], [7.0]], [["a"], ["b"]])) == 1


def test_one_record_is_its_own_centre_and_every_weight_is_alike():
    one = THREE.take([0])
    assert choose_centres(one, 1).tolist() == [0]
    assert dissimilarities(one).mean.tolist() == [0]
    assert np.concatenate(entropy_weights(one)).tolist() == [0.5, 0.5]


def test_missing_numbers_are_refused_unless_it_is_said_what_they_are():
    with pytest.raises(InputProblem, match="missing or infinite"):
        records_from([[np.nan], [1.0]])
    with pytest.raises(InputProblem, match="missing or infinite"):
        records_from([[np.inf], [1.0]], missing="mean")
    assert records_from([[np.nan], [np.nan]], missing="mean").numbers.ravel().tolist() == [0, 0]


def test_arrays_that_do_not_fit_together_are_refused():
    for numbers, categories in ((None, None), ([1.0, 2.0], None), ([[1.0]], [["a"], ["b"]])):
        with pytest.raises(InputProblem, match="one line a record"):
            records_from(numbers, categories)
    with pytest.raises(InputProblem, match="beyond the values"):
        Records(np.empty((1, 0)), np.array([[3]]), (3,), np.ones(1, dtype=np.int64))
    with pytest.raises(InputProblem, match="one label a person"):
        rand([0, 1], [0])


def test_fewer_than_two_people_agree():
    assert (rand([0], ["x"]), rand([], [])) == (1, 1)
    assert f_measure([], []) == 1
    assert agreement([0], ["x"]).adjusted_rand == 1
    with pytest.raises(InputProblem, match="record of their own"):
        assess(Records(np.zeros((1, 1)), np.empty((1, 0), dtype=np.int64), (), np.array([2])),
               Prototypes(np.zeros((1, 1)), np.empty((1, 0), dtype=np.int64)), ["x"])


@pytest.mark.parametrize("cls", [KPrototypes, Ekpca])
def test_more_clusters_than_people_are_as_many_as_there_are_people(cls):
    graph = graph_of([], 4, lines=(Range(0, 9), Tree.flat("ab")), values=[[0, 1, 8, 9], [0, 0, 1, 1]], has_ties=False)
    found = cls(clusters=99).partition(graph, Requirement(k=2), np.random.default_rng(0))
    assert sorted(found.labels.tolist()) == [0, 0, 1, 1]


@pytest.mark.parametrize("cls", [KPrototypes, Ekpca])
def test_missing_cells_of_a_graph_are_a_mean_or_a_value(cls):
    lines = (Range(0, 9, missing=True), Tree.flat("ab", missing=True))
    values = [[0, 10, 8, 9], [0, 2, 1, 1]]  # the addresses past the range and past the leaves
    graph = graph_of([], 4, lines=lines, values=values, has_ties=False)
    found = cls(clusters=2).group(graph, Requirement(k=2), np.random.default_rng(0))
    assert (found.partition.sizes >= 2).all()
