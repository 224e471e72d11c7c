"""What every registered method owes, with its defaults and with each other value of each parameter.

A new method is found by the catalog and tested here without a line being added. Methods that randomize
records claim no k, so what is said of k is not asked of them.
"""

from dataclasses import FrozenInstanceError, fields, replace
from typing import Literal, get_args, get_origin, get_type_hints

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, settings
from strategies import graphs
from toy import graph_of, toys

from graphanon.audit import audit_release
from graphanon.catalog import make, methods
from graphanon.domain import Range
from graphanon.errors import InfeasiblePromise, InputProblem
from graphanon.graph import AttributedGraph
from graphanon.grouping import Grouping, points
from graphanon.method import Method, PerturbFirst
from graphanon.release import publish, write
from graphanon.requirement import Requirement

DEFAULTS = [cls() for cls in methods().values()]


def other_values(cls: type[Method], name: str) -> list[object]:
    """Return permitted values of a parameter other than its default: each choice, both ends, one between."""
    found = next(f for f in fields(cls) if f.name == name)
    limits, hint = found.metadata, get_type_hints(cls)[name]
    kinds = {hint, *get_args(hint)}
    values: list[object] = list(limits["choices"] or [])
    values += [choice for kind in kinds if get_origin(kind) is Literal for choice in get_args(kind)]
    if bool in kinds:
        values += [True, False]
    elif kinds & {int, float}:
        values += [limits["low"], limits["high"], 3 if int in kinds and float not in kinds else 0.3]
    return [value for value in dict.fromkeys(values)
            if value is not None and value != found.default and permitted(cls, {name: value})]


def permitted(cls: type[Method], values: dict[str, object]) -> bool:
    """Whether a method can be made with these values of its parameters."""
    try:
        cls(**values)
    except InputProblem:
        return False
    return True


VARIANTS = DEFAULTS + [
    cls(**{f.name: value}) for cls in methods().values() for f in fields(cls) for value in other_values(cls, f.name)
]
PROMISING = [method for method in VARIANTS if not isinstance(method, PerturbFirst)]

# every method meets every toy graph, and so do its other parameter values between them, a third each
TRIED = [
    (method, name) for i, method in enumerate(PROMISING)
    for name in (sorted(toys()) if method in DEFAULTS else sorted(toys())[i % 3 :: 3])
]


def told(method: Method) -> str:
    """Return a method's name and what it has other than the defaults."""
    own = [f"{f.name}={getattr(method, f.name)}" for f in fields(method) if getattr(method, f.name) != f.default]
    return " ".join([method.about.name, *own])


every_method = pytest.mark.parametrize("method", DEFAULTS, ids=told)
every_variant = pytest.mark.parametrize("method", VARIANTS, ids=told)
every_promise = pytest.mark.parametrize("method", PROMISING, ids=told)


def grouped(method: Method, graph: AttributedGraph, k: int, seed: int = 0, **asked: float) -> Grouping:
    return method.group(graph, Requirement(k=k, **asked), np.random.default_rng(seed))


def check(grouping: Grouping, graph: AttributedGraph, requirement: Requirement) -> None:
    """Recount what a grouping owes, without asking the method."""
    labels = grouping.partition.labels
    kept = labels >= 0
    assert len(labels) == graph.n
    assert (~kept).sum() <= requirement.withhold * graph.n + 1e-9
    sizes = np.bincount(labels[kept], minlength=len(grouping.boxes))
    assert (sizes >= requirement.k).all()
    if graph.wishes is not None:
        assert (sizes[labels[kept]] >= graph.wishes[kept]).all()
    own = points(graph)[kept]
    assert own.within(grouping.boxes[labels[kept]]).all()


def crowd(n: int = 40) -> AttributedGraph:
    """Return people on two lines with ties that are neither few nor regular."""
    rng = np.random.default_rng(11)
    ends = rng.integers(0, n, size=(3 * n, 2))
    pairs = sorted({(min(a, b), max(a, b)) for a, b in ends.tolist() if a != b})
    values = [rng.integers(0, 60, n).astype(float), rng.integers(0, 9, n).astype(float)]
    return graph_of(pairs, n, lines=(Range(0, 60), Range(0, 9)), values=values,
                    payload={"illness": rng.choice(["flu", "hiv", "none"], n).tolist()})


