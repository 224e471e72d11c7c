"""The algorithms once more, straight from their definitions: slow, dense, and without the house's arithmetic.

Kernels must agree with these on any graph. People are Python ints, a class is a list of them.
"""

from itertools import combinations, pairwise

import numpy as np

from graphanon.domain import Range, Tree
from graphanon.graph import AttributedGraph

TOLERANCE = 1e-12


def first_best(candidates, score):
    """Return the first candidate of largest score, scores within rounding of each other being equal."""
    best = None
    for candidate in candidates:
        if best is None or score(candidate) > score(best) + TOLERANCE:
            best = candidate
    return best


def ranking(candidates, score):
    """Return the candidates from best to last, equals in order."""
    left, order = list(candidates), []
    while left:
        order.append(first_best(left, score))
        left.remove(order[-1])
    return order


def neighbours(graph: AttributedGraph) -> list[set[int]]:
    """Return everyone's neighbours."""
    return [set(np.flatnonzero(line).tolist()) for line in graph.ties.toarray()]


# ---------------------------------------------------------------- values


def path_to_root(tree: Tree, address: float) -> tuple[str, ...]:
    """Return the labels from a leaf to the root; a missing value hangs under the root."""
    if address >= len(tree.leaves):
        return ("",) * tree.height + (tree.rows[0][-1],)
    return next(row for row in tree.rows if row[0] == tree.leaves[int(address)])


def meeting_level(tree: Tree, a: float, b: float) -> int:
    """Return how many levels up two leaves meet."""
    if a == b:
        return 0
    one, other = path_to_root(tree, a), path_to_root(tree, b)
    return next(level for level in range(1, tree.height + 1) if one[level:] == other[level:])


def edges(tree: Tree, address: float, level: int) -> int:
    """Return the edges from a leaf to its ancestor on a level; repeated labels add none."""
    return sum(one != other for one, other in pairwise(path_to_root(tree, address)[: level + 1]))


def path_length(tree: Tree, a: float, b: float) -> int:
    """Return the edges between two leaves."""
    level = meeting_level(tree, a, b)
    return edges(tree, a, level) + edges(tree, b, level)


def value_similarity(domain, a: float, b: float, categorical: str = "height") -> float:
    """Return how alike two values of one attribute are."""
    if isinstance(domain, Tree):
        if categorical == "exact":
            return float(a == b)
        if categorical == "height":
            return 1 - meeting_level(domain, a, b) / max(domain.height, 1)
        leaves = range(len(domain.leaves) + domain.missing)
        longest = max((path_length(domain, x, y) for x, y in combinations(leaves, 2)), default=0)
        return 1 - path_length(domain, a, b) / longest if longest else 1.0
    if domain.missing_address in (a, b):
        return float(a == b)
    return 1 - abs(a - b) / domain.span if domain.span else 1.0


def class_cost(graph: AttributedGraph, members: list[int]) -> float:
    """Return what one member of a class loses, summed over attributes, by height."""
    total = 0.0
    for j, domain in enumerate(graph.domains):
        values = graph.values[members, j]
        if isinstance(domain, Tree):
            total += max(meeting_level(domain, a, b) for a in values for b in values) / max(domain.height, 1)
        elif values.max() >= domain.missing_address:
            total += 1.0
        elif domain.span:
            lo, hi = (domain.snap(values, values) if isinstance(domain, Range) else (values, values))
            total += min((hi.max() - lo.min()) / domain.span, 1.0)
    return total


# ---------------------------------------------------------------- SaNGreeA


def distance(graph: AttributedGraph, i: int, j: int) -> float:
    """Return the share of third people to whom exactly one of two people is tied."""
    near = neighbours(graph)
    others = set(range(graph.n)) - {i, j}
    return len((near[i] ^ near[j]) & others) / len(others) if others else 0.0


def addition_cost(graph: AttributedGraph, members: list[int], x: int, alpha: float, beta: float) -> float:
    """Return what SaNGreeA pays for adding `x` to a class."""
    ngil = class_cost(graph, [*members, x]) / max(graph.q, 1)
    return alpha * ngil + beta * sum(distance(graph, x, u) for u in members) / len(members)


def sangreea(graph: AttributedGraph, need: list[int], order: list[int], alpha: float, beta: float) -> list[list[int]]:
    """Return SaNGreeA's classes; `order` is in which people are asked to start one."""
    rest, found = list(range(graph.n)), []
    while rest:
        members = [next(v for v in order if v in rest)]
        rest.remove(members[0])
        while rest and len(members) < max(need[v] for v in members):
            members.append(first_best(rest, lambda x, c=members: -addition_cost(graph, c, x, alpha, beta)))
            rest.remove(members[-1])
        found.append(members)
    if len(found) > 1 and len(found[-1]) < max(need[v] for v in found[-1]):
        for x in found.pop():
            first_best(found, lambda c, x=x: -addition_cost(graph, c, x, alpha, beta)).append(x)
    return found


