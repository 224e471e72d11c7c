"""Pages appear together or not at all, and never inside a release."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from graphanon.errors import InputProblem, Problem

__all__ = ["refuse_files", "write_together"]


def refuse_files(files: Mapping[Path, bool], *, force: bool) -> None:
    """Raise InputProblem with every file that may not be written; the value says whether one is private.

    Raises
    ------
    InputProblem
        If a file exists without `force`, is a link or a folder, or lies inside a release folder.
    """
    problems = [problem for file in files if (problem := _refused(file, force=force))]
    if problems:
        raise InputProblem(problems)


def _refused(file: Path, *, force: bool) -> Problem | None:
    if any((parent / "release.json").is_file() for parent in file.resolve().parents):
        return Problem(what="lies inside a release folder, which a report must not change", file=str(file),
                       fix="-o DIR outside it")
    if file.is_symlink() or file.is_dir():
        return Problem(what="is in the way: it is a link or a folder", file=str(file), fix="another -o DIR")
    if file.exists() and not force:
        return Problem(what="exists already", file=str(file), fix="--force replaces it")
    return None


def write_together(texts: Mapping[Path, str], private: Mapping[Path, bool]) -> None:
    """Write every file aside first, in folders that nobody else can enter, then move all of them to their places.

    Raises
    ------
    InputProblem
        If a file cannot be written; then none of them has appeared.
    """
    folders: list[Path] = []
    file = next(iter(texts))
    try:
        with ExitStack() as aside:
            drafts: dict[Path, Path] = {}
            for file, text in texts.items():
                folders += _make_folder(file.parent, private=private[file])
                drafts[file] = Path(aside.enter_context(TemporaryDirectory(prefix=".graphanon-", dir=file.parent))) / file.name
                _write(drafts[file], text, mode=0o600 if private[file] else 0o644)
            _move(drafts)
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise InputProblem(Problem(what=what, file=str(file), fix="another -o DIR")) from error
    finally:
        for folder in reversed(folders):
            # a folder that was made for pages which did not appear
            with suppress(OSError):
                folder.rmdir()


def _move(drafts: Mapping[Path, Path]) -> None:
    """Move every draft to its place; whatever breaks that off, those that were not there before are not there after."""
    new = [file for file in drafts if not file.exists()]
    try:
        for file, draft in drafts.items():
            draft.replace(file)
    except BaseException:
        for file in new:
            file.unlink(missing_ok=True)
        raise


def _make_folder(folder: Path, *, private: bool) -> list[Path]:
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=0o700 if private and place == folder else 0o777)
    return missing[::-1]


def _write(file: Path, text: str, *, mode: int) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), mode)
    with open(descriptor, "w", encoding="utf-8", newline="") as out:  # noqa: PTH123  a descriptor, made with its mode at once
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
