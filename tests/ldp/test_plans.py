"""Plans: where the budget goes, what travels, and what is refused."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem
from graphanon.graph import AttributedGraph, Nominal, no_ties
from graphanon.schema import Column, Role, Schema
from graphanon.tabular.ldp.bits import Bits
from graphanon.tabular.ldp.catalog import MECHANISMS
from graphanon.tabular.ldp.client import cells_of, lines_of, perturb, perturb_cells, perturb_columns
from graphanon.tabular.ldp.coins import seeded
from graphanon.tabular.ldp.exact import WHOLE, flip_weight
from graphanon.tabular.ldp.ledger import with_run
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.pairs import plan_pairs
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.planning import bit_patterns, plan_columns
from graphanon.tabular.ldp.reports import read_reports, reports_table
from graphanon.tabular.ldp.server import decode, estimate

AGE = Line.numbers("age", 17, 90)
SEX = Line.of_labels("sex", ["F", "M"])
JOB = Line.of_labels("job", ["a", "b", "c", "d", "e"])
LINES = (AGE, SEX, JOB)
EVERYONE = [name for name in MECHANISMS if not MECHANISMS[name].numeric]


def people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.integers(0, line.size, n) for line in LINES])


def plans():
    """Return plans of every kind."""
    found = [plan_columns(LINES, 2.0, name) for name in EVERYONE]
    found += [plan_columns(LINES, 2.0, {"age": name}) for name in MECHANISMS if MECHANISMS[name].numeric]
    found += [plan_columns(LINES, 2.0, "grr", asked=2), plan_columns(LINES, 2.0, "olh", asked=1)]
    return [*found, plan_pairs(LINES, 2.0), plan_columns(LINES, 0.5, "bits", scope="bit")]


@pytest.mark.parametrize("plan", plans(), ids=lambda plan: f"{plan.kind}-{plan.asked}-{plan.questions[0].mechanism.name}")
def test_a_plan_and_its_reports_travel_as_text(plan):
    reports = perturb_cells(plan, people(), seeded(1))
    again = Plan.from_json(json.loads(json.dumps(plan.as_json())))
    assert again == plan
    table = reports_table(plan, reports)
    assert {len(column) for column in table.values()} == {300}
    back = read_reports(again, table)
    for rows, other, answers, theirs in zip(reports.rows, back.rows, reports.answers, back.answers, strict=True):
        assert (np.sort(rows) == other).all()
        assert (answers[np.argsort(rows, kind="stable")] == theirs).all()
    assert sum(map(len, reports.rows)) == 300 * plan.asked


@pytest.mark.parametrize("name", EVERYONE)
def test_a_budget_for_the_record_is_what_all_answers_spend_together(name):
    ledger = plan_columns(LINES, 1.0, name).epsilon()
    assert 0.999999 < ledger["record"] <= 1.0
    assert sum(ledger["feature"].values()) == pytest.approx(ledger["record"])
    assert ledger["neighbours"] == "replace one record"


def test_bits_share_a_record_s_budget_by_bits():
    # 6 bits of age, 2 of two labels numbered 1 and 2, 3 of five numbered 1 to 5: eleven bits
    ledger = plan_columns(LINES, 1.1, "bits").epsilon()
    assert ledger["bit"] == pytest.approx(0.1)
    assert ledger["feature"] == pytest.approx({"age": 0.6, "sex": 0.2, "job": 0.3})
    assert ledger["record"] == pytest.approx(1.1)


def test_a_budget_for_each_feature_or_bit_adds_up_to_more_for_the_record():
    feature = plan_columns(LINES, 1.0, "bits", scope="feature").epsilon()
    assert feature["feature"] == pytest.approx({"age": 1, "sex": 1, "job": 1})
    assert feature["record"] == pytest.approx(3)
    bit = plan_columns(LINES, 1.0, "bits", scope="bit").epsilon()
    assert (bit["bit"], bit["record"]) == pytest.approx((1, 11))


def test_whoever_answers_some_questions_spends_all_on_them():
    ledger = plan_columns(LINES, 1.0, "grr", asked=1).epsilon()
    assert ledger["record"] == pytest.approx(1)
    assert ledger["feature"] == pytest.approx({"age": 1, "sex": 1, "job": 1})
    two = plan_columns(LINES, 1.0, "grr", asked=2).epsilon()
    assert two["feature"]["age"] == pytest.approx(0.5)


@given(st.floats(0.01, 8), st.sampled_from(EVERYONE), st.sampled_from([None, 1, 2]))
def test_no_ledger_exceeds_what_was_asked(epsilon, name, asked):
    assert plan_columns(LINES, epsilon, name, asked=asked).epsilon()["record"] <= epsilon
    assert plan_pairs(LINES, epsilon).epsilon()["record"] <= epsilon


def test_the_ledger_comes_from_the_weights_and_not_from_what_was_asked():
    # a plan whose bits flip as for twice the budget says so, whoever wrote it
    data = plan_columns([SEX], 1.0, "bits").as_json()
    data["questions"][0]["flip"] = str(flip_weight(Fraction(1)))
    assert Plan.from_json(data).epsilon()["record"] == pytest.approx(2)


def test_which_questions_are_asked_does_not_depend_on_the_record():
    plan = plan_pairs(LINES, 1.0)
    one = perturb_cells(plan, np.zeros((500, 3), dtype=int), seeded(3))
    other = perturb_cells(plan, people(500), seeded(3))
    assert all((a == b).all() for a, b in zip(one.rows, other.rows, strict=True))


def test_numbers_are_rounded_to_anchors_without_bias():
    from graphanon.tabular.ldp.client import _anchored

    coins = seeded(1)
    for cell in (0, 1, 30, 72, 73):
        anchors = _anchored(AGE, 4, np.full(20_000, cell), coins)
        assert set(np.unique(anchors)) <= {cell * 3 // 73, cell * 3 // 73 + 1}
        assert anchors.mean() == pytest.approx(cell * 3 / 73, abs=0.02)
    gone = Line.numbers("age", 17, 90, missing=True)
    assert (_anchored(gone, 4, np.full(5, gone.known), coins) == 4).all()


def test_estimates_are_near_the_truth_and_their_errors_say_how_near():
    cells = people(20_000, 1) // 2
    for plan in (plan_columns(LINES, 4.0, "grr"), plan_pairs(LINES, 4.0)):
        age, sex, job = estimate(plan, perturb_cells(plan, cells, seeded(1)))
        assert abs(age.mean.value - (17 + cells[:, 0].mean())) < 5 * age.mean.se
        for marginal, column in ((sex, cells[:, 1]), (job, cells[:, 2])):
            true = np.bincount(column, minlength=marginal.line.size) / len(column)
            assert (np.abs(marginal.frequencies.value - true) < 5 * marginal.frequencies.se).all()


def test_reports_decode_to_records_of_the_domain():
    for name in ("bits", "grr"):
        plan = plan_columns(LINES, 3.0, name)
        cells = decode(plan, perturb_cells(plan, people(), seeded(2)))
        assert (cells >= 0).all()
        assert (cells < [line.size for line in LINES]).all()
        assert plan.decodes
    for plan in (plan_columns(LINES, 1.0, "oue"), plan_pairs(LINES, 1.0), plan_columns(LINES, 1.0, asked=2)):
        with pytest.raises(InputProblem, match="no records"):
            decode(plan, perturb_cells(plan, people(), seeded(2)))


def test_at_a_huge_budget_the_records_come_back():
    for name in ("bits", "grr"):
        plan = plan_columns(LINES, 40.0, name, scope="feature")
        cells = decode(plan, perturb_cells(plan, people(), seeded(2)))
        assert (cells[:, 1:] == people()[:, 1:]).mean() > 0.99
        assert np.abs(cells[:, 0] - people()[:, 0]).mean() < 2  # six bits for 74 cells


def test_encodings_of_numbers():
    assert bit_patterns(AGE)[1] == 6
    assert bit_patterns(AGE, "integer") == (tuple(range(74)), 7)
    temperature = Line.numbers("t", -2, 2, 0.5)
    patterns, m = bit_patterns(temperature, "fixed")
    assert m == 1 + 2 + 1
    assert patterns == (0b1100, 0b1011, 0b1010, 0b1001, 0b0000, 0b0001, 0b0010, 0b0011, 0b0100)
    plan = plan_columns([temperature], 60.0, "bits", encoding="fixed")
    cells = np.arange(9)[:, None]
    assert (decode(plan, perturb_cells(plan, cells, seeded(1))) == cells).mean() > 0.8


def test_codes_outside_are_clipped_to_the_last_label():
    bits = Bits.of((1, 2, 3, 4, 5), 3, f=0.5)
    assert bits.decode(np.arange(8)).tolist() == [0, 0, 1, 2, 3, 4, 4, 4]


class TestRefusals:
    """Bad input: what is refused, and that all of it is told at once."""

    @pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf])
    def test_a_budget_that_is_none(self, epsilon):
        for make in (plan_columns, plan_pairs):
            with pytest.raises(InputProblem, match="epsilon"):
                make(LINES, epsilon)

    def test_a_budget_for_bits_with_another_mechanism(self):
        with pytest.raises(InputProblem, match="bits alone"):
            plan_columns(LINES, 1.0, "grr", scope="bit")
        with pytest.raises(InputProblem, match="bits alone"):
            plan_columns(LINES, 1.0, {"age": "bits", "sex": "grr", "job": "bits"}, scope="bit")

    def test_every_problem_is_told_at_once(self):
        with pytest.raises(InputProblem) as caught:
            plan_columns(LINES, 1.0, {"age": "magic", "sex": "duchi", "job": "piecewise"}, scope="person")
        assert len(caught.value.problems) == 4

    def test_a_number_that_may_be_missing_where_there_is_no_answer_for_it(self):
        gone = Line.numbers("age", 0, 9, missing=True)
        for name in ("bits", "duchi", "piecewise", "hybrid", "square-wave"):
            with pytest.raises(InputProblem, match="missing"):
                plan_columns([gone], 1.0, name)
        assert plan_columns([gone], 1.0, "grr").questions[0].mechanism.inputs == 11

    @pytest.mark.parametrize("asked", [-1, 4])
    def test_more_questions_than_there_are(self, asked):
        with pytest.raises(InputProblem, match="questions"):
            plan_columns(LINES, 1.0, asked=asked)

    def test_no_column_at_all(self):
        for make in (plan_columns, plan_pairs):
            with pytest.raises(InputProblem, match="no column"):
                make([], 1.0)

    def test_more_labels_than_can_be_learned_in_pairs(self):
        with pytest.raises(InputProblem, match="too many"):
            plan_pairs([Line.of_labels("x", [str(i) for i in range(300)]), SEX], 1.0)

    @pytest.mark.parametrize("damage", [
        lambda t: t.pop("question"), lambda t: t["question"].__setitem__(0, "77"),
        lambda t: t["answer"].__setitem__(0, "none"), lambda t: t["answer"].pop()])
    def test_reports_that_do_not_fit_the_plan(self, damage):
        plan = plan_pairs(LINES, 1.0)
        table = reports_table(plan, perturb_cells(plan, people(), seeded(1)))
        damage(table)
        with pytest.raises(InputProblem):
            read_reports(plan, table)

    @pytest.mark.parametrize("damage", [
        lambda d: d.pop("lines"), lambda d: d["questions"][0].update(attributes=["nobody"]),
        lambda d: d.update(asked=9), lambda d: d["questions"][0].update(inputs=3),
        lambda d: d["lines"][0].update(range=[5])])
    def test_a_damaged_plan(self, damage):
        data = plan_columns(LINES, 1.0, "grr").as_json()
        damage(data)
        with pytest.raises(InputProblem):
            Plan.from_json(data)


AGES = Column(name="age", role=Role.QUASI, numeric=True, declared=(0, 9), domain=Range(0, 9))
TOWN = Column(name="town", role=Role.SENSITIVE, domain=Tree((("x", "*"), ("y", "*"))))
RANK = Column(name="rank", role=Role.QUASI, domain=Order(("low", "mid", "high")))


def graph(*columns, missing="error", ages=(1.0, 9.0, 4.0)):
    ranks = [0.0, 2.0, 1.0]
    values = [list(ages) if column.name == "age" else ranks for column in columns if column.role == Role.QUASI]
    payload = {column.name: Nominal(np.array([0, 1, 0]), ("x", "y")) for column in columns if column.role == Role.SENSITIVE}
    return AttributedGraph(schema=Schema(columns=columns, missing=missing), values=np.array(values, dtype=float).T.reshape(3, -1),
                           ties=no_ties(3), payload=payload)


class TestClient:
    """Lines come from the schema's words; values become cells or are refused."""

    def test_quasi_and_sensitive_columns_get_a_line_each(self):
        who = graph(AGES, RANK, TOWN)
        lines = lines_of(who.schema)
        assert [(line.name, line.size) for line in lines] == [("age", 10), ("rank", 3), ("town", 2)]
        assert cells_of(who, lines).tolist() == [[1, 0, 0], [9, 2, 1], [4, 1, 0]]

    def test_a_domain_read_off_the_data_is_refused(self):
        seen = Column(name="age", role=Role.QUASI, numeric=True, domain=Range(1, 9))
        flat = Column(name="town", role=Role.SENSITIVE, domain=Tree.flat(["x", "y"]))
        bare = Column(name="job", role=Role.SENSITIVE)
        with pytest.raises(InputProblem) as caught:
            lines_of(Schema(columns=(seen, flat, bare)))
        assert [problem.column for problem in caught.value.problems] == ["age", "town", "job"]
        assert all("leak" in problem.what for problem in caught.value.problems)

    @pytest.mark.parametrize("role", [Role.OPEN, Role.K])
    def test_a_column_that_would_leave_as_it_is_is_refused(self, role):
        with pytest.raises(InputProblem, match="cannot be perturbed"):
            lines_of(Schema(columns=(AGES, Column(name="wish", role=role))))

    def test_identifiers_and_dropped_columns_vanish(self):
        columns = (AGES, Column(name="name", role=Role.IDENTIFIER), Column(name="note", role=Role.DROP))
        assert [line.name for line in lines_of(Schema(columns=columns))] == ["age"]

    def test_the_line_does_not_depend_on_who_is_there(self):
        # the file allows missing values; whether there are any must not show
        seen = Column(name="rank", role=Role.QUASI, domain=Order(("low", "mid", "high"), missing=False))
        assert lines_of(Schema(columns=(seen,), missing="value"))[0].size == 4

    def test_numbers_out_of_range_are_refused_or_clipped(self):
        who = graph(AGES, ages=(-3.0, 40.0, 4.4))
        with pytest.raises(InputProblem, match="2 values lie outside") as caught:
            cells_of(who, lines_of(who.schema))
        assert "40" not in str(caught.value)
        assert cells_of(who, lines_of(who.schema), "clip").ravel().tolist() == [0, 9, 4]

    def test_texts_become_cells_too(self):
        plan = plan_columns(LINES, 60.0, "grr")
        table = {"age": ["17", "90"], "sex": ["F", "M"], "job": ["e", "a"]}
        assert decode(plan, perturb_columns(plan, table, seeded(1))).tolist() == [[0, 0, 4], [73, 1, 0]]
        for column, text in (("age", "old"), ("sex", ""), ("job", "z"), ("age", "91")):
            with pytest.raises(InputProblem, match="outside") as caught:
                perturb_columns(plan, table | {column: [text, table[column][1]]}, seeded(1))
            assert caught.value.problems[0].column == column
        with pytest.raises(InputProblem, match="missing from the people"):
            perturb_columns(plan, {"age": ["17"]}, seeded(1))

    def test_a_missing_value_has_a_cell_of_its_own_where_the_schema_allows_it(self):
        line = Line.numbers("age", 0, 9, missing=True)
        assert line.cells_of_texts(["3", ""]).tolist() == [3, 10]
        assert line.texts(np.array([3, 10])) == ["3", ""]
        town = Line.of_labels("town", "xy", missing=True)
        assert town.cells_of_texts(["y", ""]).tolist() == [1, 2]

    def test_a_missing_number_of_a_graph_finds_its_cell(self):
        ages = Column(name="age", role=Role.QUASI, numeric=True, declared=(0, 9), domain=Range(0, 9, missing=True))
        who = graph(ages, missing="value", ages=(1.0, 10.0, 4.0))
        assert cells_of(who, lines_of(who.schema)).ravel().tolist() == [1, 10, 4]

    def test_a_column_of_one_category_and_a_constant_number_spend_nothing(self):
        lines = [Line.of_labels("one", ["x"]), Line.numbers("same", 5, 5)]
        plan = plan_columns(lines, 1.0, "grr")
        assert plan.epsilon()["record"] == 0
        cells = np.zeros((4, 2), dtype=int)
        assert (decode(plan, perturb_cells(plan, cells, seeded(1))) == cells).all()
        pairs = plan_pairs(lines, 1.0)
        assert len(reports_table(pairs, perturb_cells(pairs, cells, seeded(1)))) > 0

    def test_perturbing_leaves_the_people_as_they_were(self):
        who = graph(AGES, RANK, TOWN)
        before = who.values.copy()
        perturb(who, plan_columns(lines_of(who.schema), 1.0), seeded(1))
        assert (who.values == before).all()

    def test_a_range_between_two_multiples_of_the_grid_has_no_line(self):
        with pytest.raises(InputProblem, match="no multiple"):
            Line.numbers("x", 1, 2, 10)


