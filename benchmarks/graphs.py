"""Synthetic social networks of a given size: a few people know many, and everyone has six attributes.

They are made here and not read, so that a figure can be reproduced anywhere.
"""

from __future__ import annotations

import random

import igraph as ig
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.domain import Domain, Range, Tree
from graphanon.graph import AttributedGraph, symmetric_ties
from graphanon.schema import Column, Role, Schema

__all__ = ["network"]

Ints = NDArray[np.int64]


def _tree(leaves: int, *branching: int) -> Tree:
    """Return a tree over `leaves` values, in groups of each of these sizes."""
    groups = [[f"g{size}.{leaf // size}" for size in branching] for leaf in range(leaves)]
    return Tree(tuple((f"v{leaf}", *above, "*") for leaf, above in enumerate(groups)))


LINES: dict[str, Domain] = {
    "age": Range(17, 90, steps=(5, 10, 20, 40)),
    "hours": Range(1, 99),
    "education": _tree(16, 2, 8),
    "work": _tree(12, 4),
    "sex": _tree(2),
    "country": _tree(40, 10),
}


def network(people: int, ties: int, seed: int = 0) -> AttributedGraph:
    """Return exactly this many people and ties, by preferential attachment."""
    rng = np.random.default_rng(seed)
    schema = Schema(columns=tuple(Column(name=name, role=Role.QUASI, domain=line) for name, line in LINES.items()))
    values = np.stack([_values(line, people, rng) for line in LINES.values()], axis=1)
    source, target = _ends(people, ties, rng)
    return AttributedGraph(schema=schema, values=values, ties=symmetric_ties(people, source, target))


def _values(line: Domain, people: int, rng: Generator) -> NDArray[np.float64]:
    if isinstance(line, Range):
        middle, width = (line.low + line.high) / 2, (line.high - line.low) / 6
        return np.clip(np.round(rng.normal(middle, width, people)), line.low, line.high)
    leaves = len(line.leaves) if isinstance(line, Tree) else 1
    share = 1 / np.arange(1, leaves + 1)
    return rng.choice(leaves, size=people, p=share / share.sum()).astype(float)


def _ends(people: int, ties: int, rng: Generator) -> tuple[Ints, Ints]:
    """Return the ends of the ties; what attachment falls short of is added between anyone."""
    ig.set_random_number_generator(random.Random(int(rng.integers(2**32))))
    grown = ig.Graph.Barabasi(people, max(1, ties // people)).get_edgelist()
    codes = _codes(np.array(grown, dtype=np.int64).reshape(-1, 2), people)[:ties]
    while len(codes) < ties:
        more = rng.integers(0, people, size=(ties, 2))
        codes = np.unique(np.concatenate([codes, _codes(more, people)[: ties - len(codes)]]))
    return codes // people, codes % people


def _codes(pairs: Ints, people: int) -> Ints:
    """Return each unordered pair of different people once, as one number, in random-looking order."""
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    codes, first = np.unique((low * people + high)[low != high], return_index=True)
    return codes[np.argsort(first)]
