"""Whole-number noise for a curator's counts and sums, drawn exactly.

Continuous Laplace noise in floating point leaks through its last bits. Two-sided geometric noise (the discrete
Laplace distribution) has whole values, and C. Canonne, G. Kamath and T. Steinke (The Discrete Gaussian for
Differential Privacy, 2020, algorithm 2) draw it from fair coins alone, without one rounded number.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import budget

__all__ = ["discrete_laplace", "spent"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_DENOMINATOR = 1 << 24


def spent(epsilon: float | Fraction, sensitivity: int = 1) -> Fraction:
    """Return the budget that :func:`discrete_laplace` really spends: just below the one asked for.

    It is the largest multiple of ``sensitivity / 2**24`` that is no larger, so that all numbers stay small.

    Examples
    --------
    >>> float(spent(0.5)), float(spent(0.1)) < 0.1
    (0.5, True)
    """
    return _rate(budget(epsilon), sensitivity) * sensitivity


def _rate(epsilon: Fraction, sensitivity: int) -> Fraction:
    rate = Fraction(int(epsilon * _DENOMINATOR / sensitivity), _DENOMINATOR)
    return rate or epsilon / sensitivity


def discrete_laplace(epsilon: float | Fraction, count: int, coins: Coins, sensitivity: int = 1) -> Ints:
    """Return int64[count] of noise with ``P(z) = (1 - a) / (1 + a) · a**|z|``, ``a = e**(-epsilon / sensitivity)``.

    Added to a whole number that one person changes by at most `sensitivity`, it gives `epsilon`-differential
    privacy. Its mean is 0, its variance ``2a / (1 - a)**2``.

    Examples
    --------
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> z = discrete_laplace(0.5, 100_000, seeded(1))
    >>> bool(abs(z.mean()) < 0.05), bool(abs((z == 0).mean() - 0.244919) < 0.01)
    (True, True)
    """
    rate = _rate(budget(epsilon), sensitivity)
    found, open_ = np.empty(count, dtype=np.int64), np.arange(count)
    while len(open_):
        value, kept = _attempt(rate, len(open_), coins)
        found[open_[kept]] = value[kept]
        open_ = open_[~kept]
    return found


def _attempt(rate: Fraction, count: int, coins: Coins) -> tuple[Ints, Bools]:
    """Return candidates and which of them stand: the remainder, the whole part and the sign are drawn apart."""
    s, t = rate.numerator, rate.denominator
    remainder = coins.below(t, count)
    kept = _falls(remainder, t, coins)
    size = (remainder + t * _run_length(count, coins)) // s
    negative = coins.below(2, count) == 1
    return np.where(negative, -size, size), kept & ~(negative & (size == 0))


def _run_length(count: int, coins: Coins) -> Ints:
    """Return how often a coin of probability 1/e falls heads before the first tails."""
    length, running = np.zeros(count, dtype=np.int64), np.arange(count)
    while len(running):
        running = running[_falls(np.ones(len(running), dtype=np.int64), 1, coins)]
        length[running] += 1
    return length


def _falls(above: Ints, below: int, coins: Coins) -> Bools:
    """Return bool of the same length, True with probability e**(-above / below), for 0 ≤ above ≤ below.

    The first k at which a coin of probability ``above / (below · k)`` falls tails is odd that often.
    """
    k, odd, running = 1, np.ones(len(above), dtype=np.bool_), np.arange(len(above))
    while len(running):
        running = running[coins.below(below * k, len(running)) < above[running]]
        odd[running] = k % 2 == 0
        k += 1
    return odd
