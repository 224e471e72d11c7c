"""General (alpha, k)-anonymity: the best full-domain recoding, found by searching the lattice of levels.

R. Wong, J. Li, A. Fu and K. Wang, *(alpha, k)-Anonymity: An Enhanced k-Anonymity Model for Privacy-Preserving Data
Publishing*, KDD 2006. Simple (alpha, k) holds the values that the schema names to their shares; general (alpha, k)
holds every value of the column. Both survive telling less, so subsets of attributes prune the search, and the
search of :mod:`graphanon.tabular.lattice` finds the optimum under the chosen loss. With an allowance the people of
classes that break a promise are withheld, each at the price of all cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from graphanon.errors import InfeasiblePromise
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, Grouping, classes
from graphanon.loss import cell_costs
from graphanon.method import About, RecodeFirst, parameter
from graphanon.progress import notice
from graphanon.repair import kept_classes
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role
from graphanon.tabular.ladders import Ladders, Price, ladders_of
from graphanon.tabular.lattice import Best, Judge, best_node
from graphanon.tabular.limits import blocked

__all__ = ["GeneralAlphaK"]


@dataclass(frozen=True, kw_only=True)
class GeneralAlphaK(RecodeFirst):
    """Tell every value of an attribute alike, on the levels that lose least.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    no      yes     yes         promises are kept
    ======  ======  ==========  =================

    Without `general` this is simple (alpha, k), and without any promise the optimal full-domain k-anonymity.

    Source: R. Wong, J. Li, A. Fu and K. Wang, (alpha, k)-Anonymity, 2006; K. LeFevre, D. DeWitt and R. Ramakrishnan,
    Incognito, 2005.

    Examples
    --------
    >>> GeneralAlphaK(loss="levels").general
    True
    """

    about: ClassVar[About] = About(
        name="general-alpha-k",
        paper="Wong, Li, Fu and Wang, (alpha, k)-Anonymity, 2006",
        guarantee="every class has at least k people, and no value of a sensitive column more than its share",
        ties=False,
        sensitive=True,
    )

    general: bool = parameter(
        default=True, text="hold every value of a sensitive column to the largest alpha that the schema names for any of them"
    )
    loss: Literal["ncp", "ngil", "levels"] = parameter(
        "ncp", "what is lowered: the share of leaves covered, of height climbed, or of levels climbed",
        choices=("ncp", "ngil", "levels"),
    )
    subsets: int = parameter(2, "largest subsets of attributes that are tried beforehand", low=0)
    work: float = parameter(2e9, "cells looked at before the best node so far is taken", low=0)

    def group(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Grouping:
        """Return the classes of the best node; with `general`, their source promises a share of every value.

        Raises
        ------
        InfeasiblePromise
            If no levels that the schema permits keep what is asked, or no partition at all does.
        """
        if not self.general:
            return super().group(graph, requirement, rng)
        try:
            return super().group(_generalized(graph), requirement, rng)
        except InfeasiblePromise as error:
            raise _with_way_out(error, graph, requirement) from error

    def recode(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Boxes:
        """Return everyone's box at the node that loses least."""
        del rng
        ladders = ladders_of(graph, requirement, price=self.loss)
        best = self._search(graph, ladders, requirement)
        if best.level is None:
            raise blocked(graph, ladders, requirement)
        if not best.complete:
            notice(f"the lattice was not searched to its end: the levels are the best of the {best.counted} "
                   "combinations that were counted (--set work=… looks longer)")
        return ladders.boxes(best.level)

    def _search(self, graph: AttributedGraph, ladders: Ladders, requirement: Requirement) -> Best:
        allowed = int(requirement.withhold * graph.n + 1e-9)
        promises = len(ladders.rules.kind) > 0 or graph.wishes is not None
        far = bool((ladders.rules.t <= 1).any()) and allowed > 0
        dense = requirement.tie_confidence is not None and graph.has_ties
        return best_node(
            ladders, allowed, subsets=self.subsets, work=self.work,
            monotone=not dense and not (allowed and promises),
            judge=_counted(graph, ladders, requirement, self.loss) if far or dense else None,
        )


def _with_way_out(error: InfeasiblePromise, graph: AttributedGraph, requirement: Requirement) -> InfeasiblePromise:
    """Return the error with the way out that simple (alpha, k) is, where the schema names some values alone."""
    named = zip(graph.schema.columns, _generalized(graph).schema.columns, strict=True)
    if all(one.alpha == every.alpha for one, every in named):
        return error
    try:
        requirement.check_feasible(graph)
    except InfeasiblePromise:
        return error
    way = "--set general=false, which holds to their shares only the values that the schema names"
    return InfeasiblePromise(
        replace(problem, fix=f"{problem.fix}, or {way}" if problem.fix else way) for problem in error.problems)


def _generalized(graph: AttributedGraph) -> AttributedGraph:
    """Return the graph with every value of a promising column held to a share."""
    columns = tuple(_every_value(column, graph) for column in graph.schema.columns)
    return replace(graph, schema=replace(graph.schema, columns=columns))


def _every_value(column: Column, graph: AttributedGraph) -> Column:
    if column.role is not Role.SENSITIVE or not column.alpha:
        return column
    own, most = graph.payload[column.name], max(column.alpha.values())
    present = [own.labels[code] for code in np.unique(own.codes).tolist()]
    shares: Mapping[str, float] = dict.fromkeys(present, most) | dict(column.alpha)
    return replace(column, alpha=shares)


def _counted(graph: AttributedGraph, ladders: Ladders, requirement: Requirement, loss: Price) -> Judge:
    """Return what counts a node as the release would: distances and densities are those of the people who stay."""

    def judge(level: tuple[int, ...]) -> tuple[int, float]:
        partition, boxes = classes(ladders.boxes(level))
        good = kept_classes(graph, partition, requirement)
        withheld = int(partition.sizes[~good].sum())
        if loss == "levels":
            cell = float(sum(h / max(top, 1) for h, top in zip(level, ladders.heights.tolist(), strict=True)))
            costs = np.full(len(good), cell)
        else:
            costs = cell_costs(graph.domains, boxes, "leaves" if loss == "ncp" else "height").sum(axis=1)
        return withheld, float((partition.sizes * costs)[good].sum() + withheld * ladders.q)

    return judge
