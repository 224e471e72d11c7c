"""SemiAnony: classes of k around typical records, in which no sensitive value that matters is too frequent.

Yang Gaoming, Yang Jing and Zhang Jianpei, *Semi-supervised clustering (alpha, k)-anonymity*, Journal of Harbin
Engineering University (in Chinese). Only values of high sensitivity are bounded: those with an ``alpha`` in the
schema. A class begins with the record whose distances to everyone have the least sum, which is no outlier, and
takes those nearest to it, passing over whoever would make a bounded value too frequent. Who is left in the end
joins the nearest class that stays legal.

Distance is that of mixed records after Gower (J. C. Gower, A general coefficient of similarity and some of its
properties, 1971; J. Han and M. Kamber, Data Mining). The schema's lines give the scale: a range is an
interval, an order is ordinal, a tree is names. A column's ``scale`` says more: ``"ratio"`` compares logarithms,
``"rank"`` the ranks of the values that occur, and ``"asymmetric"`` takes the lower of two values as an absence, which
two people do not have in common.

What the paper leaves open: whether someone may join is asked of the size that the class will have (of a class that
has just begun, one bounded value is all of it), so that a class of k holds at most floor(alpha k); and who
is left without a legal place joins the nearest class together with the classes nearest to that, as many as it
takes. Two legal classes are legal as one, so that always ends well if the whole table is legal. What else is asked
of the classes is for :mod:`graphanon.repair` to mend.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.closeness import describe
from graphanon.density import batches
from graphanon.domain import Domain, Floats, Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.floors import needs, raised
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, ClusterFirst, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role
from graphanon.tabular.points import Points, gather

if TYPE_CHECKING:
    from graphanon.kernels.gower import Gower, Semi

__all__ = ["SemiAlphaK", "bounded_values", "gower_of"]

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Undefined = Literal["one", "zero", "mean"]


@dataclass(frozen=True, kw_only=True)
class SemiAlphaK(ClusterFirst):
    """Grow classes of k around typical records, with the shares of sensitive values bounded.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    ignored yes     yes         alpha
    ======  ======  ==========  =================

    Source: Yang, Yang and Zhang, Semi-supervised clustering (alpha, k)-anonymity.

    Examples
    --------
    >>> SemiAlphaK(centroid="average").membership
    'target'
    """

    about: ClassVar[About] = About(
        name="semi-alpha-k",
        paper="Yang, Yang and Zhang, Semi-supervised clustering (alpha, k)-anonymity",
        guarantee="every class has at least k people, and of each bounded value at most its share",
        ties=False,
        sensitive=True,
    )

    centroid: Literal["fixed", "average"] = parameter(
        "fixed", "distance to a class: to the record that it began with, or the mean to its members",
        choices=("fixed", "average"),
    )
    membership: Literal["target", "final"] = parameter(
        "target", "when shares are looked at: whenever someone joins, or only of the finished classes",
        choices=("target", "final"),
    )
    refresh: bool = parameter(default=False, text="whether sums of distances are over those left, not over everyone")
    undefined: Literal["one", "zero", "mean"] = parameter(
        "one", "distance of records that have nothing to compare", choices=("one", "zero", "mean")
    )

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the classes."""
        del rng  # nothing is left to chance
        high, cap = bounded_values(graph)
        if self.membership == "final":
            high, cap = high[:, :0], cap[:0]
        points = gather(graph, requirement, high)
        labels = _Search(points, high[points.first], cap, self).run()
        return raised(graph, labels, np.minimum(needs(graph, requirement), graph.n))


def bounded_values(graph: AttributedGraph) -> tuple[Ints, Floats]:
    """Return int64[n, s], which bounded value each person has in each sensitive column, -1 if none, and the bounds."""
    codes, caps = [np.empty((graph.n, 0), dtype=np.int64)], [np.empty(0)]
    for column in graph.schema.of_role(Role.SENSITIVE):
        own = graph.payload[column.name]
        share = np.array([column.alpha.get(label, 1.0) for label in own.labels], dtype=float)
        bounded = share < 1
        if bounded.any():
            place = np.where(bounded, sum(map(len, caps)) + np.cumsum(bounded) - 1, -1)
            codes.append(place[own.codes][:, None])
            caps.append(share[bounded])
    return np.concatenate(codes, axis=1), np.concatenate(caps)


