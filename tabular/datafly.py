"""Datafly: generalize the attribute with the most values by one level, until few people are alone.

L. Sweeney, *Guaranteeing Anonymity when Sharing Medical Data, the Datafly System*, 1997, and *Achieving k-Anonymity
Privacy Protection Using Generalization and Suppression*, 2002, for the method with suppression; three forms without
it by Yue, Wu and Gu, *Research on k-anonymity privacy protection in data publishing*, 2017: one attribute until it
is exhausted (how the paper describes Datafly), the choice made anew in each round, and the improved form, in which
limits hold levels down and equally diverse attributes are told apart by their degree of approximation.

Sweeney's method withholds up to k people by a rule of its own where no allowance is given (``max_suppress``); an
allowance wins. The others withhold nobody unless an allowance is given. Sweeney also asks that whoever is withheld be one of k, so that
to be missing tells no more of a person than to be there (``enforce_k``); then others join them, of classes
that can spare someone. The paper of 2017 has limits and does not say what follows when they block every attribute: each form fails
with the levels and what is left there, or withholds whoever is left (``blocked="suppress"``). People who are
withheld are not in the release at all: as rows of ``*`` they would be a class, and a class needs k.

None of the forms looks at what is lost, so the improved one need not be better than the classical one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.errors import InfeasiblePromise, Problem
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, Grouping, Partition, classes
from graphanon.method import About, RecodeFirst, parameter
from graphanon.progress import advance, notice
from graphanon.repair import kept_classes
from graphanon.requirement import Requirement
from graphanon.schema import Role
from graphanon.tabular.ladders import Ladders, ladders_of
from graphanon.tabular.limits import blocked

__all__ = ["Datafly", "DataflyFixed", "DataflyImproved", "DataflyMulti", "approximation"]

Ints = NDArray[np.int64]
_STAGE = "generalize"
_GUARANTEE = "every class has at least k people and keeps what is promised of sensitive values"
_SEED = "Yue, Wu and Gu, Research on k-Anonymity Privacy Protection in Data Publishing, 2017"


@dataclass(frozen=True, kw_only=True)
class _Climb(RecodeFirst):
    """Generalize one attribute by one level at a time; which one is what the forms differ in."""

    blocked: Literal["fail", "suppress"] = parameter(
        "fail", "when limits block every attribute: refuse, or withhold those who are left (where no allowance is given)",
        choices=("fail", "suppress"),
    )

    def allowance(self, graph: AttributedGraph, requirement: Requirement) -> float:
        """Return the share that may be withheld: the requirement's, else by the form's own rule or whoever is left."""
        if requirement.withhold or graph.n <= requirement.k:
            return requirement.withhold
        own = self._own_allowance(graph, requirement)
        if self.blocked == "suppress":
            ladders = ladders_of(graph, requirement)
            left_out = _left_out(graph, ladders, requirement, ladders.tops.tolist())
            # k people at least stay, or there is nothing to release
            if int(own * graph.n + 1e-9) < left_out <= graph.n - requirement.k:
                notice(f"level limits block every attribute, so up to {left_out} of {graph.n} people are withheld as asked")
                return left_out / graph.n
        return own

    def _own_allowance(self, graph: AttributedGraph, requirement: Requirement) -> float:
        """Return the share that the form withholds where nothing is said."""
        del graph, requirement
        return 0.0

    def recode(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Boxes:
        """Return everyone's box on the first levels on which no more people are left out than may be withheld."""
        ladders = ladders_of(graph, requirement)
        allowed = int(requirement.withhold * graph.n + 1e-9)
        level, left_out = self.climb(graph, ladders, requirement, rng, allowed)
        if left_out > allowed:
            way_out = "" if self.blocked == "suppress" else "--set blocked=suppress, which withholds them"
            raise blocked(graph, ladders, requirement, fix=way_out)
        return ladders.boxes(level)

    def climb(
        self, graph: AttributedGraph, ladders: Ladders, requirement: Requirement, rng: Generator, allowed: int
    ) -> tuple[list[int], int]:
        """Return the levels at which the climb ends, and how many people are left out there."""
        level = [0] * ladders.q
        steps = int(ladders.tops.sum())
        first = ladders.counts(level)
        while True:
            advance(_STAGE, sum(level), steps)
            left_out = _left_out(graph, ladders, requirement, level)
            open_ = [j for j, top in enumerate(ladders.tops.tolist()) if level[j] < top]
            if not open_ or (left_out <= allowed and self._ends(graph, ladders, requirement, level)):
                return level, left_out
            level[self._next(open_, ladders.counts(level), first, rng)] += 1

    @abstractmethod
    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        """Return which of the attributes is generalized, from the counts of their values now and at first."""

    def _ends(self, graph: AttributedGraph, ladders: Ladders, requirement: Requirement, level: Sequence[int]) -> bool:
        """Return whether levels on which few enough are left out end the climb."""
        del graph, ladders, requirement, level
        return True


