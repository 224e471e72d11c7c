"""What answers about pairs of attributes say, in the form in which a model of the pairs can be held against it.

A question of GRR or OLH is a mixture: with some probability an answer follows the joint cells, else it is one of
its possible values at random. So the likelihood of an answer is ``floor + gain · (probability of the cells that it supports)``.
GRR needs the number of answers for each cell, OLH which cells each answer supports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.grr import Grr
from graphanon.tabular.ldp.mechanism import Answers
from graphanon.tabular.ldp.olh import Olh, bucket
from graphanon.tabular.ldp.plan import Plan, Question
from graphanon.tabular.ldp.reports import Reports

__all__ = ["Evidence", "Margins", "evidence_of", "margins_of", "table_of"]

Floats = NDArray[np.float64]
Margins = tuple[Floats, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """The answers to one question about attributes `a` and `b`, of `shape` inputs.

    `count` float64[m] is how often each kind of answer came; `support` float32[m, cells] which cells each kind
    supports, None where kind i supports cell i alone. `frequencies` are unbiased, float64 of `shape`, with standard errors around `se`.
    """

    a: int
    b: int
    shape: tuple[int, int]
    floor: float
    gain: float
    count: Floats
    support: NDArray[np.float32] | None
    frequencies: Floats
    se: float

    @property
    def n(self) -> float:
        """Number of answers."""
        return float(self.count.sum())

    def expected(self, joint: Floats) -> tuple[float, Floats]:
        """Return the log-likelihood of joint cells float64[cells], and what to multiply them by to count people.

        The product is the expected number of answerers in each cell, given their answers: one step of EM.
        """
        if self.support is None:
            likelihood = self.floor + self.gain * joint
            follow = self.count / likelihood
            return float(self.count @ np.log(likelihood)), self.floor * follow.sum() + self.gain * follow
        chance = self.floor + self.gain * (self.support @ joint.astype(np.float32))
        weight = (self.count / chance).astype(np.float32)
        gain = self.gain * (weight @ self.support).astype(np.float64)
        return float(self.count @ np.log(chance)), self.floor * float(weight.sum()) + gain


def evidence_of(plan: Plan, reports: Reports) -> tuple[Evidence, ...]:
    """Return the evidence of every pair that somebody answered about.

    Raises
    ------
    InputProblem
        If the plan does not ask about pairs through GRR or OLH.
    """
    found = []
    for question, answers in zip(plan.questions, reports.answers, strict=True):
        if len(question.attributes) != 2 or not isinstance(question.mechanism, Grr | Olh):
            raise InputProblem(Problem(what="these reports are not about pairs of attributes", fix="--mechanism auto"))
        if len(answers):
            found.append(_evidence(question, question.shape(plan.lines), answers))
    return tuple(found)


def _evidence(question: Question, shape: Sequence[int], answers: Answers) -> Evidence:
    mechanism = question.mechanism
    cells = mechanism.inputs
    if isinstance(mechanism, Olh):
        told = bucket(answers[:, :1], np.arange(cells)[None, :], mechanism.response.inputs) == answers[:, 1:]
        support: NDArray[np.float32] | None = told.astype(np.float32)
        count, response = np.ones(len(answers)), mechanism.response
    else:
        assert isinstance(mechanism, Grr)
        count, support, response = np.bincount(answers, minlength=cells).astype(np.float64), None, mechanism
    own, other = float(response.probability(0, 0)), float(response.probability(0, 1)) if response.inputs > 1 else 0.0
    a, b = question.attributes
    told = mechanism.frequencies(answers)
    return Evidence(a=a, b=b, shape=(shape[0], shape[1]), floor=other, gain=own - other, count=count, support=support,
                    frequencies=told.value.reshape(tuple(shape)), se=float(np.sqrt((told.se**2).mean())))


def margins_of(evidence: Sequence[Evidence], sizes: Sequence[int]) -> Margins:
    """Return the distribution of every attribute, from all questions that it is in; uniform where in none."""
    totals, people = [np.zeros(size) for size in sizes], np.zeros(len(sizes))
    for piece in evidence:
        for j, axis in ((piece.a, 1), (piece.b, 0)):
            totals[j] += piece.n * piece.frequencies.sum(axis=axis)
            people[j] += piece.n
    known = [on_simplex(total / n) if n else np.full(len(total), 1 / len(total))
             for total, n in zip(totals, people.tolist(), strict=True)]
    # nothing is impossible: a profile must be able to move there
    return tuple((share + 1e-3) / (1 + 1e-3 * len(share)) for share in known)


def table_of(piece: Evidence, margins: Margins) -> Floats:
    """Return the table of a pair: no share negative, all together 1, sums near those of its attributes."""
    table = piece.frequencies
    rows, columns = margins[piece.a], margins[piece.b]
    for _ in range(3):
        table = table + ((rows - table.sum(axis=1)) / table.shape[1])[:, None]
        table = table + ((columns - table.sum(axis=0)) / table.shape[0])[None, :]
        table = on_simplex(table.ravel()).reshape(table.shape)
    return table


def on_simplex(values: Floats) -> Floats:
    """Return the nearest shares: none negative, all together 1.

    Source: L. Condat, Fast Projection onto the Simplex and the l1 Ball, 2016 (the sorting algorithm).

    Examples
    --------
    >>> on_simplex(np.array([0.9, 0.4, -0.3]))
    array([0.75, 0.25, 0.  ])
    """
    falling = np.sort(values)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(values) + 1)
    last = int(np.flatnonzero(falling > excess)[-1])
    return np.asarray(np.maximum(values - excess[last], 0.0))
