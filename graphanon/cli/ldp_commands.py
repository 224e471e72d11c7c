"""Commands of local differential privacy: the client that randomizes records, the server that finds centres.

They are apart on purpose. `perturb` sees people and writes a release; `cluster` sees that release and nothing else.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphanon.cli.answer import Answer, aligned, count, tell
from graphanon.cli.bar import bar
from graphanon.cli.job import OUT
from graphanon.cli.ledger_file import held_ledger
from graphanon.cli.options import read_options
from graphanon.errors import InputProblem, Problem

if TYPE_CHECKING:
    from graphanon.io.source import Reading
    from graphanon.perturbing import PrivateRun
    from graphanon.schema import Schema
    from graphanon.tabular.ldp.line import Line
    from graphanon.tabular.ldp.plan import Plan

__all__ = ["centres_page", "cluster_command", "large_budgets", "ledger_rows", "perturb_command", "read_people", "read_warnings",
           "told_private"]

AUTO = "auto"
LARGE = 10.0
NOT_FOR_RELEASE = "the chance came from a seed, so this is a trial: the release says that it is not for release"

_Out = Annotated[str, typer.Option("-o", "--out", metavar="OUT", help="Run folder to write.")]
_Force = Annotated[bool, typer.Option("--force", help="Replace an existing run folder.")]
_Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", min=0, show_default=False, help="For trials: repeatable, and marked not for release."),
]


class _Scope(StrEnum):
    RECORD = "record"
    FEATURE = "feature"
    BIT = "bit"


class _TieReport(StrEnum):
    AUTO = "auto"
    PAIRS = "pairs"
    COUNTS = "counts"


class _Outside(StrEnum):
    REFUSE = "refuse"
    CLIP = "clip"


def perturb_command(
    people: Annotated[str, typer.Argument(metavar="PEOPLE", help="Table of people; '-' is standard input.")],
    *,
    schema: Annotated[
        Path, typer.Option("--schema", metavar="S.toml", help="What each column is; every domain must be declared in it.")
    ],
    epsilon: Annotated[
        float, typer.Option("--epsilon", metavar="E", help="Privacy budget, above 0: of what --scope says.")
    ],
    mechanism: Annotated[
        list[str] | None,
        typer.Option("--mechanism", metavar="NAME", show_default=False,
                     help="auto (default), bits, grr, oue, olh, duchi, piecewise, hybrid, square-wave; or COLUMN=NAME, repeated."),
    ] = None,
    scope: Annotated[_Scope, typer.Option("--scope", help="What the budget is for; bit is for the mechanism bits.")] = _Scope.RECORD,
    asked: Annotated[
        int | None,
        typer.Option("--asked", metavar="S", min=1, show_default=False,
                     help="How many columns each person answers for, drawn by chance; all if not given."),
    ] = None,
    outside: Annotated[
        _Outside, typer.Option("--outside", help="What to do with numbers outside their declared range.")
    ] = _Outside.REFUSE,
    ties: Annotated[
        str | None,
        typer.Option("--ties", metavar="TIES", show_default=False, help="File of ties, reported under a budget of their own."),
    ] = None,
    tie_epsilon: Annotated[
        float | None,
        typer.Option("--tie-epsilon", metavar="E", show_default=False, help="Privacy budget of each tie; needed with --ties."),
    ] = None,
    tie_report: Annotated[
        _TieReport, typer.Option("--tie-report", help="Report single pairs, or counts between classes where those would drown.")
    ] = _TieReport.AUTO,
    tie_classes: Annotated[
        str | None,
        typer.Option("--tie-classes", metavar="K|COLUMN", show_default=False,
                     help="Count between K classes made by chance (10), or between values of a randomized column."),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option("--ledger", metavar="LEDGER.json", show_default=False,
                     help="Ledger of earlier runs about the same people: this run is added to it."),
    ] = None,
    seed: _Seed = None,
    out: _Out = OUT,
    force: _Force = False,
    reading: Mapping[str, Any],
) -> Answer:
    """Randomize the record of each person on its own: the client's side of local differential privacy.

    OUT/release holds what everyone answered and the ledger of what that spends. Whoever collects the answers needs
    no original record: 'graphanon ldp cluster OUT/release' finds groups of alike people from them alone.
    """
    with bar():
        from graphanon import perturbing
        from graphanon.release.place import refuse_place

        reads = [str(path) for path in (schema, people, ties, ledger) if path not in (None, "-")]
        refuse_place(out, force=force, reads=reads)
        asked_ties = _tie_ask(ties, tie_epsilon, report=str(tie_report), classes=tie_classes)
        with held_ledger(ledger) as (before, commit):
            read, own, seconds = read_people(people, ties, schema, reading, clip=outside is _Outside.CLIP)
            plan = _plan(own, epsilon, mechanism or [AUTO], scope=str(scope), asked=asked)
            spent = _with_run(before, plan, tie_epsilon)
            run = perturbing.perturb_people(
                read, plan, schema=own, coins=perturbing.coins_of(seed), out=out, outside=str(outside), ties=asked_ties,
                force=force, reads=reads, record={"read": read.report.as_json(), "seed": seed}, ledger=spent, commit=commit,
            )
    warnings = [*read_warnings(read, own), *([NOT_FOR_RELEASE] if seed is not None else []),
                *large_budgets(run.release.statement["epsilon"])]
    for warning in warnings:
        tell(f"graphanon: warning: {warning}")
    told = told_private(run, {"read": seconds}) | {
        "people": run.release.statement["people"], "warnings": warnings, "plan": _questions(plan),
        "runs": len(spent["runs"]), "epsilon_of_all_runs": spent["total"]["record"],
    }
    if "ties" in run.release.statement:
        told["ties"] = {name: run.release.statement["ties"][name] for name in ("report", "classes_by")}
    return Answer(text=_perturbed_page(told, plan), json=told)


def read_warnings(read: Reading, schema: Schema) -> list[str]:
    """Return what was noticed of the people, and what the schema promises that a budget does not keep."""
    from graphanon.schema import Promises

    groups = [f"column '{column.name}'" for column in schema.columns if column.alpha or column.l or column.t or column.limit]
    groups += ["[promises]"] if schema.promises != Promises() else []
    idle = [f"the schema promises something of groups ({', '.join(groups)}); a budget makes no groups, and nothing of it holds"]
    return [*read.report.warnings, *(idle if groups else [])]


def large_budgets(epsilon: Mapping[str, Any]) -> list[str]:
    """Return a warning for each budget that hides next to nothing."""
    told = {"a record": epsilon["record"], "a tie": epsilon.get("tie") or 0.0}
    return [f"epsilon {spent:.6g} for {of} protects next to nothing: an answer may be e**{spent:.3g} times as likely for one as for another"
            for of, spent in told.items() if spent > LARGE]


def cluster_command(
    release: Annotated[Path, typer.Argument(metavar="OUT/release", help="What 'graphanon ldp perturb' wrote.")],
    *,
    clusters: Annotated[int, typer.Option("--clusters", metavar="K", min=1, help="How many groups to find.")],
    method: Annotated[
        str, typer.Option("--method", metavar="NAME",
                          help="auto, latent-classes, or ldpk-prototypes (as the paper clusters decoded records).")
    ] = AUTO,
    seed: _Seed = None,
    out: _Out = OUT,
    force: _Force = False,
) -> Answer:
    """Find the centres of groups of alike people from their randomized answers: the server's side.

    It reads the release alone, and whatever it computes spends no further budget.
    """
    with bar():
        from graphanon import perturbing
        from graphanon.release.place import refuse_place
        from graphanon.tabular.servers import server_of

        refuse_place(out, force=force, reads=[release])
        name, server = server_of(release_plan(release), method)
        run = perturbing.cluster_release(release, clusters=clusters, server=server, method=name,
                                         coins=perturbing.coins_of(seed), out=out, force=force)
    told = told_private(run, {}) | {"clusters": clusters}
    return Answer(text=centres_page(told, run), json=told)


def release_plan(folder: Path) -> Plan:
    """Return the plan of a release of randomized answers."""
    from graphanon.release import PerturbedRelease, read_any
    from graphanon.tabular.ldp.plan import Plan

    if (folder / "release" / "release.json").is_file():
        raise InputProblem(Problem(what="is the folder of a run, of which the server may see the release alone", file=str(folder),
                                   allowed="OUT/release", fix=f"graphanon ldp cluster {folder / 'release'}"))
    release = read_any(folder)
    if not isinstance(release, PerturbedRelease) or "questions" not in release.statement["plan"]:
        raise InputProblem(Problem(what="is no release of randomized answers", file=str(folder),
                                   allowed="what 'graphanon ldp perturb' wrote", fix="graphanon ldp perturb PEOPLE"))
    return Plan.from_json(release.statement["plan"])


def read_people(
    people: str | None, ties: str | None, schema: Path, reading: Mapping[str, Any], *, clip: bool = False
) -> tuple[Reading, Schema, float]:
    """Return the people, the schema with its domains, and the seconds that reading took."""
    from graphanon import perturbing, pipeline
    from graphanon.io.schema_file import read_schema
    from graphanon.tabular.ldp.client import lines_of

    started = perf_counter()
    own = read_schema(schema)
    # before the people are looked at: a domain that is not declared must not be read off them
    lines_of(own)
    options = read_options(reading, own)
    read = pipeline.read(people, ties, schema=perturbing.client_schema(own, clip=clip), options=options)
    return perturbing.as_perturbed(read, own), own, perf_counter() - started


def _plan(schema: Schema, epsilon: float, mechanisms: Sequence[str], *, scope: str, asked: int | None) -> Plan:
    """Return what is asked of everyone, from the schema's domains and the wishes of the command line."""
    from graphanon.tabular.ldp.client import lines_of
    from graphanon.tabular.ldp.pairs import plan_pairs
    from graphanon.tabular.ldp.planning import plan_columns

    lines = lines_of(schema)
    named = _by_column(mechanisms, lines)
    if named == AUTO:
        strange = {"--scope": scope != "record", "--asked": asked is not None}
        problems = [Problem(what=f"{option} is not for the mechanism auto, which asks each person one question of the whole budget",
                            fix="leave it out, or --mechanism with another name") for option, given in strange.items() if given]
        if problems:
            raise InputProblem(problems)
        return plan_pairs(lines, epsilon)
    return plan_columns(lines, epsilon, named, scope=scope, asked=asked)  # type: ignore[arg-type]


