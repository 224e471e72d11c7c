"""The kinds of picture: what each shows, what it can be drawn from, and how large it wants to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from graphanon.plot.blocks import draw_blocks
from graphanon.plot.degrees import draw_degrees
from graphanon.plot.levels import draw_levels
from graphanon.plot.losses import draw_class_losses, draw_losses
from graphanon.plot.people import draw_people, few_valued, graph_of
from graphanon.plot.records import draw_records
from graphanon.plot.released import Source, release_of
from graphanon.plot.risk import draw_frontier
from graphanon.plot.sizes import draw_class_sizes
from graphanon.plot.supernodes import draw_supernodes
from graphanon.release import Release

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from graphanon.io import Reading

__all__ = ["PICTURES", "Picture", "draw_beside", "kinds_for"]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One kind of picture.

    `draw` takes axes, a source and the `options` named; `shows` says in a sentence what is to be seen. `graph` and
    `table` say of which releases there is one; a `private` one is drawn from the people themselves. `tall` is its
    height by its width at two columns, and at one; one of two `panels` is drawn on two axes.
    """

    draw: Callable[..., Any]
    shows: str
    graph: bool = True
    table: bool = True
    private: bool = False
    tall: tuple[float, float] = (0.5, 0.9)
    options: tuple[str, ...] = ()
    panels: int = 1


def draw_beside(
    axes: Sequence[Axes], source: Source, *, original: Reading | None = None, colour: str | None = None,
    ring: str | None = None, layout: str | None = None, seed: int = 0,
) -> Sequence[Axes]:
    """Draw people as they were on the first of two axes, and the supernodes that are released on the second.

    The people are those of the run, or the `original`. Both are coloured by the same attribute.
    """
    people = graph_of(original or source)
    name = colour or few_valued(people)
    draw_people(axes[0], people, colour=name, layout=layout, seed=seed)
    draw_supernodes(axes[1], source, colour=name, ring=ring, layout=layout, seed=seed)
    return axes


PICTURES: Mapping[str, Picture] = MappingProxyType({
    "supernodes": Picture(
        draw=draw_supernodes, table=False, tall=(0.68, 1.4), options=("colour", "ring", "layout", "seed"),
        shows="The supernode graph: groups of people, and the ties between them.",
    ),
    "people": Picture(
        draw=draw_people, table=False, private=True, tall=(0.68, 1.3), options=("colour", "layout", "seed"),
        shows="People and ties as they were before.",
    ),
    "beside": Picture(
        draw=draw_beside, table=False, private=True, tall=(0.8, 2.6), panels=2,
        options=("original", "colour", "ring", "layout", "seed"),
        shows="People and ties as they were, and the supernode graph that is released.",
    ),
    "blocks": Picture(
        draw=draw_blocks, table=False, tall=(0.78, 1.05), options=("seed",),
        shows="The density of ties within and between supernodes, by community.",
    ),
    "sizes": Picture(draw=draw_class_sizes, shows="How many people the classes have, and the least that was promised."),
    "losses": Picture(draw=draw_losses, shows="What each attribute and the ties have lost."),
    "class-losses": Picture(draw=draw_class_losses, shows="How loss is spread over people, from the best kept to the worst."),
    "levels": Picture(draw=draw_levels, shows="To which level of its hierarchy each attribute was generalized."),
    "degrees": Picture(draw=draw_degrees, table=False, shows="How many ties people have.", options=("original",)),
    "frontier": Picture(draw=draw_frontier, shows="What is lost for each k, over several releases."),
    "records": Picture(draw=draw_records, tall=(0.7, 1.2), shows="What each class has lost of each attribute."),
})


def kinds_for(source: Any) -> tuple[str, ...]:
    """Return the kinds of picture that can be drawn from a run or a release, the telling ones first."""
    release = release_of(source)
    bare = isinstance(source, Release) or not hasattr(source, "grouping")
    graph = release.superties is not None
    return tuple(
        name for name, picture in PICTURES.items()
        if (picture.graph if graph else picture.table) and not (picture.private and bare)
        and (release.quasi or name not in ("levels", "records")) and name != "frontier"
    )
