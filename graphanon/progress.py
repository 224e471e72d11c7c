"""How far a long computation is, told to whoever listens.

A method calls :func:`advance` between its steps, which is also where an interrupt can reach it; the
command line listens and draws a bar. Without a listener nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["advance", "listening"]

Listener = Callable[[str, int, int], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def advance(stage: str, done: int, total: int) -> None:
    """Tell the listener that `done` of `total` steps of a stage are behind us."""
    listener = _listener.get()
    if listener is not None:
        listener(stage, done, total)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send every :func:`advance` inside the block to this listener."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
