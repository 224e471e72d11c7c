"""Pages appear together or not at all, and never inside a release."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

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
    """Write every file beside its place first, then move all of them there.

    Raises
    ------
    InputProblem
        If a file cannot be written; then none of them has appeared.
    """
    made: list[Path] = []
    folders: list[Path] = []
    file = next(iter(texts))
    try:
        for file, text in texts.items():
            folders += _make_folder(file.parent, private=private[file])
            partial = file.with_name(f".{file.name}.partial")
            _write(partial, text, mode=0o600 if private[file] else 0o644)
            made.append(partial)
        for partial, file in zip(made, texts, strict=True):
            partial.replace(file)
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise InputProblem(Problem(what=what, file=str(file), fix="another -o DIR")) from error
    finally:
        _clear(made, folders)


def _clear(made: list[Path], folders: list[Path]) -> None:
    """Remove what has not been moved to its place, and folders made for pages that did not appear."""
    with suppress(OSError):
        for partial in made:
            partial.unlink(missing_ok=True)
    for folder in reversed(folders):
        with suppress(OSError):
            folder.rmdir()


def _make_folder(folder: Path, *, private: bool) -> list[Path]:
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=0o700 if private and place == folder else 0o777)
    return missing[::-1]


def _write(file: Path, text: str, *, mode: int) -> None:
    """Write a file anew; what could be written only in part is removed."""
    with suppress(FileNotFoundError):
        file.unlink()
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), mode)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as out:  # noqa: PTH123  a descriptor, made with its mode at once
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
    except OSError:
        file.unlink(missing_ok=True)
        raise
