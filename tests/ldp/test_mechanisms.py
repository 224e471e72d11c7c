"""Every mechanism: the distribution that it declares is the one that it draws, and the budget is that of its worst case."""

import json
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from chances import fits
from hypothesis import given
from hypothesis import strategies as st

from graphanon.errors import InputProblem
from graphanon.tabular.ldp.bits import Bits, encode_fixed, encode_grid, encode_labels
from graphanon.tabular.ldp.catalog import MAKERS, MECHANISMS, read_mechanism
from graphanon.tabular.ldp.coins import seeded
from graphanon.tabular.ldp.exact import exp_down, round_up
from graphanon.tabular.ldp.grr import Grr
from graphanon.tabular.ldp.mechanism import Oracle
from graphanon.tabular.ldp.olh import Olh, bucket
from graphanon.tabular.ldp.window import Piecewise, SquareWave

NAMES = sorted(MECHANISMS)


def made(name, inputs, epsilon):
    """Return a mechanism that spends at most this in all."""
    if name == "bits":
        patterns, m = encode_labels(inputs)
        return Bits.of(tuple(patterns.tolist()), m, epsilon=Fraction(epsilon) / m)
    return MAKERS[name](inputs, Fraction(epsilon))


def honest(mechanism):
    """Whether no answer tells more than the mechanism says, by enumeration."""
    return mechanism.worst_ratio() <= exp_down(mechanism.epsilon) * (1 + Fraction(1, 10**15))


def draws_what_it_says(mechanism, n=6000, seed=1):
    """Whether the answers for every cell have the declared distribution, by chi-square."""
    answers = list(mechanism.outputs())
    place = {text: i for i, text in enumerate(mechanism.texts(np.array(answers)))}
    for cell in range(mechanism.inputs):
        told = mechanism.texts(mechanism.perturb(np.full(n, cell), seeded(seed + cell)))
        found = np.bincount([place[text] for text in told], minlength=len(answers))
        if not fits(found, [n * float(mechanism.probability(cell, answer)) for answer in answers]):
            return False
    return True


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("inputs", [2, 5])
def test_the_budget_is_that_of_the_worst_answer_and_no_more_than_asked(name, epsilon, inputs):
    mechanism = made(name, inputs, epsilon)
    worst = math.log(mechanism.worst_ratio())
    if name != "bits":  # not all of its patterns need be numbers of labels
        assert float(mechanism.epsilon) == pytest.approx(worst, abs=1e-12)
    assert worst <= float(mechanism.epsilon) + 1e-12
    assert round_up(mechanism.epsilon) <= epsilon
    assert float(mechanism.epsilon) == pytest.approx(epsilon, rel=1e-6)
    assert honest(mechanism)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "olh"])
@pytest.mark.parametrize("inputs", [1, 2, 4])
def test_probabilities_are_whole_numbers_that_add_up_to_one(name, inputs):
    mechanism = made(name, inputs, 1.0)
    for cell in range(inputs):
        assert sum(mechanism.probability(cell, answer) for answer in mechanism.outputs()) == 1


@pytest.mark.parametrize("name", NAMES)
def test_whoever_one_is_every_answer_is_possible(name):
    mechanism = made(name, 4, 1.0)
    assert all(mechanism.probability(cell, answer) > 0 for answer in mechanism.outputs() for cell in range(4))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "olh"])
def test_answers_are_drawn_as_declared(name):
    assert draws_what_it_says(made(name, 4, 1.0))


def test_a_hashed_answer_is_drawn_as_declared():
    olh, n = Olh.of(6, Fraction(1)), 40_000
    answers = olh.perturb(np.full(n, 4), seeded(1))
    own = int((bucket(answers[:, 0], 4, olh.response.inputs) == answers[:, 1]).sum())
    p = float(olh.response.probability(0, 0))
    assert fits([own, n - own], [n * p, n * (1 - p)])
    assert fits(np.bincount(answers[:, 0] >> 28, minlength=16), np.full(16, n / 16))


