"""The command that draws pictures: plot."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphanon.cli.answer import Answer
from graphanon.cli.bar import bar
from graphanon.cli.options import SchemaFile, read_options
from graphanon.errors import InputProblem, Problem

if TYPE_CHECKING:
    from graphanon.io import Reading

__all__ = ["plot_command"]

# options of the command line by the argument that they become
_FLAGS = {"colour": "--attribute", "ring": "--ring", "layout": "--layout", "seed": "--seed", "original": "--original"}


def plot_command(
    releases: Annotated[
        list[Path],
        typer.Argument(metavar="OUT/release…", show_default=False,
                       help="The release folder of a run; several for the frontier. OUT itself also shows what is private."),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FIG", show_default=False, help="Picture to write: .png, .svg or .pdf."),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", show_default=False,
                     help="supernodes, blocks, sizes, losses, class-losses, levels, degrees, records, frontier; with "
                          "--original also people and beside."),
    ] = None,
    attribute: Annotated[
        str | None,
        typer.Option("--attribute", "--colour", "--color", metavar="NAME[=VALUE]", show_default=False,
                     help="Attribute that the colours tell, or the share of people with one value of it."),
    ] = None,
    ring: Annotated[
        str | None,
        typer.Option("--ring", metavar="NAME", show_default=False,
                     help="Sensitive attribute of which half of a ringed supernode share one value; or none."),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option("--layout", metavar="NAME", show_default=False,
                     help="force, islands, kamada-kawai, drl, mds or circle."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, show_default=False, help="Fix the layout; 0 if not given.")
    ] = None,
    width: Annotated[
        int, typer.Option("--width", metavar="MM", min=60, max=400, help="Width in millimetres; 89 and 183 are journal columns.")
    ] = 183,
    dpi: Annotated[int, typer.Option("--dpi", metavar="N", min=50, max=1200, help="Dots per inch of a .png.")] = 300,
    original: Annotated[
        str | None,
        typer.Option("--original", metavar="PEOPLE", show_default=False,
                     help="The people that went in, for pictures that are private: people, beside, degrees."),
    ] = None,
    ties: Annotated[
        str | None, typer.Option("--ties", metavar="TIES", show_default=False, help="The ties that went in.")
    ] = None,
    schema: SchemaFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    reading: Mapping[str, Any],
) -> Answer:
    """Draw a picture of a release from its files alone: the supernode graph, or what --kind says.

    Of a table the default is a heat map of what is left to tell. With the original, and for the custodian's
    eyes alone, pictures show how it was before.
    """
    if out is None:
        fix = shlex.join(["graphanon", "plot", *map(str, releases), "-o", "supernodes.png"])
        raise InputProblem(Problem(what="not told which picture to write", allowed="-o FIG: .png, .svg or .pdf",
                                   fix=f"{fix} ('graphanon plot --help' shows more)"))
    with bar():
        from graphanon.plot.figure import check_file, save

        check_file(out, force=force)
        source, chosen = _source([_release(folder) for folder in releases], kind)
        options: dict[str, Any] = {"colour": attribute, "ring": ring, "layout": layout, "seed": seed}
        people: Any = _original(original, ties, schema, reading)
        if people is None and chosen == "degrees" and not source.statement["directed"]:
            people = _kept(releases[0])
        options = _fitting(chosen, options | {"original": people})
        source = people if chosen == "people" and people is not None else source
        told = save(source, out, kind=chosen, width=width, dpi=dpi, force=force, **options)
    return Answer(text=f"drawn: {out}", json={"picture": str(out), "kind": chosen, "shows": told})


def _release(folder: Path) -> Path:
    """Return the release in a run folder, or the folder itself."""
    inner = folder / "release"
    return inner if (inner / "release.json").is_file() and not (folder / "release.json").exists() else folder


def _kept(folder: Path) -> dict[int, int] | None:
    """Return how many people had each number of ties, as the private part of a run folder has kept it."""
    try:
        told = json.loads((folder / "private" / "run.json").read_bytes())["original"]["degrees"]
        return {int(degree): int(people) for degree, people in told.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _source(releases: Sequence[Path], kind: str | None) -> tuple[Any, str]:
    """Return what to draw, read, and which kind of picture."""
    from graphanon.plot.pictures import PICTURES
    from graphanon.plot.released import release_of

    if kind is not None and kind not in PICTURES:
        raise InputProblem(Problem(what=f"there is no picture of the kind '{kind}'", allowed=", ".join(PICTURES),
                                   fix="--kind KIND"))
    if len(releases) > 1 and kind != "frontier":
        raise InputProblem(Problem(what=f"{len(releases)} releases for a picture of one", allowed="one release folder",
                                   fix="--kind frontier compares several"))
    read = [release_of(folder) for folder in releases]
    if kind == "frontier":
        return read, kind
    return read[0], kind or ("supernodes" if read[0].superties is not None else "records")


def _fitting(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given, or raise InputProblem with those that this kind of picture has not."""
    from graphanon.plot.pictures import PICTURES

    given = {name: value for name, value in options.items() if value is not None}
    known = PICTURES[kind].options
    allowed = ", ".join(_FLAGS[name] for name in known) or "no options but width and dpi"
    problems = [
        Problem(what=f"a picture of the kind '{kind}' has no {_FLAGS[name]}", allowed=allowed)
        for name in given if name not in known and not (kind == "people" and name == "original")
    ]
    if problems:
        raise InputProblem(problems)
    return given if kind != "people" else {name: value for name, value in given.items() if name != "original"}


def _original(
    original: str | None, ties: str | None, schema: str | None, reading: Mapping[str, Any]
) -> Reading | None:
    """Return the people and ties that went in, if they are given."""
    if original is None and ties is None:
        return None
    if schema is None:
        raise InputProblem(Problem(what="the original needs a schema that says what each column is", fix="--schema S.toml"))
    from graphanon.io.schema_file import read_schema
    from graphanon.pipeline import read

    known = read_schema(Path(schema))
    return read(original, ties, schema=known, options=read_options(reading, known))
