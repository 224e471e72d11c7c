"""Looking before anonymizing: what was read, what each column seems to be, who stands alone.

Nothing here changes or releases anything, and what it prints is for the steward. The drafted schema
is a beginning: its roles are suggestions with reasons, its bounds are round numbers outside the data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from graphanon.errors import InputProblem, Problem
from graphanon.io.build import build
from graphanon.io.cells import Coded, Findings, Ints, Place, code, number_of
from graphanon.io.coded import distinct
from graphanon.io.declared import Declared
from graphanon.io.ends import (
    Ends,
    Matrices,
    complete,
    is_directed,
    match,
    matrices,
    of_relation,
    repeated_ids,
    unknown_ends,
)
from graphanon.io.kinds import Kind, kind_of, suggested_hierarchy
from graphanon.io.modes import mode_sizes, two_mode_problem
from graphanon.io.names import name_problems
from graphanon.io.numbers import MARKERS
from graphanon.io.schema_file import column_settings, toml_table
from graphanon.io.source import ReadOptions, Source, Ties
from graphanon.schema import Column, Role, Schema

__all__ = ["ColumnReport", "Inspection", "inspect_source"]

SMALL = 5  # groups smaller than this are told, since 5 is the usual k
_DRAWN = (("x", "y"), ("r", "g", "b"))
STRONGEST = 3  # so many attributes are named as those that single out most people


@dataclass(frozen=True, kw_only=True)
class ColumnReport:
    """One column: its type, numbers of distinct and missing cells, and the role to suggest, with the reason."""

    name: str
    kind: Kind
    distinct: int
    missing: int
    hierarchy: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the column in the shape that ``--json`` prints."""
        return {"name": self.name, "type": self.kind.type, "distinct": self.distinct, "missing": self.missing,
                "suggested_role": str(self.kind.role), "why": self.kind.why, "proposed": dict(self.kind.line)}


