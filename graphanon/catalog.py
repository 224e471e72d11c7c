"""Every method that can be run by name."""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from graphanon.errors import InputProblem, Problem
from graphanon.method import Method

__all__ = ["families", "make", "methods"]

families: tuple[str, ...] = ("graphanon.social", "graphanon.tabular")


def methods() -> dict[str, type[Method]]:
    """Return the concrete methods defined in the modules of each family, by name.

    Examples
    --------
    >>> [name for name, cls in methods().items() if cls.about.ties]
    ['adaptive-dense-cfs', 'caa-vs', 'greedy', 'pas-caa', 'sangreea', 'sequential']
    """
    found: dict[str, type[Method]] = {}
    for family in families:
        package = importlib.import_module(family)
        for info in pkgutil.iter_modules(package.__path__, family + "."):
            for thing in vars(importlib.import_module(info.name)).values():
                if inspect.isclass(thing) and issubclass(thing, Method) and not inspect.isabstract(thing) \
                        and thing.__module__ == info.name:
                    found[thing.about.name] = thing
    return dict(sorted(found.items()))


def make(name: str, settings: Mapping[str, str] | None = None) -> Method:
    """Return the named method with parameters given as text.

    Raises
    ------
    InputProblem
        If there is no such method, or a setting has an unknown name or a value that is not allowed.

    Examples
    --------
    >>> make("sangreea", {"beta": "0.25"}).beta
    0.25
    """
    known = methods()
    if name not in known:
        raise InputProblem(Problem(what=f"there is no method '{name}'", allowed=", ".join(known),
                                   fix="--method NAME"))
    cls = known[name]
    hints = get_type_hints(cls)
    names = {f.name for f in fields(cls)}
    values, problems = {}, []
    for key, text in (settings or {}).items():
        if key not in names:
            problems.append(Problem(what=f"{name} has no parameter '{key}'",
                                    allowed=", ".join(sorted(names)) or "none",
                                    fix=f"'graphanon methods {name}' tells what each does"))
            continue
        try:
            values[key] = _parse(text, hints[key])
        except ValueError:
            problems.append(Problem(what=f"{name}: {key} cannot be '{text}'",
                                    allowed=str(hints[key]).removeprefix("<class '").removesuffix("'>"),
                                    fix=f"'graphanon methods {name}' tells what is permitted"))
    if problems:
        raise InputProblem(problems)
    return cls(**values)


def _parse(text: str, hint: Any) -> Any:
    """Read a parameter's text as the first of its types that fits."""
    kinds = getattr(hint, "__args__", (hint,))
    if type(None) in kinds and text.lower() in ("none", ""):
        return None
    if bool in kinds and text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        if kind in kinds:
            try:
                number = kind(text)
            except ValueError:
                continue
            if math.isfinite(number):
                return number
    if str in kinds or any(isinstance(kind, str) for kind in kinds):
        return text
    raise ValueError(text)
