"""COAA's inner loops: the two members of a class that lie farthest apart, and who is nearer to which.

A class is told as the points that its people are at, in order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.prices import Prices, apart, price_of
from graphanon.kernels.rows import TOLERANCE

__all__ = ["bounds", "divide", "farthest", "farthest_from"]

Flags = NDArray[np.bool_]


@kernel
def bounds(prices: Prices, who: Shorts, first: Shorts, last: Shorts) -> None:
    """Write the box of the points `who`."""
    codes = prices.crowd.codes
    for j in range(codes.shape[1]):
        first[j], last[j] = codes[who[0], j], codes[who[0], j]
        for i in range(1, len(who)):
            first[j] = min(first[j], codes[who[i], j])
            last[j] = max(last[j], codes[who[i], j])


@kernel
def _reach(prices: Prices, v: int, first: Shorts, last: Shorts) -> float:
    """Return a bound on how far anything in a box can lie from `v`, who is in it."""
    total = 0.0
    for j in range(len(first)):
        c = np.int64(prices.crowd.codes[v, j])
        below, above = price_of(prices, j, np.int64(first[j]), c), price_of(prices, j, c, np.int64(last[j]))
        total += max(below, above)
    return total


@kernel
def farthest(
    prices: Prices, who: Shorts, start: int, stop: int, first: Shorts, last: Shorts, one: int, other: int, most: float
) -> tuple[int, int, float]:
    """Return the places of the two points that lie farthest apart, of equals the first, and how far.

    Looks at pairs of which the earlier is one of `start` ... `stop`; begins with what is found so far. The box
    ``first``, ``last`` of all points tells whose row needs no look.
    """
    for i in range(start, stop):
        if _reach(prices, who[i], first, last) <= most + TOLERANCE:
            continue
        for k in range(i + 1, len(who)):
            far = apart(prices, who[i], who[k])
            if far > most + TOLERANCE:
                one, other, most = i, k, far
    return one, other, most


@kernel
def farthest_from(prices: Prices, who: Shorts, i: int) -> tuple[int, float]:
    """Return the place of the point farthest from that at place `i`, of equals the first, and how far."""
    found, most = i, 0.0
    for k in range(len(who)):
        far = apart(prices, who[i], who[k])
        if far > most + TOLERANCE:
            found, most = k, far
    return found, most


@kernel
def divide(prices: Prices, who: Shorts, one: int, other: int, nearer: Flags, surplus: Floats) -> None:
    """Tell who is nearer to the point at place `one` than to `other`, and by how much farther everyone is from it."""
    for i in range(len(who)):
        surplus[i] = apart(prices, who[i], who[one]) - apart(prices, who[i], who[other])
        nearer[i] = surplus[i] < -TOLERANCE
