"""The experiment of PAS-CAA's paper, once more, with the methods that came before and after.

Liu, Dong, Li, Zhang, Liu and Li, *Personalized arithmetic sequence clustering anonymous allocation algorithm for
social network data*, 2022, compare four methods on 500 (M1) and 700 (M2) people of the Adult table by
their total loss (equation 10, the mean of attribute and structural loss) and their time. Adult has no ties, and the
paper does not say where its ties are from, nor which attributes and which values of its parameters it used. Here
M1 and M2 are the graphs of ``graphanon.datasets``: 7 attributes, and three ties a person between people who are alike.

Run ``python examples/experiments/seed_004.py`` (two minutes; ``--quick`` takes seconds). It prints the table, checks the
paper's claims against it, and draws ``seed_004.png``.

What reproduces, k = 5, 10, 15 and 20 on both graphs:

- The loss rises with k, but for one step of SaNGreeA's by half a percent; the structural loss hardly moves at all, as the
  graphs are sparse, so equation 10 sees attributes.
- The time of PAS-CAA depends little on k. It is a few hundredths of a second, and no other one of the four takes more.

What does not:

- *PAS-CAA has the lowest loss.* As printed it loses 1.9 to 2.4 times as much as SaNGreeA, since the starts that
  end below k, 45 to 60 percent of them, are dissolved and the rest grow large. CAA-VS, as we read it, loses 1.1 to 1.4 times as much as
  SaNGreeA. Against its own predecessor PAS-CAA wins seven times of eight, by a few percent.
- *PAS-CAA is the fastest.* SaNGreeA and CAA-VS take less.
- *M2 loses more than M1.* It loses less: where more people stand, the nearest ones are nearer.

What the paper did not ask. Dense supernodes of 1.5 k to 2 k cannot cost less than none; the fair comparison is SaNGreeA at 2 k, which
gives everyone what PAS-CAA gives its most sensitive. In its sound form PAS-CAA loses 0.82 to 1.14 times as much as that, refined
0.55 to 0.69 times as much (mean 0.62), and 0.77 to 0.86 times as much when both are refined. Sequential clustering is as good as
SaNGreeA (0.95 to 1.06) and greedy growth a little better (0.86 to 0.98). Refinement levels them: whichever of the six methods it begins with,
it ends within 4 percent of the others, at 0.82 of SaNGreeA's own loss in the mean. What is left is about twice the bound.
"""

# %%
# The methods. PAS-CAA runs as printed and in its sound form. As printed its targets can be missed and only k is
# promised; the sound form promises its dense supernodes 1.5 k to 2 k, so it stands beside SaNGreeA run at 2 k for all,
# which is what everyone would need to have what PAS-CAA gives its most sensitive.

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

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


def timed(method: ClusterFirst, graph: AttributedGraph, requirement: Requirement) -> tuple[Partition, float]:
    lasted = []
    for _ in range(5):  # the shortest of five, since hundredths of a second are easily disturbed
        started = process_time()
        partition = method.partition(graph, requirement, np.random.default_rng(1))
        lasted.append(process_time() - started)
    return partition, min(lasted)


def rows(data: str, graph: AttributedGraph, k: int, passes: float | None) -> Iterator[Row]:
    for name, (method, times) in METHODS.items():
        requirement = Requirement(k=times * k)
        partition, spent = timed(method, graph, requirement)
        for refined in (False, True):
            if refined:
                started = process_time()
                partition = refine(graph, partition, requirement, np.random.default_rng(1), passes=passes)
                spent += process_time() - started
            found = losses_of(graph, partition)
            yield Row(data=data, k=k, method=name, refined=refined, total=found["total"], attributes=found["ngil"],
                      structure=found["nsil"], ties=found["tie_loss"], supernodes=partition.n_classes, seconds=spent)


def measured(data: list[str], sizes: list[int], passes: float | None) -> list[Row]:
    table: list[Row] = []
    for name in data:
        graph = load(name).graph
        for method, _ in METHODS.values():  # compiles what is not cached, so that it is not timed
            refine(graph, method.partition(graph, Requirement(k=50), np.random.default_rng(0)), Requirement(k=50),
                   np.random.default_rng(0), passes=1)
        for k in sizes:
            print(f"\n{name}, k = {k}; no class can lose less than {bound(graph, k):.4f} of the attributes\n{HEAD}")
            for row in rows(name, graph, k, passes):
                print(line(row), flush=True)
                table.append(row)
    return table


