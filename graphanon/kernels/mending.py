"""The cheapest change that brings a class nearer to what is asked of it.

Two kinds are looked for. An *exchange* moves one person into the class or out of it, or lets two change
places, with one of the classes near it. A *merge* joins it with another class, which sooner or later helps
whatever is wrong. Exchanges are weighed by what they cost for what they mend, in people.
"""

from __future__ import annotations

import numpy as np

from graphanon.closeness import Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.refine_state import (
    State,
    attribute_merge,
    attribute_move,
    attribute_swap,
    move,
    tie_exchange,
    tie_merge,
)
from graphanon.kernels.rules import Rules, add, excess, remove

__all__ = ["best_exchange", "best_leaver", "carry_out", "merge", "merge_ties", "merged", "merges", "troubles"]

_LEAST = 1e-7
NOBODY = -1


@kernel
def troubles(state: State, rules: Rules, tallies: Shorts, out: Floats) -> None:
    """Write into `out` float64[K] how far every class is from complying, ties apart."""
    for c in range(len(out)):
        out[c] = excess(rules, tallies[c], state.sizes[c], state.floors[c])


@kernel
def merges(state: State, c: Index, cost: Floats) -> None:
    """Write for every class what merging it with `c` costs in cells, infinity for `c` and where nobody is."""
    for d in range(len(cost)):
        cost[d] = attribute_merge(state, c, d) if d != c and state.sizes[d] else np.inf


@kernel
def merged(state: State, rules: Rules, tallies: Shorts, c: Index, near: Ints, left: Floats) -> None:
    """Write for each class of `near` how far it and `c` together would be from complying, ties apart."""
    for i in range(len(near)):
        d = near[i]
        size, floor = state.sizes[c] + state.sizes[d], max(state.floors[c], state.floors[d])
        left[i] = excess(rules, tallies[c] + tallies[d], size, floor)


@kernel
def merge_ties(state: State, c: Index, near: Ints, cap: float, cost: Floats, beyond: Floats) -> None:
    """Write for each class of `near` what merging it with `c` costs in arcs, and its arcs beyond `cap`."""
    for i in range(len(near)):
        cost[i], beyond[i] = tie_merge(state, c, near[i], cap)


@kernel
def merge(state: State, rules: Rules, tallies: Shorts, c: Index, d: Index) -> None:
    """Move everyone of class `c` to class `d`, which takes the larger of both least sizes."""
    state.floors[d] = max(state.floors[c], state.floors[d])
    while state.sizes[c]:
        v = np.int64(state.pool[state.start[c] + state.sizes[c] - 1])
        remove(rules, tallies, v, c)
        add(rules, tallies, v, d)
        move(state, v, d)


@kernel
def carry_out(state: State, rules: Rules, tallies: Shorts, c: Index, d: Index, v: Index, u: Index) -> None:
    """Move `v` of class `c` to class `d` (-1: out of every class) and `u` of `d` to `c` (-1 is nobody)."""
    if v >= 0:
        remove(rules, tallies, v, c)
        if d >= 0:
            add(rules, tallies, v, d)
            state.floors[d] = max(state.floors[d], state.need[v])
        move(state, v, d)
    if u >= 0:
        remove(rules, tallies, u, d)
        add(rules, tallies, u, c)
        state.floors[c] = max(state.floors[c], state.need[u])
        move(state, u, c)


@kernel
def _mended(
    state: State, rules: Rules, tallies: Shorts, c: Index, out: Index, into: Index
) -> float:
    """Return how far class `c` is from complying once `out` has left and `into` has come (-1 is nobody)."""
    size, floor = state.sizes[c], state.floors[c]
    if out >= 0:
        remove(rules, tallies, out, c)
        size -= 1
    if into >= 0:
        add(rules, tallies, into, c)
        size += 1
        floor = max(floor, state.need[into])
    # a class that nobody is left in is a merge, not an exchange
    found = excess(rules, tallies[c], size, floor) if size else np.inf
    if out >= 0:
        add(rules, tallies, out, c)
    if into >= 0:
        remove(rules, tallies, into, c)
    return found


@kernel
def _score(cost: float, gain: float) -> float:
    return cost / gain if cost > 0 else cost * gain


@kernel
def _stand_for(state: State, kinds: Shorts, c: Index, mark: Shorts, own: Shorts, chosen: Ints) -> int:
    """Write into `own` which of the kinds in class `c` each member is of, from 1, and into `chosen` one person a kind.

    Returns the number of kinds; kind 0 is nobody. ``mark`` int32[number of kinds] is 0 before and after.
    """
    found = 0
    for a in range(state.sizes[c]):
        v = np.int64(state.pool[state.start[c] + a])
        if mark[kinds[v]] == 0:
            found += 1
            mark[kinds[v]] = found
            chosen[found] = v
        own[a + 1] = mark[kinds[v]]
    for i in range(1, found + 1):
        mark[kinds[chosen[i]]] = 0
    own[0], chosen[0] = 0, NOBODY
    return found


@kernel
def _number(state: State, kinds: Shorts, near: Ints, place: Shorts) -> int:
    """Write into ``place`` int32[number of kinds] the numbers, from 1, of the kinds in classes `near`; return how many."""
    found = 0
    for d in near:
        for b in range(state.sizes[d]):
            kind = kinds[state.pool[state.start[d] + b]]
            if place[kind] == 0:
                found += 1
                place[kind] = found
    return found


@kernel
def _forget(state: State, kinds: Shorts, near: Ints, place: Shorts) -> None:
    for d in near:
        for b in range(state.sizes[d]):
            place[kinds[state.pool[state.start[d] + b]]] = 0


