"""What a release says of its columns and promises, against the custodian's schema file.

A range, a list of steps or the labels of a group need not fit the data to be printed, so every one of
them has to be the schema's, in the schema's order. Promises of the whole release may be given on the
command line instead: less than the schema asks is told, and is nothing wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, InvalidOperation
from math import isclose
from typing import Any

from graphanon.audit.files import csv_lines
from graphanon.audit.finding import Finding, broken
from graphanon.audit.statement import JSON, Attribute, Statement
from graphanon.audit.truth import Originals
from graphanon.audit.wording import Wording

__all__ = ["SCHEMA", "asked_findings", "fact_faults"]

SCHEMA = "truth.schema"
RELEASED = ("quasi", "sensitive", "open")


def fact_faults(
    contents: Mapping[str, bytes], statement: Statement, originals: Originals, people: Collection[str], said: Wording
) -> Iterator[Finding]:
    """Find columns, facts of columns and bounds of sensitive values that are not the schema's; `people` were read."""
    names = [attribute.name for attribute in statement.attributes]
    listed = [name for name, role in said.roles.items() if role in RELEASED]
    if names != listed and set(names) == set(listed):
        yield broken(SCHEMA, "columns do not stand in the order of the schema", "codebook.csv")
    for attribute in statement.attributes:
        settings = said.columns.get(attribute.name)
        if settings is None:
            continue
        if attribute.type != _type(settings):
            yield broken(SCHEMA, f"'{attribute.name}' is released as {attribute.type}, not as {_type(settings)}",
                         "codebook.csv")
        else:
            yield from _fact_faults(attribute, settings, originals, people)
            yield from _tree_faults(contents, attribute, said.trees.get(attribute.name))
        if attribute.role == "sensitive":
            yield from _bound_faults(statement, attribute, settings)


def _type(settings: Mapping[str, Any]) -> str:
    if "range" in settings or "grid" in settings or settings.get("steps"):
        return "number"
    return "order" if "order" in settings else "category"


def _fact_faults(
    attribute: Attribute, settings: Mapping[str, Any], originals: Originals, people: Collection[str]
) -> Iterator[Finding]:
    expected: dict[str, Any] = {}
    if attribute.type == "order":
        expected = {"order": settings["order"]}
    elif attribute.type == "number" and attribute.role == "quasi":
        grid = settings.get("grid", 1)
        expected = {"grid": grid} | ({"steps": settings["steps"]} if settings.get("steps") else {})
        expected["range"] = settings.get("range", "observed")
        if expected["range"] == "observed":
            cells = {originals.cell(attribute.name, person) for person in people if person in originals.row}
            expected["range"] = _observed(cells, Decimal(repr(grid)), attribute.facts["range"])
    for fact in ("range", "grid", "steps", "order"):
        if attribute.facts.get(fact) != expected.get(fact):
            yield broken(SCHEMA, f"the {fact} of '{attribute.name}' is not the schema's", JSON)


def _observed(cells: Collection[str | None], grid: Decimal, stated: Sequence[float]) -> Any:
    """Return the ends that a range without any in the schema has, as they are stated if that is near enough."""
    try:
        numbers = [Decimal(cell.strip()) for cell in cells if cell is not None]
        ends = [_multiple(min(numbers), grid, ROUND_FLOOR), _multiple(max(numbers), grid, ROUND_CEILING)]
    except (InvalidOperation, ValueError):  # no numbers: the cells say so themselves
        ends = [Decimal(0), Decimal(0)]
    # a multiple of the grid is a float in the statement
    near = all(isclose(float(end), one, rel_tol=1e-15, abs_tol=0.0) for end, one in zip(ends, stated, strict=True))
    return stated if near else [float(end) for end in ends]


def _multiple(number: Decimal, grid: Decimal, rounding: str) -> Decimal:
    steps = number / grid
    nearest = steps.to_integral_value()
    # what arithmetic in floats has left behind does not reach the next multiple
    close = abs(steps - nearest) <= max(Decimal("1e-9"), abs(steps) * Decimal("1e-15"))
    return grid * (nearest if close else steps.to_integral_value(rounding))


def _tree_faults(
    contents: Mapping[str, bytes], attribute: Attribute, rows: Sequence[tuple[str, ...]] | None
) -> Iterator[Finding]:
    if ("hierarchy" in attribute.facts) != (rows is not None):
        yield broken(SCHEMA, f"'{attribute.name}' has a hierarchy in the schema or in the release, not in both", JSON)
    elif rows is not None:
        file = f"hierarchies/{attribute.facts['hierarchy']}"
        told = [line.cells for line in csv_lines(contents, file, ";", header=False).lines]
        if told != sorted(rows):
            yield broken(SCHEMA, f"the hierarchy of '{attribute.name}' is not the schema's", file)


def _bound_faults(statement: Statement, attribute: Attribute, settings: Mapping[str, Any]) -> Iterator[Finding]:
    expected = {"alpha": settings.get("alpha") or None, "l": _diversity(settings), "t": settings.get("t")}
    for bound, asked in expected.items():
        if statement.promises.get(bound, {}).get(attribute.name) != asked:
            yield broken(SCHEMA, f"the {bound} that is promised of '{attribute.name}' is not the schema's", JSON)


def _diversity(settings: Mapping[str, Any]) -> Any:
    kind = settings.get("diversity", "distinct")
    if "l" not in settings or kind == "distinct":
        return settings.get("l")
    return {"l": settings["l"], "diversity": kind} | ({"c": settings["c"]} if "c" in settings else {})


def asked_findings(statement: Statement, said: Wording) -> Iterator[Finding]:
    """Tell which promises are weaker than the schema's; the command line may have asked for less."""
    stated = statement.promises["k"]
    if said.k is not None and stated < said.k:
        yield _weaker("k", said.k, stated)
    bound = statement.promises.get("tie_confidence")
    if statement.graph and said.tie_confidence is not None and (bound is None or bound > said.tie_confidence):
        yield _weaker("tie_confidence", said.tie_confidence, bound)


def _weaker(name: str, asked: float, stated: float | None) -> Finding:
    what = "not at all" if stated is None else f"as {stated}"
    detail = f"promised {what}, which is weaker than the {asked} of the schema; the command line may ask for that"
    return Finding(promise=f"promises.{name}", asked=asked, found=stated, holds=True, detail=detail)
