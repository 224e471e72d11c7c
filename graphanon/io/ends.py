"""Whose ties they are: the ends of ties matched with the ids of people, and the matrices made of them.

A tie is a pair of two different people. A line whose ends are one person is dropped and counted, lines
that repeat a pair are one tie and their weights add up. An end that names nobody is an error until
an option says whether such people or such ties are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from graphanon.errors import Problem
from graphanon.graph import no_ties, symmetric_ties
from graphanon.io.cells import EXAMPLES, Coded, Findings, Ints, Place, code, number_of, some
from graphanon.io.coded import positions
from graphanon.io.numbers import parse_numbers
from graphanon.io.source import ReadOptions, Ties
from graphanon.schema import TieColumns

__all__ = ["Ends", "Matrices", "blank_ids", "complete", "is_directed", "match", "matrices", "of_relation", "repeated_ids",
           "unknown_ends", "weigh"]


_NO_WEIGHTS = ("source", "target", "relation", "type")


class Ends(NamedTuple):
    """Both ends of each tie as rows of people, -1 for nobody, and its weight."""

    source: Ints
    target: Ints
    weight: NDArray[np.float64] | None


class Matrices(NamedTuple):
    """Ties as an attributed graph holds them."""

    ties: sparse.csr_array
    arcs: sparse.csr_array | None = None
    weights: sparse.csr_array | None = None


def is_directed(ties: Ties, columns: TieColumns, options: ReadOptions) -> bool:
    """Return whether ties have a direction: the option's word, else the schema's, else the file's."""
    words = (options.directed, columns.directed, ties.directed)
    return next((word for word in words if word is not None), False)


def of_relation(ties: Ties, columns: TieColumns, options: ReadOptions, findings: Findings) -> Ties:
    """Return the ties of the relation that the options or the schema ask for, all of them if none is."""
    asked = options.relation or columns.relation
    names = {str(name).casefold(): name for name in ties.frame.columns}
    name = names.get("relation", names.get("type"))
    if asked is None:
        if name is not None and str(name).casefold() == "relation":
            _tell_relations(ties.frame[name], findings)
        return ties
    if name is None:
        findings.problems.append(
            Problem(what=f"no column says which ties are '{asked}'", file=ties.file,
                    allowed="a column named relation", fix=f"leave out {_told_by(options)}"))
        return ties
    keep = (ties.frame[name] == asked).to_numpy(dtype=bool, na_value=False)
    if not keep.any():
        present = some((f"'{kind}'" for kind in code(ties.frame[name]).labels), ties.frame[name].nunique())
        findings.problems.append(
            Problem(what=f"no tie has the relation '{asked}'", file=ties.file, column=str(name),
                    allowed=present, fix=f"correct {_told_by(options)}"))
        return ties
    findings.counts["other_relations_left_out"] += int((~keep).sum())
    findings.notes.append(f"{number_of(int(keep.sum()), 'tie', 'ties')} of the relation '{asked}' kept,"
                          f" {int((~keep).sum()):,} of others left out")
    return rows_of(ties, keep)


def _told_by(options: ReadOptions) -> str:
    return "[ties] relation in the schema" if options.relation is None else "--relation"


def _tell_relations(column: pd.Series, findings: Findings) -> None:
    """Say how many ties each relation has, where there are several."""
    coded = code(column)
    if len(coded.labels) < 2:
        return
    numbers = dict(zip(coded.labels, coded.count.tolist(), strict=True))
    if coded.missing.any():
        numbers["(none)"] = int(coded.missing.sum())
    findings.counts.update({f"relation {name}": number for name, number in numbers.items()})
    told = some((f"'{name}' {number:,}" for name, number in numbers.items()), len(numbers))
    findings.warnings.append(f"{len(coded.labels)} relations merged into one ({told}); to choose: --relation NAME")


def rows_of(ties: Ties, keep: NDArray[np.bool_]) -> Ties:
    """Return only these lines of the ties."""
    return replace(ties, frame=ties.frame[keep].reset_index(drop=True), lines=ties.lines[keep])


def complete(ties: Ties, options: ReadOptions, findings: Findings) -> Ties:
    """Return the ties that have both ends; the others are a problem unless an option drops them."""
    half = ties.frame[["source", "target"]].isna().any(axis=1).to_numpy(dtype=bool)
    if not half.any():
        return ties
    total = int(half.sum())
    if options.drop_incomplete_ties:
        findings.counts["ties_dropped"] += total
        findings.notes.append(f"{number_of(total, 'tie', 'ties')} with a missing end dropped")
    else:
        rows = np.flatnonzero(half).tolist()
        place = Place(ties.file, ties.lines)
        ends = [name for name in ("source", "target") if ties.frame[name].isna().any()]
        findings.problems.append(
            Problem(what=f"{number_of(total, 'tie misses', 'ties miss')} an end: {some((f'line {place.line(r)}' for r in rows), total)}",
                    file=ties.file, line=place.line(rows[0]), column=ends[0] if len(ends) == 1 else None,
                    allowed="a source and a target in every tie", fix="--drop-incomplete-ties leaves these ties out"))
    return rows_of(ties, ~half)


