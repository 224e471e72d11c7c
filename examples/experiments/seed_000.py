"""The experiment of COAA's paper, once more: COAA, GAA-CP and KACA on 2,000 people of Adult.

Zhang, Ye, Ye, Deng and Chen, *k-anonymous data privacy protection mechanism based on optimal clustering*, 2022, compare
the three by information loss (equation 4, summed over cells) and time: loss over the number of attributes for each
k (figure 4), over k for each number of attributes (figure 5) and over the number of people (figure 6), time over k (figure 7)
and over people (figure 8), each the mean of five repeats. Which 2,000 people, which hierarchies and what exactly
the two other methods do is not said. Here a repeat is another sample of the complete people of Adult, with the
hierarchies of ``graphanon.datasets``; the attributes come in the order in which the paper lists them, the ninth being
the occupation that it also calls sensitive.

Run ``python examples/experiments/seed_000.py`` (a minute or two; ``--quick`` takes seconds). It writes ``seed_000.csv``,
``seed_000.md`` and ``seed_000.png``, which stand in ``docs/experiments`` as they came of one run.
"""

# %%
# COAA runs as printed and in its sound form. Recursive recoding with refinement is what graphanon does with
# a table where no method is named; it stands beside the three on the first sample alone.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from account import Claim, asked, below, beside, handed_over, panels, saved, steps, timed

from graphanon.datasets import load_adult
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, Partition, hull
from graphanon.method import ClusterFirst
from graphanon.refine import refine
from graphanon.requirement import Requirement
from graphanon.tabular.coaa import Coaa
from graphanon.tabular.gaa_cp import GaaCp
from graphanon.tabular.kaca import Kaca
from graphanon.tabular.metrics import gcp
from graphanon.tabular.recursive import Recursive

ATTRIBUTES = ("age", "sex", "education", "marital-status", "race", "workclass", "native-country", "income", "occupation")
METHODS: dict[str, ClusterFirst] = {
    "COAA as printed": Coaa(literal=True),
    "COAA": Coaa(),
    "GAA-CP": GaaCp(),
    "KACA": Kaca(),
    "recursive, refined": Recursive(),
}
PAPERS = ("COAA as printed", "COAA", "GAA-CP", "KACA")
TEXT = """# COAA, GAA-CP and KACA on 2,000 people of Adult

Zhang, Ye, Ye, Deng and Chen, *k-anonymous data privacy protection mechanism based on optimal clustering*, 2022, figures 4 to 8.
Loss is the sum over cells of the share of leaves or range that a cell covers; seconds are of one processor, with kernels
compiled; both are means over repeats, each another random sample of Adult's complete people. What every method
finds is recounted by the same code. `recursive, refined` is graphanon's default for tables, on the first sample.
"""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method in one setting on one sample, or the means over samples, where that is None."""

    people: int
    attributes: int
    k: int
    method: str
    sample: int | None
    loss: float
    classes: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What is tried: every k with every width, and one width with every number of people at some k."""

    sizes: Sequence[int] = (2, 4, 6, 8, 10, 12)
    widths: Sequence[int] = (3, 5, 7, 9)
    people: Sequence[int] = (500, 1000, 1500, 2000)
    width: int = 7
    timed_at: Sequence[int] = (6, 7)
    repeats: int = 5

    def cells(self) -> Iterator[tuple[int, int, int]]:
        """Yield people, attributes and k."""
        most = self.people[-1]
        found = [(most, width, k) for width in self.widths for k in self.sizes]
        found += [(n, self.width, k) for k in self.timed_at for n in self.people]
        yield from dict.fromkeys(found)


# %%
# A sample of fewer people is the beginning of one of more, so that figures over people compare like with like.


def sample(whole: AttributedGraph, n: int, repeat: int) -> AttributedGraph:
    return whole.take(np.sort(np.random.default_rng(repeat).permutation(whole.n)[:n]))


def partition_of(name: str, graph: AttributedGraph, requirement: Requirement) -> Partition:
    found = METHODS[name].partition(graph, requirement, np.random.default_rng(1))
    return found if name in PAPERS else refine(graph, found, requirement, np.random.default_rng(1))


def measured(name: str, graph: AttributedGraph, k: int, repeat: int) -> Row:
    partition, seconds = timed(lambda: partition_of(name, graph, Requirement(k=k)))
    assert partition.sizes.min() >= k
    loss = gcp(Grouping(graph, partition, hull(graph, partition))) * graph.n * graph.q
    return Row(people=graph.n, attributes=graph.q, k=k, method=name, sample=repeat, loss=loss, classes=partition.n_classes,
               seconds=seconds)


def means(table: list[Row]) -> list[Row]:
    groups: dict[tuple[int, int, int, str], list[Row]] = {}
    for row in table:
        groups.setdefault((row.people, row.attributes, row.k, row.method), []).append(row)
    return [replace(first, sample=None, loss=float(np.mean([row.loss for row in group])),
                    classes=float(np.mean([row.classes for row in group])),
                    seconds=float(np.mean([row.seconds for row in group]))) for group in groups.values() for first in group[:1]]


