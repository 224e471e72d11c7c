"""The schema file: the steward's word on every column, in TOML.

Reading is strict, for a misspelt key would otherwise be a promise that nobody keeps: every key, role
and value that is not known is refused with what is allowed, all of them at once. Paths are relative to
the schema file. What the file leaves open (an observed range, flat text) is closed by
:mod:`graphanon.io.build` when the people are there.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

from graphanon.domain import Domain, Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.io.hierarchy_file import read_hierarchy
from graphanon.schema import Column, Promises, Role, Schema, TieColumns

__all__ = ["column_settings", "read_schema", "schema_text", "toml_table"]

OBSERVED = "observed"
DOMAIN_KEYS = ("range", "grid", "steps", "order", "hierarchy", "scale", "limit")
PROMISE_KEYS = ("alpha", "l", "t", "diversity", "c")
KEYS_OF_ROLE: dict[Role, tuple[str, ...]] = {
    Role.QUASI: ("role", *DOMAIN_KEYS),
    Role.SENSITIVE: ("role", *DOMAIN_KEYS[:-2], *PROMISE_KEYS),
    Role.OPEN: ("role",),
    Role.K: ("role",),
    Role.IDENTIFIER: ("role",),
    Role.DROP: ("role",),
}


def read_schema(path: Path | str) -> Schema:
    """Return the schema in a TOML file, with the hierarchies that it names.

    Raises
    ------
    InputProblem
        If the file cannot be read, is no TOML, or holds a key, role or value that is not known; every
        problem is listed, those of its hierarchies too.
    """
    path = Path(path)
    text = _text(path)
    page = _Page(str(path), text)
    parts = _Part(page, "", _parsed(text, str(path)))
    people = parts.part("people")
    ties = parts.part("ties")
    promises = parts.part("promises")
    columns = parts.part("columns")
    found = [_column(page, name, value, path.parent) for name, value in columns.values.items()]
    columns.values.clear()
    schema = _assembled(page, people, ties, promises, [column for column in found if column is not None])
    for part in (people, ties, promises, parts):
        part.finish()
    if page.problems:
        raise InputProblem(page.problems)
    return schema


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = Problem(what=f"byte {error.start} is not UTF-8", file=str(path), fix="save the schema as UTF-8")
    except FileNotFoundError:
        problem = Problem(what="the schema file does not exist", file=str(path),
                          fix="draft one: graphanon inspect PEOPLE --write-schema schema.toml")
    except OSError as error:
        problem = Problem(what=f"the schema file cannot be read: {error.strerror}", file=str(path))
    raise InputProblem(problem)


def _parsed(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        problem = Problem(what=f"not valid TOML: {error}", file=file, line=int(place[1]) if place else None)
    raise InputProblem(problem)


class _Page:
    """The file under examination: its name, its text for finding lines, what was found wrong."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.lines = text.splitlines()
        self.problems: list[Problem] = []

    def complain(
        self, what: str, *, column: str | None = None, allowed: str | None = None, fix: str | None = None
    ) -> None:
        line = None if column is None else self.line_of(column)
        self.problems.append(
            Problem(what=what, file=self.file, line=line, column=column, allowed=allowed, fix=fix)
        )

    def line_of(self, name: str) -> int | None:
        key = re.escape(name)
        pattern = re.compile(rf"""\s*(?:\[\s*columns\s*\.\s*|columns\s*\.\s*)?["']?{key}["']?\s*[=.\]]""")
        return next((i for i, line in enumerate(self.lines, 1) if pattern.match(line)), None)


