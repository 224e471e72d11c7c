"""Where a run folder may go, and which folder may be replaced by one.

Replacing deletes what was there, so a folder is only replaced if everything in it can be told to be
ours: a release with its statement and the files that its checksums list, the private folder with the
files that a run writes, and the pictures and pages that are drawn beside them. Anything else was put
there by somebody, and stays.

Nor may a run folder lie where it would do harm: over the files that the run reads, or inside a release,
where the key would be handed out with it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from graphanon.errors import InputProblem, Problem

__all__ = ["foreign", "refuse_place"]

BESIDE = ("supernodes.png", "report.html", "report.json")
PRIVATE = ("key.csv", "run.json", "ledger.json", "report-internal.html", "report-internal.json")
NAMED = 3
_SUM = re.compile(r"[0-9a-f]{64}  (.+)")


def refuse_place(
    out: Path | str, *, force: bool = False, reads: Iterable[Path | str] = (), bare: bool = False
) -> None:
    """Raise InputProblem if a run folder, or a `bare` release folder, may not be written at `out`.

    `reads` are the files that the run reads; a folder that holds one of them is never replaced.

    Raises
    ------
    InputProblem
        If `out` is a link, a file, the folder of this process, touches a file of `reads`, lies inside a
        release, exists without `force`, or with it holds anything that no run has put there.
    """
    if not str(out):
        raise InputProblem(Problem(what="-o names no folder: it is empty", allowed="the name of a new folder",
                                   fix="-o graphanon-out"))
    out = Path(os.path.abspath(out))  # noqa: PTH100  resolve() would follow a link that is to be refused
    problem = _harm(out, reads, bare=bare) or _taken(out, force=force, bare=bare)
    if problem:
        raise InputProblem(problem)


def _harm(out: Path, reads: Iterable[Path | str], *, bare: bool) -> Problem | None:
    """Return what speaks against the place whether or not something is there."""
    place = out.resolve()
    fix = "another -o OUT"
    for read in reads:
        other = Path(read).resolve()
        if place == other:
            return Problem(what="is a file that this run reads", file=str(out), fix=fix)
        if place in other.parents or (other in place.parents and other.exists()):
            word = "holds" if place in other.parents else "lies inside"
            return Problem(what=f"{word} {read}, which this run reads", file=str(out), fix=fix)
    inside = place.parents if bare else (place, *place.parents)
    release = next((folder for folder in inside if (folder / "release.json").is_file()), None)
    if release is not None and not out.is_symlink():
        what = f"lies inside the release folder {release}, and the key would be handed out with it"
        return Problem(what=what, file=str(out), allowed="a folder outside every release", fix=fix)
    return None


def _taken(out: Path, *, force: bool, bare: bool) -> Problem | None:
    """Return what speaks against writing over what is there."""
    what = None
    if out.is_symlink():
        what = "is a symbolic link, which is not followed"
    elif not out.exists():
        return None
    elif not out.is_dir():
        what = "exists and is not a folder"
    elif not force:
        return Problem(what="exists already", file=str(out), fix="--force replaces a run folder, or another -o OUT")
    elif Path.cwd().is_relative_to(out.resolve()):
        what = "is the folder that this command runs in"
    if what:
        return Problem(what=what, file=str(out), allowed="a folder that is not there yet", fix="another -o OUT")
    others = foreign(out, bare=bare)
    if not others:
        return None
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    what = f"holds what no run has put there: {', '.join(map(repr, others[:NAMED]))}{more}"
    return Problem(what=what, file=str(out), allowed="with --force, a run folder as a run left it",
                   fix="move these away, or another -o OUT")


def foreign(folder: Path, *, bare: bool = False) -> list[str]:
    """Return what lies in a folder and belongs neither to a run nor, if `bare`, to a release on its own.

    Without a release of ours everything in it is foreign; an empty folder has nothing foreign.
    """
    if bare:
        return sorted(_foreign_in_release(folder, ""))
    if not _is_folder(folder / "release"):
        return sorted(_shown(path) for path in folder.iterdir())
    return sorted(name for path in folder.iterdir() for name in _foreign_at(path))


def _foreign_at(path: Path) -> Iterator[str]:
    """Yield what is foreign of one thing that lies in a run folder, by its place there."""
    if path.name == "release":
        yield from _foreign_in_release(path, "release/")
    elif path.name == "private" and _is_folder(path):
        for own in path.iterdir():
            if own.name not in PRIVATE or not _is_file(own):
                yield f"private/{_shown(own)}"
    elif path.name not in BESIDE or not _is_file(path):
        yield _shown(path)


def _foreign_in_release(folder: Path, before: str) -> Iterator[str]:
    known = _listed(folder) if _is_ours(folder / "release.json") else set()
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(place, name)
            inner = path.relative_to(folder).as_posix()
            holds_known = any(each.startswith(inner + "/") for each in known)
            if not (_is_file(path) and inner in known) and not (_is_folder(path) and holds_known):
                yield before + inner + ("/" if _is_folder(path) else "")


def _is_ours(statement: Path) -> bool:
    """Return whether a file is the statement of a release that graphanon has made."""
    try:
        told = json.loads(statement.read_bytes())
    except (OSError, ValueError):
        return False
    software = told.get("software") if isinstance(told, dict) else None
    return isinstance(software, str) and software.startswith("graphanon") and told.get("format") == 1 and "kind" in told


def _listed(release: Path) -> set[str]:
    """Return the files of a release by its checksums."""
    try:
        lines = (release / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return set()
    return {"SHA256SUMS"} | {found[1] for line in lines if (found := _SUM.fullmatch(line))}


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _shown(path: Path) -> str:
    return path.name + "/" if _is_folder(path) else path.name
