"""K-Prototypes: clusters of mixed records around means and modes.

Zhexue Huang, *Extensions to the k-Means Algorithm for Clustering Large Data Sets with Categorical Values*, Data
Mining and Knowledge Discovery 2, 1998. The paper's gamma, the weight of a category, is `eta` here, as in the works
on differential privacy that use it. Huang suggests the standard deviation of the numbers as guidance; the
default is half of its mean, as in the library kmodes.

Prototypes follow when everyone has been assigned (Lloyd); Huang's own way, in which a prototype follows every single
record, is ``update="record"``. Where to start is open in the paper: far from each other by chance (``init="spread"``), at
random records, or by mean dissimilarity (:mod:`graphanon.tabular.centre_choice`). Both ways end in a local optimum, so a
search may be begun again (`n_init`), and a finished one may try prototypes elsewhere: one that can be spared goes to a
record far from its own, or one takes the categories of such a record (`swaps`; P. Fränti, Efficiency of random swap
clustering, Journal of Big Data 5, 2018).

With ``init="dissimilarity"`` and ``weights="entropy"`` it is the improved K-Prototypes of Zhang, Chen, Wang, Zhai and Ma,
*K-Prototypes clustering method for local differential privacy*, 2022 (in Chinese).

As a method for releases, clusters of fewer people than anyone in them asks for dissolve, the smallest first, each of
their records into the nearest prototype that is left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from graphanon.domain import Floats
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, ClusterFirst, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.tabular.centre_choice import Codes, Fallback, First, choose_centres, sampled
from graphanon.tabular.cluster_classes import classes_of, clusters_for, records_of
from graphanon.tabular.entropy_weights import Wording, entropy_weights
from graphanon.tabular.prototypes import (
    Clustering,
    Prototypes,
    Records,
    Update,
    Weights,
    assigned,
    at,
    check_clusters,
    distinct,
    lloyd,
    spread,
    weights_for,
)

__all__ = ["Init", "KPrototypes", "cluster_records", "improved"]

Init = Literal["spread", "random", "dissimilarity"]
_SLACK = 0.01  # by how much the cost may rise at first, as a share
_STEPS = 3  # rounds after which a swap has shown what it is worth


def cluster_records(
    records: Records,
    clusters: int,
    rng: Generator,
    *,
    eta: float | None = None,
    weights: Weights | None = None,
    init: Init = "spread",
    sample: int | None = None,
    update: Update = "batch",
    n_init: int = 1,
    swaps: int = 64,
    max_iter: int = 100,
) -> Clustering:
    """Return the clustering of least cost that was found.

    `eta` is the weight of a category (left out: half the mean standard deviation of the numbers), `weights` has one for each
    attribute instead. There are fewer prototypes than `clusters` if there are fewer different records. With
    ``init="dissimilarity"`` distances are measured among a `sample` of so many people, None for all.

    Raises
    ------
    InputProblem
        If `clusters` is not from 1 to the number of records.

    Examples
    --------
    >>> from graphanon.tabular.prototypes import records_from
    >>> numbers = [[0, 0.1], [0.1, 0], [0.2, 0.2], [0.9, 1], [1, 0.8], [0.8, 0.9]]
    >>> records = records_from(numbers, [["a"], ["a"], ["b"], ["b"], ["b"], ["b"]])
    >>> found = cluster_records(records, 2, np.random.default_rng(1))
    >>> round(found.cost, 7), sorted(found.prototypes.numbers.round(2).tolist())
    (0.2841241, [[0.1, 0.1], [0.9, 0.9]])
    """
    check_clusters(records, clusters)
    points, inverse = distinct(records)
    chosen = weights_for(records, eta) if weights is None else weights
    runs = []
    for begun in range(n_init):
        start = _start(points, clusters, chosen, rng, init=init, sample=sample)
        found = lloyd(points, start, chosen, update=update, max_iter=max_iter)
        better = _swapped(points, found, chosen, swaps, rng)
        if better is not found:
            better = lloyd(points, better.prototypes, chosen, update=update, max_iter=max_iter)
        runs.append(better)
        advance("cluster", begun + 1, n_init)
    best = min(runs, key=lambda run: run.cost)
    return replace(best, labels=best.labels[inverse], gaps=best.gaps[inverse])


def improved(
    records: Records,
    clusters: int,
    *,
    first: First = "outlier",
    fallback: Fallback = "farthest",
    codes: Codes = "names",
    wording: Wording = "method",
    people: Records | None = None,
    max_iter: int = 100,
) -> Clustering:
    """Return the clustering of the improved K-Prototypes: centres by dissimilarity, weights by entropy.

    The centres are chosen among `people`, for instance a sample, if given. Nothing is left to chance.

    Raises
    ------
    InputProblem
        If `clusters` is not from 1 to the number of records.
    """
    check_clusters(records, clusters)
    points, inverse = distinct(records)
    some = points if people is None else people
    centres = choose_centres(some, min(clusters, some.n), first=first, fallback=fallback, codes=codes)
    weights = entropy_weights(records, wording=wording, codes=codes)
    found = lloyd(points, at(some, centres), weights, max_iter=max_iter)
    return replace(found, labels=found.labels[inverse], gaps=found.gaps[inverse])


def _start(
    points: Records, clusters: int, weights: Weights, rng: Generator, *, init: Init, sample: int | None
) -> Prototypes:
    if init == "spread":
        return at(points, spread(points, clusters, weights, rng))
    if init == "random":
        return at(points, rng.choice(len(points), size=min(clusters, len(points)), replace=False))
    some = sampled(points, sample, rng)
    return at(some, choose_centres(some, min(clusters, some.n)))


def _swapped(points: Records, found: Clustering, weights: Weights, swaps: int, rng: Generator) -> Clustering:
    """Try other prototypes, each for a few rounds, and return the best; at first a little loss is put up with."""
    best, tries = found, swaps if len(found.prototypes) > 1 and found.cost > 0 else 0
    for tried in range(tries):
        if tried == tries // 2:
            found = best
        slack = _SLACK * max(0.0, 1 - 2 * tried / tries)
        new = lloyd(points, _elsewhere(points, found, weights, rng, modes=tried % 2 == 1), weights, max_iter=_STEPS)
        found = new if new.cost < found.cost * (1 + slack) else found
        best = found if found.cost < best.cost else best
        advance("try other prototypes", tried + 1, tries)
    return best


def _elsewhere(points: Records, found: Clustering, weights: Weights, rng: Generator, *, modes: bool) -> Prototypes:
    """Return the prototypes with one at a record far from its own, or with the `modes` of such a record instead."""
    numbers, codes = found.prototypes.numbers.copy(), found.prototypes.codes.copy()
    heap = np.cumsum(points.weight * found.gaps)
    v = int(np.searchsorted(heap, rng.random() * heap[-1], side="right").clip(max=len(points) - 1))
    if modes:
        c = int(found.labels[v])
    else:
        c = int(rng.choice(len(numbers), p=_dispensable(points, found, weights)))
        numbers[c] = points.numbers[v]
    codes[c] = points.codes[v]
    return Prototypes(numbers, codes)


def _dispensable(points: Records, found: Clustering, weights: Weights) -> Floats:
    """Return a chance for each prototype: the greater, the less its cluster would cost at the next one."""
    own, K = found.prototypes, len(found.prototypes)
    apart = Records(own.numbers, own.codes, points.sizes, np.ones(K, dtype=np.int64))
    each = np.array([assigned(apart, at(apart, [c]), weights)[1] for c in range(K)])
    np.fill_diagonal(each, np.inf)
    size = np.bincount(found.labels, weights=points.weight, minlength=K)
    chance = 1 / np.maximum(size * each.min(axis=0), 1e-9)
    return np.asarray(chance / chance.sum())


@dataclass(frozen=True, kw_only=True)
class KPrototypes(ClusterFirst):
    """Cluster records around means and modes; clusters that are too small dissolve into the nearest.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    ignored yes     yes         ignored
    ======  ======  ==========  =================

    Source: Huang, Extensions to the k-Means Algorithm for Clustering Large Data Sets with Categorical Values, 1998.

    Examples
    --------
    >>> KPrototypes(clusters=4).init
    'spread'
    """

    about: ClassVar[About] = About(
        name="k-prototypes",
        paper="Huang, Extensions to the k-Means Algorithm for Clustering Large Data Sets with Categorical Values, 1998",
        guarantee="every class has at least k people",
        ties=False,
    )

    clusters: int | None = parameter(
        None, "clusters to begin with; left out, one for every k people", low=1
    )
    eta: float | None = parameter(
        None, "weight of a category; left out, half the mean standard deviation of the numbers", low=0
    )
    weights: Literal["eta", "entropy"] = parameter(
        "eta", "what attributes count: 1 and eta, or by the entropy of their values", choices=("eta", "entropy")
    )
    init: Literal["spread", "random", "dissimilarity"] = parameter(
        "spread", "where to start: far apart by chance, at random, or by mean dissimilarity",
        choices=("spread", "random", "dissimilarity"),
    )
    codes: Literal["names", "label"] = parameter(
        "names", "categories, for entropies: names, or label codes taken for numbers", choices=("names", "label")
    )
    wording: Literal["method", "text"] = parameter(
        "method", "entropy weights: as the method has them, or as the paper's text says", choices=("method", "text")
    )
    update: Literal["batch", "record"] = parameter(
        "batch", "when prototypes follow: after everyone was assigned, or after each record (Huang)",
        choices=("batch", "record"),
    )
    n_init: int = parameter(1, "searches, of which the best counts", low=1)
    swaps: int = parameter(0, "prototypes that are tried elsewhere after each search", low=0)
    sample: int | None = parameter(20_000, "people among whom dissimilarities are measured; none for all", low=2)
    max_iter: int = parameter(100, "rounds of a search at most", low=1)

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the clusters, without those that are too small."""
        records = records_of(graph)
        weights = weights_for(records, self.eta)
        if self.weights == "entropy":
            weights = entropy_weights(records, wording=self.wording, codes=self.codes)
        found = cluster_records(
            records, clusters_for(graph, requirement, self.clusters), rng, weights=weights, init=self.init,
            sample=self.sample, update=self.update, n_init=self.n_init, swaps=self.swaps, max_iter=self.max_iter,
        )
        return classes_of(graph, requirement, records, found, weights)
