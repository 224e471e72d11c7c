"""A progress bar for those who wait at a terminal: late, on standard error, gone when done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Any

from graphanon.cli.answer import tell

__all__ = ["PATIENCE", "bar"]

PATIENCE = 1.5  # seconds that nobody needs a bar for


class _Bar:
    """A bar that appears when its time has come and then follows what it is told."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._shown: Any = None
        self._task: Any = None
        self._over = False
        self._latest: tuple[str, int, int | None] = ("reading and preparing", 0, None)
        self._timer = Timer(PATIENCE, self._appear)
        self._timer.daemon = True

    def start(self) -> None:
        self._timer.start()

    def __call__(self, stage: str, done: int, total: int) -> None:
        self._latest = (stage, done, total)
        if self._shown is not None:
            self._draw()

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with self._lock:
            if self._over:
                return
            shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = shown.add_task(self._latest[0], total=None)
            shown.start()
            self._shown = shown
            self._draw()

    def _draw(self) -> None:
        stage, done, total = self._latest
        # a stage of no known length is told with a total of 0
        self._shown.update(self._task, description=stage, completed=done, total=total or None)

    def stop(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._over = True
            if self._shown is not None:
                self._shown.stop()


def _say(text: str) -> None:
    tell(f"graphanon: {text}")


@contextmanager
def bar() -> Iterator[None]:
    """Show how far the block is once it has lasted a while, if a person watches standard error."""
    from graphanon.progress import hearing, listening

    if sys.stderr is None or not sys.stderr.isatty():
        with hearing(_say):
            yield
        return
    shown = _Bar()
    shown.start()
    try:
        with hearing(_say), listening(shown):
            yield
    finally:
        shown.stop()
