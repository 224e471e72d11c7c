"""Numbers as people write them: read strictly, written plainly, rounded to what may be told.

A cell is a number only if it is decimal digits with an optional sign, point and exponent. What Python
would also take (``nan``, ``inf``, ``1_000``, hexadecimal) is refused: none of it is an amount that a
person wrote down. Proposals are round and lie outside the data, for an exact extreme is somebody's
exact value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil, floor, isfinite, log10

import numpy as np

from graphanon.domain import Floats

__all__ = ["MARKERS", "decimals_of", "parse_number", "parse_numbers", "plain", "propose_grid", "propose_range", "round_number"]

MARKERS = frozenset({"?", "-", "--", ".", "na", "n/a", "#n/a", "nan", "null", "none", "missing"})
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def parse_number(text: str) -> float | None:
    """Return the number that a cell holds, None if it holds none.

    Examples
    --------
    >>> [parse_number(cell) for cell in ("12", " -1.5e3", "1_000", "nan", "0x1F", "1e999")]
    [12.0, -1500.0, None, None, None, None]
    """
    text = text.strip(" \t")
    if not NUMBER.fullmatch(text):
        return None
    value = float(text) + 0.0  # no negative zero
    return value if isfinite(value) else None


def parse_numbers(texts: Sequence[str]) -> Floats:
    """Return the number in each text, NaN where there is none."""
    numbers = (parse_number(text) for text in texts)
    return np.array([np.nan if number is None else number for number in numbers], dtype=float)


def plain(number: float) -> str:
    """Return a number as a person writes it: whole numbers without a point.

    Examples
    --------
    >>> plain(5.0), plain(0.25)
    ('5', '0.25')
    """
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def round_number(most: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20, 50 … (and their tenths) that is at most `most`.

    Examples
    --------
    >>> [round_number(x) for x in (0.3, 7.0, 99.0)]
    [0.2, 5.0, 50.0]
    """
    exponent = floor(log10(most) + 1e-12)
    digit = next(d for d in (5, 2, 1) if d * 10.0**exponent <= most * (1 + 1e-9))
    return float(f"{digit}e{exponent}")


def decimals_of(values: Floats) -> int:
    """Return how many digits after the point the finest of these numbers has, at most 12."""
    for digits in range(12):
        if np.allclose(values, np.round(values, digits), rtol=0, atol=1e-9 * 10.0**-digits):
            return digits
    return 12


def propose_grid(values: Floats) -> float:
    """Return a round grid of about fifty steps, coarser than the data where they have fractions.

    Examples
    --------
    >>> propose_grid(np.array([17.0, 90.0])), propose_grid(np.array([0.0, 99999.0]))
    (1.0, 1000.0)
    >>> propose_grid(np.array([-2.6, 6.2]))
    0.5
    """
    span = float(np.ptp(values)) if len(values) else 0.0
    digits = decimals_of(values)
    finest = 1.0 if digits == 0 else float(f"5e-{digits}")
    largest = float(np.abs(values).max(initial=0.0))
    if largest > finest * 1e10:
        finest = round_number(largest / 1e10)  # so that a float still tells multiples apart
    return max(round_number(span / 50), finest) if span > 0 else finest


def propose_range(values: Floats, grid: float) -> tuple[float, float]:
    """Return round bounds strictly outside the values; only zero, where nothing is negative, may be met.

    Examples
    --------
    >>> propose_range(np.array([17.0, 90.0]), 1.0)
    (10.0, 100.0)
    >>> propose_range(np.array([0.0, 99999.0]), 1000.0)
    (0.0, 100000.0)
    """
    low, high = float(values.min()), float(values.max())
    unit = max(grid, round_number((high - low) / 5) if high > low else grid)
    digits = decimals_of(np.array([unit]))
    below = round((ceil(round(low / unit, 9)) - 1) * unit, digits)
    above = round((floor(round(high / unit, 9)) + 1) * unit, digits)
    return (max(below, 0.0) if low >= 0 else below), (min(above, 0.0) if high < 0 else above)
