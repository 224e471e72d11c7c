"""EKPCA: K-Prototypes in which a category counts by how rare it is in the cluster. A reconstruction.

"Enhanced K-Prototypes mixed data clustering algorithm" is one of the two clusterings without privacy in Zhang, Chen,
Wang, Zhai and Ma, *K-Prototypes clustering method for local differential privacy*, 2022 (in Chinese); the paper that it
cites could not be identified. The closest one known, Shi and Xu, an improved k-prototypes algorithm by average difference
degree, Journal of Shenyang University of Technology 41(5), 2019 (in Chinese), is known from its abstract: starting centres by mean
difference, entropy weights for numbers, and an improved measure for categories. So this is what is done here:

- the centres of :mod:`graphanon.tabular.centre_choice`,
- weights of :mod:`graphanon.tabular.entropy_weights` over the numbers alone,
- for categories the mean, over attributes, of 1 - the share of the cluster that has the same value; before there are
  clusters, 0 or 1.

A round may raise this cost, so the best one is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.method import About, ClusterFirst, parameter
from graphanon.requirement import Requirement
from graphanon.tabular.centre_choice import Codes, Fallback, First, choose_centres, sampled
from graphanon.tabular.cluster_classes import classes_of, clusters_for, records_of
from graphanon.tabular.entropy_weights import Wording, entropy_weights
from graphanon.tabular.prototypes import Clustering, Records, Weights, at, check_clusters, distinct, lloyd

__all__ = ["Ekpca", "cluster_by_frequency", "frequency_weights"]


def frequency_weights(records: Records, wording: Wording = "method") -> Weights:
    """Return the entropy weights of the numbers, and 1 / q for each of q categories."""
    p, q = records.numbers.shape[1], len(records.sizes)
    numbers = Records(records.numbers, records.codes[:, :0], (), records.weight)
    return Weights(entropy_weights(numbers, wording=wording).numbers if p else np.empty(0), np.full(q, 1 / max(q, 1)))


def cluster_by_frequency(
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
    """Return the clustering in which a category counts by its frequency; its prototypes are means and modes.

    The centres are chosen among `people`, for instance a sample, if given. Nothing is left to chance.

    Raises
    ------
    InputProblem
        If `clusters` is not from 1 to the number of records.

    Examples
    --------
    >>> from graphanon.tabular.prototypes import records_from
    >>> records = records_from([[0.0], [0.1], [0.9], [1.0]], [["a"], ["a"], ["b"], ["b"]])
    >>> cluster_by_frequency(records, 2).labels
    array([0, 0, 1, 1])
    """
    check_clusters(records, clusters)
    points, inverse = distinct(records)
    some = points if people is None else people
    start = at(some, choose_centres(some, min(clusters, some.n), first=first, fallback=fallback, codes=codes))
    found = lloyd(points, start, frequency_weights(records, wording), price="frequency", max_iter=max_iter)
    return replace(found, labels=found.labels[inverse], gaps=found.gaps[inverse])


@dataclass(frozen=True, kw_only=True)
class Ekpca(ClusterFirst):
    """Cluster records around means and frequencies; clusters that are too small dissolve. A reconstruction.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    ignored yes     yes         ignored
    ======  ======  ==========  =================

    Source: reconstructed after Shi and Xu, an improved k-prototypes algorithm by average difference degree, 2019.

    Examples
    --------
    >>> Ekpca(clusters=4).first
    'outlier'
    """

    about: ClassVar[About] = About(
        name="ekpca",
        paper="a reconstruction after Shi and Xu, An improved k-prototypes algorithm by average difference degree, 2019",
        guarantee="every class has at least k people",
        ties=False,
    )

    clusters: int | None = parameter(
        None, "clusters to begin with; left out, one for every k people", low=1
    )
    first: Literal["outlier", "medoid"] = parameter(
        "outlier", "first centre: the record of largest mean dissimilarity, or of least", choices=("outlier", "medoid")
    )
    fallback: Literal["farthest", "shrink"] = parameter(
        "farthest", "if too few records are far enough: the farthest one, or half the limit", choices=("farthest", "shrink")
    )
    codes: Literal["names", "label"] = parameter(
        "names", "categories, for dissimilarities: names, or label codes taken for numbers", choices=("names", "label")
    )
    wording: Literal["method", "text"] = parameter(
        "method", "entropy weights: as the method has them, or as the paper's text says", choices=("method", "text")
    )
    sample: int | None = parameter(20_000, "people among whom dissimilarities are measured; none for all", low=2)
    max_iter: int = parameter(100, "rounds at most", low=1)

    def partition(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Partition:
        """Return the clusters, without those that are too small."""
        records = records_of(graph)
        found = cluster_by_frequency(
            records, clusters_for(graph, requirement, self.clusters), first=self.first, fallback=self.fallback,
            codes=self.codes, wording=self.wording, people=sampled(distinct(records)[0], self.sample, rng),
            max_iter=self.max_iter,
        )
        return classes_of(graph, requirement, records, found, frequency_weights(records, self.wording))
