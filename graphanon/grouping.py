"""Partitions, boxes, and the two maps between them.

A partition says who is together and gives each class its smallest publishable box (:func:`hull`). A
set of boxes says what may be told and gives back the classes of people who look alike
(:func:`classes`). Anonymizing is choosing either one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import Domain, Floats
from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.notebook import card

__all__ = ["Boxes", "Grouping", "Partition", "at_levels", "classes", "hull", "points", "snap"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Partition:
    """The class of each person, 0 to K - 1 with none empty; -1 is withheld.

    `floors` int64[K] is the least size each class must keep (a merge takes the larger, a split part
    keeps it); left out, it is 1 everywhere.

    Raises
    ------
    InputProblem
        If a class is empty or below its floor.

    Examples
    --------
    >>> import numpy as np
    >>> Partition(np.array([0, 0, 1, 1, -1])).sizes
    array([2, 2])
    """

    labels: Ints
    floors: Ints | None = None

    def __post_init__(self) -> None:
        problem = self._problem()
        if problem:
            raise InputProblem(Problem(what=problem))

    def _problem(self) -> str | None:
        if self.labels.ndim != 1 or self.labels.min(initial=-1) < -1:
            return "labels are one whole number a person, -1 or more"
        if (self.sizes == 0).any():
            return "classes are numbered without gaps and none is empty"
        if self.floors is not None and self.floors.shape != self.sizes.shape:
            return "there is one floor a class"
        if self.floors is not None and (self.sizes < self.floors).any():
            return "a class is below its floor"
        return None

    def __repr__(self) -> str:
        return f"Partition({len(self.labels)} people in {self.n_classes} classes)"

    def _repr_html_(self) -> str:
        sizes = self.sizes
        spread = [("smallest", int(sizes.min())), ("average", float(sizes.mean())), ("largest", int(sizes.max()))] if len(sizes) else []
        return card("Partition", [("people", len(self.labels)), ("classes", self.n_classes), *spread, ("withheld", self.withheld)])

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.labels.max(initial=-1)) + 1

    @property
    def sizes(self) -> Ints:
        """People in each class."""
        return np.bincount(self.labels[self.labels >= 0], minlength=self.n_classes).astype(np.int64)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Whether each person is in a class."""
        return np.asarray(self.labels >= 0)

    @property
    def withheld(self) -> int:
        """Number of people in no class."""
        return int((self.labels < 0).sum())


@dataclass(frozen=True, eq=False)
class Boxes:
    """One axis-aligned box a row: `lo` and `hi` are float64[rows, q] addresses, both ends inside."""

    lo: Floats
    hi: Floats

    def __getitem__(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Boxes:
        return Boxes(self.lo[rows], self.hi[rows])

    def __len__(self) -> int:
        return len(self.lo)

    def __repr__(self) -> str:
        return f"Boxes({len(self)} rows, {self.lo.shape[1]} sides)"

    def within(self, other: Boxes) -> NDArray[np.bool_]:
        """Return whether each box lies inside the other box of its row."""
        return np.asarray(((other.lo <= self.lo) & (self.hi <= other.hi)).all(axis=1))


@dataclass(frozen=True, eq=False)
class Grouping:
    """Who is together, what is said of each class, and the people it is said of.

    Raises
    ------
    InputProblem
        If there is not one box a class, or a member lies outside the box of its class.
    """

    source: AttributedGraph
    partition: Partition
    boxes: Boxes

    def __post_init__(self) -> None:
        if len(self.boxes) != self.partition.n_classes or len(self.partition.labels) != self.source.n:
            raise InputProblem(Problem(what="a grouping needs one box a class and one label a person"))
        kept = self.partition.kept
        inside = points(self.source)[kept].within(self.boxes[self.partition.labels[kept]])
        if not inside.all():
            raise InputProblem(Problem(what=f"{(~inside).sum()} people lie outside the box of their class"))

    def __repr__(self) -> str:
        return f"Grouping({self.source!r}, {self.partition!r})"


def snap(domains: Sequence[Domain], lo: Floats, hi: Floats) -> Boxes:
    """Widen each box to the smallest publishable one."""
    out_lo, out_hi = np.empty(lo.shape), np.empty(hi.shape)
    for j, domain in enumerate(domains):
        out_lo[:, j], out_hi[:, j] = domain.snap(lo[:, j], hi[:, j])
    return Boxes(out_lo, out_hi)


def points(graph: AttributedGraph) -> Boxes:
    """Return each person's own smallest publishable box."""
    return snap(graph.domains, graph.values, graph.values)


def hull(graph: AttributedGraph, partition: Partition) -> Boxes:
    """Return the smallest publishable box around each class."""
    kept = partition.kept
    labels, values = partition.labels[kept], graph.values[kept]
    shape = (partition.n_classes, graph.q)
    lo, hi = np.full(shape, np.inf), np.full(shape, -np.inf)
    np.minimum.at(lo, labels, values)
    np.maximum.at(hi, labels, values)
    return snap(graph.domains, lo, hi)


def at_levels(graph: AttributedGraph, levels: Sequence[int]) -> Boxes:
    """Return everyone's box when attribute j is generalized `levels[j]` steps, alike for all."""
    lo, hi = np.empty(graph.values.shape), np.empty(graph.values.shape)
    for j, (domain, level) in enumerate(zip(graph.domains, levels, strict=True)):
        lo[:, j], hi[:, j] = domain.at_level(graph.values[:, j], level)
    return Boxes(lo, hi)


def classes(boxes: Boxes) -> tuple[Partition, Boxes]:
    """Return who has the same box, numbered by first appearance, and the distinct boxes.

    Examples
    --------
    >>> import numpy as np
    >>> boxes = Boxes(np.array([[3.0], [1.0], [3.0]]), np.array([[4.0], [2.0], [4.0]]))
    >>> classes(boxes)[0].labels
    array([0, 1, 0])
    """
    rows = np.concatenate([boxes.lo, boxes.hi], axis=1)
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return Partition(rank[inverse.reshape(-1)]), boxes[first[order]]
