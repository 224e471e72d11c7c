"""The record of a run as its private folder keeps it, read for the custodian's page.

The file lies open to everyone who may read the folder, and other versions wrote other things into it. So what
a page shows of it is looked at first: a part that is missing is left out, one of another shape is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphanon.errors import InputProblem, Problem

__all__ = ["record"]

EACH = "*"  # every entry, whatever its name
NUMBER = (int, float)
LOSSES = ("ncp", "ngil", "worst", "entropy")
GUESSES = ("release", "originals", "commonest")
# what must be there of what is there; a list stands for any number of the like
SHAPE: dict[str, Any] = {
    "parameters": {}, "requirement": {}, "seconds": {}, "read": {"counts": {}, "notes": [str], "warnings": [str]},
    "original": {"kinds": NUMBER, "alone": NUMBER},
    "losses": {"attributes": {EACH: dict.fromkeys(LOSSES, NUMBER)}},
    "utility": {"marginals": {EACH: NUMBER}, "classifiers": {EACH: dict.fromkeys(GUESSES, NUMBER)}},
    "findings": [{"promise": str, "asked": object, "found": object, "holds": bool}],
    "refined": {"before": {EACH: NUMBER}},
}
TIES = dict.fromkeys(("ties", "average", "isolated", "most"), NUMBER)
WHOLE = ("original", "findings")  # parts of which nothing may be missing


def record(folder: Path, *, graph: bool) -> dict[str, Any]:
    """Return the record of a run from its private folder, without the parts that say nothing.

    Raises
    ------
    InputProblem
        If there is none that can be read, or a part of it is not of the shape that a run writes.
    """
    file = folder / "run.json"
    fix = f"for the public page alone: graphanon report {folder.parent / 'release'} -o DIR"
    allowed = "the run.json that a run has written"
    try:
        told = json.loads(file.read_bytes(), parse_constant=_no_number)
    except (OSError, ValueError, RecursionError) as error:
        what = "is no record of a run that can be read"
        raise InputProblem(Problem(what=what, file=str(file), allowed=allowed, fix=fix)) from error
    if not isinstance(told, dict):
        raise InputProblem(Problem(what="is no record of a run", file=str(file), allowed=allowed, fix=fix))
    told = {name: part for name, part in told.items() if part is not None}
    shape = SHAPE | {"original": SHAPE["original"] | (TIES if graph else {})}
    wrong = [name for name, inner in shape.items() if name in told and not _fits(told[name], inner, whole=name in WHOLE)]
    if wrong:
        raise InputProblem([
            Problem(what=f"its part '{name}' is not as this version of graphanon writes it", file=str(file), allowed=allowed, fix=fix)
            for name in wrong
        ])
    return told


def _no_number(constant: str) -> None:
    raise ValueError(constant)


def _fits(thing: Any, shape: Any, *, whole: bool) -> bool:
    """Whether a thing has a shape; of a `whole` one every name must be there.

    Examples
    --------
    >>> _fits({"a": 1}, {"a": (int,), "b": (int,)}, whole=False), _fits({"a": 1}, {"a": (int,), "b": (int,)}, whole=True)
    (True, False)
    >>> _fits({"x": {"a": 1}}, {"*": {"a": (int,)}}, whole=False), _fits({"x": {}}, {"*": {"a": (int,)}}, whole=False)
    (True, False)
    """
    if isinstance(shape, list):
        return isinstance(thing, list) and all(_fits(each, shape[0], whole=whole) for each in thing)
    if not isinstance(shape, dict):
        return isinstance(thing, shape) and (shape in (bool, object) or not isinstance(thing, bool))
    if not isinstance(thing, dict):
        return False
    if EACH in shape:
        return all(_fits(each, shape[EACH], whole=True) for each in thing.values())
    return all(_fits(thing[name], inner, whole=whole) if name in thing else not whole for name, inner in shape.items())
