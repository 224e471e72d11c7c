"""Laws of losses: written again from their definitions, person by person and pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from strategies import grouped, table

from graphanon.domain import Tree
from graphanon.grouping import Grouping, Partition, hull
from graphanon.loss import public_losses


def plain_losses(graph, partition) -> dict[str, float]:
    """Return the public losses by loops over people, cells and pairs; a withheld person costs 1 a cell."""
    losses = {}
    boxes, labels = hull(graph, partition), partition.labels
    if graph.q:
        for name, measure in (("ncp", "leaves"), ("ngil", "height")):
            cells = [_cell(domain, boxes, label, j, measure)
                     for label in labels.tolist() for j, domain in enumerate(graph.domains)]
            losses[name] = sum(cells) / len(cells)
    losses |= plain_tie_losses(graph, partition)
    if "nsil" in losses and graph.q:
        losses["total"] = (losses["ngil"] + losses["nsil"]) / 2
    return losses


def _cell(domain, boxes, label: int, j: int, measure: str) -> float:
    if label < 0:
        return 1.0
    side = boxes.lo[[label], j], boxes.hi[[label], j]
    if isinstance(domain, Tree) and measure == "leaves":
        lo, hi = int(side[0][0]), int(side[1][0])
        return 0.0 if lo == hi else min(hi + 1, len(domain.leaves)) / len(domain.leaves) - lo / len(domain.leaves)
    return float(domain.cost(*side, measure)[0])


def plain_tie_losses(graph, partition) -> dict[str, float]:
    """Return nsil and tie_loss by visiting every ordered pair of classes."""
    arcs = (graph.ties if graph.arcs is None else graph.arcs).toarray()
    members = [np.flatnonzero(partition.labels == number) for number in range(partition.n_classes)]
    lost, total = 0.0, 0
    for a, first in enumerate(members):
        for b, second in enumerate(members):
            found = int(arcs[np.ix_(first, second)].sum())
            room = len(first) * len(second) - (len(first) if a == b else 0)
            lost += found * (1 - found / room) if room else 0.0
            total += found
    people = sum(map(len, members))
    return {"nsil": lost / (people * (people - 1) / 4), "tie_loss": lost / total} if total else {}


@given(grouped())
def test_public_losses_are_their_definitions(case):
    graph, partition = case
    found = public_losses(Grouping(graph, partition, hull(graph, partition)))
    wanted = plain_losses(graph, partition)
    sizes, people = partition.sizes, graph.n
    wanted["discernibility"] = float((sizes**2).sum() + partition.withheld * people)
    if len(sizes):
        wanted["average_class_size"] = float(sizes.mean())
    assert found == pytest.approx(wanted, abs=1e-12)


@given(grouped())
def test_normalized_losses_lie_between_0_and_1(case):
    graph, partition = case
    losses = public_losses(Grouping(graph, partition, hull(graph, partition)))
    for name in {"ncp", "ngil", "nsil", "tie_loss", "total"} & set(losses):
        assert 0 <= losses[name] <= 1


@given(grouped())
def test_a_table_has_no_loss_of_ties(case):
    graph, partition = table(case[0]), case[1]
    losses = public_losses(Grouping(graph, partition, hull(graph, partition)))
    assert not {"nsil", "tie_loss", "total"} & set(losses)


@given(grouped(withheld=False))
def test_merging_two_classes_never_lowers_the_loss_of_attributes(case):
    graph, partition = case
    merged = Partition(np.unique(np.minimum(partition.labels, max(partition.n_classes - 2, 0)), return_inverse=True)[1])
    before, after = (public_losses(Grouping(graph, p, hull(graph, p))) for p in (partition, merged))
    for name in {"ncp", "ngil"} & set(before):
        assert before[name] <= after[name] + 1e-12


@given(grouped(withheld=False))
def test_people_alone_lose_no_tie(case):
    graph, _ = case
    alone = Partition(np.arange(graph.n, dtype=np.int64))
    losses = public_losses(Grouping(graph, alone, hull(graph, alone)))
    assert losses.get("nsil", 0.0) == 0
