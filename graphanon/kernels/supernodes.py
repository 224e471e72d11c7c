"""Moving people between supernodes by similarity.

The similarity of a person to a supernode is the mean or the largest similarity to its members, or that to
its centre. Sums over members are kept up to date by one row a move, so nothing is stored but one number a
person or a supernode.
"""

from __future__ import annotations

import numpy as np

from graphanon.closeness import Crowd, Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.rows import TOLERANCE, Room, row

__all__ = ["CENTRE", "MAX", "MEAN", "fill", "join", "shed", "within"]

MEAN, MAX, CENTRE = 0, 1, 2


@kernel
def _scores(
    crowd: Crowd, beta: float, mode: int, v: Index, who: Shorts, m: int,
    labels: Ints, sizes: Ints, centres: Shorts, room: Room, score: Floats,
) -> None:
    """Write the similarity of `v` to every supernode, whose members are ``who[:m]``."""
    if mode == CENTRE:
        row(crowd, beta, v, centres, len(centres), room)
        for x in range(len(centres)):
            score[x] = room.out[x]
        return
    row(crowd, beta, v, who, m, room)
    for x in range(len(sizes)):
        score[x] = 0.0
    for i in range(m):
        x = labels[who[i]]
        score[x] = score[x] + room.out[i] if mode == MEAN else max(score[x], room.out[i])
    if mode == MEAN:
        for x in range(len(sizes)):
            score[x] /= max(sizes[x], 1)


@kernel
def join(
    crowd: Crowd, beta: float, mode: int, queue: Shorts, start: int, stop: int, who: Shorts, m: int,
    labels: Ints, sizes: Ints, centres: Shorts, room: Room, score: Floats,
) -> int:
    """Put each of ``queue[start:stop]`` in turn into the most similar supernode, of equals the first.

    ``who[:m]`` are the people in a supernode, with room for the newcomers; `labels` and `sizes` say in which
    and how large it is (an empty one takes nobody); all are updated. Returns the new m.
    """
    for i in range(start, stop):
        v = np.int64(queue[i])
        _scores(crowd, beta, mode, v, who, m, labels, sizes, centres, room, score)
        best = -1
        for x in range(len(sizes)):
            if sizes[x] > 0 and (best < 0 or score[x] > score[best] + TOLERANCE):
                best = x
        labels[v] = best
        sizes[best] += 1
        who[m] = v
        m += 1
    return m


@kernel
def _to_the_others(
    crowd: Crowd, beta: float, mode: int, i: int, members: Shorts, m: int, room: Room, score: Floats, peer: Shorts
) -> None:
    """Write the summed or largest similarity of ``members[i]`` to the other members, and to whom."""
    row(crowd, beta, np.int64(members[i]), members, m, room)
    score[i], peer[i] = 0.0, -1
    for other in range(m):
        if other == i:
            continue
        if mode == MEAN:
            score[i] += room.out[other]
        elif peer[i] < 0 or room.out[other] > score[i]:
            score[i], peer[i] = room.out[other], members[other]


@kernel
def within(
    crowd: Crowd, beta: float, mode: int, members: Shorts, start: int, stop: int, centre: int,
    room: Room, score: Floats, peer: Shorts,
) -> None:
    """Write how similar each of ``members[start:stop]`` is to the other members of its supernode.

    A centre is infinitely similar to its own supernode. `peer` holds the person most similar, if `mode` is MAX.
    """
    m = len(members)
    if mode == CENTRE:
        row(crowd, beta, centre, members, m, room)
        for i in range(start, stop):
            score[i] = np.inf if members[i] == centre else room.out[i]
        return
    for i in range(start, stop):
        _to_the_others(crowd, beta, mode, i, members, m, room, score, peer)


@kernel
def shed(
    crowd: Crowd, beta: float, mode: int, members: Shorts, m: int, least: int,
    room: Room, score: Floats, peer: Shorts,
) -> int:
    """Take the least similar member out of ``members[:m]``, of equals the first, until `least` are left.

    `score` and `peer` are those of :func:`within` and kept up to date; those taken out stand behind the
    others, the first of them last. Returns how many are left.
    """
    while m > least:
        worst = 0
        for i in range(1, m):
            if score[i] < score[worst] - TOLERANCE * (m - 1 if mode == MEAN else 1):
                worst = i
        v = np.int64(members[worst])
        for i in range(worst, m - 1):
            members[i], score[i], peer[i] = members[i + 1], score[i + 1], peer[i + 1]
        m -= 1
        members[m] = v
        if mode == MEAN:
            row(crowd, beta, v, members, m, room)
            for i in range(m):
                score[i] -= room.out[i]
        elif mode == MAX:
            for i in range(m):
                if peer[i] == v:
                    _to_the_others(crowd, beta, mode, i, members, m, room, score, peer)
    return m


@kernel
def _add(
    crowd: Crowd, beta: float, mode: int, u: Index, pool: Shorts, p: int, room: Room, score: Floats
) -> None:
    """Let the scores of ``pool[:p]`` know of the new member `u`."""
    row(crowd, beta, u, pool, p, room)
    for i in range(p):
        score[i] = score[i] + room.out[i] if mode == MEAN else max(score[i], room.out[i])


@kernel
def fill(
    crowd: Crowd, beta: float, mode: int, members: Shorts, m: int, target: int, centre: int,
    pool: Shorts, p: int, room: Room, score: Floats,
) -> tuple[int, int]:
    """Move the most similar of ``pool[:p]``, of equals the first, to ``members[:m]`` up to `target` members.

    `score` has a place for each of the pool. Returns how many are members now, and how many are in the pool.
    """
    for i in range(p):
        score[i] = 0.0
    if mode == CENTRE:
        _add(crowd, beta, mode, centre, pool, p, room, score)
    else:
        for i in range(m):
            _add(crowd, beta, mode, np.int64(members[i]), pool, p, room, score)
    while m < target and p > 0:
        best = 0
        for i in range(1, p):
            if score[i] > score[best] + TOLERANCE * (m if mode == MEAN else 1):
                best = i
        members[m] = pool[best]
        m += 1
        for i in range(best, p - 1):
            pool[i], score[i] = pool[i + 1], score[i + 1]
        p -= 1
        if mode != CENTRE:
            _add(crowd, beta, mode, np.int64(members[m - 1]), pool, p, room, score)
    return m, p
