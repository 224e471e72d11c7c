"""Every interval that may be published on a line, listed from its declaration alone.

The laws compare the house's arithmetic with these lists; nothing here calls it.
"""

import math
from fractions import Fraction

from graphanon.domain import Domain, Order, Range, Tree


def publishable(domain: Domain) -> list[tuple[float, float]]:
    """Return the intervals of addresses that may be published, lowest and highest address inside."""
    if isinstance(domain, Range):
        return _of_range(domain)
    if isinstance(domain, Order):
        last = len(domain.labels)
        runs = [(float(a), float(b)) for a in range(last) for b in range(a, last)]
        return [*runs, *([(0.0, float(last))] if domain.missing else [])]
    return _of_tree(domain)


def _of_range(domain: Range) -> list[tuple[float, float]]:
    marks = grid_marks(domain)
    runs = [(a, b) for i, a in enumerate(marks) for b in marks[i:]]
    return [*runs, *([(marks[0], past_the_end(domain))] if domain.missing else [])]


def grid_marks(domain: Range) -> list[float]:
    """Return the multiples of the grid from at or below the low end to at or above the high end."""
    grid, low, high = (Fraction(repr(x)) for x in (domain.grid, domain.low, domain.high))
    return [float(i * grid) for i in range(math.floor(low / grid), math.ceil(high / grid) + 1)]


def past_the_end(domain: Range) -> float:
    """Return one grid step past the range, where a missing number lies."""
    return float(Fraction(repr(grid_marks(domain)[-1])) + Fraction(repr(domain.grid)))


def _of_tree(domain: Tree) -> list[tuple[float, float]]:
    """Return the leaves under each node, by the paths that the declared rows give them."""
    rank = {leaf: i for i, leaf in enumerate(domain.leaves)}
    under: dict[tuple[str, ...], set[int]] = {}
    for row in domain.rows:
        for level in range(len(row)):
            under.setdefault(row[level:], set()).add(rank[row[0]])
    if domain.missing:
        under[("", "missing")] = {len(rank)}
        under[(domain.rows[0][-1],)] |= {len(rank)}
    return sorted({(float(min(ranks)), float(max(ranks))) for ranks in under.values()})


def smallest(domain: Domain, lo: float, hi: float) -> tuple[float, float]:
    """Return the one publishable interval around [lo, hi] that lies inside every other."""
    around = [(a, b) for a, b in publishable(domain) if a <= lo + 1e-9 and hi - 1e-9 <= b]
    low, high = max(a for a, _ in around), min(b for _, b in around)
    assert (low, high) in around, "publishable intervals around a set have a least one"
    return low, high
