"""Class sizes against the least that was promised: how many classes there are of each size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphanon.plot.released import Source, release_of, run_of
from graphanon.plot.style import INK, OKABE_ITO, WARNING, Key, head, legend, patch, stroke, tidy
from graphanon.release import Release

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_class_sizes"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
PLAIN_MOST = 60  # so many sizes have a bar each; beyond that sizes are gathered by powers
RAISED = OKABE_ITO[1]
LEAST = OKABE_ITO[0]


def draw_class_sizes(ax: Axes, source: Source) -> Axes:
    """Draw how many classes have how many people, and the least size that was promised.

    Of a run, those classes stand out whose people or whose method asked for more than k.
    """
    release = release_of(source)
    sizes, floors = _sizes(source, release)
    k = release.statement.get("promises", {}).get("k", 1)
    edges = _edges(sizes, k)
    groups = [(LEAST, f"asked for {k:,}", sizes[floors <= k])]
    if (floors > k).any():
        groups.append((RAISED, f"asked for {k + 1:,} to {int(floors.max()):,}", sizes[floors > k]))
    below = np.zeros(len(edges) - 1)
    gap = 0.12 * np.diff(edges) if len(edges) <= PLAIN_MOST else 0
    for shade, _, own in groups:
        number = np.histogram(own, edges)[0]
        ax.bar(edges[:-1] + gap / 2, number, np.diff(edges) - gap, bottom=below, align="edge", color=shade)
        below += number
    ax.axvline(k - 0.5 if edges[0] == k - 0.5 or k > 1 else k, color=WARNING, linewidth=1.2)
    far = edges[-1] - edges[0] > PLAIN_MOST
    ax.set_xscale("log" if far else "linear")
    _finish(ax, release, sizes, edges, k)
    if far:
        _logarithmic(ax, edges)
    keys = tuple(patch(shade, text) for shade, text, own in groups if len(own))
    legend(ax, [Key(_noun(release).capitalize(), keys), Key("promise", (stroke(WARNING, 1.2, f"k = {k:,}"),))], below=26)
    return ax


def _noun(release: Release) -> str:
    return "supernodes" if release.superties is not None else "classes"


def _sizes(source: Source, release: Release) -> tuple[Ints, Ints]:
    """Return the size of each class and the least that was asked of it."""
    k = release.statement.get("promises", {}).get("k", 1)
    run = run_of(source)
    if run is None or release.superties is None:
        return release.sizes, np.full(len(release.sizes), k)
    partition = run.grouping.partition
    return partition.sizes, np.full(len(partition.sizes), k) if partition.floors is None else partition.floors


def _edges(sizes: Ints, k: int) -> Floats:
    """Return where bars begin and end: at each size, or at each power where they reach far."""
    low, high = min(int(sizes.min()), k), int(sizes.max())
    if high - low < PLAIN_MOST:
        return np.arange(low, high + 2, dtype=float) - 0.5
    steps = {round(step) for step in np.geomspace(low, high + 1, 25).tolist()}
    return np.array(sorted(steps), dtype=float) - 0.5


def _logarithmic(ax: Axes, edges: Floats) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    ax.set_xlim(edges[0], edges[-1])
    ax.xaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel(f"{ax.get_xlabel()} (in steps that widen)")


def _finish(ax: Axes, release: Release, sizes: Ints, edges: Floats, k: int) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    if ax.get_xscale() == "linear":
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=9))
        ax.set_xlim(min(edges[0], k - 2) - 0.1, max(edges[-1], k + 3) + 0.1)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    tidy(ax, x=f"people in a {'class' if release.superties is None else 'supernode'}",
         y=f"{_noun(release)}", grid="y")
    ax.set_ylim(0, None)
    withheld = release.statement.get("withheld", 0)
    told = f"; {withheld:,} people withheld" if withheld else ""
    head(ax, f"The smallest of {len(sizes):,} {_noun(release)} has {int(sizes.min()):,} people",
         f"middle size {np.median(sizes):,.0f}, largest {int(sizes.max()):,}{told}")
    ax.title.set_color(INK)
