"""ODPC: K-Prototypes by a trusted server that adds noise to what it counts in each round.

Z. Lv, L. Wang, Z. Guan, J. Wu, X. Du, H. Zhao and M. Guizani, *An Optimizing and Differentially Private Clustering
Algorithm for Mixed Data in SDN-Based Smart Grid*, IEEE Access 7, 2019. The budget of a round is planned as D. Su, J. Cao,
N. Li, E. Bertino and H. Jin (Differentially Private K-Means Clustering, 2016) do: a round with counts at eps_0 and each of d
attributes at eps_i, eps_0 : eps_i = cbrt(4 d rho²) : 1, has a mean squared error that is least for this share; the rounds are
as many as leave it below 0.004, from 2 to 7. A category counts as one attribute, its part of the loss is
not known from the paper.

Numbers lie on [-1, 1] and on a grid of at most 1,000 steps, so that sums are whole and the noise can be discrete
(:mod:`graphanon.tabular.ldp.noise`): none of it is rounded. The clusters of a round are disjoint; its attributes and the rounds add up to
epsilon for adding or removing a record. Replacing one changes two clusters, so that everything is halved.

Public, and therefore never read off the records: the lines of values, K, the number of people for which the rounds are planned, and
`eta`, the weight of a category. Its default 1/sqrt(48) is half the deviation of a number that is spread evenly. The
starting centres are drawn from the lines. Nobody's cluster is published.

The survey that brought ODPC to mixed records has it that noise is added to the centres. A mean depends on how many people there are in
its cluster, which is private as well, so ``noise_on="mean"`` shows what that gives and claims nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.method import About, parameter
from graphanon.progress import advance
from graphanon.tabular.centres import Centres, CentresOnly, records_on
from graphanon.tabular.ldp.client import cells_of, lines_of
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.exact import budget, round_up
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.noise import discrete_laplace, spent
from graphanon.tabular.prototypes import Prototypes, Weights, assigned

__all__ = ["ETA", "Budget", "Neighbours", "Odpc", "flip_probability", "plan_budget", "private_centres"]

Ints = NDArray[np.int64]
Neighbours = Literal["add-remove", "replace"]
NoiseOn = Literal["sums", "mean"]
ETA = 48**-0.5
_RHO = 0.225
_ERROR = 0.004  # mean squared error of a round that is aimed at
_ROUNDS = (2, 7)
_STEPS = 1000  # of the grid on which numbers are added up


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How a budget is spent: rounds, and in each what counts and every attribute get.

    `least` is the budget of a round whose mean squared error is 0.004, `error` that of a round as planned.
    """

    epsilon: Fraction
    neighbours: Neighbours
    rounds: int
    count: Fraction
    attribute: Fraction
    attributes: int
    least: float
    error: float

    @property
    def round(self) -> Fraction:
        """What a round spends."""
        return self.count + self.attributes * self.attribute

    def lines(self) -> list[str]:
        """Return the plan as sentences."""
        halved = ", halved since a replaced record changes two clusters" if self.neighbours == "replace" else ""
        return [
            f"epsilon {float(self.epsilon):g}{halved}: {self.rounds} rounds of {float(self.round):.6g}",
            f"in each round {float(self.count):.6g} for the counts of people",
            f"and {float(self.attribute):.6g} for each of {self.attributes} attributes",
            f"mean squared error of a round {self.error:.3g}; {_ERROR} would need {self.least:.3g} a round",
        ]


def plan_budget(
    epsilon: float, *, people: int, clusters: int, attributes: int, neighbours: Neighbours = "add-remove"
) -> Budget:
    """Return the plan for a public number of people.

    Raises
    ------
    InputProblem
        If epsilon is not above 0, or one of the others is below 1; all at once.

    Examples
    --------
    >>> plan = plan_budget(1.0, people=918, clusters=2, attributes=8)
    >>> plan.rounds, round(float(plan.count), 6), round(float(plan.attribute), 6), round(plan.error, 6)
    (2, 0.064007, 0.054499, 0.058646)
    """
    numbers = {"people": people, "clusters": clusters, "attributes": attributes}
    problems = [Problem(what=f"{name} is {value}", allowed="from 1") for name, value in numbers.items() if value < 1]
    if problems:
        raise InputProblem(problems)
    whole = budget(epsilon) / (2 if neighbours == "replace" else 1)
    d, share = attributes, float(np.cbrt(4 * attributes * _RHO**2))
    least = float(np.sqrt(2 / _ERROR * clusters**3 / people**2 * (d + share) ** 3))
    rounds = int(np.floor(np.clip(float(whole) / least, *_ROUNDS)))
    attribute = whole / rounds / (d + Fraction(share))
    of_one, of_all = float(attribute), float(attribute * Fraction(share))
    error = 2 * clusters**3 / people**2 * (d / of_one**2 + 4 * d * _RHO**2 / of_all**2)
    return Budget(epsilon=budget(epsilon), neighbours=neighbours, rounds=rounds, count=attribute * Fraction(share),
                  attribute=attribute, attributes=d, least=least, error=error)


