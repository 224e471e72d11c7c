"""What every mechanism of local differential privacy can do: answer for a person, and be read by a server.

A mechanism knows the number of its inputs (the cells of a public line) and whole-number weights over 2**64; both
are all that its reader needs. Every input may give every output, so the largest ratio between the probabilities
of an output under two inputs is finite: its logarithm, rounded up, is the budget. The client has
:meth:`Mechanism.perturb`; all else works on answers and is the server's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.coins import Coins

__all__ = ["Answers", "Estimate", "Mechanism", "Oracle"]

Answers = NDArray[Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_NORMAL = 1.959963984540054  # 95 of 100 draws of a standard normal lie within


class Estimate(NamedTuple):
    """Estimated numbers and their standard errors, both float64 of one shape."""

    value: Floats
    se: Floats

    def interval(self, width: float = _NORMAL) -> tuple[Floats, Floats]:
        """Return both ends of the normal confidence interval, by default of 95 %."""
        return self.value - width * self.se, self.value + width * self.se


@dataclass(frozen=True, kw_only=True)
class Mechanism(ABC):
    """A randomized answer about one cell out of `inputs`, 0 … inputs - 1."""

    name: ClassVar[str]
    numeric: ClassVar[bool] = False  # whether it is for numbers alone
    decodes: ClassVar[bool] = False  # whether answers are cells again

    inputs: int

    @property
    @abstractmethod
    def epsilon(self) -> Fraction:
        """The logarithm of the largest ratio of probabilities, rounded up in its fiftieth digit."""

    @abstractmethod
    def perturb(self, cells: Ints, coins: Coins) -> Answers:
        """Return everyone's answer, one row a person, from int64[n] cells."""

    @abstractmethod
    def outputs(self) -> Iterator[Any]:
        """Yield every answer that anyone can give: for enumeration over small domains."""

    @abstractmethod
    def probability(self, cell: int, answer: Any) -> Fraction:
        """Return the exact probability of an answer of :meth:`outputs` for the owner of a cell."""

    @abstractmethod
    def mean(self, answers: Answers, values: Floats) -> Estimate:
        """Return the mean of float64[inputs] `values` (affine in the cell where numeric) over the people."""

    @abstractmethod
    def texts(self, answers: Answers) -> list[str]:
        """Return each answer as text without commas."""

    @abstractmethod
    def parse(self, texts: Sequence[str]) -> Answers:
        """Return the answers that :meth:`texts` wrote.

        Raises
        ------
        InputProblem
            If a text is no answer of this mechanism.
        """

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return name, inputs and whole-number weights (as text: they are beyond the numbers of JSON)."""

    @classmethod
    @abstractmethod
    def from_json(cls, data: Mapping[str, Any]) -> Mechanism:
        """Return the mechanism that :meth:`as_json` wrote."""

    def decode(self, answers: Answers) -> Ints:
        """Return each answer as a cell of the line, where the mechanism's outputs are such."""
        what = f"{len(answers)} answers of {self.name} are no values of the domain"
        raise InputProblem(Problem(what=what, fix="--mechanism bits or grr"))

    def refuse(self) -> InputProblem:
        """Return what to say of a text that is no answer."""
        return InputProblem(Problem(what=f"a report is no answer of {self.name}", allowed="what perturb wrote"))

    def worst_ratio(self) -> Fraction:
        """Return the largest ratio of probabilities of one answer, by enumeration: for small domains."""
        worst = Fraction(1)
        for answer in self.outputs():
            column = [self.probability(cell, answer) for cell in range(self.inputs)]
            worst = max(worst, max(column) / min(column))
        return worst


class Oracle(Mechanism):
    """A mechanism from whose answers the share of every cell can be estimated, unbiased."""

    @abstractmethod
    def frequencies(self, answers: Answers) -> Estimate:
        """Return float64[inputs]: the estimated share of people in each cell; may be negative."""


def mean_of(scores: Floats) -> Estimate:
    """Return the mean of everyone's unbiased score, and its standard error as they spread."""
    n = len(scores)
    if n == 0:
        return Estimate(np.asarray(np.nan), np.asarray(np.nan))
    spread = scores.std(ddof=1) if n > 1 else np.inf
    return Estimate(np.asarray(scores.mean()), np.asarray(spread / np.sqrt(n)))


def shares(counts: Floats, n: int, p: float, q: float) -> Estimate:
    """Return the share of every cell from how many answers support it: a supporter is true with p, false with q."""
    if n == 0:
        return Estimate(np.full(len(counts), np.nan), np.full(len(counts), np.nan))
    seen = counts / n
    se = np.sqrt(np.maximum(seen * (1 - seen), 1 / n**2) / n) / (p - q)
    return Estimate((seen - q) / (p - q), se)


def whole_numbers(texts: Sequence[str], below: int, problem: InputProblem) -> Ints:
    """Return int64 of numerals from 0 to `below` - 1, or raise the problem."""
    try:
        found = np.array([int(text) for text in texts], dtype=np.int64)
    except (ValueError, OverflowError):
        raise problem from None
    if ((found < 0) | (found >= below)).any():
        raise problem
    return found
