"""Bytes as text: which encoding, and no byte that is not text.

UTF-8 checks itself: other encodings hardly ever pass for it. So a file that is valid UTF-8 is UTF-8, a
byte order mark is believed, and anything else is a guess. One guess is made: a file in which every
foreign byte is a letter or quotation mark of Windows-1252 beside a plain letter, and which holds no
sequence of UTF-8, is read as such, with a warning. In any other case the steward is asked.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from graphanon.errors import InputProblem, Problem
from graphanon.io.faults import refusal, refuse_any

__all__ = ["Text", "decoded"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LETTER = rb"[\x8a\x8c\x8e\x91-\x94\x96\x97\x9a\x9c\x9e\x9f\xc0-\xd6\xd8-\xf6\xf8-\xfe]{1,2}"
_PLAUSIBLE = re.compile(
    rb"(?:(?<=[A-Za-z])" + _LETTER + rb"|(?<![\x80-\xff])" + _LETTER + rb"(?=[A-Za-z]))(?![\x80-\xff])"
)
_UTF8_SEQUENCE = re.compile(rb"[\xc3-\xf4][\x80-\xbf]+")


@dataclass(frozen=True, kw_only=True, repr=False)
class Text:
    """A text as UTF-8 bytes without a byte order mark, every line ended by one newline character."""

    data: bytes
    encoding: str
    warnings: tuple[str, ...] = ()


def decoded(data: bytes, file: str, encoding: str | None = None) -> Text:
    r"""Return the text that `data` holds; `encoding` None means to find out.

    Raises
    ------
    InputProblem
        If there is no text, or a byte of it does not belong to the encoding, with its line.

    Examples
    --------
    >>> decoded(b"\xef\xbb\xbfid\r\n7\r\n", "people.csv").data
    b'id\n7\n'
    """
    chosen, mark = _declared(data, file, encoding)
    warnings: tuple[str, ...] = ()
    body = data[len(mark):]
    if chosen is None:
        chosen = "utf-8" if _is_utf8(body) else _guess(body, file)
        if chosen == "cp1252":
            warnings = (f"{file}: not UTF-8, read as Windows-1252 by guess; --encoding names another",)
    plain = body if chosen == "utf-8" and _is_utf8(body) else _recoded(body, file, chosen)
    plain = plain.removeprefix(codecs.BOM_UTF8)
    if b"\r" in plain:
        plain = plain.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not plain.strip():
        raise refusal([Problem(what="the file is empty", file=file, allowed="lines of text",
                                fix="give a file with people or ties in it")])
    refuse_any(_nul_lines(plain, file))
    return Text(data=plain, encoding=_title(chosen, marked=bool(mark)), warnings=warnings)


def _title(encoding: str, *, marked: bool) -> str:
    name = {"utf-8": "UTF-8", "cp1252": "Windows-1252"}.get(encoding, encoding.upper())
    return f"{name} with byte order mark" if marked else name


def _declared(data: bytes, file: str, encoding: str | None) -> tuple[str | None, bytes]:
    if encoding is not None:
        try:
            name = codecs.lookup(encoding).name
        except LookupError as error:
            raise refusal([Problem(what=f"there is no encoding '{encoding}'", file=file, fix="--encoding",
                                   allowed="a name such as utf-8, cp1252, latin-1, utf-16")]) from error
        return ("utf-8" if name == "utf-8-sig" else name), b""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, mark
    # without a mark, UTF-16 shows in every second byte of its plain letters being zero
    head = data[:4096]
    if head[1::2].count(0) > len(head) // 4 and not head[::2].count(0):
        return "utf-16-le", b""
    if head[::2].count(0) > len(head) // 4 and not head[1::2].count(0):
        return "utf-16-be", b""
    return None, b""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _guess(data: bytes, file: str) -> str:
    if _PLAUSIBLE.sub(b"", data).isascii() and not _UTF8_SEQUENCE.search(data):
        return "cp1252"
    raise refusal(_foreign_lines(data, file))


def _foreign_lines(data: bytes, file: str) -> list[Problem]:
    problems = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            problems.append(Problem(
                what=f"byte 0x{line[error.start]:02X} at place {error.start + 1} is not UTF-8", file=file,
                line=number, fix="--encoding names the file's encoding, such as cp1252 or latin-1"))
    return problems


def _recoded(data: bytes, file: str, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, "replace").count("\n") + 1
        what = f"byte 0x{data[error.start]:02X} is not {encoding}"
        raise InputProblem(Problem(what=what, file=file, line=line, fix="--encoding")) from error
    except UnicodeEncodeError as error:
        raise InputProblem(Problem(what=f"holds half a character, so it is not {encoding}", file=file,
                                   fix="--encoding")) from error


def _nul_lines(data: bytes, file: str) -> list[Problem]:
    if b"\0" not in data:
        return []
    return [
        Problem(what="holds a zero byte, which no text does", file=file, line=number,
                fix="the file may be damaged, or of another kind than a table of text")
        for number, line in enumerate(data.split(b"\n"), start=1) if b"\0" in line
    ]
