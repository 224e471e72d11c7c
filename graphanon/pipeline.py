"""From people and ties to an audited release: read, arrange, group, publish, write, audit, appear.

Everything is built in a folder of its own, read back and recounted there by code that took no part
in making it, and appears by one rename. When the recount disagrees with a promise nothing appears.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import sparse

from graphanon.audit import Finding, Findings, audit_release, audit_truth
from graphanon.catalog import make
from graphanon.domain import Domain, Order, Tree
from graphanon.errors import WAYS_OUT, BrokenPromise, InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, hull
from graphanon.io import Reading, ReadOptions
from graphanon.io import read as read_source
from graphanon.io.build import build
from graphanon.io.order import arrange
from graphanon.io.schema_file import read_schema
from graphanon.loss import private_losses, public_losses
from graphanon.method import ClusterFirst, Method, RecodeFirst
from graphanon.notebook import card
from graphanon.progress import advance, notice
from graphanon.refine import End, Objective, default_objective, refinement
from graphanon.release import Release, Workspace, publish_with_key
from graphanon.release.publishing import Published
from graphanon.requirement import Requirement
from graphanon.schema import Schema
from graphanon.tabular.metrics import private_measures, utility

__all__ = ["Run", "anonymize", "default_method", "estimate", "read", "requirement_of", "weakened"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """A finished and audited run; private, since it knows who is where.

    `membership` is the released class of each person of `grouping.source`, empty if withheld. `seconds` has
    read, method, refine, write and audit. `folder` is where the run was written, None
    if it was only audited and not kept. `objective` is what refinement lowered, `ended` what ended it and
    `unrefined` the public losses before it; None, None and the losses as they are where nothing was refined.
    """

    method: Method
    seed: int
    requirement: Requirement
    grouping: Grouping
    release: Release
    membership: tuple[str, ...]
    findings: tuple[Finding, ...]
    private_losses: Mapping[str, Any]
    seconds: Mapping[str, float]
    folder: Path | None
    objective: Objective | None
    unrefined: Mapping[str, float]
    ended: End | None = None

    def __repr__(self) -> str:
        where = "not kept" if self.folder is None else self.folder
        return f"Run({self.method.about.name}, {self.grouping.partition!r}, {where})"

    def _repr_html_(self) -> str:
        partition = self.grouping.partition
        rows: list[tuple[str, object]] = [
            ("method", self.method.about.name), ("people", len(partition.labels)), ("classes", partition.n_classes),
            ("withheld", partition.withheld), ("k", self.requirement.k), *self.release.statement["losses"].items(),
            ("checks that hold", sum(finding.holds for finding in self.findings)),
            ("seconds", float(sum(self.seconds.values()))), ("folder", self.folder or "not kept"),
        ]
        return card("Run", rows)


def read(
    people: Any = None,
    ties: Any = None,
    *,
    schema: Schema | Path | str,
    options: ReadOptions | None = None,
) -> Reading:
    """Return people and ties as a graph that a method can group.

    `people` and `ties` are paths, data frames or graphs of networkx and igraph; `schema` is a TOML
    file or a :class:`Schema`. Without `people` the ends of the ties are the people.

    Raises
    ------
    InputProblem
        With every problem of the input at once.
    """
    if not isinstance(schema, Schema):
        schema = read_schema(Path(schema))
    options = (options or ReadOptions()).as_schema_says(schema)
    return build(read_source(people, ties, options=options), schema)


def default_method(reading: Reading) -> Method:
    """Return the method that is used where none is named."""
    return make("pas-caa" if reading.graph.has_ties else "recursive")


def requirement_of(schema: Schema, **asked: Any) -> Requirement:
    """Return the schema's promises, overridden by those that are asked for (None asks for nothing).

    Examples
    --------
    >>> requirement_of(Schema(columns=()), k=5).k
    5
    """
    promises = asdict(schema.promises) | {name: value for name, value in asked.items() if value is not None}
    if promises["k"] is None:
        promises["k"] = 5
    return Requirement(**promises)


def estimate(reading: Reading, method: Method, requirement: Requirement) -> dict[str, Any]:
    """Return what a run would deal with, without grouping anybody.

    Raises
    ------
    InfeasiblePromise
        If no partition of these people can satisfy the requirement.
    """
    requirement.check_feasible(reading.graph)
    graph = reading.graph
    return {
        "method": method.about.name,
        "people": graph.n,
        "ties": graph.n_ties,
        "k": requirement.k,
        "supernodes_at_most": graph.n // requirement.k,
        "distinct_combinations": len(graph.distinct().points) if graph.q else 1,
        "memory_mb": round((graph.n * (graph.q * 48 + 200) + graph.ties.nnz * 48) / 1e6, 1),
    }


def anonymize(
    reading: Reading,
    *,
    requirement: Requirement,
    method: Method | str | None = None,
    seed: int | None = None,
    out: Path | str | None = None,
    force: bool = False,
    reads: Sequence[Path | str] = (),
    split_payload: bool = False,
    refine: bool = True,
    objective: Objective | None = None,
    refine_seconds: float | None = None,
    read_seconds: float = 0.0,
    chance: Random | None = None,
) -> Run:
    """Group people, publish the groups, and audit the written files; write the run folder `out` if given.

    What a method that clusters found is refined unless `refine` is False; `objective` is what is lowered, by
    that and by what has to be mended before (left out: `total` for graphs, `ncp` for tables), `refine_seconds` the
    longest it may take. An interrupt ends refinement with the best so far, a second one stops the run.

    A `seed` fixes the search; without one it is drawn. Names, order and shuffles of the release come
    from the system's generator whatever the seed, unless a test injects `chance`.

    With `force` an existing run folder is replaced; a folder that holds anything else, or one of the
    files that the people come from (their own and those in `reads`), is not.

    Raises
    ------
    InfeasiblePromise
        Before the search, if no partition can satisfy the requirement.
    BrokenPromise
        If the audit of the written files disagrees with a promise; then nothing is left behind.
    InputProblem
        If `out` exists and `force` is not set, or it may not be replaced or written; if `split_payload` is
        asked of people with ties.
    """
    _check_split(reading, split_payload=split_payload)
    chosen = method if isinstance(method, Method) else make(method) if method else default_method(reading)
    seed = secrets.randbits(63) if seed is None else seed
    _tell_of_limits(reading.graph, chosen)
    requirement = replace(requirement, withhold=chosen.allowance(reading.graph, requirement))
    requirement.check_feasible(reading.graph)
    seconds = {"read": read_seconds, "refine": 0.0}
    with _place(out) as place, Workspace(place, force=force, reads=(reading.table.file, *reads)) as work:
        with _timed(seconds, "method"):
            arranged, found = _grouped(reading, chosen, requirement, seed, objective)
        if refine and isinstance(chosen, ClusterFirst):
            with _timed(seconds, "refine"):
                found = _refined(found, requirement, objective, refine_seconds)
        with _timed(seconds, "write"):
            published, key = _written(work, found.grouping, arranged, requirement, method=chosen.about.name,
                                      split_payload=split_payload, chance=chance)
        with _timed(seconds, "audit"):
            findings = _audited(work.release, key, arranged, requirement)
        run = Run(
            method=chosen,
            seed=seed,
            requirement=requirement,
            grouping=found.grouping,
            release=published.release,
            membership=published.membership,
            findings=findings,
            private_losses=private_losses(found.grouping) | private_measures(found.grouping),
            seconds=seconds,
            folder=Path(out) if out else None,
            objective=found.objective,
            unrefined=found.unrefined,
            ended=found.ended,
        )
        work.write_run(_record(run, arranged))
        work.appear()
    return run


@dataclass(frozen=True, kw_only=True)
class _Found:
    """A grouping on its way, with the losses that it had before it was refined, and how that went."""

    grouping: Grouping
    unrefined: Mapping[str, float]
    rng: Generator
    objective: Objective | None = None
    ended: End | None = None


def _grouped(
    reading: Reading, method: Method, requirement: Requirement, seed: int, objective: Objective | None
) -> tuple[Reading, _Found]:
    """Return the people in the order in which they were grouped, and what the method found."""
    arranged, rng = arrange(reading, seed), np.random.default_rng(seed)
    if isinstance(method, ClusterFirst):
        # what is asked of values and ties may have to be mended at a cost, counted in what is to be kept low
        grouping = method.group(arranged.graph, requirement, rng, objective=objective)
    else:
        grouping = method.group(arranged.graph, requirement, rng)
    return arranged, _Found(grouping=grouping, unrefined=public_losses(grouping), rng=rng)


def _refined(found: _Found, requirement: Requirement, objective: Objective | None, seconds: float | None) -> _Found:
    """Return what refinement makes of a grouping in at most so many seconds."""
    graph = found.grouping.source
    objective = objective or default_objective(graph)
    better = refinement(graph, found.grouping.partition, requirement, found.rng, objective=objective, seconds=seconds)
    grouping = Grouping(graph, better.partition, hull(graph, better.partition))
    return replace(found, grouping=grouping, objective=objective, ended=better.ended)


def _written(
    work: Workspace, grouping: Grouping, reading: Reading, requirement: Requirement, *, method: str,
    split_payload: bool, chance: Random | None,
) -> tuple[Published, Path]:
    """Write the release and the key; return what was published and where the key is."""
    published = publish_with_key(grouping, requirement=requirement, method=method, chance=chance,
                                 split_payload=split_payload)
    work.write_release(published.release)
    ids = reading.ids if reading.graph.has_ties else None
    return published, work.write_key(published.membership, ids=ids, rows=reading.rows)


def _tell_of_limits(graph: AttributedGraph, method: Method) -> None:
    """Say which level limits a method does not look at."""
    limited = [f"'{column.name}'" for column in graph.schema.quasi if column.limit is not None]
    if limited and not isinstance(method, RecodeFirst):
        notice(f"the level limit of {', '.join(limited)} is for methods that recode; {method.about.name} tells of a class "
               "whatever its people have in common")


def weakened(schema: Schema, requirement: Requirement) -> tuple[str, ...]:
    """Return a sentence for each promise of the schema that the requirement falls short of.

    Examples
    --------
    >>> from graphanon.schema import Promises
    >>> weakened(Schema(columns=(), promises=Promises(k=5)), Requirement(k=3))
    ('k = 3 is weaker than the schema, which promises k = 5; the release promises 3',)
    """
    promises = schema.promises
    pairs = [
        ("k", promises.k, requirement.k, promises.k is not None and requirement.k < promises.k),
        ("tie_confidence", promises.tie_confidence, requirement.tie_confidence, promises.tie_confidence is not None
         and (requirement.tie_confidence is None or requirement.tie_confidence > promises.tie_confidence)),
        ("withhold", promises.withhold, requirement.withhold, 0 < promises.withhold < requirement.withhold),
    ]
    return tuple(
        f"{name} = {asked} is weaker than the schema, which promises {name} = {promised}; the release promises {asked}"
        for name, promised, asked, weaker in pairs if weaker
    )


def _check_split(reading: Reading, *, split_payload: bool) -> None:
    if split_payload and reading.graph.has_ties:
        what = "--split-payload is for tables: with ties, values are counted a column at a time already"
        raise InputProblem(Problem(what=what, fix="leave out --split-payload"))


@contextmanager
def _place(out: Path | str | None) -> Iterator[Path]:
    """Yield where the run folder goes; without `out`, a place that vanishes once it has been audited."""
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory() as aside:
        yield Path(aside) / "run"


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    begin = perf_counter()
    advance(stage, 0, 0)
    yield
    seconds[stage] = round(perf_counter() - begin, 3)


def _audited(folder: Path, key: Path, reading: Reading, requirement: Requirement) -> tuple[Finding, ...]:
    """Recount the files as an outsider, hold them against the people they are about, and refuse what differs."""
    truth = audit_truth(folder, key_path=key, withhold=requirement.withhold, **_originals(reading))
    findings = Findings((*audit_release(folder, fresh=True), *truth))
    broken = [finding for finding in findings if not finding.holds]
    if broken:
        what = "the audit of the written files disagrees with what was promised; nothing was released"
        raise BrokenPromise(
            [Problem(what=what, fix=WAYS_OUT), *(Problem(what=str(finding)) for finding in broken)],
            findings=[finding.as_json() for finding in findings],
        )
    return findings


def _originals(reading: Reading) -> dict[str, Any]:
    """Return who and which ties went in, as text, in the arguments of :func:`graphanon.audit.audit_truth`."""
    graph, schema = reading.graph, reading.graph.schema
    order = np.argsort(reading.rows, kind="stable")
    frame = reading.table.frame.iloc[order]
    names = [str(row) for row in reading.rows.tolist()]
    if graph.has_ties and reading.ids is not None:
        names = list(reading.ids)
    return {
        "people": {str(name): frame[name].tolist() for name in frame.columns},
        "ids": [names[i] for i in order.tolist()],
        "ties": list(_named_ties(graph, names)) if graph.has_ties else None,
        "roles": {column.name: column.role.value for column in schema.columns},
        "directed": graph.directed,
        "missing": "error",
        "labels": {
            column.name: labels for column in schema.columns if (labels := _declared(column.domain)) is not None
        },
    }


def _named_ties(graph: AttributedGraph, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Yield each tie, or arc, once by name, with its weight where weights are added up."""
    pairs = graph.arcs if graph.arcs is not None else sparse.triu(graph.ties)
    rows, columns = pairs.tocoo().coords
    if not len(rows):
        # indexing with no places gives a matrix where otherwise it gives numbers
        return
    weights = [] if graph.weights is None else [graph.weights[rows, columns].tolist()]
    for a, b, *weight in zip(rows.tolist(), columns.tolist(), *weights, strict=True):
        yield (names[a], names[b], *weight)


