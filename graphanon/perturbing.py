"""From people to an audited release that claims a budget: randomized answers, or centres of groups.

The client's side (:func:`perturb_people`) and the server's (:func:`cluster_release`) are apart: the server is given a
release folder and nothing else. :func:`centre_people` is both in one, or a server that sees everyone and adds noise. Like
every release these appear whole, after an audit of the written files, or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphanon.audit import Finding, audit_answers, audit_release
from graphanon.domain import Range, Tree
from graphanon.errors import BrokenPromise, InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.io import Reading
from graphanon.release import (
    PerturbedRelease,
    Workspace,
    described,
    publish_centres,
    publish_reports,
    read_any,
)
from graphanon.release.perturbed import PERTURBED, random_order
from graphanon.release.tie_reports import CHANCE, EVERYONE, TieClasses, TieTables, chance_classes, tie_tables
from graphanon.schema import Column, Role, Schema
from graphanon.tabular.centres import Centres, CentresOnly
from graphanon.tabular.ldp.client import cells_of, lines_of, perturb_cells
from graphanon.tabular.ldp.coins import Coins, seeded, system
from graphanon.tabular.ldp.line import Line, Outside
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.reports import Reports, read_reports
from graphanon.tabular.ldp.server import decode
from graphanon.tabular.ldp.ties import TieFlips

__all__ = ["PrivateRun", "TieAsk", "as_perturbed", "centre_people", "client_schema", "cluster_release", "coins_of", "perturb_people"]

Ints = NDArray[np.int64]
_FALSE_TIES = 5
_MOST_CLASSES = 64
Server = Callable[[Plan, Reports, int, Coins], Centres]


@dataclass(frozen=True, kw_only=True, eq=False)
class PrivateRun:
    """A finished and audited run whose release claims a budget.

    `seconds` has what it took by stage; `folder` is where the run was written.
    """

    method: str
    release: PerturbedRelease
    findings: tuple[Finding, ...]
    seconds: Mapping[str, float]
    folder: Path

    def __repr__(self) -> str:
        return f"PrivateRun({self.method}, {self.release!r}, {self.folder})"


@dataclass(frozen=True, kw_only=True)
class TieAsk:
    """How ties are reported: the budget of a tie, as single pairs or as counts, and between which classes.

    `classes` is a number of classes that chance makes, or the column whose randomized value is the class;
    None is 10 by chance.
    """

    epsilon: float
    report: Literal["auto", "pairs", "counts"] = "auto"
    classes: int | str | None = None


def coins_of(seed: int | None) -> Coins:
    """Return the operating system's coins, or those of a seed, which are not for what leaves."""
    return system() if seed is None else seeded(seed)


def client_schema(schema: Schema, *, clip: bool = False) -> Schema:
    """Return the schema for reading people whose records are perturbed.

    Sensitive columns are perturbed like the others, so nothing is promised of them; with `clip`, ranges have no
    ends, for numbers that are clipped afterwards.

    Examples
    --------
    >>> age = Column(name="age", role=Role.SENSITIVE, declared=(17.0, 90.0), grid=1.0)
    >>> client_schema(Schema(columns=(age,)))["age"].role.value
    'quasi'
    """
    return replace(schema, columns=tuple(_to_read(column, clip=clip) for column in schema.columns))


def _to_read(column: Column, *, clip: bool) -> Column:
    if column.role is Role.SENSITIVE:
        column = Column(name=column.name, role=Role.QUASI, domain=column.domain, numeric=column.numeric,
                        declared=column.declared, grid=column.grid, steps=column.steps)
    if column.declared is None:
        return column
    # a range without a grid is one of whole numbers, to the nearest of which others go
    grid = column.domain.grid if isinstance(column.domain, Range) else column.grid or 1.0
    return replace(column, declared=None if clip else column.declared, numeric=True, grid=grid)


