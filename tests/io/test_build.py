import re

import numpy as np
import pytest
from sources import source_of, table_of, ties_of

from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem
from graphanon.graph import Nominal
from graphanon.io.build import build
from graphanon.io.source import ReadReport, Source
from graphanon.schema import Column, Role, Schema, TieColumns

AGE = Column(name="age", role=Role.QUASI, numeric=True, declared=(0, 99))
JOB = Column(name="job", role=Role.QUASI, domain=Tree((("nurse", "care", "*"), ("cook", "trade", "*"))),
             hierarchy_file="job.csv")
RANK = Column(name="rank", role=Role.QUASI, domain=Order(("low", "mid", "high")))
TOWN = Column(name="town", role=Role.QUASI)
ILL = Column(name="ill", role=Role.SENSITIVE, l=2)
ID = Column(name="id", role=Role.IDENTIFIER)


def schema_of(*columns, **settings):
    return Schema(columns=columns, **settings)


def problems(source, schema):
    with pytest.raises(InputProblem) as caught:
        build(source, schema)
    return caught.value.problems


def numbers(*cells, **settings):
    """Return what a numeric column of these cells is read as."""
    column = Column(name="x", role=Role.QUASI, numeric=True, **settings)
    reading = build(source_of({"x": cells}), schema_of(column))
    return reading, reading.graph.domains[0], reading.graph.values[:, 0]


# who and what enters

def test_every_role_goes_where_it_belongs():
    columns = {"id": ["a", "b"], "age": ["31", "33"], "job": ["cook", "nurse"], "rank": ["high", "low"],
               "town": ["Ulm", "Bonn"], "ill": ["flu", "flu"], "city": ["x", "y"], "own": ["2", "3"], "note": ["p", "q"]}
    schema = schema_of(
        ID, AGE, JOB, RANK, TOWN, ILL, Column(name="city", role=Role.OPEN), Column(name="own", role=Role.K),
        Column(name="note", role=Role.DROP), id="id")
    reading = build(source_of(columns, [("a", "b")], id="id"), schema)
    graph = reading.graph
    assert reading.ids == ("a", "b")
    assert reading.rows.tolist() == [1, 2]
    assert graph.values.tolist() == [[31, 1, 2, 1], [33, 0, 0, 0]]
    assert set(graph.payload) == {"ill", "city"}
    assert graph.payload["city"].labels == ("x", "y")
    assert graph.wishes.tolist() == [2, 3]
    assert graph.n_ties == 1
    assert list(reading.table.frame.columns) == list(columns)


def test_addresses_follow_the_leaves_of_the_hierarchy_and_labels_are_sorted():
    reading = build(source_of({"job": ["cook", "nurse", "cook"], "ill": ["c", "a", "b"]}), schema_of(JOB, ILL))
    addresses = JOB.domain.addresses()
    assert reading.graph.values[:, 0].tolist() == [addresses["cook"], addresses["nurse"], addresses["cook"]]
    assert reading.graph.payload["ill"].labels == ("a", "b", "c")
    assert reading.graph.payload["ill"].codes.tolist() == [2, 0, 1]


def test_an_unlisted_column_is_refused_by_name_and_dropped_on_request():
    columns = {"age": ["31"], "zip": ["0123"], "mail": ["x"]}
    found = problems(source_of(columns), schema_of(AGE))
    assert [problem.column for problem in found] == ["zip", "mail"]
    assert all("--unlisted drop" in problem.fix for problem in found)
    reading = build(source_of(columns, unlisted="drop"), schema_of(AGE))
    assert list(reading.table.frame.columns) == ["age"]
    assert any("zip, mail" in note for note in reading.report.notes)


def test_a_column_of_the_schema_that_the_file_lacks_is_named_with_what_there_is():
    found = problems(source_of({"Age": ["31"]}, unlisted="drop"), schema_of(AGE))
    assert found[0].column == "age"
    assert "Age" in found[0].allowed


