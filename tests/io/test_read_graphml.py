"""GraphML: persons are the leaves, values stay text, and nothing from outside is opened."""

import gzip

import pytest
from readings import cells, graph, pairs, problems

from graphanon.errors import InputProblem
from graphanon.io import read

NAMESPACE = 'xmlns="http://graphml.graphdrawing.org/xmlns"'


@pytest.fixture
def written(tmp_path):
    def write(body, keys="", default="undirected", root=NAMESPACE, before=""):
        path = tmp_path / "people.graphml"
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n{before}<graphml {root}>\n{keys}\n'
        path.write_text(f'{text}<graph edgedefault="{default}">\n{body}\n</graph></graphml>\n', encoding="utf-8")
        return path

    return write


AGE = '<key id="d0" for="node" attr.name="age" attr.type="int"/>'


def test_people_and_ties_come_with_their_lines(written):
    source = graph(written('<node id="007"><data key="d0">31</data></node>\n<node id="7"/>\n'
                           '<edge source="007" target="7"/>', AGE))
    assert cells(source, "id") == ["007", "7"]
    assert cells(source, "age") == ["31", None]
    assert pairs(source) == [("007", "7")]
    assert source.people.lines.tolist() == [5, 6]
    assert source.ties.lines.tolist() == [7]
    assert (source.id, source.ties.directed) == ("id", False)


def test_a_default_is_a_value(written):
    key = '<key id="k" for="node" attr.name="hiv" attr.type="boolean"><default>false</default></key>'
    source = graph(written('<node id="a"><data key="k">true</data></node><node id="b"/>', key))
    assert cells(source, "hiv") == ["true", "false"]


def test_an_undeclared_key_is_told_with_its_line(written):
    path = written('<node id="a"><data key="d0">31</data></node>\n<node id="b"><data key="d2">x</data></node>', AGE)
    found = problems(path)
    assert (found[0].line, "d2" in found[0].what, "--lenient" in found[0].fix) == (6, True, True)
    source = graph(path, lenient=True)
    assert cells(source, "age") == ["31", None]
    assert any("undeclared key d2" in warning for warning in source.report.warnings)


def test_types_outside_the_standard_are_text_with_a_warning_each(written):
    keys = ('<key id="k1" for="node" attr.name="age" attr.type="integer"/><key id="k2" for="node" attr.name="ward"/>'
            '<key id="k3" for="node" attr.name="tags" attr.type="string[]"/>')
    source = graph(written('<node id="a"><data key="k1">031</data><data key="k2">A</data>'
                           '<data key="k3">["x"]</data></node>', keys))
    assert [cells(source, name) for name in ("age", "ward", "tags")] == [["031"], ["A"], ['["x"]']]
    text = " ".join(source.report.warnings)
    assert all(word in text for word in ("integer", "no attr.type", "string[]"))


def test_keys_of_one_name_are_one_attribute_and_nan_is_missing_in_numbers(written):
    keys = ('<key id="a" for="node" attr.name="w" attr.type="string"/>'
            '<key id="b" for="node" attr.name="w" attr.type="double"/>')
    source = graph(written('<node id="1"><data key="a">NaN</data></node><node id="2"><data key="b">NaN</data></node>'
                           '<node id="3"><data key="b">3.0</data></node>', keys))
    assert cells(source, "w") == ["NaN", None, "3.0"]
    assert any("one attribute" in warning for warning in source.report.warnings)


def test_an_attribute_belongs_to_what_carries_it(written):
    keys = AGE + '<key id="weight" for="node" attr.name="weight" attr.type="double"/>'
    source = graph(written('<node id="70"><data key="d0">31</data></node><node id="71"/>'
                           '<edge source="70" target="71"><data key="weight">0.5</data></edge>', keys, root=""))
    assert list(source.people.frame.columns) == ["id", "age"]
    assert source.ties.weight == "weight"
    assert source.ties.frame["weight"].tolist() == ["0.5"]
    text = " ".join(source.report.warnings)
    assert "no GraphML namespace" in text
    assert "key weight declared for node" in text


