"""What readers of graph files gather on their way: attributes as they turn up, places as lines, edges both ways.

A graph file tells attributes element by element, and not every element has every attribute. They are kept
as they come, so that a value costs no more than its text, and become columns when their number is known.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.io.csv_table import Column
from graphanon.io.declared import Declared, settled
from graphanon.io.faults import refusal

__all__ = [
    "Values", "both_ways", "bracketed", "column_of", "lines_at", "refuse_width", "stop_at_many", "tied_groups", "told",
]

_CHUNK = 1 << 22
_FREE = 500
_NAMES = 20_000
_ENOUGH = 1000
_MOST = 20_000_000  # cells


class Values:
    """Attributes of the elements of one kind, put in by the number of the element, in any order of names."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._at: dict[str, array[int]] = {}
        self._text: dict[str, list[str | None]] = {}
        self._seen: dict[str, set[Declared]] = {}

    def put(self, name: str, place: int, text: str | None, type: Declared | None = None) -> None:  # noqa: A002  what a file calls it
        """Keep a value, None for one that is said to be missing, and its type if the file tells it."""
        if type is not None:
            self._seen.setdefault(name, set()).add(type)
        if name not in self._at:
            self._at[name], self._text[name] = array("q"), []
            if len(self._at) > _NAMES:
                refuse_width(len(self._at), _MOST, self._file)
        self._at[name].append(place)
        self._text[name].append(text)

    def types(self) -> dict[str, Declared]:
        """Return the type of each attribute whose values told one."""
        return {name: settled(seen) for name, seen in self._seen.items()}

    def columns(self, length: int, missing: AbstractSet[str] = frozenset()) -> dict[str, Column]:
        """Return a column for each name in the order of their first values; texts in `missing` are None.

        Raises
        ------
        InputProblem
            If there are so many names that the table would be nearly all gaps and fill the memory.
        """
        absent = {"", *missing}
        refuse_width(len(self._at), length, self._file)
        columns = {}
        for name, places in self._at.items():
            column = columns[name] = np.full(length, None, dtype=object)
            texts = [None if text in absent else text for text in self._text[name]]
            column[np.array(places, dtype=np.int64)] = column_of(texts)
        return columns


def refuse_width(names: int, length: int, file: str) -> None:
    """Refuse so many attributes that a table of this length would be nearly all gaps and fill the memory.

    Raises
    ------
    InputProblem
        If there are that many.
    """
    if names > _FREE and names * length > _MOST:
        raise refusal([Problem(what=f"has {names:,} differently named attributes or more, which is no table of people",
                               file=file, allowed=f"up to {_FREE:,}", fix="is the name of an attribute a value?")])


def stop_at_many(problems: Sequence[Problem]) -> None:
    """Refuse a file in which a thousand things are wrong, without looking for more.

    Raises
    ------
    InputProblem
        If there are a thousand problems.
    """
    if len(problems) >= _ENOUGH:
        last = Problem(what=f"reading stopped after {_ENOUGH:,} problems", file=problems[0].file)
        raise InputProblem([*problems[:20], last])


def column_of(texts: Sequence[str | None]) -> Column:
    """Return texts as a column."""
    column = np.empty(len(texts), dtype=object)
    column[:] = texts
    return column


def lines_at(data: bytes | str, places: Sequence[int]) -> NDArray[np.int64]:
    r"""Return the line, counted from 1, of each place in a text.

    Examples
    --------
    >>> lines_at("a\nbc\n", [0, 2, 3]).tolist()
    [1, 2, 2]
    """
    ends = _newlines(data.encode("ascii") if isinstance(data, str) and data.isascii() else data)
    return np.searchsorted(ends, np.asarray(places, dtype=np.int64), side="left").astype(np.int64) + 1


def _newlines(data: bytes | str) -> NDArray[np.int64]:
    if isinstance(data, bytes):
        return np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10)
    found = [np.zeros(0, dtype=np.int64)]
    for start in range(0, len(data), _CHUNK):
        letters = np.frombuffer(data[start: start + _CHUNK].encode("utf-32-le"), dtype=np.uint32)
        found.append(np.flatnonzero(letters == 10) + start)
    return np.concatenate(found)


def bracketed(items: Iterable[str]) -> str:
    r"""Return texts as one cell that tells where each begins and ends.

    Examples
    --------
    >>> bracketed(["de", 'a "b"'])
    '["de", "a \\"b\\""]'
    """
    return json.dumps(list(items), ensure_ascii=False)


def told(seen: Mapping[str, int], sentence: str) -> Iterator[str]:
    """Yield the sentence for each thing that was seen, with its name and number put in."""
    for name, number in sorted(Counter(seen).items()):
        yield sentence.format(name=name, number=f"{number:,}")


def both_ways(directed: NDArray[np.bool_], mutual: NDArray[np.bool_], *, asked: bool | None) -> NDArray[np.int64]:
    """Return the edges that must be read a second time, turned around, where ties have a direction.

    `directed` and `mutual` say it of every edge; one that is neither has no direction. `asked` is the
    option's word on the whole graph.
    """
    arcs = asked is True or (asked is None and bool(directed.any()))
    return np.flatnonzero(mutual | ~directed) if arcs and bool((directed | mutual).any()) else np.zeros(0, dtype=np.int64)


def tied_groups(
    groups: AbstractSet[str], source: Sequence[str | None], target: Sequence[str | None], lines: Sequence[int], file: str
) -> Iterator[Problem]:
    """Yield a problem for every edge that ends at a group of people."""
    if not groups:
        return
    for ends, line in zip(zip(source, target, strict=True), lines, strict=True):
        for end in dict.fromkeys(ends):
            if end in groups:
                yield Problem(what=f"an edge ends at the group '{end}', which is no person", file=file, line=line,
                              allowed="edges between nodes that hold no others", fix="remove the edge")
