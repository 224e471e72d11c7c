"""What colours tell of supernodes: a number by its middle, a label, the commonest of counted values, or a share.

An attribute is named as it is, or as ``attribute=value`` for the share of a supernode's people that have the
value. Of an attribute that is generalized the share is known where it must be none or all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import ROOT
from graphanon.errors import InputProblem, Problem
from graphanon.plot.released import intervals
from graphanon.plot.style import OKABE_ITO, OTHER, UNKNOWN, short
from graphanon.release import PublicColumn, Release

__all__ = ["Colouring", "by_label", "by_number", "colouring_by", "declared", "fill_of", "shares"]

Floats = NDArray[np.float64]
BINS = 6
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, kw_only=True)
class Colouring:
    """A colour for each supernode (or person), and what the colours mean in the order of the legend."""

    title: str
    colours: tuple[str, ...]
    meaning: tuple[tuple[str, str], ...]


def fill_of(release: Release, name: str | None) -> Colouring:
    """Return the colours by an attribute; left out, by the one whose values tell supernodes apart best.

    Raises
    ------
    InputProblem
        If the release has no such attribute or value.
    """
    known = tuple(column.name for column in release.columns)
    if name is not None and name not in known:
        return _by_share(release, name)
    if not known:
        return Colouring(title="", colours=(OKABE_ITO[0],) * len(release.sizes), meaning=())
    names = [name] if name else ([column.name for column in release.quasi] or list(known))
    return max((colouring_by(release, attribute) for attribute in names), key=_told_apart)


def colouring_by(release: Release, name: str) -> Colouring:
    """Return the colours by an attribute that the release has."""
    column = next(column for column in release.columns if column.name == name)
    if column.role != "quasi":
        return by_label(f"{name}, most common", _commonest(release, name))
    low, high = intervals(release, column)
    if column.type == "number":
        middle = [np.nan if ROOT in pair else (float(pair[0]) + float(pair[1])) / 2 for pair in zip(low, high, strict=True)]
        return by_number(f"{name}, middle", np.array(middle, dtype=float))
    labels = [a if a == b else f"{a} to {b}" for a, b in zip(low, high, strict=True)]
    return by_label(name, labels, declared(release.hierarchies.get(column.facts.get("hierarchy", ""), ())))


def declared(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the labels of a hierarchy in tree order, leaves before the groups above them."""
    ordered = sorted(rows, key=lambda row: row[::-1])
    return list(dict.fromkeys(row[level] for level in range(len(rows[0]) if rows else 0) for row in ordered))


def _told_apart(colouring: Colouring) -> float:
    """Return how evenly the colours are used, as an entropy; the unknown and the rest tell nothing."""
    counts = Counter(colouring.colours)
    share = np.array([n for c, n in counts.items() if c not in (UNKNOWN, OTHER)]) / max(len(colouring.colours), 1)
    return float(-(share * np.log(share)).sum())


def _commonest(release: Release, name: str) -> list[str]:
    common: dict[str, tuple[int, str]] = {}
    for line in release.counts:
        if line.attribute == name:
            best = (-line.people, line.value)
            common[line.supernode] = min(best, common.get(line.supernode, best))
    return [common.get(supernode, (0, ROOT))[1] for supernode in release.names]


