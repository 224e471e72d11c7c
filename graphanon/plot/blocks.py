"""The density of ties within and between supernodes as a matrix, those of a community side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphanon.plot.layout import communities, seeded
from graphanon.plot.released import Source, expected_degrees, supernodes_of, unit
from graphanon.plot.style import GREY, INK, SMALL, TEXT, amounts, head, tidy
from graphanon.release import Release

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh

__all__ = ["densities", "draw_blocks"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST = 400  # rows and columns that can still be told apart
NAMED = 0.05  # a community of that share has a name beside it


def draw_blocks(ax: Axes, source: Source, *, seed: int = 0) -> Axes:
    """Draw which share of the possible ties there is, within each supernode and between every two.

    Supernodes of one community lie side by side, in it those with most ties first. Beyond 400, neighbours in
    that order are taken together.
    """
    from matplotlib.colors import LogNorm

    release = supernodes_of(source)
    order, group = _order(release, seed)
    edges = _bins(release.sizes[order])
    matrix = densities(release, order, edges)
    positive = matrix[matrix > 0]
    least, most = (float(positive.min()), float(positive.max())) if len(positive) else (0.01, 1.0)
    shades = amounts().with_extremes(bad="white")
    shown = np.ma.masked_less_equal(matrix, 0.0)
    norm = LogNorm(least, max(most, least * 1.01))
    people = np.concatenate([[0], np.cumsum(np.add.reduceat(release.sizes[order], edges[:-1]))])
    image = ax.pcolormesh(people, people, shown, norm=norm, cmap=shades, rasterized=True, linewidth=0, antialiased=False)
    image.set_gid("blocks")
    ax.set_aspect("equal")
    ax.set_xlim(0, people[-1])
    ax.set_ylim(people[-1], 0)
    _bounds(ax, release, group)
    _finish(ax, release, group, len(edges) - 1, image)
    return ax


def _order(release: Release, seed: int) -> tuple[Ints, Ints]:
    """Return the supernodes by community, then by ties a person, and the community of each."""
    ties = release.superties
    assert ties is not None
    ends = np.column_stack([ties.source, ties.target])
    with seeded(seed):
        group = communities(len(release.sizes), ends, ties.ties.astype(float))
    return np.lexsort((-expected_degrees(release), group)), group


def _bins(sizes: Ints) -> Ints:
    """Return where each row of the matrix begins: at each supernode, or at about equal numbers of people."""
    if len(sizes) <= MOST:
        return np.arange(len(sizes) + 1)
    people = np.cumsum(sizes)
    cuts = np.searchsorted(people, np.linspace(0, people[-1], MOST + 1)[1:-1]) + 1
    return np.unique(np.concatenate([[0], np.minimum(cuts, len(sizes) - 1), [len(sizes)]]))


def densities(release: Release, order: Ints, edges: Ints) -> Floats:
    """Return the share 0 to 1 of possible ties that there is between runs of supernodes in that order.

    `order` int64[supernodes], `edges` int64[rows + 1] are where runs begin and end. Of arcs a row is where they
    come from.
    """
    ties, sizes, count = release.superties, release.sizes, len(edges) - 1
    assert ties is not None
    run = np.empty(len(sizes), dtype=np.int64)
    run[order] = np.repeat(np.arange(count), np.diff(edges))
    between = sparse.coo_array((ties.ties, (run[ties.source], run[ties.target])), shape=(count, count)).toarray()
    inside = np.bincount(run, ties.inside, count)
    people = np.bincount(run, sizes, count)
    pairs = np.outer(people, people)
    np.fill_diagonal(pairs, people * (people - 1))
    if not ties.directed:
        between = between + between.T
        inside = 2 * inside
    return np.asarray((between + np.diag(inside)) / np.maximum(pairs, 1))


def _bounds(ax: Axes, release: Release, group: Ints) -> None:
    """Draw where a community ends, and say how many people it has."""
    people = np.bincount(group, release.sizes)
    ends = np.cumsum(people)
    for end in ends[:-1].tolist():
        ax.axhline(end, color=GREY, linewidth=0.4)
        ax.axvline(end, color=GREY, linewidth=0.4)
    large = np.flatnonzero(people / people.sum() >= NAMED)
    ax.set_yticks((ends - people / 2)[large], [f"{int(n):,} people" for n in people[large]])
    ax.set_xticks([])


def _finish(ax: Axes, release: Release, group: Ints, rows: int, image: QuadMesh) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator

    figure = ax.get_figure(root=True)
    assert figure is not None
    kind = unit(release)
    tidy(ax, x="people, by community" + ("; arcs run from rows to columns" if kind == "arcs" else ""))
    ax.tick_params(axis="y", length=0)
    for side in ax.spines.values():
        side.set_visible(True)
        side.set_linewidth(0.5)
        side.set_color(GREY)
    bar = figure.colorbar(image, ax=ax, shrink=0.6, aspect=18, pad=0.02)
    bar.set_label(f"share of possible {kind} (white: none)", fontsize=TEXT, color=INK)
    bar.ax.tick_params(labelsize=SMALL, length=2, labelcolor=INK)
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.2g}"))
    bar.ax.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5), numticks=12))
    bar.ax.minorticks_off()
    bar.outline.set_visible(False)
    number, count = int(group.max()) + 1, len(release.sizes)
    found = f"{count:,} supernode{'' if count == 1 else 's'} in {number:,} communit{'y' if number == 1 else 'ies'}"
    joined = f"; a row stands for about {count / rows:.0f} supernodes" if rows < count else ""
    head(ax, f"How densely people are tied: {found}", f"a row and a column is as wide as it has people{joined}")
