"""What was lost, by attribute and by class, each recomputed from the release alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphanon.plot.released import Source, cell_costs, class_tie_loss, release_of, unit
from graphanon.plot.style import (
    DASHED,
    GREY,
    INK,
    OKABE_ITO,
    SMALL,
    Dash,
    Key,
    head,
    legend,
    patch,
    short,
    stroke,
    tidy,
)
from graphanon.release import Release

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_class_losses", "draw_losses"]

Floats = NDArray[np.float64]
LEAVES, HEIGHT, TIES = OKABE_ITO[0], OKABE_ITO[4], OKABE_ITO[1]
BAR = 0.36
WITHIN = 0.85  # a longer bar has its number inside


def draw_losses(ax: Axes, source: Source) -> Axes:
    """Draw what each attribute, and the ties, have lost: 0 is nothing, 1 is all.

    Of attributes the share of values that a cell covers and the share of its height, as a mean over people; a mark
    tells the worst class. Of ties the share that a reader would misplace.
    """
    release = release_of(source)
    rows = _rows(release)
    place = np.arange(len(rows))
    for i, (_, leaves, height, _) in enumerate(rows):
        if height is None:
            ax.barh(i, leaves, 2 * BAR, color=TIES)
        else:
            ax.barh([i - BAR / 2, i + BAR / 2], [leaves, height], BAR, color=[LEAVES, HEIGHT])
    worst = [row[3] for row in rows]
    ax.scatter(worst, place, marker="|", s=110, color=INK, linewidths=1.2, zorder=3, clip_on=False)
    _write_means(ax, rows)
    ax.set_yticks(place, [row[0] for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(0, 1.0)
    tidy(ax, x="lost: 0 is nothing, 1 is all", grid="x")
    ax.tick_params(axis="y", length=0)
    head(ax, *_titles(release))
    _explain(ax, release, rows)
    return ax


_Row = tuple[str, float, float | None, float]


def _rows(release: Release) -> list[_Row]:
    """Return name, loss by values, by height and in the worst class, the greatest loss first, ties last."""
    share = _weights(release)
    leaves, heights = cell_costs(release, "leaves"), cell_costs(release, "height")
    gone = 1 - share.sum()
    rows: list[_Row] = [
        (short(column.name), float(share @ leaves[:, j] + gone), float(share @ heights[:, j] + gone), float(leaves[:, j].max()))
        for j, column in enumerate(release.quasi)
    ]
    rows.sort(key=lambda row: -row[1])
    loss = release.statement.get("losses", {}).get("tie_loss")
    if release.superties is not None and loss is not None:
        rows.append((unit(release), float(loss), None, float(class_tie_loss(release).max())))
    return rows


def _weights(release: Release) -> Floats:
    """Return each class's share of all people, those withheld included."""
    return np.asarray(release.sizes / (release.sizes.sum() + release.statement.get("withheld", 0)))


def _write_means(ax: Axes, rows: list[_Row]) -> None:
    for i, row in enumerate(rows):
        end = row[1] if row[2] is None else max(row[1], row[2])
        inside = end > WITHIN
        ax.annotate(f"{row[1]:.2f}", (end, i), xytext=(-4 if inside else 4, 0), textcoords="offset points", va="center",
                    ha="right" if inside else "left", fontsize=SMALL, color=INK,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.8})


def _titles(release: Release) -> tuple[str, str]:
    losses = release.statement.get("losses", {})
    names = {"ncp": "values", "ngil": "height", "nsil": "structure", "tie_loss": "ties", "total": "total"}
    told = ", ".join(f"{name} {losses[key]:.3f} ({key})" for key, name in names.items() if key in losses)
    first = "What was lost"
    if "ncp" in losses:
        first = f"{100 * losses['ncp']:.0f} % of what attributes tell was lost"
    return first, told


def _explain(ax: Axes, release: Release, rows: list[_Row]) -> None:
    keys = []
    if release.quasi:
        keys += [patch(LEAVES, "by values covered"), patch(HEIGHT, "by height climbed")]
    if any(row[2] is None for row in rows):
        keys.append(patch(TIES, f"{unit(release)} misplaced"))
    keys.append(stroke(INK, 0, "worst class", marker="|"))
    keys[-1].set_markersize(8)  # type: ignore[attr-defined]
    legend(ax, [Key("mean over people", tuple(keys))], below=26)


def draw_class_losses(ax: Axes, source: Source) -> Axes:
    """Draw how loss is spread over people: for each share of them, how much their class has lost at most.

    One line for attributes (mean over them, by values covered), one for the ties of a supernode.
    """
    release = release_of(source)
    lines: list[tuple[str, Dash, str, Floats]] = []
    if release.quasi:
        lines.append((LEAVES, "-", "attributes", cell_costs(release).mean(axis=1)))
    if release.superties is not None and (release.superties.ties.any() or release.superties.inside.any()):
        lines.append((TIES, DASHED, unit(release), class_tie_loss(release)))
    for shade, style, _, loss in lines:
        order = np.argsort(loss, kind="stable")
        people = np.concatenate([[0], np.cumsum(release.sizes[order])]) / release.sizes.sum()
        ax.step(100 * people, np.append(loss[order], loss[order[-1]]), where="post", color=shade, linewidth=1.6, linestyle=style)
        ax.scatter([100], [loss.max()], s=16, color=shade, zorder=3, clip_on=False)
    ax.set_xlim(0, 100)
    ax.set_ylim(0, 1.02)
    tidy(ax, x="share of people, from the best kept to the worst (%)", y="lost in their class", grid="both")
    worst = ", ".join(f"{text} {loss.max():.2f}" for _, _, text, loss in lines)
    half = ", ".join(f"{text} {_median(loss, release.sizes):.2f}" for _, _, text, loss in lines)
    noun = "supernodes" if release.superties is not None else "classes"
    head(ax, f"Loss over {len(release.sizes):,} {noun}", f"half of the people lose at most: {half}; the worst class: {worst}")
    keys = tuple(stroke(shade, 1.6, text, style=style) for shade, style, text, _ in lines)
    legend(ax, [Key("lost", keys), Key("", (stroke(GREY, 0, "worst class", marker="o"),))], below=26)
    return ax


def _median(loss: Floats, sizes: NDArray[np.int64]) -> float:
    order = np.argsort(loss, kind="stable")
    return float(loss[order][np.searchsorted(np.cumsum(sizes[order]), sizes.sum() / 2)])
