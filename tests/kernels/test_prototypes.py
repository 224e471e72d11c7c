"""Clusterings of mixed records: what their kernels keep up to date is what a count from the definition gives."""

import hypothesis.strategies as st
import igraph as ig
import numpy as np
import pytest
from hypothesis import assume, given, settings
from strategies import graphs, table
from toy import toys

from graphanon.requirement import Requirement
from graphanon.tabular.agreement import adjusted_rand, f_measure, nicv, rand
from graphanon.tabular.centre_choice import choose_centres, dissimilarities, sampled
from graphanon.tabular.cluster_classes import records_of
from graphanon.tabular.ekpca import Ekpca, cluster_by_frequency, frequency_weights
from graphanon.tabular.entropy_weights import entropies, entropy_weights
from graphanon.tabular.k_prototypes import KPrototypes, cluster_records, improved
from graphanon.tabular.prototypes import (
    Prototypes,
    Records,
    Weights,
    assigned,
    at,
    distinct,
    lloyd,
    prototypes_of,
    records_from,
    weights_for,
)

SCALE = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


@st.composite
def mixed(draw, *, smallest=1, largest=14, numbers=None, categories=None):
    """Draw records of up to two numbers and two categories, one of them at least."""
    n = draw(st.integers(smallest, largest))
    p = draw(st.integers(0, 2)) if numbers is None else numbers
    q = draw(st.integers(0 if p else 1, 2)) if categories is None else categories
    rows = [[draw(SCALE) for _ in range(p)] for _ in range(n)]
    codes = [[draw(st.integers(0, 2)) for _ in range(q)] for _ in range(n)]
    return Records(np.array(rows, dtype=float).reshape(n, p), np.array(codes, dtype=np.int64).reshape(n, q), (3,) * q,
                   np.array(draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), dtype=np.int64))


@st.composite
def begun(draw):
    """Draw records, some of them to start from, and weights."""
    records = draw(mixed())
    p, q = records.numbers.shape[1], len(records.sizes)
    starts = draw(st.lists(st.integers(0, len(records) - 1), min_size=1, max_size=4))
    weights = Weights(np.array([draw(st.sampled_from([0.5, 1.0])) for _ in range(p)]),
                      np.array([draw(st.sampled_from([0.25, 1.0])) for _ in range(q)]))
    return records, at(records, starts), weights


def distance(records, v, prototypes, c, weights):
    squares = sum(w * (x - y) ** 2 for w, x, y in zip(
        weights.numbers, records.numbers[v], prototypes.numbers[c], strict=True))
    return squares + sum(w for w, x, y in zip(
        weights.categories, records.codes[v], prototypes.codes[c], strict=True) if x != y)


def repeated(records):
    """Return everyone's own record, as often as its weight says."""
    return [v for v, times in enumerate(records.weight.tolist()) for _ in range(times)]


# ---------------------------------------------------------------- assigning and describing


@given(begun())
def test_everyone_is_given_the_first_of_the_nearest_prototypes(drawn):
    records, prototypes, weights = drawn
    labels, gaps = assigned(records, prototypes, weights)
    for v in range(len(records)):
        far = [distance(records, v, prototypes, c, weights) for c in range(len(prototypes))]
        assert gaps[v] == pytest.approx(min(far))
        assert labels[v] == next(c for c, x in enumerate(far) if x <= min(far) + 1e-12)


@given(mixed(), st.data())
def test_prototypes_are_means_and_first_modes(records, data):
    raw = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(records), max_size=len(records))))
    labels = np.unique(raw, return_inverse=True)[1].reshape(-1)
    found = prototypes_of(records, labels, labels.max() + 1)
    for c in range(labels.max() + 1):
        members = [v for v in repeated(records) if labels[v] == c]
        assert found.numbers[c] == pytest.approx(records.numbers[members].mean(axis=0))
        for f, size in enumerate(records.sizes):
            counts = [sum(records.codes[v, f] == value for v in members) for value in range(size)]
            assert found.codes[c, f] == counts.index(max(counts))


