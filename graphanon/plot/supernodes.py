"""The supernode graph as a picture: discs for groups of people, lines for the ties between them.

A disc's area is its number of people, a line's width its number of ties, and the colour tells one
attribute of those inside: an interval of numbers by its middle, a label by itself, a counted value by
the most frequent one. What is drawn comes from the files of a release alone. Places come from a
force-directed layout that starts from a circle, so the same files give the same picture.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.plot.released import Released, read_released

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["draw_supernodes"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Okabe and Ito (2008), Color Universal Design: told apart by colour-blind readers too
OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
UNKNOWN = "#BBBBBB"
EDGE = "#5B6770"
BINS = 6
FONT = 10.0  # points, in the legend
MOST_LINES = 6_000  # more than that is a grey disc and says nothing
MOST_PULLS = 150_000  # and so many shape the layout
DISC_SHARE = 0.11  # of the picture's area, for all discs together


@dataclass(frozen=True, kw_only=True)
class _Colouring:
    """A colour for each supernode, and what the colours mean in the order of the legend."""

    title: str
    colours: tuple[str, ...]
    meaning: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class _Scale:
    """How numbers become ink: square points a person, how many ties (or arcs) the widest line has."""

    area: float
    widest: float
    unit: str

    def width(self, ties: float) -> float:
        return 0.5 + 4.5 * ties / self.widest

    def alpha(self, ties: float) -> float:
        return 0.15 + 0.45 * ties / self.widest


def draw_supernodes(ax: Axes, release: Released | Path | str, *, colour: str | None = None) -> Axes:
    """Draw the supernode graph of a release on these axes.

    `colour` names an attribute of the release; left out, it is the one whose values tell supernodes
    apart best. The legend stands to the right of the axes.

    Raises
    ------
    InputProblem
        If the folder is no release of supernodes, or has no such attribute.
    """
    released = release if isinstance(release, Released) else read_released(Path(release))
    sizes = np.array([int(row["size"]) for row in released.supernodes], dtype=float)
    ends, ties = _superedges(released)
    shown = np.argsort(ties, kind="stable")[-MOST_LINES:]
    pulling = np.argsort(ties, kind="stable")[-MOST_PULLS:]
    place = _places(len(sizes), ends[pulling], ties[pulling], sizes)
    colouring = _colouring(released, colour)
    scale = _Scale(area=_disc_area(ax, sizes), widest=float(ties.max(initial=5)), unit=_unit(released))
    _draw_lines(ax, place, ends[shown], ties[shown], scale)
    order = np.argsort(-sizes, kind="stable")  # no disc hides a smaller one
    areas = (sizes * scale.area)[order]
    ax.scatter(place[order, 0], place[order, 1], s=areas, c=[colouring.colours[i] for i in order.tolist()],
               edgecolors="white", linewidths=np.minimum(0.9, np.sqrt(areas) / 8).tolist(), zorder=2)
    ax.set_axis_off()
    ax.margins(0.05)
    first, second = _titles(released, len(shown))
    ax.set_title(f"{first}\n", loc="left", fontsize=15, fontweight="bold", linespacing=1.6)
    ax.text(0, 1.015, second, transform=ax.transAxes, fontsize=11, color=EDGE)
    _legend(ax, colouring, sizes, ties, scale)
    return ax


def _superedges(released: Released) -> tuple[Ints, Floats]:
    """Return the two ends, int64[m, 2], and the ties of each pair of supernodes, once a pair."""
    number = {row["supernode"]: i for i, row in enumerate(released.supernodes)}
    count = _unit(released)
    pairs: Counter[tuple[int, int]] = Counter()
    for row in released.superedges:
        a, b = sorted((number[row["source"]], number[row["target"]]))
        pairs[a, b] += int(row[count])
    ends = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return ends, np.array([pairs[a, b] for a, b in ends.tolist()], dtype=float)


def _unit(released: Released) -> str:
    return "arcs" if released.about.get("directed") else "ties"


def _places(n: int, ends: Ints, ties: Floats, sizes: Floats) -> Floats:
    """Return a place in the unit square for each supernode, near those it has most ties with."""
    import igraph as ig

    if n == 1:
        return np.full((1, 2), 0.5)
    graph = ig.Graph(n=n, edges=ends.tolist())
    angle = 2 * np.pi * np.arange(n) / n
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) * np.sqrt(n)
    # ties a pair of people could have: large supernodes must not pull everything together
    strength = ties / np.sqrt(sizes[ends[:, 0]] * sizes[ends[:, 1]])
    ig.set_random_number_generator(random.Random(0))  # noqa: S311  a picture, not a secret
    try:
        layout = graph.layout_fruchterman_reingold(
            weights=strength.tolist() or None, seed=circle.tolist(), niter=600, grid="nogrid" if n <= 2000 else "grid"
        )
    finally:
        ig.set_random_number_generator(random)
    return _spread(np.array(layout.coords, dtype=float))


def _spread(place: Floats) -> Floats:
    """Fill the unit square: half the way from where a coordinate lies to its rank."""
    low, high = place.min(axis=0), place.max(axis=0)
    linear = (place - low) / np.where(high > low, high - low, 1.0)
    rank = place.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable") / (len(place) - 1)
    return np.asarray((linear + rank) / 2)


def _disc_area(ax: Axes, sizes: Floats) -> float:
    """Return the square points that one person takes."""
    inches = ax.get_window_extent().transformed(ax.get_figure().dpi_scale_trans.inverted())  # type: ignore[union-attr]
    area = inches.width * inches.height * 72**2
    return float(min(DISC_SHARE * area / sizes.sum(), 0.03 * area / sizes.max()))


def _draw_lines(ax: Axes, place: Floats, ends: Ints, ties: Floats, scale: _Scale) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba

    lines = LineCollection(
        list(place[ends]), linewidths=[scale.width(t) for t in ties.tolist()],
        colors=[to_rgba(EDGE, scale.alpha(t)) for t in ties.tolist()], capstyle="round", zorder=1,
    )
    ax.add_collection(lines)


def _titles(released: Released, lines: int) -> tuple[str, str]:
    """Return how many people are in how many supernodes, and how many ties join them."""
    about = released.about
    kind = _unit(released)
    first = f"{about['people']:,} people in {len(released.supernodes):,} supernodes"
    k = about.get("promises", {}).get("k")
    least = f", each of at least {k}" if k else ""
    of = "" if lines == len(released.superedges) else f" (the {lines:,} widest superedges)"
    return first + least, f"{about['ties']:,} {kind} between and inside them{of}"


def _colouring(released: Released, name: str | None) -> _Colouring:
    known = released.numbers + released.labels + released.inside
    if name is not None and name not in known:
        what = f"the release has no attribute '{name}' to colour by"
        raise InputProblem(Problem(what=what, allowed=", ".join(known) or "none", fix="--colour ATTRIBUTE"))
    if not known:
        return _Colouring(title="", colours=(OKABE_ITO[0],) * len(released.supernodes), meaning=())
    names = [name] if name else (released.numbers + released.labels or known)
    options = [_colour_by(released, attribute) for attribute in names]
    return max(options, key=_told_apart)


def _told_apart(colouring: _Colouring) -> float:
    """Return how evenly the colours are used, as an entropy; the unknown tells nothing."""
    share = np.array([n for c, n in Counter(colouring.colours).items() if c != UNKNOWN]) / len(colouring.colours)
    return float(-(share * np.log(share)).sum())


def _colour_by(released: Released, name: str) -> _Colouring:
    if name in released.numbers:
        return _by_number(released, name)
    if name in released.labels:
        return _by_label(name, [_label(row, name) for row in released.supernodes])
    common: dict[str, tuple[int, str]] = {}
    for row in released.sensitive:
        if row["attribute"] == name:
            best = (-int(row["count"]), row["value"])
            common[row["supernode"]] = min(best, common.get(row["supernode"], best))
    labels = [common.get(row["supernode"], (0, "*"))[1] for row in released.supernodes]
    return _by_label(f"{name}, most common", labels)


def _label(row: Any, name: str) -> str:
    if name in row:
        return str(row[name])
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return low if low == high else f"{low} to {high}"


def _by_number(released: Released, name: str) -> _Colouring:
    """Colour intervals by their middle, in bins of equal width."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex
    from matplotlib.ticker import MaxNLocator

    ends = [(row[f"{name}_low"], row[f"{name}_high"]) for row in released.supernodes]
    middle = np.array([np.nan if "*" in pair else (float(pair[0]) + float(pair[1])) / 2 for pair in ends])
    known = ~np.isnan(middle)
    if not known.any():
        return _by_label(name, ["*"] * len(ends))
    edges = MaxNLocator(BINS, steps=[1, 2, 2.5, 5, 10]).tick_values(middle[known].min(), middle[known].max())
    number = len(edges) - 1
    bins = np.clip(np.searchsorted(edges, middle, side="right") - 1, 0, number - 1)
    # even in lightness, so that order shows without hue; the ends are too dark and too pale for discs
    shades = [to_hex(shade) for shade in colormaps["viridis"](np.linspace(0.08, 0.95, number))]
    colours = tuple(shades[b] if k else UNKNOWN for b, k in zip(bins.tolist(), known.tolist(), strict=True))
    used = [b for b in range(number) if shades[b] in colours]
    meaning = [(shades[b], f"{edges[b]:,.4g} to {edges[b + 1]:,.4g}") for b in used]
    return _with_unknown(f"{name}, middle of the range", colours, meaning)


