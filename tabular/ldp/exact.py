"""Whole-number probabilities and the budgets that they spend, never rounded in favour of a claim.

Every randomized answer is drawn with probabilities that are whole numbers over 2**64, so that what is computed
about it is true of what was drawn: a floating-point uniform can make outcomes impossible for one person and
possible for another (I. Mironov, On Significance of the Least Significant Bits for Differential Privacy, 2012).
A budget comes from those whole numbers and is rounded up; weights made for a budget spend no more than it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from graphanon.errors import InputProblem, Problem

__all__ = ["WHOLE", "budget", "exp_down", "flip_weight", "flip_weight_of_f", "log_up", "other_weight", "round_up"]

WHOLE = 1 << 64
_DIGITS = 60
_SLACK = Fraction(1, 10**50)  # far more than the last digit of any logarithm below 100
_MOST = 64  # e**64 is beyond every ratio of two weights


def budget(epsilon: float | Fraction, what: str = "epsilon") -> Fraction:
    """Return a budget as the exact fraction that its float stands for.

    Below a thousand-millionth no answer tells anything, and weights could not be told apart.

    Raises
    ------
    InputProblem
        If it is not a finite number from 1e-9 on.

    Examples
    --------
    >>> budget(0.5)
    Fraction(1, 2)
    """
    if not (isinstance(epsilon, (int, float, Fraction)) and math.isfinite(epsilon) and epsilon >= 1e-9):
        raise InputProblem(Problem(what=f"{what} is {epsilon!r}", allowed="a number above 0 (from 1e-9)", fix=f"--{what} 1"))
    return Fraction(epsilon)


def exp_down(exponent: Fraction) -> Fraction:
    """Return a number just below e to an exponent from 0 to 64; beyond that, that of 64."""
    context = Context(prec=_DIGITS, rounding=ROUND_FLOOR)
    power = min(exponent, Fraction(_MOST))
    below = context.divide(Decimal(power.numerator), Decimal(power.denominator))
    value = Fraction(context.exp(below))
    return max(Fraction(1), value * (1 - _SLACK))


def log_up(large: int, small: int) -> Fraction:
    """Return a number just above the logarithm of ``large / small``; 0 where they are equal.

    Examples
    --------
    >>> float(log_up(3, 1))
    1.0986122886681098
    """
    if large == small:
        return Fraction(0)
    context = Context(prec=_DIGITS, rounding=ROUND_CEILING)
    difference = context.subtract(context.ln(Decimal(large)), context.ln(Decimal(small)))
    return Fraction(difference) + _SLACK


def round_up(value: Fraction | Iterable[Fraction]) -> float:
    """Return the least float that is no smaller than a number, or than the sum of several."""
    exact = value if isinstance(value, Fraction) else sum(value, Fraction(0))
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


def other_weight(epsilon: Fraction, own: int, others: int) -> int:
    """Return the weight of each unlikely outcome, where `own` outcomes are up to e**epsilon times as likely.

    The likely ones share what is left of 2**64 and are no more than e**epsilon times as likely.
    """
    return max(1, math.ceil(WHOLE / (own * exp_down(epsilon) + others)))


def flip_weight(epsilon: Fraction) -> int:
    """Return the weight, over 2**64, with which one bit is flipped: ``1 / (1 + e**epsilon)``, rounded up."""
    return other_weight(epsilon, 1, 1)


def flip_weight_of_f(f: float) -> int:
    """Return the weight of a flip under the longitudinal parameter f of RAPPOR: half of f.

    Raises
    ------
    InputProblem
        If `f` is not above 0 and at most 1: without any flip nothing is private.
    """
    if not (isinstance(f, (int, float)) and 0 < f <= 1):
        raise InputProblem(Problem(what=f"f is {f!r}", allowed="above 0 and at most 1; 0 would hide nothing"))
    return math.ceil(Fraction(f) * WHOLE / 2)
