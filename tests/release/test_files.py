"""The files of a release: what other tools read in them, and odd names and cells."""

import csv
import importlib
import json
import pkgutil
import re
import subprocess
import warnings
from dataclasses import replace
from random import Random

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from releases import grouping, rows, town, written

import graphanon.audit
import graphanon.release
from graphanon.audit import audit_release, audit_truth
from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem
from graphanon.graph import AttributedGraph, Nominal, no_ties, symmetric_ties
from graphanon.grouping import Grouping, Partition, hull
from graphanon.release import publish, publish_with_key, read, render, write
from graphanon.release.names import file_names
from graphanon.release.rendering import csv_text
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role, Schema


def published(graph, labels=None, **more):
    partition = Partition(np.zeros(graph.n, dtype=np.int64) if labels is None else np.array(labels))
    group = Grouping(graph, partition, hull(graph, partition))
    return publish(group, requirement=Requirement(k=1), method="by-hand", **more)


def people(columns, values, payload=None, pairs=((0, 1),), *, has_ties=True):
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    n = len(values)
    return AttributedGraph(
        schema=Schema(columns=tuple(columns)), values=np.array(values, dtype=float).reshape(n, -1),
        ties=symmetric_ties(n, ends[:, 0], ends[:, 1]) if has_ties else no_ties(n), payload=payload or {},
        has_ties=has_ties,
    )


def quasi(name, domain):
    return Column(name=name, role=Role.QUASI, domain=domain)


def passes(folder):
    return [str(finding) for finding in audit_release(folder) if not finding.holds] == []


@pytest.mark.parametrize("kind", [{}, {"directed": True}, {"weight": "sum"}])
def test_networkx_and_igraph_open_the_graph_without_a_word(tmp_path, kind):
    release = written(tmp_path / "out", grouping(town(**kind))).release
    path = tmp_path / "out" / "release" / "supernodes.graphml"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph = nx.read_graphml(path)
        other = ig.Graph.Read_GraphML(str(path))
    assert graph.is_directed() == other.is_directed() == release.superties.directed
    assert list(graph.nodes) == other.vs["id"] == list(release.names)
    assert [graph.nodes[name]["size"] for name in graph] == release.sizes.tolist()
    assert all(isinstance(graph.nodes[name]["size"], int) for name in graph)
    assert other.vs["size"] == release.sizes.tolist()
    count = "arcs" if release.superties.directed else "ties"
    assert sum(other.es[count]) == int(release.superties.ties.sum())
    # a number that may be any is left out, so that the others stay numbers
    unknown = [name for name, cells in zip(release.names, release.cells, strict=True) if cells[0] == "*"]
    assert unknown
    assert all("age_low" not in graph.nodes[name] for name in unknown)
    assert all(isinstance(graph.nodes[name]["age_low"], int) for name in graph if name not in unknown)


def test_a_column_called_id_makes_igraph_say_nothing(tmp_path):
    graph = people([quasi("id", Tree.flat(["a", "b"])), quasi("id_", Tree.flat(["a"]))], [[0, 0], [0, 0]])
    folder = write(published(graph), tmp_path / "release")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        other = ig.Graph.Read_GraphML(str(folder / "supernodes.graphml"))
    assert set(other.vs.attributes()) == {"id", "size", "ties_inside", "id_", "id__"}
    assert passes(folder)


ODD = ["a,b", 'say "hi"', "two\nlines", "cr\rlf", " blank ", "=SUM(A1)", "+1", "@x", "é", "𝄞", "[1, 2]", "007", "NA", "-",
       "a;b", "tab\there", "\x01bell", "<&>", "x" * 3000]


@pytest.mark.parametrize("has_ties", [True, False])
def test_odd_cells_read_back_as_they_are(tmp_path, has_ties):
    n = len(ODD)
    tree = Tree(tuple((value, "group " + value, "*") for value in ODD))
    payload = {"wish": Nominal(np.arange(n), tuple(sorted(ODD)))}
    columns = [quasi("odd", tree), quasi("flat", Tree.flat(ODD)), Column(name="wish", role=Role.OPEN)]
    graph = people(columns, np.stack([np.arange(n), np.arange(n)], axis=1), payload, has_ties=has_ties)
    release = published(graph, np.arange(n))
    folder = write(release, tmp_path / "release")
    assert read(folder) == release
    assert passes(folder)
    file, column = ("sensitive.csv", "value") if has_ties else ("records.csv", "wish")
    head, *lines = rows(folder / file)
    assert {line[head.index(column)] for line in lines} == set(ODD)
    head, *lines = rows(folder / ("supernodes.csv" if has_ties else "records.csv"))
    assert {line[head.index("odd")] for line in lines} == set(ODD)


