"""Every format gives back what it can carry, and what it cannot is named before anything is written."""

import string
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sources import source_of, ties_of

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read
from graphanon.io.formats import CARRIES, by_name, by_path, table_text
from graphanon.io.writers.fitting import fitted
from graphanon.io.writers.network import network_of
from graphanon.io.writers.saving import save

NAMES = [carries.name for carries in CARRIES]
WORDS = st.text(string.ascii_letters + string.digits + "_.-äß王", min_size=1, max_size=6).filter(lambda t: t.strip(".-_"))
TEXTS = st.one_of(
    WORDS, st.sampled_from(["007", "2.50", "1e3", "True", "nan", "None", "a, b", 'say "hi"', "a\nb", "tab\there", " x ", "<&>", "=1+1",
                            "é", "5000000000", "-3", "2.5", "\\", "#x", "[1, 2]", "{}", "&eacute;"]))
CELLS = st.one_of(st.none(), TEXTS)
ATTRIBUTES = ["age", "birth year", "id", "label", "pid", "start", "zip_code", "color", "größe", "note", "Note", "x", "weight"]


@st.composite
def networks(draw, ids=TEXTS, cells=CELLS):
    """Draw people with odd ids and attributes, and ties among them, some of which repeat."""
    people = draw(st.lists(ids, min_size=2, max_size=7, unique=True))
    names = draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=4, unique=True))
    columns = {"who": people, **{name: draw(st.lists(cells, min_size=len(people), max_size=len(people))) for name in names}}
    places = st.integers(0, len(people) - 1)
    pairs = draw(st.lists(st.tuples(places, places), min_size=1, max_size=10))
    more = draw(st.lists(st.sampled_from(["weight", "note", "relation", "since"]), max_size=3, unique=True))
    numbers = st.sampled_from(["1", "2.5", "12", "0.25"])
    kinds = {"weight": numbers, "relation": st.sampled_from(["likes", "knows"]), "note": cells, "since": cells}
    rows = [(people[a], people[b], *(draw(kinds[name]) for name in more)) for a, b in pairs]
    ties = ties_of(rows, more=more, directed=draw(st.booleans()), weight="weight" if "weight" in more else None)
    return source_of(columns, id="who", ties=ties)


def people_of(network):
    """Return people by id with what is known of each."""
    return {id_: {name: column[row] for name, column in network.attributes.items() if column[row] is not None}
            for row, id_ in enumerate(network.ids)}


def ties_in(network):
    """Return every tie as text, in an order of their own."""
    rows = []
    for row, (a, b) in enumerate(zip(network.ids[network.source], network.ids[network.target], strict=True)):
        ends = (a, b) if network.directed else tuple(sorted((a, b)))
        said = sorted((name, column[row]) for name, column in network.tie_attributes.items() if column[row] is not None)
        rows.append((ends, said))
    return sorted(rows)


def read_again(files, name, network):
    """Read what was written as a user would who was told what the conversion told."""
    carries = by_name(name)
    shown = carries.direction == "yes" or (name == "adjacency list" and not network.directed)
    options = ReadOptions(directed=None if shown else network.directed)
    if name == "edge list":
        return network_of(read(None, files[0], options=replace(options, header=False)))
    if carries.pair:
        return network_of(read(*files, options=replace(options, header=True, id="id")))
    return network_of(read(files[0], options=options))


@pytest.mark.parametrize("name", NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=12)
@given(source=networks(ids=WORDS, cells=st.one_of(st.none(), WORDS, st.sampled_from(["007", "5", "-3", "2.5"]))))
def test_what_a_format_can_carry_comes_back_equal(tmp_path, name, source):
    carries = by_name(name)
    saved = save(source, tmp_path / f"net{carries.suffixes[0]}", drop_uncarried=True, force=True)
    meant = fitted(network_of(source), carries).network
    back = read_again(saved.files, name, meant)
    if name == "GML":
        back = replace(back, attributes={key: column for key, column in back.attributes.items() if key != "label"})
        names = dict(zip(back.ids, network_of(read(saved.files[0])).attributes.get("label", back.ids), strict=True))
        back = replace(back, ids=np.array([names[id_] or id_ for id_ in back.ids], dtype=object))
    assert people_of(back) == people_of(meant)
    assert ties_in(back) == ties_in(meant)
    assert back.directed == meant.directed