class TestLedger:
    """Runs about the same people add up, and a damaged ledger is not begun anew."""

    def test_runs_add_up_exactly(self):
        ledger = None
        for _ in range(10):
            ledger = with_run(ledger, {"record": 0.1, "bit": None, "feature": {"age": 0.1}})
        assert len(ledger["runs"]) == 10
        # ten times the float 0.1 is above 1, and is not rounded down to it
        assert Fraction(ledger["total"]["record"]) >= 10 * Fraction(0.1) > 1
        assert "bit" not in ledger["total"]

    def test_ties_are_counted_beside_records(self):
        ledger = with_run(with_run(None, {"record": 1.0, "feature": {"age": 1.0}}), {"tie": 0.5})
        assert ledger["total"] == {"record": 1.0, "tie": 0.5, "feature": {"age": 1.0}}

    def test_the_ledger_travels_as_text(self):
        ledger = with_run(None, plan_columns(LINES, 1.0, "bits").epsilon())
        assert with_run(json.loads(json.dumps(ledger)), {"tie": 1.0})["total"]["record"] == ledger["total"]["record"]

    @pytest.mark.parametrize("damaged", [{}, {"runs": 3}, {"runs": [{"record": "1"}]}, {"runs": [{"record": -1}]},
                                         {"runs": [{"feature": 2}]}])
    def test_a_damaged_ledger_is_refused(self, damaged):
        with pytest.raises(InputProblem, match="ledger"):
            with_run(damaged, {"record": 1.0})


def test_shuffled_reports_hold_the_same_answers():
    plan = plan_columns(LINES, 40.0, "grr", scope="feature")
    reports = perturb_cells(plan, people(), seeded(1))
    order = np.random.default_rng(0).permutation(300)
    assert (decode(plan, reports.shuffled(order)) == decode(plan, reports)[order]).all()


def test_one_in_two_to_the_sixty_four_is_the_smallest_weight():
    plan = plan_columns([SEX], 64.0, "grr", scope="feature")
    assert plan.questions[0].mechanism.other >= 1
    assert plan.epsilon()["record"] <= math.log(WHOLE) + 1e-9
