"""The door: ``graphanon`` and ``python -m graphanon``."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    code = 130
    try:
        from graphanon.cli.signals import Ended, watch

        watch()
        try:
            code = _run()
        except Ended as end:
            code = end.code
    except KeyboardInterrupt:
        pass
    _leave(code)


def _leave(code: int) -> NoReturn:
    """Leave without taking down libraries: a thread of one that still runs then would abort the process (134)."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    atexit._run_exitfuncs()  # noqa: SLF001  what was asked to happen at the end happens
    os._exit(code)


def _run() -> int:
    if not sys.warnoptions:
        import warnings

        # what a person must know is said in the report; a library's warning may quote their data
        warnings.simplefilter("ignore")
    from graphanon.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    main()
