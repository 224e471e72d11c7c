"""Tables of text: people in lines, cells between delimiters.

A cell is kept exactly as it was written: ``007`` stays three characters, ``NA`` stays a word, and only
the empty cell is missing (further words by option). Type guessing is what merges persons in other
readers, so there is none here.

A file without quotation marks is checked and split as one array of bytes, ten million lines in a few
seconds; a file with them goes through the csv module. Both paths end in the same :class:`Grid`.
A line is a comment only if its first character that is not blank is ``#`` or ``%``; if such a line splits into as
many cells as the data, it may be a person, and the reader asks.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from graphanon.errors import Problem
from graphanon.io.coded import coded_columns
from graphanon.io.declared import Declared
from graphanon.io.faults import refusal, refuse_any, shown
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source, Table
from graphanon.io.text import Text, decoded
from graphanon.progress import advance

__all__ = ["BLANKS", "Column", "Grid", "frame_of", "grid", "read", "unmarked"]

Column = NDArray[np.object_]
Ints = NDArray[np.int64]
BLANKS = "blanks"
_NAMES = {"\t": "tab-separated", ",": "comma-separated", ";": "semicolon-separated", "|": "bar-separated",
          " ": "space-separated", BLANKS: "separated by blanks"}
_SPELLED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|", "pipe": "|", " ": BLANKS,
            "space": BLANKS, "blank": BLANKS, "whitespace": BLANKS, "\\s+": BLANKS}
_TABLES = (".csv", ".tsv", ".tab", ".data")
_SAMPLE = 200
_WIDEST = 50_000
_COMMENT_SIGNS = "#%"
_TOKEN = re.compile(r'"((?:[^"]|"")*)"(?=\s|$)|(\S+)')
_BATCH = 100_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Grid:
    """Every line of a table that holds data, a line of names included, as columns of text or None.

    `lines` int64[rows] counts the file's lines from 1. `quoted` are the places of the columns that quotation marks
    around every cell, in a file that has cells without, mark as text.
    """

    columns: tuple[Column, ...]
    lines: Ints
    delimiter: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    counts: dict[str, int]
    quoted: frozenset[int] = frozenset()

    def __repr__(self) -> str:
        return f"Grid({len(self.lines)} rows, {len(self.columns)} columns)"

    def row(self, index: int) -> list[str | None]:
        """Return the cells of one row."""
        return [column[index] for column in self.columns]

    def types(self, names: Sequence[str]) -> dict[str, Declared]:
        """Return the types that quotation marks give to the columns of these names."""
        return {name: "text" for place, name in enumerate(names) if place in self.quoted}

    def below(self) -> tuple[tuple[Column, ...], Ints]:
        """Return the columns and lines without the first row."""
        return tuple(column[1:] for column in self.columns), self.lines[1:]


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people of a table of text.

    Raises
    ------
    InputProblem
        If the text cannot be decoded or split, lines differ in their number of cells, or there are no
        usable column names; all such lines at once.
    """
    found = grid(content.read(), content.name, options, blanks=False)
    _refuse_ragged(found, content, options)
    report = ReadReport(counts=found.counts, notes=found.notes, warnings=found.warnings)
    if options.header is False:
        names = [f"column_{number}" for number in range(1, len(found.columns) + 1)]
        columns, lines = found.columns, found.lines
        report = report.plus(notes=(f"{content.name}: columns named by number, as asked",))
    else:
        names, warnings = _names(found, content.name, trusted=options.header is True)
        columns, lines = found.below()
        told = f"{content.name}: line {found.lines[0]} names the columns"
        report = report.plus(notes=(told,), warnings=warnings)
        columns, names, notes = _without_ends(columns, names, found, content.name)
        report = report.plus(notes=notes)
    table = Table(frame=frame_of(names, columns), lines=lines, file=content.name, types=found.types(names))
    return Source(people=table, ties=None, id=None, report=report, options=options)


