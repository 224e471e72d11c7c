"""A release against the people it was made from, with the private key in hand.

Everything is recounted from the original cells as text: who must be in, which cells must cover whom,
how many ties and values there are. Only the custodian can do this.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from graphanon.audit.files import csv_lines
from graphanon.audit.finding import Finding, broken
from graphanon.audit.groups import Groups, Pair
from graphanon.audit.statement import Statement
from graphanon.audit.values import NOTHING, ValueLine
from graphanon.errors import InputProblem, Problem

__all__ = ["TRUTHS", "Originals", "read_key", "truth_faults"]

TRUTHS = ("truth.people", "truth.cells", "truth.ties", "truth.values", "truth.k", "withhold")
Tie = tuple[str, str] | tuple[str, str, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Originals:
    """The people as text by column, their ids (row numbers from 1 where they have none), and their ties.

    `roles` says what each column is. `row` is each person's place in `columns`, by id.
    """

    roles: Mapping[str, str]
    columns: Mapping[str, Sequence[str | None]]
    row: Mapping[str, int]
    ties: Sequence[Tie] = ()
    directed: bool = False
    missing: str = "error"
    withhold: float = 0.0

    def cell(self, column: str, person: str) -> str | None:
        """Return a person's cell; None is missing, as is every cell of someone known from ties alone."""
        row = self.row[person]
        cells = self.columns.get(column, ())
        cell = cells[row] if 0 <= row < len(cells) else None
        return cell if isinstance(cell, str) else None

    def cells(self, column: str, people: Iterable[str]) -> list[str | None]:
        """Return the cells of many people, as :meth:`cell` does."""
        row, cells = self.row, self.columns.get(column, ())
        own = [cells[at] if 0 <= (at := row[person]) < len(cells) else None for person in people]
        return [cell if isinstance(cell, str) else None for cell in own]

    def of_role(self, *roles: str) -> list[str]:
        """Return the columns with one of these roles."""
        return [name for name, role in self.roles.items() if role in roles]


def read_key(path: Path, *, graph: bool) -> tuple[dict[str, str], list[Finding]]:
    """Return the class of each person in the key, empty for those withheld.

    Raises
    ------
    InputProblem
        If there is no such file.
    """
    try:
        contents = {path.name: path.read_bytes()}
    except OSError as error:
        what = f"the key cannot be read: {error.strerror}"
        raise InputProblem(Problem(what=what, file=str(path), allowed="OUT/private/key.csv", fix="--key")) from error
    table = csv_lines(contents, path.name, released=False)
    faults = list(table.faults)
    key: dict[str, str] = {}
    if table.header != (("id", "supernode") if graph else ("row", "class")):
        return key, [*faults, broken("truth.people", "is not the key of such a release", path.name, 1)]
    for line in table.lines:
        person, group = line.cells
        if person in key:
            faults.append(broken("truth.people", "a person stands twice", path.name, line.number))
        key[person] = group
    return key, faults


def truth_faults(
    statement: Statement,
    groups: Groups,
    lines: Mapping[str, ValueLine],
    originals: Originals,
    key: Mapping[str, str],
) -> Iterator[Finding]:
    """Find everything in which the release is not what the key and the originals make it."""
    kept = {person: group for person, group in key.items() if group}
    unknown = [person for person in key if person not in originals.row]
    strange = sorted({group for group in kept.values() if group not in groups.by_name})
    yield from _people_faults(statement, groups, originals, key)
    if unknown:
        yield broken("truth.people", f"{len(unknown)} people of the key are not among the originals")
    if strange:
        yield broken("truth.people", f"{len(strange)} classes of the key are not in the release")
    if unknown or strange:
        return
    yield from _cell_faults(statement, groups, lines, originals, kept)
    yield from _value_faults(statement, groups, originals, kept)
    if statement.together:
        yield from _line_faults(statement, groups, originals, kept)
    yield from _wish_faults(groups, originals, kept)
    if statement.graph:
        yield from _tie_faults(statement, groups, originals, kept)


