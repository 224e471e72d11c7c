"""What a column seems to be: its type, the role to suggest, the bounds and groups that may be told.

Suggestions lean to silence: what may name a person is an identifier, what says nothing is dropped,
what an attacker could know is a quasi-identifier. Each comes with its reason, for a suggestion is no
decision. A reason never repeats anybody's value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from graphanon.domain import ROOT, Floats, Tree
from graphanon.io.cells import Coded
from graphanon.io.declared import Declared
from graphanon.io.hierarchy_file import hierarchy_text
from graphanon.io.numbers import parse_numbers, propose_grid, propose_range
from graphanon.schema import Role

__all__ = ["Kind", "kind_of", "suggested_hierarchy"]

Type = Literal["int", "float", "text", "bool-like", "set"]

_SAMPLE = 2000
_FEW = 5  # that few whole numbers are read as codes, not as amounts
_WHOLE = re.compile(r"[+-]?(?:0|[1-9]\d*)", re.ASCII)
_CODED = re.compile(r"[+-]?0\d", re.ASCII)
_PAIRS = ({"0", "1"}, {"true", "false"}, {"yes", "no"}, {"y", "n"}, {"t", "f"}, {"on", "off"})

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]{2,}"),
    "web addresses": re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE),
    "network addresses": re.compile(r"\d{1,3}(?:\.\d{1,3}){3}", re.ASCII),
    "phone numbers": re.compile(r"(?!\d{4}-\d\d-\d\d$)(?:\+|\(?0)[\d ()/.\-]*[ ()/\-][\d ()/.\-]{4,}|\+\d{7,}"
                                r"|\(?\d{3}\)?[ .\-]\d{3,4}[ .\-]\d{3,4}", re.ASCII),
    "universal identifiers": re.compile(r"[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", re.IGNORECASE),
}
_NAME_LIKE = re.compile(r"[^\W\d_][\w.'\u2019-]*,?(?: [^\W\d_][\w.'\u2019-]*,?){1,4}")
_DATES = (re.compile(r"(\d{4})-(\d\d)-\d\d(?:[T ].*)?", re.ASCII), re.compile(r"\d\d?[./](\d\d?)[./](\d{4})", re.ASCII))

_NAMING = frozenset({
    "id", "ids", "uid", "uuid", "guid", "pid", "ssn", "email", "mail", "phone", "telephone", "tel",
    "mobile", "fax", "url", "website", "homepage", "iban", "passport", "account", "username", "login",
    "nickname", "screenname", "name", "fullname", "surname", "lastname", "firstname", "forename",
    "address", "street", "ip", "license", "licence",
})
_ALWAYS_NAMING = frozenset({
    "email", "mail", "phone", "telephone", "ssn", "iban", "passport", "fullname", "surname", "lastname", "firstname",
    "forename", "username", "nickname",
})
_PROTECTED = frozenset({
    "illness", "illnesses", "disease", "diseases", "diagnosis", "diagnoses", "condition", "hiv", "cancer",
    "medication", "drug", "drugs", "treatment", "therapy", "income", "salary", "wage", "wages",
    "earnings", "debt", "religion", "political", "politics", "party", "vote", "ethnicity", "orientation",
    "sexuality", "criminal", "offence", "offense", "crime", "disability", "symptom", "symptoms",
})
_WISHES = frozenset({"k", "wish", "own_k", "wish_k", "k_wish"})


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What a column seems to be and why; `line` is what a schema may say of its values."""

    type: Type
    role: Role
    why: str
    line: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Look:
    """One column under examination: `n` people, its distinct texts, its numbers if it has only numbers."""

    name: str
    coded: Coded
    type: Type
    numbers: Floats | None
    is_id: bool

    @property
    def distinct(self) -> int:
        return len(self.coded.labels)

    @property
    def present(self) -> int:
        return int(self.coded.count.sum())

    @property
    def words(self) -> set[str]:
        parts = re.split(r"[\W_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", self.name))
        return {part.casefold() for part in parts if part}

    @property
    def unique(self) -> bool:
        return self.present > 1 and self.distinct == self.present


