"""A folder that is there whole or not at all.

Everything is built in ``OUT.partial`` and appears by one rename; with `force` an existing folder changes
places with the new one in that same rename (``renameat2`` with RENAME_EXCHANGE; where the system has no
such call, the old folder steps aside to ``OUT.replaced`` first and comes back if the rename fails).

Beside it, for as long as it is being built, lies ``OUT.partial.lock``: a file that the builder
holds locked and in which it notes which folders are its own. Whoever finds a partial folder together
with a lock that nobody holds knows that the builder was killed, and may clean up; a partial folder
without such a file is somebody else's and is never touched.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from graphanon.errors import BrokenPromise, InputProblem, Problem
from graphanon.release.model import Release
from graphanon.release.perturbed import PerturbedRelease
from graphanon.release.place import refuse_place
from graphanon.release.reading import read_any
from graphanon.release.rendering import csv_text, render

__all__ = ["Workspace", "write"]

_NOREPLACE, _EXCHANGE = 1, 2
_AT_FDCWD = -100
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)


class Workspace:
    """Builds a run folder beside its place; :meth:`appear` moves it there, leaving the block without it removes it.

    `reads` are files that must not lie where the folder goes; a `bare` folder is a release on its own.

    Raises
    ------
    InputProblem
        On entering: if `out` may not be written or replaced (see :func:`~graphanon.release.place.refuse_place`),
        or if another run is building it. Inside: if the disk is full or writing fails.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with Workspace(Path(place) / "out") as work:
    ...         key = work.write_key(("S1", "S1", ""), ids=("ann", "bo", "cy"))
    ...         appeared = work.appear()
    ...     sorted(path.name for path in Path(place).rglob("*"))
    ['key.csv', 'out', 'private']
    """

    def __init__(
        self, out: Path | str, *, force: bool = False, reads: Iterable[Path | str] = (), bare: bool = False
    ) -> None:
        # a name that ends in a slash or is relative must give the sibling's name all the same
        self.out = Path(os.path.abspath(out))  # noqa: PTH100  resolve() would follow a link that is to be refused
        if not self.out.name:
            raise InputProblem(Problem(what="is no place for a new folder", file=str(out), fix="another -o OUT"))
        self.force = force
        self._reads = tuple(reads)
        self._bare = bare
        self._mode = 0o700
        self.folder = self.out.with_name(self.out.name + ".partial")
        self.lock = self.out.with_name(self.out.name + ".partial.lock")
        self._held: int | None = None
        self._made: list[Path] = []

    @property
    def release(self) -> Path:
        """Where the release is being built."""
        return self.folder / "release"

    @property
    def private(self) -> Path:
        """Where the key and the record of the run are being built."""
        return self.folder / "private"

    def __enter__(self) -> Self:
        with _told(self.out):
            self._refuse_out()
            self._made = [place for place in self.out.parents if not place.exists()]
            self.out.parent.mkdir(parents=True, exist_ok=True)
            self._held = _held(self.lock)
        try:
            with _told(self.out):
                self._clean_stale()
                self.folder.mkdir()
                self._note()
                # nobody else looks in before it is finished; then it gets the mode that it was made with
                self._mode = stat.S_IMODE(self.folder.stat().st_mode)
                self.folder.chmod(self._mode & ~0o077)
        except BaseException:
            self._release_lock()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # nothing of an unfinished run stays, nor of the folder that a finished one has replaced
        shutil.rmtree(self.folder, ignore_errors=True)
        self._release_lock()
        if isinstance(error, OSError) and error.errno in _FULL:
            raise _unwritable(self.out, error) from error

    def write_release(self, release: Release | PerturbedRelease) -> Path:
        """Write the release, read it back from the files, compare, and return its folder."""
        files = render(release)
        with _told(self.out):
            _write_files(files, self.release)
        _compare(release, files, self.release)
        return self.release

    def write_key(
        self,
        membership: Sequence[str],
        *,
        ids: Sequence[str] | None = None,
        rows: NDArray[np.int64] | None = None,
    ) -> Path:
        """Write who is where: by id and supernode, or without `ids` by row and class; return the file.

        `membership` is what :func:`~graphanon.release.publish_with_key` returns, one text a person, empty
        if withheld; `rows` counts the input's people from 1 and sorts the lines.
        """
        numbers = list(range(1, len(membership) + 1)) if rows is None else rows.tolist()
        keys = [str(number) for number in numbers] if ids is None else ids
        lines = sorted(zip(numbers, keys, membership, strict=True))
        head = ("row", "class") if ids is None else ("id", "supernode")
        return self.write_private("key.csv", csv_text([head, *((key, group) for _, key, group in lines)]))

    def write_run(self, record: Mapping[str, Any]) -> Path:
        """Write the record of the run, which is private: parameters, seed, timings, what was read, losses."""
        return self.write_private("run.json", json.dumps(record, ensure_ascii=False, indent=2) + "\n")

    def write_private(self, name: str, text: str) -> Path:
        """Write a file that only its owner may read, and return it."""
        with _told(self.out):
            self.private.mkdir(mode=0o700, exist_ok=True)
            # whatever the umask is
            self.private.chmod(0o700)
            _write(self.private / name, text.encode("utf-8"), mode=0o600)
        return self.private / name

    def appear(self) -> Path:
        """Move the finished folder to its place in one rename and return it."""
        self._refuse_out()
        with _told(self.out):
            self.folder.chmod(self._mode)
            _sync_tree(self.folder)
            if self.force and self.out.exists():
                self._note()
                _exchange(self.folder, self.out)
            else:
                _rename_new(self.folder, self.out)
            _sync(self.out.parent)
        return self.out

    def _refuse_out(self) -> None:
        refuse_place(self.out, force=self.force, reads=self._reads, bare=self._bare)

    def _clean_stale(self) -> None:
        """Remove what a killed run has left, if the lock file proves that it was one."""
        if self.folder.is_symlink() or (self.folder.exists() and not self._ours()):
            what = "is in the way and was not left by an unfinished run"
            raise InputProblem(Problem(what=what, file=str(self.folder), fix="move it away, or another -o OUT"))
        if self.folder.exists():
            shutil.rmtree(self.folder)

    def _ours(self) -> bool:
        if not self.folder.is_dir():
            return False
        # killed before it could take note: its folder is empty then, and nothing is lost with it
        return _identity(self.folder) in self._noted() or not any(self.folder.iterdir())

    def _noted(self) -> list[str]:
        assert self._held is not None
        return os.pread(self._held, 4096, 0).decode("ascii", "replace").split()

    def _note(self) -> None:
        """Note which folders may be found under the partial name: the new one, and the one it replaces."""
        assert self._held is not None
        own = "".join(_identity(path) + "\n" for path in (self.folder, self.out) if path.exists())
        # written over what stands there, cut afterwards: at no moment is there a file without the note
        os.pwrite(self._held, own.encode("ascii"), 0)
        os.ftruncate(self._held, len(own))

    def _release_lock(self) -> None:
        if self._held is not None:
            # if the folder could not be removed the file stays, as the proof that it is ours
            if not self.folder.exists() or not self._ours():
                self.lock.unlink(missing_ok=True)
            os.close(self._held)
            self._held = None
        for place in self._made:
            # the folders above it that were made for it, unless something has come to lie in them
            with suppress(OSError):
                place.rmdir()


def write(release: Release | PerturbedRelease, folder: Path | str, *, force: bool = False) -> Path:
    """Write a release folder on its own, whole or not at all, and return it.

    Raises
    ------
    InputProblem
        If the folder exists and `force` is not set or it is no release, or cannot be written.
    """
    with Workspace(folder, force=force, bare=True) as work:
        files = render(release)
        with _told(work.out):
            _write_files(files, work.folder)
        _compare(release, files, work.folder)
        return work.appear()


def _write_files(files: Mapping[str, bytes], folder: Path) -> None:
    day = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    folders = {folder} | {(folder / name).parent for name in files}
    for each in sorted(folders):
        each.mkdir(exist_ok=True)
    for name, content in files.items():
        _write(folder / name, content, mode=0o644)
        os.utime(folder / name, (day, day))
    for each in sorted(folders, reverse=True):
        os.utime(each, (day, day))


def _write(path: Path, content: bytes, *, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), mode)
    with open(descriptor, "wb") as file:  # noqa: PTH123  a descriptor, made with its mode at once
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _compare(release: Release | PerturbedRelease, files: Mapping[str, bytes], folder: Path) -> None:
    """Raise BrokenPromise if the files do not give back the release that was written."""
    differs = [name for name, content in files.items() if (folder / name).read_bytes() != content]
    if not differs and read_any(folder) == release:
        return
    what = "the written files do not read back as the release that was published"
    raise BrokenPromise([Problem(what=what, file=name) for name in differs or ["release"]])


def _sync_tree(folder: Path) -> None:
    for place, _, _ in os.walk(folder):
        _sync(Path(place))


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _rename_new(source: Path, target: Path) -> None:
    if not _renameat2(source, target, _NOREPLACE):
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        source.rename(target)


def _exchange(new: Path, old: Path) -> None:
    """Let both folders change places; without the system call the old one steps aside and may come back."""
    if _renameat2(new, old, _EXCHANGE):
        return
    aside = old.with_name(old.name + ".replaced")
    if aside.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(aside))
    old.rename(aside)
    try:
        new.rename(old)
    except OSError:
        aside.rename(old)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _renameat2(source: Path, target: Path, flags: int) -> bool:
    """Rename with flags; return False where the system or the file system has no such call."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if os.name == "posix" else None
    if call is None:
        return False
    if call(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), flags) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(code, os.strerror(code), str(target))