def test_pandas_reads_the_tables(tmp_path):
    folder = written(tmp_path / "out", grouping(town())).folder
    frame = pd.read_csv(folder / "supernodes.csv")
    assert frame["size"].sum() == 60
    assert pd.read_csv(folder / "superedges.csv")["ties"].min() >= 1


@given(st.lists(st.lists(st.text(max_size=6), min_size=2, max_size=2), max_size=5))
def test_any_cells_read_back(lines):
    assert list(csv.reader(csv_text(lines).splitlines(keepends=True), strict=True)) == lines or any(
        mark in cell for line in lines for cell in line for mark in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\r\n"
    )


COLUMNS = ["job", "Job", "JOB", "../../etc/passwd", "a/b", "a\\b", "..", ".", "", "CON", "nul.csv", "x" * 300, "é", "é ",
           "two words", "ends.", " starts", "-rf", "a\nb", "a:b", "*", "job-" + "0" * 8]


def test_file_names_are_safe_and_distinct_on_every_file_system():
    names = file_names(COLUMNS)
    assert len({name.casefold() for name in names.values()}) == len(COLUMNS)
    assert names["job"] == "job.csv"
    assert names["two words"] == "two words.csv"
    for name in names.values():
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.+ -]{0,90}\.csv", name)
        assert not re.fullmatch(r"(con|nul|prn|aux)(\..*)?", name, re.IGNORECASE)


def test_hierarchies_of_odd_columns_stay_inside_the_folder(tmp_path):
    tree = Tree((("a", "*"), ("b", "*")))
    columns = [quasi(name, tree) for name in COLUMNS if name]
    folder = write(published(people(columns, np.zeros((2, len(columns))))), tmp_path / "release")
    assert len(list((folder / "hierarchies").iterdir())) == len(columns)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["release"]
    assert passes(folder)


@pytest.mark.parametrize("columns", [
    ["size"], ["supernode"], ["ties_inside"], ["weight_inside"], ["arcs_inside"],
])
def test_a_column_with_the_name_of_a_fixed_one_is_refused(columns):
    graph = people([quasi(name, Tree.flat(["a"])) for name in columns], [[0], [0]])
    with pytest.raises(InputProblem, match="rename the column"):
        published(graph)


def test_a_column_with_the_name_of_a_derived_one_is_refused():
    graph = people([quasi("age", Range(0, 9)), quasi("age_low", Tree.flat(["a"]))], [[0, 0], [0, 0]])
    with pytest.raises(InputProblem, match="age_low"):
        published(graph)


def test_an_order_whose_runs_would_be_printed_alike_is_refused_for_tables():
    order = Order(("a", "b", "a, b", "c", "b, c"))
    graph = people([quasi("rank", order)], [[0], [0]], has_ties=False)
    with pytest.raises(InputProblem, match="printed alike"):
        published(graph)
    assert published(replace(graph, has_ties=True)).cells == (("a", "a"),)


def test_a_hierarchy_is_released_whole_and_sorted_and_only_if_it_was_given(tmp_path):
    given_ = Tree((("b", "x", "*"), ("a", "x", "*"), ("never seen", "y", "*")))
    graph = people([quasi("given", given_), quasi("flat", Tree.flat(["a", "rare"]))], [[0, 0], [1, 1]])
    release = published(graph)
    assert list(release.hierarchies) == ["given.csv"]
    folder = write(release, tmp_path / "release")
    assert rows(folder / "hierarchies" / "given.csv", ";") == [
        ["a", "x", "*"], ["b", "x", "*"], ["never seen", "y", "*"],
    ]
    # a flat column is its value or anything: the leaves that there are would show the rare one
    assert b"rare" not in b"".join(render(release).values())


def test_lines_are_sorted_by_text_and_files_end_in_lf(tmp_path):
    folder = written(tmp_path / "out", grouping(town())).folder
    for file, width in (("supernodes.csv", 1), ("superedges.csv", 2), ("sensitive.csv", 3)):
        _, *lines = rows(folder / file)
        keys = [line[:width] for line in lines]
        assert keys == sorted(keys)
    for path in folder.rglob("*"):
        if path.is_file():
            assert b"\r" not in path.read_bytes()
            assert path.read_bytes().endswith(b"\n")


def test_names_do_not_depend_on_the_seed_but_on_the_generator():
    group = grouping(town())
    def first(chance):
        return publish_with_key(group, requirement=Requirement(k=4), method="by-hand", chance=chance).membership[0]

    assert first(Random(5)) == first(Random(5))
    assert len({first(Random(seed)) for seed in range(60)}) == 10
    assert len({first(None) for _ in range(60)}) > 3


def test_a_release_differs_from_one_with_other_names_only_in_names():
    group = grouping(town())
    one, other = (publish(group, requirement=Requirement(k=4), method="m", chance=Random(i)) for i in (1, 2))
    assert one != other
    assert one.statement == other.statement
    assert sorted(zip(one.cells, one.sizes, one.superties.inside, strict=True)) == sorted(
        zip(other.cells, other.sizes, other.superties.inside, strict=True)
    )


