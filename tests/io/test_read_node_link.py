"""Node-link JSON: what an end refers to is never guessed wrongly, and no number or name is lost."""

import gzip
import json

import pytest
from readings import cells, graph, pairs, problems, said

from graphanon.inspection import inspect_source


@pytest.fixture
def written(tmp_path):
    def write(thing, name="graph.json"):
        path = tmp_path / name
        path.write_text(thing if isinstance(thing, str) else json.dumps(thing), encoding="utf-8")
        return path

    return write


def linked(nodes, *ends, **more):
    return {"nodes": nodes, "links": [{"source": source, "target": target} for source, target in ends], **more}


def named(*ids):
    return [{"id": name} for name in ids]


def test_people_and_ties_come_with_their_lines(written):
    source = graph(written('{"directed": false,\n"nodes": [{"id": "007", "age": 31},\n\n {"id": "7é"}],\n"links": [\n'
                           '{"source": "007", "target": "7é"}]}\n'))
    assert (cells(source, "id"), cells(source, "age")) == (["007", "7é"], ["31", None])
    assert pairs(source) == [("007", "7é")]
    assert (source.people.lines.tolist(), source.ties.lines.tolist()) == ([2, 4], [6])
    assert (source.id, source.ties.directed) == ("id", False)


@pytest.mark.parametrize("name", ["links", "edges"])
def test_links_and_edges_are_the_same(written, name):
    source = graph(written({"edges" if name == "edges" else name: [{"source": 1, "target": 2}], "nodes": named(1, 2)}))
    assert pairs(source) == [("1", "2")]


def test_links_and_edges_together_must_agree(written):
    both = {"nodes": named(1, 2), "links": [{"source": 1, "target": 2}], "edges": [{"source": 1, "target": 2}]}
    source = graph(written(both))
    assert (pairs(source), "are the same" in said(source)) == ([("1", "2")], True)
    both["edges"].append({"source": 2, "target": 2})
    assert "they differ (1 links and 2 edges)" in problems(written(both))[0].what


def test_nodes_without_ids_are_named_by_their_places(written):
    source = graph(written(linked([{"name": "ann"}, {"name": "bo"}, {"name": "ann"}], (0, 2))))
    assert (cells(source, "id"), pairs(source)) == (["0", "1", "2"], [("0", "2")])
    assert "named by their places" in said(source)
    column = next(column for column in inspect_source(source).columns if column.name == "name")
    assert column.kind.role == "identifier"


@pytest.mark.parametrize("ends", [(0, 3), (-1, 0), ("0", 1), (0, 1.0), (0, True), (0, [1]), (0, 10**30)])
def test_ends_that_are_no_places_need_ids(written, ends):
    found = problems(written(linked([{"name": "ann"}, {"name": "bo"}, {"name": "cy"}], ends)))
    assert "nodes have no id" in found[0].what


def test_ends_that_are_names_need_the_option_that_says_so(written):
    path = written(linked([{"name": "ann"}, {"name": "bo"}], ("ann", "bo")))
    assert "--id name" in problems(path)[0].fix
    source = graph(path, id="name")
    assert (source.id, cells(source, "name"), pairs(source)) == ("name", ["ann", "bo"], [("ann", "bo")])


def test_places_can_be_renamed_by_an_attribute(written):
    assert pairs(graph(written(linked([{"name": "ann"}, {"name": "bo"}], (0, 1))), id="name")) == [("ann", "bo")]


def test_some_nodes_without_an_id_are_refused(written):
    found = problems(written('{"nodes": [{"id": 1},\n{"x": 2},\n{"id": null},\n{"id": ""},\n{"id": NaN}], "links": []}'))
    assert [problem.line for problem in found] == [2, 3, 4, 5]


def test_ends_that_are_ids_are_ids_even_where_they_could_be_places(written):
    assert pairs(graph(written(linked(named(3, 2, 1, 0), (0, 1), (2, 3))))) == [("0", "1"), ("2", "3")]
    assert pairs(graph(written(linked(named(3, 2, 1, 0), (0, 1))), ends="position")) == [("3", "2")]


