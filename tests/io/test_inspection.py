import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sources import source_of, ties_of

from graphanon.inspection import inspect_source
from graphanon.io.build import build
from graphanon.io.kinds import suggested_hierarchy
from graphanon.io.schema_file import read_schema
from graphanon.schema import Column, Role, Schema


def seen(columns, pairs=None, schema=None, **settings):
    return inspect_source(source_of(columns, pairs, **settings), schema)


def column(cells, name="x", **settings):
    return seen({name: cells}, **settings).as_json()["columns"][0]


def drafted(folder, inspection, *, with_hierarchies=False):
    path = folder / "schema.toml"
    path.write_text(inspection.draft_schema(with_hierarchies=with_hierarchies), encoding="utf-8")
    for name, text in inspection.hierarchies().items():
        (folder / name).write_text(text, encoding="utf-8")
    return read_schema(path)


# types

@pytest.mark.parametrize(("cells", "type_"), [
    (["1", "2", "35"], "int"), (["-1", "+2", "0"], "int"), (["1.5", "2"], "float"), (["1e3", "2"], "float"),
    (["007", "12", "5"], "text"), (["0.5", "1"], "float"), (["a", "1"], "text"), (["1", "nan"], "text"),
    (["0", "1", "1"], "bool-like"), (["yes", "No"], "bool-like"), (["True", "False"], "bool-like"),
    (["1", "1"], "int"), ([None, None], "text"), (["12345678901234567890", "1"], "text"), (["1_0", "2"], "text"),
])
def test_types_are_those_a_person_would_name(cells, type_):
    assert column(cells)["type"] == type_


def test_distinct_and_missing_cells_are_counted():
    told = column(["a", "b", None, "a"])
    assert (told["distinct"], told["missing"]) == (2, 1)


# roles

MAILS = [f"ann{i}@mail.org" for i in range(4)]
NAMES = ["Ann Bell", "Bob Cole", "Cid Dorn", "Dan Eels", "Eve Fern", "Fay O'Gor"]


@pytest.mark.parametrize(("name", "cells", "role", "why"), [
    ("x", MAILS * 3, "identifier", "e-mail addresses"),
    ("x", ["https://a.org/1", "www.b.org"] * 3, "identifier", "web addresses"),
    ("x", ["+49 30 123456", "030/5551234", "(555) 123-4567"] * 3, "identifier", "phone numbers"),
    ("x", ["192.0.2.1", "192.0.2.7"] * 3, "identifier", "network addresses"),
    ("x", NAMES, "identifier", "names"),
    ("x", ["u1", "v2", "w3"], "identifier", "every value occurs once"),
    ("x", [f"v{i}" for i in range(11)] + ["v0"], "identifier", "nearly every value"),
    ("x", [str(i) for i in range(100, 140)], "identifier", "consecutive numbers"),
    ("x", [str(1234567 + 977 * i) for i in range(40)], "identifier", "same number of digits"),
    ("user_id", ["17", "5", "99", "17"], "identifier", "the word 'id'"),
    ("lastName", ["b", "c", "b"], "identifier", "the word 'lastname'"),
    ("group_id", ["3", "4", "7", "8", "9", "12"] * 3, "quasi", "may know it"),
    ("x", ["same"] * 3, "drop", "the same for everybody"),
    ("x", [None] * 3, "drop", "every cell is missing"),
    ("x", ["a long remark about somebody and the like " * 2, "b" * 50] * 3, "drop", "free text"),
    ("wish", ["2", "3", "2"], "k", "own k"),
    ("HeartDisease", ["0", "1"] * 3, "sensitive", "'disease'"),
    ("age", ["31", "33", "31"], "quasi", "few whole numbers"),
    ("born", ["1990-01-02", "1991-05-06"] * 3, "quasi", "dates"),
    ("zip", ["01234", "99123"] * 3, "quasi", "digits that stay text"),
    ("income_tax", ["1.5", "2.7"] * 9, "sensitive", "'income'"),
    ("town", ["Ulm", "Bonn"] * 3, "quasi", "may know it"),
])
def test_a_role_is_suggested_with_its_reason(name, cells, role, why):
    told = column(cells, name)
    assert told["suggested_role"] == role, told
    assert why in told["why"]


def test_the_column_that_names_the_person_is_an_identifier():
    assert column(["1", "5", "1"], "nr", id="nr")["why"] == "names the person"


