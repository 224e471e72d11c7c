"""Commands that make a release: demo, anonymize, run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphanon.cli.answer import Answer, aligned, count, tell
from graphanon.cli.bar import bar
from graphanon.cli.job import OUT, Job, job_text, read_job, schema_command
from graphanon.cli.options import People, SchemaFile, Ties, read_options
from graphanon.cli.remarks import hierarchy_files, left_out, lose_less
from graphanon.errors import InputProblem, Problem

if TYPE_CHECKING:
    from graphanon.io.source import Reading
    from graphanon.method import Method
    from graphanon.pipeline import Run
    from graphanon.refine import Objective
    from graphanon.requirement import Requirement

__all__ = ["anonymize_command", "demo_command", "run_command"]

DEMO = "m1"
DEMO_K = 5
PICTURE = "supernodes.png"

_Out = Annotated[str, typer.Option("-o", "--out", metavar="OUT", help="Run folder to write.")]
_Force = Annotated[bool, typer.Option("--force", help="Replace an existing run folder.")]
_Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", min=0, show_default=False, help="Fix the search; drawn if not given.")
]


def demo_command(*, out: _Out = OUT, force: _Force = False, seed: _Seed = 1) -> Answer:
    """Anonymize a built-in social graph of 500 people with PAS-CAA at k = 5, and draw it.

    Needs no file and no network. The people are records of the Adult census sample; the ties are made.
    The method's own result is shown, so that a first run need not compile the search that refines it.
    """
    with bar():
        from graphanon import pipeline
        from graphanon.release.place import refuse_place

        refuse_place(out, force=force)
        from graphanon.datasets import load

        started = perf_counter()
        reading = load(DEMO)
        run = pipeline.anonymize(
            reading,
            method="pas-caa",
            requirement=pipeline.requirement_of(reading.graph.schema, k=DEMO_K),
            seed=seed,
            out=Path(out),
            force=force,
            refine=False,
            read_seconds=perf_counter() - started,
        )
        from graphanon.plot.figure import save_supernodes
        from graphanon.report import write_reports

        picture = Path(out) / PICTURE
        save_supernodes(Path(out) / "release", picture, force=force)
        reports = write_reports(out, force=force, run=run)
    told = _told(run, Path(out))
    next_ = [
        ["picture", str(picture)],
        ["how to read it", str(Path(out) / "release" / "README.txt")],
        ["recount it", f"graphanon audit {shlex.quote(str(Path(out) / 'release'))}"],
        ["your own data", "graphanon inspect people.csv --ties ties.csv --write-schema schema.toml"],
    ]
    page = f"\n\nopen in a browser: {reports.internal}"
    return Answer(text=_summary(told, next_) + page, json=told | {"picture": str(picture)} | reports.as_json())


def anonymize_command(
    people: People = None,
    *,
    ties: Ties = None,
    schema: SchemaFile = None,
    method: Annotated[
        str | None,
        typer.Option("--method", metavar="NAME", show_default=False, help="See 'graphanon methods'; pas-caa for ties."),
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", metavar="K", show_default=False, help="Least people in a supernode; 5 if not given.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", show_default=False, help="A parameter of the method; may be repeated."),
    ] = None,
    tie_confidence: Annotated[
        float | None,
        typer.Option("--tie-confidence", metavar="SHARE", show_default=False,
                     help="How sure anyone may become that two people are tied, 0 to 1."),
    ] = None,
    withhold: Annotated[
        float | None,
        typer.Option("--withhold", metavar="SHARE", show_default=False, help="Share of people that may be left out."),
    ] = None,
    seed: _Seed = None,
    out: _Out = OUT,
    force: _Force = False,
    no_refine: Annotated[
        bool, typer.Option("--no-refine", help="Keep the method's own grouping, without a search that improves it.")
    ] = False,
    objective: Annotated[
        str | None,
        typer.Option("--objective", metavar="LOSSES", show_default=False,
                     help="What refinement lowers: total, or weights such as ngil=0.5,tie_loss=0.5."),
    ] = None,
    refine_seconds: Annotated[
        float | None,
        typer.Option("--refine-seconds", metavar="S", min=0, show_default=False, help="The longest that refinement may take."),
    ] = None,
    split_payload: Annotated[
        bool, typer.Option("--split-payload", help="Tables: shuffle each sensitive column on its own.")
    ] = False,
    report: Annotated[
        bool, typer.Option("--report", help="Draw pages about the run too, as 'graphanon report OUT' does.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read, check and estimate only.")] = False,
    print_job: Annotated[bool, typer.Option("--print-job", help="Print this job as a file for 'graphanon run'.")] = False,
    reading: Mapping[str, Any],
) -> Answer:
    """Group people, generalize what is said of them, audit the written files, and let them appear.

    OUT/release is what may leave; OUT/private holds who is where and stays. When the audit of the files
    disagrees with a promise, nothing is left behind.
    """
    job = Job(
        people=people, ties=ties, schema=schema, method=method, settings=_settings(settings or []), k=k,
        tie_confidence=tie_confidence, withhold=withhold, seed=seed, out=out, force=force, refine=not no_refine,
        objective=objective, refine_seconds=refine_seconds,
        split_payload=split_payload, reading=reading,
    )
    if print_job:
        text = job_text(job)
        return Answer(text=text, json={"job": text})
    return _estimate(job) if dry_run else _carry_out(job, report=report)


def run_command(
    job: Annotated[Path, typer.Argument(metavar="JOB.toml", help="What 'anonymize --print-job' prints.")],
    *,
    out: Annotated[
        str | None, typer.Option("-o", "--out", metavar="OUT", show_default=False, help="Instead of the job's own run folder.")
    ] = None,
    force: _Force = False,
) -> Answer:
    """Carry out a job file; its paths are relative to the file."""
    asked = read_job(job)
    return _carry_out(replace(asked, out=asked.out if out is None else out, force=force or asked.force), job)


def _settings(texts: list[str]) -> dict[str, str]:
    """Return ``name=value`` texts as a mapping."""
    wrong = [text for text in texts if "=" not in text or text.startswith("=")]
    if wrong:
        raise InputProblem([Problem(what=f"--set cannot be '{text}'", allowed="name=value") for text in wrong])
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in texts)}


def _check_input(job: Job) -> None:
    if job.people is None and job.ties is None:
        raise InputProblem(Problem(what="nothing to read", allowed="PEOPLE, --ties TIES, or both",
                                   fix="graphanon anonymize people.csv --ties ties.csv --schema schema.toml"))
    if job.people == "-" and job.ties == "-":
        raise InputProblem(Problem(what="standard input cannot be both people and ties", fix="give one of them as a file"))
    if job.schema is None and job.people is not None:
        raise InputProblem(Problem(what="people need a schema, which says what may be told of them",
                                   allowed="--schema S.toml", fix=f"draft one with: {schema_command(job)}"))


def _check_k(k: int | None) -> None:
    """Refuse a release that would show people one by one."""
    if k is not None and k < 2:
        raise InputProblem(Problem(what=f"k = {k} hides nobody", allowed="a whole number from 2",
                                   fix="-k 5 (k = 1 is allowed with --dry-run)"))


def _read(job: Job) -> tuple[Reading, float]:
    from graphanon import pipeline
    from graphanon.schema import Schema

    started = perf_counter()
    schema = Schema(columns=()) if job.schema is None else Path(job.schema)
    reading = pipeline.read(job.people, job.ties, schema=schema, options=read_options(job.reading))
    return reading, perf_counter() - started


def _method(job: Job, reading: Reading) -> Method:
    from graphanon import catalog, pipeline

    name = job.method or pipeline.default_method(reading).about.name
    return catalog.make(name, job.settings)


def _objective(job: Job) -> Objective | None:
    from graphanon.refine import objective_of

    return None if job.objective is None else objective_of(job.objective)


def _requirement(job: Job, reading: Reading) -> Requirement:
    from graphanon import pipeline

    asked = {"k": job.k, "tie_confidence": job.tie_confidence, "withhold": job.withhold}
    return pipeline.requirement_of(reading.graph.schema, **asked)


def _claims_a_budget(job: Job) -> bool:
    """Return whether the method publishes centres under a privacy budget instead of groups of people."""
    from graphanon.catalog import private_methods

    return job.method is not None and job.method in private_methods()


def _warn(reading: Reading, requirement: Requirement) -> list[str]:
    """Tell what a person must know of what was read and asked, and return the warnings."""
    from graphanon import pipeline

    remark = left_out(reading)
    if remark:
        tell(f"graphanon: {remark}")
    warnings = [*reading.report.warnings, *pipeline.weakened(reading.graph.schema, requirement)]
    for warning in warnings:
        tell(f"graphanon: warning: {warning}")
    return warnings


def _estimate(job: Job) -> Answer:
    """Read, check and estimate."""
    from graphanon import pipeline

    _check_input(job)
    if _claims_a_budget(job):
        from graphanon.cli.budget import estimate_budget

        return estimate_budget(job)
    with bar():
        reading, _ = _read(job)
        requirement = _requirement(job, reading)
        estimate = pipeline.estimate(reading, _method(job, reading), requirement)
    warnings = _warn(reading, requirement)
    rows = [[name.replace("_", " "), f"{value:,}" if isinstance(value, int) else str(value)]
            for name, value in estimate.items()]
    text = "dry run: nothing was grouped or written\n" + aligned(rows, head=False)
    return Answer(text=text, json={"dry_run": True} | estimate | {
        "read": reading.report.as_json(), "warnings": warnings})


def _carry_out(job: Job, file: Path | None = None, *, report: bool = False) -> Answer:
    """Run the job and tell what came of it; `file` is where the job was read from, `report` asks for pages."""
    _check_input(job)
    _check_k(job.k)
    reads = [name for name in (job.people, job.ties, job.schema, file) if name not in (None, "-")]
    out = Path(job.out)
    with bar():
        from graphanon import pipeline
        from graphanon.release.place import refuse_place

        refuse_place(job.out, force=job.force, reads=reads)
        if _claims_a_budget(job):
            from graphanon.cli.budget import carry_out_budget

            return carry_out_budget(job, reads)
        objective = _objective(job)
        reading, read_seconds = _read(job)
        requirement = _requirement(job, reading)
        _check_k(requirement.k)
        run = pipeline.anonymize(
            reading,
            method=_method(job, reading),
            requirement=requirement,
            seed=job.seed,
            out=out,
            force=job.force,
            reads=[*reads, *hierarchy_files(reading, job.schema)],
            split_payload=job.split_payload,
            refine=job.refine,
            objective=objective,
            refine_seconds=job.refine_seconds,
            read_seconds=read_seconds,
        )
        pages = _pages(run, out) if report else {}
    warnings = _warn(reading, requirement)
    told = _told(run, out) | {"warnings": warnings, "read": reading.report.as_json()} | pages
    next_ = [
        ["see it", pages.get("internal") or f"graphanon report {shlex.quote(str(out))}"],
        ["how to read it", str(out / "release" / "README.txt")],
        ["recount it", f"graphanon audit {shlex.quote(str(out / 'release'))}"],
    ]
    return Answer(text=_summary(told, next_), json=told)


def _pages(run: Run, out: Path) -> dict[str, str]:
    """Draw the pages about a run that has just appeared, and return where they are."""
    from graphanon.report import write_reports

    return write_reports(out, run=run).as_json()


def _told(run: Run, out: Path) -> dict[str, Any]:
    """Return what ``--json`` prints of a run: the release's own words, and where things are."""
    statement = run.release.statement
    copied = ("kind", "people", "withheld", "supernodes", "classes", "ties", "losses", "promises", "found")
    return {
        "release": str(out / "release"),
        "key": str(out / "private" / "key.csv"),
        **{name: statement[name] for name in copied if name in statement},
        "method": run.method.about.name,
        "seed": run.seed,
        "seconds": dict(run.seconds),
        "findings": [finding.as_json() for finding in run.findings],
    }


