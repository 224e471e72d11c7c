"""
(alpha, k) on a sensitive column
================================

k-anonymity hides who somebody is among k people. If all of them have the same illness, it hides nothing: whoever finds
the class knows the illness. (alpha, k)-anonymity bounds what may be known, as a share alpha of every class.

Run ``python examples/plot_alpha_k.py``; it draws ``plot_alpha_k.png``.
"""

# %%
# People of Adult, whose occupation is the secret. It is nothing to be ashamed of; it stands for what is.

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import graphanon
from graphanon.datasets import load_adult
from graphanon.pipeline import Run

PEOPLE = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
adult = load_adult(quasi=("age", "education", "marital-status", "sex"), sensitive=("occupation",))
frame = adult.table.frame.sample(PEOPLE, random_state=1)


def release(method: str, alpha: Mapping[str, float], k: int = 5) -> Run:
    """Anonymize with shares promised of some occupations, as ``alpha = { … }`` of a schema file does."""
    columns = tuple(replace(column, alpha=alpha) if column.name == "occupation" else column
                    for column in adult.graph.schema.columns)
    people = graphanon.read(frame, schema=replace(adult.graph.schema, columns=columns))
    return graphanon.anonymize(people, requirement=graphanon.Requirement(k=k), method=method, seed=1, refine_seconds=5)


def largest_share(run: Run, value: str | None = None) -> float:
    """Return the largest share of an occupation, or of any, in a class, as the audit counted it in the files."""
    return max(finding.found for finding in run.findings if finding.promise.startswith("alpha.occupation")
               and (value is None or finding.promise.endswith(value)))


# %%
# k alone. Nothing is promised of occupations, and there are classes in which nearly everyone has the same.

plain = release("recursive", {})
print(f"k = 5 alone: in some class {largest_share(plain):.0%} have one occupation; "
      f"a cell loses {plain.release.statement['losses']['ncp']:.3f}")

# %%
# A share that is below what everyone has together cannot be promised by anyone: some class is at least as full as the whole.
# graphanon says so before it begins, with the numbers and a share that would do.

occupations = frame["occupation"].value_counts(normalize=True)
commonest = str(occupations.index[0])
try:
    release("recursive", {commonest: round(occupations.iloc[0] / 2, 2)})
except graphanon.InfeasiblePromise as refused:
    print(refused)

# %%
# A promise for one value: of the commonest occupation at most 30 % of any class, which is one of five people and two of seven.
# SemiAnony was made for this case and looks at the promise while it grows classes; recursive recoding knows it too. Try both.

for method in ("recursive", "semi-alpha-k"):
    run = release(method, {commonest: 0.3})
    print(f"{method}: at most {largest_share(run, commonest):.0%} {commonest} in any class; "
          f"a cell loses {run.release.statement['losses']['ncp']:.3f}")

# %%
# A promise for every value, and what it costs. The smaller the share, the more the occupations of a class have to differ: at 25 %
# no two of five people have the same. `general-alpha-k` promises the same of every value by itself and recodes all people
# alike, which is simpler to explain, and dearer.

shares = (0.6, 0.4, 0.3, 0.25)
costs: dict[str, list[float]] = {"recursive": [], "general-alpha-k": []}
for share in shares:
    for method, cost in costs.items():
        run = release(method, dict.fromkeys(map(str, occupations.index), share))
        assert largest_share(run) <= share
        cost.append(run.release.statement["losses"]["ncp"])
    print(f"alpha = {share}: recursive {costs['recursive'][-1]:.3f}, general-alpha-k {costs['general-alpha-k'][-1]:.3f}")

# %%
# The picture: loss over alpha.


def draw(path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.6), layout="constrained")
    axes = figure.subplots()
    for method, cost in costs.items():
        axes.plot(shares, cost, "o-", label=method)
    axes.axhline(plain.release.statement["losses"]["ncp"], color="grey", linewidth=0.8, label="recursive, k alone")
    axes.set(xlabel="largest share of any occupation in a class", ylabel="loss of a cell", ylim=(0, None), title="k = 5")
    axes.invert_xaxis()
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=110)


draw(Path("plot_alpha_k.png"))
