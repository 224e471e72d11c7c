"""Measure reading: seconds and peak memory of files with as many ties as people really have.

``python -m benchmarks reading`` writes a GraphML file of 50,000 people and 1,000,000 ties and a CSV of 10,000,000 ties
into a temporary folder and reads each in a process of its own: the GraphML with graphanon, igraph and
networkx, one after the other on the same machine, the CSV with graphanon, as far as the graph that a method gets.
``--part 20`` makes the files a twentieth of that.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

# what, reader, people, ties, most seconds, most MB
CASES: list[tuple[str, str, int, int, float | None, float | None]] = [
    ("graphml", "graphanon", 50_000, 1_000_000, 15.0, 400.0),
    ("graphml", "igraph", 50_000, 1_000_000, None, None),
    ("graphml", "networkx", 50_000, 1_000_000, None, None),
    ("csv", "graphanon", 500_000, 10_000_000, 20.0, 1500.0),
]
READERS = {
    "graphanon": "from graphanon.io import read\nsource = read({arguments})\n"
                 "people = 0 if source.people is None else len(source.people.frame)\nties = len(source.ties.frame)",
    "built": "from graphanon import Schema, read\nreading = read({arguments}, schema=Schema(columns=()))\n"
             "people, ties = reading.graph.n, reading.graph.n_ties",
    "igraph": "import igraph\ngraph = igraph.Graph.Read_GraphML(path)\npeople, ties = graph.vcount(), graph.ecount()",
    "networkx": "import networkx\ngraph = networkx.read_graphml(path)\npeople, ties = len(graph), graph.number_of_edges()",
}
PROGRAM = """
import json, resource, sys, time
path = sys.argv[1]
wall, work = time.perf_counter(), time.process_time()
{body}
print(json.dumps({{"people": people, "ties": ties, "seconds": time.perf_counter() - wall,
                   "processor": time.process_time() - work,
                   "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}}))
"""


def write_graphml(path: Path, people: int, ties: int) -> None:
    chance = random.Random(7)
    with path.open("w", encoding="ascii") as out:
        out.write('<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">')
        out.write('<key id="a" for="node" attr.name="age" attr.type="int"/><graph edgedefault="undirected">')
        for number in range(people):
            out.write(f'<node id="n{number}"><data key="a">{chance.randint(0, 99)}</data></node>')
        for number in range(ties):
            source, target = chance.randrange(people), chance.randrange(people)
            out.write(f'<edge id="e{number}" source="n{source}" target="n{target}"/>')
        out.write("</graph></graphml>")


def write_csv(path: Path, people: int, ties: int) -> None:
    import numpy as np

    chance = np.random.default_rng(7)
    with path.open("w", encoding="ascii") as out:
        out.write("source,target\n")
        for begin in range(0, ties, 100_000):
            ends = chance.integers(0, people, (min(100_000, ties - begin), 2)).tolist()
            out.write("".join(f"{source},{target}\n" for source, target in ends))


def measure(kind: str, reader: str, path: Path) -> dict[str, Any]:
    """Return what one reader takes for one file, in a process of its own."""
    body = READERS[reader].format(arguments="path" if kind == "graphml" else "None, path")
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(body=body), str(path)], stdout=subprocess.PIPE, text=True,
                          check=True, cwd=Path(__file__).parents[1])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks reading", description=__doc__)
    parser.add_argument("--part", type=int, default=1, help="files of a part of the usual size (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    asked = parser.parse_args(words)
    if not asked.json:
        print("file     reader           people        ties        MB  seconds  asked  processor   peak MB  asked")
    with tempfile.TemporaryDirectory() as folder:
        for kind, reader, people, ties, seconds, peak in CASES:
            path = Path(folder) / f"big.{kind}"
            if not path.exists():
                (write_graphml if kind == "graphml" else write_csv)(path, people // asked.part, ties // asked.part)
            for name in [reader, "built"] if (kind, reader) == ("csv", "graphanon") else [reader]:
                found = {"file": kind, "reader": name, "asked_seconds": seconds, "asked_mb": peak,
                         "mb": path.stat().st_size / 1e6, **measure(kind, name, path)}
                print(json.dumps(found) if asked.json else line(found), flush=True)


def line(found: dict[str, Any]) -> str:
    limit = {name: "" if found[name] is None else f"< {found[name]:g}" for name in ("asked_seconds", "asked_mb")}
    return (f"{found['file']:<9}{found['reader']:<11}{found['people']:>12,}{found['ties']:>12,}{found['mb']:>10,.1f}"
            f"{found['seconds']:>9.1f}{limit['asked_seconds']:>7}{found['processor']:>11.1f}{found['peak_mb']:>10,.0f}"
            f"{limit['asked_mb']:>8}")
