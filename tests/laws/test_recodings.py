"""Laws of methods that decide what may be said, or that let others decide it from noisy records."""

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, reject
from small_methods import FullDomain, Jitter, ValuesAsTheyAre
from strategies import graphs, requirements, table
from toy import graph_of

from graphanon.audit import audit_release
from graphanon.domain import Range
from graphanon.errors import InfeasiblePromise
from graphanon.graph import AttributedGraph
from graphanon.grouping import at_levels, classes, points
from graphanon.release import publish, write
from graphanon.requirement import Requirement


@st.composite
def jobs(draw, *, wishes: bool = False):
    graph = draw(graphs(wishes=wishes))
    return graph, draw(requirements(graph.n))


def kept_people(grouping) -> np.ndarray:
    return np.flatnonzero(grouping.partition.kept)


def run(method, graph: AttributedGraph, requirement: Requirement, seed: int = 0):
    """Group, or tell Hypothesis that this requirement cannot be kept."""
    try:
        return method.group(graph, requirement, np.random.default_rng(seed))
    except InfeasiblePromise:
        reject()


@given(jobs())
def test_people_of_a_recoding_share_a_class_exactly_when_they_share_a_box(case):
    graph, requirement = case
    grouping = run(FullDomain(), graph, requirement)
    rows = np.concatenate([grouping.boxes.lo, grouping.boxes.hi], axis=1)
    assert len(rows) < 2 or graph.q == 0 or len(np.unique(rows, axis=0)) == len(rows)


@given(jobs())
def test_a_recoding_keeps_k(case):
    graph, requirement = case
    grouping = run(FullDomain(), graph, requirement)
    assert (grouping.partition.sizes >= requirement.k).all()


@given(jobs(wishes=True))
def test_a_recoding_keeps_the_k_that_each_person_asks_for(case):
    graph, requirement = case
    partition = run(FullDomain(), graph, requirement).partition
    kept = partition.kept
    assert (partition.sizes[partition.labels[kept]] >= graph.wishes[kept]).all()


@given(jobs(wishes=True))
def test_a_class_of_a_recoding_knows_the_least_size_it_must_keep(case):
    graph, requirement = case
    partition = run(FullDomain(), graph, requirement).partition
    asked = np.full(partition.n_classes, requirement.k)
    np.maximum.at(asked, partition.labels[partition.kept], graph.wishes[partition.kept])
    assert np.array_equal(partition.floors, asked)


@given(jobs(), st.sampled_from([FullDomain(), ValuesAsTheyAre()]))
def test_nobody_is_withheld_beyond_the_allowance(case, method):
    graph, requirement = case
    partition = run(method, graph, requirement).partition
    assert partition.withheld <= requirement.withhold * graph.n + 1e-9


@given(jobs())
def test_a_class_that_is_large_enough_is_not_withheld(case):
    graph, requirement = case
    full = classes(at_levels(graph, [0] * graph.q))[0]
    enough = full.sizes[full.labels] >= requirement.k
    assume((~enough).sum() <= requirement.withhold * graph.n)
    partition = ValuesAsTheyAre().group(graph, requirement, np.random.default_rng(0)).partition
    assert np.array_equal(partition.kept, enough)


@given(jobs(), st.booleans())
def test_the_files_of_a_recoding_hold_what_was_promised(case, as_table):
    graph, requirement = case
    assume(graph.schema.columns)
    grouping = run(FullDomain(), table(graph) if as_table else graph, requirement)
    assume(grouping.partition.n_classes > 0)
    release = publish(grouping, requirement=requirement, method="full-domain", chance=Random(1))
    with tempfile.TemporaryDirectory() as place:
        findings = audit_release(write(release, Path(place) / "release"))
    assert [finding for finding in findings if not finding.holds] == []


def test_withholding_more_than_allowed_is_refused_with_both_numbers():
    graph = people_aged([20.0] * 8 + [30.0, 40.0])
    with pytest.raises(InfeasiblePromise, match="2 of 10 people would be withheld, and 1 may be"):
        ValuesAsTheyAre().group(graph, Requirement(k=2, withhold=0.1), np.random.default_rng(0))


def test_withholding_exactly_what_is_allowed_is_fine():
    graph = people_aged([20.0] * 8 + [30.0, 40.0])
    grouping = ValuesAsTheyAre().group(graph, Requirement(k=2, withhold=0.2), np.random.default_rng(0))
    assert grouping.partition.withheld == 2


def test_a_class_of_one_below_k_is_withheld():
    graph = people_aged([20.0] * 3 + [30.0] * 2)
    grouping = ValuesAsTheyAre().group(graph, Requirement(k=3, withhold=0.4), np.random.default_rng(0))
    assert grouping.partition.labels.tolist() == [0, 0, 0, -1, -1]


def test_a_class_of_k_is_withheld_if_one_in_it_asks_for_more():
    graph = replace(people_aged([20.0] * 3 + [30.0] * 2), wishes=np.array([1, 1, 1, 3, 1]))
    grouping = ValuesAsTheyAre().group(graph, Requirement(k=2, withhold=0.4), np.random.default_rng(0))
    assert grouping.partition.labels.tolist() == [0, 0, 0, -1, -1]


def people_aged(ages: list[float]) -> AttributedGraph:
    return graph_of([], len(ages), lines=(Range(0, 99),), values=[ages])


@given(jobs())
def test_a_perturbing_method_groups_the_noisy_people(case):
    graph, requirement = case
    grouping = run(Jitter(), graph, requirement, seed=3)
    noisy = Jitter().perturb(graph, np.random.default_rng(3))
    kept = kept_people(grouping)
    assert np.array_equal(grouping.source.values, noisy.values)
    assert points(noisy)[kept].within(grouping.boxes[grouping.partition.labels[kept]]).all()


@given(jobs())
def test_perturbing_leaves_the_original_as_it_was(case):
    graph, requirement = case
    before = graph.values.copy()
    run(Jitter(), graph, requirement)
    assert np.array_equal(graph.values, before)


@given(jobs())
def test_the_same_seed_perturbs_alike(case):
    graph, _ = case
    one, two = (Jitter().perturb(graph, np.random.default_rng(7)).values for _ in range(2))
    assert np.array_equal(one, two)
