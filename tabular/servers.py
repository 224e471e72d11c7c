"""Which server can make groups of which answers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.centres import Centres
from graphanon.tabular.ldp.centres import centres_from_pairs
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.reports import Reports
from graphanon.tabular.ldpk_prototypes import LdpkPrototypes
from graphanon.tabular.prototypes import Prototypes

__all__ = ["Server", "server_of"]

Floats = NDArray[np.float64]
Server = Callable[[Plan, Reports, int, Coins], Centres]
LATENT = "latent-classes"
RECORDS = "ldpk-prototypes"


def server_of(plan: Plan, method: str = "auto") -> tuple[str, Server]:
    """Return the name of a server and the server: whichever suits the plan, or the one that is named.

    Answers about pairs of attributes are for a model of latent classes, whole records for LDPK-Prototypes.

    Raises
    ------
    InputProblem
        If there is no such server, or it can make nothing of such answers.
    """
    able = {LATENT: plan.kind == "pairs", RECORDS: plan.decodes}
    chosen = next((name for name in able if able[name]), LATENT) if method == "auto" else method
    if chosen not in able:
        raise InputProblem(Problem(what=f"there is no server '{method}'", allowed=f"auto, {', '.join(able)}"))
    if not able[chosen]:
        what = f"{chosen} can make no groups of these answers"
        allowed = "answers about pairs of attributes" if chosen == LATENT else "answers that are records"
        fix = "graphanon ldp perturb without --mechanism" if chosen == LATENT else "--mechanism bits or grr"
        raise InputProblem(Problem(what=what, allowed=allowed, fix=fix))
    return chosen, {LATENT: _latent, RECORDS: _records}[chosen]


def _records(plan: Plan, reports: Reports, clusters: int, coins: Coins) -> Centres:
    return LdpkPrototypes(clusters=clusters).serve(plan, reports, coins)


def _latent(plan: Plan, reports: Reports, clusters: int, coins: Coins) -> Centres:
    found = centres_from_pairs(plan, reports, clusters, np.random.default_rng(int(coins.words(1)[0])))
    columns = list(zip(plan.lines, found.points.T, strict=True))
    numbers = [_place(line.low, line.high, points) if line.numeric else points / max(line.known - 1, 1)
               for line, points in columns if line.ordered]
    codes = [points.astype(np.int64) for line, points in columns if not line.ordered]
    shape = len(found.points)
    prototypes = Prototypes(np.array(numbers).reshape(len(numbers), shape).T.copy(),
                            np.array(codes, dtype=np.int64).reshape(len(codes), shape).T.copy())
    return Centres(lines=plan.lines, prototypes=prototypes, epsilon=plan.epsilon(), plan=plan.as_json(),
                   reproducible=coins.reproducible, shares=found.shares)


def _place(low: float, high: float, points: Floats) -> Floats:
    return (points - low) / (high - low) if high > low else np.zeros_like(points)
