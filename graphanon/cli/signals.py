"""Being told to stop: by Ctrl-C, by a terminal that closes, by whoever ends the process.

SIGTERM and SIGHUP end a command as Ctrl-C does: what was being built is removed, nothing appears, and the
exit code is the one that shells give, 128 and the signal's number: 130, 143, 129. Only Ctrl-C may be taken
for "enough, finish with what you have"; the others come from somebody who wants the process gone.

A signal that the process was started to ignore (``nohup``, a job in the background) stays ignored.
"""

from __future__ import annotations

import signal
from types import FrameType

__all__ = ["INTERRUPTED", "Ended", "interrupted", "watch"]

INTERRUPTED = 130
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_codes: list[int] = []


class Ended(BaseException):
    """The process was told to end; no part of graphanon may take it for anything else."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def watch() -> None:
    """Turn signals into exceptions from here on, so that every block that cleans up does so."""
    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def interrupted() -> int | None:
    """Return the exit code of the last signal that came, None if none did.

    An import that a signal breaks off may fail with an error of its own, which is no fault of anyone's.
    """
    return _codes[-1] if _codes else None


def _interrupt(number: int, frame: FrameType | None) -> None:
    _codes.append(INTERRUPTED)
    signal.default_int_handler(number, frame)


def _end(number: int, frame: FrameType | None) -> None:
    del frame
    # once is enough: a second signal must not break off the cleaning up
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)
    _codes.append(128 + number)
    raise Ended(128 + number)