def test_a_guessed_id_needs_no_listing_and_gives_way_to_a_role_in_tables():
    assert build(source_of({"id": ["a", "b"], "age": ["1", "2"]}, id="id"), schema_of(AGE)).ids == ("a", "b")
    number = Column(name="id", role=Role.QUASI)
    assert build(source_of({"id": ["a", "b"]}, id="id"), schema_of(number)).ids is None
    assert "cannot be quasi" in problems(source_of({"id": ["a", "b"]}, [("a", "b")], id="id"), schema_of(number))[0].what


def test_ties_without_ids_name_the_setting():
    assert "[people] id" in problems(source_of({"age": ["1"]}, [("a", "b")]), schema_of(AGE))[0].fix


def test_no_people_is_refused():
    assert "no people" in problems(source_of({"age": []}), schema_of(AGE))[0].what
    assert "neither" in problems(Source(people=None, ties=None, id=None, report=ReadReport()), schema_of())[0].what


# numbers

@pytest.mark.parametrize("cell", ["nan", "inf", "-Infinity", "0x1F", "1_000", "1,5", "1e999", "abc", "1 2", "--1", "\u0663", "1e", "."])
def test_what_is_no_number_is_refused_with_line_and_column(cell):
    found = problems(source_of({"age": ["31", cell]}), schema_of(AGE))
    assert (found[0].line, found[0].column, found[0].file) == (3, "age", "people.csv")
    assert f"'{cell}' is not a number" in found[0].what


@pytest.mark.parametrize(("cell", "number"), [("+5", 5), ("-5", -5), ("5.", 5), (".5", 0.5), ("5e-1", 0.5), (" 7 ", 7),
                                              ("-0", 0), ("007", 7), ("1E2", 100)])
def test_plain_decimals_are_numbers(cell, number):
    _, _, values = numbers(cell, grid=0.5)
    assert values.tolist() == [number]


@pytest.mark.parametrize(("cell", "fix"), [("?", "--na-values '?'"), ("NA", "--na-values 'NA'"), ("1,5", "decimal point"),
                                           ("1,000,000", "thousands"), ("x", "read the column as text")])
def test_the_usual_reason_for_no_number_is_named(cell, fix):
    assert fix in problems(source_of({"age": [cell]}), schema_of(AGE))[0].fix


def test_repeated_nonsense_is_told_once_and_a_flood_is_cut():
    found = problems(source_of({"age": ["1", "x", "x", "x"]}), schema_of(AGE))
    assert len(found) == 1
    assert "3 cells" in found[0].what
    flood = problems(source_of({"age": [f"x{i}" for i in range(50)]}), schema_of(AGE))
    assert len(flood) == 6
    assert "and 45 more" in flood[-1].what


def test_a_number_outside_the_declared_range_is_refused():
    found = problems(source_of({"age": ["31", "120", "-1"]}), schema_of(AGE))
    assert {problem.line for problem in found} == {3, 4}
    assert all(problem.allowed == "0 to 99" for problem in found)


def test_fractions_without_a_grid_are_refused_with_a_proposal_that_works():
    found = problems(source_of({"x": ["1.25", "9.5"]}), schema_of(Column(name="x", role=Role.QUASI, numeric=True)))
    grid = float(re.search(r"grid = ([\d.]+)", found[0].fix)[1])
    assert grid > 0.01
    _, domain, _ = numbers("1.25", "9.5", grid=grid)
    assert domain.grid == grid


def test_an_observed_range_is_widened_to_the_grid_and_told():
    reading, domain, _ = numbers("1.3", "8.9", grid=0.5)
    assert (domain.low, domain.high) == (1.0, 9.0)
    warning = next(w for w in reading.report.warnings if "no declared range" in w)
    low, high = map(float, re.search(r"range = \[(.*), (.*)\]", warning).groups())
    assert low < 1.3
    assert high > 8.9


def test_a_declared_range_is_the_range_whatever_is_observed():
    _, domain, _ = numbers("5", "6", declared=(0, 100), steps=(5, 10))
    assert domain == Range(0, 100, 1, (5, 10))


