"""People and ties from whatever holds them: the table of formats, and the one way in.

A format is found by the first bytes of a file, then by the ending of its name. To add one, write a module with a
function from :class:`~graphanon.io.packed.Content` to :class:`~graphanon.io.source.Source` and give it a line in
:data:`FORMATS`; take its ending out of the list of formats that are not read.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, NoReturn, TypeAlias

import numpy as np
import pandas as pd

from graphanon.errors import Problem
from graphanon.io import (
    adjacency_list,
    adjacency_matrix,
    dl,
    dot,
    edge_list,
    excel,
    foreign,
    frames,
    gexf,
    gml,
    graphml,
    matrix_market,
    node_link,
    pajek,
    parquet,
)
from graphanon.io.coded import distinct
from graphanon.io.faults import refusal, refuse_any, shown
from graphanon.io.modes import projected, two_mode_problem
from graphanon.io.packed import STDIN, Content, opened
from graphanon.io.sizes import announced
from graphanon.io.source import ReadOptions, ReadReport, Source, Ties
from graphanon.io.tie_columns import NAMING, SOURCE, TARGET, column_named, ties_of

__all__ = ["FORMATS", "Format", "read"]

People: TypeAlias = Any


@dataclass(frozen=True, kw_only=True)
class Format:
    """A kind of file: its endings, how to know it by its first bytes, how to read people from it.

    `graph` says that it brings ties along, `named` that its ending is believed whatever the bytes are. Where reading `ties` is not reading a table of people and
    picking two columns, it has a function of its own.
    """

    name: str
    suffixes: tuple[str, ...]
    fits: Callable[[bytes], bool]
    people: Callable[[Content, ReadOptions], Source]
    ties: Callable[[Content, ReadOptions, AbstractSet[str]], Source] | None = None
    graph: bool = False
    named: bool = False


FORMATS: tuple[Format, ...] = (
    Format(name="Parquet", suffixes=(".parquet", ".pq"), people=parquet.read,
           fits=lambda head: head.startswith(parquet.MAGIC)),
    Format(name="Excel", suffixes=(".xlsx", ".xlsm"), fits=excel.fits, people=excel.read),
    Format(name="GraphML", suffixes=(".graphml",), fits=graphml.fits, people=graphml.read, graph=True),
    Format(name="GEXF", suffixes=(".gexf",), fits=gexf.fits, people=gexf.read, graph=True),
    Format(name="GML", suffixes=(".gml",), fits=gml.fits, people=gml.read, graph=True),
    Format(name="JSON", suffixes=(".json",), fits=node_link.fits, people=node_link.read, graph=True),
    Format(name="Matrix Market", suffixes=(".mtx",), fits=matrix_market.fits, people=matrix_market.read, graph=True),
    Format(name="Pajek", suffixes=(".net", ".paj"), fits=pajek.fits, people=pajek.read, graph=True),
    Format(name="UCINET DL", suffixes=(".dl",), fits=dl.fits, people=dl.read, graph=True),
    Format(name="DOT", suffixes=(".dot", ".gv"), fits=dot.fits, people=dot.read, graph=True),
    Format(name="adjacency list", suffixes=(".adjlist", ".adj"), fits=adjacency_list.fits, people=adjacency_list.read,
           graph=True, named=True),
    Format(name="text", suffixes=(".csv", ".tsv", ".tab", ".txt", ".dat", ".data", ".edges", ".edgelist", ".ncol"),
           fits=lambda _: False, people=adjacency_matrix.read_people, ties=adjacency_matrix.read_ties, named=True),
)
_TEXT = FORMATS[-1]
_SPELLINGS = {"edgelist": "text", "adjacencymatrix": "text", "matrix": "text", "matrix.csv": "text", "pajekproject": "Pajek"}
_NOT_READ = {
    ".xls": "old Excel", ".ods": "OpenDocument", ".feather": "Feather",
    ".sav": "SPSS", ".dta": "Stata", ".sas7bdat": "SAS", ".rds": "R", ".rdata": "R", ".sqlite": "SQLite", ".db": "SQLite",
}
_MAGIC_NOT_READ = ((b"\xd0\xcf\x11\xe0", "old Excel"), (b"SQLite format 3", "SQLite"), (b"\x28\xb5\x2f\xfd", "Zstandard"),
                   (b"%PDF", "PDF"), (b"ARROW1", "Feather"), (b"7z\xbc\xaf", "7-Zip"))


def read(people: People = None, ties: People = None, *, options: ReadOptions | None = None) -> Source:
    """Read people and ties, as text, with a report of what was read and guessed.

    Each is a path (packed or not), ``"-"`` for standard input, a data frame of pandas or polars, or a
    graph of networkx or igraph. A graph brings its ties; a table of people alone has none; with ties alone
    their ends are the people.

    Raises
    ------
    InputProblem
        If a file cannot be read, with all its problems at once, or people and ties do not go together.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"id": ["007", "8"], "age": [31, 33]})
    >>> ties = pd.DataFrame({"from": ["007"], "to": ["8"]})
    >>> source = read(people, ties)
    >>> source, source.id
    (Source(Table(2 rows, 2 columns), Ties(1 rows)), 'id')
    """
    options = options or ReadOptions()
    _refuse_nothing_or_double(people, ties)
    # people cannot be known without column names, so where both are given the word is about the ties, as is the format
    of_people = options if ties is None else replace(options, header=options.header or None, format=None)
    found = None if people is None else _read_people(people, of_people, alone=ties is None)
    if ties is None:
        if found is None or (found.people is None and found.ties is None):
            _refuse_no_people()
        if found.people is None:
            return replace(_as_arcs(projected(found)), options=options)
        return _as_arcs(projected(_with_id(found)))
    other = _as_arcs(projected(_read_ties(ties, options, _known(found))))
    if found is None:
        return replace(other, options=options)
    return replace(_with_id(_joined(found, other)), options=options)


def _as_arcs(source: Source) -> Source:
    """Return the ties both ways if arcs are asked for and the file says that its ties have no direction."""
    ties = source.ties
    if ties is None or ties.directed is not False or source.options.directed is not True:
        return source
    apart = (ties.frame[SOURCE] != ties.frame[TARGET]).to_numpy(dtype=bool)
    back = ties.frame[apart].rename(columns={SOURCE: TARGET, TARGET: SOURCE})[list(ties.frame.columns)]
    both = replace(ties, frame=pd.concat([ties.frame, back], ignore_index=True),
                   lines=np.concatenate([ties.lines, ties.lines[apart]]), directed=True)
    note = f"{ties.file}: its ties have no direction; each is read as two arcs"
    return replace(source, ties=both, report=source.report.plus(notes=(note,)))


def _refuse_nothing_or_double(people: People, ties: People) -> None:
    if people is None and ties is None:
        _refuse_no_people()
    if all(_is_path(given) and str(given) == STDIN for given in (people, ties)):
        raise refusal([Problem(what="people and ties cannot both come from standard input",
                        fix="give one of them as a file")])


def _refuse_no_people() -> NoReturn:
    raise refusal([Problem(what="there are no people to read", allowed="a table of people, a graph, or ties")])


def _is_path(thing: object) -> bool:
    return isinstance(thing, str | PathLike)


def _read_people(people: People, options: ReadOptions, *, alone: bool) -> Source:
    if frames.is_frame(people):
        return frames.read(people, "people (data frame)", options)
    if foreign.is_graph(people):
        return foreign.read(people, "people (graph)", options)
    if not _is_path(people):
        _refuse_kind(people)
    with opened(people) as content:
        form = _format(content, options)
        said = announced(content, form.name)
        if form.ties is not None and alone and _plain(options.format) == "edgelist":
            return _found(form.ties(content, options, frozenset()), content, said)
        # a list of ties read as a table would make a person of every tie
        if alone and form.ties is not None and edge_list.is_surely(content, options):
            told = f"{content.name}: read as a list of ties, whose ends are the people; --id COLUMN reads it as a table of people"
            listed = _found(form.ties(content, options, frozenset()), content, said)
            return replace(listed, report=listed.report.plus(warnings=(told,)))
        return _found(form.people(content, options), content, said)


def _read_ties(ties: People, options: ReadOptions, known: AbstractSet[str]) -> Source:
    if frames.is_frame(ties):
        return _picked(frames.read(ties, "ties (data frame)", options), options, known)
    if foreign.is_graph(ties):
        return foreign.read(ties, "ties (graph)", options)
    if not _is_path(ties):
        _refuse_kind(ties)
    with opened(ties) as content:
        form = _format(content, options)
        said = announced(content, form.name)
        if form.ties is not None:
            return _found(form.ties(content, options, known), content, said)
        found = form.people(content, options)
        return _found(found if form.graph else _picked(found, options, known), content, said)


def _picked(found: Source, options: ReadOptions, known: AbstractSet[str]) -> Source:
    """Return the ties in a table that was read as if of people."""
    if found.people is None:
        _refuse_no_people()
    ties = ties_of(found.people, options, known)
    return replace(ties, report=found.report.plus(notes=ties.report.notes, warnings=ties.report.warnings))


def _refuse_kind(thing: object) -> NoReturn:
    raise refusal([Problem(what=f"cannot read people or ties from a {type(thing).__name__}",
                    allowed="a path, '-', a pandas or polars frame, a networkx or igraph graph")])


def _found(source: Source, content: Content, said: tuple[tuple[str, ...], tuple[str, ...]]) -> Source:
    """Put what is known of the file as a whole before what its reader reports."""
    notes, warnings = said
    if content.packing is not None:
        notes = (*notes, f"{content.name}: unpacked from {content.packing}")
    report = source.report
    return replace(source, report=ReadReport(
        counts=report.counts, notes=(*notes, *report.notes), warnings=(*warnings, *report.warnings)))


def _plain(name: str | None) -> str | None:
    return None if name is None else name.casefold().strip(" .").replace(" ", "").replace("-", "")


def _form_named(name: str) -> Format:
    """Return the format of that name or ending."""
    wanted = _plain(name) or ""
    for form in FORMATS:
        if wanted in {_plain(form.name), *map(_plain, form.suffixes)} or _SPELLINGS.get(wanted) == form.name:
            return form
    raise refusal([Problem(what=f"there is no format '{name}'", fix="--format",
                           allowed=f"edge list, CSV, TSV, {', '.join(form.name for form in FORMATS if form is not _TEXT)}")])


def _format(content: Content, options: ReadOptions) -> Format:
    if options.format is not None:
        return _form_named(options.format)
    head = content.head()
    return next((form for form in FORMATS if form.fits(head)), None) or _format_by_name(content, head)


def _format_by_name(content: Content, head: bytes) -> Format:
    """Return the format that an ending means, where the first bytes do not tell; refuse what is not read."""
    for magic, name in _MAGIC_NOT_READ:
        if head.startswith(magic):
            _refuse_format(content, name)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:2]
    if content.suffix not in (".csv", ".tsv", ".tab") and start.startswith((b"<", b"{", b"[{", b"[[")):
        _refuse_format(content, _NOT_READ.get(content.suffix, "XML other than GraphML and GEXF" if start[:1] == b"<" else "JSON"))
    for form in FORMATS:
        if content.suffix in form.suffixes:
            if form.named:
                return form
            raise refusal([Problem(what=f"is named {content.suffix} but is no {form.name} file", file=content.name,
                            fix="--format NAME says what it is; or export it again")])
    if content.suffix in _NOT_READ:
        _refuse_format(content, _NOT_READ[content.suffix])
    return _TEXT


def _refuse_format(content: Content, name: str) -> NoReturn:
    raise refusal([Problem(what=f"{name} is not read", file=content.name, fix="export it as one of these",
                    allowed=f"CSV, TSV, edge lists, {', '.join(form.name for form in FORMATS if form is not _TEXT)},"
                            " also in gzip, bzip2, xz or zip")])


def _joined(found: Source, other: Source) -> Source:
    """Put the ties of `other` beside the people of `found`."""
    report = found.report.plus(counts=other.report.counts, notes=other.report.notes, warnings=other.report.warnings)
    if found.ties is not None and len(found.ties.frame) and other.ties is not None:
        raise refusal([Problem(what="the people's file holds ties already", file=found.ties.file, fix="leave out --ties")])
    refuse_any([problem for problem in [two_mode_problem(other)] if problem])
    if other.people is not None and len(other.people.frame.columns) > 1:
        unused = shown(name for name in other.people.frame.columns if name != other.id)
        report = report.plus(notes=(f"{other.people.file}: not used: what it says of people, {unused}",))
    return replace(found, ties=other.ties, report=report)


def _known(found: Source | None) -> frozenset[str]:
    """Return the ids of the people as far as they are known before their ties are."""
    if found is None or found.people is None:
        return frozenset()
    frame = found.people.frame
    names = [str(name) for name in frame.columns]
    column = found.id or _named(names, found)
    chosen = [name for name in names if frame[name].is_unique] if column is None else [column]
    known = {cell for name in chosen for cell in pd.unique(frame[name])}
    # people may be tied by another column than the one that is named id
    if found.options.id is None and column is not None:
        known |= {cell for name in names if name != column and frame[name].is_unique for cell in frame[name]}
    return frozenset(cell for cell in known if cell is not None)


def _named(names: list[str], found: Source) -> str | None:
    if found.options.id is not None and found.people is not None:
        return names[column_named(names, found.options.id, "[people] id", found.people.file)]
    plain = {name.casefold().replace(" ", "_"): name for name in reversed(names)}
    return next((plain[wanted] for wanted in NAMING if wanted in plain), None)


def _with_id(found: Source) -> Source:
    """Settle which column names the people."""
    if found.id is not None or found.people is None:
        return found
    frame, file = found.people.frame, found.people.file
    named = _named([str(name) for name in frame.columns], found)
    if found.options.id is not None or found.ties is None:
        notes = () if named is None else (f"{file}: column '{named}' names the people",)
        return replace(found, id=named, report=found.report.plus(notes=notes))
    column, note, sure = _tied_column(frame, found.ties, named, file)
    report = found.report.plus(notes=(note,) if sure else (), warnings=() if sure else (note,))
    return replace(found, id=column, report=report)


def _tied_column(frame: pd.DataFrame, ties: Ties, named: str | None, file: str) -> tuple[str, str, bool]:
    """Return the column of ids that the ends of the ties are found in, what to say of it, and how surely."""
    ends = pd.unique(np.concatenate([distinct(ties.frame[name]) for name in (SOURCE, TARGET)]))
    share = {} if named is None else {named: _share(frame, named, ends)}
    if named is not None and share[named] == 1.0:
        return named, f"{file}: column '{named}' names the people", True
    share |= {str(name): _share(frame, str(name), ends) for name in frame.columns if name != named}
    full = [name for name, held in share.items() if held == 1.0]
    whole = [name for name in full if frame[name].is_unique] or ([] if named else full)
    if whole and len(ends):
        why = f"column '{whole[0]}' names the people: it holds every end of {ties.file}"
        return whole[0], f"{file}: {why}" + (f", '{named}' does not" if named else ""), named is None
    if named is not None:
        return named, f"{file}: column '{named}' names the people", True
    best = max(share, key=lambda name: share[name], default=None)
    if best is not None and share[best] >= 0.5:
        missing = round((1 - share[best]) * len(ends))
        return best, f"{file}: column '{best}' names the people by guess, {missing:,} ends of ties are not in it", False
    raise refusal([Problem(what=f"no column of the people holds the ends of {ties.file}", file=file,
                    allowed=f"one of {shown(frame.columns)}", fix="[people] id in the schema")])


def _share(frame: pd.DataFrame, column: str, ends: np.ndarray[Any, Any]) -> float:
    return float(np.mean(pd.Series(ends, dtype=object).isin(frame[column]))) if len(ends) else 0.0


