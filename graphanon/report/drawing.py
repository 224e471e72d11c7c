"""The explorer's canvas: a Bokeh figure without data, which the page's script fills and listens to.

Bokeh draws thousands of discs and lines, zooms, pans, hovers and selects; everything else about the
explorer (tables, filters, legends) is plain HTML, so that it can be read aloud and printed. The library's
own script goes into the page whole; nothing is fetched.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

__all__ = ["figure_json", "library"]

TIP = '<div style="white-space:pre-line;max-width:20em;font:13px/1.4 system-ui,sans-serif">@tip</div>'


def library() -> str:
    """Return Bokeh's script for drawing, without its widgets and tables."""
    from bokeh.resources import Resources

    (script,) = Resources(mode="inline", components=["bokeh"]).js_raw[:1]
    # the text of a script ends where the page's parser sees its end
    return script.replace("</script", "<\\/script")


@cache
def figure_json(*, graph: bool) -> str:
    """Return the figure as JSON that stands safely inside a page; a table's has axes."""
    from bokeh.core.types import ID
    from bokeh.embed import json_item
    from bokeh.models import ColumnDataSource, HoverTool, PanTool, Range1d, TapTool, WheelZoomTool
    from bokeh.plotting import figure

    canvas = figure(
        height=520, sizing_mode="stretch_width", toolbar_location=None, tools="", name="canvas", background_fill_alpha=0,
        border_fill_alpha=0, outline_line_color=None, x_range=Range1d(start=0, end=1), y_range=Range1d(start=0, end=1), output_backend="canvas",
    )
    sources = {name: ColumnDataSource(data={column: [] for column in columns}, name=name)
               for name, columns in _COLUMNS.items()}
    canvas.segment("x0", "y0", "x1", "y1", source=sources["edges"], line_color="ink", line_alpha="alpha",
                   line_width="width", nonselection_line_alpha="alpha")
    canvas.segment("x0", "y0", "x1", "y1", source=sources["lit"], line_color="ink", line_alpha=0.85, line_width="width")
    canvas.scatter("x", "y", source=sources["marks"], size="size", fill_alpha=0, line_color="ink", line_width=3)
    look: dict[str, Any] = {"fill_color": "fill", "fill_alpha": "alpha", "line_color": "line", "line_width": "rim"}
    same = {f"nonselection_{name}": value for name, value in look.items()}
    discs = canvas.scatter("x", "y", source=sources["discs"], size="size", **look, **same,
                           hover_fill_color="fill", hover_line_color="ink")
    canvas.text("x", "y", text="text", source=sources["labels"], text_align="center", text_baseline="middle",
                text_color="ink", text_font_size="13px", text_font_style="bold")
    canvas.add_tools(
        HoverTool(renderers=[discs], tooltips=TIP, attachment="horizontal"),
        TapTool(renderers=[discs]), PanTool(), WheelZoomTool(modifiers={"ctrl": True}),
    )
    _axes(canvas, shown=not graph)
    text = json.dumps(json_item(canvas, ID("canvas")))
    return _numbered(text).replace("<", "\\u003c")


def _numbered(text: str) -> str:
    """Return the figure with its parts numbered from 1, whatever else was drawn before it.

    Examples
    --------
    >>> _numbered('{"id": "p1080", "of": "p1079", "again": "p1080"}')
    '{"id": "p1", "of": "p2", "again": "p1"}'
    """
    numbers: dict[str, str] = {}
    return re.sub(r'"p\d+"', lambda found: numbers.setdefault(found[0], f'"p{len(numbers) + 1}"'), text)


_COLUMNS = {
    "edges": ("x0", "y0", "x1", "y1", "width", "alpha", "ink"),
    "lit": ("x0", "y0", "x1", "y1", "width", "ink"),
    "marks": ("x", "y", "size", "ink"),
    "discs": ("x", "y", "size", "fill", "alpha", "line", "rim", "ink", "tip"),
    "labels": ("x", "y", "text", "ink"),
}


def _axes(canvas: Any, *, shown: bool) -> None:
    canvas.grid.visible = shown
    canvas.axis.visible = shown
    canvas.grid.grid_line_alpha = 0.25
    canvas.xaxis.axis_label, canvas.yaxis.axis_label = "people in the class", "detail lost, 0 none to 1 all"
    for axis in (*canvas.xaxis, *canvas.yaxis):
        axis.axis_label_text_font_style = "normal"
        axis.name = "axis"
