"""Whether anything can keep what is asked, found before anybody is grouped and told with the numbers.

Merging two classes never breaks a promise that both keep: sizes add up, shares, densities and distances
average, and diversity does not fall. So if any grouping keeps every promise, everyone in one class keeps
them, and that one class is all that has to be looked at. (The distance asked by t-closeness is then 0, so t
alone always can be kept.) Where some people may be withheld, those are left out whose absence helps: who
asks for too large a class, who has a value that is too common, who is tied to most others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, exp, floor, log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InfeasiblePromise, InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.schema import Column, Role

__all__ = ["Asked", "one_class", "within"]

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
_EPSILON = 1e-9


class Asked(Protocol):
    """The part of a requirement that is not written at a column: see :class:`graphanon.requirement.Requirement`."""

    @property
    def k(self) -> int:
        """The least size of every class."""

    @property
    def tie_confidence(self) -> float | None:
        """The largest density."""

    @property
    def withhold(self) -> float:
        """The share of people that may be left out."""


def within(count: float, bound: float, size: float) -> bool:
    """Return whether `count` of `size` is at most the share `bound`, however floats round it.

    Examples
    --------
    >>> within(29, 0.29, 100), 29 <= int(0.29 * 100)
    (True, False)
    """
    return count <= floor(bound * size + _EPSILON)


def one_class(graph: AttributedGraph, asked: Asked) -> Mask:
    """Return bool[n], who is in a class of everyone that keeps every promise: all but those who must be withheld.

    Raises
    ------
    InfeasiblePromise
        With the numbers of every promise that nothing can keep.
    InputProblem
        If there are no people, or a promise of a column means nothing.
    """
    if graph.n == 0:
        raise InputProblem(Problem(what="there are no people", allowed="at least k people"))
    meaningless = [problem for column in graph.schema.of_role(Role.SENSITIVE) for problem in _meaning(column)]
    if meaningless:
        raise InputProblem(meaningless)
    most = floor(asked.withhold * graph.n + _EPSILON)
    promises = [*_promises(graph, asked, most)]
    everyone = np.ones(graph.n, dtype=bool)
    alone = ((promise, graph.n - int(promise.relieved(everyone).sum())) for promise in promises)
    problems = [promise.problem() for promise, gone in alone if gone > most]
    if problems:
        raise InfeasiblePromise(problems)
    kept = everyone
    while True:
        before = int(kept.sum())
        for promise in promises:
            kept = promise.relieved(kept)
        if int(kept.sum()) == before:
            break
    if before < graph.n - most or before < asked.k:
        what = (f"to keep all promises together, {graph.n - before} of the {graph.n} people would have to be "
                f"withheld, and {most} may be")
        raise InfeasiblePromise(Problem(what=what, allowed="weaker promises, or a larger allowance",
                                        fix=f"withhold = {_up((graph.n - before) / graph.n)}"))
    return kept


class _Promise(Protocol):
    def relieved(self, kept: Mask) -> Mask:
        """Return whom one class keeps that complies; it may stop as soon as too many have gone."""

    def problem(self) -> Problem:
        """Return why nothing can keep the promise, with the numbers."""


def _promises(graph: AttributedGraph, asked: Asked, most: int) -> Iterator[_Promise]:
    yield _Sizes(graph, asked.k, most)
    for column in graph.schema.of_role(Role.SENSITIVE):
        for value, bound in column.alpha.items():
            if bound < 1:
                yield _Share(graph, column, value, bound, most)
        if column.l is not None:
            yield _Diversity(graph, column, most)
    if asked.tie_confidence is not None and graph.has_ties:
        yield _Density(graph, asked.tie_confidence, most)


def _meaning(column: Column) -> Iterator[Problem]:
    """Find promises that mean nothing, which a schema file cannot hold but a schema made in Python can."""
    for value, bound in column.alpha.items():
        if not 0 < bound <= 1:
            yield Problem(what=f"alpha of '{value}' is {bound}", column=column.name, allowed="above 0 and up to 1")
    if column.l is not None and not column.l >= 1:
        yield Problem(what=f"l is {column.l}", column=column.name, allowed="from 1")
    if column.t is not None and not 0 <= column.t <= 1:
        yield Problem(what=f"t is {column.t}", column=column.name, allowed="from 0 to 1")
    if column.l is not None and column.diversity == "recursive" and not (column.c or 0) > 0:
        yield Problem(what="recursive diversity without c", column=column.name, allowed="c above 0", fix="c = 3")


def _up(share: float) -> float:
    return ceil(share * 10_000 - 1e-7) / 10_000


def _down(number: float) -> float:
    return floor(number * 10_000 + 1e-7) / 10_000


def _beyond(most: int) -> str:
    """Return what the message says of an allowance that does not reach."""
    return f"; {most} people may be withheld, which is too few" if most else ""


@dataclass(frozen=True)
class _Sizes:
    """k, and the sizes that people ask for."""

    graph: AttributedGraph
    k: int
    most: int

    def relieved(self, kept: Mask) -> Mask:
        n = int(kept.sum())
        wishes = self.graph.wishes
        while wishes is not None:
            fewer = kept & (wishes <= n)
            if int(fewer.sum()) == n:
                break
            kept, n = fewer, int(fewer.sum())
        return kept if n >= self.k else np.zeros_like(kept)

    def problem(self) -> Problem:
        n, wishes = self.graph.n, self.graph.wishes
        if n < self.k or wishes is None:
            what = f"k = {self.k} asks for classes of {self.k}, and there are only {n} people"
            return Problem(what=what, allowed=f"k up to {n}", fix=f"-k {n}")
        names = [column.name for column in self.graph.schema.of_role(Role.K)]
        asking = int((wishes > n).sum())
        who = "someone asks" if asking == 1 else f"{asking} people ask"
        what = (f"{who} for a class larger than the {n} people there are, the largest wish is {wishes.max()}"
                + _beyond(self.most))
        return Problem(what=what, column=names[0] if names else None, allowed=f"a wish up to {n}",
                       fix=f"correct the wishes, or withhold = {_up(asking / n)}")


@dataclass(frozen=True)
class _Share:
    """The largest share of one value."""

    graph: AttributedGraph
    column: Column
    value: str
    bound: float
    most: int

    def _carriers(self) -> Mask:
        own = self.graph.payload[self.column.name]
        if self.value not in own.labels:
            return np.zeros(self.graph.n, dtype=bool)
        return np.asarray(own.codes == own.labels.index(self.value))

    def relieved(self, kept: Mask) -> Mask:
        carriers = np.flatnonzero(kept & self._carriers())
        count, n = len(carriers), int(kept.sum())
        fewer = kept.copy()
        fewer[carriers[: self._excess(count, n)]] = False
        return fewer

    def _excess(self, count: int, n: int) -> int:
        return next(x for x in range(count + 1) if within(count - x, self.bound, n - x))

    def problem(self) -> Problem:
        count, n = int(self._carriers().sum()), self.graph.n
        named = f"'{self.value}'" if self.value else "a missing value"
        what = (f"alpha promises that at most {self.bound:g} of any class have {named}, and {count} of all {n} "
                f"people have it, which is {count / n:.4g}" + _beyond(self.most))
        least = _up(count / n)
        return Problem(what=what, column=self.column.name, allowed=f"alpha of {named} from {least}",
                       fix=f"alpha of {named} = {least}, or withhold = {_up(self._excess(count, n) / n)}")


@dataclass(frozen=True)
class _Diversity:
    """Distinct, entropy or recursive diversity."""

    graph: AttributedGraph
    column: Column
    most: int

    def _counts(self, kept: Mask) -> Ints:
        own = self.graph.payload[self.column.name]
        return np.bincount(own.codes[kept], minlength=len(own.labels))

    def _found(self, counts: Ints) -> float:
        ranked = np.sort(counts[counts > 0])[::-1]
        if self.column.diversity == "distinct" or not len(ranked):
            return len(ranked)
        if self.column.diversity == "entropy":
            return exp(_entropy(ranked))
        tails = np.cumsum(ranked[::-1])[::-1]
        return int((ranked[0] < (self.column.c or 0) * tails).sum())

    def _holds(self, counts: Ints) -> bool:
        # half of what the audit forgives, as in the search
        return self._found(counts) >= (self.column.l or 0) - _EPSILON / 2 or not counts.any()

    def relieved(self, kept: Mask) -> Mask:
        counts = self._counts(kept)
        if self.column.diversity == "distinct":
            return kept if self._holds(counts) else np.zeros_like(kept)
        fewer = kept.copy()
        codes = self.graph.payload[self.column.name].codes
        gone = 0
        take = np.zeros_like(counts)
        while not self._holds(counts - take) and gone <= self.most:
            take[np.argmax(counts - take)] += 1
            gone += 1
        for code in np.flatnonzero(take).tolist():
            fewer[np.flatnonzero(kept & (codes == code))[: take[code]]] = False
        return fewer

    def problem(self) -> Problem:
        column, n = self.column, self.graph.n
        counts = self._counts(np.ones(n, dtype=bool))
        found = self._found(counts)
        l_ = f"{column.l:g}"
        match column.diversity:
            case "distinct":
                what = f"l = {l_} asks for {l_} different values in every class, and there are only {found:g}"
                return self._told(what, f"l up to {found:g}", f"l = {found:g}")
            case "entropy":
                what = (f"l = {l_} asks for the entropy of {l_} equally common values in every class, and all "
                        f"{n} people have that of {found:.4g}" + _beyond(self.most))
                return self._told(what, f"l up to {_down(found)}", f"l = {_down(found)}")
        ranked = np.sort(counts[counts > 0])[::-1]
        rest = int(ranked[int(column.l or 1) - 1 :].sum())
        what = (f"l = {l_} with c = {column.c:g} asks that the commonest value occurs less than {column.c:g} times as "
                f"often as all from number {l_} on, and among all {n} people it occurs {ranked[0]} times and "
                f"those {rest} times" + _beyond(self.most))
        allowed = f"c above {ranked[0] / rest:.4g} or l up to {found:g}" if rest else f"l up to {found:g}"
        return self._told(what, allowed, f"c = {_up(ranked[0] / rest) + 0.0001:.4f}" if rest else f"l = {found:g}")

    def _told(self, what: str, allowed: str, fix: str) -> Problem:
        own = self.graph.payload[self.column.name]
        missing = int((own.codes == own.labels.index("")).sum()) if "" in own.labels else 0
        if missing:
            what += f" ({missing} are missing, which counts as one value)"
        return Problem(what=what, column=self.column.name, allowed=allowed, fix=fix)


def _entropy(counts: Ints) -> float:
    whole = int(counts.sum())
    return float(-sum(count / whole * log(count / whole) for count in counts.tolist()))


@dataclass(frozen=True)
class _Density:
    """The largest share of pairs that are tied."""

    graph: AttributedGraph
    bound: float
    most: int

    def _ties(self) -> tuple[int, int]:
        """Return how many ties there are among everyone, and how many there could be."""
        n, arcs = self.graph.n, self.graph.arcs
        if arcs is not None:
            return int(arcs.nnz), n * (n - 1)
        return self.graph.n_ties, n * (n - 1) // 2

    def relieved(self, kept: Mask) -> Mask:
        """Leave out whoever is tied to most of the others, one after the other."""
        arcs = self.graph.arcs
        both = self.graph.ties if arcs is None else arcs + arcs.T
        members = kept.astype(np.int64)
        degree = np.where(kept, both @ members, -1)
        ends, n = int(degree[kept].sum()), int(kept.sum())
        fewer = kept.copy()
        gone = 0
        # each tie has two ends, and so has each arc, of which a pair may have two
        halves = 2 if arcs is None else 1
        while gone <= self.most and not within(ends // 2, self.bound, n * (n - 1) // halves):
            v = int(np.argmax(degree))
            ends -= 2 * int(degree[v])
            fewer[v], degree[v] = False, -1
            near = both.indices[both.indptr[v] : both.indptr[v + 1]]
            lost = both.data[both.indptr[v] : both.indptr[v + 1]]
            degree[near] = np.where(fewer[near], degree[near] - lost, -1)
            gone, n = gone + 1, n - 1
        return fewer

    def problem(self) -> Problem:
        ties, pairs = self._ties()
        n = self.graph.n
        what = (f"tie_confidence = {self.bound:g} promises that at most that share of pairs is tied anywhere, and of "
                f"all {pairs} pairs of {n} people {ties} are, which is {ties / pairs:.4g}: no grouping has less "
                "everywhere" + _beyond(self.most))
        least = _up(ties / pairs)
        return Problem(what=what, allowed=f"tie_confidence from {least}", fix=f"--tie-confidence {least}")

