"""The whole audit: of the files alone, and of the files against the originals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from graphanon.audit.facts import SCHEMA, asked_findings, fact_faults
from graphanon.audit.files import checksum_faults, load, time_faults
from graphanon.audit.finding import Finding, Findings, broken, settled
from graphanon.audit.graphml import graphml_faults
from graphanon.audit.groups import Groups, read_groups
from graphanon.audit.leaks import id_faults, leak_faults, order_faults
from graphanon.audit.letter import letter_faults
from graphanon.audit.private.statement import is_private
from graphanon.audit.private.whole import private_findings, private_truth
from graphanon.audit.recount import found_faults, loss_faults, promise_findings, sum_faults, tree_faults
from graphanon.audit.statement import Statement, read_statement
from graphanon.audit.truth import TRUTHS, Originals, Tie, originals_of, read_key, truth_faults
from graphanon.audit.values import ValueLine, value_lines
from graphanon.audit.wording import Wording, read_wording

__all__ = ["audit_answers", "audit_release", "audit_truth", "claims_a_budget"]

FORM = (
    "files", "checksums", "format", "statement", "codebook", "readme", "hierarchies", "cells", "order", "sums",
    "graphml", "found", "losses",
)

ANY_KIND = {
    "supernodes.csv", "superedges.csv", "sensitive.csv", "records.csv", "supernodes.graphml", "codebook.csv",
    "release.json", "README.txt", "SHA256SUMS",
}


class _Parts(NamedTuple):
    statement: Statement
    groups: Groups
    lines: dict[str, ValueLine]


def audit_release(folder: Path | str, *, fresh: bool = False) -> tuple[Finding, ...]:
    """Return what an outsider finds of every promise of a release, from its files alone.

    `fresh` looks at the times of the files too, which only tell something before the folder is copied.

    Raises
    ------
    InputProblem
        If there is no such folder.
    """
    folder = Path(folder)
    contents, faults = load(folder)
    faults += checksum_faults(contents)
    if fresh:
        faults += time_faults(folder)
    if is_private(contents):
        return Findings(_of_budget(contents, faults, fresh=fresh))
    names: tuple[str, ...] = (*FORM, "times") if fresh else FORM
    parts, more = _parts(contents)
    faults += more
    if parts is None:
        # what could not be recounted is not said to hold
        faults.append(broken("k", "cannot be recounted: the files cannot be understood"))
        names = ("files", "checksums")
    faults += _extra_files(contents, parts)
    promises: list[Finding] = []
    if parts is not None:
        try:
            promises = list(promise_findings(parts.statement, parts.groups, parts.lines))
            faults += _recounted(contents, parts, promises)
        except Exception as error:  # noqa: BLE001  what nobody thought of is no reason to let a release pass
            faults.append(broken("format", f"cannot be audited: {type(error).__name__}: {error}"))
    return Findings((*promises, *settled(names, faults)))


def _of_budget(contents: Mapping[str, bytes], faults: Sequence[Finding], *, fresh: bool) -> tuple[Finding, ...]:
    """Return the findings of a release that claims a budget, with those about its folder."""
    names = ("checksums", "files", *(("times",) if fresh else ()))
    try:
        own = private_findings(contents)
    except Exception as error:  # noqa: BLE001  what nobody thought of is no reason to let a release pass
        own = [broken("epsilon.record", "cannot be recounted"),
               broken("format", f"cannot be audited: {type(error).__name__}: {error}")]
    held = {finding.promise for finding in own}
    return (*own, *(f for f in settled(names, faults) if not f.holds or f.promise not in held))


def _parts(contents: Mapping[str, bytes]) -> tuple[_Parts | None, list[Finding]]:
    try:
        statement, faults = read_statement(contents)
        if statement is None:
            return None, faults or [broken("statement", "cannot be read", "release.json")]
        lines, more = value_lines(contents, statement)
        faults += more
        if more:
            return None, faults
        groups, more = read_groups(contents, statement, lines)
        return _Parts(statement, groups, lines), faults + more
    except Exception as error:  # noqa: BLE001  likewise
        return None, [broken("format", f"cannot be audited: {type(error).__name__}: {error}")]


def _recounted(contents: Mapping[str, bytes], parts: _Parts, promises: Sequence[Finding]) -> Iterable[Finding]:
    statement, groups, lines = parts
    yield from sum_faults(statement, groups)
    yield from tree_faults(statement, groups, lines)
    yield from found_faults(statement, promises)
    yield from loss_faults(statement, groups, lines)
    yield from letter_faults(contents, statement, groups)
    if statement.graph:
        yield from graphml_faults(contents, statement, groups)


def _expected(statement: Statement) -> set[str]:
    names = {"codebook.csv", "release.json", "README.txt", "SHA256SUMS"}
    names |= {"supernodes.csv", "superedges.csv", "supernodes.graphml"} if statement.graph else {"records.csv"}
    if statement.graph and statement.of_role("sensitive", "open"):
        names.add("sensitive.csv")
    return names | {f"hierarchies/{a.facts['hierarchy']}" for a in statement.attributes if "hierarchy" in a.facts}


def _extra_files(contents: Mapping[str, bytes], parts: _Parts | None) -> Iterable[Finding]:
    if parts is None:
        return
    for name in sorted(set(contents) - _expected(parts.statement)):
        yield broken("files", "is not part of a release", name)


def audit_truth(
    folder: Path | str,
    *,
    key_path: Path | str,
    people: Mapping[str, Sequence[str | None]],
    ids: Sequence[str] | None = None,
    ties: Iterable[Tie] | None = None,
    schema_path: Path | str | None = None,
    roles: Mapping[str, str] | None = None,
    directed: bool | None = None,
    missing: str | None = None,
    withhold: float | None = None,
    labels: Mapping[str, Collection[str]] | None = None,
) -> tuple[Finding, ...]:
    """Return how a release compares with the people it was made from, as only its custodian can tell.

    `people` has each column's cells as text (None where missing), `ids` the people's ids (None: a
    table, whose key counts rows from 1), `ties` pairs of ids with an optional weight. The schema file
    says the rest, or the words after it do, which override it: each column's role, whether ties have
    a direction, what becomes of missing cells, which share may be withheld, and the labels that
    hierarchies and orders declare for a column.

    Raises
    ------
    InputProblem
        If the folder, the key or the schema cannot be read.
    """
    contents, _ = load(Path(folder))
    parts, _ = _parts(contents)
    promises = (*TRUTHS, "leaks")
    said = read_wording(Path(schema_path)) if schema_path is not None else Wording(roles={})
    originals = originals_of(
        roles=said.roles if roles is None else roles,
        people=people,
        ids=ids,
        ties=ties,
        directed=said.directed if directed is None else directed,
        missing=said.missing if missing is None else missing,
        withhold=said.withhold if withhold is None else withhold,
    )
    declared = said.labels if labels is None else labels
    expected = _expected(parts.statement) if parts else ANY_KIND | {n for n in contents if n.startswith("hierarchies/")}
    faults = list(id_faults(contents, expected, originals.row))
    if parts is None:
        faults.append(broken("truth.people", "the release cannot be understood; audit its files first"))
        return Findings(settled(promises, faults))
    placed, more = read_key(Path(key_path), graph=parts.statement.graph)
    faults += more
    faults += _compared(contents, parts, originals, placed, declared)
    if schema_path is None:
        return Findings(settled(promises, faults))
    faults += _against_schema(contents, parts, originals, placed, said)
    return Findings((*asked_findings(parts.statement, said), *settled((*promises, SCHEMA), faults)))


def claims_a_budget(folder: Path | str) -> bool:
    """Return whether a release says that it claims a privacy budget, and no groups of people."""
    contents, _ = load(Path(folder))
    return is_private(contents)


def audit_answers(
    folder: Path | str,
    *,
    people: Mapping[str, Sequence[str | None]],
    schema_path: Path | str | None = None,
    roles: Mapping[str, str] | None = None,
    missing: str = "error",
    columns: Mapping[str, Mapping[str, Any]] | None = None,
    trees: Mapping[str, Sequence[tuple[str, ...]]] | None = None,
    ties: int | None = None,
) -> tuple[Finding, ...]:
    """Return how a release that claims a budget compares with the people and the schema it was made from.

    `people` has each column's cells as text (None where missing). The schema file says the rest, or the words
    after it do: roles, what becomes of missing cells, what is declared of each column, and its hierarchy.
    `ties` is how many distinct ties the people have, None if nobody says.

    Raises
    ------
    InputProblem
        If the folder or the schema cannot be read.
    """
    contents, _ = load(Path(folder))
    said = read_wording(Path(schema_path)) if schema_path is not None else Wording(
        roles=roles or {}, missing=missing, columns=columns or {}, trees=trees or {})
    try:
        return tuple(private_truth(contents, people, said, ties))
    except Exception as error:  # noqa: BLE001  likewise
        return (broken("truth.people", f"cannot be compared: {type(error).__name__}: {error}"),)


def _compared(
    contents: Mapping[str, bytes],
    parts: _Parts,
    originals: Originals,
    key: Mapping[str, str],
    labels: Mapping[str, Collection[str]] | None,
) -> list[Finding]:
    try:
        return [
            *truth_faults(*parts, originals, key),
            *leak_faults(contents, parts.statement, originals, labels),
            *order_faults(parts.statement, parts.groups, originals, key),
        ]
    except Exception as error:  # noqa: BLE001  likewise
        return [broken("truth.people", f"cannot be compared: {type(error).__name__}: {error}")]


def _against_schema(
    contents: Mapping[str, bytes], parts: _Parts, originals: Originals, key: Mapping[str, str], said: Wording
) -> list[Finding]:
    try:
        return list(fact_faults(contents, parts.statement, originals, key, said))
    except Exception as error:  # noqa: BLE001  likewise
        return [broken(SCHEMA, f"cannot be compared: {type(error).__name__}: {error}")]