@pytest.mark.parametrize("update", ["batch", "record"])
@given(drawn=begun())
def test_the_cost_never_rises_and_ends_where_nothing_moves(update, drawn):
    records, start, weights = drawn
    found = lloyd(records, start, weights, update=update)
    assert all(after <= before + 1e-9 for before, after in zip(found.costs, found.costs[1:], strict=False))
    assert found.cost == pytest.approx(sum(
        min(distance(records, v, found.prototypes, c, weights) for c in range(len(start))) for v in repeated(records)))
    # from there another search goes no lower, and describing the clusters again costs no more
    again = lloyd(records, found.prototypes, weights)
    assert again.cost <= found.cost + 1e-9
    there = np.unique(found.labels)
    if len(there) == len(start):
        own = prototypes_of(records, found.labels, len(start))
        assert sum(distance(records, v, own, found.labels[v], weights) for v in repeated(records)) <= found.cost + 1e-9


@given(drawn=begun())
def test_each_round_is_one_of_assigning_and_describing(drawn):
    records, start, weights = drawn
    costs, prototypes = [], start
    labels = assigned(records, start, weights)[0]
    assume(len(np.unique(labels)) == len(start))
    found = lloyd(records, start, weights)
    for _ in found.costs:
        labels, gaps = assigned(records, prototypes, weights)
        costs.append(float(records.weight @ gaps))
        if len(np.unique(labels)) < len(start):
            return
        prototypes = prototypes_of(records, labels, len(start))
    assert found.costs == pytest.approx(costs)


@given(mixed(smallest=2), st.integers(1, 5), st.integers(0, 3))
def test_a_cluster_of_nobody_begins_anew(records, clusters, seed):
    same = at(records, [0] * clusters)
    found = lloyd(records, same, weights_for(records, 1.0))
    there = len(np.unique(found.labels))
    assert there == min(clusters, len(distinct(records)[0]))
    # a search that chooses where to start finds as many
    wanted = min(clusters, records.n)
    other = cluster_records(records, wanted, np.random.default_rng(seed), eta=1.0, swaps=2)
    assert len(np.unique(other.labels)) == min(wanted, len(distinct(records)[0]))


@given(mixed(smallest=2), st.integers(1, 3), st.sampled_from(["batch", "record"]))
def test_equal_records_are_one_point_and_end_together(records, clusters, update):
    clusters = min(clusters, records.n)
    found = cluster_records(records, clusters, np.random.default_rng(0), update=update, n_init=2, swaps=3)
    points, inverse = distinct(records)
    for p in range(len(points)):
        assert len(set(found.labels[inverse == p].tolist())) == 1
    apart = Records(*(np.asarray(part)[repeated(records)] for part in (records.numbers, records.codes)), records.sizes,
                    np.ones(records.n, dtype=np.int64))
    assert distinct(apart)[0].n == points.n
    assert nicv(apart, found.prototypes) == pytest.approx(nicv(records, found.prototypes))