@pytest.mark.parametrize(("cells", "settings", "warned"), [
    (("0", "99999"), {}, True),
    (("0", "1"), {"declared": (0, 500000)}, True),
    (("0", "99999"), {"grid": 1000}, False),
    (("17", "90"), {}, False),
])
def test_wide_whole_numbers_left_at_grid_1_are_warned_of(cells, settings, warned):
    reading, _, _ = numbers(*cells, **settings)
    assert any("published to the unit" in warning for warning in reading.report.warnings) is warned


def test_whole_numbers_beyond_what_a_float_holds_are_refused():
    found = problems(source_of({"x": ["9007199254740993"]}), schema_of(Column(name="x", role=Role.QUASI, numeric=True)))
    assert "too large" in found[0].what


def test_a_column_of_one_value_is_a_range_of_no_width():
    _, domain, values = numbers("5", "5")
    assert (domain.low, domain.high, domain.span) == (5, 5, 0)
    assert values.tolist() == [5, 5]


def test_a_domain_that_came_from_python_is_kept():
    column = Column(name="x", role=Role.QUASI, domain=Range(0, 10, 0.5, (1,)))
    reading = build(source_of({"x": ["1.5", None]}), schema_of(column, missing="value"))
    assert reading.graph.domains[0] == Range(0, 10, 0.5, (1,), missing=True)
    assert reading.graph.values[:, 0].tolist() == [1.5, 10.5]


# labels

def test_a_value_absent_from_its_hierarchy_names_value_column_and_line():
    found = problems(source_of({"job": ["cook", "baker", "baker"]}), schema_of(JOB))
    assert (found[0].line, found[0].column) == (3, "job")
    assert "'baker'" in found[0].what
    assert "job.csv" in found[0].what


@pytest.mark.parametrize(("cell", "fix"), [(" cook", "writes it 'cook'"), ("Cook", "writes it 'cook'"), ("?", "--na-values")])
def test_the_usual_reason_for_an_unknown_value_is_named(cell, fix):
    assert fix in problems(source_of({"job": [cell]}), schema_of(JOB))[0].fix


def test_a_label_absent_from_its_order_is_refused():
    assert "not in the order" in problems(source_of({"rank": ["low", "top"]}), schema_of(RANK))[0].what


def test_the_root_label_is_no_value_of_flat_text():
    assert "stands for everything" in problems(source_of({"town": ["Ulm", "*"]}), schema_of(TOWN))[0].what


def test_digits_stay_text_where_no_range_is_given():
    reading = build(source_of({"town": ["007", "7", "07"]}), schema_of(TOWN))
    assert reading.graph.domains[0].leaves == ("007", "07", "7")
    assert not reading.graph.domains[0].given


def test_many_flat_values_are_warned_of():
    def warned(cells):
        return build(source_of({"town": cells}), schema_of(TOWN)).report.warnings
    assert "to read amounts" in warned([str(i) for i in range(30)])[0]
    assert "a hierarchy keeps more" in warned([f"t{i}" for i in range(30)])[0]
    assert warned(["a", "b"]) == ()


# sensitive columns

def test_a_sensitive_column_without_a_promise_is_a_warning():
    bare = Column(name="ill", role=Role.SENSITIVE)
    assert "nothing is promised" in build(source_of({"ill": ["flu"]}), schema_of(bare)).report.warnings[0]
    assert build(source_of({"ill": ["flu"]}), schema_of(ILL)).report.warnings == ()


def test_alpha_of_a_value_that_nobody_has_is_a_warning():
    spelt = Column(name="ill", role=Role.SENSITIVE, alpha={"HIV": 0.2})
    assert "'HIV'" in build(source_of({"ill": ["hiv"]}), schema_of(spelt)).report.warnings[0]


def test_sensitive_values_keep_to_the_line_that_the_schema_gives_them():
    ranked = Column(name="ill", role=Role.SENSITIVE, l=2, domain=Order(("a", "b")))
    assert "not in the order" in problems(source_of({"ill": ["c"]}), schema_of(ranked))[0].what
    amount = Column(name="ill", role=Role.SENSITIVE, l=2, numeric=True, declared=(0, 5))
    assert "outside" in problems(source_of({"ill": ["6"]}), schema_of(amount))[0].what


