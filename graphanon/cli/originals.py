"""The people and ties that a release was made from, as text, for the audit to compare with.

What is read goes to the audit as it stands in the files; only lines that the options of reading leave
out are left out. The audit reads the schema itself; domains, addresses and matrices of the search play
no part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphanon.io.source import ReadOptions, Source, Ties
    from graphanon.schema import Schema

__all__ = ["originals"]


def originals(source: Source, schema: Schema) -> dict[str, Any]:
    """Return the arguments of :func:`graphanon.audit.audit_truth` that say who and which ties went in."""
    from graphanon.io.ends import is_directed

    told: dict[str, Any] = {"people": {}}
    if source.ties is not None:
        told["ties"] = list(_ties(source.ties, schema, source.options))
        told["directed"] = is_directed(source.ties, schema.ties, source.options)
    if source.people is not None:
        frame = source.people.frame
        if source.ties is not None and source.options.duplicate_nodes == "first":
            frame = frame[~frame[source.id].duplicated()]
        told["people"] = {str(name): frame[name].tolist() for name in frame.columns}
        told["ids"] = told["people"][source.id] if source.ties is not None else None
    return told


def _ties(ties: Ties, schema: Schema, options: ReadOptions) -> Iterator[tuple[Any, ...]]:
    """Yield both ends of each complete tie of the relation, and its weight where weights are added up."""
    from graphanon.io.cells import Findings
    from graphanon.io.ends import of_relation

    chosen = of_relation(ties, schema.ties, options, Findings())
    weighted = schema.ties.weight == "sum" and chosen.weight is not None
    columns = ["source", "target", *([chosen.weight] if weighted else [])]
    for a, b, *weight in zip(*(chosen.frame[name] for name in columns), strict=True):
        if a is not None and b is not None:
            yield (a, b, *(float(cell) for cell in weight))