@given(mixed(smallest=2), st.integers(1, 3), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_change_what_is_left_to_no_chance(records, clusters, chance):
    order = list(range(len(records)))
    chance.shuffle(order)
    there, here = entropies(records), entropies(records.take(order))
    assert here == pytest.approx(there)
    assert dissimilarities(records.take(order)).mean == pytest.approx(dissimilarities(records).mean[order])
    assert dissimilarities(records.take(order)).overall == pytest.approx(dissimilarities(records).overall)
    # renaming values of a category changes no entropy and no dissimilarity of names
    turned = Records(records.numbers, 2 - records.codes, records.sizes, records.weight)
    assert entropies(turned) == pytest.approx(there)
    assert dissimilarities(turned).mean == pytest.approx(dissimilarities(records).mean)
    assert clusters >= 1


# ---------------------------------------------------------------- centres and weights


@given(mixed(smallest=2))
def test_dissimilarities_are_means_over_pairs_of_people(records):
    people = repeated(records)

    def far(v, u):
        steps = ((records.numbers[v] - records.numbers[u]) ** 2).sum() + (records.codes[v] != records.codes[u]).sum()
        return float(np.sqrt(steps))

    found = dissimilarities(records)
    for v in range(len(records)):
        assert found.mean[v] == pytest.approx(sum(far(v, u) for u in people) / (len(people) - 1))
    pairs = [far(people[i], people[j]) for i in range(len(people)) for j in range(i)]
    assert found.overall == pytest.approx(sum(pairs) / len(pairs))


@given(mixed(smallest=2), st.integers(1, 4), st.sampled_from(["farthest", "shrink"]), st.sampled_from(["outlier", "medoid"]))
def test_centres_are_different_records_that_lie_far_apart(records, clusters, fallback, first):
    clusters = min(clusters, records.n)
    found = choose_centres(records, clusters, fallback=fallback, first=first)
    assert len(found) == min(clusters, len(distinct(records)[0]))
    assert len(distinct(records.take(found))[0]) == len(found)
    mean = dissimilarities(records).mean
    assert mean[found[0]] == pytest.approx(mean.max() if first == "outlier" else mean.min())


@given(mixed(smallest=2), st.integers(1, 6))
def test_a_sample_is_of_so_many_people(records, size):
    found = sampled(records, size, np.random.default_rng(3))
    assert found.n == min(size, records.n)
    whole = {(*x, *c): w for x, c, w in zip(records.numbers.tolist(), records.codes.tolist(), records.weight, strict=True)}
    assert {(*x, *c) for x, c in zip(found.numbers.tolist(), found.codes.tolist(), strict=True)} <= set(whole)


@given(mixed())
def test_weights_are_shares_of_one(records):
    for wording in ("method", "text"):
        for codes in ("names", "label"):
            found = entropy_weights(records, wording=wording, codes=codes)
            both = np.concatenate(found)
            assert both.sum() == pytest.approx(1)
            assert (both >= -1e-12).all()
    assert (entropies(records) <= 1 + 1e-9).all()


# ---------------------------------------------------------------- frequencies


def by_frequency(records, start, weights):
    """Return the cost of each round, with the price of a category from the clusters of the round before."""
    labels, gaps = assigned(records, start, weights)
    costs, people = [float(records.weight @ gaps)], repeated(records)
    for _ in range(4):
        prototypes = prototypes_of(records, labels, len(start))
        members = [[v for v in people if labels[v] == c] for c in range(len(start))]
        far = np.array([[sum(w * (x - y) ** 2 for w, x, y in zip(
            weights.numbers, records.numbers[v], prototypes.numbers[c], strict=True)) + sum(
            w * (1 - np.mean([records.codes[u, f] == records.codes[v, f] for u in members[c]]))
            for f, w in enumerate(weights.categories)) for c in range(len(start))] for v in range(len(records))])
        far = far.round(12)
        before, labels = labels, far.argmin(axis=1)
        costs.append(float(records.weight @ far.min(axis=1)))
        if len(np.unique(labels)) < len(start) or np.array_equal(labels, before):
            break
    return costs


@given(mixed(smallest=2), st.integers(1, 3))
def test_a_category_counts_by_how_rare_it_is_in_the_cluster(records, clusters):
    start = at(records, choose_centres(records, min(clusters, records.n)))
    weights = frequency_weights(records)
    assume(len(np.unique(assigned(records, start, weights)[0])) == len(start))
    wanted = by_frequency(records, start, weights)
    found = lloyd(records, start, weights, price="frequency", max_iter=len(wanted))
    rounds = found.costs[: len(wanted)]
    assert rounds == pytest.approx(wanted[: len(rounds)], abs=1e-9)
    # the first round has other prices
    assert found.cost == pytest.approx(min(rounds[1:] or rounds), abs=1e-9)
    assert weights.categories == pytest.approx(np.full(len(records.sizes), 1 / max(len(records.sizes), 1)))


def test_frequencies_tell_apart_what_modes_do_not():
    # both clusters have the mode b, but only the second one is all b
    records = records_from(numbers=[[0.0], [0.0], [0.0], [1.0], [1.0]],
                           categories=[["a"], ["b"], ["b"], ["b"], ["b"]])
    found = cluster_by_frequency(records, 2)
    assert found.labels[0] != found.labels[3]
    own = found.labels[0]
    assert found.gaps[0] == pytest.approx(2 / 3)  # one of three has an a
    assert found.gaps[1] == pytest.approx(1 / 3)
    assert found.gaps[3] == pytest.approx(0)
    assert found.prototypes.codes[own].tolist() == [1]


def test_the_improved_search_leaves_nothing_to_chance():
    records = records_from(np.linspace(0, 1, 40).reshape(20, 2), [[str(i % 3)] for i in range(20)])
    one, two = improved(records, 3), improved(records, 3)
    assert np.array_equal(one.labels, two.labels)
    other = improved(records, 3, wording="text", codes="label", first="medoid")
    assert len(other.prototypes) == 3


# ---------------------------------------------------------------- classes


@settings(max_examples=40)
@given(graphs(smallest=2), st.integers(1, 4), st.sampled_from([KPrototypes(clusters=5), Ekpca(clusters=5)]))
def test_small_clusters_dissolve_and_the_others_keep_their_people(graph, k, method):
    graph = table(graph)
    k = min(k, graph.n)
    found = method.partition(graph, Requirement(k=k), np.random.default_rng(2))
    assert (found.sizes >= k).all()
    assert (found.labels >= 0).all()
    whole = method.partition(graph, Requirement(k=1), np.random.default_rng(2))
    kept = {c for c in range(whole.n_classes) if (whole.labels == c).sum() >= k}
    # whoever was in a class that is large enough is still together with all of it
    for c in kept:
        assert len(set(found.labels[whole.labels == c].tolist())) == 1


def test_a_missing_number_takes_the_mean_and_a_missing_category_is_one():
    records = records_from([[0.0], [np.nan], [1.0]], [["a"], [None], ["a"]], missing="mean")
    assert records.numbers.ravel().tolist() == [0, 0.5, 1]
    assert records.sizes == (2,)
    assert len(records_from([[0.0], [np.nan]], missing="drop")) == 1


def test_a_graph_becomes_records_on_its_declared_range():
    for graph in toys().values():
        records = records_of(graph)
        assert records.n == graph.n
        assert records.numbers.shape[1] + len(records.sizes) == graph.q
        assert ((records.numbers >= 0) & (records.numbers <= 1)).all()

# ---------------------------------------------------------------- measures


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(
    *[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)))
