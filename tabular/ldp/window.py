"""Mechanisms that answer near the truth: a likely window on a line of outputs, moving with the cell.

There are ``stride · (inputs - 1) + width`` outputs. For the owner of cell x the `width` outputs from ``stride · x`` on
are likely, all others are e**ε times less so. The piecewise mechanism and the square wave are this on a grid; they
differ in the width of the window and in how answers are read. Because the window moves evenly, the mean
can be had unbiased from either.
Sources: N. Wang and others, Collecting and Analyzing Multidimensional Data with Local Differential Privacy, 2019
(piecewise); Z. Li and others, Estimating Numerical Distributions under Local Differential Privacy, 2020 (square wave).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import WHOLE, exp_down, log_up, other_weight
from graphanon.tabular.ldp.mechanism import (
    Answers,
    Estimate,
    Floats,
    Ints,
    Mechanism,
    Oracle,
    mean_of,
    whole_numbers,
)

__all__ = ["Piecewise", "SquareWave", "Window"]

_FINE = 256  # steps of the window, at least, from the first cell to the last
_RESAMPLES = 24
_FULL_SMOOTHING = 128  # cells from which on a neighbour is near


@dataclass(frozen=True, kw_only=True)
class Window(Mechanism):
    """A moving window of `width` likely outputs; `other` is the weight, over 2**64, of each output outside.

    What the outputs outside leave of 2**64 is shared by those inside; where it does not divide, the first few
    have one more.
    """

    numeric: ClassVar[bool] = True

    stride: int
    width: int
    other: int

    @classmethod
    def with_width(cls, inputs: int, epsilon: Fraction, relative: float) -> Self:
        """Return the mechanism whose window is `relative` times as wide as its way from first to last cell."""
        stride = max(1, math.ceil(_FINE / max(inputs - 1, 1)))
        way = stride * (inputs - 1)
        width = max(1, round(relative * way))
        made = cls(inputs=inputs, stride=stride, width=width, other=other_weight(epsilon, width, way))
        bound = exp_down(epsilon)
        # the one more of the first few must not exceed the budget either
        while inputs > 1 and made._most > bound * made.other:
            made = cls(inputs=inputs, stride=stride, width=width, other=made.other + 1)
        return made

    @property
    def way(self) -> int:
        """Number of outputs outside any window."""
        return self.stride * (self.inputs - 1)

    @property
    def _inside(self) -> int:
        return WHOLE - self.way * self.other

    @property
    def _most(self) -> int:
        return -(-self._inside // self.width)

    @property
    def epsilon(self) -> Fraction:
        """The logarithm of the largest weight over that outside, rounded up."""
        return log_up(self._most, self.other) if self.inputs > 1 else Fraction(0)

    def perturb(self, cells: Ints, coins: Coins) -> Ints:
        """Return int64[n] of outputs."""
        if self.inputs == 1:
            return coins.below(self.width, len(cells))
        word, start = coins.words(len(cells)), self.stride * cells
        inside = word < np.uint64(self._inside)
        outside = ((word[~inside] - np.uint64(self._inside)) // np.uint64(self.other)).astype(np.int64)
        found = np.empty(len(cells), dtype=np.int64)
        found[inside] = start[inside] + self._place(word[inside])
        found[~inside] = outside + np.where(outside >= start[~inside], self.width, 0)
        return found

    def _place(self, word: Any) -> Ints:
        """Return which output of the window a word below its weight means."""
        each, more = divmod(self._inside, self.width)
        early = np.uint64(more * (each + 1))
        late = np.maximum(word, early) - early
        place = np.where(word < early, word // np.uint64(each + 1), np.uint64(more) + late // np.uint64(each))
        return np.asarray(place, dtype=np.int64)

    def outputs(self) -> Iterator[int]:
        """Yield every output."""
        yield from range(self.way + self.width)

    def probability(self, cell: int, answer: Any) -> Fraction:
        """Return the weight of an output over 2**64."""
        place = answer - self.stride * cell
        if not 0 <= place < self.width:
            return Fraction(self.other, WHOLE)
        each, more = divmod(self._inside, self.width)
        return Fraction(each + (place < more), WHOLE)

    def scores(self, answers: Answers) -> Floats:
        """Return float64[n] whose expectation is everyone's cell."""
        if self.inputs == 1:
            return np.zeros(len(answers))
        count, q = self.way + self.width, self.other / WHOLE
        gain = float(Fraction(self._inside - self.width * self.other, WHOLE))
        centre = (np.asarray(answers, dtype=np.float64) - q * count * (count - 1) / 2) / gain
        return np.asarray((centre - (self.width - 1) / 2) / self.stride)

    def mean(self, answers: Answers, values: Floats) -> Estimate:
        """Return the unbiased mean of values that rise evenly with the cell."""
        return mean_of(values[0] + self.scores(answers) * (values[-1] - values[0]) / max(self.inputs - 1, 1))

    def texts(self, answers: Answers) -> list[str]:
        """Return the number of each output."""
        return [str(answer) for answer in answers.tolist()]

    def parse(self, texts: Sequence[str]) -> Ints:
        """Return the outputs."""
        return whole_numbers(texts, self.way + self.width, self.refuse())

    def as_json(self) -> dict[str, Any]:
        """Return name, inputs, stride and width of the window and the weight outside."""
        return {"mechanism": self.name, "inputs": self.inputs, "stride": self.stride, "width": self.width,
                "other": str(self.other)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return what :meth:`as_json` wrote."""
        return cls(**{name: int(data[name]) for name in ("inputs", "stride", "width", "other")})


@dataclass(frozen=True, kw_only=True)
class Piecewise(Window):
    """The piecewise mechanism: a window that is ``e**(-ε/2)`` as wide as its way, for an unbiased mean.

    Examples
    --------
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> piecewise = Piecewise.of(11, Fraction(2))
    >>> answers = piecewise.perturb(np.full(100_000, 7), seeded(1))
    >>> round(float(piecewise.mean(answers, np.arange(11.0)).value), 1)
    7.0
    """

    name: ClassVar[str] = "piecewise"

    @classmethod
    def of(cls, inputs: int, epsilon: Fraction) -> Piecewise:
        """Return the mechanism that spends at most `epsilon`."""
        return cls.with_width(inputs, epsilon, math.exp(-float(min(epsilon, Fraction(64))) / 2))


@dataclass(frozen=True, kw_only=True)
class SquareWave(Window, Oracle):
    """The square wave: a window 2b as wide as its way, for the distribution of a number.

    Examples
    --------
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> wave = SquareWave.of(11, Fraction(2))
    >>> answers = wave.perturb(np.repeat([2, 8], 50_000), seeded(1))
    >>> found = wave.frequencies(answers).value
    >>> bool(found[1:4].sum() > 0.4), bool(found[7:10].sum() > 0.4), round(float(found.sum()), 9)
    (True, True, 1.0)
    """

    name: ClassVar[str] = "square-wave"

    @classmethod
    def of(cls, inputs: int, epsilon: Fraction) -> SquareWave:
        """Return the mechanism that spends at most `epsilon`."""
        return cls.with_width(inputs, epsilon, 2 * _half_width(float(min(epsilon, Fraction(64)))))

    def frequencies(self, answers: Answers) -> Estimate:
        """Return the likeliest smooth distribution, by EM with smoothing; standard errors from resampled answers.

        It is the one estimate here that is not unbiased: it cannot be negative and it is smoothed.
        """
        count = np.bincount(answers, minlength=self.way + self.width).astype(np.float64)
        if not len(answers):
            return Estimate(np.full(self.inputs, np.nan), np.full(self.inputs, np.nan))
        found = self._smoothed(count)
        rng = np.random.Generator(np.random.Philox(len(answers)))
        again = [self._smoothed(rng.multinomial(len(answers), count / count.sum()).astype(np.float64))
                 for _ in range(_RESAMPLES)]
        return Estimate(found, np.std(again, axis=0, ddof=1))

    def _smoothed(self, count: Floats) -> Floats:
        share = np.full(self.inputs, 1 / self.inputs)
        last, total = -np.inf, count.sum()
        for _ in range(2000):
            expected = self._expected(share)
            share = _neighbours(share * self._support(count / expected) / total)
            likelihood = float(count @ np.log(expected)) / total
            if abs(likelihood - last) < 1e-7:
                break
            last = likelihood
        return share

    def _expected(self, share: Floats) -> Floats:
        """Return the probability of every output, for people of whom these shares are in each cell."""
        edges = np.zeros(self.way + self.width + 1)
        start = self.stride * np.arange(self.inputs)
        edges[start] += share
        edges[start + self.width] -= share
        q, p = self.other / WHOLE, self._inside / WHOLE / self.width
        return np.asarray(q + (p - q) * np.cumsum(edges)[:-1])

    def _support(self, weight: Floats) -> Floats:
        """Return for every cell the sum over outputs of probability times weight."""
        total = np.concatenate([[0.0], np.cumsum(weight)])
        start = self.stride * np.arange(self.inputs)
        q, p = self.other / WHOLE, self._inside / WHOLE / self.width
        return np.asarray(q * total[-1] + (p - q) * (total[start + self.width] - total[start]))


def _half_width(epsilon: float) -> float:
    """Return b, which makes the answer tell most about the number; 1/2 as the budget vanishes."""
    if epsilon < 1e-3:
        return 0.5 - epsilon / 6
    power = math.exp(epsilon)
    return (epsilon * power - power + 1) / (2 * power * (power - 1 - epsilon))


def _neighbours(share: Floats) -> Floats:
    """Return shares of which each gave up to a quarter to either neighbour; the ends keep what has nowhere to go.

    On a coarse line a neighbour is far, so less is given: the smoothing is the same on the line of numbers.
    """
    if len(share) < 3:
        return np.asarray(share / share.sum())
    given = min(1.0, (len(share) / _FULL_SMOOTHING) ** 2) / 4
    wide = np.concatenate([share[:1], share, share[-1:]])
    smooth = (1 - 2 * given) * share + given * (wide[:-2] + wide[2:])
    return np.asarray(smooth / smooth.sum())