@pytest.mark.parametrize("cell", ["0", "-1", "2.5", "x", "1e3", "9" * 30])
def test_a_wish_is_a_whole_number_from_1(cell):
    own = Column(name="own", role=Role.K)
    assert "no class size" in problems(source_of({"own": ["2", cell]}), schema_of(own))[0].what


# missing cells

GAPS = {"id": ["a", "b", "c"], "age": ["31", None, "33"], "job": ["cook", "nurse", None], "ill": ["flu", "flu", "hiv"]}


def test_missing_cells_are_an_error_by_default_with_lines_and_policies():
    found = problems(source_of(GAPS), schema_of(ID, AGE, JOB, ILL))
    assert [(problem.column, problem.line) for problem in found] == [("age", 3), ("job", 4)]
    assert 'missing = "drop"' in found[0].fix


def test_missing_drop_leaves_people_and_their_ties_out():
    source = source_of(GAPS | {"ill": ["flu", "flu", None]}, [("a", "b"), ("b", "c"), ("a", "d"), ("d", "a")], id="id",
                       missing_nodes="drop")
    found = problems(source, schema_of(ID, AGE, JOB, ILL, missing="drop"))
    assert "0 ties are left of 4 lines" in found[0].what
    table = build(source_of(GAPS), schema_of(ID, AGE, JOB, ILL, missing="drop"))
    assert table.rows.tolist() == [1]
    assert table.report.counts["people_dropped"] == 2
    assert table.table.lines.tolist() == [2]


def test_missing_drop_counts_the_ties_that_go_with_people():
    columns = {"id": ["a", "b", "c", "d"], "age": ["1", None, "3", "4"]}
    source = source_of(columns, [("a", "b"), ("c", "d"), ("d", "a")], id="id")
    reading = build(source, schema_of(ID, AGE, missing="drop"))
    assert reading.ids == ("a", "c", "d")
    assert reading.graph.ties.toarray().tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert reading.report.counts["ties_dropped"] == 1


def test_missing_drop_of_everybody_is_refused():
    assert "nobody is left" in problems(source_of({"age": [None]}), schema_of(AGE, missing="drop"))[0].what


def test_missing_value_gives_a_missing_cell_an_address_of_its_own():
    columns = {"age": ["1", None], "job": [None, "cook"], "rank": ["low", None], "ill": ["flu", None], "own": [None, "3"]}
    reading = build(source_of(columns), schema_of(AGE, JOB, RANK, ILL, Column(name="own", role=Role.K), missing="value"))
    age, job, rank = reading.graph.domains
    assert (age.missing, job.missing, rank.missing) == (True, True, True)
    assert reading.graph.values[1, 0] == age.missing_address == 100
    assert reading.graph.values[0, 1] == job.missing_address == 2
    assert reading.graph.values[1, 2] == rank.missing_address == 3
    assert reading.graph.payload["ill"] == Nominal(reading.graph.payload["ill"].codes, ("", "flu"))
    assert reading.graph.wishes.tolist() == [1, 3]
    assert reading.report.counts["missing_cells"] == 5
    assert any("value of their own" in note for note in reading.report.notes)


def test_a_line_without_gaps_has_no_place_for_missing_cells():
    reading = build(source_of({"age": ["1"], "job": ["cook"]}), schema_of(AGE, JOB, missing="value"))
    assert not any(domain.missing for domain in reading.graph.domains)


def test_a_column_with_nothing_in_it_can_be_read():
    reading = build(source_of({"age": [None, None], "town": [None, None]}), schema_of(
        Column(name="age", role=Role.QUASI, numeric=True), TOWN, missing="value"))
    assert reading.graph.n == 2


# ids

def test_repeated_ids_are_refused_with_both_lines():
    found = problems(source_of({"id": ["a", "b", "a", "a", "b"], "age": ["1"] * 5}, id="id"), schema_of(ID, AGE))
    assert "2 ids stand in more than one row" in found[0].what
    assert "'a' in lines 2 and 4" in found[0].what
    assert "--duplicate-nodes first" in found[0].fix


