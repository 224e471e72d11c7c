"""Adjacency lists and matrices: whoever has no tie is there, and a table of people is no matrix."""

import io

import openpyxl
import pytest
from readings import built, cells, graph, pairs, problems, said

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read


@pytest.fixture
def written(tmp_path):
    def write(text, name):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_line_holds_a_person_and_all_who_are_tied_to_that_person(written):
    source = graph(written("# made by hand\nann bo ward#3\nbo\ncy di\n", "people.adjlist"))
    assert cells(source) == ["ann", "bo", "ward#3", "cy", "di"]
    assert pairs(source) == [("ann", "bo"), ("ann", "ward#3"), ("cy", "di")]
    assert (source.ties.directed, source.ties.lines.tolist()) == (None, [2, 2, 4])
    assert source.report.counts["comment_lines"] == 1
    assert "no tie stands in both lines" in said(source)
    assert graph(written("ann bo cy\n", "people.adjlist"), directed=True).ties.directed is True


def test_ties_that_stand_in_both_lines_have_no_direction(written):
    source = graph(written("a b c\nb a\nc a c\n", "people.adjlist"))
    assert (source.ties.directed, pairs(source)) == (False, [("a", "b"), ("a", "c"), ("c", "c")])
    some = graph(written("a b c\nb a\nc\n", "people.adjlist"))
    assert (some.ties.directed, len(pairs(some))) == (True, 3)


def test_the_comments_of_networkx_tell_what_it_is(written):
    source = graph(written("#/usr/bin/script\n# GMT Mon Jan  1 00:00:00 2024\n# karate\n1 2 3\n2\n3\n", "people.txt"))
    assert (cells(source), len(pairs(source))) == (["1", "2", "3"], 2)


def test_a_list_over_several_lines_is_refused(written):
    (problem,) = problems(written("# GMT\n1 2\n2 {'weight': 4}\n3 {}\n2 0\n3 0\n", "people.adjlist"))
    assert (problem.line, problem.what) == (2, "is a multiline adjacency list, which is not read")


def test_a_person_who_looks_like_a_comment_is_asked_about(written):
    path = written("a #team\n#team b\n# only said\n", "people.adjlist")
    (problem,) = problems(path)
    assert (problem.line, "--comment none" in problem.fix) == (2, True)
    assert pairs(graph(written("a #team\n#team b\n", "people.adjlist"), comment="none")) == [("a", "#team"), ("#team", "b")]


@pytest.mark.parametrize(("text", "delimiter"), [
    ("Ann Lee\tBo\tCy\nBo\n", None), ("Ann Lee,Bo,Cy\nBo,,\n", ","), ("Ann Lee|Bo|Cy\nBo\n", "|"),
])
def test_what_stands_between_people_is_found_or_told(written, text, delimiter):
    source = graph(written(text, "people.adjlist"), delimiter=delimiter)
    assert (cells(source), pairs(source)) == (["Ann Lee", "Bo", "Cy"], [("Ann Lee", "Bo"), ("Ann Lee", "Cy")])


def test_numbered_lists_carry_names_and_long_lines(written):
    text = "* of words\n* (two lines)\n1being:2 3\n2not being:1 3\\\n 4\n3thing:3\n4no-thing:\n"
    source = graph(written(text, "words_dat.txt"))
    assert (cells(source), cells(source, "name")) == (["1", "2", "3", "4"], ["being", "not being", "thing", "no-thing"])
    assert pairs(source) == [("1", "2"), ("1", "3"), ("2", "1"), ("2", "3"), ("2", "4"), ("3", "3")]
    assert source.ties.directed is True
    assert (source.report.counts["comment_lines"], source.report.counts["continued_lines"]) == (2, 1)
    assert len(built(source).values) == 4


def test_a_colon_behind_a_person_is_no_part_of_the_name(written):
    assert pairs(graph(written("ann lee: bo cy\nbo:\n", "people.adj"))) == [("ann lee", "bo"), ("ann lee", "cy")]
    assert pairs(graph(written("http://x b\nb\n", "people.adj"))) == [("http://x", "b")]


def test_times_of_day_are_no_adjacency_list(written):
    assert graph(written("time\n12:30\n12:45\n", "times.csv")).ties is None


