"""What every reader owes, whatever the format: nobody lost, merged or invented, and nothing of them in a release.

The files are written by the writers of the same formats, so a format that is added to their table is tested
here without a line being added. What only some formats can get wrong stands below, with small files of its own.
"""

import io
import re
from dataclasses import replace
from random import Random

import pandas as pd
import pytest
from readings import said
from sources import source_of, ties_of

from graphanon import pipeline
from graphanon.errors import InputProblem
from graphanon.inspection import inspect_source
from graphanon.io import ReadOptions, read
from graphanon.io.build import build
from graphanon.io.formats import CARRIES, by_name
from graphanon.io.schema_file import read_schema
from graphanon.io.writers.fitting import fitted
from graphanon.io.writers.network import network_of
from graphanon.io.writers.saving import save
from graphanon.schema import Schema

NAMES = [carries.name for carries in CARRIES]
IDS = ["007", "07", "7", " NA", "NA", "null", "true", "True", "1e5", "100000", "1.0", "1", "é", "e\u0301", "王芳", "nan", "a#b", "-1"]


def shown_in(ids, carries):
    """Return those of the ids that a format can hold."""
    if carries.ids == "numbers":
        return [str(number) for number in range(1, len(ids) + 1)]
    if carries.ids == "words":
        return [name for name in ids if not set(name) & set(" ,;'\"=:#")]
    return [name for name in ids if carries.name != "adjacency matrix" or name == name.strip()]


def written(folder, name, source):
    """Return the files of a source in a format, and the options that read them as they were meant."""
    carries = by_name(name)
    files = save(source, folder / f"people{carries.suffixes[0]}", drop_uncarried=True, force=True).files
    # an adjacency list shows by itself that ties have none
    tells = carries.direction == "yes" or (name == "adjacency list" and not source.ties.directed)
    options = ReadOptions(directed=None if tells else source.ties.directed)
    if name == "GML":
        options = replace(options, id="label")
    if carries.pair:
        options = replace(options, id="id", header=True)
    if name == "edge list":
        return (None, *files), replace(options, header=False)
    return files, options


