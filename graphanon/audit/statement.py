"""What release.json and codebook.csv may say, and nothing besides.

Every key is known and every value has a type: a seed, a parameter, a floor, a path, an id or a time
would need a place to stand, and there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import isfinite
from typing import Any

from graphanon.audit.canonical import LOSSES, line_difference, statement_text
from graphanon.audit.files import csv_lines, decoded, json_object
from graphanon.audit.finding import Finding, broken

__all__ = ["Attribute", "Statement", "read_statement"]

MOST = 2**53
JSON = "release.json"
CODEBOOK = "codebook.csv"
COMMON = ("format", "kind", "people", "withheld", "promises", "found", "columns", "method", "losses", "software")
KEYS = {
    "supernode-graph": {*COMMON, "supernodes", "ties", "directed"},
    "table": {*COMMON, "classes", "payload"},
}
_METHOD = re.compile(r"(?=.{1,40}\Z)[a-z]+(-[a-z]+)*")
_SOFTWARE = re.compile(r"graphanon (0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})")
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+ -]{0,79}(?<![. ])")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_COVERS = "the value, or the group of values, that covers everyone in the "
_EVERY = {
    ("supernode-graph", "number"): "lowest and highest value in the supernode, on the grid; * is any",
    ("supernode-graph", "order"): "first and last label in the supernode; * is any",
    ("supernode-graph", "category"): _COVERS + "supernode; * is any",
    ("table", "number"): "the value, or the closed interval that covers everyone in the class; * is any",
    ("table", "order"): "the label, or the first and last label in the class; * is any",
    ("table", "category"): _COVERS + "class; * is any",
}
_BESIDE = {
    "supernode-graph": "how often each value occurs in each supernode",
    "table": "a value as it was given, shuffled inside the class",
}


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """A released column as the codebook and the statement describe it."""

    name: str
    role: str
    type: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What the release says of itself, checked for form and not yet for truth."""

    graph: bool
    directed: bool
    together: bool
    people: int
    withheld: int
    groups: int
    ties: int
    method: str
    promises: Mapping[str, Any]
    found: Mapping[str, Any]
    losses: Mapping[str, Any]
    attributes: tuple[Attribute, ...]

    def of_role(self, *roles: str) -> tuple[Attribute, ...]:
        """Return the attributes with one of these roles, in the order of the release."""
        return tuple(attribute for attribute in self.attributes if attribute.role in roles)


def read_statement(contents: Mapping[str, bytes]) -> tuple[Statement | None, list[Finding]]:
    """Return what release.json and the codebook say, or None if that is not enough to go on."""
    told, faults = json_object(contents, JSON)
    if told is None:
        return None, faults
    kind = told.get("kind")
    if not isinstance(kind, str) or kind not in KEYS:
        return None, [*faults, broken("statement", "kind is not one that this audit knows", JSON)]
    faults += _key_faults(told, KEYS[kind], "")
    faults += _value_faults(told)
    attributes, more = _attributes(contents, told, kind)
    faults += more
    faults += _promise_faults(told, attributes)
    if any(fault.promise in ("statement", "codebook", "format") for fault in faults):
        return None, faults
    faults += _wording_faults(contents, told, attributes)
    graph = kind == "supernode-graph"
    statement = Statement(
        graph=graph,
        directed=graph and told["directed"],
        together=not graph and told["payload"] == "together",
        people=told["people"],
        withheld=told["withheld"],
        groups=told["supernodes" if graph else "classes"],
        ties=told["ties"] if graph else 0,
        method=told["method"],
        promises=told["promises"],
        found=told["found"],
        losses=told["losses"],
        attributes=tuple(attributes),
    )
    return statement, faults


