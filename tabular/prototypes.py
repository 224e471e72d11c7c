"""Mixed records, their prototypes, and Lloyd's alternation between the two.

A record X = (x_1 ... x_p | x_p+1 ... x_d) has p numbers and q = d - p categories, a prototype V likewise: the means and
the modes of its cluster. They lie

    d(X, V) = sum of w_l (x_l - v_l)² over the numbers + sum of w_l [x_l differs from v_l] over the categories

apart. With weights of 1 and eta that is K-Prototypes (Z. Huang, Extensions to the k-Means Algorithm for Clustering
Large Data Sets with Categorical Values, 1998). :func:`lloyd` assigns every record to the nearest prototype and makes the
prototypes those of their clusters, in turn, until nothing moves; neither step raises the cost, the sum of all
distances. A cluster that nobody is in begins anew with the record that lies farthest from its prototype.

Equal records are one point with a weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphanon.density import batches
from graphanon.domain import Floats
from graphanon.errors import InputProblem, Problem
from graphanon.progress import advance

if TYPE_CHECKING:
    from graphanon.kernels.prototypes import Centres, Rows

__all__ = [
    "Clustering", "Prototypes", "Records", "Weights", "assigned", "at", "centres_of", "check_clusters", "completed",
    "default_eta", "distinct", "lloyd", "prototypes_of", "records_from", "rows_of", "spread", "weights_for",
]

Ints = NDArray[np.int64]
Missing = Literal["error", "mean", "drop"]
Update = Literal["batch", "record"]
Price = Literal["mode", "frequency"]
_PATIENCE = 5  # rounds without a lower cost, where a round may raise it


@dataclass(frozen=True, eq=False)
class Records:
    """Mixed records as arrays.

    `numbers` is float64[n, p], each on a scale of its own, usually [0, 1]; `codes` int64[n, q] the categories, those
    of attribute f from 0 to ``sizes[f]`` - 1; ``weight[v]`` int64[n] people have record v.

    Raises
    ------
    InputProblem
        If shapes do not fit together, a number is missing or infinite, or a code is none.
    """

    numbers: Floats
    codes: Ints
    sizes: tuple[int, ...]
    weight: Ints

    def __post_init__(self) -> None:
        n, q = len(self.numbers), len(self.sizes)
        problems = []
        if self.numbers.ndim != 2 or self.codes.shape != (n, q) or self.weight.shape != (n,):
            problems.append(Problem(what=f"numbers of shape {self.numbers.shape} for codes of shape {self.codes.shape}, "
                                         f"{q} attributes and weights of shape {self.weight.shape}"))
        elif ((self.codes < 0) | (self.codes >= np.array(self.sizes, dtype=np.int64))).any():
            problems.append(Problem(what="a category is numbered beyond the values of its attribute"))
        if not np.isfinite(self.numbers).all():
            problems.append(Problem(what="a number is missing or infinite", fix='missing="mean" or missing="drop"'))
        if problems:
            raise InputProblem(problems)

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"Records({self.n} people, {self.numbers.shape[1]} numbers, {len(self.sizes)} categories)"

    @property
    def n(self) -> int:
        """Number of people."""
        return int(self.weight.sum())

    def take(self, rows: Any) -> Records:
        """Return these records."""
        return Records(self.numbers[rows], self.codes[rows], self.sizes, self.weight[rows])


@dataclass(frozen=True, eq=False)
class Prototypes:
    """Prototypes of K clusters: `numbers` float64[K, p] and `codes` int64[K, q]."""

    numbers: Floats
    codes: Ints

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"Prototypes({len(self)} of {self.numbers.shape[1]} numbers and {self.codes.shape[1]} categories)"


class Weights(NamedTuple):
    """What differences count: float64[p] for the squares of numbers, float64[q] for categories."""

    numbers: Floats
    categories: Floats


@dataclass(frozen=True, eq=False)
class Clustering:
    """Who is nearest to which prototype: `labels` int64[n], 0 to K - 1, some of which nobody may have.

    ``gaps[v]`` is how far record v lies from its prototype, `cost` the sum over people, and `costs` what it was after each
    assignment, the last one at the end.
    """

    labels: Ints
    gaps: Floats
    prototypes: Prototypes
    cost: float
    costs: tuple[float, ...]

    def __repr__(self) -> str:
        return f"Clustering({len(self.labels)} records, {self.prototypes!r}, cost {self.cost:.6g})"

    @property
    def iterations(self) -> int:
        """How often everyone was assigned."""
        return len(self.costs)


def records_from(
    numbers: ArrayLike | None = None, categories: ArrayLike | None = None, *, missing: Missing = "error"
) -> Records:
    """Return the records of two tables, numbers (NaN where missing) and categories of any kind.

    Numbers stay on their scale. A missing number is refused, takes the mean of its column, or its record is dropped; a
    missing category (None, NaN, an empty text) is a value of its own. Values are numbered in sorted order.

    Raises
    ------
    InputProblem
        If there are no columns, their lengths differ, or a number is missing where that is an error.

    Examples
    --------
    >>> records_from([[0.5, 1.0], [0.2, 0.0]], [["a"], ["b"]])
    Records(2 people, 2 numbers, 1 categories)
    """
    tables = [np.asarray(table) for table in (numbers, categories) if table is not None]
    if not tables or any(table.ndim != 2 for table in tables) or len({len(table) for table in tables}) > 1:
        raise InputProblem(Problem(what="records need a table of numbers or of categories, one line a record in each"))
    n = len(tables[0])
    known = np.asarray(numbers, dtype=float) if numbers is not None else np.empty((n, 0))
    texts = np.asarray(categories, dtype=object) if categories is not None else np.empty((n, 0), dtype=object)
    keep = np.ones(n, dtype=bool)
    if missing == "drop":
        keep = ~np.isnan(known).any(axis=1)
    elif missing == "mean":
        known = completed(known)
    lines = [np.unique([_text(cell) for cell in column], return_inverse=True) for column in texts[keep].T]
    codes = np.array([line[1].reshape(-1) for line in lines], dtype=np.int64).reshape(len(lines), int(keep.sum())).T
    return Records(known[keep], codes.copy(), tuple(len(line[0]) for line in lines), np.ones(keep.sum(), dtype=np.int64))


def _text(cell: object) -> str:
    return "" if cell is None or cell != cell else str(cell)  # noqa: PLR0124  only NaN differs from itself


def completed(numbers: Floats) -> Floats:
    """Return the numbers with the mean of its column for each that is missing, 0 where all are."""
    unknown = np.isnan(numbers)
    known = np.maximum((~unknown).sum(axis=0), 1)
    return np.where(unknown, np.where(unknown, 0.0, numbers).sum(axis=0) / known, numbers)


def distinct(records: Records) -> tuple[Records, Ints]:
    """Return every different record once, with its weight, in order of first appearance, and which one each is."""
    # whole numbers sort much faster than rows
    key, size = np.zeros(len(records), dtype=np.int64), 1
    for column in (*records.codes.T, *records.numbers.T):
        line, place = np.unique(column, return_inverse=True)
        if size * len(line) >= 2**62:
            key = np.unique(key, return_inverse=True)[1].reshape(-1)
            size = int(key.max(initial=0)) + 1
        key, size = key * len(line) + place.reshape(-1), size * len(line)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    inverse = rank[inverse.reshape(-1)]
    first = first[order]
    weight = np.bincount(inverse, weights=records.weight, minlength=len(first)).astype(np.int64)
    return Records(records.numbers[first], records.codes[first], records.sizes, weight), inverse


def check_clusters(records: Records, clusters: int) -> None:
    """Refuse a number of clusters that these records cannot have.

    Raises
    ------
    InputProblem
        If there are no records, or `clusters` is not from 1 to their number.
    """
    if not records.n:
        raise InputProblem(Problem(what="there are no records to cluster"))
    if not 1 <= clusters <= records.n:
        what = f"{clusters} clusters were asked of {records.n} records"
        raise InputProblem(Problem(what=what, allowed=f"from 1 to {records.n}", fix="--clusters K, or clusters=K"))


def default_eta(records: Records) -> float:
    """Return the weight of a category: half the mean standard deviation of the numbers, 1 where they do not differ.

    Source: half the deviation is the choice of the library kmodes; Huang (1998) suggests the deviation as guidance.
    """
    if not records.numbers.shape[1]:
        return 1.0
    mean = np.average(records.numbers, axis=0, weights=records.weight)
    deviation = np.sqrt(np.average((records.numbers - mean) ** 2, axis=0, weights=records.weight))
    return float(0.5 * deviation.mean()) or 1.0


def weights_for(records: Records, eta: float | None = None) -> Weights:
    """Return the weights of K-Prototypes: 1 for numbers, `eta` for categories (left out: the default)."""
    value = default_eta(records) if eta is None else float(eta)
    return Weights(np.ones(records.numbers.shape[1]), np.full(len(records.sizes), value))


def rows_of(records: Records) -> Rows:
    """Return records as kernels read them."""
    from graphanon.kernels.prototypes import Rows

    start = np.concatenate([[0], np.cumsum(records.sizes, dtype=np.int64)]).astype(np.int64)
    codes = np.ascontiguousarray(records.codes + start[:-1], dtype=np.int32)
    return Rows(np.ascontiguousarray(records.numbers, dtype=float), codes, start, records.weight.astype(np.int64))


def centres_of(prototypes: Prototypes, rows: Rows, weights: Weights) -> Centres:
    """Return prototypes as kernels read them, other categories than the mode at the price of their weight."""
    from graphanon.kernels.prototypes import Centres

    price = np.tile(np.repeat(weights.categories, np.diff(rows.start)), (len(prototypes), 1))
    np.put_along_axis(price, prototypes.codes + rows.start[:-1], 0.0, axis=1)
    return Centres(np.array(prototypes.numbers, dtype=float, order="C"), weights.numbers.astype(float), price)


def assigned(records: Records, prototypes: Prototypes, weights: Weights) -> tuple[Ints, Floats]:
    """Return the nearest prototype of every record, of equals the first, and how far it lies."""
    rows = rows_of(records)
    labels, gaps = np.full(len(records), -1, dtype=np.int64), np.empty(len(records))
    _assign(rows, centres_of(prototypes, rows, weights), labels, gaps)
    return labels, gaps


def _assign(rows: Rows, centres: Centres, labels: Ints, gaps: Floats) -> int:
    from graphanon.kernels.prototypes import assign

    changed, steps = 0, len(centres.numbers) * (rows.numbers.shape[1] + rows.codes.shape[1] + 1)
    for start, stop in batches(len(labels), steps):
        changed += assign(rows, centres, start, stop, labels, gaps)
        advance("assign to prototypes", stop, len(labels))
    return changed


class _Tally(NamedTuple):
    """People, sums of numbers and counts of values of each cluster."""

    people: Ints
    sums: Floats
    counts: Ints


def _tally(rows: Rows, labels: Ints, clusters: int) -> _Tally:
    from graphanon.kernels.prototypes import tally

    found = _Tally(np.zeros(clusters, dtype=np.int64), np.zeros((clusters, rows.numbers.shape[1])),
                   np.zeros((clusters, int(rows.start[-1])), dtype=np.int64))
    tally(rows, labels, 0, len(labels), *found)
    return found


def _described(rows: Rows, found: _Tally, old: Prototypes) -> Prototypes:
    """Return means and modes, of equals the first value; a cluster of nobody keeps what it had."""
    there = found.people > 0
    numbers, codes = old.numbers.copy(), old.codes.copy()
    numbers[there] = found.sums[there] / found.people[there, None]
    for f in range(len(rows.start) - 1):
        codes[there, f] = found.counts[there, rows.start[f] : rows.start[f + 1]].argmax(axis=1)
    return Prototypes(numbers, codes)


def prototypes_of(records: Records, labels: Ints, clusters: int) -> Prototypes:
    """Return the means and modes of clusters, none of which may be empty."""
    rows = rows_of(records)
    empty = Prototypes(np.zeros((clusters, rows.numbers.shape[1])), np.zeros((clusters, len(records.sizes)), dtype=np.int64))
    return _described(rows, _tally(rows, labels, clusters), empty)


def lloyd(
    records: Records,
    start: Prototypes,
    weights: Weights,
    *,
    update: Update = "batch",
    price: Price = "mode",
    max_iter: int = 100,
) -> Clustering:
    """Return where assigning records and describing clusters in turn ends, from prototypes to start with.

    `update` says when a prototype follows its records: after all have been assigned, or at once after each one (Huang).
    With the `price` "frequency" a category costs its weight times the share of the cluster that has another value; then
    a round may raise the cost, and the best one is returned.
    """
    search = _Search(records, start, weights, price)
    if update == "record":
        search.settle(max_iter)
    else:
        search.alternate(max_iter)
    return search.best


class _Search:
    """Records, the prototypes of the moment and who is nearest to which."""

    def __init__(self, records: Records, start: Prototypes, weights: Weights, price: Price) -> None:
        self.rows, self.weights, self.price = rows_of(records), weights, price
        self.prototypes = start
        self.centres = centres_of(start, self.rows, weights)
        self.labels, self.gaps = np.full(len(records), -1, dtype=np.int64), np.zeros(len(records))
        # products of whole numbers and fractions are slow
        self.people = records.weight.astype(float)
        self.costs: list[float] = []
        self.best = Clustering(self.labels, self.gaps, start, np.inf, ())

    def alternate(self, max_iter: int) -> None:
        """Assign and describe until nobody moves, or the cost falls no more."""
        patience = 1 if self.price == "mode" else _PATIENCE
        for step in range(max_iter):
            changed = _assign(self.rows, self.centres, self.labels, self.gaps) + self._refill()
            # 0 and 1 are other prices than frequencies
            fell = self._note() or (step == 1 and self.price == "frequency" and self._note(anew=True))
            patience = patience if fell else patience - 1
            if not changed or not patience:
                break
            self._describe()

    def settle(self, max_iter: int) -> None:
        """Let one record after the other go to its nearest prototype until nobody moves."""
        from graphanon.kernels.prototypes import settle

        found = _Tally(np.zeros(len(self.prototypes), dtype=np.int64), np.zeros(self.centres.numbers.shape),
                       np.zeros(self.centres.price.shape, dtype=np.int64))
        n, steps = len(self.labels), self.centres.price.size + self.centres.numbers.size
        for _ in range(max_iter):
            moved = sum(settle(self.rows, self.centres, self.weights.categories, start, stop, self.labels, *found)
                        for start, stop in batches(n, steps))
            advance("settle at prototypes", n - moved, n)
            if not moved and (found.people > 0).all():
                break
            if not (found.people > 0).all() and not self._restart(found):
                break
        self.prototypes = _described(self.rows, found, self.prototypes)
        self.centres = centres_of(self.prototypes, self.rows, self.weights)
        _assign(self.rows, self.centres, self.labels, self.gaps)
        self._note()

    def _restart(self, found: _Tally) -> bool:
        """Begin clusters of nobody anew and count again; return whether any record was there to do so."""
        labels = self.labels.copy()
        self.prototypes = _described(self.rows, found, self.prototypes)
        self.centres = centres_of(self.prototypes, self.rows, self.weights)
        _assign(self.rows, self.centres, labels, self.gaps)
        self.labels[:] = labels
        begun = self._refill()
        for part, anew in zip(found, _tally(self.rows, self.labels, len(self.prototypes)), strict=True):
            part[:] = anew
        return bool(begun)

    def _describe(self) -> None:
        found = _tally(self.rows, self.labels, len(self.prototypes))
        self.prototypes = _described(self.rows, found, self.prototypes)
        self.centres = centres_of(self.prototypes, self.rows, self.weights)
        if self.price == "frequency":
            there = found.people > 0
            share = found.counts[there] / found.people[there, None]
            self.centres.price[there] = np.repeat(self.weights.categories, np.diff(self.rows.start)) * (1 - share)

    def _refill(self) -> int:
        """Let each cluster of nobody begin anew with the record farthest from its prototype; return how many did."""
        records = np.bincount(self.labels, minlength=len(self.prototypes))
        empty = np.flatnonzero(records == 0)
        begun = 0
        for c in empty.tolist():
            far = np.where(records[self.labels] > 1, self.gaps, 0.0)
            v = int(np.argmax(far))
            if far[v] <= 0:
                break
            records[self.labels[v]] -= 1
            records[c] = 1
            self.labels[v], self.gaps[v] = c, 0.0
            self._place(c, v)
            begun += 1
        return begun

    def _place(self, c: int, v: int) -> None:
        """Put prototype `c` on record `v`."""
        numbers, codes = self.prototypes.numbers.copy(), self.prototypes.codes.copy()
        numbers[c], codes[c] = self.rows.numbers[v], self.rows.codes[v] - self.rows.start[:-1]
        self.prototypes = Prototypes(numbers, codes)
        self.centres.numbers[c] = numbers[c]
        self.centres.price[c] = np.repeat(self.weights.categories, np.diff(self.rows.start))
        self.centres.price[c, self.rows.codes[v]] = 0.0

    def _note(self, *, anew: bool = False) -> bool:
        """Keep this state if it is the best so far, or `anew` whatever came before; return whether it is."""
        cost = float((self.people * self.gaps).sum())
        if not anew:
            self.costs.append(cost)
        better = anew or cost < self.best.cost * (1 - 1e-12) or not np.isfinite(self.best.cost)
        if better:
            self.best = Clustering(self.labels.copy(), self.gaps.copy(), self.prototypes, cost, tuple(self.costs))
        return better


def spread(records: Records, clusters: int, weights: Weights, rng: np.random.Generator) -> Ints:
    """Return records to start from: far from each other, drawn in proportion to their distance to those before.

    Of several candidates the one is taken that lowers the sum of all distances most. Fewer are returned if there are
    fewer different records. Source: D. Arthur and S. Vassilvitskii, k-means++: The Advantages of Careful Seeding, 2007.
    """
    rows, n, people = rows_of(records), len(records), records.weight.astype(float)
    tries = 2 + int(np.log(clusters)) if clusters <= _FEW else 1
    chosen: list[int] = []
    gaps = np.full(n, np.inf)
    for _ in range(clusters):
        heap = np.cumsum(people * gaps if chosen else people)
        if heap[-1] <= 0:
            break
        candidates = np.searchsorted(heap, rng.random(tries) * heap[-1], side="right").clip(max=n - 1)
        closer = [_closer(records, rows, int(v), weights, gaps) for v in dict.fromkeys(candidates.tolist())]
        v, gaps = min(closer, key=lambda found: float((people * found[1]).sum()))
        chosen.append(v)
        advance("choose where to start", len(chosen), clusters)
    return np.array(chosen, dtype=np.int64)


_FEW = 64  # clusters for which several candidates are looked at


def _closer(records: Records, rows: Rows, v: int, weights: Weights, gaps: Floats) -> tuple[int, Floats]:
    from graphanon.kernels.prototypes import draw_near

    near = gaps.copy()
    draw_near(rows, centres_of(at(records, [v]), rows, weights), 0, near)
    return v, near


def at(records: Records, rows: Sequence[int] | Ints) -> Prototypes:
    """Return prototypes that are these records."""
    where = np.asarray(rows, dtype=np.int64)
    return Prototypes(records.numbers[where].copy(), records.codes[where].copy())
