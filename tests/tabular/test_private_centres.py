"""Centres under differential privacy spend no more than their ledger says, and their servers see no more than they may."""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy import graph_of, nominal

from graphanon.catalog import methods
from graphanon.datasets import load_heart
from graphanon.domain import Range, Tree
from graphanon.errors import InputProblem
from graphanon.schema import Role, Schema
from graphanon.tabular import odpc
from graphanon.tabular.centres import records_on
from graphanon.tabular.k_prototypes import improved
from graphanon.tabular.ldp.coins import seeded, system
from graphanon.tabular.ldp.exact import round_up
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.noise import discrete_laplace, spent
from graphanon.tabular.ldp.reports import reports_table
from graphanon.tabular.ldpk_prototypes import LdpkPrototypes, cluster_reports, plan_bits, report
from graphanon.tabular.odpc import ETA, Odpc, _Grid, plan_budget, private_centres
from graphanon.tabular.prototypes import Weights, lloyd

LINES = (Line.numbers("age", 20, 60), Line.of_labels("rank", ["low", "mid", "high"], ordered=True),
         Line.of_labels("town", ["A", "B", "C"]))
SIZES = [line.size for line in LINES]


def people(n=60, seed=1):
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(0, size, n) for size in SIZES], axis=1)


def plan_for(epsilon, **asked):
    return plan_budget(epsilon, people=100, clusters=2, attributes=3, **asked)


@pytest.fixture(scope="module")
def patients():
    graph = load_heart().graph
    return replace(graph, schema=Schema(columns=graph.schema.quasi), payload={})


# ---------------------------------------------------------------- ODPC


@given(st.integers(0, 10**6), st.lists(st.integers(0, 1), min_size=12, max_size=12))
def test_a_person_changes_counts_and_sums_by_no_more_than_the_noise_is_made_for(seed, labels):
    cells, labels = people(12, seed), np.array(labels)
    grid, fewer = _Grid(LINES, cells), _Grid(LINES, cells[1:])
    (n, sums, counts), (n_, sums_, counts_) = grid.counted(labels, 2), fewer.counted(labels[1:], 2)
    assert np.abs(n - n_).sum() == 1
    assert (np.abs(sums - sums_).sum(axis=0) <= grid.steps).all()
    assert all(np.abs(a - b).sum() == 1 for a, b in zip(counts, counts_, strict=True))


@given(st.floats(0.001, 20), st.sampled_from(["add-remove", "replace"]), st.integers(1, 5), st.integers(1, 12),
       st.integers(1, 10**6))
def test_a_plan_spends_its_budget_and_no_more(epsilon, neighbours, clusters, attributes, n):
    plan = plan_budget(epsilon, people=n, clusters=clusters, attributes=attributes, neighbours=neighbours)
    times = 2 if neighbours == "replace" else 1
    assert times * plan.rounds * plan.round == Fraction(epsilon)
    assert 2 <= plan.rounds <= 7


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0])
def test_the_ledger_says_what_was_spent_and_that_is_nearly_all(epsilon, neighbours):
    found = private_centres(LINES, people(), 2, plan_for(epsilon, neighbours=neighbours), seeded(1))
    assert 0.95 * epsilon <= found.epsilon["record"] <= epsilon
    assert neighbours.split("-")[0] in found.epsilon["neighbours"]


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_the_noise_that_is_drawn_is_that_of_the_ledger(neighbours, monkeypatch):
    drawn = []

    def spy(epsilon, count, coins, sensitivity=1):
        drawn.append((epsilon, sensitivity))
        return discrete_laplace(epsilon, count, coins, sensitivity)

    monkeypatch.setattr(odpc, "discrete_laplace", spy)
    plan = plan_for(1.0, neighbours=neighbours)
    found = private_centres(LINES, people(), 2, plan, seeded(1))
    # people, two numbers that one person changes by 40 and by 2 steps, and one category
    assert [most for _, most in drawn] == [1, 40, 2, 1] * plan.rounds
    times = 2 if neighbours == "replace" else 1
    total = times * sum(spent(epsilon, most) for epsilon, most in drawn)
    assert found.epsilon["record"] == round_up(total)


