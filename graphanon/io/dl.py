"""UCINET's DL: a head of ``name = value`` pairs, lists of labels, and ties as a matrix or as lists.

No library at hand reads more than two of its kinds, so this reader is our own. Numbers stand for people unless labels are
embedded; labels given at the head then name them. ``n`` is the number of people whatever the data mention:
those whom nothing mentions stay, named by number. ``nm`` matrices are as many relations. ``nr`` and ``nc`` speak of two modes,
unless rows and columns bear the same labels. After Steve Borgatti, Martin Everett and Linton Freeman: Ucinet for
Windows, User's Guide, chapter on the data language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from graphanon.errors import InputProblem, Problem
from graphanon.io.cells import number_of
from graphanon.io.csv_table import Column
from graphanon.io.faults import refusal, refuse_any
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.numbered import Lines, TieList, believable, column_of, lines_of, matrix_of, parts_of, whole
from graphanon.io.numbers import MARKERS, parse_number
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.progress import advance

__all__ = ["fits", "read"]

_OPENS = re.compile(rb"\s*dl[\s,]+[^:]*?\b(?:n|nr|nc|nm)\s*=", re.IGNORECASE)
_HEAD = re.compile(r'"[^"]*"|\'[^\']*\'(?=[\s,]|$)|[=:]|[^\s,=:]+')
_CELL = re.compile(r'"[^"]*"|\'[^\']*\'(?=[\s,]|$)|[^\s,]+')
_NUMBERS = frozenset({"n", "nr", "nc", "nm"})
_SIDES = {"row": "row", "rows": "row", "col": "column", "cols": "column", "column": "column", "columns": "column",
          "matrix": "matrix", "level": "matrix"}
_MATRICES = ("fullmatrix", "upperhalf", "lowerhalf")
_LISTS = ("edgelist1", "nodelist1", "edgelist2", "nodelist2")
_SHORT = {"fm": "fullmatrix", "uh": "upperhalf", "lh": "lowerhalf", "el1": "edgelist1", "nl1": "nodelist1",
          "el2": "edgelist2", "nl2": "nodelist2", "edgelist": "edgelist1", "nodelist": "nodelist1"}
_ALLOWED = "n=, nr=, nc=, nm=, format=, diagonal=, labels:, row labels:, column labels:, matrix labels:, labels embedded, data:"
_BATCH = 1 << 16


def fits(head: bytes) -> bool:
    """Tell whether a file begins like DL."""
    plain = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    return _OPENS.match(plain[:4096]) is not None


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of a DL file.

    Raises
    ------
    InputProblem
        If the head cannot be read, there are more or fewer labels or cells than it says, a line names
        nobody, or rows and columns may or may not be the same people; as many as can be told at once.
    """
    lines = lines_of(content, options)
    head = _Scan(lines).head()
    data = _Data(lines, head, options)
    data.take()
    refuse_any(data.problems)
    return graph_source(data.parts(), options)


@dataclass
class _Head:
    """What the head says, and where the data begin: line from 0, place in it."""

    numbers: dict[str, int] = field(default_factory=dict)
    format: str = "fullmatrix"
    diagonal: bool = True
    embedded: set[str] = field(default_factory=set)
    labels: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, list[int]] = field(default_factory=dict)
    start: tuple[int, int] = (0, 0)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.numbers.get("nr", self.numbers.get("n", 0))

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self.numbers.get("nc", self.numbers.get("n", 0))