def by_number(title: str, values: Floats) -> Colouring:
    """Colour numbers, NaN where any is possible, in bins of equal width."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex
    from matplotlib.ticker import MaxNLocator

    known = ~np.isnan(values)
    if not known.any():
        return by_label(title, [ROOT] * len(values))
    if values[known].min() == values[known].max():
        text = f"{values[known][0]:,.6g}"
        return by_label(title, [text if k else ROOT for k in known.tolist()])
    edges = MaxNLocator(BINS, steps=[1, 2, 2.5, 5, 10]).tick_values(values[known].min(), values[known].max())
    number = len(edges) - 1
    bins = np.clip(np.searchsorted(edges, np.where(known, values, 0), side="right") - 1, 0, number - 1)
    # even in lightness, so that order shows without hue; the ends are too dark and too pale for discs
    shades = [to_hex(shade) for shade in colormaps["viridis"](np.linspace(0.08, 0.95, number))]
    colours = tuple(shades[b] if k else UNKNOWN for b, k in zip(bins.tolist(), known.tolist(), strict=True))
    used = set(colours)
    meaning = [(shades[b], f"{edges[b]:,.6g} to {edges[b + 1]:,.6g}") for b in range(number) if shades[b] in used]
    return _with_unknown(short(title), colours, meaning)


def by_label(title: str, labels: Sequence[str], declared: Sequence[str] = ()) -> Colouring:
    """Colour labels in the order in which they are declared, where the palette has a colour for each of those.

    Then people and supernodes, and one release and the next, have the same colours. Otherwise the commonest come
    first; past the palette they share one colour.
    """
    common = [label for label, _ in sorted(Counter(labels).items(), key=lambda kv: (-kv[1], kv[0])) if label != ROOT]
    line = [label for label in declared if label != ROOT] or sorted(common)
    few = len(line) <= len(OKABE_ITO) and set(common) <= set(line)
    own = dict(zip(line if few else common, OKABE_ITO, strict=False))
    own = {label: shade for label, shade in own.items() if label in common}
    colours = tuple(UNKNOWN if label == ROOT else own.get(label, OTHER) for label in labels)
    meaning = [(shade, short(label)) for label, shade in own.items()]
    rest = len(common) - len(own)
    if rest > 0:
        meaning.append((OTHER, f"{rest} other label{'s' if rest > 1 else ''}"))
    return _with_unknown(short(title), colours, meaning)


def _with_unknown(title: str, colours: tuple[str, ...], meaning: list[tuple[str, str]]) -> Colouring:
    if UNKNOWN in colours:
        meaning = [*meaning, (UNKNOWN, "any (*)")]
    return Colouring(title=title, colours=colours, meaning=tuple(meaning))


def _by_share(release: Release, name: str) -> Colouring:
    """Colour supernodes by the share of their people that have the value in ``attribute=value``."""
    from matplotlib.colors import to_hex

    from graphanon.plot.style import amounts

    share = shares(release, name)
    known = ~np.isnan(share)
    bins = np.clip(np.ceil(np.where(known, share, 0) * (len(SHARES) - 1)).astype(int), 0, len(SHARES) - 1)
    shades = [to_hex(shade) for shade in amounts()(np.linspace(0.08, 0.95, len(SHARES)))]
    colours = tuple(shades[b] if k else UNKNOWN for b, k in zip(bins.tolist(), known.tolist(), strict=True))
    texts = ["nobody", *(f"up to {100 * share:.0f} %" for share in SHARES[1:-1]), "more, up to all"]
    meaning = [pair for pair in zip(shades, texts, strict=True) if pair[0] in colours]
    return _with_unknown(f"share with {short(name)}", colours, meaning)


def shares(release: Release, name: str) -> Floats:
    """Return float64[supernodes], the share of people with the value in ``attribute=value``; NaN if not told.

    Raises
    ------
    InputProblem
        If there is no such attribute, or nobody is told to have the value.
    """
    columns = {column.name: column for column in release.columns}
    attribute = next((known for known in sorted(columns, key=len, reverse=True) if name.startswith(f"{known}=")), None)
    if attribute is None:
        allowed = ", ".join(columns) or "none"
        what = f"the release has no attribute '{name}' to colour by"
        raise InputProblem(Problem(what=what, allowed=f"{allowed}; or ATTRIBUTE=VALUE for a share", fix="--attribute NAME"))
    value = name[len(attribute) + 1 :]
    column = columns[attribute]
    found = _counted(release, attribute, value) if column.role != "quasi" else _certain(release, column, value)
    if not (found > 0).any():
        what = f"no supernode is told to have anybody with '{value}' in '{attribute}'"
        raise InputProblem(Problem(what=what, allowed="a value in the release, written as it is there", fix=f"--attribute {attribute}"))
    return found


def _counted(release: Release, attribute: str, value: str) -> Floats:
    place = {supernode: i for i, supernode in enumerate(release.names)}
    found = np.zeros(len(release.sizes))
    for line in release.counts:
        if line.attribute == attribute and line.value == value:
            found[place[line.supernode]] = line.people
    return found / release.sizes


def _certain(release: Release, column: PublicColumn, value: str) -> Floats:
    """Return 1 where everyone has the value, 0 where nobody can, NaN between."""
    low, high = intervals(release, column)
    if column.type == "category":
        rows = release.hierarchies.get(column.facts.get("hierarchy", ""), ())
        places = [(row, row.index(value)) for row in rows if value in row]
        inner = {value} | {label for row, i in places for label in row[:i]}
        outer = {ROOT} | {label for row, i in places for label in row[i + 1 :]} - inner
        return np.array([1.0 if label in inner else np.nan if label in outer else 0.0 for label in low])
    return np.array([_covers(column, value, *ends) for ends in zip(low, high, strict=True)])


def _covers(column: PublicColumn, value: str, low: str, high: str) -> float:
    if low == high != ROOT:
        return float(low == value)
    if ROOT in (low, high):
        return float("nan")
    line = list(column.facts.get("order", ()))
    try:
        inside = line.index(low) <= line.index(value) <= line.index(high) if line else float(low) <= float(value) <= float(high)
    except ValueError:
        return 0.0
    return float("nan") if inside else 0.0