@kernel
def _gains(
    state: State, rules: Rules, tallies: Shorts, c: Index, d: Index, who_c: Ints, who_d: Ints, at: Ints, cap: float,
    known: Floats, out: Floats,
) -> None:
    """Write what letting someone of each kind of `c` and of `d` change places mends; below 0 is not permitted.

    ``known[i, at[j]]`` keeps what it mends in `c` for the next class, NaN until it is known.
    """
    here = excess(rules, tallies[c], state.sizes[c], state.floors[c])
    there = excess(rules, tallies[d], state.sizes[d], state.floors[d])
    out[:] = -np.inf
    for j in range(len(who_d)):
        for i in range(len(who_c)):
            if i == 0 and j == 0:
                continue
            if np.isnan(known[i, at[j]]):
                known[i, at[j]] = here - _mended(state, rules, tallies, c, who_c[i], who_d[j])
            gain = known[i, at[j]]
            if (gain < _LEAST and cap >= 1.0) or (gain < here and cap < 1.0):
                continue
            other = there - _mended(state, rules, tallies, d, who_d[j], who_c[i])
            if other >= 0.0 and (other >= there or cap >= 1.0):
                out[i, j] = gain + other if cap >= 1.0 else 1.0


@kernel
def _best_between(
    state: State, c: Index, d: Index, own_c: Shorts, own_d: Shorts, gains: Floats, cap: float, cell: float, arc: float,
    limit: float,
) -> tuple[float, int, int]:
    """Return the best exchange of `c` and `d` with a score below `limit`: its score, who goes, who comes."""
    best, goes, comes = limit, NOBODY, NOBODY
    for a in range(state.sizes[c] + 1):
        v: Index = np.int64(state.pool[state.start[c] + a - 1]) if a else np.int64(NOBODY)
        for b in range(state.sizes[d] + 1):
            gain = gains[own_c[a], own_d[b]]
            if gain < 0.0:
                continue
            u: Index = np.int64(state.pool[state.start[d] + b - 1]) if b else np.int64(NOBODY)
            # who moves, where to, and who comes back
            mover, target, back = (v, d, u) if v >= 0 else (u, np.int64(c), v)
            cells = attribute_swap(state, v, u) if v >= 0 and u >= 0 else attribute_move(state, mover, target)
            cost = cell * cells
            if _score(cost, gain) >= best:
                continue
            lost = tie_exchange(state, mover, target, back, cap) if arc > 0.0 or cap < 1.0 else 0.0
            score = _score(cost + arc * lost, gain) if lost < np.inf else np.inf
            if score < best:
                best, goes, comes = score, v, u
    return best, goes, comes


@kernel
def best_exchange(
    state: State, rules: Rules, tallies: Shorts, kinds: Shorts, room: Shorts, c: Index, near: Ints, cap: float,
    cell: float, arc: float,
) -> tuple[float, int, int, int]:
    """Return the best exchange of class `c` with one of `near`: its score, class, who goes, who comes.

    A lost cell costs `cell`, a lost arc `arc`. With `cap` below 1 only exchanges count after which nothing is
    wrong with either class and no density of theirs is above it; otherwise those that bring `c` nearer to
    complying, and its partner no farther away. Infinite if there is none; nobody is -1. What is mended is worked
    out once for people of the same kind, ``kinds`` int32[n]; `room` int32[2, number of kinds] is 0 before and after.
    """
    best, where, goes, comes = np.inf, NOBODY, NOBODY, NOBODY
    most = state.sizes[c]
    for d in near:
        most = max(most, state.sizes[d])
    own_c, own_d = np.empty(most + 1, dtype=np.int32), np.empty(most + 1, dtype=np.int32)
    who_c, who_d = np.empty(most + 1, dtype=np.int64), np.empty(most + 1, dtype=np.int64)
    at = np.zeros(most + 1, dtype=np.int64)
    many_c = _stand_for(state, kinds, c, room[0], own_c, who_c)
    known = np.full((many_c + 1, _number(state, kinds, near, room[1]) + 1), np.nan)
    for d in near:
        many_d = _stand_for(state, kinds, d, room[0], own_d, who_d)
        for j in range(1, many_d + 1):
            at[j] = room[1, kinds[who_d[j]]]
        gains = np.empty((many_c + 1, many_d + 1))
        _gains(state, rules, tallies, c, d, who_c[:many_c + 1], who_d[:many_d + 1], at, cap, known, gains)
        score, v, u = _best_between(state, c, d, own_c, own_d, gains, cap, cell, arc, best)
        if score < best:
            best, where, goes, comes = score, d, v, u
    _forget(state, kinds, near, room[1])
    return best, where, goes, comes


@kernel
def best_leaver(
    state: State, rules: Rules, tallies: Shorts, c: Index, cell: float, whole: float
) -> tuple[float, int]:
    """Return the score of withholding the best member of class `c`, and who that is (-1: nobody's absence helps).

    A person told nothing of costs `whole` cells.
    """
    best, who = np.inf, NOBODY
    here = excess(rules, tallies[c], state.sizes[c], state.floors[c])
    for a in range(state.sizes[c]):
        v = np.int64(state.pool[state.start[c] + a])
        gain = here - _mended(state, rules, tallies, c, v, np.int64(NOBODY))
        if gain >= _LEAST:
            score = _score(cell * (attribute_move(state, v, np.int64(NOBODY)) + whole), gain)
            if score < best:
                best, who = score, v
    return best, who


