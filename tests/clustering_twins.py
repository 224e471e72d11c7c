"""The clusterings of tables once more, record by record, straight from their definitions.

No points, no pieces, no tables of prices: people are Python ints in the order of their table, a class is a list of them.
Equal records are expected to stand together.
"""

from itertools import combinations

import numpy as np
from twins import TOLERANCE, first_best, meeting_level, path_to_root

from graphanon.domain import Order, Range, Tree
from graphanon.graph import AttributedGraph
from graphanon.tabular.kaca import level_costs


def least(candidates, score):
    """Return the first candidate of least score."""
    return first_best(candidates, lambda candidate: -score(candidate))


# ---------------------------------------------------------------- losses


def interval_cost(domain, values, steps=None) -> float:
    """Return what publishing the smallest interval around values costs, by leaves, or by what levels cost."""
    if isinstance(domain, Tree):
        level = max(meeting_level(domain, a, b) for a in values for b in values)
        if steps is not None:
            return float(steps[level])
        if level == 0:
            return 0.0
        node = path_to_root(domain, values[0])[level:]
        return sum(path_to_root(domain, leaf)[level:] == node for leaf in range(len(domain.leaves))) / len(domain.leaves)
    if max(values) >= domain.missing_address:
        return 1.0
    lo, hi = domain.snap(np.array(values), np.array(values)) if isinstance(domain, Range) else (values, values)
    return min((max(hi) - min(lo)) / domain.span, 1.0) if domain.span else 0.0


class Losses:
    """What a set of people loses each, summed over attributes."""

    def __init__(self, graph: AttributedGraph, steps=None) -> None:
        self.graph, self.steps = graph, steps or [None] * graph.q

    def __call__(self, members) -> float:
        values = self.graph.values[sorted(set(members))]
        return sum(interval_cost(domain, values[:, j].tolist(), step)
                   for j, (domain, step) in enumerate(zip(self.graph.domains, self.steps, strict=True)))


def separation(graph: AttributedGraph, a: int, b: int) -> float:
    """Return COAA's distance of two records, summed over attributes."""
    total = 0.0
    for j, domain in enumerate(graph.domains):
        x, y = graph.values[a, j], graph.values[b, j]
        if isinstance(domain, Tree):
            total += interval_cost(domain, [x, y])
        elif domain.missing_address in (x, y):
            total += float(x != y)
        elif domain.span:
            total += min(abs(x - y) / domain.span, 1.0)
    return total


# ---------------------------------------------------------------- COAA


def _enough(side, need, strict) -> bool:
    return len(side) > 0 and len(side) >= max(need[v] for v in side) + strict


def _halves(graph, members, one, other, fill):
    """Return who is nearer to one and who to the other, a side that is too small filled by `fill`."""
    def surplus(v):
        return separation(graph, v, one) - separation(graph, v, other)

    left = [v for v in members if surplus(v) < -TOLERANCE]
    right = [v for v in members if v not in left]
    filled = fill(left, sorted(right, key=lambda v: (round(surplus(v), 9), v)))
    if filled != left:
        return filled, [v for v in right if v not in filled]
    filled = fill(right, sorted(left, key=lambda v: (round(-surplus(v), 9), v)))
    return [v for v in left if v not in filled], filled


def coaa(graph: AttributedGraph, need: list[int], *, rebalance=True, strict=False, allow_equal=True) -> list[list[int]]:
    """Return COAA's classes with the exact farthest pair."""
    losses = Losses(graph)

    def fill(side, others):
        while rebalance and others and not _enough(side, need, strict):
            side, others = [*side, others[0]], others[1:]
        return side

    def cut(members):
        if len(members) < 2 * (min(need[v] for v in members) + strict):
            return [members]
        one, other = first_best(list(combinations(members, 2)), lambda pair: separation(graph, *pair))
        if separation(graph, one, other) <= TOLERANCE:
            return [members]
        sides = _halves(graph, members, one, other, fill)
        if not all(_enough(side, need, strict) for side in sides):
            return [members]
        if allow_equal or any(losses(side) < losses(members) - TOLERANCE for side in sides):
            return [x for side in sides for x in cut(sorted(side))]
        return [members]

    return cut(list(range(graph.n)))


# ---------------------------------------------------------------- KACA


def told(graph: AttributedGraph, members) -> tuple:
    """Return what is published of a class, whoever is in it."""
    box = []
    for j, domain in enumerate(graph.domains):
        values = graph.values[sorted(members), j]
        lo, hi = domain.snap(np.array([values.min()]), np.array([values.max()]))
        box.append((lo[0], hi[0], max(meeting_level(domain, a, b) for a in values for b in values)
                    if isinstance(domain, Tree) else 0))
    return tuple(box)


