"""What every class must satisfy. The one place that holds k: methods hold none."""

from __future__ import annotations

from dataclasses import dataclass

from graphanon.errors import InfeasiblePromise, InputProblem, Problem
from graphanon.feasibility import one_class
from graphanon.graph import AttributedGraph

__all__ = ["Requirement"]


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """The least class size `k`, the tie confidence that no density may exceed, the share that may be withheld.

    What is promised of sensitive values stands with their columns in the schema, which a graph carries;
    the audit recounts all of it from the files.

    Raises
    ------
    InputProblem
        If a bound lies outside its range.

    Examples
    --------
    >>> Requirement(k=5)
    Requirement(k=5, tie_confidence=None, withhold=0.0)
    """

    k: int
    tie_confidence: float | None = None
    withhold: float = 0.0

    def __post_init__(self) -> None:
        problems = []
        if self.k < 1:
            problems.append(Problem(what=f"k is {self.k}", allowed="a whole number from 1", fix="-k 5"))
        if self.tie_confidence is not None and not 0 <= self.tie_confidence <= 1:
            problems.append(Problem(what=f"tie_confidence is {self.tie_confidence}", allowed="0 to 1",
                                    fix="--tie-confidence 0.8, or [promises] tie_confidence"))
        if not 0 <= self.withhold < 1:
            problems.append(Problem(what=f"withhold is {self.withhold}", allowed="from 0 to below 1",
                                    fix="--withhold 0.02, or [promises] withhold"))
        if problems:
            raise InputProblem(problems)

    def check_feasible(self, graph: AttributedGraph) -> None:
        """Raise InfeasiblePromise with the numbers if no partition of these people can satisfy it.

        Examples
        --------
        >>> import numpy as np
        >>> from graphanon.graph import Nominal, no_ties
        >>> from graphanon.schema import Column, Role, Schema
        >>> illness = Column(name="illness", role=Role.SENSITIVE, alpha={"hiv": 0.2})
        >>> graph = AttributedGraph(schema=Schema(columns=(illness,)), values=np.empty((4, 0)), ties=no_ties(4),
        ...                         payload={"illness": Nominal(np.array([0, 1, 0, 0]), ("flu", "hiv"))})
        >>> try:
        ...     Requirement(k=2).check_feasible(graph)
        ... except InfeasiblePromise as error:
        ...     print(error.problems[0].allowed)
        alpha of 'hiv' from 0.25
        """
        one_class(graph, self)

    def check_withheld(self, withheld: int, people: int) -> None:
        """Raise InfeasiblePromise if more people are left out than the allowance permits."""
        allowed = int(self.withhold * people + 1e-9)
        if withheld > allowed:
            what = f"{withheld} of {people} people would be withheld, and {allowed} may be"
            # rounded down, the share would be one person short
            share = -(-1000 * withheld // people) / 1000
            raise InfeasiblePromise(Problem(what=what, allowed="a smaller k or a larger allowance",
                                            fix=f"withhold = {share:.3f}" if share < 1 else "-k, weaker promises, or other attributes"))
