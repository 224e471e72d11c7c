"""Pages about releases of a given size: ``python -m benchmarks reports`` (seconds to draw, bytes, seconds until a browser is ready).

People are put together as they stand, k at a time, so that only the pages are measured. *seconds* are of the clock and of the
processor; *ready* are seconds from opening the page in a headless Chromium until its explorer answers, where there is one.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks.graphs import network
from graphanon.grouping import Grouping, Partition, hull
from graphanon.release import Workspace, publish_with_key
from graphanon.report import write_reports
from graphanon.requirement import Requirement

__all__ = ["main"]

# people, ties, k, most seconds it may take
SIZES = ((500, 1_500, 5, 5), (37_700, 289_003, 10, 30), (50_000, 300_000, 10, None))


def released(people: int, ties: int, k: int, folder: Path) -> Path:
    """Write a run folder of so many people and return it."""
    graph = network(people, ties)
    partition = Partition(np.minimum(np.arange(people) // k, people // k - 1))
    grouping = Grouping(graph, partition, hull(graph, partition))
    published = publish_with_key(grouping, requirement=Requirement(k=k), method="by-hand")
    with Workspace(folder) as work:
        work.write_release(published.release)
        work.write_key(published.membership, ids=[f"p{i}" for i in range(people)])
        work.write_run({})
        return work.appear()


def ready(page: Path) -> float | None:
    """Return the seconds until a browser can explore a page, None without a browser."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        opened = running.new_page()
        started = perf_counter()
        opened.goto(page.as_uri())
        opened.wait_for_function("document.documentElement.dataset.explorer === 'ready'", timeout=120_000)
        passed = perf_counter() - started
        running.close()
    return round(passed, 2)


def measured(sizes: tuple[tuple[int, int, int, int | None], ...]) -> Iterator[dict[str, Any]]:
    """Yield what it takes to draw and to open the pages of each size."""
    for people, ties, k, most in sizes:
        with tempfile.TemporaryDirectory() as place:
            folder = released(people, ties, k, Path(place) / "out")
            clock, processor = perf_counter(), process_time()
            pages = write_reports(folder)
            yield {
                "people": people, "ties": ties, "k": k, "supernodes": people // k,
                "seconds": round(perf_counter() - clock, 2), "processor": round(process_time() - processor, 2), "asked": most,
                "megabytes": round(pages.public.stat().st_size / 1e6, 2), "ready": ready(pages.public),
            }


def main(arguments: list[str]) -> None:
    """Print one line a size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks reports", description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, help="one size only")
    parser.add_argument("--ties", type=int, help="three for each person if not given")
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    sizes: tuple[tuple[int, int, int, int | None], ...] = SIZES
    if asked.people:
        sizes = ((asked.people, asked.ties or 3 * asked.people, asked.k, None),)
    for found in measured(sizes):
        print(json.dumps(found) if asked.json else "  ".join(f"{name} {value}" for name, value in found.items()), flush=True)
