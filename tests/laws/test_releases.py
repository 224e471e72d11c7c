"""Laws of what leaves: a release of any graph and any partition is a faithful count, and the files give it back."""

import math
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given
from strategies import grouped, table
from toy import g6

from graphanon.audit import audit_release
from graphanon.grouping import Grouping, Partition, hull
from graphanon.release import publish, publish_with_key, read, write
from graphanon.requirement import Requirement


@st.composite
def groupings(draw):
    """Draw a grouping of people with or without ties, of whom some may be withheld."""
    graph, partition = draw(grouped())
    assume(partition.n_classes > 0)
    people = table(graph) if graph.schema.columns and draw(st.booleans()) else graph
    return Grouping(people, partition, hull(people, partition))


def published(grouping: Grouping, seed: int = 1):
    requirement = Requirement(k=int(grouping.partition.sizes.min()), withhold=0.99)
    return publish_with_key(grouping, requirement=requirement, method="by-hand", chance=Random(seed))


@given(groupings())
def test_ties_of_a_release_are_the_ties_among_the_kept(grouping):
    graph, kept = grouping.source, np.flatnonzero(grouping.partition.kept)
    release = published(grouping).release
    assume(release.superties is not None)
    among = graph.ties if graph.arcs is None else graph.arcs
    total = release.superties.inside.sum() + release.superties.ties.sum()
    assert total == among[kept][:, kept].sum() // (1 if graph.directed else 2)


