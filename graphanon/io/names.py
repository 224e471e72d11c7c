"""What a released column may be called.

A release has columns of its own (``supernode``, ``size`` …) and derives others (``age_low``,
``age_high``). A person's attribute of that name would be taken for them, so it is refused before
anything is computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from graphanon.domain import Order, Range
from graphanon.errors import Problem
from graphanon.schema import Column, Role, Schema

__all__ = ["FIXED", "name_problems", "released_names"]

# igraph and networkx keep a node's own name, and the ends of a superedge, under id, source and target
FIXED = (
    "supernode", "size", "ties_inside", "arcs_inside", "weight_inside", "source", "target", "ties", "arcs",
    "weight", "id",
)


def released_names(column: Column) -> tuple[str, ...]:
    """Return the names under which a column appears in a release of a graph.

    Examples
    --------
    >>> released_names(Column(name="age", role=Role.QUASI, numeric=True))
    ('age_low', 'age_high')
    """
    line = column.numeric or isinstance(column.domain, Range | Order)
    if column.role is Role.QUASI and line:
        return f"{column.name}_low", f"{column.name}_high"
    return (column.name,)


def name_problems(schema: Schema, file: str, *, graph: bool) -> Iterator[Problem]:
    """Find names that would clash in a release, letter case apart, or cannot name a file."""
    released = (*schema.quasi, *schema.payload)
    derived = Counter(name.casefold() for column in released for name in _all_names(column, graph=graph))
    for column in released:
        names = {name.casefold() for name in _all_names(column, graph=graph)}
        written = {name.casefold() for name in released_names(column)}
        fixed = sorted(written & set(FIXED)) if graph else []
        twice = sorted(name for name in names if derived[name] > 1)
        if fixed:
            yield _clash(column, file, f"would be taken for the release's own column '{fixed[0]}'")
        elif twice:
            yield _clash(column, file, f"would appear beside another column named '{twice[0]}'")
        if any(mark in column.name for mark in "/\\\0\n\r\t") or column.name.startswith("."):
            yield Problem(what="cannot name a file of the release", file=file, column=column.name,
                          allowed="a name without slashes, line ends and tabs that does not begin with a point",
                          fix="rename the column in the file and in the schema")


def _all_names(column: Column, *, graph: bool) -> set[str]:
    return {column.name, *released_names(column)} if graph else {column.name}


def _clash(column: Column, file: str, what: str) -> Problem:
    return Problem(what=what, file=file, column=column.name, allowed="a name that no column of the release has",
                   fix="rename the column in the file and in the schema")
