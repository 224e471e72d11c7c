"""
Anonymize a table and judge what is left of it
==============================================

A table is released so that someone can learn from it. Here the people of Adult are anonymized at growing k, and each
release is asked what an analyst would ask: how do single attributes look, do they still hang together, and what can a
classifier learn that has seen nothing but the release?

Run ``python examples/plot_table.py``; it draws ``plot_table.png``.
"""

# %%
# The people. Four attributes that an acquaintance may know are generalized, two that one would rather keep are shuffled inside
# the classes. Some are set aside: they are in no release, so that a classifier can be tried on people whom it has never seen.

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import graphanon
from graphanon.datasets import load_adult
from graphanon.tabular.metrics import classifier, distributions, measures, utility

PEOPLE = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
adult = load_adult(quasi=("age", "education", "marital-status", "sex"), sensitive=("income", "occupation"))
frame, schema = adult.table.frame.sample(2 * PEOPLE, random_state=1), adult.graph.schema
people = graphanon.read(frame.iloc[:PEOPLE], schema=schema)
aside = graphanon.read(frame.iloc[PEOPLE:], schema=schema).graph
print(f"{people.graph.n} people are released, {aside.n} are set aside")

# %%
# One release for each k, by the default method for tables: recursive recoding, then refinement. Nothing is written here; with
# ``out="folder"`` the release would lie there. Each has been recounted from its files before we see it.

runs = {k: graphanon.anonymize(people, requirement=graphanon.Requirement(k=k), seed=1, refine_seconds=5)
        for k in (2, 5, 20, 100)}
for k, run in runs.items():
    assert all(finding.holds for finding in run.findings)
    found = measures(run.grouping, k)
    print(f"k = {k:>3}: {len(run.grouping.boxes):>5} classes, loss {found['gcp']:.3f}, precision {found['precision']:.3f}, "
          f"{found['average_class_size']:.2f} k people a class, {found['entropy_share']:.0%} of the bits hidden")

# %%
# Attributes alone and together. An analyst who spreads everyone of a class over what is told of them gets nearly the distribution of
# each attribute back: 0 is no difference, 1 is nothing in common. Two together move at least as far as each alone, and
# how strongly they hang together may come out weaker or stronger than it was.

for k, run in runs.items():
    left = utility(run.grouping)
    pair = max(left["associations"], key=lambda pair: pair["moved"])
    print(f"k = {k:>3}: single attributes move by up to {max(left['marginals'].values()):.3f}, two together by up to {pair['moved']:.3f} "
          f"({' and '.join(pair['columns'])}, whose association was {pair['before']:.2f} and is {pair['after']:.2f})")

# %%
# A classifier. Naive Bayes learns the income from the release and is tried on those who were set aside; beside it stand one that
# learned from the records themselves, and the guess that everyone earns what most do.

guesses = {k: classifier(run.grouping, "income", on=aside) for k, run in runs.items()}
for k, guess in guesses.items():
    print(f"k = {k:>3}: {guess.release:.1%} told rightly from the release, {guess.originals:.1%} from the records, "
          f"{guess.commonest:.1%} by always saying the commonest")

# %%
# And what of the people? k says that nobody stands alone. It does not say that a class knows nothing: where everyone in it
# has one occupation, so has each of them. The audit finds the largest share, and the next example bounds it.

for k, run in runs.items():
    share = next(finding.found for finding in run.findings if finding.promise == "alpha.occupation")
    print(f"k = {k:>3}: in some class {share:.0%} have one occupation")

# %%
# The picture: how ages look from the release with the largest k, and what is lost and kept over k.


def draw(path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    age = distributions(runs[100].grouping)["age"]
    places = np.arange(len(age["values"]))
    left.step(places, age["before"], where="mid", label="the people")
    left.step(places, age["after"], where="mid", label="the release, k = 100")
    left.set(xticks=places[::12], xticklabels=age["values"][::12], xlabel="age", ylabel="share of people")
    left.legend(fontsize=8)
    right.plot(list(runs), [measures(run.grouping, k)["gcp"] for k, run in runs.items()], "o-", label="loss of a cell")
    right.plot(list(runs), [guess.release for guess in guesses.values()], "o-", label="income told rightly")
    right.axhline(guesses[2].commonest, color="grey", linewidth=0.8, label="the commonest income")
    right.set(xscale="log", xlabel="k", ylim=(0, 1))
    right.legend(fontsize=8, loc="center left")
    figure.savefig(path, dpi=110)


draw(Path("plot_table.png"))
