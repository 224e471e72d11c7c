"""Cluster centres from answers about pairs, on the lines of the plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem
from graphanon.tabular.ldp.evidence import evidence_of, margins_of
from graphanon.tabular.ldp.latent import drawn_together, fit
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.mechanism import Oracle
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.reports import Reports

__all__ = ["Centres", "centre_column", "centres_from_pairs", "distances", "nearest_centre"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Centres:
    """K prototypes: `points` float64[K, attributes], each a number, or the cell of a label; `shares` float64[K]."""

    lines: tuple[Line, ...]
    points: Floats
    shares: Floats

    def texts(self) -> dict[str, list[str]]:
        """Return one column of text an attribute, numbers as they are and labels by name."""
        return {
            line.name: [f"{value:.6g}" for value in column.tolist()] if line.numeric
            else line.texts(column.astype(np.int64))
            for line, column in zip(self.lines, self.points.T, strict=True)}


def centres_from_pairs(plan: Plan, reports: Reports, k: int, rng: Generator, *, starts: int = 6) -> Centres:
    """Return the profiles of `k` latent classes as prototypes: means of numbers, the likeliest labels.

    What noise alone would have driven apart is drawn together again, so an attribute in which classes do not
    stand out of the noise has one value in all centres.

    The larger class comes first. Spends nothing: it sees answers alone.

    Raises
    ------
    InputProblem
        If `k` is below 1 or above the number of people, or the plan does not ask about pairs.
    """
    if not 1 <= k <= reports.n:
        raise InputProblem(Problem(what=f"{k} clusters were asked of {reports.n} people", allowed=f"from 1 to {reports.n}",
                                   fix="--clusters K, or clusters=K"))
    if len(plan.lines) == 1:
        return _of_one(plan, reports, k)
    evidence = evidence_of(plan, reports)
    margins = margins_of(evidence, _sizes(plan))
    embeddings = [_embedding(line, len(margin)) for line, margin in zip(plan.lines, margins, strict=True)]
    found = drawn_together(evidence, fit(evidence, margins, embeddings, k, rng, starts=starts))
    order = np.argsort(-found.shares, kind="stable")
    columns = [centre_column(line, profile[order]) for line, profile in zip(plan.lines, found.profiles, strict=True)]
    return Centres(lines=plan.lines, points=np.stack(columns, axis=1), shares=found.shares[order])


def distances(centres: Centres, cells: NDArray[np.int64]) -> Floats:
    """Return float64[n, K]: squared differences of numbers scaled to 0 … 1, and 1 for each label that differs.

    A missing number is as far from every centre as a label that differs.
    """
    found = np.zeros((len(cells), len(centres.points)))
    for j, line in enumerate(centres.lines):
        if line.numeric:
            span = line.high - line.low
            place = (centres.points[:, j] - line.low) / span if span else np.zeros(len(centres.points))
            own = np.append(line.scaled(), np.nan)[cells[:, j]]
            found += np.nan_to_num((own[:, None] - place[None, :]) ** 2, nan=1.0)
        else:
            found += cells[:, j, None] != centres.points[None, :, j]
    return found


def nearest_centre(centres: Centres, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return int64[n]: the nearest centre of each record int64[n, attributes], ties to the first."""
    return np.asarray(np.argmin(distances(centres, cells), axis=1), dtype=np.int64)


def _sizes(plan: Plan) -> list[int]:
    sizes = [line.size for line in plan.lines]
    for question in plan.questions:
        for j, size in zip(question.attributes, question.shape(plan.lines), strict=True):
            sizes[j] = size
    return sizes


def _places(line: Line, inputs: int) -> Floats:
    """Return where the anchors of a number lie, from 0 to 1."""
    anchors = inputs - line.missing
    return np.arange(anchors) / max(anchors - 1, 1)


def _embedding(line: Line, inputs: int) -> Floats:
    """Return places of which squared distances are those of K-Prototypes: 1 between labels; a missing number is apart."""
    if not line.numeric:
        return np.asarray(np.eye(inputs) / np.sqrt(2))
    place = np.zeros((1 + line.missing, inputs))
    place[0, : inputs - line.missing] = _places(line, inputs)
    if line.missing:
        place[0, -1], place[1, -1] = 0.5, 1.0
    return place


def centre_column(line: Line, profile: Floats) -> Floats:
    """Return float64[K]: the commonest label of each profile float64[K, inputs], or the mean of a number."""
    if not line.numeric:
        return np.asarray(profile.argmax(axis=1), dtype=np.float64)
    places = _places(line, profile.shape[1])
    present = profile[:, : len(places)]
    mean = present @ places / np.maximum(present.sum(axis=1), 1e-12)
    return np.asarray(line.low + mean * (line.high - line.low))


def _of_one(plan: Plan, reports: Reports, k: int) -> Centres:
    """Return the centres of a single attribute: the commonest labels, or the means of K parts of a number's line."""
    line, mechanism = plan.lines[0], plan.questions[0].mechanism
    if not isinstance(mechanism, Oracle):
        raise InputProblem(Problem(what="these reports tell no distribution", fix="--mechanism auto"))
    share = np.maximum(mechanism.frequencies(reports.answers[0]).value[: line.known], 1e-12)
    share = share / share.sum()
    if not line.numeric:
        best = np.argsort(-share, kind="stable")[np.arange(k) % line.known]
        return Centres(lines=plan.lines, points=best[:, None].astype(np.float64), shares=share[best])
    values = line.values()
    centres = values[np.searchsorted(np.cumsum(share), (np.arange(k) + 0.5) / k).clip(0, len(values) - 1)]
    weight = np.ones(k)
    for _ in range(50):
        nearest = np.argmin(np.abs(values[:, None] - centres[None, :]), axis=1)
        weight = np.bincount(nearest, weights=share, minlength=k).astype(np.float64)
        total = np.bincount(nearest, weights=share * values, minlength=k)
        centres = np.where(weight > 0, total / np.maximum(weight, 1e-300), centres)
    order = np.argsort(-weight, kind="stable")
    return Centres(lines=plan.lines, points=centres[order][:, None], shares=weight[order])