def test_hash_functions_spread_every_cell_and_every_pair_evenly():
    functions = np.arange(30_000)
    for g in (2, 4, 9):
        one, other = bucket(functions, 3, g), bucket(functions, 11, g)
        assert fits(np.bincount(one * g + other, minlength=g * g), np.full(g * g, 30_000 / g**2))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "olh"])
@pytest.mark.parametrize("inputs", [2, 4])
def test_the_mean_of_one_answer_is_unbiased_whatever_the_cell(name, inputs):
    mechanism, values = made(name, inputs, 1.0), 10.0 + 3.0 * np.arange(inputs)
    scores = {text: float(mechanism.mean(mechanism.parse([text]), values).value)
              for text in mechanism.texts(np.array(list(mechanism.outputs())))}
    for cell in range(inputs):
        expected = sum(float(mechanism.probability(cell, answer)) * score
                       for answer, score in zip(mechanism.outputs(), scores.values(), strict=True))
        assert expected == pytest.approx(values[cell], abs=1e-9)


@pytest.mark.parametrize("name", ["bits", "grr", "oue"])
def test_the_share_of_every_cell_is_unbiased(name):
    mechanism = made(name, 4, 1.0)
    texts = mechanism.texts(np.array(list(mechanism.outputs())))
    shares = [mechanism.frequencies(mechanism.parse([text])).value for text in texts]
    for cell in range(4):
        weights = [float(mechanism.probability(cell, answer)) for answer in mechanism.outputs()]
        assert np.tensordot(weights, shares, axes=1) == pytest.approx(np.eye(4)[cell], abs=1e-9)


@pytest.mark.parametrize("name", [name for name in NAMES if issubclass(MECHANISMS[name], Oracle)])
def test_intervals_hold_the_truth_as_often_as_they_say(name):
    mechanism, cells = made(name, 4, 2.0), np.repeat([0, 1, 2, 3], [600, 500, 500, 400])
    hits = []
    for seed in range(60):
        answers = mechanism.perturb(cells, seeded(seed))
        low, high = mechanism.mean(answers, np.arange(4.0)).interval()
        hits.append(low <= cells.mean() <= high)
        if name != "square-wave":
            low, high = mechanism.frequencies(answers).interval()
            hits.append(bool(low[0] <= 0.3 <= high[0]))
    # 95 of 100 intervals hold; fewer than 86 do once in a million such tests
    assert np.mean(hits) > 0.86


def test_the_square_wave_finds_where_people_are():
    wave = SquareWave.of(21, Fraction(2))
    found = wave.frequencies(wave.perturb(np.repeat([4, 15], 20_000), seeded(1)))
    assert found.value.sum() == pytest.approx(1)
    assert (found.value >= 0).all()
    assert found.value[2:7].sum() == pytest.approx(0.5, abs=0.05)
    assert found.value[13:18].sum() == pytest.approx(0.5, abs=0.05)
    assert (found.se > 0).any()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("inputs", [1, 2, 7])
def test_text_and_json_bring_back_the_same(name, inputs):
    mechanism = made(name, inputs, 1.5)
    assert read_mechanism(json.loads(json.dumps(mechanism.as_json()))) == mechanism
    answers = mechanism.perturb(np.arange(50) % inputs, seeded(1))
    assert (mechanism.parse(mechanism.texts(answers)) == answers).all()
    assert not any("," in text for text in mechanism.texts(answers))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", "x", "-1", "99999999999999999999", "1:2:3", "2:999999", "+-"])
def test_a_text_that_is_no_answer_is_refused(name, text):
    with pytest.raises(InputProblem, match="no answer"):
        made(name, 3, 1.0).parse([text])


@pytest.mark.parametrize("name", NAMES)
def test_one_cell_tells_nothing(name):
    mechanism = made(name, 1, 1.0)
    assert mechanism.worst_ratio() == 1
    assert name == "bits" or mechanism.epsilon == 0
    told = mechanism.mean(mechanism.perturb(np.zeros(4000, dtype=int), seeded(1)), np.array([7.0]))
    assert abs(told.value - 7) <= 5 * told.se + 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_nobody_answers_for_nobody(name):
    mechanism = made(name, 3, 1.0)
    answers = mechanism.perturb(np.zeros(0, dtype=int), seeded(1))
    assert mechanism.texts(answers) == []
    assert np.isnan(mechanism.mean(answers, np.arange(3.0)).value)


