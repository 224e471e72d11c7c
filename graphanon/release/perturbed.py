"""What may leave of people whose answers were randomized: reports, the records they decode to, or centres alone.

A perturbed release claims a budget ε and nothing of k, alpha, l or t. It has no field for an original record, an id or
an order: it is made from a public plan and from answers that were randomized already, whose lines stand in random
order. Its statement carries what a server needs to read the answers, and the ledger of what they spent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random, SystemRandom
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.release.model import PublicColumn
from graphanon.release.names import file_names
from graphanon.release.stamp import software
from graphanon.release.tie_reports import TieTables
from graphanon.schema import Column, Role, Schema
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.reports import Reports, reports_table
from graphanon.tabular.ldp.server import decode

__all__ = ["CENTRES", "FILES", "PERTURBED", "PerturbedRelease", "described", "publish_centres", "publish_reports",
           "random_order"]

Ints = NDArray[np.int64]
PerturbedKind = Literal["perturbed-table", "centres"]
Lines = tuple[tuple[str, ...], ...]
PERTURBED: PerturbedKind = "perturbed-table"
CENTRES: PerturbedKind = "centres"
FILES = {PERTURBED: ("reports.csv", "records.csv", "tie_reports.csv", "tie_estimates.csv"), CENTRES: ("centres.csv",)}
TAKEN = ("question", "answer", "centre", "share")  # centres may follow upon answers


@dataclass(frozen=True, kw_only=True, eq=False)
class PerturbedRelease:
    """Randomized answers or centres with the ledger of what they spent.

    `tables` holds the lines of each CSV file by its name, the header first. `statement` is what release.json says.
    Two releases are equal if their files are.

    Raises
    ------
    InputProblem
        If a file does not belong to the kind, or a column would be written under a name that is taken.
    """

    kind: PerturbedKind
    columns: tuple[PublicColumn, ...]
    tables: Mapping[str, Lines]
    statement: Mapping[str, Any]
    hierarchies: Mapping[str, Lines] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("tables", "statement", "hierarchies"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        first, *others = FILES[self.kind]
        if first not in self.tables or set(self.tables) - {first, *others}:
            raise InputProblem(Problem(what=f"a release of kind {self.kind} has {first}, and only files of its kind"))
        clashes = [column.name for column in self.columns if column.name in TAKEN]
        if clashes:
            raise InputProblem([Problem(what=f"'{name}' is a column of the release itself", column=name,
                                        fix="rename the column") for name in clashes])

    def __repr__(self) -> str:
        what = "answers" if self.kind == PERTURBED else "centres"
        lines = len(self.tables[FILES[self.kind][0]]) - 1
        return f"PerturbedRelease({lines} {what}, epsilon {self.statement['epsilon']['record']:g} a record)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PerturbedRelease):
            return NotImplemented
        return self._parts() == other._parts()

    __hash__ = None  # type: ignore[assignment]

    def _parts(self) -> list[Any]:
        return [self.kind, self.columns, dict(self.tables), dict(self.statement), dict(self.hierarchies)]


def random_order(n: int, chance: Random | None = None) -> Ints:
    """Return int64[n], an order of lines; `chance` left out is the operating system's generator."""
    order = list(range(n))
    (chance or SystemRandom()).shuffle(order)
    return np.array(order, dtype=np.int64)


def publish_reports(
    plan: Plan,
    reports: Reports,
    *,
    schema: Schema,
    method: str,
    reproducible: bool,
    order: Ints | None = None,
    ties: TieTables | None = None,
) -> PerturbedRelease:
    """Return the answers in random order, and as records where every answer is a value of its domain.

    `reproducible` says that the coins came from a seed; then the release says that it is not for release.
    `order` is the person of each line, drawn if left out; `ties` are reported about these lines.
    """
    mixed = reports.shuffled(random_order(reports.n) if order is None else order)
    tables = {"reports.csv": _lines(reports_table(plan, mixed)), **(ties.tables if ties else {})}
    if plan.decodes:
        cells = decode(plan, mixed)
        tables["records.csv"] = _lines({line.name: line.texts(cells[:, j]) for j, line in enumerate(plan.lines)})
    columns, trees = described(schema)
    statement = {
        "format": 1, "kind": PERTURBED, "people": reports.n, "method": method,
        "columns": {column.name: dict(column.facts) for column in columns},
        "plan": plan.as_json(), **({"ties": dict(ties.statement)} if ties else {}),
        "epsilon": plan.epsilon() | (dict(ties.epsilon) if ties else {}), **_purpose(reproducible=reproducible),
    }
    return PerturbedRelease(kind=PERTURBED, columns=columns, tables=tables, statement=statement, hierarchies=trees)


def publish_centres(
    centres: Mapping[str, Sequence[str]],
    *,
    columns: tuple[PublicColumn, ...],
    hierarchies: Mapping[str, Lines],
    method: str,
    plan: Mapping[str, Any],
    epsilon: Mapping[str, Any],
    reproducible: bool,
    shares: Sequence[float] | None = None,
) -> PerturbedRelease:
    """Return centres, one line each: the text of every column's value, and the estimated share of people.

    `plan` says how they were come by (the questions that were asked, or the noise of the server), `epsilon` is
    the ledger of all that went into them.
    """
    count = len(next(iter(centres.values())))
    names = [f"C{i + 1}" for i in range(count)]
    told = {"centre": names}
    if shares is not None:
        told["share"] = [f"{share:.6g}" for share in shares]
    tables = {"centres.csv": _lines(told | {column.name: list(centres[column.name]) for column in columns})}
    statement = {
        "format": 1, "kind": CENTRES, "clusters": count, "method": method,
        "columns": {column.name: dict(column.facts) for column in columns},
        "plan": dict(plan), "epsilon": dict(epsilon), **_purpose(reproducible=reproducible),
    }
    return PerturbedRelease(kind=CENTRES, columns=columns, tables=tables, statement=statement, hierarchies=hierarchies)


def _purpose(*, reproducible: bool) -> dict[str, Any]:
    return {"reproducible": reproducible, "for_release": not reproducible, "software": software()}


def _lines(columns: Mapping[str, Sequence[str]]) -> Lines:
    return (tuple(columns), *zip(*columns.values(), strict=True))


def described(schema: Schema) -> tuple[tuple[PublicColumn, ...], dict[str, Lines]]:
    """Return the perturbed columns of a schema as a recipient reads of them, and the hierarchies that go along."""
    columns = schema.of_role(Role.QUASI, Role.SENSITIVE)
    files = file_names([column.name for column in columns if isinstance(column.domain, Tree)])
    trees = {files[c.name]: tuple(sorted(c.domain.rows)) for c in columns if isinstance(c.domain, Tree)}
    return tuple(_public(column, files.get(column.name)) for column in columns), trees


def _public(column: Column, file: str | None) -> PublicColumn:
    role: Any = column.role.value
    if file is not None:
        return PublicColumn(name=column.name, role=role, type="category", facts={"hierarchy": file})
    if isinstance(column.domain, Order):
        return PublicColumn(name=column.name, role=role, type="order", facts={"order": list(column.domain.labels)})
    low, high = column.declared or (0.0, 0.0)
    grid = column.domain.grid if isinstance(column.domain, Range) else column.grid or 1.0
    facts = {"range": [_number(low), _number(high)], "grid": _number(grid)}
    return PublicColumn(name=column.name, role=role, type="number", facts=facts)


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
