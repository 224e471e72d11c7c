"""The ledger of all runs about the same people: budgets add up, and the file says so."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.exact import round_up

__all__ = ["with_run"]

_SCALARS = ("bit", "record", "tie")
COMPOSITION = "everyone may be in every run, so budgets of runs about the same people add up"


def with_run(ledger: Mapping[str, Any] | None, epsilon: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ledger with one run more; `epsilon` is what a plan's `epsilon()` says, with what ties spend.

    Raises
    ------
    InputProblem
        If the ledger is damaged: it must not be begun anew without a word.

    Examples
    --------
    >>> once = with_run(None, {"record": 0.5, "feature": {"age": 0.5}})
    >>> with_run(once, {"record": 1.0, "feature": {"sex": 1.0}})["total"]
    {'record': 1.5, 'feature': {'age': 0.5, 'sex': 1.0}}
    """
    runs = _runs(ledger) if ledger is not None else []
    runs.append({name: epsilon[name] for name in (*_SCALARS, "feature") if epsilon.get(name) is not None})
    total: dict[str, Any] = {}
    for name in _SCALARS:
        spent = [Fraction(run[name]) for run in runs if name in run]
        if spent:
            total[name] = round_up(spent)
    features = sorted({feature for run in runs for feature in run.get("feature", {})})
    total["feature"] = {
        feature: round_up(Fraction(run["feature"][feature]) for run in runs if feature in run.get("feature", {}))
        for feature in features}
    return {"runs": runs, "total": total, "composition": COMPOSITION}


def _runs(ledger: Mapping[str, Any]) -> list[dict[str, Any]]:
    try:
        runs = [dict(run) for run in ledger["runs"]]
        numbers = [run[name] for run in runs for name in _SCALARS if name in run]
        numbers += [value for run in runs for value in run.get("feature", {}).values()]
        whole = all("record" in run for run in runs) and all(type(value) in (int, float) and value >= 0 for value in numbers)
    except (AttributeError, KeyError, TypeError, ValueError):
        whole = False
    if not whole:
        raise InputProblem(Problem(what="the ledger of earlier runs is damaged, so what was spent is not known",
                                   fix="restore it, or begin a new one knowingly"))
    return runs
