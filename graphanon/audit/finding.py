"""What an audit says: one promise, what was asked, what was found, whether it holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

__all__ = ["Finding", "Findings", "broken", "settled"]

SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One promise as recounted from the files; `file` and `line` say where it breaks.

    A finding without `asked` states what is the case although nobody asked for it.

    Examples
    --------
    >>> Finding(promise="k", asked=5, found=4, holds=False).as_json()
    {'promise': 'k', 'asked': 5, 'found': 4, 'holds': False}
    """

    promise: str
    holds: bool
    asked: Any = None
    found: Any = None
    detail: str = ""
    file: str | None = None
    line: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the finding in the shape that ``--json`` prints."""
        told: dict[str, Any] = {
            "promise": self.promise, "asked": self.asked, "found": self.found, "holds": self.holds,
        }
        extra = {"detail": self.detail or None, "file": self.file, "line": self.line}
        return told | {key: value for key, value in extra.items() if value is not None}

    def __str__(self) -> str:
        place = "" if self.file is None else self.file + (f", line {self.line}" if self.line else "") + ": "
        counted = "" if self.asked is None and self.found is None else f" asked {self.asked}, found {self.found}"
        return f"{self.promise}: {'holds' if self.holds else 'BROKEN'}{counted} {place}{self.detail}".rstrip()


class Findings(tuple[Finding, ...]):
    """What an audit found, as a table in a notebook.

    Examples
    --------
    >>> found = Findings([Finding(promise="k", asked=5, found=5, holds=True)])
    >>> len(found), "<td>5</td>" in found._repr_html_()
    (1, True)
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        lines = "".join(
            "<tr><th scope='row'>" + "</th><td>".join((escape(f.promise), "</td><td>".join(map(_cell, (f.asked, f.found)))))
            + f"</td><td>{'yes' if f.holds else '<b>NO</b>'}</td></tr>"
            for f in self
        )
        broken_ = sum(not finding.holds for finding in self)
        verdict = f"{broken_} of {len(self)} checks FAILED" if broken_ else f"{len(self)} checks, every one holds"
        head = "".join(f"<th scope='col'>{name}</th>" for name in ("check", "asked", "found", "holds"))
        return f"<table><caption><b>{verdict}</b></caption><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _cell(value: Any) -> str:
    return "" if value is None else escape(f"{value:.4g}" if isinstance(value, float) else str(value))


def broken(promise: str, what: str, file: str | None = None, line: int | None = None) -> Finding:
    """Return the finding that something is wrong."""
    return Finding(promise=promise, holds=False, detail=what, file=file, line=line)


def settled(promises: Sequence[str], faults: Iterable[Finding]) -> list[Finding]:
    """Return one finding for each of these promises that nothing speaks against, else its faults."""
    found: dict[str, list[Finding]] = {promise: [] for promise in promises}
    for fault in faults:
        found.setdefault(fault.promise, []).append(fault)
    out = []
    for promise, against in found.items():
        out += against[:SHOWN] or [Finding(promise=promise, holds=True)]
        if len(against) > SHOWN:
            out.append(broken(promise, f"and {len(against) - SHOWN} more"))
    return out