@dataclass(frozen=True, kw_only=True)
class Inspection:
    """What was found in people and ties; `uniqueness` counts people who stand alone, by what is known of them.

    `problems` are those for which this input would be refused; each is among the warnings too.
    """

    people: int
    ties: int
    directed: bool
    counts: Mapping[str, int]
    columns: tuple[ColumnReport, ...]
    uniqueness: Mapping[str, int]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    id: str | None = None
    has_ties: bool = False
    weight: str | None = None
    schema: Schema | None = field(default=None, repr=False)
    modes: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the inspection in the shape that ``--json`` prints."""
        counts = {name: int(self.counts.get(name, 0)) for name in ("loops_dropped", "repeats_merged", "isolated")}
        modes = {"modes": dict(self.modes)} if self.modes else {}
        problems = {"problems": [problem.as_json() for problem in self.problems]} if self.problems else {}
        return {
            "people": self.people, "ties": self.ties, "directed": self.directed, **counts, **modes,
            "columns": [column.as_json() for column in self.columns],
            "uniqueness": dict(self.uniqueness), "notes": list(self.notes), "warnings": list(self.warnings),
            **problems,
        }

    def draft_schema(self, *, with_hierarchies: bool = False) -> str:
        """Return a schema file with the suggested roles, each with its reason as a comment.

        `with_hierarchies` names the files of :meth:`hierarchies`, which must then lie beside the
        schema; without it they are only hinted at.
        """
        return "\n".join(_draft(self, with_hierarchies=with_hierarchies)) + "\n"

    def hierarchies(self) -> dict[str, str]:
        """Return hierarchy files to begin with, text by file name: dates by month and year, codes by prefix."""
        return {_file_of(column): column.hierarchy for column in self.columns if column.hierarchy is not None}


def inspect_source(source: Source, schema: Schema | None = None) -> Inspection:
    """Return what was read, what the columns seem to be, and how many people stand alone.

    Problems of the input do not stop an inspection: they are among its warnings, and apart in its `problems`. With a
    `schema` its roles stand in place of suggested ones, and what it would refuse is a problem too.

    Examples
    --------
    >>> from graphanon.io.source import ReadReport, Table
    >>> frame = pd.DataFrame({"age": ["31", "47", "31"], "job": ["nurse", "cook", "nurse"]})
    >>> people = Table(frame=frame, lines=np.array([2, 3, 4]), file="people.csv")
    >>> seen = inspect_source(Source(people=people, ties=None, id=None, report=ReadReport()))
    >>> seen.uniqueness["attributes_unique"]
    1
    """
    findings = Findings()
    id_ = source.options.id or (schema.id if schema else None) or source.id
    cells = {} if source.people is None else _cells(source.people.frame)
    types = {} if source.people is None else source.people.types
    columns = tuple(_column(name, coded, schema, is_id=name == id_, is_label=name in source.labels, declared=types.get(name))
                    for name, coded in cells.items())
    if source.ties is not None and schema is None:
        columns = tuple(_undrawn(columns))
    found = _ties(source, schema, cells.get(id_ or ""), findings)
    people = found.ties.shape[0] if source.ties is not None else len(source.people.frame) if source.people else 0
    quasi = {c.name: cells[c.name].codes for c in columns if c.kind.role is Role.QUASI}
    uniqueness, notes = _uniqueness(quasi, found, same_people=people == _rows(source), findings=findings)
    findings.warnings += _column_warnings(columns, cells)
    two_mode = two_mode_problem(source)
    if two_mode is not None and schema is None:
        findings.warnings.append("anonymize refuses this as it is: " + _sentence(two_mode))
    findings.problems += _schema_problems(source, schema, findings)
    findings.warnings += ["would be refused: " + _sentence(problem) for problem in findings.problems]
    findings.warnings += _draft_warnings(source, schema, columns)
    return Inspection(
        people=people, ties=_count(found), directed=found.arcs is not None, counts=findings.counts,
        columns=columns, uniqueness=uniqueness, notes=(*source.report.notes, *findings.notes, *notes),
        warnings=tuple(dict.fromkeys((*source.report.warnings, *findings.warnings))), id=id_,
        has_ties=source.ties is not None, weight=None if source.ties is None else source.ties.weight, schema=schema,
        modes=mode_sizes(source), problems=tuple(findings.problems),
    )


def _rows(source: Source) -> int:
    return 0 if source.people is None else len(source.people.frame)


def _cells(frame: pd.DataFrame) -> dict[str, Coded]:
    return {str(name): code(frame[name]) for name in frame.columns}


def _column(
    name: str, coded: Coded, schema: Schema | None, *, is_id: bool, is_label: bool, declared: Declared | None
) -> ColumnReport:
    kind = kind_of(name, coded, is_id=is_id, declared=declared)
    if is_label and kind.role is not Role.IDENTIFIER:
        kind = replace(kind, role=Role.IDENTIFIER, why="the label of each node, which may name the person", line={})
    listed = {} if schema is None else {column.name: column for column in schema.columns}
    if name in listed:
        kind = replace(kind, role=listed[name].role, why="as the schema says")
    elif schema is not None and not is_id:
        kind = replace(kind, why=f"not in the schema; {kind.why}")
    open_text = kind.role is Role.QUASI and kind.type == "text"
    return ColumnReport(name=name, kind=kind, distinct=len(coded.labels), missing=int(coded.missing.sum()),
                        hierarchy=suggested_hierarchy(coded) if open_text else None)


def _undrawn(columns: Sequence[ColumnReport]) -> Iterator[ColumnReport]:
    """Suggest to drop where and in what colour a program draws each node."""
    numbers = {c.name.casefold() for c in columns if c.kind.type in ("int", "float") and c.kind.role is not Role.IDENTIFIER}
    drawn = {name for names in _DRAWN if set(names) <= numbers for name in names}
    drawn |= {"z", "size"} if drawn else set()
    for column in columns:
        if column.name.casefold() in drawn & numbers and column.kind.role is not Role.DROP:
            why = "tells how each node is drawn, by its name"
            yield replace(column, kind=replace(column.kind, role=Role.DROP, why=why, line={}), hierarchy=None)
        else:
            yield column


def _ties(source: Source, schema: Schema | None, ids: Coded | None, findings: Findings) -> Matrices:
    """Return the ties as far as they can be matched; what cannot becomes a warning."""
    n = _rows(source)
    if source.ties is None:
        return Matrices(sparse.csr_array((n, n), dtype=np.int64))
    columns = (schema or Schema(columns=())).ties
    # with a schema its own build tells what it would refuse
    aside = Findings()
    ties = complete(of_relation(source.ties, columns, source.options, aside), source.options, aside)
    index = _index(source, ids, ties.frame, aside)
    ends = match(ties, index)
    added = unknown_ends(ties, ends, source.options, aside)
    if added:
        index = pd.Index([*index, *added], dtype=object, tupleize_cols=False)
        ends = match(ties, index)
    known = (ends.source >= 0) & (ends.target >= 0)
    directed = is_directed(source.ties, columns, source.options)
    if not known.all():
        ends = Ends(ends.source[known], ends.target[known], None)
    found = matrices(len(index), ends, directed=directed, findings=aside)
    aside.counts["isolated"] = int((np.diff(found.ties.indptr) == 0).sum())
    findings.counts.update(aside.counts)
    if schema is None:
        findings.notes += [*aside.notes, *_tie_notes(source.ties, source.options)]
        findings.warnings += aside.warnings
        findings.problems += aside.problems
    return found


def _tie_notes(ties: Ties, options: ReadOptions) -> Iterator[str]:
    """Say what a steward may want to decide of ties: whether they have a direction, what becomes of weights."""
    if ties.directed is None and options.directed is None:
        yield f"{ties.file}: does not tell whether ties have a direction; they are read without, --directed reads them as arcs"
    if ties.weight is not None:
        yield (f"{ties.file}: ties have weights (column '{ties.weight}'), which a release leaves out unless the schema says"
               ' [ties] weight = "sum"')


def _sentence(problem: Problem) -> str:
    return str(problem).replace("\n  ", "; ")


def _count(found: Matrices) -> int:
    """Return the number of tied pairs; there and back are two where ties have a direction."""
    return int(found.ties.nnz) // 2 if found.arcs is None else int(found.arcs.nnz)


def _index(source: Source, ids: Coded | None, ends: pd.DataFrame, findings: Findings) -> pd.Index:
    """Return the ids of people, each once and in their rows; the ends themselves where only ties were given."""
    if source.people is None:
        return pd.Index(sorted({end for name in ("source", "target") for end in distinct(ends[name])}), dtype=object)
    if ids is None:
        findings.warnings.append("no column names the person, so ties cannot be matched: [people] id")
        return pd.Index([("row", row) for row in range(_rows(source))], dtype=object, tupleize_cols=False)
    again = np.arange(len(ids.codes)) != np.append(ids.first, 0)[ids.codes]
    again &= ~ids.missing
    place, id_ = Place(source.people.file, source.people.lines), source.options.id or source.id or ""
    if again.any() and source.options.duplicate_nodes != "first":
        findings.problems.append(repeated_ids(ids, np.flatnonzero(again).tolist(), place, id_))
    absent = np.flatnonzero(ids.missing)
    if len(absent):
        findings.problems.append(Problem(what=f"{number_of(len(absent), 'person has', 'people have')} no id", file=place.file,
                                         line=place.line(int(absent[0])), column=id_))
    labels = np.array([*ids.labels, None], dtype=object)[ids.codes]
    # rows without an id of their own keep their place under a key that no text can equal
    gone = again | ids.missing
    keys = [("row", row) if none else label for row, (label, none) in enumerate(zip(labels, gone, strict=True))]
    if source.options.duplicate_nodes == "first":
        keys = [key for key, left_out in zip(keys, again, strict=True) if not left_out]
    return pd.Index(keys, dtype=object, tupleize_cols=False)


def _uniqueness(
    quasi: Mapping[str, Ints], found: Matrices, *, same_people: bool, findings: Findings
) -> tuple[dict[str, int], list[str]]:
    """Return how many people stand alone by their attributes, by their ties, and by both."""
    numbers: dict[str, int] = {}
    sentences: list[str] = []
    attributes = _joined(list(quasi.values())) if quasi else None
    if attributes is not None:
        numbers |= _alone("attributes", attributes)
        sentences += _strongest(quasi)
    if not found.ties.nnz:
        return numbers, sentences
    degree, neighbours = _structure(found.ties)
    numbers |= _alone("degree", degree) | _alone("degree_and_neighbours_degrees", neighbours)
    if attributes is not None and same_people:
        numbers |= _alone("attributes_and_degree", _joined([attributes, degree]))
    alone = numbers["degree_and_neighbours_degrees_unique"]
    if alone:
        findings.warnings.append(
            f"{alone:,} of {len(degree):,} people can be told by their number of ties and those of their neighbours"
            " alone: removing names does not protect them")
    return numbers, sentences


def _alone(known: str, groups: Ints) -> dict[str, int]:
    sizes = np.bincount(groups)
    return {f"{known}_distinct": int((sizes > 0).sum()), f"{known}_unique": int((sizes == 1).sum()),
            f"{known}_in_groups_below_{SMALL}": int(sizes[sizes < SMALL].sum())}


def _joined(columns: Sequence[Ints]) -> Ints:
    """Return the group of each row, rows being together where all columns agree."""
    groups: Ints = pd.factorize(columns[0] + 1)[0].astype(np.int64)
    for codes in columns[1:]:
        width = int(codes.max(initial=0)) + 2
        groups = pd.factorize(groups * width + codes + 1)[0].astype(np.int64)
    return groups


def _strongest(quasi: Mapping[str, Ints]) -> Iterator[str]:
    """Say how many people the few attributes that tell the most apart single out, chosen one by one."""
    left, chosen = dict(quasi), list[str]()
    groups = np.zeros(len(next(iter(quasi.values()))), dtype=np.int64)
    while left and len(chosen) < STRONGEST:
        joined = {name: _joined([groups, codes]) for name, codes in left.items()}
        best = max(joined, key=lambda name: int(joined[name].max(initial=0)))
        if joined[best].max(initial=0) == groups.max(initial=0):
            return
        chosen.append(best)
        groups = joined[best]
        del left[best]
        alone = int((np.bincount(groups) == 1).sum())
        if alone:
            verb = "together single" if len(chosen) > 1 else "alone singles"
            yield f"{' + '.join(chosen)} {verb} out {alone:,} of {len(groups):,} people"


def _structure(ties: sparse.csr_array) -> tuple[Ints, Ints]:
    """Return the groups of people with as many ties, and of those whose neighbours have as many too."""
    degree = np.diff(ties.indptr).astype(np.int64)
    # the sum of random words, one for each degree, tells multisets of degrees apart
    words = np.random.default_rng(0).integers(0, 2**63, size=(2, int(degree.max(initial=0)) + 1), dtype=np.uint64)
    groups = [degree]
    for word in words:
        total = np.concatenate([[np.uint64(0)], np.cumsum(word[degree[ties.indices]], dtype=np.uint64)])
        sums: NDArray[np.uint64] = total[ties.indptr[1:]] - total[ties.indptr[:-1]]
        groups.append(pd.factorize(sums)[0].astype(np.int64))
    return degree, _joined(groups)


def _column_warnings(columns: Sequence[ColumnReport], cells: Mapping[str, Coded]) -> Iterator[str]:
    for column in columns:
        coded = cells[column.name]
        for label, number in zip(coded.labels, coded.count.tolist(), strict=True):
            if label.strip().casefold() in MARKERS:
                yield (f"column '{column.name}': {number_of(number, 'cell is', 'cells are')} '{label}'; if that means"
                       f" missing: --na-values '{label.strip()}'")
        if column.kind.role is not Role.IDENTIFIER and any(label != label.strip() for label in coded.labels):
            yield f"column '{column.name}': some cells begin or end with blanks, which count as part of the text"


def _draft_warnings(source: Source, schema: Schema | None, columns: Sequence[ColumnReport]) -> Iterator[str]:
    if schema is None:
        drafted = Schema(columns=tuple(Column(name=c.name, role=c.kind.role, numeric="range" in c.kind.line)
                                       for c in columns))
        for problem in name_problems(drafted, "", graph=source.ties is not None):
            yield f"column '{problem.column}' {problem.what}; {problem.fix}"


def _schema_problems(source: Source, schema: Schema | None, findings: Findings) -> tuple[Problem, ...]:
    """Return what a schema would refuse; otherwise what it would warn of becomes a warning."""
    if schema is None:
        return ()
    try:
        findings.warnings += build(source, schema).report.warnings
    except InputProblem as error:
        return error.problems
    return ()


def _draft(inspection: Inspection, *, with_hierarchies: bool) -> Iterator[str]:
    yield "# Drafted from the data. The roles are suggestions: read every line before you rely on it."
    yield "# Roles: identifier, quasi, sensitive, open, k, drop."
    yield "# Of a quasi column: numbers have a range (rounded outwards here; declare what you know), a grid and steps;"
    yield '# ranked labels have order = ["low", "mid", "high"]; text may have hierarchy = "FILE.csv" with lines value;group;*'
    yield "# and is flat without one: any two different values become *."
    # nothing is known of people who are added because a tie names them
    gaps = inspection.counts.get("people_added", 0) > 0 or any(c.missing for c in inspection.columns if c.kind.role in (Role.QUASI, Role.SENSITIVE, Role.K))
    yield from ("", "[people]")
    if inspection.id is not None and inspection.columns:
        yield from toml_table({"id": inspection.id})
    yield f'missing = "{"value" if gaps else "error"}"' + ("  # some cells are missing" if gaps else "")
    if inspection.has_ties:
        yield from ("", "[ties]", f"directed = {str(inspection.directed).lower()}")
        if inspection.weight is not None:
            yield '# the ties have weights: weight = "sum" publishes sums of them'
            yield 'weight = "drop"'
    yield from ("", "[columns]")
    for column in inspection.columns:
        known = {} if inspection.schema is None else {c.name: c for c in inspection.schema.columns}
        if column.name in known:
            yield from toml_table({column.name: column_settings(known[column.name], {})})
        else:
            yield from _draft_column(column, with_hierarchies=with_hierarchies)
    yield from ("", "[promises]", "k = 5")


def _draft_column(column: ColumnReport, *, with_hierarchies: bool) -> Iterator[str]:
    missing = f", {column.missing} missing" if column.missing else ""
    yield f"# {column.kind.type}, {column.distinct} distinct{missing}: {column.kind.why}"
    settings: dict[str, Any] = {"role": str(column.kind.role)}
    if column.kind.role is Role.QUASI:
        settings |= column.kind.line
    if column.kind.role is Role.SENSITIVE and column.distinct > 1:
        settings["l"] = 2
    if column.hierarchy is not None and with_hierarchies:
        yield "# the release tells the whole hierarchy: add the values that nobody here has"
        settings["hierarchy"] = _file_of(column)
    yield from toml_table({column.name: settings})


def _file_of(column: ColumnReport) -> str:
    return "".join(mark if mark.isalnum() or mark in "-_" else "_" for mark in column.name) + ".csv"
