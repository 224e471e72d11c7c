"""What a person must be told beside the result of a run: what was left out on the way, and how to lose less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from graphanon.cli.answer import count

if TYPE_CHECKING:
    from graphanon.graph import AttributedGraph
    from graphanon.io.source import Reading

__all__ = ["hierarchy_files", "left_out", "lose_less"]

MUCH = 0.6  # share of what attributes tell that may be lost without a word


def left_out(reading: Reading) -> str | None:
    """Return one line on all that did not go in as it stood in the files, None if everything did.

    Self-loops and repeated ties are not in it: the warnings of the report tell of them.

    Examples
    --------
    >>> from types import SimpleNamespace as Some
    >>> graph = Some(schema=Some(of_role=lambda role: ()))
    >>> left_out(Some(graph=graph, report=Some(counts={"ties_dropped": 2, "people_dropped": 1})))
    'not taken as it stood: 1 person dropped; 2 ties dropped'
    """
    counts = reading.report.counts
    parts = [
        f"{count(counts[name], *words)} {what}"
        for name, words, what in (
            ("people_dropped", ("person", "people"), "dropped"), ("ties_dropped", ("tie",), "dropped"),
            ("people_added", ("person", "people"), "added"),
        )
        if counts.get(name)
    ]
    parts += _missing(reading.graph)
    return "not taken as it stood: " + "; ".join(parts) if parts else None


def _missing(graph: AttributedGraph) -> Iterator[str]:
    """Yield how many missing values a sensitive column has: each counts as a value, never as any value."""
    from graphanon.schema import Role

    for column in graph.schema.of_role(Role.SENSITIVE):
        cells = graph.payload[column.name]
        number = int((cells.codes == cells.labels.index("")).sum()) if "" in cells.labels else 0
        if number:
            yield f"{count(number, 'missing value')} of '{column.name}' counted by alpha and l as a value of their own"


def lose_less(losses: Mapping[str, float]) -> str | None:
    """Return how to lose less, where attributes tell little any more.

    Examples
    --------
    >>> lose_less({"ncp": 0.2}) is None
    True
    """
    if losses.get("ncp", 0.0) <= MUCH:
        return None
    return (f"much of what the attributes tell is lost (ncp {losses['ncp']:.2f}); hierarchies for text, coarser steps for"
            " numbers, fewer quasi columns or a smaller k lose less")


def hierarchy_files(reading: Reading, schema: str | None) -> list[Path]:
    """Return the hierarchy files that the schema file names."""
    if schema is None:
        return []
    columns = reading.graph.schema.columns
    return [Path(schema).parent / column.hierarchy_file for column in columns if column.hierarchy_file]