def test_people_are_the_leaves_of_groups_and_drawings_are_passed_over(written):
    keys = AGE + '<key for="node" id="d6" yfiles.type="nodegraphics"/>'
    body = ('<node id="n0" yfiles.foldertype="group"><data key="d6"><y:Group xmlns:y="http://y"><y:L>Ward A</y:L>'
            '</y:Group></data><graph edgedefault="directed"><node id="n0::n0"><data key="d0">31</data><data key="d6">'
            '<y:S xmlns:y="http://y">Anna</y:S></data></node><node id="n0::n1"/>'
            '<edge source="n0::n0" target="n0::n1"/></graph></node><node id="n1"/><edge source="n0::n1" target="n1"/>')
    source = graph(written(body, keys, default="directed"))
    assert cells(source, "id") == ["n0::n0", "n0::n1", "n1"]
    assert list(source.people.frame.columns) == ["id", "age"]
    assert pairs(source) == [("n0::n0", "n0::n1"), ("n0::n1", "n1")]
    assert source.ties.directed is True
    text = " ".join(source.report.warnings)
    assert "1 group node" in text
    assert "yFiles graphics ignored" in text
    assert "Anna" not in text


def test_an_edge_that_ends_at_a_group_is_refused(written):
    body = '<node id="g"><graph><node id="a"/></graph></node><node id="b"/>\n<edge source="b" target="g"/>'
    found = problems(written(body))
    assert "'g'" in found[0].what
    assert found[0].line == 6


@pytest.mark.parametrize("declaration", [
    '<!DOCTYPE g [<!ENTITY a "0123456789"><!ENTITY b "&a;&a;&a;">]>\n',
    '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n',
    '<!DOCTYPE g [<!ENTITY % x SYSTEM "http://localhost/x"> %x;]>\n',
])
def test_declared_entities_are_refused(written, declaration):
    found = problems(written('<node id="a"/>', before=declaration))
    assert "DOCTYPE" in found[0].what
    assert "entity" in found[0].what


def test_an_entity_that_only_another_file_explains_is_refused(written):
    doctype = '<!DOCTYPE graphml SYSTEM "http://localhost/graphml.dtd">\n'
    assert cells(graph(written('<node id="a"/>', before=doctype)), "id") == ["a"]
    found = problems(written('<node id="a"><data key="d0">&x;</data></node>', AGE, before=doctype))
    assert "entity 'x'" in found[0].what


def test_the_five_entities_and_numbers_of_characters_are_text(written):
    source = graph(written('<node id="a&amp;b"><data key="d0">&lt;&#252;&gt;</data></node>', AGE))
    assert (cells(source, "id"), cells(source, "age")) == (["a&b"], ["<ü>"])


def test_edges_may_say_themselves_whether_they_are_directed(written):
    body = '<node id="a"/><node id="b"/><edge source="a" target="b" directed="true"/>'
    assert graph(written(body)).ties.directed is True


def test_mixed_directions_are_refused_until_an_option_says_which(written):
    path = written('<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b" directed="true"/>\n'
                   '<edge source="b" target="c"/>')
    assert "--directed" in problems(path)[0].fix
    assert pairs(graph(path, directed=True)) == [("a", "b"), ("b", "c"), ("c", "b")]
    assert pairs(graph(path, directed=False)) == [("a", "b"), ("b", "c")]


def test_all_problems_of_a_file_are_told_at_once(written):
    body = ('<node/>\n<node id="a"><data key="no">1</data></node>\n<edge source="a"/>\n<hyperedge/>\n'
            '<node id="b"><data key="d0">1</data><data key="d0">2</data></node>\n'
            '<node id="c"><data key="d0"><b>1</b></data></node>')
    assert sorted(problem.line for problem in problems(written(body, AGE))) == [5, 6, 7, 8, 9, 10]


def test_two_graphs_in_a_file_are_refused(tmp_path):
    path = tmp_path / "two.graphml"
    path.write_text(f"<graphml {NAMESPACE}><graph/>\n<graph/></graphml>")
    assert problems(path)[0].line == 2


@pytest.mark.parametrize("text", ["<graphml><graph>", "<graphml></graph>", "<graphml/>", "<other>graphml</other>"])
def test_what_is_no_graph_is_refused(tmp_path, text):
    path = tmp_path / "bad.graphml"
    path.write_text(text)
    assert problems(path)[0].file.endswith("bad.graphml")


def test_more_attributes_than_any_table_has_are_refused(written):
    keys = "".join(f'<key id="k{i}" for="node" attr.name="a{i}" attr.type="int"/>' for i in range(30_000))
    assert "30,000 differently named attributes" in problems(written("".join(f'<node id="n{i}"/>' for i in range(1000)), keys))[0].what