def _refuse_ragged(found: Grid, content: Content, options: ReadOptions) -> None:
    """Refuse lines of several words, more here and fewer there, that nothing says are cells: a list of neighbours, perhaps."""
    if len(found.columns) > 1 or options.delimiter is not None or content.suffix in _TABLES:
        return
    cells = [cell for cell in found.columns[0].tolist() if cell is not None]
    if 2 * sum(len(cell.split()) > 1 for cell in cells) > len(cells):
        raise refusal([Problem(
            what="most lines are several words, more in some than in others, and nothing separates them", file=content.name,
            line=int(found.lines[0]), allowed="a table, or ties with two ends a line",
            fix="--format 'adjacency list' reads a person and neighbours in each line, --delimiter comma one cell a line")])


def frame_of(names: Sequence[str], columns: Sequence[Column]) -> pd.DataFrame:
    """Return a frame whose cells stay the objects that they are, text or None."""
    return pd.DataFrame(
        {name: pd.Series(column, dtype=None if isinstance(column, pd.Categorical) else object)
         for name, column in zip(names, columns, strict=True)}
    )


def _names(found: Grid, file: str, *, trusted: bool) -> tuple[list[str], tuple[str, ...]]:
    """Return the column names in the first row, or refuse what cannot be column names."""
    raw = found.row(0)
    line = int(found.lines[0])
    names = [(name or "").strip() for name in raw]
    columns, lines = found.below()
    same = np.ones(len(lines), dtype=bool)
    for name, column in zip(raw, columns, strict=True):
        same &= column == name
    if not trusted and _looks_like_data(names, [column[~same] for column in columns]):
        raise refusal([Problem(
            what="the first line looks like a person, not like column names", file=file, line=line,
            allowed="a first line of column names", fix="add one, or say --header or --no-header")])
    problems = [
        Problem(what=f"{count} columns are named '{name}'", file=file, line=line, column=name,
                allowed="every column name once", fix="rename them")
        for name, count in Counter(filter(None, names)).items() if count > 1
    ]
    problems += [
        Problem(what="repeats the column names", file=file, line=number, fix="remove the line")
        for number in lines[same].tolist()
    ] if any(raw) else []
    refuse_any(problems)
    nameless = [number for number, name in enumerate(names, start=1) if not name]
    named = [name or _free(f"column_{number}", names) for number, name in enumerate(names, start=1)]
    ends = len(nameless) == 1 and nameless[0] == len(names) and not _filled(columns[-1])
    warnings = (f"{file}: column {shown(nameless)} has no name and is called column_N",)
    return named, () if ends or not nameless else warnings


def _free(name: str, taken: Sequence[str]) -> str:
    return _free(f"{name}_", taken) if name in taken else name


def _filled(column: Column) -> bool:
    return any(cell is not None for cell in column.tolist())


def _looks_like_data(names: Sequence[str], columns: Sequence[Column]) -> bool:
    """Tell a line of data in the place of names: most of its cells recur in their own columns."""
    if not len(columns[0]):
        return False
    recurs = sum(bool(name) and bool((column == name).any())
                 for name, column in zip(names, columns, strict=True))
    return recurs * 2 > len(names) or (recurs > 0 and all(map(_is_number, names)))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _without_ends(
    columns: tuple[Column, ...], names: list[str], found: Grid, file: str
) -> tuple[tuple[Column, ...], list[str], tuple[str, ...]]:
    """Drop the empty column that a delimiter at the end of every line makes."""
    if len(names) > 1 and not found.columns[-1][0] and not _filled(columns[-1]):
        return columns[:-1], names[:-1], (f"{file}: every line ends in a delimiter, which was passed over",)
    return columns, names, ()


