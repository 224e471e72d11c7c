"""The hand that all pictures are drawn in: colours, letters, headings and legends.

Sizes are in points, so that a picture looks the same beside text whatever it is saved as. Colours are
those of Okabe and Ito (Color Universal Design, 2008) for kinds, and of maps that run evenly in lightness
for amounts. Legends stand beside the axes, or below them where the picture is one column wide.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.lines import Line2D

__all__ = [
    "BESIDE", "DASHED", "FAINT", "GREY", "INK", "LINE", "OKABE_ITO", "OTHER", "SMALL", "TEXT", "TITLE", "UNKNOWN", "WARNING", "Dash", "Key", "amounts",
    "column_width", "dots", "fonts", "head", "legend", "patch", "plain", "short", "stroke", "tidy",
    "width_of",
]

Floats = NDArray[np.float64]
Dash = Literal["-", "--", "-.", ":"] | tuple[float, Sequence[float]]

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
OTHER = "#5A5A5A"
UNKNOWN = "#BDBDBD"
LINE = "#5B6770"
INK = "#1F2933"
GREY = "#5B6770"
FAINT = "#D9DEE2"
WARNING = "#B03A2E"
PRIVATE = "private, not to be released"

# points
TITLE = 9.0
TEXT = 7.0
SMALL = 6.0
# a picture narrower than that, in inches, has its legend below the axes
BESIDE = 5.0
LONGEST = 30
DASHED: Dash = (0, (4, 1.2))
SHORTEST = 12  # letters of a line of a heading


def plain(text: str) -> str:
    r"""Return text that is drawn as it stands, whatever signs of mathematics or line ends are in it.

    Examples
    --------
    >>> plain("$x$ & co")
    '\\$x\\$ & co'
    """
    return " ".join(text.split()).replace("$", r"\$")


def short(label: str, most: int = LONGEST) -> str:
    """Return a label of at most `most` letters that can be drawn; a missing value has a name.

    Examples
    --------
    >>> short(""), short("Married-civilian-spouse", 12)
    ('(missing)', 'Married-civ…')
    """
    text = " ".join(label.split())
    return plain(text if len(text) <= most else text[: most - 1] + "…") or "(missing)"


def amounts() -> LinearSegmentedColormap:
    """Return the colours of amounts from 0 to 1: pale is little, dark is much."""
    from matplotlib.colors import LinearSegmentedColormap

    # even in lightness, from near white over blue-green to near black, for any kind of sight and for grey print
    steps = ["#F1F5F4", "#C5DDD7", "#85BDB9", "#45969E", "#1C6B83", "#173F5F", "#0E1A33"]
    return LinearSegmentedColormap.from_list("amounts", steps)


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return about how many points a line of text takes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    letters = FontProperties(size=size, weight="bold" if bold else "normal")
    known = "".join(letter if letter.isascii() else "m" for letter in text.replace(r"\$", "S"))
    return float(text_to_path.get_text_width_height_descent(known, letters, ismath=False)[0])


def head(ax: Axes, first: str, second: str = "", *, private: bool = False) -> None:
    """Write a title and a line below it, from the left edge of the axes as far as the figure goes.

    A private picture, of what only the custodian may see, says so in the line below.
    """
    second = second if not private else f"{PRIVATE}{'; ' + second if second else ''}"
    room = column_width(ax) * 72 - (20 if ax.axison is False else 66)
    title = _wrapped(first, TITLE, room, bold=True)
    below = _wrapped(second, TEXT, room) if second else []
    ax.set_title("\n".join(title), loc="left", fontsize=TITLE, fontweight="bold", color=INK, linespacing=1.25,
                 pad=6 + len(below) * TEXT * 1.35)
    if below:
        under = ax.annotate("\n".join(below), (0, 1), xytext=(0, 5), xycoords="axes fraction", textcoords="offset points",
                    fontsize=TEXT, color=WARNING if private else GREY, va="bottom", ha="left", linespacing=1.25, annotation_clip=False)
        under.set_gid("subtitle")


def column_width(ax: Axes) -> float:
    """Return how many inches of the figure belong to these axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    column = ax.get_subplotspec()
    share = 1.0 if column is None else len(column.colspan) / column.get_gridspec().ncols
    return float(figure.get_size_inches()[0] * share)


def _wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Return text in as few lines as fit, all about as long."""
    letters = len(text)
    lines = [text]
    while max(width_of(line, size, bold=bold) for line in lines) > room and letters > SHORTEST:
        letters -= 2
        lines = textwrap.wrap(text, letters) or [text]
    while letters > SHORTEST and len(even := textwrap.wrap(text, letters - 1)) == len(lines):
        lines, letters = even, letters - 1
    return lines


def tidy(ax: Axes, *, x: str = "", y: str = "", grid: str | None = None) -> None:
    """Leave of a chart's frame what is needed to read it."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(FAINT)
    ax.tick_params(labelsize=SMALL, length=2, color=FAINT, labelcolor=INK, pad=2)
    ax.set_xlabel(x, fontsize=TEXT, color=INK, labelpad=3)
    ax.set_ylabel(y, fontsize=TEXT, color=INK, labelpad=3)
    if grid:
        ax.grid(axis=grid, color=FAINT, linewidth=0.5)  # type: ignore[arg-type]
        ax.set_axisbelow(True)


