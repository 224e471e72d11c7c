"""The supernode graph as a picture: discs for groups of people, lines for the ties between them.

A disc's area is its number of people, a line's width its number of ties, the colour tells one attribute of
those inside, and a ring marks what the reader should beware of. What is drawn comes from a release alone,
save the rings of floors, which only the custodian knows.

Of thousands of supernodes each keeps the superedges with most ties, and those between two communities are
bundled through the middles of both (after Holten, Hierarchical Edge Bundles, 2006); the heading says so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.plot.colouring import Colouring, fill_of
from graphanon.plot.layout import Places, places, strongest
from graphanon.plot.released import Source, run_of, supernodes_of, unit
from graphanon.plot.style import INK, LINE, TEXT, UNKNOWN, Key, dots, head, legend, short, stroke
from graphanon.release import Release

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path
__all__ = ["Scale", "disc_area", "draw_lines", "draw_supernodes", "leave_room"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_LINES = 8_000  # more than that is a grey disc and says nothing
EACH = (12, 8, 6, 4, 3, 2, 1)  # superedges of a supernode, as many as there is room for
HALF = 0.5
INK_SHARE = 0.45  # of the picture, that lines may cover
SWATCH = 42.0  # square points of a disc in the legend
WIDEST = 30.0  # points, of the largest disc


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How numbers become ink: square points a person, how many ties (or arcs) the widest line has.

    Lines are thinner and paler, by `thin` and `pale` 0 to 1, where there are many.
    """

    area: float
    widest: float
    thin: float = 1.0
    pale: float = 1.0

    def width(self, ties: float) -> float:
        """Return the points that a line of so many ties is wide."""
        return self.thin * (0.35 + 2.6 * ties / self.widest)

    def alpha(self, ties: float) -> float:
        """Return how dark it is, 0 to 1."""
        return self.pale * (0.13 + 0.42 * ties / self.widest)

    def for_lines(self, ax: Axes, place: Places, ends: Ints, ties: Floats) -> Scale:
        """Return the scale with lines so thin and pale that they leave the discs to be seen."""
        side = plot_size(ax)
        length = np.hypot(*((place.xy[ends[:, 0]] - place.xy[ends[:, 1]]) * side).T)
        thin = replace(self, thin=float(np.interp(len(ends), (500, 4_000), (1.0, 0.55))))
        ink = sum(a * thin.width(n) * thin.alpha(n) for a, n in zip(length.tolist(), ties.tolist(), strict=True))
        return replace(thin, pale=min(1.0, INK_SHARE * side[0] * side[1] / max(ink, 1e-9)))


def draw_supernodes(
    ax: Axes, source: Source, *, colour: str | None = None, ring: str | None = None, layout: str | None = None,
    seed: int = 0,
) -> Axes:
    """Draw the supernode graph of a run or a release on these axes.

    `colour` names an attribute, or ``attribute=value`` for the share of people that have the value; left out, it is
    the attribute whose values tell supernodes apart best. `ring` names a sensitive attribute: ringed are supernodes
    half of whose people share one value of it (the first one if left out, ``none`` for no rings); ``floor`` rings
    those whose people asked for more than k, which only a run knows. `layout` is one of `LAYOUTS`; `seed` fixes it.

    Raises
    ------
    InputProblem
        If this is no release of supernodes, or has no such attribute or layout.
    """
    release = supernodes_of(source)
    sizes = release.sizes.astype(float)
    ends, ties = _superedges(release)
    # ties a pair of people could have: large supernodes must not pull everything together
    strength = ties / np.sqrt(sizes[ends[:, 0]] * sizes[ends[:, 1]])
    place = places(len(sizes), ends, strength, layout=layout, seed=seed)
    fill, ringed = fill_of(release, colour), _ringed(source, release, ring)
    shown = _shown(ends, ties)
    scale = Scale(area=disc_area(ax, sizes), widest=float(ties.max(initial=5)))
    scale = scale.for_lines(ax, place, ends[shown], ties[shown])
    draw_lines(ax, place, ends[shown], ties[shown], scale)
    _draw_discs(ax, place, sizes * scale.area, fill)
    if ringed is not None and ringed[0].any():
        _draw_rings(ax, place.xy[ringed[0]], sizes[ringed[0]] * scale.area)
    ax.set_axis_off()
    leave_room(ax, float(sizes.max()) * scale.area)
    head(ax, *_titles(release, len(shown), len(ends)))
    keys = [Key(fill.title, tuple(dots(SWATCH, shade, text) for shade, text in fill.meaning)), *_ring_key(ringed)]
    legend(ax, [*keys, *_size_keys(sizes, ties, scale, unit(release))])
    return ax


