"""Ties between people who are alike, with hubs and closed triangles.

Three things are seen in every network of acquaintance: people who are alike are tied more often (McPherson,
Smith-Lovin, Cook 2001, "Birds of a feather: homophily in social networks"), a few people have many ties, and
friends of friends are friends (Holme, Kim 2002, "Growing scale-free networks with tunable clustering"). The
model has one parameter for each and draws ties one after another:

1. Each person i has a popularity w_i, a quantile of a Pareto law whose density falls as w^-`tail`, cut
   off where a hub could be expected to know another hub twice.
2. Person i begins a share w_i / Σw of the ties: that number, rounded up or down.
3. A share 1 - `closure` of the ties are met: i meets j with probability w_j / Σw and keeps the tie with
   probability exp(-`strength` · D(i, j)), else meets another.
4. A tie of the share `closure` goes to a friend of a friend, kept with the same probability; where no
   friend of a friend is left, i meets somebody instead.

D is the mean over attributes of the distance between two people, each divided by its mean between strangers.
So a random pair has D = 1 on average, every attribute counts alike, and being alike in what is rare counts
more than being alike in what is common. Attributes in which all are alike do not count.

A person who has met :data:`PATIENCE` others in vain takes the one most alike among them. Memory is linear in
persons and ties.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from graphanon.datasets.chance import draws, shuffled, substream
from graphanon.domain import Domain, Floats, Lines, pack

__all__ = ["PATIENCE", "Liking", "initiatives", "popularity", "scales", "tie_people", "wire"]

Ints = NDArray[np.int64]
PATIENCE = 400
_SHIFTS = 16  # so many strangers are compared with each person to learn how far apart strangers are


def tie_people(
    values: Floats,
    domains: Sequence[Domain],
    *,
    mean_degree: float,
    strength: float,
    tail: float,
    closure: float,
    weights: Sequence[float] | None = None,
    seed: int,
) -> tuple[Ints, Ints]:
    """Return both ends of round(n · mean_degree / 2) ties, no loop and no pair twice.

    `values` float64[n, q] are addresses on `domains`; `weights` says how much each attribute counts.
    """
    n, m = len(values), round(len(values) * mean_degree / 2)
    fame = popularity(n, mean_degree=mean_degree, tail=tail, seed=substream(seed, "popularity"))
    begins = initiatives(fame, m, seed=substream(seed, "initiative"))
    share = scales(values, domains, weights, seed=substream(seed, "strangers"))
    like = Liking(np.ascontiguousarray(values), pack(domains, "height"), share, float(strength))
    seed_of_ties = np.uint64(substream(seed, "ties"))
    source, target = wire(like, np.cumsum(fame), begins, m - round(m * closure), seed_of_ties)
    return source, target


def popularity(n: int, *, mean_degree: float, tail: float, seed: int) -> Floats:
    """Return w float64[n]: the n quantiles of the Pareto law in random order, all 1 for an infinite tail."""
    if math.isinf(tail):
        return np.ones(n)
    upper = (np.arange(n) + 0.5) / n
    fame = upper ** (-1.0 / (tail - 1.0))
    # expected degrees beyond √(n · mean) would need repeated ties between hubs
    for _ in range(20):
        limit = np.sqrt(n / mean_degree) * fame.mean()
        if fame[0] <= limit * (1 + 1e-9):
            break
        fame = np.minimum(fame, limit)
    return np.asarray(fame[shuffled(seed, n)])


def initiatives(fame: Floats, m: int, *, seed: int) -> Ints:
    """Return who begins each of `m` ties, int64[m] in random order: m · w_i / Σw ties each, rounded."""
    offset = float(draws(seed, 1)[0] >> np.uint64(11)) / 2**53
    edges = np.cumsum(fame) / fame.sum() * m
    edges[-1] = m
    counts = np.diff(np.floor(edges + offset), prepend=np.floor(offset)).astype(np.int64)
    begins = np.repeat(np.arange(len(fame)), counts)
    return np.asarray(begins[shuffled(substream(seed, "order"), m)])


def scales(values: Floats, domains: Sequence[Domain], weights: Sequence[float] | None, *, seed: int) -> Floats:
    """Return float64[q]: what each attribute's distance is multiplied with, so that strangers have D = 1."""
    n, q = values.shape
    people = values[shuffled(seed, n)]
    mean = np.zeros(q)
    for shift in range(1, min(_SHIFTS, max(n - 1, 1)) + 1):
        other = np.roll(people, shift, axis=0)
        for j, domain in enumerate(domains):
            box = domain.snap(np.minimum(people[:, j], other[:, j]), np.maximum(people[:, j], other[:, j]))
            apart = people[:, j] != other[:, j]
            mean[j] += np.where(apart, domain.cost(*box, "height"), 0.0).mean()
    mean /= min(_SHIFTS, max(n - 1, 1))
    weight = np.where(mean > 0, np.ones(q) if weights is None else np.asarray(weights, dtype=float), 0.0)
    if weight.sum() == 0:
        return np.zeros(q)
    return np.asarray(weight / weight.sum() / np.where(mean > 0, mean, 1.0))


class Liking(NamedTuple):
    """What decides how alike two persons are and how much that matters, for kernels.

    `values` float64[n, q] on the packed `lines`; `scale` float64[q] as of :func:`scales`; `strength` of homophily.
    """

    values: Floats
    lines: Lines
    scale: Floats
    strength: float


