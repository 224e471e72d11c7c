"""How far a long computation is, told to whoever listens.

A method calls :func:`advance` between its steps, which is also where an interrupt can reach it; the
command line listens and draws a bar. Without a listener nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["advance", "hearing", "listening", "notice"]

Listener = Callable[[str, int, int], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)

_hearer: ContextVar[Callable[[str], None] | None] = ContextVar("hearer", default=None)


def notice(text: str) -> None:
    """Tell whoever hears something that must be known before a long computation, not after it."""
    hearer = _hearer.get()
    if hearer is not None:
        hearer(text)


@contextmanager
def hearing(hearer: Callable[[str], None]) -> Iterator[None]:
    """Send every :func:`notice` inside the block to this hearer."""
    token = _hearer.set(hearer)
    try:
        yield
    finally:
        _hearer.reset(token)


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
