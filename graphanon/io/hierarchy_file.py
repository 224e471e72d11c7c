"""Generalization hierarchies as files: one line a value, ``value;parent;...;*``, as ARX reads them.

The separator is sniffed, cells may be quoted, blanks after a separator do not count. Every line ends
in ``*``, the label that stands for everything in a release. Whatever is wrong with a file is told at
once, with lines; the tree itself checks that a label stands for one set of values.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from graphanon.domain import ROOT, Tree
from graphanon.errors import InputProblem, Problem

__all__ = ["hierarchy_text", "read_hierarchy"]

SEPARATORS = (";", "\t", ",", "|")
EXAMPLES = 5
SNIFFED = 100_000  # characters that decide on the separator


class _Line(NamedTuple):
    number: int
    cells: tuple[str, ...]


def read_hierarchy(path: Path | str) -> Tree:
    """Return the tree in a hierarchy file.

    Raises
    ------
    InputProblem
        If the file cannot be read, its lines differ in depth or root, a value stands in two lines, or a
        label stands for two sets of values; every problem is listed.
    """
    path = Path(path)
    lines = _trimmed(_lines(_text(path)))
    problems = list(_line_problems(lines, str(path)))
    if problems:
        raise InputProblem(problems)
    try:
        return Tree(tuple(line.cells for line in lines))
    except InputProblem as error:
        raise InputProblem(
            [Problem(what=p.what, file=str(path), allowed=p.allowed, fix=p.fix) for p in error.problems]
        ) from None


def hierarchy_text(tree: Tree) -> str:
    """Return the tree as the text of a hierarchy file, lines sorted by value.

    Examples
    --------
    >>> print(hierarchy_text(Tree((("Local", "Gov", "*"), ("a;b", "Gov", "*")))), end="")
    "a;b";Gov;*
    Local;Gov;*
    """
    return "".join(";".join(map(_quoted, row)) + "\n" for row in _sorted_rows(tree))


def _sorted_rows(tree: Tree) -> list[tuple[str, ...]]:
    return sorted(tree.rows, key=lambda row: (row[0].casefold(), row))


def _quoted(cell: str) -> str:
    # any other separator is quoted too, so that sniffing cannot be misled
    special = any(mark in cell for mark in (*SEPARATORS, '"', "\n", "\r"))
    if special or cell != cell.strip() or not cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = Problem(what=f"byte {error.start} is not UTF-8", file=str(path),
                          fix="save the hierarchy as UTF-8")
    except FileNotFoundError:
        problem = Problem(what="the hierarchy file does not exist", file=str(path),
                          allowed="a path relative to the schema file")
    except OSError as error:
        problem = Problem(what=f"the hierarchy file cannot be read: {error.strerror}", file=str(path))
    raise InputProblem(problem)


def _lines(text: str) -> list[_Line]:
    """Return the lines in the separator under which most of them have one same depth."""
    beginning = text[: text.find("\n", SNIFFED) + 1] if len(text) > SNIFFED else text
    best = max(SEPARATORS, key=lambda separator: _evenness(_split(beginning or text, separator)))
    return _split(text, best)


def _split(text: str, separator: str) -> list[_Line]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    found, before = [], 0
    for cells in reader:
        if any(cell.strip() for cell in cells):
            found.append(_Line(before + 1, tuple(cells)))
        before = reader.line_num
    return found


def _evenness(lines: Sequence[_Line]) -> tuple[int, int]:
    """Return how many lines are split at all, and how many share the commonest depth."""
    depths = Counter(len(line.cells) for line in lines if len(line.cells) > 1)
    return sum(depths.values()), max(depths.values(), default=0)


def _trimmed(lines: list[_Line]) -> list[_Line]:
    """Cut the empty last cell that a separator at the end of every line leaves."""
    while lines and all(len(line.cells) > 1 and line.cells[-1] == "" for line in lines):
        lines = [_Line(line.number, line.cells[:-1]) for line in lines]
    return lines


def _line_problems(lines: Sequence[_Line], file: str) -> Iterator[Problem]:
    if not lines:
        yield Problem(what="the hierarchy file is empty", file=file, allowed="lines 'value;parent;...;*'")
        return
    depth = Counter(len(line.cells) for line in lines).most_common(1)[0][0]
    yield from _listed(
        (Problem(what=f"uneven hierarchy: value '{line.cells[0]}' has {len(line.cells)} levels, not {depth}",
                 file=file, line=line.number, allowed="every line with the same number of labels",
                 fix=_advice(line, lines, "repeat a label to fill the missing levels"))
         for line in lines if len(line.cells) != depth), file)
    yield from _listed(
        (Problem(what=f"label in line {line.number} is empty", file=file, line=line.number,
                 allowed="a label on every level; the empty text stands for a missing value",
                 fix="repeat a label to fill a missing level")
         for line in lines if not all(line.cells)), file)
    yield from _listed(
        (Problem(what=f"value '{line.cells[0]}' ends in '{line.cells[-1]}', not in '{ROOT}'",
                 file=file, line=line.number, allowed=f"every line ends in '{ROOT}'",
                 fix=_advice(line, lines, f"add '{ROOT}' at the end of every line"))
         for line in lines if line.cells[-1] != ROOT), file)
    yield from _listed(_repeats(lines, file), file)


def _advice(line: _Line, lines: Sequence[_Line], otherwise: str) -> str:
    """Return how to mend a line; a first line that alone lacks the root is a header."""
    header = line is lines[0] and line.cells[-1] != ROOT and any(each.cells[-1] == ROOT for each in lines)
    return "leave out the header line: a hierarchy file has none" if header else otherwise


def _repeats(lines: Sequence[_Line], file: str) -> Iterator[Problem]:
    first: dict[str, _Line] = {}
    for line in lines:
        before = first.setdefault(line.cells[0], line)
        if before is not line:
            other = before.cells != line.cells
            what = "stands under two parents" if other else "stands in two lines"
            yield Problem(what=f"value '{line.cells[0]}' {what}; the first is line {before.number}",
                          file=file, line=line.number, allowed="one line a value")


def _listed(problems: Iterable[Problem], file: str) -> Iterator[Problem]:
    found = list(problems)
    yield from found[:EXAMPLES]
    if len(found) > EXAMPLES:
        yield Problem(what=f"and {len(found) - EXAMPLES} more lines like these", file=file)