def test_reasons_never_repeat_a_value():
    cells = ["Zebedee"] + ["q" * i for i in range(1, 20)]
    assert "Zebedee" not in json.dumps(column(cells))


# numbers in the draft

@pytest.mark.parametrize("cells", [
    [str(i) for i in range(17, 91)] * 2, ["0", "99999", "3", "7", "12", "90"], ["1.25", "-3.5", "2", "0.1", "9", "7"],
    ["-90", "-17", "-20", "-30", "-40", "-50"],
])
def test_proposed_bounds_are_round_and_outside_the_data(tmp_path, cells):
    inspection = seen({"x": cells})
    proposed = inspection.as_json()["columns"][0]["proposed"]
    numbers = [float(cell) for cell in cells]
    low, high = proposed["range"]
    assert low < min(numbers) or low == 0
    assert high > max(numbers)
    reading = build(source_of({"x": cells}), drafted(tmp_path, inspection))
    assert not any("range" in warning for warning in reading.report.warnings)


def test_ages_get_the_usual_steps():
    told = column([str(i) for i in range(17, 91)] * 2, "age")
    assert told["proposed"] == {"range": [10, 100], "steps": [5, 10, 20, 40]}


# the draft

RICH = {
    "id": [f"p{i}" for i in range(12)],
    "age": [str(20 + 3 * i) for i in range(12)],
    'odd "name" = [x]': ["a", "b"] * 6,
    "zip": [f"0{i % 4}123" for i in range(12)],
    "born": [f"19{70 + i % 3}-0{1 + i % 2}-11" for i in range(12)],
    "size": ["1.5", "2.5", None, "1.5"] * 3,
    "illness": ["flu", "hiv", "flu"] * 4,
    "wish": ["2", "3"] * 6,
    "mail": MAILS * 3,
    "same": ["x"] * 12,
    "note": [None] * 12,
}
PAIRS = [(f"p{i}", f"p{(i * 5 + 1) % 12}") for i in range(12)]


def test_a_drafted_schema_reads_and_builds_as_it_is(tmp_path):
    people = {name: cells for name, cells in RICH.items() if name != "size"}
    inspection = seen(people, PAIRS, id="id")
    schema = drafted(tmp_path, inspection)
    assert [c.name for c in schema.columns] == list(people)
    reading = build(source_of(people, PAIRS, id="id"), schema)
    assert reading.graph.n == 12
    assert schema["illness"].l == 2
    assert schema.id == "id"


def test_a_draft_with_hierarchies_builds_too(tmp_path):
    people = {name: RICH[name] for name in ("id", "zip", "born")}
    inspection = seen(people, id="id")
    assert set(inspection.hierarchies()) == {"zip.csv", "born.csv"}
    reading = build(source_of(people, id="id"), drafted(tmp_path, inspection, with_hierarchies=True))
    assert [domain.height for domain in reading.graph.domains] == [5, 3]


def test_a_draft_of_gaps_makes_missing_a_value(tmp_path):
    people = {"x": ["1.5", "2.5", None, "1.5"] * 3}
    schema = drafted(tmp_path, seen(people))
    assert schema.missing == "value"
    assert build(source_of(people), schema).graph.n == 12


def test_a_draft_of_ties_alone_has_no_columns(tmp_path):
    inspection = seen(None, [("a", "b"), ("b", "c")])
    assert (inspection.people, inspection.ties) == (3, 2)
    assert build(source_of(None, [("a", "b")]), drafted(tmp_path, inspection)).graph.n == 2


readable = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=8)
cell = st.one_of(
    st.none(), readable.filter(lambda text: text != "*"), st.integers(-(10**18), 10**18).map(str),
    st.floats(-1e9, 1e9).map(repr), st.sampled_from(["0", "1", "007", "yes", "1e3", ".5", "1_0", "nan", "2020-01-31"]))
name = readable.map(lambda text: "c" + "".join(mark for mark in text if mark not in "/\\\n\r\t"))


@given(st.data(), st.integers(1, 12))
def test_whatever_the_cells_the_draft_reads_and_builds(tmp_path_factory, data, n):
    names = data.draw(st.lists(name, min_size=1, max_size=4, unique_by=str.casefold))
    people = {title: data.draw(st.lists(cell, min_size=n, max_size=n)) for title in names}
    inspection = seen(people)
    for with_hierarchies in (False, True):
        schema = drafted(tmp_path_factory.getbasetemp(), inspection, with_hierarchies=with_hierarchies)
        assert [column.name for column in schema.columns] == names
        assert build(source_of(people), schema).graph.n == n