class _Scan:
    """The head of a file, token by token."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._tokens = self._all()
        self._ahead: list[tuple[str, int, int]] = []

    def _all(self) -> Iterator[tuple[str, int, int]]:
        for number, text in enumerate(self._lines.texts):
            for token in _HEAD.finditer(text):
                yield token.group(), number, token.end()

    def _peek(self, place: int = 0) -> str:
        while len(self._ahead) <= place:
            self._ahead.append(next(self._tokens, ("", len(self._lines.texts) - 1, 0)))
        return self._ahead[place][0]

    def _next(self) -> tuple[str, int, int]:
        self._peek()
        return self._ahead.pop(0)

    def _refuse(self, what: str, line: int, allowed: str | None = None) -> NoReturn:
        raise refusal([Problem(what=what, file=self._lines.file, line=line + 1, allowed=allowed)])

    def head(self) -> _Head:
        """Return what stands before the data."""
        head = _Head()
        self._next()  # DL
        while True:
            token, line, end = self._next()
            word = token.casefold()
            if not token:
                self._refuse("the head ends without data", line, "a line data:")
            if word == "data" and self._peek() == ":":
                _, line, end = self._next()
                head.start = (line, end)
                break
            self._statement(head, word, line)
        self._check(head)
        return head

    def _statement(self, head: _Head, word: str, line: int) -> None:
        if word in _NUMBERS:
            self._expect("=", word, line)
            value, _, _ = self._next()
            number = whole(value)
            if not number or not believable(number, self._lines.size) or (word == "nm" and number > self._lines.size):
                self._refuse(f"{word}={value[:40]} cannot be right", line, "a number of people, 1 or more")
            head.numbers[word] = number
        elif word in ("format", "diagonal"):
            if self._peek() == "=":
                self._next()
            self._choice(head, word, self._next()[0].casefold(), line)
        elif word in _SIDES and self._peek().casefold() in ("label", "labels"):
            self._next()
            self._labels(head, _SIDES[word], line)
        elif word in ("label", "labels"):
            self._labels(head, "both", line)
        elif word == "title":
            self._expect("=", word, line)
            self._next()
        else:
            self._refuse(f"'{word[:40]}' is unknown in the head of DL", line, _ALLOWED)

    def _expect(self, sign: str, word: str, line: int) -> None:
        if self._next()[0] != sign:
            self._refuse(f"no '{sign}' after '{word}'", line, _ALLOWED)

    def _choice(self, head: _Head, word: str, value: str, line: int) -> None:
        if word == "diagonal":
            if value not in ("present", "absent"):
                self._refuse(f"diagonal={value[:40]} is unknown", line, "present or absent")
            head.diagonal = value == "present"
            return
        head.format = _SHORT.get(value, value)
        if head.format not in _MATRICES + _LISTS:
            self._refuse(f"format={value[:40]} is not read", line, ", ".join(_MATRICES + _LISTS))

    def _labels(self, head: _Head, side: str, line: int) -> None:
        if self._peek().casefold() == "embedded":
            self._next()
            head.embedded |= {"row", "column"} if side == "both" else {side}
            if self._peek() == ":":
                self._next()
            return
        self._expect(":", "labels", line)
        labels, lines = head.labels.setdefault(side, []), head.lines.setdefault(side, [])
        most = max(head.numbers.values(), default=self._lines.size)
        while not self._keyword():
            if len(labels) > most:
                self._refuse(f"more than {most:,} labels are given", self._ahead[0][1], "as many as the head says there are people")
            token, line, _ = self._next()
            labels.append(_unquoted(token))
            lines.append(line + 1)

    def _keyword(self) -> bool:
        """Tell whether a statement of the head begins here, not a label."""
        word, after, then = (self._peek(place).casefold() for place in range(3))
        if not word:
            return True
        if word == "data":
            return after == ":"
        if word in ("label", "labels"):
            return after in (":", "embedded")
        if word in _SIDES:
            return after in ("label", "labels") and then in (":", "embedded")
        return (word in _NUMBERS or word in ("format", "diagonal", "title")) and after == "="

    def _check(self, head: _Head) -> None:
        numbers, line = head.numbers, head.start[0]
        if "n" not in numbers and not {"nr", "nc"} <= numbers.keys():
            self._refuse("the head does not say how many people there are", line, "n=, or nr= and nc=")
        if "n" in numbers and {"nr", "nc"} & numbers.keys():
            self._refuse("the head gives n beside nr or nc", line, "n=, or nr= and nc=")
        if head.format in ("upperhalf", "lowerhalf", "edgelist1", "nodelist1") and head.rows != head.columns:
            self._refuse(f"{head.format} needs as many rows as columns", line)
        wanted = {"both": head.rows, "row": head.rows, "column": head.columns, "matrix": numbers.get("nm", 1)}
        if "both" in head.labels and head.rows != head.columns:
            self._refuse("labels are given without saying whether of rows or columns", line, "row labels: and column labels:")
        refuse_any(
            Problem(what=f"{len(labels)} labels are given for {side if side != 'both' else 'people'}", file=self._lines.file,
                    line=head.lines[side][-1] if labels else line + 1, allowed=f"{wanted[side]}, with quotation marks"
                    " around a label that holds a blank, a comma, '=' or ':'")
            for side, labels in head.labels.items() if len(labels) != wanted[side])


def _unquoted(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] in "\"'" and token[-1] == token[0] else token


class _Side:
    """The people of the rows, or of the columns: those known by label, and those met so far."""

    def __init__(self, size: int, labels: list[str] | None, lines: list[int] | None, *, embedded: bool) -> None:
        self.size = size
        self.labels: list[str | None] = list(labels or ())
        self.lines = list(lines or ())
        self.embedded = embedded
        self._of = {label: place for place, label in reversed(list(enumerate(self.labels)))}

    def place(self, token: str, line: int) -> int | None:
        """Return whom a token of the data means, None for nobody."""
        if not self.embedded:
            number = whole(token)
            return number - 1 if number is not None and 1 <= number <= self.size else None
        known = self._of.get(token)
        if known is not None or len(self.labels) >= self.size:
            return known
        self._of[token] = len(self.labels)
        self.labels.append(token)
        self.lines.append(line)
        return len(self.labels) - 1


class _Data:
    """The data below the head."""

    def __init__(self, lines: Lines, head: _Head, options: ReadOptions) -> None:
        self._lines, self._head, self._options = lines, head, options
        self.problems: list[Problem] = []
        self._ties = TieList()
        self._warnings: list[str] = []
        self._relation = 0
        both = head.labels.get("both")
        rows, columns = (head.labels.get(side, both) for side in ("row", "column"))
        self._rows = _Side(head.rows, rows, head.lines.get("row", head.lines.get("both")), embedded="row" in head.embedded)
        embedded = "column" in head.embedded
        self._columns = _Side(head.columns, columns, head.lines.get("column", head.lines.get("both")), embedded=embedded)
        self._two_mode = head.format.endswith("2") or head.rows != head.columns
        if head.format.endswith("1"):
            if bool(rows) and bool(columns) and rows != columns:
                self._two_mode = True
            self._rows.embedded = self._rows.embedded or embedded
            self._columns = self._rows

    def take(self) -> None:
        """Read the data."""
        if self._head.format in _MATRICES:
            self._matrices()
        else:
            self._lists()

    def _fault(self, what: str, line: int, allowed: str | None = None, fix: str | None = None) -> None:
        self.problems.append(Problem(what=what, file=self._lines.file, line=line, allowed=allowed, fix=fix))
        if len(self.problems) > 10_000:
            refuse_any(self.problems)

    def _cells(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the cells of each line that has any."""
        first, at = self._head.start
        texts = self._lines.texts
        for number in range(first, len(texts)):
            text = texts[number][at:] if number == first else texts[number]
            quoted = '"' in text or "'" in text
            cells = [_unquoted(cell) for cell in _CELL.findall(text)] if quoted else text.replace(",", " ").split()
            if number % _BATCH == 0:
                advance("read", number, len(texts))
            if cells:
                yield number + 1, cells

    def _name(self, matrix: int) -> str | None:
        """Return the name of a relation, None where there is but one without a name."""
        names = self._head.labels.get("matrix")
        if names:
            return f"{names[matrix]} ({matrix + 1})" if names.count(names[matrix]) > 1 else names[matrix]
        return str(matrix + 1) if self._head.numbers.get("nm", 1) > 1 else None

    def _lists(self) -> None:
        edges = self._head.format.startswith("edge")
        number = self._head.numbers.get("nm", 1)
        for line, cells in self._cells():
            if cells == ["!"]:
                self._relation += 1
                if self._relation >= number:
                    self._fault("another matrix begins", line, f"{number}, as nm says", "nm= in the head")
                    return
                continue
            if edges and not 2 <= len(cells) <= 3:
                self._fault(f"has {len(cells)} cells", line, "two people, or two people and a weight")
                continue
            weight = cells.pop() if edges and len(cells) == 3 else None
            if weight is not None and parse_number(weight) is None:
                self._fault(f"the weight '{weight[:40]}' is no number", line)
                continue
            self._line_of_ties(cells, line, weight)

    def _line_of_ties(self, cells: list[str], line: int, weight: str | None) -> None:
        source = self._who(self._rows, cells[0], line)
        for cell in cells[1:]:
            target = self._who(self._columns, cell, line)
            if source is not None and target is not None:
                across = self._head.rows if self._two_mode else 0
                self._ties.add(source, target + across, line, arc=not self._two_mode, weight=weight,
                               relation=self._name(self._relation))

    def _who(self, side: _Side, cell: str, line: int) -> int | None:
        place = side.place(cell, line)
        if place is None:
            what = f"'{cell[:40]}' is one person more than the head says" if side.embedded else f"there is nobody numbered '{cell[:40]}'"
            self._fault(what, line, f"{side.size} people" if side.embedded else f"1 to {side.size}",
                        "n= in the head" if side.embedded else "labels embedded, in the head, if these are labels")
        return place

    def _matrices(self) -> None:
        tokens: list[str] = []
        lines: list[int] = []
        for line, cells in self._cells():
            tokens += cells
            lines += [line] * len(cells)
        number, at = self._head.numbers.get("nm", 1), 0
        wanted = number * self._length()
        if len(tokens) != wanted:
            self._fault(f"the data have {len(tokens):,} cells", lines[-1] if lines else self._head.start[0] + 1,
                        f"{wanted:,}, as the head says")
            return
        read = []
        for _ in range(number):
            read.append(self._matrix(tokens, lines, at))
            at += self._length()
        if not self.problems:
            self._add(read)

    def _length(self) -> int:
        """Return how many cells a matrix has, its labels included."""
        head = self._head
        labels = (head.columns if "column" in head.embedded else 0) + (head.rows if "row" in head.embedded else 0)
        return labels + sum(len(self._width(row)) for row in range(head.rows)) if head.format != "fullmatrix" else (
            labels + head.rows * (head.columns - (not head.diagonal)))

    def _width(self, row: int) -> range:
        """Return the columns of a row that are given, the diagonal among them if it is."""
        head = self._head
        if head.format == "upperhalf":
            return range(row + (not head.diagonal), head.columns)
        if head.format == "lowerhalf":
            return range(row + head.diagonal)
        return range(head.columns)

    def _matrix(self, tokens: list[str], lines: list[int], at: int) -> tuple[Column, list[int]]:
        """Return the cells of one matrix, in the order of the people, and the line of each row."""
        head = self._head
        columns = list(range(head.columns))
        if "column" in head.embedded:
            columns = self._placed(self._columns, tokens[at : at + head.columns], lines[at])
            at += head.columns
        cells = np.full((head.rows, head.columns), "0", dtype=object)
        rows, starts = [], []
        for row in range(head.rows):
            if "row" in head.embedded:
                rows.append(tokens[at])
                at += 1
            given = [place for place in self._width(row) if head.diagonal or place != row]
            starts.append(lines[min(at, len(lines) - 1)])
            cells[row, given] = tokens[at : at + len(given)]
            at += len(given)
        order = self._placed(self._rows, rows, starts[0]) if rows else list(range(head.rows))
        if self.problems:
            return cells, starts
        placed = np.empty_like(cells)
        placed[np.ix_(order, columns)] = cells
        if head.format != "fullmatrix":
            mirror = np.tril(np.ones(cells.shape, dtype=bool), -1)
            mirror = mirror if head.format == "upperhalf" else mirror.T
            placed[mirror] = placed.T[mirror]
        place = np.empty(head.rows, dtype=np.int64)
        place[order] = starts
        return placed, place.tolist()

    def _placed(self, side: _Side, labels: list[str], line: int) -> list[int]:
        """Return the places of embedded labels, each of which stands once."""
        places = [place for label in labels if (place := self._who(side, label, line)) is not None]
        if len(set(places)) < len(labels) and not self.problems:
            twice = next(label for label, number in Counter(labels).items() if number > 1)
            self._fault(f"two people are labelled '{twice}'", line, "every label once")
        return places

    def _add(self, read: list[tuple[Column, list[int]]]) -> None:
        rows, columns = self._rows.labels, self._columns.labels
        if "nr" in self._head.numbers and self._head.rows == self._head.columns:
            if not rows and not columns:
                self._fault("whether rows and columns are the same people is not told", self._head.start[0] + 1,
                            fix="n= in the head if they are, row labels: and column labels: if not")
                return
            self._two_mode = set(rows) != set(columns)
        if not self._two_mode and rows and columns and rows != columns:
            if set(rows) != set(columns):
                self._fault("rows and columns bear different labels", self._head.start[0] + 1,
                            "the same labels, or nr= and nc= instead of n=")
                return
            order = [columns.index(label) for label in rows]
            read = [(cells[:, order], lines) for cells, lines in read]
        if not rows and columns and not self._two_mode:
            self._rows.labels, self._rows.lines = columns, self._columns.lines
        for number, (cells, lines) in enumerate(read):
            self._relation = number
            if self._two_mode:
                self._across(cells, lines)
        if not self._two_mode:
            self._square(read)

    def _square(self, read: list[tuple[Column, list[int]]]) -> None:
        try:
            matrices = [matrix_of(_gaps(cells, self._options), np.array(lines, dtype=np.int64), self._lines.file, self._options)
                        for cells, lines in read]
        except InputProblem as error:
            self.problems += error.problems
            return
        arcs = any(not matrix.symmetric for matrix in matrices) or self._options.directed is True
        for number, matrix in enumerate(matrices):
            self._ties.add_matrix(matrix, self._name(number), arcs=arcs)
            self._warnings += [text for text in matrix.warnings if text not in self._warnings]

    def _across(self, cells: Column, lines: list[int]) -> None:
        """Add the ties of a matrix between two modes."""
        values = {cell: parse_number(cell) for cell in set(cells.ravel().tolist())}
        plain = set(values.values()) <= {0.0, 1.0}
        for row, listed in enumerate(cells.tolist()):
            for column, cell in enumerate(listed):
                value = values[cell]
                if value is None:
                    self._fault(f"'{cell[:40]}' is no number", lines[row], "0 where there is no tie")
                elif value:
                    self._ties.add(row, self._head.rows + column, lines[row], arc=False, weight=None if plain else cell,
                                   relation=self._name(self._relation))

    def parts(self) -> GraphParts:
        """Return what was read as parts of a graph."""
        sides = [self._rows, self._columns] if self._two_mode else [self._rows]
        labels = [label for side in sides for label in side.labels + [None] * (side.size - len(side.labels))]
        lines = [line for side in sides for line in side.lines + [0] * (side.size - len(side.lines))]
        ids, attributes, told = _ids(labels, self._lines.file)
        modes = None
        if self._two_mode:
            modes = column_of(["1"] * self._rows.size + ["2"] * self._columns.size)
        return parts_of(self._ties, ids, np.array(lines, dtype=np.int64), self._lines.file, self._options,
                        attributes=attributes, modes=modes, report=self._report(told, len(labels)))

    def _report(self, told: tuple[str, ...], people: int) -> ReadReport:
        file, ties, head = self._lines.file, self._ties, self._head
        arcs = 1 in ties.arcs
        kind = number_of(len(ties), "arc" if arcs else "tie", "arcs" if arcs else "ties")
        size = f"{head.rows:,} by {head.columns:,}" if self._two_mode else number_of(people, "person", "people")
        notes = [f"{file}: UCINET DL, {head.format}, {self._lines.text.encoding}, {size}, {kind}"]
        relations = Counter(ties.relations)
        if None not in relations and relations:
            notes.append(f"{file}: {number_of(len(relations), 'relation', 'relations')}: "
                         + ", ".join(f"{name} ({number:,})" for name, number in relations.items()))
        return ReadReport(counts={"lines_read": len(self._lines.texts)}, notes=tuple(notes),
                          warnings=(*self._lines.text.warnings, *told, *self._warnings))


