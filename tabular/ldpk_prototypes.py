"""LDPK-Prototypes: everyone flips the bits of their own record, and a server clusters what it gets.

Zhang, Chen, Wang, Zhai and Ma, *K-Prototypes clustering method for local differential privacy*, Journal of Computer
Applications 42(12), 2022 (in Chinese). The client, :func:`report`, encodes each attribute as bits and flips them; the server,
:func:`cluster_reports`, decodes what came, chooses centres by dissimilarity (:mod:`graphanon.tabular.centre_choice`) and weights by
entropy (:mod:`graphanon.tabular.entropy_weights`), and alternates until nothing moves. The server takes a public plan and answers,
and never sees a record; all that it does is free of charge.

The paper's epsilon is that of a single bit. A record of m bits then spends m times as much, and the axis of its figures is not said to
be one or the other; `scope` is what the budget is for, and every ledger tells all three. For a record of 42 bits epsilon = 1 in all
means that each bit is flipped with probability 0.494, and what arrives is noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.method import About, parameter
from graphanon.tabular.centre_choice import Codes, Fallback, First, sampled
from graphanon.tabular.centres import Centres, CentresOnly, records_on
from graphanon.tabular.entropy_weights import Wording
from graphanon.tabular.k_prototypes import improved
from graphanon.tabular.ldp.client import cells_of, lines_of, perturb_cells
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.planning import plan_columns
from graphanon.tabular.ldp.reports import Reports
from graphanon.tabular.ldp.server import decode
from graphanon.tabular.prototypes import Prototypes, distinct

__all__ = ["LdpkPrototypes", "cluster_reports", "plan_bits", "report"]

Ints = NDArray[np.int64]
Scope = Literal["record", "feature", "bit"]


def plan_bits(lines: Sequence[Line], epsilon: float, scope: Scope = "record") -> Plan:
    """Return what is asked of everyone: each attribute in bits.

    Raises
    ------
    InputProblem
        If epsilon is not above 0, or a number may be missing.

    Examples
    --------
    >>> plan = plan_bits([Line.numbers("age", 17, 90), Line.of_labels("sex", ["F", "M"])], 1.0, "bit")
    >>> plan.epsilon()["bit"], plan.epsilon()["record"]
    (1.0, 8.0)
    """
    return plan_columns(lines, epsilon, "bits", scope=scope)


def report(plan: Plan, cells: Ints, coins: Coins) -> Reports:
    """Return what everyone sends: the client's side, and the only one that sees `cells` int64[n, lines]."""
    return perturb_cells(plan, cells, coins)


def cluster_reports(
    plan: Plan,
    reports: Reports,
    clusters: int,
    rng: Generator,
    *,
    first: First = "outlier",
    fallback: Fallback = "farthest",
    codes: Codes = "names",
    wording: Wording = "method",
    sample: int | None = None,
    max_iter: int = 100,
) -> Prototypes:
    """Return the prototypes of what was reported: the server's side, which knows the plan and the answers alone.

    The means and modes are those of the answers, so they lean to the middle of the domain; nothing is corrected, as in the paper.

    Raises
    ------
    InputProblem
        If the answers are no records, or `clusters` is not from 1 to their number.
    """
    if not reports.n:
        raise InputProblem(Problem(what="nobody has reported anything"))
    records = records_on(plan.lines, decode(plan, reports))
    people = sampled(distinct(records)[0], sample, rng)
    return improved(records, clusters, first=first, fallback=fallback, codes=codes, wording=wording, people=people,
                    max_iter=max_iter).prototypes


@dataclass(frozen=True, kw_only=True)
class LdpkPrototypes(CentresOnly):
    """Publish the centres of records whose bits everyone has flipped before a server saw them.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    ignored yes     yes         clustered too
    ======  ======  ==========  =================

    Source: Zhang, Chen, Wang, Zhai and Ma, K-Prototypes clustering method for local differential privacy, 2022.

    Examples
    --------
    >>> LdpkPrototypes(epsilon=2.0).scope
    'record'
    """

    about: ClassVar[About] = About(
        name="ldpk-prototypes",
        paper="Zhang, Chen, Wang, Zhai and Ma, K-Prototypes clustering method for local differential privacy, 2022",
        guarantee="epsilon-local differential privacy of every record, in whole, a feature or a bit as `scope` says; no k",
        ties=False,
        sensitive=True,
    )

    clusters: int = parameter(2, "number of centres", low=1)
    epsilon: float = parameter(1.0, "budget of what `scope` says", low=1e-6)
    scope: Literal["record", "feature", "bit"] = parameter(
        "record", "what the budget is for: all that a person tells, each attribute, or each bit (as in the paper)",
        choices=("record", "feature", "bit"),
    )
    first: Literal["outlier", "medoid"] = parameter(
        "outlier", "first centre: the record of largest mean dissimilarity, or of least", choices=("outlier", "medoid")
    )
    fallback: Literal["farthest", "shrink"] = parameter(
        "farthest", "if too few records are far enough: the farthest one, or half the limit", choices=("farthest", "shrink")
    )
    codes: Literal["names", "label"] = parameter(
        "names", "categories, for distances and entropies: names, or label codes taken for numbers",
        choices=("names", "label"),
    )
    wording: Literal["method", "text"] = parameter(
        "method", "entropy weights: as the method has them, or as the paper's text says", choices=("method", "text")
    )
    sample: int | None = parameter(20_000, "reports among which dissimilarities are measured; none for all", low=2)

    def plan(self, lines: Sequence[Line]) -> Plan:
        """Return what is asked of everyone."""
        return plan_bits(lines, self.epsilon, self.scope)

    def serve(self, plan: Plan, reports: Reports, coins: Coins) -> Centres:
        """Return the centres of what was reported."""
        seed = int(coins.words(1)[0])
        found = cluster_reports(plan, reports, self.clusters, np.random.default_rng(seed), first=self.first,
                                fallback=self.fallback, codes=self.codes, wording=self.wording, sample=self.sample)
        return Centres(lines=plan.lines, prototypes=found, epsilon=plan.epsilon(), plan=plan.as_json(),
                       reproducible=coins.reproducible)

    def centres(self, graph: AttributedGraph, coins: Coins) -> Centres:
        """Return the centres of these people: what they report, and what the server makes of it.

        Raises
        ------
        InputProblem
            If a column's domain is not declared in the schema, or a number is missing.
        """
        plan = self.plan(lines_of(graph.schema))
        return self.serve(plan, report(plan, cells_of(graph, plan.lines, "refuse"), coins), coins)
