"""How a value shows itself in a notebook: a small table of what there is of it, never of what anybody is."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["card"]


def card(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """Return a title and rows of a name and a number or word as HTML; whatever comes in is escaped.

    Examples
    --------
    >>> card("<graph>", [("people", 1500)])
    '<table><caption><b>&lt;graph&gt;</b></caption><tbody><tr><th scope="row">people</th><td>1,500</td></tr></tbody></table>'
    """
    lines = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{escape(_text(value))}</td></tr>' for name, value in rows)
    return f"<table><caption><b>{escape(title)}</b></caption><tbody>{lines}</tbody></table>"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
