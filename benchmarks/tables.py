"""Measure tables: what is lost on Adult, and the seconds and memory that it takes.

``python -m benchmarks tables`` anonymizes the 30,162 complete rows of Adult, with age, workclass, education,
marital-status, race, sex and native-country as quasi-identifiers. The hierarchies are those that come along;
``--hierarchies FOLDER --suffix .csv`` takes ``FOLDER/age.csv`` and so on instead, cut down to the values that occur, and then
prints what is asked of the hierarchies that ARX ships for Adult beside what is found. Age is a *tree* (five, ten, twenty and
forty years where no file is given) or a *range*. Loss is the mean share of leaves that a cell covers; ``width`` counts an age
by the years of its label. Every line is measured in a process of its own, once all is compiled: the median of
``--repeat`` runs, each with its own order of people and its own search.

The parts are ``losses`` (recursive recoding, refined and not), ``methods`` (each that clusters, unrefined), ``optimum`` (all told
alike, for shares withheld), ``alpha`` (no occupation more than half of a class), ``million`` (as many rows, drawn from
Adult, a tenth of their cells from others) and ``files`` (the same rows from a CSV file to an audited release).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.one import peak_mb
from graphanon.catalog import make, methods
from graphanon.datasets import load_adult
from graphanon.datasets.written import save
from graphanon.domain import Range, Tree
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, hull
from graphanon.io.build import build
from graphanon.io.hierarchy_file import read_hierarchy
from graphanon.io.order import arrange
from graphanon.io.source import Reading, ReadReport, Source
from graphanon.loss import cell_costs
from graphanon.method import ClusterFirst, Method
from graphanon.refine import refine
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role

__all__ = ["adult", "main", "mixed"]

PARTS = ("losses", "methods", "optimum", "alpha", "million", "files")
STEPS = (5, 10, 20, 40)
# part, method, k, age, withheld, refined: the most loss, seconds and MB that are asked with ARX's hierarchies
ASKED: dict[tuple[str, str, int, str, float, bool], tuple[float | None, float | None, float | None]] = {
    ("losses", "recursive", 10, "tree", 0.0, False): (0.0516, 2.0, None),
    ("losses", "recursive", 10, "tree", 0.0, True): (0.0500, 10.0, None),
    ("losses", "recursive", 10, "range", 0.0, False): (0.0471, 2.0, None),
    ("losses", "recursive", 10, "range", 0.0, True): (0.0420, 10.0, None),
    ("losses", "recursive", 5, "tree", 0.0, False): (0.0349, None, None),
    ("losses", "recursive", 5, "tree", 0.0, True): (0.0325, None, None),
    ("losses", "recursive", 5, "range", 0.0, False): (0.0310, None, None),
    ("losses", "recursive", 5, "range", 0.0, True): (0.0255, None, None),
    ("optimum", "general-alpha-k", 10, "tree", 0.0, False): (0.645, 1.0, None),
    ("optimum", "general-alpha-k", 10, "tree", 0.01, False): (0.4295, 1.0, None),
    ("optimum", "general-alpha-k", 10, "tree", 0.05, False): (0.2805, 1.0, None),
    ("alpha", "general-alpha-k", 10, "tree", 0.0, False): (0.703, None, None),
    ("alpha", "general-alpha-k", 10, "tree", 0.05, False): (0.720, None, None),
    ("alpha", "general-alpha-k", 10, "tree", 0.5, False): (0.413, None, None),
    ("million", "recursive", 10, "tree", 0.0, True): (None, 60.0, 2000.0),
}


def adult(age: str, hierarchies: Path | None = None, suffix: str = ".csv", alpha: float | None = None) -> Reading:
    """Return the complete rows of Adult, with age as a `tree` or a `range`."""
    reading = load_adult()
    columns = []
    for column in reading.graph.schema.columns:
        file = None if hierarchies is None else hierarchies / f"{column.name}{suffix}"
        changed = column
        if column.name == "age" and age == "range":
            changed = replace(column, domain=Range(17, 90), steps=())
        elif column.role is Role.QUASI and (file is not None or column.name == "age"):
            changed = replace(column, domain=_tree(column, reading, file), numeric=False, declared=None, steps=())
        elif column.name == "occupation" and alpha is not None:
            # the share of one value is named; general (alpha, k) holds every other to it
            changed = replace(column, alpha={"Sales": alpha})
        columns.append(changed)
    schema = replace(reading.graph.schema, columns=tuple(columns))
    return build(Source(people=reading.table, ties=None, id=None, report=ReadReport()), schema)


def _tree(column: Column, reading: Reading, file: Path | None) -> Tree:
    """Return the tree in a file, or that of the usual steps of years, cut down to the values that occur."""
    seen = set(reading.table.frame[column.name])
    if file is not None and (column.name != "age" or file.exists()):
        return Tree(tuple(row for row in read_hierarchy(file).rows if row[0] in seen))
    ages = sorted(int(value) for value in seen)
    return Tree(tuple((str(age), *(f"{age // step * step}-{age // step * step + step - 1}" for step in STEPS), "*")
                      for age in ages))


def mixed(reading: Reading, rows: int) -> tuple[AttributedGraph, np.ndarray[Any, np.dtype[np.int64]]]:
    """Return rows drawn from these with a tenth of their cells from others, and whose row each cell is, int64[rows, q]."""
    rng, graph = np.random.default_rng(1), reading.graph
    drawn = rng.integers(0, graph.n, rows)
    owner = np.repeat(drawn[:, None], graph.q, axis=1)
    other = rng.random(owner.shape) < 0.1
    owner[other] = rng.integers(0, graph.n, int(other.sum()))
    values = np.take_along_axis(graph.values, owner, axis=0)
    return replace(graph.take(drawn), values=values), owner


def width(grouping: Grouping) -> float:
    """Return the loss with ages counted by the years of their label, those withheld as everything."""
    graph, sizes = grouping.source, grouping.partition.sizes
    costs = cell_costs(graph.domains, grouping.boxes, "leaves")
    age, years = graph.domains[0], graph.values[:, 0]
    if isinstance(age, Tree):
        whole = max(map(int, age.leaves)) - min(map(int, age.leaves))
        ends = [label.split("-") for label in age.bounds(grouping.boxes.lo[:, 0], grouping.boxes.hi[:, 0])[0]]
        costs[:, 0] = [1.0 if label == ["*"] else min((int(label[-1]) - int(label[0])) / whole, 1.0) for label in ends]
    withheld = len(years) - sizes.sum()
    return float((costs.sum(axis=1) * sizes).sum() / graph.q + withheld) / graph.n


def cases(part: str, asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield what is measured in a part."""
    usual = {"part": part, "method": "recursive", "k": 10, "age": "tree", "withhold": 0.0, "refine": False,
             "hierarchies": asked.hierarchies, "suffix": asked.suffix, "repeat": asked.repeat, "rows": 0}
    if part == "losses":
        for k in (10, 5):
            yield from (usual | {"k": k, "age": age, "refine": refine}
                        for age in ("tree", "range") for refine in (False, True))
    elif part == "methods":
        yield from (usual | {"method": name} for name, method in methods().items()
                    if issubclass(method, ClusterFirst) and not method.about.ties)
    elif part in ("optimum", "alpha"):
        shares = (0.0, 0.01, 0.05) if part == "optimum" else (0.0, 0.05, 0.5)
        yield from (usual | {"method": "general-alpha-k", "withhold": share} for share in shares)
    else:
        yield usual | {"refine": True, "rows": asked.rows, "repeat": 1}