@pytest.mark.parametrize("name", NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=12)
@given(source=networks())
def test_any_text_is_written_or_refused_and_never_half(tmp_path, name, source):
    out = tmp_path / f"odd{by_name(name).suffixes[0]}"
    for file in tmp_path.glob("odd*"):
        file.unlink()
    told = []
    try:
        files = save(source, out, drop_uncarried=True).files
    except InputProblem as error:
        files, told = (), [problem.what for problem in error.problems]
    assert sorted(tmp_path.iterdir()) == sorted(files)
    assert all(file.stat().st_size for file in files)
    assert not [what for what in told if "could not be read back" in what]


def test_leading_zeros_and_plain_numbers_keep_their_spelling_and_get_their_types(tmp_path):
    import networkx as nx

    source = source_of({"id": ["a", "b"], "zip": ["02116", "02139"], "age": ["31", None], "big": ["5000000000", "7"]},
                       [("a", "b")], id="id")
    save(source, tmp_path / "net.graphml")
    graph = nx.read_graphml(tmp_path / "net.graphml")
    assert dict(graph.nodes(data=True)) == {"a": {"zip": "02116", "age": 31, "big": 5000000000}, "b": {"zip": "02139", "big": 7}}


def test_names_that_mean_something_to_a_format_are_spelled_anew_and_told(tmp_path):
    source = source_of({"who": ["a", "b"], "birth year": ["1990", "1991"], "id": ["x", "y"], "pid": ["1", "2"]},
                       [("a", "b")], id="who")
    assert save(source, tmp_path / "net.gml").renamed == {"people: birth year": "a_birth_year", "people: id": "a_id"}
    assert save(source, tmp_path / "net.gexf").renamed == {"people: id": "a_id", "people: pid": "a_pid"}
    assert save(source, tmp_path / "net.csv").renamed == {"people: id": "a_id"}


@pytest.mark.parametrize(("name", "lost"), [
    ("net.edges", ["2 attributes of people", "1 person without a tie", "1 attribute of ties"]),
    ("net.mtx", ["ids of 3 people", "2 attributes of people", "1 attribute of ties", "1 tie that repeats"]),
    ("net.net", ["2 attributes of people", "1 attribute of ties"]),
])
def test_what_a_format_cannot_carry_is_named_and_nothing_is_written(tmp_path, name, lost):
    ties = ties_of([("a", "b", "2001"), ("b", "a", "2002")], more=["since"], directed=False)
    source = source_of({"id": ["a", "b", "c"], "age": ["1", "2", "3"], "job": ["x", "y", None]}, id="id", ties=ties)
    with pytest.raises(InputProblem) as caught:
        save(source, tmp_path / name)
    told = [problem.what for problem in caught.value.problems]
    assert len(told) == len(lost)
    assert all(part in what for part, what in zip(lost, told, strict=True))
    assert "--drop-uncarried" in caught.value.problems[-1].fix
    assert not list(tmp_path.iterdir())
    assert len(save(source, tmp_path / name, drop_uncarried=True).lost) == len(lost)


def test_an_empty_text_is_told_from_a_missing_one_or_named(tmp_path):
    source = source_of({"id": ["a", "b"], "note": ["", None]}, [("a", "b")], id="id")
    with pytest.raises(InputProblem, match="difference of 1 empty text from missing"):
        save(source, tmp_path / "net.csv")


def test_an_existing_file_stays_unless_it_may_be_replaced(tmp_path):
    source = source_of({"id": ["a", "b"]}, [("a", "b")], id="id")
    (tmp_path / "net.gml").write_text("mine")
    with pytest.raises(InputProblem, match="exists already"):
        save(source, tmp_path / "net.gml")
    assert (tmp_path / "net.gml").read_text() == "mine"
    save(source, tmp_path / "net.gml", force=True)
    assert "graph [" in (tmp_path / "net.gml").read_text()