def test_the_first_row_of_an_id_is_kept_on_request():
    source = source_of({"id": ["a", "b", "a"], "age": ["1", "2", "3"]}, [("a", "b")], id="id", duplicate_nodes="first")
    reading = build(source, schema_of(ID, AGE))
    assert reading.graph.values[:, 0].tolist() == [1, 2]
    assert reading.report.counts["people_dropped"] == 1


def test_missing_ids_are_refused_or_dropped():
    columns = {"id": ["a", None], "age": ["1", "2"]}
    found = problems(source_of(columns, id="id"), schema_of(ID, AGE))
    assert (found[0].line, found[0].column) == (3, "id")
    assert build(source_of(columns, id="id"), schema_of(ID, AGE, missing="drop")).ids == ("a",)


def test_problems_of_ids_cells_and_ties_are_told_together():
    source = source_of({"id": ["a", "a", None], "age": ["1", "x", None]}, [("a", "z"), ("a", None)], id="id")
    told = [problem.what for problem in problems(source, schema_of(ID, AGE))]
    assert len(told) == 6
    assert any("has no id" in what for what in told)
    assert any("missing cell" in what for what in told)
    assert any("more than one row" in what for what in told)
    assert any("is not a number" in what for what in told)
    assert any("nobody's id" in what for what in told)
    assert any("misses an end" in what for what in told)


# ties

ABC = {"id": ["a", "b", "c"], "age": ["1", "2", "3"]}


def graph_of(pairs, columns=None, ties=None, schema=None, **options):
    source = source_of(columns or ABC, pairs, id="id", ties=ties, **options)
    return build(source, schema or schema_of(ID, AGE))


def test_loops_repeats_and_isolated_people_are_counted():
    reading = graph_of([("a", "b"), ("b", "a"), ("a", "b"), ("a", "a")])
    counts = reading.report.counts
    assert reading.graph.ties.toarray().tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert (counts["loops_dropped"], counts["repeats_merged"], counts["isolated"]) == (1, 2, 1)
    assert (counts["people"], counts["ties"], counts["rows_read"], counts["tie_rows_read"]) == (3, 1, 3, 4)


def test_a_reader_that_counted_its_rows_is_not_counted_twice():
    source = source_of(ABC, [("a", "b")], id="id")
    report = ReadReport(counts={"rows_read": 3, "tie_rows_read": 1, "people": 3})
    counts = build(Source(people=source.people, ties=source.ties, id="id", report=report), schema_of(ID, AGE)).report.counts
    assert (counts["rows_read"], counts["tie_rows_read"], counts["people"]) == (3, 1, 3)


def test_ties_to_nobody_are_refused_with_examples_and_options():
    with pytest.raises(InputProblem) as caught:
        graph_of([("a", "b"), ("a", "x"), ("y", "x")])
    problem = caught.value.problems[0]
    assert "2 ties have an end that is nobody's id: 'x' in line 3, 'y' in line 4" in problem.what
    assert "--missing-nodes drop" in problem.fix
    assert problem.line == 3


def test_ids_that_never_match_ask_for_the_right_column():
    with pytest.raises(InputProblem, match="is \\[people\\] id the right column"):
        graph_of([("1", "2")])


def test_ties_to_nobody_are_dropped_on_request():
    reading = graph_of([("a", "b"), ("a", "x")], missing_nodes="drop")
    assert (reading.graph.n_ties, reading.report.counts["ties_dropped"]) == (1, 1)


def test_ends_become_people_on_request_where_missing_is_a_value():
    with pytest.raises(InputProblem, match="1 missing cell: a person who was added"):
        graph_of([("a", "x")], missing_nodes="add")
    reading = graph_of([("a", "x")], missing_nodes="add", schema=schema_of(ID, AGE, missing="value"))
    assert reading.ids == ("a", "b", "c", "x")
    assert reading.rows.tolist() == [1, 2, 3, 4]
    assert reading.report.counts["people_added"] == 1
    assert reading.table.frame["id"].tolist() == ["a", "b", "c", "x"]
    assert reading.table.frame["age"].tolist() == ["1", "2", "3", None]


