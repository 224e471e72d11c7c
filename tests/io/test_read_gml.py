"""GML: identity is the id, text is text, and an edge may repeat."""

import gzip

import pytest
from readings import cells, graph, pairs, problems, said

from graphanon.inspection import inspect_source


@pytest.fixture
def written(tmp_path):
    def write(text, encoding="utf-8", name="people.gml"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_people_and_ties_come_with_their_lines(written):
    source = graph(written("graph [\n node [ id 007 age 31 ]\n node [\n  id 7\n ]\n edge [ source 007 target 7 ]\n]\n"))
    assert (cells(source, "id"), cells(source, "age")) == (["007", "7"], ["31", None])
    assert pairs(source) == [("007", "7")]
    assert (source.people.lines.tolist(), source.ties.lines.tolist()) == ([2, 3], [6])
    assert (source.id, source.ties.directed) == ("id", False)


def test_a_label_may_be_missing_or_shared_and_is_suggested_to_be_hidden(written):
    body = "".join(f"node [ id {i}{label} ]\n" for i, label in enumerate(["", ' label "Ann"', ' label "Ann"', ' label "Bo"'] * 2))
    source = graph(written(f"graph [ {body} edge [ source 0 target 1 ] ]"))
    assert cells(source, "label") == [None, "Ann", "Ann", "Bo"] * 2
    column = next(column for column in inspect_source(source).columns if column.name == "label")
    assert (column.kind.role, "label" in column.kind.why) == ("identifier", True)


def test_repeated_edges_stay_as_they_are(written):
    edges = "edge [ source 1 target 2 ] edge [ source 2 target 1 ] edge [ source 1 target 2 value 3 ]"
    source = graph(written(f"graph [ node [ id 1 ] node [ id 2 ] {edges} ]"))
    assert pairs(source) == [("1", "2"), ("2", "1"), ("1", "2")]
    assert (source.ties.weight, source.ties.frame["value"].tolist()) == ("value", [None, None, "3"])


def test_numbers_stay_as_they_are_written(written):
    source = graph(written("graph [ node [ id 1.0 a 10.50 b -1e5 c 123456789012345678901 d NAN e +INF ] ]"))
    assert [cells(source, name)[0] for name in ("id", "a", "b", "c", "d", "e")] == [
        "1.0", "10.50", "-1e5", "123456789012345678901", None, "+INF"]
    assert "'d' is NaN" in said(source)


def test_entities_of_html_are_decoded_and_unknown_ones_kept(written):
    source = graph(written('graph [ node [ id 1 a "Caf&eacute; &amp; O&apos;Neil &#252; &nobody; &amp;lt; & x" b "" ] ]'))
    assert cells(source, "a") == ["Café & O'Neil ü &nobody; &lt; & x"]
    assert cells(source, "b") == [None]
    assert "an entity that nobody knows" in said(source)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_text_is_read_in_the_encoding_that_the_bytes_show(written, encoding):
    source = graph(written('graph [ node [ id 1 label "Zoë Müller" ] ]', encoding))
    assert cells(source, "label") == ["Zoë Müller"]


def test_another_encoding_can_be_named(written):
    path = written('graph [ node [ id 1 label "Łódź" ] ]', "iso-8859-2")
    assert "--encoding" in problems(path)[0].fix
    assert cells(graph(path, encoding="iso-8859-2"), "label") == ["Łódź"]


def test_a_key_that_stands_several_times_is_a_list(written):
    source = graph(written('graph [ node [ id 1 x "b" x 2 x "a" ] node [ id 2 x "_networkx_list_start" x "b" ] node [ id 3 x "c" ] ]'))
    assert cells(source, "x") == ['["b", "2", "a"]', '["b"]', "c"]
    assert "'x' stands several times in 2 nodes" in said(source)


def test_records_become_attributes_and_drawings_are_dropped_with_a_count(written):
    body = ('node [ id 1 graphics [ x 1.5 fill "#aabbcc" center [ x 1 ] ] home [ city "Bern" zip [ code "3000" ] ] ]'
            ' node [ id 2 LabelGraphics [ text "Ann" ] graphics [ y 2 ] ]')
    source = graph(written(f"graph [ {body} ]"))
    assert list(source.people.frame.columns) == ["id", "home.city", "home.zip.code"]
    assert cells(source, "home.city") == ["Bern", None]
    assert "drawings (graphics) dropped, 2 times" in said(source)
    assert "drawings (LabelGraphics) dropped, 1 times" in said(source)
    assert "Ann" not in said(source)


def test_what_is_said_of_the_file_is_named_and_not_read(written):
    text = 'Creator "lab of X"\nVersion 1\n# a comment\ngraph [ comment "ward 3" hierarchic 1 style [ a 1 ] node [ id 1 ] ]\n'
    source = graph(written(text))
    assert list(source.people.frame.columns) == ["id"]
    assert "'Creator', 'Version', 'comment', 'hierarchic', 'style'" in said(source)
    assert "lab of X" not in said(source)


def test_comments_are_passed_over_wherever_they_stand(written):
    text = '#head\ngraph [ # here\n node [ # and here\n id 1\n # label "x"\n ]\n node [ id 2 label "a # b" ]\n]'
    source = graph(written(text))
    assert (cells(source, "id"), cells(source, "label")) == (["1", "2"], [None, "a # b"])


@pytest.mark.parametrize(("word", "directed"), [("directed 1", True), ("directed 0", False), ("", False)])
def test_the_file_says_whether_ties_have_a_direction(written, word, directed):
    assert graph(written(f"graph [ {word} node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]")).ties.directed is directed


def test_brackets_may_stand_anywhere_and_names_of_elements_in_any_case(written):
    source = graph(written('Graph\n[\nNode\n[\nID 1\nlabel"x"]node[id 2]\nedge[source 1 target 2]]'))
    assert (cells(source, "id"), cells(source, "label"), pairs(source)) == (["1", "2"], ["x", None], [("1", "2")])
    assert "'ID' of nodes read as id" in said(source)


def test_groups_of_yed_are_no_people(written):
    nodes = 'node [ id 0 label "Ward" isGroup 1 ] node [ id 1 gid 0 ] node [ id 2 ]'
    source = graph(written(f"graph [ {nodes} edge [ source 1 target 2 ] ]"))
    assert cells(source, "id") == ["1", "2"]
    assert "1 group node passed over" in said(source)
    found = problems(written(f"graph [ {nodes}\nedge [ source 0 target 2 ] ]"))
    assert (found[0].line, "'0'" in found[0].what) == (2, True)


def test_an_edge_may_miss_an_end_until_the_graph_is_built(written):
    assert pairs(graph(written("graph [ node [ id 1 ] edge [ source 1 ] edge [ target 1 ] ]"))) == [("1", None), (None, "1")]


def test_a_label_can_be_chosen_as_the_id(written):
    path = written('graph [ node [ id 1 label "a" ] node [ id 2 label "b" ] edge [ source 1 target 2 ] ]')
    assert pairs(graph(path, id="label")) == [("a", "b")]


def test_all_problems_of_a_file_are_told_at_once(written):
    found = problems(written(
        'graph [\n node [ label "x" ]\n node [ id 1 id 2 ]\n node [ id 3 job nurse ]\n edge [ source 1 source 2 target 3 ]\n'
        ' directed 2\n]\ngraph [ ]'))
    assert [problem.line for problem in found] == [2, 3, 4, 5, 6, 8]
    assert "quotes" in found[2].fix


@pytest.mark.parametrize(("text", "line", "word"), [
    ("graph [\n node [ id 1 ]\n", 1, "not closed"),
    ("graph [\n node [ id 1\n", 2, "not closed"),
    ("graph [ ]\n]", 2, "closing bracket too many"),
    ('graph [\n node [ id 1 label "a ] ]', 2, "does not end"),
    ('graph [\n node [ id 1 label "a "b" c" ] ]', 2, "goes on behind its end"),
    ("graph [\n node [ id 1 label ] ]", 2, "no value"),
    ("graph [\n node [ 1 id ] ]", 2, "a name of an attribute is expected"),
    ("graph [\n graph [ node [ id 1 ] ] ]", 2, "inside a graph"),
    ("graph [\n node [ id 1 graph [ ] ] ]", 2, "inside a node"),
    ('graph [\n node [ id 1 label "a\0" ] ]', 2, "zero byte"),
    ("graph [\n directed ]", 2, "no value"),
])
def test_what_is_not_built_as_gml_is_refused_with_its_line(written, text, line, word):
    found = problems(written(text))
    assert (found[0].line, word in found[0].what) == (line, True)


def test_a_file_without_a_graph_is_refused(written):
    assert "no GML file" in problems(written("Version 1\n"))[0].what
    assert "no GML file" in problems(written(" "))[0].what


@pytest.mark.parametrize("text", [
    "graph [ node [ " + "a [ " * 5000, "graph [ " * 5000, "graph [ " + "[" * 100_000, "graph [ " + "node [ id x ] " * 20_000 + "]",
    "graph [ node [ id 1 " + '"a' * 1_000_000, "graph [ node [ " + "a 1 " * 1_000_000 + "] ]",
    "graph [ " + " ".join(f"node [ id {i} a{i} 1 ]" for i in range(30_000)) + " ]",
])
def test_hostile_files_are_refused(written, text):
    assert problems(written(text))


def test_gml_is_known_by_its_content_and_read_from_a_pack(written, tmp_path):
    text = 'Creator "x"\ngraph [ node [ id 1 ] ]'
    assert cells(graph(written(text, name="graph.txt")), "id") == ["1"]
    (tmp_path / "g.gml.gz").write_bytes(gzip.compress(text.encode()))
    source = graph(tmp_path / "g.gml.gz")
    assert (cells(source, "id"), "unpacked from gzip" in said(source)) == (["1"], True)


def test_what_networkx_and_igraph_write_is_read(tmp_path):
    import igraph as ig
    import networkx as nx

    made = nx.MultiDiGraph()
    made.add_node("Zoë", age=31, tags=["a", "b"], job='"x" & y')
    made.add_node("b", age=33)
    made.add_edges_from([("Zoë", "b"), ("Zoë", "b")])
    nx.write_gml(made, tmp_path / "nx.gml")
    source = graph(tmp_path / "nx.gml")
    assert (cells(source, "label"), cells(source, "tags"), cells(source, "job")) == (
        ["Zoë", "b"], ['["a", "b"]', None], ['"x" & y', None])
    assert (pairs(source), source.ties.directed) == ([("0", "1"), ("0", "1")], True)
    other = ig.Graph([(0, 1)], vertex_attrs={"name": ["a", "b"], "age": [31, None]})
    other.write_gml(str(tmp_path / "ig.gml"))
    source = graph(tmp_path / "ig.gml")
    assert (cells(source, "name"), cells(source, "age"), len(pairs(source))) == (["a", "b"], ["31", None], 1)
