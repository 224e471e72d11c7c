"""File names for hierarchies that are safe whatever a column is called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b

__all__ = ["file_names"]

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+ -]{0,79}(?<![. ])")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def file_names(columns: Iterable[str]) -> dict[str, str]:
    """Return a CSV file name for each column: its own where every file system takes it, else with a digest.

    Examples
    --------
    >>> file_names(["job", "../x"])
    {'job': 'job.csv', '../x': 'x-d42ff05c.csv'}
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for column in columns:
        plain = _PLAIN.fullmatch(column) and not _RESERVED.fullmatch(column)
        name = f"{column}.csv" if plain and f"{column}.csv".casefold() not in taken else _digested(column)
        names[column] = name
        taken.add(name.casefold())
    return names


def _digested(column: str) -> str:
    readable = re.sub(r"[^A-Za-z0-9_]+", "-", column).strip("-")[:40]
    digest = blake2b(column.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{readable or 'column'}-{digest}.csv"