def test_ties_with_a_missing_end_are_refused_or_dropped():
    with pytest.raises(InputProblem, match="--drop-incomplete-ties"):
        graph_of([("a", "b"), (None, "b")])
    reading = graph_of([("a", "b"), (None, "b")], drop_incomplete_ties=True)
    assert (reading.graph.n_ties, reading.report.counts["ties_dropped"]) == (1, 1)


def test_no_tie_left_of_some_is_an_error_and_no_tie_at_all_a_warning():
    with pytest.raises(InputProblem, match="0 ties are left of 1 line:"):
        graph_of([("a", "a")])
    reading = graph_of([])
    assert reading.graph.has_ties
    assert reading.graph.n_ties == 0
    assert any("everybody is isolated" in warning for warning in reading.report.warnings)


def test_direction_is_the_options_word_then_the_schemas_then_the_files():
    def directed(file=None, schema=None, option=None):
        ties = ties_of([("a", "b"), ("b", "a"), ("b", "c"), ("b", "c")], directed=file)
        columns = schema_of(ID, AGE, ties=TieColumns(directed=schema))
        return graph_of(None, ties=ties, schema=columns, directed=option).graph.directed
    assert [directed(), directed(file=True), directed(file=True, schema=False), directed(schema=True),
            directed(schema=True, option=False), directed(option=True)] == [False, True, False, True, False, True]


def test_arcs_keep_their_direction_and_ties_forget_it():
    graph = graph_of([("a", "b"), ("b", "a"), ("b", "c")], directed=True).graph
    assert graph.arcs.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 0, 0]]
    assert graph.ties.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


SUM = schema_of(ID, AGE, ties=TieColumns(weight="sum"))


def test_weights_of_repeated_ties_add_up_both_ways():
    ties = ties_of([("a", "b", "1.5"), ("b", "a", "2"), ("b", "c", "4")], more=["weight"], weight="weight")
    graph = graph_of(None, ties=ties, schema=SUM).graph
    assert graph.weights.toarray().tolist() == [[0, 3.5, 0], [3.5, 0, 4], [0, 4, 0]]
    arcs = graph_of(None, ties=ties, schema=SUM, directed=True).graph
    assert arcs.weights.toarray().tolist() == [[0, 1.5, 0], [2, 0, 4], [0, 0, 0]]
    assert graph_of(None, ties=ties).graph.weights is None


def test_without_weights_in_the_file_each_line_weighs_one():
    assert graph_of([("a", "b"), ("b", "a")], schema=SUM).graph.weights.toarray()[0, 1] == 2


@pytest.mark.parametrize("cell", ["0", "-1", "x", "nan", None])
def test_a_weight_is_a_positive_number(cell):
    ties = ties_of([("a", "b", "1"), ("b", "c", cell)], more=["weight"], weight="weight")
    with pytest.raises(InputProblem, match="1 weight is no positive number: line 3"):
        graph_of(None, ties=ties, schema=SUM)


def test_the_order_of_lines_cannot_change_a_sum_of_weights():
    cells = ["0.1", "0.2", "0.3", "1e10", "0.7"]
    sums = set()
    for turn in range(5):
        rows = [("a", "b", cell) for cell in cells[turn:] + cells[:turn]]
        sums.add(graph_of(None, ties=ties_of(rows, more=["w"], weight="w"), schema=SUM).graph.weights[0, 1])
    assert len(sums) == 1


def test_one_relation_of_several_is_chosen_by_name():
    ties = ties_of([("a", "b", "advice"), ("b", "c", "friend")], more=["relation"])
    def chosen(relation):
        return graph_of(None, ties=ties, schema=schema_of(ID, AGE, ties=TieColumns(relation=relation)))
    assert chosen("friend").graph.ties.toarray().tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert any("2 relations" in warning for warning in chosen(None).report.warnings)
    with pytest.raises(InputProblem, match="'advice', 'friend'"):
        chosen("love")
    with pytest.raises(InputProblem, match="a column named relation"):
        graph_of([("a", "b")], schema=schema_of(ID, AGE, ties=TieColumns(relation="friend")))