def frozen(graph: AttributedGraph) -> AttributedGraph:
    """Return the same graph over arrays that nobody can write to."""
    def still(matrix):
        copy = matrix.copy()
        for part in (copy.data, copy.indices, copy.indptr):
            part.flags.writeable = False
        return copy

    values = graph.values.copy()
    values.flags.writeable = False
    payload = {}
    for name, column in graph.payload.items():
        codes = column.codes.copy()
        codes.flags.writeable = False
        payload[name] = column._replace(codes=codes)
    return replace(graph, values=values, ties=still(graph.ties), payload=payload)


@every_variant
def test_the_same_seed_gives_the_same_answer(method):
    one, two = (grouped(method, crowd(), 4, seed=5) for _ in range(2))
    assert np.array_equal(one.partition.labels, two.partition.labels)
    assert np.array_equal(one.boxes.lo, two.boxes.lo)
    assert np.array_equal(one.boxes.hi, two.boxes.hi)


@every_variant
def test_the_input_is_left_as_it_was(method):
    graph, untouched = crowd(), crowd()
    grouped(method, graph, 4)
    assert np.array_equal(graph.values, untouched.values)
    assert np.array_equal(graph.ties.toarray(), untouched.ties.toarray())
    assert np.array_equal(graph.payload["illness"].codes, untouched.payload["illness"].codes)


@every_variant
def test_arrays_that_cannot_be_written_to_are_accepted(method):
    still, free = grouped(method, frozen(crowd()), 4), grouped(method, crowd(), 4)
    assert np.array_equal(still.partition.labels, free.partition.labels)


@every_method
def test_the_order_in_which_neighbours_are_stored_does_not_matter(method):
    graph = crowd()
    ties = graph.ties.copy()
    for start, stop in zip(ties.indptr[:-1], ties.indptr[1:], strict=True):
        ties.indices[start:stop] = ties.indices[start:stop][::-1].copy()
    ties.has_sorted_indices = False
    labels = [grouped(method, g, 4).partition.labels for g in (graph, replace(graph, ties=ties))]
    assert np.array_equal(*labels)


@every_method
def test_names_of_columns_do_not_matter(method):
    graph = crowd()
    columns = tuple(replace(column, name=f"x{i}") for i, column in enumerate(graph.schema.columns))
    payload = {f"x{i}": graph.payload[column.name] for i, column in enumerate(graph.schema.columns)
               if column.name in graph.payload}
    other = replace(graph, schema=replace(graph.schema, columns=columns), payload=payload)
    assert np.array_equal(grouped(method, graph, 4).partition.labels, grouped(method, other, 4).partition.labels)


@every_method
def test_a_run_leaves_no_trace_on_the_method_or_on_global_randomness(method):
    before, state = repr(method), np.random.get_state()[1].copy()  # noqa: NPY002  it is the state to be left alone
    grouped(method, crowd(), 4)
    assert repr(method) == before
    assert np.array_equal(np.random.get_state()[1], state)  # noqa: NPY002


@every_method
def test_a_result_does_not_reach_into_the_next_call(method):
    first = grouped(method, crowd(), 4).partition.labels.copy()
    grouped(method, crowd(17), 3)
    assert np.array_equal(grouped(method, crowd(), 4).partition.labels, first)


@every_promise
@settings(max_examples=15)
@given(data=st.data())
def test_the_promise_is_kept_on_any_graph_and_after_any_shuffle(method, data):
    graph = data.draw(graphs(smallest=2, wishes=data.draw(st.booleans())))
    requirement = Requirement(k=data.draw(st.integers(1, graph.n)), withhold=data.draw(st.sampled_from([0.0, 0.3])))
    order = np.array(data.draw(st.permutations(range(graph.n))))
    for people in (graph, graph.take(order)):
        try:
            grouping = method.group(people, requirement, np.random.default_rng(1))
        except InfeasiblePromise:
            continue
        check(grouping, people, requirement)