def test_endless_nesting_is_refused(written):
    body = "".join(f'<node id="n{i}"><graph>' for i in range(1100)) + "</graph></node>" * 1100
    assert "nested" in problems(written(body))[0].what


def test_an_attribute_named_id_stays_beside_the_ids_of_the_nodes(written):
    key = '<key id="k" for="node" attr.name="id" attr.type="string"/>'
    path = written('<node id="n0"><data key="k">ann</data></node><node id="n1"><data key="k">bob</data></node>'
                   '<edge source="n0" target="n1"/>', key)
    source = graph(path)
    assert (source.id, cells(source, "node"), cells(source, "id")) == ("node", ["n0", "n1"], ["ann", "bob"])
    chosen = graph(path, id="id")
    assert (chosen.id, pairs(chosen)) == ("id", [("ann", "bob")])


def test_an_attribute_can_only_name_people_if_it_tells_them_apart(written):
    key = '<key id="k" for="node" attr.name="name" attr.type="string"/>'
    found = problems(written('<node id="n0"><data key="k">ann</data></node>\n<node id="n1"><data key="k">ann</data>'
                             '</node>\n<node id="n2"/>', key), id="name")
    assert [problem.line for problem in found] == [6, 7]


def test_a_table_of_people_takes_its_ties_from_a_graph(written, tmp_path):
    (tmp_path / "people.csv").write_text("id,age\na,31\nb,33\n")
    path = written('<node id="a"/><node id="b"/><edge source="a" target="b"/>')
    source = read(tmp_path / "people.csv", path)
    assert (source.id, pairs(source), cells(source, "age")) == ("id", [("a", "b")], ["31", "33"])


def test_a_graph_with_ties_takes_no_second_ties(written, tmp_path):
    (tmp_path / "ties.csv").write_text("source,target\na,b\n")
    path = written('<node id="a"/><node id="b"/><edge source="a" target="b"/>')
    with pytest.raises(InputProblem, match="holds ties already"):
        read(path, tmp_path / "ties.csv")


def test_a_packed_graph_and_another_encoding_are_read(tmp_path):
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><graphml><graph><node id="Zoë"/></graph></graphml>'
    (tmp_path / "g.graphml.gz").write_bytes(gzip.compress(text.encode("iso-8859-1")))
    assert cells(read(tmp_path / "g.graphml.gz"), "id") == ["Zoë"]
    (tmp_path / "g16.graphml").write_bytes(text.replace("ISO-8859-1", "UTF-16").encode("utf-16"))
    assert cells(read(tmp_path / "g16.graphml"), "id") == ["Zoë"]


def test_lines_are_right_far_down_a_file(written):
    body = "\n".join(f'<node id="n{i}"/>' for i in range(70_000)) + '\n<edge source="n0"/>'
    assert problems(written(body))[0].line == 70_005


GEPHI = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key attr.name="label" attr.type="string" for="node" id="label"/><key attr.name="age" attr.type="int" for="node" id="age"/>
<key attr.name="r" attr.type="int" for="node" id="r"/><key attr.name="g" attr.type="int" for="node" id="g"/>
<key attr.name="b" attr.type="int" for="node" id="b"/><key attr.name="x" attr.type="float" for="node" id="x"/>
<key attr.name="y" attr.type="float" for="node" id="y"/><key attr.name="size" attr.type="float" for="node" id="size"/>
<graph edgedefault="undirected"><node id="a"><data key="age">3</data><data key="r">0</data><data key="x">1.5</data></node>
<node id="b"><data key="y">2</data><data key="size">9</data></node><edge source="a" target="b"/></graph></graphml>"""


def test_the_layout_that_gephi_writes_is_no_attribute_of_people(tmp_path):
    path = tmp_path / "gephi.graphml"
    path.write_text(GEPHI)
    source = read(path)
    assert list(source.people.frame.columns) == ["id", "label", "age"]
    assert any("Gephi's sizes, places and colours dropped: x, y, r, g, b, size (4 values)" in told for told in source.report.warnings)


def test_columns_of_people_that_are_called_like_a_layout_stay(tmp_path):
    path = tmp_path / "other.graphml"
    path.write_text(GEPHI.replace('id="r"', 'id="d7"').replace('key="r"', 'key="d7"'))
    assert {"x", "y", "r", "size"} <= set(read(path).people.frame.columns)
