"""Pajek: numbers are people, labels are not, and relations keep their names."""

import pytest
from readings import built, cells, graph, pairs, problems, said

FOUR = '*Vertices 4\n1 "p1"\n2 "p2"\n3 "p3"\n4 "p4"\n'


@pytest.fixture
def written(tmp_path):
    def write(text, name="people.net", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return write


def test_labels_that_differ_name_the_people(written):
    source = graph(written(FOUR + "*Edges\n1 2\n3 4 2.5\n"))
    assert cells(source) == ["p1", "p2", "p3", "p4"]
    assert pairs(source, "weight") == [("p1", "p2", "1"), ("p3", "p4", "2.5")]
    assert source.people.lines.tolist() == [2, 3, 4, 5]
    assert source.ties.lines.tolist() == [7, 8]
    assert (source.ties.directed, source.ties.weight) == (False, "weight")


def test_two_people_of_one_label_stay_two(written):
    source = graph(written('*Vertices 3\n1 "Ann"\n2 "Ann"\n3 "Bo"\n*Arcs\n1 3\n2 3\n'))
    assert cells(source) == ["1", "2", "3"]
    assert cells(source, "label") == ["Ann", "Ann", "Bo"]
    assert pairs(source) == [("1", "3"), ("2", "3")]
    assert "labels are missing or shared" in said(source)


def test_a_vertex_without_a_line_is_a_person(written):
    source = graph(written("*Vertices 5\n2 b\n*Edges\n1 5\n"))
    assert cells(source) == ["1", "2", "3", "4", "5"]
    assert cells(source, "label") == [None, "b", None, None, None]
    assert "4 vertices have no line of their own" in said(source)
    assert len(cells(graph(written("*Vertices 3\n*Arcs\n1 2\n")))) == 3


def test_sections_of_relations_are_no_people(written):
    source = graph(written(FOUR + '*Arcs :1 "advice"\n1 2 1\n3 4 1\n*Arcs :2 "friendship"\n1 2 2\n2 3 1\n'))
    assert len(cells(source)) == 4
    assert source.ties.frame["relation"].tolist() == ["advice", "advice", "friendship", "friendship"]
    assert "2 relations: advice (2), friendship (2)" in said(source)
    assert built(source).arcs.nnz == 3
    assert [built(source, name).arcs.nnz for name in ("advice", "friendship")] == [2, 2]


def test_a_line_may_name_its_relation_by_number(written):
    source = graph(written(FOUR + '*arcs :1 "advice"\n*arcs :2 "co-work"\n*arcs\n1:  1 2 1\n2: 3 4 1\n2:1 3\n7: 2 1\n1 4\n'))
    assert source.ties.frame["relation"].tolist() == ["advice", "co-work", "co-work", "7", "advice"]


def test_relations_of_one_name_stay_apart(written):
    source = graph(written(FOUR + '*Edges :1 "x"\n1 2\n*Edges :2 "x"\n3 4\n'))
    assert source.ties.frame["relation"].tolist() == ["x (1)", "x (2)"]


def test_lists_hold_a_tie_with_each_that_follows(written):
    source = graph(written(FOUR + "*Arcslist\n1 2 3\n4 1\n"))
    assert pairs(source) == [("p1", "p2"), ("p1", "p3"), ("p4", "p1")]
    assert source.ties.directed is True
    assert pairs(graph(written(FOUR + "*Edgeslist\n2 3 4\n"))) == [("p2", "p3"), ("p2", "p4")]


@pytest.mark.parametrize(("rows", "directed", "ties"), [
    ("0 1 0 0\n1 0 0 0\n0 0 0 2\n0 0 2 0\n", False, [("p1", "p2", "1"), ("p3", "p4", "2")]),
    ("0 1 0 0\n0 0 0 0\n0 0 0 1\n0 1 0 0\n", True, [("p1", "p2"), ("p3", "p4"), ("p4", "p2")]),
])
def test_a_matrix_holds_arcs_unless_it_mirrors_itself(written, rows, directed, ties):
    source = graph(written(f"{FOUR}*Matrix\n{rows}"))
    assert source.ties.directed is directed
    assert pairs(source, *(["weight"] if len(ties[0]) == 3 else [])) == ties


def test_a_matrix_of_another_size_is_refused(written):
    (problem,) = problems(written(FOUR + "*Matrix\n0 1\n1 0\n"))
    assert (problem.line, problem.allowed) == (7, "4 rows of 4")


def test_partitions_and_vectors_of_a_project_are_attributes(written):
    text = (f"% of a firm\n*Network firm.net\n{FOUR}*Arcs\n1 2\n*Partition office.clu\n% a town a number\n*Vertices 4\n1\n1\n2\n9999998\n"
            "*Vector age.vec\n*Vertices 4\n31\n33.5\n40\n41\n*Partition of others\n*Vertices 2\n1\n2\n*Permutation p\n*Vertices 4\n4\n3\n2\n1\n")
    source = graph(written(text, "firm.paj"))
    assert source.people.frame.columns.tolist() == ["id", "office", "age"]
    assert cells(source, "office") == ["1", "1", "2", None]
    assert cells(source, "age") == ["31", "33.5", "40", "41"]
    assert "partition 'of others' dropped: it has 2 values, the network 4 vertices" in said(source)
    assert "permutations dropped: 1" in said(source)
    assert source.report.counts["comment_lines"] == 2


def test_a_partition_cut_short_is_refused(written):
    (problem,) = problems(written(f"{FOUR}*Edges\n1 2\n*Partition x\n*Vertices 4\n1\n2\n"))
    assert (problem.line, problem.what) == (8, "the partition 'x' has 2 values")


def test_networks_among_the_same_people_are_relations(written):
    source = graph(written(f"*Network like.net\n{FOUR}*Arcs\n1 2\n*Network hate.net\n{FOUR}*Arcs\n3 4\n*Matrix\n0 0 0 0\n"
                           "0 0 1 0\n0 0 0 0\n0 0 0 0\n", "both.paj"))
    assert cells(source) == ["p1", "p2", "p3", "p4"]
    assert pairs(source, "relation") == [("p1", "p2", "like"), ("p3", "p4", "hate"), ("p2", "p3", "hate")]


@pytest.mark.parametrize("second", ["*Vertices 3\n", FOUR.replace("p4", "p5"), "*Vertices 4\n"])
def test_networks_of_other_people_are_not_mixed(written, second):
    (problem,) = problems(written(f"*Network a\n{FOUR}*Edges\n1 2\n*Network b\n{second}*Edges\n1 2\n"))
    assert problem.what == "holds 2 networks: 'a', 'b'"


def test_two_modes_are_told_apart(written):
    source = graph(written('*Vertices 6 4\n1 "w1"\n2 "w2"\n3 "w3"\n4 "w4"\n5 "party"\n6 "strike"\n*Edges\n1 5\n2 5\n3 6\n4 6\n'))
    assert source.modes.tolist() == ["1"] * 4 + ["2"] * 2
    assert "4 vertices of mode 1 and 2 of mode 2" in said(source)
    across = graph(written("*Vertices 3 2\n*Matrix\n1\n3\n"))
    assert pairs(across, "weight") == [("1", "3", "1"), ("2", "3", "3")]
    assert across.ties.directed is False
    projected = graph(written("*Vertices 3 2\n*Matrix\n1\n3\n"), project="1")
    assert (cells(projected), pairs(projected)) == (["1", "2"], [("1", "2")])


def test_what_is_only_drawn_or_timed_is_dropped_and_told(written):
    source = graph(written('*Vertices 2\n1 "Ann Lee" 0.1 0.2 0.5 ellipse ic Red x_fact 2 [1-5,7]\n2 Bo 0.3 0.4 box\n'
                           '*Arcs\n1 2 3 c Blue [2-*] l "likes"\n2 1\n'))
    assert cells(source) == ["Ann Lee", "Bo"]
    assert source.people.frame.columns.tolist() == ["id"]
    assert pairs(source, "weight", "label") == [("Ann Lee", "Bo", "3", "likes"), ("Bo", "Ann Lee", "1", None)]
    for told in ("coordinates dropped (vertices): 2", "shapes and colours dropped (vertices): 2",
                 "time intervals dropped (vertices): 1", "shapes and colours dropped (ties): 1",
                 "time intervals dropped (ties): 1", "label dropped"):
        assert told in said(source)


def test_marks_of_the_computer_it_came_from_do_not_matter(written):
    text = f"\ufeff*Network café [10-*]\r\n{FOUR.replace('p1', 'Zoë').replace(chr(10), chr(13) + chr(10))}*Edges\r\n1 2\r\n"
    assert cells(graph(written(text)))[0] == "Zoë"
    assert cells(graph(written(text[1:], encoding="cp1252")))[0] == "Zoë"
    assert cells(graph(written(text, encoding="utf-16")))[0] == "Zoë"
    assert cells(graph(written(text[1:], encoding="cp1250"), encoding="cp1250"))[0] == "Zoë"


def test_words_of_sections_are_read_in_any_case_and_file_name(written):
    assert len(cells(graph(written("% first\n\n*VERTICES 2\n*ARCS\n1 2\n", "people.txt")))) == 2


def test_an_empty_section_says_nothing_of_direction(written):
    assert graph(written(FOUR + "*Arcs\n*Edges\n1 2\n")).ties.directed is False
    assert graph(written(FOUR + "*Arcs\n")).ties.directed is None


def test_arcs_beside_edges_are_asked_about(written):
    path = written(FOUR + "*Arcs\n1 2\n*Edges\n3 4 2\n")
    (problem,) = problems(path)
    assert (problem.line, problem.what) == (9, "mixes directed and undirected ties")
    assert "--directed" in problem.fix
    assert pairs(graph(path, directed=True)) == [("p1", "p2"), ("p3", "p4"), ("p4", "p3")]
    assert pairs(graph(path, directed=False)) == [("p1", "p2"), ("p3", "p4")]


def test_loops_and_repeats_stay_until_they_are_counted(written):
    found = built(graph(written(FOUR + "*Edges\n1 2\n2 1\n3 3\n1 2\n")))
    assert found.ties.nnz == 2
    assert len(found.values) == 4


@pytest.mark.parametrize(("text", "line", "what"), [
    (FOUR + "*Edges\n1 9\n", 7, "there is no vertex 9"),
    (FOUR + "*Edges\n1 0\n", 7, "there is no vertex 0"),
    (FOUR + "*Edges\n1 p2\n", 7, "'p2' is no number of a vertex"),
    (FOUR + "*Edges\n1\n", 7, "a tie needs two vertices"),
    (FOUR + "*Edges\n1 2 1 soon\n", 7, "'soon' cannot be read after a tie"),
    (FOUR + "5 x\n", 6, "there is no vertex 5"),
    (FOUR + "4 again\n", 6, "vertex 4 has a line already, line 5"),
    ('*Vertices 1\n1 "Ann\n', 2, "a quotation mark is not closed, or stands inside a label"),
    ('*Vertices 1\n1 "Ann "An" Lee"\n', 2, "a quotation mark is not closed, or stands inside a label"),
    ("*Vertices 1\n1 Ann Lee\n", 2, "there is more than one word where the label stands"),
    ("*Vertices many\n", 1, "*Vertices does not say how many there are"),
    ("*Vertices 4 9\n", 1, "*Vertices 4 9 cannot be right"),
    ("*Vertices 99999999999\n", 1, "*Vertices 99999999999 cannot be right"),
    ("*Vertices 2\n*Events\nTI 1\n", 2, "the network is told as events in time, which are not read"),
    ("*Vertices 2\n*Rubbish\n", 2, "there is no section '*Rubbish'"),
    ("*Arcs\n1 2\n", 1, "*arcs stands before *Vertices"),
    ("*Network x\n1 2\n", 1, "holds no network"),
])
def test_what_cannot_be_read_is_told_with_its_line(written, text, line, what):
    problem = problems(written(text))[0]
    assert (problem.line, problem.what) == (line, what)


def test_all_problems_are_told_at_once(written):
    found = problems(written(FOUR + "*Edges\n" + "1 9\n" * 50))
    assert len(found) == 21
    assert found[-1].what == "and 30 more"


def test_the_first_line_of_a_vertex_may_be_kept(written):
    source = graph(written(FOUR + "4 again\n"), duplicate_nodes="first")
    assert cells(source) == ["p1", "p2", "p3", "p4"]
    assert source.report.counts["people_dropped"] == 1
