"""The bits of LDPK-Prototypes: write a value in binary and flip every bit now and then.

A value becomes m bits, the most significant first; each is flipped with probability ``f/2 = 1 / (1 + e**ε₁)``, so a
bit spends ε₁ and the value m·ε₁. Numbers are encoded by their place on the line (`grid`: all patterns decode
into the domain), by their distance from the low end (`integer`, the paper's words), or with a sign, whole and
fraction bits (`fixed`, as Xia and others do; a flipped sign is dear). Labels are numbered from 1 as the paper does, or
from 0. Source: Zhang, Chen, Wang, Zhai and Ma, K-Prototypes clustering method for local differential privacy, 2022;
flips after Ú. Erlingsson, V. Pihur and A. Korolova, RAPPOR, 2014.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import WHOLE, flip_weight, flip_weight_of_f, log_up
from graphanon.tabular.ldp.mechanism import Answers, Estimate, Floats, Ints, Oracle, mean_of

__all__ = ["Bits", "encode_fixed", "encode_grid", "encode_labels"]

_MOST_BITS = 24


def encode_grid(inputs: int, m: int = 6) -> Ints:
    """Return the pattern of each cell: its place from first (0) to last (2**m - 1), rounded half to even.

    Examples
    --------
    >>> encode_grid(5, 2)
    array([0, 1, 2, 2, 3])
    """
    place = np.arange(inputs) / max(inputs - 1, 1)
    return np.asarray(np.rint(place * (2**m - 1)), dtype=np.int64)


def encode_labels(inputs: int, first: int = 1) -> tuple[Ints, int]:
    """Return the pattern of each label, numbered from `first`, and how many bits the last one needs.

    Examples
    --------
    >>> encode_labels(16)[1], encode_labels(16, first=0)[1]
    (5, 4)
    """
    return np.arange(first, inputs + first), max(1, (inputs - 1 + first).bit_length())


def encode_fixed(values: Floats, whole: int, fraction: int) -> Ints:
    """Return the pattern of each number: a sign bit, then whole bits, then fraction bits.

    Examples
    --------
    >>> encode_fixed(np.array([2.5, -2.5]), 2, 1)
    array([ 5, 13])
    """
    size = np.rint(np.abs(values) * 2**fraction).astype(np.int64)
    sign = np.where(values < 0, 1 << (whole + fraction), 0)
    return np.asarray(sign + np.minimum(size, (1 << (whole + fraction)) - 1), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Bits(Oracle):
    """Flips of `m` bits with weight `flip` over 2**64; `patterns` are the bits of each cell, as a whole number.

    Examples
    --------
    >>> import numpy as np
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> bits = Bits.of(tuple(encode_grid(64).tolist()), 6, f=0.5)
    >>> bits.texts(np.array([37])), float(bits.bit_epsilon)
    (['100101'], 1.0986122886681098)
    >>> answers = bits.perturb(np.full(100_000, 37), seeded(1))
    >>> round(float(answers.mean()), 1), round(float(bits.mean(answers, np.arange(64.0)).value), 0)
    (34.3, 37.0)
    """

    name: ClassVar[str] = "bits"
    decodes: ClassVar[bool] = True

    m: int
    flip: int
    patterns: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.m <= _MOST_BITS:
            raise InputProblem(Problem(what=f"{self.m} bits a value", allowed=f"from 1 to {_MOST_BITS}"))

    @classmethod
    def of(cls, patterns: Sequence[int], m: int, *, epsilon: Fraction | None = None, f: float | None = None) -> Bits:
        """Return flips that spend at most `epsilon` on each bit, or those of RAPPOR's f."""
        weight = flip_weight(epsilon) if epsilon is not None else flip_weight_of_f(1.0 if f is None else f)
        return cls(inputs=len(patterns), m=m, flip=weight, patterns=tuple(patterns))

    @property
    def bit_epsilon(self) -> Fraction:
        """What one bit spends."""
        return log_up(WHOLE - self.flip, self.flip)

    @property
    def epsilon(self) -> Fraction:
        """What all bits spend: `m` times that of a bit, were every bit to differ."""
        return self.m * self.bit_epsilon

    def perturb(self, cells: Ints, coins: Coins) -> Ints:
        """Return int64[n]: the pattern that each person sends."""
        sent = np.asarray(self.patterns, dtype=np.int64)[cells]
        for _ in range(self.m):
            # the place of a flip is the next bit of a pattern that has been turned by one
            sent = (sent << 1 & (1 << self.m) - 1) | sent >> (self.m - 1) ^ coins.flips(self.flip, len(cells))
        return sent

    def outputs(self) -> Iterator[int]:
        """Yield every pattern."""
        yield from range(1 << self.m)

    def probability(self, cell: int, answer: Any) -> Fraction:
        """Return the probability that just the differing bits are flipped."""
        differing = (self.patterns[cell] ^ answer).bit_count()
        flip = Fraction(self.flip, WHOLE)
        return Fraction(flip**differing * (1 - flip) ** (self.m - differing))

    def bit_means(self, answers: Answers) -> Estimate:
        """Return the unbiased share of people with each bit set, most significant first."""
        keep, flip = 1 - self.flip / WHOLE, self.flip / WHOLE
        each = [mean_of(np.asarray((answers >> place & 1) - flip) / (keep - flip)) for place in reversed(range(self.m))]
        return Estimate(np.array([e.value for e in each]), np.array([e.se for e in each]))

    def frequencies(self, answers: Answers) -> Estimate:
        """Return the unbiased share of every cell: the channel of flips, inverted bit by bit.

        Cells that share a pattern (a grid finer than the bits) share its estimate evenly.
        """
        n, kept = len(answers), self._distinct()
        count = np.bincount(answers, minlength=1 << self.m) / max(n, 1)
        inverted = self._inverse(count)
        # the variance of a mean of scores, which are rows of the inverse
        square = self._squared(count)
        se = np.sqrt(np.maximum(square - inverted**2, 0) / max(n, 1))
        pattern, sharing = kept
        return Estimate(inverted[pattern] / sharing, se[pattern] / sharing)

    def _distinct(self) -> tuple[Ints, Ints]:
        pattern = np.asarray(self.patterns, dtype=np.int64)
        _, place, count = np.unique(pattern, return_inverse=True, return_counts=True)
        return pattern, count[place.reshape(-1)]

    def _inverse(self, shares: Floats) -> Floats:
        keep, flip = 1 - self.flip / WHOLE, self.flip / WHOLE
        return _by_bits(shares, self.m, np.array([[keep, -flip], [-flip, keep]]) / (keep - flip))

    def _squared(self, shares: Floats) -> Floats:
        keep, flip = 1 - self.flip / WHOLE, self.flip / WHOLE
        return _by_bits(shares, self.m, np.array([[keep**2, flip**2], [flip**2, keep**2]]) / (keep - flip) ** 2)

    def mean(self, answers: Answers, values: Floats) -> Estimate:
        """Return the unbiased mean of the values of the people's cells."""
        on_pattern = np.zeros(1 << self.m)
        pattern, sharing = self._distinct()
        np.add.at(on_pattern, pattern, np.asarray(values, dtype=float) / sharing)
        return mean_of(self._inverse(on_pattern)[answers])

    def decode(self, answers: Answers) -> Ints:
        """Return the cell whose pattern is nearest in size to each answer: codes outside are clipped.

        Of two patterns as near it is the smaller one, of cells that share a pattern the middle one.
        """
        pattern = np.asarray(self.patterns, dtype=np.int64)
        order = np.argsort(pattern, kind="stable")
        line, start, count = np.unique(pattern[order], return_index=True, return_counts=True)
        middle = order[start + (count - 1) // 2].astype(np.int64)
        after = np.searchsorted(line, answers).clip(0, len(line) - 1)
        before = np.maximum(after - 1, 0)
        nearer = np.abs(answers - line[before]) <= np.abs(line[after] - answers)
        return np.asarray(middle[np.where(nearer, before, after)])

    def texts(self, answers: Answers) -> list[str]:
        """Return the bits, most significant first."""
        return [format(answer, f"0{self.m}b") for answer in answers.tolist()]

    def parse(self, texts: Sequence[str]) -> Ints:
        """Return the patterns."""
        if any(len(text) != self.m or set(text) - {"0", "1"} for text in texts):
            raise self.refuse()
        return np.array([int(text, 2) for text in texts], dtype=np.int64)

    def as_json(self) -> dict[str, Any]:
        """Return name, bits, the weight of a flip and the pattern of every cell."""
        return {"mechanism": self.name, "inputs": self.inputs, "m": self.m, "flip": str(self.flip),
                "patterns": list(self.patterns)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Bits:
        """Return what :meth:`as_json` wrote."""
        patterns = tuple(map(int, data["patterns"]))
        return cls(inputs=len(patterns), m=int(data["m"]), flip=int(data["flip"]), patterns=patterns)


def _by_bits(vector: Floats, m: int, matrix: NDArray[np.float64]) -> Floats:
    """Return the product of a vector over patterns with one 2 by 2 matrix a bit."""
    cube = vector.reshape((2,) * m)
    for axis in range(m):
        cube = np.moveaxis(np.tensordot(matrix, cube, axes=(1, axis)), 0, axis)
    return np.asarray(cube.reshape(-1))
