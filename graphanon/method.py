"""How a method is declared: a frozen record of parameters with one function to write.

A `ClusterFirst` method decides who is together and the boxes follow; a `RecodeFirst` method decides
what may be said and the classes follow; a `PerturbFirst` method randomizes everyone's own record before
another method sees it, and claims a differential-privacy bound only. Parameters are keyword-only
fields made by :func:`parameter`, which keeps the permitted values beside the field; the command line,
the catalog and the conformance suite are made from them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.feasibility import one_class
from graphanon.floors import needs
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, Grouping, Partition, classes, hull
from graphanon.refine import Objective
from graphanon.repair import kept_classes, repair
from graphanon.requirement import Requirement

T = TypeVar("T")
Mask = NDArray[np.bool_]

__all__ = ["About", "ClusterFirst", "Declared", "Method", "PerturbFirst", "RecodeFirst", "parameter"]


@dataclass(frozen=True, kw_only=True)
class About:
    """What a reader of the catalog wants to know: name, source, guarantee and what the method looks at."""

    name: str
    paper: str
    guarantee: str
    ties: bool
    numbers: bool = True
    categories: bool = True
    sensitive: bool = False


def parameter(
    default: T,
    text: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[Any] | None = None,
) -> T:
    """Return a dataclass field with its meaning and its permitted values beside it."""
    metadata = {"text": text, "low": low, "high": high, "choices": choices}
    return field(default=default, kw_only=True, metadata=metadata)


def _parameter_problem(owner: str, name: str, value: Any, limits: Any) -> Problem | None:
    low, high, choices = limits.get("low"), limits.get("high"), limits.get("choices")
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and not ((low is None or value >= low) and (high is None or value <= high)):
        allowed = f"from {low} to {high}" if high is not None else f"from {low}"
    elif number or choices is None or value in choices:
        return None
    else:
        allowed = ", ".join(map(str, choices))
    return Problem(what=f"{owner}: {name} is {value!r}", allowed=allowed, fix=f"--set {name}=…")


@dataclass(frozen=True, kw_only=True)
class Declared:
    """Parameters with what is told about them; construction checks each against what its field permits."""

    about: ClassVar[About]

    def __post_init__(self) -> None:
        checks = (
            _parameter_problem(self.about.name, f.name, getattr(self, f.name), f.metadata)
            for f in fields(self)
        )
        problems = [problem for problem in checks if problem]
        if problems:
            raise InputProblem(problems)


@dataclass(frozen=True, kw_only=True)
class Method(Declared, ABC):
    """A way to group people."""

    @abstractmethod
    def group(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Grouping:
        """Return a grouping of these people that satisfies the requirement."""

    def allowance(self, graph: AttributedGraph, requirement: Requirement) -> float:
        """Return the share of people that may be withheld: the requirement's, unless the method has a rule of its own.

        The pipeline asks before it groups; :meth:`group` holds to the requirement that it is given.
        """
        del graph
        return requirement.withhold


@dataclass(frozen=True, kw_only=True)
class ClusterFirst(Method):
    """Decide who is together; the boxes follow."""

    @abstractmethod
    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return who is together."""

    def group(
        self, graph: AttributedGraph, requirement: Requirement, rng: Generator, *, objective: Objective | None = None
    ) -> Grouping:
        """Return the partition, repaired where it does not keep what was asked, with the smallest box of each class.

        `objective` is what repair keeps low (left out: `total` for graphs, `ncp` for tables).

        Raises
        ------
        InfeasiblePromise
            Before the search, if no partition can satisfy the requirement.
        """
        requirement.check_feasible(graph)
        partition = repair(graph, self.partition(graph, requirement, rng), requirement, rng, objective)
        return Grouping(graph, partition, hull(graph, partition))


@dataclass(frozen=True, kw_only=True)
class RecodeFirst(Method):
    """Decide what may be said; who is together follows, and classes that break a promise are withheld."""

    @abstractmethod
    def recode(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Boxes:
        """Return everyone's box."""

    def group(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Grouping:
        """Return the classes of equal boxes; people in classes that do not keep what was asked are withheld.

        Raises
        ------
        InfeasiblePromise
            Before the search, if no partition can satisfy the requirement; after it, if more people would be
            withheld than it allows.
        """
        inside = one_class(graph, requirement)
        if not inside.all():
            return self._without(graph, inside, requirement, rng)
        partition, boxes = classes(self.recode(graph, requirement, rng))
        good = kept_classes(graph, partition, requirement)
        least = np.zeros(partition.n_classes, dtype=np.int64)
        np.maximum.at(least, partition.labels, needs(graph, requirement))
        number = np.where(good, np.cumsum(good) - 1, -1)
        kept = Partition(number[partition.labels], least[good])
        requirement.check_withheld(kept.withheld, graph.n)
        return Grouping(graph, kept, boxes[good])

    def _without(self, graph: AttributedGraph, inside: Mask, requirement: Requirement, rng: Generator) -> Grouping:
        """Return the grouping of those inside; without the others alone anything can be kept."""
        rows = np.flatnonzero(inside)
        left = int(requirement.withhold * graph.n + 1e-9) - (graph.n - len(rows))
        rest = replace(requirement, withhold=min((left + 1e-6) / len(rows), 1 - 1e-12))
        found = self.group(graph.take(rows), rest, rng)
        labels = np.full(graph.n, -1, dtype=np.int64)
        labels[rows] = found.partition.labels
        return Grouping(graph, Partition(labels, found.partition.floors), found.boxes)


@dataclass(frozen=True, kw_only=True)
class PerturbFirst(Method):
    """Randomize everyone's own record, then group the noisy records with another method."""

    @abstractmethod
    def perturb(self, graph: AttributedGraph, rng: Generator) -> AttributedGraph:
        """Return the graph with every person's record randomized on its own."""

    @property
    @abstractmethod
    def then(self) -> Method:
        """The method that sees the noisy records."""

    def group(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Grouping:
        """Return the grouping of the noisy records; its source is the noisy graph."""
        return self.then.group(self.perturb(graph, rng), requirement, rng)

