"""The mechanism of Duchi and others for a mean: one of two far values, the likelier the nearer it is.

A number at place x of [-1, 1] is told as C or -C, ``C = (e**ε + 1) / (e**ε - 1)``, so that the expectation is x. On a
line of cells the probability of C rises in equal steps from the first cell to the last.
Source: J. Duchi, M. Jordan and M. Wainwright, Minimax Optimal Procedures for Locally Private Estimation, 2018.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import WHOLE, flip_weight, log_up
from graphanon.tabular.ldp.mechanism import Answers, Estimate, Floats, Ints, Mechanism, mean_of

__all__ = ["Duchi"]


@dataclass(frozen=True, kw_only=True)
class Duchi(Mechanism):
    """Two answers, 0 for -C and 1 for C; `least` is the weight, over 2**64, of C for the first cell.

    Examples
    --------
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> duchi = Duchi.of(11, Fraction(1))
    >>> answers = duchi.perturb(np.full(200_000, 7), seeded(1))
    >>> round(float(duchi.mean(answers, np.arange(11.0)).value), 1)
    7.0
    """

    name: ClassVar[str] = "duchi"
    numeric: ClassVar[bool] = True

    least: int

    @classmethod
    def of(cls, inputs: int, epsilon: Fraction) -> Duchi:
        """Return the mechanism that spends at most `epsilon`."""
        return cls(inputs=inputs, least=flip_weight(epsilon))

    @property
    def epsilon(self) -> Fraction:
        """The logarithm of the largest weight of an answer over the smallest, rounded up."""
        return log_up(WHOLE - self.least, self.least) if self.inputs > 1 else Fraction(0)

    def weight(self, cell: int) -> int:
        """Return the weight of C for the owner of a cell."""
        return self.least + (WHOLE - 2 * self.least) * cell // max(self.inputs - 1, 1)

    def perturb(self, cells: Ints, coins: Coins) -> Ints:
        """Return int64[n] of 0 and 1."""
        own, place = np.unique(cells, return_inverse=True)
        weight = np.array([self.weight(cell) for cell in own.tolist()], dtype=np.uint64)
        return (coins.words(len(cells)) < weight[place.reshape(-1)]).astype(np.int64)

    def outputs(self) -> Iterator[int]:
        """Yield both answers."""
        yield from (0, 1)

    def probability(self, cell: int, answer: Any) -> Fraction:
        """Return the weight over 2**64."""
        high = Fraction(self.weight(cell), WHOLE)
        return high if answer else 1 - high

    def scores(self, answers: Answers) -> Floats:
        """Return float64[n] whose expectation is everyone's cell."""
        q = self.least / WHOLE
        return np.asarray((answers - q) / (1 - 2 * q) * (self.inputs - 1), dtype=np.float64)

    def mean(self, answers: Answers, values: Floats) -> Estimate:
        """Return the unbiased mean of values that rise evenly with the cell."""
        return mean_of(values[0] + self.scores(answers) * (values[-1] - values[0]) / max(self.inputs - 1, 1))

    def texts(self, answers: Answers) -> list[str]:
        """Return ``-`` and ``+``."""
        return ["-+"[answer] for answer in answers.tolist()]

    def parse(self, texts: Sequence[str]) -> Ints:
        """Return 0 and 1."""
        if any(text not in {"-", "+"} for text in texts):
            raise self.refuse()
        return np.array([int(text == "+") for text in texts], dtype=np.int64)

    def as_json(self) -> dict[str, Any]:
        """Return name, inputs and the smallest weight."""
        return {"mechanism": self.name, "inputs": self.inputs, "least": str(self.least)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Duchi:
        """Return what :meth:`as_json` wrote."""
        return cls(inputs=int(data["inputs"]), least=int(data["least"]))