def as_perturbed(reading: Reading, schema: Schema) -> Reading:
    """Return the people with a read report that says which of their numbers are moved.

    What a report says of other releases, such as that an observed range is told, is left out: it is not so here.
    """
    names = [column.name for column in schema.columns if column.declared is not None]
    elsewhere = tuple(f"column '{name}'{word}" for name in names for word in (": whole numbers", " has no declared range"))
    kept = tuple(warning for warning in reading.report.warnings if not warning.startswith(elsewhere))
    report = replace(reading.report, warnings=kept)
    for line in lines_of(schema):
        if line.numeric:
            outside, between = _moved(reading.graph, line)
            counts = {"numbers_clipped": outside, "numbers_rounded": between}
            told = [f"{count:,} numbers of column '{line.name}' {what}" for count, what in (
                (outside, "lie outside its domain and are moved to the nearest end"),
                (between, "lie between two values of its grid and are moved to the nearest")) if count]
            report = report.plus({name: count for name, count in counts.items() if count}, warnings=tuple(told))
    return replace(reading, report=report)


def _moved(graph: AttributedGraph, line: Line) -> tuple[int, int]:
    """Return how many numbers lie outside a line, and how many between its cells."""
    j = [column.name for column in graph.schema.quasi].index(line.name)
    domain, values = graph.domains[j], graph.values[:, j]
    if line.missing and isinstance(domain, Range):
        values = values[values < domain.missing_address]
    outside = (values < line.low - line.grid * 1e-9) | (values > line.high + line.grid * 1e-9)
    place = (values[~outside] - line.low) / line.grid
    return int(outside.sum()), int((np.abs(place - np.rint(place)) > 1e-6).sum())


def perturb_people(
    reading: Reading,
    plan: Plan,
    *,
    schema: Schema,
    coins: Coins,
    out: Path | str,
    outside: Outside = "refuse",
    ties: TieAsk | None = None,
    force: bool = False,
    reads: Sequence[Path | str] = (),
    record: Mapping[str, Any] | None = None,
    ledger: Mapping[str, Any] | None = None,
    commit: Callable[[Mapping[str, Any]], None] | None = None,
) -> PrivateRun:
    """Randomize the record of each person on its own, and write the answers as a release: the client's side.

    `schema` is where the domains come from; the people are never asked for them. `outside` says what
    becomes of numbers outside their range (``"refuse"`` or ``"clip"``). `ties` says how ties are reported; without it
    they are not. `record` is kept in the private folder, and
    so is the `ledger` of all runs about these people. `commit` is given that ledger just before the release appears:
    what leaves has been written down as spent.

    Raises
    ------
    InputProblem
        If a value has no place in its domain, or `out` may not be written.
    BrokenPromise
        If the audit of the written files disagrees with the ledger; then nothing is left behind.
    """
    seconds: dict[str, float] = {}
    began = perf_counter()
    reports = perturb_cells(plan, cells_of(reading.graph, plan.lines, outside), coins)
    order = random_order(reading.graph.n)
    mixed, pairs = reports.shuffled(order), _pairs(reading.graph, order)
    told = None if ties is None else _reported_ties(plan, mixed, pairs, ties, coins)
    seconds["method"] = round(perf_counter() - began, 3)
    release = publish_reports(plan, reports, schema=schema, method="ldp", reproducible=coins.reproducible, order=order,
                              ties=told)
    people = {str(name): reading.table.frame[name].tolist() for name in reading.table.frame.columns}
    return _written(release, out, seconds, force=force, reads=reads, record=record or {}, ledger=ledger, commit=commit,
                    truth={"people": people, "ties": reading.graph.n_ties if ties else None, **_declared(schema)})


def _pairs(graph: AttributedGraph, order: Ints) -> Ints:
    """Return int64[ties, 2], the tied rows of the reports."""
    place = np.empty(graph.n, dtype=np.int64)
    place[order] = np.arange(graph.n)
    a, b = sparse.triu(graph.ties).tocoo().coords
    return np.stack([place[a], place[b]], axis=1).astype(np.int64)


def _reported_ties(plan: Plan, reports: Reports, pairs: Ints, asked: TieAsk, coins: Coins) -> TieTables:
    """Return what people report about their ties, by the rows of the reports."""
    flips = TieFlips.of(asked.epsilon)
    report = asked.report
    if report == "auto":
        # a full report of more than a few false ties a person is of no use
        full = flips.false_ties(reports.n) <= _FALSE_TIES * reports.n and asked.classes is None
        report = "pairs" if full else "counts"
    classes = _tie_classes(plan, reports, asked, coins)
    return tie_tables(flips, pairs, reports.n, coins, report=report, classes=classes)