def test_with_a_budget_beyond_all_noise_the_rounds_are_those_of_k_prototypes():
    cells, plan = people(), plan_for(1e9)
    found = private_centres(LINES, cells, 2, plan, seeded(7))
    start = _Grid(LINES, cells).anywhere(2, seeded(7))
    plain = lloyd(records_on(LINES, cells), start, Weights(np.ones(2), np.full(1, ETA)), max_iter=plan.rounds + 1)
    assert len(np.unique(plain.labels)) == 2
    assert found.prototypes.numbers == pytest.approx(plain.prototypes.numbers)
    assert found.prototypes.codes.tolist() == plain.prototypes.codes.tolist()


def test_the_start_does_not_depend_on_anyone():
    one, other = (_Grid(LINES, people(seed=seed)).anywhere(4, seeded(5)) for seed in (1, 2))
    assert np.array_equal(one.numbers, other.numbers)
    assert np.array_equal(one.codes, other.codes)
    assert ((one.numbers >= 0) & (one.numbers <= 1)).all()


def test_centres_stay_in_the_domain_however_small_the_budget():
    for seed in range(5):
        found = private_centres(LINES, people(), 3, replace(plan_for(0.01), rounds=2), seeded(seed))
        assert ((found.prototypes.numbers >= 0) & (found.prototypes.numbers <= 1)).all()
        texts = found.texts()
        assert set(texts) == {"age", "rank", "town"}
        assert all(20 <= float(age) <= 60 for age in texts["age"])
        assert set(texts["town"]) <= set("ABC")
        assert set(texts["rank"]) <= {"low", "mid", "high"}


def test_nobody_at_all_is_no_reason_to_say_so():
    found = private_centres(LINES, people(0), 2, plan_for(1.0), seeded(1))
    assert len(found.prototypes) == 2


def test_noise_on_means_claims_nothing():
    found = private_centres(LINES, people(), 2, plan_for(1.0), seeded(1), noise_on="mean")
    assert found.epsilon["record"] is None


def test_a_plan_for_other_attributes_and_impossible_numbers_are_refused():
    with pytest.raises(InputProblem, match="3 attributes, not for 2"):
        private_centres(LINES[:2], people()[:, :2], 2, plan_for(1.0), seeded(1))
    with pytest.raises(InputProblem, match=r"people is 0(?s:.*)clusters is 0(?s:.*)attributes is 0"):
        plan_budget(1.0, people=0, clusters=0, attributes=0)
    for epsilon in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputProblem, match="epsilon"):
            plan_budget(epsilon, people=5, clusters=2, attributes=2)


def test_a_missing_number_is_refused_and_a_missing_category_is_one():
    lines = (Line.numbers("age", 20, 60, missing=True), Line.of_labels("town", ["A"], missing=True))
    with pytest.raises(InputProblem, match=r"'age'.*missing number"):
        records_on(lines, np.array([[41, 0]]))
    assert records_on(lines, np.array([[40, 1]])).sizes == (2,)


def test_odpc_reads_no_domain_off_the_data():
    graph = graph_of([], 4, lines=(Range(0, 9), Tree.flat("ab")), values=[[0, 1, 2, 9], [0, 1, 0, 1]], has_ties=False)
    with pytest.raises(InputProblem, match=r"'a0'.*no domain(?s:.*)'a1'.*no domain"):
        Odpc().centres(graph, seeded(1))