def _by_label(title: str, labels: Sequence[str]) -> _Colouring:
    """Colour labels by frequency; past the palette they share one colour."""
    common = [label for label, _ in sorted(Counter(labels).items(), key=lambda kv: (-kv[1], kv[0])) if label != "*"]
    own = dict(zip(common, OKABE_ITO, strict=False))
    other = "#5A5A5A"
    colours = tuple(UNKNOWN if label == "*" else own.get(label, other) for label in labels)
    meaning = [(shade, _short(label)) for label, shade in own.items()]
    if len(common) > len(own):
        meaning.append((other, f"{len(common) - len(own)} other labels"))
    return _with_unknown(title, colours, meaning)


def _with_unknown(title: str, colours: tuple[str, ...], meaning: list[tuple[str, str]]) -> _Colouring:
    if UNKNOWN in colours:
        meaning = [*meaning, (UNKNOWN, "any (*)")]
    return _Colouring(title=title, colours=colours, meaning=tuple(meaning))


def _short(label: str) -> str:
    text = label if len(label) <= 30 else label[:29] + "…"
    return text.replace("$", r"\$") or "(missing)"


def _legend(ax: Axes, colouring: _Colouring, sizes: Floats, ties: Floats, scale: _Scale) -> None:
    """Explain colour, disc and line beside the picture, each under its heading."""
    from matplotlib.legend import Legend

    discs = _examples(sizes)
    keys = [_Key(_short(colouring.title), [_disc(90, shade, text) for shade, text in colouring.meaning], 0.5)]
    tallest = float(np.sqrt(discs[-1] * scale.area))
    keys.append(_Key("people", [_disc(n * scale.area, UNKNOWN, f"{n:,}") for n in discs],
                     max(0.5, tallest / FONT - 0.9)))
    keys.append(_Key(scale.unit, [_line(scale, n) for n in _examples(ties)] if len(ties) else [], 0.5))
    keys = [key for key in keys if key.handles]
    tall = ax.get_window_extent().height / ax.get_figure().dpi * 72  # type: ignore[union-attr]
    top = 0.5 + sum(key.height for key in keys) / tall / 2
    for key in keys:
        legend = Legend(
            ax, key.handles, [str(handle.get_label()) for handle in key.handles], title=key.title, title_fontproperties={"weight": "bold", "size": FONT},
            alignment="left", loc="upper left", bbox_to_anchor=(1.01, top), borderaxespad=0, frameon=False,
            fontsize=FONT, labelspacing=key.spacing, handlelength=max(2.0, tallest / FONT),
        )
        ax.add_artist(legend).set_clip_on(False)
        top -= key.height / tall


@dataclass(frozen=True)
class _Key:
    """One part of the legend; `spacing` is the room between its lines, in heights of a letter."""

    title: str
    handles: list[Line2D]
    spacing: float

    @property
    def height(self) -> float:
        """Points that the part takes, with a gap below it."""
        return FONT * (2.9 + len(self.handles) * (1.05 + self.spacing))


def _line(scale: _Scale, ties: int) -> Line2D:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=EDGE, linewidth=scale.width(ties), alpha=scale.alpha(ties), label=f"{ties:,}",
                  solid_capstyle="round")


def _examples(values: Floats) -> list[int]:
    """Return the least, a middling and the largest value, once each."""
    return sorted({int(values.min()), int(np.median([values.min(), values.max()])), int(values.max())})


def _disc(area: float, shade: str, text: str) -> Line2D:
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="None", marker="o", markersize=float(np.sqrt(area)), color=shade,
                  markeredgecolor="white", label=text)
