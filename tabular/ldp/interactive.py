"""Lloyd's algorithm with the help of the people: each round asks others, so nobody spends more than once.

The server sends out centres. A person of the round's group finds the nearest one (of their own record, on their own
side) and tells it together with one attribute, as a joint cell, with the whole budget. The server moves each
centre to what its people say: the mean of a number, the commonest label. It needs people who can be asked in
turn; the first group is asked about pairs, which gives the centres to begin with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.centres import Centres, centre_column, centres_from_pairs, nearest_centre
from graphanon.tabular.ldp.client import perturb_cells
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.evidence import evidence_of, margins_of, table_of
from graphanon.tabular.ldp.exact import budget
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.pairs import frequency_oracle, plan_pairs
from graphanon.tabular.ldp.plan import Plan, Question
from graphanon.tabular.ldp.reports import Reports

__all__ = ["assisted_lloyd", "moved_centres", "plan_round"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def plan_round(lines: Sequence[Line], k: int, epsilon: float, *, anchors: int = 4) -> Plan:
    """Return the plan of a round: one attribute a person, together with which of `k` centres is nearest.

    The last line is that of the centres.
    """
    cluster = Line.of_labels("centre", [str(j + 1) for j in range(k)])
    questions = []
    for j, line in enumerate(lines):
        told = min(anchors, line.known) if line.numeric else 0
        inputs = (told + line.missing if told else line.size) * k
        questions.append(Question(attributes=(j, len(lines)), anchors=(told, 0),
                                  mechanism=frequency_oracle(inputs, budget(epsilon))))
    return Plan(lines=(*lines, cluster), questions=tuple(questions), asked=1, kind="round")


def moved_centres(plan: Plan, reports: Reports, centres: Centres) -> Centres:
    """Return the centres moved towards what their people say, as far as it stands out of the noise.

    A label gives way to one that leads it by more than the standard error of the lead; a number moves by what
    its shift exceeds its own error. Where nobody was asked of an attribute, the centres stay.
    """
    sizes = [question.shape(plan.lines)[0] for question in plan.questions]
    evidence = evidence_of(plan, reports)
    margins = margins_of(evidence, [*sizes, len(centres.shares)])
    points = centres.points.copy()
    for piece in evidence:
        table = table_of(piece, margins).T
        move = _moved_number if plan.lines[piece.a].numeric else _moved_label
        points[:, piece.a] = move(plan.lines[piece.a], table, piece.se, points[:, piece.a])
    return Centres(lines=centres.lines, points=points, shares=margins[-1])


def _moved_label(line: Line, table: Floats, se: float, old: Floats) -> Floats:
    row, held = np.arange(len(table)), old.astype(np.int64)
    best = centre_column(line, table)
    lead = table[row, best.astype(np.int64)] - table[row, held]
    return np.where(lead > math.sqrt(2) * se, best, old)


def _moved_number(line: Line, table: Floats, se: float, old: Floats) -> Floats:
    weight = np.maximum(table.sum(axis=1), 1e-12)
    shift = centre_column(line, table / weight[:, None]) - old
    # the mean of places is a sum of cells of which each is off by its error, over the weight of the centre
    error = se * math.sqrt(table.shape[1] / 12) * (line.high - line.low) / weight
    return np.asarray(old + shift * np.maximum(0, 1 - (error / np.where(shift == 0, np.inf, shift)) ** 2))


def assisted_lloyd(
    lines: Sequence[Line], cells: Ints, epsilon: float, k: int, coins: Coins,
    *, rng: Generator, rounds: int = 2, first: float = 0.6,
) -> Centres:
    """Return centres after asking a `first` share of the people about pairs and the others in `rounds` groups.

    `cells` int64[n, lines] are the people, of whom only answers are used; groups are drawn by the coins.
    A record spends `epsilon` once.

    Raises
    ------
    InputProblem
        If `first` is not between 0 and 1, there are no rounds, or fewer people than groups.
    """
    n = len(cells)
    if not (0 < first < 1 and 1 <= rounds < n):
        raise InputProblem(Problem(what=f"{rounds} rounds after a first group of {first:g} of {n} people",
                                   allowed="a share between 0 and 1, at least one round, a person for each"))
    order = np.argsort(coins.words(n), kind="stable")
    begin = max(1, int(first * n))
    plan = plan_pairs(lines, epsilon)
    centres = centres_from_pairs(plan, perturb_cells(plan, cells[order[:begin]], coins), k, rng)
    asked = plan_round(lines, k, epsilon)
    for group in np.array_split(order[begin:], rounds):
        nearest = nearest_centre(centres, cells[group])
        reports = perturb_cells(asked, np.column_stack([cells[group], nearest]), coins)
        centres = moved_centres(asked, reports, centres)
    return centres
