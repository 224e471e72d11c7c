"""Anonymize attributed graphs and tables by clustering people and generalizing their attributes.

>>> import graphanon
>>> people = graphanon.load("m1")
>>> run = graphanon.anonymize(people, requirement=graphanon.Requirement(k=5), seed=1)
>>> int(run.release.sizes.min()) >= 5
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphanon.catalog import make, methods
    from graphanon.datasets import load
    from graphanon.errors import BrokenPromise, GraphanonError, InfeasiblePromise, InputProblem
    from graphanon.graph import AttributedGraph
    from graphanon.grouping import Boxes, Grouping, Partition
    from graphanon.pipeline import Run, anonymize, read
    from graphanon.report import write_reports
    from graphanon.requirement import Requirement
    from graphanon.schema import Schema

__version__ = "0.1.0"

__all__ = [
    "AttributedGraph",
    "Boxes",
    "BrokenPromise",
    "GraphanonError",
    "Grouping",
    "InfeasiblePromise",
    "InputProblem",
    "Partition",
    "Requirement",
    "Run",
    "Schema",
    "anonymize",
    "load",
    "make",
    "methods",
    "read",
    "write_reports",
]

# numpy, pandas and numba are imported when something is first asked for, so that help is quick
_HOME = {
    "AttributedGraph": "graphanon.graph",
    "Boxes": "graphanon.grouping",
    "BrokenPromise": "graphanon.errors",
    "GraphanonError": "graphanon.errors",
    "Grouping": "graphanon.grouping",
    "InfeasiblePromise": "graphanon.errors",
    "InputProblem": "graphanon.errors",
    "Partition": "graphanon.grouping",
    "Requirement": "graphanon.requirement",
    "Run": "graphanon.pipeline",
    "Schema": "graphanon.schema",
    "anonymize": "graphanon.pipeline",
    "load": "graphanon.datasets",
    "make": "graphanon.catalog",
    "methods": "graphanon.catalog",
    "read": "graphanon.pipeline",
    "write_reports": "graphanon.report",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module 'graphanon' has no attribute '{name}'"
        raise AttributeError(message)
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
