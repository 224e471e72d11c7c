"""The levels on which recoding methods may tell each attribute, as small tables.

A tree brings its levels, a range its `steps`. A range without steps, and an order, get bins whose width doubles
from one step of the line up to the whole of it. Everything that a search asks of a level (who falls together, what
is told, what that costs) is looked up by value, not by person, and people with equal values are one weighted point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import Domain, Floats, Order, Range
from graphanon.floors import needs
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes
from graphanon.kernels.lattice import Points, Scale
from graphanon.kernels.rules import Rules, rules_of
from graphanon.requirement import Requirement

__all__ = ["Ladders", "Price", "doubled", "ladders_of"]

Ints = NDArray[np.int64]
Price = Literal["ncp", "ngil", "levels"]


def doubled(domain: Domain) -> Domain:
    """Return the line with bins of doubling width, where it has no levels between a value and everything.

    Examples
    --------
    >>> doubled(Range(0, 100, grid=10)).steps
    (20.0, 40.0, 80.0)
    >>> doubled(Order(("low", "mid", "high")))
    Range(low=0.0, high=2.0, grid=1.0, steps=(2.0,), missing=False)
    """
    if isinstance(domain, Order):
        domain = Range(0.0, domain.span, missing=domain.missing)
    if not isinstance(domain, Range) or domain.steps:
        return domain
    widths = []
    width = 2 * domain.grid
    while width <= domain.span:
        widths.append(float(round(width, domain.decimals)))
        width *= 2
    return replace(domain, steps=tuple(widths))


@dataclass(frozen=True, eq=False)
class Ladders:
    """The distinct people of a graph, and every level of every attribute.

    ``points`` are the distinct rows and ``inverse`` int64[n] tells whose each is. ``heights`` int64[q] are the levels
    above a value, ``tops`` those that may be used; ``start`` int64[q + 1] is where the values of each attribute begin.
    ``lo`` and ``hi`` float64[levels, values] are the ends of boxes. ``nested`` tells whether people who are together
    on one level always are on the next.
    """

    points: Points
    scale: Scale
    rules: Rules
    inverse: Ints
    heights: Ints
    tops: Ints
    start: Ints
    lo: Floats
    hi: Floats
    nested: bool

    @property
    def q(self) -> int:
        """Number of attributes."""
        return len(self.heights)

    @property
    def people(self) -> int:
        """Number of people."""
        return len(self.inverse)

    def boxes(self, level: Sequence[int] | Ints) -> Boxes:
        """Return everyone's box on these levels, alike for all, or of int64[n, q], each on their own."""
        rows = self.points.base[self.inverse]
        at = np.asarray(level, dtype=np.int64).reshape(-1, self.q) if self.q else np.empty((1, 0), dtype=np.int64)
        return Boxes(self.lo[at, rows], self.hi[at, rows])

    def counts(self, level: Sequence[int] | Ints) -> list[Ints]:
        """Return for each attribute how many people have each of its values on these levels."""
        found = []
        for j, h in enumerate(level):
            code = self.scale.code[h, self.points.base[:, j]]
            count = np.bincount(code, weights=self.points.weight).astype(np.int64)
            found.append(count[count > 0])
        return found


