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

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Marginal:
    """What the answers tell of one attribute: unbiased `frequencies` of its cells, or its `mean` where numeric.

    Of a square wave the frequencies are the smoothed ones.
    """

    line: Line
    frequencies: Estimate | None
    mean: Estimate | None


def estimate(plan: Plan, reports: Reports) -> tuple[Marginal, ...]:
    """Return the estimates of every attribute, from the questions on it alone, or else from those on its pairs."""
    return tuple(_of_itself(plan, reports, j) or _of_pairs(plan, reports, j) for j in range(len(plan.lines)))


def _of_itself(plan: Plan, reports: Reports, j: int) -> Marginal | None:
    for question, answers in zip(plan.questions, reports.answers, strict=True):
        if question.whole and question.attributes == (j,):
            line, mechanism = plan.lines[j], question.mechanism
            frequencies = mechanism.frequencies(answers) if isinstance(mechanism, Oracle) else None
            mean = mechanism.mean(answers, line.values()) if line.numeric and not line.missing else None
            return Marginal(line=line, frequencies=frequencies, mean=mean)
    return None


def _of_pairs(plan: Plan, reports: Reports, j: int) -> Marginal:
    """Return the mean over a person's answers about pairs of what each tells of one attribute, unbiased.

    Standard errors count the cells of a table as independent, which is right or too large.
    """
    line, people = plan.lines[j], 0
    value: Floats = np.zeros(1)
    variance: Floats = np.zeros(1)
    anchors = 0
    for question, answers in zip(plan.questions, reports.answers, strict=True):
        if j not in question.attributes or not isinstance(question.mechanism, Oracle) or not len(answers):
            continue
        axis, shape = 1 - question.attributes.index(j), question.shape(plan.lines)
        told = question.mechanism.frequencies(answers)
        value = value + len(answers) * told.value.reshape(shape).sum(axis=axis)
        variance = variance + len(answers) ** 2 * (told.se.reshape(shape) ** 2).sum(axis=axis)
        people, anchors = people + len(answers), question.anchors[question.attributes.index(j)]
    if not people:
        return Marginal(line=line, frequencies=None, mean=None)
    found = Estimate(value / people, np.sqrt(variance) / people)
    if not line.numeric or line.missing:
        return Marginal(line=line, frequencies=None if anchors else found, mean=None)
    places = np.linspace(line.low, line.high, anchors) if anchors > 1 else np.array([line.low])
    mean = Estimate(np.asarray(found.value @ places), np.asarray(np.sqrt(found.se**2 @ places**2)))
    return Marginal(line=line, frequencies=None, mean=mean)


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
