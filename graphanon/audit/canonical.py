"""The one way in which each file of a release is written.

What reads back alike may be written in many ways: with needless quotes, blanks, escapes, in another order.
Each of them has room for a message that no reader of CSV or JSON would show. So what was parsed is
written again, by rules of the audit's own, and has to give the bytes that are there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

__all__ = ["csv_difference", "line_difference", "statement_text", "weight_is_good"]

ORDER = (
    "format", "kind", "people", "withheld", "supernodes", "classes", "ties", "directed", "payload", "promises", "found",
    "columns", "method", "losses", "software",
)
BOUNDS = ("k", "alpha", "l", "t", "tie_confidence")
DIVERSITY = ("l", "diversity", "c")
FACTS = ("range", "grid", "steps", "order", "hierarchy")
LOSSES = ("ncp", "ngil", "nsil", "tie_loss", "total", "discernibility", "average_class_size")
EXACT = 2**53

# text with none of these in it needs no quotes and has none
_ODD = {",": re.compile(r'["]|[^\S\n]'), ";": re.compile(r'[",\t|]|[^\S\n]')}
_QUOTED = {",": re.compile(r'[,"\r\n]|^\s|\s$'), ";": re.compile(r'[,;\t|"\r\n]|^\s|\s$')}


def line_difference(text: str, lines: Iterable[str]) -> int | None:
    r"""Return the first line, counted from 1, in which text is not these lines; None if it is.

    Examples
    --------
    >>> line_difference("a\nb \n", ["a\n", "b\n"]), line_difference("a\n", ["a\n"])
    (2, None)
    """
    place = 0
    for line in lines:
        if not text.startswith(line, place):
            return text.count("\n", 0, place) + 1
        place += len(line)
    return None if place == len(text) else text.count("\n", 0, place) + 1


def csv_difference(text: str, rows: Sequence[Sequence[str]], separator: str) -> int | None:
    r"""Return the first line in which text is not these rows with quotes where they must be and nowhere else.

    Examples
    --------
    >>> csv_difference('a,"b,c"\n', [("a", "b,c")], ","), csv_difference('"a",b\n', [("a", "b")], ",")
    (None, 1)
    """
    if not _ODD[separator].search(text) and text.count("\n") == len(rows):
        return None
    special = _QUOTED[separator].search

    @lru_cache(maxsize=16_384)
    def cell(value: str) -> str:
        return '"' + value.replace('"', '""') + '"' if special(value) else value

    # a lone empty cell would read back as no line at all
    return line_difference(text, (separator.join(map(cell, row)) + "\n" if any(row) or len(row) > 1 else '""\n'
                                  for row in rows))


def weight_is_good(text: str) -> bool:
    """Return whether a sum of weights is written with at most twelve digits that count, and no more than it takes.

    Examples
    --------
    >>> [text for text in ("2", "2.5", "2.0", "1e0", "0.30000000000000004", "nan") if weight_is_good(text)]
    ['2', '2.5']
    """
    try:
        value = float(text)
        return float(f"{value:.12g}") == value and text == (str(int(value)) if value.is_integer() else repr(value))
    except (ValueError, OverflowError):
        return False


def statement_text(told: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return release.json with everything in its order and every number in its type; `names` are the columns."""
    parts = _chosen(told, ORDER)
    parts["promises"] = _bounds(told["promises"], names)
    parts["found"] = _bounds(told["found"], names, told["promises"])
    parts["columns"] = _each(told["columns"], names, lambda facts: _each(facts, FACTS, _plain))
    parts["losses"] = _each(told["losses"], LOSSES, _real)
    return json.dumps(parts, ensure_ascii=False, indent=2) + "\n"


def _bounds(told: Mapping[str, Any], names: Sequence[str], promises: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return promises, or what was found of `promises`."""
    parts = _chosen(told, BOUNDS)
    asked = (promises or {}).get("l", {})
    ways: dict[str, Callable[[Any], Any]] = {
        "alpha": lambda bounds: _each(bounds, names, lambda shares: _each(shares, None, _real)),
        "l": lambda bounds: _each(bounds, names, lambda bound: _each(bound, DIVERSITY, _plain)),
        "t": lambda bounds: _each(bounds, names, _real),
        "tie_confidence": _real,
    }
    parts |= {key: ways[key](parts[key]) for key in ways if key in parts}
    # what entropy amounts to is a fraction even where it is whole
    entropies = [name for name, bound in asked.items() if isinstance(bound, dict) and bound["diversity"] == "entropy"]
    if entropies and isinstance(parts.get("l"), dict):
        parts["l"] |= {name: _real(value) for name, value in _chosen(told["l"], entropies).items()}
    return parts


def _chosen(told: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    return {key: told[key] for key in keys if key in told}


def _each(told: Any, keys: Collection[str] | None, change: Callable[[Any], Any]) -> Any:
    """Return an object in the order of `keys`, or of its own keys as text; anything else is changed as it is."""
    if not isinstance(told, dict):
        return change(told)
    return {key: change(value) for key, value in _chosen(told, sorted(told) if keys is None else keys).items()}


def _real(value: Any) -> Any:
    return float(value) if type(value) is int and abs(value) <= EXACT else value


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