@pytest.mark.parametrize("damaged", [{"mechanism": "magic"}, {"mechanism": "grr"}, {"mechanism": "bits", "m": "x"},
                                     {"mechanism": "hybrid", "inputs": 2, "share": "1", "duchi": 3, "piecewise": {}}])
def test_a_damaged_description_is_refused(damaged):
    with pytest.raises(InputProblem, match="mechanism"):
        read_mechanism(damaged)


@given(st.integers(2, 30), st.floats(0.01, 6))
def test_windows_never_exceed_their_budget_by_the_one_more_of_the_first(inputs, epsilon):
    for kind in (Piecewise, SquareWave):
        window = kind.of(inputs, Fraction(epsilon))
        start = window.stride * (inputs - 1)
        inside = [window.probability(inputs - 1, start + place) for place in (0, window.width - 1)]
        assert max(inside) <= exp_down(Fraction(epsilon)) * window.probability(inputs - 1, 0)


class TestPlantedBugs:
    """What these tests are for: a mechanism that tells more than it says, or does not randomize, is caught."""

    def test_a_budget_that_is_doubled_behind_ones_back(self):
        @dataclass(frozen=True, kw_only=True)
        class Halved(Grr):
            @property
            def epsilon(self):
                return super().epsilon / 2

        assert honest(Grr.of(5, Fraction(1)))
        assert not honest(Halved.of(5, Fraction(1)))

    def test_answers_that_are_not_perturbed(self):
        @dataclass(frozen=True, kw_only=True)
        class Plain(Grr):
            def perturb(self, cells, coins):
                del coins
                return cells

        assert not draws_what_it_says(Plain.of(4, Fraction(1)))

    def test_weights_that_are_a_hundredth_off(self):
        @dataclass(frozen=True, kw_only=True)
        class Off(Grr):
            def perturb(self, cells, coins):
                return Grr(inputs=self.inputs, other=self.other * 8 // 10).perturb(cells, coins)

        assert not draws_what_it_says(Off.of(4, Fraction(1)))


class TestWorkedNumbers:
    """The numbers of the literature and of hand, as derivations."""

    def test_bits_of_37_at_f_one_half(self):
        bits = Bits.of(tuple(encode_grid(64).tolist()), 6, f=0.5)
        assert bits.texts(np.array([37])) == ["100101"]
        assert float(bits.bit_epsilon) == pytest.approx(math.log((1 - 0.25) / 0.25))
        chance = np.array([float(bits.probability(37, answer)) for answer in range(64)])
        mean = chance @ np.arange(64)
        assert mean == pytest.approx(0.5 * 37 + 0.25 * 63)  # (1 - f) x + f/2 (2^m - 1) = 34.25
        variance = chance @ (np.arange(64) - mean) ** 2
        assert variance == pytest.approx(0.25 * 0.75 * (4**6 - 1) / 3)  # 255.9375: f/2 (1 - f/2) each, weights 4^i
        scores = np.array([float(bits.mean(np.array([answer]), np.arange(64.0)).value) for answer in range(64)])
        assert chance @ scores == pytest.approx(37)
        assert chance @ (scores - 37) ** 2 == pytest.approx(255.9375 / 0.5**2)  # 1023.75

    def test_epsilon_one_a_bit(self):
        bits = Bits.of((0, 1), 1, epsilon=Fraction(1))
        flip = float(bits.probability(0, 1))
        assert flip == pytest.approx(1 / (1 + math.e), abs=1e-15)
        assert (flip, 2 * flip) == pytest.approx((0.268941, 0.537883), abs=1e-6)

    @pytest.mark.parametrize(("epsilon", "per_bit", "per_record"), [
        (0.01, 0.4975, 0.4999), (0.1, 0.4750, 0.4990), (0.2, 0.4502, 0.4981), (0.5, 0.3775, 0.4952),
        (1, 0.2689, 0.4904), (1.5, 0.1824, 0.4856), (2, 0.1192, 0.4808)])
    def test_flips_of_a_record_of_26_bits(self, epsilon, per_bit, per_record):
        one = Bits.of((0, 1), 1, epsilon=Fraction(epsilon))
        many = Bits.of(tuple(range(4)), 2, epsilon=Fraction(epsilon) / 26)
        assert round(float(one.probability(0, 1)), 4) == per_bit
        assert round(math.sqrt(float(many.probability(0, 3))), 4) == per_record

    def test_bits_of_labels_and_numbers(self):
        assert encode_labels(16)[1] == 5  # 1 … 16
        assert encode_labels(16, first=0)[1] == 4  # 0 … 15
        assert (90).bit_length() == 7
        assert encode_labels(1, first=0)[1] == 1
        assert encode_fixed(np.array([-1.25, 3.0]), 2, 2).tolist() == [0b10101, 0b01100]

    def test_grr(self):
        grr, n = Grr.of(10, Fraction(1)), 1000
        p, q = math.e / (math.e + 9), 1 / (math.e + 9)
        assert float(grr.probability(3, 3)) == pytest.approx(p, abs=1e-15)
        assert float(grr.probability(3, 4)) == pytest.approx(q, abs=1e-15)
        # nobody in a cell: variance q (1 - q) / (n (p - q)^2) = (d - 2 + e) / (n (e - 1)^2)
        assert q * (1 - q) / (n * (p - q) ** 2) == pytest.approx((10 - 2 + math.e) / (n * (math.e - 1) ** 2))

    def test_oue_and_olh(self):
        oue, olh = made("oue", 10, 1.0), made("olh", 10, 1.0)
        assert oue.other / 2**64 == pytest.approx(1 / (math.e + 1), abs=1e-15)
        q = 1 / (math.e + 1)
        assert q * (1 - q) / (0.5 - q) ** 2 == pytest.approx(4 * math.e / (math.e - 1) ** 2)
        assert olh.response.inputs == round(math.e) + 1
        assert float(olh.response.probability(0, 0)) == pytest.approx(math.e / (math.e + 4 - 1), abs=1e-15)

    def test_duchi(self):
        duchi = made("duchi", 5, 1.0)
        for cell, x in enumerate((-1, -0.5, 0, 0.5, 1)):
            expected = 0.5 + x * (math.e - 1) / (2 * (math.e + 1))
            assert float(duchi.probability(cell, 1)) == pytest.approx(expected, abs=1e-15)
        # C = (e + 1) / (e - 1) on [-1, 1] is 2 (1 + C) on the cells 0 … 4
        assert duchi.scores(np.array([0, 1])) == pytest.approx([2 - 2 * (math.e + 1) / (math.e - 1),
                                                                2 + 2 * (math.e + 1) / (math.e - 1)])

    def test_the_piecewise_window_is_that_of_the_continuous_mechanism(self):
        epsilon = 1.0
        window = Piecewise.of(101, Fraction(epsilon))
        big = (math.exp(epsilon / 2) + 1) / (math.exp(epsilon / 2) - 1)
        assert window.width / window.way == pytest.approx((big - 1) / (big + 1), abs=1 / window.way)
        inside = 1 - window.way * window.other / 2**64
        assert inside == pytest.approx(math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 1), abs=0.002)

    def test_the_square_wave_has_the_best_width(self):
        e = math.e
        b = (e - e + 1) / (2 * e * (e - 1 - 1))  # (eps e^eps - e^eps + 1) / (2 e^eps (e^eps - 1 - eps)) at 1
        wave = SquareWave.of(101, Fraction(1))
        assert wave.width / wave.way == pytest.approx(2 * b, abs=1 / wave.way)
        assert 1 - wave.way * wave.other / 2**64 == pytest.approx(2 * b * e / (2 * b * e + 1), abs=0.002)

    def test_hybrid_is_duchi_alone_up_to_061(self):
        assert made("hybrid", 5, 0.6).share == 0
        assert made("hybrid", 5, 1.0).share / 2**64 == pytest.approx(1 - math.exp(-0.5))
