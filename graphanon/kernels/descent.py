"""How a class would fall apart if one attribute were told one level finer."""

from __future__ import annotations

import numpy as np

from graphanon.closeness import Ints, Shorts
from graphanon.kernels.compiled import kernel
from graphanon.kernels.rules import Rules, complies

__all__ = ["fall"]


@kernel
def fall(members: Ints, code: Shorts, need: Ints, rules: Rules, parts: int) -> tuple[int, int, int]:
    """Return how many of ``members`` int64[s] would be in parts that keep what is asked, in how many, of how many.

    ``code`` int32[s], below `parts`, tells the part of each member; ``need`` int64[n] is what each person asks for.
    """
    sizes = np.zeros(parts, dtype=np.int64)
    least = np.zeros(parts, dtype=np.int64)
    tallies = np.zeros((parts, len(rules.cap)), dtype=np.int32)
    for i in range(len(members)):
        v, c = members[i], code[i]
        sizes[c] += 1
        least[c] = max(least[c], need[v])
        for j in range(rules.codes.shape[1]):
            tallies[c, rules.codes[v, j]] += 1
    moved, good, branches = 0, 0, 0
    for c in range(parts):
        if sizes[c] > 0:
            branches += 1
            if sizes[c] >= least[c] and complies(rules, tallies, sizes, c):
                moved += sizes[c]
                good += 1
    return moved, good, branches
