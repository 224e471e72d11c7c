"""An honest release passes every audit, whatever its people are called."""

from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from releases import grouping, originals_of, town, written
from strategies import graphs, grouped, partitions, table
from toy import graph_of

from graphanon.audit import audit_release, audit_truth
from graphanon.domain import Range
from graphanon.grouping import Grouping, Partition, hull
from graphanon.release import publish_with_key, write
from graphanon.requirement import Requirement


def broken(*findings):
    return [str(finding) for finding in findings if not finding.holds]


@pytest.mark.parametrize("kind", [
    {}, {"directed": True}, {"weight": "sum"}, {"directed": True, "weight": "sum"}, {"has_ties": False},
])
@pytest.mark.parametrize("withheld", [0, 3])
def test_the_town_passes(tmp_path, kind, withheld):
    case = written(tmp_path / "out", grouping(town(**kind), withheld=withheld))
    assert not broken(*audit_release(case.folder, fresh=True))
    assert not broken(*audit_truth(case.folder, key_path=case.key, **case.originals))


@pytest.mark.parametrize("ids", [
    [str(i) for i in range(60)],
    [str(i + 1) for i in range(60)],
    ["S" + str(i + 1) for i in range(60)],
    ["low", "mid", "high", "baker", "Lund", "hiv", "size", "the", "release", "README", "sangreea", "supernodes.csv",
     "job", "job.csv", "*", "age_low", *[f"{i}" for i in range(44)]],
], ids=["from zero", "from one", "like supernodes", "words of the release"])
@pytest.mark.parametrize("kind", [{}, {"has_ties": False}])
def test_ids_that_coincide_with_counts_and_words_are_no_leak(tmp_path, ids, kind):
    case = written(tmp_path / "out", grouping(town(**kind)), ids=ids, method="sangreea")
    assert not broken(*audit_truth(case.folder, key_path=case.key, **case.originals))


def test_names_drawn_at_random_are_never_taken_for_the_order_of_the_input(tmp_path):
    group = grouping(town())
    for seed in range(40):
        case = written(tmp_path / str(seed), group, seed=seed)
        assert not broken(*audit_truth(case.folder, key_path=case.key, **case.originals))


def test_a_table_with_split_payload_passes(tmp_path):
    case = written(tmp_path / "out", grouping(town(has_ties=False)), split=True)
    assert not broken(*audit_release(case.folder), *audit_truth(case.folder, key_path=case.key, **case.originals))


def test_a_person_known_from_ties_alone_is_covered_by_everything_only(tmp_path):
    case = written(tmp_path / "out", grouping(town()))
    originals = dict(case.originals)
    originals["people"] = {name: cells[:-1] for name, cells in originals["people"].items()}
    originals["ids"] = originals["ids"][:-1]
    assert broken(*audit_truth(case.folder, key_path=case.key, **originals))


def test_what_arithmetic_leaves_behind_is_the_number_that_was_meant(tmp_path):
    line = Range(0, 1, grid=0.1)
    texts = [repr(0.1 * i) for i in range(10)] + [repr(1 - 0.1 * i) for i in range(10)]
    assert "0.30000000000000004" in texts
    graph = graph_of([(i, i + 1) for i in range(19)], 20, lines=(line,), values=[[float(text) for text in texts]])
    partition = Partition(np.arange(20))
    case = written(tmp_path / "out", Grouping(graph, partition, hull(graph, partition)), k=1)
    originals = case.originals | {"people": {"a0": texts}}
    assert not broken(*audit_release(case.folder), *audit_truth(case.folder, key_path=case.key, **originals))


def _audited(tmp_path_factory, group, seed):
    place = tmp_path_factory.mktemp("any")
    published = publish_with_key(group, requirement=Requirement(k=1), method="by-hand", chance=Random(seed))
    folder = write(published.release, place / "release")
    graph = group.source
    ids = [str(i + 1) for i in range(graph.n)]
    head = "id,supernode" if graph.has_ties else "row,class"
    lines = [f"{person},{name}" for person, name in zip(ids, published.membership, strict=True)]
    key = place / "key.csv"
    key.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    originals = originals_of(graph, ids) | {"withhold": 1.0}
    # without any class there is no k to speak of
    found = [f for f in audit_release(folder) if not (f.promise == "k" and not group.partition.n_classes)]
    return broken(*found, *audit_truth(folder, key_path=key, **originals))


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(drawn=grouped(), seed=st.integers(0, 2**32))
def test_any_supernode_graph_passes(tmp_path_factory, drawn, seed):
    graph, partition = drawn
    assert not _audited(tmp_path_factory, Grouping(graph, partition, hull(graph, partition)), seed)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_any_table_passes(tmp_path_factory, data):
    graph = table(data.draw(graphs().filter(lambda graph: graph.schema.columns)))
    partition = data.draw(partitions(graph))
    assert not _audited(tmp_path_factory, Grouping(graph, partition, hull(graph, partition)), 3)
