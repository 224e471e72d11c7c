"""The hybrid mechanism for a mean: mostly piecewise, sometimes Duchi's, by a coin that does not look at the number.

For ε above 0.61 the piecewise mechanism answers with probability ``1 - e**(-ε/2)``; below, Duchi's alone. The worst
case of either mixes to less than both.
Source: N. Wang and others, Collecting and Analyzing Multidimensional Data with Local Differential Privacy, 2019.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.duchi import Duchi
from graphanon.tabular.ldp.exact import WHOLE
from graphanon.tabular.ldp.mechanism import Answers, Estimate, Floats, Ints, Mechanism, mean_of, whole_numbers
from graphanon.tabular.ldp.window import Piecewise

__all__ = ["Hybrid"]

_THRESHOLD = 0.61


@dataclass(frozen=True, kw_only=True)
class Hybrid(Mechanism):
    """`share` is the weight, over 2**64, of answering by `piecewise`, else by `duchi`, whose answers come last.

    Examples
    --------
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> hybrid = Hybrid.of(11, Fraction(1))
    >>> answers = hybrid.perturb(np.full(200_000, 7), seeded(1))
    >>> round(float(hybrid.mean(answers, np.arange(11.0)).value), 1)
    7.0
    """

    name: ClassVar[str] = "hybrid"
    numeric: ClassVar[bool] = True

    share: int
    piecewise: Piecewise
    duchi: Duchi

    @classmethod
    def of(cls, inputs: int, epsilon: Fraction) -> Hybrid:
        """Return the mechanism that spends at most `epsilon`."""
        exponent = float(min(epsilon, Fraction(64)))
        share = int((1 - math.exp(-exponent / 2)) * WHOLE) if exponent > _THRESHOLD else 0
        return cls(inputs=inputs, share=share, piecewise=Piecewise.of(inputs, epsilon), duchi=Duchi.of(inputs, epsilon))

    @property
    def epsilon(self) -> Fraction:
        """The larger budget of the two: which one answers does not depend on the number."""
        return max(self.piecewise.epsilon if self.share else Fraction(0), self.duchi.epsilon)

    @property
    def _outputs(self) -> int:
        return self.piecewise.way + self.piecewise.width

    def perturb(self, cells: Ints, coins: Coins) -> Ints:
        """Return int64[n] of outputs: those of the piecewise mechanism, then both of Duchi's."""
        near = coins.flips(self.share, len(cells))
        found = np.empty(len(cells), dtype=np.int64)
        found[near] = self.piecewise.perturb(cells[near], coins)
        found[~near] = self._outputs + self.duchi.perturb(cells[~near], coins)
        return found

    def outputs(self) -> Iterator[int]:
        """Yield every output that can be."""
        yield from range(0 if self.share else self._outputs, self._outputs + 2)

    def probability(self, cell: int, answer: Any) -> Fraction:
        """Return the probability of the coin times that of the answer."""
        share = Fraction(self.share, WHOLE)
        if answer < self._outputs:
            return share * self.piecewise.probability(cell, answer)
        return (1 - share) * self.duchi.probability(cell, answer - self._outputs)

    def mean(self, answers: Answers, values: Floats) -> Estimate:
        """Return the unbiased mean of values that rise evenly with the cell."""
        near = answers < self._outputs
        score = np.where(near, self.piecewise.scores(answers), self.duchi.scores(answers - self._outputs))
        return mean_of(values[0] + score * (values[-1] - values[0]) / max(self.inputs - 1, 1))

    def texts(self, answers: Answers) -> list[str]:
        """Return the number of each output."""
        return [str(answer) for answer in answers.tolist()]

    def parse(self, texts: Sequence[str]) -> Ints:
        """Return the outputs."""
        return whole_numbers(texts, self._outputs + 2, self.refuse())

    def as_json(self) -> dict[str, Any]:
        """Return name, inputs, the weight of the coin and both mechanisms."""
        return {"mechanism": self.name, "inputs": self.inputs, "share": str(self.share),
                "piecewise": self.piecewise.as_json(), "duchi": self.duchi.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Hybrid:
        """Return what :meth:`as_json` wrote."""
        return cls(inputs=int(data["inputs"]), share=int(data["share"]),
                   piecewise=Piecewise.from_json(data["piecewise"]), duchi=Duchi.from_json(data["duchi"]))
