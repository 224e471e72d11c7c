"""What each column is to the people it describes: the roles, the domains, the promises.

A schema is the steward's word, read from a TOML file by :mod:`graphanon.io.schema_file` or built in
Python. A column that it does not list is refused, so that nothing leaves by oversight. Domains may be
left open in the file (an observed range, a flat hierarchy); :func:`graphanon.io.build` closes them,
and a graph only ever carries a closed schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

from graphanon.domain import Domain
from graphanon.errors import InputProblem, Problem

__all__ = ["Column", "Missing", "Promises", "Role", "Scale", "Schema", "TieColumns"]

Missing = Literal["error", "drop", "value"]
Diversity = Literal["distinct", "entropy", "recursive"]
Scale = Literal["interval", "ratio", "rank", "asymmetric"]


class Role(StrEnum):
    """What a column is to the people it describes."""

    IDENTIFIER = "identifier"  # names the person: never leaves
    QUASI = "quasi"  # an attacker may know it: generalized
    SENSITIVE = "sensitive"  # worth protecting: published inside the class, shuffled
    OPEN = "open"  # harmless: published inside the class, shuffled
    K = "k"  # the person's own k: never leaves
    DROP = "drop"  # not needed: never leaves


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of the people: its role, its line of values, what is promised of it.

    `numeric` is a number line (`range`, `grid` or `steps` in the file); `declared` tells a range that
    the steward gave from one to be read off the data. `scale` is for methods that compare people on scales:
    numbers by their difference, their ratio or their rank; two labels of which the first is an absence.
    `hierarchy_file` only serves messages.
    """

    name: str
    role: Role
    domain: Domain | None = None
    numeric: bool = False
    declared: tuple[float, float] | None = None
    grid: float | None = None
    steps: tuple[float, ...] = ()
    scale: Scale | None = None
    limit: int | None = None
    alpha: Mapping[str, float] = field(default_factory=dict)
    l: float | None = None  # noqa: E741  the field's name for it
    t: float | None = None
    diversity: Diversity = "distinct"
    c: float | None = None
    hierarchy_file: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", MappingProxyType(dict(self.alpha)))


@dataclass(frozen=True, kw_only=True)
class TieColumns:
    """How ties are to be read: their columns, direction, weight and relation.

    Where `directed` is None, the file's own word stands, and undirected where it has none.
    """

    source: str | None = None
    target: str | None = None
    directed: bool | None = None
    weight: Literal["drop", "sum"] = "drop"
    relation: str | None = None


@dataclass(frozen=True, kw_only=True)
class Promises:
    """What the schema file asks of every class; the command line overrides it."""

    k: int | None = None
    tie_confidence: float | None = None
    withhold: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Schema:
    """Every column of the people with its role, and how their ties are read.

    Raises
    ------
    InputProblem
        If a column is listed twice or `id` has another role than identifier.
    """

    columns: tuple[Column, ...]
    id: str | None = None
    missing: Missing = "error"
    ties: TieColumns = field(default_factory=TieColumns)
    promises: Promises = field(default_factory=Promises)

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputProblem([Problem(what="listed twice in the schema", column=name) for name in twice])
        for column in self.columns:
            if column.name == self.id and column.role not in (Role.IDENTIFIER, Role.DROP):
                what = f"the column that names the person cannot be {column.role}"
                raise InputProblem(Problem(what=what, column=column.name, allowed='role = "identifier"'))

    def __getitem__(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)

    def of_role(self, *roles: Role) -> tuple[Column, ...]:
        """Return the columns with one of these roles, in schema order."""
        return tuple(column for column in self.columns if column.role in roles)

    @property
    def quasi(self) -> tuple[Column, ...]:
        """The columns that are generalized."""
        return self.of_role(Role.QUASI)

    @property
    def payload(self) -> tuple[Column, ...]:
        """The columns that are published inside the class, shuffled."""
        return self.of_role(Role.SENSITIVE, Role.OPEN)

    @property
    def domains(self) -> tuple[Domain, ...]:
        """The closed domains of the quasi-identifiers."""
        open_ = [column.name for column in self.quasi if column.domain is None]
        if open_:
            raise InputProblem([Problem(what="has no domain yet", column=name) for name in open_])
        return tuple(column.domain for column in self.quasi if column.domain is not None)

    def with_domains(self, domains: Mapping[str, Domain]) -> Schema:
        """Return the schema with these columns' domains closed."""
        columns = (
            replace(column, domain=domains[column.name]) if column.name in domains else column
            for column in self.columns
        )
        return replace(self, columns=tuple(columns))
