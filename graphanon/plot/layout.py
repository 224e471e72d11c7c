"""Where supernodes and people lie in a picture.

Layouts are those of igraph, begun from a circle and with its generator seeded, so that the same files give
the same picture. Beyond a few hundred, a force-directed layout of everything is a ball of wool: then
communities are found first (Traag, Waltman and van Eck, From Louvain to Leiden, 2019), laid out as
islands as large as they have members, and each is laid out within its own shore.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem

if TYPE_CHECKING:
    import igraph as ig

__all__ = ["LAYOUTS", "Places", "communities", "places", "seeded", "strongest"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LAYOUTS = ("force", "islands", "kamada-kawai", "drl", "mds", "circle")
FORCE_MOST = 700  # so many at once can still be told apart
ISLAND_MOST = 1_200  # so many an island, for time grows with their square
PULLS = 3  # of each member's ties shape its island
STEPS = 400
DRAWN, PUSHES = 300, 1_000  # steps in which islands are drawn together, and in which they are pushed apart


@dataclass(frozen=True, kw_only=True, eq=False)
class Places:
    """A place in the unit square for each node, float64[n, 2], and the island that it is on, int64[n]."""

    xy: Floats
    island: Ints

    @property
    def centres(self) -> Floats:
        """The middle of each island, float64[islands, 2]."""
        count = np.bincount(self.island)
        return np.column_stack([np.bincount(self.island, self.xy[:, j]) / count for j in (0, 1)])


def places(n: int, ends: Ints, weights: Floats, *, layout: str | None = None, seed: int = 0) -> Places:
    """Return places for n nodes that are tied by `ends` int64[m, 2] as strongly as `weights` float64[m] say.

    Left out, `layout` is `force` for a few hundred nodes and `islands` for more.

    Raises
    ------
    InputProblem
        If the layout is not one of `LAYOUTS`.

    Examples
    --------
    >>> import numpy as np
    >>> places(3, np.array([[0, 1]]), np.array([2.0]), layout="circle").xy.round(1).tolist()
    [[1.0, 0.5], [0.0, 1.0], [0.0, 0.0]]
    """
    layout = layout or ("force" if n <= FORCE_MOST else "islands")
    if layout not in LAYOUTS:
        raise InputProblem(Problem(what=f"there is no layout '{layout}'", allowed=", ".join(LAYOUTS)))
    alone = np.zeros(n, dtype=np.int64)
    if n <= 1:
        return Places(xy=np.full((n, 2), 0.5), island=alone)
    with seeded(seed):
        if layout == "islands":
            return _islands(n, ends, weights)
        if layout == "force":
            return Places(xy=_spread(_forced(n, ends, weights)), island=alone)
        return Places(xy=_unit(_by_igraph(n, ends, weights, layout)), island=alone)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Give igraph a generator of its own for a while, so that a picture can be drawn again."""
    import igraph as ig

    ig.set_random_number_generator(random.Random(seed))  # noqa: S311  a picture, not a secret
    try:
        yield
    finally:
        ig.set_random_number_generator(random)


def _by_igraph(n: int, ends: Ints, weights: Floats, layout: str) -> Floats:
    import igraph as ig

    graph = ig.Graph(n=n, edges=ends.tolist())
    match layout:
        case "kamada-kawai":
            found = graph.layout_kamada_kawai(seed=_circle(n).tolist())
        case "drl":
            found = graph.layout_drl(weights=weights.tolist() or None, seed=_circle(n).tolist())
        case "mds":
            found = graph.layout_mds()
        case _:
            found = graph.layout_circle()
    return np.array(found.coords, dtype=float)


def _circle(n: int) -> Floats:
    angle = 2 * np.pi * np.arange(n) / n
    return np.asarray(np.column_stack([np.cos(angle), np.sin(angle)]) * np.sqrt(n))


def _forced(n: int, ends: Ints, weights: Floats) -> Floats:
    """Return the places of a force-directed layout (Fruchterman and Reingold, 1991)."""
    import igraph as ig

    graph = ig.Graph(n=n, edges=ends.tolist())
    steps = int(np.clip(2e8 / n**2, 50, STEPS))
    found = graph.layout_fruchterman_reingold(
        weights=weights.tolist() or None, seed=_circle(n).tolist(), niter=steps, grid="nogrid"
    )
    return np.array(found.coords, dtype=float)


def _unit(place: Floats) -> Floats:
    low, high = place.min(axis=0), place.max(axis=0)
    return np.asarray(np.where(high > low, (place - low) / np.where(high > low, high - low, 1.0), 0.5))


def _spread(place: Floats) -> Floats:
    """Fill the unit square: half the way from where a coordinate lies to its rank."""
    rank = place.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable") / (len(place) - 1)
    return np.asarray((_unit(place) + rank) / 2)


def communities(n: int, ends: Ints, weights: Floats) -> Ints:
    """Return int64[n], the community of each node, the largest first; those without ties are in the last."""
    import igraph as ig

    tied = np.bincount(ends.ravel(), minlength=n) > 0
    graph = ig.Graph(n=n, edges=ends.tolist())
    found = np.array(graph.community_leiden("modularity", weights=weights.tolist() or None, n_iterations=4).membership)
    found = np.where(tied, found, -1)
    return _by_size(found)


def _by_size(labels: Ints) -> Ints:
    names, place, count = np.unique(labels, return_inverse=True, return_counts=True)
    order = np.lexsort((names, -count, names < 0))
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return rank[place.reshape(-1)]


