"""README.txt: the letter whose every word is known, but for the numbers of the release."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256

from graphanon.audit.files import decoded
from graphanon.audit.finding import Finding, broken
from graphanon.audit.groups import Groups
from graphanon.audit.statement import Statement

__all__ = ["letter_faults", "private_letter_faults", "wording"]

README = "README.txt"
# one for each wording that format 1 has had; `wording` computes it
WORDINGS = {
    "supernode-graph": frozenset({"a641e6dc3da525a2"}),
    "table": frozenset({"722cbdc48c1a7949"}),
    "perturbed-table": frozenset({"aebda76cd7e52d40"}),
    "centres": frozenset({"fbbffe44de6b6386"}),
}
_DIGITS = re.compile(r"[0-9]+")


def private_letter_faults(contents: Mapping[str, bytes], kind: str, rows: int) -> Iterator[Finding]:
    """Find a letter of another wording than that of a release with a budget, or with another number of people."""
    text, faults = decoded(contents, README)
    yield from faults
    if text and wording(text, 1) not in WORDINGS[kind]:
        yield broken("readme", "is not worded as the letter of a release", README)
    elif text and _DIGITS.findall(text)[:1] != [str(rows)]:
        yield broken("readme", "its number is not that of the release", README)


def wording(text: str, numbers: int) -> str:
    """Return the digest of a letter without its first few numbers."""
    return sha256(_DIGITS.sub("#", text, count=numbers).encode("utf-8")).hexdigest()[:16]


def letter_faults(contents: Mapping[str, bytes], statement: Statement, groups: Groups) -> Iterator[Finding]:
    """Find a letter of another wording, or with numbers that are not those of the release."""
    text, faults = decoded(contents, README)
    yield from faults
    if not text:
        return
    sizes = [group.size for group in groups.by_name.values()]
    people = [statement.people, statement.withheld]
    ties = [statement.ties] if statement.graph else []
    expected = [sum(sizes), *ties, len(sizes), min(sizes, default=0), *people]
    kind = "supernode-graph" if statement.graph else "table"
    if wording(text, len(expected)) not in WORDINGS[kind]:
        yield broken("readme", "is not worded as the letter of a release", README)
    elif _DIGITS.findall(text)[: len(expected)] != [str(number) for number in expected]:
        yield broken("readme", "its numbers are not those of the release", README)
