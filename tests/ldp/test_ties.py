"""Ties under edge differential privacy: each pair is told once, and what comes back is unbiased."""

import json
import math

import numpy as np
import pytest
from chances import fits
from scipy import stats

from graphanon.errors import InputProblem
from graphanon.tabular.ldp.coins import seeded
from graphanon.tabular.ldp.exact import WHOLE
from graphanon.tabular.ldp.ties import TieFlips, _ends, classes_by_chance, pairs_between, true_counts


def ring(n):
    return np.column_stack([np.arange(n), (np.arange(n) + 1) % n])


def test_the_flip_spends_what_is_asked():
    flips = TieFlips.of(1.0)
    assert flips.ledger() == {"tie": 1.0, "tie_neighbours": "add or remove one tie"}
    assert flips.flip / WHOLE == pytest.approx(1 / (1 + math.e), abs=1e-15)


def test_a_full_report_of_many_people_would_drown_in_false_ties():
    assert TieFlips.of(1.0).false_ties(40_000) == pytest.approx(40_000 * 39_999 / 2 / (1 + math.e))
    with pytest.raises(InputProblem, match="report counts by class"):
        TieFlips.of(1.0).report(40_000, ring(40_000), seeded(1))


@pytest.mark.parametrize("n", [2, 3, 7, 50])
def test_places_of_the_triangle_are_pairs_smaller_number_first(n):
    pairs = _ends(np.arange(n * (n - 1) // 2), n)
    assert [tuple(pair) for pair in pairs.tolist()] == [(i, j) for i in range(n) for j in range(i + 1, n)]


def test_every_pair_is_told_once_and_by_the_smaller_number():
    told = TieFlips.of(0.5).report(60, ring(60), seeded(1))
    assert (told[:, 0] < told[:, 1]).all()
    assert len(np.unique(told, axis=0)) == len(told)


def test_true_and_false_pairs_are_told_as_often_as_declared():
    n, flips = 80, TieFlips.of(1.0)
    true = {tuple(sorted(pair)) for pair in ring(n).tolist()}
    kept = lied = 0
    for seed in range(40):
        told = {tuple(pair) for pair in flips.report(n, ring(n), seeded(seed)).tolist()}
        kept, lied = kept + len(told & true), lied + len(told - true)
    flip, pairs = flips.flip / WHOLE, n * (n - 1) // 2
    assert fits([kept, 40 * n - kept], [40 * n * (1 - flip), 40 * n * flip])
    assert fits([lied, 40 * (pairs - n) - lied], [40 * (pairs - n) * flip, 40 * (pairs - n) * (1 - flip)])


def test_either_order_of_the_ends_and_repeats_are_one_tie():
    flips = TieFlips.of(3.0)
    there, back = np.array([[0, 1], [2, 3]]), np.array([[1, 0], [3, 2], [0, 1]])
    assert (flips.report(6, there, seeded(1)) == flips.report(6, back, seeded(1))).all()


def test_counts_have_the_distribution_of_reports_added_up():
    labels, pairs, flips = np.array([0, 0, 0, 1, 1, 1, 1]), ring(7), TieFlips.of(0.7)
    flip = flips.flip / WHOLE
    coins = seeded(2)
    counts = np.array([flips.counts(labels, pairs, coins) for _ in range(3000)])
    true, all_ = true_counts(labels, pairs, 2), pairs_between(np.array([3, 4]))
    assert (true, all_) == (pytest.approx(np.array([[2, 2], [0, 3]])), pytest.approx(np.array([[3, 12], [0, 6]])))
    for a, b in ((0, 0), (0, 1), (1, 1)):
        chance = np.convolve(stats.binom.pmf(np.arange(true[a, b] + 1), true[a, b], 1 - flip),
                             stats.binom.pmf(np.arange(all_[a, b] - true[a, b] + 1), all_[a, b] - true[a, b], flip))
        assert fits(np.bincount(counts[:, a, b], minlength=all_[a, b] + 1), 3000 * chance)


@pytest.mark.parametrize("how", ["reports", "counts"])
def test_estimates_are_unbiased_and_their_errors_exact(how):
    n, flips = 40, TieFlips.of(1.0)
    labels = classes_by_chance(n, 3, seeded(9))
    sizes, true = np.bincount(labels), true_counts(labels, ring(n), 3)
    found = []
    for seed in range(400):
        coins = seeded(seed)
        counts = (true_counts(labels, flips.report(n, ring(n), coins), 3) if how == "reports"
                  else flips.counts(labels, ring(n), coins))
        found.append(flips.estimate(counts, sizes))
    values = np.array([estimates.ties_estimate for estimates in found])
    source, target, _, se = found[0]
    assert (source <= target).all()
    assert (np.abs(values.mean(axis=0) - true[source, target]) < 5 * se / 20).all()
    assert values.std(axis=0) == pytest.approx(se, rel=0.2)
    pairs, flip = pairs_between(sizes)[source, target], flips.flip / WHOLE
    assert se == pytest.approx(np.sqrt(pairs * flip * (1 - flip)) / (1 - 2 * flip))


def test_classes_that_hold_no_pair_have_no_ties_and_no_error():
    flips = TieFlips.of(1.0)
    estimates = flips.estimate(np.zeros((2, 2), dtype=int), np.array([1, 0]))
    assert (estimates.ties_estimate == 0).all()
    assert (estimates.se == 0).all()


def test_forty_thousand_people_send_counts():
    n = 40_000
    labels, flips = classes_by_chance(n, 4, seeded(1)), TieFlips.of(1.0)
    estimates = flips.estimate(flips.counts(labels, ring(n), seeded(2)), np.bincount(labels))
    true = true_counts(labels, ring(n), 4)[estimates.source, estimates.target]
    assert (np.abs(estimates.ties_estimate - true) < 5 * estimates.se).all()


def test_classes_by_chance_look_at_nothing_and_are_even():
    labels = classes_by_chance(10, 4, seeded(1))
    assert sorted(np.bincount(labels).tolist()) == [2, 2, 3, 3]


def test_the_description_travels_as_text_and_a_damaged_one_is_refused():
    flips = TieFlips.of(0.3)
    assert TieFlips.from_json(json.loads(json.dumps(flips.as_json()))) == flips
    for damaged in ({}, {"flip": "x"}, {"flip": "0"}, {"flip": str(WHOLE // 2)}, {"flip": None}):
        with pytest.raises(InputProblem, match="damaged"):
            TieFlips.from_json(damaged)


def test_counts_that_do_not_fit_are_refused():
    flips = TieFlips.of(1.0)
    for counts in (np.array([[4]]), np.array([[-1]]), np.zeros((2, 2), dtype=int)):
        with pytest.raises(InputProblem, match="sizes"):
            flips.estimate(counts, np.array([3]))