def _tie_classes(plan: Plan, reports: Reports, asked: TieAsk, coins: Coins) -> TieClasses:
    """Return classes by an answer that was randomized already, or by chance."""
    if asked.classes is None or isinstance(asked.classes, int):
        return chance_classes(reports.n, min(asked.classes or 10, max(reports.n, 1)), coins)
    names = [line.name for line in plan.lines]
    if asked.classes not in names or not plan.decodes:
        what = f"'{asked.classes}' is no column of randomized records by which ties could be counted"
        raise InputProblem(Problem(what=what, allowed=f"a number, or a column where --mechanism is bits or grr: {', '.join(names)}",
                                   fix="--tie-classes 10"))
    if asked.classes in (CHANCE, EVERYONE):
        raise InputProblem(Problem(what=f"'{asked.classes}' is what a release calls classes that no column makes",
                                   column=asked.classes, fix="rename the column, or --tie-classes with another"))
    j = names.index(asked.classes)
    line = plan.lines[j]
    if line.size > _MOST_CLASSES:
        raise InputProblem(Problem(what=f"'{line.name}' has {line.size} values, too many to count ties between",
                                   allowed=f"up to {_MOST_CLASSES}", fix="--tie-classes with another column, or a number"))
    return TieClasses(labels=decode(plan, reports)[:, j], names=tuple(line.texts(np.arange(line.size))), by=line.name)


def cluster_release(
    folder: Path | str,
    *,
    clusters: int,
    server: Server,
    method: str,
    coins: Coins,
    out: Path | str,
    force: bool = False,
) -> PrivateRun:
    """Find the centres of the people behind a release of randomized answers: the server's side.

    Everything is computed from the folder's own files, and spends nothing more.

    Raises
    ------
    InputProblem
        If the folder is no such release, its audit fails, or there are more clusters than answers.
    """
    release = read_any(folder)
    if not isinstance(release, PerturbedRelease) or release.kind != PERTURBED:
        raise InputProblem(Problem(what="is no release of randomized answers", file=str(folder),
                                   allowed="what 'graphanon ldp perturb' wrote", fix="graphanon ldp perturb PEOPLE"))
    broken = [finding for finding in audit_release(folder) if not finding.holds]
    if broken:
        raise InputProblem([Problem(what=f"its audit fails: {finding}", file=str(folder),
                                    fix=f"graphanon audit {folder}") for finding in broken])
    seconds: dict[str, float] = {}
    began = perf_counter()
    plan = Plan.from_json(release.statement["plan"])
    header, *lines = release.tables["reports.csv"]
    columns = zip(*lines, strict=True) if lines else [()] * len(header)
    reports = read_reports(plan, {name: list(cells) for name, cells in zip(header, columns, strict=True)})
    found = server(plan, reports, clusters, coins)
    seconds["method"] = round(perf_counter() - began, 3)
    centres = publish_centres(
        _texts(found), columns=release.columns, hierarchies=release.hierarchies, method=method, plan=found.plan,
        epsilon=found.epsilon, reproducible=bool(release.statement["reproducible"]), shares=_shares(found))
    return _written(centres, out, seconds, force=force, reads=(folder,), record={"method": method, "clusters": clusters})


