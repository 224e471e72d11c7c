"""The data sets by name: what there is, and how each is loaded.

``adult`` and ``adult-test`` are the persons of Adult of whom everything is known, ``heart`` the patients of
Heart. ``m1`` and ``m2`` are social graphs of 500 and 700 persons of Adult, the sizes on which the methods
for graphs were first compared. They come as files, so that they stay the same graphs whatever becomes of
the model; :data:`RECIPES` tells how they were drawn, and the tests draw them again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from graphanon.datasets import adult
from graphanon.datasets.adult import load_adult
from graphanon.datasets.bundled import schema_with, table
from graphanon.datasets.heart import load_heart
from graphanon.datasets.social_graphs import social
from graphanon.datasets.written import save
from graphanon.errors import InputProblem, Problem
from graphanon.io.build import build
from graphanon.io.source import Reading, ReadReport, Source, Ties
from graphanon.schema import Column, Role, Schema

__all__ = ["NAMES", "RECIPES", "Recipe", "export", "load"]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a named graph was drawn from the complete persons of Adult's training part."""

    n: int
    seed: int
    mean_degree: float = 6.0

    def drawn(self) -> Reading:
        """Return the graph, drawn again."""
        return social(load_adult(), n=self.n, seed=self.seed, mean_degree=self.mean_degree)


RECIPES: Mapping[str, Recipe] = MappingProxyType({"m1": Recipe(n=500, seed=1), "m2": Recipe(n=700, seed=2)})


def _stored(name: str) -> Reading:
    ends = table(f"{name}-ties")
    ties = Ties(frame=ends.frame, lines=ends.lines, file=ends.file, directed=False)
    source = Source(people=table(name), ties=ties, id="id", report=ReadReport())
    return build(source, _with_id(schema_with("adult", quasi=adult.QUASI, sensitive=adult.SENSITIVE)))


def _with_id(schema: Schema) -> Schema:
    return replace(schema, id="id", columns=(Column(name="id", role=Role.IDENTIFIER), *schema.columns))


_LOADERS: Mapping[str, Callable[[], Reading]] = MappingProxyType({
    "adult": load_adult,
    "adult-test": partial(load_adult, "test"),
    "heart": load_heart,
    "m1": partial(_stored, "m1"),
    "m2": partial(_stored, "m2"),
})
NAMES: tuple[str, ...] = tuple(_LOADERS)


def load(name: str) -> Reading:
    """Return a data set by name: ``adult``, ``adult-test``, ``heart``, ``m1`` or ``m2``.

    Raises
    ------
    InputProblem
        If there is no data set of this name.

    Examples
    --------
    >>> load("m1").graph
    AttributedGraph(500 people, 1500 ties, 7 quasi-identifiers)
    """
    if name not in _LOADERS:
        raise InputProblem(Problem(what=f"there is no data set '{name}'", allowed=", ".join(NAMES)))
    return _LOADERS[name]()


def export(name: str, folder: Path | str) -> tuple[Path, ...]:
    """Write a data set into a new or empty folder, ready for ``graphanon anonymize``; return the files.

    They are ``people.csv``, ``schema.toml``, ``hierarchies/*.csv`` and, for a graph, ``ties.csv``.

    Raises
    ------
    InputProblem
        If there is no data set of this name, or the folder holds something or cannot be written.
    """
    return save(load(name), folder)
