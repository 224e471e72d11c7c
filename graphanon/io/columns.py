"""Closing the line of values of each column, and putting every cell on it.

A range that the steward did not declare is the observed one, widened to the grid; a column without
range, order or hierarchy is flat text. Both are told, for what is read off the data says something
about the people in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphanon.domain import ROOT, Domain, Floats, Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.graph import Nominal
from graphanon.io.cells import Coded, Findings, Ints, Place, in_lines
from graphanon.io.numbers import MARKERS, parse_number, parse_numbers, plain, propose_grid, propose_range
from graphanon.schema import Column

__all__ = ["Closed", "check_sensitive", "close", "nominal", "wishes"]

WIDE = 200  # whole numbers over a longer range than this deserve a coarser grid than 1
LARGEST = 1e12  # grid steps from zero; far beyond it a float cannot tell a multiple from its neighbours


class Closed(NamedTuple):
    """A column's closed domain and the address of each cell on it."""

    domain: Domain
    values: Floats


def close(column: Column, coded: Coded, place: Place, findings: Findings) -> Closed | None:
    """Return the closed domain of a quasi-identifier and its addresses, None if there were problems."""
    before = len(findings.problems)
    if column.numeric or isinstance(column.domain, Range):
        closed = _close_numbers(column, coded, place, findings)
    else:
        closed = _close_labels(column, coded, place, findings)
    # several kinds of problem of one column read as the file does
    findings.problems[before:] = in_lines(findings.problems[before:])
    return closed if len(findings.problems) == before else None


def check_sensitive(column: Column, coded: Coded, place: Place, findings: Findings) -> None:
    """Add what is wrong with a sensitive column's values, if the schema says which there may be."""
    if column.numeric or isinstance(column.domain, Range):
        _check_written(column, coded, _numbers(column, coded, place, findings), place, findings)
    elif isinstance(column.domain, Order | Tree):
        _known(column, column.domain, coded, place, findings)
    else:
        _check_amounts(column, coded, place, findings)
    _check_alpha(column, coded, findings)


def nominal(coded: Coded) -> Nominal:
    """Return a column of text for publishing beside the classes; a missing cell is the label ``""``."""
    if coded.missing.any():
        return Nominal(coded.codes + 1, ("", *coded.labels))
    return Nominal(coded.codes, coded.labels)


def wishes(column: Column, coded: Coded, place: Place, findings: Findings) -> Ints:
    """Return each person's own k, 1 where the cell is missing."""
    asked = [_wish(label) for label in coded.labels]
    findings.add_some(
        (_at(column, coded, place, i, what=f"'{coded.labels[i]}' is no class size",
             allowed="a whole number from 1", fix="correct the cell")
         for i, wish in enumerate(asked) if wish is None),
        Problem(what="such cells", file=place.file, column=column.name),
    )
    return np.array([*(wish or 1 for wish in asked), 1], dtype=np.int64)[coded.codes]


def _wish(label: str) -> int | None:
    text = label.strip(" \t")
    whole = text.isascii() and text.isdigit() and len(text.lstrip("0")) <= 15
    return int(text) if whole and int(text) >= 1 else None


def _at(
    column: Column, coded: Coded, place: Place, label: int, *, what: str,
    allowed: str | None = None, fix: str | None = None,
) -> Problem:
    """Return the problem of one distinct text, at the line where it first stands."""
    cells = int(coded.count[label])
    times = f" ({cells} cells, the first one is named)" if cells > 1 else ""
    return Problem(what=what + times, file=place.file, line=place.line(int(coded.first[label])),
                   column=column.name, allowed=allowed, fix=fix)


def _close_numbers(column: Column, coded: Coded, place: Place, findings: Findings) -> Closed | None:
    numbers = _numbers(column, coded, place, findings)
    grid = _grid(column, numbers, place, findings)
    if grid is None or np.isnan(numbers).any():
        return None
    _check_size(column, coded, numbers / grid, place, findings)
    try:
        domain = _range(column, numbers, grid, missing=bool(coded.missing.any()))
    except InputProblem as error:
        findings.problems += [replace(problem, column=column.name) for problem in error.problems]
        return None
    _warn_of_range(column, domain, numbers, findings)
    return Closed(domain, np.append(numbers, domain.missing_address)[coded.codes])


