"""Social graphs: the right number of ties, the same for a seed, and parameters that do what they say."""

import hashlib
import math
import os
import subprocess
import sys

import igraph as ig
import numpy as np
import pytest
from scipy import sparse

from graphanon.datasets import MODELS, load_adult, load_heart, social
from graphanon.errors import InputProblem

SEEDS = range(4)


@pytest.fixture(scope="module")
def people():
    return load_adult("test")


def igraph_of(reading):
    upper = sparse.triu(reading.graph.ties).tocoo()
    return ig.Graph(n=reading.graph.n, edges=np.column_stack([upper.row, upper.col]).tolist())


def column(reading, name):
    place = [c.name for c in reading.graph.schema.quasi].index(name)
    return reading.graph.values[:, place]


def alike(reading, name):
    return igraph_of(reading).assortativity_nominal(column(reading, name).astype(int).tolist(), directed=False)


def measured(people, measure, **settings):
    return np.array([measure(social(people, n=1_500, seed=seed, **settings)) for seed in SEEDS])


def fingerprint(reading):
    ties = reading.graph.ties
    parts = (ties.indptr.astype("<i8"), ties.indices.astype("<i8"), reading.graph.values.astype("<f8"))
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("mean_degree", [2, 6, 14])
def test_a_graph_has_as_many_ties_as_asked_none_twice_and_no_loops(people, model, mean_degree):
    reading = social(people, n=600, model=model, mean_degree=mean_degree, seed=3)
    assert reading.graph.n == 600
    assert reading.graph.n_ties == 300 * mean_degree
    counts = reading.report.counts
    assert counts["loops_dropped"] == counts["repeats_merged"] == 0


@pytest.mark.parametrize("model", ["homophily", "erdos-renyi", "barabasi-albert"])
def test_a_mean_degree_can_be_a_fraction(people, model):
    reading = social(people, n=1_000, model=model, mean_degree=4.7, seed=3)
    assert 2 * reading.graph.n_ties / 1_000 == pytest.approx(4.7, rel=0.01)


@pytest.mark.parametrize("model", MODELS)
def test_a_seed_gives_the_same_graph_and_another_seed_another(people, model):
    graphs = [fingerprint(social(people, n=300, model=model, seed=seed)) for seed in (1, 1, 2)]
    assert graphs[0] == graphs[1] != graphs[2]


def test_a_graph_does_not_depend_on_the_hash_seed_of_the_process():
    code = (
        "import hashlib; from graphanon.datasets import load_heart, social;"
        "t = social(load_heart(), n=150, seed=5).graph.ties;"
        "print(hashlib.sha256(t.indices.astype('<i8').tobytes()).hexdigest())"
    )
    prints = {
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed},
                       check=True, capture_output=True, text=True).stdout
        for seed in ("1", "2")
    }
    assert len(prints) == 1


def test_drawing_leaves_the_random_numbers_of_the_process_alone(people):
    import random

    random.seed(7)
    expected = random.random()
    random.seed(7)
    social(people, n=100, model="erdos-renyi", seed=1)
    assert random.random() == expected


@pytest.mark.parametrize("name", ["sex", "race", "marital-status", "workclass"])
def test_more_homophily_ties_more_people_who_are_alike(people, name):
    def like(reading):
        return alike(reading, name)

    none, some, much = (measured(people, like, homophily=h) for h in (0.0, 2.0, 5.0))
    assert abs(none.mean()) < 0.03
    assert none.max() < some.min()
    assert some.max() < much.min()


def test_more_homophily_ties_more_people_of_like_age(people):
    def like(reading):
        return igraph_of(reading).assortativity(column(reading, "age").tolist(), directed=False)

    none, much = measured(people, like, homophily=0.0), measured(people, like, homophily=4.0)
    assert none.max() + 0.1 < much.min()


def test_weights_move_homophily_to_the_attribute_that_counts_more(people):
    def like(reading):
        return alike(reading, "sex")

    even, more = measured(people, like), measured(people, like, weights={"sex": 6.0})
    less = measured(people, like, weights={"sex": 0.0})
    assert less.max() < even.min()
    assert even.max() < more.min()


def test_more_closure_closes_more_triangles(people):
    def transitivity(reading):
        return igraph_of(reading).transitivity_undirected()

    none, some, much = (measured(people, transitivity, closure=share) for share in (0.0, 0.4, 0.9))
    assert none.max() < 0.05
    assert none.max() < some.min()
    assert some.max() < much.min()


def test_a_heavier_tail_gives_higher_hubs(people):
    def highest(reading):
        return float(reading.graph.ties.sum(axis=1).max())

    heavy, light, alike_all = (measured(people, highest, tail=tail) for tail in (2.5, 4.0, math.inf))
    assert heavy.min() > light.max()
    assert light.min() > alike_all.max()


def test_the_default_graph_is_social(people):
    graph = igraph_of(social(people, n=3_000, seed=1))
    degree = np.array(graph.degree())
    assert graph.transitivity_undirected() > 20 * graph.density()
    assert degree.max() > 12 * degree.mean()
    assert (degree == 0).mean() < 0.01
    assert graph.connected_components().giant().vcount() > 0.97 * 3_000