def _held(path: Path) -> int:
    """Open and lock the file, or raise InputProblem if another run holds it."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    while True:
        descriptor = os.open(path, flags, 0o600)
        try:
            _lock(descriptor, path)
        except InputProblem:
            os.close(descriptor)
            raise
        # whoever held it may have removed it in between: then ours is a file without a name
        with suppress(FileNotFoundError):
            if os.stat(path).st_ino == os.fstat(descriptor).st_ino:  # noqa: PTH116  beside fstat
                return descriptor
        os.close(descriptor)


def _lock(descriptor: int, path: Path) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        what = "another run is writing to the same place"
        raise InputProblem(Problem(what=what, file=str(path), fix="wait for it, or another -o OUT")) from None
    except OSError:
        # a file system without locks: the file is still the proof of whose the folder is
        return


def _identity(path: Path) -> str:
    status = path.stat(follow_symlinks=False)
    return f"{status.st_dev}:{status.st_ino}" if stat.S_ISDIR(status.st_mode) else ""


@contextmanager
def _told(out: Path) -> Iterator[None]:
    """Turn what the system says against writing into a message that names the output folder."""
    try:
        yield
    except OSError as error:
        raise _unwritable(out, error) from error


def _unwritable(out: Path, error: OSError) -> InputProblem:
    place = f" ({error.filename})" if error.filename and str(error.filename) != str(out) else ""
    what = f"cannot be written: {error.strerror or error}{place}"
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return InputProblem(Problem(what=what, file=str(out), allowed="a folder on a disk with room" if full else
                                "a folder that may be written", fix="another -o OUT"))
