"""Matrix Market: rows and columns are the same people, numbered, and all of them are there."""

import pytest
from readings import built, cells, graph, pairs, problems, said


@pytest.fixture
def written(tmp_path):
    def write(kind, body, name="people.mtx"):
        path = tmp_path / name
        path.write_text(f"%%MatrixMarket matrix {kind}\n{body}", encoding="utf-8")
        return path

    return write


def test_a_general_pattern_holds_arcs(written):
    source = graph(written("coordinate pattern general", "% comment\n\n4 4 3\n1 2\n2 3\n3 3\n"))
    assert cells(source) == ["1", "2", "3", "4"]
    assert pairs(source) == [("1", "2"), ("2", "3"), ("3", "3")]
    assert (source.ties.directed, source.ties.weight, source.ties.lines.tolist()) == (True, None, [5, 6, 7])
    found = built(source)
    assert (len(found.values), found.arcs.nnz) == (4, 2)


def test_a_general_matrix_whose_entries_all_have_mirrors_holds_ties(written):
    path = written("coordinate integer general", "3 3 4\n1 2 5\n2 1 5\n2 3 1\n3 2 1\n")
    source = graph(path)
    assert (source.ties.directed, pairs(source, "weight")) == (False, [("1", "2", "5"), ("2", "3", "1")])
    assert "its own mirror image" in said(source)
    assert len(pairs(graph(path, directed=True))) == 4


def test_a_symmetric_matrix_gives_each_tie_once(written):
    path = written("coordinate real symmetric", "3 3 2\n2 1 0.5\n3 1 1e2\n")
    source = graph(path)
    assert (source.ties.directed, pairs(source, "weight")) == (False, [("2", "1", "0.5"), ("3", "1", "1e2")])
    assert pairs(graph(path, directed=True)) == [("2", "1"), ("1", "2"), ("3", "1"), ("1", "3")]


def test_a_skew_matrix_has_an_arc_of_the_other_sign_back(written):
    source = graph(written("coordinate integer skew-symmetric", "2 2 1\n2 1 -3\n"))
    assert pairs(source, "weight") == [("2", "1", "-3"), ("1", "2", "3")]


def test_a_stored_zero_is_no_tie(written):
    source = graph(written("coordinate integer general", "3 3 2\n1 2 0\n2 3 1\n"))
    assert pairs(source) == [("2", "3")]
    assert "1 entry that is 0 read as no tie" in said(source)


def test_an_array_goes_column_by_column(written):
    source = graph(written("array integer general", "2 2\n0\n4\n0\n0\n"))
    assert pairs(source, "weight") == [("2", "1", "4")]
    source = graph(written("array integer symmetric", "3 3\n0\n1\n0\n0\n2\n0\n"))
    assert pairs(source, "weight") == [("1", "2", "1"), ("2", "3", "2")]
    assert pairs(graph(written("array integer skew-symmetric", "2 2\n5\n")), "weight") == [("2", "1", "5"), ("1", "2", "-5")]


@pytest.mark.parametrize(("kind", "body"), [
    ("coordinate pattern general", "2 3 2\n1 1\n2 3\n"), ("array integer general", "2 3\n1\n0\n0\n0\n0\n1\n"),
])
def test_a_rectangle_is_two_modes(written, kind, body):
    source = graph(written(kind, body))
    assert source.modes.tolist() == ["1", "1", "2", "2", "2"]
    assert pairs(source) == [("1", "3"), ("2", "5")]


def test_it_is_known_by_its_first_line_whatever_its_name(written):
    assert len(cells(graph(written("coordinate pattern symmetric", "3 3 1\n2 1\n", "people.txt")))) == 3


@pytest.mark.parametrize(("kind", "body", "line", "what"), [
    ("coordinate complex general", "", 1, "a complex number is no weight of a tie"),
    ("coordinate real", "", 1, "the first line does not say what kind of matrix follows"),
    ("coordinate real general", "3 3\n", 2, "the size of the matrix is not told"),
    ("coordinate real general", "", 1, "the size of the matrix is not told"),
    ("coordinate pattern general", "3 3 2\n1 2\n", 2, "announces 2 entries, but 1 follow"),
    ("coordinate pattern general", "3 3 1\n1 4\n", 3, "entry 1 4 lies outside the matrix"),
    ("coordinate pattern general", "3 3 1\n0 1\n", 3, "entry 0 1 lies outside the matrix"),
    ("coordinate pattern general", "3 3 1\n1 2 3\n", 3, "has 3 numbers"),
    ("coordinate real general", "3 3 1\n1 2 x\n", 3, "'x' is no number"),
    ("array real general", "2 2\n1\n2\n", 2, "announces 4 values, but 2 follow"),
    ("array real general", "2 2\n0\n2\nnan\n0\n", 5, "'nan' is no number"),
    ("coordinate pattern symmetric", "2 3 1\n1 1\n", 2, "a symmetric matrix has as many rows as columns"),
    ("array real general", "90000 90000\n1\n", 2, "90,000 by 90,000 with 8,100,000,000 entries is more than this file holds"),
    ("coordinate real general", "999999999999 999999999999 1\n1 1 1\n", 2,
     "999,999,999,999 by 999,999,999,999 with 1 entries is more than this file holds"),
])
def test_what_cannot_be_read_is_told_with_its_line(written, kind, body, line, what):
    problem = problems(written(kind, body))[0]
    assert (problem.line, problem.what) == (line, what)
