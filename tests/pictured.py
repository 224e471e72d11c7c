"""Releases to draw, made by hand, and what can be read off a picture."""

import re
from html import unescape

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from graphanon.release import Count, PublicColumn, Records, Release, SuperTies

AGE = PublicColumn(name="age", role="quasi", type="number", facts={"range": [20, 80], "grid": 1, "steps": [10, 20]})
JOB = PublicColumn(name="job", role="quasi", type="category", facts={"hierarchy": "job.csv"})
RANK = PublicColumn(name="rank", role="quasi", type="order", facts={"order": ["low", "mid", "high"]})
ILLNESS = PublicColumn(name="illness", role="sensitive", type="category")
JOBS = (("nurse", "health", "*"), ("doctor", "health", "*"), ("teacher", "school", "*"))
CELLS = (("20", "30", "health"), ("*", "*", "teacher"), ("60", "70", "*"))
SIZES = (5, 20, 10)
TIES = ((0, 1, 2), (1, 2, 8))
INSIDE = (2, 0, 1)


def graph(sizes=SIZES, ties=TIES, inside=INSIDE, cells=CELLS, *, columns=(AGE, JOB), counts=(), directed=False, **told):
    """Return a release of supernodes; `ties` are triples of two positions and a number."""
    ends = np.array(ties, dtype=np.int64).reshape(-1, 3)
    superties = SuperTies(
        directed=directed, inside=np.array(inside, dtype=np.int64), source=ends[:, 0], target=ends[:, 1], ties=ends[:, 2]
    )
    return Release(
        kind="supernode-graph", columns=(*columns, *([ILLNESS] if counts else [])), cells=tuple(cells),
        sizes=np.array(sizes, dtype=np.int64), superties=superties, counts=tuple(Count(*line) for line in counts),
        hierarchies={"job.csv": JOBS}, statement={"promises": {"k": 5}, "losses": {}, "method": "by-hand", "withheld": 0} | told,
    )


def town(number, *, seed=1, directed=False, ties_each=6):
    """Return a release of many supernodes in communities of about 150."""
    rng = np.random.default_rng(seed)
    source = np.repeat(np.arange(number), ties_each)
    near = np.clip(source + rng.integers(-70, 71, len(source)), 0, number - 1)
    target = np.where(rng.random(len(source)) < 0.9, near, rng.integers(0, number, len(source)))
    pairs = np.unique(np.sort(np.column_stack([source, target])[source != target], axis=1), axis=0)
    cells = [(str(low), str(low + 10), "health") for low in rng.integers(20, 60, number).tolist()]
    ties = np.column_stack([pairs, rng.integers(1, 9, len(pairs))])
    return graph(rng.integers(5, 12, number), ties, rng.integers(0, 5, number), cells, directed=directed)


def table(cells=(("37", "nurse", "low"), ("[40, 60]", "health", "[low, mid]"), ("*", "*", "*")), sizes=(5, 7, 12), **told):
    """Return a release of a table, one class a tuple of cells."""
    classes = np.repeat(np.arange(len(sizes)), sizes)
    return Release(
        kind="table", columns=(AGE, JOB, RANK), cells=tuple(cells), sizes=np.array(sizes, dtype=np.int64),
        records=Records(classes=classes, payload=()), hierarchies={"job.csv": JOBS},
        statement={"promises": {"k": 5}, "losses": {}, "method": "by-hand", "withheld": 0} | told,
    )


def on_axes(draw, *given, inches=(7.2, 5.0), **options):
    """Return axes with what a function draws on them."""
    figure = Figure(figsize=inches, layout="constrained")
    FigureCanvasAgg(figure)
    ax = draw(figure.add_subplot(), *given, **options)
    figure.canvas.draw()
    return ax


def part(ax, gid):
    """Return the collection that is named so in the picture, None if there is none."""
    return next((child for child in ax.collections if child.get_gid() == gid), None)


def legends(ax):
    """Return the texts of each part of the legend by its heading."""
    return {child.get_title().get_text(): [text.get_text() for text in child.get_texts()]
            for child in ax.get_children() if isinstance(child, Legend)}


def heading(ax):
    """Return the title and what is said below it, each on one line."""
    below = " ".join(text.get_text() for text in ax.texts if text.get_gid() == "subtitle")
    return " ".join(ax.get_title(loc="left").split()), " ".join(below.split())


def words(figure):
    """Return every text that is to be seen: titles, remarks, legends, and the labels of axes that have a frame."""
    hidden = {text for ax in figure.axes if not ax.axison for axis in (ax.xaxis, ax.yaxis) for text in axis.findobj(Text)}
    ticks = {label for ax in figure.axes for axis in (ax.xaxis, ax.yaxis) for tick in axis.get_major_ticks()
             for label in (tick.label1, tick.label2) if not axis.get_view_interval()[0] <= tick.get_loc() <= axis.get_view_interval()[1]}
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip() and text not in hidden | ticks]


def svg_texts(content):
    """Return the texts of an SVG as a search would find them."""
    found = re.findall(r"<text[^>]*>(.*?)</text>", content.decode("utf-8"), flags=re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", "", text)).split()) for text in found]
