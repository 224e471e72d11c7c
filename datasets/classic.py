"""The three classic random graphs, drawn by igraph: ties that know nothing of the people.

They are what a release of a homophilous graph is to be compared with: Erdős and Rényi 1959 "On random
graphs" (any m pairs), Watts and Strogatz 1998 "Collective dynamics of small-world networks" (a ring whose
ties are moved with some probability, here both ends of a tie) and Barabási and Albert 1999 "Emergence of scaling in random
networks" (newcomers tie themselves to those who have many ties).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.datasets.chance import draws
from graphanon.errors import InputProblem, Problem

__all__ = ["Classic", "classic_ties"]

Ints = NDArray[np.int64]
Classic = Literal["watts-strogatz", "erdos-renyi", "barabasi-albert"]


def classic_ties(model: Classic, n: int, *, mean_degree: float, rewiring: float, seed: int) -> tuple[Ints, Ints]:
    """Return both ends of the ties of a random graph of `n` persons, no loop and no pair twice.

    Raises
    ------
    InputProblem
        If a ring of `n` persons cannot have the mean degree: it must be even.
    """
    import igraph as ig

    m = round(n * mean_degree / 2)
    with _drawing_from(random.Random(seed)):  # noqa: S311  a simulation, not a secret
        if model == "erdos-renyi":
            graph = ig.Graph.Erdos_Renyi(n=n, m=m)
        elif model == "barabasi-albert":
            graph = ig.Graph.Barabasi(n, m=_newcomers(n, m, seed))
        else:
            reach = _reach(n, mean_degree)
            graph = ig.Graph.Watts_Strogatz(1, n, reach, rewiring)
    ends = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    return ends[:, 0], ends[:, 1]


def _reach(n: int, mean_degree: float) -> int:
    if mean_degree % 2 or mean_degree >= n:
        raise InputProblem(Problem(
            what=f"a ring of {n} persons cannot have mean degree {mean_degree:g}",
            allowed="an even number below the number of persons",
            fix="mean_degree=6, or model='erdos-renyi'"))
    return int(mean_degree) // 2


def _newcomers(n: int, m: int, seed: int) -> list[int]:
    """Return with how many ties each person comes, n numbers that add up to m as far as people are there."""
    each, rest = divmod(m, n)
    extra = np.argsort(draws(seed, n), kind="stable")[:rest]
    counts = np.full(n, each, dtype=np.int64)
    counts[extra] += 1
    # the first persons find too few others to tie themselves to; the next ones tie the rest
    short = 0
    for i in range(n):
        asked = counts[i] + short
        counts[i] = min(asked, i)
        short = asked - counts[i]
    return [int(count) for count in counts]


@contextmanager
def _drawing_from(chance: random.Random) -> Iterator[None]:
    """Let igraph, whose generator belongs to the whole process, draw from this one for a while."""
    import igraph as ig

    ig.set_random_number_generator(chance)
    try:
        yield
    finally:
        ig.set_random_number_generator(random)
