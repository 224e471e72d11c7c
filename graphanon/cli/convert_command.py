"""The command that writes people and ties in another format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphanon.cli.answer import Answer, count, tell
from graphanon.cli.bar import bar
from graphanon.cli.options import Ties, read_options
from graphanon.errors import InputProblem, Problem

if TYPE_CHECKING:
    from graphanon.io.writers.saving import Saved

__all__ = ["convert_command"]


def convert_command(
    people: Annotated[
        str | None,
        typer.Argument(metavar="IN", show_default=False, help="Graph file or table of people; '-' is standard input."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Argument(metavar="OUT", show_default=False, help="File to write; its ending names the format."),
    ] = None,
    *,
    ties: Ties = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", show_default=False, help="Format, if the ending does not name it.")
    ] = None,
    ties_out: Annotated[
        Path | None,
        typer.Option("--ties-out", metavar="FILE", show_default=False,
                     help="Where the ties go, of formats that are two files; OUT-ties if not given."),
    ] = None,
    drop_uncarried: Annotated[
        bool, typer.Option("--drop-uncarried", help="Leave out what the format cannot carry, instead of refusing.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    formats: Annotated[bool, typer.Option("--formats", help="Tell what each format can and cannot carry.")] = False,
    reading: Mapping[str, Any],
) -> Answer:
    """Write people and ties in another format, after reading back what was written.

    What the format cannot carry is named, and nothing is written unless --drop-uncarried leaves it out. With
    --ties alone, the one file named is OUT. The result is no release: it holds every person as they are.
    """
    if formats:
        return _formats()
    if ties is not None and out is None:
        people, out = None, people
    if out is None or (people is None and ties is None):
        raise InputProblem(Problem(what="not told what to convert, or into what", allowed="IN OUT, or --ties TIES OUT",
                                   fix="graphanon convert town.gml town.graphml"))
    with bar():
        from graphanon.io import read
        from graphanon.io.writers.saving import save

        source = read(people, ties, options=read_options(reading))
        saved = save(source, Path(out), to=to, ties_out=ties_out, drop_uncarried=drop_uncarried, force=force)
    for warning in source.report.warnings:
        tell(f"graphanon: warning: {warning}")
    return Answer(text=_page(saved), json=_told(saved) | {"read": source.report.as_json()})


def _formats() -> Answer:
    from graphanon.io.formats import CARRIES, table_text

    entries = [{"name": c.name, "endings": list(c.suffixes), "ids": c.ids, "isolates": c.isolates, "attributes": c.attributes,
                "tie_attributes": c.tie_attributes, "direction": c.direction, "repeats": c.repeats, "types": sorted(c.kinds),
                "files": 2 if c.pair else 1} for c in CARRIES]
    return Answer(text=table_text(), json={"formats": entries})


def _told(saved: Saved) -> dict[str, Any]:
    return {"files": [str(file) for file in saved.files], "format": saved.format, "people": saved.people, "ties": saved.ties,
            "dropped": list(saved.lost), "renamed": dict(saved.renamed), "notes": list(saved.notes)}


def _page(saved: Saved) -> str:
    files = ", ".join(str(file) for file in saved.files)
    lines = [f"{count(saved.people, 'person', 'people')} and {count(saved.ties, 'tie')} written as {saved.format}: {files}"]
    lines += [f"  dropped: {what}" for what in saved.lost]
    lines += [f"  renamed: {old} -> {new}" for old, new in saved.renamed.items()]
    lines += [f"  note: {note}" for note in saved.notes]
    return "\n".join(lines)
