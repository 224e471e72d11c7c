"""What the property tests draw from: lines of values, graphs, partitions, requirements.

Small on purpose: a law that fails, fails on a graph that can be drawn by hand.
"""

import hypothesis.strategies as st
import numpy as np
from hypothesis.strategies import DrawFn, SearchStrategy
from scipy import sparse

from graphanon.domain import Domain, Order, Range, Tree
from graphanon.graph import AttributedGraph, Nominal, symmetric_ties
from graphanon.grouping import Partition
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role, Schema, TieColumns

ILLNESSES = ("", "asthma", "flu", "hiv")
CITIES = ("Lund", "Malmo")


@st.composite
def ranges(draw: DrawFn, *, missing: bool | None = None) -> Range:
    """Draw a range whose ends may lie between two multiples of its grid."""
    grid = draw(st.sampled_from([1.0, 1.0, 5.0, 0.1, 0.25, 1000.0]))
    start = draw(st.integers(-30, 60))
    cells = draw(st.integers(0, 40))
    shift = draw(st.sampled_from([0.0, 0.0, 0.0, 0.25]))
    low = round((start + shift) * grid, 9)
    high = round((start + shift + cells) * grid, 9)
    counts = sorted(draw(st.sets(st.sampled_from([2, 3, 5, 10, 20]), max_size=3)))
    steps = tuple(round(count * grid, 9) for count in counts)
    has_missing = draw(st.booleans()) if missing is None else missing
    return Range(low, high, grid=grid, steps=steps, missing=has_missing)


@st.composite
def orders(draw: DrawFn, *, missing: bool | None = None) -> Order:
    """Draw one to six ordered labels."""
    labels = draw(st.permutations(["low", "mid", "high", "top", "007", "x;y"]))
    count = draw(st.integers(1, len(labels)))
    has_missing = draw(st.booleans()) if missing is None else missing
    return Order(tuple(labels[:count]), missing=has_missing)


@st.composite
def trees(draw: DrawFn, *, missing: bool | None = None) -> Tree:
    """Draw a hierarchy of even depth, its lines and its values in no order, some labels repeated as padding."""
    height = draw(st.integers(1, 3))
    count = draw(st.integers(1, 8))
    paths = [tuple(draw(st.integers(0, 2)) for _ in range(height - 1)) for _ in range(count)]
    names = draw(st.permutations([f"v{i}" for i in range(count)]))
    rows = [_row(name, path, padded=paths.count(path) == 1 and draw(st.booleans()), paths=paths)
            for name, path in zip(names, paths, strict=True)]
    has_missing = draw(st.booleans()) if missing is None else missing
    return Tree(tuple(draw(st.permutations(rows))), missing=has_missing)


def _row(name: str, path: tuple[int, ...], *, padded: bool, paths: list[tuple[int, ...]]) -> tuple[str, ...]:
    """Return the line of a value; where it is alone in its groups, its own name may stand for them."""
    groups = ["g" + "".join(map(str, path[:depth])) for depth in range(len(path), 0, -1)]
    if padded:
        alone = [sum(other[:depth] == path[:depth] for other in paths) == 1
                 for depth in range(len(path), 0, -1)]
        groups = [name if all(alone[: i + 1]) else group for i, group in enumerate(groups)]
    return (name, *groups, "*")


def domains(*, missing: bool | None = None) -> SearchStrategy[Domain]:
    """Draw a line of values of any kind."""
    return st.one_of(ranges(missing=missing), orders(missing=missing), trees(missing=missing))


@st.composite
def addresses(draw: DrawFn, domain: Domain, size: int) -> np.ndarray:
    """Draw `size` addresses on a line, numbers also between the multiples of the grid."""
    if isinstance(domain, Range):
        quarters = round((domain.high - domain.low) / domain.grid) * 4
        known = st.integers(0, quarters).map(lambda i: min(domain.high, round(domain.low + i * domain.grid / 4, 9)))
    else:
        known = st.integers(0, int(domain.missing_address) - 1).map(float)
    one = st.one_of(known, known, known, st.just(domain.missing_address)) if domain.missing else known
    return np.array(draw(st.lists(one, min_size=size, max_size=size)), dtype=float)