def test_the_statement_has_only_what_the_contract_lists(tmp_path):
    folder = written(tmp_path / "out", grouping(town()), tie_confidence=0.9).folder
    told = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    assert list(told) == ["format", "kind", "people", "withheld", "supernodes", "ties", "directed", "promises",
                          "found", "columns", "method", "losses", "software"]
    assert set(told["found"]) == set(told["promises"]) == {"k", "alpha", "l", "t", "tie_confidence"}
    assert told["columns"]["age"] == {"range": [18, 90], "grid": 1, "steps": [5, 10]}
    assert re.fullmatch(r"graphanon \d+\.\d+", told["software"])


def test_a_graph_always_finds_its_tie_confidence_and_a_table_never():
    assert published(people([], np.zeros((2, 0)))).statement["found"] == {"k": 2, "tie_confidence": 1.0}
    graph = people([quasi("a", Range(0, 9))], [[0], [0]], has_ties=False)
    assert published(graph).statement["found"] == {"k": 2}


def test_nothing_to_release_is_refused():
    with pytest.raises(InputProblem, match="nothing would be released"):
        published(people([], np.zeros((2, 0)), has_ties=False))


def test_a_table_keeps_payload_together_unless_it_is_split():
    n = 40
    payload = {"x": Nominal(np.arange(n) % 2, ("0", "1")), "y": Nominal(np.arange(n) % 2, ("0", "1"))}
    columns = [quasi("a", Range(0, 9)), Column(name="x", role=Role.OPEN), Column(name="y", role=Role.SENSITIVE)]
    graph = people(columns, np.zeros((n, 1)), payload, has_ties=False)
    x, y = published(graph).records.payload
    assert x == y
    assert x != ("0", "1") * (n // 2)
    x, y = published(graph, split_payload=True).records.payload
    assert x != y
    assert sorted(x) == sorted(y)
    assert published(graph, split_payload=True).statement["payload"] == "split"


def test_classes_that_look_alike_are_one_class_of_a_table(tmp_path):
    graph = people([quasi("a", Range(0, 9))], [[0], [9], [0], [9]], has_ties=False)
    group = Grouping(graph, Partition(np.array([0, 0, 1, 1])), hull(graph, Partition(np.array([0, 0, 1, 1]))))
    release, membership = publish_with_key(group, requirement=Requirement(k=4), method="by-hand")
    assert release.sizes.tolist() == [4]
    assert membership == ("1",) * 4
    assert passes(write(release, tmp_path / "release"))


def test_a_missing_file_or_word_is_told_when_a_release_is_read(tmp_path):
    folder = written(tmp_path / "out", grouping(town())).folder
    (folder / "superedges.csv").write_text("source,target,ties\nS1,S77,1\n")
    with pytest.raises(InputProblem, match="not a release that can be read"):
        read(folder)
    (folder / "superedges.csv").unlink()
    with pytest.raises(InputProblem, match=r"superedges\.csv"):
        read(folder)
    with pytest.raises(InputProblem, match=r"release\.json"):
        read(tmp_path)


def test_a_release_cannot_hold_more_than_its_parts():
    release = published(people([quasi("a", Range(0, 9))], [[0], [5]]))
    assert set(vars(release)) == {"kind", "columns", "cells", "sizes", "statement", "superties", "counts", "records",
                                  "hierarchies"}
    with pytest.raises((AttributeError, TypeError)):
        release.kind = "table"
    with pytest.raises(TypeError):
        release.statement["seed"] = 1
    with pytest.raises(InputProblem):
        replace(release, cells=())
    assert "S1" in release.names
    assert repr(release) == "Release(1 supernodes of 2 people)"


def test_a_weight_that_adds_up_to_nothing_is_still_a_tie(tmp_path):
    graph = town(weight="sum")
    weights = graph.weights.copy()
    weights.data[:] = 0.0
    case = written(tmp_path / "out", grouping(replace(graph, weights=weights)))
    head, *lines = rows(case.folder / "superedges.csv")
    assert head == ["source", "target", "ties", "weight"]
    assert {line[3] for line in lines} == {"0"}
    assert passes(case.folder)
    originals = case.originals | {"ties": [(a, b, 0.0) for a, b, _ in case.originals["ties"]]}
    assert all(f.holds for f in audit_truth(case.folder, key_path=case.key, **originals))


def test_the_checksums_are_those_that_the_system_s_tool_checks(tmp_path):
    folder = written(tmp_path / "out", grouping(town())).folder
    run = subprocess.run(["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("package", [graphanon.release, graphanon.audit], ids=["release", "audit"])
def test_no_module_is_named_like_what_it_exports(package):
    # the one would hide the other in the package
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        assert info.name.rpartition(".")[2] not in importlib.import_module(info.name).__all__
