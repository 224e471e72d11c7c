"""Optimized local hashing: hash your cell into a few buckets, and tell the bucket by randomized response.

Each person draws a hash function (its number is part of the answer, and chosen without a look at the cell) and tells
the bucket of the own cell among ``g = round(e**ε) + 1``. An answer supports every cell of the told bucket.
Source: T. Wang, J. Blocki, N. Li and S. Jha, Locally Differentially Private Protocols for Frequency Estimation, 2017.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import exp_down
from graphanon.tabular.ldp.grr import Grr
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

__all__ = ["Olh", "bucket"]

_FUNCTIONS = 1 << 32
_MOST_BUCKETS = 1 << 16


def bucket(function: Ints, cell: int | Ints, g: int) -> Ints:
    """Return the bucket, 0 … g - 1, of a cell under the hash functions of these numbers (below 2**32).

    The mixing is that of G. Steele, D. Lea and C. Flood (Fast Splittable Pseudorandom Number Generators, 2014).

    Examples
    --------
    >>> bool((np.bincount(bucket(np.arange(9000), 5, 3)) > 2800).all())
    True
    """
    z = function.astype(np.uint64) << np.uint64(32) | np.asarray(cell).astype(np.uint64)
    z = (z + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return ((z >> np.uint64(32)) * np.uint64(g) >> np.uint64(32)).astype(np.int64)


@dataclass(frozen=True, kw_only=True)
class Olh(Oracle):
    """Local hashing of `inputs` cells; `response` is the randomized response over the buckets.

    Answers are int64[n, 2]: the number of the hash function and the bucket told.

    Examples
    --------
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> olh = Olh.of(50, Fraction(2))
    >>> olh.response.inputs
    8
    >>> answers = olh.perturb(np.repeat([0, 1], 50_000), seeded(1))
    >>> np.round(olh.frequencies(answers).value[:3], 1) + 0.0
    array([0.5, 0.5, 0. ])
    """

    name: ClassVar[str] = "olh"

    response: Grr

    @classmethod
    def of(cls, inputs: int, epsilon: Fraction) -> Olh:
        """Return local hashing that spends at most `epsilon`."""
        g = min(math.floor(exp_down(min(epsilon, Fraction(12))) + Fraction(1, 2)) + 1, _MOST_BUCKETS)
        return cls(inputs=inputs, response=Grr.of(g, epsilon))

    @property
    def epsilon(self) -> Fraction:
        """That of the response: the hash function is drawn without a look at the cell."""
        return self.response.epsilon if self.inputs > 1 else Fraction(0)

    def perturb(self, cells: Ints, coins: Coins) -> Ints:
        """Return int64[n, 2]: hash function and bucket."""
        function = coins.below(_FUNCTIONS, len(cells))
        told = self.response.perturb(bucket(function, cells, self.response.inputs), coins)
        return np.stack([function, told], axis=1)

    def outputs(self) -> Iterator[tuple[int, int]]:
        """Yield every bucket under the first 256 of the 2**32 functions, which stand for the others."""
        yield from ((function, told) for function in range(256) for told in range(self.response.inputs))

    def probability(self, cell: int, answer: Any) -> Fraction:
        """Return the probability of drawing the function and telling the bucket."""
        function, told = answer
        own = int(bucket(np.array([function]), cell, self.response.inputs)[0])
        return self.response.probability(own, told) / _FUNCTIONS

    def frequencies(self, answers: Answers) -> Estimate:
        """Return the share of every cell: how many answers support it, freed of chance."""
        g = self.response.inputs
        count = [float((bucket(answers[:, 0], cell, g) == answers[:, 1]).sum()) for cell in range(self.inputs)]
        return shares(np.array(count), len(answers), self._p, 1 / g)

    @property
    def _p(self) -> float:
        return float(self.response.probability(0, 0))

    def mean(self, answers: Answers, values: Floats) -> Estimate:
        """Return the unbiased mean of the values of the people's cells."""
        g, score = self.response.inputs, np.zeros(len(answers))
        for cell, value in enumerate(values.tolist()):
            score += value * ((bucket(answers[:, 0], cell, g) == answers[:, 1]) - 1 / g)
        return mean_of(score / (self._p - 1 / g))

    def texts(self, answers: Answers) -> list[str]:
        """Return function and bucket, joined by a colon."""
        return [f"{function}:{told}" for function, told in answers.tolist()]

    def parse(self, texts: Sequence[str]) -> Ints:
        """Return functions and buckets."""
        parts = [text.split(":") for text in texts]
        if any(len(part) != 2 for part in parts):
            raise self.refuse()
        function = whole_numbers([part[0] for part in parts], _FUNCTIONS, self.refuse())
        told = whole_numbers([part[1] for part in parts], self.response.inputs, self.refuse())
        return np.stack([function, told], axis=1)

    def as_json(self) -> dict[str, Any]:
        """Return name, inputs, the number of buckets and the weight of each other bucket."""
        return {"mechanism": self.name, "inputs": self.inputs, "buckets": self.response.inputs,
                "other": str(self.response.other)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Olh:
        """Return what :meth:`as_json` wrote."""
        return cls(inputs=int(data["inputs"]), response=Grr(inputs=int(data["buckets"]), other=int(data["other"])))
