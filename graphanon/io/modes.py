"""Two-mode networks: people and events, readers and books, members and boards.

Their ties run between two kinds of nodes, and only one kind is people. To group a person with an event means
nothing, and events would count towards k, so such a network is refused until it is known who the people are.
Projected onto them, two people are tied if they share at least one node of the other kind; how many they share is
the weight of the tie.

A format may name the modes (Pajek), or an attribute ``bipartite`` may. A table of ties names none; there ``--project
source`` or ``--project target`` says that the two columns hold two kinds of things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from graphanon.errors import Problem
from graphanon.io.cells import Findings, Ints, number_of
from graphanon.io.csv_table import frame_of
from graphanon.io.ends import of_relation
from graphanon.io.faults import refusal, refuse_any, shown
from graphanon.io.source import Source, Table, Ties
from graphanon.io.tie_columns import SOURCE, TARGET
from graphanon.schema import TieColumns

__all__ = ["SHARED", "mode_sizes", "projected", "two_mode_problem"]

SHARED = "shared"
_MOST = 200_000_000  # pairs that a projection may go through


def mode_sizes(source: Source) -> dict[str, int]:
    """Return how many nodes each mode has, empty where there is one."""
    return {} if source.modes is None else dict(sorted(Counter(map(str, source.modes.tolist())).items()))


def two_mode_problem(source: Source) -> Problem | None:
    """Return what is wrong with grouping these people, None where they are of one kind."""
    sizes = mode_sizes(source)
    if not sizes:
        return None
    told = " and ".join(f"{number:,} of mode '{mode}'" for mode, number in sizes.items())
    total = sum(sizes.values())
    choices = " or ".join(f"--project {mode}" for mode in sizes)
    shared = "; ".join(f"the {number:,} of mode '{mode}' as people, tied where they share one of"
                       f" {number_of(total - number, 'event', 'events')}" for mode, number in sizes.items())
    return Problem(what=f"is a two-mode network, {told}, and only the nodes of one mode can be the people",
                   file=None if source.people is None else source.people.file,
                   allowed="people of one mode, tied where they share a node of the other", fix=f"{choices}: {shared}")


def projected(source: Source) -> Source:
    """Return the source with the nodes of the mode that its options ask for as people, itself where none is.

    Two people are tied if they share a node of the other mode; the column ``shared`` counts how many they
    share. Where ties of several relations are given, they are projected together.

    Raises
    ------
    InputProblem
        If there is no such mode, a tie joins two nodes of one mode or names no node, or the projection
        would go through more than two hundred million pairs.
    """
    mode = source.options.project
    if mode is None:
        return source
    if source.ties is None:
        raise refusal([Problem(what="there are no ties to project", fix="leave out --project")])
    people, others = _nodes(source, source.ties, mode)
    ties = _of_one_relation(source.ties, source)
    pairs = _shared(_crossing(ties, people, others), len(people.index), ties)
    names = people.index.to_numpy(dtype=object)
    shared = np.array([str(number) for number in pairs.number.tolist()], dtype=object)
    frame = frame_of([SOURCE, TARGET, SHARED], [names[pairs.first], names[pairs.second], shared])
    if source.options.relation is not None:
        frame["relation"] = source.options.relation
    counts = {"nodes_of_other_mode": len(others), "two_mode_ties": len(ties.frame), "pairs_sharing": len(frame)}
    told = (f"{ties.file}: two-mode network projected onto the {len(people.index):,} nodes of mode '{mode}': "
            f"{number_of(len(frame), 'pair shares', 'pairs share')} at least one of the {len(others):,} other nodes")
    lost = () if ties.weight is None else (
        f"{ties.file}: weights of two-mode ties are not used; a tie weighs the number of nodes that its ends share",)
    lines = np.zeros(len(frame), dtype=np.int64)
    return replace(
        source, people=people.table, modes=None, id=people.id, report=source.report.plus(counts, (told,), lost),
        ties=Ties(frame=frame, lines=lines, file=ties.file, directed=False, weight=SHARED))


class _Nodes(NamedTuple):
    """The nodes that are the people."""

    index: pd.Index
    table: Table
    id: str


class _Pairs(NamedTuple):
    """Pairs of people and the number of nodes that they share."""

    first: Ints
    second: Ints
    number: Ints


def _nodes(source: Source, ties: Ties, mode: str) -> tuple[_Nodes, pd.Index]:
    """Return the people and the nodes of the other mode."""
    if source.modes is None:
        return _sides(ties, mode)
    if source.people is None or source.id is None:
        raise refusal([Problem(what="no column names the nodes", file=ties.file, fix="--id")])
    if mode not in (sizes := mode_sizes(source)):
        raise refusal([Problem(what=f"there is no mode '{mode}'", file=ties.file, allowed=shown(sizes), fix="--project")])
    ids = pd.Index(source.people.frame[source.id], dtype=object)
    odd = int((ids.duplicated() | ids.isna()).sum())
    if odd:
        raise refusal([Problem(what=f"{number_of(odd, 'node has', 'nodes have')} no id of their own",
                               file=source.people.file, column=source.id, allowed="one id a node")])
    chosen = source.modes == mode
    frame = source.people.frame[chosen].reset_index(drop=True)
    constant = [name for name in frame.columns if str(name) == "bipartite"]
    table = replace(source.people, frame=frame.drop(columns=constant), lines=source.people.lines[chosen])
    return _Nodes(ids[chosen], table, source.id), ids[~chosen]


def _sides(ties: Ties, mode: str) -> tuple[_Nodes, pd.Index]:
    """Return both columns of a table of ties as the two modes."""
    if mode not in (SOURCE, TARGET):
        raise refusal([Problem(
            what=f"all nodes are of one kind as far as the file says, so there is no mode '{mode}'", file=ties.file,
            allowed="source or target, where these columns hold two kinds of things", fix="leave out --project")])
    other = TARGET if mode == SOURCE else SOURCE
    people, others = (pd.Index(ties.frame[name].dropna().unique(), dtype=object) for name in (mode, other))
    both = len(people.intersection(others))
    if both:
        raise refusal([Problem(
            what=f"{number_of(both, 'id stands', 'ids stand')} in both columns, so these are not two kinds of things",
            file=ties.file, fix="leave out --project")])
    first = ties.lines[pd.Index(ties.frame[mode].drop_duplicates().dropna().index)]
    return _Nodes(people, Table(frame=frame_of(["id"], [people.to_numpy()]), lines=first, file=ties.file), "id"), others


def _of_one_relation(ties: Ties, source: Source) -> Ties:
    if source.options.relation is None:
        return ties
    findings = Findings()
    chosen = of_relation(ties, TieColumns(), source.options, findings)
    findings.stop_if_any()
    return chosen


def _crossing(ties: Ties, people: _Nodes, others: pd.Index) -> tuple[Ints, Ints]:
    """Return each tie as the place of a person and of a node of the other mode."""
    ends = [ties.frame[name].to_numpy(dtype=object) for name in (SOURCE, TARGET)]
    mine = [people.index.get_indexer(end) for end in ends]
    theirs = [others.get_indexer(end) for end in ends]
    turned = mine[0] < 0
    person, other = np.where(turned, mine[1], mine[0]), np.where(turned, theirs[0], theirs[1])
    bad = np.flatnonzero((person < 0) | (other < 0))
    refuse_any(_not_crossing(ties, bad, [(mine[0] >= 0) | (theirs[0] >= 0), (mine[1] >= 0) | (theirs[1] >= 0)]))
    return person.astype(np.int64), other.astype(np.int64)


def _not_crossing(ties: Ties, rows: Ints, known: list[NDArray[np.bool_]]) -> Iterator[Problem]:
    for row in rows.tolist():
        both = known[0][row] and known[1][row]
        what = "a tie joins two nodes of one mode" if both else "a tie has an end that is no node"
        line = int(ties.lines[row])
        yield Problem(what=what, file=ties.file, line=line if line > 0 else None,
                      allowed="ties between nodes of different modes", fix="remove the tie")


def _shared(ends: tuple[Ints, Ints], n: int, ties: Ties) -> _Pairs:
    """Return every pair of people with a node in common, and how many they have."""
    person, other = ends
    m = int(other.max(initial=-1)) + 1
    held = sparse.coo_array((np.ones(len(person), dtype=np.int64), (person, other)), shape=(n, m)).tocsr()
    held.data[:] = 1
    each = np.asarray(held.sum(axis=0)).ravel()
    work = int((each * each).sum())
    if work > _MOST:
        raise refusal([Problem(
            what=f"the projection would go through {work:,} pairs, since one node ties {int(each.max()):,} people",
            file=ties.file, allowed=f"at most {_MOST:,}", fix="leave out nodes that nearly everybody has")])
    met = sparse.triu(held @ held.T, k=1).tocoo()
    first, second = (place.astype(np.int64) for place in met.coords)
    return _Pairs(first, second, met.data.astype(np.int64))
