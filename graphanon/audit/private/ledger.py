"""The ledger of a release, computed again from the questions that it declares."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from graphanon.audit.finding import Finding, broken
from graphanon.audit.private.declared import QUESTION, Declared, declared
from graphanon.audit.statement import JSON

__all__ = ["Asked", "Line", "compared", "epsilon_findings", "logarithm", "read_questions", "width"]

_CONTEXT = Context(prec=60)
# what is left of a float that was rounded up, and of the fiftieth digit
_SLACK = Fraction(1, 10**40)
_ROUNDED = Fraction(1, 2**50)
_MOST = 10**6


class Line(NamedTuple):
    """The texts of the cells of one attribute, the missing one last if there is one.

    `numeric` cells are numbers; numbers and ranks are `ordered`.
    """

    name: str
    texts: tuple[str, ...]
    numeric: bool
    ordered: bool


class Asked(NamedTuple):
    """A question: the places of its attributes, how many anchors each is rounded to, and who answers it how.

    Without anchors (0) every cell is one for itself. `chance` is how likely it is compared with the others.
    """

    attributes: tuple[int, ...]
    anchors: tuple[int, ...]
    mechanism: Declared
    chance: int

    @property
    def whole(self) -> bool:
        """Whether the question is about every cell of one attribute."""
        return self.anchors == (0,)


def logarithm(ratio: Fraction) -> Fraction:
    """Return the natural logarithm to fifty digits.

    Examples
    --------
    >>> float(logarithm(Fraction(3)))
    1.0986122886681098
    """
    difference = _CONTEXT.subtract(_CONTEXT.ln(Decimal(ratio.numerator)), _CONTEXT.ln(Decimal(ratio.denominator)))
    return Fraction(difference)


def read_questions(entries: Sequence[Mapping[str, Any]], lines: Sequence[Line]) -> list[Asked]:
    """Return the declared questions over these lines.

    Raises
    ------
    ValueError
        If one is none: of unknown attributes, of groups that do not fit, of a mechanism that is not known.
    """
    place = {line.name: j for j, line in enumerate(lines)}
    return [_question(entry, place, lines) for entry in entries]


def _question(entry: Mapping[str, Any], place: Mapping[str, int], lines: Sequence[Line]) -> Asked:
    names, anchors, chance = (entry.get(key) for key in QUESTION)
    if tuple(entry)[: len(QUESTION)] != QUESTION:
        raise ValueError("a question does not say whom it is asked of, in the words of a release")
    if not isinstance(names, list) or not isinstance(anchors, list) or len(names) != len(anchors) or not names:
        raise ValueError("a question is not about attributes with a number of anchors each")
    if not set(names) <= set(place) or len(set(names)) < len(names):
        raise ValueError("a question is about attributes that are not released")
    if type(chance) is not int or not 1 <= chance <= _MOST:
        raise ValueError("the chance of a question is not a whole number from 1")
    attributes = tuple(place[name] for name in names)
    inputs = math.prod(width(lines[j], own) for j, own in zip(attributes, anchors, strict=True))
    return Asked(attributes, tuple(anchors), declared(entry, inputs), chance)


def width(line: Line, anchors: Any) -> int:
    """Return how many inputs an attribute has in a question: its cells, or the anchors and one for missing."""
    known = sum(map(bool, line.texts))
    if type(anchors) is int and (anchors == 0 or (line.numeric and 2 <= anchors <= max(known, 2))):
        return anchors + len(line.texts) - known if anchors else len(line.texts)
    raise ValueError("a number is rounded to fewer than two anchors, or to more than it has cells, or it is none")


def epsilon_findings(
    told: Any, questions: Sequence[Asked], lines: Sequence[Line], asked: int
) -> Iterator[Finding]:
    """Yield what each kind of budget says and what the declared mechanisms can tell at worst."""
    if not isinstance(told, dict) or not isinstance(told.get("feature"), dict):
        yield broken("epsilon.record", "'epsilon' is not a ledger with bit, feature and record", JSON)
        return
    every = [logarithm(question.mechanism.ratio) for question in questions]
    yield compared("epsilon.record", told.get("record"), _dearest(every, asked))
    for j, line in enumerate(lines):
        own = [spent for spent, question in zip(every, questions, strict=True) if j in question.attributes]
        yield compared(f"epsilon.feature.{line.name}", told["feature"].get(line.name), _dearest(own, asked))
    bit = [spent / q.mechanism.bits for spent, q in zip(every, questions, strict=True) if q.mechanism.bits]
    if bit or told.get("bit") is not None:
        yield compared("epsilon.bit", told.get("bit"), max(bit, default=Fraction(0)))
    if list(told["feature"]) != [line.name for line in lines]:
        yield broken("statement", "the ledger does not list exactly the columns of the release, in their order", JSON)


def _dearest(budgets: Sequence[Fraction], asked: int) -> Fraction:
    return sum(sorted(budgets, reverse=True)[:asked], Fraction(0))


def compared(promise: str, stated: Any, worst: Fraction) -> Finding:
    """Return the finding about one budget: what is stated must be what can be told at worst, rounded up."""
    number = isinstance(stated, float) and math.isfinite(stated)
    # rounded up to a float, and no further: digits of another number could say anything
    exact = number and Fraction(stated) <= worst * (1 + _ROUNDED) + _SLACK
    covered = number and Fraction(stated) + _SLACK >= worst
    holds = exact and covered
    detail = "" if holds else (
        "the ledger says another number than the declared mechanisms spend" if covered
        else "the declared mechanisms can tell more than the ledger says")
    return Finding(promise=promise, asked=stated if number else None, found=float(worst), holds=holds, detail=detail,
                   file=None if holds else JSON)
