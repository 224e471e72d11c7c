"""Ties under local differential privacy: whether two people are tied is told by one of them, and sometimes wrongly.

Each pair is reported once, by the person with the smaller number, and flipped with the same probability whether
it is a tie or not. Where all reports together would be too dense to be of use (a thousand true ties among millions of
false ones), each person adds up the flipped reports by the class of the other end and sends counts; sums of flips are
binomial, so they are drawn as such. The classes must not come from the ties: they would tell of them
unrandomized. Estimates are unbiased and their standard errors exact, since a flip has one variance for all pairs.
Source: Z. Qin and others, Generating Synthetic Decentralized Social Graphs with Local Differential Privacy, 2017
(edge local differential privacy); S. Warner, Randomized Response, 1965.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import WHOLE, budget, flip_weight, log_up, round_up

__all__ = ["TieEstimates", "TieFlips", "classes_by_chance", "pairs_between", "true_counts"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_MOST_PAIRS = 200_000_000
_PART = 1 << 24


class TieEstimates(NamedTuple):
    """For each pair of classes `source` ≤ `target`: the estimated number of ties and its standard error."""

    source: Ints
    target: Ints
    ties_estimate: Floats
    se: Floats


@dataclass(frozen=True, kw_only=True)
class TieFlips:
    """Symmetric randomized response on pairs; `flip` is its weight over 2**64.

    Examples
    --------
    >>> flips = TieFlips.of(1.0)
    >>> flips.ledger()["tie"], flips.false_ties(40_000) > 2e8
    (1.0, True)
    """

    flip: int

    @classmethod
    def of(cls, epsilon: float) -> TieFlips:
        """Return flips that spend at most `epsilon` on each tie."""
        return cls(flip=flip_weight(budget(epsilon, "tie-epsilon")))

    def ledger(self) -> dict[str, Any]:
        """Return what the reports spend: beside, and added to, what a person's record spends."""
        return {"tie": round_up(log_up(WHOLE - self.flip, self.flip)), "tie_neighbours": "add or remove one tie"}

    def false_ties(self, n: int) -> float:
        """Return how many ties would be reported among `n` people of whom no two are tied."""
        return n * (n - 1) / 2 * self.flip / WHOLE

    def report(self, n: int, pairs: Ints, coins: Coins) -> Ints:
        """Return int64[m, 2] of reported pairs, smaller number first, sorted; `pairs` int64[ties, 2] are the true ones.

        Raises
        ------
        InputProblem
            If there are too many pairs of people to report each: then :meth:`counts` are asked for.
        """
        total = n * (n - 1) // 2
        if total > _MOST_PAIRS:
            raise InputProblem(Problem(what=f"{total:,} pairs of people are too many to report each",
                                       allowed=f"up to {_MOST_PAIRS:,}", fix="report counts by class"))
        # pair (i, j), i < j, has its place in the upper triangle, row by row
        i, j = pairs.min(axis=1), pairs.max(axis=1)
        true = np.unique(i * (2 * n - i - 1) // 2 + j - i - 1)
        parts = []
        for start in range(0, total, _PART):
            told = coins.flips(self.flip, min(_PART, total - start))
            own = true[(true >= start) & (true < start + len(told))] - start
            told[own] = ~told[own]
            parts.append(np.flatnonzero(told) + start)
        return _ends(np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64), n)

    def counts(self, labels: Ints, pairs: Ints, coins: Coins) -> Ints:
        """Return int64[K, K], upper triangle: the number of pairs of each two classes that are reported tied.

        `labels` int64[n] from 0 are classes that were made without a look at the ties.
        """
        k = int(labels.max(initial=-1)) + 1
        true, all_ = true_counts(labels, pairs, k), pairs_between(np.bincount(labels, minlength=k))
        found = np.zeros((k, k), dtype=np.int64)
        for a, b in zip(*np.triu_indices(k), strict=True):
            tied, apart = int(true[a, b]), int(all_[a, b] - true[a, b])
            found[a, b] = tied - coins.binomial(self.flip, tied) + coins.binomial(self.flip, apart)
        return found

    def estimate(self, counts: Ints, sizes: Ints) -> TieEstimates:
        """Return unbiased numbers of ties from reported counts; may be negative or fractional.

        Raises
        ------
        InputProblem
            If counts and sizes do not belong together.
        """
        all_ = pairs_between(sizes)
        if counts.shape != all_.shape or ((counts < 0) | (counts > all_)).any():
            raise InputProblem(Problem(what="reported counts do not fit the sizes of the classes"))
        source, target = np.triu_indices(len(sizes))
        flip = self.flip / WHOLE
        pairs = all_[source, target].astype(np.float64)
        gain = (WHOLE - 2 * self.flip) / WHOLE
        with np.errstate(divide="ignore", invalid="ignore"):
            value = (counts[source, target] - pairs * flip) / gain
            se = np.sqrt(pairs * flip * (1 - flip)) / gain
        none = pairs == 0
        return TieEstimates(source.astype(np.int64), target.astype(np.int64), np.where(none, 0.0, value),
                            np.where(none, 0.0, se))

    def as_json(self) -> dict[str, Any]:
        """Return what a server needs beside the counts and the sizes of the classes."""
        return {"mechanism": "symmetric-response", "flip": str(self.flip), "reported_by": "the smaller number of both"}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TieFlips:
        """Return what :meth:`as_json` wrote.

        Raises
        ------
        InputProblem
            If it is damaged, or flips so often that the reports tell nothing.
        """
        try:
            flip = int(data["flip"])
        except (KeyError, TypeError, ValueError):
            flip = 0
        if not 0 < flip < WHOLE // 2:
            raise InputProblem(Problem(what="the description of the reports on ties is damaged"))
        return cls(flip=flip)


def _ends(place: Ints, n: int) -> Ints:
    """Return both ends of the pairs at these places of the upper triangle."""
    first = np.arange(n, dtype=np.int64)
    starts = first * (2 * n - first - 1) // 2
    i = np.searchsorted(starts[: max(n - 1, 1)], place, side="right") - 1
    return np.stack([i, place - starts[i] + i + 1], axis=1)


def true_counts(labels: Ints, pairs: Ints, k: int) -> Ints:
    """Return int64[k, k], upper triangle: how many of these distinct pairs lie between each two classes."""
    a, b = labels[pairs[:, 0]], labels[pairs[:, 1]]
    return np.bincount(np.minimum(a, b) * k + np.maximum(a, b), minlength=k * k).reshape(k, k)


def pairs_between(sizes: Ints) -> Ints:
    """Return int64[K, K], upper triangle: how many pairs of people lie between each two classes."""
    sizes = np.asarray(sizes, dtype=np.int64)
    return np.triu(np.outer(sizes, sizes), 1) + np.diag(sizes * (sizes - 1) // 2)


def classes_by_chance(n: int, k: int, coins: Coins) -> Ints:
    """Return int64[n] of classes of nearly equal size, drawn without a look at anything.

    Examples
    --------
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> np.bincount(classes_by_chance(7, 3, seeded(1)))
    array([3, 2, 2])
    """
    labels = np.empty(n, dtype=np.int64)
    labels[np.argsort(coins.words(n), kind="stable")] = np.arange(n) % k
    return labels