def _by_column(mechanisms: Sequence[str], lines: Sequence[Line]) -> str | dict[str, str]:
    """Return one mechanism for all columns, or one for each: those named for a column, the other one for the rest."""
    general = [name for name in mechanisms if "=" not in name]
    special: dict[str, str] = {}
    for name in mechanisms:
        column, equals, own = name.rpartition("=")
        special |= {column: own} if equals else {}
    unknown = sorted(set(special) - {line.name for line in lines})
    if unknown or len(general) > 1 or len(special) + len(general) < len(mechanisms):
        what = (f"--mechanism names the column '{unknown[0]}'" if unknown else
                f"--mechanism names two for {'all columns' if len(general) > 1 else 'one column'}")
        raise InputProblem(Problem(what=what, allowed="NAME, or COLUMN=NAME with a column that is perturbed"))
    if not special:
        return general[0]
    rest = general[0] if general else "grr"
    return {line.name: special.get(line.name, rest) for line in lines}


def _tie_ask(ties: str | None, epsilon: float | None, *, report: str, classes: str | None) -> Any:
    """Return how ties are reported, None where there are none."""
    from graphanon.perturbing import TieAsk
    from graphanon.tabular.ldp.exact import budget

    if (ties is None) != (epsilon is None):
        lacks = "--ties TIES" if ties is None else "--tie-epsilon E"
        raise InputProblem(Problem(what="ties are reported under a budget of their own", fix=lacks))
    if epsilon is None:
        return None
    budget(epsilon, "tie-epsilon")
    if report == "pairs" and classes is not None:
        raise InputProblem(Problem(what="--tie-classes is for counts", fix="--tie-report counts"))
    number = int(classes) if classes is not None and classes.isascii() and classes.isdigit() else classes
    if number == 0:
        raise InputProblem(Problem(what="--tie-classes is 0", allowed="from 1, or a column"))
    return TieAsk(epsilon=epsilon, report=report, classes=number)  # type: ignore[arg-type]


