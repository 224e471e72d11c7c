"""What a box costs, looked up.

Methods for tables compare boxes a hundred million times. Where an attribute has few distinct values, the price
of reaching from any of them to any other stands in a table; elsewhere it is worked out by
:func:`graphanon.kernels.rows.spread`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphanon.closeness import Crowd, Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.rows import spread

__all__ = ["Prices", "apart", "box", "join", "price_of", "prices_of"]

_SIDE = 600


class Prices(NamedTuple):
    """A crowd whose prices are known: that from position a to b of attribute j stands in
    ``table[where[j] + a * width[j] + b]``, counted from the attribute's first, unless ``where[j]`` is -1.
    """

    crowd: Crowd
    where: Ints
    width: Ints
    table: Floats


def prices_of(crowd: Crowd) -> Prices:
    """Return the prices of a crowd, in tables where they are small."""
    width = np.diff(crowd.start)
    few = width <= _SIDE
    ends = np.cumsum(np.where(few, width**2, 0))
    where = np.where(few, ends - width**2, -1)
    prices = Prices(crowd, where, width, np.empty(int(ends[-1]) if len(ends) else 0))
    _fill(prices)
    return prices


@kernel
def _fill(prices: Prices) -> None:
    for j in range(len(prices.where)):
        start, width = prices.crowd.start[j], prices.width[j]
        for a in range(width if prices.where[j] >= 0 else 0):
            for b in range(width):
                value = spread(prices.crowd, j, start + min(a, b), start + max(a, b))
                prices.table[prices.where[j] + a * width + b] = value


@kernel
def price_of(prices: Prices, j: int, a: Index, b: Index) -> float:
    """Return the price, 0 to 1, of reaching from position `a` to position `b` >= `a` of attribute `j`."""
    if prices.where[j] < 0:
        return spread(prices.crowd, j, a, b)
    start = prices.crowd.start[j]
    return prices.table[prices.where[j] + (a - start) * prices.width[j] + b - start]


@kernel
def apart(prices: Prices, v: Index, u: Index) -> float:
    """Return how far two points lie apart, summed over attributes."""
    total, codes = 0.0, prices.crowd.codes
    for j in range(codes.shape[1]):
        a, b = np.int64(codes[v, j]), np.int64(codes[u, j])
        total += price_of(prices, j, min(a, b), max(a, b))
    return total


@kernel
def box(prices: Prices, first: Shorts, last: Shorts) -> float:
    """Return what each member of a class loses that reaches from `first` to `last`, one position an attribute."""
    total = 0.0
    for j in range(len(first)):
        total += price_of(prices, j, np.int64(first[j]), np.int64(last[j]))
    return total


@kernel
def join(prices: Prices, first: Shorts, last: Shorts, other_first: Shorts, other_last: Shorts) -> float:
    """Return what each member loses if two classes become one."""
    total = 0.0
    for j in range(len(first)):
        a, b = min(first[j], other_first[j]), max(last[j], other_last[j])
        total += price_of(prices, j, np.int64(a), np.int64(b))
    return total
