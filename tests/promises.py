"""People with sensitive values and promises, and a plain count of whether a partition keeps them.

The counting shares no code with the search: it goes from person to person.
"""

import math
from collections import Counter
from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
from strategies import graphs, nominals, trees

from graphanon.domain import Order, Tree
from graphanon.graph import AttributedGraph
from graphanon.grouping import Partition
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role

LABELS = ("", "1", "10", "2.5", "300")


@st.composite
def columns_of(draw, n: int, *, most: int = 3) -> tuple[tuple[Column, ...], dict]:
    """Draw one to `most` sensitive columns with promises, and everyone's values."""
    columns, payload = [], {}
    for number in range(draw(st.integers(1, most))):
        name = f"s{number}"
        kind = draw(st.sampled_from(["flat", "order", "number", "tree"]))
        domain, labels = None, LABELS
        if kind == "order":
            domain = Order(("300", "1", "10"))
        if kind == "tree":
            domain = draw(trees(missing=False))
            labels = tuple(sorted(("", *domain.leaves)))
        payload[name] = draw(nominals(labels, n))
        diversity = draw(st.sampled_from(["distinct", "entropy", "recursive"]))
        whole = st.integers(1, 4)
        l_ = draw(st.none() | (whole if diversity != "entropy" else st.sampled_from([1.0, 1.5, 1.8, 2.0, 3.0])))
        columns.append(Column(
            name=name, role=Role.SENSITIVE, domain=domain, numeric=kind == "number", l=l_, diversity=diversity,
            c=draw(st.sampled_from([0.5, 1.0, 2.0])) if diversity == "recursive" else None,
            alpha={label: draw(st.sampled_from([0.2, 0.29, 1 / 3, 0.5, 1.0]))
                   for label in draw(st.sets(st.sampled_from(labels), max_size=2))},
            t=draw(st.none() | st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.8])),
        ))
    return tuple(columns), payload


@st.composite
def promising(draw, *, smallest: int = 3, largest: int = 16, wishes: bool = False, most: int = 3) -> AttributedGraph:
    """Draw people with sensitive columns of which something is promised."""
    graph = draw(graphs(smallest=smallest, largest=largest, wishes=wishes))
    columns, payload = draw(columns_of(graph.n, most=most))
    schema = replace(graph.schema, columns=(*graph.schema.quasi, *columns))
    return replace(graph, schema=schema, payload=payload)


def values(graph: AttributedGraph, name: str, people) -> Counter:
    """Count the values of these people."""
    own = graph.payload[name]
    return Counter(own.labels[own.codes[v]] for v in people)


def line_of(column: Column, whole: Counter) -> list[str]:
    """Return the values of a column in their order."""
    line = list(column.domain.labels) if isinstance(column.domain, Order) else []
    rest = sorted(set(whole) - set(line))
    if column.numeric:
        rest.sort(key=lambda text: float(text) if text else math.inf)
    return line + rest


def distance(one: str, other: str, column: Column, line: list[str]) -> float:
    """Return the ground distance of two values."""
    if one == other:
        return 0.0
    if isinstance(column.domain, Tree):
        rows = {row[0]: row for row in column.domain.rows}
        if "" in (one, other):
            return 1.0
        both = list(zip(rows[one], rows[other], strict=True))
        return next(i for i in range(len(both)) if both[i][0] == both[i][1]) / column.domain.height
    if column.numeric or isinstance(column.domain, Order):
        return abs(line.index(one) - line.index(other)) / (len(line) - 1)
    return 1.0


def moved(one: Counter, whole: Counter, column: Column) -> float:
    """Return the earth mover's distance by linear programming over all pairs of values."""
    from scipy.optimize import linprog

    line = line_of(column, whole)
    here = [value for value in one if one[value]]
    there = [value for value in whole if whole[value]]
    cost = np.array([[distance(a, b, column, line) for b in there] for a in here])
    rows = np.kron(np.eye(len(here)), np.ones(len(there)))
    columns = np.kron(np.ones(len(here)), np.eye(len(there)))
    wanted = [one[a] / one.total() for a in here] + [whole[b] / whole.total() for b in there]
    found = linprog(cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=wanted, method="highs")
    return float(found.fun)


def keeps(graph: AttributedGraph, people, everyone) -> bool:
    """Return whether these people's values satisfy every promise of the schema."""
    return not len(people) or all(
        _shares(column, values(graph, column.name, people))
        and _diverse(column, values(graph, column.name, people))
        and (column.t is None or moved(values(graph, column.name, people), values(graph, column.name, everyone),
                                       column) <= column.t + 1e-9)
        for column in graph.schema.of_role(Role.SENSITIVE)
    )


def _shares(column: Column, tally: Counter) -> bool:
    return all(tally[value] <= math.floor(bound * tally.total() + 1e-9) for value, bound in column.alpha.items())


def _diverse(column: Column, tally: Counter) -> bool:
    counts = sorted((count for count in tally.values() if count), reverse=True)
    if column.l is None:
        return True
    if column.diversity == "distinct":
        return len(counts) >= column.l
    if column.diversity == "entropy":
        return math.prod((tally.total() / c) ** (c / tally.total()) for c in counts) >= column.l - 1e-9
    return len(counts) >= column.l and counts[0] < column.c * sum(counts[column.l - 1:])


def faults(graph: AttributedGraph, partition: Partition, requirement: Requirement) -> list[str]:
    """Return what the partition does not keep, in words, counted from person to person."""
    found = []
    members = [np.flatnonzero(partition.labels == c).tolist() for c in range(partition.n_classes)]
    everyone = [v for people in members for v in people]
    if graph.n - len(everyone) > math.floor(requirement.withhold * graph.n + 1e-9):
        found.append("too many withheld")
    for c, people in enumerate(members):
        wish = requirement.k if graph.wishes is None else max(requirement.k, *graph.wishes[people].tolist())
        if len(people) < wish:
            found.append(f"class {c} has {len(people)} of {wish} people")
        if not keeps(graph, people, everyone):
            found.append(f"class {c} does not keep its values")
    if requirement.tie_confidence is not None and graph.has_ties:
        found += _dense(graph, members, requirement.tie_confidence)
    return found


def _dense(graph: AttributedGraph, members: list[list[int]], cap: float) -> list[str]:
    tied = (graph.ties if graph.arcs is None else graph.arcs).toarray()
    found = []
    for c, people in enumerate(members):
        for d, others in enumerate(members):
            pairs = [(a, b) for a in people for b in others if a != b and (graph.directed or c != d or a < b)]
            if sum(tied[pair] for pair in pairs) > math.floor(cap * len(pairs) + 1e-9):
                found.append(f"classes {c} and {d} are tied too densely")
    return found
