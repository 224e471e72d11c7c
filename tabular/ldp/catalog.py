"""Mechanisms by name: made for a budget by whoever plans, read back from JSON by a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.bits import Bits
from graphanon.tabular.ldp.duchi import Duchi
from graphanon.tabular.ldp.grr import Grr
from graphanon.tabular.ldp.hybrid import Hybrid
from graphanon.tabular.ldp.mechanism import Mechanism
from graphanon.tabular.ldp.olh import Olh
from graphanon.tabular.ldp.oue import Oue
from graphanon.tabular.ldp.window import Piecewise, SquareWave

__all__ = ["MAKERS", "MECHANISMS", "read_mechanism"]

MECHANISMS: dict[str, type[Mechanism]] = {kind.name: kind for kind in (Bits, Grr, Oue, Olh, Duchi, Piecewise, Hybrid, SquareWave)}
# for a number of cells and a budget; bits need an encoding too
MAKERS: dict[str, Callable[[int, Fraction], Mechanism]] = {
    "grr": Grr.of, "oue": Oue.of, "olh": Olh.of, "duchi": Duchi.of, "piecewise": Piecewise.of, "hybrid": Hybrid.of,
    "square-wave": SquareWave.of,
}


def read_mechanism(data: Mapping[str, Any]) -> Mechanism:
    """Return the mechanism that a release declares.

    Raises
    ------
    InputProblem
        If it is none of ours or something of it is missing or damaged.

    Examples
    --------
    >>> read_mechanism({"mechanism": "grr", "inputs": 2, "other": str(2**62)}).inputs
    2
    """
    kind = MECHANISMS.get(str(data.get("mechanism")))
    if kind is None:
        raise InputProblem(Problem(what=f"unknown mechanism {data.get('mechanism')!r}",
                                   allowed=", ".join(MECHANISMS)))
    try:
        return kind.from_json(data)
    except (KeyError, TypeError, ValueError) as reason:
        what = f"the description of a mechanism of kind {kind.name} is damaged"
        raise InputProblem(Problem(what=what)) from reason
