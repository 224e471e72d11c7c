"""Adjacency lists: a person a line, then everyone to whom that person is tied.

Two ways of writing them are met. Words between blanks or tabs, as networkx writes, the first word being the person; and a
colon behind the person, as in the lists of the Stanford GraphBase (``12correlation:153``), where a number
and a name stand before the colon, a backslash carries a line on, and ``*`` begins a comment. Whoever is named only as
somebody's neighbour is a person too, and so is whoever has no neighbour.

Such a list does not say whether ties have a direction. If every tie stands in both lines, they have none; if some
do and some do not, they have one; if none does, nobody can tell, and they are read without.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from graphanon.errors import Problem
from graphanon.io.cells import number_of
from graphanon.io.faults import refusal, refuse_any
from graphanon.io.graph_parts import GraphParts, graph_source
from graphanon.io.numbered import Lines, column_of, lines_of, whole
from graphanon.io.packed import Content
from graphanon.io.source import ReadOptions, ReadReport, Source
from graphanon.progress import advance

__all__ = ["fits", "read"]

_NUMBERED = re.compile(r"\s*([0-9]+)\s*([^:]*):([0-9\s]*)\Z")
_NAMED = re.compile(r"([^:]+):(\s.*)?\Z", re.DOTALL)
_BY_NETWORKX = re.compile(rb"#[^\n]*\r?\n# GMT [^\n]*\r?\n#[^\n]*\r?\n")
_SIGNS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": None, " ": None, "blank": None, "whitespace": None}
_BATCH = 1 << 16


def fits(head: bytes) -> bool:
    """Tell whether a file begins like a numbered adjacency list, or with the comments that networkx writes."""
    plain = head.lstrip(b"\xef\xbb\xbf")
    if _BY_NETWORKX.match(plain):
        return True
    texts = plain.decode("latin-1").split("\n")[: -1 if len(head) > 1000 else None]
    lines = [line.rstrip("\r") for line in texts if line.strip() and line.lstrip()[0] not in "*#%"][:20]
    found = [_NUMBERED.match(line.rstrip("\\")) for line in lines]
    # a lone number behind a colon may be a time of day
    named = [match for match in found if match and (match.group(2).strip() or len(match.group(3).split()) > 1)]
    carried = [lines[place - 1].endswith("\\") for place in range(len(lines))]
    plausible = all(match or (place and carried[place]) for place, match in enumerate(found))
    return bool(named) and plausible


def read(content: Content, options: ReadOptions) -> Source:
    """Return the people and ties of an adjacency list.

    Raises
    ------
    InputProblem
        If a line may be a comment or a person, a numbered line names no number, or the list is of the kind
        that spreads over several lines.
    """
    lines = lines_of(content, options)
    found = _Found(lines=lines)
    rows = _rows(found, options)
    refuse_any(_spread(rows, content.name))
    how = _how(rows, options)
    for row, (line, text) in enumerate(rows):
        if row % _BATCH == 0:
            advance("read", row, len(rows))
        _take(found, line, text, how)
    refuse_any(_doubts(found, options))
    if not found.ids:
        raise refusal([Problem(what="every line is a comment", file=content.name, fix="--comment none if these lines are data")])
    return graph_source(_parts(found, how, options), options)


@dataclass(kw_only=True)
class _Found:
    """People in the order in which they are met, ties by their places, comments and what is odd."""

    lines: Lines
    ids: list[str] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    person_lines: list[int] = field(default_factory=list)
    source: array[int] = field(default_factory=lambda: array("q"))
    target: array[int] = field(default_factory=lambda: array("q"))
    tie_lines: array[int] = field(default_factory=lambda: array("q"))
    comments: list[tuple[int, str]] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    places: dict[str, int] = field(default_factory=dict)
    heads: set[int] = field(default_factory=set)

    def place(self, name: str) -> int:
        """Return the place of a person, who is new if the name is."""
        place = self.places.setdefault(name, len(self.ids))
        if place == len(self.ids):
            self.ids.append(name)
            self.names.append(None)
            self.person_lines.append(0)
        return place


def _rows(found: _Found, options: ReadOptions) -> list[tuple[int, str]]:
    """Return the lines of data, those that a backslash carries on joined, and keep the comments apart."""
    rows: list[tuple[int, str]] = []
    carried: list[str] = []
    start = 0
    numbered = any(_NUMBERED.match(line.rstrip("\\")) for line in found.lines.texts[:200])
    signs = "#%*" if numbered else "#%"
    for number, text in enumerate(found.lines.texts, start=1):
        marked = not carried and options.comment == "auto" and text.lstrip()[:1] in tuple(signs)
        if marked:
            found.comments.append((number, text))
        elif not text.strip() and not carried:
            found.seen["blank_lines"] += 1
        else:
            start = start if carried else number
            carried.append(text.removesuffix("\\") if numbered else text)
            if not (numbered and text.endswith("\\")):
                rows.append((start, " ".join(carried)))
                carried = []
            else:
                found.seen["continued_lines"] += 1
    return [*rows, (start, " ".join(carried))] if carried else rows


def _spread(rows: list[tuple[int, str]], file: str) -> Iterator[Problem]:
    """Find the list that networkx calls multiline: a person and a number, then so many lines of neighbours with attributes."""
    words = rows[0][1].split() if rows else []
    number = whole(words[1]) if len(words) == 2 else None
    if number and len(rows) > number and all(text.rstrip().endswith("}") and "{" in text for _, text in rows[1 : number + 1]):
        yield Problem(what="is a multiline adjacency list, which is not read", file=file, line=rows[0][0],
                      allowed="one line for each person", fix="write it again with networkx' write_adjlist, or as GraphML")


def _how(rows: list[tuple[int, str]], options: ReadOptions) -> str | None:
    """Return the way of writing: ``numbered``, ``named``, or the sign between words, None for blanks."""
    if options.delimiter is not None:
        return _SIGNS.get(options.delimiter, options.delimiter)
    for how, pattern in (("numbered", _NUMBERED), ("named", _NAMED)):
        if rows and all(pattern.match(text) for _, text in rows):
            return how
    texts = [text for _, text in rows]
    if any("\t" in text for text in texts):
        return "\t"
    if any(" " in text.strip() for text in texts):
        return None
    return next((sign for sign in (",", ";") if any(sign in text for text in texts)), None)


def _take(found: _Found, line: int, text: str, how: str | None) -> None:
    name = None
    if how in ("numbered", "named"):
        match = (_NUMBERED if how == "numbered" else _NAMED).match(text)
        groups = match.groups() if match else ("", "")
        head, name, rest = (groups[0], groups[1].strip() or None, groups[2]) if len(groups) == 3 else (groups[0].strip(), None, groups[1])
        cells = [head, *(rest or "").split()]
    elif how is None:
        cells = text.split()
    else:
        cells = [cell.strip() for cell in text.split(how)]
    head, *others = cells
    others = [cell for cell in others if cell] if how else others
    if len(others) + 1 < len(cells):
        found.seen["empty cells passed over"] += len(cells) - 1 - len(others)
    if not head:
        found.seen["nameless"] += 1
        return
    person = found.place(head)
    if person in found.heads:
        found.seen["people with more than one line, whose neighbours were joined"] += 1
    found.heads.add(person)
    found.names[person] = found.names[person] or name
    found.person_lines[person] = found.person_lines[person] or line
    for other in others:
        found.source.append(person)
        found.target.append(found.place(other))
        found.tie_lines.append(line)


def _doubts(found: _Found, options: ReadOptions) -> Iterator[Problem]:
    file = found.lines.file
    if found.seen["nameless"]:
        yield Problem(what=f"{number_of(found.seen['nameless'], 'line begins', 'lines begin')} with an empty cell", file=file,
                      allowed="a person at the beginning of each line")
    if options.comment == "none":
        return
    for line, text in found.comments:
        sign, *others = text.split()
        tied = len(sign) > 1 and others and all(word in found.places for word in others)
        if sign in found.places or tied:
            yield Problem(what="begins like a comment but may be a person", file=file, line=line,
                          fix="--comment none reads such lines as data; remove the line if it is a comment")


def _parts(found: _Found, how: str | None, options: ReadOptions) -> GraphParts:
    ids = column_of(found.ids)
    source, target = (np.array(ends, dtype=np.int64) for ends in (found.source, found.target))
    lines = np.array(found.tie_lines, dtype=np.int64)
    directed, told, warned = _direction(source, target, found.lines.file, options)
    if directed is False:
        once = source <= target
        source, target, lines = source[once], target[once], lines[once]
    named = any(name is not None for name in found.names)
    return GraphParts(
        file=found.lines.file, ids=ids, lines=np.array(found.person_lines, dtype=np.int64),
        attributes={"name": column_of(found.names)} if named else {}, source=ids[source], target=ids[target],
        tie_lines=lines, directed=directed, report=_report(found, how, told, warned, len(source)))


def _direction(
    source: np.ndarray[tuple[int], np.dtype[np.int64]], target: np.ndarray[tuple[int], np.dtype[np.int64]], file: str,
    options: ReadOptions,
) -> tuple[bool | None, tuple[str, ...], tuple[str, ...]]:
    """Return whether ties have a direction, with a note and a warning."""
    apart = source != target
    forth = Counter(zip(source[apart].tolist(), target[apart].tolist(), strict=True))
    mutual = sum((b, a) in forth for a, b in forth)
    if options.directed is not None or not forth:
        return (True if options.directed else None), (), ()
    if mutual == len(forth) and all(forth[b, a] == number for (a, b), number in forth.items()):
        return False, (f"{file}: every tie stands in both lines, so ties have no direction",), ()
    if mutual:
        told = f"{file}: ties are read as arcs: {mutual:,} of {len(forth):,} have an arc back"
        return True, (told,), ()
    told = "no tie stands in both lines; ties are read without a direction, --directed reads them as arcs"
    return None, (), (f"{file}: {told}",)


def _report(found: _Found, how: str | None, told: tuple[str, ...], warned: tuple[str, ...], ties: int) -> ReadReport:
    file = found.lines.file
    way = {"numbered": "number, name and colon", "named": "a colon behind the person", None: "separated by blanks",
           "\t": "tab-separated"}.get(how, f"separated by {how!r}")
    counts = {"lines_read": len(found.lines.texts), "comment_lines": len(found.comments),
              "blank_lines": found.seen.pop("blank_lines", 0), "continued_lines": found.seen.pop("continued_lines", 0)}
    held = f"{number_of(len(found.ids), 'person', 'people')}, {number_of(ties, 'tie', 'ties')}"
    notes = [f"{file}: adjacency list, {way}, {found.lines.text.encoding}, {held}"]
    notes += [f"{file}: {number_of(number, name[:-1].replace('_', ' '), name.replace('_', ' '))}"
              for name, number in counts.items() if number and name != "lines_read"]
    beside = len(found.ids) - len(found.heads)
    if beside:
        notes.append(f"{file}: {number_of(beside, 'person has', 'people have')} no line of their own and stay, as neighbours")
    warnings = tuple(f"{file}: {what}: {number:,}" for what, number in sorted(found.seen.items()) if number)
    return ReadReport(counts=counts, notes=(*notes, *told), warnings=(*found.lines.text.warnings, *warnings, *warned))