@given(groupings())
def test_each_pair_of_supernodes_holds_the_ties_between_its_members(grouping):
    graph, (release, membership) = grouping.source, published(grouping)
    assume(release.superties is not None)
    found = Counter()
    entries = (graph.ties if graph.arcs is None else graph.arcs).tocoo()
    for a, b in zip(entries.row.tolist(), entries.col.tolist(), strict=True):
        ends = membership[a], membership[b]
        if all(ends):
            found[ends if graph.directed else tuple(sorted(ends))] += 1
    told, ties = Counter(), release.superties
    for name, inside in zip(release.names, ties.inside.tolist(), strict=True):
        told[name, name] = inside
    for a, b, number in zip(ties.source.tolist(), ties.target.tolist(), ties.ties.tolist(), strict=True):
        told[release.names[a], release.names[b]] += number
    each = 1 if graph.directed else 2
    assert {ends: number for ends, number in told.items() if number} == \
        {ends: number // each for ends, number in found.items()}


@given(groupings())
def test_weights_add_up_to_those_among_the_kept(grouping):
    graph, release = grouping.source, published(grouping).release
    assume(release.superties is not None)
    assume(release.superties.weight is not None)
    kept = np.flatnonzero(grouping.partition.kept)
    total = release.superties.weight_inside.sum() + release.superties.weight.sum()
    assert total == pytest.approx(graph.weights[kept][:, kept].sum() / (1 if graph.directed else 2))


@given(groupings())
def test_a_release_tells_the_size_of_each_class_and_no_other_person(grouping):
    release, membership = published(grouping)
    counted = Counter(name for name in membership if name)
    if release.superties is None:
        assert sorted(release.sizes.tolist()) == sorted(np.bincount(release.records.classes).tolist())
        assert len(counted) == len(release.cells)
    assert dict(zip(release.names, release.sizes.tolist(), strict=True)) == dict(counted)
    assert release.sizes.sum() == grouping.partition.kept.sum()


@given(groupings())
def test_the_values_of_a_class_are_those_of_its_members(grouping):
    graph, (release, membership) = grouping.source, published(grouping)
    for column in release.payload:
        cells = graph.payload[column.name]
        theirs = Counter((name, cells.labels[code])
                         for name, code in zip(membership, cells.codes.tolist(), strict=True) if name)
        assert told_values(release, column.name) == theirs


def told_values(release, attribute: str) -> Counter:
    """Return how often a release tells each value of an attribute in each class."""
    if release.records is None:
        return Counter({(c.supernode, c.value): c.people for c in release.counts if c.attribute == attribute})
    j = [column.name for column in release.payload].index(attribute)
    return Counter((release.names[place], value)
                   for place, value in zip(release.records.classes.tolist(), release.records.payload[j], strict=True))


@given(groupings())
def test_everyone_lies_in_the_cells_of_their_own_class(grouping):
    graph, (release, membership) = grouping.source, published(grouping)
    texts = [domain.bounds(grouping.boxes.lo[:, j], grouping.boxes.hi[:, j]) for j, domain in enumerate(graph.domains)]
    for person in np.flatnonzero(grouping.partition.kept).tolist():
        label = grouping.partition.labels[person]
        said = "|".join(release.cells[release.names.index(membership[person])])
        assert all(low[label] in said and high[label] in said for low, high in texts)


@given(groupings(), st.booleans())
def test_the_files_give_back_the_release_and_the_audit_agrees(grouping, again):
    release = published(grouping, seed=2 + again).release
    with tempfile.TemporaryDirectory() as place:
        folder = write(release, Path(place) / "release")
        assert read(folder) == release
        assert [finding for finding in audit_release(folder) if not finding.holds] == []


@given(groupings())
def test_another_chance_gives_the_same_release_up_to_names(grouping):
    one, two = (published(grouping, seed=seed).release for seed in (3, 4))
    assert sorted(zip(one.cells, one.sizes.tolist(), strict=True)) == sorted(zip(two.cells, two.sizes.tolist(), strict=True))
    assert one.statement["losses"] == two.statement["losses"]
    assert one.statement["found"] == two.statement["found"]


@given(groupings())
def test_losses_of_a_table_count_the_classes_that_a_reader_sees(grouping):
    assume(not grouping.source.has_ties)
    release = published(grouping).release
    sizes, people, withheld = release.sizes, grouping.source.n, grouping.partition.withheld
    assert release.statement["losses"]["discernibility"] == (sizes**2).sum() + withheld * people
    assert release.statement["losses"]["average_class_size"] == pytest.approx(sizes.mean())


@st.composite
def promised(draw):
    """Draw a grouping with promises that it may well break."""
    grouping = draw(groupings())
    graph = grouping.source
    assume("illness" in graph.payload)
    bounds = st.sampled_from([0.25, 0.5, 2 / 3, 0.29])
    column = replace(graph.schema["illness"], alpha={"hiv": draw(bounds)}, l=draw(st.integers(1, 3)))
    columns = tuple(column if other.name == "illness" else other for other in graph.schema.columns)
    people = replace(graph, schema=replace(graph.schema, columns=columns))
    requirement = Requirement(k=draw(st.integers(1, 4)), tie_confidence=draw(bounds), withhold=0.99)
    return Grouping(people, grouping.partition, grouping.boxes), requirement


@given(promised())
def test_the_audit_of_the_files_finds_each_promise_kept_or_broken_as_a_count_of_the_people_does(case):
    grouping, requirement = case
    release, membership = publish_with_key(grouping, requirement=requirement, method="by-hand", chance=Random(5))
    with tempfile.TemporaryDirectory() as place:
        findings = audit_release(write(release, Path(place) / "release"))
    verdicts = {finding.promise: finding.holds for finding in findings}
    wanted = plain_verdicts(grouping, requirement, membership)
    assert {name: verdicts[name] for name in wanted} == wanted
    assert all(holds for name, holds in verdicts.items() if name not in wanted)


def test_the_audit_sees_that_everyone_inside_a_supernode_is_tied(tmp_path):
    graph = g6()
    partition = Partition(np.array([0, 0, 0, 1, 1, 1]))
    requirement = Requirement(k=3, tie_confidence=0.9)
    grouping = Grouping(graph, partition, hull(graph, partition))
    folder = write(publish(grouping, requirement=requirement, method="by-hand"), tmp_path / "release")
    broken = [finding for finding in audit_release(folder) if not finding.holds]
    assert [(finding.promise, finding.found) for finding in broken] == [("tie_confidence", 1.0)]


def plain_verdicts(grouping: Grouping, requirement: Requirement, membership) -> dict[str, bool]:
    """Return which promises hold, counted over the people of each class."""
    graph = grouping.source
    column, cells = graph.schema["illness"], graph.payload["illness"]
    groups = {name: [i for i, other in enumerate(membership) if other == name] for name in set(membership) if name}
    ill = {name: Counter(cells.labels[cells.codes[i]] for i in people) for name, people in groups.items()}
    wanted = {
        "k": all(len(people) >= requirement.k for people in groups.values()),
        "alpha.illness.hiv": all(tally["hiv"] <= math.floor(column.alpha["hiv"] * tally.total() + 1e-9)
                                 for tally in ill.values()),
        "l.illness": all(len(tally) >= column.l for tally in ill.values()),
    }
    if graph.has_ties:
        wanted["tie_confidence"] = all(confident(graph, one, two, requirement.tie_confidence)
                                       for one in groups.values() for two in groups.values())
    return wanted


def confident(graph, one: list[int], two: list[int], bound: float) -> bool:
    """Whether few enough of the ordered pairs from one group to another are tied."""
    arcs = (graph.ties if graph.arcs is None else graph.arcs).toarray()
    room = len(one) * len(two) - (len(one) if one == two else 0)
    tied = int(arcs[np.ix_(one, two)].sum())
    undirected_inside = one == two and not graph.directed
    each = 2 if undirected_inside else 1
    return tied // each <= math.floor(bound * (room // each) + 1e-9)
