"""The command line as a process in a folder."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Desk:
    """A folder in which command lines are run."""

    folder: Path

    def __call__(self, *words, stdin=None, **environment):
        """Run one to its end."""
        return subprocess.run(
            [sys.executable, "-m", "graphanon", *map(str, words)], cwd=self.folder, input=stdin,
            capture_output=True, text=True, timeout=300, env=os.environ | environment,
        )
