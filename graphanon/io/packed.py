"""Files as bytes: opened, unpacked, and named as the user named them.

What a file is packed with is told by its first bytes, not by its name. A packed file from a stranger
may unfold to more than any disk holds, so unpacking stops at fifty times the packed size plus
128 megabytes, far above what files of people reach.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TypeAlias, cast

from graphanon.errors import InputProblem, Problem
from graphanon.io.faults import shown
from graphanon.progress import advance

__all__ = ["STDIN", "Content", "opened"]

STDIN = "-"
_BUFFER = 1 << 16
_PIECE = 1 << 25
Stream: TypeAlias = "io.BufferedReader[Any]"
_FLOOR = 1 << 27
_RATIO = 50
_PACKINGS: tuple[tuple[bytes, str, tuple[str, ...], Callable[[BinaryIO], Any]], ...] = (
    (b"\x1f\x8b", "gzip", (".gz",), gzip.open),
    (b"BZh", "bzip2", (".bz2",), bz2.open),
    (b"\xfd7zXZ\x00", "xz", (".xz",), lzma.open),
)
_UNREADABLE = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


@dataclass(frozen=True, kw_only=True, eq=False)
class Content:
    """An open file: `name` as the user gave it, `suffix` of what lies inside any packing, its bytes.

    `size` counts them, 0 where that is not known before they are unpacked from `packed` bytes.
    """

    name: str
    suffix: str
    stream: Stream
    size: int
    packing: str | None = None
    packed: int = 0

    def __repr__(self) -> str:
        return f"Content({self.name!r})"

    def head(self) -> bytes:
        """Return the first bytes without moving on."""
        return self.stream.peek(_BUFFER)

    def read(self) -> bytes:
        """Return everything, telling how far it has come."""
        pieces = []
        done = 0
        while piece := self.stream.read(_PIECE):
            pieces.append(piece)
            done += len(piece)
            advance("read", done, self.size)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class _Bounded(io.RawIOBase):
    """A stream that refuses to unfold beyond a limit."""

    def __init__(self, inner: BinaryIO, limit: int, name: str) -> None:
        super().__init__()
        self._inner, self._left, self._limit, self._name = inner, limit, limit, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._inner.read(len(buffer))
        self._left -= len(chunk)
        if self._left < 0:
            raise InputProblem(Problem(
                what=f"unpacks to more than {self._limit >> 20:,} MB, far beyond its packed size",
                file=self._name, fix="unpack it yourself if you trust it"))
        buffer[: len(chunk)] = chunk
        return len(chunk)


@contextmanager
def opened(path: str | PathLike[str]) -> Iterator[Content]:
    """Open a path, or standard input for ``-``, and see through its packing.

    Raises
    ------
    InputProblem
        If the file is missing, unreadable, damaged or a folder, or a zip holds more than one file.
    """
    name = os.fspath(path)
    try:
        with _stream(name) as stream:
            yield _unpacked(name, stream)
    except _UNREADABLE as error:
        fix = None if isinstance(error, FileNotFoundError | IsADirectoryError | PermissionError) else "fetch or pack it again"
        raise InputProblem(Problem(what=_reason(error), file=_label(name), fix=fix)) from error


def _label(name: str) -> str:
    return "standard input" if name == STDIN else name


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file"
    if isinstance(error, PermissionError):
        return "may not be read by this user"
    return f"cannot be read, it may be damaged or cut off ({error or type(error).__name__})"


@contextmanager
def _stream(name: str) -> Iterator[Stream]:
    if name == STDIN:
        yield io.BufferedReader(cast("io.RawIOBase", io.BytesIO(sys.stdin.buffer.read())), _BUFFER)
        return
    with Path(name).open("rb", buffering=_BUFFER) as stream:
        yield cast("Stream", stream)


def _unpacked(name: str, stream: Stream) -> Content:
    size = _size(stream)
    label, suffixes = _label(name), [suffix.lower() for suffix in Path(name).suffixes]
    head = stream.peek(_BUFFER)
    for magic, packing, endings, unpack in _PACKINGS:
        if head.startswith(magic):
            inner = [suffix for suffix in suffixes if suffix not in endings]
            return _bounded(label, inner, unpack(cast("BinaryIO", stream)), size, packing)
    if head.startswith(b"PK\x03\x04"):
        archive = _known_zip(label, lambda: zipfile.ZipFile(cast("BinaryIO", stream)))
        if not _is_office(archive):
            member = _only_member(archive, label)
            inner = [suffix.lower() for suffix in PurePosixPath(member).suffixes]
            return _bounded(label, inner, _known_zip(label, lambda: archive.open(member)), size, "zip")
        stream.seek(0)
    return Content(name=label, suffix=suffixes[-1] if suffixes else "", stream=stream, size=size)


def _size(stream: Stream) -> int:
    at = stream.tell()
    size = stream.seek(0, os.SEEK_END) if stream.seekable() else 0
    if stream.seekable():
        stream.seek(at)
    return size


def _bounded(label: str, suffixes: list[str], inner: Any, packed: int, packing: str) -> Content:
    stream = io.BufferedReader(_Bounded(inner, _FLOOR + _RATIO * packed, label), _BUFFER)
    suffix = suffixes[-1] if suffixes else ""
    return Content(name=label, suffix=suffix, stream=stream, size=0, packing=packing, packed=packed)


def _is_office(archive: zipfile.ZipFile) -> bool:
    names = set(archive.namelist())
    return "[Content_Types].xml" in names or "mimetype" in names


def _known_zip(label: str, opening: Callable[[], Any]) -> Any:
    """Open an archive, or what it holds."""
    try:
        return opening()
    except NotImplementedError as error:
        raise InputProblem(Problem(what="the archive is packed in a way that is not read", file=label,
                                   allowed="zip as most programs write it", fix="unpack it first")) from error
    except UnicodeDecodeError as error:
        raise InputProblem(Problem(what="the archive calls a file by a name that is no text; it may be damaged", file=label,
                                   allowed="zip as most programs write it", fix="unpack it first")) from error


def _only_member(archive: zipfile.ZipFile, label: str) -> str:
    members = [
        info.filename for info in archive.infolist()
        # zipfile stumbles over a name without a letter
        if info.filename and not info.is_dir() and not info.filename.startswith("__MACOSX/")
    ]
    if len(members) != 1:
        what = f"the archive holds {len(members)} files" + (f": {shown(members)}" if members else "")
        raise InputProblem(Problem(what=what, file=label, allowed="one file in a zip", fix="unpack it first"))
    if archive.getinfo(members[0]).flag_bits & 1:
        raise InputProblem(Problem(what="the archive is encrypted", file=label, fix="unpack it first"))
    return members[0]
