"""The one input type: people in rows, ties in a sparse matrix. A table is a graph without ties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphanon.domain import Domain, Floats, Range
from graphanon.errors import InputProblem, Problem
from graphanon.notebook import card
from graphanon.schema import Schema

__all__ = ["AttributedGraph", "Distinct", "Nominal", "no_ties", "symmetric_ties"]

Ints = NDArray[np.int64]


class Nominal(NamedTuple):
    """A column of text: `labels` sorted, `codes` int64[n] into them; a missing cell is the label ``""``."""

    codes: Ints
    labels: tuple[str, ...]


class Distinct(NamedTuple):
    """The distinct rows of quasi-identifiers, how often each occurs, and which one each person has."""

    points: Floats
    multiplicity: Ints
    inverse: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class AttributedGraph:
    """Quasi-identifiers as addresses, what is published beside them, and who is tied to whom.

    `values` is float64[n, q], one address per closed domain of the schema. `ties` is a symmetric 0/1
    CSR matrix without loops. `arcs` is the 0/1 matrix of directed ties, if the graph is directed; then
    ``ties`` is its union with its transpose. `weights` has the pattern of `arcs`, or of `ties`.
    `wishes` holds each person's own k, if asked. Identifiers never enter.

    Raises
    ------
    InputProblem
        If the shapes do not fit together, a value is no address, the ties are not symmetric or hold loops,
        or the arcs are not those of the ties.

    Examples
    --------
    >>> import numpy as np
    >>> from graphanon.domain import Range
    >>> from graphanon.schema import Column, Role, Schema
    >>> schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(0, 99)),))
    >>> graph = AttributedGraph(schema=schema, values=np.array([[31.0], [33.0]]),
    ...                         ties=symmetric_ties(2, np.array([0]), np.array([1])))
    >>> graph
    AttributedGraph(2 people, 1 ties, 1 quasi-identifiers)
    """

    schema: Schema
    values: Floats
    ties: sparse.csr_array
    payload: Mapping[str, Nominal] = field(default_factory=dict)
    arcs: sparse.csr_array | None = None
    weights: sparse.csr_array | None = None
    wishes: Ints | None = None
    has_ties: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "payload", MappingProxyType(dict(self.payload)))
        problem = self._problem()
        if problem:
            raise InputProblem(Problem(what=problem))

    def _problem(self) -> str | None:
        n, q = self.values.shape
        if q != len(self.schema.quasi):
            return f"{q} columns of values for {len(self.schema.quasi)} quasi-identifiers"
        if not np.isfinite(self.values).all():
            return "values must be finite addresses"
        if any(self._strays(j, column.domain) for j, column in enumerate(self.schema.quasi)):
            return "a value of a tree or an order is the rank of a leaf or label"
        if self.wishes is not None and self.wishes.shape != (n,):
            return f"{self.wishes.size} wishes for {n} people"
        if any(len(column.codes) != n for column in self.payload.values()):
            return "every payload column needs one value a person"
        return self._tie_problem(n)

    def _strays(self, j: int, domain: Domain | None) -> bool:
        if domain is None or isinstance(domain, Range):
            return False
        ranks = self.values[:, j]
        most = domain.missing_address - (0 if domain.missing else 1)
        return bool(((ranks < 0) | (ranks > most) | (ranks % 1 != 0)).any())

    def _tie_problem(self, n: int) -> str | None:
        for name, matrix in (("ties", self.ties), ("arcs", self.arcs), ("weights", self.weights)):
            if matrix is not None and matrix.shape != (n, n):
                return f"{name} of shape {matrix.shape} for {n} people"
        if self.ties.diagonal().any() or (self.ties.data != 1).any() or not _symmetric(self.ties):
            return "ties must be symmetric, 0 or 1, without loops"
        if self.arcs is not None and not self._arcs_fit(self.arcs):
            return "arcs are 0 or 1, without loops, and the ties are the arcs and their reverse"
        return None

    def _arcs_fit(self, arcs: sparse.csr_array) -> bool:
        pairs = sparse.csr_array(arcs + arcs.T)
        pairs.data = np.minimum(pairs.data, 1)
        return bool((arcs.data == 1).all()) and not arcs.diagonal().any() and (pairs != self.ties).nnz == 0

    def __repr__(self) -> str:
        return f"AttributedGraph({self.n} people, {self.n_ties} ties, {self.q} quasi-identifiers)"

    def _repr_html_(self) -> str:
        ties = [("ties", self.n_ties), ("directed", self.directed)] if self.has_ties else []
        columns = [(column.name, column.role.value) for column in self.schema.columns]
        return card("People and ties" if self.has_ties else "People", [("people", self.n), *ties, *columns])

    @property
    def n(self) -> int:
        """Number of people."""
        return len(self.values)

    @property
    def q(self) -> int:
        """Number of quasi-identifiers."""
        return int(self.values.shape[1])

    @property
    def n_ties(self) -> int:
        """Number of tied pairs."""
        return int(self.ties.nnz) // 2

    @property
    def directed(self) -> bool:
        """Whether ties have a direction."""
        return self.arcs is not None

    @property
    def domains(self) -> tuple[Domain, ...]:
        """The line of each quasi-identifier."""
        return self.schema.domains

    def distinct(self) -> Distinct:
        """Return people with equal quasi-identifiers as one weighted point each."""
        # one whole number a row sorts much faster than rows, and in the same order
        key, size = np.zeros(self.n, dtype=np.int64), 1
        for column in self.values.T:
            line, place = np.unique(column, return_inverse=True)
            if size * len(line) >= 2**62:
                key = np.unique(key, return_inverse=True)[1].reshape(-1)
                size = int(key.max(initial=0)) + 1
            key, size = key * len(line) + place.reshape(-1), size * len(line)
        _, first, inverse, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        return Distinct(self.values[first], count.astype(np.int64), inverse.reshape(-1).astype(np.int64))

    def take(self, rows: Ints) -> AttributedGraph:
        """Return the graph of these people, in this order, with the ties among them."""

        def cut(matrix: sparse.csr_array | None) -> sparse.csr_array | None:
            return None if matrix is None else sparse.csr_array(matrix[rows][:, rows])

        return AttributedGraph(
            schema=self.schema,
            values=self.values[rows],
            ties=sparse.csr_array(self.ties[rows][:, rows]),
            payload={name: Nominal(c.codes[rows], c.labels) for name, c in self.payload.items()},
            arcs=cut(self.arcs),
            weights=cut(self.weights),
            wishes=None if self.wishes is None else self.wishes[rows],
            has_ties=self.has_ties,
        )


def _symmetric(ties: sparse.csr_array) -> bool:
    """Tell whether the pattern of a matrix is its own mirror image."""
    pattern = sparse.csr_array((np.ones(ties.nnz, dtype=np.int8), ties.indices, ties.indptr), shape=ties.shape)
    if not ties.has_sorted_indices:
        pattern = pattern.copy()
        pattern.sort_indices()
    mirrored = sparse.csr_array(pattern.T)
    return bool((mirrored.indptr == pattern.indptr).all() and (mirrored.indices == pattern.indices).all())


def no_ties(n: int) -> sparse.csr_array:
    """Return the ties of `n` people of whom no two are tied."""
    return sparse.csr_array((n, n), dtype=np.int64)


def symmetric_ties(n: int, source: Ints, target: Ints) -> sparse.csr_array:
    """Return the 0/1 matrix in which each pair of ends is tied both ways; loops and repeats vanish."""
    apart = source != target
    # small numbers on the way: ten million ties are twice as many entries
    kind: Any = np.int32 if n < 2**31 else np.int64
    here, there = source.astype(kind)[apart], target.astype(kind)[apart]
    ends = np.concatenate([here, there]), np.concatenate([there, here])
    matrix = sparse.coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(n, n)).tocsr()
    matrix.sort_indices()
    ones = np.ones(len(matrix.indices), dtype=np.int64)
    return sparse.csr_array((ones, matrix.indices, matrix.indptr), shape=(n, n))