def kaca(graph: AttributedGraph, need: list[int], method, chances) -> list[list[int]]:
    """Return KACA's classes; a class is told as what all who ever made its box say together."""
    steps = None
    if method.loss == "levels":
        steps = [level_costs(d.height, method.weights, method.beta) if isinstance(d, Tree) else None for d in graph.domains]
    losses = Losses(graph, steps)
    rows: dict[tuple, list[int]] = {}
    for v in range(graph.n):
        rows.setdefault((*graph.values[v].tolist(), need[v]), []).append(v)
    # a class: who is in it, and who made its box
    classes = [(members, list(members)) for members in rows.values()]

    def asks(members):
        return max(need[v] for v in members)

    while True:
        small = [x for x in classes if len(x[0]) < asks(x[0])]
        if not small or len(classes) == 1:
            return [members for members, _ in classes]
        chance = next(chances)
        own = {"first": small[0], "random": small[int(chance * len(small))],
               "smallest": least(small, lambda x: len(x[0]))}[method.choice]

        def cost(x, own=own):
            both = losses(own[1] + x[1]) * (len(own[0]) + len(x[0]))
            return both - losses(own[1]) * len(own[0]) - losses(x[1]) * len(x[0])

        near = least([x for x in classes if x is not own], cost)
        lacking = asks(own[0]) - len(own[0])
        classes = [x for x in classes if x is not own]
        if method.stub and len(near[0]) - lacking >= asks(near[0]):
            new = (own[0] + near[0][:lacking], own[1] + near[1])
            classes = [(x[0][lacking:], x[1]) if x is near else x for x in classes]
        else:
            new = (own[0] + near[0], own[1] + near[1])
            classes = [x for x in classes if x is not near]
        for same in [x for x in classes if told(graph, x[1]) == told(graph, new[1])]:
            new = (new[0] + same[0], new[1] + same[1])
            classes = [x for x in classes if x is not same]
        classes.append(new)


# ---------------------------------------------------------------- GAA-CP


def gaa_cp(graph: AttributedGraph, need: list[int], method, rng) -> list[list[int]]:
    """Return GAA-CP's classes."""
    losses = Losses(graph)

    def distance(members, t):
        if method.distance == "mean":
            return sum(losses([t, u]) for u in members) / len(members)
        after = (len(members) + 1) * losses([*members, t])
        return after - (len(members) * losses(members) if method.distance == "increment" else 0)

    rest, found, seeds = list(range(graph.n)), [], []
    while rest:
        if method.seed == "random":
            seed = rest[int(rng.random() * len(rest))]
        elif method.seed == "first" or not seeds:
            seed = rest[0]
        elif method.seed == "farthest_last":
            seed = first_best(rest, lambda t: losses([t, seeds[-1]]))
        else:
            seed = first_best(rest, lambda t: min(losses([t, s]) for s in seeds))
        seeds.append(seed)
        members = [seed]
        rest.remove(seed)
        while rest and len(members) < max(need[v] for v in members):
            members.append(least(rest, lambda t, c=members: distance(c, t)))
            rest.remove(members[-1])
        found.append(members)
    if len(found) > 1 and len(found[-1]) < max(need[v] for v in found[-1]):
        for t in sorted(found.pop()):
            least(found, lambda c, t=t: distance(c, t)).append(t)
    return found


# ---------------------------------------------------------------- SemiAnony


def gower(graph: AttributedGraph, a: int, b: int, undefined: float = 1.0) -> float:
    """Return the dissimilarity of two records."""
    total, compared = 0.0, 0
    for j, (column, domain) in enumerate(zip(graph.schema.quasi, graph.domains, strict=True)):
        x, y = graph.values[a, j], graph.values[b, j]
        if domain.missing_address in (x, y) or (column.scale == "asymmetric" and x == y == 0):
            continue
        compared += 1
        if isinstance(domain, Tree):
            total += x != y
        elif isinstance(domain, Order):
            total += abs(x - y) / max(len(domain.labels) - 1, 1)
        elif domain.span:
            total += abs(x - y) / domain.span
    return total / compared if compared else undefined


def semi_alpha_k(graph: AttributedGraph, k: int, method, value: list[bool], alpha: float) -> tuple[list[list[int]], list[int]]:
    """Return the classes of k that SemiAnony grows where one value is bounded, and who is left."""
    rest, found = list(range(graph.n)), []
    cap = int(np.floor(alpha * k + 1e-9)) if method.membership == "target" else graph.n

    def total(v, among):
        return sum(gower(graph, v, u) for u in among if u != v)

    sums = {v: total(v, rest) for v in rest}
    while len(rest) >= k:
        if method.refresh:
            sums = {v: total(v, rest) for v in rest}
        able = [v for v in rest if not value[v] or cap >= 1]
        if not able:
            break
        members = [min(able, key=lambda v: (round(sums[v], 7), v))]
        while len(members) < k:
            seen = members if method.centroid == "average" else members[:1]
            inside = sum(value[v] for v in members)
            able = [t for t in rest if t not in members and (not value[t] or inside + 1 <= cap)]
            if not able:
                break
            members.append(least(able, lambda t, seen=seen: sum(gower(graph, t, u) for u in seen)))
        if len(members) < k:
            break
        found.append(members)
        rest = [v for v in rest if v not in members]
    return found, rest
