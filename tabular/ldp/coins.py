"""Where chance comes from: the operating system's generator, or for tests and trials a seed.

Whoever can foretell the coins of a randomized answer can undo it, so answers that leave are drawn from
`os.urandom`. A seed makes a run that can be repeated, and that therefore must not leave.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphanon.tabular.ldp.exact import WHOLE

__all__ = ["Coins", "seeded", "system"]

Words = NDArray[np.uint64]
Bools = NDArray[np.bool_]
_PART = 1 << 22  # words drawn at once


@dataclass(frozen=True)
class Coins:
    """A source of random bytes, and whether it can be foretold.

    Examples
    --------
    >>> coins = seeded(1)
    >>> coins.reproducible, bool((coins.below(6, 1000) < 6).all())
    (True, True)
    """

    bytes: Callable[[int], bytes] = field(repr=False)
    reproducible: bool

    def words(self, count: int) -> Words:
        """Return uint64[count], each number as likely as any other."""
        return np.frombuffer(self.bytes(8 * count), dtype=np.uint64)

    def flips(self, weight: int, count: int) -> Bools:
        """Return bool[count], each True with probability ``weight / 2**64`` exactly.

        Sixteen bits decide unless they are those of the weight; only then the other 48 are drawn.
        """
        if weight >= WHOLE:
            return np.ones(count, dtype=np.bool_)
        head, rest = np.uint16(weight >> 48), np.uint64(weight & (1 << 48) - 1)
        found = np.empty(count, dtype=np.bool_)
        for start in range(0, count, 4 * _PART):
            part = found[start : start + 4 * _PART]
            first = np.frombuffer(self.bytes(2 * len(part)), dtype=np.uint16)
            np.less(first, head, out=part)
            undecided = np.flatnonzero(first == head)
            part[undecided] = self.words(len(undecided)) >> np.uint64(16) < rest
        return found

    def below(self, limit: int | Words, count: int) -> NDArray[np.int64]:
        """Return int64[count], uniform over 0 … limit - 1; a limit from 1 to 2**63 for all or for each."""
        limits = np.broadcast_to(np.asarray(limit, dtype=np.uint64), (count,))
        # the words past the last full round of the limit would favour small numbers
        most = np.uint64(WHOLE - 1) - (np.uint64(WHOLE - 1) % limits + np.uint64(1)) % limits
        drawn = self.words(count).copy()
        again = np.flatnonzero(drawn > most)
        while len(again):
            drawn[again] = self.words(len(again))
            again = again[drawn[again] > most[again]]
        return (drawn % limits).astype(np.int64)

    def heads(self, count: int) -> int:
        """Return how many of `count` fair coins fall heads."""
        total, left = 0, count
        while left >= 64:
            words = min(left // 64, _PART)
            total += int(np.bitwise_count(self.words(words)).sum(dtype=np.int64))
            left -= 64 * words
        return total + ((int(self.words(1)[0]) & (1 << left) - 1).bit_count() if left else 0)

    def binomial(self, weight: int, count: int) -> int:
        """Return how many of `count` independent coins of probability ``weight / 2**64`` fall heads, exactly.

        Every coin is a number whose bits are compared with those of the weight from the first on; about half of the
        undecided ones differ in the next bit, so all together take two fair coins each.
        """
        if weight >= WHOLE:
            return count
        found, open_ = 0, count
        for place in range(63, -1, -1):
            ones = self.heads(open_)
            if weight >> place & 1:
                found, open_ = found + open_ - ones, ones
            else:
                open_ -= ones
            if not open_:
                break
        return found


def system() -> Coins:
    """Return the operating system's generator, the only one for what leaves."""
    return Coins(os.urandom, reproducible=False)


def seeded(seed: int) -> Coins:
    """Return coins that fall the same way for the same seed: for tests and trials, never for what leaves."""
    return Coins(np.random.Generator(np.random.Philox(seed)).bytes, reproducible=True)
