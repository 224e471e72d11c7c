"""What the values of a class must satisfy, as small arrays that a search can ask at every step.

A class can break a promise by losing someone (too few distinct values, too large a share of one) and by
gaining someone just as well, so both are asked before they happen. Every sensitive column with a promise has
its values on one axis, one column after the other; a class is its row of counts on that axis, and joining or
leaving adds or takes one count a column.

How far a class lies from everyone (t-closeness) is the same sum for every ground distance: over *runs* of
values, a weight times how much more of the class than of everyone falls into the run. Where all values lie
equally far apart a run is one value (weight 1/2); on an ordered line it is everything up to a value (one
over the steps there are); in a hierarchy of height H it is the leaves under a node (1/2H a level).

Bounds on shares are compared as counts with ``floor(alpha * size + 1e-9)``. Merging two classes that comply
gives one that complies: shares and distances average, and diversity does not fall.

Sources: R. Wong, J. Li, A. Fu and K. Wang, (alpha, k)-Anonymity, 2006; A. Machanavajjhala, D. Kifer, J. Gehrke
and M. Venkitasubramaniam, l-Diversity, 2007; N. Li, T. Li and S. Venkatasubramanian, t-Closeness, 2007.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphanon.closeness import Index, Ints, Shorts
from graphanon.domain import Floats, Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph, Nominal
from graphanon.kernels.compiled import kernel
from graphanon.schema import Column, Role

__all__ = [
    "Rules", "add", "complies", "excess", "farness", "may_exchange", "may_join", "may_leave", "remove", "rules_of",
    "tallies_of",
]

_NONE, _DISTINCT, _ENTROPY, _RECURSIVE = 0, 1, 2, 3
_KINDS = {"distinct": _DISTINCT, "entropy": _ENTROPY, "recursive": _RECURSIVE}
# the audit forgives 1e-9; a search forgives less, so that what it finds good is found good
_SLACK = 5e-10
_EPSILON = 1e-9


class Rules(NamedTuple):
    """The promises of sensitive values: of s columns, with V values in all.

    ``codes`` int32[n, s] is where each person's values stand on the axis; column j has the places
    ``start[j]`` to ``start[j + 1]``. ``cap`` float64[V] is the largest share of each value (1: any). ``kind[j]``,
    ``l[j]``, ``c[j]`` are the diversity asked, ``t[j]`` the distance (infinity: none is). ``share`` float64[V] is
    everyone's distribution; the runs of column j are ``runs[j]`` to ``runs[j + 1]``, each the places ``first``
    to ``last`` with a ``weight``.
    """

    codes: Shorts
    start: Ints
    cap: Floats
    kind: Ints
    l: Floats  # noqa: E741  the promise's own name
    c: Floats
    t: Floats
    share: Floats
    runs: Ints
    first: Ints
    last: Ints
    weight: Floats


def rules_of(graph: AttributedGraph, kept: NDArray[np.bool_] | None = None) -> Rules:
    """Return what the graph's schema promises of its sensitive values.

    `kept` bool[n] tells who will be released (left out: everyone): distances are to their values, and
    whoever is left out or taken in later changes them.

    Examples
    --------
    >>> from graphanon.graph import Nominal, no_ties
    >>> from graphanon.schema import Schema
    >>> illness = Column(name="illness", role=Role.SENSITIVE, alpha={"hiv": 0.5}, l=2)
    >>> graph = AttributedGraph(schema=Schema(columns=(illness,)), values=np.empty((4, 0)), ties=no_ties(4),
    ...                         payload={"illness": Nominal(np.array([0, 1, 1, 1]), ("flu", "hiv"))})
    >>> rules = rules_of(graph)
    >>> tallies = tallies_of(rules, np.array([0, 0, 1, 1]), 2)
    >>> [complies(rules, tallies, np.array([2, 2]), c) for c in (0, 1)]
    [True, False]
    """
    who = np.ones(graph.n, dtype=bool) if kept is None else kept
    columns = [column for column in graph.schema.of_role(Role.SENSITIVE)
               if column.alpha or column.l is not None or column.t is not None]
    axes = [_axis(column, graph.payload[column.name], who) for column in columns]
    start = np.cumsum([0, *(len(axis.values) for axis in axes)])
    codes = np.empty((graph.n, len(columns)), dtype=np.int32)
    for j, (column, axis) in enumerate(zip(columns, axes, strict=True)):
        place = {value: i for i, value in enumerate(axis.values)}
        own = graph.payload[column.name]
        codes[:, j] = start[j] + np.array([place[label] for label in own.labels], dtype=np.int64)[own.codes]
    shifted = [axis.runs + at for axis, at in zip(axes, start.tolist(), strict=False)]
    runs = np.concatenate([np.empty((0, 2), dtype=np.int64), *shifted])
    return Rules(
        codes=codes,
        start=start,
        cap=np.array([column.alpha.get(value, 1.0)
                      for column, axis in zip(columns, axes, strict=True) for value in axis.values]),
        kind=np.array([_NONE if column.l is None else _KINDS[column.diversity] for column in columns], dtype=np.int64),
        l=np.array([column.l or 0 for column in columns], dtype=float),
        c=np.array([column.c or 0 for column in columns], dtype=float),
        t=np.array([np.inf if column.t is None else column.t for column in columns], dtype=float),
        share=np.bincount(codes[who].ravel(), minlength=start[-1]) / max(int(who.sum()), 1),
        runs=np.cumsum([0, *(len(axis.runs) for axis in axes)]),
        first=runs[:, 0].copy(),
        last=runs[:, 1].copy(),
        weight=np.concatenate([np.empty(0), *(axis.weight for axis in axes)]),
    )


class _Axis(NamedTuple):
    values: list[str]
    runs: Ints
    weight: Floats


def _axis(column: Column, own: Nominal, who: NDArray[np.bool_]) -> _Axis:
    """Return a column's values in the order in which distances count them, with the runs and their weights."""
    occur = {own.labels[code] for code in np.unique(own.codes[who]).tolist()}
    if isinstance(column.domain, Tree) and column.domain.given:
        return _tree_axis(column, column.domain, own)
    line = list(column.domain.labels) if isinstance(column.domain, Order) else []
    numeric = column.numeric or isinstance(column.domain, Range)
    line += sorted(occur - set(line), key=_as_number if numeric else None)
    places = np.arange(len(line))
    runs, weight = np.stack([places, places], axis=1), np.full(len(line), 0.5)
    if numeric or isinstance(column.domain, Order):
        runs[:, 0] = 0
        runs, weight = runs[:-1], np.full(max(len(line) - 1, 0), 1 / max(len(line) - 1, 1))
    # values of whom nobody is kept are no step of the line
    return _Axis(line + sorted(set(own.labels) - set(line)), runs, weight)


