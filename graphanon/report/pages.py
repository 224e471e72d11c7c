"""Which pages there are, and where they go: the public one beside a release, the internal one beside the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphanon.errors import InputProblem, Problem
from graphanon.progress import advance
from graphanon.report.explorer import explored
from graphanon.report.facts import internal, public
from graphanon.report.noise import noise_facts
from graphanon.report.page import noise_page, release_page
from graphanon.report.pictures import private_pictures, public_pictures
from graphanon.report.recorded import record
from graphanon.report.subject import GROUPED, checked, look, stated
from graphanon.report.writing import refuse_files, write_together

if TYPE_CHECKING:
    from graphanon.pipeline import Run

__all__ = ["Reports", "write_reports"]

PUBLIC, INTERNAL = "report", "report-internal"


@dataclass(frozen=True, kw_only=True)
class Reports:
    """Where the pages are; there is no internal one of a release on its own."""

    public: Path
    internal: Path | None

    def as_json(self) -> dict[str, str]:
        """Return the places of the pages and of their JSON twins."""
        pages = {"report": self.public} | ({"internal": self.internal} if self.internal else {})
        return {name: str(page) for name, page in pages.items()} | {
            f"{name}_json": str(page.with_suffix(".json")) for name, page in pages.items()
        }


def write_reports(
    source: Path | str, *, into: Path | str | None = None, force: bool = False, run: Run | None = None
) -> Reports:
    """Write the pages about a run folder, or the public page about a release folder on its own.

    They go into the run folder, beside the release and beside the key, or `into` another folder; nothing is ever
    written into a release. `run` is the run at hand, if it is: people as they were can be drawn only from it.

    Raises
    ------
    InputProblem
        If the folder is neither, or a page exists and `force` is not set, or cannot be written.
    BrokenPromise
        If the audit finds that the release does not hold what it says.
    """
    source = Path(source)
    release, home = _found(source)
    into = _place(into, home, source)
    grouped = stated(release)["kind"] in GROUPED
    # perturbed data have no key and no record that says more than they do
    inner = into / "private" if grouped and home is not None else None
    places = {into / f"{PUBLIC}.html": False, into / f"{PUBLIC}.json": False}
    if inner is not None:
        places |= {inner / f"{INTERNAL}.html": True, inner / f"{INTERNAL}.json": True}
    refuse_files(places, force=force)
    texts = _texts(release, None if inner is None else home, run) if grouped else _noise(release)
    write_together(dict(zip(places, texts, strict=True)), places)
    return Reports(public=into / f"{PUBLIC}.html", internal=None if inner is None else inner / f"{INTERNAL}.html")


def _found(source: Path) -> tuple[Path, Path | None]:
    """Return the release folder, and the run folder around it if the record of the run is there."""
    if (source / "release.json").is_file():
        return source, None
    release = source / "release"
    if not (release / "release.json").is_file():
        raise InputProblem(Problem(what="is no run folder and no release folder", file=str(source),
                                   allowed="the folder OUT of a run, or a release folder"))
    return release, source if (source / "private").is_dir() else None


def _place(into: Path | str | None, home: Path | None, source: Path) -> Path:
    if into is not None:
        return Path(into)
    if (source / "release.json").is_file():
        what = "is a release, into which nothing is written"
        raise InputProblem(Problem(what=what, file=str(source), allowed="-o DIR, the folder for the page",
                                   fix=f"graphanon report {source} -o DIR"))
    return home or source


def _texts(release: Path, home: Path | None, run: Run | None) -> list[str]:
    """Return every page with its twin, the public one first."""
    subject = look(release)
    run_record = None if home is None else record(home / "private", graph=subject.statement.graph)
    advance("drawing pictures", 0, 0)
    pictures = public_pictures(release)
    advance("arranging the explorer", 0, 0)
    explorer = explored(subject)
    facts = public(subject)
    texts = [release_page(facts, pictures, explorer, twin=f"{PUBLIC}.json"), _twin(facts)]
    if run_record is not None:
        facts = internal(subject, run_record)
        page = release_page(facts, private_pictures(run, pictures), explorer, twin=f"{INTERNAL}.json")
        texts += [page, _twin(facts)]
    return texts


def _noise(release: Path) -> list[str]:
    """Return the page and its twin of a release that promises noise."""
    facts = noise_facts(release, stated(release), checks=len(checked(release)))
    return [noise_page(facts, twin=f"{PUBLIC}.json"), _twin(facts)]


def _twin(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
