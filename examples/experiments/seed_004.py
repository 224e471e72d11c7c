"""The experiment of PAS-CAA's paper, once more, with the methods that came before and after.

Liu, Dong, Li, Zhang, Liu and Li, *Personalized arithmetic sequence clustering anonymous allocation algorithm for
social network data*, 2022, compare four methods on 500 (M1) and 700 (M2) people of the Adult table by
their total loss (equation 10, the mean of attribute and structural loss) and their time. Adult has no ties, and the
paper does not say where its ties are from, nor which attributes and which values of its parameters it used. Here
M1 and M2 are the graphs of ``graphanon.datasets``: 7 attributes, and three ties a person between people who are alike.

Run ``python examples/experiments/seed_004.py`` (a few minutes; ``--quick`` takes seconds). It writes ``seed_004.csv``,
``seed_004.md`` and ``seed_004.png``, which stand in ``docs/experiments`` as they came of one run.
"""

# %%
# The methods. PAS-CAA runs as printed and in its sound form. As printed its targets can be missed and only k is
# promised; the sound form promises its dense supernodes 1.5 k to 2 k, so it stands beside SaNGreeA run at 2 k for all,
# which is what everyone would need to have what PAS-CAA gives its most sensitive.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from account import Claim, asked, below, beside, handed_over, panels, saved, steps, timed

from graphanon.closeness import describe
from graphanon.datasets import load
from graphanon.density import nearest_others
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, Partition, hull
from graphanon.loss import public_losses
from graphanon.method import ClusterFirst
from graphanon.refine import refine
from graphanon.requirement import Requirement
from graphanon.social.adaptive_dense import AdaptiveDenseCfs
from graphanon.social.caa_vs import CaaVs
from graphanon.social.greedy import Greedy
from graphanon.social.pas_caa import PasCaa
from graphanon.social.sangreea import SaNGreeA
from graphanon.social.sequential import Sequential