def flip_probability(gap: int, epsilon: float) -> float:
    """Return how likely the rarer of two values, `gap` people behind, comes out as the mode; equal counts are fair.

    Each count has two-sided geometric noise with ``a = e**-epsilon``.

    Examples
    --------
    >>> round(flip_probability(3, 0.5), 6), round(flip_probability(10, 0.5), 6)
    (0.193538, 0.01162)
    """
    a = float(np.exp(-epsilon))
    # of two such noises the difference is z with the probability ((1 - a) / (1 + a))² a^|z| (|z| + (1 + a²) / (1 - a²))
    z = np.arange(gap, gap + int(np.ceil(60 / epsilon)) + 1)
    chance = ((1 - a) / (1 + a)) ** 2 * a**z * (z + (1 + a * a) / (1 - a * a))
    return float(chance[1:].sum() + chance[0] / 2)


class _Grid:
    """Cells on public lines: whole numbers from -steps to steps for ordered lines, places in one line for labels."""

    def __init__(self, lines: Sequence[Line], cells: Ints) -> None:
        self.records = records_on(lines, cells)
        self.steps = np.array([min(max(line.known - 1, 0), _STEPS) for line in lines if line.ordered], dtype=np.int64)
        self.places = np.rint(self.records.numbers * self.steps).astype(np.int64)
        self.sizes = np.array(self.records.sizes, dtype=np.int64)

    def counted(self, labels: Ints, clusters: int) -> tuple[Ints, Ints, list[Ints]]:
        """Return people, sums on [-steps, steps] and counts of values of each cluster."""
        people = np.bincount(labels, minlength=clusters).astype(np.int64)
        sums = np.zeros((clusters, len(self.steps)), dtype=np.int64)
        np.add.at(sums, labels, 2 * self.places - self.steps)
        counts = [np.bincount(labels * size + column, minlength=clusters * size).reshape(clusters, size).astype(np.int64)
                  for size, column in zip(self.sizes.tolist(), self.records.codes.T, strict=True)]
        return people, sums, counts

    def anywhere(self, clusters: int, coins: Coins) -> Prototypes:
        """Return prototypes drawn from the lines, each value as likely as any other."""
        numbers = np.zeros((clusters, len(self.steps)))
        for l, steps in enumerate(self.steps.tolist()):  # noqa: E741  the paper's letter
            numbers[:, l] = coins.below(steps + 1, clusters) / max(steps, 1)
        codes = np.array([coins.below(size, clusters) for size in self.sizes.tolist()], dtype=np.int64)
        return Prototypes(numbers, codes.reshape(len(self.sizes), clusters).T.copy())


def private_centres(
    lines: Sequence[Line],
    cells: Ints,
    clusters: int,
    plan: Budget,
    coins: Coins,
    *,
    eta: float = ETA,
    noise_on: NoiseOn = "sums",
) -> Centres:
    """Return the centres after the rounds of the plan; `cells` int64[n, lines] are all that is looked at.

    Raises
    ------
    InputProblem
        If the plan is for another number of attributes, or a number is missing.
    """
    if plan.attributes != len(lines):
        what = f"the budget is planned for {plan.attributes} attributes, not for {len(lines)}"
        raise InputProblem(Problem(what=what))
    grid = _Grid(lines, cells)
    weights = Weights(np.ones(len(grid.steps)), np.full(len(grid.sizes), eta))
    found = grid.anywhere(clusters, coins)
    for done in range(plan.rounds):
        labels, _ = assigned(grid.records, found, weights)
        found = _noisy(grid, labels, clusters, plan, coins, noise_on=noise_on)
        advance("noisy rounds", done + 1, plan.rounds)
    return Centres(lines=tuple(lines), prototypes=found, epsilon=_ledger(plan, lines, grid.steps, noise_on),
                   plan=_facts(plan, lines, grid.steps, eta), reproducible=coins.reproducible)


def _noisy(
    grid: _Grid, labels: Ints, clusters: int, plan: Budget, coins: Coins, *, noise_on: NoiseOn
) -> Prototypes:
    """Return the means and modes of the clusters as the noise shows them."""
    people, sums, counts = grid.counted(labels, clusters)
    told = people + discrete_laplace(plan.count, clusters, coins)
    over = np.maximum(people if noise_on == "mean" else told, 1)
    numbers = np.empty(sums.shape)
    for l, steps in enumerate(grid.steps.tolist()):  # noqa: E741
        # a sum on [-1, 1] changes by 1 if someone comes or goes; a mean by the whole range over their number
        reach = max(steps, 1) * (2 if noise_on == "mean" else 1)
        noise = discrete_laplace(plan.attribute, clusters, coins, sensitivity=reach)
        numbers[:, l] = ((sums[:, l] + noise) / (over * max(steps, 1)) + 1) / 2
    codes = np.zeros((clusters, len(grid.sizes)), dtype=np.int64)
    for f, own in enumerate(counts):
        shown = own + discrete_laplace(plan.attribute, own.size, coins).reshape(own.shape)
        codes[:, f] = _modes(shown, coins)
    return Prototypes(numbers.clip(0.0, 1.0), codes)