def _with_run(before: Mapping[str, Any] | None, plan: Plan, tie_epsilon: float | None) -> dict[str, Any]:
    """Return the ledger with this run."""
    from graphanon.tabular.ldp.ledger import with_run
    from graphanon.tabular.ldp.ties import TieFlips

    ties = {} if tie_epsilon is None else TieFlips.of(tie_epsilon).ledger()
    return with_run(before, plan.epsilon() | ties)


def told_private(run: PrivateRun, seconds: Mapping[str, float]) -> dict[str, Any]:
    """Return what ``--json`` prints of a run whose release claims a budget."""
    statement = run.release.statement
    return {
        "release": str(run.folder / "release"),
        "kind": run.release.kind,
        "method": run.method,
        "promises": {"epsilon": statement["epsilon"]["record"]},
        "epsilon": statement["epsilon"],
        "for_release": statement["for_release"],
        "losses": {},
        "seconds": {name: round(value, 3) for name, value in (dict(seconds) | dict(run.seconds)).items()},
        "findings": [finding.as_json() for finding in run.findings],
    }


def ledger_rows(epsilon: Mapping[str, Any]) -> list[list[str]]:
    """Return the ledger as rows of a table."""
    rows = [["spent on", "epsilon at most"], ["a record", f"{epsilon['record']:.6g}"]]
    rows += [[f"  {name}", f"{spent:.6g}"] for name, spent in epsilon["feature"].items()]
    rows += [["a bit", f"{epsilon['bit']:.6g}"]] if epsilon["bit"] is not None else []
    return rows + ([["a tie, beside that", f"{epsilon['tie']:.6g}"]] if "tie" in epsilon else [])


