"""What the explorer of a page explores, as one packed object: classes, their cells, counts and ties.

Everything in it stands in the files of the release or is added up from them, save places and communities,
which only arrange it. Cells are spelled out once and numbered, the whole is compressed: thousands of supernodes
and a hundred thousand superedges take a few hundred kilobytes.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphanon.audit.groups import Group
from graphanon.audit.values import ANY, Cover, Numbers, Ranks, ValueLine
from graphanon.report.layout import FEW, communities, places
from graphanon.report.subject import Subject

__all__ = ["explored", "packed"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_CLASSES = 15_000  # classes that a page carries; the largest, where there are more
ROOM = 900_000  # characters for all of it; the narrowest superedges stay away until it fits
DIGITS = 4


def packed(thing: Any) -> str:
    """Return a thing as base64 of its compressed JSON, which no cell can break out of.

    Examples
    --------
    >>> packed("</script>").isascii() and "<" not in packed("</script>")
    True
    """
    text = json.dumps(thing, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return b64encode(gzip.compress(text.encode("utf-8"), mtime=0)).decode("ascii")


def explored(subject: Subject) -> str:
    """Return the classes of a release as the explorer wants them, packed.

    What would make the page too large to be sent is left out, the least first: past fifteen thousand classes the
    smallest, then superedges of few ties.
    """
    told = _told(subject)
    if not subject.statement.graph:
        return packed(told)
    shown = _shown(subject)
    pairs, both = _unordered(*_among(shown, *subject.superedges))
    told |= _graph(subject, shown, pairs, both)
    widest = np.argsort(-both, kind="stable")
    while True:
        kept = np.sort(widest)
        text = packed(told | {"edges": _edges(pairs[kept], both[kept], len(shown))})
        if len(text) <= ROOM or not len(widest):
            return text
        widest = widest[: int(len(widest) * min(0.8, ROOM / len(text)))]


def _told(subject: Subject) -> dict[str, Any]:
    """Return what is known of each class that is shown, apart from its ties."""
    shown = _shown(subject)
    lost = subject.lost()
    mean = lost.mean(axis=1) if lost.shape[1] else np.zeros(len(lost))
    classes = [subject.classes[i] for i in shown.tolist()]
    told = {
        "graph": subject.statement.graph,
        "unit": subject.unit,
        "word": subject.word,
        "directed": subject.statement.directed,
        "left_out": len(subject.classes) - len(shown),
        "names": [group.name for group in classes],
        "sizes": [group.size for group in classes],
        "lost": _rounded(mean[shown]),
        "columns": [_column(subject, j, classes) for j in range(len(subject.quasi))],
        "values": [_values(attribute.name, attribute.role, classes) for attribute in subject.payload],
    }
    # a table's classes stand by how many people they have and how much their cells have lost
    return told | {"x": told["sizes"], "y": told["lost"], "overview": False}


def _shown(subject: Subject) -> Ints:
    """Return the places of the classes that a page carries, in their order, int64[shown]."""
    return np.sort(np.argsort(-subject.sizes, kind="stable")[:MOST_CLASSES])


def _among(shown: Ints, ends: Ints, ties: Ints) -> tuple[Ints, Ints]:
    """Return the superedges between classes that are shown, numbered by these."""
    number = np.full(int(max(shown.max(initial=-1), ends.max(initial=-1))) + 1, -1, dtype=np.int64)
    number[shown] = np.arange(len(shown))
    inner = (number[ends] >= 0).all(axis=1)
    return number[ends][inner], ties[inner]


def _rounded(values: Floats) -> list[float]:
    return [round(value, DIGITS) for value in values.tolist()]


def _coded(cells: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return each cell that there is once, the most frequent first, and the number of each class's own."""
    texts = [text for text, _ in sorted(Counter(cells).items(), key=lambda item: (-item[1], item[0]))]
    number = {text: i for i, text in enumerate(texts)}
    return texts, [number[cell] for cell in cells]


def _column(subject: Subject, place: int, classes: Sequence[Group]) -> dict[str, Any]:
    attribute = subject.quasi[place]
    line = subject.lines[attribute.name]
    covers = [group.covers[place] for group in classes]
    cells = [_text(line, cover) for cover in covers]
    texts, codes = _coded(cells)
    told: dict[str, Any] = {"name": attribute.name, "type": attribute.type, "texts": texts, "codes": codes}
    if isinstance(line, Numbers):
        middle = {cell: None if cover.any else float(cover.low + cover.high) / 2
                  for cell, cover in zip(cells, covers, strict=True)}
        told["middle"] = [middle[text] for text in texts]
    return told


def _text(line: ValueLine, cover: Cover) -> str:
    """Return a cell as a person reads it.

    Examples
    --------
    >>> line = Numbers({"range": [0, 90], "grid": 1})
    >>> _text(line, line.read(("30", "40"))), _text(line, line.read(("7", "7"))), _text(line, line.read(("*", "*")))
    ('30 to 40', '7', '*')
    """
    if cover.any:
        return ANY
    low, high = cover.low, cover.high
    if isinstance(line, Ranks):
        labels = list(line.place)
        low, high = labels[low], labels[high]
    text = str(low) if low == high else f"{low} to {high}"
    return text or "(missing)"


def _values(name: str, role: str, classes: Sequence[Group]) -> dict[str, Any]:
    """Return how often each value occurs, in all and in each class as number, count, number, count…"""
    tallies = [group.tallies[name] for group in classes]
    whole: Counter[str] = sum(tallies, Counter())
    texts = [text for text, _ in sorted(whole.items(), key=lambda item: (-item[1], item[0]))]
    number = {text: i for i, text in enumerate(texts)}
    counts = [
        [part for text, count in sorted(tally.items(), key=lambda item: (-item[1], number[item[0]])) if count
         for part in (number[text], count)]
        for tally in tallies
    ]
    return {"name": name, "role": role, "texts": [text or "(missing)" for text in texts], "counts": counts}


def _graph(subject: Subject, shown: Ints, pairs: Ints, both: Ints) -> dict[str, Any]:
    """Return what is known of supernodes beside their cells: ties, communities, places."""
    n, sizes = len(shown), subject.sizes[shown]
    ends, ties = subject.superedges
    degree = np.bincount(ends.ravel(), weights=np.repeat(ties, 2), minlength=len(subject.classes)).astype(np.int64)
    labels = communities(n, pairs, both, sizes)
    place = places(pairs, both, sizes, labels)
    return {
        "inside": subject.inside[shown].tolist(),
        "between": degree[shown].tolist(),
        "x": _rounded(place[:, 0]),
        "y": _rounded(place[:, 1]),
        "community": labels.tolist(),
        "overview": n > FEW and int(labels.max()) > 0,
        "superedges": len(pairs),
    }


def _unordered(ends: Ints, ties: Ints) -> tuple[Ints, Ints]:
    """Return each pair once, sorted, with what is tied both ways added up."""
    if not len(ends):
        return ends, ties
    pairs, place = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    return pairs, np.bincount(place.reshape(-1), weights=ties).astype(np.int64)


def _edges(pairs: Ints, ties: Ints, n: int) -> dict[str, list[int]]:
    """Return sorted pairs as counts a first end, steps from one second end to the next, and ties."""
    counts = np.bincount(pairs[:, 0], minlength=n)
    steps = np.diff(pairs[:, 1], prepend=0)
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])[counts > 0]
    steps[first] = pairs[first, 1]
    return {"counts": counts.tolist(), "steps": steps.tolist(), "ties": ties.tolist()}