def _numbers(column: Column, coded: Coded, place: Place, findings: Findings) -> Floats:
    """Return the number of each label, adding what is no number and what lies outside the declared range."""
    numbers = parse_numbers(coded.labels)
    findings.add_some(
        (_at(column, coded, place, i, what=f"'{coded.labels[i]}' is not a number",
             allowed="digits with an optional sign, decimal point and exponent", fix=_number_fix(coded.labels[i]))
         for i in np.flatnonzero(np.isnan(numbers)).tolist()),
        Problem(what="values that are no numbers", file=place.file, column=column.name),
    )
    declared = _declared(column)
    if declared is not None:
        low, high = declared
        outside = np.flatnonzero((numbers < low) | (numbers > high)).tolist()
        findings.add_some(
            (_at(column, coded, place, i, what=f"{coded.labels[i].strip()} lies outside the declared range",
                 allowed=f"{plain(low)} to {plain(high)}", fix="correct the cell or widen the range in the schema")
             for i in outside),
            Problem(what="values outside the declared range", file=place.file, column=column.name),
        )
    return numbers


def _number_fix(label: str) -> str:
    text = label.strip()
    if text.casefold() in MARKERS:
        return f"if it marks a missing cell: --na-values '{text}'"
    if parse_number(text.replace(",", ".")) is not None and text.count(",") == 1:
        return "write a decimal point, not a comma"
    if parse_number(text.replace(",", "").replace("_", "").replace(" ", "")) is not None:
        return "leave out the marks between thousands"
    return "correct the cell, or leave range, grid and steps out of the schema to read the column as text"


def _declared(column: Column) -> tuple[float, float] | None:
    if column.declared is not None or not isinstance(column.domain, Range):
        return column.declared
    return column.domain.low, column.domain.high


def _grid(column: Column, numbers: Floats, place: Place, findings: Findings) -> float | None:
    """Return the column's grid, 1 for whole numbers; a proposal goes to the problems where it needs one."""
    if column.grid is not None:
        return column.grid
    if isinstance(column.domain, Range):
        return column.domain.grid
    sure = numbers[~np.isnan(numbers)]
    if (sure == np.round(sure)).all():
        return 1.0
    proposal = plain(propose_grid(sure))
    findings.problems.append(
        Problem(what="numbers with fractions need a grid, for exact extremes are somebody's exact value",
                file=place.file, column=column.name, allowed="published bounds are multiples of the grid",
                fix=f"add grid = {proposal} to the column in the schema"))
    return None


def _check_size(column: Column, coded: Coded, steps: Floats, place: Place, findings: Findings) -> None:
    large = np.flatnonzero(np.abs(steps) >= LARGEST).tolist()
    findings.add_some(
        (_at(column, coded, place, i, what=f"{coded.labels[i].strip()} is too large for exact multiples of the grid",
             allowed="up to 10**12 grid steps from zero", fix="a coarser grid, or read the column as text")
         for i in large),
        Problem(what="values too large", file=place.file, column=column.name),
    )


def _range(column: Column, numbers: Floats, grid: float, *, missing: bool) -> Range:
    steps = column.steps or (column.domain.steps if isinstance(column.domain, Range) else ())
    declared = _declared(column)
    if declared is not None:
        return Range(*declared, grid, steps, missing)
    low, high = (float(numbers.min()), float(numbers.max())) if len(numbers) else (0.0, 0.0)
    snapped = Range(low, high, grid).snap(np.array([low]), np.array([high]))
    return Range(float(snapped[0][0]), float(snapped[1][0]), grid, steps, missing)


def _warn_of_range(column: Column, domain: Range, numbers: Floats, findings: Findings) -> None:
    whole = bool(len(numbers)) and bool((numbers == np.round(numbers)).all())
    if whole and domain.grid == 1 and domain.span > WIDE:
        findings.warnings.append(
            f"column '{column.name}': whole numbers over a range of {plain(domain.span)} are published to the unit;"
            f" a coarser grid hides exact extremes, for example grid = {plain(max(5.0, propose_grid(numbers)))}")
    if _declared(column) is None and len(numbers):
        low, high = propose_range(numbers, domain.grid)
        findings.warnings.append(
            f"column '{column.name}' has no declared range, so the observed one is used and the release tells it;"
            f" to declare one: range = [{plain(low)}, {plain(high)}]")


def _close_labels(column: Column, coded: Coded, place: Place, findings: Findings) -> Closed | None:
    missing = bool(coded.missing.any())
    domain: Order | Tree
    if isinstance(column.domain, Order) or (isinstance(column.domain, Tree) and column.domain.given):
        domain = replace(column.domain, missing=missing)
    elif ROOT in coded.labels:
        i = coded.labels.index(ROOT)
        findings.problems.append(_at(column, coded, place, i, what=f"'{ROOT}' stands for everything in a release",
                                     allowed="any other text", fix=f"if it marks a missing cell: --na-values '{ROOT}'"))
        return None
    else:
        domain = Tree.flat(coded.labels, missing=missing)
        _warn_of_flat(column, coded, findings)
    addresses = _known(column, domain, coded, place, findings)
    return Closed(domain, np.append(addresses, domain.missing_address)[coded.codes])


