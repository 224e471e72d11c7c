"""Moving people one by one to the class where the loss falls most, every class being tried.

What a move costs in ties is a matter of the rows of tie counts A of the two classes. With B the arcs between a
person and every class e of ``s`` people, the squares change by ``sum B²/s`` and ``sum A B / s``: the first is one number a
person, the second is counted for all classes at once by one walk over the ties of the classes that the person
is tied with. With ``sum A²/s`` kept for every class, trying one more class takes a few steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphanon.closeness import Index, Ints
from graphanon.domain import Floats
from graphanon.kernels.compiled import kernel
from graphanon.kernels.packed import LOW, Packed, both, dot, square, turned
from graphanon.kernels.refine_state import LINE, TABLE, State, attribute_move, move, price_of
from graphanon.kernels.rows import TOLERANCE

__all__ = ["Book", "book_of", "cells_by_joining", "dissolve", "lost_by_moving", "relocate", "visit", "weigh"]


class Book(NamedTuple):
    """What is known of the ties of every class, beside the state that knows the classes.

    ``squares[c]`` is the sum over the other classes of the squared arcs with them over their size, ``inside[c]`` the
    arcs inside. ``to``, ``row`` and ``cross`` are all 0 between calls; ``lost`` and ``cells`` are
    what was found last.
    """

    squares: Floats
    inside: Ints
    to: Packed
    row: Packed
    cross: Floats
    lost: Floats
    cells: Floats


def book_of(state: State) -> Book:
    """Return what is known of the ties of every class."""
    K = len(state.sizes)
    book = Book(
        np.zeros(K), np.zeros(K, dtype=np.int64), np.zeros(K, dtype=np.int64), np.zeros(K, dtype=np.int64),
        np.zeros(K), np.zeros(K), np.zeros(K),
    )
    weigh(state, book)
    return book


@kernel
def _count(state: State, c: Index, row: Packed) -> None:
    """Count the arcs between class `c` and every class, itself too, into `row`."""
    for i in range(state.start[c], state.start[c] + state.sizes[c]):
        v = state.pool[i]
        for at in range(state.crowd.indptr[v], state.crowd.indptr[v + 1]):
            e = state.labels[state.crowd.indices[at]]
            if e >= 0:
                row[e] += state.arcs[at]


@kernel
def _squared(state: State, book: Book, c: Index, sign: float) -> float:
    """Add class `c`, or with -1 take it, to the squares of the others; return its own. Clears the row."""
    row, total = book.row, 0.0
    _count(state, c, row)
    for i in range(state.start[c], state.start[c] + state.sizes[c]):
        v = state.pool[i]
        for at in range(state.crowd.indptr[v], state.crowd.indptr[v + 1]):
            e = state.labels[state.crowd.indices[at]]
            if e < 0 or row[e] == 0:
                continue
            if e == c:
                book.inside[c] = row[e] & LOW
            else:
                part = square(row[e])
                total += part / state.sizes[e]
                book.squares[e] += sign * part / state.sizes[c]
            row[e] = 0
    return total


@kernel
def weigh(state: State, book: Book) -> None:
    """Count the squares and the inner arcs of every class afresh."""
    book.inside[:] = 0
    for c in range(len(state.sizes)):
        book.squares[c] = _squared(state, book, c, 0.0)


@kernel
def _walk(state: State, book: Book, e: Index, w: int) -> None:
    """Add to ``cross`` of every class its arcs with class `e` times `w`, over the size of e."""
    for i in range(state.start[e], state.start[e] + state.sizes[e]):
        z = state.pool[i]
        for at in range(state.crowd.indptr[z], state.crowd.indptr[z + 1]):
            d = state.labels[state.crowd.indices[at]]
            if d >= 0 and d != e:
                book.cross[d] += dot(turned(state.arcs[at]), w) / state.sizes[e]


@kernel
def _within(arcs: float, size: int) -> float:
    return arcs * arcs / (size * (size - 1.0)) if size > 1 else 0.0


@kernel
def lost_by_moving(state: State, book: Book, v: Index) -> None:
    """Write to ``lost`` by how much the lost arcs rise if `v`, of class c, goes to each other class that has members."""
    crowd, to, row, lost, sizes = state.crowd, book.to, book.row, book.lost, state.sizes
    c = np.int64(state.labels[v])
    for at in range(crowd.indptr[v], crowd.indptr[v + 1]):
        e = state.labels[crowd.indices[at]]
        if e >= 0:
            to[e] += state.arcs[at]
    _count(state, c, row)
    own = 0.0
    for e in range(len(to)):
        if to[e]:
            _walk(state, book, e, to[e])
            own += square(to[e]) / sizes[e] if e != c else 0.0
    for d in range(len(lost)):
        lost[d] = 0.0
        if d != c and sizes[d]:
            lost[d] = _moved(
                sizes[c], sizes[d], book.squares[c], book.squares[d], book.inside[c], book.inside[d],
                book.cross[c], book.cross[d], row[d], to[c], to[d], own,
            )
    to[:] = 0
    row[:] = 0
    book.cross[:] = 0.0


@kernel
def _moved(
    size_c: int, size_d: int, squares_c: float, squares_d: float, inside_c: int, inside_d: int,
    cross_c: float, cross_d: float, across: int, here: int, there: int, own: float,
) -> float:
    """Return by how much the lost arcs rise if a person goes from class c to class d.

    `across` are the arcs from c to d, `here` and `there` those of the person with c and with d, `own` the sum of the
    person's squares. Plain numbers, since the loop over classes lives on this call.
    """
    n_c, n_d = float(size_c), float(size_d)
    between = square(across)
    rest_c, rest_d = squares_c - between / n_d, squares_d - between / n_c
    kept = rest_c / n_c + rest_d / n_d + between / (n_c * n_d) + _within(inside_c, size_c) + _within(inside_d, size_d)
    apart = own - square(there) / n_d
    rest_c += apart - 2.0 * (cross_c - dot(across, there) / n_d)
    rest_d += apart + 2.0 * (cross_d - dot(turned(across), here) / n_c)
    kept -= rest_d / (n_d + 1.0) + _within(inside_d + both(there), size_d + 1)
    if size_c > 1:
        after = square(across - there + turned(here)) / ((n_c - 1.0) * (n_d + 1.0))
        kept -= rest_c / (n_c - 1.0) + after + _within(inside_c - both(here), size_c - 1)
    return kept


@kernel
def cells_by_joining(state: State, book: Book, v: Index) -> None:
    """Write to ``cells`` by how much the summed cell costs of every class rise if `v` joins it."""
    ends, cells = state.ends, book.cells
    cells[:] = 0.0
    # attribute by attribute, so that the loop over classes has nothing to look up
    for j in range(ends.shape[1]):
        code, kind = state.crowd.codes[v, j], state.kind[j]
        width, base = state.width[j], state.where[j] - state.crowd.start[j] * (state.width[j] + 1)
        for d in range(len(cells)):
            if state.sizes[d] == 0:
                continue
            a, b = np.int64(min(ends[d, j, 0], code)), np.int64(max(ends[d, j, 3], code))
            if kind == LINE:
                cells[d] += min(state.right[b] - state.left[a], 1.0)
            elif kind == TABLE:
                cells[d] += state.table[base + a * width + b]
            else:
                cells[d] += price_of(state, j, a, b)
    for d in range(len(cells)):
        cells[d] = (state.sizes[d] + 1) * cells[d] - state.sizes[d] * state.price[d]


@kernel
def relocate(state: State, book: Book, v: Index, d: Index) -> None:
    """Move `v` to class `d` and keep the book true."""
    c = np.int64(state.labels[v])
    _squared(state, book, c, -1.0)
    _squared(state, book, d, -1.0)
    book.inside[c] = book.inside[d] = 0
    move(state, v, d)
    squares_c = _squared(state, book, c, 1.0)
    squares_d = _squared(state, book, d, 1.0)
    book.squares[c], book.squares[d] = squares_c, squares_d


@kernel
def _best(state: State, book: Book, v: Index, cell: float, arc: float) -> tuple[int, float]:
    """Return the class where `v` costs least, of equals the first, and by how much the loss rises then."""
    if arc:
        lost_by_moving(state, book, v)
    cells_by_joining(state, book, v)
    left = cell * attribute_move(state, v, -1)
    best, least = -1, 0.0
    for d in range(len(state.sizes)):
        if d == state.labels[v] or state.sizes[d] == 0:
            continue
        cost = left + cell * book.cells[d] + arc * book.lost[d]
        if best < 0 or cost < least - TOLERANCE:
            best, least = d, cost
    return best, least


@kernel
def visit(
    state: State, book: Book, order: Ints, start: int, stop: int, need: Ints, cell: float, arc: float
) -> int:
    """Let each of ``order[start:stop]`` go where the loss falls most, and whoever is alone to where it rises least.

    Who needs no more than a class of one may stay alone. A lost cell costs `cell`, a lost arc `arc`. Returns how many moved.
    """
    moved = 0
    for i in range(start, stop):
        v = order[i]
        best, least = _best(state, book, v, cell, arc)
        lonely = state.sizes[state.labels[v]] == 1 and need[v] > 1
        if best >= 0 and (least < -TOLERANCE or lonely):
            relocate(state, book, v, best)
            moved += 1
    return moved


@kernel
def dissolve(state: State, book: Book, c: Index, cell: float, arc: float) -> None:
    """Let the members of class `c`, the last to come first, go one by one where the loss rises least."""
    while state.sizes[c]:
        v = np.int64(state.pool[state.start[c] + state.sizes[c] - 1])
        best, _ = _best(state, book, v, cell, arc)
        relocate(state, book, v, best)
