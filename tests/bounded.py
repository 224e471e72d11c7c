"""Reading in a process of its own, which may take only so long and so much memory."""

import multiprocessing
import resource
import time
from pathlib import Path

from graphanon.errors import InputProblem

SECONDS = 10
MEGABYTES = 700
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["bounded", "graphanon.io.readers", "graphanon.pipeline", "pyarrow.csv", "openpyxl"])


def _read(path, pipe):
    from graphanon.io import read

    begun = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (begun + (MEGABYTES << 20),) * 2)
    begin = time.process_time()
    try:
        source = read(path)
        told = "read", len(source.people.frame) if source.people is not None else 0
    except InputProblem as error:
        told = "refused", str(error)
    except Exception as error:  # noqa: BLE001  the test asks for the kind of end
        told = "bare", repr(error)
    pipe.send((*told, time.process_time() - begin))


def ended(path):
    """Return how reading ended and what was said, having made sure that it was quick and no bare exception."""
    here, there = _FORKS.Pipe(duplex=False)
    process = _FORKS.Process(target=_read, args=(path, there))
    process.start()
    there.close()
    assert here.poll(120), "no end"
    how, said, seconds = here.recv()
    process.join()
    assert how != "bare", said
    assert seconds < SECONDS
    return how, said


def refused(path):
    """Return what was said when reading was refused."""
    how, said = ended(path)
    assert how == "refused", said
    assert len(said) < 20_000
    return said
