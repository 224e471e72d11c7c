"""What leaves as it is written: warnings about cells that say or do more than the steward may expect.

Open and sensitive columns are published as text, and so are the labels of quasi columns. A time of day
in them is as exact in the release as in the file; an open column in which most values are somebody's
own names that person; a cell that a spreadsheet takes for a formula, or a control character, acts on
the recipient's machine. None of this is wrong, so it is told and not refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from graphanon.domain import Domain, Order, Tree
from graphanon.io.cells import Coded, Findings, number_of
from graphanon.io.numbers import parse_number
from graphanon.schema import Role, Schema

__all__ = ["warn_of_released"]

FEW = 3  # cells of which it may be chance that each has its own value
_TIME = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T ,]+\d{1,2}:\d\d|(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def warn_of_released(
    schema: Schema, cells: Mapping[str, Coded], domains: Mapping[str, Domain], findings: Findings
) -> None:
    """Add a warning for each column whose text does more in a release than it seems to.

    Examples
    --------
    >>> import pandas as pd
    >>> from graphanon.io.cells import code
    >>> from graphanon.schema import Column
    >>> findings = Findings()
    >>> schema = Schema(columns=(Column(name="seen", role=Role.OPEN),))
    >>> warn_of_released(schema, {"seen": code(pd.Series(["2024-05-01 13:45", "-"]))}, {}, findings)
    >>> findings.warnings
    ["column 'seen': 1 value looks like a time of day; times leave as they are"]
    """
    for column in schema.of_role(Role.OPEN, Role.SENSITIVE):
        coded = cells[column.name]
        findings.warnings += _of_times(column.name, coded.labels)
        if column.role is Role.OPEN:
            findings.warnings += _of_own(column.name, coded)
    for column in schema.of_role(Role.QUASI, Role.OPEN, Role.SENSITIVE):
        findings.warnings += _of_acting(column.name, _texts(cells[column.name], domains.get(column.name, column.domain)))


def _of_times(name: str, labels: Iterable[str]) -> Iterator[str]:
    found = _matching(labels, lambda text: bool(_TIME.match(text.strip())))
    if found:
        yield f"column '{name}': {number_of(found, 'value looks', 'values look')} like a time of day; times leave as they are"


def _of_own(name: str, coded: Coded) -> Iterator[str]:
    total, own = int(coded.count.sum()), int(np.count_nonzero(coded.count == 1))
    if total > FEW and 2 * own > total:
        yield f"column '{name}' is open, and {own:,} of its {total:,} values occur once: they leave as they are"


def _of_acting(name: str, labels: Iterable[str]) -> Iterator[str]:
    labels = tuple(labels)
    formulas = _matching(labels, _is_formula)
    if formulas:
        yield (f"column '{name}': {number_of(formulas, 'value begins', 'values begin')} with = + - or @, which"
               " spreadsheets run as formulas")
    controls = _matching(labels, lambda text: bool(_CONTROL.search(text)))
    if controls:
        yield f"column '{name}': {number_of(controls, 'value holds', 'values hold')} control characters"


def _matching(labels: Iterable[str], matches: Callable[[str], bool]) -> int:
    return sum(map(matches, labels))


def _is_formula(text: str) -> bool:
    return len(text) > 1 and text[0] in "=+-@" and parse_number(text) is None


def _texts(coded: Coded, domain: Domain | None) -> Iterable[str]:
    """Return the different texts that a release may hold of a column; numbers of quasi columns are written anew."""
    if isinstance(domain, Order):
        return domain.labels
    if isinstance(domain, Tree):
        return {label for row in domain.rows for label in row}
    return coded.labels
