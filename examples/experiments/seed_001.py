"""The experiment of SemiAnony's paper, once more: clustering against global recoding under (alpha, k).

Yang, Yang and Zhang, *Semi-supervised clustering (alpha, k)-anonymity*, compare their SemiAnony with the general
(alpha, k)-anonymity of Wong, Li, Fu and Wang (here GeneAnony, as they call it) on the 30,162 complete people of Adult's training part:
loss and time over the number of quasi-identifiers at k = 25 (figures 3 and 5), and over k at seven of them (figures 4 and 6).
GeneAnony holds every sensitive value to alpha = 0.3, SemiAnony highly sensitive values to 0.3 and the others to 0.4. The paper
does not name its quasi-identifiers nor its sensitive attribute; here it is the occupation, of whose values the more common
half are highly sensitive (a share below what everyone has cannot be promised, and of a rare value any share is kept).

Run ``python examples/experiments/seed_001.py`` (a few minutes; ``--quick`` takes seconds). It writes ``seed_001.csv``,
``seed_001.md`` and ``seed_001.png``, which stand in ``docs/experiments`` as they came of one run.
"""

# %%
# Both methods promise by the same code, and both are asked for what the paper asks of them.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from account import Claim, asked, below, beside, handed_over, panels, saved, steps, timed

from graphanon.datasets import load_adult
from graphanon.graph import AttributedGraph
from graphanon.method import Method
from graphanon.requirement import Requirement
from graphanon.tabular.general_alpha_k import GeneralAlphaK
from graphanon.tabular.metrics import gcp
from graphanon.tabular.semi_alpha_k import SemiAlphaK

ATTRIBUTES = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country", "hours-per-week")
METHODS: dict[str, Method] = {"SemiAnony": SemiAlphaK(), "GeneAnony": GeneralAlphaK()}
HIGH, LOW = 0.3, 0.4
TEXT = """# SemiAnony and GeneAnony under (alpha, k) on 30,162 people of Adult

Yang, Yang and Zhang, *Semi-supervised clustering (alpha, k)-anonymity*, figures 3 to 6. The sensitive attribute is the occupation:
GeneAnony holds every value to alpha = 0.3, SemiAnony the more common half of them to 0.3 and the others to 0.4. Loss is the sum
over cells of the share of leaves or range that a cell covers; seconds are of one processor, with kernels compiled. The largest share
is that of any occupation in any class, which is recounted here.
"""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method in one setting; `loss` is a sum over cells, `share` the largest of any occupation in any class."""

    attributes: int
    k: int
    method: str
    loss: float
    ncp: float
    classes: int
    share: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What is tried: every width at one k, every k at one width."""

    people: int = 30_162
    widths: Sequence[int] = (2, 3, 4, 5, 6, 7, 8)
    sizes: Sequence[int] = (5, 10, 15, 20, 25, 30, 35)
    width: int = 7
    k: int = 25

    def cells(self) -> list[tuple[int, int]]:
        """Return attributes and k."""
        return list(dict.fromkeys([*((width, self.k) for width in self.widths), *((self.width, k) for k in self.sizes)]))