def _known(column: Column, domain: Order | Tree, coded: Coded, place: Place, findings: Findings) -> Floats:
    """Return the address of each label, adding those that have none."""
    known = _addresses(domain)
    unknown = [i for i, label in enumerate(coded.labels) if label not in known]
    findings.add_some(
        _unknown_problems(column, domain, coded, place, unknown),
        Problem(what=f"values that are not in the {_kind(domain)}", file=place.file, column=column.name),
    )
    return np.array([known.get(label, 0) for label in coded.labels], dtype=float)


def _kind(domain: Order | Tree) -> str:
    return "order" if isinstance(domain, Order) else "hierarchy"


def _addresses(domain: Order | Tree) -> Mapping[str, int]:
    if isinstance(domain, Tree):
        return domain.addresses()
    return {label: rank for rank, label in enumerate(domain.labels)}


def _unknown_problems(
    column: Column, domain: Order | Tree, coded: Coded, place: Place, unknown: list[int]
) -> Iterator[Problem]:
    known, kind = _addresses(domain), _kind(domain)
    named = f" {column.hierarchy_file}" if kind == "hierarchy" and column.hierarchy_file else ""
    alike = {label.strip().casefold(): label for label in known} if unknown else {}
    for i in unknown:
        label = coded.labels[i]
        near = alike.get(label.strip().casefold())
        fix = f"add it to the {kind} or correct the cell"
        if near is not None:
            fix = f"the {kind} writes it '{near}'"
        elif label.strip().casefold() in MARKERS:
            fix = f"if it marks a missing cell: --na-values '{label.strip()}'"
        yield _at(column, coded, place, i, what=f"value '{label}' is not in the {kind}{named}",
                  allowed=f"one of its {len(known)} values", fix=fix)


def _warn_of_flat(column: Column, coded: Coded, findings: Findings) -> None:
    many = len(coded.labels)
    if many > 10 and not np.isnan(parse_numbers(coded.labels)).any():
        findings.warnings.append(
            f"column '{column.name}': {many} different numbers are read as text, and any two of them become"
            f" '{ROOT}'; to read amounts, add a range or grid")
    elif many > 20:
        findings.warnings.append(
            f"column '{column.name}': {many} different values without a hierarchy, and any two of them become"
            f" '{ROOT}'; a hierarchy keeps more")


def _check_amounts(column: Column, coded: Coded, place: Place, findings: Findings) -> None:
    """Add a promise that counts different numbers as different values although nobody said what they are.

    Two codes, such as 0 and 1, are labels.
    """
    numbers = parse_numbers(coded.labels)
    if (column.l is None and column.t is None) or len(coded.labels) < 3 or np.isnan(numbers).any():
        return
    promises = " and ".join(name for name in ("l", "t") if getattr(column, name) is not None)
    low, high = propose_range(numbers, 1.0)
    findings.problems.append(Problem(
        what=f"its {len(coded.labels)} different values are all numbers, and {promises} would take any two of them "
             "for values as different as any others",
        file=place.file, column=column.name, allowed="a range, an order or a hierarchy beside the promise",
        fix=f"for amounts add range = [{plain(low)}, {plain(high)}], for codes an order or a hierarchy; a hierarchy or "
            "bands such as 0-999 say which amounts are alike"))


def _check_written(column: Column, coded: Coded, numbers: Floats, place: Place, findings: Findings) -> None:
    """Add numbers that are written in two ways, which diversity would count as two values."""
    sure = ~np.isnan(numbers)
    _, first, inverse = np.unique(numbers[sure], return_index=True, return_inverse=True)
    again = np.flatnonzero(sure)[first[inverse] != np.arange(len(inverse))]
    findings.add_some(
        (_at(column, coded, place, i, what=f"'{coded.labels[i]}' is a number that is also written in another way",
             allowed="each number written alike, for its promises count different texts", fix="correct the cells")
         for i in (again.tolist() if column.l is not None or column.t is not None or column.alpha else ())),
        Problem(what="numbers written in several ways", file=place.file, column=column.name),
    )


def _check_alpha(column: Column, coded: Coded, findings: Findings) -> None:
    absent = [f"'{value}'" for value in column.alpha if value not in coded.labels]
    if absent:
        findings.warnings.append(
            f"column '{column.name}': alpha is promised of {', '.join(absent)}, which nobody has; is it spelt as in"
            " the data?")
    if not column.alpha and column.l is None and column.t is None:
        findings.warnings.append(
            f"column '{column.name}' is sensitive and nothing is promised of it (alpha, l or t); the release will"
            " say what was found")
