"""The default plan: everyone is asked about one pair of attributes and spends the whole budget on it.

Sharing a budget between ten attributes leaves every answer with a tenth, and noise grows faster than the
number of answers. One pair a person, drawn without a look at the data, leaves each answer all of it, and pairs are what
clusters show in. A number is rounded at random to a few anchors, which keeps its mean and makes few cells.
The mechanism is the one of GRR and OLH with the smaller variance for that many cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.exact import budget
from graphanon.tabular.ldp.grr import Grr
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.mechanism import Mechanism
from graphanon.tabular.ldp.olh import Olh
from graphanon.tabular.ldp.plan import Plan, Question

__all__ = ["frequency_oracle", "plan_pairs"]

_MOST_LABELS = 256
_LABEL_CHANCE, _NUMBER_CHANCE = 10, 3


def frequency_oracle(inputs: int, epsilon: Fraction) -> Mechanism:
    """Return GRR or OLH, whichever estimates shares of so many cells with the smaller variance.

    Examples
    --------
    >>> [frequency_oracle(inputs, Fraction(1)).name for inputs in (4, 40)]
    ['grr', 'olh']
    """
    grows = math.exp(min(float(epsilon), 64.0))
    return Grr.of(inputs, epsilon) if inputs < 3 * grows + 2 else Olh.of(inputs, epsilon)


def plan_pairs(lines: Sequence[Line], epsilon: float, *, anchors: int = 4) -> Plan:
    """Return the plan that asks every person about one pair of attributes, or about the only one there is.

    A number is told by `anchors` anchors. It moves a distance by its square, a label by 1, so pairs with numbers are
    asked for less often where there are labels too.

    Raises
    ------
    InputProblem
        If the budget is not above 0, there is no attribute, or an attribute has more labels than can be learned.

    Examples
    --------
    >>> lines = [Line.numbers("age", 0, 99), Line.of_labels("sex", "FM"), Line.of_labels("race", "abc")]
    >>> plan = plan_pairs(lines, 1.0)
    >>> [plan.title(question) for question in plan.questions], plan.epsilon()["record"]
    (['age & sex', 'age & race', 'sex & race'], 1.0)
    """
    exact, problems = budget(epsilon), _problems(lines, anchors)
    if problems:
        raise InputProblem(problems)
    told = [min(anchors, line.known) if line.numeric and line.known > 1 and len(lines) > 1 else 0 for line in lines]
    chance = [_NUMBER_CHANCE if line.numeric else _LABEL_CHANCE for line in lines]
    asked: list[tuple[int, ...]] = list(combinations(range(len(lines)), 2)) or [(0,)]
    questions = []
    for pair in asked:
        inputs = math.prod(told[j] + lines[j].missing if told[j] else lines[j].size for j in pair)
        questions.append(Question(attributes=pair, anchors=tuple(told[j] for j in pair),
                                  mechanism=frequency_oracle(inputs, exact), chance=math.prod(chance[j] for j in pair)))
    return Plan(lines=tuple(lines), questions=tuple(questions), asked=1, kind="pairs")


def _problems(lines: Sequence[Line], anchors: int) -> list[Problem]:
    found = [] if lines else [Problem(what="there is no column to perturb", allowed='role = "quasi" or "sensitive"')]
    if anchors < 2:
        found.append(Problem(what=f"{anchors} anchors for a number", allowed="from 2"))
    found += [
        Problem(what=f"{line.size} labels are too many to learn in pairs", column=line.name,
                allowed=f"up to {_MOST_LABELS}", fix='--mechanism olh, or role = "drop"')
        for line in lines if not line.numeric and line.size > _MOST_LABELS]
    return found