def _gaps(cells: Column, options: ReadOptions) -> Column:
    """Return cells with None where one is named as missing, or by a sign that stands for it."""
    missing = {*options.na_values, *(cell for cell in set(cells.ravel().tolist()) if cell.casefold() in MARKERS)}
    if not missing:
        return cells
    flat = [None if cell in missing else cell for cell in cells.ravel().tolist()]
    return column_of(flat).reshape(cells.shape)


def _ids(labels: list[str | None], file: str) -> tuple[Column, dict[str, Column], tuple[str, ...]]:
    """Return ids, labels as an attribute where they cannot be ids, and what is to be said of that."""
    given = [label for label in labels if label is not None]
    numbers = column_of([str(number) for number in range(1, len(labels) + 1)])
    if not given:
        return numbers, {}, ()
    ids = column_of([number if label is None else label for label, number in zip(labels, numbers.tolist(), strict=True)])
    if len(set(ids.tolist())) < len(ids):
        said = f"{file}: labels are missing or shared, so people are named by number"
        return numbers, {"label": column_of(labels)}, (said,)
    if len(given) < len(labels):
        absent = number_of(len(labels) - len(given), "person has", "people have")
        return ids, {}, (f"{file}: {absent} no label and no tie and stay, named by number",)
    return ids, {}, ()
