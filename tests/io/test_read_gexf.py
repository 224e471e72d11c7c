"""GEXF: one person for each node, whatever it looks like and whenever it was there."""

import gzip

import pytest
from readings import cells, graph, pairs, problems, said

from graphanon.inspection import inspect_source

NAMESPACES = {
    "1.1": 'xmlns="http://www.gexf.net/1.1draft"', "1.2": 'xmlns="http://www.gexf.net/1.2draft"',
    "1.3": 'xmlns="http://gexf.net/1.3"', "none": "",
}
PAIR = '<node id="a"/><node id="b"/>'


@pytest.fixture
def written(tmp_path):
    def write(nodes, edges="", head="", *, graph='defaultedgetype="undirected"', before="", root=NAMESPACES["1.3"]):
        path = tmp_path / "people.gexf"
        path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{before}<gexf {root} version="1.3"><graph {graph}>{head}\n'
                        f"<nodes>{nodes}</nodes>\n<edges>{edges}</edges></graph></gexf>\n", encoding="utf-8")
        return path

    return write


def attributes(*kinds, owner="node", more=""):
    listed = "".join(f'<attribute id="{i}" title="{title}" type="{kind}">{more}</attribute>'
                     for i, (title, kind) in enumerate(kinds))
    return f'<attributes class="{owner}">{listed}</attributes>'


def values(**given):
    listed = "".join(f'<attvalue for="{key[1:]}" value="{value}"/>' for key, value in given.items())
    return f"<attvalues>{listed}</attvalues>"


@pytest.mark.parametrize("root", NAMESPACES.values(), ids=NAMESPACES)
def test_people_and_ties_come_with_their_lines_in_every_version(written, root):
    source = graph(written(f'<node id="007">{values(_0=31)}</node>\n<node id="7" label="Bo"/>',
                           '<edge source="007" target="7"/>', attributes(("age", "integer")), root=root))
    assert (cells(source, "id"), cells(source, "age"), cells(source, "label")) == (["007", "7"], ["31", None], [None, "Bo"])
    assert pairs(source) == [("007", "7")]
    assert (source.people.lines.tolist(), source.ties.lines.tolist()) == ([3, 4], [5])
    assert source.ties.directed is False


def test_a_prefix_for_every_element_is_read_and_an_undeclared_viz_too(tmp_path):
    path = tmp_path / "g.gexf"
    path.write_text('<g:gexf xmlns:g="http://gexf.net/1.3"><g:graph><g:nodes><g:node id="a"><viz:size value="2"/></g:node>'
                    "</g:nodes></g:graph></g:gexf>")
    source = graph(path)
    assert cells(source, "id") == ["a"]
    assert "'size', 1 in all" in said(source)


def test_labels_are_suggested_to_be_hidden_and_metadata_is_only_named(written):
    path = written('<node id="1" label="Ann"/><node id="2" label="Ann"/><node id="3" label="Bo"/><node id="4" label="Bo"/>')
    path.write_text(path.read_text().replace("<graph", "<meta><creator>University X</creator></meta><graph"))
    source = graph(path)
    column = next(column for column in inspect_source(source).columns if column.name == "label")
    assert column.kind.role == "identifier"
    assert "'creator'" in said(source)
    assert "University X" not in said(source)


@pytest.mark.parametrize(("text", "kept"), [
    ("[de, fr]", '["de", "fr"]'), ("[fr, de, fr]", '["de", "fr"]'), ("fr|de", '["de", "fr"]'), ("fr;de", '["de", "fr"]'),
    ("[&quot;a, b&quot;, c]", '["a, b", "c"]'), ("de", '["de"]'), ("[]", "[]"), ("[1, 2", '["2", "[1"]'),
])
def test_lists_are_sets(written, text, kept):
    source = graph(written(f'<node id="a">{values(_0=text)}</node><node id="b"/>', head=attributes(("langs", "liststring"))))
    assert cells(source, "langs") == [kept, None]
    assert next(c for c in inspect_source(source).columns if c.name == "langs").as_json()["type"] == "set"


def test_a_default_is_a_value_and_nan_and_nothing_are_missing(written):
    head = attributes(("w", "double"), more="<default>2.5</default><options>1|2</options>") + \
        '<attributes class="node"><attribute id="t" title="t" type="string"/><attribute id="f" title="f" type="float"/></attributes>'
    source = graph(written('<node id="a"/><node id="b"><attvalues><attvalue for="0" value="1"/><attvalue for="t" value=""/>'
                           '<attvalue for="f" value="NaN"/></attvalues></node>', head=head))
    assert [cells(source, name) for name in ("w", "t", "f")] == [["2.5", "1"], [None, None], [None, None]]


def test_an_undeclared_attribute_is_told_with_its_line(written):
    path = written(f'<node id="a">{values(_0=31)}</node>\n<node id="b">{values(_9="x")}</node>', head=attributes(("age", "integer")))
    found = problems(path)
    assert (found[0].line, "'9'" in found[0].what, "--lenient" in found[0].fix) == (4, True, True)
    source = graph(path, lenient=True)
    assert (cells(source, "age"), "undeclared attribute 9: 1 values of nodes dropped" in said(source)) == (["31", None], True)


