"""What is told when no level that the schema permits keeps what is asked."""

from __future__ import annotations

from graphanon.errors import InfeasiblePromise, Problem
from graphanon.graph import AttributedGraph
from graphanon.requirement import Requirement
from graphanon.tabular.ladders import Ladders
from graphanon.tabular.lattice import weigh_node

__all__ = ["blocked"]


def blocked(graph: AttributedGraph, ladders: Ladders, requirement: Requirement, *, fix: str = "") -> InfeasiblePromise:
    """Return the error with the table of levels, and with how many are left out even on the highest of them."""
    tops = tuple(ladders.tops.tolist())
    withheld, _ = weigh_node(ladders, tops)
    counts = [len(count) for count in ladders.counts(tops)]
    table = "".join(
        f"\n    {column.name}: level {top} of {height}, {values} values left"
        for column, top, height, values
        in zip(graph.schema.quasi, tops, ladders.heights.tolist(), counts, strict=True)
    )
    what = (f"on the highest levels that the schema permits {withheld} of {graph.n} people still are in classes that "
            f"do not keep what is asked, and {int(requirement.withhold * graph.n + 1e-9)} may be withheld{table}")
    return InfeasiblePromise(Problem(
        what=what, allowed="higher limits, weaker promises or a larger allowance",
        fix=f"raise a limit in the schema, or withhold = {withheld / max(graph.n, 1):.3f}{fix}",
    ))
