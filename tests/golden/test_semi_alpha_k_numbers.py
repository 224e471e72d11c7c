"""SemiAnony worked out by hand; people are numbered from 1 in the comments."""

from dataclasses import replace

import numpy as np
import pytest
from toy import graph_of

from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem
from graphanon.kernels.gower import row
from graphanon.requirement import Requirement
from graphanon.tabular.semi_alpha_k import SemiAlphaK, _sums, gower_of

SEX = Tree((("F", "*"), ("M", "*")))
EDUCATION = Order(("HS", "BA", "MA"))


def patients(ages=(25, 27, 30, 45, 50, 48), *, missing=False):
    """Return six people with age, education, sex and illness; 25 to 50 years are the range."""
    age = Range(25, 50, missing=missing)
    values = [ages, [0, 1, 0, 2, 1, 2], [1, 1, 0, 0, 1, 0]]
    return graph_of([], 6, lines=(age, EDUCATION, SEX), values=values, has_ties=False,
                    payload={"illness": ["AIDS", "AIDS", "flu", "flu", "fever", "flu"]})


def bounded(graph, **alpha):
    columns = tuple(replace(c, alpha=alpha) if c.name == "illness" else c for c in graph.schema.columns)
    return replace(graph, schema=replace(graph.schema, columns=columns))


def scaled(scale, domain, cells):
    graph = graph_of([], len(cells), lines=(domain,), values=[cells], has_ties=False)
    return replace(graph, schema=replace(graph.schema, columns=(replace(graph.schema.columns[0], scale=scale),)))


def distance(graph, i, j):
    out = np.empty(1)
    row(gower_of(graph), i - 1, np.array([j - 1], dtype=np.int32), 1, out)
    return out[0]


def classes_of(method, graph, k):
    labels = method.partition(graph, Requirement(k=k), np.random.default_rng(0)).labels
    return [set((np.flatnonzero(labels == label) + 1).tolist()) for label in range(labels.max() + 1)]


# ---------------------------------------------------------------- dissimilarity


def test_numbers_ranks_and_names_count_alike():
    graph = patients()
    assert distance(graph, 1, 2) == pytest.approx((2 / 25 + 1 / 2 + 0) / 3)
    assert pytest.approx(29 / 150) == (2 / 25 + 1 / 2) / 3
    assert distance(graph, 1, 3) == pytest.approx((5 / 25 + 0 + 1) / 3)
    assert distance(graph, 4, 6) == pytest.approx((3 / 25) / 3)
    assert distance(graph, 1, 4) == pytest.approx((20 / 25 + 1 + 1) / 3)
    assert pytest.approx(14 / 15) == (20 / 25 + 1 + 1) / 3


def test_what_is_missing_is_not_compared():
    graph = patients((51, 27, 30, 45, 50, 48), missing=True)
    assert distance(graph, 1, 2) == pytest.approx((1 / 2 + 0) / 2)


def test_ratios_are_compared_by_logarithm():
    assert distance(scaled("ratio", Range(10, 1000), [10, 100]), 1, 2) == pytest.approx(1 / 2)
    # a range from 0 is shifted to begin at 1
    assert distance(scaled("ratio", Range(0, 99), [0, 9]), 1, 2) == pytest.approx(np.log(10) / np.log(100))


def test_ranks_are_those_of_the_values_that_occur():
    assert distance(scaled("rank", Range(0, 1000), [3, 7, 900, 7]), 1, 2) == pytest.approx(1 / 2)


def test_two_absences_are_nothing_in_common():
    graph = scaled("asymmetric", Order(("no", "yes")), [0, 0, 1, 1])
    assert [distance(graph, *pair) for pair in ((1, 2), (1, 3), (3, 4))] == [-1, 1, 0]


@pytest.mark.parametrize(("undefined", "expected"), [("one", 1), ("zero", 0), ("mean", (4 * 1 + 1 * 0) / 5)])
def test_records_with_nothing_to_compare(undefined, expected):
    graph = scaled("asymmetric", Order(("no", "yes")), [0, 0, 1, 1])
    gower, sums = _sums(gower_of(graph), np.ones(4, dtype=np.int64), undefined)
    assert gower.undefined == pytest.approx(expected)
    assert sums == pytest.approx([2 + expected, 2 + expected, 2, 2])


@pytest.mark.parametrize(("scale", "domain"), [("ratio", SEX), ("rank", EDUCATION), ("asymmetric", EDUCATION),
                                               ("asymmetric", Range(0, 2))])
def test_a_scale_that_a_column_cannot_have_is_refused(scale, domain):
    with pytest.raises(InputProblem, match=f"the scale is {scale}"):
        SemiAlphaK().partition(scaled(scale, domain, [0, 1]), Requirement(k=1), np.random.default_rng(0))


# ---------------------------------------------------------------- SemiAnony


def test_the_second_person_has_the_least_sum_of_distances():
    _, sums = _sums(gower_of(patients()), np.ones(6, dtype=np.int64), "one")
    assert sums == pytest.approx([3, 64 / 25, 211 / 75, 211 / 75, 8 / 3, 217 / 75])


def test_a_class_passes_over_whoever_would_make_a_value_too_frequent():
    # of 3 people at most floor(3/2) = 1 with AIDS: 2 takes 5 and 3, not 1 who is nearest
    assert classes_of(SemiAlphaK(), bounded(patients(), AIDS=0.5), 3) == [{2, 3, 5}, {1, 4, 6}]


@pytest.mark.parametrize("membership", ["target", "final"])
def test_nobody_is_passed_over_where_nothing_is_bounded(membership):
    nearest = sorted(range(1, 7), key=lambda i: distance(patients(), 2, i))[:3]
    assert classes_of(SemiAlphaK(membership=membership), patients(), 3)[0] == set(nearest)


def test_where_rounding_leaves_no_place_classes_are_joined():
    graph = patients()
    ill = graph.payload["illness"]
    codes = np.array([0, 0, 0, 2, 2, 2])
    graph = bounded(replace(graph, payload={"illness": ill._replace(codes=codes)}), AIDS=0.5)
    # two classes of three could hold floor(3/2) + floor(3/2) = 2 with AIDS, one of six holds all 3
    assert classes_of(SemiAlphaK(), graph, 3) == [{1, 2, 3, 4, 5, 6}]


@pytest.mark.parametrize("method", [SemiAlphaK(), SemiAlphaK(centroid="average", refresh=True)], ids=str)
def test_bounded_values_are_nowhere_too_frequent(method):
    rng = np.random.default_rng(3)
    n = 120
    graph = graph_of([], n, lines=(Range(0, 60), SEX), has_ties=False,
                     values=[rng.integers(0, 60, n), rng.integers(0, 2, n)],
                     payload={"illness": rng.choice(["AIDS", "flu", "fever"], n, p=[0.24, 0.5, 0.26]).tolist()})
    ill = graph.payload["illness"]
    carriers = ill.codes == ill.labels.index("AIDS")
    alpha = float(np.ceil(carriers.mean() * 100) / 100) + 0.01
    labels = method.partition(bounded(graph, AIDS=alpha), Requirement(k=5), np.random.default_rng(0)).labels
    sizes, inside = np.bincount(labels), np.bincount(labels, weights=carriers)
    assert sizes.min() >= 5
    assert (inside <= np.floor(alpha * sizes + 1e-9)).all()
