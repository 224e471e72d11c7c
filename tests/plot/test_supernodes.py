import random
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.legend import Legend
from pictured import AGE, JOB, SIZES, graph, heading, legends, on_axes, part, town

from graphanon.errors import InputProblem
from graphanon.plot import LAYOUTS, draw_supernodes
from graphanon.plot.style import OKABE_ITO, UNKNOWN


def test_a_disc_is_as_large_as_its_people_are_many():
    areas = np.sort(part(on_axes(draw_supernodes, graph()), "supernodes").get_sizes())
    assert np.allclose(areas / areas[0], np.sort(SIZES) / min(SIZES))


def test_a_line_grows_with_its_ties():
    thin, wide = sorted(part(on_axes(draw_supernodes, graph()), "superedges").get_linewidths())
    assert thin < wide


def test_the_legend_explains_colour_people_and_ties():
    told = legends(on_axes(draw_supernodes, graph(), colour="job"))
    assert told == {"job": ["teacher", "health", "any (*)"], "people": ["5", "12", "20"], "ties": ["2", "5", "8"]}


def test_numbers_are_coloured_by_the_middle_of_their_interval():
    ax = on_axes(draw_supernodes, graph(), colour="age")
    texts = legends(ax)["age, middle"]
    assert texts[-1] == "any (*)"
    low, high = texts[0].split(" to ")
    assert float(low) <= 25 <= float(high)
    assert len({tuple(colour) for colour in part(ax, "supernodes").get_facecolors()}) == 3


COUNTS = [("S1", "illness", "flu", 2), ("S1", "illness", "none", 3), ("S2", "illness", "flu", 20), ("S3", "illness", "flu", 4),
          ("S3", "illness", "cold", 3), ("S3", "illness", "none", 3)]


def test_counted_values_are_coloured_by_the_most_common():
    assert legends(on_axes(draw_supernodes, graph(counts=COUNTS), colour="illness"))["illness, most common"] == ["flu", "none"]


@pytest.mark.parametrize(("name", "shares"), [
    ("illness=flu", [0.4, 1, 0.4]), ("illness=cold", [0, 0, 0.3]), ("job=teacher", [0, 1, None]), ("job=health", [1, 0, None]),
    ("job=nurse", None), ("age=25", None),
])
def test_the_share_of_a_value_is_told_where_it_is_known(name, shares):
    from graphanon.plot.colouring import shares as shares_of

    if shares is None:
        with pytest.raises(InputProblem, match="no supernode is told to have anybody"):
            shares_of(graph(counts=COUNTS), name)
        return
    found = shares_of(graph(counts=COUNTS), name)
    assert [None if np.isnan(share) else round(share, 9) for share in found] == shares
    assert f"share with {name}" in legends(on_axes(draw_supernodes, graph(counts=COUNTS), colour=name))


def test_supernodes_half_of_whose_people_share_a_value_are_ringed():
    ax = on_axes(draw_supernodes, graph(counts=COUNTS))
    assert len(part(ax, "rings").get_offsets()) == 2
    assert legends(ax)["ring: half or more share"] == ["one illness (2)"]
    bare = on_axes(draw_supernodes, graph(counts=COUNTS), ring="none")
    assert part(bare, "rings") is None
    assert not [title for title in legends(bare) if title.startswith("ring")]


@pytest.mark.parametrize("ring", ["age", "floor", "income"])
def test_a_ring_that_the_release_cannot_tell_is_refused(ring):
    with pytest.raises(InputProblem, match="none"):
        on_axes(draw_supernodes, graph(counts=COUNTS), ring=ring)


@pytest.mark.parametrize("name", ["income", "income=3"])
def test_an_unknown_attribute_is_refused_with_those_there_are(name):
    with pytest.raises(InputProblem, match="age, job"):
        on_axes(draw_supernodes, graph(), colour=name)


def test_more_labels_than_colours_share_one():
    cells = [("20", "30", f"job {i:02d}") for i in range(12)]
    ax = on_axes(draw_supernodes, graph([5] * 12, (), [0] * 12, cells), colour="job")
    assert len(legends(ax)["job"]) == len(OKABE_ITO) + 1
    assert legends(ax)["job"][-1] == "5 other labels"
    assert len(part(ax, "supernodes").get_sizes()) == 12


@pytest.mark.parametrize("inches", [(7.2, 5.0), (3.5, 4.9)])
def test_legends_do_not_overlap_and_nothing_is_clipped(inches):
    ax = on_axes(draw_supernodes, graph(counts=COUNTS), inches=inches)
    boxes = [child.get_window_extent() for child in ax.get_children() if isinstance(child, Legend)]
    assert len(boxes) == 4
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])
    whole = ax.figure.bbox
    for box in [ax._left_title.get_window_extent(), *(text.get_window_extent() for text in ax.texts), *boxes]:
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1 + 1
        assert whole.y0 <= box.y0
        assert box.y1 <= whole.y1


