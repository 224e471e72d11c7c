"""How much is lost: ``python -m benchmarks losses`` prints losses against those of textbook SaNGreeA.

Every figure is a median over seeds, each with its own order of people and its own search. *ratio* is the total
loss (half `ngil`, half `nsil`) over that of SaNGreeA with alpha = beta = 0.5 and nothing refined, on the same
people in the same order; for PAS-CAA also over SaNGreeA at 2k, which gives everyone what PAS-CAA gives the most
sensitive. *bound* is the mean distance of a person to the (k - 1)-th nearest other: no class of k that holds
them loses less in attributes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from graphanon.catalog import make, methods
from graphanon.closeness import describe
from graphanon.datasets import load
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, hull
from graphanon.io.order import arrange
from graphanon.kernels.nearest import nearest
from graphanon.kernels.rows import room_for
from graphanon.loss import public_losses
from graphanon.method import ClusterFirst
from graphanon.refine import Objective, refine
from graphanon.requirement import Requirement

__all__ = ["attribute_bound", "main"]


def attribute_bound(graph: AttributedGraph, k: int) -> float:
    """Return the mean over people of the distance to their (k - 1)-th nearest other person."""
    crowd = describe(graph, snapped=True)
    near, close = np.empty((graph.n, k - 1), dtype=np.int32), np.empty((graph.n, k - 1))
    nearest(crowd, 0.0, 0, graph.n, np.arange(graph.n, dtype=np.int32), room_for(crowd), near, close)
    return float(1 - close[:, -1].mean())


def one(graph: AttributedGraph, name: str, k: int, seed: int, objective: Objective | None) -> dict[str, float]:
    """Return the losses of one run and its seconds; without an objective nothing is refined."""
    method, asked, rng = make(name), Requirement(k=k), np.random.default_rng(seed)
    started = time.perf_counter()
    grouping = method.group(graph, asked, rng)
    if objective is not None:
        better = refine(graph, grouping.partition, asked, rng, objective=objective)
        grouping = Grouping(graph, better, hull(graph, better))
    return public_losses(grouping) | {"seconds": time.perf_counter() - started}


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def cell(data: str, k: int, asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the rows of one data set and one k."""
    reading = load(data)
    graphs = [arrange(reading, seed).graph for seed in range(asked.seeds)]
    plain = {size: [one(graph, "sangreea", size, seed, None) for seed, graph in enumerate(graphs)] for size in (k, 2 * k)}
    objective = Objective(ties=asked.ties)
    for name in asked.method:
        for aim in (None, objective):
            same = name == "sangreea" and aim is None
            runs = plain[k] if same else [one(graph, name, k, seed, aim) for seed, graph in enumerate(graphs)]
            ratios = {f"ratio{suffix}": statistics.median(
                objective.of(run) / objective.of(base) for run, base in zip(runs, plain[size], strict=True))
                for suffix, size in (("", k), ("_2k", 2 * k))}
            yield {"data": data, "k": k, "method": name, "refined": aim is not None,
                   "bound": attribute_bound(graphs[0], k)} | medians(runs) | ratios


def line(row: dict[str, Any]) -> str:
    name = row["method"] + (" + refine" if row["refined"] else "")
    return (f"{row['data']:<6}{row['k']:>4}  {name:<24}{row['total']:>8.4f}{row['ngil']:>8.4f}{row['bound']:>8.4f}"
            f"{row['nsil']:>8.4f}{row['tie_loss']:>9.4f}{row['seconds']:>8.2f}{row['ratio']:>8.3f}{row['ratio_2k']:>9.3f}")


def summary(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield mean and largest ratio of every method, and of the best refined one in each cell."""
    for name, refined in sorted({(row["method"], row["refined"]) for row in rows}):
        own = [row for row in rows if (row["method"], row["refined"]) == (name, refined)]
        ratios, double = [row["ratio"] for row in own], [row["ratio_2k"] for row in own]
        yield (f"{name + (' + refine' if refined else ''):<26}{statistics.mean(ratios):>8.3f}{max(ratios):>8.3f}"
               f"{statistics.mean(double):>9.3f}")
    best: dict[tuple[str, int], float] = {}
    for row in rows:
        place = row["data"], row["k"]
        best[place] = min(best.get(place, np.inf), row["ratio"])
    yield f"{'best of each cell':<26}{statistics.mean(best.values()):>8.3f}{max(best.values()):>8.3f}"
    over = [row for row in rows if row["refined"] and row["ratio"] > 1]
    yield "no refined cell is above 1" if not over else "ABOVE 1, refined: " + ", ".join(
        f"{row['method']} {row['data']} k = {row['k']} ({row['ratio']:.3f})" for row in over)


def tables(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield two tables in Markdown: ratios of each method, and losses of attributes beside what none can go below."""
    yield "| method | plain | worst | refined | worst | refined, against SaNGreeA at 2k |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name in dict.fromkeys(row["method"] for row in rows):
        plain, better = ([row for row in rows if (row["method"], row["refined"]) == (name, which)] for which in (False, True))
        ratios = [[row["ratio"] for row in own] for own in (plain, better)]
        double = statistics.mean(row["ratio_2k"] for row in better)
        yield f"| `{name}` | " + " | ".join(f"{statistics.mean(own):.2f} | {max(own):.2f}" for own in ratios) + f" | {double:.2f} |"
    sizes = sorted({row["k"] for row in rows})
    yield ""
    yield "| loss of attributes, k = | " + " | ".join(map(str, sizes)) + " |"
    yield "|---|" + "---:|" * len(sizes)
    own = {"SaNGreeA": ("sangreea", False, "ngil"), "SaNGreeA, refined": ("sangreea", True, "ngil"),
           "no class can have less": ("sangreea", False, "bound")}
    for label, (name, refined, figure) in own.items():
        means = [statistics.mean(row[figure] for row in rows if (row["method"], row["refined"], row["k"]) == (name, refined, k))
                 for k in sizes]
        yield f"| {label} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"


def main(arguments: list[str]) -> None:
    clusterers = {name: method.about.ties for name, method in methods().items() if issubclass(method, ClusterFirst)}
    social = [name for name, ties in clusterers.items() if ties]
    parser = argparse.ArgumentParser(prog="python -m benchmarks losses", description=__doc__)
    parser.add_argument("--data", nargs="+", default=["m1", "m2"], help="data sets (default: m1 m2)")
    parser.add_argument("-k", nargs="+", type=int, default=[3, 5, 7, 10, 15, 20], help="class sizes")
    parser.add_argument("--method", nargs="+", default=social, choices=list(clusterers),
                        help="methods (default: all that look at ties)")
    parser.add_argument("--seeds", type=int, default=5, help="runs to take the median of (default: 5)")
    parser.add_argument("--ties", default="nsil", choices=["nsil", "tie_loss"], help="structural half of the objective")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--markdown", action="store_true", help="end with the tables of the README (sangreea must be among the methods)")
    asked = parser.parse_args(arguments)
    if not asked.json:
        print("data     k  method                     total    ngil   bound    nsil tie_loss seconds   ratio ratio 2k")
    rows = []
    for data in asked.data:
        for k in asked.k:
            for row in cell(data, k, asked):
                rows.append(row)
                print(json.dumps(row) if asked.json else line(row), flush=True)
    if not asked.json:
        print("\nmethod                      mean    worst  mean 2k", *summary(rows), sep="\n")
    if asked.markdown:
        print("", *tables(rows), sep="\n")
