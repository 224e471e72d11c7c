"""Small methods that the tests alone know: some that recode, one that deals people out, one that perturbs.

`FullDomain` climbs like Datafly (Sweeney, 1998), always the attribute with the most distinct values,
until no more people than allowed would be withheld. `Jitter` moves each person's own numbers a little and
hands the noisy people on.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from graphanon.domain import Range
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, Partition, at_levels, classes
from graphanon.method import About, ClusterFirst, Method, PerturbFirst, RecodeFirst, parameter
from graphanon.requirement import Requirement


@dataclass(frozen=True, kw_only=True)
class FullDomain(RecodeFirst):
    """Generalize every value of an attribute alike, the most diverse attribute first."""

    about: ClassVar[About] = About(name="full-domain", paper="Sweeney, 1998", guarantee="k", ties=False)

    def recode(self, graph: AttributedGraph, requirement: Requirement, rng: np.random.Generator) -> Boxes:
        """Return the first boxes on the way up whose small classes fit into the allowance."""
        del rng
        levels = [0] * graph.q
        while True:
            boxes = at_levels(graph, levels)
            open_ = [j for j, domain in enumerate(graph.domains) if levels[j] < domain.height]
            if not open_ or self._withheld(graph, boxes, requirement) <= requirement.withhold * graph.n:
                return boxes
            levels[max(open_, key=lambda j: (_variety(boxes, j), -j))] += 1

    @staticmethod
    def _withheld(graph: AttributedGraph, boxes: Boxes, requirement: Requirement) -> int:
        partition, _ = classes(boxes)
        needed = np.full(partition.n_classes, requirement.k)
        if graph.wishes is not None:
            np.maximum.at(needed, partition.labels, graph.wishes)
        return int(partition.sizes[partition.sizes < needed].sum())


def _variety(boxes: Boxes, j: int) -> int:
    return len({*zip(boxes.lo[:, j].tolist(), boxes.hi[:, j].tolist(), strict=True)})


@dataclass(frozen=True, kw_only=True)
class ValuesAsTheyAre(RecodeFirst):
    """Generalize nothing, so that every rare person is left to the allowance."""

    about: ClassVar[About] = About(name="as-they-are", paper="none", guarantee="k", ties=False)

    def recode(self, graph: AttributedGraph, requirement: Requirement, rng: np.random.Generator) -> Boxes:
        """Return everyone's own smallest box."""
        del requirement, rng
        return at_levels(graph, [0] * graph.q)


@dataclass(frozen=True, kw_only=True)
class Jitter(PerturbFirst):
    """Move every number of a range by up to `reach` grid steps, then group the noisy people."""

    about: ClassVar[About] = About(name="jitter", paper="none", guarantee="none", ties=False)
    reach: int = parameter(2, "largest move in grid steps", low=0)

    def perturb(self, graph: AttributedGraph, rng: np.random.Generator) -> AttributedGraph:
        """Return the people with their numbers moved, inside the range."""
        values = graph.values.copy()
        for j, domain in enumerate(graph.domains):
            if isinstance(domain, Range):
                known = values[:, j] < domain.missing_address
                moves = rng.integers(-self.reach, self.reach + 1, size=graph.n) * domain.grid
                values[:, j] = np.where(known, np.clip(values[:, j] + moves, domain.low, domain.high), values[:, j])
        return replace(graph, values=values)

    @property
    def then(self) -> Method:
        """The method that sees the noisy people."""
        return FullDomain()


@dataclass(frozen=True, kw_only=True)
class AsDealt(ClusterFirst):
    """Put people together as a list says, whatever is asked, so that repair has to mend it."""

    about: ClassVar[About] = About(name="as-dealt", paper="none", guarantee="none", ties=False)

    labels: tuple[int, ...] = parameter((0,), "the class of each person")

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: np.random.Generator) -> Partition:
        """Return the classes of the list."""
        del graph, requirement, rng
        return Partition(np.array(self.labels))