METHODS: dict[str, tuple[ClusterFirst, int]] = {
    # name, method, and by how much k is multiplied
    "pas-caa as printed": (PasCaa(literal=True), 1),
    "sangreea": (SaNGreeA(), 1),
    "caa-vs": (CaaVs(), 1),
    "adaptive-dense-cfs": (AdaptiveDenseCfs(), 1),
    "sequential": (Sequential(), 1),
    "greedy": (Greedy(), 1),
    "pas-caa sound": (PasCaa(), 1),
    "sangreea at 2k": (SaNGreeA(), 2),
}
PAPERS = tuple(METHODS)[:4]
SOUND, FAIR = "pas-caa sound", "sangreea at 2k"
TEXT = """# PAS-CAA, SaNGreeA, CAA-VS and Adaptive-Dense-Cfs on 500 and 700 people of Adult

Liu, Dong, Li, Zhang, Liu and Li, *Personalized arithmetic sequence clustering anonymous allocation algorithm for social network
data*, 2022. Total is equation 10, the mean of the loss of attributes (ngil) and of structure (nsil); seconds are of one processor, with
kernels compiled, the least of five. The bound is what no class of k can go below in attributes: everyone's distance to the
(k - 1)-th nearest other. PAS-CAA as printed may miss its targets and promises k; its sound form promises its dense supernodes 1.5 k to
2 k, so it stands beside SaNGreeA run at 2 k, which gives everyone what PAS-CAA gives its most sensitive.
"""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method on one graph: its losses, and the seconds of one processor that it took."""

    data: str
    k: int
    method: str
    refined: bool
    total: float
    attributes: float
    structure: float
    ties: float
    bound: float
    supernodes: int
    seconds: float


# %%
# Any class with a person and k - 1 others costs that person at least the distance to the (k - 1)-th nearest other. The
# mean over people is a bound that no method can go below.


def bound(graph: AttributedGraph, k: int) -> float:
    near = nearest_others(describe(graph, snapped=True), 0.0, k - 1)
    return float((1 - near.similarity[:, -1]).mean())


def losses_of(graph: AttributedGraph, partition: Partition) -> dict[str, float]:
    return public_losses(Grouping(graph, partition, hull(graph, partition)))


def rows(data: str, graph: AttributedGraph, k: int, passes: float | None) -> Iterator[Row]:
    least = bound(graph, k)
    for name, (method, times) in METHODS.items():
        requirement = Requirement(k=times * k)
        # the shortest of five, since hundredths of a second are easily disturbed
        partition, spent = timed(lambda m=method, r=requirement: m.partition(graph, r, np.random.default_rng(1)), 5)
        for refined in (False, True):
            if refined:
                start = partition
                partition, more = timed(lambda p=start, r=requirement: refine(graph, p, r, np.random.default_rng(1), passes=passes))
                spent += more
            assert partition.sizes.min() >= times * k
            found = losses_of(graph, partition)
            yield Row(data=data, k=k, method=name, refined=refined, total=found["total"], attributes=found["ngil"],
                      structure=found["nsil"], ties=found["tie_loss"], bound=least, supernodes=partition.n_classes, seconds=spent)


def measured(data: list[str], sizes: list[int], passes: float | None) -> list[Row]:
    table: list[Row] = []
    for name in data:
        graph = load(name).graph
        for method, _ in METHODS.values():  # compiles what is not cached, so that it is not timed
            refine(graph, method.partition(graph, Requirement(k=50), np.random.default_rng(0)), Requirement(k=50),
                   np.random.default_rng(0), passes=1)
        for k in sizes:
            table += rows(name, graph, k, passes)
    return table


# %%
# What the paper says its figures show, each asked of the table.


class Results:
    """The rows by what they are of."""

    def __init__(self, table: list[Row]) -> None:
        self.data, self.sizes = (sorted({getattr(row, name) for row in table}) for name in ("data", "k"))
        self.at = {(row.data, row.k, row.method, row.refined): row for row in table}

    def line(self, data: str, method: str, of: str = "total") -> list[float]:
        return [getattr(self.at[data, k, method, False], of) for k in self.sizes]

    def pairs(self, one: str, other: str, of: str = "total", *, refined: tuple[bool, bool] = (False, False)) -> list[tuple[float, float]]:
        return [(getattr(self.at[data, k, one, refined[0]], of), getattr(self.at[data, k, other, refined[1]], of))
                for data in self.data for k in self.sizes]


def claims(found: Results) -> Iterator[Claim]:
    printed = PAPERS[0]
    yield steps("the total loss rises with k", [found.line(data, method) for data in found.data for method in PAPERS])
    if len(found.data) > 1:
        yield below("M2 loses more than M1", [(a, b) for method in PAPERS for a, b in
                                              zip(*(found.line(data, method) for data in found.data), strict=True)])
    for other in PAPERS[1:]:
        yield below(f"PAS-CAA as printed loses less than {other}", found.pairs(printed, other))
    for other in PAPERS[1:]:
        yield below(f"PAS-CAA as printed takes less time than {other}", found.pairs(printed, other, "seconds"))
    lasted = [float(np.mean([found.at[data, k, printed, False].seconds for data in found.data])) for k in found.sizes]
    yield Claim("the time of PAS-CAA depends little on k", max(lasted) < 2 * min(lasted), f"{min(lasted):.3f} to {max(lasted):.3f} seconds")


def others(found: Results) -> Iterator[Claim]:
    yield below("PAS-CAA, sound, loses less than SaNGreeA at 2k", found.pairs(SOUND, FAIR))
    yield below("PAS-CAA, sound and refined, loses less than SaNGreeA at 2k", found.pairs(SOUND, FAIR, refined=(True, False)))
    yield below("PAS-CAA, sound, loses less than SaNGreeA at 2k, both refined", found.pairs(SOUND, FAIR, refined=(True, True)))
    for method in ("sequential", "greedy"):
        yield below(f"{method} loses less than SaNGreeA", found.pairs(method, "sangreea"))
    for method in list(METHODS)[:6]:
        yield below(f"{method}, refined, loses less than SaNGreeA unrefined", found.pairs(method, "sangreea", refined=(True, False)))
    yield below("SaNGreeA, refined, loses less of attributes than twice the bound", [
        (row.attributes, 2 * row.bound) for row in found.at.values() if row.method == "sangreea" and row.refined])


# %%
# The figure: total loss over k, each method's own result thin, the refined one thick.


def draw(table: list[Row], path: Path) -> None:
    data = sorted({row.data for row in table})
    figure, places = panels(len(data), len(data))
    for axes, name in zip(places, data, strict=True):
        for number, method in enumerate(METHODS):
            for refined in (False, True):
                line = [row for row in table if (row.data, row.method, row.refined) == (name, method, refined)]
                axes.plot([row.k for row in line], [row.total for row in line], "o-" if refined else "o--",
                          color=f"C{number}", linewidth=2.0 if refined else 0.8, markersize=3,
                          label=method + (", refined" if refined else ""))
        axes.set(title=name.upper(), xlabel="k", ylabel="total loss (equation 10)", ylim=(0, None))
    saved(figure, places[0], path)


def main() -> None:
    options = asked("Rebuild the experiment of PAS-CAA's paper.")
    table = measured(["m1"], [5, 20], 1) if options.quick else measured(["m1", "m2"], [5, 10, 15, 20], None)
    draw(table, options.out / "seed_004.png")
    by, plain, better = ("data", "k"), [row for row in table if not row.refined], [row for row in table if row.refined]
    shown = {
        "Total loss": beside(plain, by, "method", "total"), "Total loss, refined": beside(better, by, "method", "total"),
        "Loss of attributes": beside(plain, (*by, "bound"), "method", "attributes"),
        "Loss of structure": beside(plain, by, "method", "structure"),
        "Loss of structure, refined": beside(better, by, "method", "structure"),
        "Supernodes": beside(plain, by, "method", "supernodes"), "Seconds": beside(plain, by, "method", "seconds"),
        "Seconds, refined": beside(better, by, "method", "seconds"),
    }
    found = Results(table)
    handed_over("seed_004", options.out, text=TEXT, claims=list(claims(found)), rows=table, shown=shown, others=list(others(found)))


if __name__ == "__main__":
    main()