def test_uneven_lines_are_told_to_look_like_an_adjacency_list(written):
    path = written("a b c\nb d\nc\nd a b c\n", "people.txt")
    for files in ((None, path), (path,)):
        with pytest.raises(InputProblem, match="--format 'adjacency list'"):
            read(*files)
    assert cells(graph(path, format="adjacency list")) == ["a", "b", "c", "d"]
    assert cells(graph(path, delimiter=","), "a b c") == ["b d", "c", "d a b c"]
    table = written("name\nann lee\nbo\ncy de roo\n", "people.csv")
    assert cells(graph(table), "name") == ["ann lee", "bo", "cy de roo"]


MATRIX = ";a;b;c;d\na;0;1;0;0\nb;1;0;0;0\nc;0;0;0;0\nd;0;0;0;0\n"


@pytest.mark.parametrize("text", [
    MATRIX, MATRIX.replace(";", ","), MATRIX.replace(";", "\t"), "\ufeff" + MATRIX.replace("\n", "\r\n"),
    MATRIX.replace(";", ",").replace("0", ""), '"";"a";"b";"c";"d"\n"a";0;1;0;0\n"b";1;0;0;0\n"c";0;0;0;0\n"d";0;0;0;0\n',
    "a b c d\na 0 1 0 0\nb 1 0 0 0\nc 0 0 0 0\nd 0 0 0 0\n", '"a","b","c","d"\n"a",0,1,0,0\n"b",1,0,0,0\n"c",0,0,0,0\n"d",0,0,0,0\n',
    "id,b,a,d,c\na,1,0,0,0\nb,0,1,0,0\nc,0,0,0,0\nd,0,0,0,0\n",
])
def test_a_matrix_in_any_dress_keeps_those_without_a_tie(written, text):
    source = graph(written(text, "matrix.csv"))
    assert (cells(source), pairs(source), source.ties.directed) == (["a", "b", "c", "d"], [("a", "b")], False)
    assert "2 people have no tie and stay" in said(source)
    found = built(source)
    assert (len(found.values), found.ties.nnz) == (4, 2)


def test_a_matrix_of_ties_goes_with_a_table_of_people(written):
    people = written("id,age\na,1\nb,2\nc,3\nd,4\n", "people.csv")
    source = read(people, written(MATRIX, "matrix.csv"))
    assert (cells(source), cells(source, "age"), pairs(source)) == (["a", "b", "c", "d"], ["1", "2", "3", "4"], [("a", "b")])
    others = read(written("id,age\na,1\nb,2\n", "few.csv"), written(MATRIX, "matrix.csv"))
    assert "2 people of the matrix not among the people given" in said(others)


def test_a_matrix_that_is_no_mirror_holds_arcs_with_weights(written):
    source = graph(written(",7,007,8\n7,0,2.5,0\n007,0,0,1\n8,1,0,9\n", "matrix.csv"))
    assert cells(source) == ["7", "007", "8"]
    assert pairs(source, "weight") == [("7", "007", "2.5"), ("007", "8", "1"), ("8", "7", "1"), ("8", "8", "9")]
    assert source.ties.directed is True
    assert "not its own mirror image" in said(source)


def test_a_mirrored_matrix_read_as_directed_holds_both_arcs(written):
    assert pairs(graph(written(MATRIX, "matrix.csv"), directed=True)) == [("a", "b"), ("b", "a")]


def test_half_a_matrix_is_mirrored_where_the_other_half_is_empty(written):
    source = graph(written(",a,b,c\na,,,\nb,1,,\nc,0,1,\n", "matrix.csv"))
    assert (pairs(source), source.ties.directed) == ([("a", "b"), ("b", "c")], False)
    zeros = graph(written(",a,b,c\na,0,0,0\nb,1,0,0\nc,0,1,0\n", "matrix.csv"))
    assert (len(pairs(zeros)), zeros.ties.directed) == (2, True)
    assert "one side of the diagonal" in said(zeros)


def test_an_empty_cell_beside_zeros_is_asked_about(written):
    path = written(",a,b,c\na,0,,0\nb,1,0,0\nc,0,1,0\n", "matrix.csv")
    (problem,) = problems(path)
    assert (problem.line, problem.column) == (2, "b")
    assert "--drop-incomplete-ties" in problem.fix
    assert len(pairs(graph(path, drop_incomplete_ties=True))) == 2


