"""Text inside XML, spelled so that every parser gives back what was put in."""

from __future__ import annotations

import re

__all__ = ["attribute", "content"]

_SPECIAL = re.compile('[&<>"\r\n\t]')
_SPELLED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}


def content(text: str) -> str:
    """Return text as the content of an element.

    Examples
    --------
    >>> content("a < b & c")
    'a &lt; b &amp; c'
    """
    return _SPECIAL.sub(lambda mark: _SPELLED[mark[0]], text)


def attribute(text: str) -> str:
    """Return text as the value of an attribute, in quotation marks."""
    return f'"{content(text)}"'