def _left_out(graph: AttributedGraph, ladders: Ladders, requirement: Requirement, level: Sequence[int]) -> int:
    """Return how many people are in classes that do not keep what is asked."""
    partition, _ = classes(ladders.boxes(level))
    return int(partition.sizes[~kept_classes(graph, partition, requirement)].sum())


def _most_diverse(open_: Sequence[int], counts: Sequence[Ints]) -> list[int]:
    """Return the attributes with the most values, in declared order."""
    most = max(len(counts[j]) for j in open_)
    return [j for j in open_ if len(counts[j]) == most]


def approximation(count: Ints) -> float:
    """Return how unevenly the values of an attribute are shared out: the standard deviation of their shares.

    ``count`` int64[m] is how often each of m values occurs. Source: Yue, Wu and Gu, 2017.

    Examples
    --------
    >>> approximation(np.array([2, 2])), approximation(np.array([3, 1]))
    (0.0, 0.25)
    """
    return float(np.std(count / count.sum()))


def _joined(graph: AttributedGraph, partition: Partition, requirement: Requirement) -> Partition:
    """Return the partition with k people withheld where fewer are, as far as classes can spare others.

    The largest classes are asked first; nobody goes whose class or any other would break a promise by it.
    """
    labels, sizes = partition.labels.copy(), partition.sizes
    lacking = requirement.k - partition.withheld if partition.withheld else 0
    sensitive = np.stack([graph.payload[column.name].codes for column in graph.schema.of_role(Role.SENSITIVE)]
                         or [np.zeros(graph.n, dtype=np.int64)], axis=1)
    kept = np.flatnonzero(labels >= 0)
    refused = set()
    for person in kept[np.lexsort([labels[kept], -sizes[labels[kept]]])].tolist():
        if lacking <= 0:
            break
        like = int(labels[person]), *sensitive[person].tolist()
        if sizes[like[0]] <= requirement.k or like in refused:
            continue
        labels[person] = -1
        if kept_classes(graph, Partition(labels), requirement).all():
            sizes[like[0]] -= 1
            lacking -= 1
        else:
            labels[person] = like[0]
            refused.add(like)
    return Partition(labels, partition.floors)


