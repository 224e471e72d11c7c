"""What is asked of everyone, and what answering it spends: the public paper between clients and server.

A plan holds the public line of every attribute and a list of questions. A question is about the cell of one
attribute, or the joint cell of two, numbers perhaps rounded to a few anchors, and is answered through one mechanism. Everyone
answers all questions, or `asked` of them that are drawn without a look at the data. A plan knows nothing of
people: it is made from the schema, travels as JSON, and is all that a server needs beside the answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.bits import Bits
from graphanon.tabular.ldp.catalog import read_mechanism
from graphanon.tabular.ldp.exact import round_up
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.mechanism import Mechanism

__all__ = ["NEIGHBOURS", "Plan", "Question", "Scope"]

Scope = Literal["record", "feature", "bit"]
NEIGHBOURS = "replace one record"


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question about one or more attributes, by their place in the plan.

    `anchors` holds for each of them 0 (every cell for itself) or a number of evenly spaced anchors, onto which a
    number is rounded at random, up or down, so that its expectation stays. The mechanism's inputs are
    the cells and anchors, or pairs of them: the last attribute counts fastest. `chance` is how likely the question is
    compared with the others, where a person answers one.
    """

    attributes: tuple[int, ...]
    anchors: tuple[int, ...]
    mechanism: Mechanism
    chance: int = 1

    @property
    def whole(self) -> bool:
        """Whether the question is about every cell of one attribute."""
        return self.anchors == (0,)

    def shape(self, lines: Sequence[Line]) -> tuple[int, ...]:
        """Return how many inputs each attribute has."""
        return tuple(anchors + lines[j].missing if anchors else lines[j].size
                     for j, anchors in zip(self.attributes, self.anchors, strict=True))


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Lines, questions, how many of them each person answers, and what the budget is for.

    `asked` is the number of questions a person answers; all, if there are no more.

    Raises
    ------
    InputProblem
        If there is no question, `asked` is not from 1 to their number, or a mechanism does not fit its question.
    """

    lines: tuple[Line, ...]
    questions: tuple[Question, ...]
    asked: int
    scope: Scope = "record"
    kind: str = "columns"

    def __post_init__(self) -> None:
        if not 1 <= self.asked <= len(self.questions):
            what = f"{self.asked} of {len(self.questions)} questions cannot be asked of a person"
            raise InputProblem(Problem(what=what, allowed=f"from 1 to {len(self.questions)}"))
        for question in self.questions:
            if math.prod(question.shape(self.lines)) != question.mechanism.inputs:
                raise InputProblem(Problem(what="a mechanism has other inputs than its question"))

        if self.asked > 1 and len({question.chance for question in self.questions}) > 1:
            raise InputProblem(Problem(what="questions have chances of their own only where a person answers one"))

    @property
    def everything(self) -> bool:
        """Whether everyone answers every question."""
        return self.asked == len(self.questions)

    @property
    def decodes(self) -> bool:
        """Whether the answers are whole records on the schema's lines."""
        plain = all(q.whole and q.mechanism.decodes for q in self.questions)
        return plain and self.everything and len(self.questions) == len(self.lines)

    def title(self, question: Question) -> str:
        """Return the names of a question's attributes, joined by ``&``."""
        return " & ".join(self.lines[j].name for j in question.attributes)

    def epsilon(self) -> dict[str, Any]:
        """Return the ledger of one run: what a bit, each feature and a record spend, rounded up.

        Answers of one person compose by addition. Where a person answers only some questions, which ones is
        drawn without a look at the data, and the dearest ones are counted.
        """
        every = [question.mechanism.epsilon for question in self.questions]
        bit = [q.mechanism.bit_epsilon for q in self.questions if isinstance(q.mechanism, Bits)]
        feature = {
            line.name: round_up(self._dearest(
                e for e, q in zip(every, self.questions, strict=True) if j in q.attributes))
            for j, line in enumerate(self.lines)
        }
        return {
            "bit": round_up(max(bit)) if bit else None,
            "feature": feature,
            "record": round_up(self._dearest(every)),
            "neighbours": NEIGHBOURS,
            "composition": "the budgets of a person's answers add up; so do repeated runs",
        }

    def _dearest(self, budgets: Iterable[Fraction]) -> Fraction:
        return sum(sorted(budgets, reverse=True)[: self.asked], Fraction(0))

    def as_json(self) -> dict[str, Any]:
        """Return all that a server needs to read answers; :meth:`from_json` reads it."""
        return {
            "kind": self.kind, "scope": self.scope, "asked": self.asked,
            "lines": [line.as_json() for line in self.lines],
            "questions": [
                {"attributes": [self.lines[j].name for j in q.attributes],
                 "anchors": list(q.anchors), "chance": q.chance, **q.mechanism.as_json()}
                for q in self.questions],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan that :meth:`as_json` wrote.

        Raises
        ------
        InputProblem
            If something of it is missing or damaged.
        """
        try:
            lines = tuple(Line.from_json(line) for line in data["lines"])
            place = {line.name: j for j, line in enumerate(lines)}
            questions = tuple(
                Question(attributes=tuple(place[name] for name in entry["attributes"]),
                         anchors=tuple(map(int, entry["anchors"])), mechanism=read_mechanism(entry),
                         chance=int(entry["chance"]))
                for entry in data["questions"])
            return cls(lines=lines, questions=questions, asked=int(data["asked"]), scope=data["scope"],
                       kind=data["kind"])
        except (KeyError, TypeError, ValueError) as reason:
            raise InputProblem(Problem(what="the description of the questions is damaged")) from reason
