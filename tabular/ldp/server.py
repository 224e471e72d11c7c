"""The server's side: what can be said of the people from a plan and their answers, and from nothing else.

This module and all that it imports know no graph, no schema and no file; it could not see an original if it
wanted to. All of it is post-processing and spends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.mechanism import Estimate, Oracle
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.reports import Reports

__all__ = ["Marginal", "decode", "estimate"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Marginal:
    """What the answers tell of one attribute: unbiased `frequencies` of its cells, or its `mean` where numeric."""

    line: Line
    frequencies: Estimate | None
    mean: Estimate | None


def estimate(plan: Plan, reports: Reports) -> tuple[Marginal, ...]:
    """Return the estimates of every attribute that a question of its own asks of."""
    found = []
    for question, answers in zip(plan.questions, reports.answers, strict=True):
        if not question.whole:
            continue
        line, mechanism = plan.lines[question.attributes[0]], question.mechanism
        frequencies = mechanism.frequencies(answers) if isinstance(mechanism, Oracle) else None
        mean = mechanism.mean(answers, line.values()) if line.numeric and not line.missing else None
        found.append(Marginal(line=line, frequencies=frequencies, mean=mean))
    return tuple(found)


def decode(plan: Plan, reports: Reports) -> Ints:
    """Return int64[n, lines]: the answers as records of the domain.

    Raises
    ------
    InputProblem
        If some answer is no value of the domain (`plan.decodes` tells).
    """
    if not plan.decodes:
        what = "these answers are no records: some lie outside the domain, or not everyone answered everything"
        raise InputProblem(Problem(what=what, fix="--mechanism bits or grr"))
    columns = [np.empty(0, dtype=np.int64)] * len(plan.lines)
    for question, answers in zip(plan.questions, reports.answers, strict=True):
        columns[question.attributes[0]] = question.mechanism.decode(answers)
    return np.stack(columns, axis=1)