def test_classic_models_have_the_shape_they_are_known_for(people):
    ring, newcomers, chance = (
        igraph_of(social(people, n=1_000, model=model, rewiring=0.05, seed=1))
        for model in ("watts-strogatz", "barabasi-albert", "erdos-renyi")
    )
    assert ring.transitivity_undirected() > 0.4
    assert chance.transitivity_undirected() < 0.1
    assert max(newcomers.degree()) > 2 * max(chance.degree())
    assert max(ring.degree()) < max(chance.degree())


def test_classic_models_ignore_attributes(people):
    for model in ("watts-strogatz", "erdos-renyi", "barabasi-albert"):
        likeness = measured(people, lambda reading: alike(reading, "sex"), model=model)
        assert abs(likeness.mean()) < 0.05


def test_people_get_new_names_in_random_order(people):
    reading = social(people, n=1_200, seed=4)
    assert reading.ids[0] == "p0001"
    assert reading.ids[-1] == "p1200"
    ages = column(reading, "age")
    assert abs(np.corrcoef(ages, np.arange(1_200))[0, 1]) < 0.1
    first = people.table.frame.iloc[:1_200]["age"].tolist()
    assert reading.table.frame["age"].tolist() != first


def test_everybody_of_the_table_stands_in_the_graph_once_by_default():
    heart = load_heart()
    reading = social(heart, seed=4)
    columns = heart.table.frame.columns.tolist()
    assert sorted(map(tuple, reading.table.frame[columns].to_numpy().tolist())) == sorted(
        map(tuple, heart.table.frame.to_numpy().tolist()))


def test_more_persons_than_the_table_has_stand_in_the_graph_as_often_as_each_other():
    heart = load_heart()
    reading = social(heart, n=2_000, seed=4)
    rows, counts = np.unique(reading.table.frame[heart.table.frame.columns].to_numpy(dtype=str), axis=0,
                             return_counts=True)
    assert reading.graph.n == 2_000
    assert len(rows) == 918
    assert set(counts) == {2, 3}


def test_unknown_values_are_at_home_in_a_graph():
    whole = load_adult("test", complete=False)
    reading = social(whole, n=2_000, seed=1)
    assert reading.graph.n == 2_000
    assert (column(reading, "workclass") == reading.graph.domains[1].missing_address).any()


def test_given_ties_join_the_people_of_these_rows():
    heart = load_heart()
    reading = social(heart, ties=np.array([[0, 1], [1, 2], [2, 1], [3, 3]]))
    assert reading.table.frame["Age"].tolist() == heart.table.frame["Age"].tolist()
    assert reading.graph.n_ties == 2
    assert reading.graph.ties[[0, 1]].toarray().nonzero()[1].tolist() == [1, 0, 2]


def test_a_graph_of_a_graph_gets_new_ties_and_new_names(people):
    first = social(people, n=100, seed=1)
    second = social(first, n=50, seed=1, homophily=1.0)
    assert second.ids[0] == "p01"
    assert second.graph.n == 50
    assert [c.name for c in second.graph.schema.columns] == [c.name for c in first.graph.schema.columns]


def test_everybody_can_know_everybody():
    reading = social(load_heart(), n=25, mean_degree=24, seed=1)
    assert reading.graph.n_ties == 25 * 24 // 2


def test_the_table_that_people_come_from_stays_as_it_was(people):
    before = people.table.frame.copy()
    values = people.graph.values.copy()
    social(people, n=100, seed=1)
    assert people.table.frame.equals(before)
    assert (people.graph.values == values).all()


@pytest.mark.parametrize(("settings", "named"), [
    ({"n": 1}, "n is 1"),
    ({"model": "small-world"}, "model is small-world"),
    ({"mean_degree": 0}, "mean_degree is 0"),
    ({"mean_degree": 100}, "mean_degree is 100"),
    ({"mean_degree": float("nan")}, "mean_degree is nan"),
    ({"homophily": -1}, "homophily is -1"),
    ({"tail": 2}, "tail is 2"),
    ({"closure": 1.5}, "closure is 1.5"),
    ({"rewiring": 2}, "rewiring is 2"),
    ({"weights": {"height": 1}}, "height"),
    ({"weights": {"sex": -1}}, "weights is"),
    ({"model": "watts-strogatz", "mean_degree": 5}, "mean degree 5"),
    ({"ties": [[0, 99_999]], "n": None}, "99999"),
    ({"ties": [[0.5, 1.0]], "n": None}, "row numbers"),
    ({"ties": [[0, 1]]}, "n is 60"),
])
def test_a_parameter_out_of_its_range_is_named(people, settings, named):
    with pytest.raises(InputProblem, match=named):
        social(people, **{"n": 60, **settings})


def test_all_wrong_parameters_are_told_at_once(people):
    with pytest.raises(InputProblem) as caught:
        social(people, n=60, closure=2, tail=1, homophily=-1)
    assert len(caught.value.problems) == 3
