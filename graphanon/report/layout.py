"""Where supernodes stand in the explorer: near those they are tied to, community by community.

Thousands of discs cannot be told apart in one picture, so supernodes are first put together into
communities of many ties (V. A. Traag, L. Waltman and N. J. van Eck, From Louvain to Leiden, 2019). Each
community is laid out on its own and fills a disc of its own; the discs stand as their ties draw them.
Every place comes from a generator of its own with a fixed seed: the same release gives the same page.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["communities", "places"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_COMMUNITIES = 40
ENOUGH = 12  # communities that an overview of many supernodes should have
FINER = (1.0, 1.5, 2.2, 3.2)  # resolutions to try for them
MOST_PULLS = 20_000  # ties that shape one community's layout
FEW = 400  # supernodes that one layout shows well


@contextmanager
def _fixed_chance() -> Iterator[Any]:
    import igraph as ig

    ig.set_random_number_generator(random.Random(0))  # noqa: S311  a picture, not a secret
    try:
        yield ig
    finally:
        ig.set_random_number_generator(random)


def communities(n: int, ends: Ints, ties: Ints, sizes: Ints) -> Ints:
    """Return the community of each supernode, int64[n], the one with most people first.

    Past forty communities the smallest share the last place.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = np.array([[0, 1], [2, 3]])
    >>> communities(4, pairs, np.array([3, 3]), np.array([5, 5, 9, 9]))
    array([1, 1, 0, 0])
    """
    with _fixed_chance() as ig:
        graph = ig.Graph(n=n, edges=ends.tolist())
        for resolution in FINER:
            found = graph.community_leiden(objective_function="modularity", weights=ties.tolist(), n_iterations=4,
                                           resolution=resolution)
            if n <= FEW or len(found) >= ENOUGH:
                break
    labels = np.array(found.membership, dtype=np.int64)
    people = np.bincount(labels, weights=sizes)
    rank = np.argsort(np.argsort(-people, kind="stable"), kind="stable")
    return np.minimum(rank[labels], MOST_COMMUNITIES - 1).astype(np.int64)


def places(ends: Ints, ties: Ints, sizes: Ints, labels: Ints) -> Floats:
    """Return a place for each supernode, float64[n, 2], communities in discs apart where there are many."""
    n = len(sizes)
    strength = ties / np.sqrt(sizes[ends[:, 0]] * sizes[ends[:, 1]])
    if n <= FEW:
        return _spread(_drawn(n, ends, strength))
    radius = np.sqrt(np.bincount(labels))
    centre = _apart(_of_communities(ends, ties, labels, radius), radius * 1.15)
    place = np.empty((n, 2))
    for label in range(len(radius)):
        own = np.flatnonzero(labels == label)
        place[own] = centre[label] + radius[label] * _round(_inner(own, ends, strength, n))
    return place


def _inner(own: Ints, ends: Ints, strength: Floats, n: int) -> Floats:
    """Lay out one community by the ties among its own."""
    number = np.full(n, -1)
    number[own] = np.arange(len(own))
    inner = (number[ends] >= 0).all(axis=1)
    pairs, pull = number[ends[inner]], strength[inner]
    strongest = np.argsort(-pull, kind="stable")[:MOST_PULLS]
    return _drawn(len(own), pairs[strongest], pull[strongest])


def _drawn(n: int, ends: Ints, strength: Floats) -> Floats:
    if n == 1:
        return np.zeros((1, 2))
    angle = 2.399963 * np.arange(n)  # the golden angle: a spiral to begin with
    spiral = np.column_stack([np.cos(angle), np.sin(angle)]) * np.sqrt(np.arange(n) + 1.0)[:, None]
    with _fixed_chance() as ig:
        layout = ig.Graph(n=n, edges=ends.tolist()).layout_fruchterman_reingold(
            weights=strength.tolist() or None, seed=spiral.tolist(), niter=300, grid="grid" if n > FEW else "nogrid"
        )
    return np.array(layout.coords, dtype=float)


def _round(place: Floats) -> Floats:
    """Fill the unit disc evenly: angles as they are, distances from the middle by rank."""
    away = place - place.mean(axis=0)
    distance = np.hypot(away[:, 0], away[:, 1])
    rank = distance.argsort(kind="stable").argsort(kind="stable")
    unit = away / np.where(distance > 0, distance, 1.0)[:, None]
    return np.asarray(unit * np.sqrt((rank + 0.5) / len(place))[:, None] * (len(place) > 1))


def _spread(place: Floats) -> Floats:
    """Fill a wide box: half the way from where a coordinate lies to its rank."""
    low, high = place.min(axis=0), place.max(axis=0)
    linear = (place - low) / np.where(high > low, high - low, 1.0)
    rank = place.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable") / max(len(place) - 1, 1)
    return np.asarray((linear + rank) / 2 * (1.6, 1.0))


def _of_communities(ends: Ints, ties: Ints, labels: Ints, radius: Floats) -> Floats:
    n = len(radius)
    between = np.zeros((n, n))
    np.add.at(between, (labels[ends[:, 0]], labels[ends[:, 1]]), ties)
    between = np.triu(between + between.T, 1)
    pairs = np.argwhere(between > 0)
    pull = between[pairs[:, 0], pairs[:, 1]] / (radius[pairs[:, 0]] * radius[pairs[:, 1]])
    place = _drawn(n, pairs, pull / max(pull.max(initial=0), 1e-9))
    wide = np.sqrt((radius**2).sum()) / max(float(np.abs(place - place.mean(axis=0)).max()), 1e-9)
    return np.asarray((place - place.mean(axis=0)) * wide * (1.6, 1.0))


def _apart(place: Floats, radius: Floats) -> Floats:
    """Push discs apart until none lies on another, from the middle outwards."""
    order = np.argsort(np.hypot(*place.T), kind="stable")
    out = place.copy()
    for i, disc in enumerate(order.tolist()):
        set_ = order[:i]
        for step in range(400):
            gap = np.hypot(*(out[set_] - out[disc]).T) - radius[set_] - radius[disc]
            if (gap >= -1e-9).all():
                break
            angle = np.arctan2(*place[disc][::-1]) + 0.35 * step
            out[disc] = place[disc] + 0.08 * step * radius[disc] * np.array([1.6 * np.cos(angle), np.sin(angle)])
    return out
