"""Options that several commands share, and the means to give them to a command.

How an ambiguous file is to be read takes a dozen options, the same wherever a file is read. They are
declared once, as parameters, and :func:`accept` adds them to a command's signature, which is what typer
reads; the command receives those that were given as one mapping `reading`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from graphanon.cli.answer import Answer

if TYPE_CHECKING:
    from graphanon.io.source import ReadOptions
    from graphanon.schema import Schema

__all__ = ["JSON", "READING", "People", "SchemaFile", "Ties", "accept", "read_options"]

People = Annotated[
    str | None,
    typer.Argument(metavar="PEOPLE", show_default=False,
                   help="Table of people, or a graph file that brings its ties; '-' is standard input."),
]
Ties = Annotated[
    str | None,
    typer.Option("--ties", metavar="TIES", show_default=False,
                 help="File of ties; without PEOPLE the ends of the ties are the people."),
]
SchemaFile = Annotated[
    str | None,
    typer.Option("--schema", metavar="S.toml", show_default=False, help="What each column is: roles and domains."),
]


class _Unlisted(StrEnum):
    ERROR = "error"
    DROP = "drop"


class _MissingNodes(StrEnum):
    ERROR = "error"
    ADD = "add"
    DROP = "drop"


class _Ends(StrEnum):
    AUTO = "auto"
    ID = "id"
    POSITION = "position"


class _DuplicateNodes(StrEnum):
    ERROR = "error"
    FIRST = "first"


class _Comment(StrEnum):
    AUTO = "auto"
    NONE = "none"


def _option(name: str, kind: Any, *flags: str, text: str, metavar: str | None = None) -> Parameter:
    info = typer.Option(*flags, help=text, metavar=metavar, show_default=False)
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=Annotated[kind | None, info], default=None)


JSON = Parameter(
    "json", Parameter.KEYWORD_ONLY, default=False,
    annotation=Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")],
)

READING: tuple[Parameter, ...] = (
    _option("id", str, "--id", metavar="COLUMN", text="Column that names the person."),
    _option("source", str, "--source", metavar="COLUMN", text="Column of one end of each tie."),
    _option("target", str, "--target", metavar="COLUMN", text="Column of the other end."),
    _option("weight", str, "--weight", metavar="COLUMN", text="Column of tie weights."),
    _option("directed", bool, "--directed/--undirected", text="Whether ties have a direction."),
    _option("relation", str, "--relation", metavar="NAME", text="Which ties to read where a file holds several kinds."),
    _option("project", str, "--project", metavar="MODE",
            text="Of a two-mode network, whose nodes are the people; they are tied where they share another node."),
    _option("format", str, "--format", metavar="NAME",
            text="What the file is, such as GML, 'edge list' or 'adjacency list', if it does not show; the file of ties if there are two."),
    _option("delimiter", str, "--delimiter", metavar="CHAR", text="What separates cells; 'tab' and 'space' are understood."),
    _option("encoding", str, "--encoding", metavar="NAME", text="How text is encoded, such as utf-8 or latin-1."),
    _option("na_values", list[str], "--na-values", metavar="TEXT,…",
            text="Cells to read as missing, besides the empty one; may be repeated."),
    _option("comment", _Comment, "--comment", text="Whether lines that begin with # or % may be comments."),
    _option("header", bool, "--header/--no-header", text="Whether the first line of a table names its columns."),
    _option("lenient", bool, "--lenient", text="Drop values that a graph file does not declare, with a warning."),
    _option("unlisted", _Unlisted, "--unlisted", text="What to do with a column that the schema does not list."),
    _option("missing_nodes", _MissingNodes, "--missing-nodes", text="What to do with ties to ids that are nobody's."),
    _option("duplicate_nodes", _DuplicateNodes, "--duplicate-nodes", text="What to do when an id stands twice."),
    _option("drop_incomplete_ties", bool, "--drop-incomplete-ties", text="Drop ties with an empty end."),
    _option("ends", _Ends, "--ends", text="What the ends of links in JSON refer to: ids of nodes or places in their list."),
)

_DELIMITERS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}


def accept(
    command: Callable[..., Answer], json: Parameter, *, gathered: Sequence[Parameter] = ()
) -> Callable[..., Answer]:
    """Return the command with ``--json``, and with options handed over as its argument `reading`."""
    hints = get_type_hints(command, include_extras=True)
    own = [
        parameter.replace(annotation=hints[name])
        for name, parameter in signature(command).parameters.items()
        if name != "reading"
    ]

    @functools.wraps(command)
    def accepting(**given: Any) -> Answer:
        given.pop("json")
        if gathered:
            options = {parameter.name: given.pop(parameter.name) for parameter in gathered}
            given["reading"] = {name: _plain(name, value) for name, value in options.items() if value is not None}
        return command(**given)

    parameters = [p.replace(kind=Parameter.KEYWORD_ONLY) for p in (*own, *gathered, json)]
    accepting.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    accepting.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del accepting.__wrapped__
    return accepting


def _plain(name: str, value: Any) -> Any:
    """Return an option's value as a job file would hold it."""
    if name == "na_values":
        return [cell for text in value for cell in text.split(",")]
    if name == "delimiter":
        return _DELIMITERS.get(value, value)
    return str(value) if isinstance(value, StrEnum) else value


def read_options(reading: Mapping[str, Any], schema: Schema | None = None) -> ReadOptions:
    """Return how files are to be read: as the command says, else as the schema says, else by detection."""
    from graphanon.io.source import ReadOptions

    given = dict(reading)
    if "na_values" in given:
        given["na_values"] = tuple(given["na_values"])
    options = ReadOptions(**given)
    return options if schema is None else options.as_schema_says(schema)
