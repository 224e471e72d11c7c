"""The command line as a process in a folder.

Most of what a command takes on a bare machine is importing numerical libraries, so its processes are
forked from one that has imported them already. What depends on how a process begins is run afresh.
"""

import multiprocessing
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([
    "graphanon.cli.app", "graphanon.pipeline", "graphanon.inspection", "graphanon.datasets", "graphanon.catalog",
    "graphanon.plot", "igraph", "matplotlib.figure", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg",
])


def _run(words, folder, streams):
    """Be the command line from here on, with files for standard streams."""
    os.chdir(folder)
    for number, (name, mode) in enumerate(zip(("in", "out", "err"), "rww", strict=True)):
        with Path(streams, name).open(mode) as stream:
            os.dup2(stream.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode) for number, mode in enumerate("rww"))
    sys.argv = ["graphanon", *words]
    from graphanon.__main__ import main

    main()


@dataclass(frozen=True)
class Desk:
    """A folder in which command lines are run."""

    folder: Path

    def __call__(self, *words, stdin=""):
        """Run one to its end."""
        words = [str(word) for word in words]
        with TemporaryDirectory() as streams:
            Path(streams, "in").write_text(stdin)
            process = _FORKS.Process(target=_run, args=(words, self.folder, streams))
            process.start()
            process.join(timeout=300)
            assert process.exitcode is not None
            out, err = (Path(streams, name).read_text() for name in ("out", "err"))
        return subprocess.CompletedProcess(words, process.exitcode, out, err)

    def afresh(self, *words, options=(), stdout=subprocess.PIPE, **environment):
        """Run one in an interpreter of its own, with options of the interpreter and environment variables."""
        return subprocess.run(
            [sys.executable, *options, "-m", "graphanon", *map(str, words)], cwd=self.folder, text=True, timeout=300,
            stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, env=os.environ | environment,
        )