class _Part:
    """One TOML table: what is taken from it is checked, what is left in the end is not known."""

    def __init__(self, page: _Page, title: str, values: Any, column: str | None = None) -> None:
        self.page = page
        self.title = title
        self.column = column
        self.values: dict[str, Any] = dict(values) if isinstance(values, Mapping) else {}
        self.known: list[str] = []
        if not isinstance(values, Mapping):
            page.complain(f"[{title}] is not a table", column=column)

    def part(self, key: str) -> _Part:
        self.known.append(key)
        return _Part(self.page, key, self.values.pop(key, {}))

    def take(self, key: str, valid: Callable[[Any], bool], allowed: str, default: Any = None) -> Any:
        self.known.append(key)
        if key not in self.values:
            return default
        value = self.values.pop(key)
        if valid(value):
            return value
        name = key if self.column or not self.title else f"[{self.title}] {key}"
        self.page.complain(f"{name} is {_shown(value)}", column=self.column, allowed=allowed, fix=_EXAMPLES.get(key))
        return default

    def finish(self) -> None:
        for key in self.values:
            where = f" in [{self.title}]" if self.title and not self.column else ""
            self.page.complain(f"unknown key '{key}'{where}", column=self.column, allowed=", ".join(self.known))


# how the keys are written whose value is no plain text or number
_EXAMPLES = {
    "alpha": "alpha = { hiv = 0.2 }, one share for each value that is to be rare",
    "range": "range = [0, 100]",
    "steps": "steps = [5, 10, 20]",
    "order": 'order = ["low", "mid", "high"]',
    "hierarchy": 'hierarchy = "job.csv"',
}


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_whole(value: Any, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_range(value: Any) -> bool:
    pair = isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))
    return value == OBSERVED or (pair and value[0] <= value[1])


def _one_of(*names: str) -> tuple[Callable[[Any], bool], str]:
    return (lambda value: isinstance(value, str) and value in names), ", ".join(f'"{name}"' for name in names)


def _assembled(page: _Page, people: _Part, ties: _Part, promises: _Part, columns: list[Column]) -> Schema:
    id_ = people.take("id", _is_text, "the name of a column")
    missing = people.take("missing", *_one_of("error", "drop", "value"), default="error")
    tie_columns = TieColumns(
        source=ties.take("source", _is_text, "the name of a column"),
        target=ties.take("target", _is_text, "the name of a column"),
        directed=ties.take("directed", lambda value: isinstance(value, bool), "true or false"),
        weight=ties.take("weight", *_one_of("drop", "sum"), default="drop"),
        relation=ties.take("relation", _is_text, "the name of one relation in the file"),
    )
    asked = Promises(
        k=promises.take("k", lambda value: _is_whole(value, 1), "a whole number from 2 (1 only for a dry run)"),
        tie_confidence=promises.take(
            "tie_confidence", lambda value: _is_number(value) and 0 <= value <= 1, "a number from 0 to 1"),
        withhold=promises.take(
            "withhold", lambda value: _is_number(value) and 0 <= value < 1, "a share from 0 to below 1", 0.0),
    )
    if sum(column.role is Role.K for column in columns) > 1:
        names = ", ".join(column.name for column in columns if column.role is Role.K)
        page.complain(f"several columns have the role k: {names}", allowed="one column of wishes")
    try:
        return Schema(columns=tuple(columns), id=id_, missing=missing, ties=tie_columns, promises=asked)
    except InputProblem as error:
        for problem in error.problems:
            page.complain(problem.what, column=problem.column, allowed=problem.allowed)
    return Schema(columns=())


def _column(page: _Page, name: str, value: Any, folder: Path) -> Column | None:
    if not isinstance(value, Mapping) or not isinstance(value.get("role"), str) or value["role"] not in set(Role):
        got = _shown(value.get("role")) if isinstance(value, Mapping) and "role" in value else "no role"
        page.complain(f"a column needs a role, got {got}", column=name, allowed=", ".join(Role))
        return None
    if not name.strip():
        page.complain("a column has an empty name", fix="name every column in the file and in the schema")
        return None
    part = _Part(page, name, value, column=name)
    role = Role(part.values.pop("role"))
    before = len(page.problems)
    part.known = ["role"]
    settings: dict[str, Any] = {}
    if role in (Role.QUASI, Role.SENSITIVE):
        settings |= _line_settings(part, folder, quasi=role is Role.QUASI)
    if role is Role.SENSITIVE:
        settings |= _promise_settings(part)
    part.finish()
    if len(page.problems) > before:
        return Column(name=name, role=role)
    return Column(name=name, role=role, **settings)