def test_names_that_would_clash_in_a_release_are_told_before():
    warnings = seen({"id": ["a", "b", "c"], "size": ["x", "y", "x"]}, [("a", "b")], id="id").warnings
    assert any("'size'" in warning and "rename" in warning for warning in warnings)


@pytest.mark.parametrize(("cells", "line"), [
    (["01234", "99123"], "01234;0123*;012**;01***;0****;*"),
    (["A123", "B777"], "A123;A12*;A1**;A***;*"),
    (["2020-05-17", "2021-01-01"], "2020-05-17;2020-05;2020;*"),
    (["17.05.2020", "01.01.2021"], "17.05.2020;2020-05;2020;*"),
])
def test_dates_and_codes_get_a_hierarchy_to_begin_with(cells, line):
    from pandas import Series

    from graphanon.io.cells import code
    assert line in suggested_hierarchy(code(Series(cells))).splitlines()


# who stands alone

def test_people_alone_by_attributes_ties_and_both_are_counted():
    people = {"id": list("abcd"), "job": ["x", "x", "y", "y"], "town": ["u", "u", "u", "v"]}
    schema = Schema(columns=(Column(name="id", role=Role.IDENTIFIER), Column(name="job", role=Role.QUASI),
                             Column(name="town", role=Role.QUASI)), id="id")
    found = seen(people, [("a", "b"), ("b", "c"), ("c", "d")], schema, id="id").uniqueness
    assert found["attributes_distinct"] == 3
    assert found["attributes_unique"] == 2  # c and d
    assert found["attributes_in_groups_below_5"] == 4
    assert found["degree_unique"] == 0  # a path: 1 2 2 1
    assert found["attributes_and_degree_unique"] == 4


def test_neighbours_degrees_tell_people_apart_as_counted_by_hand():
    graph = nx.gnm_random_graph(60, 90, seed=4)
    pairs = [(f"p{a}", f"p{b}") for a, b in graph.edges]
    people = {"id": [f"p{i}" for i in range(60)]}
    found = seen(people, pairs, id="id").uniqueness
    marks = [tuple(sorted(graph.degree(v) for v in graph[u])) for u in graph]
    assert found["degree_and_neighbours_degrees_distinct"] == len(set(marks))
    assert found["degree_and_neighbours_degrees_unique"] == sum(marks.count(mark) == 1 for mark in marks)