@pytest.mark.parametrize("inches", [(7.2, 5.0), (3.5, 4.9)])
@pytest.mark.parametrize("release", [graph(), graph([9], (), [3], [("20", "30", "*")]), town(60)], ids=["few", "one", "many"])
def test_every_disc_lies_whole_inside_the_frame(release, inches):
    ax = on_axes(draw_supernodes, release, inches=inches)
    discs = part(ax, "supernodes")
    middle = ax.transData.transform(np.asarray(discs.get_offsets()))
    radius = np.sqrt(np.asarray(discs.get_sizes())) / 2 * ax.figure.dpi / 72
    assert ((middle - radius[:, None]).min(axis=0) >= ax.bbox.min - 1).all()
    assert ((middle + radius[:, None]).max(axis=0) <= ax.bbox.max + 1).all()


def test_a_legend_below_stands_in_columns_that_do_not_touch():
    ax = on_axes(draw_supernodes, graph(counts=COUNTS), inches=(3.5, 4.9))
    lefts = sorted({round(child.get_title().get_window_extent().x0 / 4) for child in ax.get_children() if isinstance(child, Legend)})
    assert 1 < len(lefts) <= 3
    assert all(b - a > 5 for a, b in pairwise(lefts))


def test_the_same_release_is_drawn_in_the_same_places_whatever_was_random_before():
    def places(**options):
        random.random()
        return part(on_axes(draw_supernodes, town(120), **options), "supernodes").get_offsets()

    assert np.array_equal(places(), places())
    assert np.array_equal(places(layout="islands"), places(layout="islands"))
    assert not np.array_equal(places(layout="islands"), places(layout="islands", seed=1))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_puts_every_supernode_into_the_frame(layout):
    ax = on_axes(draw_supernodes, town(60), layout=layout)
    places = np.asarray(part(ax, "supernodes").get_offsets())
    assert len(np.unique(places.round(6), axis=0)) == 60
    assert places.min() >= -0.01
    assert places.max() <= 1.01


def test_an_unknown_layout_is_refused_with_those_there_are():
    with pytest.raises(InputProblem, match="kamada-kawai"):
        on_axes(draw_supernodes, graph(), layout="spiral")


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("layout", [None, "islands", "mds"])
def test_few_supernodes_without_ties_can_be_drawn(number, layout):
    ax = on_axes(draw_supernodes, graph(SIZES[:number], (), (0,) * number, [("20", "30", "*")] * number), layout=layout)
    assert len(part(ax, "supernodes").get_sizes()) == number
    assert not part(ax, "superedges").get_paths()
    assert "ties" not in legends(ax)


def test_people_without_attributes_have_one_colour_and_no_key_to_it():
    ax = on_axes(draw_supernodes, graph(cells=[()] * 3, columns=()))
    assert len({tuple(colour) for colour in part(ax, "supernodes").get_facecolors()}) == 1
    assert list(legends(ax)) == ["people", "ties"]


def test_arcs_both_ways_are_one_line():
    ax = on_axes(draw_supernodes, graph(ties=((0, 1, 2), (1, 0, 3)), directed=True))
    assert len(part(ax, "superedges").get_paths()) == 1
    assert legends(ax)["arcs, both ways"] == ["5"]


def test_colours_can_be_told_apart():
    assert len({*OKABE_ITO, UNKNOWN}) == len(OKABE_ITO) + 1


@pytest.mark.parametrize("colour", ["job", "$b$"])
def test_a_label_with_mathematical_signs_is_shown_as_it_is(colour):
    odd = AGE.__class__(name="$b$", role="quasi", type="category")
    cells = [("$x_1$ & co", "$y"), ("$x_1$ & co", "$y$"), ("a\nb", "")]
    ax = on_axes(draw_supernodes, graph(cells=cells, columns=(JOB, odd)), colour=colour)
    shown = [text for texts in legends(ax).values() for text in texts]
    assert r"\$x_1\$ & co" in shown or r"\$y\$" in shown


def test_thousands_stay_readable_and_the_heading_says_how():
    release = town(5000)
    ax = on_axes(draw_supernodes, release)
    assert len(part(ax, "supernodes").get_offsets()) == 5000
    drawn = len(part(ax, "superedges").get_paths())
    assert drawn <= 8000
    assert f"Drawn: {drawn:,} of {len(release.superties.ties):,} superedges" in heading(ax)[1]
    tied = {tuple(path.vertices[end].round(9)) for path in part(ax, "superedges").get_paths() for end in (0, -1)}
    assert len(tied) >= 4990
    bundled = [path for path in part(ax, "superedges").get_paths() if len(path.vertices) == 4]
    assert 0 < len(bundled) < drawn


def test_islands_do_not_overlap():
    from graphanon.plot.layout import places

    release = town(1500)
    ends = np.column_stack([release.superties.source, release.superties.target])
    found = places(1500, ends, release.superties.ties.astype(float), layout="islands")
    middle = found.centres
    reach = [np.hypot(*(found.xy[found.island == i] - middle[i]).T).max() for i in range(len(middle))]
    gaps = [np.hypot(*(middle[i] - middle[j])) - max(reach[i], reach[j]) for i in range(len(middle)) for j in range(i)]
    assert len(middle) > 3
    assert min(gaps) > 0
