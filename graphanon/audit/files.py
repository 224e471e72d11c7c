"""The files of a release as an outsider receives them: listed, decoded, checksummed, cut into lines.

Nothing is repaired and nothing is skipped: what cannot be understood is a finding with its line.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from graphanon.audit.canonical import csv_difference
from graphanon.audit.finding import Finding, broken
from graphanon.errors import InputProblem, Problem

__all__ = ["DAY", "Line", "Lines", "checksum_faults", "csv_lines", "json_object", "load", "time_faults", "whole"]

DAY = 86_400
_SUM = re.compile(r"([0-9a-f]{64})  (.+)")
_WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")
_SHARED = 20_000  # how many different cells of a file are looked out for


class Line(NamedTuple):
    """The cells of a line, and which line of its file it begins in."""

    number: int
    cells: tuple[str, ...]


class Lines(NamedTuple):
    """The header of a CSV file, the lines under it, and what is wrong with its form."""

    header: tuple[str, ...]
    lines: list[Line]
    faults: list[Finding]


def load(folder: Path) -> tuple[dict[str, bytes], list[Finding]]:
    """Return the bytes of each file by its path in the folder, and what should not be there.

    Raises
    ------
    InputProblem
        If there is no such folder.
    """
    if not folder.is_dir():
        what = "there is no such folder"
        raise InputProblem(Problem(what=what, file=str(folder), allowed="a release folder, such as OUT/release"))
    contents: dict[str, bytes] = {}
    faults: list[Finding] = []
    for path in sorted(_walk(folder)):
        name = path.relative_to(folder).as_posix()
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            if name != "hierarchies":
                faults.append(broken("files", "a folder that is not part of a release", name))
        elif not stat.S_ISREG(mode):
            faults.append(broken("files", "a link or a device, not a file", name))
        else:
            try:
                contents[name] = path.read_bytes()
            except OSError as error:
                faults.append(broken("files", f"cannot be read: {error.strerror}", name))
    return contents, faults


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        yield from (Path(place) / name for name in (*folders, *names))


def time_faults(folder: Path) -> Iterator[Finding]:
    """Find files whose time tells more than the day; only a release that was not copied has its times."""
    for path in sorted([folder, *_walk(folder)]):
        if path.lstat().st_mtime_ns % (DAY * 10**9):
            name = path.relative_to(folder).as_posix()
            yield broken("times", "its time is finer than a day", name)


def checksum_faults(contents: Mapping[str, bytes]) -> Iterator[Finding]:
    """Find files that SHA256SUMS does not list, or lists with another sum, and lines without a file."""
    sums = "SHA256SUMS"
    if sums not in contents:
        yield broken("checksums", "there are no checksums", sums)
        return
    text = contents[sums].decode("utf-8", "replace")
    stated: dict[str, str] = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        match = _SUM.fullmatch(line)
        if not match or match[2] in stated:
            yield broken("checksums", "not a checksum and a file, each file once", sums, number)
            continue
        stated[match[2]] = match[1]
        if match[2] not in contents or match[2] == sums:
            yield broken("checksums", "a checksum of a file that is not there", sums, number)
        elif sha256(contents[match[2]]).hexdigest() != match[1]:
            yield broken("checksums", "the file is not the one that was summed", match[2])
    if list(stated) != sorted(stated) or not text.endswith("\n"):
        yield broken("checksums", "lines are not sorted by file", sums)
    for name in contents:
        if name not in stated and name != sums:
            yield broken("checksums", "has no checksum", name)


def decoded(contents: Mapping[str, bytes], name: str) -> tuple[str, list[Finding]]:
    """Return a file's text; anything but plain UTF-8 with LF line ends is a fault."""
    if name not in contents:
        return "", [broken("files", "is missing", name)]
    raw = contents[name]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return "", [broken("format", f"byte {error.start} is not UTF-8", name, line)]
    faults = [] if raw else [broken("format", "is empty", name)]
    if text.startswith("\ufeff"):
        faults.append(broken("format", "begins with a byte order mark", name, 1))
        text = text[1:]
    if "\0" in text:
        faults.append(broken("format", "holds a NUL", name, text.count("\n", 0, text.index("\0")) + 1))
    if text and not text.endswith("\n"):
        faults.append(broken("format", "the last line has no end", name))
    return text, faults


def csv_lines(
    contents: Mapping[str, bytes], name: str, separator: str = ",", *, header: bool = True, released: bool = True
) -> Lines:
    """Return the lines of a CSV file; lines of another width than the first are faults.

    In a file that is `released`, so is whatever is not written in the one way of a release.
    """
    text, faults = decoded(contents, name)
    lines: list[Line] = []
    # as bytes, which take a quarter of the memory of a text that is read as a file
    source = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8", newline="")
    reader = csv.reader(source, delimiter=separator, strict=True)
    before = 0
    known: dict[str, str] = {}
    try:
        for cells in reader:
            if cells:
                # equal cells are one text, which saves most of the memory of a large table
                share = known.setdefault if len(known) < _SHARED else known.get
                lines.append(Line(before + 1, tuple(map(share, cells, cells))))
            else:
                faults.append(broken("format", "an empty line", name, before + 1))
            before = reader.line_num
    except csv.Error as error:
        faults.append(broken("format", f"not CSV: {error}", name, before + 1))
    if released and not faults:
        place = csv_difference(text, [line.cells for line in lines], separator)
        if place is not None:
            what = "is not written as a release writes it: with LF, and quotes only where they are needed"
            faults.append(broken("format", what, name, place))
    if not lines and not faults:
        faults.append(broken("format", "is empty", name))
    width = len(lines[0].cells) if lines else 0
    faults += [
        broken("format", f"{len(line.cells)} cells where there should be {width}", name, line.number)
        for line in lines if len(line.cells) != width
    ]
    even = [line for line in lines if len(line.cells) == width]
    head = even[0].cells if even and header else ()
    return Lines(head, even[1:] if header else even, faults)


@lru_cache(maxsize=10_000)
def whole(text: str) -> int | None:
    """Return a count as it must be written, None if it is not."""
    return int(text) if _WHOLE.fullmatch(text) else None


def json_object(contents: Mapping[str, bytes], name: str) -> tuple[dict[str, Any] | None, list[Finding]]:
    """Return the JSON object in a file; a key that stands twice, NaN and infinities are faults."""
    text, faults = decoded(contents, name)
    if faults and not text:
        return None, faults
    try:
        told = json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
    except json.JSONDecodeError as error:
        return None, [*faults, broken("format", f"not JSON: {error.msg}", name, error.lineno)]
    except (ValueError, RecursionError) as error:
        return None, [*faults, broken("format", f"not JSON: {error}", name)]
    if not isinstance(told, dict):
        return None, [*faults, broken("format", "not a JSON object", name, 1)]
    return told, faults


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        message = "a key stands twice"
        raise ValueError(message)
    return told


def _refused(constant: str) -> float:
    message = f"{constant} is no number"
    raise ValueError(message)
