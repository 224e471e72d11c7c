"""PAS-CAA's kernels move people as its definition does, and keep true scores while they do."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from strategies import graphs
from twins import PlainPasCaa, similarity_matrix

from graphanon.closeness import describe
from graphanon.kernels.rows import room_for
from graphanon.kernels.supernodes import CENTRE, MAX, MEAN, fill, shed, within
from graphanon.requirement import Requirement
from graphanon.social.pas_caa import PasCaa

MODES = {"mean": MEAN, "max": MAX, "centre": CENTRE}


@st.composite
def readings(draw):
    return PasCaa(
        beta=draw(st.sampled_from([0.0, 0.1, 0.5, 1.0])),
        Nc=draw(st.sampled_from([None, None, 1, 3, 50])),
        K_nn=draw(st.sampled_from([None, 1, 3])),
        d=draw(st.sampled_from([-1, -3])),
        Im=draw(st.integers(1, 3)),
        aggregate=draw(st.sampled_from(["max", "sum", "last"])),
        supernode=draw(st.sampled_from(["mean", "max", "centre"])),
        density=draw(st.sampled_from(["normalised", "count", "jaccard"])),
        include_self=draw(st.booleans()),
        categorical=draw(st.sampled_from(["height", "exact", "path"])),
        closed=draw(st.booleans()),
        strict_targets=draw(st.booleans()),
        literal=True,
    )


@given(graphs(smallest=2, largest=14), st.integers(1, 4), readings())
def test_the_method_finds_the_supernodes_of_its_definition(graph, k, method):
    k = min(k, graph.n)
    found = method.cluster(graph, Requirement(k=k))
    plain = PlainPasCaa(graph, method, k)
    wanted = plain.run()
    assert [np.flatnonzero(found.labels == x).tolist() for x in range(found.labels.max() + 1)] == wanted
    number = {x: i for i, x in enumerate(sorted(plain.classes))}
    assert found.sensitive.tolist() == [number[x] for x in plain.sensitive]
    assert found.targets.tolist() == plain.targets


def score_of(s, mode, v, members, centre):
    if mode == "centre":
        return np.inf if v == centre else s[v, centre]
    others = [s[v, u] for u in members if u != v]
    return (sum(others) if mode == "mean" else max(others)) if others else 0.0


@given(graphs(smallest=2, largest=14), st.sampled_from(sorted(MODES)), st.data())
def test_scores_after_giving_members_up_are_those_of_a_recount(graph, mode, data):
    members = np.array(sorted(data.draw(st.sets(st.integers(0, graph.n - 1), min_size=2))), dtype=np.int32)
    least = data.draw(st.integers(1, len(members)))
    centre = int(data.draw(st.sampled_from(members.tolist())))
    crowd, s, everyone = describe(graph), similarity_matrix(graph, 0.5), set(members.tolist())
    room, score, peer = room_for(crowd), np.zeros(len(members)), np.zeros(len(members), dtype=np.int32)
    within(crowd, 0.5, MODES[mode], members, 0, len(members), centre, room, score, peer)
    assert score == pytest.approx([score_of(s, mode, v, members, centre) for v in members], abs=1e-12)
    left = shed(crowd, 0.5, MODES[mode], members, len(members), least, room, score, peer)
    assert left == least
    assert set(members.tolist()) == everyone
    kept = members[:least]
    assert score[:least] == pytest.approx([score_of(s, mode, v, kept, centre) for v in kept], abs=1e-12)


@given(graphs(smallest=3, largest=14), st.sampled_from(sorted(MODES)), st.data())
def test_scores_after_taking_members_are_those_of_a_recount(graph, mode, data):
    people = data.draw(st.permutations(range(graph.n)))
    m = data.draw(st.integers(1, graph.n - 1))
    pool = np.array(sorted(people[m:]), dtype=np.int32)
    target = data.draw(st.integers(m, graph.n + 2))
    members = np.zeros(graph.n + 2, dtype=np.int32)
    members[:m] = people[:m]
    crowd, s, score = describe(graph), similarity_matrix(graph, 0.5), np.zeros(len(pool))
    size, left = fill(crowd, 0.5, MODES[mode], members, m, target, people[0], pool, len(pool), room_for(crowd), score)
    assert size == min(target, graph.n)
    assert sorted([*members[:size], *pool[:left]]) == list(range(graph.n))
    taken = members[:size].tolist()
    assert score[:left] == pytest.approx(
        [score_of(s, mode, v, taken, people[0]) for v in pool[:left].tolist()], abs=1e-12)
