"""Typed sources: frames, Parquet, Excel, and graphs of other libraries, each value with one spelling."""

import datetime as dt

import igraph as ig
import networkx as nx
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pytest

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read


def cells(source, column):
    return source.people.frame[column].tolist()


def pairs(source):
    return list(zip(source.ties.frame["source"], source.ties.frame["target"], strict=True))


def problems(*given, **options):
    with pytest.raises(InputProblem) as caught:
        read(*given, options=ReadOptions(**options))
    return caught.value.problems


TYPED = {
    "id": [7, 8, 9],
    "gap": [1.0, None, 3.0],
    "height": [1.5, 2.0, None],
    "on": [True, False, True],
    "born": [dt.date(1990, 1, 2), None, dt.date(1991, 3, 4)],
    "seen": [dt.datetime(2020, 1, 1, 8, 30), None, dt.datetime(2020, 1, 2)],  # noqa: DTZ001  as frames hold them
    "town": ["007", "", None],
}
SPELLED = {
    "id": ["7", "8", "9"],
    "gap": ["1", None, "3"],
    "height": ["1.5", "2.0", None],
    "on": ["True", "False", "True"],
    "born": ["1990-01-02", None, "1991-03-04"],
    "seen": ["2020-01-01T08:30:00", None, "2020-01-02T00:00:00"],
    "town": ["007", None, None],
}


@pytest.fixture(params=["pandas", "pandas objects", "polars", "parquet"])
def typed(request, tmp_path):
    if request.param == "polars":
        return pl.DataFrame(TYPED)
    if request.param == "parquet":
        pl.DataFrame(TYPED).write_parquet(tmp_path / "people.parquet")
        return tmp_path / "people.parquet"
    return pd.DataFrame(TYPED, dtype=object if request.param == "pandas objects" else None)


@pytest.mark.parametrize("column", TYPED)
def test_every_type_has_one_spelling_in_every_source(typed, column):
    source = read(typed)
    assert cells(source, column) == SPELLED[column]
    assert source.id == "id"


def test_days_stored_as_times_are_days():
    frame = pd.DataFrame({"born": pd.to_datetime(["1990-01-02", None])})
    assert cells(read(frame), "born") == ["1990-01-02", None]


def test_nullable_types_and_categories_of_pandas_are_read():
    frame = pd.DataFrame({
        "a": pd.array([2**62 + 1, None], dtype="Int64"), "b": pd.Categorical(["x", None]),
        "c": pd.array([True, None], dtype="boolean"), "d": pd.array(["NA", None], dtype="string"),
    })
    source = read(frame)
    assert [cells(source, name) for name in frame] == [
        [str(2**62 + 1), None], ["x", None], ["True", None], ["NA", None]]


def test_short_floats_print_short():
    frame = pd.DataFrame({"x": np.array([0.1, 0.25], dtype=np.float32)})
    assert cells(read(frame), "x") == ["0.1", "0.25"]


def test_whole_numbers_that_lost_digits_are_refused():
    found = problems(pd.DataFrame({"id": [1294030472427835393.0, None]}))
    assert (found[0].line, found[0].column) == (1, "id")


def test_lists_and_mappings_in_cells_are_told_with_their_rows():
    found = problems(pd.DataFrame({"a": [[1], 2, {"x": 1}], "b": [b"x", None, 1]}))
    assert [(problem.line, problem.column) for problem in found] == [(1, "a"), (3, "a"), (1, "b")]
    assert problems(pl.DataFrame({"a": [[1, 2], [3, 4]]}))[0].column == "a"


def test_the_frame_is_left_as_it_was():
    frame = pd.DataFrame({"id": [1, 2], "x": [1.0, None]})
    before = frame.copy(deep=True)
    read(frame, pd.DataFrame({"from": [1], "to": [2]}))
    pd.testing.assert_frame_equal(frame, before)


def test_a_named_index_is_a_column_and_an_unnamed_one_is_not():
    frame = pd.DataFrame({"age": [31, 33]}, index=pd.Index(["a", "a"], name="id"))
    assert cells(read(frame), "id") == ["a", "a"]
    frame.index.name = None
    source = read(frame)
    assert list(source.people.frame.columns) == ["age"]
    assert any("index has no name" in note for note in source.report.notes)


def test_columns_that_read_alike_are_refused():
    assert problems(pd.DataFrame([[1, 2]], columns=[1, "1"]))[0].column == "1"


def test_ties_in_frames_match_people_in_files(tmp_path):
    (tmp_path / "people.csv").write_text("id,age\n007,31\n8,33\n")
    source = read(tmp_path / "people.csv", pl.DataFrame({"ego": ["007"], "alter": ["8"], "weight": [2]}))
    assert pairs(source) == [("007", "8")]
    assert source.ties.weight == "weight"
    assert source.id == "id"


def test_ties_in_parquet_are_read(tmp_path):
    pl.DataFrame({"x": [1, 2], "source": [5, 6], "target": [7, 8]}).write_parquet(tmp_path / "ties.pq")
    assert pairs(read(None, tmp_path / "ties.pq")) == [("5", "7"), ("6", "8")]


def test_dictionaries_and_missing_cells_of_parquet_are_text(tmp_path):
    frame = pd.DataFrame({"c": pd.Categorical(["b", None, "a"]), "n": pd.array([1, None, 2**60 + 1], dtype="Int64")})
    frame.to_parquet(tmp_path / "p.parquet")
    source = read(tmp_path / "p.parquet")
    assert cells(source, "c") == ["b", None, "a"]
    assert cells(source, "n") == ["1", None, str(2**60 + 1)]


