"""Ties as text: which columns, which first line, and no tie lost on the way."""

import pytest

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read


@pytest.fixture
def written(tmp_path):
    def write(content, name="ties.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


def pairs(source):
    return list(zip(source.ties.frame["source"], source.ties.frame["target"], strict=True))


def ties(path, people=None, **options):
    return read(people, path, options=ReadOptions(**options))


def problem(path, people=None, **options):
    with pytest.raises(InputProblem) as caught:
        ties(path, people, **options)
    return caught.value.problems[0]


@pytest.mark.parametrize("header", [
    "source,target", "Source,Target", "from,to", "FROM,TO", "ego,alter", "i,j", "id_1,id_2", "node_1,node_2",
    "Vertex 1,Vertex 2", "sender,receiver", "source_id,target_id", "person_a,person_b",
])
def test_known_names_of_ends_are_known(written, header):
    source = ties(written(f"{header}\na,b\nc,d\n"))
    assert pairs(source) == [("a", "b"), ("c", "d")]
    assert source.ties.lines.tolist() == [2, 3]
    assert source.people is None


def test_ends_are_found_among_other_columns(written):
    source = ties(written("date,from,to,weight\n2020-03-01,a,b,3\n2020-03-02,b,c,1\n"))
    assert pairs(source) == [("a", "b"), ("b", "c")]
    assert source.ties.weight == "weight"
    assert any("date dropped" in warning for warning in source.report.warnings)


@pytest.mark.parametrize("name", ["weight", "Value", "COUNT", "strength"])
def test_a_column_of_weights_is_known_by_its_name(written, name):
    assert ties(written(f"source,target,{name}\na,b,3\n")).ties.weight == name


def test_ends_and_weight_may_be_asked_for(written):
    path = written("x,y,z,w\na,b,c,1\nb,c,d,2\n")
    source = ties(path, source="y", target="z", weight="w")
    assert pairs(source) == [("b", "c"), ("c", "d")]
    assert source.ties.weight == "w"
    assert "[ties] source" in problem(path, header=True).fix


def test_a_column_that_is_not_there_is_named_with_those_that_are(written):
    found = problem(written("from,to\na,b\n"), source="sender")
    assert "sender" in found.what
    assert "'from', 'to'" in found.allowed


def test_a_column_that_bears_the_name_of_an_end_makes_room(written):
    source = ties(written("from,to,source\na,b,survey\n"))
    assert pairs(source) == [("a", "b")]
    assert "source (column)" in source.ties.frame.columns


def test_two_unknown_names_over_numbers_are_column_names(written):
    assert pairs(ties(written("follows,followed\n1,2\n3,4\n"))) == [("1", "2"), ("3", "4")]


def test_numbers_alone_are_ties_from_the_first_line_on(written):
    assert pairs(ties(written("1,2\n3,4\n"))) == [("1", "2"), ("3", "4")]


def test_ids_with_gaps_stay_names(written):
    assert pairs(ties(written("1000 1001\n1001 1002\n1002 50000\n", "ties.txt"))) == [
        ("1000", "1001"), ("1001", "1002"), ("1002", "50000")]


def test_a_first_line_whose_ends_come_again_is_a_tie(written):
    assert len(pairs(ties(written("anna,bo\nbo,cy\n")))) == 2


def test_known_names_that_also_come_again_are_ids_unless_nobody_bears_them(written):
    assert len(pairs(ties(written("n1,n2\nn2,n3\n")))) == 2
    source = ties(written("source,target\nsource,a\n"))
    assert pairs(source) == [("source", "a")]
    assert any("'source' is an end of a tie too" in warning for warning in source.report.warnings)


def test_the_ids_of_the_people_decide_about_the_first_line(written):
    everyone = written("id,age\na,31\nb,33\nc,35\nd,36\n", "people.csv")
    assert len(pairs(ties(written("a,b\nc,d\n"), everyone))) == 2
    assert len(pairs(ties(written("fan,star\na,b\nc,d\n"), everyone))) == 2


def test_without_evidence_the_reader_asks(written):
    path = written("anna,bo\ncy,di\n")
    found = problem(path)
    assert found.line == 1
    assert "--no-header" in found.fix
    assert len(pairs(ties(path, header=False))) == 2
    assert len(pairs(ties(path, header=True))) == 1


def test_a_word_about_names_is_about_the_ties_where_people_have_them(written):
    everyone = written("id,age\nanna,31\nbo,33\n", "people.csv")
    source = ties(written("anna,bo\n"), everyone, header=False)
    assert pairs(source) == [("anna", "bo")]
    assert list(source.people.frame.columns) == ["id", "age"]
    assert source.options.header is False


def test_in_a_list_with_blanks_the_first_line_is_a_tie(written):
    source = ties(written("anna bo\ncy di\n", "ties.txt"))
    assert len(pairs(source)) == 2
    assert any("--header" in warning for warning in source.report.warnings)


def test_blanks_and_tabs_in_any_number_stand_between_ends(written):
    source = ties(written("  a   b \n\tb\t c\n", "ties.txt"))
    assert pairs(source) == [("a", "b"), ("b", "c")]
    assert source.ties.lines.tolist() == [1, 2]


def test_quoted_names_with_blanks_are_one_end(written):
    source = ties(written('"George Keith" "W. Bradford"\n"W. Bradford" Fox\n', "ties.txt"))
    assert pairs(source) == [("George Keith", "W. Bradford"), ("W. Bradford", "Fox")]


def test_names_with_blanks_between_commas_are_one_end(written):
    assert pairs(ties(written("Source,Target\nGeorge Keith,George Fox\n"))) == [("George Keith", "George Fox")]


def test_a_third_number_is_a_weight(written):
    source = ties(written("a b 3\nb c 1\n", "ties.txt"))
    assert source.ties.weight == "weight"
    assert source.ties.frame["weight"].tolist() == ["3", "1"]


def test_a_matrix_given_as_ties_keeps_all_its_people(written):
    source = ties(written(";a;b;c\na;0;1;0\nb;1;0;0\nc;0;0;0\n"))
    assert pairs(source) == [("a", "b")]
    assert source.people.frame["id"].tolist() == ["a", "b", "c"]


def test_the_columns_that_hold_people_are_the_ends_of_a_list_without_names(written):
    everyone = written("id,age\nb,31\nc,33\n", "people.csv")
    assert pairs(ties(written("20 b c 3A\n40 c b 3B\n", "ties.txt"), everyone)) == [("b", "c"), ("c", "b")]


def test_signs_of_comments_inside_names_cut_nothing(written):
    source = ties(written("# who follows whom\nanna bo\nward#3 cy\nbo #team\ncy http://x.org/a#b\n", "u.txt"))
    assert pairs(source) == [("anna", "bo"), ("ward#3", "cy"), ("bo", "#team"), ("cy", "http://x.org/a#b")]
    assert source.report.counts["comment_lines"] == 1


def test_a_comment_that_may_be_a_tie_is_asked_about(written):
    path = written("anna bo\n#team bo\nbo cy\n", "u.txt")
    assert problem(path).line == 2
    assert ("#team", "bo") in pairs(ties(path, comment="none"))


def test_names_of_ends_in_a_comment_are_a_comment(written):
    path = written("# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n", "snap.txt")
    assert pairs(ties(path)) == [("0", "1"), ("1", "2")]


def test_an_empty_end_is_kept_for_whoever_judges_it(written):
    assert pairs(ties(written("source,target,reply\na,b,\nc,,d\n"))) == [("a", "b"), ("c", None)]


def test_names_without_ties_are_no_ties(written):
    source = ties(written("source,target\n"))
    assert pairs(source) == []


def test_one_cell_in_a_line_is_no_tie(written):
    assert "two ends" in problem(written("a\nb\n")).what


@pytest.mark.parametrize(("said", "directed"), [("Directed", True), ("undirected", False)])
def test_a_column_of_types_says_whether_ties_are_directed(written, said, directed):
    assert ties(written(f"Source,Target,Type\na,b,{said}\nb,c,{said}\n")).ties.directed is directed


def test_mixed_types_are_refused_until_an_option_says_which(written):
    path = written("Source,Target,Type\na,b,Directed\nb,c,Undirected\n")
    assert problem(path).line == 3
    assert ties(path, directed=True).ties.directed is None


def test_two_columns_of_one_name_are_refused(written):
    assert problem(written("source,target,w,w\na,b,1,2\n")).column == "w"


def test_names_that_come_again_are_refused(written):
    assert problem(written("source,target\na,b\nsource,target\n")).line == 3


def test_a_drafted_schema_may_name_the_ends_as_they_are_known_after_reading(written):
    assert len(pairs(ties(written("from,to\na,b\n"), source="source", target="target"))) == 1
    assert len(pairs(ties(written("1 2\n2 3\n", "t.txt"), source="source", target="target"))) == 2


def test_the_column_that_names_people_is_known_by_its_name(written):
    everyone = written("age,Node\n31,a\n33,b\n", "people.csv")
    assert ties(written("a,b\nb,a\n"), everyone).id == "Node"


def test_the_column_that_names_people_is_found_by_their_ties(written):
    everyone = written("age,who\n31,a\n33,b\n33,c\n", "people.csv")
    source = ties(written("from,to\na,b\n"), everyone)
    assert source.id == "who"
    assert any("'who' names the people" in note for note in source.report.notes)


def test_a_column_named_id_that_holds_no_end_gives_way_with_a_warning(written):
    everyone = written("id,days,new_id\n9001,3,1\n9002,3,2\n", "people.csv")
    source = ties(written("from,to\n1,2\n"), everyone)
    assert source.id == "new_id"
    assert any("'id' does not" in warning for warning in source.report.warnings)


def test_one_unknown_end_does_not_unseat_the_ids(written):
    everyone = written("id,age\n1,31\n2,33\n", "people.csv")
    assert ties(written("source,target\n1,2\n2,3\n"), everyone).id == "id"


def test_people_in_whom_no_end_is_found_are_refused(written):
    everyone = written("who,age\na,31\nb,33\n", "people.csv")
    assert "[people] id" in problem(written("from,to\nx,y\n"), everyone).fix


def test_an_id_that_is_asked_for_must_be_there(written):
    everyone = written("who,age\na,31\n", "people.csv")
    assert problem(written("from,to\na,b\n"), everyone, id="name").fix == "[people] id"


def test_people_and_ties_cannot_both_be_standard_input():
    assert "standard input" in problem("-", "-").what


def test_nothing_to_read_is_refused():
    with pytest.raises(InputProblem, match="no people"):
        read()