def promising(graph: AttributedGraph, high: float, low: float) -> AttributedGraph:
    """Return the people with a share promised of every occupation: `high` of the more common half, `low` of the others."""
    own = graph.payload["occupation"]
    common = np.argsort(-np.bincount(own.codes, minlength=len(own.labels)), kind="stable")[: len(own.labels) // 2]
    alpha = {label: high if code in common else low for code, label in enumerate(own.labels) if label}
    columns = tuple(replace(column, alpha=alpha) if column.name == "occupation" else column for column in graph.schema.columns)
    return replace(graph, schema=replace(graph.schema, columns=columns))


def measured(name: str, graph: AttributedGraph, k: int) -> Row:
    people = promising(graph, HIGH, LOW if name == "SemiAnony" else HIGH)
    found, seconds = timed(lambda: METHODS[name].group(people, Requirement(k=k), np.random.default_rng(1)))
    labels, codes = found.partition.labels, graph.payload["occupation"].codes
    counts = np.zeros((found.partition.n_classes, codes.max() + 1))
    np.add.at(counts, (labels, codes), 1)
    share = float((counts.max(axis=1) / found.partition.sizes).max())
    assert found.partition.sizes.min() >= k
    assert share <= LOW + 1e-9
    lost = gcp(found)
    return Row(attributes=graph.q, k=k, method=name, loss=lost * graph.n * graph.q, ncp=lost, classes=found.partition.n_classes,
               share=share, seconds=seconds)


def rows(settings: Settings) -> list[Row]:
    wholes = {width: load_adult(quasi=ATTRIBUTES[:width], sensitive=("occupation",)).graph
              for width in {width for width, _ in settings.cells()}}
    some = {width: whole.take(np.arange(settings.people)) if settings.people < whole.n else whole
            for width, whole in wholes.items()}
    for name in METHODS:  # compiles what is not cached, so that it is not timed
        measured(name, wholes[settings.widths[0]].take(np.arange(200)), 10)
    return [measured(name, some[width], k) for width, k in settings.cells() for name in METHODS]


# %%
# What the paper says its figures show, each asked of the rows.


def claims(table: list[Row], settings: Settings) -> Iterator[Claim]:
    at = {(row.attributes, row.k, row.method): row for row in table}
    semi, gene = METHODS

    def over_width(name: str, of: str) -> list[float]:
        return [getattr(at[width, settings.k, name], of) for width in settings.widths]

    def over_k(name: str, of: str) -> list[float]:
        return [getattr(at[settings.width, k, name], of) for k in settings.sizes]

    yield steps("loss rises with the number of attributes", [over_width(name, "loss") for name in METHODS])
    yield below("SemiAnony loses less than GeneAnony", [(at[*cell, semi].loss, at[*cell, gene].loss) for cell in settings.cells()])
    yield grows("loss grows faster in GeneAnony with the number of attributes", over_width(gene, "loss"), over_width(semi, "loss"))
    for name in METHODS:
        yield falls_then_rises(f"loss of {name} first falls and then rises with k", settings.sizes, over_k(name, "loss"))
    yield steps("time rises with the number of attributes", [over_width(name, "seconds") for name in METHODS])
    yield crosses("GeneAnony is faster with few attributes and slower with many", settings.widths,
                  over_width(gene, "seconds"), over_width(semi, "seconds"))
    yield steps("time of GeneAnony rises with k", [over_k(gene, "seconds")])
    yield steps("time of SemiAnony falls with k", [over_k(semi, "seconds")], falls=True)


def grows(says: str, one: list[float], other: list[float]) -> Claim:
    """Return the claim that one line of numbers rises by more than another from its first to its last."""
    added = [line[-1] - line[0] for line in (one, other)]
    return Claim(says, added[0] > added[1], f"by {added[0]:,.0f} against {added[1]:,.0f}")


def falls_then_rises(says: str, places: Sequence[int], line: list[float]) -> Claim:
    """Return the claim that a line has its least number inside, with a fall before and a rise after it."""
    least = int(np.argmin(line))
    right = 0 < least < len(line) - 1 and (np.diff(line[: least + 1]) < 0).all() and (np.diff(line[least:]) > 0).all()
    return Claim(says, bool(right), f"least at {places[least]}, from {line[0]:,.0f} to {line[-1]:,.0f}")


def crosses(says: str, places: Sequence[int], one: list[float], other: list[float]) -> Claim:
    """Return the claim that one line begins below another and ends above it."""
    slower = [place for place, a, b in zip(places, one, other, strict=True) if a > b]
    return Claim(says, one[0] < other[0] and one[-1] > other[-1], f"slower at {', '.join(map(str, slower)) or 'none'}")


# %%
# The figure: loss and time over the number of attributes and over k.


def draw(table: list[Row], settings: Settings, path: Path) -> None:
    figure, places = panels(4, 2)
    views = [("attributes", "loss"), ("k", "loss"), ("attributes", "seconds"), ("k", "seconds")]
    for axes, (across, up) in zip(places, views, strict=True):
        for number, name in enumerate(METHODS):
            line = [row for row in table if row.method == name and
                    (row.k == settings.k if across == "attributes" else row.attributes == settings.width)]
            line.sort(key=lambda row: getattr(row, across))
            axes.plot([getattr(row, across) for row in line], [getattr(row, up) for row in line], "o-", color=f"C{number}",
                      markersize=3, label=name)
        axes.set(xlabel=across, ylabel=up, ylim=(0, None),
                 title=f"k = {settings.k}" if across == "attributes" else f"{settings.width} attributes")
    saved(figure, places[0], path)


def main() -> None:
    options = asked("Rebuild the experiment of SemiAnony's paper.")
    settings = Settings(people=300, widths=(2, 3), sizes=(5, 10), width=3, k=10) if options.quick else Settings()
    table = rows(settings)
    draw(table, settings, options.out / "seed_001.png")
    by = ("attributes", "k")
    shown = {title: beside(table, by, "method", of) for title, of in
             (("Loss", "loss"), ("Loss of a cell, 0 to 1", "ncp"), ("Largest share", "share"), ("Seconds", "seconds"))}
    handed_over("seed_001", options.out, text=TEXT, claims=list(claims(table, settings)), rows=table, shown=shown)


if __name__ == "__main__":
    main()
