"""What people sent: for every question who answered it, and how.

Rows are people without names, 0 … n - 1. As a table there is one line a person: a column for each question
where everyone answers several, else the number of the question and the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.mechanism import Answers
from graphanon.tabular.ldp.plan import Plan

__all__ = ["Reports", "read_reports", "reports_table"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Reports:
    """The answers of `n` people: `rows[i]` are those who answered question i, `answers[i]` what they said."""

    n: int
    rows: tuple[Ints, ...]
    answers: tuple[Answers, ...]

    def shuffled(self, order: Ints) -> Reports:
        """Return the same answers with person `order[i]` in row i."""
        place = np.empty(self.n, dtype=np.int64)
        place[order] = np.arange(self.n)
        moved = [place[rows] for rows in self.rows]
        sort = [np.argsort(rows, kind="stable") for rows in moved]
        return Reports(n=self.n, rows=tuple(rows[s] for rows, s in zip(moved, sort, strict=True)),
                       answers=tuple(a[s] for a, s in zip(self.answers, sort, strict=True)))


def reports_table(plan: Plan, reports: Reports) -> dict[str, list[str]]:
    """Return the answers as columns of text, one line a person."""
    texts = [q.mechanism.texts(a) for q, a in zip(plan.questions, reports.answers, strict=True)]
    if plan.asked == 1 and not plan.everything:
        question, answer = [""] * reports.n, [""] * reports.n
        for i, (rows, own) in enumerate(zip(reports.rows, texts, strict=True)):
            for row, text in zip(rows.tolist(), own, strict=True):
                question[row], answer[row] = str(i), text
        return {"question": question, "answer": answer}
    return {plan.title(q): _column(reports.n, rows, own)
            for q, rows, own in zip(plan.questions, reports.rows, texts, strict=True)}


def _column(n: int, rows: Ints, texts: Sequence[str]) -> list[str]:
    column = [""] * n
    for row, text in zip(rows.tolist(), texts, strict=True):
        column[row] = text
    return column


def read_reports(plan: Plan, table: dict[str, list[str]]) -> Reports:
    """Return the answers that :func:`reports_table` wrote.

    Raises
    ------
    InputProblem
        If a column is missing, a person answered too few or too many questions, or an answer is none.
    """
    asked = ["question", "answer"] if plan.asked == 1 and not plan.everything else list(map(plan.title, plan.questions))
    missing = [name for name in asked if name not in table]
    if missing or len({len(table[name]) for name in asked}) > 1:
        raise InputProblem(Problem(what="the reports do not have the columns that the plan asks of"))
    n = len(table[asked[0]])
    rows = _single(plan, table["question"]) if asked[0] == "question" else [_filled(table[name]) for name in asked]
    if sum(map(len, rows)) != n * plan.asked:
        raise InputProblem(Problem(what="people answered too few or too many questions", allowed=f"{plan.asked} each"))
    columns = [table["answer"]] * len(rows) if asked[0] == "question" else [table[name] for name in asked]
    answers = tuple(q.mechanism.parse([column[row] for row in own.tolist()])
                    for q, own, column in zip(plan.questions, rows, columns, strict=True))
    return Reports(n=n, rows=tuple(rows), answers=answers)


def _filled(column: Sequence[str]) -> Ints:
    return np.flatnonzero(np.array([text != "" for text in column], dtype=bool)).astype(np.int64)


def _single(plan: Plan, column: Sequence[str]) -> list[Ints]:
    known = {str(i): i for i in range(len(plan.questions))}
    number = np.array([known.get(text, -1) for text in column], dtype=np.int64)
    return [np.flatnonzero(number == i).astype(np.int64) for i in range(len(known))]
