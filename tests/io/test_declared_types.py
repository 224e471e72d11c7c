"""The types that a file gives its attributes outlive any conversion that can carry them."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphanon.errors import InputProblem
from graphanon.inspection import inspect_source
from graphanon.io import ReadOptions, read
from graphanon.io.formats import CARRIES
from graphanon.io.writers.network import kind_of_cells, network_of
from graphanon.io.writers.saving import save

TYPED = [carries for carries in CARRIES if carries.attributes == "any"]
PEOPLE = [
    {"id": "a", "zip": "4051", "born": 1990, "big": 5000000000, "share": 0.5, "hiv": True, "code": "007", "note": None},
    {"id": "b", "zip": "4052", "born": 1991, "big": 7, "share": 2.25, "hiv": False, "code": "7", "note": "x"},
    {"id": "c", "zip": "4051", "born": None, "big": 8, "share": None, "hiv": None, "code": "07", "note": "2.50"},
]
TYPES = {"zip": "text", "born": "whole", "big": "whole", "share": "number", "hiv": "boolean", "code": "text", "note": "text"}


def node_link(people, **more):
    """Return people in a ring as node-link JSON."""
    names = [person["id"] for person in people]
    edges = [{"source": one, "target": other, **more} for one, other in zip(names, names[1:] + names[:1], strict=True)]
    return json.dumps({"directed": True, "nodes": people, "edges": edges})


def read_again(files, carries):
    options = ReadOptions(id="label" if carries.name == "GML" else "id" if carries.pair else None)
    return network_of(read(*files, options=options))


def known(network):
    """Return what is known of each, by id and name."""
    return {name: {id_: cell for id_, cell in zip(network.ids, column, strict=True) if cell is not None}
            for name, column in network.attributes.items() if name not in ("id", "label")}


@pytest.mark.parametrize("carries", TYPED, ids=[carries.name for carries in TYPED])
def test_names_types_values_and_missing_survive(tmp_path, carries):
    (tmp_path / "in.json").write_text(node_link(PEOPLE, since="2001"))
    source = read(tmp_path / "in.json")
    before = network_of(source)
    assert dict(before.types) == TYPES
    dropped = () if "boolean" in carries.kinds or not carries.kinds or carries.pair else ("'hiv' is true or false",)
    saved = save(source, tmp_path / f"out{carries.suffixes[0]}", drop_uncarried=True)
    after = read_again(saved.files, carries)
    assert known(after) == known(before)
    if carries.kinds:
        assert len(saved.lost) == len(dropped)
        assert all(part in told for part, told in zip(dropped, saved.lost, strict=True))
        expected = TYPES | ({"hiv": "text"} if dropped else {})
        assert {name: kind for name, kind in after.types.items() if name in TYPES} == expected
        assert after.tie_types == {"since": "text"}
    else:
        assert all("is text" in told for told in saved.lost)
        assert saved.lost


@pytest.mark.parametrize(("name", "text"), [
    ("a.graphml", ('<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d" for="node" attr.name="zip" attr.type="string"/>'
                  '<graph edgedefault="undirected"><node id="a"><data key="d">4051</data></node><node id="b"><data key="d">4052</data>'
                  '</node><edge source="a" target="b"/></graph></graphml>')),
    ("a.gexf", ('<gexf version="1.3"><graph><attributes class="node"><attribute id="0" title="zip" type="string"/></attributes><nodes>'
               '<node id="a"><attvalues><attvalue for="0" value="4051"/></attvalues></node><node id="b"><attvalues><attvalue for="0"'
               ' value="4052"/></attvalues></node></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>')),
    ("a.gml", 'graph [ node [ id 1 zip "4051" ] node [ id 2 zip "4052" ] edge [ source 1 target 2 ] ]'),
    ("a.json", '{"nodes": [{"id": "a", "zip": "4051"}, {"id": "b", "zip": "4052"}], "links": [{"source": "a", "target": "b"}]}'),
    ("a.csv", 'id,zip\na,"4051"\nb,"4052"\n'),
])
def test_digits_that_a_file_declares_as_text_are_text_to_whoever_looks(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    column = next(column for column in inspect_source(read(tmp_path / name)).columns if column.name == "zip")
    assert column.kind.type == "text"
    assert not column.kind.line


@pytest.mark.parametrize(("text", "told"), [
    ('id,zip\na,"4051"\nb,"4052"\n', "text"),
    ('id,zip\na,"4051"\nb,4052\n', "int"),
    ("id,zip\na,4051\nb,4052\n", "int"),
    ('"id","zip"\n"a","4051"\n"b","4052"\n', "int"),
    ('id,note,zip\na,"one\n""two"", three","4051"\nb,,"4052"\n', "text"),
    ('id,note,zip\na,"one\n""two"", three",4051\nb,,4052\n', "int"),
    ('id, zip\na, "4051"\nb, "4052"\n', "text"),
    ('# who\nid,zip\na,"4051"\n\nb,\n', "text"),
])
def test_quotation_marks_around_some_columns_only_mark_text(tmp_path, text, told):
    (tmp_path / "people.csv").write_text(text)
    seen = {column.name: column.kind.type for column in inspect_source(read(tmp_path / "people.csv")).columns}
    assert seen["zip"] == told


def test_a_mixture_of_numbers_and_text_is_text_and_of_whole_and_other_numbers_is_numbers(tmp_path):
    people = [{"id": "a", "m": 1, "n": 1}, {"id": "b", "m": "x", "n": 2.5}]
    (tmp_path / "in.json").write_text(node_link(people))
    assert network_of(read(tmp_path / "in.json")).types == {"m": "text", "n": "number"}


def test_what_a_type_promises_and_cells_do_not_keep_is_told_and_written_as_text(tmp_path):
    (tmp_path / "in.graphml").write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d" for="node" attr.name="age" attr.type="int"/>'
        '<graph edgedefault="undirected"><node id="a"><data key="d">031</data></node><node id="b"><data key="d">33</data></node>'
        '<edge source="a" target="b"/></graph></graphml>')
    saved = save(read(tmp_path / "in.graphml"), tmp_path / "out.json")
    assert any("'age' is declared as whole numbers" in note for note in saved.notes)
    assert [node["age"] for node in json.loads((tmp_path / "out.json").read_text())["nodes"]] == ["031", "33"]


def test_numbers_too_long_for_gml_become_text_only_if_that_is_said(tmp_path):
    (tmp_path / "in.json").write_text(node_link([{"id": "a", "n": 1234567890123456789}, {"id": "b", "n": 2}]))
    with pytest.raises(InputProblem, match="'n' is whole numbers"):
        save(read(tmp_path / "in.json"), tmp_path / "out.gml")
    assert save(read(tmp_path / "in.json"), tmp_path / "out.graphml").lost == ()


CELLS = st.one_of(st.none(), st.integers(-10**17, 10**17), st.floats(allow_nan=False, allow_infinity=False), st.booleans(),
                  st.sampled_from(["4051", "007", "true", "x", "2.5", "-1", "1e3"]))


@pytest.mark.parametrize("carries", [carries for carries in TYPED if carries.kinds], ids=lambda carries: carries.name)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(cells=st.lists(CELLS, min_size=2, max_size=4))
def test_any_column_comes_back_as_what_it_was_or_its_loss_is_named(tmp_path, carries, cells):
    people = [{"id": f"p{place}", "v": cell} for place, cell in enumerate(cells)]
    (tmp_path / "in.json").write_text(node_link(people))
    source = read(tmp_path / "in.json")
    before = network_of(source)
    saved = save(source, tmp_path / f"out{carries.suffixes[0]}", drop_uncarried=True, force=True)
    after = read_again(saved.files, carries)
    alike = {"whole": "number"}
    kinds = [alike.get(network.types["v"], network.types["v"]) for network in (before, after) if "v" in network.types]
    numbers = before.types.get("v") == "number"
    values = [{id_: float(cell) if numbers else cell for id_, cell in known(network).get("v", {}).items()} for network in (before, after)]
    assert values[0] == values[1]
    if not saved.lost and (carries.kinds > {"text"} or before.types.get("v") == "text"):
        assert len(set(kinds)) <= 1


def test_the_look_of_cells_decides_where_nothing_is_declared():
    import numpy as np

    looks = {("1", "2"): "whole", ("1.5",): "number", ("true", "false"): "boolean", ("07",): "text", (): "text", ("9" * 5000,): "text"}
    assert {cells: kind_of_cells(np.array(cells, dtype=object)) for cells in looks} == looks


def test_a_pajek_project_carries_numbers_as_partitions_and_vectors_and_names_the_rest(tmp_path):
    (tmp_path / "in.json").write_text(node_link(PEOPLE, value=2))
    source = read(tmp_path / "in.json")
    with pytest.raises(InputProblem, match="4 attributes of people: 'zip', 'hiv', 'code', 'note', which do not hold numbers alone"):
        save(source, tmp_path / "out.paj")
    saved = save(source, tmp_path / "out.paj", drop_uncarried=True)
    text = (tmp_path / "out.paj").read_text(encoding="utf-8-sig")
    assert [line for line in text.splitlines() if line.startswith(("*P", "*Vec"))] == ["*Partition born.clu", "*Partition big.clu", "*Vector share.vec"]
    back = network_of(read(saved.files[0]))
    assert back.types == {"born": "whole", "big": "whole", "share": "number"}
    assert known(back) == {name: cells for name, cells in known(network_of(source)).items() if name in back.types}


def test_numbers_that_mean_missing_to_pajek_are_not_written_as_numbers(tmp_path):
    (tmp_path / "in.json").write_text(node_link([{"id": "a", "n": 999999998}, {"id": "b", "n": 2}]))
    with pytest.raises(InputProblem, match="1 attribute of people: 'n'"):
        save(read(tmp_path / "in.json"), tmp_path / "out.paj")


def test_a_pajek_project_keeps_relations_and_weights(tmp_path):
    (tmp_path / "in.paj").write_text('*Network a.net\n*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Arcs :1 "advice"\n1 2 3\n*Arcs :2 "trust"\n2 3 1\n'
                                     "\n*Partition sex.clu\n*Vertices 3\n1\n2\n999999998\n")
    before = network_of(read(tmp_path / "in.paj"))
    saved = save(read(tmp_path / "in.paj"), tmp_path / "out.paj")
    after = network_of(read(saved.files[0]))
    assert (saved.lost, known(after), after.types) == ((), known(before), {"sex": "whole"})
    assert {name: column.tolist() for name, column in after.tie_attributes.items()} == {"weight": ["3", "1"], "relation": ["advice", "trust"]}
