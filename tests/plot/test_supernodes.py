import random
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from graphanon.errors import InputProblem
from graphanon.plot.released import Released
from graphanon.plot.supernodes import OKABE_ITO, UNKNOWN, draw_supernodes

SUPERNODES = (
    {"supernode": "S1", "size": "5", "ties_inside": "2", "age_low": "20", "age_high": "30", "job": "health"},
    {"supernode": "S2", "size": "20", "ties_inside": "0", "age_low": "*", "age_high": "*", "job": "school"},
    {"supernode": "S3", "size": "10", "ties_inside": "1", "age_low": "60", "age_high": "70", "job": "*"},
)
SUPEREDGES = ({"source": "S1", "target": "S2", "ties": "2"}, {"source": "S2", "target": "S3", "ties": "8"})
ABOUT = {"kind": "supernode-graph", "people": 35, "ties": 13, "directed": False, "promises": {"k": 5}}


def release(supernodes=SUPERNODES, superedges=SUPEREDGES, sensitive=(), **about):
    return Released(about=ABOUT | about, supernodes=supernodes, superedges=superedges, sensitive=sensitive)


def drawn(released, **options):
    """Return the axes, the discs by area and colour, the lines, and the legends' texts by title."""
    figure = Figure(figsize=(8, 6), layout="constrained")
    FigureCanvasAgg(figure)
    ax = draw_supernodes(figure.add_subplot(), released, **options)
    figure.canvas.draw()
    discs = next(child for child in ax.collections if isinstance(child, PathCollection))
    lines = next(child for child in ax.collections if isinstance(child, LineCollection))
    legends = {child.get_title().get_text(): [text.get_text() for text in child.get_texts()]
               for child in ax.get_children() if isinstance(child, Legend)}
    return ax, discs, lines, legends


def test_a_disc_is_as_large_as_its_people_are_many():
    _, discs, _, _ = drawn(release())
    areas = sorted(discs.get_sizes())
    assert np.allclose(np.array(areas) / areas[0], [1, 2, 4])


def test_a_line_grows_with_its_ties():
    _, _, lines, _ = drawn(release())
    thin, wide = sorted(lines.get_linewidths())
    assert thin < wide


def test_the_legend_explains_colour_people_and_ties():
    _, _, _, legends = drawn(release(), colour="job")
    assert legends == {"job": ["health", "school", "any (*)"], "people": ["5", "12", "20"], "ties": ["2", "5", "8"]}


def test_numbers_are_coloured_by_the_middle_of_their_interval():
    _, discs, _, legends = drawn(release(), colour="age")
    texts = legends["age, middle of the range"]
    assert texts[-1] == "any (*)"
    low, high = texts[0].split(" to ")
    assert float(low) <= 25 <= float(high)
    assert len({tuple(colour) for colour in discs.get_facecolors()}) == 3


def test_counted_values_are_coloured_by_the_most_common():
    counts = tuple({"supernode": name, "attribute": "illness", "value": value, "count": count}
                   for name, value, count in [("S1", "flu", "2"), ("S1", "none", "3"), ("S2", "flu", "20")])
    _, _, _, legends = drawn(release(sensitive=counts), colour="illness")
    assert set(legends["illness, most common"]) == {"flu", "none", "any (*)"}


def test_an_unknown_attribute_is_refused_with_those_there_are():
    with pytest.raises(InputProblem, match="age, job"):
        drawn(release(), colour="income")


def test_more_labels_than_colours_share_one():
    many = tuple({"supernode": f"S{i}", "size": "5", "ties_inside": "0", "job": f"job {i:02d}"} for i in range(12))
    _, discs, _, legends = drawn(release(many, ()))
    assert len(legends["job"]) == len(OKABE_ITO) + 1
    assert legends["job"][-1] == "5 other labels"
    assert len(discs.get_sizes()) == 12


def test_nothing_is_clipped_at_the_edge_of_the_figure():
    ax, _, _, _ = drawn(release())
    whole = ax.figure.bbox
    parts = [ax.title, *ax.texts, *(child for child in ax.get_children() if isinstance(child, Legend))]
    for part in parts:
        box = part.get_window_extent()
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1
        assert whole.y0 <= box.y0
        assert box.y1 <= whole.y1


def test_legends_do_not_overlap():
    ax, _, _, _ = drawn(release())
    boxes = sorted((child.get_window_extent() for child in ax.get_children() if isinstance(child, Legend)),
                   key=lambda box: -box.y1)
    assert len(boxes) == 3
    assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(boxes))


def test_the_same_release_is_drawn_in_the_same_places_whatever_was_random_before():
    def places():
        random.random()
        return drawn(release())[1].get_offsets()

    assert np.array_equal(places(), places())


@pytest.mark.parametrize("supernodes", [SUPERNODES[:1], SUPERNODES[:2]])
def test_few_supernodes_without_ties_can_be_drawn(supernodes):
    _, discs, lines, legends = drawn(release(supernodes, ()))
    assert len(discs.get_sizes()) == len(supernodes)
    assert not lines.get_segments()
    assert "ties" not in legends


def test_people_without_attributes_have_one_colour_and_no_key_to_it():
    bare = tuple({"supernode": row["supernode"], "size": row["size"], "ties_inside": "0"} for row in SUPERNODES)
    _, discs, _, legends = drawn(release(bare))
    assert len({tuple(colour) for colour in discs.get_facecolors()}) == 1
    assert list(legends) == ["people", "ties"]


def test_arcs_both_ways_are_one_line():
    arcs = ({"source": "S1", "target": "S2", "arcs": "2"}, {"source": "S2", "target": "S1", "arcs": "3"})
    _, _, lines, legends = drawn(release(superedges=arcs, directed=True))
    assert len(lines.get_segments()) == 1
    assert legends["arcs"] == ["5"]


def test_colours_can_be_told_apart():
    assert len({*OKABE_ITO, UNKNOWN}) == len(OKABE_ITO) + 1


def test_a_label_with_mathematical_signs_is_shown_as_it_is():
    odd = tuple(row | {"job": "$x_1$ & co"} for row in SUPERNODES)
    ax, _, _, _ = drawn(release(odd), colour="job")
    assert ax.get_title(loc="left").startswith("35 people in 3 supernodes")
