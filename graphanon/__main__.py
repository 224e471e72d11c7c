"""The door: ``graphanon`` and ``python -m graphanon``."""

from __future__ import annotations

import sys
import warnings

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        if not sys.warnoptions:
            # what a person must know is said in the report; a library's warning may quote their data
            warnings.simplefilter("ignore")
        from graphanon.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
