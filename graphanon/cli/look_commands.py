"""Commands that look and change nothing they look at: inspect, audit."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from graphanon.cli.answer import Answer, aligned, count
from graphanon.cli.bar import bar
from graphanon.cli.job import reading_words
from graphanon.cli.options import People, SchemaFile, Ties, read_options
from graphanon.errors import WAYS_OUT, InputProblem, Problem

if TYPE_CHECKING:
    from graphanon.audit import Finding

__all__ = ["audit_command", "inspect_command"]

# checks of who is with whom, which another grouping may pass
_OF_GROUPS = ("k", "alpha", "l", "t", "tie_confidence", "withhold")

_Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]


def inspect_command(
    people: People = None,
    *,
    ties: Ties = None,
    schema: SchemaFile = None,
    write_schema: Annotated[
        Path | None,
        typer.Option("--write-schema", metavar="S.toml", show_default=False,
                     help="Draft a schema with suggested roles and the reason for each."),
    ] = None,
    hierarchies: Annotated[
        bool,
        typer.Option("--hierarchies", help="Draft hierarchies of dates and codes too, as files beside the schema."),
    ] = False,
    force: _Force = False,
    reading: Mapping[str, Any],
) -> Answer:
    """Tell what was read, guessed and dropped, and how many people stand alone before anonymizing."""
    _check_inspect(people, ties, write_schema, force=force)
    with bar():
        from graphanon.inspection import inspect_source
        from graphanon.io import read
        from graphanon.io.schema_file import read_schema

        known = None if schema is None else read_schema(Path(schema))
        source = read(people, ties, options=read_options(reading, known))
        inspection = inspect_source(source, known)
    told = inspection.as_json()
    if write_schema is not None:
        drafts = {write_schema: inspection.draft_schema(with_hierarchies=hierarchies)}
        if hierarchies:
            drafts |= {write_schema.with_name(name): text for name, text in inspection.hierarchies().items()}
        _write_new(drafts, force=force)
        told |= {"schema": str(write_schema), "files": [str(file) for file in drafts]}
    # the page stands, but input that anonymize would refuse is bad input here too
    return Answer(text=_inspect_page(told, _next(people, ties, None if inspection.modes else schema or write_schema,
                                                       _projecting(told, reading))), json=told,
                  code=InputProblem.exit_code if inspection.problems else 0)


def _check_inspect(people: str | None, ties: str | None, write_schema: Path | None, *, force: bool) -> None:
    if people is None and ties is None:
        raise InputProblem(Problem(what="nothing to read", allowed="PEOPLE, --ties TIES, or both",
                                   fix="graphanon inspect people.csv --ties ties.csv"))
    if people == "-" and ties == "-":
        raise InputProblem(Problem(what="standard input cannot be both people and ties", fix="give one of them as a file"))
    if write_schema is not None and not write_schema.parent.is_dir():
        raise InputProblem(Problem(what="its folder does not exist", file=str(write_schema)))
    if write_schema is not None and write_schema.exists() and not force:
        raise InputProblem(_exists(write_schema))


def _write_new(drafts: Mapping[Path, str], *, force: bool) -> None:
    """Write each file whole or not at all, and none over another without `force`."""
    there = [file for file in drafts if file.exists()]
    if there and not force:
        raise InputProblem([_exists(file) for file in there])
    for file, text in drafts.items():
        partial = file.with_name(f".{file.name}.partial")
        try:
            partial.write_text(text, encoding="utf-8")
            partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)


def _exists(file: Path) -> Problem:
    return Problem(what="exists already", file=str(file), fix="--force replaces it")


def _projecting(told: Mapping[str, Any], reading: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options of reading that anonymize needs too, the larger mode of two taken for the people."""
    modes = told.get("modes")
    return {**reading, "project": max(modes, key=modes.__getitem__)} if modes else reading


def _next(people: str | None, ties: str | None, schema: Any, reading: Mapping[str, Any]) -> str:
    given = [people] if people else []
    given += ["--ties", ties] if ties else []
    given += reading_words(reading)
    if schema is None and people is not None:
        return shlex.join(["graphanon", "inspect", *given, "--write-schema", "schema.toml"])
    words = ["graphanon", "anonymize", *given, *(["--schema", os.fspath(schema)] if schema else []), "-k", "5"]
    return shlex.join(words)


