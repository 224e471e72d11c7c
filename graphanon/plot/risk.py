"""Risk against loss: what is paid for each k, over several releases of the same people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphanon.errors import InputProblem, Problem
from graphanon.plot.released import Source, release_of
from graphanon.plot.style import (
    BESIDE,
    DASHED,
    OKABE_ITO,
    SMALL,
    Dash,
    Key,
    column_width,
    head,
    legend,
    stroke,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from graphanon.io import Reading

__all__ = ["Point", "draw_frontier", "frontier", "point_of"]

MARKS = ("o", "s", "^", "D", "v", "P", "X")
STYLES: tuple[Dash, ...] = ("-", DASHED, (0, (1, 1)), (0, (6, 1, 1, 1)), "--", "-.", ":")
LOSSES = {"total": "both, half each (total)", "ncp": "attributes (ncp)", "nsil": "structure (nsil)", "tie_loss": "ties (tie_loss)"}


@dataclass(frozen=True, kw_only=True)
class Point:
    """One release on the frontier: its method, the size of its smallest class, and its public losses."""

    method: str
    k: int
    losses: dict[str, float]

    @property
    def risk(self) -> float:
        """The highest chance, 0 to 1, of finding a person among those who look alike."""
        return 1 / self.k


def point_of(source: Source) -> Point:
    """Return where a release lies on the frontier."""
    release = release_of(source)
    told = release.statement
    return Point(method=str(told.get("method", "")), k=int(release.sizes.min()), losses=dict(told.get("losses", {})))


def frontier(
    reading: Reading, ks: Iterable[int], *, method: str | None = None, seed: int = 0, refine: bool = False
) -> tuple[Point, ...]:
    """Anonymize the same people once for each k and return where each result lies; nothing is kept.

    Raises
    ------
    InfeasiblePromise
        If a k is more than there are people.
    """
    from graphanon.pipeline import anonymize, requirement_of

    return tuple(
        point_of(anonymize(reading, requirement=requirement_of(reading.graph.schema, k=k), method=method, seed=seed, refine=refine))
        for k in ks
    )


def draw_frontier(ax: Axes, sources: Source | Point | Sequence[Source | Point]) -> Axes:
    """Draw the losses of several releases against the highest risk in each, one line a loss or a method.

    The releases should be about the same people. Of one method, every kind of loss has a line; of several, each
    method has one, for the loss that all of them have.

    Raises
    ------
    InputProblem
        If no releases are given, or they have no loss in common.
    """
    several = [sources] if isinstance(sources, Point | Path | str) or not isinstance(sources, Sequence) else list(sources)
    points = sorted((s if isinstance(s, Point) else point_of(s) for s in several), key=lambda point: (point.k, point.method))
    common = [loss for loss in LOSSES if points and all(loss in point.losses for point in points)]
    if not common:
        what = "there are no releases with a loss in common" if points else "there are no releases to compare"
        raise InputProblem(Problem(what=what, allowed="releases of the same people, one for each k"))
    methods = sorted({point.method for point in points})
    lines = (
        [(LOSSES[loss], loss, methods[0]) for loss in common] if len(methods) == 1 else [(name, common[0], name) for name in methods]
    )
    handles = []
    for (text, loss, method), shade, mark, style in zip(lines, OKABE_ITO, MARKS, STYLES, strict=False):
        own = [point for point in points if point.method == method]
        ax.plot([100 * point.risk for point in own], [point.losses[loss] for point in own], color=shade, marker=mark, markersize=4,
                linewidth=1.3, linestyle=style, clip_on=False, zorder=3)
        handles.append(stroke(shade, 1.3, text, style=style, marker=mark))
    _finish(ax, points, methods, LOSSES[common[0]] if len(methods) > 1 else "lost: 0 is nothing, 1 is all")
    # the loss that all have is told on the axis
    legend(ax, [Key("loss" if len(methods) == 1 else "method", tuple(handles))], below=30)
    return ax


def _finish(ax: Axes, points: list[Point], methods: list[str], y: str) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    ks = sorted({point.k for point in points})
    ax.set_xscale("log")
    apart = 1.15 if column_width(ax) > BESIDE else 1.5
    kept = [k for i, k in enumerate(ks) if i == 0 or k / ks[i - 1] > apart]
    ax.xaxis.set_major_locator(FixedLocator([100 / k for k in kept]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g} %\nk = {100 / value:,.0f}"))
    ax.set_xlim(100 / ks[0] * 1.15, 100 / ks[-1] / 1.15)
    ax.set_ylim(0, 1.1 * max(max(point.losses.get(loss, 0) for loss in LOSSES) for point in points) if len(methods) == 1 else None)
    tidy(ax, x="highest chance of finding a person, and the smallest class", y=y, grid="both")
    ax.tick_params(labelsize=SMALL)
    head(ax, "What a smaller risk costs", f"{methods[0] if len(methods) == 1 else f'{len(methods)} methods'}, {len(points)} release{'s' if len(points) > 1 else ''}")
