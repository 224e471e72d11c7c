"""From text to graph: the schema's word applied to people and ties, in one place for every format.

Nothing enters by oversight: a column that the schema does not list stops the build, identifiers stay
behind, numbers are numbers and labels stand in their hierarchy. Everything wrong with a file is
gathered and told at once; what was dropped, merged or read off the data is in the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphanon.domain import Domain, Floats
from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph, Nominal, no_ties
from graphanon.io.cells import Coded, Findings, Ints, Place, code, number_of, some
from graphanon.io.columns import check_sensitive, close, nominal, wishes
from graphanon.io.ends import (
    Ends,
    Matrices,
    blank_ids,
    complete,
    is_directed,
    match,
    matrices,
    of_relation,
    repeated_ids,
    unknown_ends,
    weigh,
)
from graphanon.io.faults import refuse_any
from graphanon.io.modes import two_mode_problem
from graphanon.io.names import name_problems
from graphanon.io.released_text import warn_of_released
from graphanon.io.source import Reading, ReadReport, Source, Table, Ties
from graphanon.schema import Column, Role, Schema

__all__ = ["build"]


class _People(NamedTuple):
    """The people in question: their ids, the row of the input that each stands in (from 1), their text."""

    table: Table
    ids: pd.Index | None
    rows: Ints

    def take(self, keep: Ints | NDArray[np.bool_]) -> _People:
        table = replace(
            self.table, frame=self.table.frame.iloc[keep].reset_index(drop=True), lines=self.table.lines[keep]
        )
        return _People(table, None if self.ids is None else self.ids[keep], self.rows[keep])


class _Attributes(NamedTuple):
    domains: dict[str, Domain]
    values: Floats
    payload: dict[str, Nominal]
    wishes: Ints | None


def build(source: Source, schema: Schema) -> Reading:
    """Return people and ties as a graph with a closed schema, and apart from it who is who.

    Raises
    ------
    InputProblem
        With every problem of the people and the ties: columns that the schema does not list, cells
        that are no numbers or lie outside their range or hierarchy, missing cells (unless the schema
        has a policy), ids that repeat, ties to nobody.

    Examples
    --------
    >>> from graphanon.io.source import ReadReport
    >>> frame = pd.DataFrame({"age": ["31", "33"], "job": ["nurse", "cook"]})
    >>> people = Table(frame=frame, lines=np.array([2, 3]), file="people.csv")
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, numeric=True),
    ...                          Column(name="job", role=Role.SENSITIVE, l=2)))
    >>> build(Source(people=people, ties=None, id=None, report=ReadReport()), schema)
    Reading(AttributedGraph(2 people, 0 ties, 1 quasi-identifiers))
    """
    findings = Findings()
    refuse_any([problem for problem in [two_mode_problem(source)] if problem])
    people = _people(source, schema, findings)
    ends, people = _ends(source, schema, people, findings)
    used = _used(schema)
    people, ends, cells = _without_missing(people, ends, used, schema, findings)
    attributes = _attributes(cells, schema, people, findings)
    findings.stop_if_any()
    found = _matrices(source, schema, ends, len(people.rows), findings)
    findings.stop_if_any()
    _count(source, people, found, findings)
    closed = replace(schema, ties=replace(schema.ties, directed=found.arcs is not None))
    graph = AttributedGraph(
        schema=closed.with_domains(attributes.domains), values=attributes.values, ties=found.ties,
        payload=attributes.payload, arcs=found.arcs, weights=found.weights, wishes=attributes.wishes,
        has_ties=source.ties is not None,
    )
    ids = None if people.ids is None else tuple(people.ids.tolist())
    report = source.report.plus(_new_counts(source.report, findings), tuple(findings.notes), tuple(findings.warnings))
    return Reading(graph=graph, ids=ids, rows=people.rows, table=people.table, report=report)


def _people(source: Source, schema: Schema, findings: Findings) -> _People:
    if source.people is None:
        return _ends_as_people(source, schema, findings)
    table = source.people
    if not len(table.frame):
        findings.problems.append(Problem(what="there are no people", file=table.file, allowed="at least k people",
                                         fix="give a file with a line for each person under its header"))
    id_ = _id_column(source, schema, findings)
    findings.problems += _column_problems(table, schema, id_, source, findings)
    findings.problems += name_problems(schema, table.file, graph=source.ties is not None)
    findings.stop_if_any()
    listed = {column.name for column in schema.columns} | {id_}
    frame = table.frame[[name for name in table.frame.columns if name in listed]]
    people = _People(replace(table, frame=frame), None, np.arange(1, len(frame) + 1))
    return people if id_ is None else _named(people, id_, source, schema, findings)


def _id_column(source: Source, schema: Schema, findings: Findings) -> str | None:
    """Return the column that names the person: asked for, or guessed and not given another role."""
    asked = source.options.id or schema.id
    name = asked or source.id
    roles = {column.name: column.role for column in schema.columns}
    if name is not None and roles.get(name, Role.IDENTIFIER) not in (Role.IDENTIFIER, Role.DROP):
        if asked is None and source.ties is None:
            return None
        file = None if source.people is None else source.people.file
        findings.problems.append(
            Problem(what=f"names the person and cannot be {roles[name]}", file=file, column=name,
                    allowed='role = "identifier"', fix="name another column: [people] id"))
    if name is None and source.ties is not None and source.people is not None:
        findings.problems.append(
            Problem(what="no column names the person, so ties cannot be matched", file=source.people.file,
                    allowed=", ".join(map(str, source.people.frame.columns)), fix="[people] id in the schema, or --id"))
    return name


def _column_problems(
    table: Table, schema: Schema, id_: str | None, source: Source, findings: Findings
) -> Iterator[Problem]:
    there = [str(name) for name in table.frame.columns]
    listed = [column.name for column in schema.columns]
    wanted = list(dict.fromkeys(listed if id_ is None else [*listed, id_]))
    for name in wanted:
        if name not in there:
            yield Problem(what="is in the schema and not in the file", file=table.file, column=name,
                          allowed=some(there, len(there)), fix="correct the name or leave it out of the schema")
    unlisted = [name for name in there if name not in wanted]
    if source.options.unlisted == "drop":
        if unlisted:
            findings.notes.append(f"columns that the schema does not list were dropped: {', '.join(unlisted)}")
        return
    for name in unlisted:
        yield Problem(what="is not in the schema", file=table.file, column=name,
                      allowed="every column has a role in [columns]",
                      fix=f'list it, for example {name} = {{ role = "drop" }}, or --unlisted drop')


def _ends_as_people(source: Source, schema: Schema, findings: Findings) -> _People:
    ties = source.ties
    if ties is None:
        raise InputProblem(Problem(what="there are neither people nor ties", fix="give a file of people, --ties, or both"))
    for column in schema.columns:
        if column.role not in (Role.IDENTIFIER, Role.DROP):
            findings.problems.append(
                Problem(what="is in the schema, and no people were given", column=column.name,
                        fix="give a file of people, or a schema without columns"))
    ties = _whole_ties(ties, schema, source, findings)
    labels, first = _first_rows(ties)
    findings.problems += [problem for name in ("source", "target")
                          for problem in blank_ids(code(ties.frame[name]), Place(ties.file, ties.lines), name)]
    if not labels:
        findings.problems.append(Problem(what="there are no ties, so there are no people", file=ties.file,
                                         allowed="a line for each tie", fix="give the people too, or a file with ties"))
    findings.stop_if_any()
    frame = pd.DataFrame({"id": pd.Series(labels, dtype=object)})
    table = Table(frame=frame, lines=ties.lines[first], file=ties.file)
    return _People(table, pd.Index(labels, dtype=object), np.arange(1, len(frame) + 1))


def _first_rows(ties: Ties) -> tuple[list[str], Ints]:
    """Return every end of a tie, sorted, and the first row in which it stands."""
    columns = [code(ties.frame[name]) for name in ("source", "target")]
    labels = sorted({label for coded in columns for label in coded.labels})
    index = pd.Index(labels, dtype=object)
    first = np.full(len(labels), len(ties.frame), dtype=np.int64)
    for coded in columns:
        places = index.get_indexer(pd.Index(coded.labels, dtype=object))
        first[places] = np.minimum(first[places], coded.first)
    return labels, first


def _named(people: _People, id_: str, source: Source, schema: Schema, findings: Findings) -> _People:
    """Return the people with their ids, each id once."""
    coded = code(people.table.frame[id_])
    place = Place(people.table.file, people.table.lines)
    findings.problems += blank_ids(coded, place, id_)
    again = np.arange(len(coded.codes)) != np.append(coded.first, 0)[coded.codes]
    again &= ~coded.missing
    keep = np.ones(len(coded.codes), dtype=bool)
    if coded.missing.any() and _without_id(coded, place, id_, schema, findings):
        keep &= ~coded.missing
    if again.any() and source.options.duplicate_nodes == "first":
        keep &= ~again
        total = int(again.sum())
        findings.counts["people_dropped"] += total
        findings.notes.append(
            f"{number_of(total, 'row that repeats', 'rows that repeat')} an id dropped; the first of each is kept")
    elif again.any():
        findings.problems.append(repeated_ids(coded, np.flatnonzero(again).tolist(), place, id_))
    labels = np.array([*coded.labels, None], dtype=object)[coded.codes]
    # rows that stop the build in the end keep a place, so that what else is wrong with them is told too
    for row in np.flatnonzero(keep & (again | coded.missing)).tolist():
        labels[row] = (row,)
    named = _People(people.table, pd.Index(labels, dtype=object, tupleize_cols=False), people.rows)
    return named if keep.all() else named.take(keep)


def _without_id(coded: Coded, place: Place, id_: str, schema: Schema, findings: Findings) -> bool:
    """Return whether people without an id are dropped; otherwise they are a problem."""
    rows = np.flatnonzero(coded.missing)
    if schema.missing == "drop":
        findings.counts["people_dropped"] += len(rows)
        findings.notes.append(f"{number_of(len(rows), 'person', 'people')} without an id dropped")
    else:
        lines = some((f"line {place.line(row)}" for row in rows.tolist()), len(rows))
        findings.problems.append(
            Problem(what=f"{number_of(len(rows), 'person has', 'people have')} no id: {lines}", file=place.file, line=place.line(int(rows[0])),
                    column=id_, allowed="one id a person", fix='give them ids, or [people] missing = "drop"'))
    return schema.missing == "drop"


def _whole_ties(ties: Ties, schema: Schema, source: Source, findings: Findings) -> Ties:
    return complete(of_relation(ties, schema.ties, source.options, findings), source.options, findings)


def _ends(
    source: Source, schema: Schema, people: _People, findings: Findings
) -> tuple[Ends | None, _People]:
    """Return the ties with their ends as rows of people, who may have become more on the way."""
    if source.ties is None or people.ids is None:
        return None, people
    # ends that became people were looked through already, and would be told twice
    ties = _whole_ties(source.ties, schema, source, Findings() if source.people is None else findings)
    ends = match(ties, people.ids)
    added = unknown_ends(ties, ends, source.options, findings)
    if added:
        people = _with_added(people, added, schema, source)
        ends = match(ties, people.ids if people.ids is not None else pd.Index([]))
    weight = weigh(ties, schema.ties, findings)
    known = (ends.source >= 0) & (ends.target >= 0)
    if known.all():
        return Ends(ends.source, ends.target, weight), people
    return Ends(ends.source[known], ends.target[known], None if weight is None else weight[known]), people


def _with_added(people: _People, added: tuple[str, ...], schema: Schema, source: Source) -> _People:
    old, total = people.table, len(people.rows) + len(added)
    frame = old.frame.astype(object).reindex(range(total))
    frame = frame.where(frame.notna(), None)
    ids = pd.Index([*(people.ids if people.ids is not None else ()), *added], dtype=object)
    id_ = source.options.id or schema.id or source.id
    if id_ in frame.columns:
        frame[id_] = pd.Series(ids, dtype=object)
    lines = np.append(old.lines, np.zeros(len(added), dtype=np.int64))
    after = int(people.rows.max(initial=0)) + 1
    return _People(replace(old, frame=frame, lines=lines), ids,
                   np.append(people.rows, np.arange(after, after + len(added))))


def _used(schema: Schema) -> tuple[Column, ...]:
    return schema.of_role(Role.QUASI, Role.SENSITIVE, Role.OPEN, Role.K)


def _without_missing(
    people: _People, ends: Ends | None, used: tuple[Column, ...], schema: Schema, findings: Findings
) -> tuple[_People, Ends | None, dict[str, Coded]]:
    """Return the people whom the missing policy keeps, the ties among them, and their cells."""
    cells = {column.name: code(people.table.frame[column.name]) for column in used}
    gaps = np.zeros(len(people.rows), dtype=bool)
    for column in used:
        missing = cells[column.name].missing
        gaps |= missing
        findings.counts["missing_cells"] += int(missing.sum())
        if missing.any():
            _tell_missing(column, missing, people, schema, findings)
    if schema.missing != "drop" or not gaps.any():
        return people, ends, cells
    kept = people.take(~gaps)
    findings.counts["people_dropped"] += int(gaps.sum())
    findings.notes.append(f"{number_of(int(gaps.sum()), 'person', 'people')} with missing cells dropped")
    if gaps.all():
        findings.problems.append(
            Problem(what="every person has a missing cell, so nobody is left", file=people.table.file,
                    fix='[people] missing = "value", or drop the column with the gaps'))
    ends = None if ends is None else _among(ends, ~gaps, findings)
    return kept, ends, {column.name: code(kept.table.frame[column.name]) for column in used}


def _tell_missing(
    column: Column, missing: NDArray[np.bool_], people: _People, schema: Schema, findings: Findings
) -> None:
    total = int(missing.sum())
    if schema.missing == "error":
        place = Place(people.table.file, people.table.lines)
        rows = np.flatnonzero(missing)
        lines = some((f"line {place.line(row)}" if place.line(row) else "a person who was added"
                      for row in rows.tolist()), total)
        findings.problems.append(
            Problem(what=f"{number_of(total, 'missing cell', 'missing cells')}: {lines}", file=place.file, line=place.line(int(rows[0])),
                    column=column.name, allowed="a value in every cell",
                    fix='[people] missing = "drop" leaves these people out, "value" makes missing a value'))
    elif schema.missing == "value" and column.role is Role.SENSITIVE:
        findings.notes.append(
            f"column '{column.name}': {number_of(total, 'missing cell counts', 'missing cells count')} as a value of"
            " their own for alpha and l")
    elif schema.missing == "value" and column.role is Role.K:
        findings.notes.append(f"column '{column.name}': {number_of(total, 'person has', 'people have')} no wish of their own")


def _among(ends: Ends, keep: NDArray[np.bool_], findings: Findings) -> Ends:
    """Return the ties among the people who are kept, in their new numbering."""
    number = np.where(keep, np.cumsum(keep) - 1, -1)
    source, target = number[ends.source], number[ends.target]
    both = (source >= 0) & (target >= 0)
    findings.counts["ties_dropped"] += int((~both).sum())
    return Ends(source[both], target[both], None if ends.weight is None else ends.weight[both])


def _attributes(cells: dict[str, Coded], schema: Schema, people: _People, findings: Findings) -> _Attributes:
    place = Place(people.table.file, people.table.lines)
    domains: dict[str, Domain] = {}
    values = np.zeros((len(people.rows), len(schema.quasi)))
    for j, column in enumerate(schema.quasi):
        closed = close(column, cells[column.name], place, findings)
        if closed is not None:
            domains[column.name], values[:, j] = closed
    for column in schema.of_role(Role.SENSITIVE):
        check_sensitive(column, cells[column.name], place, findings)
    warn_of_released(schema, cells, domains, findings)
    payload = {column.name: nominal(cells[column.name]) for column in schema.payload}
    own = [wishes(column, cells[column.name], place, findings) for column in schema.of_role(Role.K)]
    return _Attributes(domains, values, payload, own[0] if own else None)


def _matrices(
    source: Source, schema: Schema, ends: Ends | None, n: int, findings: Findings
) -> Matrices:
    if source.ties is None or ends is None:
        return Matrices(no_ties(n))
    directed = is_directed(source.ties, schema.ties, source.options)
    if source.ties.directed and not directed:
        findings.notes.append("the file says that ties have a direction; they are read without")
    found = matrices(n, ends, directed=directed, findings=findings)
    if len(source.ties.frame) and not found.ties.nnz:
        counts = findings.counts
        findings.problems.append(
            Problem(what=f"0 ties are left of {number_of(len(source.ties.frame), 'line', 'lines')}:"
                    f" {counts['loops_dropped']:,} to oneself, {counts['ties_dropped']:,} dropped", file=source.ties.file,
                    allowed="at least one tie between two people", fix="leave the ties out to release a table"))
    elif not found.ties.nnz:
        findings.warnings.append("the file of ties has no ties: everybody is isolated")
    return found


def _count(source: Source, people: _People, found: Matrices, findings: Findings) -> None:
    counts = findings.counts
    counts["people"] = len(people.rows)
    counts["rows_read"] = 0 if source.people is None else len(source.people.frame)
    if source.ties is not None:
        counts["tie_rows_read"] = len(source.ties.frame)
        counts["ties"] = int(found.ties.nnz) // 2
        counts["isolated"] = int((np.diff(found.ties.indptr) == 0).sum())
        if found.arcs is not None:
            counts["arcs"] = int(found.arcs.nnz)


def _new_counts(report: ReadReport, findings: Findings) -> dict[str, int]:
    """Return the numbers to add, given that a reader may have counted its rows already."""
    sums = ("people", "rows_read", "tie_rows_read", "ties", "isolated")
    always = ("people", "ties", "loops_dropped", "repeats_merged", "isolated", "missing_cells", "people_dropped",
              "ties_dropped")
    counts = dict.fromkeys(always, 0) | dict(findings.counts)
    return {name: number - (report.counts.get(name, 0) if name in sums else 0) for name, number in counts.items()}