def test_ends_that_could_be_places_beside_ids_of_text_are_places(written):
    source = graph(written(linked(named("ann", "bo"), (0, 1))))
    assert (pairs(source), "places in the list" in said(source)) == ([("ann", "bo")], True)


@pytest.mark.parametrize("ids", [(1, 2, 3), ("1", "2", "3")])
def test_ends_of_which_some_are_ids_and_all_could_be_places_need_an_option(written, ids):
    path = written(linked(named(*ids), (0, 1), (1, 2)))
    assert problems(path)[0].fix == "--ends id or --ends position"
    assert pairs(graph(path, ends="position")) == [("1", "2"), ("2", "3")]
    assert pairs(graph(path, ends="id")) == [("0", "1"), ("1", "2")]


def test_ends_asked_to_be_places_must_be(written):
    assert "no place" in problems(written(linked(named("a", "b"), ("a", "b"))), ends="position")[0].what


def test_a_number_and_a_text_that_read_alike_are_one_id_and_it_is_told(written):
    source = graph(written(linked([{"id": 1}, {"id": "3"}, {"id": [4, 0]}], ("1", 3), ("3", [4, 0]))))
    assert (cells(source, "id"), pairs(source)) == (["1", "3", "[4, 0]"], [("1", "3"), ("3", "[4, 0]")])
    assert "ids of mixed JSON type" in said(source)


def test_two_people_whose_ids_differ_in_quotes_alone_are_refused(written):
    found = problems(written('{"nodes": [{"id": 1},\n{"id": "1"}], "links": []}'))
    assert (found[0].line, "one as number and one as text" in found[0].what) == (2, True)


def test_an_object_is_no_id(written):
    assert "is an object" in problems(written('{"nodes": [{"id": {"a": 1}}], "links": []}'))[0].what


def test_numbers_stay_as_they_are_written(written):
    long = "1" + "0" * 5000
    source = graph(written(f'{{"nodes": [{{"id": {long}, "a": 5000000000000000001, "b": 1.50, "c": 1E400, "d": -0, "e": true}}], "links": []}}'))
    assert [cells(source, name)[0] for name in ("id", "a", "b", "c", "d", "e")] == [
        long, "5000000000000000001", "1.50", "1E400", "-0", "true"]


def test_null_nan_and_nothing_are_missing(written):
    source = graph(written('{"nodes": [{"id": 1, "a": null, "b": NaN, "c": "", "d": "NaN", "e": -Infinity}], "links": []}'))
    assert [cells(source, name)[0] for name in ("a", "b", "c", "d", "e")] == [None, None, None, "NaN", "-Infinity"]
    assert "'b' is NaN" in said(source)


def test_lists_and_objects_are_kept_as_text_and_told(written):
    source = graph(written('{"nodes": [{"id": 1, "langs": ["de", 1.0], "home": {"zip": "é", "n": [null, true]}}], "links": []}'))
    assert cells(source, "langs") == ['["de", 1.0]']
    assert cells(source, "home") == ['{"zip": "é", "n": [null, true]}']
    assert "'home' holds lists or objects" in said(source)


def test_a_name_that_stands_twice_is_refused_with_its_line(written):
    found = problems(written('{"nodes": [{"id": 1, "id": 2},\n{"id": 3, "a": {"b": 1, "b": 2}}],\n"links": [],\n"links": []}'))
    assert [(problem.line, problem.column) for problem in found] == [(1, "id"), (2, "b"), (4, "links")]


def test_missing_ends_wait_until_the_graph_is_built(written):
    assert pairs(graph(written({"nodes": named("a"), "links": [{"source": "a"}, {"target": "a"}]}))) == [("a", None), (None, "a")]