def _questions(plan: Plan) -> list[dict[str, Any]]:
    return [{"of": plan.title(q), "mechanism": q.mechanism.name, "inputs": q.mechanism.inputs} for q in plan.questions]


def _perturbed_page(told: Mapping[str, Any], plan: Plan) -> str:
    each = "every question" if plan.everything else f"{plan.asked} of {count(len(plan.questions), 'question')}"
    rows = [["question", "mechanism", "values"], *([q["of"], q["mechanism"], str(q["inputs"])] for q in told["plan"])]
    release = shlex.quote(told["release"])
    more = [f"\n{told['runs']} runs about these people spend {told['epsilon_of_all_runs']:.6g} together"] if told["runs"] > 1 else []
    return "\n".join([
        f"{count(told['people'], 'person', 'people')} answered {each}. ({sum(told['seconds'].values()):.1f} s)",
        *([f"NOT FOR RELEASE: {NOT_FOR_RELEASE}"] if not told["for_release"] else []),
        "", "what was asked", aligned(rows), "", f"what it spends ({told['epsilon']['neighbours']})",
        aligned(ledger_rows(told["epsilon"])), *more, "", "where",
        aligned([["to hand out", told["release"]], ["find groups", f"graphanon ldp cluster {release} --clusters 2"],
                 ["recount it", f"graphanon audit {release}"]], head=False),
    ])


def centres_page(told: Mapping[str, Any], run: PrivateRun) -> str:
    """Return what a person wants to know of centres that were found."""
    lines = [list(line) for line in run.release.tables["centres.csv"]]
    turned = [list(row) for row in zip(*lines, strict=True)]
    return "\n".join([
        f"{count(len(lines) - 1, 'centre')} by {told['method']}. ({sum(told['seconds'].values()):.1f} s)",
        *([f"NOT FOR RELEASE: {NOT_FOR_RELEASE}"] if not told["for_release"] else []),
        "", "centres", aligned(turned), "", f"what it spends ({told['epsilon']['neighbours']})",
        aligned(ledger_rows(told["epsilon"])), "", "where",
        aligned([["to hand out", told["release"]], ["recount it", f"graphanon audit {shlex.quote(told['release'])}"]], head=False),
    ])