def test_attributes_of_one_title_are_one(written):
    head = attributes(("w", "string"), ("w", "integer"))
    source = graph(written(f'<node id="a">{values(_0="x")}</node><node id="b">{values(_1=2)}</node>', head=head))
    assert (cells(source, "w"), "several attributes are titled w" in said(source)) == (["x", "2"], True)


def test_an_attribute_titled_like_a_label_stays_beside_it(written):
    source = graph(written(f'<node id="a" label="Ann">{values(_0="x")}</node>', head=attributes(("label", "string"))))
    assert (cells(source, "label"), cells(source, "label (in file)")) == (["x"], ["Ann"])


def test_drawings_are_dropped_with_a_count(written):
    source = graph(written('<node id="a"><viz:color r="1" g="2" b="3"/><viz:position x="1" y="2"/></node>'
                           '<node id="b"><color xmlns="http://gexf.net/1.3/viz" r="1"/></node>',
                           root=NAMESPACES["1.3"] + ' xmlns:viz="http://gexf.net/1.3/viz"'))
    assert list(source.people.frame.columns) == ["id"]
    assert "'color', 'position', 3 in all" in said(source)


def test_everybody_who_was_there_at_any_time_counts_once(written):
    nodes = ('<node id="a" start="2001" end="2003"/><node id="b"><spells><spell start="1"/><spell start="5"/></spells></node>'
             '<node id="a" start="2007"/>')
    edges = '<edge source="a" target="b" start="1"/><edge source="a" target="b" start="5"/>'
    source = graph(written(nodes, edges, graph='mode="dynamic" timeformat="date"'))
    assert cells(source, "id") == ["a", "b"]
    assert list(source.people.frame.columns) == ["id"]
    assert len(pairs(source)) == 2
    assert inspect_source(source).ties == 1
    assert "collapsed over time" in said(source)
    assert "stands again for another time" in said(source)


def test_the_latest_of_several_values_is_kept_with_a_count(written):
    timed = ('<attvalues><attvalue for="0" value="9" start="10"/><attvalue for="0" value="2" start="9.5"/>'
             '<attvalue for="1" value="x" start="2009-01-02"/><attvalue for="1" value="y" start="2010-01-01"/>'
             '<attvalue for="1" value="z"/></attvalues>')
    source = graph(written(f'<node id="a">{timed}</node>', head=attributes(("n", "integer"), ("t", "string")), graph='mode="dynamic"'))
    assert (cells(source, "n"), cells(source, "t")) == (["9"], ["y"])
    assert "attribute 0 changes over time" in said(source)


def test_two_values_at_one_time_are_refused(written):
    twice = '<attvalues><attvalue for="0" value="1"/>\n<attvalue for="0" value="2"/></attvalues>'
    found = problems(written(f'<node id="a">{twice}</node>', head=attributes(("n", "integer"))))
    assert (found[0].line, "two values" in found[0].what) == (4, True)


@pytest.mark.parametrize("nodes", [
    '<node id="g" label="Ward"><nodes><node id="a"/><node id="b"/></nodes></node>',
    '<node id="g" label="Ward"/><node id="a" pid="g"/><node id="b" pid="g"/>',
    '<node id="g" label="Ward"/><node id="a"><parents><parent for="g"/></parents></node><node id="b" pid="g"/>',
])
def test_nodes_that_hold_others_are_groups_and_no_people(written, nodes):
    source = graph(written(nodes, '<edge source="a" target="b"/>'))
    assert (cells(source, "id"), pairs(source)) == (["a", "b"], [("a", "b")])
    assert "1 group node passed over" in said(source)
    found = problems(written(nodes, '\n<edge source="g" target="b"/>'))
    assert (found[0].line, "the group 'g'" in found[0].what) == (5, True)


def test_an_empty_list_of_nodes_makes_no_group(written):
    assert cells(graph(written('<node id="a"><nodes/></node>')), "id") == ["a"]


def test_a_pid_that_names_no_node_is_an_attribute(written):
    source = graph(written('<node id="a" pid="1"/><node id="b" pid="2"/><node id="c"/>'))
    assert (cells(source, "id"), cells(source, "pid")) == (["a", "b", "c"], ["1", "2", None])
    assert "pid names no node" in said(source)


def test_pids_of_which_some_name_a_node_are_refused(written):
    found = problems(written('<node id="a" pid="b"/>\n<node id="b" pid="7"/>'))
    assert (found[0].line, found[0].column) == (4, "pid")


