"""Pictures of releases of a given size: ``python -m benchmarks pictures`` (seconds of the processor, bytes as PNG and SVG).

People are put together as they stand, k at a time, so that only the drawing is measured; reading the release is part of it.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import process_time

from benchmarks.reports import released
from graphanon.plot import kinds_for, render

__all__ = ["main"]

# people, ties, k, most seconds that the supernode graph may take
SIZES = ((500, 1_500, 5, 2), (37_700, 289_003, 10, 8), (50_000, 300_000, 10, 10))


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks pictures", description=__doc__)
    parser.add_argument("--people", type=int, help="only sizes of at most so many people")
    asked = parser.parse_args(words)
    print("kind              people  supernodes   seconds   asked   PNG bytes   SVG bytes")
    for people, ties, k, most in SIZES:
        if people <= (asked.people or people):
            measure(people, ties, k, most)


def measure(people: int, ties: int, k: int, most: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        release = released(people, ties, k, Path(folder) / "OUT") / "release"
        render(release, "sizes")  # what is imported is not what is measured
        for kind in kinds_for(release):
            begin = process_time()
            png = render(release, kind, file_format="png").content
            seconds = process_time() - begin
            svg = render(release, kind).content
            least = f"< {most}" if kind == "supernodes" else ""
            print(f"{kind:<14}{people:>10,}{people // k:>12,}{seconds:>10.2f}{least:>8}{len(png):>12,}{len(svg):>12,}", flush=True)
