"""What every experiment here hands over: its rows as CSV, what it found as Markdown, its figure.

An experiment measures rows, and asks of them what its paper says its figures show. Whether that holds is computed
from the rows of the run at hand, and stands beside the numbers that decide it.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Claim:
    """What a paper says, whether the rows of this run agree in every case, and what they say."""

    says: str
    holds: bool
    measured: str


def asked(what: str) -> argparse.Namespace:
    """Return the options of an experiment: whether it is to be quick, and where its files go."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--quick", action="store_true", help="a few small settings, in seconds")
    parser.add_argument("-o", "--out", type=Path, default=Path(), help="folder of the files (left out, this one)")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def timed(call: Callable[[], T], repeats: int = 1) -> tuple[T, float]:
    """Return what a call returns, and the least seconds of one processor that it took."""
    lasted = []
    for _ in range(repeats):
        started = process_time()
        found = call()
        lasted.append(process_time() - started)
    return found, min(lasted)


def steps(says: str, lines: Iterable[Sequence[float]], *, falls: bool = False) -> Claim:
    """Return the claim that these lines of numbers rise, or fall, and nowhere do the opposite."""
    pairs = [pair for line in lines for pair in pairwise(line)]
    up, down = sum(b > a for a, b in pairs), sum(b < a for a, b in pairs)
    right, wrong = (down, up) if falls else (up, down)
    stay = len(pairs) - up - down
    return Claim(says, not wrong and right > 0, f"of {len(pairs)} steps {up} rise, {down} fall and {stay} stay")


def below(says: str, pairs: Iterable[tuple[float, float]]) -> Claim:
    """Return the claim that the first of each pair of numbers is less than the second."""
    found = list(pairs)
    right = sum(a < b for a, b in found)
    times = sorted(a / b for a, b in found if b)
    span = f", {times[0]:.2f} to {times[-1]:.2f} times the other" if times else ""
    return Claim(says, right == len(found), f"in {right} of {len(found)} cases{span}")


def handed_over(
    name: str, out: Path, *, text: str, claims: Sequence[Claim], rows: Sequence[Any], shown: dict[str, list[dict[str, Any]]],
    others: Sequence[Claim] = (),
) -> None:
    """Write NAME.csv with all rows and NAME.md with the tables `shown`, print the latter; the figure is NAME.png.

    `claims` are the paper's, `others` what it did not ask.
    """
    table = [asdict(row) for row in rows]
    with (out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: f"{cell:.6g}" if isinstance(cell, float) else cell for key, cell in row.items()} for row in table)
    parts = [text.strip(), "## What reproduces", *markdown(_verdicts("the paper says", claims))]
    if others:
        parts += ["## What the paper did not ask", *markdown(_verdicts("asked here", others))]
    parts += [f"![the figures of {name}]({name}.png)",
             "## The numbers", f"[{name}.csv]({name}.csv) has them all."]
    for title, lines in shown.items():
        parts += [f"### {title}", *markdown(lines)]
    told = "".join(_spaced(parts))
    (out / f"{name}.md").write_text(told, encoding="utf-8")
    print(told)


def _verdicts(who: str, claims: Sequence[Claim]) -> list[dict[str, Any]]:
    return [{who: claim.says, "holds in every case": "yes" if claim.holds else "**no**", "measured": claim.measured}
            for claim in claims]


def beside(rows: Iterable[Any], by: Sequence[str], across: str, value: str) -> list[dict[str, Any]]:
    """Return one line for each setting `by`, with the value of each `across` beside the others."""
    lines: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(getattr(row, name) for name in by)
        lines.setdefault(key, dict(zip(by, key, strict=True)))[str(getattr(row, across))] = getattr(row, value)
    return list(lines.values())


def markdown(table: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table, numbers to the right."""
    head = list(table[0])
    numeric = [all(isinstance(row[name], int | float) and not isinstance(row[name], bool) for row in table) for name in head]
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('---:' if right else '---' for right in numeric)}|"
    for row in table:
        yield f"| {' | '.join(_text(row[name]) for name in head)} |"


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) and abs(value) < 1000 else \
        f"{value:,.0f}" if isinstance(value, float) else str(value)


def _spaced(parts: Sequence[str]) -> Iterator[str]:
    """Yield parts with an empty line between them, but between the lines of a table."""
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        yield part + ("\n" if not following or (part.startswith("|") and following.startswith("|")) else "\n\n")


def panels(count: int, across: int) -> tuple[Any, list[Any]]:
    """Return a figure and so many axes, some beside each other."""
    from matplotlib.figure import Figure

    down = -(-count // across)
    figure = Figure(figsize=(4.2 * across, 3.4 * down), layout="constrained")
    return figure, [figure.add_subplot(down, across, place + 1) for place in range(count)]


def saved(figure: Any, axes: Any, path: Path) -> None:
    """Write a figure with the legend of one of its axes beneath it."""
    handles = axes.get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", fontsize=8, ncols=min(len(handles[1]), 4))
    figure.savefig(path, dpi=90)
