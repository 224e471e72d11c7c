"""The door: ``graphanon`` and ``python -m graphanon``."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
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
    sys.exit(code)


def _run() -> int:
    if not sys.warnoptions:
        import warnings

        # what a person must know is said in the report; a library's warning may quote their data
        warnings.simplefilter("ignore")
    from graphanon.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    main()