HEAD = f"{'method':<20}{'':<9}{'total':>8}{'attributes':>12}{'structure':>11}{'tie loss':>10}{'supernodes':>12}{'seconds':>9}"


def line(row: Row) -> str:
    return (
        f"{row.method:<20}{'refined' if row.refined else '':<9}{row.total:>8.4f}{row.attributes:>12.4f}"
        f"{row.structure:>11.4f}{row.ties:>10.4f}{row.supernodes:>12}{row.seconds:>9.2f}"
    )


# %%
# What the paper says its figures show, each asked of the table.


def claims(table: list[Row]) -> Iterator[tuple[str, bool]]:
    data, sizes = (sorted({getattr(row, name) for row in table}) for name in ("data", "k"))
    at = {(row.data, row.k, row.method, row.refined): row for row in table}
    papers = list(METHODS)[:4]

    def totals(method: str, name: str) -> list[float]:
        return [at[name, k, method, False].total for k in sizes]

    def best(method: str, others: list[str], *, refined: bool = False) -> bool:
        mine = {(name, k): at[name, k, method, refined].total for name in data for k in sizes}
        return all(at[*place, other, refined].total > mine[place] for other in others for place in mine)

    yield "the total loss rises with each step of k", all((np.diff(totals(m, d)) > 0).all() for m in papers for d in data)
    if len(data) > 1:
        small, large = (np.mean([totals(m, name) for m in papers]) for name in data)
        yield "M2 loses more than M1", bool(large > small)
    yield "PAS-CAA as printed loses least of the four", best(papers[0], papers[1:])
    yield "PAS-CAA as printed loses less than its predecessor", best(papers[0], ["adaptive-dense-cfs"])
    yield "PAS-CAA, sound and refined, loses less than SaNGreeA at 2k", all(
        at[d, k, "pas-caa sound", True].total < at[d, k, "sangreea at 2k", False].total for d in data for k in sizes)
    times = {m: np.mean([at[d, k, m, False].seconds for d in data for k in sizes]) for m in papers}
    yield "PAS-CAA as printed is the fastest of the four", min(times, key=lambda m: times[m]) == papers[0]
    lasted = [np.mean([at[d, k, papers[0], False].seconds for d in data]) for k in sizes]
    yield "its time depends little on k", max(lasted) < 2 * min(lasted)


# %%
# The figure: total loss over k, each method's own result thin, the refined one thick.


def draw(table: list[Row], path: Path) -> None:
    from matplotlib.figure import Figure

    data = sorted({row.data for row in table})
    figure = Figure(figsize=(5.2 * max(len(data), 1.5), 5.2), layout="constrained")
    for place, name in enumerate(data):
        axes = figure.add_subplot(1, len(data), place + 1)
        for number, method in enumerate(METHODS):
            for refined in (False, True):
                found = [row for row in table if (row.data, row.method, row.refined) == (name, method, refined)]
                axes.plot([row.k for row in found], [row.total for row in found], "o-" if refined else "o--",
                          color=f"C{number}", linewidth=2.0 if refined else 0.8, markersize=3,
                          label=method + (", refined" if refined else ""))
        axes.set(title=name.upper(), xlabel="k", ylabel="total loss (equation 10)", ylim=(0, None))
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", fontsize=7, ncols=4)
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description="Rebuild the experiment of PAS-CAA's paper.")
    parser.add_argument("--quick", action="store_true", help="one graph, two sizes, little refinement")
    parser.add_argument("-o", "--figure", type=Path, default=Path("seed_004.png"), help="where the figure goes")
    asked = parser.parse_args()
    table = measured(["m1"], [5, 20], 20) if asked.quick else measured(["m1", "m2"], [5, 10, 15, 20], None)
    print()
    for claim, holds in claims(table):
        print(f"{'reproduced' if holds else 'NOT reproduced':<16}{claim}")
    draw(table, asked.figure)


if __name__ == "__main__":
    main()