def repeated_ids(coded: Coded, rows: list[int], place: Place, id_: str) -> Problem:
    """Return the problem of rows that repeat an id."""
    examples = some(
        (f"'{coded.labels[coded.codes[row]]}' in lines {place.line(int(coded.first[coded.codes[row]]))}"
         f" and {place.line(row)}" for row in rows), len(rows))
    total = int((coded.count > 1).sum())
    return Problem(what=f"{number_of(total, 'id stands', 'ids stand')} in more than one row: {examples}",
                   file=place.file, line=place.line(rows[0]), column=id_, allowed="one row a person",
                   fix="--duplicate-nodes first keeps the first row of each, or name another id column: --id COLUMN")


def blank_ids(coded: Coded, place: Place, id_: str) -> Iterator[Problem]:
    """Yield the problem of ids that consist of blanks: nobody sees them, and a match by them is by chance."""
    blank = [i for i, label in enumerate(coded.labels) if not label.strip()]
    if blank:
        total, first = int(coded.count[blank].sum()), min(int(coded.first[i]) for i in blank)
        yield Problem(what=f"{number_of(total, 'id consists', 'ids consist')} of blanks", file=place.file,
                      line=place.line(first), column=id_, allowed="an id that can be seen",
                      fix="correct the cells, or name another id column: --id COLUMN")


def match(ties: Ties, ids: pd.Index) -> Ends:
    """Return both ends of each tie as positions in `ids`."""
    return Ends(positions(ties.frame["source"], ids), positions(ties.frame["target"], ids), None)


def unknown_ends(ties: Ties, ends: Ends, options: ReadOptions, findings: Findings) -> tuple[str, ...]:
    """Return the ends that name nobody and are to be people; otherwise report them."""
    rows = np.flatnonzero((ends.source < 0) | (ends.target < 0))
    if not len(rows):
        return ()
    if options.missing_nodes == "drop":
        findings.counts["ties_dropped"] += len(rows)
        findings.notes.append(f"{number_of(len(rows), 'tie', 'ties')} to nobody dropped")
        return ()
    named = _unknown_names(ties, ends, rows)
    if options.missing_nodes == "add":
        findings.counts["people_added"] += len(named)
        findings.notes.append(f"{number_of(len(named), 'end', 'ends')} that named nobody added to the people")
        return tuple(sorted(named))
    lines = Place(ties.file, ties.lines)
    examples = some((f"'{name}' in line {lines.line(row)}" for name, row in named.items()), len(named))
    strangers = len(rows) == len(ties.frame)
    findings.problems.append(
        Problem(what=f"{number_of(len(rows), 'tie has', 'ties have')} an end that is nobody's id: {examples}", file=ties.file,
                line=lines.line(int(rows[0])), allowed="the ids of the people" + (
                    "; not one tie joins two of them, so is [people] id the right column?" if strangers else ""),
                fix="--missing-nodes drop leaves these ties out, --missing-nodes add takes the ends in as people"))
    return ()


def _unknown_names(ties: Ties, ends: Ends, rows: Ints) -> dict[str, int]:
    """Return each unknown end with the first row in which it stands."""
    first: dict[str, int] = {}
    for row, source, target in zip(
        rows.tolist(), ties.frame["source"].iloc[rows], ties.frame["target"].iloc[rows], strict=True
    ):
        for place, name in ((ends.source[row], source), (ends.target[row], target)):
            if place < 0:
                first.setdefault(str(name), row)
    return first


def weigh(ties: Ties, columns: TieColumns, findings: Findings) -> NDArray[np.float64] | None:
    """Return the weight of each line if weights are to be added up, 1 where the file has none."""
    if columns.weight == "drop":
        if ties.weight is not None:
            findings.notes.append(f"tie weights (column '{ties.weight}') were left out; to keep: [ties] weight = \"sum\"")
        return None
    if ties.weight is None:
        _without_weights(ties, findings)
        return np.ones(len(ties.frame))
    coded = code(ties.frame[ties.weight])
    numbers = parse_numbers(coded.labels)
    weights = np.append(numbers, np.nan)[coded.codes]
    bad = np.flatnonzero(~(weights > 0))
    lines = Place(ties.file, ties.lines)
    if len(bad):
        findings.problems.append(
            Problem(what=f"{number_of(len(bad), 'weight is no positive number', 'weights are no positive numbers')}: "
                    + some((f"line {lines.line(row)}" for row in bad[:EXAMPLES].tolist()), len(bad)),
                    file=ties.file, line=lines.line(int(bad[0])), column=ties.weight, allowed="numbers above 0",
                    fix='correct them, or [ties] weight = "drop"'))
    return np.where(weights > 0, weights, 1.0)