def _declared(domain: Domain | None) -> Collection[str] | None:
    """Return the labels that the steward declared for a column; a flat tree has none."""
    if isinstance(domain, Order):
        return domain.labels
    return set(domain.labels) if isinstance(domain, Tree) and domain.given else None


def _record(run: Run, reading: Reading) -> dict[str, Any]:
    """Return what run.json keeps, which never leaves the custodian's house."""
    return {
        "method": run.method.about.name,
        "parameters": asdict(run.method),
        "seed": run.seed,
        "requirement": asdict(run.requirement),
        "seconds": dict(run.seconds),
        "read": reading.report.as_json(),
        "original": _original(reading.graph),
        "losses": dict(run.release.statement["losses"]) | dict(run.private_losses),
        "utility": utility(run.grouping),
        "findings": [finding.as_json() for finding in run.findings],
        "refined": None if run.objective is None else {
            "objective": asdict(run.objective),
            "before": dict(run.unrefined),
            "ended": run.ended,
        },
    }


def _original(graph: AttributedGraph) -> dict[str, Any]:
    """Return what the people were before: kinds by all quasi-identifiers, who stood alone, how many ties they had."""
    kinds = graph.distinct().multiplicity if graph.q else np.array([graph.n], dtype=np.int64)
    told: dict[str, Any] = {"people": graph.n, "kinds": len(kinds), "alone": int((kinds == 1).sum())}
    if not graph.has_ties:
        return told
    degrees = np.diff(graph.ties.indptr)
    ties = graph.n_ties if graph.arcs is None else int(graph.arcs.nnz)
    return told | {
        "ties": ties,
        "average": float(degrees.mean()) if graph.n else 0.0,
        "most": int(degrees.max(initial=0)),
        "isolated": int((degrees == 0).sum()),
        "degrees": {str(degree): int(count) for degree, count in enumerate(np.bincount(degrees)) if count},
    }
