"""Counting who looks alike at a node of the lattice of levels.

A node is one level an attribute. People with equal quasi-identifiers are one weighted point; each value has a small
code on each level, so the box of a point at a node is one number, the sum of its codes times strides, and the
points with equal numbers are found in an open hash table. What they make together is a point again: it stands for
more people, and any of them may lend it its values, since they look alike. So counts roll up: those of a node are
made from the points of any node below it, which are far fewer than people.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel, lean
from graphanon.kernels.rules import Rules, complies

__all__ = [
    "Points", "Scale", "Table", "cheap", "cost_at", "empty_like", "floor_of", "gain", "merge", "only",
    "rooms_for", "survey", "table_for", "weigh",
]

# two halves of a number below 2^62, spread by factors whose products stay below 2^63
_LOW, _SPREAD, _CARRY = 2**31 - 1, 1640531527, 1013904223


class Points(NamedTuple):
    """Weighted points: the places ``base`` int32[u, q] of their values among all values of all attributes.

    ``weight`` int64[u] people are at each, the most that any of them asks for is ``need`` int64[u], and their
    sensitive values are counted in ``count`` int32[u, V].
    """

    base: Shorts
    weight: Ints
    need: Ints
    count: Shorts


class Scale(NamedTuple):
    """On level h, place v has the code ``code[h, v]`` and costs ``cost[h, v]``; ``stride[j]`` keeps attributes apart."""

    code: Shorts
    cost: Floats
    stride: Ints


class Table(NamedTuple):
    """Room for one count: a power of two of slots, at least twice the points, with a key and a point each."""

    key: Ints
    point: Ints


def table_for(points: Points) -> Table:
    """Return room for counting these points or fewer.

    Examples
    --------
    >>> none = np.zeros((5, 0), dtype=np.int32)
    >>> len(table_for(Points(none, np.ones(5, dtype=int), np.ones(5, dtype=int), none)).key)
    16
    """
    slots = 1 << max(4, int(2 * len(points.base) - 1).bit_length())
    return Table(np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.int64))


def empty_like(points: Points) -> Points:
    """Return room for as many points."""
    return Points(np.empty_like(points.base), np.empty_like(points.weight), np.empty_like(points.need),
                  np.empty_like(points.count))


def rooms_for(points: Points) -> Points:
    """Return room for as many points once for each attribute, along a leading axis."""
    q = points.base.shape[1]
    base, weight, need, count = (np.empty((q, *part.shape), dtype=part.dtype) for part in points)
    return Points(base, weight, need, count)


def only(points: Points, rows: slice | NDArray[np.bool_]) -> Points:
    """Return these points alone."""
    return Points(points.base[rows], points.weight[rows], points.need[rows], points.count[rows])


@lean
def merge(points: Points, scale: Scale, level: Ints, table: Table, out: Points, slot: Ints) -> int:
    """Put points that look alike on ``level`` int64[q] together; return how many are left, the first in `out`.

    ``slot`` int64[u] tells which of them each point has become.
    """
    n, q = points.base.shape
    mask = np.int64(15)
    while mask + 1 < 2 * n:
        mask = 2 * mask + 1
    for h in range(mask + 1):
        table.point[h] = -1
    found = 0
    for i in range(n):
        key = 0
        for j in range(q):
            key += scale.code[level[j], points.base[i, j]] * scale.stride[j]
        h = (((key & _LOW) * _SPREAD + (key >> 31) * _CARRY) >> 20) & mask
        while table.point[h] >= 0 and table.key[h] != key:
            h = (h + 1) & mask
        at = table.point[h]
        if at < 0:
            at = found
            found += 1
            table.key[h], table.point[h] = key, at
            for j in range(q):
                out.base[at, j] = points.base[i, j]
            for v in range(points.count.shape[1]):
                out.count[at, v] = 0
            out.weight[at] = 0
            out.need[at] = 0
        out.weight[at] += points.weight[i]
        out.need[at] = max(out.need[at], points.need[i])
        for v in range(points.count.shape[1]):
            out.count[at, v] += points.count[i, v]
        slot[i] = at
    return found


@lean
def cost_at(points: Points, scale: Scale, level: Ints, i: Index) -> float:
    """Return what one person of point `i` costs on these levels, the sum over attributes."""
    total = 0.0
    for j in range(points.base.shape[1]):
        total += scale.cost[level[j], points.base[i, j]]
    return total


@lean
def floor_of(points: Points, scale: Scale, level: Ints, price: float) -> float:
    """Return what everyone costs at least on these levels or above, where nobody costs more than `price`."""
    total = 0.0
    for i in range(len(points.base)):
        total += points.weight[i] * min(cost_at(points, scale, level, i), price)
    return total


@kernel
def cheap(points: Points, scale: Scale, rules: Rules, level: Ints, price: float, out: NDArray[np.bool_]) -> None:
    """Write to ``out`` bool[u] which points can be told as they are and cost less than `price` a person."""
    for i in range(len(points.base)):
        out[i] = (points.weight[i] >= points.need[i] and cost_at(points, scale, level, i) < price
                  and (len(rules.kind) == 0 or complies(rules, points.count, points.weight, i)))


@kernel
def weigh(points: Points, scale: Scale, rules: Rules, level: Ints, price: float) -> tuple[int, float]:
    """Return how many people are in points that cannot be told, and the cost of all if each of those costs `price`."""
    withheld, cost = 0, 0.0
    promised = len(rules.kind) > 0
    for i in range(len(points.base)):
        few = points.weight[i] < points.need[i]
        if few or (promised and not complies(rules, points.count, points.weight, i)):
            withheld += points.weight[i]
            cost += price * points.weight[i]
        else:
            cost += cost_at(points, scale, level, i) * points.weight[i]
    return withheld, cost


@kernel
def _potential(points: Points, scale: Scale, level: Ints, price: float) -> float:
    """Return the most that can be won on these levels or above: what each person costs less than `price`."""
    total = 0.0
    for i in range(len(points.base)):
        total += points.weight[i] * max(price - cost_at(points, scale, level, i), 0.0)
    return total


@kernel
def gain(points: Points, scale: Scale, rules: Rules, level: Ints, price: float) -> float:
    """Return by how much less than `price` a person those of `points` cost that can be told, where that is less."""
    total = 0.0
    promised = len(rules.kind) > 0
    for i in range(len(points.base)):
        if points.weight[i] >= points.need[i]:
            won = price - cost_at(points, scale, level, i)
            if won > 0.0 and (not promised or complies(rules, points.count, points.weight, i)):
                total += points.weight[i] * won
    return total


@kernel
def survey(
    points: Points, scale: Scale, rules: Rules, order: Ints, nodes: Ints, price: float, table: Table, slot: Ints,
    rooms: Points, sizes: Ints, gains: Floats,
) -> None:
    """Write the gain of each of ``nodes`` int64[m, q] to ``gains`` float64[m].

    Nodes come sorted by the levels of the attributes in ``order`` int64[q], so that each is rolled up from what it
    has in common with the one before; `rooms` has one room an attribute (a leading axis), ``sizes`` int64[q] what
    is in it. Where nothing can be won any more, nothing is counted.
    """
    m, q = nodes.shape
    level = np.zeros(q, dtype=np.int64)
    dead = q
    for r in range(m):
        depth = 0
        while r > 0 and depth < q - 1 and nodes[r, order[depth]] == nodes[r - 1, order[depth]]:
            depth += 1
        if depth > dead:
            gains[r] = 0.0
            continue
        dead = q
        for d in range(depth, q):
            level[order[d]] = 0
        for d in range(depth, q):
            level[order[d]] = nodes[r, order[d]]
            out = Points(rooms.base[d], rooms.weight[d], rooms.need[d], rooms.count[d])
            if d == 0:
                sizes[d] = merge(points, scale, level, table, out, slot)
            else:
                below, size = d - 1, sizes[d - 1]
                told = Points(rooms.base[below, :size], rooms.weight[below, :size], rooms.need[below, :size],
                              rooms.count[below, :size])
                sizes[d] = merge(told, scale, level, table, out, slot)
            size = sizes[d]
            told = Points(rooms.base[d, :size], rooms.weight[d, :size], rooms.need[d, :size], rooms.count[d, :size])
            if _potential(told, scale, level, price) <= 0.0:
                dead = d
                gains[r] = 0.0
                break
            if d == q - 1:
                gains[r] = gain(told, scale, rules, level, price)
