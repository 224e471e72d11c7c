"""Growing classes by what they would really lose: the boxes of their members, and their ties.

Everyone who is in no class yet stands alone, so what a partition loses is known at every step, and the person
who joins next is the one for whom it rises least. With A the arcs between the growing class (of m people) and
every block e (a finished class, or a person alone, of ``s`` people), and B those between a person and e, joining
loses ``sum (A - m B)² / (s m (m + 1))`` arcs between blocks. The three sums in it are kept up to date: that of A²
a class, that of B² a person (``own``), and that of A B (``cross``), which changes only two steps around whoever
joins. So each candidate costs no more than their attributes, and memory stays linear.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphanon.closeness import Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.packed import Packed, both, dot, square, turned
from graphanon.kernels.refine_state import State, attribute_move, move, tie_exchange
from graphanon.kernels.rows import TOLERANCE, price

__all__ = ["Growth", "grow", "growth_of", "settle"]


class Growth(NamedTuple):
    """A state whose classes grow, and what is known of the ties between people alone and the class that is growing.

    ``rest`` holds the people alone in order, the first ``left[0]`` of it.
    ``own``, ``cross`` and ``bound`` are one a person, ``row`` one a class; all but the first are 0 between calls.
    ``first``, ``last`` and ``table`` are the box of the growing class and the price of each value joined with it.
    """

    state: State
    rest: Shorts
    left: Ints
    own: Floats
    cross: Floats
    bound: Packed
    row: Packed
    first: Shorts
    last: Shorts
    table: Floats


def growth_of(state: State) -> Growth:
    """Return the classes of a state, and the people who are in none, as ready to grow."""
    crowd = state.crowd
    n, q = crowd.codes.shape
    alone = np.flatnonzero(state.labels < 0)
    rest = np.empty(n, dtype=np.int32)
    rest[: len(alone)] = alone
    growth = Growth(
        state, rest, np.full(1, len(alone), dtype=np.int64), np.zeros(n), np.zeros(n),
        np.zeros(n, dtype=np.int64), np.zeros(len(state.sizes), dtype=np.int64), np.empty(q, dtype=np.int32),
        np.empty(q, dtype=np.int32), np.empty(len(crowd.lo)),
    )
    _count_everyone(growth)
    return growth


@kernel
def _count_own(growth: Growth, v: Index) -> None:
    """Write the sum of squares of the arcs between `v`, alone, and every block, each over its size."""
    state, row = growth.state, growth.row
    total = 0.0
    for at in range(state.crowd.indptr[v], state.crowd.indptr[v + 1]):
        e, w = state.labels[state.crowd.indices[at]], state.arcs[at]
        if e < 0:
            total += square(w)
        else:
            total += (square(row[e] + w) - square(row[e])) / state.sizes[e]
            row[e] += w
    for at in range(state.crowd.indptr[v], state.crowd.indptr[v + 1]):
        e = state.labels[state.crowd.indices[at]]
        if e >= 0:
            row[e] = 0
    growth.own[v] = total


@kernel
def _count_everyone(growth: Growth) -> None:
    for i in range(growth.left[0]):
        _count_own(growth, np.int64(growth.rest[i]))


@kernel
def _cross_from(growth: Growth, y: Index, w: int, share: float) -> None:
    """Tell everyone alone around `y` that the arcs between the growing class and the block of `y` rose by `w`."""
    state = growth.state
    for at in range(state.crowd.indptr[y], state.crowd.indptr[y + 1]):
        x = state.crowd.indices[at]
        if state.labels[x] < 0:
            growth.cross[x] += dot(w, turned(state.arcs[at])) * share


@kernel
def _admit(growth: Growth, c: Index, u: Index) -> tuple[int, float]:
    """Count the arcs of `u`, new in class `c`; return by how much its inner arcs and its sum of squares rise."""
    state, bound = growth.state, growth.bound
    mine = bound[u]
    rise = -square(mine)
    for at in range(state.crowd.indptr[u], state.crowd.indptr[u + 1]):
        y, w = state.crowd.indices[at], state.arcs[at]
        e = np.int64(state.labels[y])
        if e == c:
            continue
        if e < 0:
            growth.own[y] -= square(w)
            growth.cross[y] -= dot(mine, turned(w))
            rise += square(bound[y] + w) - square(bound[y])
            bound[y] += w
            _cross_from(growth, y, w, 1.0)
        else:
            share = 1.0 / state.sizes[e]
            rise += (square(growth.row[e] + w) - square(growth.row[e])) * share
            growth.row[e] += w
            for i in range(state.start[e], state.start[e] + state.sizes[e]):
                _cross_from(growth, np.int64(state.pool[i]), w, share)
    return both(mine), rise


@kernel
def _open_again(growth: Growth, c: Index) -> tuple[int, float]:
    """Make class `c` the growing one; return its inner arcs and its sum of squares."""
    state, own = growth.state, growth.own
    members = state.pool[state.start[c] : state.start[c] + state.sizes[c]].copy()
    for u in members:
        for at in range(state.crowd.indptr[u], state.crowd.indptr[u + 1]):
            y, w = state.crowd.indices[at], state.arcs[at]
            if state.labels[y] < 0:
                own[y] += square(w) - (square(growth.bound[y] + w) - square(growth.bound[y])) / len(members)
                growth.bound[y] += w
    for u in members:
        state.labels[u] = -1
        for at in range(state.crowd.indptr[u], state.crowd.indptr[u + 1]):
            growth.bound[state.crowd.indices[at]] = 0
    for u in members:
        _count_own(growth, np.int64(u))
    inside, squares = 0, 0.0
    for u in members:
        state.labels[u] = c
        more, rise = _admit(growth, c, np.int64(u))
        inside, squares = inside + more, squares + rise
    return inside, squares


@kernel
def _widen(growth: Growth, c: Index) -> None:
    """Price again the attributes in which the box of the growing class has changed."""
    crowd, ends = growth.state.crowd, growth.state.ends
    for j in range(crowd.codes.shape[1]):
        if ends[c, j, 0] != growth.first[j] or ends[c, j, 3] != growth.last[j]:
            growth.first[j], growth.last[j] = ends[c, j, 0], ends[c, j, 3]
            price(crowd, j, growth.first[j], growth.last[j], growth.table)


@kernel
def _rise(mine: int, cross: float, own: float, m: int, inside: int, squares: float) -> float:
    """Return by how much the lost arcs rise if a person joins the growing class of `m` people.

    `mine` are the arcs between the class and the person. Plain numbers, since the loop over people lives on this call.
    """
    lone, pairs = square(mine), m * (m + 1.0)
    between = (squares - lone - 2.0 * m * cross + m * m * own) / pairs
    within = float(inside) * inside / (m * (m - 1.0)) if m > 1 else 0.0
    after = float(inside + both(mine))
    return between + within + lone / m - after * after / pairs


@kernel
def _next(growth: Growth, m: int, cell: float, arc: float, inside: int, squares: float) -> Index:
    """Return who of the people alone costs least; of equals, the first."""
    labels, codes, rest, table = growth.state.labels, growth.state.crowd.codes, growth.rest, growth.table
    bound, cross, own = growth.bound, growth.cross, growth.own
    best: Index = -1
    least = 0.0
    for i in range(growth.left[0]):
        x = np.int64(rest[i])
        if labels[x] >= 0:
            continue
        lost = 0.0
        for j in range(codes.shape[1]):
            lost += table[codes[x, j]]
        cost = cell * (m + 1) * lost
        if arc:
            cost += arc * _rise(bound[x], cross[x], own[x], m, inside, squares)
        if best < 0 or cost < least - TOLERANCE:
            best, least = x, cost
    return best


@kernel
def grow(growth: Growth, c: int, seed: int, target: int, need: Ints, most: int, cell: float, arc: float) -> int:
    """Grow class `c` to `target` members and to what each of them needs, as far as there are people; return its size.

    An empty class begins with `seed`; -1 goes on with the members there are. Stops at `most` members, to be
    called again. A lost cell costs `cell`, a lost arc `arc`.
    """
    state = growth.state
    inside, squares = 0, 0.0
    for i in range(state.start[c], state.start[c] + state.sizes[c]):
        target = max(target, need[state.pool[i]])
    if arc and state.sizes[c]:
        inside, squares = _open_again(growth, c)
    v: Index = seed
    growth.first[:] = -1
    while state.sizes[c] < min(target, most):
        if v < 0:
            _widen(growth, c)
            v = _next(growth, state.sizes[c], cell, arc, inside, squares)
        if v < 0:
            break
        move(state, np.int64(v), c)
        target = max(target, need[v])
        if arc:
            more, rise = _admit(growth, c, v)
            inside, squares = inside + more, squares + rise
        v = -1
    _finish(growth, c)
    return state.sizes[c]


@kernel
def _finish(growth: Growth, c: int) -> None:
    """Make a block of the grown class, and clear the room for the next."""
    state, kept = growth.state, 0
    for i in range(growth.left[0]):
        x = growth.rest[i]
        if state.labels[x] < 0:
            growth.own[x] += square(growth.bound[x]) / state.sizes[c]
            growth.rest[kept] = x
            kept += 1
        growth.bound[x] = 0
        growth.cross[x] = 0.0
    growth.left[0] = kept
    growth.row[:] = 0


@kernel
def settle(state: State, v: Index, cell: float, arc: float) -> int:
    """Move `v`, who is in no class, to where the loss rises least, of equals the first; return that class."""
    best, least = -1, 0.0
    for d in range(len(state.sizes)):
        if state.sizes[d] == 0:
            continue
        cost = cell * attribute_move(state, v, d)
        if arc:
            cost += arc * tie_exchange(state, v, d, np.int64(-1), np.inf)
        if best < 0 or cost < least - TOLERANCE:
            best, least = d, cost
    if best >= 0:
        move(state, v, np.int64(best))
    return best
