"""Graphs small enough to draw by hand, for every test that needs one.

G6 is the toy graph of the golden numbers: two triangles joined by one tie.
"""

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from graphanon.domain import Domain, Order, Range, Tree
from graphanon.graph import AttributedGraph, Nominal, symmetric_ties
from graphanon.schema import Column, Role, Schema, TieColumns

AGE = Range(25, 50, steps=(5, 10))
SEX = Tree((("M", "*"), ("F", "*")))
WORK = Tree((("Fed", "Gov", "*"), ("Local", "Gov", "*"), ("Self", "Priv", "*"), ("Corp", "Priv", "*")))


def graph_of(
    pairs: Sequence[tuple[int, int]],
    n: int,
    *,
    lines: Sequence[Domain] = (),
    values: Sequence[Sequence[float]] = (),
    payload: dict[str, Sequence[str]] | None = None,
    directed: bool = False,
    has_ties: bool = True,
) -> AttributedGraph:
    """Return `n` people with these ties (arcs, if directed) and one row of `values` for each line."""
    columns = [Column(name=f"a{j}", role=Role.QUASI, domain=domain) for j, domain in enumerate(lines)]
    columns += [Column(name=name, role=Role.SENSITIVE) for name in payload or {}]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    arcs = None
    if directed:
        ones = np.ones(len(ends), dtype=np.int64)
        arcs = sparse.csr_array(sparse.coo_array((ones, (ends[:, 0], ends[:, 1])), shape=(n, n)))
    return AttributedGraph(
        schema=Schema(columns=tuple(columns), ties=TieColumns(directed=directed)),
        values=np.array(values, dtype=float).reshape(len(lines), n).T.copy(),
        ties=symmetric_ties(n, ends[:, 0], ends[:, 1]),
        payload={name: nominal(cells) for name, cells in (payload or {}).items()},
        arcs=arcs,
        has_ties=has_ties,
    )


def nominal(cells: Sequence[str]) -> Nominal:
    """Return a column of text as codes into its sorted labels."""
    labels, codes = np.unique(np.array(cells, dtype=object), return_inverse=True)
    return Nominal(codes.reshape(-1).astype(np.int64), tuple(labels.tolist()))


def g6() -> AttributedGraph:
    """Return two triangles 1-2-3 and 4-5-6 joined by the tie 3-4, with age, sex and work."""
    pairs = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]
    sex, work = SEX.addresses(), WORK.addresses()
    values = [
        [25, 27, 30, 40, 45, 50],
        [sex[cell] for cell in "MFMFFM"],
        [work[cell] for cell in ("Fed", "Local", "Corp", "Corp", "Self", "Self")],
    ]
    return graph_of(pairs, 6, lines=(AGE, SEX, WORK), values=values)


def _clique(people: Sequence[int]) -> list[tuple[int, int]]:
    return [(a, b) for a in people for b in people if a < b]


_TENS = [float(10 * (i % 5)) for i in range(12)]
_DECADES = Range(0, 40, steps=(20,))
_RANKS = Order(("low", "mid", "high"))
_LINE = {"lines": (_DECADES,), "values": [_TENS]}


def toys() -> dict[str, AttributedGraph]:
    """Return every toy graph by name; most have twelve people."""
    missing = Tree(WORK.rows, missing=True)
    return {
        "g6": g6(),
        "no ties at all": graph_of([], 12, **_LINE),
        "a table": graph_of([], 12, has_ties=False, **_LINE),
        "a clique": graph_of(_clique(range(12)), 12, **_LINE),
        "a star": graph_of([(0, i) for i in range(1, 12)], 12, **_LINE),
        "a path": graph_of([(i, i + 1) for i in range(11)], 12, **_LINE),
        "a cycle": graph_of([(i, (i + 1) % 12) for i in range(12)], 12, **_LINE),
        "two cliques apart": graph_of(_clique(range(6)) + _clique(range(6, 12)), 12, **_LINE),
        "isolated people beside a triangle": graph_of([(0, 1), (1, 2), (0, 2)], 12, **_LINE),
        "identical people": graph_of([], 12, lines=(_DECADES, _RANKS), values=[[20.0] * 12, [1.0] * 12]),
        "columns of one value": graph_of(
            [(0, 1), (2, 3)], 12, lines=(Range(7, 7), Order(("only",)), Tree((("one", "*"),))),
            values=[[7.0] * 12, [0.0] * 12, [0.0] * 12]),
        "everything missing": graph_of(
            [(0, 1), (2, 3)], 12, lines=(missing, Range(0, 9, missing=True)),
            values=[[missing.missing_address] * 12, [Range(0, 9).missing_address] * 12]),
        "no quasi-identifier": graph_of([(i, (i * 5 + 1) % 12) for i in range(12)], 12),
        "no quasi-identifier and no ties": graph_of([], 12),
        "a directed ring": graph_of([(i, (i + 1) % 12) for i in range(12)], 12, directed=True, **_LINE),
        "arcs both ways": graph_of([(0, 1), (1, 0), (2, 3), (4, 3)], 12, directed=True, **_LINE),
        "a payload": graph_of(
            [(i, i + 1) for i in range(11)], 12, payload={"illness": ["flu", "hiv", "", "flu"] * 3}, **_LINE),
        "two people": graph_of([(0, 1)], 2, lines=(_DECADES,), values=[[0.0, 40.0]]),
        "one person": graph_of([], 1, lines=(_DECADES,), values=[[0.0]]),
    }
