"""Making a plan from public lines and a budget: which mechanism answers for which attribute, with how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.bits import Bits, encode_fixed, encode_grid, encode_labels
from graphanon.tabular.ldp.catalog import MAKERS, MECHANISMS
from graphanon.tabular.ldp.exact import budget
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.mechanism import Mechanism
from graphanon.tabular.ldp.plan import Plan, Question, Scope

__all__ = ["Encoding", "bit_patterns", "plan_columns"]

Encoding = Literal["grid", "integer", "fixed"]


def bit_patterns(line: Line, encoding: Encoding = "grid", first: int = 1, m: int = 6) -> tuple[tuple[int, ...], int]:
    """Return the pattern of each cell of a line, and the number of bits.

    `grid` and `m` are for numbers on their place, `first` is the number of the first label. `fixed` has a sign,
    the whole bits that the range needs and the fraction bits that the grid needs (6 at most).

    Raises
    ------
    InputProblem
        If a number may be missing: it has no bits of its own.

    Examples
    --------
    >>> bit_patterns(Line.numbers("age", 17, 20), m=2)
    ((0, 1, 2, 3), 2)
    >>> bit_patterns(Line.numbers("age", 0, 90), "integer")[1]
    7
    """
    if not line.numeric:
        patterns, bits = encode_labels(line.size, first)
        return tuple(patterns.tolist()), bits
    if line.missing:
        what = "a missing number has no bits"
        raise InputProblem(Problem(what=what, column=line.name, fix='missing = "drop", or --mechanism grr'))
    if encoding == "grid":
        return tuple(encode_grid(line.size, m).tolist()), m
    if encoding == "integer":
        return tuple(range(line.size)), max(1, (line.size - 1).bit_length())
    whole = max(1, int(max(abs(line.low), abs(line.high))).bit_length())
    fraction = next((f for f in range(6) if (line.grid * 2**f) % 1 == 0), 6)
    return tuple(encode_fixed(line.values(), whole, fraction).tolist()), 1 + whole + fraction


def plan_columns(
    lines: Sequence[Line],
    epsilon: float,
    mechanism: str | Mapping[str, str] = "grr",
    *,
    scope: Scope = "record",
    asked: int | None = None,
    encoding: Encoding = "grid",
    first: int = 1,
) -> Plan:
    """Return the plan that asks of every attribute on its own, of all of them or of `asked` of them.

    With scope ``"record"`` the budget is for all that a person tells, shared evenly between the answers (between
    the bits where all are bits); with ``"feature"`` it is for each attribute; with ``"bit"`` for each bit.

    Raises
    ------
    InputProblem
        If the budget is not above 0, a mechanism is unknown or does not fit its column, or scope and mechanism do not
        fit; all problems at once.

    Examples
    --------
    >>> plan = plan_columns([Line.of_labels("sex", "FM"), Line.of_labels("race", "abc")], 1.0)
    >>> plan.epsilon()["record"], plan.epsilon()["feature"]
    (1.0, {'sex': 0.5, 'race': 0.5})
    """
    exact = budget(epsilon)
    names = [mechanism if isinstance(mechanism, str) else mechanism.get(line.name, "grr") for line in lines]
    problems = list(_problems(lines, names, scope))
    if problems:
        raise InputProblem(problems)
    bits = {line.name: bit_patterns(line, encoding, first)
            for line, name in zip(lines, names, strict=True) if name == "bits"}
    share = exact / (asked or len(lines)) if scope == "record" else exact
    total = sum(m for _, m in bits.values())
    # where all are bits and all are told, they share evenly, and an attribute of more bits spends more
    even = exact if scope == "bit" else exact / total if scope == "record" and len(bits) == len(lines) and not asked else None
    mechanisms = [
        _flips(*bits[line.name], even, share) if name == "bits" else MAKERS[name](line.size, share)
        for line, name in zip(lines, names, strict=True)]
    questions = tuple(Question(attributes=(j,), anchors=(0,), mechanism=made) for j, made in enumerate(mechanisms))
    return Plan(lines=tuple(lines), questions=questions, asked=asked or len(lines), scope=scope)


def _flips(patterns: tuple[int, ...], m: int, each: Fraction | None, share: Fraction) -> Mechanism:
    """Return flips that spend `each` on a bit, or `share` on all bits of the attribute."""
    return Bits.of(patterns, m, epsilon=share / m if each is None else each)


def _problems(lines: Sequence[Line], names: Sequence[str], scope: Scope) -> list[Problem]:
    found = []
    if not lines:
        found.append(Problem(what="there is no column to perturb", allowed='role = "quasi" or "sensitive"'))
    for line, name in zip(lines, names, strict=True):
        kind = MECHANISMS.get(name)
        if kind is None:
            found.append(Problem(what=f"unknown mechanism {name!r}", allowed=", ".join(MECHANISMS)))
        elif kind.numeric and not line.ordered:
            found.append(Problem(what=f"{name} is for numbers", column=line.name, fix="--mechanism grr"))
        elif kind.numeric and line.missing:
            found.append(Problem(what=f"{name} has no answer for a missing value", column=line.name,
                                 fix='missing = "drop", or --mechanism grr'))
    if scope not in ("record", "feature", "bit"):
        found.append(Problem(what=f"unknown scope {scope!r}", allowed="record, feature, bit"))
    if scope == "bit" and set(names) != {"bits"}:
        found.append(Problem(what="a budget for each bit is for the mechanism bits alone", fix="--mechanism bits"))
    return list({str(problem): problem for problem in found}.values())
