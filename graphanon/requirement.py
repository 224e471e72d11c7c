"""What every class must satisfy. The one place that holds k: methods hold none."""

from __future__ import annotations

from dataclasses import dataclass

from graphanon.errors import InfeasiblePromise, InputProblem, Problem
from graphanon.graph import AttributedGraph

__all__ = ["Requirement"]


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """The least class size `k`, the tie confidence that no density may exceed, the share that may be withheld.

    What is promised of sensitive values stands with their columns in the schema; the audit recounts
    all of it from the files.

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
            problems.append(Problem(what=f"tie_confidence is {self.tie_confidence}", allowed="0 to 1"))
        if not 0 <= self.withhold < 1:
            problems.append(Problem(what=f"withhold is {self.withhold}", allowed="from 0 to below 1"))
        if problems:
            raise InputProblem(problems)

    def check_feasible(self, graph: AttributedGraph) -> None:
        """Raise InfeasiblePromise with the numbers if no partition of these people can satisfy it."""
        if graph.n == 0:
            raise InputProblem(Problem(what="there are no people", allowed="at least k people"))
        if graph.n < self.k:
            what = f"k = {self.k} asks for classes of {self.k}, and there are only {graph.n} people"
            raise InfeasiblePromise(Problem(what=what, allowed=f"k up to {graph.n}", fix=f"-k {graph.n}"))
        if graph.wishes is not None and graph.wishes.max(initial=0) > graph.n:
            what = f"someone asks for a class larger than the {graph.n} people there are"
            raise InfeasiblePromise(Problem(what=what, allowed=f"a wish up to {graph.n}"))

    def check_withheld(self, withheld: int, people: int) -> None:
        """Raise InfeasiblePromise if more people are left out than the allowance permits."""
        allowed = int(self.withhold * people + 1e-9)
        if withheld > allowed:
            what = f"{withheld} of {people} people would be withheld, and {allowed} may be"
            raise InfeasiblePromise(Problem(what=what, allowed="a smaller k or a larger allowance",
                                            fix=f"withhold = {withheld / people:.3f}"))