def _islands(n: int, ends: Ints, weights: Floats) -> Places:
    island = _split(communities(n, ends, weights), ends, weights)
    count = int(island.max()) + 1
    size = np.bincount(island, minlength=count)
    centre, radius = _archipelago(size, island, ends, weights)
    place = np.empty((n, 2))
    inner = island[ends[:, 0]] == island[ends[:, 1]]
    local = np.empty(n, dtype=np.int64)
    for one in range(count):
        members = np.flatnonzero(island == one)
        local[members] = np.arange(len(members))
        own = np.flatnonzero(inner & (island[ends[:, 0]] == one))
        own = own[strongest(ends[own], weights[own], PULLS)]
        place[members] = centre[one] + 0.92 * radius[one] * _disc(_island(len(members), local[ends[own]], weights[own]))
    return Places(xy=_fitted(place), island=island)


def _island(n: int, ends: Ints, weights: Floats) -> Floats:
    return _circle(n) if n <= 2 or not len(ends) else _forced(n, ends, np.sqrt(weights))


def _split(island: Ints, ends: Ints, weights: Floats) -> Ints:
    """Divide islands that are too large to lay out, by communities of finer and finer resolution."""
    for resolution in (2.0, 4.0, 8.0, 16.0):
        large = np.flatnonzero(np.bincount(island) > ISLAND_MOST)
        if not len(large):
            break
        graph = _graph(len(island), ends, weights)
        for one in large.tolist():
            members = np.flatnonzero(island == one)
            part = graph.induced_subgraph(members.tolist())
            finer = part.community_leiden("modularity", weights="weight", resolution=resolution, n_iterations=4)
            island[members] += (np.array(finer.membership) > 0) * (island.max() + np.array(finer.membership) - one)
    return _by_size(island)


def _graph(n: int, ends: Ints, weights: Floats) -> ig.Graph:
    import igraph as ig

    graph = ig.Graph(n=n, edges=ends.tolist())
    graph.es["weight"] = weights.tolist()
    return graph


def _disc(place: Floats) -> Floats:
    """Fill the unit disc evenly: directions stay, distances from the middle go by rank."""
    if len(place) == 1:
        return np.zeros((1, 2))
    away = place - np.median(place, axis=0)
    distance = np.hypot(*away.T)
    rank = np.sqrt((distance.argsort(kind="stable").argsort(kind="stable") + 0.5) / len(place))
    linear = distance / max(float(distance.max()), 1e-12)
    angle = np.arctan2(away[:, 1], away[:, 0])
    # directions by rank too, most of the way: a cluster to one side would leave the rest of the disc empty
    turn = 2 * np.pi * angle.argsort(kind="stable").argsort(kind="stable") / len(place) - np.pi
    angle = 0.2 * angle + 0.8 * turn
    radius = 0.8 * rank + 0.2 * linear
    return np.asarray(np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]))


def _archipelago(size: Ints, island: Ints, ends: Ints, weights: Floats) -> tuple[Floats, Floats]:
    """Return the middle and the radius of each island: none overlap, tied ones lie near each other."""
    import igraph as ig

    count = len(size)
    radius = np.sqrt(size.astype(float)) + 0.6
    pairs = np.sort(island[ends], axis=1)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    bridges, bridge = np.unique(pairs, axis=0, return_inverse=True) if len(pairs) else (pairs, np.empty(0, int))
    between = weights[island[ends[:, 0]] != island[ends[:, 1]]]
    pull = np.bincount(bridge.reshape(-1), between, len(bridges)) / np.sqrt(size[bridges[:, 0]] * size[bridges[:, 1]])
    graph = ig.Graph(n=count, edges=bridges.tolist())
    found = graph.layout_fruchterman_reingold(weights=pull.tolist() or None, seed=_circle(count).tolist(), niter=STEPS, grid="nogrid")
    place = _unit(np.array(found.coords)) * 2 * radius.sum() if count > 1 else np.zeros((1, 2))
    place[:, 1] *= 0.8
    return _apart(place, radius), radius


def _apart(place: Floats, radius: Floats) -> Floats:
    """Draw discs together towards the middle, and push those apart that overlap."""
    least = 1.06 * (radius[:, None] + radius[None, :])
    np.fill_diagonal(least, 0)
    for step in range(PUSHES):
        if step < DRAWN:
            place = place - 0.03 * (place - np.average(place, axis=0, weights=radius**2))
        away = place[:, None] - place[None, :]
        distance = np.hypot(away[..., 0], away[..., 1])
        overlap = np.maximum(least - distance, 0)
        if step >= DRAWN and overlap.max() < 0.02 * np.median(radius):
            break
        # the larger one gives way less
        share = radius[None, :] ** 2 / (radius[:, None] ** 2 + radius[None, :] ** 2)
        place = place + ((overlap * share / np.maximum(distance, 1e-9))[..., None] * away).sum(axis=1) * 0.5
    return place


def _fitted(place: Floats) -> Floats:
    """Fit places into the unit square, as wide as they are, without bending circles."""
    low, high = place.min(axis=0), place.max(axis=0)
    return np.asarray((place - (low + high) / 2) / max(float((high - low).max()), 1e-12) + 0.5)


def strongest(ends: Ints, weights: Floats, each: int) -> Ints:
    """Return the positions of the ties that are among the `each` strongest of one of their ends, in order.

    Examples
    --------
    >>> import numpy as np
    >>> strongest(np.array([[0, 1], [0, 2], [1, 2], [2, 3]]), np.array([1.0, 5.0, 4.0, 3.0]), 1)
    array([1, 2, 3])
    """
    keep = np.zeros(len(weights), dtype=bool)
    both = np.concatenate([ends[:, 0], ends[:, 1]])
    tie = np.concatenate([np.arange(len(weights))] * 2)
    order = np.lexsort((tie, -weights[tie], both))
    first = np.searchsorted(both[order], both[order], side="left")
    keep[tie[order[np.arange(len(order)) - first < each]]] = True
    return np.flatnonzero(keep)