# ---------------------------------------------------------------- PAS-CAA


def similarity(graph: AttributedGraph, i: int, j: int, beta: float, categorical="height", *, closed=False) -> float:
    """Return the comprehensive similarity of two people."""
    near = neighbours(graph)
    a, b = (near[i] | {i}, near[j] | {j}) if closed else (near[i], near[j])
    friends = len(a & b) / len(a | b) if a | b else 0.0
    alike = [value_similarity(domain, graph.values[i, p], graph.values[j, p], categorical)
             for p, domain in enumerate(graph.domains)]
    return beta * friends + (1 - beta) * (sum(alike) / len(alike) if alike else 0.0)


def similarity_matrix(graph: AttributedGraph, beta: float, categorical="height", *, closed=False) -> np.ndarray:
    """Return the similarity of everyone to everyone."""
    n = graph.n
    s = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            s[i, j] = s[j, i] = similarity(graph, i, j, beta, categorical, closed=closed)
    return s


def nearest(s: np.ndarray, K_nn: int) -> list[list[int]]:
    """Return everyone's most similar others."""
    everyone = range(len(s))
    return [ranking([u for u in everyone if u != v], lambda u, v=v: s[v, u])[:K_nn] for v in everyone]


def density(s: np.ndarray, near: list[list[int]], kind: str = "normalised", *, include_self: bool = True) -> list[float]:
    """Return everyone's local density."""
    own = include_self or kind == "snndpc"
    around = [set(line) | ({v} if own else set()) for v, line in enumerate(near)]

    def apart(a: int, p: int) -> float:
        return 0.0 if a == p else max(1 - s[a, p], 0.0)

    def shared(a: int, b: int) -> float:
        common = around[a] & around[b]
        if kind == "normalised":
            return len(common) / len(around[a])
        if kind == "count":
            return len(common)
        if kind == "jaccard":
            return len(common) / len(around[a] | around[b])
        if not {a, b} <= common:
            return 0.0
        return len(common) ** 2 / max(sum(apart(a, p) + apart(b, p) for p in common), TOLERANCE)

    sums = [sum(shared(v, u) for u in line) for v, line in enumerate(near)]
    return sums if kind == "snndpc" else [total / max(len(line), 1) for total, line in zip(sums, near, strict=True)]


def clustering(graph: AttributedGraph) -> list[float]:
    """Return the share of the pairs of each person's neighbours that are tied."""
    near = neighbours(graph)
    found = []
    for line in near:
        pairs = list(combinations(sorted(line), 2))
        found.append(sum(b in near[a] for a, b in pairs) / len(pairs) if pairs else 0.0)
    return found


def start_people(s: np.ndarray, merit: list[float], count: int, aggregate: str, threshold: float) -> list[int]:
    """Return the seeds of algorithm 1."""
    order = ranking(range(len(s)), lambda v: merit[v])
    high = [v for v in order if merit[v] >= threshold - TOLERANCE]
    high = sorted(order[: max(len(high), count)])
    seeds = [first_best(high, lambda v: merit[v])]

    def likeness(v: int) -> float:
        before = [s[u, v] for u in seeds]
        return {"max": max(before), "sum": sum(before), "last": before[-1]}[aggregate]

    while len(seeds) < count:
        free = [v for v in high if v not in seeds]
        least = min(likeness(v) for v in free)
        seeds.append(first_best([v for v in free if likeness(v) <= least + TOLERANCE], lambda v: merit[v]))
    return seeds


