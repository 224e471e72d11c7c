"""Budgets come from whole numbers and are rounded up; noise is drawn exactly."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from chances import fits
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from graphanon.errors import InputProblem
from graphanon.tabular.ldp.coins import seeded, system
from graphanon.tabular.ldp.exact import (
    WHOLE,
    budget,
    exp_down,
    flip_weight,
    flip_weight_of_f,
    log_up,
    other_weight,
    round_up,
)
from graphanon.tabular.ldp.noise import discrete_laplace, spent

epsilons = st.floats(1e-6, 40)


def exact_log(a, b):
    with localcontext() as context:
        context.prec = 120
        return Fraction(Decimal(a).ln() - Decimal(b).ln())


@given(st.integers(1, WHOLE), st.integers(1, WHOLE))
def test_a_logarithm_is_never_below_the_true_one_nor_far_above(a, b):
    large, small = max(a, b), min(a, b)
    assert exact_log(large, small) <= log_up(large, small) <= exact_log(large, small) + Fraction(1, 10**45)


@given(epsilons)
def test_a_power_is_never_above_the_true_one(epsilon):
    with localcontext() as context:
        context.prec = 120
        true = Fraction(Decimal(epsilon).exp())
    assert true * (1 - Fraction(1, 10**40)) <= exp_down(Fraction(epsilon)) <= true


@given(epsilons, st.integers(1, 50), st.integers(1, 50))
def test_weights_spend_no_more_than_the_budget_that_they_were_made_for(epsilon, own, others):
    other = other_weight(Fraction(epsilon), own, others)
    likely = Fraction(WHOLE - others * other, own)
    assert 0 < likely <= exp_down(Fraction(epsilon)) * other


@given(epsilons)
def test_a_flip_spends_the_budget_nearly_whole(epsilon):
    weight = flip_weight(Fraction(epsilon))
    found = round_up(log_up(WHOLE - weight, weight))
    # a flip in 2**64 cannot be divided further
    assert epsilon * (1 - 1e-9) - 2.0**-20 <= found <= epsilon or epsilon > 30


@given(st.lists(st.fractions(0, 10, max_denominator=10**6), max_size=6))
def test_rounding_up_gives_the_least_float_that_is_no_smaller(values):
    found = round_up(values)
    assert Fraction(found) >= sum(values, Fraction(0))
    assert Fraction(math.nextafter(found, -math.inf)) < sum(values, Fraction(0))


def test_f_of_rappor_is_twice_the_flip():
    assert flip_weight_of_f(0.5) == WHOLE // 4
    assert flip_weight_of_f(1) == WHOLE // 2
    assert float(log_up(3, 1)) == pytest.approx(math.log((1 - 0.25) / 0.25))


@pytest.mark.parametrize("epsilon", [0, -1.0, math.nan, math.inf, 1e-12, "1", None])
def test_a_budget_is_a_number_above_zero(epsilon):
    with pytest.raises(InputProblem, match="epsilon is"):
        budget(epsilon)


@pytest.mark.parametrize("f", [0, -0.5, 1.5, math.nan])
def test_f_is_above_zero_and_at_most_one(f):
    with pytest.raises(InputProblem, match="f is"):
        flip_weight_of_f(f)


@pytest.mark.parametrize("share", [0.3, 0.001, 0.99999, 2.0**-16, 0.5])
def test_flips_fall_as_often_as_their_weight_says(share):
    weight = int(share * WHOLE)
    heads = int(seeded(1).flips(weight, 400_000).sum())
    assert fits([heads, 400_000 - heads], [400_000 * share, 400_000 * (1 - share)])


def test_the_last_bits_of_a_weight_count():
    # a head of sixteen bits decides nothing here: all depends on the rest
    class Same:
        def __init__(self, words):
            self.words = list(words)

        def bytes(self, count):
            return self.words.pop(0).to_bytes(count, "little")

    from graphanon.tabular.ldp.coins import Coins

    def flip(weight, rest):
        return bool(Coins(Same([weight >> 48, rest << 16]).bytes, reproducible=True).flips(weight, 1)[0])

    weight = (5 << 48) + 77
    assert [flip(weight, 76), flip(weight, 77)] == [True, False]


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 1000])
def test_small_numbers_are_as_likely_as_large_ones(limit):
    found = np.bincount(seeded(2).below(limit, 100_000), minlength=limit)
    assert fits(found, np.full(limit, 100_000 / limit))


def test_a_limit_beyond_half_the_words_stays_uniform():
    limit = 3 << 61
    found = seeded(3).below(limit, 30_000)
    assert fits(np.bincount(found // (1 << 61), minlength=3), np.full(3, 10_000))


@pytest.mark.parametrize(("count", "share"), [(1, 0.3), (10, 0.25), (200, 0.01), (65, 0.5), (1000, 0.999)])
def test_a_binomial_number_has_its_distribution(count, share):
    coins, weight = seeded(4), int(share * WHOLE)
    found = np.bincount([coins.binomial(weight, count) for _ in range(3000)], minlength=count + 1)
    assert fits(found, 3000 * stats.binom.pmf(np.arange(count + 1), count, share))


def test_nothing_and_everything_can_be_drawn():
    coins = seeded(5)
    assert coins.binomial(WHOLE, 7) == 7
    assert coins.binomial(1 << 63, 0) == 0
    assert coins.flips(WHOLE, 3).all()


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 3.0])
def test_geometric_noise_has_its_distribution(epsilon):
    a, z = math.exp(-float(spent(epsilon))), np.arange(-60, 61)
    drawn = discrete_laplace(epsilon, 40_000, seeded(6))
    inside = np.abs(drawn) <= 60
    found = np.append(np.bincount(drawn[inside] + 60, minlength=121), (~inside).sum())
    chance = (1 - a) / (1 + a) * a ** np.abs(z)
    assert fits(found, 40_000 * np.append(chance, 1 - chance.sum()))


def test_geometric_noise_has_the_worked_numbers():
    # a = e^-0.5: P(0) = (1 - a) / (1 + a), P(1) = P(0) a, variance 2a / (1 - a)^2
    a = math.exp(-0.5)
    assert ((1 - a) / (1 + a), (1 - a) / (1 + a) * a, 2 * a / (1 - a) ** 2) == pytest.approx(
        (0.244919, 0.148551, 7.835396), abs=1e-6)
    drawn = discrete_laplace(0.5, 200_000, seeded(7))
    assert (drawn == 0).mean() == pytest.approx(0.244919, abs=0.005)
    assert drawn.var() == pytest.approx(7.835396, rel=0.03)


@given(st.floats(1e-7, 20), st.integers(1, 1000))
def test_noise_spends_just_below_what_is_asked(epsilon, sensitivity):
    assert 0 < spent(epsilon, sensitivity) <= Fraction(epsilon)


def test_more_sensitivity_is_more_noise():
    assert discrete_laplace(1.0, 20_000, seeded(8), 10).std() == pytest.approx(math.sqrt(2) * 10, rel=0.05)


def test_what_leaves_is_drawn_from_the_operating_system():
    assert not system().reproducible
    assert seeded(1).reproducible
    assert (seeded(1).words(4) == seeded(1).words(4)).all()
    assert (system().words(4) != system().words(4)).any()