class _Net(NamedTuple):
    """Who is tied to whom: person i's friends are ``pool[first[i] : first[i] + size[i]]``, with room for more."""

    first: Ints
    size: Ints
    room: Ints
    pool: Ints


@njit(cache=True, nogil=True)
def _next(state: NDArray[np.uint64]) -> float:
    """Advance splitmix64 and return a number in [0, 1)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    x = state[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return float(np.float64(x >> np.uint64(11)) / 9007199254740992.0)


@njit(cache=True, nogil=True)
def _bound(like: Liking, state: NDArray[np.uint64]) -> float:
    """Return up to which distance a meeting becomes a tie: above D with probability exp(-strength · D)."""
    drawn = -math.log(1.0 - _next(state))
    return drawn / like.strength if like.strength > 0 else math.inf


@njit(cache=True, nogil=True)
def _apart(like: Liking, i: int, j: int, limit: float) -> float:
    """Return D(i, j), or some number above `limit` once it is certain to be above."""
    lines, total = like.lines, 0.0
    for a in range(like.values.shape[1]):
        x, y = like.values[i, a], like.values[j, a]
        if x == y or like.scale[a] == 0.0:
            continue
        if lines.is_tree[a]:
            level, p, q = 1, lines.offset[a] + int(x), lines.offset[a] + int(y)
            while level < lines.height[a] and lines.nodes[p, level] != lines.nodes[q, level]:
                level += 1
            total += like.scale[a] * lines.node_cost[lines.nodes[p, level]]
        elif max(x, y) >= lines.past[a]:
            total += like.scale[a]
        elif lines.span[a] > 0.0:
            total += like.scale[a] * min(abs(x - y) / lines.span[a], 1.0)
        if total > limit:
            break
    return total


@njit(cache=True, nogil=True)
def _tied(net: _Net, i: int, j: int) -> bool:
    if net.size[i] > net.size[j]:
        i, j = j, i
    for place in range(net.first[i], net.first[i] + net.size[i]):  # noqa: SIM110  compiled
        if net.pool[place] == j:
            return True
    return False


@njit(cache=True, nogil=True)
def _add(net: _Net, i: int, j: int, used: int) -> int:
    """Append j to i's friends; who has no room moves to the end of the pool with twice the room."""
    if net.size[i] == net.room[i]:
        start = net.first[i]
        net.room[i] = max(4, 2 * net.room[i])
        net.pool[used : used + net.size[i]] = net.pool[start : start + net.size[i]]
        net.first[i] = used
        used += net.room[i]
    net.pool[net.first[i] + net.size[i]] = j
    net.size[i] += 1
    return used


@njit(cache=True, nogil=True)
def _friend_of_friend(like: Liking, net: _Net, state: NDArray[np.uint64], i: int) -> int:
    """Return a friend of a friend of i who becomes a friend, -1 if none was found."""
    for _ in range(PATIENCE // 4):
        if net.size[i] == 0:
            break
        j = net.pool[net.first[i] + int(_next(state) * net.size[i])]
        k = net.pool[net.first[j] + int(_next(state) * net.size[j])]
        limit = _bound(like, state)
        if k != i and not _tied(net, i, k) and _apart(like, i, k, limit) <= limit:
            return int(k)
    return -1


@njit(cache=True, nogil=True)
def _stranger(like: Liking, net: _Net, cumulated: Floats, state: NDArray[np.uint64], i: int) -> int:
    """Return whom i meets and keeps; after long trying the one most alike among those met, -1 if none."""
    closest, nearest = -1, math.inf
    for _ in range(PATIENCE):
        j = int(np.searchsorted(cumulated, _next(state) * cumulated[-1], side="right"))
        limit = _bound(like, state)
        if j == i or j == len(cumulated) or _tied(net, i, j):
            continue
        distance = _apart(like, i, j, max(limit, nearest))
        if distance <= limit:
            return j
        if distance < nearest:
            closest, nearest = j, distance
    return closest


@njit(cache=True, nogil=True)
def _free_pair(net: _Net, start: int) -> tuple[int, int]:
    """Return a pair that is not tied, with its first end as near after `start` as can be."""
    n = len(net.first)
    for step in range(n):
        i = (start + step) % n
        for j in range(n):
            if i != j and not _tied(net, i, j):
                return i, j
    return -1, -1


@njit(cache=True, nogil=True)
def wire(like: Liking, cumulated: Floats, begins: Ints, met: int, seed: np.uint64) -> tuple[Ints, Ints]:
    """Return both ends of the ties, int64[m] each.

    In call order: `like` what makes people alike; `cumulated` float64[n] popularity summed up; `begins`
    int64[m] who begins each tie; `met` how many ties are met, the others close triangles; `seed` of
    64 bits. There must be at least m pairs.
    """
    n, m = len(like.values), len(begins)
    state = np.array([seed])
    net = _Net(np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(8 * (m + n), np.int64))
    source, target, used = begins.copy(), np.empty(m, np.int64), 0
    for t in range(m):
        i, j = begins[t], -1
        if t >= met:
            j = _friend_of_friend(like, net, state, i)
        if j < 0:
            j = _stranger(like, net, cumulated, state, i)
        if j < 0:
            i, j = _free_pair(net, i)
        source[t], target[t] = i, j
        used = _add(net, i, j, used)
        used = _add(net, j, i, used)
    return source, target