def grid(data: bytes, file: str, options: ReadOptions, *, blanks: bool) -> Grid:
    """Split a table of text into cells; `blanks` says that runs of blanks may stand between cells.

    That is so of ties, whose columns are pandas categoricals where no cell is missing.

    Raises
    ------
    InputProblem
        As :func:`read` says.
    """
    text = decoded(data, file, options.encoding)
    _refuse_width(text.data, file)
    delimiter, guessed = _delimiter(text, options, blanks=blanks)
    body, spaced = text.data, False
    if delimiter == BLANKS and b'"' not in body:
        body = _single_blanks(body)
    elif delimiter not in (BLANKS, " "):
        spaced = _always_spaced(body, delimiter)
        if spaced and b'"' not in body:
            body = body.replace(f"{delimiter} ".encode(), delimiter.encode())
    split = _split_quoted if b'"' in body else _split_plain
    found = split(body, delimiter, file, options, spaced=spaced, coded=blanks)
    shape = f"{len(found.columns)} columns" if len(found.columns) != 1 else "one column"
    how = f"{_NAMES.get(delimiter, 'separated by ' + repr(delimiter))}{' and blank' if spaced else ''}"
    note = f"{file}: {how}{' (guessed)' if guessed else ''}, {text.encoding}, {shape}"
    return Grid(
        columns=found.columns, lines=found.lines, delimiter=delimiter, counts=found.counts, quoted=found.quoted,
        notes=(note, *_passed_over(found.counts, file)),
        warnings=text.warnings + _outer_blanks(body, delimiter, file),
    )


def _refuse_width(body: bytes, file: str) -> None:
    """Refuse a first line of so many cells that columns of them would fill the memory."""
    line = next((line for line in io.BytesIO(body[:_WIDEST * 200]) if line.strip()), b"")
    number = max(len(line.split()), *(line.count(sign) + 1 for sign in (b",", b";", b"\t", b"|")))
    if number > _WIDEST:
        raise refusal([Problem(what=f"a line has {number:,} cells or more", file=file, allowed=f"up to {_WIDEST:,}",
                               fix="put every person, or every tie, on a line of its own")])


def _passed_over(counts: dict[str, int], file: str) -> tuple[str, ...]:
    return tuple(
        f"{file}: {counts[name]:,} {name.replace('_', ' ')[:-1]}{'s' if counts[name] > 1 else ''} passed over"
        for name in ("comment_lines", "blank_lines") if counts.get(name)
    )


def _outer_blanks(body: bytes, delimiter: str, file: str) -> tuple[str, ...]:
    if delimiter in (BLANKS, " ") or b" " not in body:
        return ()
    sign = delimiter.encode()
    number = sum(body.count(pair) for pair in (b" " + sign, sign + b" ", b" \n", b"\n "))
    if not number or b'"' in body:
        return ()
    return (f"{file}: {number:,} cells begin or end with a blank, which is kept as part of the cell",)


def _always_spaced(body: bytes, delimiter: str) -> bool:
    """Tell whether a blank follows every delimiter, so that it belongs to the delimiter."""
    sign = delimiter.encode()
    number = body.count(sign)
    return number > 0 and body.count(sign + b" ") == number


def _single_blanks(body: bytes) -> bytes:
    if b"\t" in body:
        body = body.replace(b"\t", b" ")
    if b"  " in body:
        body = re.sub(rb" {2,}", b" ", body)
    if b"\n " in body or b" \n" in body or body[:1] == b" " or body[-1:] == b" ":
        body = body.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")
    return body


def _delimiter(text: Text, options: ReadOptions, *, blanks: bool) -> tuple[str, bool]:
    if options.delimiter is not None:
        chosen = _SPELLED.get(options.delimiter, options.delimiter)
        if chosen != BLANKS and (len(chosen) != 1 or ord(chosen) > 127 or chosen in '"\n\r'):
            raise refusal([Problem(what=f"'{options.delimiter}' cannot be a delimiter", fix="--delimiter",
                            allowed="one plain character, tab, or whitespace")])
        return chosen, False
    lines = _sample(text.data, options)
    best, best_score = "", (0.0, 0)
    for candidate in ("\t", ",", ";", "|"):
        score = _evenness([len(cells) for cells in _cut(lines, candidate)])
        if score[1] > 1 and score > best_score:
            best, best_score = candidate, score
            if candidate == "\t" and score[0] == 1:
                break
    same, width = _evenness([len(_tokens(line)) for line in lines])
    if width > 1 and same > best_score[0] and (blanks or same == 1):
        return BLANKS, True
    return (best, True) if best else (BLANKS if blanks else ",", True)


