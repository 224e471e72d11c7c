"""The ledger of a server that added noise to its counts and sums, computed again from the noise that it declares.

Two-sided geometric noise with ``P(z) ∝ e**(-rate · |z|)`` on a number that a person changes by at most a sensitivity
tells at most rate times sensitivity. Clusters of a round are disjoint; its attributes, its counts and the rounds
add up; where a record is replaced instead of added, it changes two clusters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from graphanon.audit.finding import Finding, broken
from graphanon.audit.private.ledger import Line, compared
from graphanon.audit.private.statement import NEIGHBOURS, Told
from graphanon.audit.statement import JSON

__all__ = ["noise_findings"]

PLAN = ("kind", "rounds", "eta", "lines", "noise")
ENTRY = ("of", "rate", "sensitivity")
COUNTS = "people"
_FINEST = 1000  # steps of the grid on which a number is added up, at most
_MOST_ROUNDS = 100
_LONGEST = 40  # digits of a rate


def noise_findings(told: Told) -> Iterator[Finding]:
    """Yield what each budget says and what the declared noise can tell at worst."""
    try:
        spent = _spent(told.plan, told.lines)
        rounds = _rounds(told.plan) * (2 if told.epsilon["neighbours"] == NEIGHBOURS[0] else 1)
    except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        yield broken("epsilon.record", "cannot be recounted")
        yield broken("questions", f"'plan' does not declare the noise of every count and sum: {error}", JSON)
        return
    yield compared("epsilon.record", told.epsilon["record"], rounds * sum(spent, Fraction(0)))
    features = told.epsilon["feature"]
    if not isinstance(features, dict) or list(features) != [line.name for line in told.lines]:
        yield broken("statement", "the ledger does not list exactly the columns of the release", JSON)
        return
    for line, own in zip(told.lines, spent[1:], strict=True):
        yield compared(f"epsilon.feature.{line.name}", features[line.name], rounds * own)


def _rounds(plan: Mapping[str, Any]) -> int:
    rounds, eta = plan["rounds"], plan["eta"]
    if tuple(plan) != PLAN or plan["kind"] != "odpc" or type(rounds) is not int or not 1 <= rounds <= _MOST_ROUNDS:
        raise ValueError("its keys or its rounds are none of such a plan")
    if isinstance(eta, bool) or not isinstance(eta, (int, float)) or not 0 <= eta < 1e6:
        raise ValueError("eta is no weight")
    return rounds


def _spent(plan: Mapping[str, Any], lines: Sequence[Line]) -> list[Fraction]:
    """Return what a round spends on the counts of people, then on each attribute."""
    entries = plan["noise"]
    if [entry["of"] for entry in entries] != [COUNTS, *(line.name for line in lines)]:
        raise ValueError("not one entry for people and for each column")
    return [_one(entry, line) for entry, line in zip(entries, (None, *lines), strict=True)]


def _one(entry: Mapping[str, Any], line: Line | None) -> Fraction:
    steps = 1 if line is None or not line.ordered else max(1, min(sum(map(bool, line.texts)) - 1, _FINEST))
    rate = Fraction(entry["rate"])
    if tuple(entry) != ENTRY or len(entry["rate"]) > _LONGEST or entry["sensitivity"] != steps or not 0 < rate < 1000 or str(rate) != entry["rate"]:
        message = f"the noise of '{entry['of']}' does not cover what one person changes"
        raise ValueError(message)
    return rate * steps
