"""What a command gives back, and the two streams that it may speak to."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "aligned", "count", "give", "tell"]

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a person reads, what a script reads instead, and how the command ends."""

    text: str
    json: Mapping[str, Any] = field(default_factory=dict)
    code: int = 0


def give(answer: Answer, *, as_json: bool) -> None:
    """Print the answer to standard output; a reader who has left early is no fault."""
    text = json.dumps(answer.json, indent=1) if as_json else _harmless(answer.text)
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text.rstrip("\n") + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout.fileno())


def tell(text: str) -> None:
    """Say something beside the answer, on standard error."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(_harmless(text) + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        _silence(sys.stderr.fileno())


def _silence(stream: int) -> None:
    # the interpreter flushes once more when it ends
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def _harmless(text: str) -> str:
    """Spell out control characters: a cell of a file must not steer the terminal."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def aligned(rows: Sequence[Sequence[str]], *, indent: str = "  ", head: bool = True) -> str:
    """Return rows as columns of text; the first row is a heading, the last column runs free.

    Examples
    --------
    >>> print(aligned([["name", "size"], ["ncp", "0.3"]]))
      name  size
      ----  ----
      ncp   0.3
    """
    if not rows:
        return ""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    ruled = [rows[0], ["-" * len(cell) for cell in rows[0]], *rows[1:]] if head else rows
    return "\n".join(
        (indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip()
        for row in ruled
    )


def count(number: int, one: str, many: str | None = None) -> str:
    """Return the number with its noun.

    Examples
    --------
    >>> count(1, "tie"), count(1496, "tie"), count(2, "person", "people")
    ('1 tie', '1,496 ties', '2 people')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
