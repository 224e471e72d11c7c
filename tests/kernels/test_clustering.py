"""The clusterings of tables choose as their definitions do, and people of equal records are as good as each other."""

import tracemalloc
from collections import Counter
from dataclasses import replace
from itertools import repeat

import hypothesis.strategies as st
import numpy as np
import pytest
from clustering_twins import coaa, gaa_cp, kaca, semi_alpha_k
from hypothesis import given, settings
from strategies import graphs, table
from toy import SEX, WORK, graph_of

from graphanon.domain import Range
from graphanon.progress import listening
from graphanon.requirement import Requirement
from graphanon.tabular.coaa import Coaa
from graphanon.tabular.gaa_cp import GaaCp
from graphanon.tabular.kaca import Kaca
from graphanon.tabular.points import gather
from graphanon.tabular.semi_alpha_k import SemiAlphaK

METHODS = [Coaa(), Coaa(core="two_sweep"), Coaa(literal=True), Kaca(), Kaca(loss="levels"), GaaCp(),
           GaaCp(distance="mean"), SemiAlphaK(), SemiAlphaK(centroid="average", refresh=True)]
SEEDS = ("first", "random", "farthest_last", "farthest_all")


@st.composite
def tables(draw, *, wishes=False):
    """Draw a table in which equal records stand together."""
    graph = table(draw(graphs(smallest=1, largest=12)))
    if wishes and draw(st.booleans()):
        asked = draw(st.lists(st.integers(1, max(1, graph.n // 2)), min_size=graph.n, max_size=graph.n))
        graph = replace(graph, wishes=np.array(asked, dtype=np.int64))
    return graph.take(gather(graph, Requirement(k=1)).order)


def records(graph, classes, k=1):
    """Return the classes as the records in them: people of one record and one need are as good as each other."""
    rows = [(*row, need) for row, need in zip(graph.values.tolist(), needs_of(graph, k), strict=True)]
    return Counter(tuple(sorted(rows[v] for v in members)) for members in classes)


def found_by(method, graph, k, seed=0):
    labels = method.partition(graph, Requirement(k=k), np.random.default_rng(seed)).labels
    return [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]


def needs_of(graph, k):
    return [k] * graph.n if graph.wishes is None else np.maximum(graph.wishes, k).tolist()


@settings(max_examples=60)
@given(tables(), st.integers(1, 4), st.booleans(), st.booleans(), st.booleans())
def test_coaa_cuts_as_it_is_defined(graph, k, rebalance, strict, allow_equal):
    k = min(k, graph.n)
    method = Coaa(small_side="rebalance" if rebalance else "stop", strict=strict, allow_equal=allow_equal)
    wanted = coaa(graph, [k] * graph.n, rebalance=rebalance, strict=strict, allow_equal=allow_equal)
    assert records(graph, found_by(method, graph, k)) == records(graph, wanted)


@settings(max_examples=60)
@given(tables(), st.integers(1, 4), st.builds(
    Kaca, loss=st.sampled_from(["range", "levels"]), weights=st.sampled_from(["uniform", "height"]), stub=st.booleans(),
    choice=st.sampled_from(["first", "smallest", "random"])))
def test_kaca_joins_as_it_is_defined(graph, k, method):
    k = min(k, graph.n)
    rng = np.random.default_rng(5)
    wanted = kaca(graph, [k] * graph.n, method, (rng.random() for _ in repeat(None)))
    assert records(graph, found_by(method, graph, k, 5)) == records(graph, wanted)


@settings(max_examples=60)
@given(tables(wishes=True), st.integers(1, 4), st.sampled_from(SEEDS), st.sampled_from(["increment", "after", "mean"]))
def test_gaa_cp_grows_as_it_is_defined(graph, k, seed, distance):
    k = min(k, graph.n)
    method = GaaCp(seed=seed, distance=distance)
    graph = graph.take(gather(graph, Requirement(k=k)).order)
    wanted = gaa_cp(graph, needs_of(graph, k), method, np.random.default_rng(5))
    need = np.array(needs_of(graph, k))
    if all(len(members) >= need[members].max() for members in wanted):
        assert records(graph, found_by(method, graph, k, 5), k) == records(graph, wanted, k)


@settings(max_examples=60)
@given(tables(), st.integers(1, 4), st.builds(
    SemiAlphaK, centroid=st.sampled_from(["fixed", "average"]), refresh=st.booleans()),
    st.sampled_from([0.3, 0.5, 0.8]), st.data())
def test_semi_alpha_k_grows_as_it_is_defined(graph, k, method, alpha, data):
    k = min(k, graph.n)
    value = data.draw(st.lists(st.booleans(), min_size=graph.n, max_size=graph.n))
    lines, columns = graph.domains, graph.values.T.tolist()
    graph = graph_of([], graph.n, lines=lines, values=columns, has_ties=False,
                     payload={"illness": ["hiv" if v else "flu" for v in value]})
    bounded = replace(graph, schema=replace(graph.schema, columns=tuple(
        replace(c, alpha={"hiv": alpha}) if c.name == "illness" else c for c in graph.schema.columns)))
    points = gather(bounded, Requirement(k=k), np.array(value, dtype=np.int64)[:, None])
    bounded, value = bounded.take(points.order), [value[v] for v in points.order.tolist()]
    grown, left = semi_alpha_k(bounded, k, method, value, alpha)
    if not left:
        assert records(bounded, found_by(method, bounded, k)) == records(bounded, grown)


def village(n, *, wishes=False):
    """Return `n` people of random age, sex and work, many of them alike."""
    rng = np.random.default_rng(0)
    graph = graph_of([], n, lines=(Range(17, 90), SEX, WORK), has_ties=False,
                     values=[17 + 73 * rng.random(n) ** 3 // 1, rng.integers(0, 2, n), rng.integers(0, 4, n)])
    return replace(graph, wishes=rng.choice([1, 1, 12, 30], n)) if wishes else graph


@pytest.mark.parametrize("method", METHODS, ids=str)
@pytest.mark.parametrize("wishes", [False, True])
def test_every_class_is_as_large_as_its_members_ask(method, wishes):
    graph = village(400, wishes=wishes)
    partition = method.partition(graph, Requirement(k=5), np.random.default_rng(0))
    need = np.maximum(5, graph.wishes) if wishes else np.full(400, 5)
    assert (partition.sizes[partition.labels] >= need).all()
    assert (partition.floors[partition.labels] >= need).all()


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_memory_stays_linear_in_people(method):
    graph = village(3000)
    # everyone a record of their own: an age to a thousandth of a year
    graph = replace(graph, values=np.column_stack([17 + np.arange(3000) / 50, graph.values[:, 1:]]))
    method.partition(village(60), Requirement(k=5), np.random.default_rng(0))
    tracemalloc.start()
    method.partition(graph, Requirement(k=5), np.random.default_rng(0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # a number a pair of people would be 72 MB
    assert peak < 8e6


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_an_interrupt_between_steps_ends_the_method(method):
    def listener(stage, done, total):
        assert stage
        assert 0 <= done <= total
        raise KeyboardInterrupt

    with listening(listener), pytest.raises(KeyboardInterrupt):
        method.partition(village(300), Requirement(k=5), np.random.default_rng(0))


def test_people_of_one_record_are_one_point():
    graph = village(400)
    points = gather(graph, Requirement(k=2))
    assert len(points.weight) == len(np.unique(graph.values, axis=0))
    assert points.weight.sum() == 400
    assert (np.diff(points.first) > 0).all()
    point = np.arange(len(points.weight))
    assert np.array_equal(graph.values, points.graph.values[points.labels(point, points.weight, point)])
