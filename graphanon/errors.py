"""What can go wrong, named for the situation and told so that a person can act on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["WAYS_OUT", "BrokenPromise", "GraphanonError", "InfeasiblePromise", "InputProblem", "Problem"]

# what can be done about a grouping that does not keep a promise
WAYS_OUT = "a larger k (-k), an allowance to leave people out (--withhold 0.02), or another method (--method NAME)"


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that is wrong: what, where, what is allowed, and which option resolves it."""

    what: str
    file: str | None = None
    line: int | None = None
    column: str | None = None
    allowed: str | None = None
    fix: str | None = None

    def __str__(self) -> str:
        parts = [f"{self._place()}{self.what}"]
        if self.allowed:
            parts.append(f"  allowed: {self.allowed}")
        if self.fix:
            parts.append(f"  to fix: {self.fix}")
        return "\n".join(parts)

    def _place(self) -> str:
        line = None if self.line is None else f"line {self.line}"
        column = None if self.column is None else f"column '{self.column}'"
        place = ", ".join(part for part in (self.file, line, column) if part)
        return f"{place}: " if place else ""

    def as_json(self) -> dict[str, Any]:
        """Return the problem in the shape that ``--json`` prints."""
        return {
            "what": self.what,
            "where": {"file": self.file, "line": self.line, "column": self.column},
            "allowed": self.allowed,
            "fix": self.fix,
        }


class GraphanonError(Exception):
    """Anything that graphanon refuses to do, with every problem that was found at once."""

    exit_code = 2

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class InputProblem(GraphanonError):  # noqa: N818  named for the situation, as the other two
    """The input, the schema or the command cannot be used as it is."""


class InfeasiblePromise(GraphanonError):  # noqa: N818
    """No release of these data can keep what was asked."""


class BrokenPromise(GraphanonError):  # noqa: N818
    """A finished release does not hold what it promises, so it does not leave."""

    exit_code = 1

    def __init__(
        self, problems: Problem | Iterable[Problem], findings: Iterable[Mapping[str, Any]] = ()
    ) -> None:
        super().__init__(problems)
        self.findings = tuple(findings)
