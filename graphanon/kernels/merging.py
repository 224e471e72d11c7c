"""KACA's inner loop: join a class that is too small with the one that loses least by it.

Classes have numbers that stay; ``line`` lists those there are, in the order in which they came to be. A class is told
as the box ``first[c]`` ... ``last[c]``. Its members are pieces in a chain: ``people[i]`` of point
``point[i]``, then piece ``after[i]``, from ``head[c]`` to ``tail[c]``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphanon.closeness import Crowd, Index, Ints, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.prices import Prices, box, join, price_of
from graphanon.kernels.rows import TOLERANCE

__all__ = ["FIRST", "RANDOM", "SMALLEST", "Chains", "chains_of", "merge_small", "owners"]

FIRST, SMALLEST, RANDOM = 0, 1, 2


class Chains(NamedTuple):
    """Classes made of pieces, what each needs and what each member of it loses.

    ``counts`` are how many classes and how many pieces there are. A class ``need[c]`` is what the neediest of its
    members asks for.
    """

    prices: Prices
    line: Ints
    size: Ints
    need: Ints
    price: Floats
    first: Shorts
    last: Shorts
    head: Ints
    tail: Ints
    point: Ints
    people: Ints
    after: Ints
    wish: Ints
    counts: Ints


def chains_of(prices: Prices, weight: Ints, need: Ints) -> Chains:
    """Return one class a point; `weight` int64[u] people are at each, `need` int64[u] the size that they need."""
    u, n = len(weight), int(weight.sum())
    everyone = np.arange(u)
    pieces = np.zeros((3, n), dtype=np.int64)
    pieces[0, :u], pieces[1, :u], pieces[2] = everyone, weight, -1
    codes = prices.crowd.codes
    chains = Chains(
        prices, everyone.copy(), weight.copy(), need.copy(), np.zeros(u), codes.copy(), codes.copy(),
        everyone.copy(), everyone.copy(), pieces[0], pieces[1], pieces[2], need, np.array([u, u]),
    )
    for c in range(u):
        chains.price[c] = box(prices, chains.first[c], chains.last[c])
    return chains


@kernel
def _is_small(chains: Chains, c: Index) -> bool:
    return chains.size[c] < chains.need[c]


@kernel
def _choose(chains: Chains, choice: int, chance: float) -> int:
    """Return the place in line of a class that is too small, or -1 if none is."""
    small, found, least = 0, -1, 0
    for i in range(chains.counts[0]):
        c = chains.line[i]
        if _is_small(chains, c):
            small += 1
            if found < 0 or (choice == SMALLEST and chains.size[c] < least):
                found, least = i, chains.size[c]
    if choice != RANDOM or small == 0:
        return found
    ahead = int(chance * small)
    for i in range(chains.counts[0]):
        if _is_small(chains, chains.line[i]):
            if ahead == 0:
                return i
            ahead -= 1
    return found


@kernel
def _nearest(chains: Chains, at: int) -> int:
    """Return the place in line of the class whose joining loses least, of equals the first."""
    prices, c = chains.prices, chains.line[at]
    found, least = -1, np.inf
    own, size = chains.size[c] * chains.price[c], chains.size[c]
    for i in range(chains.counts[0]):
        d = chains.line[i]
        if i == at:
            continue
        both, before = size + chains.size[d], own + chains.size[d] * chains.price[d]
        # joining never makes anything cheaper, so most are out of the question before all is added up
        bound = (least + before - TOLERANCE) / both
        if max(chains.price[c], chains.price[d]) >= bound:
            continue
        total = 0.0
        for j in range(chains.first.shape[1]):
            a, b = min(chains.first[c, j], chains.first[d, j]), max(chains.last[c, j], chains.last[d, j])
            total += price_of(prices, j, np.int64(a), np.int64(b))
            if total >= bound:
                break
        if total < bound:
            found, least = i, both * total - before
    return found


@kernel
def _leave_line(chains: Chains, at: int) -> None:
    chains.counts[0] -= 1
    for i in range(at, chains.counts[0]):
        chains.line[i] = chains.line[i + 1]


@kernel
def _widen(chains: Chains, c: Index, d: Index) -> None:
    """Tell class `c` as the smallest box that holds both."""
    chains.price[c] = join(chains.prices, chains.first[c], chains.last[c], chains.first[d], chains.last[d])
    for j in range(chains.first.shape[1]):
        chains.first[c, j] = min(chains.first[c, j], chains.first[d, j])
        chains.last[c, j] = max(chains.last[c, j], chains.last[d, j])


@kernel
def _append(chains: Chains, c: Index, head: Index, tail: Index) -> None:
    chains.after[chains.tail[c]] = head
    chains.tail[c] = tail


@kernel
def _absorb(chains: Chains, c: Index, d: Index) -> None:
    """Give class `c` all members of `d`."""
    _append(chains, c, chains.head[d], chains.tail[d])
    chains.size[c] += chains.size[d]
    chains.need[c] = max(chains.need[c], chains.need[d])


@kernel
def _take(chains: Chains, c: Index, d: Index, wanted: int) -> None:
    """Give class `c` the first `wanted` members of `d`, which has more."""
    chains.size[c] += wanted
    chains.size[d] -= wanted
    while wanted > 0:
        piece = chains.head[d]
        chains.need[c] = max(chains.need[c], chains.wish[chains.point[piece]])
        if chains.people[piece] <= wanted:
            wanted -= chains.people[piece]
            chains.head[d] = chains.after[piece]
            chains.after[piece] = -1
            _append(chains, c, piece, piece)
        else:
            new = chains.counts[1]
            chains.counts[1] += 1
            chains.point[new], chains.people[new] = chains.point[piece], wanted
            chains.people[piece] -= wanted
            wanted = 0
            _append(chains, c, new, new)


@kernel
def _alike(crowd: Crowd, j: int, a: Index, b: Index, c: Index, d: Index) -> bool:
    """Return whether `a` ... `b` and `c` ... `d` are told as the same."""
    if not crowd.tree[j]:
        if max(crowd.hi[b], crowd.hi[d]) >= crowd.past[j]:
            return min(crowd.hi[b], crowd.hi[d]) >= crowd.past[j]
        return crowd.lo[a] == crowd.lo[c] and crowd.hi[b] == crowd.hi[d]
    one, other = 0, 0
    while crowd.up[a, one] != crowd.up[b, one]:
        one += 1
    while crowd.up[c, other] != crowd.up[d, other]:
        other += 1
    return crowd.up[a, one] == crowd.up[c, other]


@kernel
def _twin(chains: Chains, c: Index) -> int:
    """Return the place in line of another class that is told as `c` is, or -1."""
    for i in range(chains.counts[0]):
        d = chains.line[i]
        if d == c or abs(chains.price[c] - chains.price[d]) > TOLERANCE:
            continue
        same = True
        for j in range(chains.first.shape[1]):
            same = same and _alike(
                chains.prices.crowd, j, np.int64(chains.first[c, j]), np.int64(chains.last[c, j]),
                np.int64(chains.first[d, j]), np.int64(chains.last[d, j]))
        if same:
            return i
    return -1


@kernel
def merge_small(chains: Chains, choice: int, chances: Floats, *, stub: bool) -> int:
    """Make one merge for each of `chances`, each from 0 to 1, as long as a class is too small; return how many."""
    for step in range(len(chances)):
        at = _choose(chains, choice, chances[step])
        if at < 0 or chains.counts[0] == 1:
            return step
        near = _nearest(chains, at)
        c, d = chains.line[at], chains.line[near]
        wanted = chains.need[c] - chains.size[c]
        _widen(chains, c, d)
        if stub and chains.size[d] - wanted >= chains.need[d]:
            _take(chains, c, d, wanted)
            _leave_line(chains, at)
        else:
            _absorb(chains, c, d)
            _leave_line(chains, max(at, near))
            _leave_line(chains, min(at, near))
        twin = _twin(chains, c)
        while twin >= 0:
            _absorb(chains, c, chains.line[twin])
            _leave_line(chains, twin)
            twin = _twin(chains, c)
        chains.line[chains.counts[0]] = c
        chains.counts[0] += 1
    return len(chances)


@kernel
def owners(chains: Chains, label: Ints) -> None:
    """Write for each piece the place in line of the class that it belongs to."""
    for i in range(chains.counts[0]):
        piece = chains.head[chains.line[i]]
        while piece >= 0:
            label[piece] = i
            piece = chains.after[piece]