def ladders_of(
    graph: AttributedGraph, requirement: Requirement, *, price: Price = "ncp", limits: bool = True
) -> Ladders:
    """Return the ladders of a graph; what a level costs is a share of leaves, of height, or of the levels there are.

    With `limits`, the highest level of a column is the one that its schema permits.

    Examples
    --------
    >>> from graphanon.graph import no_ties
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(0, 9, steps=(5,))),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[3.0], [7.0], [3.0]]), ties=no_ties(3))
    >>> ladders = ladders_of(graph, Requirement(k=2))
    >>> ladders.heights, ladders.boxes([1]).hi.ravel()
    (array([2]), array([4., 9., 4.]))
    """
    lines = [doubled(domain) for domain in graph.domains]
    deepest = max((line.height for line in lines), default=0)
    tables = [_table(line, told, graph.values[:, j], deepest, price)
              for j, (line, told) in enumerate(zip(lines, graph.domains, strict=True))]
    start = np.cumsum([0, *(len(table.line) for table in tables)]).astype(np.int64)
    rules = rules_of(graph)
    points, inverse = _points(graph, needs(graph, requirement), rules, tables, start)
    heights = np.array([line.height for line in lines], dtype=np.int64)
    limit = [column.limit if limits and column.limit is not None else deepest for column in graph.schema.quasi]
    code = np.concatenate([np.empty((deepest + 1, 0), dtype=np.int32), *(table.code for table in tables)], axis=1)
    return Ladders(
        points=points,
        scale=Scale(code, _joined([table.cost for table in tables], deepest), _strides(tables)),
        rules=rules,
        inverse=inverse,
        heights=heights,
        tops=np.minimum(heights, np.array(limit, dtype=np.int64)),
        start=start,
        lo=_joined([table.lo for table in tables], deepest),
        hi=_joined([table.hi for table in tables], deepest),
        nested=all(_nests(table.code) for table in tables),
    )


@dataclass(frozen=True)
class _Table:
    line: Floats
    code: NDArray[np.int32]
    cost: Floats
    lo: Floats
    hi: Floats


def _table(line: Domain, told: Domain, values: Floats, deepest: int, price: Price) -> _Table:
    """Return every level of the values that occur on a line, the last one repeated up to `deepest`."""
    distinct = np.unique(values)
    shape = (deepest + 1, len(distinct))
    code, cost = np.empty(shape, dtype=np.int32), np.empty(shape)
    lo, hi = np.empty(shape), np.empty(shape)
    for level in range(deepest + 1):
        lo[level], hi[level] = line.at_level(distinct, min(level, line.height))
        code[level] = np.unique(np.stack([lo[level], hi[level]]), axis=1, return_inverse=True)[1].reshape(-1)
        cost[level] = min(level, line.height) / line.height if price == "levels" and line.height else 0.0
        if price != "levels":
            cost[level] = told.cost(lo[level], hi[level], "leaves" if price == "ncp" else "height")
    return _Table(distinct, code, cost, lo, hi)


def _points(
    graph: AttributedGraph, need: Ints, rules: Rules, tables: list[_Table], start: Ints
) -> tuple[Points, Ints]:
    """Return the distinct people as points, and whose point each person has."""
    inverse = np.zeros(graph.n, dtype=np.int64)
    base = np.zeros((min(graph.n, 1), 0), dtype=np.int32)
    if graph.q:
        found = graph.distinct()
        inverse = found.inverse
        places = [np.searchsorted(table.line, found.points[:, j]) + start[j] for j, table in enumerate(tables)]
        base = np.stack(places, axis=1).astype(np.int32)
    most = np.zeros(len(base), dtype=np.int64)
    np.maximum.at(most, inverse, need)
    count = np.zeros((len(base), len(rules.cap)), dtype=np.int32)
    for codes in rules.codes.T:
        np.add.at(count, (inverse, codes), 1)
    return Points(base, np.bincount(inverse, minlength=len(base)).astype(np.int64), most, count), inverse


def _joined(tables: list[Floats], deepest: int) -> Floats:
    return np.concatenate([np.empty((deepest + 1, 0)), *tables], axis=1)


def _strides(tables: list[_Table]) -> Ints:
    """Return numbers that keep the codes of attributes apart; where they would be too large, scattered ones."""
    sizes = [len(table.line) for table in tables]
    whole = 1
    for size in sizes:
        whole *= max(size, 1)
    if whole < 2**62:
        return np.cumprod([1, *sizes])[: len(sizes)].astype(np.int64)
    scattered = np.random.default_rng(0).integers(1, 2**62, size=len(sizes), dtype=np.int64)
    return np.asarray(2 * scattered + 1)


def _nests(code: NDArray[np.int32]) -> bool:
    """Return whether what is together on one level is together on the next."""
    return all(np.unique(np.stack([fine, coarse]), axis=1).shape[1] == len(np.unique(fine))
               for fine, coarse in pairwise(code))
