"""A heat map of generalization: people down, attributes across, dark where nothing is left to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.plot.released import Source, cell_costs, release_of
from graphanon.plot.style import INK, SMALL, TEXT, amounts, head, short, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh

__all__ = ["draw_records"]

Floats = NDArray[np.float64]
MOST = 300  # rows that can be told apart


def draw_records(ax: Axes, source: Source) -> Axes:
    """Draw what each class has lost of each attribute, classes as tall as they have people, the best kept on top."""
    release = release_of(source)
    if not release.quasi:
        raise InputProblem(Problem(what="the release has no attribute that was generalized", allowed="a release with quasi columns"))
    costs = cell_costs(release)
    columns = np.argsort(release.sizes @ costs, kind="stable")
    # alike by the attribute that lost most, then the next: blocks of one colour, not noise
    order = np.lexsort([costs[:, j].round(3) for j in columns] + [costs.mean(axis=1).round(1)])
    rows, people = _gathered(costs[order][:, columns], release.sizes[order])
    image = ax.pcolormesh(np.arange(len(columns) + 1), people, rows, cmap=amounts(), vmin=0, vmax=1, rasterized=True)
    image.set_gid("records")
    for j in range(1, len(columns)):
        ax.axvline(j, color="white", linewidth=1.5)
    ax.set_xlim(0, len(columns))
    ax.set_ylim(people[-1], 0)
    names = [release.quasi[j].name for j in columns]
    ax.set_xticks(np.arange(len(columns)) + 0.5, [short(name, 22) for name in names], rotation=35, ha="right", rotation_mode="anchor")
    _finish(ax, len(release.sizes), float((release.sizes @ costs).mean() / release.sizes.sum()), image)
    return ax


def _gathered(costs: Floats, sizes: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return rows of mean cost and where they begin and end, in people; at most `MOST` of them."""
    people = np.concatenate([[0], np.cumsum(sizes)]).astype(float)
    if len(sizes) <= MOST:
        return costs, people
    cuts = np.unique(np.searchsorted(people, np.linspace(0, people[-1], MOST + 1)[:-1]))
    cuts = cuts[cuts < len(sizes)]
    weight = np.add.reduceat(sizes, cuts)
    rows = np.add.reduceat(costs * sizes[:, None], cuts) / weight[:, None]
    return rows, np.append(people[cuts], people[-1])


def _finish(ax: Axes, count: int, mean: float, image: QuadMesh) -> None:
    from matplotlib.ticker import FuncFormatter

    figure = ax.get_figure(root=True)
    assert figure is not None
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    tidy(ax, y="people")
    for side in ax.spines.values():
        side.set_visible(False)
    bar = figure.colorbar(image, ax=ax, shrink=0.6, aspect=18, pad=0.02)
    bar.set_label("lost: 0 as it was, 1 anything", fontsize=TEXT, color=INK)
    bar.ax.tick_params(labelsize=SMALL, length=2, labelcolor=INK)
    bar.outline.set_visible(False)
    head(ax, f"What is left to tell in {count:,} classes", f"a mean of {mean:.2f} is lost; the best kept people stand on top")