def _modes(counts: Ints, coins: Coins) -> Ints:
    """Return the value of the highest count in each row, of equals any."""
    order = coins.words(counts.size).reshape(counts.shape)
    best = counts == counts.max(axis=1, keepdims=True)
    return np.asarray(np.where(best, order, 0).argmax(axis=1), dtype=np.int64)


def _noises(plan: Budget, lines: Sequence[Line], steps: Ints) -> dict[str, tuple[Fraction, int]]:
    """Return what the noise on each thing that is counted spends in a round, and what one person changes of it.

    People come first, under no name; then each column.
    """
    reach = iter(np.maximum(steps, 1).tolist())
    found = {"": (spent(plan.count), 1)}
    for line in lines:
        most = next(reach) if line.ordered else 1
        found[line.name] = (spent(plan.attribute, most), most)
    return found


def _ledger(plan: Budget, lines: Sequence[Line], steps: Ints, noise_on: NoiseOn) -> dict[str, Any]:
    """Return what a record and its attributes spend; nothing is claimed where the noise is on means."""
    times = plan.rounds * (2 if plan.neighbours == "replace" else 1)
    each = {name: times * amount for name, (amount, _) in _noises(plan, lines, steps).items()}
    claimed = noise_on == "sums"
    return {
        "bit": None,
        "feature": {line.name: round_up(each[line.name]) if claimed else None for line in lines},
        "record": round_up(each.values()) if claimed else None,
        "neighbours": {"replace": "replace one record", "add-remove": "add or remove one record"}[plan.neighbours],
        "composition": "the budgets of the rounds add up, and so do those of counts and attributes in a round; "
                       "so do repeated runs",
    }


def _facts(plan: Budget, lines: Sequence[Line], steps: Ints, eta: float) -> dict[str, Any]:
    """Return how the budget is spent, in numbers from which anyone can recount it."""
    noise = [{"of": name or "people", "rate": str(amount / most), "sensitivity": most}
             for name, (amount, most) in _noises(plan, lines, steps).items()]
    return {"kind": "odpc", "rounds": plan.rounds, "eta": eta, "lines": [line.as_json() for line in lines], "noise": noise}


@dataclass(frozen=True, kw_only=True)
class Odpc(CentresOnly):
    """Publish the centres of K-Prototypes with noise on every count and sum, by a server that sees everyone.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    ignored yes     yes         clustered too
    ======  ======  ==========  =================

    Source: Lv et al., An Optimizing and Differentially Private Clustering Algorithm for Mixed Data in SDN-Based Smart Grid,
    2019.

    Examples
    --------
    >>> Odpc(clusters=3, epsilon=0.5).neighbours
    'add-remove'
    """

    about: ClassVar[About] = About(
        name="odpc",
        paper="Lv et al., An Optimizing and Differentially Private Clustering Algorithm for Mixed Data in SDN-Based Smart "
              "Grid, IEEE Access 2019",
        guarantee="epsilon-differential privacy of the centres, which are all that is published; no k",
        ties=False,
        sensitive=True,
    )

    clusters: int = parameter(2, "number of centres", low=1)
    epsilon: float = parameter(1.0, "budget of a record, over all rounds", low=1e-6)
    people: int = parameter(
        1000, "number of people for which rounds are planned: public, so not counted here", low=1
    )
    eta: float = parameter(ETA, "weight of a category, which must not be read off the records", low=0)
    neighbours: Literal["add-remove", "replace"] = parameter(
        "add-remove", "records that must look alike: one more or less, or one in place of another",
        choices=("add-remove", "replace"),
    )
    noise_on: Literal["sums", "mean"] = parameter(
        "sums", "noise on sums and counts, or on means as worded (which claims nothing)", choices=("sums", "mean")
    )

    def budget(self, attributes: int) -> Budget:
        """Return how the budget will be spent."""
        return plan_budget(self.epsilon, people=self.people, clusters=self.clusters, attributes=attributes,
                           neighbours=self.neighbours)

    def centres(self, graph: AttributedGraph, coins: Coins) -> Centres:
        """Return the centres of these people.

        Raises
        ------
        InputProblem
            If a column's domain is not declared in the schema, or a number is missing.
        """
        lines = lines_of(graph.schema)
        return private_centres(lines, cells_of(graph, lines, "refuse"), self.clusters, self.budget(len(lines)), coins,
                               eta=self.eta, noise_on=self.noise_on)