def kind_of(name: str, coded: Coded, *, is_id: bool = False, declared: Declared | None = None) -> Kind:
    """Return the type of a column, the role to suggest and the reason.

    `declared` is what its file says that it is; digits that are declared as text are read as codes, not as amounts.

    Examples
    --------
    >>> import pandas as pd
    >>> from graphanon.io.cells import code
    >>> kind_of("mail", code(pd.Series(["ann@one.org", "bob@two.org"]))).why
    '100 % of its values look like e-mail addresses'
    """
    type_, numbers = _type(coded.labels)
    if declared == "text" and type_ in ("int", "float"):
        type_, numbers = "text", None
    elif declared == "number" and type_ == "int":
        type_ = "float"
    look = _Look(name, coded, type_, numbers, is_id)
    role, why = next(found for rule in _RULES if (found := rule(look)) is not None)
    return Kind(type=type_, role=role, why=why, line=_line(look) if role is Role.QUASI else {})


def _type(labels: Sequence[str]) -> tuple[Type, Floats | None]:
    if len(labels) == 2 and {label.strip().casefold() for label in labels} in _PAIRS:
        return "bool-like", None
    if labels and all(map(_is_list, labels)):
        return "set", None
    numbers = parse_numbers(labels)
    if not labels or np.isnan(numbers).any() or any(_CODED.match(label.strip()) for label in labels):
        return "text", None
    # beyond that size digits are a code, and a float would not even hold them
    if (np.abs(numbers) >= 2.0**53).any():
        return "text", None
    whole = all(_WHOLE.fullmatch(label.strip()) for label in labels)
    return ("int" if whole else "float"), numbers


def _is_list(label: str) -> bool:
    """Tell whether a cell is a list as readers of graph files write them."""
    if not (label.startswith("[") and label.endswith("]")):
        return False
    try:
        return isinstance(json.loads(label), list)
    except (ValueError, RecursionError):
        return False


def _line(look: _Look) -> dict[str, Any]:
    """Return range, grid and steps to propose for numbers, nothing for text and codes."""
    if look.numbers is None or (look.type == "int" and look.distinct <= _FEW):
        return {}
    grid = propose_grid(look.numbers)
    low, high = propose_range(look.numbers, grid)
    steps = [grid * width for width in (5, 10, 20, 40) if grid * width <= (high - low) / 2]
    line: dict[str, Any] = {"range": [low, high]}
    if grid != 1 or look.type == "float":
        line["grid"] = grid
    return line | ({"steps": [round(step, 10) for step in steps]} if steps else {})


def _named_by_it(look: _Look) -> tuple[Role, str] | None:
    return (Role.IDENTIFIER, "names the person") if look.is_id else None


def _says_nothing(look: _Look) -> tuple[Role, str] | None:
    if look.distinct == 0:
        return Role.DROP, "every cell is missing"
    if look.distinct == 1 and not look.coded.missing.any() and look.present > 1:
        return Role.DROP, "the same for everybody"
    return None


def _looks_like(look: _Look) -> tuple[Role, str] | None:
    sample = look.coded.labels[:_SAMPLE]
    for what, pattern in _PATTERNS.items():
        share = sum(pattern.fullmatch(label.strip()) is not None for label in sample) / len(sample)
        if share >= 0.5:
            return Role.IDENTIFIER, f"{share:.0%} of its values look like {what}".replace("%", " %")
    share = sum(_NAME_LIKE.fullmatch(label.strip()) is not None and label.istitle() for label in sample) / len(sample)
    if share >= 0.7 and look.present >= 5 and look.distinct > look.present / 2:
        return Role.IDENTIFIER, f"{share:.0%} of its values look like names".replace("%", " %")
    return None


def _own_k(look: _Look) -> tuple[Role, str] | None:
    if look.name.casefold() in _WISHES and look.type == "int" and look.numbers is not None and look.numbers.min() >= 1:
        return Role.K, "its name says that it holds each person's own k"
    return None


def _named_like_an_identifier(look: _Look) -> tuple[Role, str] | None:
    if look.type == "bool-like":
        return None
    # lastName and last_name are lastname
    words = look.words | {"".join(re.split(r"[\W_]+", look.name)).casefold()}
    sure = sorted(words & _ALWAYS_NAMING)
    if sure:
        return Role.IDENTIFIER, f"its name has the word '{sure[0]}'"
    hint = sorted(words & _NAMING)
    if hint and look.distinct > max(2, look.present / 2):
        return Role.IDENTIFIER, f"its name has the word '{hint[0]}', and most values occur once"
    return None


