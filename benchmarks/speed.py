"""How long clustering and refining take, held to their limits, and how that grows with the number of people.

``python -m benchmarks limits`` measures the sizes that have one, each in a process of its own: 700 people in 2 seconds,
4,039 with 88,234 ties in 15, 37,700 with 289,003 in 150 and 3 GB, all refined; SaNGreeA alone 100,000 with 1,000,000 in
300. ``--people 700 4039`` measures only those. ``python -m benchmarks growth`` fits seconds of the processor by a
power of the number of people, eight ties each, for the method and for refinement apart.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["exponent", "growth", "limits"]

# method, people, ties, k, refined, most seconds, most megabytes
LIMITS = [
    ("sangreea", 700, 2100, 5, True, 2, 3000),
    ("pas-caa", 700, 2100, 5, True, 2, 3000),
    ("sangreea", 4039, 88234, 10, True, 15, 3000),
    ("sangreea", 37700, 289003, 10, True, 150, 3000),
    ("sangreea", 100_000, 1_000_000, 10, False, 300, 3000),
]


def measured(method: str, people: int, ties: int, k: int, *, refined: bool, repeat: int = 1) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.one", method, str(people), str(ties), str(k), str(repeat)]
    done = subprocess.run(command + ["--refine"] * refined, stdout=subprocess.PIPE, check=True, text=True,
                          cwd=Path(__file__).parents[1])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def limits(words: list[str]) -> None:
    """Measure what is held to a limit; leave with 1 if one is passed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks limits", description=__doc__)
    parser.add_argument("--people", nargs="+", type=int, help="only these sizes")
    parser.add_argument("--repeat", type=int, default=1, help="runs to take the median of (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    asked = parser.parse_args(words)
    if not asked.json:
        print("method         people      ties    k  refined   seconds  processor  limit   peak MB   total  kept")
    all_kept = True
    for method, people, ties, k, refined, most, room in LIMITS:
        if asked.people and people not in asked.people:
            continue
        row = measured(method, people, ties, k, refined=refined, repeat=asked.repeat)
        kept = row["seconds"] <= most and row["peak_mb"] <= room
        all_kept &= kept
        row |= {"refined": refined, "limit": most, "kept": kept}
        print(json.dumps(row) if asked.json else (
            f"{method:<10}{people:>11,}{ties:>10,}{k:>5}{'yes' if refined else 'no':>9}{row['seconds']:>10.2f}"
            f"{row['processor']:>11.2f}{most:>7}{row['peak_mb']:>10,.0f}{row['total']:>8.4f}{'yes' if kept else 'NO':>6}"), flush=True)
    sys.exit(0 if all_kept else 1)


def exponent(people: list[int], seconds: list[float]) -> float:
    """Return the power of the number of people by which seconds grow, fitted to their logarithms.

    Examples
    --------
    >>> round(exponent([10, 100, 1000], [0.2, 20.0, 2000.0]), 9)
    2.0
    """
    return float(np.polyfit(np.log(people), np.log(seconds), 1)[0])


def growth(words: list[str]) -> None:
    """Measure ever more people and print the exponents."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth", description=__doc__)
    parser.add_argument("--people", nargs="+", type=int, default=[1000, 2000, 4000, 8000, 16_000, 32_000], help="sizes")
    parser.add_argument("--method", default="sangreea", help="method (default: sangreea)")
    parser.add_argument("-k", type=int, default=10, help="class size (default: 10)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    asked = parser.parse_args(words)
    if not asked.json:
        print(f"{asked.method}, k = {asked.k}, eight ties a person; seconds of the processor\n  people    method    refine   peak MB")
    rows = []
    for people in asked.people:
        row = measured(asked.method, people, 8 * people, asked.k, refined=True)
        rows.append(row)
        print(json.dumps(row) if asked.json else
              f"{people:>8,}{row['processor'] - row['refining']:>10.2f}{row['refining']:>10.2f}{row['peak_mb']:>10,.0f}", flush=True)
    if not asked.json and len(rows) > 1:
        alone = exponent(asked.people, [row["processor"] - row["refining"] for row in rows])
        refining = exponent(asked.people, [row["refining"] for row in rows])
        print(f"\nthe method grows by the power {alone:.2f} of the number of people, refinement by {refining:.2f}")