@pytest.mark.parametrize(("text", "what"), [
    (",a,b,c\na,0,x,0\nb,1,0,0\nc,0,1,0\n", "'x' is no number"),
    (",a,b,b\na,0,1,0\nb,1,0,0\nb,0,1,0\n", "2 columns of the matrix are named 'b'"),
    (",a,b,c,e\na,0,1,0,0\nb,1,0,0,0\nc,0,1,0,0\nd,0,0,0,0\n", "the row of 'd' has no column of the same name"),
    (",a,b,c,d\na,0,1,0,0\nb,1,0,0,0\nc,0,1,0,0\n", "the column of 'd' has no row of the same name"),
])
def test_a_matrix_that_is_not_whole_is_refused(written, text, what):
    assert problems(written(text, "matrix.csv"))[0].what == what


def test_a_square_of_numbers_is_a_matrix_by_guess(written):
    source = graph(written("0 1 0\n1 0 1\n0 1 0\n", "matrix.txt"))
    assert (cells(source), pairs(source)) == (["1", "2", "3"], [("1", "2"), ("2", "3")])
    assert "by guess" in said(source)
    named = graph(written("ann,bo,cy\n0,1,0\n1,0,1\n0,1,0\n", "matrix.csv"))
    assert (cells(named), pairs(named)) == (["ann", "bo", "cy"], [("ann", "bo"), ("bo", "cy")])
    numbered = graph(written("10,11,12\n0,1,0\n0,0,1\n0,0,0\n", "matrix.csv"))
    assert (cells(numbered), pairs(numbered)) == (["10", "11", "12"], [("10", "11"), ("11", "12")])


@pytest.mark.parametrize("text", [
    "id,age,zip\n1,2,3\n4,5,6\n", "id,a,b\na,0,1\nc,1,0\n", "a,b,c\n1,2,3\n4,5,6\n7,8,9\n", "id,smokes,drinks\n1,0,1\n2,1,0\n",
    "name,x,y,z\nann,0,0,0\nbo,0,0,1\ncy,0,1,0\n", "a,b,c\n0,1,1\n0,0,1\n0,1,0\n",
])
def test_a_table_of_people_is_no_matrix(written, text):
    source = graph(written(text, "people.csv"))
    assert source.ties is None
    assert len(source.people.frame) == text.count("\n") - 1


def test_a_matrix_in_a_workbook_is_read_like_one_in_text(written):
    book = openpyxl.Workbook()
    for row in ([None, 1, 2, 3], [1, 0, 1.0, None], [2, 1, 0, None], [3, None, None, None]):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    source = graph(written(stream.getvalue(), "matrix.xlsx"), drop_incomplete_ties=True)
    assert (cells(source), pairs(source), source.ties.directed) == (["1", "2", "3"], [("1", "2")], False)
    assert "sheet 'Sheet'" in said(source)


def test_a_table_that_may_be_a_list_of_ties_is_doubted(written):
    for text, name in (("from,to\na,b\nc,d\n", "ties.csv"), ("a b\nc d\ne f\n", "ties.txt")):
        source = read(written(text, name), options=ReadOptions())
        assert source.people is not None
        assert "looks like a list of ties" in said(source)


@pytest.mark.parametrize(("text", "name", "number"), [
    ("source,target\na,b\nc,d\n", "ties.csv", 2), ("Target;Source;weight\na;b;2\n", "ties.csv", 1),
    ("ego\talter\na\tb\nb\tc\n", "ties.tsv", 2), ("a b\nb #c\n", "ties.txt", 2), ("10 11\n11 99\n", "ties.edgelist", 2),
])
def test_a_file_of_ties_alone_is_read_as_ties_whatever_it_is_given_as(written, text, name, number):
    source = read(written(text, name), options=ReadOptions())
    assert (source.people, len(source.ties.frame)) == (None, number)
    assert "read as a list of ties, whose ends are the people; --id" in said(source)


@pytest.mark.parametrize("text", [
    "id,source,target\n1,a,b\n2,b,a\n", "start,end\n2001,2003\n2003,2004\n", "node from to\n1 2 3\n2 3 2\n", "age zip\n31 4051\n33 4052\n",
])
def test_a_table_of_people_stays_one(written, text):
    source = read(written(text, "people.csv"), options=ReadOptions())
    assert source.ties is None
    assert len(source.people.frame) == text.count("\n") - 1
    chosen = read(written("source,target\na,b\nc,d\n", "other.csv"), options=ReadOptions(id="source"))
    assert (chosen.ties, chosen.id) == (None, "source")
