"""A release of randomized answers held against the people whose answers they are, as only their custodian can.

Which line is whose is not known to anyone. But for the shares of values that the people really have, every declared
mechanism gives each group of answers with a known chance; answers that miss it by far were not drawn as declared,
such as a column that left as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphanon.audit.files import csv_lines
from graphanon.audit.finding import Finding, broken
from graphanon.audit.private.ledger import Asked, Line, width
from graphanon.audit.private.statement import Column, Told
from graphanon.audit.statement import JSON
from graphanon.audit.wording import Wording

__all__ = ["answer_faults", "domain_faults", "people_of", "row_faults"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
People = Mapping[str, Sequence[str | None]]
PERTURBED = ("quasi", "sensitive")


def domain_faults(contents: Mapping[str, bytes], told: Told, said: Wording) -> Iterator[Finding]:
    """Find columns and domains that are not those of the schema: one read off the data would tell of the people."""
    roles = {name: role for name, role in said.roles.items() if role in PERTURBED}
    if {column.name: column.role for column in told.columns} != roles:
        yield broken("truth.columns", "does not release exactly the quasi and sensitive columns of the schema", "codebook.csv")
    for column in told.columns:
        settings = said.columns.get(column.name, {})
        same = {
            "number": settings.get("range") == column.facts.get("range")
            and settings.get("grid", 1) == column.facts.get("grid"),
            "order": settings.get("order") == column.facts.get("order"),
            "category": "hierarchy" in settings,
        }[column.type]
        if not same or (column.type == "category" and not _same_tree(contents, told, column, said)):
            yield broken("truth.domain", f"the domain of '{column.name}' is not the schema's", JSON)


def _same_tree(contents: Mapping[str, bytes], told: Told, column: Column, said: Wording) -> bool:
    """Return whether the hierarchy is the schema's, and the cells of the plan are its values."""
    own = [tuple(row) for row in said.trees.get(column.name, ())]
    table = csv_lines(contents, f"hierarchies/{column.facts['hierarchy']}", ";", header=False)
    line = next((line for line in told.lines if line.name == column.name), None)
    cells = None if line is None else sorted(filter(None, line.texts))
    return [tuple(row.cells) for row in table.lines] == sorted(own) and cells == sorted(row[0] for row in own)


def people_of(people: People, told: Told, missing: str) -> dict[str, list[str | None]]:
    """Return the cells of the released columns, without people who are dropped for a missing one."""
    names = [line.name for line in told.lines if line.name in people]
    rows = list(zip(*(people[name] for name in names), strict=True))
    if missing == "drop":
        rows = [row for row in rows if None not in row]
    return {name: [row[j] for row in rows] for j, name in enumerate(names)}


def row_faults(told: Told, people: People) -> Iterator[Finding]:
    """Find a number of lines that is not the number of people."""
    count = len(next(iter(people.values()), ()))
    if len(people) < len(told.lines):
        yield broken("truth.columns", "releases a column that the people do not have", "codebook.csv")
    elif count != told.rows:
        yield broken("truth.people", f"{told.rows} lines for {count} people", "reports.csv")


def answer_faults(
    told: Told, people: People, questions: Sequence[Asked], answers: Sequence[Sequence[str]]
) -> Iterator[Finding]:
    """Find answers that the declared mechanisms would not have given for these people."""
    if len(people) < len(told.lines):
        return
    cells = [_cells(people[line.name], line) for line in told.lines]
    for question, texts in zip(questions, answers, strict=True):
        shares = _shares(question, cells, told.lines)
        strange = [group.what for group in question.mechanism.groups(Counter(texts)) if not group.possible(shares)]
        if strange:
            title = " & ".join(told.lines[j].name for j in question.attributes)
            what = f"the answers to '{title}' are not what the mechanism makes of these people: {', '.join(strange[:3])}"
            yield broken("truth.answers", what, "reports.csv")


def _shares(question: Asked, cells: Sequence[Ints], lines: Sequence[Line]) -> Floats:
    """Return which share of these people has each input, where numbers are rounded at random to their anchors."""
    if len(question.attributes) > 2:
        raise ValueError("a question is about more than two attributes")
    if question.whole:
        (j,) = question.attributes
        return np.bincount(cells[j], minlength=len(lines[j].texts)) / max(len(cells[j]), 1)
    spread = [_onto_anchors(lines[j], anchors) for j, anchors in zip(question.attributes, question.anchors, strict=True)]
    own = [cells[j] for j in question.attributes]
    last = own[1] if len(own) > 1 else np.zeros_like(own[0])
    right = spread[1] if len(own) > 1 else np.ones((1, 1))
    counts = np.bincount(own[0] * len(right) + last, minlength=len(spread[0]) * len(right))
    joint = counts.reshape(len(spread[0]), len(right)) / max(len(own[0]), 1)
    return np.asarray(spread[0].T @ joint @ right).ravel()


def _onto_anchors(line: Line, anchors: int) -> Floats:
    """Return float64[cells, inputs]: the chance that each cell is told as each input."""
    if not anchors:
        return np.eye(len(line.texts))
    known = sum(map(bool, line.texts))
    spread = np.zeros((len(line.texts), width(line, anchors)))
    place = np.arange(known) * (anchors - 1) / max(known - 1, 1)
    down = np.minimum(np.floor(place + 1e-12).astype(np.int64), anchors - 2)
    spread[np.arange(known), down] = 1 - (place - down)
    spread[np.arange(known), down + 1] += place - down
    if len(line.texts) > known:
        spread[-1, -1] = 1.0
    return spread


def _cells(texts: Sequence[str | None], line: Line) -> Ints:
    """Return the cell of each original value; numbers go to the nearest of the grid, inside the range."""
    place = {text: cell for cell, text in enumerate(line.texts)}
    last = len(line.texts) - 1
    if not line.numeric:
        return np.array([place.get(text or "", last) for text in texts], dtype=np.int64)
    known = [float(text) for text in line.texts if text]
    step = known[1] - known[0] if len(known) > 1 else 1.0
    numbers = np.array([np.nan if text is None else float(text) for text in texts])
    cell = np.clip(np.rint((numbers - known[0]) / step), 0, len(known) - 1)
    return np.where(np.isnan(cell), last, cell).astype(np.int64)