def _as_number(value: str) -> tuple[int, float, str]:
    try:
        return 0, float(value), value
    except ValueError:
        return 1, 0.0, value


def _tree_axis(column: Column, tree: Tree, own: Nominal) -> _Axis:
    """Return the leaves, and past them the missing value straight under the root."""
    strange = sorted(set(own.labels) - {*tree.leaves, ""})
    if strange:
        what = f"{len(strange)} of its values are not in its hierarchy"
        raise InputProblem(Problem(what=what, column=column.name, allowed="leaves of the hierarchy"))
    missing = len(tree.leaves)
    levels = {(missing, missing): tree.height}
    for level in range(tree.height):
        for node in np.unique(tree.nodes[:missing, level]).tolist():
            run = int(tree.first[node]), int(tree.last[node])
            levels[run] = levels.get(run, 0) + 1
    weight = np.array(list(levels.values()), dtype=float) / (2 * max(tree.height, 1))
    return _Axis([*tree.leaves, ""], np.array(list(levels), dtype=np.int64), weight)


def tallies_of(rules: Rules, labels: Ints, n_classes: int) -> Shorts:
    """Return int32[n_classes, V], how often each value occurs in each class; -1 is in none."""
    tallies = np.zeros((n_classes, len(rules.cap)), dtype=np.int32)
    kept = labels >= 0
    for j in range(rules.codes.shape[1]):
        np.add.at(tallies, (labels[kept], rules.codes[kept, j]), 1)
    return tallies


@kernel
def add(rules: Rules, tallies: Shorts, v: Index, c: Index) -> None:
    """Count the values of person `v` in class `c`."""
    for j in range(rules.codes.shape[1]):
        tallies[c, rules.codes[v, j]] += 1


@kernel
def remove(rules: Rules, tallies: Shorts, v: Index, c: Index) -> None:
    """Count the values of person `v` in class `c` no more."""
    for j in range(rules.codes.shape[1]):
        tallies[c, rules.codes[v, j]] -= 1


@kernel
def farness(rules: Rules, tally: Shorts, size: Index, j: Index) -> float:
    """Return how far a class, of these counts int32[V] and `size`, lies from everyone in column `j`."""
    far, inside, begun, upto = 0.0, 0.0, -1, 0
    for i in range(rules.runs[j], rules.runs[j + 1]):
        first, last = rules.first[i], rules.last[i]
        if first != begun or last < upto - 1:
            inside, begun, upto = 0.0, first, first
        # a run that goes on from the one before only adds what is new
        for at in range(upto, last + 1):
            inside += tally[at] / size - rules.share[at]
        upto = last + 1
        far += rules.weight[i] * abs(inside)
    return far


@kernel
def _entropy(tally: Shorts, size: Index) -> float:
    total = 0.0
    for count in tally:
        if count > 0:
            total -= count / size * np.log(count / size)
    return total


@kernel
def _distinct(tally: Shorts) -> int:
    found = 0
    for count in tally:
        found += count > 0
    return found


