"""What `anonymize` does for a method that publishes centres under a privacy budget."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphanon.cli.answer import Answer, count, tell
from graphanon.cli.job import Job
from graphanon.cli.ldp_commands import (
    NOT_FOR_RELEASE,
    centres_page,
    large_budgets,
    read_people,
    read_warnings,
    told_private,
)
from graphanon.errors import InputProblem, Problem

if TYPE_CHECKING:
    from graphanon.io.source import Reading
    from graphanon.schema import Schema
    from graphanon.tabular.centres import CentresOnly

__all__ = ["carry_out_budget", "estimate_budget"]


def carry_out_budget(job: Job, reads: Sequence[str | Path]) -> Answer:
    """Publish the centres that the job's method finds, and tell what they spend."""
    from graphanon import perturbing

    method = _method(job)
    reading, schema, seconds = _read(job)
    run = perturbing.centre_people(
        reading, method, schema=schema, coins=perturbing.coins_of(job.seed), out=Path(job.out), force=job.force,
        reads=reads, read_seconds=seconds,
    )
    warnings = [*read_warnings(reading, schema), *([NOT_FOR_RELEASE] if job.seed is not None else []),
                *large_budgets(run.release.statement["epsilon"])]
    for warning in warnings:
        tell(f"graphanon: warning: {warning}")
    told = told_private(run, {}) | {"warnings": warnings, "read": reading.report.as_json(),
                                    "budget": _budget_lines(method, schema)}
    spent = "".join(f"\n  {line}" for line in told["budget"])
    page = centres_page(told, run)
    return Answer(text=page + (f"\n\nhow the budget was planned{spent}" if spent else ""), json=told)


def estimate_budget(job: Job) -> Answer:
    """Read, check and tell how the budget would be spent; nothing is drawn."""
    method = _method(job)
    reading, schema, _ = _read(job)
    lines = _budget_lines(method, schema)
    text = "\n".join([f"dry run: nothing was drawn or written; {count(reading.graph.n, 'person', 'people')}",
                      *(f"  {line}" for line in lines)])
    return Answer(text=text, json={"dry_run": True, "method": method.about.name, "budget": lines,
                                   "read": reading.report.as_json(), "warnings": list(reading.report.warnings)})


def _method(job: Job) -> CentresOnly:
    """Return the method, unless the job asks what it cannot promise."""
    from graphanon.catalog import make_private

    assert job.method is not None
    asked = {"-k": job.k, "--tie-confidence": job.tie_confidence, "--withhold": job.withhold,
             "--objective": job.objective, "--split-payload": job.split_payload or None, "--ties": job.ties}
    problems = [
        Problem(what=f"{option} is not for {job.method}, which publishes centres under a budget and no groups of people",
                allowed="--set epsilon=… and the other parameters of the method", fix=f"leave out {option}")
        for option, value in asked.items() if value is not None]
    if problems:
        raise InputProblem(problems)
    return make_private(job.method, job.settings)


def _read(job: Job) -> tuple[Reading, Schema, float]:
    if job.schema is None:
        raise InputProblem(Problem(what="every domain has to be declared in a schema", fix="--schema S.toml"))
    return read_people(job.people, None, Path(job.schema), job.reading)


def _budget_lines(method: CentresOnly, schema: Schema) -> list[str]:
    """Return how the method spends its budget, where it plans that in rounds, or what each answer gets."""
    from graphanon.tabular.ldp.client import lines_of

    lines = lines_of(schema)
    if hasattr(method, "budget"):
        return list(method.budget(len(lines)).lines())
    epsilon = method.plan(lines).epsilon()  # type: ignore[attr-defined]
    return [f"epsilon {epsilon['record']:.6g} a record, {epsilon['bit']:.6g} a bit"]
