"""The command that draws pages about a run, or about a release that somebody has received."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphanon.cli.answer import Answer, aligned
from graphanon.cli.bar import bar

__all__ = ["report_command"]


def report_command(
    source: Annotated[
        Path, typer.Argument(metavar="OUT", help="The folder of a run, or a release folder on its own.")
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", show_default=False,
                     help="Folder for the pages; left out, they go into OUT. A release on its own needs one."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace pages that are there.")] = False,
) -> Answer:
    """Draw pages that open in any browser: one to hand out with the release, one for you alone.

    OUT/report.html says nothing that the release does not say; OUT/private/report-internal.html also has
    the record of the run and the supernodes or classes that come closest to telling something. A release is
    recounted first, never changed, and gets no page if it does not hold what it says.
    """
    with bar():
        from graphanon.report import write_reports

        reports = write_reports(source, into=out, force=force)
    rows = [["to hand out", str(reports.public)]]
    rows += [["to keep", str(reports.internal)]] if reports.internal else []
    return Answer(text=f"drawn; open in a browser\n{aligned(rows, head=False)}", json=reports.as_json())