@dataclass(frozen=True)
class Key:
    """One part of the legend: a heading and its lines.

    In letters: `spacing` is the room between lines, `length` that for a mark, and marks `reach` below the last line.
    """

    title: str
    handles: tuple[Artist, ...]
    spacing: float = 0.45
    length: float = 2.0
    reach: float = 0.0

    @property
    def height(self) -> float:
        """Points that the part takes, with a gap below it."""
        heading = 1.6 if self.title else 0.0
        lines = sum(str(handle.get_label()).count("\n") + 1 for handle in self.handles)
        return TEXT * (heading + 1.1 + 1.1 * lines + len(self.handles) * self.spacing + self.reach)

    @property
    def width(self) -> float:
        """Points from the left edge of its marks to the right edge of its longest text."""
        texts = [line for handle in self.handles for line in str(handle.get_label()).split("\n")]
        longest = max((width_of(text, TEXT) for text in texts), default=0.0)
        return max(longest + TEXT * (self.length + 1.4), width_of(self.title, TEXT, bold=True)) + 6


def legend(ax: Axes, keys: Sequence[Key], *, below: float = 4.0) -> None:
    """Explain a picture beside its axes, or below them, from `below` points under the frame on."""
    keys = [key for key in keys if key.handles]
    if column_width(ax) >= BESIDE:
        up = sum(key.height for key in keys) / 2
        for key in keys:
            _put(ax, key, (1.0, 0.5), (8.0, up))
            up -= key.height
        return
    foot = 0.0
    for key, left, down in _shelved(keys, column_width(ax) * 72 - 20):
        _put(ax, key, (0.0, 0.0), (left, -below - down))
        foot = max(foot, down + key.height - TEXT)
    # marks that reach below their words are not counted as part of a legend: a blank at its foot is
    ax.annotate("\u00a0", (0, 0), xytext=(0, -below - foot), xycoords="axes fraction", textcoords="offset points",
                fontsize=TEXT, va="bottom", annotation_clip=False)


def _shelved(keys: Sequence[Key], room: float) -> list[tuple[Key, float, float]]:
    """Return how far right and down each part stands, in as many columns as there is room for, all about as tall."""
    for count in range(min(3, len(keys)), 0, -1):
        tall, wide = [0.0] * count, [0.0] * count
        placed: list[tuple[Key, int, float]] = []
        for key in keys:
            column = tall.index(min(tall))
            placed.append((key, column, tall[column]))
            tall[column] += key.height
            wide[column] = max(wide[column], key.width + 8)
        if sum(wide) <= room or count == 1:
            return [(key, sum(wide[:column]), down) for key, column, down in placed]
    return []


def _put(ax: Axes, key: Key, corner: tuple[float, float], away: tuple[float, float]) -> None:
    """Add a part whose upper left corner lies `away` points from a corner of the axes."""
    from matplotlib.legend import Legend
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure(root=True)
    assert figure is not None
    shift = ScaledTranslation(away[0] / 72, away[1] / 72, figure.dpi_scale_trans)
    part = Legend(
        ax, list(key.handles), [str(handle.get_label()) for handle in key.handles], title=key.title or None,
        title_fontproperties={"weight": "bold", "size": TEXT}, alignment="left", loc="upper left",
        bbox_to_anchor=corner, bbox_transform=ax.transAxes + shift, borderaxespad=0, borderpad=0.1, frameon=False,
        fontsize=TEXT, labelspacing=key.spacing, handlelength=key.length, labelcolor=INK, handletextpad=0.6,
    )
    ax.add_artist(part).set_clip_on(False)


def dots(area: float, shade: str, text: str, *, edge: str = "white", width: float = 0.5) -> Line2D:
    """Return a disc of `area` square points for a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="None", marker="o", markersize=float(np.sqrt(area)), markerfacecolor=shade,
                  markeredgecolor=edge, markeredgewidth=width, label=text)


def stroke(shade: str, width: float, text: str, *, alpha: float = 1.0, style: Dash = "-", marker: str = "") -> Line2D:
    """Return a line of `width` points for a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], color=shade, linewidth=width, alpha=alpha, linestyle=style, marker=marker, markersize=3,
                  label=text, solid_capstyle="round")


def patch(shade: str | tuple[float, float, float, float], text: str, *, hatch: str = "") -> Artist:
    """Return a filled square for a legend."""
    from matplotlib.patches import Patch

    return Patch(facecolor=shade, edgecolor=GREY if hatch else FAINT, hatch=hatch, linewidth=0.4, label=text)


def fonts(texts: Iterable[str]) -> list[str]:
    """Return the families to draw with: the plain one, and those on this machine that have letters it lacks."""
    from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

    first = "DejaVu Sans"
    lacking = {ord(letter) for text in texts for letter in text if letter.isprintable()}
    lacking -= set(get_font(findfont(FontProperties(family=[first]))).get_charmap())
    families = [first]
    for entry in sorted(fontManager.ttflist, key=lambda entry: (entry.name, entry.fname)) if lacking else ():
        if entry.name in families or entry.name.startswith("Last Resort"):
            continue
        held = lacking & set(get_font(entry.fname).get_charmap())
        if held:
            families.append(entry.name)
            lacking -= held
        if not lacking:
            break
    return families
