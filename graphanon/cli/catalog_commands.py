"""Commands that list what there is: methods and built-in data sets."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphanon.cli.answer import Answer, aligned, count
from graphanon.errors import InputProblem, Problem

if TYPE_CHECKING:
    from graphanon.datasets import Card

__all__ = ["datasets_command", "methods_command"]


def methods_command(
    name: Annotated[str | None, typer.Argument(metavar="NAME", show_default=False, help="One method, in full.")] = None,
) -> Answer:
    """List the methods, or show one: paper, guarantee, what it looks at, parameters."""
    from graphanon.catalog import methods, private_methods

    known: dict[str, Any] = dict(sorted((methods() | private_methods()).items()))
    if name is not None and name not in known:
        raise InputProblem(Problem(what=f"there is no method '{name}'", allowed=", ".join(known),
                                   fix="'graphanon methods' lists them"))
    if name is not None:
        entry = _method_entry(known[name])
        return Answer(text=_method_page(entry), json=entry)
    entries = [_method_entry(cls) for cls in known.values()]
    rows = [["method", "looks at", "guarantee"], *([e["name"], _looks_at(e), e["guarantee"]] for e in entries)]
    text = f"{aligned(rows, indent='')}\n\n'graphanon methods NAME' shows a method's paper and parameters."
    return Answer(text=text, json={"methods": entries})


def _method_entry(cls: Any) -> dict[str, Any]:
    about = cls.about
    return {
        "name": about.name,
        "paper": about.paper,
        "guarantee": about.guarantee,
        "ties": about.ties,
        "numbers": about.numbers,
        "categories": about.categories,
        "sensitive": about.sensitive,
        "parameters": [_parameter_entry(f) for f in fields(cls)],
    }


def _parameter_entry(field: Any) -> dict[str, Any]:
    choices = field.metadata.get("choices")
    return {
        "name": field.name,
        "default": field.default,
        "meaning": field.metadata.get("text", ""),
        "low": field.metadata.get("low"),
        "high": field.metadata.get("high"),
        "choices": None if choices is None else list(choices),
    }


def _looks_at(entry: Mapping[str, Any]) -> str:
    return ", ".join(what for what in ("ties", "numbers", "categories", "sensitive") if entry[what])


def _method_page(entry: Mapping[str, Any]) -> str:
    looks = [[what, "yes" if entry[what] else "no"] for what in ("ties", "numbers", "categories", "sensitive")]
    lines = [entry["name"], "", f"paper      {entry['paper']}", f"guarantee  {entry['guarantee']}", "",
             "looks at", aligned(looks, head=False)]
    if entry["parameters"]:
        rows = [["parameter", "default", "permitted", "meaning"]]
        rows += [[p["name"], str(p["default"]), _permitted(p), p["meaning"]] for p in entry["parameters"]]
        lines += ["", "parameters (give one as --set name=value)", aligned(rows)]
    return "\n".join(lines)


def _permitted(parameter: Mapping[str, Any]) -> str:
    low, high = parameter["low"], parameter["high"]
    if parameter["choices"] is not None:
        bounds = [] if low is None and high is None else [_bounds(low, high)]
        return ", ".join([*map(str, parameter["choices"]), *bounds])
    if isinstance(parameter["default"], bool):
        return "true, false"
    return _bounds(low, high)


def _bounds(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return "any"
    if high is None:
        return f"from {low:g}"
    return f"to {high:g}" if low is None else f"{low:g} to {high:g}"


def datasets_command(
    name: Annotated[str | None, typer.Argument(metavar="NAME", show_default=False, help="One data set.")] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", show_default=False,
                     help="Write its people, ties, schema and hierarchies to this new folder."),
    ] = None,
) -> Answer:
    """List the built-in data sets, show one, or write one as files."""
    from graphanon.datasets import cards

    known = cards()
    if name is not None and name not in known:
        raise InputProblem(Problem(what=f"there is no data set '{name}'", allowed=", ".join(known),
                                   fix="'graphanon datasets' lists them"))
    if name is None and out is not None:
        raise InputProblem(Problem(what="-o needs the name of a data set", allowed=", ".join(known),
                                   fix=f"graphanon datasets {next(iter(known))} -o {shlex.quote(str(out))}"))
    if name is None:
        rows = [["data set", "people", "ties", "what it is"]]
        rows += [[card.name, f"{card.people:,}", f"{card.ties:,}", card.title] for card in known.values()]
        text = f"{aligned(rows, indent='')}\n\n'graphanon datasets NAME -o DIR' writes one as files."
        return Answer(text=text, json={"datasets": [asdict(card) for card in known.values()]})
    if out is None:
        return Answer(text=known[name].text, json=asdict(known[name]))
    return _export(known[name], out)


def _export(card: Card, out: Path) -> Answer:
    from graphanon.datasets import export

    if out.exists():
        raise InputProblem(Problem(what="exists already", file=str(out), fix="-o with a new folder"))
    export(card.name, out)
    files = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    ties = " --ties " + shlex.quote(str(out / "ties.csv")) if (out / "ties.csv").exists() else ""
    command = f"graphanon anonymize {shlex.quote(str(out / 'people.csv'))}{ties}"
    command += f" --schema {shlex.quote(str(out / 'schema.toml'))} -k 5"
    text = f"{card.name}: {count(len(files), 'file')} in {out}\n  " + "\n  ".join(files) + f"\n\nnext\n  {command}"
    return Answer(text=text, json=asdict(card) | {"folder": str(out), "files": files})