def grouped(method: Method, graph: AttributedGraph, case: dict[str, Any], seed: int) -> Grouping:
    """Return what a method makes of a table, refined if the case says so."""
    requirement = Requirement(k=case["k"], withhold=case["withhold"])
    rng = np.random.default_rng(seed)
    grouping = method.group(graph, requirement, rng)
    if not case["refine"]:
        return grouping
    better = refine(graph, grouping.partition, requirement, rng)
    return Grouping(graph, better, hull(graph, better))


def one(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case with what was found, measured in this process."""
    folder = None if case["hierarchies"] is None else Path(case["hierarchies"])
    reading = adult(case["age"], folder, case["suffix"], alpha=0.5 if case["part"] == "alpha" else None)
    method, runs = make(case["method"]), []
    grouped(method, reading.graph.take(np.arange(300)), case | {"withhold": 0.9}, 0)
    for seed in range(case["repeat"]):
        graph = mixed(reading, case["rows"])[0] if case["rows"] else arrange(reading, seed).graph
        clock, processor = time.perf_counter(), time.process_time()
        grouping = grouped(method, graph, case, seed)
        runs.append({"seconds": time.perf_counter() - clock, "processor": time.process_time() - processor,
                     "classes": grouping.partition.n_classes, "withheld": grouping.partition.withheld,
                     "loss": _loss(grouping), "width": width(grouping)})
    medians = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    return case | {"people": graph.n, "distinct": len(graph.distinct().points), "peak_mb": peak_mb()} | medians


def _loss(grouping: Grouping) -> float:
    graph, sizes = grouping.source, grouping.partition.sizes
    lost = (cell_costs(graph.domains, grouping.boxes, "leaves").sum(axis=1) * sizes).sum() / graph.q
    return float(lost + grouping.partition.withheld) / graph.n


def through_files(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case with what the command takes from a CSV file to an audited release."""
    folder = None if case["hierarchies"] is None else Path(case["hierarchies"])
    reading = adult(case["age"], folder, case["suffix"])
    graph, owner = mixed(reading, case["rows"])
    frame = reading.table.frame.iloc[owner[:, 0]].reset_index(drop=True)
    for j, column in enumerate(graph.schema.quasi):
        frame[column.name] = reading.table.frame[column.name].to_numpy()[owner[:, j]]
    with tempfile.TemporaryDirectory() as place:
        people, schema, *_ = save(replace(reading, graph=graph, table=replace(reading.table, frame=frame)), Path(place) / "in")
        command = [sys.executable, "-m", "graphanon", "anonymize", str(people), "--schema", str(schema), "--method",
                   case["method"], "-k", str(case["k"]), "--seed", "1", "-o", str(Path(place) / "out"), "--json"]
        clock = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"graphanon anonymize ended with {status}")
        seconds = time.perf_counter() - clock
        run = json.loads((Path(place) / "out" / "private" / "run.json").read_text(encoding="utf-8"))
        released = json.loads((Path(place) / "out" / "release" / "release.json").read_text(encoding="utf-8"))
    return case | {"people": graph.n, "distinct": len(graph.distinct().points), "seconds": seconds,
                   "processor": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024,
                   "classes": released.get("classes", 0), "withheld": 0,
                   "loss": released["losses"]["ncp"], "width": None, "stages": run["seconds"]}


