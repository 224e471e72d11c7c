"""People near each other in attributes, found without looking at every pair.

People who stand close in one of several orders, each by another attribute first, are compared; who is near in
all attributes is close in most of them. Costs grow with the number of people, orders and width alone.
"""

from __future__ import annotations

import numpy as np

from graphanon.closeness import Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import lean
from graphanon.kernels.refine_state import State, price_of

__all__ = ["nearest_in_orders"]


@lean
def _apart(state: State, a: int, b: int, most: float) -> float:
    """Return the price of telling `a` and `b` together, over all attributes, or `most` and more if that is reached."""
    total = 0.0
    for j in range(state.crowd.codes.shape[1]):
        x, y = np.int64(state.crowd.codes[a, j]), np.int64(state.crowd.codes[b, j])
        total += price_of(state, j, min(x, y), max(x, y))
        if total >= most:
            break
    return total


@lean
def _offer(near: Shorts, far: Floats, v: int, u: int, apart: float) -> None:
    """Put `u` among the nearest of `v`, which stand nearest first, if there is a place for them."""
    last = near.shape[1] - 1
    if apart >= far[v, last]:
        return
    for i in range(near.shape[1]):
        if near[v, i] == u:
            return
    at = last
    while at > 0 and apart < far[v, at - 1]:
        near[v, at], far[v, at] = near[v, at - 1], far[v, at - 1]
        at -= 1
    near[v, at], far[v, at] = u, apart


@lean
def nearest_in_orders(
    state: State, order: Shorts, width: int, start: int, stop: int, near: Shorts, far: Floats
) -> None:
    """Compare those at `start` ... `stop` of an `order` with the next `width` people of it.

    ``near[v]`` holds who is near v, nearest first (-1: nobody yet), ``far[v]`` how far (infinity).
    """
    for i in range(start, stop):
        for at in range(i + 1, min(i + 1 + width, len(order))):
            v, u = np.int64(order[i]), np.int64(order[at])
            apart = _apart(state, v, u, max(far[v, -1], far[u, -1]))
            _offer(near, far, v, u, apart)
            _offer(near, far, u, v, apart)
