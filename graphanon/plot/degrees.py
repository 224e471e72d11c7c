"""How many ties people have, before and after.

After, only the mean of a supernode is known: ties inside it count for two, those to others for one, shared among
its people. Before is the custodian's: its curve takes a step only where at least k people stand on it, so that
nobody's number of ties can be read off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphanon.graph import AttributedGraph
from graphanon.plot.released import Source, expected_degrees, run_of, supernodes_of, unit
from graphanon.plot.style import DASHED, OKABE_ITO, Dash, Key, head, legend, stroke, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from graphanon.io import Reading

__all__ = ["draw_degrees", "tail"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
AFTER, BEFORE = OKABE_ITO[0], OKABE_ITO[5]


Original: TypeAlias = "Reading | AttributedGraph | Mapping[int, int]"


def draw_degrees(ax: Axes, source: Source, *, original: Original | None = None) -> Axes:
    """Draw which share of people has at least so many ties.

    Of a release: by the mean of each supernode. Of a run, or with the `original`, beside it how it was; that may also
    be how many people have each number of ties.
    """
    release = supernodes_of(source)
    kind = unit(release)
    after = expected_degrees(release)
    before = _before(source, original)
    keys = [stroke(AFTER, 1.6, "after, by the mean\nof their supernode")]
    _line(ax, *tail(after, release.sizes, 1), AFTER, "-")
    least = max(int(release.statement.get("promises", {}).get("k", 1)), 1)
    if before is not None:
        _line(ax, *tail(*before, least), BEFORE, DASHED)
        keys.append(stroke(BEFORE, 1.6, f"before, in steps of\n{least:,} people or more", style=DASHED))
    _scale(ax, float(max(after.max(initial=1), 1 if before is None else before[0].max(initial=1))))
    tidy(ax, x=f"{kind} of a person" + (" (both ways)" if kind == "arcs" else ""), y="share of people with at least so many (%)", grid="both")
    mean = float((after * release.sizes).sum() / release.sizes.sum())
    head(ax, f"A person has {mean:,.1f} {kind} on average", "the mean is kept; what differs inside a supernode is not told",
         private=before is not None)
    legend(ax, [Key("people", tuple(keys))], below=26)
    return ax


def _before(source: object, original: Original | None) -> tuple[Floats, Ints] | None:
    """Return numbers of ties (of arcs, both ways) and how many people have each, if they are known."""
    if isinstance(original, Mapping):
        return np.array([*original], dtype=float), np.array([*original.values()], dtype=np.int64)
    graph = _people(source, original)
    if graph is None:
        return None
    ends = graph.ties.tocoo() if graph.arcs is None else graph.arcs.tocoo()
    degrees = np.bincount(ends.row, minlength=graph.n)
    if graph.arcs is not None:
        degrees += np.bincount(ends.col, minlength=graph.n)
    values, people = np.unique(degrees, return_counts=True)
    return values.astype(float), people.astype(np.int64)


def _people(source: object, original: Reading | AttributedGraph | None) -> AttributedGraph | None:
    run = run_of(source)
    if original is None:
        return None if run is None else run.grouping.source
    return original if isinstance(original, AttributedGraph) else original.graph


def tail(values: Floats, people: Ints, least: int) -> tuple[Floats, Floats]:
    """Return values, ascending, and which share of people has at least as much; no step of fewer than `least` people.

    Examples
    --------
    >>> import numpy as np
    >>> tail(np.array([1.0, 1.0, 2.0, 9.0]), np.ones(4, dtype=np.int64), 2)
    (array([1., 2.]), array([1. , 0.5]))
    """
    order = np.argsort(values, kind="stable")[::-1]
    at, share, waiting, counted = [], [], 0, 0
    total = int(people.sum())
    ordered = values[order].tolist()
    for place, (value, number) in enumerate(zip(ordered, people[order].tolist(), strict=True)):
        waiting += number
        last = place + 1 == len(ordered)
        if (last or ordered[place + 1] < value) and waiting >= least and (total - counted - waiting >= least or last):
            counted += waiting
            at.append(value)
            share.append(counted / total)
            waiting = 0
    if waiting and at:
        at[-1], share[-1] = ordered[-1], 1.0
    return np.array(at[::-1]), np.array(share[::-1])


def _line(ax: Axes, at: Floats, share: Floats, shade: str, style: Dash) -> None:
    ax.step(at, 100 * share, where="pre", color=shade, linewidth=1.6, linestyle=style)


def _scale(ax: Axes, most: float) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    ax.set_ylim(0, 102)
    if most > 40:
        ax.set_xscale("symlog", linthresh=1, linscale=0.4)
        ticks = [tick for e in range(7) for tick in (10**e, 2 * 10**e, 5 * 10**e) if tick <= 1.3 * most]
        ax.set_xticks([0, *ticks])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.set_xlim(0, 1.1 * most)
