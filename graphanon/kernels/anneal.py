"""Annealing of a partition: random small changes, uphill ones less and less often.

One step takes a person and someone near them, in attributes or by a tie, of another class, and proposes that
the first joins the second: by moving, if their class can spare them, or by changing places with a member.
Now and then the two classes are pooled and shared out again, one of them grown from one person by always
taking whoever stretches its box least; a class that is large enough for two is shared out in the same way,
and a class may be dissolved, everyone going where they cost least. What a change costs in boxes is known at
once, what it costs in ties only after counting; so most proposals are refused before anything is counted.

A change is made only if both classes keep what is required of them: least sizes, what each member asks for,
the promises of sensitive values, and the share of pairs that may be tied. Uphill changes pass with
probability ``exp(-rise / T)`` (N. Metropolis et al., Equation of State Calculations by Fast Computing Machines,
1953; S. Kirkpatrick, C. Gelatt and M. Vecchi, Optimization by Simulated Annealing, 1983). Work is counted in
proposals, not in seconds, so that a seed fixes the result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import lean
from graphanon.kernels.refine_state import (
    State,
    attribute_move,
    attribute_swap,
    is_over,
    kept_by_pair,
    move,
    open_class,
    price_of,
    tie_exchange,
)
from graphanon.kernels.rules import Rules, add, complies, may_exchange, may_join, may_leave, remove

__all__ = ["Search", "anneal", "below", "typical_ties", "unit"]

Seeds = NDArray[np.uint64]
_GROW_STEPS = 40  # candidates that are weighed in the time of one proposal
_COUNT_STEPS = 60  # ties that are counted in that time
_SLACK = 0
_OUT = 1e-9


class Search(NamedTuple):
    """A state with what is required of it, what it is searched with, and working memory.

    ``tallies`` count the sensitive values of each class; ``near`` int32[n, M] are people near each other in
    attributes. ``weights`` are the price of a cell lost, that of an arc lost, and the largest share of arcs.
    ``odds`` are the chances that a step looks for a person by attributes, by ties (else at random), that it
    moves rather than swaps where it can, that it shares two classes out, and that it dissolves one.
    ``seed`` uint64[1] is the random state, ``memory`` float64[2] what ties usually change, lately and in
    the beginning.
    """

    state: State
    rules: Rules
    tallies: Shorts
    near: Shorts
    weights: Floats
    odds: Floats
    seed: Seeds
    memory: Floats
    who: Ints
    was: Ints
    cells: Floats
    sums: Floats
    low: Ints
    high: Ints


@lean
def _draw(seed: Seeds) -> np.uint64:
    """Return 64 random bits (G. Marsaglia, Xorshift RNGs, 2003)."""
    x = seed[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    seed[0] = x
    return x


@lean
def below(seed: Seeds, n: int) -> int:
    """Return a random whole number from 0 to below `n`."""
    return np.int64(((_draw(seed) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@lean
def unit(seed: Seeds) -> float:
    """Return a random number between 0 and 1, neither of them."""
    return (np.float64(_draw(seed) >> np.uint64(11)) + 0.5) / 9007199254740992.0


@lean
def _place(search: Search, v: int, d: int) -> None:
    """Put `v` into class `d`."""
    if len(search.rules.kind):
        remove(search.rules, search.tallies, v, np.int64(search.state.labels[v]))
        add(search.rules, search.tallies, v, d)
    move(search.state, v, d)


@lean
def _least(state: State, c: int, out: int) -> int:
    """Return how many members class `c` needs once `out` has left it."""
    least = state.floors[c]
    if len(state.need):
        for i in range(state.start[c], state.start[c] + state.sizes[c]):
            u = state.pool[i]
            if u != out:
                least = max(least, state.need[u])
    return least


@lean
def _can_spare(search: Search, v: int, c: int) -> bool:
    """Return whether class `c` keeps what it needs without its member `v`."""
    state = search.state
    if state.sizes[c] <= max(state.floors[c], 1) or state.sizes[c] <= _least(state, c, v):
        return False
    return not len(search.rules.kind) or may_leave(
        search.rules, search.tallies, state.sizes, state.floors, v, c)


@lean
def _neighbour(search: Search, v: int) -> int:
    """Return someone near `v`, in attributes or by a tie, or anyone at all; -1 is nobody."""
    crowd, odds, seed = search.state.crowd, search.odds, search.seed
    r = unit(seed)
    if r < odds[0] and search.near.shape[1]:
        return np.int64(search.near[v, below(seed, search.near.shape[1])])
    if r < odds[0] + odds[1]:
        degree = crowd.indptr[v + 1] - crowd.indptr[v]
        return np.int64(crowd.indices[crowd.indptr[v] + below(seed, degree)]) if degree else -1
    return below(seed, len(search.state.labels))


@lean
def _is_permitted(search: Search, v: int, c: int, u: int, d: int) -> bool:
    """Return whether class `d` may get `v`, and for `u` of it (-1 is nobody), class `c` may get `u` for `v`."""
    state, rules, tallies = search.state, search.rules, search.tallies
    if not (len(state.need) or len(rules.kind)):
        return True
    if u < 0:
        return may_join(rules, tallies, state.sizes, state.need, v, d)
    if len(state.need) and (state.sizes[c] < state.need[u] or state.sizes[d] < state.need[v]):
        return False
    return may_exchange(rules, tallies, state.sizes, state.need, v, u, c) and may_exchange(
        rules, tallies, state.sizes, state.need, u, v, d)


@lean
def _small_change(search: Search, v: int, c: int, w: int, d: int, rise: float) -> tuple[float, float]:
    """Let `v` of class `c` join `w` of `d` if the loss rises by at most `rise`; return the change made and the work."""
    state, weights, seed = search.state, search.weights, search.seed
    u = np.int64(-1)
    if unit(seed) >= search.odds[2] or not _can_spare(search, v, c):
        u = np.int64(state.pool[state.start[d] + below(seed, state.sizes[d])])
        if u == w and state.sizes[d] > 1:
            u = np.int64(state.pool[state.start[d] + below(seed, state.sizes[d])])
    change = weights[0] * (attribute_move(state, v, d) if u < 0 else attribute_swap(state, v, u))
    if change > rise + search.memory[_SLACK] or not _is_permitted(search, v, c, u, d):
        return 0.0, 1.0
    work = 1.0
    if weights[1] > 0 or weights[2] < 1:
        work += _counting(state, c, d)
        ties = _tie_change(search, v, d, u)
        if ties < np.inf:
            # proposals are refused by boxes alone where ties would have to save more than they usually do
            search.memory[_SLACK] += 0.001 * (4 * abs(ties) - search.memory[_SLACK])
        change += ties
    if change > rise:
        return 0.0, work
    _place(search, v, d)
    if u >= 0:
        _place(search, u, c)
    return change, work


@lean
def _tie_change(search: Search, v: int, d: int, u: int) -> float:
    """Return what an exchange costs in ties, infinity if it is not permitted; no weight makes that 0."""
    arcs = tie_exchange(search.state, v, d, u, search.weights[2])
    return search.weights[1] * arcs if arcs < np.inf else np.inf


@lean
def _counting(state: State, c: int, d: int) -> float:
    """Return the work of counting the ties of two classes, in proposals."""
    degree = len(state.crowd.indices) / len(state.labels)
    return (state.sizes[c] + state.sizes[d]) * degree / _COUNT_STEPS


@lean
def _prepare(search: Search, at: int, s: int) -> None:
    """Write what each of ``who[at:s]`` would cost beside ``who[0]``, by cell and in all."""
    state, q = search.state, search.state.crowd.codes.shape[1]
    first = search.who[0]
    for i in range(at, s):
        total = 0.0
        for j in range(q):
            a, b = np.int64(state.crowd.codes[first, j]), np.int64(state.crowd.codes[search.who[i], j])
            cell = price_of(state, j, min(a, b), max(a, b))
            search.cells[i * q + j] = cell
            total += cell
        search.sums[i] = total


@lean
def _switch(search: Search, i: int, g: int) -> None:
    """Let candidates `i` and `g` change places in the queue."""
    who, sums, cells, q = search.who, search.sums, search.cells, search.state.crowd.codes.shape[1]
    who[i], who[g] = who[g], who[i]
    sums[i], sums[g] = sums[g], sums[i]
    for j in range(q):
        cells[i * q + j], cells[g * q + j] = cells[g * q + j], cells[i * q + j]


@lean
def _grow(search: Search, m: int, s: int) -> None:
    """Order ``who[:s]`` so that the first `m` are a class grown from ``who[0]``, the cheapest one joining next."""
    state, who = search.state, search.who
    codes = state.crowd.codes
    low, high = search.low, search.high
    for j in range(codes.shape[1]):
        low[j] = high[j] = codes[who[0], j]
    _prepare(search, 1, s)
    for g in range(1, m):
        best = g
        for i in range(g + 1, s):
            if search.sums[i] < search.sums[best] - _OUT:
                best = i
        _switch(search, best, g)
        for j in range(codes.shape[1]):
            x = np.int64(codes[who[g], j])
            if low[j] <= x <= high[j]:
                continue
            low[j], high[j] = min(low[j], x), max(high[j], x)
            _stretch(search, j, low[j], high[j], g + 1, s)


@lean
def _stretch(search: Search, j: int, low: int, high: int, at: int, s: int) -> None:
    """Let the candidates ``who[at:s]`` know that the class now reaches from `low` to `high` in attribute `j`."""
    state, q = search.state, search.state.crowd.codes.shape[1]
    for i in range(at, s):
        x = np.int64(state.crowd.codes[search.who[i], j])
        cell = price_of(state, j, min(low, x), max(high, x))
        search.sums[i] += cell - search.cells[i * q + j]
        search.cells[i * q + j] = cell


@lean
def _box_price(search: Search, at: int, s: int) -> float:
    """Return what each of ``who[at:s]`` loses if they are a class."""
    state, codes = search.state, search.state.crowd.codes
    total = 0.0
    for j in range(codes.shape[1]):
        low = high = np.int64(codes[search.who[at], j])
        for i in range(at + 1, s):
            x = np.int64(codes[search.who[i], j])
            low, high = min(low, x), max(high, x)
        total += price_of(state, j, low, high)
    return total


@lean
def _are_asked(search: Search, at: int, s: int) -> bool:
    """Return whether ``who[at:s]`` are as many as each of them asks for."""
    need = search.state.need
    asked = 0
    for i in range(at, s if len(need) else at):
        asked = max(asked, need[search.who[i]])
    return asked <= s - at


@lean
def _share_out(search: Search, c: int, d: int, rise: float) -> tuple[float, float]:
    """Pool classes `c` and `d`, which may be empty, and grow `c` anew; return the change made and the work."""
    state, who, seed = search.state, search.who, search.seed
    size_c, size_d = state.sizes[c], state.sizes[d]
    s = size_c + size_d
    least, most = max(state.floors[c], 1), s - max(state.floors[d], 1)
    if least > most:
        return 0.0, 1.0
    for i in range(s):
        who[i] = state.pool[state.start[c] + i] if i < size_c else state.pool[state.start[d] + i - size_c]
    first = below(seed, s)
    who[0], who[first] = who[first], who[0]
    m = least if unit(seed) < 0.5 else least + below(seed, most - least + 1)
    work = 1.0 + (s + 0.25 * m * s) / _GROW_STEPS
    _grow(search, m, s)
    after = m * _box_price(search, 0, m) + (s - m) * _box_price(search, m, s)
    change = search.weights[0] * (after - size_c * state.price[c] - size_d * state.price[d])
    if change > rise + search.memory[_SLACK] * m or not (_are_asked(search, 0, m) and _are_asked(search, m, s)):
        return 0.0, work
    return _settle(search, c, d, m, s, change, rise), work + s + 2 * _counting(state, c, d)


@lean
def _settle(search: Search, c: int, d: int, m: int, s: int, change: float, rise: float) -> float:
    """Put ``who[:m]`` into class `c` and the others up to `s` into `d`, and back again if that is not permitted."""
    state, who, was, weights = search.state, search.who, search.was, search.weights
    tied = weights[1] > 0 or weights[2] < 1
    before = kept_by_pair(state, c, d) if tied else 0.0
    for i in range(s):
        was[i] = state.labels[who[i]]
    for i in range(s):
        if was[i] != (c if i < m else d):
            _place(search, who[i], c if i < m else d)
    if tied:
        change += weights[1] * (before - kept_by_pair(state, c, d))
    if (
        change <= rise
        and (not len(search.rules.kind) or (
            complies(search.rules, search.tallies, state.sizes, c)
            and complies(search.rules, search.tallies, state.sizes, d)))
        and not (weights[2] < 1 and is_over(state, c, d, weights[2]))
    ):
        return change
    for i in range(s):
        if state.labels[who[i]] != was[i]:
            _place(search, who[i], was[i])
    return 0.0


@lean
def _split(search: Search, c: int, rise: float) -> tuple[float, float]:
    """Share class `c` out to itself and a new class with the same least size."""
    state = search.state
    d = open_class(state)
    if d < 0:
        return 0.0, 1.0
    state.floors[d] = state.floors[c]
    return _share_out(search, c, d, rise)


@lean
def _haven(search: Search, v: int, c: int) -> tuple[int, float]:
    """Return the class near `v` that takes them from `c` at least cost in cells, and this cost."""
    state, best, least = search.state, -1, np.inf
    for i in range(search.near.shape[1]):
        d = np.int64(state.labels[search.near[v, i]])
        if d < 0 or d == c or state.floors[d] < state.floors[c]:
            continue
        if state.sizes[d] < state.floors[d] or not _is_permitted(search, v, c, np.int64(-1), d):
            continue
        cost = attribute_move(state, v, d)
        if cost < least:
            best, least = d, cost
    return best, least


@lean
def _dissolve(search: Search, c: int, rise: float) -> tuple[float, float]:
    """Send every member of class `c` where they cost least; return the change made and the work."""
    state, who, weights = search.state, search.who, search.weights
    s, change, done, work = state.sizes[c], 0.0, 0, 1.0
    for i in range(s):
        who[i] = state.pool[state.start[c] + i]
    for i in range(s):
        d, cost = _haven(search, who[i], c)
        work += search.near.shape[1] / 2
        if d < 0:
            break
        change += weights[0] * cost
        if weights[1] > 0 or weights[2] < 1:
            change += _tie_change(search, who[i], d, np.int64(-1))
            work += _counting(state, c, d)
        _place(search, who[i], d)
        done += 1
        # what the others still lose together is the most that can be won back
        if change - weights[0] * state.sizes[c] * state.price[c] > rise + search.memory[_SLACK] * s:
            break
    if done == s and change <= rise:
        return change, work
    for i in range(done):
        _place(search, who[i], c)
    return 0.0, work


@lean
def _step(search: Search, heat: float) -> tuple[float, float]:
    """Make or refuse one change; return by how much the loss rose, and the work."""
    state, odds, seed = search.state, search.odds, search.seed
    v = below(seed, len(state.labels))
    c = np.int64(state.labels[v])
    if c < 0:
        return 0.0, 1.0
    rise = -heat * np.log(unit(seed))
    # of a class that loses nothing no part loses less
    may_win = state.price[c] > 0 or search.weights[1] > 0
    if may_win and state.sizes[c] >= 2 * state.floors[c] and unit(seed) < 10 * odds[3]:
        return _split(search, c, rise)
    w = _neighbour(search, v)
    d = np.int64(state.labels[w]) if w >= 0 else -1
    if d < 0 or d == c:
        return 0.0, 1.0
    r = unit(seed)
    if r < odds[3]:
        return _share_out(search, c, d, rise)
    if r < odds[3] + odds[4]:
        return _dissolve(search, c, rise)
    return _small_change(search, v, c, w, d, rise)


@lean
def typical_ties(search: Search, tries: int) -> float:
    """Return by how many arcs the lost ones change, on the mean, if two people change places."""
    state, seed, total, made = search.state, search.seed, 0.0, 0
    for _ in range(tries):
        v, u = below(seed, len(state.labels)), below(seed, len(state.labels))
        d = np.int64(state.labels[u])
        if d >= 0 and state.labels[v] >= 0 and state.labels[v] != d:
            total += abs(tie_exchange(state, v, d, u, np.inf))
            made += 1
    return total / max(made, 1)


@lean
def anneal(search: Search, hot: float, cold: float, begin: float, stop: float, total: float) -> tuple[float, float]:
    """Work from `begin` to `stop` of a `total`, over which the heat falls from `hot` to `cold`.

    Returns the work done so far and by how much the loss rose.
    """
    rose, work, heat, cools = 0.0, begin, hot, begin
    while work < stop:
        if work >= cools:
            heat = hot * (cold / hot) ** min(work / total, 1.0)
            cools = work + total / 4096
        change, spent = _step(search, heat)
        rose += change
        work += spent
    return work, rose
