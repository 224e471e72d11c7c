import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphanon.domain import Range
from graphanon.io.numbers import decimals_of, parse_number, plain, propose_grid, propose_range, round_number

amounts = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3))


@given(amounts)
def test_a_number_written_plainly_reads_back(value):
    assert parse_number(plain(value)) == value


@given(st.floats(1e-9, 1e12))
def test_a_round_number_is_below_and_within_a_factor_of_2_5(most):
    found = round_number(most)
    assert found <= most * (1 + 1e-9)
    assert most < found * 2.5 * (1 + 1e-9)
    assert plain(found / 10 ** np.floor(np.log10(found * 1.0000001)))[0] in "125"


@given(st.lists(amounts, min_size=1, max_size=20))
def test_proposals_lie_outside_the_data_and_make_a_range(values):
    data = np.array(values)
    grid = propose_grid(data)
    low, high = propose_range(data, grid)
    assert low < data.min() or low == data.min() == 0 or low == 0 <= data.min()
    assert high > data.max()
    assert Range(low, high, grid).span > 0


@given(st.lists(amounts, min_size=2, max_size=20))
def test_a_proposed_grid_is_coarser_than_fractions(values):
    data = np.array(values)
    digits = decimals_of(data)
    assert propose_grid(data) >= (1 if digits == 0 else 5 * 10.0**-digits) * (1 - 1e-9)


@pytest.mark.parametrize(("values", "digits"), [([1, 2], 0), ([1.5, 2], 1), ([0.001], 3), ([], 0)])
def test_decimals_are_those_of_the_finest_number(values, digits):
    assert decimals_of(np.array(values, dtype=float)) == digits


def test_negative_numbers_are_bounded_on_both_sides():
    assert propose_range(np.array([-90.0, -17.0]), 1.0) == (-100.0, -10.0)
    assert propose_range(np.array([5.0, 5.0]), 1.0) == (4.0, 6.0)