def _line_settings(part: _Part, folder: Path, *, quasi: bool) -> dict[str, Any]:
    """Return what the file says of a column's line of values."""
    range_ = part.take("range", _is_range, f'[low, high] with low up to high, or "{OBSERVED}"')
    grid = part.take("grid", lambda value: _is_number(value) and value > 0, "a positive number")
    steps = part.take(
        "steps", lambda value: isinstance(value, list) and all(map(_is_number, value)), "a list of widths", [])
    order = part.take(
        "order", lambda value: isinstance(value, list) and all(map(_is_text, value)), "a list of labels")
    hierarchy = part.take("hierarchy", _is_text, "the path of a hierarchy file")
    limit = part.take("limit", _is_whole, "a whole number of levels") if quasi else None
    scale = part.take("scale", *_one_of("interval", "ratio", "rank", "asymmetric")) if quasi else None
    numeric = range_ is not None or grid is not None or bool(steps)
    if numeric + (order is not None) + (hierarchy is not None) > 1:
        part.page.complain("has more than one line of values", column=part.column,
                           allowed="one of: range with grid and steps; order; hierarchy")
        return {}
    declared = None if range_ is None or range_ == OBSERVED else (float(range_[0]), float(range_[1]))
    domain = _declared_domain(part, folder, order, hierarchy)
    if numeric:
        _check_numbers(part, declared, grid, steps)
    _check_limit(part, limit, domain, steps)
    return {
        "domain": domain, "numeric": numeric, "declared": declared,
        "grid": None if grid is None else float(grid), "steps": tuple(map(float, steps)),
        "scale": scale, "limit": limit, "hierarchy_file": hierarchy,
    }


def _declared_domain(part: _Part, folder: Path, order: Any, hierarchy: Any) -> Domain | None:
    try:
        if order is not None:
            return Order(tuple(order))
        if hierarchy is not None:
            return read_hierarchy(folder / hierarchy)
    except InputProblem as error:
        named = (replace(problem, column=part.column) for problem in error.problems)
        if order is not None:
            named = (replace(p, file=part.page.file, line=part.page.line_of(part.column or "")) for p in named)
        part.page.problems.extend(named)
    return None


def _check_numbers(
    part: _Part, declared: tuple[float, float] | None, grid: float | None, steps: Iterable[float]
) -> None:
    low, high = declared or (0.0, 0.0)
    try:
        Range(low, high, grid or 1.0, tuple(steps))
    except InputProblem as error:
        for problem in error.problems:
            fix = "give a grid of which every step is a multiple" if grid is None else None
            part.page.complain(problem.what, column=part.column, fix=fix)


def _check_limit(part: _Part, limit: int | None, domain: Domain | None, steps: list[float]) -> None:
    if limit is None:
        return
    height = domain.height if domain is not None else len(steps) + 1
    if limit > height:
        part.page.complain(f"limit is {limit}", column=part.column, allowed=f"a level from 0 to {height}")


def _promise_settings(part: _Part) -> dict[str, Any]:
    """Return what the file promises of a sensitive column."""
    alpha = part.take("alpha", _is_alpha, "a table of values with shares above 0 and up to 1", {})
    diversity = part.take("diversity", *_one_of("distinct", "entropy", "recursive"), default="distinct")
    l_ = part.take("l", lambda value: _is_number(value) and value >= 1, "a number from 1")
    t = part.take("t", lambda value: _is_number(value) and 0 <= value <= 1, "a number from 0 to 1")
    c = part.take("c", lambda value: _is_number(value) and value > 0, "a positive number")
    if l_ is not None and diversity != "entropy" and l_ != int(l_):
        part.page.complain(f"l is {l_}", column=part.column, allowed=f"a whole number with {diversity} diversity")
    if diversity != "distinct" and l_ is None:
        part.page.complain(f"{diversity} diversity without l", column=part.column, fix="add l = 2")
    if (c is None) == (diversity == "recursive"):
        part.page.complain("c goes with recursive diversity, and recursive diversity with c", column=part.column,
                           allowed='diversity = "recursive", c = 3, l = 2')
    return {"alpha": {value: float(share) for value, share in alpha.items()}, "l": l_, "t": t,
            "diversity": diversity, "c": c}


