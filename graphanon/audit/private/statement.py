"""What the files of a release with a budget may say, and nothing besides."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from graphanon.audit.canonical import line_difference
from graphanon.audit.files import csv_lines, decoded, json_object
from graphanon.audit.finding import Finding, broken
from graphanon.audit.private.ledger import Line
from graphanon.audit.statement import CODEBOOK, JSON

__all__ = ["NEIGHBOURS", "Column", "Told", "is_private", "read_told"]

KINDS = ("perturbed-table", "centres")
METHODS = {"perturbed-table": ("ldp",), "centres": ("latent-classes", "ldpk-prototypes", "odpc")}
ORDER = {
    "perturbed-table": ("format", "kind", "people", "method", "columns", "plan", "ties", "epsilon", "reproducible",
                        "for_release", "software"),
    "centres": ("format", "kind", "clusters", "method", "columns", "plan", "epsilon", "reproducible", "for_release",
                "software"),
}
DESCRIPTIONS = {
    ("perturbed-table", "number"): "a number of the grid from the low to the high end, randomized",
    ("perturbed-table", "order"): "a label of the order, randomized",
    ("perturbed-table", "category"): "a value of the hierarchy, randomized",
    ("centres", "number"): "the mean of the centre, between the low and the high end",
    ("centres", "order"): "the most typical label of the centre",
    ("centres", "category"): "the most frequent value of the centre",
}
FACTS = {"number": ["range", "grid"], "order": ["order"], "category": ["hierarchy"]}
LEDGER = ("bit", "feature", "record", "neighbours", "composition")
TIE_LEDGER = ("tie", "tie_neighbours")
NEIGHBOURS = ("replace one record", "add or remove one record")
COMPOSITION = (
    "the budgets of a person's answers add up; so do repeated runs",
    "the budgets of the rounds add up, and so do those of counts and attributes in a round; so do repeated runs",
)
_SOFTWARE = re.compile(r"graphanon (0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})")
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+ -]{0,89}\.csv")


@dataclass(frozen=True, kw_only=True)
class Column:
    """A released column as the codebook and the statement describe it."""

    name: str
    role: str
    type: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Told:
    """What the release says of itself, checked for form and not yet for truth."""

    kind: str
    rows: int
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    plan: Mapping[str, Any]
    epsilon: Mapping[str, Any]
    for_release: bool
    ties: Mapping[str, Any] | None


def is_private(contents: Mapping[str, bytes]) -> bool:
    """Return whether a release says that it is of a kind that claims a budget."""
    told, _ = json_object(contents, JSON)
    return told is not None and told.get("kind") in KINDS


def read_told(contents: Mapping[str, bytes]) -> tuple[Told | None, list[Finding]]:
    """Return what release.json and the codebook say, or None if that is not enough to go on."""
    told, faults = json_object(contents, JSON)
    if told is None or told.get("kind") not in KINDS:
        return None, [*faults, broken("statement", "kind is not one that this audit knows", JSON)]
    faults += _form_faults(contents, told)
    columns, more = _columns(contents, told)
    faults += more
    if faults:
        return None, faults
    lines, more = _lines(contents, told["plan"], columns)
    faults += more
    rows = told["people"] if told["kind"] == "perturbed-table" else told["clusters"]
    return Told(kind=told["kind"], rows=rows, columns=tuple(columns), lines=tuple(lines), plan=told["plan"],
                epsilon=told["epsilon"], for_release=told["for_release"], ties=told.get("ties")), faults


def _form_faults(contents: Mapping[str, bytes], told: Mapping[str, Any]) -> Iterator[Finding]:
    order = tuple(key for key in ORDER[told["kind"]] if key != "ties" or "ties" in told)
    if tuple(told) != order:
        yield broken("statement", f"does not say exactly {', '.join(order)}, in this order", JSON)
        return
    checks = {
        "format": told["format"] == 1 and not isinstance(told["format"], bool),
        "method": told["method"] in METHODS[told["kind"]],
        "software": isinstance(told["software"], str) and bool(_SOFTWARE.fullmatch(told["software"])),
        "reproducible": isinstance(told["reproducible"], bool),
        "for_release": told["for_release"] is (not told["reproducible"]),
        "plan": isinstance(told["plan"], dict),
        "columns": isinstance(told["columns"], dict),
        "ties": "ties" not in told or isinstance(told["ties"], dict),
    }
    for key in ("people", "clusters"):
        checks[key] = key not in told or (type(told[key]) is int and 0 <= told[key] < 2**53)
    yield from (broken("statement", f"'{key}' is not what a release says there", JSON)
                for key, good in checks.items() if not good)
    yield from _ledger_faults(told["epsilon"], ties="ties" in told)
    text, _ = decoded(contents, JSON)
    place = line_difference(text, (json.dumps(told, ensure_ascii=False, indent=2) + "\n").splitlines(keepends=True))
    if place is not None:
        yield broken("format", "is not written as a release writes it", JSON, place)


def _ledger_faults(told: Any, *, ties: bool) -> Iterator[Finding]:
    keys = LEDGER + (TIE_LEDGER if ties else ())
    if not isinstance(told, dict) or tuple(told) != keys:
        yield broken("statement", f"'epsilon' does not say exactly {', '.join(keys)}", JSON)
    elif ties and told["tie_neighbours"] != "add or remove one tie":
        yield broken("statement", "'epsilon' does not say in known words what the budget of a tie holds between", JSON)
    elif told["neighbours"] not in NEIGHBOURS or told["composition"] not in COMPOSITION:
        yield broken("statement", "'epsilon' does not say in known words what its budgets hold between", JSON)


def _columns(contents: Mapping[str, bytes], told: Mapping[str, Any]) -> tuple[list[Column], list[Finding]]:
    table = csv_lines(contents, CODEBOOK)
    faults = list(table.faults)
    facts = told.get("columns")
    if table.header != ("column", "role", "type", "description") or not isinstance(facts, dict):
        return [], [*faults, broken("codebook", "the header is not column,role,type,description", CODEBOOK, 1)]
    columns = []
    for line in table.lines:
        name, role, type_, description = line.cells
        if role not in ("quasi", "sensitive") or description != DESCRIPTIONS.get((told["kind"], type_)):
            what = "a column's role, type or description is not one of a release"
            faults.append(broken("codebook", what, CODEBOOK, line.number))
        elif list(facts.get(name, ())) != FACTS[type_]:
            faults.append(broken("statement", f"'columns.{name}' does not have the facts of its type", JSON))
        else:
            columns.append(Column(name=name, role=role, type=type_, facts=facts[name]))
    if [line.cells[0] for line in table.lines] != list(facts):
        faults.append(broken("codebook", "does not list the columns of release.json in their order", CODEBOOK))
    return columns, faults


def _lines(
    contents: Mapping[str, bytes], plan: Mapping[str, Any], columns: Sequence[Column]
) -> tuple[list[Line], list[Finding]]:
    """Return the line of cells of each column; it has to be what the column's own facts say."""
    entries = plan.get("lines")
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in entries] if isinstance(entries, list) else []
    if not isinstance(entries, list) or names != [column.name for column in columns]:
        return [], [broken("statement", "'plan.lines' does not describe each released column, in order", JSON)]
    lines, faults = [], []
    for entry, column in zip(entries, columns, strict=True):
        try:
            lines.append(_line(contents, entry, column))
        except (ValueError, KeyError, TypeError, IndexError, ArithmeticError):
            what = f"the cells of '{column.name}' in 'plan' are not those of its domain"
            faults.append(broken("domain", what, JSON))
    return lines, faults


