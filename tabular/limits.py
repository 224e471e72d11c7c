"""What is told when no level that the schema permits keeps what is asked."""

from __future__ import annotations

from graphanon.errors import InfeasiblePromise, Problem
from graphanon.graph import AttributedGraph
from graphanon.grouping import classes
from graphanon.repair import kept_classes
from graphanon.requirement import Requirement
from graphanon.tabular.ladders import Ladders

__all__ = ["blocked"]


def blocked(graph: AttributedGraph, ladders: Ladders, requirement: Requirement, *, fix: str = "") -> InfeasiblePromise:
    """Return the error with the table of levels, and with who is left out even on the highest of them."""
    tops = tuple(ladders.tops.tolist())
    partition, _ = classes(ladders.boxes(tops))
    bad = ~kept_classes(graph, partition, requirement)
    withheld, allowed = int(partition.sizes[bad].sum()), int(requirement.withhold * graph.n + 1e-9)
    table = "".join(
        f"\n    {column.name}: level {top} of {height}, {len(count)} values left"
        for column, top, height, count
        in zip(graph.schema.quasi, tops, ladders.heights.tolist(), ladders.counts(tops), strict=True)
    )
    what = (f"on the highest levels that the schema permits {withheld} of {graph.n} people, in {int(bad.sum())} of "
            f"{len(bad)} classes, are not kept as asked, and {allowed} may be withheld{table}")
    ways = ["raise a limit in the schema"]
    if graph.n - withheld >= requirement.k:
        # k people at least have to stay; a share that is rounded down would be one person short
        ways += [f"withhold = {-(-1000 * withheld // graph.n) / 1000:.3f}", *([fix] if fix else [])]
    return InfeasiblePromise(Problem(
        what=what, allowed="higher limits, weaker promises or a larger allowance", fix=", or ".join(ways),
    ))
