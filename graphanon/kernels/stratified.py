"""Splitting a class in two that keep what it keeps, by giving each half its share of every kind of person.

People are of one *kind* if no promise of sensitive values tells them apart. A class is cut along one attribute:
of each kind the lower ones go to one part and the upper ones to the other, in proportion to the sizes of the
parts, so that shares and distributions stay what they were but for one person a kind. Where nothing is so
tight, a plain cut, with everyone of one kind, costs less. Of all cuts after which both parts comply the
cheapest is made. Splitting never raises a loss: boxes shrink, and ties are counted in more places.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Index, Ints, Shorts
from graphanon.graph import AttributedGraph
from graphanon.kernels.compiled import kernel
from graphanon.kernels.refine_state import State, is_over, move, price_of
from graphanon.kernels.rules import Rules, add, excess, remove

__all__ = ["kinds_of", "split"]

Mask = NDArray[np.bool_]
_SMALL = 6  # a class of fewer than so many times its least size is cut at many places
_PLACES, _TRIES = 12, 60


def kinds_of(graph: AttributedGraph, rules: Rules) -> Shorts:
    """Return int32[n], the kind of each person: who has one, and asks for one size, may stand for each other.

    Examples
    --------
    >>> from graphanon.graph import Nominal, no_ties
    >>> from graphanon.kernels.rules import rules_of
    >>> from graphanon.schema import Column, Role, Schema
    >>> illness = Column(name="illness", role=Role.SENSITIVE, alpha={"hiv": 0.5})
    >>> graph = AttributedGraph(schema=Schema(columns=(illness,)), values=np.empty((4, 0)), ties=no_ties(4),
    ...                         payload={"illness": Nominal(np.array([0, 1, 2, 2]), ("cold", "flu", "hiv"))})
    >>> kinds_of(graph, rules_of(graph))
    array([0, 0, 1, 1], dtype=int32)
    """
    columns = [np.zeros(graph.n, dtype=np.int64) if graph.wishes is None else graph.wishes]
    for j in range(rules.codes.shape[1]):
        codes = rules.codes[:, j].astype(np.int64)
        if not rules.kind[j] and rules.t[j] > 1.0:
            # of a column with shares alone, all values that may be had by anyone are one
            codes = np.where(rules.cap[codes] < 1.0, codes, -1)
        columns.append(codes)
    _, kinds = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return np.asarray(kinds.reshape(-1), dtype=np.int32)


@kernel
def _quotas(kinds: Shorts, who: Ints, m: int, room: Shorts) -> None:
    """Write into ``room[1]`` how many of each kind of ``who`` int64[s] are to be among `m`.

    That is their share, with the largest rests rounded up.
    """
    s, left, count, quota = len(who), m, room[0], room[1]
    for i in range(s):
        count[kinds[who[i]]] = quota[kinds[who[i]]] = 0
    for i in range(s):
        count[kinds[who[i]]] += 1
    for i in range(s):
        kind = kinds[who[i]]
        if quota[kind] == 0 and count[kind] > 0:
            quota[kind] = count[kind] * m // s
            left -= quota[kind]
            count[kind] = -count[kind]
    rest = np.empty(s)
    for i in range(s):
        kind = kinds[who[i]]
        rest[i] = -1.0
        if count[kind] < 0:
            count[kind] = -count[kind]
            rest[i] = count[kind] * m / s - quota[kind]
    order = np.argsort(-rest, kind="mergesort")
    for i in range(left):
        quota[kinds[who[order[i]]]] += 1


@kernel
def _cut(kinds: Shorts, who: Ints, m: int, quota: Shorts, lower: Mask) -> None:
    """Mark the first ones of each kind of `who`, which is in order, up to its quota; without quotas the first `m`."""
    for i in range(len(who)):
        if len(quota):
            kind = kinds[who[i]]
            lower[i] = quota[kind] > 0
            quota[kind] -= 1
        else:
            lower[i] = i < m


@kernel
def _cost(state: State, who: Ints, lower: Mask) -> float:
    """Return what the cells of both parts of `who` cost."""
    codes, total, m = state.crowd.codes, 0.0, 0
    ends = np.empty((2, codes.shape[1], 2), dtype=np.int64)
    ends[:, :, 0], ends[:, :, 1] = np.iinfo(np.int32).max, -1
    for i in range(len(who)):
        part = np.int64(lower[i])
        m += part
        for j in range(codes.shape[1]):
            ends[part, j, 0] = min(ends[part, j, 0], codes[who[i], j])
            ends[part, j, 1] = max(ends[part, j, 1], codes[who[i], j])
    for j in range(codes.shape[1]):
        total += m * price_of(state, j, ends[1, j, 0], ends[1, j, 1])
        total += (len(who) - m) * price_of(state, j, ends[0, j, 0], ends[0, j, 1])
    return total


@kernel
def _comply(rules: Rules, who: Ints, lower: Mask, floor: Index) -> bool:
    """Return whether the two parts of `who` keep every promise and their least size."""
    tallies = np.zeros((2, len(rules.cap)), dtype=np.int32)
    m = np.int64(0)
    for i in range(len(who)):
        part = np.int64(lower[i])
        m += part
        add(rules, tallies, who[i], part)
    rest = len(who) - m
    if min(m, rest) < max(floor, 1):
        return False
    return excess(rules, tallies[1], m, floor) == 0.0 and excess(rules, tallies[0], rest, floor) == 0.0


@kernel
def _places(rules: Rules, kinds: Shorts, who: Ints, floor: Index, room: Shorts) -> Ints:
    """Return sizes, the evenest first, that one part of `who` may have so that both comply if every kind is shared out."""
    s, lower = len(who), np.empty(len(who), dtype=np.bool_)
    most = _PLACES if s < _SMALL * floor else 2
    found, have = np.empty(most, dtype=np.int64), 0
    for i in range(min(s, _TRIES)):
        m = s // 2 + (i + 1) // 2 * (1 if i % 2 else -1)
        if have == most or m < floor or s - m < floor:
            break
        _quotas(kinds, who, m, room)
        _cut(kinds, who, m, room[1], lower)
        if _comply(rules, who, lower, floor):
            found[have] = m
            have += 1
    return found[:have]


@kernel
def _in_order(state: State, members: Ints, j: Index) -> Ints:
    """Return `members` in the order of attribute `j`, ties as they come."""
    own = np.empty(len(members), dtype=np.int32)
    for i in range(len(members)):
        own[i] = state.crowd.codes[members[i], j]
    return members[np.argsort(own, kind="mergesort")]


@kernel
def _best_cut(state: State, rules: Rules, kinds: Shorts, c: Index, best: Mask, room: Shorts) -> Ints:
    """Return the members of class `c` in the order in which `best` marks one part of them; none if no cut will do."""
    s, floor, q = state.sizes[c], max(state.floors[c], 1), state.crowd.codes.shape[1]
    members = np.sort(state.pool[state.start[c]:state.start[c] + s]).astype(np.int64)
    even = _places(rules, kinds, members, floor, room)
    found, least, lower = members[:0], np.inf, np.empty(s, dtype=np.bool_)
    step = max((s - 2 * floor) // _PLACES, 1) if s < _SMALL * floor else max(s // 4, 1)
    first = floor if s < _SMALL * floor else step
    plain = np.arange(first, s - floor + 1, step)
    for j in range(max(q, 1)):
        who = _in_order(state, members, j) if q else members
        for i in range(len(even) + len(plain)):
            m = even[i] if i < len(even) else plain[i - len(even)]
            if i < len(even):
                _quotas(kinds, who, m, room)
            _cut(kinds, who, m, room[1] if i < len(even) else room[1, :0], lower)
            cost = _cost(state, who, lower)
            if cost < least - 1e-12 and _comply(rules, who, lower, floor):
                least, found = cost, who
                best[:s] = lower
    return found


@kernel
def split(
    state: State, rules: Rules, tallies: Shorts, kinds: Shorts, c: Index, d: Index, cap: float, room: Shorts
) -> bool:
    """Split class `c` in two that comply and have no density above `cap`; return whether that can be.

    Class `d`, which nobody is in, becomes the other part. `room` int32[2, number of kinds] is 0 before and after.
    """
    if state.sizes[c] < 2 * max(state.floors[c], 1):
        return False
    lower = np.empty(state.sizes[c], dtype=np.bool_)
    who = _best_cut(state, rules, kinds, c, lower, room)
    for i in range(state.sizes[c]):
        room[:, kinds[state.pool[state.start[c] + i]]] = 0
    if not len(who):
        return False
    state.floors[d] = state.floors[c]
    for i in range(len(who)):
        if lower[i]:
            _place(state, rules, tallies, who[i], c, d)
    if cap < 1.0 and is_over(state, c, d, cap):
        for i in range(len(who)):
            if lower[i]:
                _place(state, rules, tallies, who[i], d, c)
        return False
    return True


@kernel
def _place(state: State, rules: Rules, tallies: Shorts, v: Index, c: Index, d: Index) -> None:
    """Move `v` from class `c` to class `d`, and count it there."""
    remove(rules, tallies, v, c)
    add(rules, tallies, v, d)
    move(state, v, np.int64(d))
