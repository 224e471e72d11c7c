"""Every method that can be run by name."""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from graphanon.errors import InputProblem, Problem
from graphanon.method import Declared, Method

__all__ = ["families", "make", "make_private", "methods", "private_methods"]

if TYPE_CHECKING:
    from graphanon.tabular.centres import CentresOnly

D = TypeVar("D", bound=Declared)
families: tuple[str, ...] = ("graphanon.social", "graphanon.tabular")


def methods() -> dict[str, type[Method]]:
    """Return the concrete methods defined in the modules of each family, by name.

    Examples
    --------
    >>> [name for name, cls in methods().items() if cls.about.ties]
    ['adaptive-dense-cfs', 'caa-vs', 'greedy', 'pas-caa', 'sangreea', 'sequential']
    """
    return _declared(Method)


def private_methods() -> dict[str, type[CentresOnly]]:
    """Return the methods that publish centres under a privacy budget instead of groups of people, by name.

    Examples
    --------
    >>> list(private_methods())
    ['ldpk-prototypes', 'odpc']
    """
    from graphanon.tabular.centres import CentresOnly

    return _declared(CentresOnly)


def _declared(kind: Any) -> dict[str, Any]:
    """Return the concrete classes of a kind that the modules of each family define, by the name of each."""
    found: dict[str, Any] = {}
    for family in families:
        package = importlib.import_module(family)
        for info in pkgutil.iter_modules(package.__path__, family + "."):
            for thing in vars(importlib.import_module(info.name)).values():
                if inspect.isclass(thing) and issubclass(thing, kind) and not inspect.isabstract(thing) \
                        and thing.__module__ == info.name:
                    found[vars(thing)["about"].name] = thing
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
    if name not in known and name in private_methods():
        what = f"'{name}' publishes centres under a budget, not groups of people"
        raise InputProblem(Problem(what=what, fix=f"graphanon anonymize --method {name}, or graphanon.perturbing.centre_people"))
    return _made(known, name, settings)


def make_private(name: str, settings: Mapping[str, str] | None = None) -> CentresOnly:
    """Return the named method that publishes centres, with parameters given as text.

    Raises
    ------
    InputProblem
        As :func:`make`.

    Examples
    --------
    >>> make_private("odpc", {"epsilon": "2"}).epsilon
    2.0
    """
    return _made(private_methods(), name, settings)


def _made(known: Mapping[str, type[D]], name: str, settings: Mapping[str, str] | None) -> D:
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
