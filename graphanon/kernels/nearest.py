"""Everyone's nearest others, and how close each person is to the nearest of a few."""

from __future__ import annotations

from graphanon.closeness import Crowd, Shorts
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.rows import TOLERANCE, Room, row

__all__ = ["closest", "nearest"]


@kernel
def nearest(
    crowd: Crowd, beta: float, start: int, stop: int, everyone: Shorts, room: Room, near: Shorts, close: Floats
) -> None:
    """Write the people most similar to each of `start` ... `stop`, nearest first, of equals the first.

    ``near[v]`` int32[K_nn] holds who, ``close[v]`` float64[K_nn] how similar; `everyone` is 0 ... n - 1.
    """
    most = near.shape[1]
    for v in range(start, stop if most else start):
        row(crowd, beta, v, everyone, len(everyone), room)
        held = 0
        for u in range(len(everyone)):
            s = room.out[u]
            if u == v or (held == most and s <= close[v, most - 1] + TOLERANCE):
                continue
            at = min(held, most - 1)
            held = min(held + 1, most)
            while at > 0 and s > close[v, at - 1] + TOLERANCE:
                near[v, at], close[v, at] = near[v, at - 1], close[v, at - 1]
                at -= 1
            near[v, at], close[v, at] = u, s


@kernel
def closest(crowd: Crowd, beta: float, start: int, stop: int, few: Shorts, room: Room, best: Floats) -> None:
    """Write to ``best[v]`` the similarity of each of `start` ... `stop` to the most similar other of `few`."""
    for v in range(start, stop):
        row(crowd, beta, v, few, len(few), room)
        best[v] = 0.0
        for i in range(len(few)):
            if few[i] != v:
                best[v] = max(best[v], room.out[i])
