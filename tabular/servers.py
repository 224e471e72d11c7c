"""Which server can make groups of which answers."""

from __future__ import annotations

from collections.abc import Callable

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.centres import Centres
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.reports import Reports
from graphanon.tabular.ldpk_prototypes import LdpkPrototypes

__all__ = ["Server", "server_of"]

Server = Callable[[Plan, Reports, int, Coins], Centres]
RECORDS = "ldpk-prototypes"


def server_of(plan: Plan, method: str = "auto") -> tuple[str, Server]:
    """Return the name of a server and the server: whichever suits the plan, or the one that is named.

    Raises
    ------
    InputProblem
        If there is no such server, or it can make nothing of such answers.
    """
    if method not in ("auto", RECORDS):
        raise InputProblem(Problem(what=f"there is no server '{method}'", allowed=f"auto, {RECORDS}"))
    if not plan.decodes:
        what = "these answers are no records, which is what it clusters"
        raise InputProblem(Problem(what=what, fix="graphanon ldp perturb with --mechanism bits or grr"))
    return RECORDS, _records


def _records(plan: Plan, reports: Reports, clusters: int, coins: Coins) -> Centres:
    return LdpkPrototypes(clusters=clusters).serve(plan, reports, coins)
