"""Measure methods on synthetic networks and print one line each.

``python -m benchmarks`` measures the sizes that graphanon is held to; ``--people 2000 --ties 9000 -k 5
--method sangreea`` any other; with ``--refine`` what was found is refined. *first* is the first call in a fresh process (with
``--cold`` nothing is compiled before), *seconds* the median of the others. ``python -m benchmarks reading``
measures reading files, ``python -m benchmarks losses`` what is lost, ``python -m benchmarks prototypes`` K-Prototypes beside kmodes, ``python -m benchmarks tables`` tables, ``python -m benchmarks limits`` and ``growth`` how long
clustering and refining take, ``python -m benchmarks ldp`` local differential
privacy, ``python -m benchmarks reports`` pages and ``python -m benchmarks pictures`` pictures,
``python -m benchmarks fuzz`` feeds damaged files to every reader.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import fuzz, ldp, losses, pictures, prototypes, reading, reports, speed, tables

# method, people, ties, k, most seconds it may take (None where nothing is)
SIZES: list[tuple[str, int, int, int, float | None]] = [
    ("sangreea", 500, 1500, 5, None),
    ("pas-caa", 500, 1500, 5, None),
    ("sangreea", 700, 2100, 5, 1.0),
    ("pas-caa", 700, 2100, 5, 1.0),
    ("sangreea", 4039, 88234, 10, 5.0),
    ("sangreea", 37700, 289003, 10, 60.0),
]
# people, most seconds with refinement
REFINED: dict[int, float] = {700: 2.0, 4039: 15.0, 37700: 150.0}

OTHERS: dict[str, Callable[[list[str]], None]] = {
    "reading": reading.main,
    "fuzz": fuzz.main,
    "prototypes": prototypes.main,
    "ldp": ldp.main,
    "pictures": pictures.main,
    "reports": reports.main,
    "losses": losses.main,
    "tables": tables.main,
    "limits": speed.limits,
    "growth": speed.growth,
}


def measure(size: tuple[str, int, int, int, float | None], asked: argparse.Namespace) -> dict[str, Any]:
    method, *numbers, _ = size
    command = [sys.executable, "-m", "benchmarks.one", method, *map(str, numbers), str(asked.repeat)]
    command += [part for setting in asked.settings for part in ("--set", setting)]
    command += ["--refine"] * asked.refine
    with tempfile.TemporaryDirectory() as empty:
        environment = os.environ | ({"NUMBA_CACHE_DIR": empty} if asked.cold else {})
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True,
                              cwd=Path(__file__).parents[1])
    found: dict[str, Any] = json.loads(done.stdout)
    return found | {"asked": REFINED.get(numbers[0]) if asked.refine else size[-1]}


def line(found: dict[str, Any]) -> str:
    asked = "" if found["asked"] is None else f"< {found['asked']:g}"
    return (
        f"{found['method']:<10}{found['people']:>8,}{found['ties']:>10,}{found['k']:>5}{found['first']:>9.2f}"
        f"{found['seconds']:>10.3f}{asked:>7}{found['peak_mb']:>10,.0f}{found['supernodes']:>12,}{found['total']:>8.4f}"
    )


def sizes(asked: argparse.Namespace) -> list[tuple[str, int, int, int, float | None]]:
    if asked.people:
        ties = asked.ties or 3 * asked.people
        return [(method, asked.people, ties, asked.k, None) for method in asked.method or ["sangreea", "pas-caa"]]
    return [size for size in SIZES if not asked.method or size[0] in asked.method]


def main() -> None:
    if sys.argv[1:2] and sys.argv[1] in OTHERS:
        OTHERS[sys.argv[1]](sys.argv[2:])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--method", action="append", help="only this method (may be repeated)")
    parser.add_argument("--people", type=int, help="this many people instead of the usual sizes")
    parser.add_argument("--ties", type=int, help="this many ties (default: three a person)")
    parser.add_argument("-k", type=int, default=5, help="with --people (default: 5)")
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="NAME=VALUE",
                        help="a parameter of the method")
    parser.add_argument("--repeat", type=int, default=3, help="runs to take the median of (default: 3)")
    parser.add_argument("--refine", action="store_true", help="refine what the method found")
    parser.add_argument("--cold", action="store_true", help="compile anew in every process")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    asked = parser.parse_args()
    if not asked.json:
        print("method      people      ties    k    first   seconds  asked   peak MB  supernodes   total")
    for size in sizes(asked):
        found = measure(size, asked)
        print(json.dumps(found) if asked.json else line(found), flush=True)


if __name__ == "__main__":
    main()
