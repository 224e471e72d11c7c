"""K-Prototypes, centres, entropy weights, ODPC and the measures of clusterings, worked out by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest

from graphanon.datasets import load_adult
from graphanon.tabular.agreement import adjusted_rand, agreement, assess, f_measure, global_centre, nicv, rand
from graphanon.tabular.centre_choice import choose_centres, dissimilarities
from graphanon.tabular.cluster_classes import records_of
from graphanon.tabular.entropy_weights import entropies, entropy_weights
from graphanon.tabular.k_prototypes import cluster_records
from graphanon.tabular.ldp.coins import seeded
from graphanon.tabular.ldp.noise import discrete_laplace
from graphanon.tabular.odpc import flip_probability, plan_budget
from graphanon.tabular.prototypes import Prototypes, Weights, assigned, at, default_eta, lloyd, records_from

SIX = records_from(
    [[0, 0.1], [0.1, 0], [0.2, 0.2], [0.9, 1], [1, 0.8], [0.8, 0.9]], [["a"], ["a"], ["b"], ["b"], ["b"], ["b"]])


# ---------------------------------------------------------------- K-Prototypes


def test_a_category_weighs_half_the_mean_deviation_of_the_numbers():
    first = math.sqrt(sum((x - 0.5) ** 2 for x in (0, 0.1, 0.2, 0.9, 1, 0.8)) / 6)
    second = math.sqrt(sum((x - 0.5) ** 2 for x in (0.1, 0, 0.2, 1, 0.8, 0.9)) / 6)
    assert default_eta(SIX) == pytest.approx((first + second) / 2 / 2)
    assert default_eta(SIX) == pytest.approx(0.2041241, abs=1e-7)


@pytest.mark.parametrize("update", ["batch", "record"])
def test_six_records_become_two_clusters(update):
    found = lloyd(SIX, at(SIX, [0, 3]), Weights(np.ones(2), np.array([default_eta(SIX)])), update=update)
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert found.prototypes.numbers == pytest.approx(np.array([[0.1, 0.1], [0.9, 0.9]]))
    assert found.prototypes.codes.tolist() == [[0], [1]]
    # squares of 0.1 off the mean, four in each cluster, and one b among the a's
    assert found.cost == pytest.approx(8 * 0.1**2 + 0.2041241, abs=1e-7)
    assert found.cost == pytest.approx(0.2841241, abs=1e-7)


def test_a_better_clustering_is_not_missed_from_any_seed():
    costs = {round(cluster_records(SIX, 2, np.random.default_rng(seed)).cost, 7) for seed in range(5)}
    assert costs == {0.2841241}


# ---------------------------------------------------------------- centres

PLANE = records_from([[0, 0], [0.1, 0], [0, 0.1], [1, 1], [0.9, 1], [0.5, 0.2]])


def test_the_outlying_record_and_the_first_that_is_far_from_it_are_the_centres():
    found = dissimilarities(PLANE)
    assert found.mean.round(6).tolist() == [0.699618, 0.662924, 0.673896, 1.029667, 0.978641, 0.666691]
    assert found.overall == pytest.approx(0.785240, abs=1e-6)
    assert found.mean.mean() == pytest.approx(found.overall)
    # in the order 4, 5, 1 ...: the fifth lies only 0.1 from the fourth
    assert choose_centres(PLANE, 2).tolist() == [3, 0]


def test_the_first_distance_is_that_of_five_others():
    wanted = (0.1 + 0.1 + math.sqrt(2) + math.hypot(0.9, 1) + math.hypot(0.5, 0.2)) / 5
    assert dissimilarities(PLANE).mean[0] == pytest.approx(wanted)
    assert dissimilarities(PLANE, average="all").mean[0] == pytest.approx(wanted * 5 / 6)


def test_when_too_few_are_far_enough_the_farthest_is_taken_or_the_limit_halved():
    # 0 and 1 are farther than the mean of 7/12 from each other; the others are not from both
    line = records_from([[0.0], [0.5], [0.75], [1.0]])
    assert dissimilarities(line).overall == pytest.approx((0.5 + 0.75 + 1 + 0.25 + 0.5 + 0.25) / 6)
    assert choose_centres(line, 3).tolist() == [0, 3, 1]
    # with half of 13/24 the record at 0.75, 0.25 from an end, is still too near
    assert choose_centres(line, 3, fallback="shrink").tolist() == [0, 3, 1]
    assert choose_centres(line, 1, first="medoid").tolist() == [1]


def test_codes_are_addresses_unless_they_are_taken_for_numbers():
    colours = records_from(categories=[["blue"], ["green"], ["red"]])
    assert dissimilarities(colours).mean.tolist() == [1, 1, 1]
    assert dissimilarities(colours, codes="label").mean.tolist() == [(0.5 + 1) / 2, 0.5, (1 + 0.5) / 2]


# ---------------------------------------------------------------- entropy weights


def test_an_even_column_counts_less_than_one_that_singles_someone_out():
    columns = records_from([[0, 1], [0, 2], [0, 3], [1, 4]])
    shares = [0 / 6, 1 / 6, 2 / 6, 3 / 6]  # (x - 1) / 3 over its sum, 2
    even = -sum(p * math.log(p) for p in shares if p) / math.log(4)
    assert even == pytest.approx((1 + 0) * 0.7295739, abs=1e-6)
    assert entropies(columns) == pytest.approx([0, even])
    assert entropy_weights(columns).numbers == pytest.approx([1 / (2 - even), (1 - even) / (2 - even)])
    assert entropy_weights(columns).numbers.round(6).tolist() == [0.787138, 0.212862]
    assert entropy_weights(columns, wording="text").numbers == pytest.approx([0, 1])


def test_a_category_counts_by_how_often_its_values_occur():
    table = records_from(categories=[["x", "only"], ["x", "only"], ["x", "only"], ["y", "only"]])
    uneven = -(3 / 4 * math.log(3 / 4) + 1 / 4 * math.log(1 / 4)) / math.log(2)
    assert entropies(table) == pytest.approx([uneven, 1])
    assert entropy_weights(table).categories == pytest.approx([1, 0])
    # as numbers the codes 0, 0, 0, 1 single someone out
    assert entropies(table, codes="label") == pytest.approx([0, 1])


def test_columns_that_tell_nothing_count_alike():
    assert entropy_weights(records_from([[1, 2], [1, 2]])).numbers.tolist() == [0.5, 0.5]
    assert entropy_weights(records_from([[1, 2]])).numbers.tolist() == [0.5, 0.5]


def test_the_weighted_distance_adds_squares_and_mismatches():
    records = records_from([[0.2, 0.4]], [["a"]])
    away = Prototypes(np.array([[0.5, 0.1]]), np.array([[0]]))
    weights = Weights(np.array([0.2, 0.3]), np.array([0.5]))
    assert assigned(records, away, weights)[1] == pytest.approx([0.2 * 0.3**2 + 0.3 * 0.3**2])
    other = records_from([[0.2, 0.4], [0.5, 0.1]], [["a"], ["b"]])
    gap = assigned(other.take([0]), at(other, [1]), weights)[1]
    assert gap == pytest.approx([0.2 * 0.09 + 0.3 * 0.09 + 0.5])
    assert gap == pytest.approx([0.545])


# ---------------------------------------------------------------- ODPC


def test_the_budget_of_heart_is_spent_in_two_rounds():
    ratio = (4 * 8 * 0.225**2) ** (1 / 3)
    assert ratio == pytest.approx(1.174460, abs=1e-6)
    least = math.sqrt(500 * 2**3 / 918**2 * (8 + ratio) ** 3)
    assert least == pytest.approx(1.914512, abs=1e-6)
    for epsilon in (0.01, 0.1, 0.2, 0.5, 1, 1.5, 2):
        assert plan_budget(epsilon, people=918, clusters=2, attributes=8).rounds == 2
    plan = plan_budget(1.0, people=918, clusters=2, attributes=8)
    assert plan.least == pytest.approx(least)
    assert plan.round == pytest.approx(0.5, abs=1e-15)
    assert plan.round * plan.rounds <= 1
    assert float(plan.attribute) == pytest.approx(0.5 / (8 + ratio))
    assert (round(float(plan.attribute), 6), round(float(plan.count), 6)) == (0.054499, 0.064007)
    squares = 8 / 0.054499**2 + 4 * 8 * 0.225**2 / 0.064007**2
    assert plan.error == pytest.approx(2 * 2**3 / 918**2 * squares, rel=1e-4)
    assert plan.error == pytest.approx(0.058646, abs=1e-6)


def test_the_budget_of_adult_allows_more_rounds_the_larger_it_is():
    plans = [plan_budget(e, people=30162, clusters=2, attributes=10) for e in (0.01, 0.1, 0.2, 0.5, 1, 1.5, 2)]
    assert plans[0].least == pytest.approx(0.079282, abs=1e-6)
    assert [plan.rounds for plan in plans] == [2, 2, 2, 6, 7, 7, 7]


def test_one_person_more_would_change_the_rounds_which_is_why_their_number_is_public():
    rounds = [plan_budget(0.5, people=n, clusters=2, attributes=10).rounds for n in (14347, 14348)]
    assert rounds == [2, 3]


def test_replacing_a_record_costs_twice_as_much():
    once, twice = (plan_budget(e, people=918, clusters=2, attributes=8, neighbours=n)
                   for e, n in ((1.0, "add-remove"), (2.0, "replace")))
    assert (once.count, once.attribute, once.rounds) == (twice.count, twice.attribute, twice.rounds)
    assert any("halved" in text for text in twice.lines())


def test_noise_of_epsilon_a_half_is_as_wide_as_it_should_be():
    a = math.exp(-0.5)
    assert (1 - a) / (1 + a) == pytest.approx(0.244919, abs=1e-6)
    assert (1 - a) / (1 + a) * a == pytest.approx(0.148551, abs=1e-6)
    assert 2 * a / (1 - a) ** 2 == pytest.approx(7.835396, abs=1e-6)
    noise = discrete_laplace(Fraction(1, 2), 200_000, seeded(3))
    assert noise.var() == pytest.approx(7.835396, rel=0.02)


@pytest.mark.parametrize(("gap", "wanted"), [(3, 0.193538), (10, 0.011620)])
def test_a_mode_flips_as_often_as_two_noises_differ_by_more_than_the_gap(gap, wanted):
    a = math.exp(-0.5)
    share = [(1 - a) / (1 + a) * a ** abs(z) for z in range(-150, 151)]
    both = np.convolve(share, share)  # z from -300 to 300
    flips = both[300 + gap + 1 :].sum() + both[300 + gap] / 2
    assert flips == pytest.approx(wanted, abs=1e-6)
    assert flip_probability(gap, 0.5) == pytest.approx(flips)


# ---------------------------------------------------------------- measures

CLUSTERS, CLASSES = [0, 0, 0, 1, 1, 1], [*"xxyyyy"]


def test_nicv_is_the_mean_square_to_the_centre():
    points = records_from([[0.0], [0.2], [0.4], [1.0], [1.2], [0.6]])
    centres = Prototypes(np.array([[0.2], [2.8 / 3]]), np.empty((2, 0), dtype=np.int64))
    third = 2.8 / 3
    squares = 0.2**2 + 0 + 0.2**2 + (1 - third) ** 2 + (1.2 - third) ** 2 + (0.6 - third) ** 2
    own = np.array([0, 0, 0, 1, 1, 1])
    assert nicv(points, centres, labels=own) == pytest.approx(squares / 6)
    assert nicv(points, centres, labels=own) == pytest.approx(0.0444444, abs=1e-7)
    assert nicv(points, centres) == pytest.approx(squares / 6)


def test_f_gives_each_class_its_best_cluster():
    # of cluster 0 two thirds are x and all x are in it; cluster 1 is y alone and has three of four
    x, y = 2 * (2 / 3) * 1 / (2 / 3 + 1), 2 * 1 * (3 / 4) / (1 + 3 / 4)
    assert (x, y) == pytest.approx((4 / 5, 6 / 7))
    assert f_measure(CLUSTERS, CLASSES) == pytest.approx(2 / 6 * x + 4 / 6 * y)
    assert f_measure(CLUSTERS, CLASSES) == pytest.approx(88 / 105)
    assert f_measure(CLUSTERS, CLASSES, by="clusters") == pytest.approx(3 / 6 * x + 3 / 6 * y)
    assert f_measure(CLUSTERS, CLASSES, by="clusters") == pytest.approx(29 / 35)
    # 6 pairs are together in clusters, 7 in classes, 4 in both
    assert f_measure(CLUSTERS, CLASSES, by="pairs") == pytest.approx(2 * (4 / 6) * (4 / 7) / (4 / 6 + 4 / 7))
    assert f_measure(CLUSTERS, CLASSES, by="pairs") == pytest.approx(8 / 13)


def test_rand_counts_pairs_together_and_apart_in_both():
    assert rand(CLUSTERS, CLASSES) == (4 + 6) / 15
    assert adjusted_rand(CLUSTERS, CLASSES) == pytest.approx((4 - 6 * 7 / 15) / ((6 + 7) / 2 - 6 * 7 / 15))


def test_everyone_in_one_cluster_is_hard_to_beat_on_adult():
    graph = load_adult(quasi=("age", "education-num", "capital-gain", "hours-per-week", "workclass", "marital-status",
                              "occupation", "relationship", "race", "sex"), sensitive=("income",)).graph
    records, income = records_of(graph), graph.payload["income"].codes
    n, rich = graph.n, int(income.sum())
    found = assess(records, global_centre(records), income)
    assert found.nicv == found.nicv_of_one_centre == pytest.approx(2.794, abs=5e-4)
    # one cluster: P is a class's share, R is 1
    poor = n - rich
    f = sum(size / n * 2 * (size / n) / (size / n + 1) for size in (rich, poor))
    assert found.everyone_together.f == pytest.approx(f)
    assert found.everyone_together.f == pytest.approx(0.743, abs=1e-3)
    assert found.everyone_together.rand == pytest.approx((rich * (rich - 1) + poor * (poor - 1)) / (n * (n - 1)))
    assert found.everyone_together.rand == pytest.approx(0.626, abs=5e-4)
    assert found.everyone_together.adjusted_rand == 0
    best = cluster_records(records, 2, np.random.default_rng(1), eta=1.0, swaps=4)
    assert best.cost / n == pytest.approx(2.085, abs=5e-4)
    assert nicv(records, best.prototypes) == pytest.approx(best.cost / n)
    assert agreement(np.zeros(n), income) == found.everyone_together
