"""Laws of what leaves: a release of any graph and any partition is a faithful count, and the files give it back."""

import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given
from strategies import grouped, table

from graphanon.audit import audit_release
from graphanon.grouping import Grouping, hull
from graphanon.release import publish_with_key, read, write
from graphanon.requirement import Requirement


@st.composite
def groupings(draw):
    """Draw a grouping of people with or without ties, of whom some may be withheld."""
    graph, partition = draw(grouped())
    assume(partition.n_classes > 0)
    people = table(graph) if draw(st.booleans()) else graph
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