def _people_faults(
    statement: Statement, groups: Groups, originals: Originals, key: Mapping[str, str]
) -> Iterator[Finding]:
    sizes = Counter(group for group in key.values() if group)
    for name, group in groups.by_name.items():
        if sizes[name] != group.size:
            yield broken("truth.people", f"{name} has {sizes[name]} people by the key and {group.size} by the release")
    withheld = sum(1 for group in key.values() if not group)
    if len(key) != statement.people or withheld != statement.withheld:
        what = f"{len(key)} people and {withheld} withheld by the key, {statement.people} and {statement.withheld} stated"
        yield broken("truth.people", what)
    allowed = math.floor(originals.withhold * len(key) + 1e-9)
    if withheld > allowed:
        yield Finding(promise="withhold", asked=originals.withhold, found=withheld / max(len(key), 1), holds=False,
                      detail=f"{withheld} people are withheld, {allowed} may be")
    released = originals.of_role("quasi", "sensitive", "open", "k")
    lost = [
        person for person, row in originals.row.items()
        if row >= 0 and person not in key
        and not (originals.missing == "drop" and any(originals.cell(name, person) is None for name in released))
    ]
    if lost:
        yield broken("truth.people", f"{len(lost)} people are neither in the release nor known to be withheld")


def _cell_faults(
    statement: Statement,
    groups: Groups,
    lines: Mapping[str, ValueLine],
    originals: Originals,
    kept: Mapping[str, str],
) -> Iterator[Finding]:
    for place, attribute in enumerate(statement.of_role("quasi")):
        line = lines[attribute.name]
        outside: Counter[str] = Counter()
        together = Counter(zip(kept.values(), originals.cells(attribute.name, kept), strict=True))
        for (name, value), people in together.items():
            try:
                cover = groups.by_name[name].covers[place]
                covered = cover is not NOTHING and line.covers(cover, value)
            except ValueError:
                covered = False
            if not covered:
                outside[name] += people
        for name, count in outside.items():
            what = f"the cells of {name} do not cover '{attribute.name}' of {count} of its people"
            yield broken("truth.cells", what, "supernodes.csv" if statement.graph else "records.csv",
                         groups.by_name[name].line)


def _value_faults(
    statement: Statement, groups: Groups, originals: Originals, kept: Mapping[str, str]
) -> Iterator[Finding]:
    for attribute in statement.of_role("sensitive", "open"):
        tallies: dict[str, Counter[str]] = {name: Counter() for name in groups.by_name}
        together = Counter(zip(kept.values(), originals.cells(attribute.name, kept), strict=True))
        for (name, value), people in together.items():
            tallies[name][value or ""] += people
        for name, tally in tallies.items():
            if tally != groups.by_name[name].tallies[attribute.name]:
                what = f"the values of '{attribute.name}' in {name} are not those of its people"
                yield broken("truth.values", what, "sensitive.csv" if statement.graph else "records.csv")


def _line_faults(
    statement: Statement, groups: Groups, originals: Originals, kept: Mapping[str, str]
) -> Iterator[Finding]:
    """Find classes of a table whose payload is kept together and whose lines are no person's."""
    columns = [attribute.name for attribute in statement.of_role("sensitive", "open")]
    people = Counter(
        (name, *(originals.cell(column, person) or "" for column in columns)) for person, name in kept.items()
    )
    lines = Counter((name, *values) for name, values in zip(groups.sequence, groups.payload, strict=True))
    for name in dict.fromkeys(line[0] for line in sorted((people - lines) + (lines - people))):
        what = f"values of class {name} do not stand together as its people's do"
        yield broken("truth.values", what, "records.csv", groups.by_name[name].line)


def _wish_faults(groups: Groups, originals: Originals, kept: Mapping[str, str]) -> Iterator[Finding]:
    for column in originals.of_role("k"):
        short: Counter[str] = Counter()
        for person, name in kept.items():
            wish = originals.cell(column, person)
            try:
                asked = float(wish) if wish is not None else 1.0
            except ValueError:
                asked = math.inf
            if groups.by_name[name].size < asked:
                short[name] += 1
        for name, count in short.items():
            yield broken("truth.k", f"{name} is smaller than {count} of its people asked for")


def _tie_faults(
    statement: Statement, groups: Groups, originals: Originals, kept: Mapping[str, str]
) -> Iterator[Finding]:
    if originals.directed != statement.directed:
        yield broken("truth.ties", "ties have a direction in the originals or in the release, not in both")
        return
    blocks = _blocks(groups, originals, kept)
    for name, group in groups.by_name.items():
        ties = blocks.ties.pop((name, name), 0)
        if group.inside != ties:
            what = f"{name} states {group.inside} ties inside, its people have {ties}"
            yield broken("truth.ties", what, "supernodes.csv", group.line)
    if blocks.ties != groups.ties:
        yield from _count_faults(groups, blocks.ties)
    if groups.weighted:
        yield from _weight_faults(groups, blocks.weights)