@pytest.mark.parametrize("method", [Odpc(epsilon=2.0, people=918), LdpkPrototypes(epsilon=2.0, scope="feature", sample=100)])
def test_the_same_seed_gives_the_same_centres_which_are_not_for_release(method, patients):
    one, two = (method.centres(patients, seeded(4)) for _ in range(2))
    assert np.array_equal(one.prototypes.numbers, two.prototypes.numbers)
    assert one.texts() == two.texts()
    assert one.reproducible
    assert not method.centres(patients, system()).reproducible
    assert {len(texts) for texts in one.texts().values()} == {2}
    json.dumps({"plan": one.plan, "epsilon": one.epsilon})


def test_methods_that_publish_centres_are_no_methods_of_grouping():
    assert not {"odpc", "ldpk-prototypes"} & set(methods())
    with pytest.raises(InputProblem, match="epsilon"):
        Odpc(epsilon=0.0)
    with pytest.raises(InputProblem, match="scope"):
        LdpkPrototypes(scope="whole")


# ---------------------------------------------------------------- LDPK-Prototypes


def test_the_ledger_tells_bits_features_and_records():
    # 6 bits for the number; labels are numbered from 1, so two bits for 3 of them
    spent = {scope: plan_bits(LINES, 1.0, scope).epsilon() for scope in ("record", "feature", "bit")}
    assert spent["bit"]["record"] == pytest.approx(10)
    assert spent["feature"]["record"] == pytest.approx(3)
    assert spent["record"]["bit"] == pytest.approx(1 / 10)
    assert all(spent[scope]["record"] >= spent["record"]["record"] for scope in spent)


def test_with_no_bit_flipped_the_server_clusters_the_records():
    cells = people(200, seed=3)
    plan = plan_bits(LINES, 40.0, "bit")
    found = cluster_reports(plan, report(plan, cells, seeded(1)), 3, np.random.default_rng(0))
    # 41 ages on 6 bits stay apart, so records come back as they were
    plain = improved(records_on(LINES, cells), 3).prototypes
    assert found.numbers == pytest.approx(plain.numbers)
    assert found.codes.tolist() == plain.codes.tolist()


SERVER = """
import json, sys
import numpy as np
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.reports import read_reports
from graphanon.tabular.ldpk_prototypes import cluster_reports
sent = json.load(sys.stdin)
plan = Plan.from_json(sent["plan"])
found = cluster_reports(plan, read_reports(plan, sent["table"]), 2, np.random.default_rng(0))
json.dump({"numbers": found.numbers.tolist(), "codes": found.codes.tolist()}, sys.stdout)
"""


def test_the_server_works_in_another_process_that_has_the_plan_and_the_answers_alone():
    cells = people(50)
    plan = plan_bits(LINES, 2.0, "feature")
    reports = report(plan, cells, seeded(2))
    sent = json.dumps({"plan": plan.as_json(), "table": reports_table(plan, reports)})
    run = subprocess.run([sys.executable, "-c", SERVER], input=sent, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    there, here = json.loads(run.stdout), cluster_reports(plan, reports, 2, np.random.default_rng(0))
    assert here.numbers == pytest.approx(np.array(there["numbers"]))
    assert here.codes.tolist() == there["codes"]


def test_more_clusters_than_reports_and_no_reports_are_refused():
    plan = plan_bits(LINES, 2.0)
    with pytest.raises(InputProblem, match="5 clusters were asked of 4 records"):
        cluster_reports(plan, report(plan, people(4), seeded(1)), 5, np.random.default_rng(0))
    with pytest.raises(InputProblem, match="nobody has reported"):
        cluster_reports(plan, report(plan, people(0), seeded(1)), 1, np.random.default_rng(0))


def test_columns_that_cannot_be_perturbed_are_named(patients):
    column = replace(patients.schema.columns[0], role=Role.OPEN)
    graph = replace(graph_of([], 3, has_ties=False), schema=Schema(columns=(column,)), payload={"Age": nominal([*"112"])})
    with pytest.raises(InputProblem, match=r"'Age'.*cannot be perturbed"):
        LdpkPrototypes().centres(graph, seeded(1))