def _without_weights(ties: Ties, findings: Findings) -> None:
    """Refuse to add up weights that no column was taken for; where there is none, repeats are what adds up."""
    # what kind of tie it is says nothing of how strong it is
    others = [str(name) for name in ties.frame.columns if str(name).casefold() not in _NO_WEIGHTS]
    if not others:
        findings.notes.append("the ties have no weights: each line weighs 1")
        return
    findings.problems.append(
        Problem(what='weight = "sum", but no column of weights was found', file=ties.file,
                allowed=f"one of the columns of the ties: {some((repr(name) for name in others), len(others))}",
                fix='--weight COLUMN, or [ties] weight = "drop"'))


def matrices(n: int, ends: Ends, *, directed: bool, findings: Findings) -> Matrices:
    """Return the matrices of these ties among `n` people, counting what vanished on the way."""
    # ten million ties are eighty megabytes in every array, so each is made late and let go early
    apart = ends.source != ends.target
    lines = int(apart.sum())
    loops = len(apart) - lines
    weight = None if ends.weight is None else ends.weight[apart]
    pairs = _pairs(n, ends.source, ends.target, directed=directed)
    if loops:
        pairs = pairs[apart]
    del apart, ends
    pairs, weight = _merged(pairs, weight)
    findings.counts["loops_dropped"] += loops
    findings.counts["repeats_merged"] += lines - len(pairs)
    _tell_lost(findings, loops, lines - len(pairs), weight is not None)
    if not len(pairs):
        return Matrices(no_ties(n), no_ties(n) if directed else None,
                        None if weight is None else sparse.csr_array((n, n), dtype=np.float64))
    kind: Any = np.int32 if n < 2**31 else np.int64
    source, target = (pairs // n).astype(kind), (pairs % n).astype(kind)
    del pairs
    ties = symmetric_ties(n, source, target)
    arcs = _csr(n, source, target, np.ones(len(source), dtype=np.int64)) if directed else None
    del source
    if weight is None:
        return Matrices(ties, arcs)
    return Matrices(ties, arcs, _of_arcs(arcs, weight) if arcs is not None else _of_ties(ties, target, weight))


def _tell_lost(findings: Findings, loops: int, repeats: int, weighted: bool) -> None:  # noqa: FBT001  one place calls it
    """Say how many lines became no tie of their own."""
    if repeats:
        rest = "their weights are added up" if weighted else "multiplicity dropped"
        findings.warnings.append(f"{number_of(repeats, 'repeated edge', 'repeated edges')} merged: a pair is tied once, {rest}")
    if loops:
        told = number_of(loops, "self-loop dropped: a tie", "self-loops dropped: ties")
        findings.warnings.append(f"{told} from a person to the same person")


def _pairs(n: int, source: Ints, target: Ints, *, directed: bool) -> Ints:
    """Return each tie as one number."""
    pairs: Ints = source * n if directed else np.minimum(source, target) * n
    pairs += target if directed else np.maximum(source, target)
    return pairs


def _merged(pairs: Ints, weight: NDArray[np.float64] | None) -> tuple[Ints, NDArray[np.float64] | None]:
    """Return each pair once, with the sum of its weights."""
    if weight is None:
        pairs.sort()
    else:
        # summed from small to large, so that the order of lines cannot change the last digit
        order = np.lexsort((weight, pairs))
        pairs, weight = pairs[order], weight[order]
        del order
    first = np.ones(len(pairs), dtype=bool)
    np.not_equal(pairs[1:], pairs[:-1], out=first[1:])
    if first.all():
        return pairs, weight
    return pairs[first], None if weight is None else np.add.reduceat(weight, np.flatnonzero(first))


def _of_arcs(arcs: sparse.csr_array, weight: NDArray[np.float64]) -> sparse.csr_array:
    """Return the weights of arcs that stand in the order of the matrix."""
    return sparse.csr_array((weight, arcs.indices, arcs.indptr), shape=arcs.shape)


def _of_ties(ties: sparse.csr_array, target: Ints, weight: NDArray[np.float64]) -> sparse.csr_array:
    """Return the weights of ties, of which each is told once, by its lower end and then by its upper end.

    The half of the matrix above its diagonal has just that order; in the other half the ends change places.
    """
    turned = weight[np.argsort(target, kind="stable")]
    rows = np.repeat(np.arange(ties.shape[0], dtype=ties.indices.dtype), np.diff(ties.indptr))
    upper = ties.indices > rows
    del rows
    data = np.empty(len(ties.indices))
    data[upper] = weight
    data[~upper] = turned
    return sparse.csr_array((data, ties.indices, ties.indptr), shape=ties.shape)


def _csr(n: int, source: Ints, target: Ints, data: Sequence[float] | NDArray[np.generic]) -> sparse.csr_array:
    matrix = sparse.coo_array((data, (source, target)), shape=(n, n)).tocsr()
    matrix.sort_indices()
    return sparse.csr_array(matrix)