class _Blocks(NamedTuple):
    """Between which classes there are how many ties, and their weights with the sum of their sizes."""

    ties: dict[Pair, int]
    weights: dict[Pair, tuple[float, float]]


def _blocks(groups: Groups, originals: Originals, kept: Mapping[str, str]) -> _Blocks:
    """Count the distinct ties, and add up the weights of all, among the people who are kept."""
    names = list(groups.by_name)
    people = {person: place for place, person in enumerate(kept)}
    place = {name: number for number, name in enumerate(names)}
    own = np.array([place[name] for name in kept.values()], dtype=np.int64)
    ties = [tie for tie in originals.ties if tie[0] in people and tie[1] in people and tie[0] != tie[1]]
    ends = np.array([(people[tie[0]], people[tie[1]]) for tie in ties], dtype=np.int64).reshape(-1, 2)
    classes = own[ends]
    if not originals.directed:
        ends.sort(axis=1)
        # names stand in the order of text, and so do their numbers if the release is sound
        rank = np.argsort(np.argsort(np.array(names, dtype=object)))
        swapped = rank[classes[:, 0]] > rank[classes[:, 1]]
        classes[swapped] = classes[swapped, ::-1]
    block = classes[:, 0] * len(names) + classes[:, 1]
    _, first = np.unique(ends[:, 0] * len(people) + ends[:, 1], return_index=True)
    codes, counts = np.unique(block[first], return_counts=True)
    pairs = [(names[code // len(names)], names[code % len(names)]) for code in codes.tolist()]
    weights: dict[Pair, tuple[float, float]] = {}
    if groups.weighted:
        heavy = np.array([tie[2] if len(tie) > 2 else 1.0 for tie in ties], dtype=float)
        number = np.searchsorted(codes, block)
        sums = (np.bincount(number, weights, len(codes)).tolist() for weights in (heavy, np.abs(heavy)))
        weights = dict(zip(pairs, zip(*sums, strict=True), strict=True))
    return _Blocks(dict(zip(pairs, counts.tolist(), strict=True)), weights)


def _count_faults(groups: Groups, between: Mapping[Pair, int]) -> Iterator[Finding]:
    for pair in sorted(set(between) | set(groups.ties)):
        stated, ties = groups.ties.get(pair, 0), between.get(pair, 0)
        if stated != ties:
            what = f"{stated} ties between {pair[0]} and {pair[1]} stated, there are {ties}"
            yield broken("truth.ties", what, "superedges.csv")


def _weight_faults(groups: Groups, heavy: Mapping[Pair, tuple[float, float]]) -> Iterator[Finding]:
    stated = {(name, name): group.weight for name, group in groups.by_name.items()} | groups.weights
    for pair in sorted(stated):
        total, size = heavy.get(pair, (0.0, 0.0))
        # weights are told with twelve digits
        if not math.isclose(float(stated[pair]), total, rel_tol=1e-11, abs_tol=1e-12 * size):
            yield broken("truth.ties", f"the weight of {pair[0]} and {pair[1]} is not what was added up")


def originals_of(
    *,
    roles: Mapping[str, str],
    people: Mapping[str, Sequence[str | None]],
    ids: Sequence[str] | None,
    ties: Iterable[Tie] | None,
    directed: bool,
    missing: str,
    withhold: float,
) -> Originals:
    """Return the originals with a place for everyone; ends of ties that are not among the people come last."""
    length = max((len(cells) for cells in people.values()), default=0)
    names = [str(row + 1) for row in range(length)] if ids is None else list(ids)
    row = {person: place for place, person in enumerate(names)}
    if len(row) < len(names):
        raise InputProblem(Problem(what="ids of the originals stand twice", allowed="one row a person"))
    known = list(ties or ())
    if ids is None and known:
        row = {}
    for tie in known:
        for end in tie[:2]:
            row.setdefault(end, -1 if ids is not None or people else len(row))
    return Originals(roles=roles, columns=people, row=row, ties=known, directed=directed, missing=missing,
                     withhold=withhold)
