"""What is known of each data set: where it is from, what may be done with it, what its columns mean.

A card is a Markdown file that begins with a title and a list of facts in bold; the whole text is for
people, the facts are for listings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from graphanon.datasets.bundled import DATA
from graphanon.datasets.named import NAMES

__all__ = ["Card", "cards"]

_FACT = re.compile(r"^- \*\*(.+?):\*\* (.+)$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Card:
    """A data set's name, title, size, source, licence and citation, and the whole card as Markdown."""

    name: str
    title: str
    people: int
    ties: int
    source: str
    licence: str
    citation: str
    text: str


def cards() -> Mapping[str, Card]:
    """Return the card of every data set by its name.

    Examples
    --------
    >>> cards()["heart"].people
    918
    """
    return {name: _card(name, (DATA / f"{name}.md").read_text(encoding="utf-8")) for name in NAMES}


def _card(name: str, text: str) -> Card:
    facts = dict(_FACT.findall(text))
    return Card(
        name=name, title=text.splitlines()[0].removeprefix("# "), people=int(facts["People"]),
        ties=int(facts["Ties"]), source=facts["Source"], licence=facts["Licence"], citation=facts["Citation"],
        text=text,
    )