_LOSSES = {
    "ncp": "precision of attributes, by values covered: 0 all kept, 1 all lost",
    "ngil": "precision of attributes, by height: 0 to 1",
    "nsil": "structure, of all that ties could lose: 0 to 1",
    "tie_loss": "structure, for each tie",
    "total": "half attributes (ngil), half structure (nsil)",
    "discernibility": "sum of squared class sizes",
    "average_class_size": "people a class",
}


def _summary(told: Mapping[str, Any], next_: list[list[str]]) -> str:
    """Return what a person wants to know of a finished run."""
    groups = told.get("supernodes", told.get("classes", 0))
    kind = "supernode" if "supernodes" in told else "class"
    withheld = "nobody is withheld" if not told["withheld"] else f"{count(told['withheld'], 'person', 'people')} withheld"
    ties = f" and {count(told['ties'], 'tie')}" if "ties" in told else ""
    first = f"{count(told['people'], 'person', 'people')}{ties} became {count(groups, kind, 'classes' if kind == 'class' else None)}"
    seconds = sum(told["seconds"].values())
    places = [["to hand out", told["release"]], ["to keep", told["key"]], *next_]
    return "\n".join([
        f"{first}; {withheld}. ({told['method']}, {seconds:.1f} s)",
        "",
        "promises, recounted from the written files",
        aligned(_promise_rows(told)),
        f"  and {count(len(told['findings']), 'check')} in all, every one holds",
        "",
        "what it costs",
        aligned(_loss_rows(told["losses"]), head=False),
        *([f"  {advice}"] if (advice := lose_less(told["losses"])) else []),
        "",
        "where",
        aligned(places, head=False),
    ])


def _promise_rows(told: Mapping[str, Any]) -> list[list[str]]:
    asked, found = _flat(told.get("promises", {})), _flat(told.get("found", {}))
    names = [*found, *(name for name in asked if name not in found)]
    rows = [[name, _number(asked.get(name)), _number(found.get(name))] for name in names]
    return [["promise", "asked", "found"], *rows]


def _flat(promises: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return nested promises under one name each, such as ``alpha illness hiv``."""
    flat: dict[str, Any] = {}
    for name, value in promises.items():
        key = f"{before}{name.replace('_', ' ') if not before else name}"
        flat |= _flat(value, key + " ") if isinstance(value, Mapping) else {key: value}
    return flat


def _number(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _loss_rows(losses: Mapping[str, float]) -> list[list[str]]:
    names = [name for name in _LOSSES if name in losses] + [name for name in losses if name not in _LOSSES]
    return [[name.replace("_", " "), _loss(losses[name]), _LOSSES.get(name, "")] for name in names]


def _loss(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
