"""Which software made a release: its name and version, without anything finer."""

from __future__ import annotations

from importlib import metadata

__all__ = ["software"]


def software() -> str:
    """Return the name and the first two numbers of the version."""
    try:
        version = metadata.version("graphanon")
    except metadata.PackageNotFoundError:
        version = "0.0"
    return "graphanon " + ".".join(version.split(".")[:2])