class PlainPasCaa:
    """PAS-CAA with a full matrix of similarities and supernodes as lists."""

    def __init__(self, graph, method, k):
        self.k, self.method = k, method
        self.s = similarity_matrix(graph, method.beta, method.categorical, closed=method.closed)
        near = nearest(self.s, min(method.K_nn or k, graph.n - 1))
        self.rho = density(self.s, near, method.density, include_self=method.include_self)
        self.merit = [1 + r * c for r, c in zip(self.rho, clustering(graph), strict=True)]
        count = min(method.Nc or graph.n // k, graph.n)
        threshold = float(np.mean(self.merit))
        self.seeds = start_people(self.s, self.merit, count, method.aggregate, threshold)
        self.classes = {x: [seed] for x, seed in enumerate(self.seeds)}
        self.sensitive, self.targets = [], []

    def to(self, v, x):
        """Return the similarity of a person to a supernode, their own copy left out."""
        if self.method.supernode == "centre":
            return np.inf if self.seeds[x] == v else self.s[v, self.seeds[x]]
        others = [self.s[v, u] for u in self.classes[x] if u != v]
        if not others:
            return 0.0
        return max(others) if self.method.supernode == "max" else sum(others) / len(others)

    def join(self, queue):
        """Put each of the queue into the most similar supernode."""
        for v in queue:
            self.classes[first_best(sorted(self.classes), lambda x, v=v: self.to(v, x))].append(v)

    def run(self):
        """Return the supernodes as lists, in creation order."""
        n = len(self.s)
        order = ranking(range(n), lambda v: max(self.s[v, seed] if v != seed else 0.0 for seed in self.seeds))
        free = set(range(n)) - set(self.seeds)
        for _ in range(self.method.Im):
            self.join([v for v in order if v in free])
            self.dissolve()
            free = self.redistribute()
            if not free:
                break
        self.join([v for v in order if v in free])
        return [sorted(self.classes[x]) for x in sorted(self.classes)]

    def dissolve(self):
        """Spread supernodes below k over the others, the smallest first."""
        while len(self.classes) > 1:
            x = min(sorted(self.classes), key=lambda x: len(self.classes[x]))
            if len(self.classes[x]) >= self.k:
                return
            self.join(sorted(self.classes.pop(x)))

    def redistribute(self):
        """Give what the others have beyond k to the dense ones; return who is left."""
        dense = {x: sum(self.rho[v] for v in members) / len(members) for x, members in self.classes.items()}
        threshold = sum(dense.values()) / len(dense)
        self.sensitive = ranking([x for x in sorted(dense) if dense[x] >= threshold - TOLERANCE], lambda x: dense[x])
        others = [x for x in sorted(dense) if x not in self.sensitive]
        pool = []
        for x in others:
            while len(self.classes[x]) > self.k:
                v = first_best(sorted(self.classes[x]), lambda v, x=x: -self.to(v, x))
                self.classes[x].remove(v)
                pool.append(v)
        least = -(-3 * self.k // 2)
        self.targets = [max(2 * self.k + i * self.method.d, least) for i in range(len(self.sensitive))]
        self.fill(pool)
        if self.method.strict_targets:
            for x in ranking(others, lambda x: -dense[x]):
                if all(len(self.classes[y]) >= t for y, t in zip(self.sensitive, self.targets, strict=True)):
                    break
                pool += self.classes.pop(x)
                self.fill(pool)
        return set(pool)

    def fill(self, pool):
        """Let each dense supernode take from the pool up to its target."""
        for x, target in zip(self.sensitive, self.targets, strict=True):
            while pool and len(self.classes[x]) < target:
                v = first_best(sorted(pool), lambda v, x=x: self.to(v, x))
                pool.remove(v)
                self.classes[x].append(v)


# ---------------------------------------------------------------- losses of partitions with people alone


def lost_of(graph: AttributedGraph, labels: list[int], measure: str, cell: float, arc: float) -> float:
    """Return what a partition loses in cells and arcs at these prices; people of label -1 stand alone."""
    classes = {label: [v for v, other in enumerate(labels) if other == label] for label in labels if label >= 0}
    blocks = [*classes.values(), *([v] for v, label in enumerate(labels) if label < 0)]
    cells = sum(len(members) * box_cost(graph, members, measure) for members in classes.values())
    dense = (graph.ties if graph.arcs is None else graph.arcs).toarray()
    arcs = 0.0
    for a in blocks:
        for b in blocks:
            pairs = len(a) * (len(b) - (a is b))
            found = float(dense[np.ix_(a, b)].sum())
            arcs += found * (1 - found / pairs) if pairs else 0.0
    return cell * cells + arc * arcs


def box_cost(graph: AttributedGraph, members: list[int], measure: str) -> float:
    """Return what one member loses by the smallest publishable box, summed over attributes."""
    values = graph.values[members]
    return sum(
        float(domain.cost(*domain.snap(values[:, j].min(keepdims=True), values[:, j].max(keepdims=True)), measure)[0])
        for j, domain in enumerate(graph.domains)
    )


def cheapest_growth(
    graph: AttributedGraph, labels: list[int], c: int, seed: int, *, k: int, prices: tuple[float, float]
) -> float:
    """Return what is lost after class `c` has grown from `seed` to k, each time by whoever costs least."""
    labels = [*labels[:seed], c, *labels[seed + 1 :]]
    while labels.count(c) < k:
        alone = [v for v, label in enumerate(labels) if label < 0]
        v = first_best(alone, lambda v, now=labels: -lost_of(graph, [*now[:v], c, *now[v + 1 :]], "height", *prices))
        labels = [*labels[:v], c, *labels[v + 1 :]]
    return lost_of(graph, labels, "height", *prices)
