"""Records of numbers and categories, how far they lie from prototypes, and from each other.

A number counts by its squared difference, times a factor of its attribute; a category by a price that each prototype
sets on each value. Where the price is 0 for the prototype's own value and one weight for all others, that is the
distance of K-Prototypes; where it falls with how frequent the value is in the cluster, another. A record stands for as
many people as its weight says. No more than K times the number of values is stored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphanon.closeness import Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel

__all__ = ["Centres", "Rows", "assign", "dissolve", "draw_near", "pair_sums", "settle", "tally"]


class Rows(NamedTuple):
    """Records: ``numbers[v, l]``, and ``codes[v, f]``, the position of a category in the line of all values.

    Those of attribute f lie from ``start[f]`` to ``start[f + 1]``. ``weight[v]`` people have record v.
    """

    numbers: Floats
    codes: Shorts
    start: Ints
    weight: Ints


class Centres(NamedTuple):
    """Prototypes: ``numbers[c, l]``, the factor ``scale[l]`` of each, ``price[c, value]`` of every category."""

    numbers: Floats
    scale: Floats
    price: Floats


@kernel
def _far(rows: Rows, centres: Centres, v: Index, c: Index, most: float) -> float:
    """Return how far record `v` lies from prototype `c`, or some distance above `most` once it is known to be."""
    far = 0.0
    for l in range(rows.numbers.shape[1]):  # noqa: E741  the paper's letter
        step = rows.numbers[v, l] - centres.numbers[c, l]
        far += centres.scale[l] * step * step
    for f in range(rows.codes.shape[1]):
        if far > most:
            return far
        far += centres.price[c, rows.codes[v, f]]
    return far


@kernel
def _nearest(rows: Rows, centres: Centres, v: Index, own: Index) -> tuple[int, float]:
    """Return the nearest prototype, of equals the first, and how far it lies; looked for from `own` on."""
    found, least = own, np.inf
    if own >= 0:
        least = _far(rows, centres, v, own, np.inf)
    for c in range(len(centres.numbers)):
        if c != own:
            far = _far(rows, centres, v, c, least)
            if far < least or (far == least and c < found):
                found, least = c, far
    return found, least


@kernel
def assign(rows: Rows, centres: Centres, start: int, stop: int, labels: Ints, gaps: Floats) -> int:
    """Write the nearest prototype of each of `start` ... `stop` to `labels` and how far it lies to `gaps`.

    Returns how many labels have changed.
    """
    changed = 0
    for v in range(start, stop):
        found, gaps[v] = _nearest(rows, centres, v, labels[v])
        changed += found != labels[v]
        labels[v] = found
    return changed


@kernel
def tally(rows: Rows, labels: Ints, start: int, stop: int, people: Ints, sums: Floats, counts: Ints) -> None:
    """Add the records `start` ... `stop` to the people, the sums of numbers and the counts of values of their clusters."""
    for v in range(start, stop):
        c, w = labels[v], rows.weight[v]
        people[c] += w
        for l in range(rows.numbers.shape[1]):  # noqa: E741
            sums[c, l] += w * rows.numbers[v, l]
        for f in range(rows.codes.shape[1]):
            counts[c, rows.codes[v, f]] += w


@kernel
def _describe(
    rows: Rows, centres: Centres, c: Index, weight: Floats, people: Ints, sums: Floats, counts: Ints
) -> None:
    """Make prototype `c` the mean and the modes, of equals the first value, of its cluster."""
    for l in range(len(centres.scale)):  # noqa: E741
        centres.numbers[c, l] = sums[c, l] / people[c]
    for f in range(len(weight)):
        mode = rows.start[f]
        for value in range(rows.start[f], rows.start[f + 1]):
            centres.price[c, value] = weight[f]
            if counts[c, value] > counts[c, mode]:
                mode = value
        centres.price[c, mode] = 0.0


@kernel
def settle(
    rows: Rows, centres: Centres, weight: Floats, start: int, stop: int, labels: Ints, people: Ints, sums: Floats,
    counts: Ints
) -> int:
    """Let each of `start` ... `stop` in turn go to the nearest prototype, which then at once is that of its members.

    ``weight[f]`` is the price of another category than the prototype's. A record in no cluster yet has the label -1.
    The last people of a cluster stay. Returns how many have moved.
    """
    moved = 0
    for v in range(start, stop):
        own, w = labels[v], rows.weight[v]
        found, _ = _nearest(rows, centres, v, own)
        if found == own or (own >= 0 and people[own] == w):
            continue
        moved += 1
        labels[v] = found
        for c, sign in ((own, -w), (found, w)):
            if c < 0:
                continue
            people[c] += sign
            for l in range(rows.numbers.shape[1]):  # noqa: E741
                sums[c, l] += sign * rows.numbers[v, l]
            for f in range(rows.codes.shape[1]):
                counts[c, rows.codes[v, f]] += sign
            _describe(rows, centres, c, weight, people, sums, counts)
    return moved


@kernel
def draw_near(rows: Rows, centres: Centres, c: int, gaps: Floats) -> None:
    """Lower ``gaps[v]`` of every record to how far it lies from prototype `c`, where that is less."""
    for v in range(len(gaps)):
        gaps[v] = min(gaps[v], _far(rows, centres, v, c, gaps[v]))


@kernel
def pair_sums(rows: Rows, price: float, start: int, stop: int, sums: Floats) -> None:
    """Add up the Euclidean distances from every record to everyone, in pairs of which the earlier is one of these.

    `price` is the square of the distance of two categories.
    """
    n, p, q = len(rows.weight), rows.numbers.shape[1], rows.codes.shape[1]
    for v in range(start, stop):
        own = 0.0
        for u in range(v + 1, n):
            far = 0.0
            for l in range(p):  # noqa: E741
                step = rows.numbers[v, l] - rows.numbers[u, l]
                far += step * step
            differ = 0
            for f in range(q):
                differ += rows.codes[v, f] != rows.codes[u, f]
            far = np.sqrt(far + price * differ)
            own += rows.weight[u] * far
            sums[u] += rows.weight[v] * far
        sums[v] += own


@kernel
def _smallest(people: Ints, least: Ints, left: Ints) -> int:
    """Return the smallest of the clusters left that has fewer people than it needs, or -1."""
    found = -1
    for c in range(len(people)):
        if left[c] and people[c] < least[c] and (found < 0 or people[c] < people[found]):
            found = c
    return found


@kernel
def _nearest_left(rows: Rows, centres: Centres, v: Index, left: Ints) -> int:
    """Return the nearest prototype of a cluster that is left, of equals the first."""
    found, least = -1, np.inf
    for c in range(len(left)):
        if left[c]:
            far = _far(rows, centres, v, c, least)
            if far < least:
                found, least = c, far
    return found


@kernel
def dissolve(
    rows: Rows, centres: Centres, need: Ints, labels: Ints, people: Ints, left: Ints, most: int
) -> int:
    """Dissolve up to `most` clusters that have fewer people than one of them needs; return how many were.

    The smallest goes first, of equals the first, and each of its records to the nearest prototype that is left.
    ``left[c]`` is 1 while cluster c is there, and one always is.
    """
    least = np.zeros(len(people), dtype=np.int64)
    for v in range(len(labels)):
        least[labels[v]] = max(least[labels[v]], need[v])
    for done in range(most):
        gone = _smallest(people, least, left)
        if gone < 0 or left.sum() == 1:
            return done
        left[gone], people[gone] = 0, 0
        for v in range(len(labels)):
            if labels[v] == gone:
                into = _nearest_left(rows, centres, v, left)
                labels[v] = into
                people[into] += rows.weight[v]
                least[into] = max(least[into], need[v])
    return most