def test_parallel_links_weights_and_direction_come_as_they_are(written):
    made = linked(named("a", "b"), ("a", "b"), ("a", "b"), directed=True, multigraph=True, graph={"name": "ward"})
    made["links"][0] |= {"value": 8, "key": 0}
    source = graph(written(made))
    assert (pairs(source), source.ties.directed, source.ties.weight) == ([("a", "b"), ("a", "b")], True, "value")
    assert source.ties.frame["value"].tolist() == ["8", None]
    assert "'graph.name'" in said(source)
    assert "ward" not in said(source)


def test_an_edge_may_say_itself_whether_it_has_a_direction(written):
    made = linked(named("a", "b"), ("a", "b"), ("b", "a"))
    made["links"][0]["directed"] = True
    path = written(made)
    assert "--directed" in problems(path)[0].fix
    assert pairs(graph(path, directed=True)) == [("a", "b"), ("b", "a"), ("a", "b")]
    assert pairs(graph(path, directed=False)) == [("a", "b"), ("b", "a")]


def test_the_layout_of_d3_is_dropped_and_other_coordinates_are_attributes(written):
    drawn = [{"id": f"n{i}", "index": i, "x": 1.5, "y": 2, "vx": 0, "age": 3} for i in range(3)]
    source = graph(written(linked(drawn)))
    assert list(source.people.frame.columns) == ["id", "age"]
    assert "layout of d3 dropped: index, x, y, vx" in said(source)
    assert "x" in graph(written(linked([{"id": "a", "x": 1}]))).people.frame.columns


FLAVOURS = {
    "netJSON": {"type": "NetworkGraph", "protocol": "olsr", "version": "1", "metric": "etx",
                "nodes": [{"id": "a", "label": "Ann", "properties": {"age": 31}}, {"id": "b", "properties": {"age": 33}}],
                "links": [{"source": "a", "target": "b", "cost": 1.0, "properties": {"weight": 2}}]},
    "JSON Graph Format": {"graph": {"directed": False, "nodes": {
        "a": {"label": "Ann", "metadata": {"age": 31}}, "b": {"metadata": {"age": 33}}},
        "edges": [{"source": "a", "target": "b", "metadata": {"weight": 2}}]}},
    "JSON Graph Format 1": {"graph": {"nodes": [{"id": "a", "label": "Ann", "metadata": {"age": 31}}, {"id": "b", "metadata": {"age": 33}}],
                                      "edges": [{"source": "a", "target": "b", "metadata": {"weight": 2}}]}},
    "Cytoscape": {"elements": {"nodes": [{"data": {"id": "a", "label": "Ann", "age": 31}, "position": {"x": 1, "y": 2}},
                                         {"data": {"id": "b", "age": 33}, "selected": False}],
                               "edges": [{"data": {"source": "a", "target": "b", "weight": 2}}]}},
    "vis": {"nodes": [{"id": "a", "label": "Ann", "age": 31}, {"id": "b", "age": 33}], "edges": [{"from": "a", "to": "b", "weight": 2}]},
    "graphology": {"options": {"type": "undirected"}, "nodes": [
        {"key": "a", "attributes": {"label": "Ann", "age": 31}}, {"key": "b", "attributes": {"age": 33}}],
        "edges": [{"source": "a", "target": "b", "attributes": {"weight": 2}}]},
}


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_flavours_are_one_graph(written, flavour):
    source = graph(written(FLAVOURS[flavour]))
    assert [cells(source, name) for name in ("id", "label", "age")] == [["a", "b"], ["Ann", None], ["31", "33"]]
    assert set(source.people.frame.columns) == {"id", "label", "age"}
    assert pairs(source) == [("a", "b")]
    assert source.ties.frame["weight"].tolist() == ["2"]
    assert not source.ties.directed


def test_the_json_graph_format_means_arcs_where_it_says_nothing(written):
    source = graph(written({"graph": {"nodes": {"a": {}, "b": {}}, "edges": [{"source": "a", "target": "b"}]}}))
    assert (source.ties.directed, "means arcs" in said(source)) == (True, True)


def test_ends_may_have_other_names(written):
    path = written({"nodes": named("a", "b"), "links": [{"ego": "a", "alter": "b"}]})
    assert pairs(graph(path, source="ego", target="alter")) == [("a", "b")]