def _is_alpha(value: Any) -> bool:
    return isinstance(value, Mapping) and all(_is_number(share) and 0 < share <= 1 for share in value.values())


def schema_text(schema: Schema, hierarchy_names: Mapping[str, str] | None = None) -> str:
    """Return the schema as the text of a file that :func:`read_schema` reads back.

    `hierarchy_names` gives the path of each column's hierarchy relative to the schema file; without
    one, the path that the column was read from stands.

    Examples
    --------
    >>> age = Column(name="age", role=Role.QUASI, numeric=True, declared=(17, 90), steps=(5, 10))
    >>> print(schema_text(Schema(columns=(age,), id="who")), end="")
    [people]
    id = "who"
    missing = "error"
    <BLANKLINE>
    [columns]
    age = { role = "quasi", range = [17, 90], steps = [5, 10] }
    """
    names = hierarchy_names or {}
    people = {"id": schema.id, "missing": schema.missing}
    ties = {"source": schema.ties.source, "target": schema.ties.target, "directed": schema.ties.directed,
            "weight": None if schema.ties.weight == "drop" else schema.ties.weight,
            "relation": schema.ties.relation}
    promises = {"k": schema.promises.k, "tie_confidence": schema.promises.tie_confidence,
                "withhold": schema.promises.withhold or None}
    columns = toml_table({column.name: column_settings(column, names) for column in schema.columns})
    parts = [_section("people", people), _section("ties", ties),
             "\n".join(["[columns]", *columns, ""]), _section("promises", promises)]
    return "\n".join(part for part in parts if part)


def toml_table(values: Mapping[str, Any]) -> list[str]:
    """Return one line of TOML for each key and value; nested mappings become inline tables.

    Examples
    --------
    >>> toml_table({"id": "who", "job title": {"role": "quasi"}})
    ['id = "who"', '"job title" = { role = "quasi" }']
    """
    return [f"{_key(key)} = {_toml(value)}" for key, value in values.items()]


def _section(title: str, values: Mapping[str, Any]) -> str:
    lines = toml_table({key: value for key, value in values.items() if value is not None})
    return "\n".join([f"[{title}]", *lines, ""]) if lines else ""


def column_settings(column: Column, names: Mapping[str, str]) -> dict[str, Any]:
    """Return what a schema file says of a column, with the paths of hierarchies by column name."""
    settings: dict[str, Any] = {"role": str(column.role)}
    settings |= _domain_text(column, names)
    optional = {"scale": column.scale, "limit": column.limit, "alpha": dict(column.alpha) or None,
                "l": column.l, "t": column.t, "diversity": None if column.diversity == "distinct" else column.diversity,
                "c": column.c}
    return settings | {key: value for key, value in optional.items() if value is not None}


def _domain_text(column: Column, names: Mapping[str, str]) -> dict[str, Any]:
    domain = column.domain
    if isinstance(domain, Order):
        return {"order": list(domain.labels)}
    if isinstance(domain, Tree) and domain.given:
        return {"hierarchy": names.get(column.name) or column.hierarchy_file or f"{column.name}.csv"}
    if isinstance(domain, Range) or column.numeric:
        return _number_text(column, domain if isinstance(domain, Range) else None)
    return {}


def _number_text(column: Column, domain: Range | None) -> dict[str, Any]:
    range_ = column.declared or (None if domain is None else (domain.low, domain.high))
    grid = column.grid if column.grid is not None or domain is None or domain.grid == 1 else domain.grid
    steps = column.steps or (() if domain is None else domain.steps)
    settings: dict[str, Any] = {"range": OBSERVED if range_ is None else list(range_)}
    if grid is not None:
        settings["grid"] = grid
    return settings | ({"steps": list(steps)} if steps else {})


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _inline(values: Mapping[str, Any]) -> str:
    return "{ " + ", ".join(f"{_key(key)} = {_toml(value)}" for key, value in values.items()) + " }"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    if isinstance(value, Mapping):
        return _inline(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # JSON escapes are TOML escapes, save that TOML also wants DEL escaped
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007F")
