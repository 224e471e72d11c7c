"""The classes of a release as its files tell them: names, sizes, cells, values, and the ties between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphanon.audit.canonical import weight_is_good
from graphanon.audit.files import Line, csv_lines, whole
from graphanon.audit.finding import Finding, broken
from graphanon.audit.statement import Attribute, Statement
from graphanon.audit.values import NOTHING, Cover, ValueLine

__all__ = ["Group", "Groups", "Pair", "read_groups"]

NODES, EDGES, VALUES, RECORDS = "supernodes.csv", "superedges.csv", "sensitive.csv", "records.csv"
Pair = tuple[str, str]


@dataclass(kw_only=True)
class Group:
    """One class: its people, the ties inside, what its cells cover, how often each payload value occurs."""

    name: str
    size: int
    line: int
    cells: tuple[str, ...] = ()
    inside: int = 0
    weight: str = ""
    covers: tuple[Cover, ...] = ()
    tallies: dict[str, Counter[str]] = field(default_factory=dict)


@dataclass(kw_only=True)
class Groups:
    """Every class by name, ties between classes, and for a table the class of each line and its payload."""

    by_name: dict[str, Group]
    ties: dict[Pair, int]
    weights: dict[Pair, str]
    weighted: bool
    sequence: tuple[str, ...] = ()
    payload: tuple[tuple[str, ...], ...] = ()


def read_groups(
    contents: Mapping[str, bytes], statement: Statement, lines: Mapping[str, ValueLine]
) -> tuple[Groups, list[Finding]]:
    """Return the classes with everything that is wrong about their files."""
    if not statement.graph:
        return _from_records(contents, statement, lines)
    groups, faults = _from_supernodes(contents, statement, lines)
    faults += _read_edges(contents, statement, groups)
    faults += _read_values(contents, statement, groups)
    return groups, faults


def spans(attribute: Attribute, *, graph: bool) -> tuple[str, ...]:
    """Return the names of the columns in which a quasi-identifier is published."""
    if graph and attribute.type != "category":
        return f"{attribute.name}_low", f"{attribute.name}_high"
    return (attribute.name,)


def _from_supernodes(
    contents: Mapping[str, bytes], statement: Statement, lines: Mapping[str, ValueLine]
) -> tuple[Groups, list[Finding]]:
    table = csv_lines(contents, NODES)
    faults = list(table.faults)
    start = ("supernode", "size", "arcs_inside" if statement.directed else "ties_inside")
    weighted = table.header[3:4] == ("weight_inside",)
    first = 3 + weighted
    cells = [name for attribute in statement.of_role("quasi") for name in spans(attribute, graph=True)]
    groups = Groups(by_name={}, ties={}, weights={}, weighted=weighted)
    if table.header != (*start, *(("weight_inside",) if weighted else ()), *cells):
        what = "the columns are not supernode, size, ties inside, and those of the codebook"
        return groups, [*faults, broken("format", what, NODES, 1)]
    for line in table.lines:
        size, inside = whole(line.cells[1]), whole(line.cells[2])
        if size is None or size == 0 or inside is None or (weighted and not weight_is_good(line.cells[3])):
            faults.append(broken("format", "size and ties inside are not counts", NODES, line.number))
            continue
        group = Group(name=line.cells[0], size=size, line=line.number, cells=line.cells[first:], inside=inside,
                      weight=line.cells[3] if weighted else "")
        faults += _cover(group, statement, lines, NODES, line.number)
        if group.name in groups.by_name:
            faults.append(broken("format", "the supernode stands twice", NODES, line.number))
        groups.by_name[group.name] = group
    faults += _unsorted(table.lines, 1, NODES)
    expected = sorted(f"S{i + 1}" for i in range(len(groups.by_name)))
    if list(groups.by_name) != expected:
        what = "supernodes are not named S1 to the last, each once, in the order of text"
        faults.append(broken("order", what, NODES))
    return groups, faults


def _unsorted(lines: Sequence[Line], width: int, file: str) -> Iterator[Finding]:
    before: tuple[str, ...] = ()
    for line in lines:
        key = line.cells[:width]
        if key < before:
            yield broken("order", "lines are not sorted", file, line.number)
        elif key == before:
            yield broken("order", "a line repeats the one before it", file, line.number)
        before = key


def _cover(
    group: Group, statement: Statement, lines: Mapping[str, ValueLine], file: str, number: int
) -> Iterator[Finding]:
    covers = []
    place = 0
    for attribute in statement.of_role("quasi"):
        width = len(spans(attribute, graph=statement.graph))
        try:
            covers.append(lines[attribute.name].read(group.cells[place : place + width]))
        except ValueError as error:
            covers.append(NOTHING)
            yield broken("cells", f"column '{attribute.name}': {error}", file, number)
        place += width
    group.covers = tuple(covers)


def _read_edges(contents: Mapping[str, bytes], statement: Statement, groups: Groups) -> Iterator[Finding]:
    table = csv_lines(contents, EDGES)
    yield from table.faults
    weighted = ("weight",) if groups.weighted else ()
    if table.header != ("source", "target", "arcs" if statement.directed else "ties", *weighted):
        yield broken("format", "the columns are not source, target, ties", EDGES, 1)
        return
    sizes = {name: group.size for name, group in groups.by_name.items()}
    for line in table.lines:
        source, target, count = line.cells[0], line.cells[1], whole(line.cells[2])
        pair = source, target
        if source not in sizes or target not in sizes:
            yield broken("sums", "an end is no supernode", EDGES, line.number)
        elif pair in groups.ties or (not statement.directed and (target, source) in groups.ties):
            yield broken("sums", "the pair stands twice", EDGES, line.number)
        elif source == target or (source > target and not statement.directed):
            yield broken("order", "a pair is not written with two ends in order", EDGES, line.number)
        elif count is None or count == 0 or (groups.weighted and not weight_is_good(line.cells[3])):
            yield broken("format", "ties are not a count of at least one", EDGES, line.number)
        else:
            groups.ties[pair] = count
            if groups.weighted:
                groups.weights[pair] = line.cells[3]
            if count > sizes[source] * sizes[target]:
                yield broken("sums", "more ties than there are pairs of people", EDGES, line.number)
    yield from _unsorted(table.lines, 2, EDGES)


def _read_values(contents: Mapping[str, bytes], statement: Statement, groups: Groups) -> Iterator[Finding]:
    attributes = {attribute.name for attribute in statement.of_role("sensitive", "open")}
    if not attributes:
        return
    for group in groups.by_name.values():
        group.tallies = {attribute: Counter() for attribute in sorted(attributes)}
    table = csv_lines(contents, VALUES)
    yield from table.faults
    if table.header != ("supernode", "attribute", "value", "count"):
        yield broken("format", "the columns are not supernode,attribute,value,count", VALUES, 1)
        return
    for line in table.lines:
        name, attribute, value, count = *line.cells[:3], whole(line.cells[3])
        if name not in groups.by_name or attribute not in attributes:
            yield broken("sums", "no such supernode, or no such sensitive or open column", VALUES, line.number)
        elif not count:
            yield broken("format", "not a count of at least one", VALUES, line.number)
        else:
            groups.by_name[name].tallies[attribute][value] += count
    yield from _unsorted(table.lines, 3, VALUES)
    for group in groups.by_name.values():
        for attribute, tally in group.tallies.items():
            if tally.total() != group.size:
                what = f"the counts of '{attribute}' in {group.name} add up to {tally.total()}, not {group.size}"
                yield broken("sums", what, VALUES)


def _from_records(
    contents: Mapping[str, bytes], statement: Statement, lines: Mapping[str, ValueLine]
) -> tuple[Groups, list[Finding]]:
    table = csv_lines(contents, RECORDS)
    faults = list(table.faults)
    groups = Groups(by_name={}, ties={}, weights={}, weighted=False)
    quasi, payload = statement.of_role("quasi"), statement.of_role("sensitive", "open")
    names = tuple(attribute.name for attribute in (*quasi, *payload))
    if table.header != names:
        return groups, [*faults, broken("format", "the columns are not those of the codebook", RECORDS, 1)]
    number: dict[tuple[str, ...], Group] = {}
    sequence = []
    for line in table.lines:
        cells = line.cells[: len(quasi)]
        group = number.get(cells)
        if group is None:
            group = Group(name=str(len(number) + 1), size=0, line=line.number, cells=cells,
                          tallies={attribute.name: Counter() for attribute in payload})
            number[cells] = groups.by_name[group.name] = group
            faults += _cover(group, statement, lines, RECORDS, line.number)
        group.size += 1
        sequence.append(group.name)
        for attribute, value in zip(payload, line.cells[len(quasi) :], strict=True):
            group.tallies[attribute.name][value] += 1
    groups.sequence = tuple(sequence)
    groups.payload = tuple(line.cells[len(quasi) :] for line in table.lines)
    return groups, faults