@kernel
def _most_and_tail(tally: Shorts, l: int) -> tuple[int, int]:  # noqa: E741  the promise's own name
    """Return the largest count, and the sum of all from the `l`-th largest on; no array is made for it."""
    total, most = 0, 0
    for count in tally:
        total += count
        most = max(most, count)
    level, left = most, l - 1
    while left > 0 and level > 0:
        below, alike = 0, 0
        for count in tally:
            alike += count == level
            if count < level:
                below = max(below, count)
        total -= min(alike, left) * level
        left -= alike
        level = below
    return most, total


@kernel
def _is_diverse(rules: Rules, tally: Shorts, size: Index, j: Index) -> bool:
    kind, own = rules.kind[j], tally[rules.start[j]:rules.start[j + 1]]
    if kind == _DISTINCT:
        return _distinct(own) >= rules.l[j]
    if kind == _ENTROPY:
        return np.exp(_entropy(own, size)) >= rules.l[j] - _SLACK
    if kind == _RECURSIVE:
        most, tail = _most_and_tail(own, int(rules.l[j]))
        return most < rules.c[j] * tail
    return True


@kernel
def complies(rules: Rules, tallies: Shorts, sizes: Ints, c: Index) -> bool:
    """Return whether the values of class `c`, as it is counted, satisfy every promise; nobody's do."""
    return _complies(rules, tallies[c], sizes[c])


@kernel
def _complies(rules: Rules, tally: Shorts, size: Index) -> bool:
    if size == 0:
        return True
    for j in range(len(rules.kind)):
        for at in range(rules.start[j], rules.start[j + 1]):
            if rules.cap[at] < 1.0 and tally[at] > np.floor(rules.cap[at] * size + _EPSILON):
                return False
        if not _is_diverse(rules, tally, size, j):
            return False
        if rules.t[j] <= 1.0 and farness(rules, tally, size, j) > rules.t[j] + _SLACK:
            return False
    return True


@kernel
def excess(rules: Rules, tally: Shorts, size: Index, floor: Index) -> float:
    """Return how far a class, of these counts int32[V] and `size`, is from complying: 0, or at least 1e-6.

    Roughly in people: those lacking to its least size `floor`, those too many with one value, those who
    would have to have another value.
    """
    if size == 0:
        return 0.0
    total = float(max(floor - size, 0))
    for j in range(len(rules.kind)):
        own = tally[rules.start[j]:rules.start[j + 1]]
        for at in range(rules.start[j], rules.start[j + 1]):
            if rules.cap[at] < 1.0:
                total += max(tally[at] - np.floor(rules.cap[at] * size + _EPSILON), 0.0)
        if not _is_diverse(rules, tally, size, j):
            total += max(_lacking(rules.kind[j], own, size, rules.l[j], rules.c[j]), 1e-6)
        if rules.t[j] <= 1.0:
            far = farness(rules, tally, size, j) - rules.t[j]
            total += max(far * size, 1e-6) if far > _SLACK else 0.0
    return total


@kernel
def _lacking(kind: Index, own: Shorts, size: Index, l: float, c: float) -> float:  # noqa: E741
    """Return roughly how many people of a class that is not diverse would need another value."""
    if kind == _DISTINCT:
        return l - _distinct(own)
    if kind == _ENTROPY:
        return (l - np.exp(_entropy(own, size))) / l * size
    most, tail = _most_and_tail(own, int(l))
    return (most - c * tail) / (1.0 + c) + 1.0


@kernel
def may_leave(rules: Rules, tallies: Shorts, sizes: Ints, floors: Ints, v: Index, c: Index) -> bool:
    """Return whether class `c` keeps its least size and satisfies every promise without its member `v`.

    The last one may leave. Least sizes int64[K] hold what members ask for, too.
    """
    left = sizes[c] - 1
    if left == 0:
        return True
    if left < floors[c]:
        return False
    remove(rules, tallies, v, c)
    good = _complies(rules, tallies[c], left)
    add(rules, tallies, v, c)
    return good


@kernel
def may_join(rules: Rules, tallies: Shorts, sizes: Ints, need: Ints, v: Index, c: Index) -> bool:
    """Return whether class `c` with `v` is as large as `v` asks and satisfies every promise.

    `need` int64[n] may be empty where nobody asks for more than the least sizes.
    """
    if len(need) and sizes[c] + 1 < need[v]:
        return False
    add(rules, tallies, v, c)
    good = _complies(rules, tallies[c], sizes[c] + 1)
    remove(rules, tallies, v, c)
    return good


@kernel
def may_exchange(rules: Rules, tallies: Shorts, sizes: Ints, need: Ints, v: Index, u: Index, c: Index) -> bool:
    """Return whether class `c` satisfies every promise once its member `v` has left it and `u` has come."""
    if len(need) and sizes[c] < need[u]:
        return False
    remove(rules, tallies, v, c)
    add(rules, tallies, u, c)
    good = _complies(rules, tallies[c], sizes[c])
    remove(rules, tallies, u, c)
    add(rules, tallies, v, c)
    return good
