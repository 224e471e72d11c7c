"""K-Prototypes beside the library kmodes: ``python -m benchmarks prototypes`` on Adult, 30,162 people, 4 numbers and 6 categories.

Numbers have mean 0 and deviation 1, and a category weighs 0.5; one start each. *cost* is the sum of everyone's distance to the
nearest of the prototypes that came out, computed by one function for both; *seconds* are of the processor. Both run once, with
seed 0; kmodes starts as it does by default (``--init Huang`` for its other way). *dearest* is what graphanon came to with the worst
of `--seeds` seeds, whose longest time counts. kmodes comes with
``pip install 'graphanon[bench]'``; without it graphanon is measured alone.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Iterator
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np

from graphanon.datasets import load_adult
from graphanon.tabular.cluster_classes import records_of
from graphanon.tabular.k_prototypes import cluster_records
from graphanon.tabular.prototypes import Prototypes, Records, assigned, weights_for

__all__ = ["main", "standardized"]

QUASI = ("age", "education-num", "capital-gain", "hours-per-week", "workclass", "marital-status", "occupation",
         "relationship", "race", "sex")
ETA = 0.5


def standardized(people: int | None = None) -> Records:
    """Return the people of Adult, the first few if asked, with numbers of mean 0 and deviation 1."""
    records = records_of(load_adult(quasi=QUASI, sensitive=("income",)).graph).take(slice(people))
    numbers = records.numbers
    deviation = numbers.std(axis=0)
    return replace(records, numbers=(numbers - numbers.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0))


def cost(records: Records, prototypes: Prototypes) -> float:
    return float(assigned(records, prototypes, weights_for(records, ETA))[1].sum())


def ours(records: Records, clusters: int, seeds: int) -> dict[str, Any]:
    costs, seconds = [], []
    for seed in range(seeds):
        started = process_time()
        found = cluster_records(records, clusters, np.random.default_rng(seed), eta=ETA)
        seconds.append(process_time() - started)
        costs.append(cost(records, found.prototypes))
    return {"cost": costs[0], "cost_dearest": max(costs), "seconds": max(seconds)}


def theirs(records: Records, clusters: int, init: str) -> dict[str, Any]:
    from kmodes.kprototypes import KPrototypes  # type: ignore[import-untyped,import-not-found,unused-ignore]

    table = np.concatenate([records.numbers, records.codes], axis=1)
    p, d = records.numbers.shape[1], table.shape[1]
    model = KPrototypes(n_clusters=clusters, n_init=1, init=init, gamma=ETA, random_state=0)
    started = process_time()
    model.fit(table, categorical=list(range(p, d)))
    seconds = process_time() - started
    centres = np.asarray(model.cluster_centroids_, dtype=float)
    return {"cost": cost(records, Prototypes(centres[:, :p], centres[:, p:].astype(np.int64))), "seconds": seconds}


def rows(asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    records = standardized(asked.people)
    ours(records.take(slice(200)), 2, 1)  # compiles what is not cached
    for clusters in asked.clusters:
        row = {"people": len(records), "clusters": clusters} | {
            f"graphanon_{name}": value for name, value in ours(records, clusters, asked.seeds).items()}
        if not asked.alone:
            other = theirs(records, clusters, asked.init)
            row |= {f"kmodes_{name}": value for name, value in other.items()}
            row |= {"faster": other["seconds"] / row["graphanon_seconds"], "cost_ratio": row["graphanon_cost"] / other["cost"]}
        yield row


def line(row: dict[str, Any]) -> str:
    text = (f"{row['people']:>7,}{row['clusters']:>4}{row['graphanon_cost']:>13,.1f}{row['graphanon_cost_dearest']:>13,.1f}"
            f"{row['graphanon_seconds']:>9.3f}")
    if "faster" in row:
        text += f"{row['kmodes_cost']:>13,.1f}{row['kmodes_seconds']:>9.2f}{row['cost_ratio']:>8.4f}{row['faster']:>8.0f}"
    return text


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks prototypes", description=__doc__)
    parser.add_argument("--people", type=int, help="only the first people of Adult (default: all)")
    parser.add_argument("--clusters", nargs="+", type=int, default=list(range(2, 9)), help="K (default: 2 to 8)")
    parser.add_argument("--seeds", type=int, default=5, help="seeds of graphanon (default: 5)")
    parser.add_argument("--init", default="Cao", choices=["Cao", "Huang"], help="where kmodes starts (default: Cao)")
    parser.add_argument("--alone", action="store_true", help="measure graphanon alone")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    asked = parser.parse_args(arguments)
    asked.alone = asked.alone or importlib.util.find_spec("kmodes") is None
    if not asked.json:
        print(" people   K    graphanon      dearest  seconds       kmodes  seconds   ratio  faster")
    for row in rows(asked):
        print(json.dumps(row) if asked.json else line(row), flush=True)
