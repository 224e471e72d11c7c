"""One measurement in a process of its own, so that its peak memory is its own: prints one JSON line."""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time

import numpy as np

from benchmarks.graphs import network
from graphanon.catalog import make
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, hull
from graphanon.loss import public_losses
from graphanon.method import Method
from graphanon.refine import refine
from graphanon.requirement import Requirement


def peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def grouped(method: Method, graph: AttributedGraph, k: int, asked: argparse.Namespace) -> tuple[Grouping, float]:
    """Return the grouping, and the seconds of the processor that refining it took."""
    rng = np.random.default_rng(0)
    grouping = method.group(graph, Requirement(k=k), rng)
    if not asked.refine:
        return grouping, 0.0
    started = time.process_time()
    better = refine(graph, grouping.partition, Requirement(k=k), rng)
    return Grouping(graph, better, hull(graph, better)), time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("method")
    for name in ("people", "ties", "k", "repeat"):
        parser.add_argument(name, type=int)
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--refine", action="store_true")
    asked = parser.parse_args()
    method = make(asked.method, dict(pair.split("=", 1) for pair in asked.settings))
    # compiles what is not cached yet, and loads what is
    started = time.perf_counter()
    grouped(method, network(60, 120), 3, asked)
    first = time.perf_counter() - started

    graph = network(asked.people, asked.ties)
    seconds, processor, refining = [], [], []
    for _ in range(asked.repeat):
        started, begun = time.perf_counter(), time.process_time()
        grouping, spent = grouped(method, graph, asked.k, asked)
        seconds.append(time.perf_counter() - started)
        processor.append(time.process_time() - begun)
        refining.append(spent)
    result = {
        "method": asked.method, "people": graph.n, "ties": graph.n_ties, "k": asked.k,
        "first": first, "seconds": statistics.median(seconds), "processor": statistics.median(processor),
        "refining": statistics.median(refining), "peak_mb": peak_mb(),
        "supernodes": grouping.partition.n_classes, "total": public_losses(grouping)["total"],
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