@st.composite
def intervals(draw: DrawFn, domain: Domain, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw `size` intervals between two addresses of a line."""
    a, b = draw(addresses(domain, size)), draw(addresses(domain, size))
    return np.minimum(a, b), np.maximum(a, b)


@st.composite
def graphs(
    draw: DrawFn,
    *,
    smallest: int = 1,
    largest: int = 16,
    directed: bool | None = None,
    lines: tuple[Domain, ...] | None = None,
    wishes: bool = False,
) -> AttributedGraph:
    """Draw people with 0 to 3 quasi-identifiers, perhaps a payload, and any ties among them."""
    n = draw(st.integers(smallest, largest))
    found = tuple(draw(st.lists(domains(), max_size=3))) if lines is None else lines
    columns = [Column(name=f"a{j}", role=Role.QUASI, domain=domain) for j, domain in enumerate(found)]
    values = np.array([draw(addresses(domain, n)) for domain in found]).reshape(len(found), n).T.copy()
    payload = {}
    if draw(st.booleans()):
        columns += [Column(name="illness", role=Role.SENSITIVE), Column(name="city", role=Role.OPEN)]
        payload = {"illness": draw(nominals(ILLNESSES, n)), "city": draw(nominals(CITIES, n))}
    is_directed = draw(st.booleans()) if directed is None else directed
    source, target = draw(pairs(n))
    weighted = draw(st.booleans())
    arcs = _arcs(n, source, target) if is_directed else None
    ties = symmetric_ties(n, source, target)
    wished = draw(st.lists(st.integers(1, max(1, n // 2)), min_size=n, max_size=n)) if wishes else None
    return AttributedGraph(
        schema=Schema(columns=tuple(columns),
                      ties=TieColumns(directed=is_directed, weight="sum" if weighted else "drop")),
        values=values,
        ties=ties,
        payload=payload,
        arcs=arcs,
        weights=_weights(ties if arcs is None else arcs) if weighted else None,
        wishes=None if wished is None else np.array(wished, dtype=np.int64),
        has_ties=True,
    )


@st.composite
def nominals(draw: DrawFn, labels: tuple[str, ...], size: int) -> Nominal:
    """Draw a column of text in which not every label need occur."""
    codes = draw(st.lists(st.integers(0, len(labels) - 1), min_size=size, max_size=size))
    return Nominal(np.array(codes, dtype=np.int64), labels)


@st.composite
def pairs(draw: DrawFn, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw the ends of ties, with loops and repeats, sparse or nearly complete."""
    person = st.integers(0, n - 1)
    most = draw(st.sampled_from([0, n, 3 * n, 8 * n]))
    drawn = draw(st.lists(st.tuples(person, person), min_size=most // 2, max_size=most))
    ends = np.array(drawn, dtype=np.int64).reshape(-1, 2)
    return ends[:, 0], ends[:, 1]


def _arcs(n: int, source: np.ndarray, target: np.ndarray) -> sparse.csr_array:
    apart = source != target
    ones = np.ones(int(apart.sum()), dtype=np.int64)
    arcs = sparse.coo_array((ones, (source[apart], target[apart])), shape=(n, n)).tocsr()
    arcs.data[:] = 1
    return sparse.csr_array(arcs)


def _weights(pattern: sparse.csr_array) -> sparse.csr_array:
    """Return whole weights with the pattern of the ties, alike in both directions of a pair."""
    entries = pattern.tocoo()
    weights = pattern.astype(float)
    weights.data[:] = 1 + (np.minimum(entries.row, entries.col) + 2 * np.maximum(entries.row, entries.col)) % 3
    return weights


def table(graph: AttributedGraph) -> AttributedGraph:
    """Return the same people as a table: no ties, and none expected."""
    n = graph.n
    return AttributedGraph(schema=graph.schema, values=graph.values, payload=graph.payload,
                           ties=sparse.csr_array((n, n), dtype=np.int64), has_ties=False)


@st.composite
def partitions(draw: DrawFn, graph: AttributedGraph, *, withheld: bool = True) -> Partition:
    """Draw who is together; the classes are numbered in any order."""
    raw = np.array(draw(st.lists(st.integers(-1 if withheld else 0, 4), min_size=graph.n, max_size=graph.n)))
    labels = np.full(graph.n, -1, dtype=np.int64)
    kept = raw >= 0
    labels[kept] = np.unique(raw[kept], return_inverse=True)[1]
    return Partition(labels)


@st.composite
def grouped(draw: DrawFn, *, withheld: bool = True, smallest: int = 1) -> tuple[AttributedGraph, Partition]:
    """Draw a graph and who is together in it."""
    graph = draw(graphs(smallest=smallest))
    return graph, draw(partitions(graph, withheld=withheld))


@st.composite
def recoded(draw: DrawFn) -> tuple[AttributedGraph, tuple[int, ...]]:
    """Draw a graph and how many steps each attribute is generalized."""
    graph = draw(graphs())
    return graph, tuple(draw(st.integers(0, domain.height)) for domain in graph.domains)


@st.composite
def requirements(draw: DrawFn, n: int) -> Requirement:
    """Draw a requirement that `n` people can satisfy."""
    return Requirement(k=draw(st.integers(1, n)), withhold=draw(st.sampled_from([0.0, 0.2, 0.5])))
