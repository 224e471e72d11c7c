"""Measure what each parameter of ``social`` does to a graph; prints the tables of docs/social-graphs.md.

Run ``python scripts/measure_social_graphs.py``. Every line is the mean over seeds 1 to 5 of graphs of 5,000 persons
of Adult with mean degree 6; the line that times 100,000 persons is one graph.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Mapping
from typing import Any

import igraph as ig
import numpy as np
from scipy import sparse

from graphanon.datasets import load_adult, social
from graphanon.io.source import Reading

__all__ = ["HEADINGS", "main", "measures"]

N, SEEDS, TAIL_SHARE = 5_000, range(1, 6), 0.02
LIKE = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")
HEADINGS = (*LIKE, "transitivity", "local clustering", "tail", "highest degree", "isolated", "largest component")


def measures(reading: Reading) -> dict[str, float]:
    """Return assortativity by attribute, clustering, degree tail and connectedness of a graph."""
    upper = sparse.triu(reading.graph.ties).tocoo()
    graph = ig.Graph(n=reading.graph.n, edges=np.column_stack([upper.row, upper.col]).tolist())
    found: dict[str, float] = {}
    for place, column in enumerate(reading.graph.schema.quasi):
        values = reading.graph.values[:, place]
        if column.numeric:
            found[column.name] = graph.assortativity(values.tolist(), directed=False)
        else:
            found[column.name] = graph.assortativity_nominal(values.astype(int).tolist(), directed=False)
    degree = np.sort(np.array(graph.degree()))[::-1]
    return found | {
        "transitivity": graph.transitivity_undirected(),
        "local clustering": graph.transitivity_avglocal_undirected(mode="zero"),
        "tail": _tail(degree),
        "highest degree": float(degree[0]),
        "isolated": float((degree == 0).mean()),
        "largest component": graph.connected_components().giant().vcount() / reading.graph.n,
    }


def _tail(degree: np.ndarray[Any, np.dtype[np.int64]]) -> float:
    """Return the exponent that the highest degrees suggest (Hill 1975), that of the density."""
    top = max(10, int(len(degree) * TAIL_SHARE))
    return float(1 + 1 / np.log(degree[:top] / (degree[top] - 0.5)).mean())


def _mean(people: Reading, settings: Mapping[str, Any]) -> str:
    each = [measures(social(people, n=N, seed=seed, **settings)) for seed in SEEDS]
    means = [float(np.mean([one[name] for one in each])) for name in HEADINGS]
    return " | ".join(f"{mean:.0f}" if name == "highest degree" else f"{mean:.2f}"
                      for name, mean in zip(HEADINGS, means, strict=True))


def main() -> int:
    """Print every table as Markdown."""
    people = load_adult()
    tables: Mapping[str, list[dict[str, Any]]] = {
        "homophily": [{"homophily": h} for h in (0, 1, 2, 3, 4, 6)],
        "closure": [{"closure": share} for share in (0, 0.25, 0.5, 0.75, 1)],
        "tail": [{"tail": tail} for tail in (2.2, 2.5, 3, 4, math.inf)],
        "weights": [{"weights": weights} for weights in ({"age": 5}, {"sex": 0})],
        "model": [{"model": name} for name in ("erdos-renyi", "watts-strogatz", "barabasi-albert")],
    }
    for name, rows in tables.items():
        sys.stdout.write(f"\n| {name} | {' | '.join(HEADINGS)} |\n|---{'|---' * len(HEADINGS)}|\n")
        for settings in rows:
            sys.stdout.write(f"| {settings[name]} | {_mean(people, settings)} |\n")
    begin = time.perf_counter()
    large = social(people, n=100_000, seed=1)
    seconds = time.perf_counter() - begin
    sys.stdout.write(f"\n{large.graph.n} persons, {large.graph.n_ties} ties: {seconds:.1f} s\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