def test_the_attributes_that_single_out_most_people_are_named():
    people = {"id": [str(i) for i in range(30)], "flag": ["0", "1"] * 15, "job": [f"j{i % 3}" for i in range(30)],
              "age": [str(20 + i // 2 * 2) for i in range(30)]}
    notes = seen(people, id="id").notes
    assert any(note == "age + flag together single out 30 of 30 people" for note in notes), notes


# what is wrong does not stop an inspection

def test_problems_of_ids_and_ties_are_warnings():
    inspection = seen({"id": ["a", "a", None, "b"], "age": ["1", "2", "3", "x"]},
                      [("a", "b"), ("a", "a"), ("b", "a"), ("a", "z"), ("b", None)], id="id")
    told = " ".join(inspection.warnings)
    for part in ("1 id stands in more than one row", "1 person has no id", "nobody", "--missing-nodes", "misses an end"):
        assert part in told
    as_json = inspection.as_json()
    assert (as_json["people"], as_json["ties"], as_json["loops_dropped"], as_json["repeats_merged"]) == (4, 1, 1, 1)
    assert as_json["isolated"] == 2


def test_what_would_be_refused_is_told_with_file_and_line_and_stands_apart():
    inspection = seen({"id": ["a", "a", "b"]}, [("a", "b"), ("a", None)], id="id")
    told = " ".join(inspection.warnings)
    assert "would be refused: people.csv, line 3, column 'id': 1 id stands in more than one row: 'a' in lines 2 and 3" in told
    assert "would be refused: ties.csv, line 3, column 'target': 1 tie misses an end" in told
    assert [problem.line for problem in inspection.problems] == [3, 3]
    assert [problem["where"]["line"] for problem in inspection.as_json()["problems"]] == [3, 3]


def test_options_that_resolve_problems_count_as_they_will_when_people_are_grouped():
    source = source_of({"id": ["a", "a", "b"], "age": ["1", "2", "3"]}, [("a", "b"), ("b", "z"), ("a", None)], id="id",
                       duplicate_nodes="first", missing_nodes="add", drop_incomplete_ties=True)
    inspection = inspect_source(source)
    assert (inspection.people, inspection.ties, inspection.problems) == (3, 2, ())
    assert '[people]\nid = "id"\nmissing = "value"' in inspection.draft_schema()


def test_merged_and_dropped_ties_are_told_in_words():
    told = seen({"id": ["a", "b"]}, [("a", "b"), ("b", "a"), ("a", "b"), ("a", "a")], id="id").warnings
    assert "2 repeated edges merged: a pair is tied once, multiplicity dropped" in told
    assert "1 self-loop dropped: a tie from a person to the same person" in told


def test_where_nodes_are_drawn_is_suggested_to_be_dropped():
    people = {"id": ["a", "b", "c"], "X": ["1.5", "2", "3"], "y": ["2.5", "1", "4"], "size": ["3.5", "2", "1"], "age": ["7", "8", "8"]}
    roles = {column.name: column.kind.role for column in seen(people, [("a", "b")], id="id").columns}
    assert (roles["X"], roles["y"], roles["size"], roles["age"]) == (Role.DROP, Role.DROP, Role.DROP, Role.QUASI)
    assert seen({"X": ["1.5", "2"], "age": ["7", "8"]}).columns[0].kind.role is not Role.DROP


def test_cells_that_may_mean_missing_are_warned_of():
    warnings = seen({"job": ["?", "x", "x", "?"], "town": [" u", "v", "v", "v"]}).warnings
    assert any("2 cells are '?'" in warning and "--na-values" in warning for warning in warnings)
    assert any("'town'" in warning and "blanks" in warning for warning in warnings)


def test_what_a_schema_would_refuse_is_a_warning():
    schema = Schema(columns=(Column(name="age", role=Role.QUASI, numeric=True, declared=(0, 9)),))
    inspection = seen({"age": ["5", "12"], "zip": ["a", "b"]}, schema=schema)
    told = " ".join(inspection.warnings)
    assert "would be refused: " in told
    assert "zip" in told
    assert inspection.as_json()["columns"][0]["why"] == "as the schema says"


def test_with_a_schema_each_problem_is_told_once_and_the_draft_keeps_what_is_known(tmp_path):
    schema = Schema(columns=(Column(name="id", role=Role.IDENTIFIER), Column(name="age", role=Role.QUASI, numeric=True,
                                                                            declared=(0, 99), steps=(5,))), id="id")
    inspection = seen({"id": ["a", "a"], "age": ["1", "2"], "town": ["x", "y"]}, [("a", "z")], schema, id="id")
    assert sum("more than one row" in warning for warning in inspection.warnings) <= 1
    again = drafted(tmp_path, inspection)
    assert again["age"] == schema["age"]
    assert again["town"].role is Role.IDENTIFIER


def test_direction_is_told():
    source = source_of({"id": ["a", "b"]}, id="id", ties=ties_of([("a", "b")], directed=True))
    assert inspect_source(source).as_json()["directed"] is True


def test_ties_with_a_direction_count_there_and_back_apart():
    source = source_of({"id": ["a", "b", "c"]}, id="id", ties=ties_of([("a", "b"), ("b", "a"), ("a", "b"), ("b", "c")],
                                                                      directed=True))
    assert inspect_source(source).as_json()["ties"] == 3


def test_the_json_has_the_keys_of_the_contract_and_is_json():
    told = seen(RICH, PAIRS, id="id").as_json()
    assert {"people", "ties", "directed", "loops_dropped", "repeats_merged", "isolated", "columns", "warnings"} <= set(told)
    assert {"name", "type", "distinct", "missing", "suggested_role", "why"} <= set(told["columns"][0])
    assert json.loads(json.dumps(told)) == told


def test_nothing_is_changed():
    source = source_of(RICH, PAIRS, id="id")
    before = source.people.frame.copy()
    inspect_source(source)
    assert source.people.frame.equals(before)
    assert np.array_equal(source.people.lines, np.arange(12) + 2)