def _evenness(widths: Sequence[int]) -> tuple[float, int]:
    """Return the share of lines that have the most common number of cells, and that number."""
    width, number = Counter(widths or [0]).most_common(1)[0]
    return number / max(len(widths), 1), width


def _sample(data: bytes, options: ReadOptions) -> list[str]:
    head = data[: 1 << 18]
    if len(data) > len(head):
        head = head[: head.rfind(b"\n") + 1] or head
    lines = [line for line in head.decode("utf-8", "ignore").split("\n") if line.strip()]
    plain = [line for line in lines if options.comment == "none" or not _marked(line)]
    return (plain or lines or [""])[:_SAMPLE]


def _marked(line: str) -> bool:
    return line.lstrip()[:1] in tuple(_COMMENT_SIGNS)


def unmarked(line: str) -> str:
    """Return a comment without its sign."""
    return line.lstrip().lstrip(_COMMENT_SIGNS).strip()


def _cut(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    if delimiter == BLANKS:
        return [_tokens(line) for line in lines]
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return [line.split(delimiter) for line in lines]


def _tokens(line: str) -> list[str]:
    return [
        token.group(2) if token.group(1) is None else token.group(1).replace('""', '"')
        for token in _TOKEN.finditer(line)
    ]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Cells:
    columns: tuple[Column, ...]
    lines: Ints
    counts: dict[str, int]
    quoted: frozenset[int] = frozenset()


def _split_plain(
    body: bytes, delimiter: str, file: str, options: ReadOptions, *, spaced: bool, coded: bool
) -> _Cells:
    """Split text without quotation marks, checked line by line as arrays."""
    del spaced  # already part of the delimiter
    sign = " " if delimiter == BLANKS else delimiter
    body = body if body.endswith(b"\n") else body + b"\n"
    letters = np.frombuffer(body, dtype=np.uint8)
    ends = _places(letters, "\n")
    starts = np.concatenate([np.zeros(1, dtype=ends.dtype), ends[:-1] + 1])
    widths = np.diff(np.searchsorted(_places(letters, sign), ends), prepend=0) + 1
    lines = np.arange(1, len(ends) + 1, dtype=np.int64)
    # a line of nothing but delimiters is a person of whom nothing is known
    blank = _blank(letters, starts, ends) & (widths == 1)
    if (widths == 1).all():
        # in a table of one column an empty line between others is a person without a value
        blank &= lines > int(lines[~blank].max())
    marked = np.zeros(len(starts), dtype=bool)
    if options.comment == "auto":
        marked = ~blank & _begins_marked(letters, starts, ends)
    kept = ~blank & ~marked
    _need_data(kept, file)
    width = int(widths[kept][0])
    doubtful = marked & (widths == width)
    for index in np.flatnonzero(doubtful)[:10].tolist():
        comment = body[starts[index]:ends[index]].decode("utf-8")
        doubtful[index] = not _names_ends(unmarked(comment).split(sign))
    refuse_any(_line_problems(lines, widths, kept, doubtful, file))
    if not kept.all():
        letters = letters[np.repeat(kept, ends - starts + 1)]
        body = letters.tobytes()
    columns = _columns(body, sign, width, int((ends - starts).max()) + 1, options, coded=coded)
    counts = {"lines_read": len(lines), "comment_lines": int(marked.sum()), "blank_lines": int(blank.sum())}
    return _Cells(columns=columns, lines=lines[kept], counts=counts)


def _places(letters: NDArray[np.uint8], mark: str) -> Ints:
    """Return where a mark stands, in as few bytes as will do."""
    places = np.flatnonzero(letters == ord(mark))
    return places.astype(np.int32) if len(letters) < 2**31 else places


def _blank(letters: NDArray[np.uint8], starts: Ints, ends: Ints) -> NDArray[np.bool_]:
    blank = starts == ends
    for index in np.flatnonzero(~blank & np.isin(letters[starts], [9, 11, 12, 32])).tolist():
        blank[index] = not letters[starts[index]:ends[index]].tobytes().strip()
    return np.asarray(blank)


def _begins_marked(letters: NDArray[np.uint8], starts: Ints, ends: Ints) -> NDArray[np.bool_]:
    first = letters[starts]
    marked = np.isin(first, [ord(sign) for sign in _COMMENT_SIGNS])
    for index in np.flatnonzero(np.isin(first, [ord(" "), ord("\t")])).tolist():
        marked[index] = letters[starts[index]:ends[index]].tobytes().lstrip()[:1] in (b"#", b"%")
    return np.asarray(marked)


def _names_ends(cells: Sequence[str]) -> bool:
    from graphanon.io.tie_columns import known_pair

    return known_pair(cells) is not None


def _need_data(kept: NDArray[np.bool_], file: str) -> None:
    if not kept.any():
        raise refusal([Problem(what="every line is a comment", file=file, allowed="at least one line of data",
                        fix="--comment none if these lines are data")])


def _line_problems(
    lines: Ints, widths: Ints, kept: NDArray[np.bool_], doubtful: NDArray[np.bool_], file: str
) -> Iterator[Problem]:
    width = int(widths[kept][0])
    ragged = kept & (widths != width)
    if ragged.sum() == kept.sum() - 1 and kept.sum() > 2 and len(set(widths[ragged].tolist())) == 1:
        first, other = int(lines[kept][0]), int(widths[ragged][0])
        yield Problem(what=f"has {width} cells, but every line after it has {other}", file=file, line=first,
                      allowed="as many column names as cells", fix="mend the first line")
        return
    for index in np.flatnonzero(ragged | doubtful).tolist():
        if doubtful[index]:
            yield _doubt(int(lines[index]), width, file)
        else:
            yield Problem(what=f"has {widths[index]} cells", file=file, line=int(lines[index]),
                          allowed=f"{width} cells, as in line {lines[kept][0]}",
                          fix="mend the line, or name the right --delimiter")


def _doubt(line: int, width: int, file: str) -> Problem:
    return Problem(what=f"begins like a comment but splits into {width} cells like the data", file=file,
                   line=line, fix="--comment none reads such lines as data; remove the line if it is a comment")


def _columns(
    body: bytes, sign: str, width: int, longest: int, options: ReadOptions, *, coded: bool
) -> tuple[Column, ...]:
    missing = {"", *options.na_values}
    if width == 1:
        cells = body.decode("utf-8").split("\n")[:-1]
        return (np.array([None if cell in missing else cell for cell in cells], dtype=object),)
    columns = coded_columns(body, sign, width, max(1 << 26, 2 * longest), sorted(missing))
    return tuple(columns) if coded else tuple(np.asarray(column, dtype=object) for column in columns)


class _Feed:
    """Lines for the csv module, without comments and blank lines between records."""

    def __init__(self, body: bytes, delimiter: str, options: ReadOptions) -> None:
        self._lines = enumerate(io.StringIO(body.decode("utf-8"), newline="\n"), start=1)
        self._delimiter = delimiter
        self._comments = options.comment == "auto"
        self.comments: list[tuple[int, str]] = []
        self.blanks: list[int] = []
        self.at = self.start = 0
        self.between = True

    def __iter__(self) -> Iterator[str]:
        for number, line in self._lines:
            self.at = number
            if self.between and not line.strip() and self._delimiter not in line:
                self.blanks.append(number)
            elif self.between and self._comments and _marked(line):
                self.comments.append((number, line))
            else:
                self.start = number if self.between else self.start
                self.between = False
                yield line


def _records(
    feed: _Feed, delimiter: str, file: str, *, spaced: bool
) -> Iterator[tuple[int, list[str]]]:
    if delimiter == BLANKS:
        for line in feed:
            feed.between = True
            yield feed.start, _tokens(line)
        return
    # strict: text after a closing quotation mark is told rather than glued on
    reader = csv.reader(iter(feed), delimiter=delimiter, skipinitialspace=spaced, strict=True)
    try:
        for record in reader:
            feed.between = True
            if feed.start % _BATCH == 0:
                advance("read", feed.start, 0)
            yield feed.start, record
    except csv.Error as error:
        what = "a quotation mark is opened here and not closed rightly" if not feed.between else str(error)
        raise refusal([Problem(what=what, file=file, line=feed.start, allowed='"" for a quotation mark inside a cell',
                        fix="close it, or double it")]) from error


def _split_quoted(
    body: bytes, delimiter: str, file: str, options: ReadOptions, *, spaced: bool, coded: bool
) -> _Cells:
    """Split text with quotation marks by the csv module."""
    del coded  # each cell is an object already
    feed = _Feed(body, delimiter, options)
    lines, rows = [], []
    before = csv.field_size_limit(max(len(body), 1 << 17))
    try:
        for line, record in _records(feed, delimiter, file, spaced=spaced):
            lines.append(line)
            rows.append(record)
    finally:
        csv.field_size_limit(before)
    if not rows:
        _need_data(np.zeros(1, dtype=bool), file)
    numbers = np.array(lines, dtype=np.int64)
    widths = np.array([len(row) for row in rows], dtype=np.int64)
    kept = np.ones(len(rows), dtype=bool)
    width = int(widths[0])
    problems = list(_line_problems(numbers, widths, kept, ~kept, file))
    for line, text in feed.comments:
        cells = _cut([text], delimiter)[0]
        if len(cells) == width and not _names_ends(_cut([unmarked(text)], delimiter)[0]):
            problems.append(_doubt(line, width, file))
    refuse_any(sorted(problems, key=lambda problem: problem.line or 0))
    missing = {"", *options.na_values}
    columns = tuple(
        np.array([None if cell in missing else cell for cell in column], dtype=object)
        for column in zip(*rows, strict=True)
    )
    counts = {"lines_read": feed.at, "comment_lines": len(feed.comments), "blank_lines": len(feed.blanks)}
    quoted = _quoted(_Feed(body, delimiter, options), columns, delimiter, spaced=spaced)
    return _Cells(columns=columns, lines=numbers, counts=counts, quoted=quoted)


def _quoted(feed: _Feed, columns: Sequence[Column], delimiter: str, *, spaced: bool) -> frozenset[int]:
    """Return the columns that hold nothing but digits below their name, each cell in quotation marks.

    Whoever puts marks around some columns of digits and not around others says that these are text, as R does and as
    our own writer does. A file with marks around everything says nothing.
    """
    left = {place for place, column in enumerate(columns) if _digits(column)}
    if delimiter == BLANKS or not left:
        return frozenset()
    sign = re.escape(delimiter)
    cell = re.compile(rf'{" ?" if spaced else ""}("(?:[^"]|"")*+")?([^{sign}]*+)(?:{sign}|\Z)')
    bare = False
    for number, text in enumerate(_texts(feed)):
        cells = cell.findall(text)[: len(columns)]
        if number:
            left -= {place for place in left if place < len(cells) and cells[place] != ("", "") and not cells[place][0]}
        bare = bare or any(not marked and plain for marked, plain in cells)
        if not left:
            break
    return frozenset(left) if bare else frozenset()


def _digits(column: Column) -> bool:
    """Tell whether the cells below the first are numbers as far as one can see, or words for yes and no."""
    found = {cell for cell in column[1:].tolist() if cell is not None}
    return bool(found) and (all(map(_is_number, found)) or {cell.casefold() for cell in found} <= {"true", "false"})


def _texts(feed: _Feed) -> Iterator[str]:
    """Yield the text of each record, of which one with marks may run over several lines."""
    gathered = ""
    for line in feed:
        gathered += line
        feed.between = gathered.count('"') % 2 == 0
        if feed.between:
            yield gathered.removesuffix("\n")
            gathered = ""
