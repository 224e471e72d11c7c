"""Which columns of a table are the two ends of a tie, and which one is its weight.

Tables of ties name their ends in a few dozen ways. The ways are listed here once; whatever is not
listed is decided by the people, if there are any: the two columns that hold their ids. Every guess is
reported, and ``--source`` and ``--target`` overrule it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np
import pandas as pd

from graphanon.errors import Problem
from graphanon.io.faults import refusal, shown
from graphanon.io.source import ReadOptions, ReadReport, Source, Table, Ties

__all__ = ["NAMING", "OF_PEOPLE", "SOURCE", "TARGET", "column_named", "dropped", "known_pair", "surely_names", "ties_of", "weight_among", "where_named"]

SOURCE, TARGET = "source", "target"
# columns of such names hold ids of people, in the order in which they are chosen
NAMING = ("id", "node", "node_id", "nodeid", "user_id", "userid", "vertex")
OF_PEOPLE = frozenset(NAMING)
_SURE = (
    ("source", "target"), ("from", "to"), ("ego", "alter"), ("src", "dst"), ("src", "dest"), ("src", "tgt"),
    ("sender", "receiver"), ("sender", "recipient"), ("follower", "followee"), ("follower", "followed"),
    ("tail", "head"), ("start", "end"), ("u", "v"), ("i", "j"),
)
_STEMS = ("id", "node", "vertex", "person", "user", "actor", "name", "end", "member", "student", "v", "n")
_ENDINGS = (("1", "2"), ("a", "b"), ("i", "j"), ("0", "1"), ("x", "y"))
_OBJECT = ("", "id", "node", "nodeid", "vertex", "user", "userid", "name", "person", "label")
_WEIGHTS = ("weight", "value", "count", "strength")
_FIX = "[ties] source and target in the schema, or --source and --target"


def _plain(name: str | None) -> str:
    return re.sub(r"[\s_.:\-]+", "", (name or "").casefold())


def _pairs() -> tuple[tuple[str, str], ...]:
    sure = [(a + thing, b + thing) for thing in _OBJECT for a, b in _SURE]
    numbered = [(stem + a, stem + b) for a, b in _ENDINGS for stem in _STEMS]
    turned = [(a + stem, b + stem) for a, b in _ENDINGS for stem in _STEMS]
    return (*sure, *numbered, *turned)


_PAIRS = _pairs()
_SURE_PAIRS = frozenset((a + thing, b + thing) for thing in _OBJECT for a, b in _SURE[:-2])


def known_pair(names: Sequence[str | None]) -> tuple[int, int] | None:
    """Return the places of the two ends among column names, None where no listed pair occurs.

    Examples
    --------
    >>> known_pair(["date", "Vertex 1", "Vertex 2"])
    (1, 2)
    """
    places = {_plain(name): place for place, name in reversed(list(enumerate(names)))}
    for first, second in _PAIRS:
        if first in places and second in places:
            return places[first], places[second]
    return None


def surely_names(names: Sequence[str | None]) -> bool:
    """Tell whether a line holds names of ends that hardly any person bears."""
    pair = known_pair(names)
    return pair is not None and (_plain(names[pair[0]]), _plain(names[pair[1]])) in _SURE_PAIRS


def column_named(names: Sequence[str], wanted: str, option: str, file: str) -> int:
    """Return the place of a column asked for, by its exact name or else in any letter case.

    Raises
    ------
    InputProblem
        If there is no such column.
    """
    if wanted in names:
        return list(names).index(wanted)
    alike = [place for place, name in enumerate(names) if name.casefold() == wanted.casefold()]
    if len(alike) != 1:
        raise refusal([Problem(what=f"there is no column '{wanted}'", file=file, allowed=shown(names), fix=option)])
    return alike[0]


def ties_of(table: Table, options: ReadOptions, known: AbstractSet[str] = frozenset()) -> Source:
    """Return the ties that a table holds, its ends renamed to source and target.

    `known` are the ids of the people, empty where there are none.

    Raises
    ------
    InputProblem
        If the columns of the ends cannot be told, or the table says of each tie whether it is
        directed and they differ.
    """
    names = [str(name) for name in table.frame.columns]
    options = where_named(options, names)
    ends, why = _ends(table, names, options, known)
    kept = [place for place in range(len(names)) if place not in ends]
    # a column that happens to bear the name of an end makes room
    others = [f"{name} (column)" if name in (SOURCE, TARGET) else name for name in (names[p] for p in kept)]
    frame = table.frame.iloc[:, [*ends, *kept]].copy(deep=False)
    frame.columns = pd.Index([SOURCE, TARGET, *others], dtype=object)
    types = {other: table.types[name] for other, name in zip(others, (names[p] for p in kept), strict=True) if name in table.types}
    weight, said = _weight(others, names, ends, options, table.file)
    notes = (f"{table.file}: ties from column '{names[ends[0]]}' to '{names[ends[1]]}'{why}", *said)
    lost = dropped([name for name in others if name.casefold() not in ("type", "relation")], weight, table.file)
    ties = Ties(frame=frame, lines=table.lines, file=table.file, weight=weight,
                directed=_directed(frame, table, options), types=types)
    report = ReadReport(notes=notes, warnings=lost)
    return Source(people=None, ties=ties, id=None, report=report, options=options)


def where_named(options: ReadOptions, names: Sequence[str | None]) -> ReadOptions:
    """Return the options without an end called source or target where no column bears that name.

    These are the names under which ties are known once they are read, so a schema drafted from
    what was read may hold them.
    """
    plain = {_plain(name) for name in names}
    source = None if options.source == SOURCE and SOURCE not in plain else options.source
    target = None if options.target == TARGET and TARGET not in plain else options.target
    return replace(options, source=source, target=target)


def _ends(
    table: Table, names: Sequence[str], options: ReadOptions, known: AbstractSet[str]
) -> tuple[tuple[int, int], str]:
    if options.source is not None or options.target is not None:
        return _asked(names, options, table.file), ""
    pair = known_pair(names)
    if pair is not None:
        return pair, ""
    if len(names) == 2:
        return (0, 1), " (the only two)"
    holding = [place for place in range(len(names)) if known and _holds(table.frame.iloc[:, place], known)]
    if len(holding) == 2:
        return (holding[0], holding[1]), " (the two that hold ids of the people)"
    raise refusal([Problem(what="cannot tell which two columns are the ends of a tie", file=table.file,
                    allowed=f"two of {shown(names)}" if len(names) > 1 else "two columns", fix=_FIX)])


def _asked(names: Sequence[str], options: ReadOptions, file: str) -> tuple[int, int]:
    places = [
        None if wanted is None else column_named(names, wanted, option, file)
        for wanted, option in ((options.source, "--source"), (options.target, "--target"))
    ]
    source, target = places
    if source is None or target is None:
        partner = _partner(names, source if target is None else target)
        source = partner if source is None else source
        target = partner if target is None else target
    if source == target or source is None or target is None:
        raise refusal([Problem(what="the other end of a tie is not told", file=file,
                        allowed="two different columns", fix=_FIX)])
    return source, target


def _partner(names: Sequence[str], given: int | None) -> int | None:
    pair = known_pair(names)
    if pair is not None and given in pair:
        return pair[0] if given == pair[1] else pair[1]
    return 1 - given if len(names) == 2 and given is not None else None


def _holds(column: pd.Series, known: AbstractSet[str]) -> bool:
    cells = pd.unique(column.dropna())
    return len(cells) > 0 and sum(cell in known for cell in cells) * 2 > len(cells)


def _weight(
    others: Sequence[str], names: Sequence[str], ends: tuple[int, int], options: ReadOptions, file: str
) -> tuple[str | None, tuple[str, ...]]:
    if options.weight is not None:
        place = column_named(names, options.weight, "--weight", file)
        if place in ends:
            raise refusal([Problem(what=f"'{names[place]}' is an end of the ties, not their weight", file=file,
                            fix="--weight")])
        return others[[p for p in range(len(names)) if p not in ends].index(place)], ()
    name = weight_among(others)
    return name, () if name is None else (f"{file}: weights from column '{name}' (by its name)",)


def dropped(names: Sequence[str], weight: str | None, file: str) -> tuple[str, ...]:
    """Return what is to be said of attributes of ties that go no further."""
    unused = [name for name in names if name != weight]
    return (f"{file}: {', '.join(unused)} dropped, ties carry a weight at most",) if unused else ()


def weight_among(names: Sequence[str]) -> str | None:
    """Return the name that speaks of a weight, None where none does."""
    for wanted in _WEIGHTS:
        for name in names:
            if _plain(name) == wanted:
                return name
    return None


def _directed(frame: pd.DataFrame, table: Table, options: ReadOptions) -> bool | None:
    """Read the column that Gephi writes beside every tie: Directed or Undirected."""
    for place, name in enumerate(frame.columns):
        if place > 1 and name.casefold() == "type":
            column = frame.iloc[:, place]
            said = {str(cell).casefold() for cell in pd.unique(column.dropna())}
            if said == {"directed", "undirected"} and options.directed is None:
                line = _first_other(column, table)
                raise refusal([Problem(what="mixes directed and undirected ties", file=table.file, line=line,
                                column=str(name), fix="--directed or --undirected reads all of them alike")])
            if said in ({"directed"}, {"undirected"}):
                return said == {"directed"}
    return None


def _first_other(column: pd.Series, table: Table) -> int:
    first = column.iloc[0]
    return int(table.lines[int(np.argmax((column != first).to_numpy()))])


