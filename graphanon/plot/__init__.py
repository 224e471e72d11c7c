"""Pictures of releases and runs: each is a function that draws on given axes, with title and legend.

What a picture shows comes from the files of a release alone, unless its function says that it wants a run.
"""

from __future__ import annotations

from graphanon.plot.blocks import draw_blocks
from graphanon.plot.degrees import draw_degrees
from graphanon.plot.figure import Rendered, picture, render, save
from graphanon.plot.layout import LAYOUTS
from graphanon.plot.levels import draw_levels
from graphanon.plot.losses import draw_class_losses, draw_losses
from graphanon.plot.people import draw_people
from graphanon.plot.pictures import PICTURES, Picture, kinds_for
from graphanon.plot.records import draw_records
from graphanon.plot.risk import Point, draw_frontier, frontier
from graphanon.plot.sizes import draw_class_sizes
from graphanon.plot.supernodes import draw_supernodes

__all__ = [
    "LAYOUTS",
    "PICTURES",
    "Picture",
    "Point",
    "Rendered",
    "draw_blocks",
    "draw_class_losses",
    "draw_class_sizes",
    "draw_degrees",
    "draw_frontier",
    "draw_levels",
    "draw_losses",
    "draw_people",
    "draw_records",
    "draw_supernodes",
    "frontier",
    "kinds_for",
    "picture",
    "render",
    "save",
]