def test_nodes_may_be_their_ids_alone(written):
    assert pairs(graph(written(linked(["a", "b"], ("a", "b"))))) == [("a", "b")]


@pytest.mark.parametrize(("text", "line", "word"), [
    ('{"nodes": [{"id": 1}],\n"links": [}', 2, "well-formed"),
    ('{"nodes": [{"id": 1}\n{"id": 2}]}', 2, "a comma"),
    ('{"nodes": [{"id": 1},\n],"links": []}', 2, "comma stands before"),
    ('{"nodes": [],\n"links": []}\n{}', 3, "more text"),
    ('{"nodes": [],\nlinks: []}', 2, "double quotes"),
    ('{"nodes"\n[]}', 2, "colon"),
    ('{"nodes": [{"id": "a', 1, "unterminated"),
    ('{"nodes": [{"id": 1}]}', 1, "no list of links"),
    ('{"links": [{"source": 1, "target": 2}]}', 1, "no list of nodes"),
    ('[{"id": 1}]', 1, "no object with nodes"),
    ('{"0": ["Rock"]}', 1, "no list of nodes"),
    ('{"nodes": {},\n"links": 3}', 2, "'links' is no list"),
    ('{"nodes": [[1]],\n"links": [[0, 0]]}', 1, "node 1 is no object"),
    ('{"directed": "yes", "nodes": [], "links": []}', 1, "neither true nor false"),
    ('{"nodes": [{"id": 1}],\n"adjacency": [[{"id": 1}]]}', 2, "'adjacency'"),
    ('{"nodes": [], "edges": [],\n"hyperedges": [{"nodes": []}]}', 2, "hyperedge"),
    ('{"nodes": [{"id": "\\ud800"}], "links": []}', 1, "half a character"),
    ('{"nodes": [{"id": 1, "a\\u0000": 2}], "links": []}', 1, "a zero"),
    ('{"nodes": [], "links": []}\0', 1, "zero byte"),
])
def test_what_is_no_node_link_json_is_refused_with_its_line(written, text, line, word):
    found = problems(written(text))
    assert (found[0].line, word in found[0].what) == (line, True)


@pytest.mark.parametrize("text", [
    '{"nodes": ' + "[" * 1_000_000, '{"graph": ' * 100_000, '{"nodes": [{"id": 1, "a": ' + '{"a": ' * 100_000,
    '{"nodes": [' + "[]," * 100_000 + '{}], "links": []}',
    '{"nodes": [' + ",".join(f'{{"id": {i}, "a{i}": 1}}' for i in range(30_000)) + '], "links": []}',
])
def test_hostile_files_are_refused(written, text):
    assert problems(written(text))


def test_json_is_known_by_its_content_and_read_from_a_pack(written, tmp_path):
    made = linked(named("a", "b"), ("a", "b"))
    assert cells(graph(written(made, "graph.txt")), "id") == ["a", "b"]
    (tmp_path / "g.json.gz").write_bytes(gzip.compress(json.dumps(made).encode("utf-16")))
    source = graph(tmp_path / "g.json.gz")
    assert (cells(source, "id"), "unpacked from gzip" in said(source)) == (["a", "b"], True)


@pytest.mark.parametrize("edges", ["links", "edges"])
def test_what_networkx_writes_is_read(written, edges):
    import networkx as nx

    made = nx.MultiDiGraph()
    made.add_node(("a", 1), age=31, when=None)
    made.add_node(2)
    made.add_edges_from([(("a", 1), 2), (("a", 1), 2)], weight=0.1)
    source = graph(written(nx.node_link_data(made, edges=edges)))
    assert (cells(source, "id"), cells(source, "age"), cells(source, "when")) == (['["a", 1]', "2"], ["31", None], [None, None])
    assert (pairs(source), source.ties.directed) == ([('["a", 1]', "2")] * 2, True)
    assert source.ties.frame["weight"].tolist() == ["0.1", "0.1"]
