"""A partition that knows what every change of it would cost, exactly.

What people lose is a sum over classes (of their boxes) and over ordered pairs of classes (of their ties), so
a change that touches two classes costs what those two classes and their rows of tie counts cost afterwards,
less what they cost before. Boxes: every class keeps the two lowest and the two highest positions of each
attribute, so that its box without any one member is known at once. Ties: ``a`` arcs among ``p`` ordered pairs
lose ``a - a² / p``, and the arcs are the same whoever is together, so only ``a² / p`` changes; the rows are
counted afresh from the ties of the members, which keeps memory linear in people and ties.

A graph's own arcs are counted, as in the losses that are published: a tie without direction is an arc each way.
Positions and prices are those of :mod:`graphanon.closeness` with snapped ends.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from graphanon.closeness import Crowd, Index, Ints, Shorts, describe
from graphanon.domain import Floats
from graphanon.graph import AttributedGraph
from graphanon.kernels.compiled import lean
from graphanon.kernels.packed import HALF, LOW, Packed, both, directions, square, turned
from graphanon.kernels.rows import spread

__all__ = [
    "LINE", "TABLE", "Packed", "State", "attribute_merge", "attribute_move", "attribute_swap", "is_over", "kept_by_pair",
    "leave", "move", "open_class", "price_of", "rebuild", "state_of", "swap", "tie_exchange", "tie_merge",
    "total_attributes", "total_ties",
]

Measure = Literal["height", "leaves"]
LINE, TABLE, _CLIMB = 0, 1, 2
_TABLE_SIDE = 600
_NONE = np.iinfo(np.int32).max
# one type for every person and class: a plain literal would have each function compiled once more
_NOBODY, _ZERO = np.int64(-1), np.int64(0)


class State(NamedTuple):
    """Who is together, and all that the price of a change is made from.

    Of attribute j: ``kind[j]`` tells a line, whose positions reach from ``left`` to ``right`` in spans, from a
    tree whose prices stand in ``table[where[j] + a * width[j] + b]`` or are climbed for. ``arcs[i]`` counts the
    arcs of entry i of the neighbour lists, there in the low and back in the high half.

    ``labels[v]`` is a person's class, -1 outside; ``pool[start[c]:start[c] + sizes[c]]`` its members, with
    ``room[c]`` places; ``spot[v]`` where a person stands there; ``tail[0]`` where the pool is free.
    ``ends[c, j]`` holds lowest, second lowest, second highest, highest position; ``price[c]`` what each
    member loses, summed over attributes. ``floors[c]`` is the least size, ``need[v]`` each person's own.
    ``row_c``, ``row_d`` (all 0 between calls) and ``seen`` are working memory.
    """

    crowd: Crowd
    kind: Ints
    left: Floats
    right: Floats
    table: Floats
    where: Ints
    width: Ints
    arcs: Packed
    labels: Shorts
    sizes: Ints
    pool: Shorts
    start: Ints
    room: Ints
    spot: Shorts
    tail: Ints
    ends: Shorts
    price: Floats
    floors: Ints
    need: Ints
    row_c: Packed
    row_d: Packed
    seen: Shorts


def state_of(
    graph: AttributedGraph,
    labels: Ints,
    floors: Ints,
    *,
    need: Ints | None = None,
    measure: Measure = "height",
    spare: int = 0,
) -> State:
    """Return the state of a partition, with room for `spare` classes that nobody is in yet.

    `labels` int64[n] are -1 for people in no class; `floors` int64[K] the least sizes; `need` int64[n] what
    each person asks for, left out if the floors say it all.

    Examples
    --------
    >>> from graphanon.domain import Range
    >>> from graphanon.graph import no_ties
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(20, 40)),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[20.0], [25.0], [40.0], [40.0]]), ties=no_ties(4))
    >>> state = state_of(graph, np.array([0, 1, 1, 0]), np.array([1, 1]))
    >>> state.price
    array([1.  , 0.75])
    >>> attribute_swap(state, 1, 3)
    -3.0
    """
    crowd = describe(graph, categorical=measure, snapped=True)
    n, q = crowd.codes.shape
    most = len(floors) + spare
    kind, where, width, table = _tables(crowd)
    left, right = _in_spans(crowd)
    state = State(
        crowd, kind, left, right, table, where, width, directions(graph, crowd),
        labels.astype(np.int32), np.zeros(most, dtype=np.int64),
        np.empty(8 * n + 8 * most + 64, dtype=np.int32), np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64), np.zeros(n, dtype=np.int32), np.zeros(1, dtype=np.int64),
        np.empty((most, q, 4), dtype=np.int32), np.zeros(most),
        np.concatenate([floors, np.ones(spare, dtype=np.int64)]),
        np.empty(0, dtype=np.int64) if need is None else need.astype(np.int64),
        np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int64), np.empty(most, dtype=np.int32),
    )
    rebuild(state)
    return state


def _tables(crowd: Crowd) -> tuple[Ints, Ints, Ints, Floats]:
    """Return how the prices of each attribute are found, and the tables of the small trees."""
    q = len(crowd.tree)
    kind, where = np.zeros(q, dtype=np.int64), np.zeros(q, dtype=np.int64)
    width = np.diff(crowd.start)
    tables, used = [np.empty(0)], 0
    for j in np.flatnonzero(crowd.tree).tolist():
        kind[j] = TABLE if width[j] <= _TABLE_SIDE else _CLIMB
        if kind[j] == TABLE:
            own = np.empty((width[j], width[j]))
            _fill_table(crowd, j, own)
            where[j] = used
            used += own.size
            tables.append(own.ravel())
    return kind, where, width, np.concatenate(tables)


@lean
def _fill_table(crowd: Crowd, j: int, out: Floats) -> None:
    start = crowd.start[j]
    for a in range(out.shape[0]):
        for b in range(out.shape[0]):
            out[a, b] = spread(crowd, j, start + min(a, b), start + max(a, b))


def _in_spans(crowd: Crowd) -> tuple[Floats, Floats]:
    """Return where positions of lines begin and end, in spans; a missing value ends at infinity."""
    left, right = crowd.lo.copy(), crowd.hi.copy()
    for j in np.flatnonzero(~crowd.tree).tolist():
        own = slice(crowd.start[j], crowd.start[j + 1])
        missing = crowd.hi[own] >= crowd.past[j]
        scale = crowd.span[j] if crowd.span[j] > 0 else np.inf
        # subtracting the first keeps the quotients small, so that their differences are exact to rounding
        base = crowd.lo[own].min(initial=np.inf)
        left[own] = np.where(missing, 0.0, (crowd.lo[own] - base) / scale)
        right[own] = np.where(missing, np.inf, (crowd.hi[own] - base) / scale)
    return left, right


@lean
def price_of(state: State, j: int, a: Index, b: Index) -> float:
    """Return the price of reaching from position `a` to `b` of attribute `j`; of nothing, 0."""
    if a > b:
        return 0.0
    kind = state.kind[j]
    if kind == LINE:
        return min(state.right[b] - state.left[a], 1.0)
    if kind == TABLE:
        start = state.crowd.start[j]
        return state.table[state.where[j] + (a - start) * state.width[j] + b - start]
    return spread(state.crowd, j, a, b)


@lean
def _note(state: State, c: Index, v: Index) -> None:
    """Stretch the box of class `c` to hold `v`."""
    for j in range(state.crowd.codes.shape[1]):
        code = state.crowd.codes[v, j]
        if code < state.ends[c, j, 0]:
            state.ends[c, j, 1] = state.ends[c, j, 0]
            state.ends[c, j, 0] = code
        elif code < state.ends[c, j, 1]:
            state.ends[c, j, 1] = code
        if code > state.ends[c, j, 3]:
            state.ends[c, j, 2] = state.ends[c, j, 3]
            state.ends[c, j, 3] = code
        elif code > state.ends[c, j, 2]:
            state.ends[c, j, 2] = code


@lean
def _clear(state: State, c: Index) -> None:
    for j in range(state.crowd.codes.shape[1]):
        state.ends[c, j, 0] = state.ends[c, j, 1] = _NONE
        state.ends[c, j, 2] = state.ends[c, j, 3] = -1


@lean
def _reprice(state: State, c: Index) -> None:
    total = 0.0
    for j in range(state.crowd.codes.shape[1]):
        total += price_of(state, j, state.ends[c, j, 0], state.ends[c, j, 3])
    state.price[c] = total


@lean
def _rescan(state: State, c: Index, v: Index) -> None:
    """Find the ends of class `c` again, where `v`, who has left, may have been one of them."""
    codes, start = state.crowd.codes, state.start[c]
    for j in range(codes.shape[1]):
        if state.ends[c, j, 1] < codes[v, j] < state.ends[c, j, 2]:
            continue
        low, low2, high2, high = _NONE, _NONE, -1, -1
        lowest, highest = state.ends[c, j, 0], state.ends[c, j, 3]
        for i in range(start, start + state.sizes[c]):
            code = codes[state.pool[i], j]
            if code < low:
                low, low2 = code, low
            elif code < low2:
                low2 = code
            if code > high:
                high, high2 = code, high
            elif code > high2:
                high2 = code
            if low2 == lowest and high2 == highest:
                break
        state.ends[c, j, 0], state.ends[c, j, 1] = low, low2
        state.ends[c, j, 2], state.ends[c, j, 3] = high2, high


@lean
def rebuild(state: State) -> None:
    """Make everything anew from the labels, with as much room for members as each class has use for."""
    state.sizes[:] = 0
    for v in range(len(state.labels)):
        if state.labels[v] >= 0:
            state.sizes[state.labels[v]] += 1
    at = 0
    for c in range(len(state.sizes)):
        state.start[c], state.room[c] = at, state.sizes[c] + state.sizes[c] // 4 + 4
        at += state.room[c]
        state.sizes[c] = 0
        _clear(state, c)
    state.tail[0] = at
    for v in range(len(state.labels)):
        c = np.int64(state.labels[v])
        if c >= 0:
            _enter(state, np.int64(v), c)
    for c in range(len(state.sizes)):
        _reprice(state, np.int64(c))


@lean
def _enter(state: State, v: Index, c: Index) -> None:
    """Write `v` into the list and the box of class `c`."""
    state.labels[v] = c
    state.spot[v] = state.start[c] + state.sizes[c]
    state.pool[state.spot[v]] = v
    state.sizes[c] += 1
    _note(state, c, v)


@lean
def _compact(state: State) -> None:
    """Lay the lists of members close together again."""
    at = 0
    for c in range(len(state.sizes)):
        state.start[c], state.room[c] = at, state.sizes[c] + state.sizes[c] // 4 + 4
        at += state.room[c]
        state.sizes[c] = 0
    state.tail[0] = at
    for v in range(len(state.labels)):
        c = state.labels[v]
        if c >= 0:
            state.spot[v] = state.start[c] + state.sizes[c]
            state.pool[state.spot[v]] = v
            state.sizes[c] += 1


@lean
def _make_room(state: State, c: Index) -> None:
    """Give class `c` a place for one member more."""
    wider = 2 * state.sizes[c] + 4
    if state.tail[0] + wider > len(state.pool):
        _compact(state)
        if state.sizes[c] < state.room[c]:
            return
    start = state.tail[0]
    for i in range(state.sizes[c]):
        u = state.pool[state.start[c] + i]
        state.pool[start + i] = u
        state.spot[u] = start + i
    state.start[c], state.room[c] = start, wider
    state.tail[0] = start + wider


@lean
def leave(state: State, v: Index) -> None:
    """Take `v` out of every class."""
    c = state.labels[v]
    if c < 0:
        return
    last = state.start[c] + state.sizes[c] - 1
    u = state.pool[last]
    state.pool[state.spot[v]] = u
    state.spot[u] = state.spot[v]
    state.sizes[c] -= 1
    state.labels[v] = -1
    _rescan(state, c, v)
    _reprice(state, np.int64(c))


@lean
def move(state: State, v: Index, d: Index) -> None:
    """Put `v` into class `d`; -1 takes them out of every class."""
    leave(state, v)
    if d < 0:
        return
    if state.sizes[d] == state.room[d]:
        _make_room(state, d)
    _enter(state, v, d)
    _reprice(state, d)


@lean
def swap(state: State, v: Index, u: Index) -> None:
    """Let two people of different classes change places."""
    c, d = state.labels[v], state.labels[u]
    move(state, v, d)
    move(state, u, c)


@lean
def open_class(state: State) -> int:
    """Return a class that nobody is in, -1 if there is none; those that began empty stand last."""
    for c in range(len(state.sizes) - 1, -1, -1):
        if state.sizes[c] == 0:
            return c
    return -1


@lean
def _changed(state: State, c: Index, out: Index, into: Index) -> float:
    """Return what a member of class `c` loses once `out` has left it and `into` has come (-1 is nobody)."""
    codes, ends = state.crowd.codes, state.ends
    total = 0.0
    for j in range(codes.shape[1]):
        low, high = ends[c, j, 0], ends[c, j, 3]
        if out >= 0:
            gone = codes[out, j]
            if gone == low:
                low = ends[c, j, 1]
            if gone == high:
                high = ends[c, j, 2]
        if into >= 0:
            low, high = min(low, codes[into, j]), max(high, codes[into, j])
        total += price_of(state, j, low, high)
    return total


@lean
def attribute_move(state: State, v: Index, d: Index) -> float:
    """Return by how much the summed cell costs rise if `v` goes to class `d`.

    A person in no class costs nothing before; a class that nobody is left in costs nothing after.
    """
    c = state.labels[v]
    if c == d:
        return 0.0
    change = 0.0
    if c >= 0:
        change += (state.sizes[c] - 1) * _changed(state, c, v, _NOBODY) - state.sizes[c] * state.price[c]
    if d >= 0:
        change += (state.sizes[d] + 1) * _changed(state, d, _NOBODY, v) - state.sizes[d] * state.price[d]
    return change


@lean
def attribute_swap(state: State, v: Index, u: Index) -> float:
    """Return by how much the summed cell costs rise if `v` and `u`, of different classes, change places."""
    c, d = state.labels[v], state.labels[u]
    if c == d:
        return 0.0
    change = state.sizes[c] * (_changed(state, c, v, u) - state.price[c])
    return change + state.sizes[d] * (_changed(state, d, u, v) - state.price[d])


@lean
def _inside(arcs: float, size: int) -> float:
    return arcs * arcs / (size * (size - 1)) if size > 1 else 0.0


@lean
def _count(state: State, c: Index, row: Packed, n_seen: int) -> int:
    """Count the arcs between class `c` and every class into `row`; return how many classes are `seen`."""
    crowd = state.crowd
    for i in range(state.start[c], state.start[c] + state.sizes[c]):
        v = state.pool[i]
        for at in range(crowd.indptr[v], crowd.indptr[v + 1]):
            e = state.labels[crowd.indices[at]]
            if e < 0:
                continue
            if state.row_c[e] == 0 and state.row_d[e] == 0:
                state.seen[n_seen] = e
                n_seen += 1
            row[e] += state.arcs[at]
    return n_seen


@lean
def _kept_by_rows(state: State, c: Index, d: Index, size_c: int, size_d: int, n_seen: int) -> float:
    """Return the summed ``a² / p`` between either class, of these sizes, and the others."""
    total = 0.0
    for i in range(n_seen):
        e = state.seen[i]
        if e in (c, d):
            continue
        if size_c:
            total += square(state.row_c[e]) / (size_c * state.sizes[e])
        if size_d:
            total += square(state.row_d[e]) / (size_d * state.sizes[e])
    return total


@lean
def _over(square: float, pairs: int) -> float:
    return square / pairs if pairs else 0.0


@lean
def _too_dense(state: State, c: Index, d: Index, size_c: int, size_d: int, n_seen: int, cap: float) -> bool:
    """Return whether either class, of these sizes, has more than `cap` of the possible arcs with another one."""
    for i in range(n_seen):
        e = state.seen[i]
        if e in (c, d):
            continue
        to_c, to_d = state.row_c[e], state.row_d[e]
        if max(to_c & LOW, to_c >> HALF) > cap * size_c * state.sizes[e] + 1e-9:
            return True
        if max(to_d & LOW, to_d >> HALF) > cap * size_d * state.sizes[e] + 1e-9:
            return True
    return False


@lean
def _carry(
    state: State, v: Index, c: Index, d: Index, row_from: Packed, row_to: Packed, other: Index, where: Index, n_seen: int
) -> tuple[int, int, int, int, int, int]:
    """Carry the ties of `v` from the row of class `c` to that of `d`, as if `other` were in class `where`.

    Returns how many arcs come to count, leave the inside of `c`, come inside `d`, appear and disappear from
    `c` to `d` (both packed), and how many classes are `seen`.
    """
    crowd, arcs, out, into, gained, lost = state.crowd, 0, 0, 0, 0, 0
    come = 1 if c < 0 else -1 if d < 0 else 0
    for at in range(crowd.indptr[v], crowd.indptr[v + 1]):
        x, w = crowd.indices[at], state.arcs[at]
        e = where if x == other else np.int64(state.labels[x])
        if e < 0:
            continue
        arcs += come * both(w)
        if e == c:
            out += both(w)
            gained += turned(w)
        elif e == d:
            into += both(w)
            lost += w
        else:
            if state.row_c[e] == 0 and state.row_d[e] == 0:
                state.seen[n_seen] = e
                n_seen += 1
            row_from[e] -= w * (c >= 0)
            row_to[e] += w * (d >= 0)
    return arcs, out, into, gained, lost, n_seen


@lean
def tie_exchange(state: State, v: Index, d: Index, u: Index, cap: float) -> float:
    """Return by how much the lost arcs rise if `v` goes to class `d`, and `u` of `d` (-1 is nobody) to v's class.

    Infinity if then more than the share `cap` (infinity: any) of the ordered pairs inside one of the two
    classes, or between one of them and another class, would be tied. `v` may be in no class, and `d` -1.
    """
    row_c, row_d, c = state.row_c, state.row_d, np.int64(state.labels[v])
    if c == d:
        return 0.0
    size_c, size_d = (state.sizes[c] if c >= 0 else 0), (state.sizes[d] if d >= 0 else 0)
    n_seen = _count(state, c, row_c, _ZERO) if c >= 0 else _ZERO
    n_seen = _count(state, d, row_d, n_seen) if d >= 0 else n_seen
    in_c, in_d = (row_c[c] & LOW if c >= 0 else 0), (row_d[d] & LOW if d >= 0 else 0)
    across = row_c[d] if c >= 0 and d >= 0 else 0
    before = _kept_of(state, c, d, size_c, size_d, in_c, in_d, across, n_seen)
    arcs, out, into, gained, lost, n_seen = _carry(state, v, c, d, row_c, row_d, _NOBODY, _NOBODY, n_seen)
    in_c, in_d, across = in_c - out, in_d + into, across + gained - lost
    if u >= 0:
        more, out, into, gained, lost, n_seen = _carry(state, u, d, c, row_d, row_c, v, d, n_seen)
        in_c, in_d, across, arcs = in_c + into, in_d - out, across + turned(gained) - turned(lost), arcs + more
    across *= c >= 0 and d >= 0
    size_c, size_d = size_c + (c >= 0) * ((u >= 0) - 1), size_d + (d >= 0) - (u >= 0)
    after = _kept_of(state, c, d, size_c, size_d, in_c, in_d, across, n_seen)
    dense = cap < 1.0 and (
        _too_dense(state, c, d, size_c, size_d, n_seen, cap) or _dense_pair(size_c, size_d, in_c, in_d, across, cap)
    )
    _forget(state, n_seen)
    return np.inf if dense else arcs + before - after


@lean
def _kept_of(
    state: State, c: Index, d: Index, size_c: int, size_d: int, in_c: int, in_d: int, across: int, n_seen: int
) -> float:
    """Return the summed ``a² / p`` of all pairs of classes that `c` or `d`, of these sizes and arcs, is one of."""
    kept = _kept_by_rows(state, c, d, size_c, size_d, n_seen) + _over(square(across), size_c * size_d)
    return kept + _inside(in_c, size_c) + _inside(in_d, size_d)


@lean
def attribute_merge(state: State, c: Index, d: Index) -> float:
    """Return by how much the summed cell costs rise if classes `c` and `d` become one."""
    total, ends = 0.0, state.ends
    for j in range(state.crowd.codes.shape[1]):
        total += price_of(state, j, min(ends[c, j, 0], ends[d, j, 0]), max(ends[c, j, 3], ends[d, j, 3]))
    before = state.sizes[c] * state.price[c] + state.sizes[d] * state.price[d]
    return (state.sizes[c] + state.sizes[d]) * total - before


@lean
def tie_merge(state: State, c: Index, d: Index, cap: float) -> tuple[float, float]:
    """Return by how much the lost arcs rise if two classes become one, and the arcs it then has beyond `cap`.

    The latter are summed over its inside and its pairs with other classes, of whose ordered pairs of people
    at most the share `cap` should be tied.
    """
    row_c, row_d = state.row_c, state.row_d
    size_c, size_d = state.sizes[c], state.sizes[d]
    size = size_c + size_d
    n_seen = _count(state, d, row_d, _count(state, c, row_c, _ZERO))
    across, in_c, in_d = row_c[d], row_c[c] & LOW, row_d[d] & LOW
    before = _kept_by_rows(state, c, d, size_c, size_d, n_seen) + _over(square(across), size_c * size_d)
    before += _inside(in_c, size_c) + _inside(in_d, size_d)
    inside = in_c + in_d + both(across)
    after = _inside(inside, size)
    beyond = max(inside - cap * size * (size - 1), 0.0)
    for i in range(n_seen):
        e = state.seen[i]
        if e not in (c, d):
            arcs, pairs = row_c[e] + row_d[e], size * state.sizes[e]
            after += square(arcs) / pairs
            beyond += max(max(arcs & LOW, arcs >> HALF) - cap * pairs - 1e-9, 0.0)
        row_c[e] = row_d[e] = 0
    return before - after, beyond


@lean
def kept_by_pair(state: State, c: Index, d: Index) -> float:
    """Return the summed ``a² / p`` of every pair of classes that `c` or `d` is one of, themselves too."""
    n_seen = _count(state, d, state.row_d, _count(state, c, state.row_c, _ZERO))
    size_c, size_d = state.sizes[c], state.sizes[d]
    kept = _kept_by_rows(state, c, d, size_c, size_d, n_seen) + _over(square(state.row_c[d]), size_c * size_d)
    kept += _inside(state.row_c[c] & LOW, size_c) + _inside(state.row_d[d] & LOW, size_d)
    _forget(state, n_seen)
    return kept


@lean
def is_over(state: State, c: Index, d: Index, cap: float) -> bool:
    """Return whether more than the share `cap` of the pairs inside or around class `c` or `d` is tied."""
    n_seen = _count(state, d, state.row_d, _count(state, c, state.row_c, _ZERO))
    size_c, size_d = state.sizes[c], state.sizes[d]
    in_c, in_d, across = state.row_c[c] & LOW, state.row_d[d] & LOW, state.row_c[d]
    dense = _too_dense(state, c, d, size_c, size_d, n_seen, cap) or _dense_pair(
        size_c, size_d, in_c, in_d, across, cap)
    _forget(state, n_seen)
    return dense


@lean
def _forget(state: State, n_seen: int) -> None:
    for i in range(n_seen):
        state.row_c[state.seen[i]] = 0
        state.row_d[state.seen[i]] = 0


@lean
def _dense_pair(size_c: int, size_d: int, in_c: int, in_d: int, across: int, cap: float) -> bool:
    """Return whether more than `cap` of the possible arcs inside two classes, or between them, are there."""
    return (
        max(across & LOW, across >> HALF) > cap * size_c * size_d + 1e-9
        or in_c > cap * size_c * (size_c - 1) + 1e-9
        or in_d > cap * size_d * (size_d - 1) + 1e-9
    )


@lean
def total_attributes(state: State) -> float:
    """Return the summed cell costs of everyone in a class."""
    total = 0.0
    for c in range(len(state.sizes)):
        total += state.sizes[c] * state.price[c]
    return total


@lean
def total_ties(state: State) -> float:
    """Return the lost arcs among the people in classes (SIL)."""
    lost = 0.0
    for c in range(len(state.sizes)):
        n_seen = _count(state, c, state.row_c, _ZERO)
        for i in range(n_seen):
            e = state.seen[i]
            arcs = float(state.row_c[e] & LOW)
            pairs = state.sizes[c] * (state.sizes[e] - (e == c))
            lost += arcs - (arcs * arcs / pairs if pairs > 0 else 0.0)
            state.row_c[e] = 0
    return lost
