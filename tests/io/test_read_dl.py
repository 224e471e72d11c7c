"""UCINET DL: as many people as the head says, by whatever name, in matrices and in lists."""

import pytest
from readings import built, cells, graph, pairs, problems, said


@pytest.fixture
def written(tmp_path):
    def write(text, name="people.dl"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_full_matrix_that_mirrors_itself_holds_ties(written):
    source = graph(written("dl n=3 format=fullmatrix\nlabels:\nann,bo cy\ndata:\n0 1 0\n1 0 2\n0 2 0\n"))
    assert cells(source) == ["ann", "bo", "cy"]
    assert pairs(source, "weight") == [("ann", "bo", "1"), ("bo", "cy", "2")]
    assert source.ties.directed is False
    assert source.people.lines.tolist() == [3, 3, 3]
    assert source.ties.lines.tolist() == [5, 6]


def test_any_other_full_matrix_holds_arcs(written):
    source = graph(written("DL\nN = 3\nDATA:\n0,1,0\n0,0,1\n1,1,0\n"))
    assert cells(source) == ["1", "2", "3"]
    assert pairs(source) == [("1", "2"), ("2", "3"), ("3", "1"), ("3", "2")]
    assert source.ties.directed is True


def test_a_matrix_may_run_over_lines_and_lack_its_diagonal(written):
    source = graph(written("dl n=3, diagonal=absent\ndata:\n1 0 1\n0 0\n0\n"))
    assert pairs(source) == [("1", "2")]
    assert built(source).ties.nnz == 2
    assert pairs(graph(written("dl n=3 diagonal absent data:\n1 1\n1 0\n1 0"))) == [("1", "2"), ("1", "3")]


@pytest.mark.parametrize(("half", "rows"), [
    ("upperhalf", "0 1 0\n0 1\n0\n"), ("lowerhalf", "0\n1 0\n0 1 0\n"),
    ("upperhalf diagonal=absent", "1 0\n1\n"), ("lowerhalf diagonal=absent", "1\n0 1\n"),
])
def test_half_a_matrix_is_its_own_mirror(written, half, rows):
    source = graph(written(f"dl n=3 format={half}\ndata:\n{rows}"))
    assert pairs(source) == [("1", "2"), ("2", "3")]
    assert source.ties.directed is False


def test_embedded_labels_of_a_matrix_name_rows_and_columns_in_any_order(written):
    source = graph(written('dl n=3\nlabels embedded\ndata:\n     cy ann "bo b"\nann  0 0 1\n"bo b" 1 0 0\ncy 0 0 0\n'))
    assert sorted(cells(source)) == ["ann", "bo b", "cy"]
    assert sorted(pairs(source)) == [("ann", "bo b"), ("bo b", "cy")]


def test_lists_of_edges_hold_arcs_by_label_or_number(written):
    source = graph(written("DL n=4\nformat = edgelist1\nlabels embedded:\ndata:\nR1 C1\nR1 C5 2.5\n\nC5 x\n"))
    assert cells(source) == ["R1", "C1", "C5", "x"]
    assert pairs(source, "weight") == [("R1", "C1", "1"), ("R1", "C5", "2.5"), ("C5", "x", "1")]
    assert (source.ties.directed, source.ties.lines.tolist()) == (True, [5, 6, 8])
    source = graph(written("dl n=3 format=edgelist1 labels:\na\nb\nc\ndata:\n1 2\n3,1\n"))
    assert pairs(source) == [("a", "b"), ("c", "a")]


def test_lists_of_nodes_hold_an_arc_to_each_that_follows(written):
    source = graph(written("dl n=4 format=nodelist1\ndata:\n1 2 3\n2 1\n4\n"))
    assert pairs(source) == [("1", "2"), ("1", "3"), ("2", "1")]
    assert len(cells(source)) == 4


def test_whom_nothing_names_is_a_person_all_the_same(written):
    source = graph(written("dl n=4 format=edgelist1 labels embedded data:\nann bo\n"))
    assert cells(source) == ["ann", "bo", "3", "4"]
    assert "2 people have no label and no tie" in said(source)


def test_several_matrices_are_as_many_relations(written):
    text = "dl n=2 nm=2\nmatrix labels:\nlike hate\ndata:\n0 1\n0 0\n\n0 1\n1 0\n"
    source = graph(written(text))
    assert pairs(source, "relation") == [("1", "2", "like"), ("1", "2", "hate"), ("2", "1", "hate")]
    assert source.ties.directed is True
    assert "2 relations: like (1), hate (2)" in said(source)
    lists = graph(written("dl n=3 nm=2 format=edgelist1 data:\n1 2\n!\n2 3\n"))
    assert pairs(lists, "relation") == [("1", "2", "1"), ("2", "3", "2")]


def test_two_people_of_one_label_stay_two(written):
    source = graph(written("dl n=3 format=edgelist1 labels: ann ann bo data:\n1 3\n2 3\n"))
    assert (cells(source), cells(source, "label")) == (["1", "2", "3"], ["ann", "ann", "bo"])


def test_rows_and_columns_of_other_names_are_two_modes(written):
    source = graph(written("dl nr=2 nc=3\nrow labels:\nann,bo\ncolumn labels:\nx,y,z\ndata:\n1 0 0\n0 0 2\n"))
    assert source.modes.tolist() == ["1", "1", "2", "2", "2"]
    assert pairs(source, "weight") == [("ann", "x", "1"), ("bo", "z", "2")]
    listed = graph(written("dl nr=2 nc=2 format=edgelist2 labels embedded data:\nann x\nbo y\n"))
    assert (cells(listed), listed.modes.tolist()) == (["ann", "bo", "x", "y"], ["1", "1", "2", "2"])
    numbered = graph(written("dl nr=2 nc=3 data:\n1 0 0\n0 0 2\n"))
    assert cells(numbered) == ["1", "2", "3", "4", "5"]


def test_rows_and_columns_of_the_same_names_are_one(written):
    same = "row labels: a b\ncolumn labels: a b\ndata:\n0 1\n1 0\n"
    assert cells(graph(written("dl nr=2 nc=2 " + same))) == ["a", "b"]
    assert graph(written("dl nr=2 nc=2 " + same)).modes is None
    (problem,) = problems(written("dl nr=2 nc=2 data:\n0 1\n1 0\n"))
    assert "whether rows and columns are the same people" in problem.what
    assert "n=" in problem.fix


def test_a_cell_that_is_not_known_is_asked_about(written):
    path = written("dl n=3 data:\n0 NA 0\n1 0 0\n0 0 0\n")
    (problem,) = problems(path)
    assert (problem.line, "--drop-incomplete-ties" in problem.fix) == (2, True)
    assert pairs(graph(path, drop_incomplete_ties=True)) == [("2", "1")]


def test_it_is_known_by_its_head_whatever_its_name(written):
    assert len(cells(graph(written("  dl\n  n=2\nformat=el1\ndata: 1 2\n", "people.txt")))) == 2


@pytest.mark.parametrize(("text", "line", "what"), [
    ("dl n=2 format=edgelist1 data:\n1 3\n", 2, "there is nobody numbered '3'"),
    ("dl n=2 format=edgelist1 labels embedded data:\na b\nb c\n", 3, "'c' is one person more than the head says"),
    ("dl n=2 format=edgelist1 data:\n1 2 x\n", 2, "the weight 'x' is no number"),
    ("dl n=2 format=edgelist1 data:\n1\n", 2, "has 1 cells"),
    ("dl n=2 format=edgelist1 data:\n1 2\n!\n1 2\n", 3, "another matrix begins"),
    ("dl n=2 data:\n0 1 1\n", 2, "the data have 3 cells"),
    ("dl n=2 data:\n0 1\nx 0\n", 3, "'x' is no number"),
    ("dl n=3 labels:\na b\ndata:\n", 2, "2 labels are given for people"),
    ("dl n=2 labels embedded data:\na b\na 0 1\na 1 0\n", 3, "two people are labelled 'a'"),
    ("dl n=2 format=rankedlist1 data:\n1 2\n", 1, "format=rankedlist1 is not read"),
    ("dl n=99999999999 data:\n", 1, "n=99999999999 cannot be right"),
    ("dl n=2 nr=3 data:\n", 1, "the head gives n beside nr or nc"),
    ("dl nm=2 data:\n", 1, "the head does not say how many people there are"),
    ("dl n=2\nfoo=3\ndata:\n", 2, "'foo' is unknown in the head of DL"),
    ("dl n=2\n", 1, "the head ends without data"),
])
def test_what_cannot_be_read_is_told_with_its_line(written, text, line, what):
    problem = problems(written(text))[0]
    assert (problem.line, problem.what) == (line, what)
