"""Local differential privacy: ``python -m benchmarks ldp`` prints how fast people answer, and what a server learns.

*seconds* are processor seconds for perturbing a table of a million records by ten attributes, and wall seconds beside
them. *closed* is the share of the way from the NICV of one centre to that of the best non-private two that the released
centres close, on the original people: mean and worst of the runs, each with answers of its own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from graphanon.datasets import load_adult, load_heart
from graphanon.tabular.ldp.centres import Centres, centres_from_pairs, distances, nearest_centre
from graphanon.tabular.ldp.client import cells_of, lines_of, perturb_cells
from graphanon.tabular.ldp.coins import seeded, system
from graphanon.tabular.ldp.interactive import assisted_lloyd
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.pairs import plan_pairs
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.planning import plan_columns

__all__ = ["ADULT", "HEART", "closed", "main", "moved", "non_private"]

ADULT = ("age", "education-num", "capital-gain", "hours-per-week", "workclass", "marital-status", "occupation",
         "relationship", "race", "sex")
HEART = ("Age", "RestingBP", "Cholesterol", "MaxHR", "Sex", "ChestPainType", "RestingECG", "ExerciseAngina")
# share of the gap that must be closed on Adult at each budget, on average
ASKED = {0.5: 0.60, 1.0: 0.75, 2.0: 0.85}


def people(data: str) -> tuple[tuple[Line, ...], Any]:
    reading = load_adult(quasi=ADULT, sensitive=()) if data == "adult" else load_heart(quasi=HEART, sensitive=())
    lines = lines_of(reading.graph.schema)
    return lines, cells_of(reading.graph, lines)


def moved(centres: Centres, cells: Any) -> Centres:
    """Return the means and commonest labels of the people nearest to each centre."""
    nearest, points = nearest_centre(centres, cells), centres.points.copy()
    for k in np.unique(nearest).tolist():
        own = cells[nearest == k]
        for j, line in enumerate(centres.lines):
            points[k, j] = line.values()[own[:, j]].mean() if line.numeric else np.bincount(own[:, j]).argmax()
    return Centres(lines=centres.lines, points=points, shares=centres.shares)


def non_private(lines: tuple[Line, ...], cells: Any, k: int, starts: int = 5) -> float:
    """Return the least NICV of Lloyd's algorithm from several pairs of people."""
    rng, found = np.random.default_rng(0), []
    for _ in range(starts):
        rows = cells[rng.choice(len(cells), k, replace=False)]
        points = np.column_stack([line.values()[rows[:, j]] if line.numeric else rows[:, j] for j, line in enumerate(lines)])
        centres = Centres(lines=lines, points=points.astype(float), shares=np.ones(k))
        for _ in range(12):
            before, centres = centres, moved(centres, cells)
            if np.allclose(before.points, centres.points, atol=1e-3):
                break
        found.append(nicv(centres, cells))
    return min(found)


def nicv(centres: Centres, cells: Any) -> float:
    return float(distances(centres, cells).min(axis=1).mean())


def closed(data: str, runs: int, epsilons: list[float], how: str) -> Iterator[dict[str, Any]]:
    lines, cells = people(data)
    one, best = non_private(lines, cells, 1, 1), non_private(lines, cells, 2)
    for epsilon in epsilons:
        shares, seconds = [], []
        for seed in range(runs):
            started = time.process_time()
            rng = np.random.default_rng(seed)
            if how == "pairs":
                plan = plan_pairs(lines, epsilon)
                centres = centres_from_pairs(plan, perturb_cells(plan, cells, seeded(seed)), 2, rng)
            else:
                centres = assisted_lloyd(lines, cells, epsilon, 2, seeded(seed), rng=rng)
            seconds.append(time.process_time() - started)
            shares.append((one - nicv(centres, cells)) / (one - best))
        yield {"data": data, "how": how, "people": len(cells), "epsilon": epsilon, "runs": runs, "one_centre": one,
               "non_private": best, "closed": statistics.mean(shares), "worst": min(shares),
               "asked": ASKED.get(epsilon) if (data, how) == ("adult", "pairs") else None,
               "seconds": statistics.mean(seconds)}


def throughput(n: int, mechanisms: list[str]) -> Iterator[dict[str, Any]]:
    lines, cells = people("adult")
    many = cells[np.random.default_rng(0).integers(0, len(cells), n)]
    for name in mechanisms:
        plan: Plan = plan_pairs(lines, 1.0) if name == "auto" else plan_columns(lines, 1.0, name)
        wall, spent = time.perf_counter(), time.process_time()
        perturb_cells(plan, many, system())
        yield {"mechanism": name, "people": n, "attributes": len(lines), "seconds": time.process_time() - spent,
               "wall": time.perf_counter() - wall, "asked": 10.0}


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks ldp", description=__doc__)
    parser.add_argument("--people", type=int, default=1_000_000, help="records to perturb (default: a million)")
    parser.add_argument("--mechanism", nargs="+", default=["auto", "bits", "grr", "oue", "olh"])
    parser.add_argument("--runs", type=int, default=20, help="runs for each budget (default: 20)")
    parser.add_argument("--data", nargs="+", default=["adult", "heart"], choices=["adult", "heart"])
    parser.add_argument("--how", nargs="+", default=["pairs"], choices=["pairs", "assisted"])
    parser.add_argument("--epsilon", nargs="+", type=float, default=[0.5, 1.0, 2.0])
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    asked = parser.parse_args(arguments)
    if not asked.json:
        print("mechanism      people  attributes  seconds     wall   asked")
    for row in throughput(asked.people, asked.mechanism):
        print(json.dumps(row) if asked.json else f"{row['mechanism']:<10}{row['people']:>11,}{row['attributes']:>12}"
              f"{row['seconds']:>9.2f}{row['wall']:>9.2f}   < {row['asked']:g}", flush=True)
    if not asked.json:
        print("\ndata   how        people  epsilon  runs  one centre  non-private  closed   worst   asked  seconds")
    for data, how in ((data, how) for data in asked.data for how in asked.how):
        for row in closed(data, asked.runs, asked.epsilon, how):
            goal = "" if row["asked"] is None else f"{row['asked']:.2f}"
            print(json.dumps(row) if asked.json else f"{data:<7}{how:<9}{row['people']:>8,}{row['epsilon']:>9g}"
                  f"{row['runs']:>6}{row['one_centre']:>12.4f}{row['non_private']:>13.4f}{row['closed']:>8.3f}"
                  f"{row['worst']:>8.3f}{goal:>8}{row['seconds']:>9.2f}", flush=True)
