"""The numbers that charts show, against those that the release states or that can be counted by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictured import CELLS, graph, heading, legends, on_axes, part, table, town
from releases import PEOPLE, written
from releases import grouping as grouped
from releases import town as people

import graphanon
from graphanon.errors import InputProblem
from graphanon.plot import (
    Point,
    draw_blocks,
    draw_class_losses,
    draw_class_sizes,
    draw_degrees,
    draw_frontier,
    draw_levels,
    draw_losses,
    draw_records,
    frontier,
)
from graphanon.plot.blocks import densities
from graphanon.plot.degrees import tail
from graphanon.plot.layout import strongest
from graphanon.plot.levels import levels_of
from graphanon.plot.released import cell_costs, class_tie_loss, expected_degrees
from graphanon.release import Release, publish
from graphanon.requirement import Requirement


def published(*, withheld=0, **options) -> Release:
    return publish(grouped(people(**options), withheld=withheld), requirement=Requirement(k=2), method="by-hand")


RELEASES = {
    "graph": published(), "withheld": published(withheld=4), "arcs": published(directed=True),
    "table": published(has_ties=False), "table, withheld": published(has_ties=False, withheld=3),
}


@pytest.mark.parametrize("name", RELEASES)
def test_losses_of_cells_add_up_to_those_that_the_release_states(name):
    release = RELEASES[name]
    withheld = release.statement["withheld"]
    for measure, loss in (("leaves", "ncp"), ("height", "ngil")):
        lost = (release.sizes @ cell_costs(release, measure)).mean() + withheld
        assert lost / PEOPLE == pytest.approx(release.statement["losses"][loss], abs=1e-12)


@pytest.mark.parametrize("name", ["graph", "withheld", "arcs"])
def test_losses_of_ties_add_up_to_that_which_the_release_states(name):
    release = RELEASES[name]
    arcs = expected_degrees(release) * release.sizes
    assert class_tie_loss(release) @ arcs / arcs.sum() == pytest.approx(release.statement["losses"]["tie_loss"], abs=1e-12)


def test_a_bar_is_as_long_as_its_attribute_has_lost():
    release = RELEASES["withheld"]
    ax = on_axes(draw_losses, release)
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert set(names) == {"age", "job", "rank", "town", "ties"}
    bars = sorted(bar.get_width() for bar in ax.patches)
    gone = 4 / PEOPLE
    means = (release.sizes / PEOPLE) @ cell_costs(release) + gone
    assert all(any(np.isclose(bar, mean) for bar in bars) for mean in means)
    assert any(np.isclose(bar, release.statement["losses"]["tie_loss"]) for bar in bars)


def test_the_curve_of_class_losses_ends_at_all_people_and_the_worst_class():
    release = RELEASES["graph"]
    attributes, ties = on_axes(draw_class_losses, release).lines
    assert attributes.get_xdata()[-1] == pytest.approx(100)
    assert attributes.get_ydata()[-1] == pytest.approx(cell_costs(release).mean(axis=1).max())
    assert ties.get_ydata()[-1] == pytest.approx(class_tie_loss(release).max())
    assert (np.diff(attributes.get_ydata()) >= 0).all()


@pytest.mark.parametrize("name", RELEASES)
def test_levels_of_an_attribute_hold_everyone_once(name):
    for column in RELEASES[name].quasi:
        found = levels_of(RELEASES[name], column)
        assert sum(level.share for level in found) == pytest.approx(1)
        assert [level.climbed for level in found] == sorted({level.climbed for level in found})


def test_levels_are_those_of_the_hierarchy_and_the_steps():
    job, age = graph().columns[1], graph().columns[0]
    assert [(level.text, level.share) for level in levels_of(graph(), job)] == [
        ("as it was", 20 / 35), ("level 1 of 2", 5 / 35), ("anything", 10 / 35)]
    assert [level.text for level in levels_of(graph(), age)] == ["within 10", "anything"]
    rank = table().columns[2]
    assert [level.text for level in levels_of(table(), rank)] == ["as it was", "within 1/2", "anything"]


def test_withheld_people_have_a_part_of_their_own():
    told = legends(on_axes(draw_levels, RELEASES["withheld"]))["level of hierarchy"]
    assert told[-1] == f"withheld ({100 * 4 / PEOPLE:.1f} %)"


@pytest.mark.parametrize("sizes", [(5, 5, 7), (5, 80, 3000)])
def test_bars_of_sizes_hold_every_class_once(sizes):
    ax = on_axes(draw_class_sizes, table(sizes=sizes))
    assert sum(bar.get_height() for bar in ax.patches) == 3
    assert heading(ax)[0] == "The smallest of 3 classes has 5 people"
    assert legends(ax)["promise"] == ["k = 5"]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("rows", [40, 7, 1])
def test_densities_are_ties_over_pairs(directed, rows):
    release = town(40, directed=directed)
    order = np.random.default_rng(0).permutation(40)
    edges = np.unique(np.linspace(0, 40, rows + 1).astype(int))
    run = np.empty(40, dtype=int)
    run[order] = np.repeat(np.arange(rows), np.diff(edges))
    ties, pairs = np.zeros((rows, rows)), np.zeros((rows, rows))
    for i, n in enumerate(release.sizes.tolist()):
        ties[run[i], run[i]] += (1 if directed else 2) * release.superties.inside[i]
        for j, m in enumerate(release.sizes.tolist()):
            pairs[run[i], run[j]] += n * m if i != j else n * (n - 1)
    for i, j, number in zip(release.superties.source, release.superties.target, release.superties.ties, strict=True):
        ties[run[i], run[j]] += number
        if not directed:
            ties[run[j], run[i]] += number
    assert np.allclose(densities(release, order, edges), ties / pairs)


def test_the_matrix_is_as_wide_as_there_are_people_and_gathers_rows_beyond_what_can_be_seen():
    release = town(900)
    ax = on_axes(draw_blocks, release)
    assert ax.get_xlim() == (0, release.sizes.sum())
    assert part(ax, "blocks").get_array().shape[0] <= 400
    assert "a row stands for about 2 supernodes" in heading(ax)[1]


def test_the_heat_map_keeps_the_mean():
    release = town(900)
    shown = part(on_axes(draw_records, release), "records")
    tall = np.diff(np.asarray(shown.get_coordinates())[:, 0, 1])
    whole = release.sizes @ cell_costs(release) / release.sizes.sum()
    assert np.allclose(np.sort(tall @ np.asarray(shown.get_array()) / tall.sum()), np.sort(whole))


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(1, 7))
def test_no_step_of_the_tail_is_of_fewer_than_k_people(values, least):
    values = np.array(values, dtype=float)
    at, share = tail(values, np.ones(len(values), dtype=np.int64), least)
    if len(values) < least:
        assert not len(at)
        return
    assert (np.diff(at) > 0).all()
    assert share[0] == 1
    people = np.diff(np.append(share, 0)[::-1]) * len(values)
    assert (people > least - 1e-9).all()
    for value, part_of in zip(at[1:].tolist(), share[1:].tolist(), strict=True):
        assert part_of == pytest.approx((values >= value).mean())


def test_degrees_after_come_from_the_files_and_keep_the_mean(tmp_path):
    case = written(tmp_path / "out", grouped(people()))
    degrees = expected_degrees(case.release)
    assert degrees @ case.release.sizes == pytest.approx(case.grouping.source.ties.nnz)
    ax = on_axes(draw_degrees, case.folder)
    assert len(ax.lines) == 1
    assert heading(ax)[0] == f"A person has {case.grouping.source.ties.nnz / PEOPLE:.1f} ties on average"


@pytest.mark.parametrize("directed", [False, True])
def test_degrees_before_are_those_of_the_original(directed):
    graph_before = people(directed=directed)
    release = publish(grouped(graph_before), requirement=Requirement(k=2), method="by-hand")
    ties = graph_before.ties if graph_before.arcs is None else graph_before.arcs + graph_before.arcs.T
    counted = np.unique(np.asarray(ties.sum(axis=1)).reshape(-1), return_counts=True)
    own = dict(zip(counted[0].tolist(), counted[1].tolist(), strict=True))
    one, other = (on_axes(draw_degrees, release, original=original) for original in (graph_before, own))
    assert np.array_equal(one.lines[1].get_xydata(), other.lines[1].get_xydata())
    assert heading(one)[1].startswith("private, not to be released")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 4)), max_size=20), st.integers(1, 3))
def test_the_strongest_ties_are_those_of_one_of_their_ends(ties, each):
    ties = [(a, b, w) for a, b, w in ties if a != b]
    ends, weights = np.array([t[:2] for t in ties], dtype=np.int64).reshape(-1, 2), np.array([t[2] for t in ties], dtype=float)
    wanted = set()
    for node in range(6):
        own = sorted((i for i in range(len(ties)) if node in ties[i][:2]), key=lambda i: (-ties[i][2], i))
        wanted |= set(own[:each])
    assert strongest(ends, weights, each).tolist() == sorted(wanted)


POINTS = [Point(method="a", k=k, losses={"ncp": k / 50, "nsil": 0.01}) for k in (10, 2, 5)]


def test_the_frontier_has_a_line_for_each_loss_of_one_method():
    ax = on_axes(draw_frontier, POINTS)
    assert legends(ax) == {"loss": ["attributes (ncp)", "structure (nsil)"]}
    assert ax.lines[0].get_xdata().tolist() == [50, 20, 10]
    assert ax.lines[0].get_ydata().tolist() == [2 / 50, 5 / 50, 10 / 50]


def test_the_frontier_has_a_line_for_each_of_several_methods():
    ax = on_axes(draw_frontier, [*POINTS, Point(method="b", k=4, losses={"ncp": 0.5})])
    assert legends(ax) == {"method": ["a", "b"]}


def test_the_frontier_of_nothing_or_of_strangers_is_refused():
    with pytest.raises(InputProblem, match="no releases to compare"):
        on_axes(draw_frontier, [])
    with pytest.raises(InputProblem, match="no releases with a loss in common"):
        on_axes(draw_frontier, [*POINTS, Point(method="b", k=4, losses={"tie_loss": 0.5})])


def test_the_frontier_can_be_computed_from_the_people():
    found = frontier(graphanon.load("m1"), (8, 16), method="sangreea")
    assert [point.k for point in found] == [8, 16]
    assert found[0].losses["ncp"] < found[1].losses["ncp"]
    assert len(on_axes(draw_frontier, found).lines) == 4


def test_a_class_that_lost_most_stands_at_the_foot_of_the_heat_map():
    rows = part(on_axes(draw_records, graph(cells=CELLS)), "records").get_array()
    assert rows.mean(axis=1).tolist() == sorted(rows.mean(axis=1).tolist())