def test_measures_are_what_counting_pairs_gives(labels):
    one, other = (np.array(x) for x in labels)
    n = len(one)
    pairs = [(one[i] == one[j], other[i] == other[j]) for i in range(n) for j in range(i)]
    agree = sum(a == b for a, b in pairs)
    assert rand(one, other) == pytest.approx(agree / len(pairs) if pairs else 1)
    both, together, same = sum(a and b for a, b in pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs)
    wanted = 2 * both / (together + same) if together and same else 0
    assert f_measure(one, other, by="pairs") == pytest.approx(wanted)
    assert 0 < f_measure(one, other) <= 1
    assert f_measure(one, one) == f_measure(one, one, by="clusters") == 1
    if n > 1:
        theirs = [ig.compare_communities(one.tolist(), other.tolist(), method=name) for name in ("rand", "adjusted_rand")]
        assert rand(one, other) == pytest.approx(theirs[0])
        if np.isfinite(theirs[1]):
            assert adjusted_rand(one, other) == pytest.approx(theirs[1])


def test_a_prototype_that_nobody_is_near_changes_no_nicv():
    points = records_from([[0.0], [1.0]])
    two = Prototypes(np.array([[0.0], [1.0]]), np.empty((2, 0), dtype=np.int64))
    three = Prototypes(np.array([[0.0], [1.0], [9.0]]), np.empty((3, 0), dtype=np.int64))
    assert nicv(points, two) == nicv(points, three) == 0
