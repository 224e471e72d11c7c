"""The person's side: the cells of records, and randomized answers about them. Only this side sees originals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem, Problem
from graphanon.graph import AttributedGraph
from graphanon.schema import Column, Role, Schema
from graphanon.tabular.ldp.coins import Coins
from graphanon.tabular.ldp.line import Line, Outside
from graphanon.tabular.ldp.plan import Plan, Question
from graphanon.tabular.ldp.reports import Reports

__all__ = ["cells_of", "lines_of", "perturb", "perturb_cells"]

Ints = NDArray[np.int64]


def lines_of(schema: Schema) -> tuple[Line, ...]:
    """Return the public line of every quasi and sensitive column, from the schema's own words alone.

    A range without a grid has grid 1, whatever the data are; a missing value has a cell wherever the schema allows
    one, whether or not any is missing.

    Raises
    ------
    InputProblem
        If a column is open or k (it would leave as it is), or has no declared range, order or hierarchy: a domain
        read off the data would tell of the people in them. All problems at once.
    """
    problems = [
        Problem(what=f"a column of role {column.role} cannot be perturbed", column=column.name,
                fix='role = "quasi", "sensitive" or "drop"')
        for column in schema.of_role(Role.OPEN, Role.K)]
    wanted = schema.of_role(Role.QUASI, Role.SENSITIVE)
    problems += [
        Problem(what="has no domain in the schema, and one read off the data would leak", column=column.name,
                allowed="range (with grid), order or hierarchy", fix="declare it in the schema")
        for column in wanted if not _declared(column)]
    lines = []
    for column in filter(_declared, wanted):
        try:
            lines.append(_line(column, missing=schema.missing == "value"))
        except InputProblem as problem:
            problems += problem.problems
    if problems or not wanted:
        raise InputProblem(problems or Problem(what="there is no quasi or sensitive column to perturb"))
    return tuple(lines)


def _declared(column: Column) -> bool:
    if isinstance(column.domain, Tree):
        return column.domain.given
    return isinstance(column.domain, Order) or column.declared is not None


def _line(column: Column, *, missing: bool) -> Line:
    if isinstance(column.domain, Tree):
        return Line.of_labels(column.name, column.domain.leaves, missing=missing)
    if isinstance(column.domain, Order):
        return Line.of_labels(column.name, column.domain.labels, ordered=True, missing=missing)
    low, high = column.declared or (0.0, 0.0)
    return Line.numbers(column.name, low, high, column.grid or 1.0, missing=missing)


def cells_of(graph: AttributedGraph, lines: Sequence[Line], outside: Outside = "refuse") -> Ints:
    """Return int64[n, lines]: the cell of everyone's value on each line; numbers go to the nearest of the grid.

    Raises
    ------
    InputProblem
        If a value has no cell; all columns at once.
    """
    quasi = {column.name: j for j, column in enumerate(graph.schema.quasi)}
    cells = np.zeros((graph.n, len(lines)), dtype=np.int64)
    problems: list[Problem] = []
    for i, line in enumerate(lines):
        try:
            if line.name in quasi:
                cells[:, i] = _of_addresses(graph, quasi[line.name], line, outside)
            else:
                codes, labels = graph.payload[line.name]
                cells[:, i] = line.cells_of_texts(labels, outside)[codes]
        except InputProblem as problem:
            problems += problem.problems
    if problems:
        raise InputProblem(problems)
    return cells


def _of_addresses(graph: AttributedGraph, j: int, line: Line, outside: Outside) -> Ints:
    values, domain = graph.values[:, j], graph.domains[j]
    if not (isinstance(domain, Range) and line.missing):
        return line.cells(values, outside)
    cells = np.full(len(values), line.known, dtype=np.int64)
    present = values < domain.missing_address
    cells[present] = line.cells(values[present], outside)
    return cells


def perturb_cells(plan: Plan, cells: Ints, coins: Coins) -> Reports:
    """Return everyone's answers, from int64[n, lines of the plan] cells.

    Which questions a person answers, where not all, is drawn by the coins before any cell is looked at.
    """
    n = len(cells)
    rows = _drawn(plan, n, coins)
    answers = tuple(question.mechanism.perturb(_inputs(plan, question, cells[own], coins), coins)
                    for question, own in zip(plan.questions, rows, strict=True))
    return Reports(n=n, rows=rows, answers=answers)


def _inputs(plan: Plan, question: Question, cells: Ints, coins: Coins) -> Ints:
    """Return the mechanism's input of each person: joint cells, numbers rounded at random to their anchors."""
    found = np.zeros(len(cells), dtype=np.int64)
    shape = question.shape(plan.lines)
    for j, anchors, size in zip(question.attributes, question.anchors, shape, strict=True):
        own = _anchored(plan.lines[j], anchors, cells[:, j], coins) if anchors else cells[:, j]
        found = found * size + own
    return found


def _anchored(line: Line, anchors: int, cells: Ints, coins: Coins) -> Ints:
    """Return one of both neighbouring anchors, the nearer the likelier; a missing value has one of its own."""
    steps = max(line.known - 1, 1)
    down, rest = np.divmod(cells * (anchors - 1), steps)
    own = down + (coins.below(steps, len(cells)) < rest)
    return np.where(cells == line.known, anchors, own) if line.missing else own


def _drawn(plan: Plan, n: int, coins: Coins) -> tuple[Ints, ...]:
    count = len(plan.questions)
    if plan.everything:
        return tuple(np.arange(n) for _ in range(count))
    if plan.asked == 1:
        chances = np.cumsum([question.chance for question in plan.questions])
        own = np.searchsorted(chances, coins.below(int(chances[-1]), n), side="right")
        order, size = np.argsort(own, kind="stable"), np.bincount(own, minlength=count)
        return tuple(np.split(order, np.cumsum(size)[:-1]))
    # the questions with the smallest of equally likely words
    words = coins.words(n * count).reshape(n, count)
    chosen = np.argpartition(words, plan.asked - 1, axis=1)[:, : plan.asked]
    asked = np.zeros((n, count), dtype=np.bool_)
    np.put_along_axis(asked, chosen, values=True, axis=1)
    return tuple(np.flatnonzero(column) for column in asked.T)


def perturb(graph: AttributedGraph, plan: Plan, coins: Coins, outside: Outside = "refuse") -> Reports:
    """Return the randomized answers of the people of a graph: the whole of the client.

    Examples
    --------
    >>> from graphanon.domain import Tree
    >>> from graphanon.graph import no_ties
    >>> from graphanon.tabular.ldp.coins import seeded
    >>> from graphanon.tabular.ldp.planning import plan_columns
    >>> work = Column(name="work", role=Role.QUASI, domain=Tree((("a", "*"), ("b", "*"))))
    >>> people = AttributedGraph(schema=Schema(columns=(work,)), values=np.zeros((3, 1)), ties=no_ties(3))
    >>> reports = perturb(people, plan_columns(lines_of(people.schema), 1.0), seeded(1))
    >>> len(reports.answers[0])
    3
    """
    return perturb_cells(plan, cells_of(graph, plan.lines, outside), coins)


def perturb_columns(plan: Plan, columns: Mapping[str, Sequence[str]], coins: Coins, outside: Outside = "refuse") -> Reports:
    """Return the randomized answers of people given as columns of text, by the names of the plan's lines."""
    missing = [line.name for line in plan.lines if line.name not in columns]
    if missing:
        raise InputProblem([Problem(what="is missing from the people", column=name) for name in missing])
    cells = np.stack([line.cells_of_texts(columns[line.name], outside) for line in plan.lines], axis=1)
    return perturb_cells(plan, cells, coins)