def _line(contents: Mapping[str, bytes], entry: Mapping[str, Any], column: Column) -> Line:
    missing = entry["missing"]
    if not isinstance(missing, bool):
        raise TypeError("missing is no truth value")
    if column.type == "number":
        texts = _numbers(entry, column.facts)
    else:
        _only(entry, "labels", "ordered")
        texts = tuple(entry["labels"])
        known = list(column.facts["order"]) if column.type == "order" else _leaves(contents, column.facts["hierarchy"])
        same = list(texts) == known if column.type == "order" else sorted(texts) == sorted(known)
        if not same or len(set(texts)) < len(texts) or entry["ordered"] is not (column.type == "order"):
            raise ValueError("labels differ")
    return Line(column.name, (*texts, *([""] if missing else [])), column.type == "number",
                column.type != "category")


def _only(entry: Mapping[str, Any], *names: str) -> None:
    if tuple(entry) != ("name", *names, "missing"):
        raise ValueError("keys differ")


def _numbers(entry: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the multiples of the grid in the declared range, as they are printed."""
    _only(entry, "range", "grid")
    low, high = (_whole_if_whole(end) for end in facts["range"])
    grid = _whole_if_whole(facts["grid"])
    if not all(isinstance(number, float) for number in (entry["grid"], *entry["range"])):
        raise TypeError("numbers are spelled another way")
    first, last = (Decimal(repr(end)) for end in entry["range"])
    if Decimal(repr(entry["grid"])) != grid or not low <= first < low + grid or not high - grid < last <= high:
        raise ValueError("range and grid differ")
    steps = (last - first) / grid
    if steps != steps.to_integral_value() or steps > 10**6:
        raise ValueError("the range is no whole number of steps")
    return tuple(f"{float(first + i * grid):.12g}" for i in range(int(steps) + 1))


def _whole_if_whole(number: Any) -> Decimal:
    """Return a number that is spelled as one is: without a fraction if it has none."""
    if isinstance(number, bool) or (isinstance(number, float) and number.is_integer()):
        raise TypeError("a number is spelled another way")
    return Decimal(repr(number))


def _leaves(contents: Mapping[str, bytes], file: Any) -> list[str]:
    if not isinstance(file, str) or not _FILE.fullmatch(file):
        raise ValueError("not a file of a hierarchy")
    table = csv_lines(contents, f"hierarchies/{file}", ";", header=False)
    rows = [line.cells for line in table.lines]
    if table.faults or rows != sorted(rows) or any(row[-1] != "*" or "" in row for row in rows):
        raise ValueError("not a hierarchy, from the values to everything, in order")
    return [line.cells[0] for line in table.lines]