def centre_people(
    reading: Reading,
    method: CentresOnly,
    *,
    schema: Schema,
    coins: Coins,
    out: Path | str,
    force: bool = False,
    reads: Sequence[Path | str] = (),
    read_seconds: float = 0.0,
) -> PrivateRun:
    """Publish the centres that a method with a budget finds among people.

    Raises
    ------
    InputProblem
        If a domain is not declared, a number is missing, or the method's parameters claim no budget.
    BrokenPromise
        If the audit of the written files disagrees with the ledger; then nothing is left behind.
    """
    seconds = {"read": round(read_seconds, 3)}
    began = perf_counter()
    lines_of(schema)
    found = method.centres(reading.graph, coins)
    seconds["method"] = round(perf_counter() - began, 3)
    if found.epsilon["record"] is None:
        raise InputProblem(Problem(what=f"{method.about.name} with these parameters bounds nothing, so nothing is released",
                                   fix="leave out --set noise_on=mean"))
    columns, trees = described(schema)
    release = publish_centres(
        _texts(found), columns=columns, hierarchies=trees, method=method.about.name, plan=found.plan,
        epsilon=found.epsilon, reproducible=found.reproducible, shares=_shares(found))
    record = {"method": method.about.name, "parameters": asdict(method)}
    people = {str(name): reading.table.frame[name].tolist() for name in reading.table.frame.columns}
    return _written(release, out, seconds, force=force, reads=reads, record=record,
                    truth={"people": people, **_declared(schema)})


def _written(
    release: PerturbedRelease,
    out: Path | str,
    seconds: dict[str, float],
    *,
    force: bool,
    reads: Sequence[Path | str],
    record: Mapping[str, Any],
    ledger: Mapping[str, Any] | None = None,
    commit: Callable[[Mapping[str, Any]], None] | None = None,
    truth: Mapping[str, Any] | None = None,
) -> PrivateRun:
    """Write the release, audit it from its files, and let it appear."""
    with Workspace(out, force=force, reads=reads) as work:
        began = perf_counter()
        work.write_release(release)
        seconds["write"] = round(perf_counter() - began, 3)
        began = perf_counter()
        findings = audit_release(work.release, fresh=True)
        if truth is not None:
            findings = (*findings, *audit_answers(work.release, **truth))
        seconds["audit"] = round(perf_counter() - began, 3)
        _refuse_broken(findings)
        told = {**record, "seconds": seconds, "findings": [finding.as_json() for finding in findings]}
        work.write_run(told)
        if ledger is not None:
            work.write_private("ledger.json", json.dumps(ledger, ensure_ascii=False, indent=2) + "\n")
        if ledger is not None and commit is not None:
            commit(ledger)
        work.appear()
    return PrivateRun(method=release.statement["method"], release=release, findings=findings, seconds=seconds,
                      folder=Path(out))


def _refuse_broken(findings: Sequence[Finding]) -> None:
    broken = [finding for finding in findings if not finding.holds]
    if broken:
        what = "the audit of the written files disagrees with what was promised; nothing was released"
        raise BrokenPromise([Problem(what=what), *(Problem(what=str(finding)) for finding in broken)],
                            findings=[finding.as_json() for finding in findings])


def _declared(schema: Schema) -> dict[str, Any]:
    """Return what the schema says of roles and domains, in the words of a schema file."""
    return {
        "roles": {column.name: column.role.value for column in schema.columns},
        "missing": schema.missing,
        "columns": {column.name: _settings(column) for column in schema.columns},
        "trees": {column.name: column.domain.rows for column in schema.columns if isinstance(column.domain, Tree)},
    }


def _settings(column: Column) -> dict[str, Any]:
    if isinstance(column.domain, Tree):
        return {"hierarchy": column.name}
    if hasattr(column.domain, "labels"):
        return {"order": list(column.domain.labels)}  # type: ignore[union-attr]
    grid = column.domain.grid if isinstance(column.domain, Range) else column.grid
    return {"range": list(column.declared or ()), "grid": grid or 1}


def _texts(centres: Centres) -> dict[str, list[str]]:
    """Return the value of each centre: a mean with six digits, the nearest label of an order, or a value."""
    numbers = iter(centres.prototypes.numbers.T)
    told = centres.texts()
    for line in centres.lines:
        if line.ordered:
            place = np.asarray(next(numbers)).clip(0, 1)
            if line.numeric:
                told[line.name] = [_mean(line, share) for share in place.tolist()]
    return told


def _mean(line: Line, share: float) -> str:
    return f"{min(max(float(f'{line.low + share * (line.high - line.low):.6g}'), line.low), line.high):.12g}"


def _shares(centres: Centres) -> Sequence[float] | None:
    return None if centres.shares is None else centres.shares.tolist()
