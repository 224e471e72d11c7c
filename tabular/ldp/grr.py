"""Generalized randomized response: tell your own cell, or now and then any other.

With d cells, the own one is told with probability ``p = e**ε / (e**ε + d - 1)``, each other with ``q = p / e**ε``.
Source: T. Wang, J. Blocki, N. Li and S. Jha, Locally Differentially Private Protocols for Frequency Estimation, 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import WHOLE, log_up, other_weight
from graphanon.tabular.ldp.mechanism import (
    Answers,
    Estimate,
    Floats,
    Ints,
    Oracle,
    mean_of,
    shares,
    whole_numbers,
)

__all__ = ["Grr"]


@dataclass(frozen=True, kw_only=True)
class Grr(Oracle):
    """Randomized response over `inputs` cells; `other` is the weight, over 2**64, of each cell but the own.

    Examples
    --------
    >>> import numpy as np
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> grr = Grr.of(4, Fraction(1))
    >>> answers = grr.perturb(np.repeat([0, 1], 50_000), seeded(1))
    >>> np.round(grr.frequencies(answers).value, 1) + 0.0
    array([0.5, 0.5, 0. , 0. ])
    """

    name: ClassVar[str] = "grr"
    decodes: ClassVar[bool] = True

    other: int

    @classmethod
    def of(cls, inputs: int, epsilon: Fraction) -> Grr:
        """Return randomized response that spends at most `epsilon`."""
        return cls(inputs=inputs, other=other_weight(epsilon, 1, inputs - 1) if inputs > 1 else 0)

    @property
    def own(self) -> int:
        """The weight of the own cell."""
        return WHOLE - (self.inputs - 1) * self.other

    @property
    def epsilon(self) -> Fraction:
        """The logarithm of own over other, rounded up; 0 where there is one cell only."""
        return log_up(self.own, self.other) if self.inputs > 1 else Fraction(0)

    def perturb(self, cells: Ints, coins: Coins) -> Ints:
        """Return int64[n]: the cell that each person tells."""
        if self.inputs == 1:
            return np.zeros(len(cells), dtype=np.int64)
        word, own, other = coins.words(len(cells)), np.uint64(self.own), np.uint64(self.other)
        lies = np.flatnonzero(word >= own)
        told = cells.astype(np.int64, copy=True)
        # what is left of a word over the weight of the truth falls evenly on the other cells
        step = ((word[lies] - own) // other).astype(np.int64) + 1
        told[lies] = (told[lies] + step) % self.inputs
        return told

    def outputs(self) -> Iterator[int]:
        """Yield every cell."""
        yield from range(self.inputs)

    def probability(self, cell: int, answer: Any) -> Fraction:
        """Return the weight over 2**64 of telling one cell for another."""
        return Fraction(self.own if cell == answer else self.other, WHOLE)

    def frequencies(self, answers: Answers) -> Estimate:
        """Return the share of every cell: how often it was told, freed of the lies."""
        count = np.bincount(answers, minlength=self.inputs).astype(float)
        return shares(count, len(answers), self.own / WHOLE, self.other / WHOLE)

    def mean(self, answers: Answers, values: Floats) -> Estimate:
        """Return the unbiased mean of the values of the people's cells."""
        q = self.other / WHOLE
        return mean_of((values[answers] - q * values.sum()) / (self.own / WHOLE - q))

    def decode(self, answers: Answers) -> Ints:
        """Return the cells told."""
        return np.asarray(answers, dtype=np.int64)

    def texts(self, answers: Answers) -> list[str]:
        """Return the number of each cell."""
        return [str(answer) for answer in answers.tolist()]

    def parse(self, texts: Sequence[str]) -> Ints:
        """Return the cells."""
        return whole_numbers(texts, self.inputs, self.refuse())

    def as_json(self) -> dict[str, Any]:
        """Return name, inputs and the weight of each other cell."""
        return {"mechanism": self.name, "inputs": self.inputs, "other": str(self.other)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Grr:
        """Return what :meth:`as_json` wrote."""
        return cls(inputs=int(data["inputs"]), other=int(data["other"]))
