"""A job: everything that one run was asked for, on the command line or in a TOML file.

::

    people = "people.csv"
    ties = "ties.csv"
    schema = "schema.toml"
    method = "pas-caa"
    out = "graphanon-out"

    [promises]
    k = 5

    [set]
    beta = 0.25

    [read]
    delimiter = ";"

Every path in a job file is relative to the file.
"""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from graphanon.errors import InputProblem, Problem

__all__ = ["OUT", "Job", "job_text", "read_job", "reading_words", "schema_command"]

OUT = "graphanon-out"

_TOP: Mapping[str, type] = {
    "people": str, "ties": str, "schema": str, "method": str, "seed": int, "out": str,
    "force": bool, "refine": bool, "objective": str, "refine_seconds": float, "split_payload": bool,
}
_PROMISES: Mapping[str, type] = {"k": int, "tie_confidence": float, "withhold": float}
_READ: Mapping[str, type] = {
    "id": str, "source": str, "target": str, "weight": str, "directed": bool, "relation": str, "project": str, "format": str,
    "delimiter": str, "encoding": str,
    "na_values": list, "comment": str, "header": bool, "lenient": bool, "unlisted": str, "missing_nodes": str,
    "duplicate_nodes": str, "drop_incomplete_ties": bool, "ends": str,
}
_CHOICES = {
    "comment": ("auto", "none"),
    "unlisted": ("error", "drop"),
    "missing_nodes": ("error", "add", "drop"),
    "duplicate_nodes": ("error", "first"),
    "ends": ("auto", "id", "position"),
}
_OPPOSITE = {"directed": "--undirected", "header": "--no-header"}
_KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list of texts"}
_PATHS = ("people", "ties", "schema", "out")


@dataclass(frozen=True, kw_only=True)
class Job:
    """What one run was asked for; None leaves a choice to the schema or to the default.

    `settings` are the method's parameters as text, `reading` the options of reading by name.
    """

    people: str | None = None
    ties: str | None = None
    schema: str | None = None
    method: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    k: int | None = None
    tie_confidence: float | None = None
    withhold: float | None = None
    seed: int | None = None
    out: str = OUT
    force: bool = False
    refine: bool = True
    objective: str | None = None
    refine_seconds: float | None = None
    split_payload: bool = False
    reading: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))
        object.__setattr__(self, "reading", MappingProxyType(dict(self.reading)))


def job_text(job: Job) -> str:
    """Return the job as TOML that :func:`read_job` reads back to the same job.

    Examples
    --------
    >>> print(job_text(Job(people="people.csv", schema="schema.toml", k=5)), end="")
    # a job for 'graphanon run'; every path is relative to this file
    people = "people.csv"
    schema = "schema.toml"
    out = "graphanon-out"
    <BLANKLINE>
    [promises]
    k = 5
    """
    top = {name: getattr(job, name) for name in _TOP}
    flags = {"force": False, "refine": True, "split_payload": False}
    top = {name: value for name, value in top.items() if flags.get(name) is not value}
    tables = {
        "promises": {name: getattr(job, name) for name in _PROMISES},
        "set": job.settings,
        "read": job.reading,
    }
    lines = ["# a job for 'graphanon run'; every path is relative to this file", *_lines(top)]
    for name, table in tables.items():
        inside = list(_lines(table))
        if inside:
            lines += ["", f"[{name}]", *inside]
    return "\n".join(lines) + "\n"


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        if value is not None:
            key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)
            yield f"{key} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)


def read_job(path: Path) -> Job:
    """Return the job of a TOML file, its paths resolved against the file's folder.

    Raises
    ------
    InputProblem
        If the file is no TOML, or holds an unknown key or a value of the wrong kind; all at once.
    """
    tables = _parse(path)
    problems = list(_job_problems(tables))
    if problems:
        raise InputProblem([_in_file(problem, path) for problem in problems])
    top = {name: value for name, value in tables.items() if not isinstance(value, dict)}
    for name in _PATHS:
        if top.get(name, "-") != "-":
            top[name] = str(path.parent / top[name])
    top.setdefault("out", str(path.parent / OUT))
    settings = {name: _as_setting(value) for name, value in tables.get("set", {}).items()}
    return Job(**top, **tables.get("promises", {}), settings=settings, reading=tables.get("read", {}))


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputProblem(Problem(what="is not UTF-8 text", file=str(path), allowed="TOML")) from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else None
        what = "is no TOML: " + re.sub(r" \(at .*\)$", "", str(error))
        raise InputProblem(Problem(what=what, file=str(path), line=line)) from error


def _in_file(problem: Problem, path: Path) -> Problem:
    return Problem(what=problem.what, file=str(path), allowed=problem.allowed, fix=problem.fix)


def _job_problems(tables: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _table_problems("", {n: v for n, v in tables.items() if n not in ("promises", "set", "read")}, _TOP)
    for name, kinds in (("promises", _PROMISES), ("read", _READ)):
        table = tables.get(name, {})
        if isinstance(table, dict):
            yield from _table_problems(f"[{name}] ", table, kinds)
        else:
            yield Problem(what=f"'{name}' is not a table", allowed=f"[{name}] on a line of its own")
    if not isinstance(tables.get("set", {}), dict):
        yield Problem(what="'set' is not a table", allowed="[set] on a line of its own")


def _table_problems(where: str, table: Mapping[str, Any], kinds: Mapping[str, type]) -> Iterator[Problem]:
    for name, value in table.items():
        if name not in kinds:
            yield Problem(what=f"{where}has an unknown key '{name}'", allowed=", ".join(sorted(kinds)))
        elif not _fits(value, kinds[name]):
            yield Problem(what=f"{where}{name} cannot be {value!r}", allowed=_KINDS[kinds[name]])
        elif name == "seed" and value < 0:
            yield Problem(what=f"{where}seed cannot be {value}", allowed="a whole number from 0")
        elif name == "refine_seconds" and not 0 <= value < math.inf:
            yield Problem(what=f"{where}refine_seconds cannot be {value}", allowed="a number from 0")
        elif name in _CHOICES and value not in _CHOICES[name]:
            yield Problem(what=f"{where}{name} cannot be {value!r}", allowed=", ".join(_CHOICES[name]))


def _fits(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)


def _as_setting(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def schema_command(job: Job, path: str = "schema.toml") -> str:
    """Return the command that drafts a schema for this job's files."""
    words = ["graphanon", "inspect", *([os.fspath(job.people)] if job.people else [])]
    words += ["--ties", os.fspath(job.ties)] if job.ties else []
    return shlex.join([*words, *reading_words(job.reading), "--write-schema", path])


def reading_words(reading: Mapping[str, Any]) -> list[str]:
    """Return the options that ask for this reading, as they are written on the command line.

    Examples
    --------
    >>> reading_words({"directed": False, "project": "1", "na_values": ["?", "-"]})
    ['--undirected', '--project', '1', '--na-values', '?,-']
    """
    words = []
    for name, value in reading.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            words += [flag] if value else [_OPPOSITE[name]] if name in _OPPOSITE else []
        else:
            words += [flag, ",".join(value) if isinstance(value, list) else str(value)]
    return words