def _superedges(release: Release) -> tuple[Ints, Floats]:
    """Return the two ends, int64[m, 2], and the ties of each pair of supernodes, once a pair."""
    ties = release.superties
    assert ties is not None
    pairs = np.sort(np.column_stack([ties.source, ties.target]), axis=1).reshape(-1, 2)
    if not len(pairs):
        return pairs.astype(np.int64), np.empty(0)
    ends, place = np.unique(pairs, axis=0, return_inverse=True)
    return ends.astype(np.int64), np.bincount(place.reshape(-1), ties.ties).astype(float)


def _shown(ends: Ints, ties: Floats) -> Ints:
    """Return the superedges that are drawn: all, or those of each supernode that have most ties."""
    if len(ends) <= MOST_LINES:
        return np.arange(len(ends))
    for each in EACH:
        found = strongest(ends, ties, each)
        if len(found) <= MOST_LINES or each == EACH[-1]:
            break
    return found


def plot_size(ax: Axes) -> tuple[float, float]:
    """Return how many points wide and tall the axes are, before legend and title have taken their room."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    box = ax.get_window_extent()
    return box.width * 72 / figure.dpi, box.height * 72 / figure.dpi


def disc_area(ax: Axes, sizes: Floats) -> float:
    """Return the square points that one person takes."""
    wide, tall = plot_size(ax)
    # many small discs may cover more of the picture than a few large ones
    share = np.interp(np.log10(max(len(sizes), 1)), [1.5, 3.5], [0.10, 0.16])
    return float(min(share * wide * tall / sizes.sum(), WIDEST**2 / sizes.max()))


def leave_room(ax: Axes, area: float) -> None:
    """Leave room in the frame for a disc of `area` square points at its edge."""
    wide, tall = plot_size(ax)
    ax.margins(0.02 + np.sqrt(area) / 2 / (0.7 * wide), 0.02 + np.sqrt(area) / 2 / (0.7 * tall))


def draw_lines(ax: Axes, place: Places, ends: Ints, ties: Floats, scale: Scale) -> None:
    """Draw a line for each pair, the widest on top; those between islands run through the middles of both."""
    from matplotlib.collections import PathCollection
    from matplotlib.colors import to_rgba

    order = np.argsort(ties, kind="stable")
    lines = PathCollection(
        _paths(place, ends[order]), facecolors="none", linewidths=[scale.width(t) for t in ties[order].tolist()],
        edgecolors=[to_rgba(LINE, scale.alpha(t)) for t in ties[order].tolist()], capstyle="round", zorder=1,
    )
    lines.set_transform(ax.transData)
    lines.set_gid("superedges")
    ax.add_collection(lines)
    ax.update_datalim(place.xy)


def _paths(place: Places, ends: Ints) -> list[Path]:
    from matplotlib.path import Path

    island, middle = place.island[ends], place.centres
    begin, end = place.xy[ends[:, 0]], place.xy[ends[:, 1]]
    bend = 0.85 * (island[:, 0] != island[:, 1])[:, None]
    first = begin + bend * (middle[island[:, 0]] - begin)
    second = end + bend * (middle[island[:, 1]] - end)
    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    curved = (bend[:, 0] > 0).tolist()
    points = np.stack([begin, first, second, end], axis=1)
    return [Path(four, codes) if bent else Path(four[[0, 3]]) for four, bent in zip(points, curved, strict=True)]


def _draw_discs(ax: Axes, place: Places, areas: Floats, fill: Colouring) -> None:
    order = np.argsort(-areas, kind="stable")  # no disc hides a smaller one
    discs = ax.scatter(
        place.xy[order, 0], place.xy[order, 1], s=areas[order], c=[fill.colours[i] for i in order.tolist()],
        edgecolors="white", linewidths=np.minimum(0.6, np.sqrt(areas[order]) / 10).tolist(), zorder=2,
    )
    discs.set_gid("supernodes")


def _draw_rings(ax: Axes, xy: Floats, areas: Floats) -> None:
    width = float(np.clip(np.sqrt(np.median(areas)) / 12, 0.35, 0.9))
    rings = ax.scatter(xy[:, 0], xy[:, 1], s=(np.sqrt(areas) + 2.4 * width) ** 2, facecolors="none", edgecolors=INK,
                       linewidths=width, zorder=3)
    rings.set_gid("rings")


def _ringed(source: Source, release: Release, ring: str | None) -> tuple[NDArray[np.bool_], str] | None:
    """Return which supernodes have a ring and what it means."""
    if ring == "floor":
        return _above_k(source, release)
    known = [column.name for column in release.payload if column.role == "sensitive"]
    if ring == "none" or (ring is None and not known):
        return None
    if ring is not None and ring not in [column.name for column in release.payload]:
        what = f"the release counts no values of '{ring}' to ring supernodes by"
        allowed = ", ".join([*(column.name for column in release.payload), "floor", "none"])
        raise InputProblem(Problem(what=what, allowed=allowed, fix="--ring none"))
    name = ring or known[0]
    most: Counter[str] = Counter()
    for line in release.counts:
        if line.attribute == name:
            most[line.supernode] = max(most[line.supernode], line.people)
    share = np.array([most[supernode] for supernode in release.names]) / release.sizes
    return share >= HALF, f"one {short(name, 18)}"


def _above_k(source: Source, release: Release) -> tuple[NDArray[np.bool_], str]:
    run = run_of(source)
    if run is None or run.grouping.partition.floors is None:
        what = "which people asked for more than k is not in a release"
        raise InputProblem(Problem(what=what, allowed="a run", fix="--ring none"))
    place = {name: i for i, name in enumerate(release.names)}
    floor = np.full(len(place), run.requirement.k)
    for name, label in zip(run.membership, run.grouping.partition.labels.tolist(), strict=True):
        if label >= 0:
            floor[place[name]] = run.grouping.partition.floors[label]
    return floor > run.requirement.k, f"must be larger than {run.requirement.k}"


def _titles(release: Release, shown: int, of: int) -> tuple[str, str]:
    """Return how many people are in how many supernodes, and how many ties join them."""
    told = release.statement
    kind, count = unit(release), len(release.sizes)
    people = int(release.sizes.sum())
    first = f"{people:,} {'person' if people == 1 else 'people'} in {count:,} supernode{'' if count == 1 else 's'}"
    k = told.get("promises", {}).get("k")
    least = f", each of at least {k}" if k else ""
    ties = release.superties
    assert ties is not None
    second = f"{int(ties.inside.sum() + ties.ties.sum()):,} {kind} inside and between them"
    if shown < of:
        second += f". Drawn: {shown:,} of {of:,} superedges, for each supernode those with most {kind}"
    return first + least, second


def _ring_key(ringed: tuple[NDArray[np.bool_], str] | None) -> list[Key]:
    if ringed is None:
        return []
    held, text = ringed
    title = "ring: half or more share" if text.startswith("one ") else "ring"
    return [Key(title, (dots(SWATCH, UNKNOWN, f"{text} ({int(held.sum()):,})", edge=INK, width=0.9),), 0.45)]


def _size_keys(sizes: Floats, ties: Floats, scale: Scale, kind: str) -> list[Key]:
    """Explain discs and lines, each by its least, a middling and its largest number."""
    examples = _examples(sizes)
    tallest = float(np.sqrt(examples[-1] * scale.area))
    people = tuple(dots(n * scale.area, UNKNOWN, f"{n:,}") for n in examples)
    lines = tuple(
        stroke(LINE, scale.width(n), f"{n:,}", alpha=max(scale.alpha(n), 0.2)) for n in (_examples(ties) if len(ties) else ())
    )
    return [
        Key("people", people, max(0.45, tallest / TEXT - 0.9), max(2.0, tallest / TEXT), max(0.0, tallest / TEXT / 2 - 0.5)),
        Key("ties" if kind == "ties" else "arcs, both ways", lines),
    ]


def _examples(values: Floats) -> list[int]:
    """Return the least, a middling and the largest value, once each."""
    return sorted({int(values.min()), int(np.median([values.min(), values.max()])), int(values.max())})
