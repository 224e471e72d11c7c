"""Whole runs on people drawn from Adult: every release holds its k, whatever the method, counted here from CSV alone."""

import csv
import json
from collections import Counter

import networkx as nx
import pytest

import graphanon
from graphanon.datasets import export, load_adult, save, social


def lines(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return 300 people of Adult with ties drawn between them, as files."""
    folder = tmp_path_factory.mktemp("drawn") / "data"
    save(social(load_adult(), n=300, seed=4), folder)
    return folder


def shuffled(folder, place):
    """Write the same people and ties in another order of lines, ends of ties exchanged."""
    place.mkdir()
    for name in ("people.csv", "ties.csv"):
        head, *rest = (folder / name).read_text().splitlines()
        if name == "ties.csv":
            rest = [",".join(reversed(line.split(","))) for line in rest]
        (place / name).write_text("\n".join([head, *reversed(rest)]) + "\n")
    return place


def without_names(release):
    """Return a release as counts that do not depend on the names of supernodes."""
    nodes = {row.pop("supernode"): tuple(row.items()) for row in lines(release / "supernodes.csv")}
    values = Counter((nodes[r["supernode"]], r["attribute"], r["value"], r["count"])
                     for r in lines(release / "sensitive.csv"))
    edges = Counter((frozenset((nodes[r["source"]], nodes[r["target"]])), r["ties"])
                    for r in lines(release / "superedges.csv"))
    return Counter(nodes.values()), values, edges


@pytest.mark.parametrize("k", [2, 5, 10, 50])
@pytest.mark.parametrize("method", sorted(graphanon.methods()))
def test_a_graph_is_released_with_everyone_and_every_tie_in_it(drawn, tmp_path, method, k):
    people = graphanon.read(drawn / "people.csv", drawn / "ties.csv", schema=drawn / "schema.toml")
    if not graphanon.methods()[method].about.ties:
        people = graphanon.read(drawn / "people.csv", schema=drawn / "schema.toml")
    run = graphanon.anonymize(people, requirement=graphanon.Requirement(k=k), method=method, seed=1, out=tmp_path / "out")
    assert all(finding.holds for finding in run.findings)
    if not people.graph.has_ties:
        return
    release = tmp_path / "out" / "release"
    nodes = lines(release / "supernodes.csv")
    assert min(int(node["size"]) for node in nodes) >= k
    assert sum(int(node["size"]) for node in nodes) == 300
    inside = sum(int(node["ties_inside"]) for node in nodes)
    between = sum(int(edge["ties"]) for edge in lines(release / "superedges.csv"))
    assert inside + between == people.graph.n_ties
    told = json.loads((release / "release.json").read_text())
    assert told["found"]["k"] == min(int(node["size"]) for node in nodes)
    assert Counter(row["supernode"] for row in lines(tmp_path / "out" / "private" / "key.csv")) == \
        {node["supernode"]: int(node["size"]) for node in nodes}


@pytest.mark.parametrize("method", ["pas-caa", "sangreea"])
def test_the_same_people_in_another_file_order_give_the_same_release_up_to_names(drawn, tmp_path, method):
    other = shuffled(drawn, tmp_path / "other")
    found = []
    for i, folder in enumerate((drawn, other)):
        people = graphanon.read(folder / "people.csv", folder / "ties.csv", schema=drawn / "schema.toml")
        graphanon.anonymize(people, requirement=graphanon.Requirement(k=5), method=method, seed=7, out=tmp_path / f"out{i}")
        found.append(without_names(tmp_path / f"out{i}" / "release"))
    assert found[0] == found[1]


def test_two_runs_with_one_seed_differ_in_names_alone(drawn, tmp_path):
    people = graphanon.read(drawn / "people.csv", drawn / "ties.csv", schema=drawn / "schema.toml")
    keys = []
    for name in ("one", "two"):
        graphanon.anonymize(people, requirement=graphanon.Requirement(k=5), seed=7, out=tmp_path / name)
        keys.append({row["id"]: row["supernode"] for row in lines(tmp_path / name / "private" / "key.csv")})
    assert keys[0] != keys[1]
    assert without_names(tmp_path / "one" / "release") == without_names(tmp_path / "two" / "release")


def test_another_program_reads_the_supernode_graph_as_it_was_written(tmp_path):
    export("m1", tmp_path / "m1")
    people = graphanon.read(tmp_path / "m1" / "people.csv", tmp_path / "m1" / "ties.csv",
                            schema=tmp_path / "m1" / "schema.toml")
    run = graphanon.anonymize(people, requirement=graphanon.Requirement(k=5), seed=1, out=tmp_path / "out")
    graph = nx.read_graphml(tmp_path / "out" / "release" / "supernodes.graphml")
    assert len(graph) == len(run.release.sizes)
    assert sum(ties for *_, ties in graph.edges(data="ties")) + sum(
        inside for _, inside in graph.nodes(data="ties_inside")) == 1500


def test_without_a_folder_a_run_is_audited_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = graphanon.anonymize(graphanon.load("m1"), requirement=graphanon.Requirement(k=5), seed=1)
    assert run.folder is None
    assert run.findings
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "text"), [
    ("ties.net", '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Edges\n1 2 5\n2 3 1\n'),
    ("ties.dl", "dl n=3 format=fullmatrix\nlabels:\na b c\ndata:\n0 5 0\n5 0 1\n0 1 0\n"),
    ("ties.dot", "graph { a -- b [weight=5]; b -- c [weight=1] }"),
    ("ties.graphml", ('<graphml><key id="w" for="edge" attr.name="weight" attr.type="int"/><graph edgedefault="undirected">'
     '<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"><data key="w">5</data></edge>'
     '<edge source="b" target="c"><data key="w">1</data></edge></graph></graphml>')),
    ("ties.gml", ("graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 weight 5 ]"
     " edge [ source 2 target 3 weight 1 ] ]")),
    ("ties.gexf", ('<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="undirected"><nodes><node id="a"/>'
     '<node id="b"/><node id="c"/></nodes><edges><edge source="a" target="b" weight="5"/><edge source="b" target="c" '
     'weight="1"/></edges></graph></gexf>')),
    ("ties.json", ('{"directed": false, "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "links": [{"source": "a", "target":'
     ' "b", "weight": 5}, {"source": "b", "target": "c", "weight": 1}]}')),
    ("ties.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 2 1\n"),
    ("ties.adj.csv", ";a;b;c\na;0;5;0\nb;5;0;1\nc;0;1;0\n"),
], ids=lambda given: given if given.startswith("ties.") else "")
def test_a_schema_that_asks_for_arcs_gets_both_from_a_tie_without_direction(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    (tmp_path / "schema.toml").write_text('[ties]\ndirected = true\nweight = "sum"\n\n[columns]\n'
                                          'id = { role = "identifier" }\n')
    people = graphanon.read(tmp_path / name, schema=tmp_path / "schema.toml")
    assert people.graph.arcs.nnz == 4
    assert people.graph.weights.sum() == 12
    assert people.report.counts["repeats_merged"] == 0
