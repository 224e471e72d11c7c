"""Optimized unary encoding: one bit a cell, the own one a fair coin, the others rarely set.

The bit of the own cell is set with probability 1/2, each other with ``q = 1 / (e**ε + 1)``.
Source: T. Wang, J. Blocki, N. Li and S. Jha, Locally Differentially Private Protocols for Frequency Estimation, 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import WHOLE, flip_weight, log_up
from graphanon.tabular.ldp.mechanism import Answers, Estimate, Floats, Ints, Oracle, mean_of, shares

__all__ = ["Oue"]


@dataclass(frozen=True, kw_only=True)
class Oue(Oracle):
    """Unary bits over `inputs` cells; `other` is the weight, over 2**64, of setting the bit of another cell.

    Answers are bool[n, inputs].

    Examples
    --------
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> oue = Oue.of(3, Fraction(1))
    >>> answers = oue.perturb(np.repeat([0, 1], 50_000), seeded(1))
    >>> np.round(oue.frequencies(answers).value, 1) + 0.0
    array([0.5, 0.5, 0. ])
    """

    name: ClassVar[str] = "oue"

    other: int

    @classmethod
    def of(cls, inputs: int, epsilon: Fraction) -> Oue:
        """Return unary bits that spend at most `epsilon`."""
        return cls(inputs=inputs, other=flip_weight(epsilon))

    @property
    def epsilon(self) -> Fraction:
        """The logarithm of not set over set for another cell, rounded up: two cells' bits differ between two people."""
        return log_up(WHOLE - self.other, self.other) if self.inputs > 1 else Fraction(0)

    def perturb(self, cells: Ints, coins: Coins) -> NDArray[np.bool_]:
        """Return bool[n, inputs]: the bits that each person sends."""
        n = len(cells)
        sent = coins.flips(self.other, n * self.inputs).reshape(n, self.inputs)
        sent[np.arange(n), cells] = coins.flips(WHOLE // 2, n)
        return sent

    def outputs(self) -> Iterator[tuple[bool, ...]]:
        """Yield every row of bits."""
        yield from product((False, True), repeat=self.inputs)

    def probability(self, cell: int, answer: Any) -> Fraction:
        """Return the product over the bits."""
        other = Fraction(self.other, WHOLE)
        found = Fraction(1, 2)
        for place, bit in enumerate(answer):
            if place != cell:
                found *= other if bit else 1 - other
        return found

    def frequencies(self, answers: Answers) -> Estimate:
        """Return the share of every cell: how often its bit was set, freed of chance."""
        return shares(answers.sum(axis=0).astype(float), len(answers), 0.5, self.other / WHOLE)

    def mean(self, answers: Answers, values: Floats) -> Estimate:
        """Return the unbiased mean of the values of the people's cells."""
        q = self.other / WHOLE
        return mean_of(np.asarray(answers @ values - q * values.sum()) / (0.5 - q))

    def texts(self, answers: Answers) -> list[str]:
        """Return the bits, that of cell 0 first."""
        if not len(answers):
            return []
        marks = np.where(answers, b"1", b"0").astype("S1")
        return [row.decode() for row in np.ascontiguousarray(marks).view(f"S{self.inputs}").ravel().tolist()]

    def parse(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Return the bits."""
        if any(len(text) != self.inputs or set(text) - {"0", "1"} for text in texts):
            raise self.refuse()
        joined = np.frombuffer("".join(texts).encode(), dtype=np.uint8)
        return np.asarray(joined.reshape(len(texts), self.inputs) == ord("1"))

    def as_json(self) -> dict[str, Any]:
        """Return name, inputs and the weight of setting another cell's bit."""
        return {"mechanism": self.name, "inputs": self.inputs, "other": str(self.other)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Oue:
        """Return what :meth:`as_json` wrote."""
        return cls(inputs=int(data["inputs"]), other=int(data["other"]))