def test_a_source_without_ties_becomes_one_table(tmp_path):
    source = source_of({"id": ["a", "b"], "age": ["1", "2"]}, id="id")
    assert [file.name for file in save(source, tmp_path / "people.csv").files] == ["people.csv"]


def test_two_modes_survive_where_the_format_has_them(tmp_path):
    (tmp_path / "events.net").write_text('*Vertices 3 2\n1 "w1"\n2 "w2"\n3 "party"\n*Edges\n1 3\n2 3\n')
    source = read(tmp_path / "events.net")
    save(source, tmp_path / "again.net")
    save(source, tmp_path / "events.graphml")
    assert read(tmp_path / "again.net").modes.tolist() == ["1", "1", "2"]
    assert read(tmp_path / "events.graphml").modes.tolist() == ["1", "1", "2"]


@pytest.mark.parametrize("problem", [("dup", "stands twice"), ("half", "misses an end"), ("nobody", "nobody's id")])
def test_what_is_no_network_is_not_converted(tmp_path, problem):
    kind, what = problem
    people = {"id": ["a", "a" if kind == "dup" else "b"]}
    ties = [("a", None if kind == "half" else "z" if kind == "nobody" else "a")]
    with pytest.raises(InputProblem, match=what):
        save(source_of(people, ties, id="id"), tmp_path / "net.gml")


@pytest.mark.parametrize("name", ["net.gml", "net.graphml", "net.gexf", "net.json", "net.net", "net.dot"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("first", ["Zoë", "Zoe"])
def test_other_programs_read_the_same_graph(tmp_path, name, directed, first):
    import json
    import warnings

    import igraph as ig
    import networkx as nx

    ties = ties_of([(first, "b", "1.5"), ("b", "c", "2"), ("c", first, "1")], more=["weight"], directed=directed, weight="weight")
    columns = {"id": [first, "b", "c", "d"]} | ({} if name.endswith(".net") else {"job": ['nurse & "cook"', None, "y" if first == "Zoe" else "é", "x"]})
    save(source_of(columns, id="id", ties=ties), tmp_path / name)
    path = str(tmp_path / name)
    readers = {"gml": nx.read_gml, "graphml": nx.read_graphml, "gexf": nx.read_gexf, "net": None, "dot": None,
               "json": lambda p: nx.node_link_graph(json.loads(Path(p).read_text(encoding="utf-8")), edges="edges")}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if readers[name.split(".")[1]] is not None:
            graph = readers[name.split(".")[1]](path)
            assert (len(graph), graph.number_of_edges(), graph.is_directed()) == (4, 3, directed)
            assert set(graph) == {first, "b", "c", "d"}
            assert graph.nodes[first]["job"] == 'nurse & "cook"'
            assert "job" not in graph.nodes["b"]
            assert float(graph[first]["b"]["weight"]) == 1.5
        if name.endswith((".graphml", ".net")) or (name.endswith(".gml") and first == "Zoe"):
            # of the entities that GML has for other letters, igraph knows five
            other = ig.Graph.Read(path)
            assert (other.vcount(), other.ecount(), other.is_directed()) == (4, 3, directed)
            assert sorted(map(float, other.es["weight"])) == [1.0, 1.5, 2.0]


def test_the_documented_table_is_the_one_that_conversion_uses():
    from house import ROOT

    assert table_text() in (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def test_the_longest_ending_names_the_format():
    assert (by_path("a.matrix.csv").name, by_path("a.csv").name, by_path("a.unknown")) == ("adjacency matrix", "CSV", None)


@pytest.mark.parametrize("name", ["net.graphml", "net.gexf", "net.json", "net.dot", "net.gml", "net.csv"])
def test_ids_of_several_lines_stay_as_they_are(tmp_path, name):
    ids = ["one\ntwo", "one\n", "\none", "  a\n b  ", "one"]
    saved = save(source_of({"id": ids}, [(ids[0], ids[1]), (ids[3], ids[4])], id="id"), tmp_path / name)
    options = ReadOptions(id="label" if name == "net.gml" else "id")
    assert sorted(network_of(read(*saved.files, options=options)).ids) == sorted(ids)