@dataclass(frozen=True, kw_only=True)
class Datafly(_Climb):
    """Generalize the attribute with the most values until at most k people are left out, and withhold them.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    no      yes     yes         promises are kept
    ======  ======  ==========  =================

    Source: L. Sweeney, Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, 2002.

    Examples
    --------
    >>> Datafly(max_suppress=0.02, enforce_k=True)
    Datafly(blocked='fail', max_suppress=0.02, enforce_k=True)
    """

    about: ClassVar[About] = About(
        name="datafly",
        paper="Sweeney, Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, 2002",
        guarantee=_GUARANTEE, ties=False, sensitive=True,
    )

    max_suppress: float | str = parameter(
        "k", "how many people may be withheld where no allowance is given: up to k (Sweeney), up to k - 1, or a share",
        low=0, high=0.99, choices=("k", "k-1"),
    )
    enforce_k: bool = parameter(default=False, text="whether at least k people are withheld if anyone is")

    def group(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Grouping:
        """Return the classes; with `enforce_k` others are withheld beside those who are fewer than k.

        Raises
        ------
        InfeasiblePromise
            If no levels that the schema permits keep what is asked, or nobody else can be spared.
        """
        found = super().group(graph, requirement, rng)
        if not self.enforce_k:
            return found
        joined = _joined(graph, found.partition, requirement)
        if 0 < joined.withheld < requirement.k:
            raise InfeasiblePromise(Problem(
                what=f"{joined.withheld} of {graph.n} people are withheld, fewer than k, and no class can spare another",
                allowed=f"nobody or at least {requirement.k} people withheld", fix="--set enforce_k=false",
            ))
        requirement.check_withheld(joined.withheld, graph.n)
        return Grouping(graph, joined, found.boxes)

    def _own_allowance(self, graph: AttributedGraph, requirement: Requirement) -> float:
        people = {"k": requirement.k, "k-1": requirement.k - 1}.get(str(self.max_suppress))
        share = float(self.max_suppress) if people is None else people / graph.n
        if share:
            notice(f"datafly may withhold up to {int(share * graph.n + 1e-9)} of {graph.n} people by its own rule "
                   f"(max_suppress={self.max_suppress}); an allowance (withhold) or --set max_suppress=0 takes its place")
        return share

    def _ends(self, graph: AttributedGraph, ladders: Ladders, requirement: Requirement, level: Sequence[int]) -> bool:
        if not self.enforce_k:
            return True
        partition, _ = classes(ladders.boxes(level))
        good = kept_classes(graph, partition, requirement)
        joined = _joined(graph, Partition(np.where(good, np.cumsum(good) - 1, -1)[partition.labels]), requirement)
        return joined.withheld <= requirement.withhold * graph.n + 1e-9 and not 0 < joined.withheld < requirement.k

    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        del first, rng
        return _most_diverse(open_, counts)[0]


@dataclass(frozen=True, kw_only=True)
class DataflyFixed(_Climb):
    """Generalize the attribute that has the most values at first until it is exhausted, then the next of them.

    It looks at what :class:`Datafly` looks at. Source: Yue, Wu and Gu, 2017, section 2.2.

    Examples
    --------
    >>> DataflyFixed()
    DataflyFixed(blocked='fail')
    """

    about: ClassVar[About] = About(name="datafly-fixed", paper=_SEED, guarantee=_GUARANTEE, ties=False, sensitive=True)

    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        del counts, rng
        return _most_diverse(open_, first)[0]


@dataclass(frozen=True, kw_only=True)
class DataflyMulti(_Climb):
    """Generalize the attribute that has the most values now; equally diverse ones take their turn by lot.

    It looks at what :class:`Datafly` looks at. Source: Yue, Wu and Gu, 2017, section 2.2.

    Examples
    --------
    >>> DataflyMulti(among="first").blocked
    'fail'
    """

    about: ClassVar[About] = About(name="datafly-multi", paper=_SEED, guarantee=_GUARANTEE, ties=False, sensitive=True)

    among: Literal["random", "first"] = parameter(
        "random", "which of equally diverse attributes is generalized", choices=("random", "first")
    )

    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        del first
        alike = _most_diverse(open_, counts)
        return alike[0] if self.among == "first" else int(rng.choice(alike))


@dataclass(frozen=True, kw_only=True)
class DataflyImproved(_Climb):
    """Generalize the attribute with the most values, of equally diverse ones the most uneven, up to its limit.

    It looks at what :class:`Datafly` looks at. Source: Yue, Wu and Gu, 2017, section 3.2.

    Examples
    --------
    >>> DataflyImproved(blocked="suppress")
    DataflyImproved(blocked='suppress')
    """

    about: ClassVar[About] = About(name="datafly-improved", paper=_SEED, guarantee=_GUARANTEE, ties=False, sensitive=True)

    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        del first, rng
        return max(_most_diverse(open_, counts), key=lambda j: (approximation(counts[j]), -j))