def ring(ids, *, weights=True, directed=False, more=()):
    """Return people of these ids tied in a ring, with whatever else a file may hold of them."""
    number = len(ids)
    rows = [(ids[place], ids[(place + 1) % number], str(777000 + place)) for place in range(number)] + list(more)
    columns = {
        "id": ids, "age": [str(20 + place // 2) for place in range(number)], "note": [None if place % 3 else f"word{place}" for place in range(number)],
        "label": [f"Zeugin {place}" for place in range(number)],
    }
    ties = ties_of([row if weights else row[:2] for row in rows], more=["weight"] if weights else [], directed=directed,
                   weight="weight" if weights else None)
    return source_of(columns, id="id", ties=ties)


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_opaque_and_the_number_of_people_stays(tmp_path, name):
    ids = shown_in(IDS, by_name(name))
    assert len(ids) >= 10
    files, options = written(tmp_path, name, ring(ids))
    reading = build(read(*files, options=replace(options, unlisted="drop")), Schema(columns=()))
    assert sorted(reading.ids) == sorted(ids)
    assert reading.graph.n == len(ids)
    assert reading.graph.n_ties == len(ids)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("directed", [False, True])
def test_every_tie_is_accounted_for(tmp_path, name, directed):
    ids = shown_in(list("abcdefgh"), by_name(name))
    again = [(ids[1], ids[0], "9"), (ids[0], ids[1], "9"), (ids[3], ids[3], "9")]
    source = ring(ids, directed=directed, more=again)
    meant = fitted(network_of(source), by_name(name)).network
    files, options = written(tmp_path, name, source)
    found = read(*files, options=replace(options, unlisted="drop"))
    assert len(found.ties.frame) == len(meant.source)
    report = build(found, Schema(columns=())).report
    lines = report.counts["arcs" if directed else "ties"] + report.counts["loops_dropped"] + report.counts["repeats_merged"]
    assert lines == report.counts["tie_rows_read"] == len(meant.source)
    assert report.counts["loops_dropped"] == 1
    assert "1 self-loop dropped" in " ".join(report.warnings)
    merged = report.counts["repeats_merged"]
    assert (merged > 0) == any(f"{merged} repeated edge" in told for told in report.warnings)
    assert str(len(ids)) in said(found) or name in ("edge list", "CSV", "TSV", "Excel", "Parquet")


@pytest.mark.parametrize("name", [carries.name for carries in CARRIES if carries.attributes == "any"])
def test_missing_is_missing(tmp_path, name):
    files, options = written(tmp_path, name, ring(list("abcdefgh")))
    frame = read(*files, options=options).people.frame
    notes = dict(zip(frame[options.id or "id"], frame["note"], strict=True))
    assert notes == dict(zip("abcdefgh", ["word0", None, None, "word3", None, None, "word6", None], strict=True))


def outcome(*files, options):
    """Return what was read, or the problems for which it was refused."""
    try:
        return read(*files, options=options), ()
    except InputProblem as error:
        return None, error.problems


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_cut_off_anywhere_is_read_or_refused_with_its_name(tmp_path, name):
    files, options = written(tmp_path, name, ring(shown_in(list("abcd"), by_name(name))))
    path = files[-1]
    data = path.read_bytes()
    for end in range(0, len(data), max(1, len(data) // 20)):
        path.write_bytes(data[:end])
        source, problems = outcome(*files, options=options)
        assert all(problem.what and problem.file for problem in problems)
        assert not problems or any(problem.line or problem.fix or problem.allowed for problem in problems), problems
        assert source is None or source.people is None or len(source.people.frame) == len(source.people.lines)


def released(tmp_path, source, out):
    """Return what a run with the drafted schema writes, file by file."""
    schema = tmp_path / "draft.toml"
    schema.write_text(inspect_source(source).draft_schema(), encoding="utf-8")
    known = read_schema(schema)
    reading = build(replace(source, options=source.options.as_schema_says(known)), known)
    run = pipeline.anonymize(reading, requirement=pipeline.requirement_of(known, k=2), seed=3, out=tmp_path / out, refine=False)
    assert all(finding.holds for finding in run.findings)
    return run, {path.name: path.read_text(encoding="utf-8") for path in sorted((tmp_path / out / "release").iterdir())}


PEOPLE = ["Anna-Berta", "Zoë", "王芳", "x007", "Mr.Null", "Ferdinand", "Gisela", "Hanno"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_anybody_reaches_a_release(tmp_path, name):
    ids = shown_in(PEOPLE, by_name(name))
    source = ring([name.replace(" ", "") for name in ids])
    files, options = written(tmp_path, name, source)
    found = read(*files, options=options)
    run, texts = released(tmp_path, found, "out")
    sizes = run.grouping.partition.sizes
    assert (min(sizes) >= 2, sum(sizes)) == (True, len(ids))
    nodes, edges = (pd.read_csv(io.StringIO(texts[file])) for file in ("supernodes.csv", "superedges.csv"))
    assert nodes["size"].sum() == len(ids)
    assert nodes["ties_inside"].sum() + edges["ties"].sum() == len(ids)
    hidden = [r"Zeugin", r"777\d{3}", re.escape(str(tmp_path)), r"people\."]
    hidden += [] if by_name(name).ids == "numbers" else [rf"(?<!\w){re.escape(one)}(?!\w)" for one in ids]
    for file, text in texts.items():
        assert not [word for word in hidden if re.search(word, text)], file


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_a_file_changes_nothing_in_a_release(tmp_path, name):
    ids = shown_in(PEOPLE, by_name(name))
    source = ring(ids)
    if by_name(name).ids == "numbers":
        # there the order is the name
        turned = replace(source, ties=replace(source.ties, frame=source.ties.frame.iloc[::-1].reset_index(drop=True)))
    else:
        order = Random(4).sample(range(len(ids)), len(ids))
        people = replace(source.people, frame=source.people.frame.iloc[order].reset_index(drop=True))
        ties = source.ties.frame.iloc[order].reset_index(drop=True)[["target", "source", "weight"]]
        ties.columns = ["source", "target", "weight"]
        turned = replace(source, people=people, ties=replace(source.ties, frame=ties))
    told = []
    for number, one in enumerate((source, turned)):
        folder = tmp_path / str(number)
        folder.mkdir()
        files, options = written(folder, name, one)
        _, texts = released(folder, read(*files, options=options), "out")
        told.append(sorted(line.partition(",")[2] for line in texts["supernodes.csv"].splitlines()))
    assert told[0] == told[1]


# what would change people or ties, in every format that can say it: the file, the line, and what to do

GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n<graph edgedefault="{0}">\n<node id="a"/>\n<node id="{1}"/>\n{2}</graph></graphml>'
GEXF = '<gexf version="1.3"><graph>\n<nodes>\n<node id="a"/>\n<node id="{0}"/>\n</nodes><edges>\n{1}</edges></graph></gexf>'
AMBIGUOUS = {
    "twice.graphml": (GRAPHML.format("undirected", "a", '<edge source="a" target="a"/>'), 4),
    "nobody.graphml": (GRAPHML.format("undirected", "b", '<edge source="a" target="z"/>'), 5),
    "mixed.graphml": (GRAPHML.format("directed", "b", '<edge source="a" target="b"/>\n<edge source="a" target="b" directed="false"/>'), 6),
    "twice.gexf": (GEXF.format("a", '<edge source="a" target="a"/>'), 4),
    "nobody.gexf": (GEXF.format("b", '<edge source="a" target="z"/>'), 6),
    "twice.gml": ("graph [\nnode [ id 1 ]\nnode [ id 1 ]\nedge [ source 1 target 1 ]\n]", 3),
    "nobody.gml": ("graph [\nnode [ id 1 ]\nnode [ id 2 ]\nedge [ source 1 target 3 ]\n]", 4),
    "twice.json": ('{"nodes": [\n{"id": "a"},\n{"id": "a"}],\n"links": [{"source": "a", "target": "a"}]}', 3),
    "nobody.json": ('{"nodes": [\n{"id": "a"},\n{"id": "b"}],\n"links": [\n{"source": "a", "target": "z"}]}', 5),
    "both.json": ('{"nodes": [{"id": "a"}, {"id": "b"}],\n"links": [{"source": "a", "target": "b"}],\n"edges": []}', None),
    "nobody.net": ("*Vertices 2\n1 a\n2 b\n*Edges\n1 3\n", 5),
    "fewer.mtx": ("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n", None),
    "nobody.mtx": ("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n", 3),
    "nobody.dl": ("dl n=2 format=edgelist1\ndata:\n1 3\n", 3),
    "half.edgelist": ("a b\nc\nb c\n", 2),
    "twice.matrix.csv": (",a,b,a\na,0,1,0\nb,1,0,0\na,0,0,0\n", None),
    "comment.txt": ("#team bo\nbo cy\ncy #team\n", 1),
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_what_could_change_people_or_ties_is_asked_with_file_and_line(tmp_path, name):
    text, line = AMBIGUOUS[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputProblem) as caught:
        build(read(path, options=ReadOptions(unlisted="drop")), Schema(columns=()))
    problem = caught.value.problems[0]
    assert str(path) in str(problem)
    assert line is None or line in {problem.line for problem in caught.value.problems}
    assert problem.fix or problem.allowed
