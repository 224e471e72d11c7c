"""Files made to harm: refused, or read for what they are, in seconds and bounded memory, and nothing else is touched."""

import gzip
import json
import zipfile

import pytest
from bounded import ended, refused

GRAPHML = '<graphml><graph edgedefault="undirected">{0}</graph></graphml>'
LAUGHS = "".join(f'<!ENTITY l{place} "{f"&l{place - 1};" * 10}">' for place in range(1, 12))
DOCTYPES = {
    "laughs": f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>', "quadratic": f'<!DOCTYPE x [<!ENTITY a "{"a" * 1_000_000}">]>',
    "external": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "parameter": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://192.0.2.1/x.dtd"> %p;]>',
}


@pytest.mark.parametrize("kind", DOCTYPES)
@pytest.mark.parametrize(("ending", "root"), [("graphml", GRAPHML), ("gexf", "<gexf><graph><nodes>{0}</nodes></graph></gexf>")])
def test_entities_are_refused_where_they_are_declared(tmp_path, kind, ending, root):
    path = tmp_path / f"bomb.{ending}"
    path.write_text(DOCTYPES[kind] + root.format('<node id="&a;"/>'))
    said = refused(path)
    assert "DOCTYPE" in said
    assert "entity" in said


def test_a_document_type_elsewhere_is_not_fetched(tmp_path):
    path = tmp_path / "dtd.graphml"
    path.write_text('<!DOCTYPE graphml SYSTEM "http://192.0.2.1/graphml.dtd">' + GRAPHML.format('<node id="a"/><node id="b"/><edge source="a" target="b"/>'))
    assert ended(path) == ("read", 2)


@pytest.mark.parametrize("ending", ["csv", "graphml", "gml", "json", "net", "dot"])
def test_a_file_that_unfolds_far_beyond_its_size_is_refused(tmp_path, ending):
    path = tmp_path / f"bomb.{ending}.gz"
    begin = {"graphml": b"<graphml>", "json": b'{"nodes":[', "gml": b"graph [", "net": b"*Vertices 2\n", "dot": b"graph {"}.get(ending, b"id,age\n")
    line = begin + b" " * (1 << 22)
    path.write_bytes(gzip.compress(line + b"1,2\n" * (1 << 20)) + gzip.compress(bytes([32]) * (1 << 26)) * 8)
    assert path.stat().st_size < 1 << 20
    assert "unpacks to more than" in refused(path)


def test_a_workbook_that_unfolds_far_beyond_its_size_is_refused(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (400 << 20))
    assert "unpacks to far more" in refused(path)


def test_a_workbook_with_an_absurd_row_is_refused(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["id", "age"], ["a", 1], ["b", 2]):
        book.active.append(row)
    book.save(tmp_path / "good.xlsx")
    with zipfile.ZipFile(tmp_path / "good.xlsx") as good, zipfile.ZipFile(tmp_path / "bad.xlsx", "w") as bad:
        for name in good.namelist():
            data = good.read(name)
            bad.writestr(name, data.replace(b'r="3"', b'r="99999999999"') if "sheet1" in name else data)
    assert "a row has a number above 1,048,576" in refused(tmp_path / "bad.xlsx")


@pytest.mark.parametrize("member", ["../../outside.csv", "/tmp/outside.csv", "..\\outside.csv", "a/../../outside.csv"])
def test_the_path_of_a_member_is_never_followed(tmp_path, member):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    with zipfile.ZipFile(inner / "people.zip", "w") as archive:
        archive.writestr(member, "id,age\na,1\nb,2\n")
    before = sorted(tmp_path.rglob("*"))
    assert ended(inner / "people.zip") == ("read", 2)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_member_that_is_a_link_is_no_way_out(tmp_path):
    link = zipfile.ZipInfo("people.csv")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert "root" not in str(ended(tmp_path / "link.zip")[1])


ABSURD = {
    "a.net": "*Vertices 99999999999999\n*Edges\n1 2\n", "b.net": "*Vertices 4000000000\n*Matrix\n0 1\n",
    "a.dl": "dl n=99999999999999 format=fullmatrix\ndata:\n0 1\n", "b.dl": "dl nr=999999999 nc=999999999 format=edgelist2\ndata:\n1 1\n",
    "a.mtx": "%%MatrixMarket matrix coordinate pattern general\n99999999999 99999999999 99999999999\n1 2\n",
    "b.mtx": "%%MatrixMarket matrix array real general\n9999999 9999999\n1\n2\n",
    "a.json": '{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 1' + "0" * 100_000 + "}]}",
    "a.graphml": GRAPHML.format(f'<node id="a"/><edge source="a" target="{"b" * 100_000}"/>'),
}