def gower_of(graph: AttributedGraph) -> Gower:
    """Return the records of a graph on the scales of their distances; those with nothing to compare lie 1 apart.

    Raises
    ------
    InputProblem
        If a column has a scale that its line of values does not have.

    Examples
    --------
    >>> from graphanon.graph import no_ties
    >>> from graphanon.kernels.gower import row
    >>> from graphanon.schema import Schema
    >>> money = Column(name="money", role=Role.QUASI, domain=Range(10, 1000), scale="ratio")
    >>> rows = AttributedGraph(schema=Schema(columns=(money,)), values=np.array([[10.0], [100.0]]), ties=no_ties(2))
    >>> out = np.empty(2)
    >>> row(gower_of(rows), 0, np.array([0, 1], dtype=np.int32), 2, out)
    >>> out.round(3)
    array([0. , 0.5])
    """
    from graphanon.kernels.gower import Gower

    columns = graph.schema.quasi
    problems = [problem for column in columns if (problem := _scale_problem(column))]
    if problems:
        raise InputProblem(problems)
    crowd = describe(graph)
    scale = np.full(len(crowd.lo), -1.0)
    for j, (column, domain) in enumerate(zip(columns, graph.domains, strict=True)):
        line = slice(crowd.start[j], crowd.start[j + 1])
        known = crowd.lo[line] < domain.missing_address
        scale[line][known] = _scaled(column.scale, domain, crowd.lo[line][known])
    one_sided = np.array([column.scale == "asymmetric" for column in columns], dtype=bool)
    return Gower(
        crowd.codes, crowd.start, scale, crowd.tree, one_sided, not one_sided.any() and bool((scale >= 0).all()), 1.0,
        np.empty_like(scale), np.empty(len(scale), dtype=np.int32),
    )


def _scale_problem(column: Column) -> Problem | None:
    allowed = {
        "ratio": "numbers", "rank": "numbers", "asymmetric": "an order of two labels, or numbers from 0 to 1",
    }.get(column.scale or "")
    domain = column.domain
    if column.scale == "asymmetric":
        fits = (isinstance(domain, Order) and len(domain.labels) == 2) or (
            isinstance(domain, Range) and (domain.low, domain.high) == (0, 1))
    else:
        fits = allowed is None or isinstance(domain, Range)
    return None if fits else Problem(what=f"the scale is {column.scale}", column=column.name, allowed=allowed)


def _scaled(scale: str | None, domain: Domain, values: Floats) -> Floats:
    """Return the distinct known values of one column, in order, on their scale."""
    if isinstance(domain, Tree):
        return values
    if isinstance(domain, Order):
        return values / max(domain.span, 1.0)
    low, high = domain.low, domain.high  # type: ignore[attr-defined]
    if scale == "rank":
        return np.arange(len(values)) / max(len(values) - 1, 1)
    if scale == "ratio":
        # logarithms need numbers above 0
        shift = 1.0 - low if low <= 0 else 0.0
        values, low, high = np.log(values + shift), np.log(low + shift), np.log(high + shift)
    return np.asarray((values - low) / (high - low)) if high > low else np.zeros_like(values)


