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

    Examples
    --------
    >>> from types import SimpleNamespace as Some
    >>> graph = Some(schema=Some(of_role=lambda role: ()))
    >>> left_out(Some(graph=graph, report=Some(counts={"loops_dropped": 2, "people_dropped": 1})))
    'not taken as it stood: 2 ties of people to themselves dropped; 1 person dropped'
    """
    counts = reading.report.counts
    parts = [
        text
        for name, text in (
            ("loops_dropped", "{} of people to themselves dropped"), ("repeats_merged", "{} merged"),
            ("people_dropped", "{} dropped"), ("ties_dropped", "{} dropped"), ("people_added", "{} added"),
        )
        if counts.get(name)
        for text in [text.format(_counted(name, counts[name]))]
    ]
    parts += _missing(reading.graph)
    return "not taken as it stood: " + "; ".join(parts) if parts else None


def _counted(name: str, number: int) -> str:
    if name.startswith("people"):
        return count(number, "person", "people")
    return count(number, "repeated line of ties", "repeated lines of ties") if name == "repeats_merged" else \
        count(number, "tie")


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