@pytest.mark.parametrize(("default", "kind", "directed", "ends"), [
    ("undirected", None, False, [("a", "b")]), ("directed", None, True, [("a", "b")]), ("mutual", None, False, [("a", "b")]),
    ("undirected", "directed", True, [("a", "b")]), ("directed", "undirected", False, [("a", "b")]),
])
def test_an_edge_may_say_itself_whether_it_has_a_direction(written, default, kind, directed, ends):
    said_so = "" if kind is None else f' type="{kind}"'
    source = graph(written(PAIR, f'<edge source="a" target="b"{said_so}/>', graph=f'defaultedgetype="{default}"'))
    assert (source.ties.directed, pairs(source)) == (directed, ends)


def test_a_mutual_edge_among_arcs_goes_both_ways(written):
    edges = '<edge source="a" target="b" type="mutual" weight="2"/><edge source="b" target="a"/>'
    source = graph(written(PAIR, edges, graph='defaultedgetype="directed"'))
    assert (source.ties.directed, pairs(source)) == (True, [("a", "b"), ("b", "a"), ("b", "a")])
    assert source.ties.frame["weight"].tolist() == ["2", "1.0", "2"]


def test_mixed_directions_are_refused_until_an_option_says_which(written):
    path = written(PAIR, '<edge source="a" target="b" type="directed"/>\n<edge source="b" target="a"/>')
    found = problems(path)
    assert (found[0].line, "--directed" in found[0].fix) == (5, True)
    assert pairs(graph(path, directed=True)) == [("a", "b"), ("b", "a"), ("a", "b")]
    assert pairs(graph(path, directed=False)) == [("a", "b"), ("b", "a")]


def test_edges_need_no_id_and_carry_weights_and_relations(written):
    edges = (f'<edge source="a" target="b" weight="2.0" kind="friend" label="x">{values(_0="y")}</edge>'
             '<edge id="1" source="b" target="a"/>')
    source = graph(written(PAIR, edges, attributes(("note", "string"), owner="edge")))
    assert source.ties.weight == "weight"
    assert source.ties.frame["weight"].tolist() == ["2.0", "1.0"]
    assert source.ties.frame["relation"].tolist() == ["friend", None]
    assert "edges without a weight weigh 1, as GEXF means it (1)" in said(source)
    assert "note, label dropped" in said(source)


def test_a_count_that_is_wrong_is_told(written):
    path = written(PAIR)
    path.write_text(path.read_text().replace("<nodes>", '<nodes count="3">'))
    assert "announces 3 nodes and holds 2" in said(graph(path))


@pytest.mark.parametrize("declaration", [
    '<!DOCTYPE g [<!ENTITY a "0123456789"><!ENTITY b "&a;&a;&a;">]>\n', '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n',
])
def test_declared_entities_are_refused(written, declaration):
    assert "declares an entity" in problems(written(PAIR, before=declaration))[0].what


def test_all_problems_of_a_file_are_told_at_once(written):
    nodes = '<node/>\n<node id="b"><attvalues><attvalue value="1"/></attvalues></node>'
    found = problems(written(nodes, '<edge source="b" target="b" type="odd"/>\n', '<attributes class="x"/>'))
    assert [problem.line for problem in found] == [2, 3, 4, 5]


@pytest.mark.parametrize("text", [
    "<gexf><graph>", "<gexf></graph>", "<gexf/>", "<other><gexf/></other>", "<gexf><graph/>\n<graph/></gexf>",
    "<gexf><graph><nodes>" + '<node id="a"><nodes>' * 2000, "<gexf><graph>" + "<a>" * 5000,
    "<gexf><graph><nodes>" + "<node/>" * 5000 + "</nodes></graph></gexf>",
    "<gexf><graph><nodes>" + "".join(f'<node id="{i}" b{i}="1"/>' for i in range(30_000)) + "</nodes></graph></gexf>",
])
def test_what_is_no_graph_or_hostile_is_refused(tmp_path, text):
    path = tmp_path / "bad.gexf"
    path.write_text(text)
    assert problems(path)[0].file.endswith("bad.gexf")


def test_gexf_is_known_by_its_content_and_read_from_a_pack(written, tmp_path):
    text = written(PAIR).read_bytes()
    (tmp_path / "graph.xml").write_bytes(text)
    assert cells(graph(tmp_path / "graph.xml"), "id") == ["a", "b"]
    (tmp_path / "g.gexf.gz").write_bytes(gzip.compress(text))
    assert cells(graph(tmp_path / "g.gexf.gz"), "id") == ["a", "b"]


@pytest.mark.parametrize("version", ["1.1draft", "1.2draft"])
def test_what_networkx_writes_is_read(tmp_path, version):
    import networkx as nx

    made = nx.DiGraph()
    made.add_node(1, age=31, pid=7)
    made.add_node(2, age="x", viz={"size": 2.0})
    made.add_edge(1, 2, weight=2.5)
    nx.write_gexf(made, tmp_path / "nx.gexf", version=version)
    source = graph(tmp_path / "nx.gexf")
    assert [cells(source, name) for name in ("id", "age", "pid")] == [["1", "2"], ["31", "x"], ["7", None]]
    assert (pairs(source), source.ties.directed, source.ties.frame["weight"].tolist()) == ([("1", "2")], True, ["2.5"])