def measure(case: dict[str, Any]) -> dict[str, Any]:
    """Return what :func:`one` finds in a process of its own, with what is asked of it."""
    if case["part"] == "files":
        found = through_files(case)
    else:
        done = subprocess.run([sys.executable, "-m", "benchmarks.tables", "--one", json.dumps(case)], check=True, text=True,
                              stdout=subprocess.PIPE, cwd=Path(__file__).parents[1])
        found = json.loads(done.stdout)
    return found | dict(zip(("most_loss", "most_seconds", "most_mb"), limits(case), strict=True))


def limits(case: dict[str, Any]) -> tuple[float | None, float | None, float | None]:
    """Return the most loss, seconds and MB that are asked of a case."""
    if case["part"] == "methods":
        return None, 10.0, 500.0
    name = (case["part"], case["method"], case["k"], case["age"], case["withhold"], case["refine"])
    loss, seconds, memory = ASKED.get(name, (None, None, None))
    if case["hierarchies"] is not None:
        return loss, seconds, memory
    return None, None if case["part"] == "losses" else seconds, memory


def line(found: dict[str, Any]) -> str:
    name = found["method"] + (" + refine" if found["refine"] else "")
    share = f"{found['withhold']:.0%}"
    most = [f"<= {found[key]:g}" if found[key] else "" for key in ("most_loss", "most_seconds", "most_mb")]
    wide = "" if found["width"] is None else f"{found['width']:.4f}"
    text = (f"{found['part']:<8} {name:<20}{found['k']:>3} {found['age']:<6}{share:>4}{found['people']:>10,}"
            f"{found['distinct']:>8,}{found['loss']:>8.4f}{wide:>8}{most[0]:>11}{found['classes']:>8,.0f}"
            f"{found['withheld']:>7,.0f}{found['seconds']:>9.2f}{most[1]:>7}{found['processor']:>10.2f}"
            f"{found['peak_mb']:>7,.0f}{most[2]:>9}")
    stages = found.get("stages")
    return text if stages is None else text + "\n         " + ", ".join(f"{name} {spent:.1f}" for name, spent in stages.items())


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks tables", description=__doc__)
    parser.add_argument("--part", nargs="+", default=PARTS, choices=PARTS, help="what to measure (default: all)")
    parser.add_argument("--hierarchies", metavar="FOLDER", help="hierarchies instead of those that come along")
    parser.add_argument("--suffix", default=".csv", help="how their file names end (default: .csv)")
    parser.add_argument("--repeat", type=int, default=3, help="runs to take the median of (default: 3)")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of million and files (default: 1,000,000)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--one", type=json.loads, help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.one is not None:
        print(json.dumps(one(asked.one)))
        return
    if not asked.json:
        print("part     method                k age  held    people    dist.    loss   width      asked classes   held"
              "  seconds  asked processor     MB    asked")
    for part in asked.part:
        for case in cases(part, asked):
            found = measure(case)
            print(json.dumps(found) if asked.json else line(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