def _inspect_page(told: Mapping[str, Any], next_: str) -> str:
    """Return an inspection as a person reads it."""
    kind = "directed" if told.get("directed") else "undirected"
    modes = " and ".join(f"{number:,} of mode '{mode}'" for mode, number in told.get("modes", {}).items())
    who = f"{count(told['people'], 'node')} of two modes, {modes}," if modes else count(told["people"], "person", "people")
    lines = [f"{who} and {count(told['ties'], kind + ' tie')}"]
    dropped = [
        (told.get("loops_dropped", 0), "{} of people to themselves dropped", "tie"),
        (told.get("repeats_merged", 0), "{} merged", "repeated tie"),
        (told.get("isolated", 0), "{} without a tie", "person"),
    ]
    lines += [
        "  " + text.format(count(number, noun, "people" if noun == "person" else None))
        for number, text, noun in dropped if number
    ]
    if told.get("columns"):
        rows = [["column", "type", "distinct", "missing", "suggested role", "why"]]
        names = ("name", "type", "distinct", "missing", "suggested_role", "why")
        rows += [[_cell(column.get(name)) for name in names] for column in told["columns"]]
        lines += ["", "columns", aligned(rows)]
    lines += _uniqueness_table(told["uniqueness"])
    for heading in ("notes", "warnings"):
        lines += ["", heading, *(f"  {line}" for line in told[heading])] if told[heading] else []
    if "schema" in told:
        lines += ["", f"draft written to {told['schema']}: read every line of it, the roles are guesses"]
    return "\n".join([*lines, "", "next", f"  {next_}"])


def _cell(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "-" if value is None else str(value)


_KNOWN = {
    "attributes": "suggested quasi attributes",
    "degree": "number of ties",
    "degree_and_neighbours_degrees": "that and those of the neighbours",
    "attributes_and_degree": "attributes and number of ties",
}


def _uniqueness_table(uniqueness: Mapping[str, int]) -> list[str]:
    """Return how many people stand alone, a line for each thing that may be known of them."""
    small = next((name.rpartition("_")[2] for name in uniqueness if "_in_groups_below_" in name), "")
    rows = [
        [text, *(_cell(uniqueness.get(f"{known}_{what}")) for what in ("distinct", "unique", f"in_groups_below_{small}"))]
        for known, text in _KNOWN.items() if f"{known}_unique" in uniqueness
    ]
    head = ["if one knows their", "kinds of people", "who stand alone", f"in groups below {small}"]
    return ["", "before anonymizing", aligned([head, *rows])] if rows else []


def audit_command(
    release: Annotated[Path, typer.Argument(metavar="OUT/release", help="The release folder of a run.")],
    *,
    original: Annotated[
        str | None,
        typer.Option("--original", metavar="PEOPLE", show_default=False, help="The people that went in, for truth checks."),
    ] = None,
    ties: Annotated[
        str | None, typer.Option("--ties", metavar="TIES", show_default=False, help="The ties that went in.")
    ] = None,
    schema: SchemaFile = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="KEY.csv", show_default=False, help="OUT/private/key.csv: who is where."),
    ] = None,
    withhold: Annotated[
        float | None,
        typer.Option("--withhold", metavar="SHARE", show_default=False,
                     help="Share of people that the run was allowed to leave out, if not the schema's."),
    ] = None,
    reading: Mapping[str, Any],
) -> Answer:
    """Recount every promise of a release from its files, as an outsider would.

    With the original and the key it also checks the truth: everyone in exactly one group that covers
    them, every tie counted once.
    """
    asked = _Asked(original, ties, schema)
    _check_audit(release, asked, key)
    with bar():
        from graphanon.audit import audit_release

        findings = list(audit_release(release))
        if key is not None:
            findings += _truth(asked, release, key, withhold=withhold, reading=reading)
        elif asked.people is not None:
            findings += _answers(asked, release, reading=reading)
    told = [finding.as_json() for finding in findings]
    broken = list(dict.fromkeys(entry["promise"] for entry in told if not entry["holds"]))
    answer: dict[str, Any] = {"ok": not broken, "findings": told}
    if broken:
        answer["error"] = Problem(what=f"does not hold: {', '.join(broken)}", file=str(release), fix=_way_out(broken)).as_json()
    return Answer(text=_audit_page(release, told, broken), json=answer, code=1 if broken else 0)


