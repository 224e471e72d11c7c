"""XML as a stream, read strictly: what the formats that are spelled in it share.

The parser is expat, fed in chunks: it builds no tree, keeps the line of every element, opens no other file and no
network, and lets an entity declaration be refused where it stands, before anything that uses it is read.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from graphanon.errors import InputProblem, Problem
from graphanon.io.elements import stop_at_many
from graphanon.io.faults import refusal
from graphanon.io.packed import Content
from graphanon.progress import advance

__all__ = ["DEEPEST", "XmlWalk"]

_CHUNK = 1 << 20
DEEPEST = 1000


class XmlWalk:
    """A walk through a file; the parser calls `start`, `end` and `characters`, element by element.

    `form` is the name of the format. With `spaces` names come with their namespace before them, and a blank between.
    """

    form = "XML"
    spaces = False

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._text: list[str] | None = None
        self._skipping = 0
        self._parser: Any = None

    def walk(self, content: Content, encoding: str | None) -> None:
        """Go through the whole file.

        Raises
        ------
        InputProblem
            If it is no well-formed XML, is encoded in a way that is not known, or declares entities.
        """
        done = 0
        try:
            parser = self._made(encoding)
            while chunk := content.stream.read(_CHUNK):
                parser.Parse(chunk, False)  # noqa: FBT003  expat takes it by place
                done += len(chunk)
                advance("read", done, content.size)
            parser.Parse(b"", True)  # noqa: FBT003
        except expat.ExpatError as error:
            problem = Problem(what=f"is not well-formed XML ({expat.errors.messages[error.code]})",
                              file=content.name, line=error.lineno, fix="the file may be cut off; export it again")
            raise InputProblem([*self.problems[:20], problem]) from error
        except (LookupError, ValueError) as error:
            raise InputProblem(Problem(what=f"cannot be decoded: {error}", file=content.name, fix="--encoding")) from error

    def _made(self, encoding: str | None) -> Any:
        self._parser = parser = expat.ParserCreate(encoding, " " if self.spaces else None)
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.CharacterDataHandler = self.characters
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped
        return parser

    @property
    def line(self) -> int:
        """The line that the parser is in."""
        return int(self._parser.CurrentLineNumber)

    def fault(self, what: str, allowed: str | None = None, fix: str | None = None) -> None:
        """Note a problem of this line."""
        self.problems.append(Problem(what=what, file=self.file, line=self.line, allowed=allowed, fix=fix))
        stop_at_many(self.problems)

    def refuse_deeper(self, depth: int, what: str) -> None:
        """Stop where elements are nested as no program writes them."""
        if depth > DEEPEST:
            raise refusal([Problem(what=f"{what} are nested more than {DEEPEST} deep", file=self.file, line=self.line)])

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""

    def end(self, tag: str) -> None:
        """Close an element."""

    def characters(self, text: str) -> None:
        """Keep text that stands in a value."""
        if self._text is not None and not self._skipping:
            self._text.append(text)

    def _entity(self, *_declaration: object) -> None:
        raise refusal([Problem(
            what="the DOCTYPE declares an entity, which can hide text or exhaust memory", file=self.file,
            line=self.line, allowed=f"{self.form} without entity declarations",
            fix="open the file in the program it came from and save it without a DOCTYPE")])

    def _skipped(self, name: str, _parameter: bool) -> None:  # noqa: FBT001  expat's order
        # only another file could explain it
        self.fault(f"uses the entity '{name}', which the file does not declare", fix="write the text itself")