@pytest.mark.parametrize("name", ABSURD)
def test_numbers_in_a_header_reserve_nothing(tmp_path, name):
    path = tmp_path / name
    path.write_text(ABSURD[name])
    how, said = ended(path)
    assert how == "refused" or name.endswith(("graphml", "json")), said


def test_a_count_in_a_header_of_gexf_is_only_compared(tmp_path):
    path = tmp_path / "a.gexf"
    path.write_text('<gexf><graph><nodes count="99999999999"><node id="a"/><node id="b"/></nodes><edges/></graph></gexf>')
    assert ended(path) == ("read", 2)


DEEP = 200_000
NESTED = {
    "a.graphml": GRAPHML.format('<node id="a"><graph>' * DEEP), "b.graphml": "<graphml>" + "<x>" * DEEP,
    "c.graphml": GRAPHML.format('<node id="a">' * DEEP), "d.graphml": "<graphml><key id='k'><default>" + "<x>" * DEEP,
    "a.gexf": "<gexf><graph><nodes>" + '<node id="a"><nodes>' * DEEP, "b.gexf": "<gexf><meta>" + "<x>" * DEEP,
    "a.gml": "graph [ " + "node [ id 1 " * DEEP, "b.gml": "x [ " * DEEP, "a.json": '{"nodes": ' + "[" * DEEP, "b.json": '{"nodes": ' + '[{"a": ' * DEEP,
    "c.json": '{"x": ' * DEEP, "a.dot": "graph { " + "subgraph { " * DEEP, "b.dot": "graph { " + "{ " * DEEP, "c.dot": "graph { a [x=" + "<" * DEEP,
}


@pytest.mark.parametrize("name", NESTED)
def test_deep_nesting_is_refused(tmp_path, name):
    path = tmp_path / name
    path.write_text(NESTED[name])
    refused(path)


LONG = 10_000_000
MANY = 1_000_000  # of what a reader may well take for people and ties, and keeps
LINES = {
    "a.edges": "a " * (LONG // 2), "a.csv": "id," * (LONG // 3), "b.csv": "id,age\n" + "x" * LONG + ",1\n", "c.csv": 'id,age\n"' + "x" * LONG,
    "a.gml": "graph [ " + "node [ id 1 ] " * (MANY // 14), "b.gml": 'graph [ node [ id 1 label "' + "x" * LONG, "a.json": '{"nodes": [' + '{"id":1},' * (MANY // 9),
    "b.json": '{"nodes": ["' + "x" * LONG, "a.net": "*Vertices 2\n1 " + "x" * LONG, "b.net": "*Vertices 2\n*Arcslist\n" + "1 " * (MANY // 2),
    "a.dl": "dl n=2 format=nodelist1 data: " + "1 " * (MANY // 2), "b.dl": "dl n=2 labels: " + "x" * LONG,
    "a.mtx": "%%MatrixMarket " + "x" * LONG, "b.mtx": "%%MatrixMarket matrix coordinate pattern general\n" + "1 " * (MANY // 2),
    "a.dot": "graph { " + "a -- b; " * (MANY // 8), "b.dot": 'graph { "' + "x" * LONG, "a.adjlist": "a " * (MANY // 2),
    "a.graphml": '<graphml><graph><node id="' + "x" * LONG, "b.graphml": GRAPHML.format('<node id="a"/>' * (MANY // 14)), "a.gexf": "<gexf " + "x" * LONG,
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_ten_megabytes_ends_soon(tmp_path, name):
    path = tmp_path / name
    path.write_text(LINES[name])
    how, _ = ended(path)
    assert how in ("read", "refused")


@pytest.mark.parametrize("name", ["a.csv", "a.edges", "a.gml", "a.json", "a.net", "a.dl", "a.mtx", "a.dot", "a.adjlist", "a.graphml", "a.gexf"])
def test_a_byte_that_is_no_text_is_refused(tmp_path, name):
    begin = {"gml": "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ", "json": json.dumps({"nodes": [{"id": 1}], "links": []})[:-1],
             "net": "*Vertices 2\n1 a", "dl": "dl n=2 format=edgelist1\ndata:\n1 2", "mtx": "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2",
             "dot": "graph { a -- b", "graphml": "<graphml><graph>", "gexf": "<gexf><graph>"}.get(name[2:], "a,b\nc,d")
    path = tmp_path / name
    path.write_bytes(begin.encode() + b"\0 \0" + b"\n}]")
    refused(path)