def rows(settings: Settings) -> list[Row]:
    wholes = {width: load_adult(quasi=ATTRIBUTES[:width], sensitive=()).graph for width in {*settings.widths, settings.width}}
    for name in METHODS:  # compiles what is not cached, so that it is not timed
        partition_of(name, sample(wholes[settings.width], 60, 0), Requirement(k=5))
    table = []
    for n, width, k in settings.cells():
        for repeat in range(settings.repeats):
            graph = sample(wholes[width], n, repeat)
            table += [measured(name, graph, k, repeat) for name in METHODS if name in PAPERS or not repeat]
    return table


# %%
# What the paper says its figures show, each asked of the rows.


def claims(averages: list[Row], settings: Settings) -> Iterator[Claim]:
    at = {(row.people, row.attributes, row.k, row.method): row for row in averages}
    most = settings.people[-1]

    def lines(of: str, over: str) -> list[list[float]]:
        """Return the loss or seconds of each method along k, attributes or people."""
        if over == "k":
            places = [[(most, width, k) for k in settings.sizes] for width in settings.widths]
        elif over == "attributes":
            places = [[(most, width, k) for width in settings.widths] for k in settings.sizes]
        else:
            places = [[(n, settings.width, k) for n in settings.people] for k in settings.timed_at]
        return [[getattr(at[*place, name], of) for place in line] for name in PAPERS for line in places]

    def against(of: str, one: str, other: str) -> list[tuple[float, float]]:
        return [(getattr(at[*cell, one], of), getattr(at[*cell, other], of)) for cell in settings.cells()]

    yield steps("loss rises with k", lines("loss", "k"))
    yield steps("loss rises with the number of attributes", lines("loss", "attributes"))
    yield steps("loss rises with the number of people", lines("loss", "people"))
    for coaa in PAPERS[:2]:
        yield below(f"{coaa} loses less than GAA-CP", against("loss", coaa, "GAA-CP"))
        yield below(f"{coaa} loses less than KACA", against("loss", coaa, "KACA"))
    yield below("GAA-CP loses less than KACA", against("loss", "GAA-CP", "KACA"))
    yield steps("time rises with k", lines("seconds", "k"))
    yield steps("time rises with the number of people", lines("seconds", "people"))
    for coaa in PAPERS[:2]:
        for other in PAPERS[2:]:
            yield below(f"{coaa} takes less time than {other}", against("seconds", coaa, other))


def others(table: list[Row], settings: Settings) -> Iterator[Claim]:
    at = {(row.people, row.attributes, row.k, row.method): row.loss for row in table if not row.sample}
    best = "recursive, refined"
    for name in PAPERS:
        yield below(f"{best} loses less than {name} (first sample)", [(at[*cell, best], at[*cell, name]) for cell in settings.cells()])


# %%
# The figure: loss over k for each number of attributes, then loss and time over people, and time over k.


def draw(averages: list[Row], settings: Settings, path: Path) -> None:
    most, k = settings.people[-1], settings.timed_at[0]
    figure, places = panels(len(settings.widths) + 3, 4)
    views = [("k", "loss", f"{width} attributes", {"people": most, "attributes": width}) for width in settings.widths]
    views += [
        ("people", "loss", f"{settings.width} attributes, k = {k}", {"attributes": settings.width, "k": k}),
        ("k", "seconds", f"{settings.width} attributes", {"people": most, "attributes": settings.width}),
        ("people", "seconds", f"{settings.width} attributes, k = {k}", {"attributes": settings.width, "k": k}),
    ]
    for axes, (across, up, title, fixed) in zip(places, views, strict=True):
        for number, name in enumerate(METHODS):
            line = sorted((row for row in averages if row.method == name and (across != "k" or row.k in settings.sizes)
                           and all(getattr(row, key) == value for key, value in fixed.items())),
                          key=lambda row: getattr(row, across))
            axes.plot([getattr(row, across) for row in line], [getattr(row, up) for row in line], "o-", color=f"C{number}",
                      markersize=3, label=name)
        axes.set(title=title, xlabel=across, ylabel=up, yscale="log")
    saved(figure, places[0], path)


def main() -> None:
    options = asked("Rebuild the experiment of COAA's paper.")
    quick = Settings(sizes=(2, 6), widths=(2, 3), people=(40, 80), width=3, timed_at=(6,), repeats=1)
    settings = quick if options.quick else Settings()
    table = rows(settings)
    averages, by = means(table), ("people", "attributes", "k")
    draw(averages, settings, options.out / "seed_000.png")
    shown = {"Loss": beside(averages, by, "method", "loss"), "Seconds": beside(averages, by, "method", "seconds")}
    handed_over("seed_000", options.out, text=TEXT, claims=list(claims(averages, settings)), rows=table, shown=shown,
                others=list(others(table, settings)))


if __name__ == "__main__":
    main()