@pytest.mark.parametrize("cls", [type(m) for m in DEFAULTS if not isinstance(m, PerturbFirst)], ids=lambda c: c.about.name)
@settings(max_examples=100)
@given(data=st.data())
def test_the_promise_is_kept_with_any_mix_of_parameters(cls, data):
    mix = {f.name: data.draw(st.sampled_from([f.default, *other_values(cls, f.name)])) for f in fields(cls)}
    assume(permitted(cls, mix))
    graph = data.draw(graphs(smallest=2, wishes=data.draw(st.booleans())))
    requirement = Requirement(k=data.draw(st.integers(1, graph.n)))
    try:
        grouping = cls(**mix).group(graph, requirement, np.random.default_rng(2))
    except InfeasiblePromise:
        return
    check(grouping, graph, requirement)


@pytest.mark.parametrize(("method", "name"), TRIED, ids=lambda given: given if isinstance(given, str) else told(given))
def test_every_toy_graph_works_or_is_refused_as_infeasible(method, name):
    graph = toys()[name]
    for k in (1, 2, 5, 6):
        if graph.n < k:
            with pytest.raises(InfeasiblePromise, match=f"only {graph.n} people"):
                grouped(method, graph, k)
        else:
            check(grouped(method, graph, k), graph, Requirement(k=k))


@every_promise
@pytest.mark.parametrize(("n", "k"), [(4, 4), (7, 4), (5, 3)])
def test_fewer_than_twice_k_people_are_one_class(method, n, k):
    grouping = grouped(method, crowd(n), k)
    assert grouping.partition.labels.tolist() == [0] * n


@every_method
def test_fewer_than_k_people_are_refused_with_both_numbers(method):
    with pytest.raises(InfeasiblePromise, match=r"k = 9 .* only 8 people"):
        grouped(method, crowd(8), 9)


@every_method
def test_nobody_at_all_is_refused(method):
    with pytest.raises(InputProblem, match="no people"):
        grouped(method, graph_of([], 0), 2)


@every_promise
def test_a_person_who_asks_for_more_gets_it(method):
    graph = replace(crowd(), wishes=np.array([1] * 39 + [17], dtype=np.int64))
    grouping = grouped(method, graph, 4)
    check(grouping, graph, Requirement(k=4))
    assert grouping.partition.floors is not None
    assert grouping.partition.floors[grouping.partition.labels[39]] >= 17


@every_promise
def test_the_files_of_a_release_hold_what_was_promised(method, tmp_path):
    released(method, crowd(), 4, tmp_path / "release")


@every_method
@pytest.mark.parametrize("name", sorted(name for name, graph in toys().items() if graph.n >= 2))
def test_the_files_of_every_toy_release_hold_what_was_promised(method, name, tmp_path):
    released(method, toys()[name], 2, tmp_path / "release")


def released(method: Method, graph: AttributedGraph, k: int, folder) -> None:
    """Publish, write, and let the audit recount the files."""
    requirement = Requirement(k=k)
    grouping = method.group(graph, requirement, np.random.default_rng(0))
    write(publish(grouping, requirement=requirement, method=method.about.name), folder)
    findings = audit_release(folder)
    assert [finding for finding in findings if not finding.holds] == []
    assert next(finding.found for finding in findings if finding.promise == "k") >= k


@every_method
def test_parameters_given_as_text_are_the_parameters(method):
    texts = {f.name: str(getattr(method, f.name)) for f in fields(method)}
    assert make(method.about.name, texts) == method


@every_method
def test_a_method_is_a_value(method):
    assert replace(method) == method
    assert hash(replace(method)) == hash(method)
    for f in fields(method):
        with pytest.raises(FrozenInstanceError):
            setattr(method, f.name, getattr(method, f.name))


@every_method
def test_every_parameter_says_what_it_means_and_refuses_what_is_not_permitted(method):
    for f in fields(method):
        assert f.metadata["text"]
        for bad in _outside(f.metadata):
            with pytest.raises(InputProblem, match=f.name):
                replace(method, **{f.name: bad})


def _outside(limits) -> list[object]:
    bad: list[object] = ["no such choice"] if limits["choices"] else []
    bad += [limits["low"] - 1] if limits["low"] is not None else []
    bad += [limits["high"] + 1] if limits["high"] is not None else []
    bad += [float("nan")] if limits["low"] is not None else []
    return bad


@every_method
def test_the_catalog_can_tell_a_reader_what_the_method_is(method):
    about = method.about
    assert about.name
    assert about.paper
    assert about.guarantee
    assert make(about.name) == method