def _wording_faults(
    contents: Mapping[str, bytes], told: Mapping[str, Any], attributes: Sequence[Attribute]
) -> Iterator[Finding]:
    text, _ = decoded(contents, JSON)
    expected = statement_text(told, [attribute.name for attribute in attributes])
    place = line_difference(text, expected.splitlines(keepends=True))
    if place is not None:
        what = "is not written as a release writes it: its keys, numbers, blanks and escapes have one form and order"
        yield broken("format", what, JSON, place)


def _key_faults(told: Any, allowed: set[str], place: str, required: set[str] | None = None) -> Iterator[Finding]:
    if not isinstance(told, dict):
        yield broken("statement", f"{place or 'it'} is not an object", JSON)
        return
    for key in told:
        if key not in allowed:
            yield broken("statement", f"a release does not say '{_short(place + key)}'", JSON)
    for key in sorted((allowed if required is None else required) - set(told)):
        yield broken("statement", f"'{place}{key}' is missing", JSON)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e308 and isfinite(value)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _share(value: Any) -> bool:
    return _number(value) and 0 <= value <= 1


def _value_faults(told: Mapping[str, Any]) -> Iterator[Finding]:
    checks: dict[str, tuple[Callable[[Any], bool], str]] = {
        "format": (lambda v: _count(v) and v == 1, "1"),
        "people": (_count, "a count"),
        "withheld": (_count, "a count"),
        "supernodes": (_count, "a count"),
        "classes": (_count, "a count"),
        "ties": (_count, "a count"),
        "directed": (lambda v: isinstance(v, bool), "true or false"),
        "payload": (lambda v: v in ("together", "split"), "together or split"),
        "method": (lambda v: _text(v) and bool(_METHOD.fullmatch(v)), "the name of a method, without parameters"),
        "software": (lambda v: _text(v) and bool(_SOFTWARE.fullmatch(v)), "graphanon X.Y"),
    }
    for key, (valid, allowed) in checks.items():
        if key in told and not valid(told[key]):
            yield broken("statement", f"'{key}' is not {allowed}", JSON)
    losses = told.get("losses", {})
    yield from _key_faults(losses, set(LOSSES), "losses.", set())
    if isinstance(losses, dict):
        for key, value in losses.items():
            if not _number(value):
                yield broken("statement", f"'losses.{_short(key)}' is not a number", JSON)


def _attributes(
    contents: Mapping[str, bytes], told: Mapping[str, Any], kind: str
) -> tuple[list[Attribute], list[Finding]]:
    table = csv_lines(contents, CODEBOOK)
    faults = list(table.faults)
    columns = told.get("columns")
    if not isinstance(columns, dict):
        return [], [*faults, broken("statement", "'columns' is not an object", JSON)]
    if table.header != ("column", "role", "type", "description"):
        return [], [*faults, broken("codebook", "the header is not column,role,type,description", CODEBOOK, 1)]
    attributes = []
    taken: set[str] = set()
    for line in table.lines:
        name, role, type_, description = line.cells
        expected = _EVERY.get((kind, type_)) if role == "quasi" else _BESIDE[kind]
        if role not in ("quasi", "sensitive", "open") or (kind, type_) not in _EVERY or description != expected:
            what = "a column's role, type or description is not one of a release"
            faults.append(broken("codebook", what, CODEBOOK, line.number))
            continue
        attributes.append(Attribute(name=name, role=role, type=type_, facts=columns.get(name, {})))
        faults += _fact_faults(attributes[-1], taken)
    if [attribute.name for attribute in attributes] != list(columns):
        faults.append(broken("codebook", "does not list the columns of release.json, each once, in its order", CODEBOOK))
    return attributes, faults


