"""Datafly: generalize the attribute with the most values by one level, until few people are alone.

L. Sweeney, *Guaranteeing Anonymity when Sharing Medical Data, the Datafly System*, 1997, and *Achieving k-Anonymity
Privacy Protection Using Generalization and Suppression*, 2002, for the method with suppression; three forms without
it by Yue, Wu and Gu, *Research on k-anonymity privacy protection in data publishing*, 2017: one attribute until it
is exhausted (how the paper describes Datafly), the choice made anew in each round, and the improved form, in which
limits hold levels down and equally diverse attributes are told apart by their degree of approximation.

Sweeney's method withholds up to k people by a rule of its own where no allowance is given; an allowance wins. The
others withhold nobody unless an allowance is given. None of them looks at what is lost, so the improved form need
not be better than the classical one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes, classes
from graphanon.method import About, RecodeFirst, parameter
from graphanon.progress import advance, notice
from graphanon.repair import kept_classes
from graphanon.requirement import Requirement
from graphanon.tabular.ladders import Ladders, ladders_of
from graphanon.tabular.limits import blocked

__all__ = ["Datafly", "DataflyFixed", "DataflyImproved", "DataflyMulti", "approximation"]

Ints = NDArray[np.int64]
_STAGE = "generalize"
_GUARANTEE = "every class has at least k people and keeps what is promised of sensitive values"
_SEED = "Yue, Wu and Gu, Research on k-Anonymity Privacy Protection in Data Publishing, 2017"


@dataclass(frozen=True, kw_only=True)
class _Climb(RecodeFirst):
    """Generalize one attribute by one level at a time."""

    def recode(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Boxes:
        """Return everyone's box on the first levels on which no more people are left out than may be withheld."""
        ladders = ladders_of(graph, requirement)
        allowed = int(requirement.withhold * graph.n + 1e-9)
        level, left_out = self.climb(graph, ladders, requirement, rng, allowed)
        if left_out > allowed:
            raise blocked(graph, ladders, requirement, fix=self._way_out())
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
            if left_out <= allowed or not open_:
                return level, left_out
            level[self._next(open_, ladders.counts(level), first, rng)] += 1

    @abstractmethod
    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        """Return which of the attributes is generalized, from the counts of their values now and at first."""

    def _way_out(self) -> str:
        """Return what else resolves levels that are blocked."""
        return ""


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
    >>> Datafly(suppress="allowance")
    Datafly(suppress='allowance')
    """

    about: ClassVar[About] = About(
        name="datafly",
        paper="Sweeney, Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, 2002",
        guarantee=_GUARANTEE, ties=False,
    )

    suppress: Literal["k", "allowance"] = parameter(
        "k", "who may be withheld where no allowance is given: up to k people (Sweeney), or nobody",
        choices=("k", "allowance"),
    )

    def allowance(self, graph: AttributedGraph, requirement: Requirement) -> float:
        """Return the share that may be withheld: the requirement's, or that of k people where it gives none."""
        if requirement.withhold or self.suppress == "allowance" or graph.n <= requirement.k:
            return requirement.withhold
        notice(f"datafly may withhold up to k = {requirement.k} people by its own rule; an allowance (withhold) or "
               "--set suppress=allowance takes its place")
        return requirement.k / graph.n

    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        del first, rng
        return _most_diverse(open_, counts)[0]


@dataclass(frozen=True, kw_only=True)
class DataflyFixed(_Climb):
    """Generalize the attribute that has the most values at first until it is exhausted, then the next of them.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    no      yes     yes         promises are kept
    ======  ======  ==========  =================

    Source: Yue, Wu and Gu, Research on k-Anonymity Privacy Protection in Data Publishing, 2017, section 2.2.

    Examples
    --------
    >>> DataflyFixed()
    DataflyFixed()
    """

    about: ClassVar[About] = About(name="datafly-fixed", paper=_SEED, guarantee=_GUARANTEE, ties=False)

    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        del counts, rng
        return _most_diverse(open_, first)[0]


@dataclass(frozen=True, kw_only=True)
class DataflyMulti(_Climb):
    """Generalize the attribute that has the most values now; equally diverse ones take their turn by lot.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    no      yes     yes         promises are kept
    ======  ======  ==========  =================

    Source: Yue, Wu and Gu, Research on k-Anonymity Privacy Protection in Data Publishing, 2017, section 2.2.

    Examples
    --------
    >>> DataflyMulti(among="first")
    DataflyMulti(among='first')
    """

    about: ClassVar[About] = About(name="datafly-multi", paper=_SEED, guarantee=_GUARANTEE, ties=False)

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

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    no      yes     yes         promises are kept
    ======  ======  ==========  =================

    Source: Yue, Wu and Gu, Research on k-Anonymity Privacy Protection in Data Publishing, 2017, section 3.2.

    Examples
    --------
    >>> DataflyImproved(blocked="suppress")
    DataflyImproved(blocked='suppress')
    """

    about: ClassVar[About] = About(name="datafly-improved", paper=_SEED, guarantee=_GUARANTEE, ties=False)

    blocked: Literal["fail", "suppress"] = parameter(
        "fail", "when limits block every attribute: refuse, or withhold those who are left (where no allowance is given)",
        choices=("fail", "suppress"),
    )

    def allowance(self, graph: AttributedGraph, requirement: Requirement) -> float:
        """Return the share that may be withheld: the requirement's, or whoever is left where limits block all."""
        if requirement.withhold or self.blocked == "fail" or graph.n < requirement.k:
            return requirement.withhold
        ladders = ladders_of(graph, requirement)
        _, left_out = self.climb(graph, ladders, requirement, np.random.default_rng(0), 0)
        if left_out:
            notice(f"level limits block every attribute, so {left_out} of {graph.n} people are withheld as asked")
        # k people at least stay, or there is nothing to release
        return left_out / graph.n if left_out <= graph.n - requirement.k else requirement.withhold

    def _next(self, open_: Sequence[int], counts: Sequence[Ints], first: Sequence[Ints], rng: Generator) -> int:
        del first, rng
        return max(_most_diverse(open_, counts), key=lambda j: (approximation(counts[j]), -j))

    def _way_out(self) -> str:
        return ", or --set blocked=suppress withholds them"
