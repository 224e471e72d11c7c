"""How far each attribute was generalized: the share of people at each level of its hierarchy.

A category's levels are those of its tree; a number's are the widths that the schema names, or else eighths,
quarters and halves of its range; a rank's are shares of its line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import ROOT
from graphanon.errors import InputProblem, Problem
from graphanon.plot.released import Source, cell_costs, intervals, release_of
from graphanon.plot.style import (
    INK,
    SMALL,
    UNKNOWN,
    Key,
    amounts,
    column_width,
    head,
    legend,
    patch,
    short,
    tidy,
    width_of,
)
from graphanon.release import PublicColumn, Release

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Level", "draw_levels", "levels_of"]

Floats = NDArray[np.float64]
PARTS = (1 / 8, 1 / 4, 1 / 2)
BLANK = "\u00a0"  # a line of the legend without words is as tall as the others


class Level(NamedTuple):
    """What people's cells have become: in words, how far that is from 0 (as it was) to 1 (anything), their share."""

    text: str
    climbed: float
    share: float


def draw_levels(ax: Axes, source: Source) -> Axes:
    """Draw for each attribute how many people are at each level of its hierarchy, from as it was to anything."""
    release = release_of(source)
    if not release.quasi:
        raise InputProblem(Problem(what="the release has no attribute that was generalized", allowed="a release with quasi columns"))
    shades, gone = amounts(), _withheld(release)
    found = {column.name: levels_of(release, column) for column in release.quasi}
    order = sorted(found, key=lambda name: -sum(level.climbed * level.share for level in found[name]))
    room = _points_across(ax)
    for i, name in enumerate(order):
        left = 0.0
        for level in found[name]:
            width = 100 * level.share * (1 - gone)
            ax.barh(i, width, 0.74, left=left, color=shades(level.climbed), edgecolor="white", linewidth=0.6)
            if width_of(level.text, SMALL) + 4 < width / 100 * room:
                ax.text(left + width / 2, i, level.text, fontsize=SMALL, ha="center", va="center",
                        color=INK if level.climbed < 0.45 else "white")
            left += width
        if gone:
            ax.barh(i, 100 * gone, 0.74, left=left, color="white", edgecolor=UNKNOWN, hatch="////", linewidth=0.4)
    ax.set_yticks(range(len(order)), [short(name) for name in order])
    ax.set_ylim(len(order) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    tidy(ax, x="share of people (%)")
    ax.tick_params(axis="y", length=0)
    _explain(ax, found, gone)
    return ax


def levels_of(release: Release, column: PublicColumn) -> tuple[Level, ...]:
    """Return how many of the people released are at each level that occurs, the lowest first."""
    place = [c.name for c in release.quasi].index(column.name)
    share = release.sizes / release.sizes.sum()
    if column.type == "category":
        climbed, texts = _tree_levels(release, column, cell_costs(release, "height")[:, place])
    else:
        any_ = np.array([text == ROOT for text in intervals(release, column)[1]])
        climbed, texts = _line_levels(column, np.where(any_, 1.0, cell_costs(release)[:, place]))
    return tuple(
        Level(texts[step], step, float(share[climbed == step].sum())) for step in sorted(texts) if (climbed == step).any()
    )


def _tree_levels(release: Release, column: PublicColumn, cost: Floats) -> tuple[Floats, dict[float, str]]:
    rows = release.hierarchies.get(column.facts.get("hierarchy", ""), ())
    height = len(rows[0]) - 1 if rows else 1
    texts = {0.0: "as it was", 1.0: "anything"}
    texts |= {round(step / height, 9): f"level {step} of {height}" for step in range(1, height)}
    return cost.round(9), texts


def _line_levels(column: PublicColumn, cost: Floats) -> tuple[Floats, dict[float, str]]:
    """Gather intervals by the narrowest width that they fit in."""
    steps = column.facts.get("steps", ())
    span = column.facts["range"][1] - column.facts["range"][0] if column.type == "number" else 0
    # a bin of `width` is a closed interval one cell of the grid narrower
    widths = [(step / span, f"within {step:g}") for step in steps if span and step < span] or [
        (part, f"within 1/{round(1 / part)}") for part in PARTS
    ]
    bounds = [0.0, *(width for width, _ in widths), 1.0]
    texts = ["as it was", *(text for _, text in widths), "wider", "anything"]
    number = np.searchsorted(np.array(bounds[:-1]), cost - 1e-12, side="left")
    number = np.where(cost >= 1, len(texts) - 1, number)
    climbed = number / (len(texts) - 1)
    return climbed, {i / (len(texts) - 1): text for i, text in enumerate(texts)}


def _withheld(release: Release) -> float:
    withheld = release.statement.get("withheld", 0)
    return float(withheld / max(release.sizes.sum() + withheld, 1))


def _points_across(ax: Axes) -> float:
    """Return about how many points wide the axes will be, beside their labels and legend."""
    wide = column_width(ax) * 72
    return float(wide * 0.62 if wide > 300 else wide * 0.66)


def _explain(ax: Axes, found: dict[str, tuple[Level, ...]], gone: float) -> None:
    kept = np.mean([sum(level.share for level in own if level.climbed == 0) for own in found.values()])
    lost = np.mean([sum(level.share for level in own if level.climbed == 1) for own in found.values()])
    head(ax, "How far each attribute was generalized",
         f"over all attributes {100 * kept:.0f} % of cells are as they were, {100 * lost:.0f} % may be anything")
    shades = amounts()
    handles = [patch(shades(step), text) for step, text in
               ((0.0, "as it was"), (0.25, BLANK), (0.5, "a group, or a range"), (0.75, BLANK), (1.0, "anything (*)"))]
    if gone:
        handles.append(patch("white", f"withheld ({100 * gone:.1f} %)", hatch="////"))
    legend(ax, [Key("level of hierarchy", tuple(handles), 0.4)], below=26)