def test_ends_are_the_people_where_only_ties_are_given():
    reading = build(source_of(None, [("b", "a"), ("c", "b"), ("c", "c")]), schema_of())
    assert reading.ids == ("a", "b", "c")
    assert reading.graph.values.shape == (3, 0)
    assert reading.graph.n_ties == 2
    assert reading.report.counts["rows_read"] == 0
    with pytest.raises(InputProblem, match="no people were given"):
        build(source_of(None, [("b", "a")]), schema_of(AGE))
    with pytest.raises(InputProblem, match="--drop-incomplete-ties"):
        build(source_of(None, [("b", None)]), schema_of())


# names in a release

@pytest.mark.parametrize("name", ["supernode", "Size", "ties_inside", "arcs_inside", "weight_inside", "source", "target",
                                  "ties", "arcs", "weight"])
@pytest.mark.parametrize("role", [Role.QUASI, Role.SENSITIVE, Role.OPEN])
def test_a_column_of_a_graph_cannot_be_named_like_the_releases_own(name, role):
    source = source_of({"id": ["a", "b"], name: ["x", "y"]}, [("a", "b")], id="id")
    found = problems(source, schema_of(ID, Column(name=name, role=role)))
    assert found[0].column == name
    assert "rename" in found[0].fix


def test_a_derived_name_cannot_meet_another_column():
    columns = {"id": ["a", "b"], "age": ["1", "2"], "age_low": ["x", "y"]}
    found = problems(source_of(columns, [("a", "b")], id="id"),
                     schema_of(ID, AGE, Column(name="age_low", role=Role.QUASI)))
    assert {problem.column for problem in found} == {"age", "age_low"}


def test_names_of_columns_that_never_leave_are_free():
    columns = {"id": ["a", "b"], "label": ["x", "y"], "age": ["1", "2"]}
    assert build(source_of(columns, [("a", "b")], id="id"), schema_of(ID, AGE, Column(name="label", role=Role.DROP)))


@pytest.mark.parametrize("column", [
    Column(name="weight", role=Role.QUASI, numeric=True), Column(name="label", role=Role.QUASI),
    Column(name="value", role=Role.SENSITIVE), Column(name="count", role=Role.OPEN),
], ids=lambda column: column.name)
def test_a_column_whose_released_name_is_its_own_keeps_it(column):
    source = source_of({"id": ["a", "b"], column.name: ["1", "2"]}, [("a", "b")], id="id")
    assert build(source, schema_of(ID, column)).graph.n == 2


def test_a_table_has_no_columns_of_its_own_to_clash_with():
    assert build(source_of({"weight": ["1"]}), schema_of(Column(name="weight", role=Role.QUASI))).graph.n == 1


def test_a_name_that_cannot_be_a_file_is_refused():
    name = "../town"
    assert "file" in problems(source_of({name: ["x"]}), schema_of(Column(name=name, role=Role.QUASI)))[0].what


# size

def test_a_hundred_thousand_people_and_their_ties_are_built_fast():
    from time import perf_counter
    n = 100_000
    chance = np.random.default_rng(1)
    ids = [f"p{i}" for i in range(n)]
    columns = {"id": ids, "age": chance.integers(17, 91, n).astype(str).tolist(),
               "job": chance.choice(["cook", "nurse"], n).tolist()}
    ends = chance.integers(0, n, (300_000, 2))
    pairs = [(ids[a], ids[b]) for a, b in ends.tolist()]
    source = Source(people=table_of(columns), ties=ties_of(pairs), id="id", report=ReadReport())
    start = perf_counter()
    reading = build(source, schema_of(ID, AGE, JOB))
    assert perf_counter() - start < 10  # about one second on an idle machine
    assert reading.graph.n == n