def test_nested_and_damaged_parquet_is_refused(tmp_path):
    pl.DataFrame({"a": [[1], [2]]}).write_parquet(tmp_path / "nested.parquet")
    assert problems(tmp_path / "nested.parquet")[0].column == "a"
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "nested.parquet").read_bytes()[:40])
    assert "no Parquet file" in problems(tmp_path / "cut.parquet")[0].what


@pytest.fixture
def workbook(tmp_path):
    def write(*sheets, formats=None):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for number, rows in enumerate(sheets):
            sheet = book.create_sheet(f"sheet {number}")
            for row in rows:
                sheet.append(row)
            for place, shape in (formats or {}).items():
                sheet[place].number_format = shape
        book.save(tmp_path / "people.xlsx")
        return tmp_path / "people.xlsx"

    return write


def test_a_sheet_reads_as_one_sees_it(workbook):
    rows = [["id", "zip", "height", "on", "born", "town"], ["007", 211, 1.5, True, dt.date(1990, 1, 2), "Bern"],
            [], [8, 2139, 2.0, False, dt.date(1991, 3, 4), None]]
    source = read(workbook(rows, formats={"B2": "00000", "B4": "00000"}))
    assert cells(source, "id") == ["007", "8"]
    assert cells(source, "zip") == ["00211", "02139"]
    assert cells(source, "height") == ["1.5", "2"]
    assert cells(source, "on") == ["True", "False"]
    assert cells(source, "born") == ["1990-01-02", "1991-03-04"]
    assert cells(source, "town") == ["Bern", None]
    assert source.people.lines.tolist() == [2, 4]


def test_the_first_sheet_that_holds_anything_is_read(workbook):
    source = read(workbook([], [["id"], ["a"]], [["id"], ["b"]]))
    assert cells(source, "id") == ["a"]
    assert any("sheet 2" in warning for warning in source.report.warnings)


def test_ties_in_a_sheet_are_read(workbook):
    source = read(None, workbook([["from", "to"], [1, 2], [2, 3]]))
    assert pairs(source) == [("1", "2"), ("2", "3")]


def test_errors_formulas_and_lost_digits_of_a_sheet_are_told_at_once(workbook):
    found = problems(workbook([["id", "x"], [1234567890123456, 1], ["b", "#N/A"]]))
    assert [(problem.line, problem.column) for problem in found] == [(2, "id"), (3, "x")]
    found = problems(workbook([["id", "x"], ["a", 1], ["b", "=1+1"]]))
    assert [(problem.line, problem.column) for problem in found] == [(3, "x")]
    assert "formula" in found[0].what


def test_a_sheet_needs_column_names(workbook):
    assert "column 2 has no name" in problems(workbook([["id", None, "x"], [1, 2, 3]]))[0].what
    assert problems(workbook([["id", "id"], [1, 2]]))[0].column == "id"
    assert "empty" in problems(workbook([]))[0].what


def test_a_damaged_workbook_is_refused(workbook):
    path = workbook([["id"], ["a"]])
    path.write_bytes(path.read_bytes()[:200])
    assert "people.xlsx" in problems(path)[0].file


def test_a_graph_of_networkx_brings_people_and_ties():
    graph = nx.Graph()
    graph.add_node("007", age=31, town="Bern")
    graph.add_node(8, age=33)
    graph.add_edge("007", 8, weight=2)
    source = read(graph)
    assert cells(source, "id") == ["007", "8"]
    assert cells(source, "age") == ["31", "33"]
    assert cells(source, "town") == ["Bern", None]
    assert pairs(source) == [("007", "8")]
    assert source.ties.frame["weight"].tolist() == ["2"]
    assert (source.id, source.ties.directed, source.ties.weight) == ("id", False, "weight")


def test_a_directed_multigraph_keeps_its_rows_and_direction():
    source = read(nx.MultiDiGraph([(1, 2), (2, 1), (1, 2)]))
    assert pairs(source) == [("1", "2"), ("1", "2"), ("2", "1")]
    assert source.ties.directed is True


def test_nodes_that_read_alike_are_refused():
    assert "'7'" in problems(nx.Graph([(7, "7")]))[0].what


def test_an_attribute_of_networkx_may_name_the_people():
    graph = nx.path_graph(2)
    nx.set_node_attributes(graph, {0: "ann", 1: "bob"}, "name")
    assert pairs(read(graph, options=ReadOptions(id="name"))) == [("ann", "bob")]


def test_a_graph_of_igraph_brings_people_and_ties():
    graph = ig.Graph(edges=[(0, 1), (1, 2)], directed=True)
    graph.vs["age"] = [31, None, 35]
    source = read(graph)
    assert (source.id, source.ties.directed) == ("id", True)
    assert cells(source, "id") == ["0", "1", "2"]
    assert cells(source, "age") == ["31", None, "35"]
    graph.vs["name"] = ["a", "b", "c"]
    graph.es["weight"] = [1.5, 2.5]
    source = read(graph)
    assert (source.id, pairs(source)) == ("name", [("a", "b"), ("b", "c")])
    assert source.ties.frame["weight"].tolist() == ["1.5", "2.5"]
    graph.vs["name"] = ["a", "a", "c"]
    assert pairs(read(graph)) == [("0", "1"), ("1", "2")]


def test_a_graph_without_edges_has_no_ties():
    source = read(nx.empty_graph(3))
    assert pairs(source) == []
    assert pairs(read(ig.Graph(n=3))) == []


def test_text_of_a_parquet_file_that_is_no_text_is_refused(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    path = tmp_path / "people.parquet"
    parquet.write_table(pa.table({"id": ["abcdefgh", "b"]}), path, compression="NONE", use_dictionary=False)
    path.write_bytes(path.read_bytes().replace(b"abcdefgh", b"abc\xe5\x00fgh"))
    with pytest.raises(InputProblem, match="Parquet"):
        read(path)