def _fact_faults(attribute: Attribute, taken: set[str]) -> Iterator[Finding]:
    place = f"columns.{attribute.name}."
    facts = attribute.facts
    if attribute.type == "number":
        quasi = attribute.role == "quasi"
        yield from _key_faults(
            facts, {"range", "grid", "steps"} if quasi else set(), place, {"range", "grid"} if quasi else set()
        )
        if quasi and isinstance(facts, dict) and not _line_is_good(facts):
            yield broken("statement", f"'{_short(place)}' has no range, grid and steps that fit together", JSON)
    elif attribute.type == "order":
        yield from _key_faults(facts, {"order"}, place)
        labels = facts.get("order") if isinstance(facts, dict) else None
        good = isinstance(labels, list) and labels and all(map(_text, labels)) and len(set(labels)) == len(labels)
        if not good or "*" in (labels or ()):
            yield broken("statement", f"'{_short(place)}order' does not list labels, each once", JSON)
    else:
        yield from _key_faults(facts, set() if attribute.role == "open" else {"hierarchy"}, place, set())
        if isinstance(facts, dict) and "hierarchy" in facts and facts["hierarchy"] != _file(attribute.name, taken):
            yield broken("statement", f"'{_short(place)}hierarchy' is not the file name of that column", JSON)


def _line_is_good(facts: Mapping[str, Any]) -> bool:
    ends, grid, steps = facts.get("range"), facts.get("grid"), facts.get("steps", [])
    if not (isinstance(ends, list) and len(ends) == 2 and all(map(_number, ends)) and ends[0] <= ends[1]):
        return False
    if not (_number(grid) and grid is not None and grid > 0 and isinstance(steps, list) and all(map(_number, steps))):
        return False
    return all(width > 0 for width in steps) and steps == sorted(set(steps))


def _file(column: str, taken: set[str]) -> str:
    """Return the name of a column's hierarchy: its own where every file system takes it beside those taken."""
    plain = f"{column}.csv"
    if not _PLAIN.fullmatch(column) or _DEVICE.fullmatch(column) or plain.casefold() in taken:
        digest = blake2b(column.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        readable = re.sub(r"[^A-Za-z0-9_]+", "-", column).strip("-")[:40] or "column"
        plain = f"{readable}-{digest}.csv"
    taken.add(plain.casefold())
    return plain


def _promise_faults(told: Mapping[str, Any], attributes: list[Attribute]) -> Iterator[Finding]:
    promises, found = told.get("promises"), told.get("found")
    if not isinstance(promises, dict) or not isinstance(found, dict):
        yield broken("statement", "'promises' and 'found' are not objects", JSON)
        return
    graph = told.get("kind") == "supernode-graph"
    allowed = {"k", "alpha", "l", "t"} | ({"tie_confidence"} if graph else set())
    yield from _key_faults(promises, allowed, "promises.", {"k"})
    wanted = set(promises) & allowed | ({"tie_confidence"} if graph else set())
    yield from _key_faults(found, wanted, "found.")
    if not (_count(promises.get("k")) and promises["k"] >= 1):
        yield broken("statement", "'promises.k' is not a whole number from 1", JSON)
    if "tie_confidence" in promises and not _share(promises["tie_confidence"]):
        yield broken("statement", "'promises.tie_confidence' is not from 0 to 1", JSON)
    sensitive = {attribute.name for attribute in attributes if attribute.role == "sensitive"}
    bounds: dict[str, Callable[[Any], bool]] = {"alpha": _alpha, "l": _diversity, "t": _share}
    for key, valid in bounds.items():
        told_of = promises.get(key, {})
        if not isinstance(told_of, dict) or not all(map(valid, told_of.values())) or not set(told_of) <= sensitive:
            yield broken("statement", f"'promises.{key}' is not one bound for each sensitive column", JSON)


def _alpha(bound: Any) -> bool:
    return isinstance(bound, dict) and bool(bound) and all(map(_share, bound.values()))


def _diversity(bound: Any) -> bool:
    if not isinstance(bound, dict):
        return _number(bound) and bound >= 1
    kind = bound.get("diversity")
    keys = {"l", "diversity", "c"} if kind == "recursive" else {"l", "diversity"}
    good = kind in ("distinct", "entropy", "recursive") and set(bound) == keys
    return good and all(_number(bound[key]) and bound[key] > 0 for key in keys - {"diversity"})
