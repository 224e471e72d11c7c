"""What a large file will take, said before it is read.

Whoever waits for a file of a gigabyte wants to know beforehand whether the machine can hold it. The estimate is
the size of the file times what reading that format has been seen to take, above what the program takes
anyway; it is told once, before the first byte is parsed, and noted in the report.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from graphanon.io.packed import Content
from graphanon.progress import notice

__all__ = ["announced", "expected_bytes"]

LARGE = 50_000_000
_ITSELF = 150_000_000
_UNPACKED = 6  # what text unpacks to, as a rule
# bytes of memory for each byte of the file, as measured on networks of a million ties, rounded up
_TIMES: Mapping[str, float] = {
    "text": 7.0, "GraphML": 5.0, "GEXF": 6.0, "GML": 9.0, "JSON": 9.0, "Parquet": 20.0, "Excel": 60.0, "Pajek": 12.0,
    "UCINET DL": 12.0, "DOT": 15.0, "Matrix Market": 12.0, "adjacency list": 10.0,
}


def expected_bytes(size: int, name: str) -> int:
    """Return about how many bytes of memory reading a file of this size takes.

    Examples
    --------
    >>> expected_bytes(100_000_000, "text")
    850000000
    """
    return int(_ITSELF + size * _TIMES.get(name, 10.0))


def announced(content: Content, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say what reading takes if the file is large; return that for the report, as notes and as warnings."""
    size = content.size or content.packed * _UNPACKED
    if size < LARGE:
        return (), ()
    wanted, free = expected_bytes(size, name), _free()
    about = "" if content.size else "unpacked about "
    told = f"{content.name}: {about}{size / 1e6:,.0f} MB of {name}; reading takes about {wanted / 1e6:,.0f} MB of memory"
    short = free is not None and wanted > free
    if short and free is not None:
        told += f", and {free / 1e6:,.0f} MB are free"
    notice(told)
    return ((), (told,)) if short else ((told,), ())


def _free() -> int | None:
    """Return how much memory is free, None where the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as stream:  # noqa: PTH123  a plain file of the system
            for line in stream:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None
