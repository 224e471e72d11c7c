"""Every method keeps every requirement, on any small graph, or says with numbers that nothing can.

Whether it is kept is counted from person to person (tests/promises.py) and, of written releases, recounted by
the audit. Whether nothing can keep it is decided by looking at everyone in one class.
"""

from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from promises import faults, promising
from small_methods import FullDomain, ValuesAsTheyAre
from toy import graph_of

from graphanon.audit import audit_release
from graphanon.catalog import methods
from graphanon.domain import Order, Range, Tree
from graphanon.errors import InfeasiblePromise
from graphanon.feasibility import one_class
from graphanon.graph import AttributedGraph
from graphanon.method import ClusterFirst, PerturbFirst
from graphanon.refine import refine
from graphanon.release import publish, write
from graphanon.requirement import Requirement
from graphanon.schema import Column

METHODS = [cls() for cls in methods().values() if not issubclass(cls, PerturbFirst)]
METHODS += [FullDomain(), ValuesAsTheyAre()]
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.about.name)

FRUIT = Tree((("apple", "pome", "*"), ("pear", "pome", "*"), ("cherry", "drupe", "*"), ("plum", "drupe", "*")))
KINDS: dict[str, tuple[dict, dict]] = {
    "k": ({}, {}),
    "a share of one value": ({"alpha": {"plum": 0.4}}, {}),
    "shares of two values": ({"alpha": {"plum": 0.5, "apple": 0.4}}, {}),
    "distinct values": ({"l": 3}, {}),
    "entropy": ({"l": 2.2, "diversity": "entropy"}, {}),
    "recursive": ({"l": 2, "diversity": "recursive", "c": 1.5}, {}),
    "equal distances": ({"t": 0.35}, {}),
    "distances of ranks": ({"t": 0.25, "domain": Order(("apple", "cherry", "pear", "plum"))}, {}),
    "distances in a hierarchy": ({"t": 0.3, "domain": FRUIT}, {}),
    "tie confidence": ({}, {"tie_confidence": 0.35}),
    "withholding": ({"alpha": {"plum": 0.2}}, {"withhold": 0.2}),
    "wishes": ({}, {"wishes": True}),
    "everything": ({"alpha": {"plum": 0.5}, "l": 2, "t": 0.4, "domain": FRUIT},
                   {"tie_confidence": 0.5, "withhold": 0.1, "wishes": True}),
}


def people(promises: dict, *, wishes: bool = False, n: int = 36, missing: bool = False) -> AttributedGraph:
    """Return people with fruit, ages, and ties among people of like age."""
    rng = np.random.default_rng(5)
    age = np.sort(rng.integers(0, 60, n)).astype(float)
    near = [(i, j) for i in range(n) for j in range(i + 1, n) if rng.random() < (0.6 if j - i < 4 else 0.05)]
    fruit = rng.choice(["apple", "pear", "cherry", "plum"], n, p=[0.3, 0.3, 0.2, 0.2]).tolist()
    if missing:
        fruit[::9] = [""] * len(fruit[::9])
    graph = graph_of(near, n, lines=(Range(0, 60, steps=(10,)),), values=[age], payload={"fruit": fruit})
    columns = tuple(replace(c, **promises) if c.name == "fruit" else c for c in graph.schema.columns)
    asked = np.where(np.arange(n) % 11 == 0, 9, 1) if wishes else None
    return replace(graph, schema=replace(graph.schema, columns=columns), wishes=asked)


@every_method
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_requirement_is_kept_and_the_audit_finds_it_kept(method, kind, tmp_path):
    promises, asked = KINDS[kind]
    graph = people(promises, wishes=asked.get("wishes", False), missing=len(kind) % 2 == 0)
    requirement = Requirement(k=3, **{name: value for name, value in asked.items() if name != "wishes"})
    try:
        grouping = method.group(graph, requirement, np.random.default_rng(0))
    except InfeasiblePromise:
        # a clustering method always finds what one class would keep; a recoding one may have no such level
        if isinstance(method, ClusterFirst):
            raise
        return
    assert faults(graph, grouping.partition, requirement) == []
    if kind != "everything" and method.about.name not in ("sangreea", "full-domain"):
        return  # the files do not depend on who grouped the people
    write(publish(grouping, requirement=requirement, method=method.about.name), tmp_path / "release")
    findings = audit_release(tmp_path / "release")
    assert [finding for finding in findings if not finding.holds] == []
    told = {finding.promise for finding in findings if finding.asked is not None}
    assert told >= {"k"} | {f"{name}.fruit" for name in ("l", "t") if name in promises}
    assert told >= {f"alpha.fruit.{value}" for value in promises.get("alpha", {})}


@every_method
@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_requirement_on_any_graph_is_kept_or_nothing_keeps_it(method, data):
    graph = data.draw(promising(most=2, wishes=data.draw(st.booleans())))
    requirement = Requirement(
        k=data.draw(st.integers(1, min(graph.n, 4))), withhold=data.draw(st.sampled_from([0.0, 0.3])),
        tie_confidence=data.draw(st.sampled_from([None, 0.3, 0.7])))
    try:
        grouping = method.group(graph, requirement, np.random.default_rng(1))
    except InfeasiblePromise:
        if isinstance(method, ClusterFirst):
            with pytest.raises(InfeasiblePromise):
                one_class(graph, requirement)
        return
    assert faults(graph, grouping.partition, requirement) == []


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_refinement_keeps_what_repair_has_reached(data):
    graph = data.draw(promising(most=2, wishes=data.draw(st.booleans())))
    requirement = Requirement(
        k=data.draw(st.integers(1, min(graph.n, 3))), withhold=data.draw(st.sampled_from([0.0, 0.3])),
        tie_confidence=data.draw(st.sampled_from([None, 0.4, 0.8])))
    method = data.draw(st.sampled_from([m for m in METHODS if isinstance(m, ClusterFirst)]))
    try:
        start = method.group(graph, requirement, np.random.default_rng(1)).partition
    except InfeasiblePromise:
        return
    end = refine(graph, start, requirement, np.random.default_rng(2), passes=30)
    assert faults(graph, end, requirement) == []


@every_method
@pytest.mark.parametrize(("promises", "asked", "words"), [
    ({"alpha": {"plum": 0.05}}, {}, "0.05.*plum.*all 36 people"),
    ({"l": 5}, {}, "5 different values.*only 4"),
    ({"l": 4.5, "diversity": "entropy"}, {}, "36 people have that of"),
    ({"l": 4, "diversity": "recursive", "c": 0.5}, {}, "occurs .* times"),
    ({}, {"tie_confidence": 0.01}, "630 pairs of 36 people"),
    ({}, {"k": 37}, "only 36 people"),
])
def test_what_nothing_keeps_is_told_before_the_search(method, promises, asked, words):
    with pytest.raises(InfeasiblePromise, match=words):
        method.group(people(promises), Requirement(**{"k": 3, **asked}), np.random.default_rng(0))


def test_every_kind_of_promise_is_among_those_tested():
    promised = {name for promises, _ in KINDS.values() for name in promises}
    own = {name for name in Column.__dataclass_fields__ if name in ("alpha", "l", "t", "diversity", "c")}
    assert promised >= own
