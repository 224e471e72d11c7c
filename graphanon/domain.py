"""What a quasi-identifier may be generalized to.

Every attribute is a line and every value that may be published is an interval of it. A number or an
ordered label is on a line already. The leaves of a generalization hierarchy are laid out in tree
order, so each node of the tree is an interval of leaves; :meth:`Tree.snap` widens an interval to the
smallest such node. A record is then a point, a generalized record a box, and the cost of publishing
a set of values depends on its lowest and highest address alone.

Addresses are positions, not magnitudes: two leaves that lie side by side may be strangers, so
distances between values come from :mod:`graphanon.closeness`, never from subtracting leaf ranks.

A missing value has an address of its own. In a tree it is a leaf under the root; on a line of
numbers or ranks it lies one step past the end, and an interval that touches it says nothing (``*``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import InputProblem, Problem

__all__ = ["ROOT", "Domain", "Floats", "Lines", "Measure", "Order", "Range", "Tree", "pack"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Measure = Literal["leaves", "height"]
ROOT = "*"


class Domain(Protocol):
    """A line of values together with the intervals of it that may be published."""

    @property
    def height(self) -> int:
        """Number of generalization steps from a value to everything."""

    @property
    def missing(self) -> bool:
        """Whether a missing value has an address on this line."""

    @property
    def missing_address(self) -> float:
        """Where a missing value lies, whether or not one is allowed."""

    def snap(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        """Widen each interval to the smallest one that may be published."""

    def at_level(self, values: Floats, level: int) -> tuple[Floats, Floats]:
        """Return the interval of each value after `level` generalization steps."""

    def cost(self, lo: Floats, hi: Floats, measure: Measure = "leaves") -> Floats:
        """Return the share of its meaning, 0 to 1, that each publishable interval has lost."""

    def bounds(self, lo: Floats, hi: Floats) -> tuple[list[str], list[str]]:
        """Return the published text of both ends of each publishable interval."""


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`, published between multiples of `grid`.

    `steps` are the widths of the bins that recoding methods use, from fine to coarse, each a
    multiple of the grid; bins are half-open from `low`.

    Examples
    --------
    >>> import numpy as np
    >>> age = Range(17, 90, steps=(5, 10))
    >>> age.at_level(np.array([23.0]), 1)
    (array([22.]), array([26.]))
    >>> age.cost(np.array([22.0]), np.array([26.0]))
    array([0.05479452])
    """

    low: float
    high: float
    grid: float = 1.0
    steps: tuple[float, ...] = ()
    missing: bool = False

    def __post_init__(self) -> None:
        problem = self._problem()
        if problem:
            raise InputProblem(Problem(what=problem))

    def _problem(self) -> str | None:
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low <= self.high):
            return f"a range needs two finite numbers in order, got [{self.low}, {self.high}]"
        if not (np.isfinite(self.grid) and self.grid > 0):
            return f"a grid is a positive number, got {self.grid}"
        widths = np.asarray(self.steps, dtype=float)
        if not np.isfinite(widths).all() or (widths <= 0).any() or (np.diff(widths) <= 0).any():
            return f"steps are positive widths that grow, got {list(self.steps)}"
        ratio = widths / self.grid
        if not np.allclose(ratio, np.round(ratio), rtol=0, atol=1e-9):
            return f"steps are multiples of the grid {self.grid}, got {list(self.steps)}"
        return None

    @property
    def decimals(self) -> int:
        """Digits after the point that a multiple of the grid can have."""
        exponent = Decimal(repr(float(self.grid))).normalize().as_tuple().exponent
        return max(0, -int(exponent))

    @property
    def height(self) -> int:
        """Number of bin widths, and one step more to everything."""
        return len(self.steps) + 1

    @property
    def span(self) -> float:
        """The denominator R of numeric losses."""
        return float(self.high - self.low)

    @property
    def missing_address(self) -> float:
        """One grid step past the range."""
        return float(self._up(np.array([self.high]))[0] + self.grid)

    def _down(self, values: Floats) -> Floats:
        return self._multiple(values, np.floor)

    def _up(self, values: Floats) -> Floats:
        return self._multiple(values, np.ceil)

    def _multiple(self, values: Floats, toward: np.ufunc) -> Floats:
        # a multiple of 0.1 is rarely an exact quotient: what is within rounding of one is one
        steps = values / self.grid
        nearest = np.round(steps)
        close = np.abs(steps - nearest) <= np.maximum(1e-9, 1e-15 * np.abs(steps))
        count = np.where(close, nearest, toward(steps))
        return np.asarray(np.round(count * self.grid, self.decimals) + 0.0)

    def snap(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        """Move both ends outwards to multiples of the grid; everything, if a missing value is in."""
        unknown = np.asarray(hi) >= self.missing_address
        least = self._down(np.array([self.low]))[0]
        return (
            np.where(unknown, least, self._down(np.asarray(lo, dtype=float))),
            np.where(unknown, self.missing_address, self._up(np.asarray(hi, dtype=float))),
        )

    def at_level(self, values: Floats, level: int) -> tuple[Floats, Floats]:
        """Return the bin of each value: the grid itself, then each width of `steps`, then all."""
        if level == 0:
            return self.snap(values, values)
        last = self.missing_address if self.missing else self.high
        everything = self.snap(np.full_like(values, self.low), np.full_like(values, last))
        if level >= self.height:
            return everything
        # bins are counted on the grid: a bin that began inside a cell would tear the cell's values apart
        width, start = self.steps[level - 1], self._down(np.array([self.low]))[0]
        own = self.snap(values, values)
        lo = start + np.floor((own[0] - start) / width + 1e-9) * width
        box = self.snap(lo, np.minimum(lo + width - self.grid, self.high))
        # a value between two multiples of the grid is published between them, whatever its bin
        lo, hi = np.minimum(box[0], own[0]), np.maximum(box[1], own[1])
        unknown = values >= self.missing_address
        return np.where(unknown, everything[0], lo), np.where(unknown, self.missing_address, hi)

    def cost(self, lo: Floats, hi: Floats, measure: Measure = "leaves") -> Floats:  # noqa: ARG002
        """Return width over range, at most 1; both measures agree on numbers."""
        return _line_cost(lo, hi, self.span, self.missing_address)

    def bounds(self, lo: Floats, hi: Floats) -> tuple[list[str], list[str]]:
        """Return both ends as decimals of the grid, ``*`` for everything."""
        unknown = hi >= self.missing_address
        return self._texts(lo, unknown), self._texts(hi, unknown)

    def _texts(self, values: Floats, unknown: NDArray[np.bool_]) -> list[str]:
        return [
            ROOT if star else f"{value:.{self.decimals}f}"
            for value, star in zip(values.tolist(), unknown.tolist(), strict=True)
        ]


@dataclass(frozen=True)
class Order:
    """Labels in a meaningful order; any run of them may be published.

    Examples
    --------
    >>> import numpy as np
    >>> rank = Order(("low", "mid", "high"))
    >>> rank.cost(np.array([0.0]), np.array([1.0]))
    array([0.5])
    >>> rank.bounds(np.array([0.0]), np.array([1.0]))
    (['low'], ['mid'])
    """

    labels: tuple[str, ...]
    missing: bool = False

    def __post_init__(self) -> None:
        if not self.labels or len(set(self.labels)) < len(self.labels) or ROOT in self.labels:
            what = "an order lists each label once, at least one, and not '*'"
            raise InputProblem(Problem(what=what))

    @property
    def height(self) -> int:
        """A label, or everything."""
        return 1

    @property
    def span(self) -> float:
        """The denominator of losses: steps from the first label to the last."""
        return float(len(self.labels) - 1)

    @property
    def missing_address(self) -> float:
        """One rank past the last label."""
        return float(len(self.labels))

    def snap(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        """Return the run itself, or everything if a missing value is in it."""
        unknown = np.asarray(hi) >= self.missing_address
        return np.where(unknown, 0.0, lo), np.where(unknown, self.missing_address, hi)

    def at_level(self, values: Floats, level: int) -> tuple[Floats, Floats]:
        """Return each label, or everything from level 1 on."""
        if level == 0:
            return self.snap(values, values)
        last = self.missing_address if self.missing else self.span
        return np.zeros_like(values), np.full_like(values, last)

    def cost(self, lo: Floats, hi: Floats, measure: Measure = "leaves") -> Floats:  # noqa: ARG002
        """Return steps covered over steps there are; both measures agree on orders."""
        return _line_cost(lo, hi, self.span, self.missing_address)

    def bounds(self, lo: Floats, hi: Floats) -> tuple[list[str], list[str]]:
        """Return the first and last label of each run, ``*`` for everything."""
        names = (*self.labels, ROOT)
        unknown = hi >= self.missing_address
        first = np.where(unknown, self.missing_address, lo).astype(int).tolist()
        return [names[i] for i in first], [names[i] for i in hi.astype(int).tolist()]


def _line_cost(lo: Floats, hi: Floats, span: float, missing_address: float) -> Floats:
    width = np.minimum((hi - lo) / span, 1.0) if span > 0 else np.zeros_like(hi)
    return np.asarray(np.where(hi >= missing_address, 1.0, width))


@dataclass(frozen=True)
class Tree:
    """A generalization hierarchy, given as rows ``value, parent, ..., root`` of equal length.

    A value's address is the rank of its leaf in tree order. `given` tells a hierarchy that the
    custodian made (it may be published) from the flat one that stands in where there is none
    (its leaves are the values that occur, so it is never published).

    Raises
    ------
    InputProblem
        If rows differ in length, a value stands twice, the root differs between rows, or an inner
        label stands for two sets of leaves; every problem is listed.

    Examples
    --------
    >>> import numpy as np
    >>> work = Tree((("Fed", "Gov", "*"), ("Local", "Gov", "*"), ("Corp", "Priv", "*")))
    >>> work.leaves
    ('Fed', 'Local', 'Corp')
    >>> box = work.snap(np.array([0.0]), np.array([1.0]))
    >>> work.bounds(*box)[0], work.cost(*box, "height")
    (['Gov'], array([0.5]))
    """

    rows: tuple[tuple[str, ...], ...]
    missing: bool = False
    given: bool = True
    leaves: tuple[str, ...] = field(init=False, repr=False, compare=False)
    labels: tuple[str, ...] = field(init=False, repr=False, compare=False)
    nodes: Ints = field(init=False, repr=False, compare=False)
    first: Ints = field(init=False, repr=False, compare=False)
    last: Ints = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        problems = list(_tree_problems(self.rows))
        if self.missing and not problems and len(self.rows[0]) == 1:
            problems.append(Problem(what="a hierarchy of one label has no root above a missing value",
                                    fix="end its line in '*'"))
        if problems:
            raise InputProblem(problems)
        ordered = sorted(self.rows, key=lambda row: row[::-1])
        set_ = object.__setattr__
        set_(self, "leaves", tuple(row[0] for row in ordered))
        nodes, labels = _number_nodes(ordered, missing=self.missing)
        set_(self, "nodes", nodes)
        set_(self, "labels", labels)
        first = np.full(len(labels), len(nodes), dtype=np.int64)
        last = np.full(len(labels), -1, dtype=np.int64)
        ranks = np.repeat(np.arange(len(nodes)), nodes.shape[1])
        np.minimum.at(first, nodes.ravel(), ranks)
        np.maximum.at(last, nodes.ravel(), ranks)
        set_(self, "first", first)
        set_(self, "last", last)

    @classmethod
    def flat(cls, values: Iterable[str], *, missing: bool = False) -> Tree:
        """Return the tree that knows no groups: every value under the root."""
        rows = tuple((value, ROOT) for value in sorted(set(values)))
        return cls(rows or ((ROOT, ROOT),), missing=missing, given=False)

    @property
    def height(self) -> int:
        """Edges from a leaf to the root."""
        return int(self.nodes.shape[1]) - 1

    @property
    def root(self) -> str:
        """The label that stands for everything."""
        return self.rows[0][-1]

    @property
    def missing_address(self) -> float:
        """The leaf past the declared ones."""
        return float(len(self.leaves))

    def addresses(self) -> dict[str, int]:
        """Return the address of every declared value."""
        return {leaf: rank for rank, leaf in enumerate(self.leaves)}

    def common_node(self, lo: Floats, hi: Floats) -> Ints:
        """Return the lowest common ancestor of both ends of each interval."""
        a, b = self.nodes[np.asarray(lo, dtype=np.intp)], self.nodes[np.asarray(hi, dtype=np.intp)]
        level = np.argmax(a == b, axis=-1)
        return np.asarray(np.take_along_axis(a, level[..., None], axis=-1)[..., 0])

    def snap(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        """Widen each interval to the leaves of its lowest common ancestor."""
        node = self.common_node(lo, hi)
        return self.first[node].astype(float), self.last[node].astype(float)

    def at_level(self, values: Floats, level: int) -> tuple[Floats, Floats]:
        """Return the leaves of each value's ancestor `level` edges up."""
        node = self.nodes[np.asarray(values, dtype=np.intp), min(level, self.height)]
        return self.first[node].astype(float), self.last[node].astype(float)

    def cost(self, lo: Floats, hi: Floats, measure: Measure = "leaves") -> Floats:
        """Return the share of the declared leaves under each node, or its share of the height."""
        return self.node_costs(measure)[self.common_node(lo, hi)]

    def node_costs(self, measure: Measure) -> Floats:
        """Return the cost of publishing each node, 0 for a leaf and 1 for the root."""
        if measure == "height":
            level = np.zeros(len(self.labels))
            # a node on several levels is one label repeated as padding: its lowest level counts
            for height in range(self.height, 0, -1):
                level[self.nodes[:, height]] = height
            level[self.nodes[:, 0]] = 0
            return level / max(self.height, 1)
        covered = np.minimum(self.last + 1, len(self.leaves)) - np.minimum(self.first, len(self.leaves))
        share = covered / max(len(self.leaves), 1)
        share[self.nodes[:, 0]] = 0.0
        return np.asarray(share)

    def bounds(self, lo: Floats, hi: Floats) -> tuple[list[str], list[str]]:
        """Return each node's label, twice; a missing value is the empty text."""
        names = [self.labels[node] for node in self.common_node(lo, hi).tolist()]
        return names, names


def _tree_problems(rows: Sequence[tuple[str, ...]]) -> Iterable[Problem]:
    if not rows:
        yield Problem(what="a hierarchy needs at least one value")
        return
    depth = len(rows[0])
    uneven = [row[0] for row in rows if len(row) != depth]
    if uneven:
        named = ", ".join(f"'{value}'" for value in uneven[:5])
        what = f"uneven hierarchy: {named} has another number of levels than '{rows[0][0]}'"
        yield Problem(what=what, allowed="one line a value, every line with the same number of labels",
                      fix="repeat a label to fill the missing levels")
        return
    if len({row[-1] for row in rows}) > 1:
        yield Problem(what="the lines of the hierarchy do not end in one root",
                      allowed="the same last label, '*', in every line")
    seen: set[str] = set()
    for row in rows:
        if row[0] in seen:
            yield Problem(what=f"value '{row[0]}' stands under two parents or in two lines",
                          allowed="one line a value")
        if row[0] == "":
            yield Problem(what="a hierarchy line begins with an empty value",
                          fix="leave it out; missing values have a place of their own")
        elif not all(row):
            yield Problem(what=f"a label above '{row[0]}' is empty",
                          allowed="a label on every level; the empty text stands for a missing value",
                          fix="repeat a label to fill a missing level")
        seen.add(row[0])
    yield from _label_problems(rows)


def _label_problems(rows: Sequence[tuple[str, ...]]) -> Iterable[Problem]:
    """Find labels that stand for more than one set of leaves, at whatever levels they are written."""
    levels = list(zip(*rows, strict=True))
    for labels, above in pairwise(levels[1:]):
        parents = Counter(label for label, _ in set(zip(labels, above, strict=True)))
        for label in sorted(label for label, number in parents.items() if number > 1):
            yield Problem(what=f"label '{label}' stands under two parents",
                          allowed="one place in the tree for each label")
    on_levels = Counter(label for labels in levels for label in set(labels))
    members: dict[str, dict[int, set[str]]] = {label: {} for label, number in on_levels.items() if number > 1}
    for level, labels in enumerate(levels if members else ()):
        for label, leaf in zip(labels, levels[0], strict=True):
            if label in members:
                members[label].setdefault(level, set()).add(leaf)
    for label, sets in sorted(members.items()):
        first, *others = sets.values()
        if any(other != first for other in others):
            yield Problem(what=f"label '{label}' stands for two different sets of values",
                          allowed="one set of values for each label; repeat a label only as padding")


def _number_nodes(ordered: Sequence[tuple[str, ...]], *, missing: bool) -> tuple[Ints, tuple[str, ...]]:
    """Give each node a number, level by level; a label repeated as padding is a node each time."""
    height = len(ordered[0]) - 1
    columns: list[Ints] = []
    labels: list[str] = []
    for level in range(height + 1):
        keys = [row[level:] for row in ordered]
        changes = np.array([i == 0 or keys[i] != keys[i - 1] for i in range(len(keys))])
        columns.append(len(labels) + np.cumsum(changes) - 1)
        labels += [key[0] for key, new in zip(keys, changes.tolist(), strict=True) if new]
    nodes = np.stack(columns, axis=1).astype(np.int64)
    if missing:
        # its own leaf, and from there straight to the root
        own = np.full((1, height + 1), len(labels), dtype=np.int64)
        if height:
            own[0, height] = nodes[0, height]
        labels.append("")
        nodes = np.concatenate([nodes, own])
    return nodes, tuple(labels)


class Lines(NamedTuple):
    """The domains of a graph as flat arrays, for kernels.

    For attribute j: `is_tree[j]`; on a line of numbers or ranks, cost is ``(hi - lo) / span[j]``
    (0 where the span is 0, at most 1), and 1 from `past[j]` on. In a tree, leaf r has the nodes
    ``nodes[offset[j] + r, 0 … height[j]]`` from itself to the root, and publishing node v costs
    ``node_cost[v]``.
    """

    is_tree: NDArray[np.bool_]
    span: Floats
    past: Floats
    offset: Ints
    height: Ints
    nodes: Ints
    node_cost: Floats


def pack(domains: Sequence[Domain], measure: Measure = "height") -> Lines:
    """Return the domains as the arrays that kernels read."""
    deepest = max((d.height for d in domains if isinstance(d, Tree)), default=0)
    is_tree, span, past, offset, height = [], [], [], [], []
    nodes, costs = [np.empty((0, deepest + 1), dtype=np.int64)], [np.empty(0)]
    for domain in domains:
        tree = domain if isinstance(domain, Tree) else None
        is_tree.append(tree is not None)
        span.append(0.0 if tree else domain.span)  # type: ignore[attr-defined]
        past.append(domain.missing_address)
        offset.append(sum(map(len, nodes)))
        height.append(tree.height if tree else 1)
        if tree:
            own = tree.nodes + sum(map(len, costs))
            wide = np.concatenate([own, np.repeat(own[:, -1:], deepest - tree.height, axis=1)], axis=1)
            nodes.append(wide)
            costs.append(tree.node_costs(measure))
    return Lines(
        np.array(is_tree, dtype=bool), np.array(span, dtype=float), np.array(past, dtype=float),
        np.array(offset, dtype=np.int64), np.array(height, dtype=np.int64),
        np.concatenate(nodes), np.concatenate(costs),
    )