class _Search:
    """The table, who is left of it, and the pieces of the classes so far."""

    def __init__(self, points: Points, high: Ints, cap: Floats, own: SemiAlphaK) -> None:
        from graphanon.kernels.gower import Semi

        u = len(points.weight)
        self.points, self.own = points, own
        gower, sums = _sums(gower_of(points.graph), points.weight, own.undefined)
        self.semi: Semi = Semi(
            gower, points.need, high, cap, points.weight.copy(), np.arange(u, dtype=np.int32), np.array([u]), sums,
            np.empty(u), np.zeros(len(cap), dtype=np.int64), np.empty(u), np.empty(u, dtype=np.int32),
            np.zeros(u, dtype=np.int64),
        )
        self.classes: list[tuple[Shorts, Ints]] = []
        self.late: list[int] = []

    def run(self) -> Ints:
        """Return everyone's class."""
        n = int(self.points.weight.sum())
        while self._grow():
            advance("grow classes", n - int(self.semi.left.sum()), n)
        left = np.flatnonzero(self.semi.left)
        late = np.sort(np.concatenate([np.array(self.late, dtype=np.int64), np.repeat(left, self.semi.left[left])]))
        if not self.classes:
            return np.zeros(n, dtype=np.int64)
        point, count = (np.concatenate(parts) for parts in zip(*self.classes, strict=True))
        owner = np.repeat(np.arange(len(self.classes)), [len(who) for who, _ in self.classes])
        return self.points.labels(*self._placed(late, point.astype(np.int64), count, owner))

    def _grow(self) -> bool:
        """Grow one class, or set aside a person whose class has too few; return whether to go on."""
        from graphanon.kernels.gower import grow, next_seed, refresh

        seed = next_seed(self.semi)
        if seed < 0:
            return False
        size, lacking = grow(self.semi, seed, average=self.own.centroid == "average")
        if lacking:
            # what a class can reach depends on the size that it needs alone
            return self._set_aside(seed)
        who = self.semi.members[:size].copy()
        self.classes.append((who, self.semi.taken[who]))
        self.semi.taken[who] = 0
        if self.own.refresh:
            refresh(self.semi, who, self.classes[-1][1])
        return True

    def _set_aside(self, seed: int) -> bool:
        rest = self.semi.rest[: self.semi.n_rest[0]]
        if self.points.need[rest].max() == self.points.need[rest].min():
            return False
        self.late.append(seed)
        self.semi.left[seed] -= 1
        if not self.semi.left[seed]:
            kept = rest[rest != seed].copy()
            self.semi.rest[: len(kept)] = kept
            self.semi.n_rest[0] = len(kept)
        return True

    def _placed(self, late: Ints, point: Ints, count: Ints, owner: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the pieces with everyone who is left in the nearest class that may take them."""
        from graphanon.kernels.gower import make_room, place

        semi, K = self.semi, len(self.classes)
        centres = np.array([who[0] for who, _ in self.classes], dtype=np.int32)
        sizes, inside = np.zeros(K, dtype=np.int64), np.zeros((K, len(semi.cap)), dtype=np.int64)
        np.add.at(sizes, owner, count)
        for s in range(semi.high.shape[1]):
            bounded = semi.high[point, s] >= 0
            np.add.at(inside, (owner[bounded], semi.high[point[bounded], s]), count[bounded])
        found, into, out = np.full(len(late), -1, dtype=np.int64), np.arange(K), np.empty(K)
        joined, fixed = np.zeros(K, dtype=bool), (semi.gower, semi.high, semi.cap)
        waiting, before = np.arange(len(late)), len(late) + 1
        while len(waiting) < before:
            before = len(waiting)
            for done, i in enumerate(waiting.tolist()):
                found[i] = place(*fixed, int(late[i]), centres, sizes, inside, out)
                advance("place the rest", done + 1, before)
            waiting = waiting[found[waiting] < 0]
        for done, i in enumerate(waiting.tolist()):
            found[i] = place(*fixed, int(late[i]), centres, sizes, inside, out)
            if found[i] < 0:
                found[i] = make_room(*fixed, int(late[i]), centres, sizes, inside, into, joined, out)
            advance("make room for the rest", done + 1, len(waiting))
        while (into[into] != into).any():
            into = into[into]
        return np.append(point, late), np.append(count, np.ones_like(late)), into[np.append(owner, found)]


def _sums(gower: Gower, weight: Ints, undefined: Undefined) -> tuple[Gower, Floats]:
    """Return the distance of each point to everyone, with what undefined ones are."""
    from graphanon.kernels.gower import sums_of

    u, q = gower.codes.shape
    sums, holes, out = np.zeros(u), np.zeros(u, dtype=np.int64), np.empty(u)
    everyone = np.arange(u, dtype=np.int32)
    for start, stop in batches(u, u * (q + 1)):
        sums_of(gower, weight, everyone, start, stop, out, sums, holes)
        advance("sums of distances", stop, u)
    value = {"one": 1.0, "zero": 0.0}.get(undefined)
    if value is None:
        n = int(weight.sum())
        pairs = n * (n - 1) - int(weight @ holes)
        value = float(weight @ sums) / pairs if pairs else 1.0
    return gower._replace(undefined=value), sums + value * holes