class _Asked(NamedTuple):
    """The files that went in."""

    people: str | None
    ties: str | None
    schema: str | None


def _check_audit(release: Path, asked: _Asked, key: Path | None) -> None:
    if not (release / "release.json").is_file():
        inner = release / "release"
        fix = f"graphanon audit {shlex.quote(str(inner))}" if (inner / "release.json").is_file() else None
        raise InputProblem(Problem(what="is no release folder: it has no release.json", file=str(release),
                                   allowed="the folder OUT/release of a run", fix=fix))
    has_original = asked.people is not None or asked.ties is not None
    if key is not None and _claims_a_budget(release):
        raise InputProblem(Problem(what="a release of randomized answers or of centres has no key", fix="leave out --key"))
    if not _claims_a_budget(release) and has_original != (key is not None):
        lacks = "--key OUT/private/key.csv" if key is None else "--original PEOPLE, --ties TIES, or both"
        raise InputProblem(Problem(what="truth checks need the original and the key", fix=lacks))
    if asked.people is not None and asked.schema is None:
        raise InputProblem(Problem(what="truth checks need to know what each column is", fix="--schema S.toml"))


def _claims_a_budget(release: Path) -> bool:
    """Return whether a release is of a kind that says what was spent instead of who is together."""
    from graphanon.audit import claims_a_budget

    return claims_a_budget(release)


def _answers(asked: _Asked, release: Path, *, reading: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Hold randomized answers against the people who gave them."""
    from graphanon.audit import audit_answers
    from graphanon.io import read
    from graphanon.io.schema_file import read_schema

    assert asked.schema is not None
    schema = read_schema(Path(asked.schema))
    source = read(asked.people, None, options=read_options(reading, schema))
    frame = source.people.frame if source.people is not None else {}
    return audit_answers(release, schema_path=asked.schema, people={str(name): list(frame[name]) for name in frame})


def _truth(
    asked: _Asked, release: Path, key: Path, *, withhold: float | None, reading: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """Hold the release and the key against the original."""
    from graphanon.audit import audit_truth
    from graphanon.cli.originals import originals
    from graphanon.io import read
    from graphanon.io.schema_file import read_schema
    from graphanon.schema import Schema

    schema = Schema(columns=()) if asked.schema is None else read_schema(Path(asked.schema))
    source = read(asked.people, asked.ties, options=read_options(reading, schema))
    told = originals(source, schema)
    return audit_truth(release, key_path=key, schema_path=asked.schema, withhold=withhold, **told)


def _way_out(broken: Sequence[str]) -> str:
    """Return what could be done about a release whose checks fail."""
    if any(promise.partition(".")[0] in _OF_GROUPS for promise in broken):
        return f"make the release anew with {WAYS_OUT}"
    return "make the release anew: its files are not as a run has left them"


def _audit_page(release: Path, findings: list[dict[str, Any]], broken_promises: Sequence[str]) -> str:
    rows = [["check", "asked", "found", "holds", ""]]
    rows += [
        [str(f["promise"]), _short(f["asked"]), _short(f["found"]), "yes" if f["holds"] else "NO", _where(f)]
        for f in findings
    ]
    broken = sum(not f["holds"] for f in findings)
    verdict = "every check holds" if not broken else f"{count(broken, 'check')} of {len(findings)} FAILED: do not release"
    advice = f"\n\nto fix\n  {_way_out(broken_promises)}" if broken else ""
    return f"{release}: {verdict}\n\n{aligned(rows)}{advice}"


def _where(finding: Mapping[str, Any]) -> str:
    line = f"line {finding['line']}" if "line" in finding else None
    return ": ".join(part for part in (finding.get("file"), line, finding.get("detail")) if part)


def _short(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_short(inner)}" for name, inner in value.items())
    return str(value)