def _unique(look: _Look) -> tuple[Role, str] | None:
    if not look.unique:
        return None
    if look.type == "text":
        return Role.IDENTIFIER, "every value occurs once"
    numbers = look.numbers
    if look.type != "int" or numbers is None or look.present < 3:
        return None
    if np.ptp(numbers) + 1 == look.present:
        return Role.IDENTIFIER, "counts the rows: consecutive numbers, each of them once"
    digits = {len(label.strip()) for label in look.coded.labels}
    if len(digits) == 1 and digits.pop() >= 6:
        return Role.IDENTIFIER, "every value occurs once, and all have the same number of digits"
    return None


def _nearly_unique(look: _Look) -> tuple[Role, str] | None:
    if look.type == "text" and look.present >= 10 and look.distinct > 0.8 * look.present and not _date_like(look):
        return Role.IDENTIFIER, "nearly every value occurs once"
    return None


def _prose(look: _Look) -> tuple[Role, str] | None:
    lengths = [len(label) for label in look.coded.labels[:_SAMPLE]]
    if look.type == "text" and sum(lengths) / len(lengths) > 40:
        return Role.DROP, "long free text, which may say anything about anybody"
    return None


def _protected(look: _Look) -> tuple[Role, str] | None:
    hint = sorted(look.words & _PROTECTED)
    return (Role.SENSITIVE, f"its name has the word '{hint[0]}'") if hint else None


def _knowable(look: _Look) -> tuple[Role, str] | None:
    if look.unique and look.numbers is not None:
        return Role.QUASI, "somebody may know it, and it alone singles out everybody"
    if look.numbers is not None and not _line(look):
        return Role.QUASI, "somebody may know it; so few whole numbers are read as codes (give a range if they are amounts)"
    if _date_like(look):
        return Role.QUASI, "somebody may know it; its values look like dates"
    if look.type == "text" and look.coded.labels and all(label.strip().isdigit() for label in look.coded.labels):
        return Role.QUASI, "somebody may know it; digits that stay text (declared as text, with leading zeros, or too many for a number)"
    return Role.QUASI, "somebody may know it"


_RULES: tuple[Callable[[_Look], tuple[Role, str] | None], ...] = (
    _named_by_it, _says_nothing, _looks_like, _own_k, _named_like_an_identifier, _unique, _nearly_unique, _prose,
    _protected, _knowable,
)


def _date_like(look: _Look) -> bool:
    return look.type == "text" and _date_rows(look.coded.labels[:_SAMPLE]) is not None


def suggested_hierarchy(coded: Coded) -> str | None:
    """Return a hierarchy file for dates and for codes of one length, None for other text.

    Dates go by month and year, codes lose one character at a time.

    Examples
    --------
    >>> import pandas as pd
    >>> from graphanon.io.cells import code
    >>> print(suggested_hierarchy(code(pd.Series(["0123", "0199"]))), end="")
    0123;012*;01**;0***;*
    0199;019*;01**;0***;*
    """
    rows = _date_rows(coded.labels) or _prefix_rows(coded.labels)
    return None if rows is None else hierarchy_text(Tree(tuple(rows)))


def _date_rows(labels: Sequence[str]) -> list[tuple[str, ...]] | None:
    for pattern, form in zip(_DATES, ("{0}-{1}", "{1}-{0:0>2}"), strict=True):
        found = [pattern.fullmatch(label) for label in labels]
        if labels and all(found):
            parts = [match.groups() for match in found if match is not None]
            years = [max(part, key=len) for part in parts]
            return [(label, form.format(*part), year, ROOT)
                    for label, part, year in zip(labels, parts, years, strict=True)]
    return None


def _prefix_rows(labels: Sequence[str]) -> list[tuple[str, ...]] | None:
    lengths = {len(label) for label in labels}
    coded = all(re.fullmatch(r"[A-Z]{0,3}\d+[A-Z]{0,3}", label, re.ASCII) for label in labels)
    if len(labels) < 2 or len(lengths) != 1 or not coded or not 3 <= (length := lengths.pop()) <= 12:
        return None
    return [tuple(_masks(label, length)) for label in labels]


def _masks(label: str, length: int) -> Iterator[str]:
    for kept in range(length, 0, -1):
        yield label[:kept] + "*" * (length - kept)
    yield ROOT
