"""Files with the traps that people's files have, from the file to the release of it: what must hold of each.

Groups have two people at least, sizes add up to the people and counts to the ties, nothing that names anybody is in any file of a
release, and the order of a file changes nothing.
"""

import csv
import io
import re
from dataclasses import replace
from random import Random

import pytest

from graphanon import pipeline
from graphanon.inspection import inspect_source
from graphanon.io import ReadOptions, read
from graphanon.io.build import build
from graphanon.io.schema_file import read_schema

GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">'
# the files, the options, people, ties, whether they have a direction, and what must not leave
KINDS = {
    "parallel ties of GML with labels": ({"a.gml": (
        'Creator "Clinic Nord, ward 7"\ngraph [ directed 0\n' + "".join(
            f'node [ id {n} label "Ines Okoro{n % 2}" age {a} graphics [ x 77.25 y 1 fill "#AB12CD" ] ]\n' for n, a in enumerate((31, 31, 44, 45), start=41))
        + "edge [ source 41 target 42 value 8841 ]\nedge [ source 42 target 41 ]\nedge [ source 43 target 44 ]\nedge [ source 42 target 43 ]\n]")},
        {}, 4, 3, False, ["Clinic", "ward", "Ines", "Okoro", "77.25", "AB12CD", "8841", "41", "42", "43", "44"]),
    "groups, ports and drawings of yEd": ({"a.graphml": (
        GRAPHML + '<key for="node" id="d0" attr.name="age" attr.type="int"/><key for="node" id="d6" yfiles.type="nodegraphics"/><graph edgedefault="directed">'
        '<node id="g7" yfiles.foldertype="group"><data key="d6"><y:ProxyAutoBoundsNode><y:NodeLabel>Station Elf</y:NodeLabel></y:ProxyAutoBoundsNode></data><graph edgedefault="directed">'
        '<node id="g7::q0"><data key="d0">31</data><data key="d6"><y:ShapeNode><y:Geometry x="812.5"/><y:NodeLabel>Ines Okoro</y:NodeLabel></y:ShapeNode></data></node>'
        '<node id="g7::q1"><data key="d0">32</data><port name="north"/></node><edge source="g7::q0" target="g7::q1"/></graph></node>'
        '<node id="q8"><data key="d0">44</data></node><node id="q9"><data key="d0">45</data></node><edge source="g7::q1" target="q8"/><edge source="q9" target="q8"/></graph></graphml>')},
        {}, 4, 3, True, ["Station", "Elf", "Ines", "Okoro", "812.5", "north", "g7", "q0", "q1", "q8", "q9"]),
    "times, lists and metadata of GEXF": ({"a.gexf": (
        '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3"><meta lastmodifieddate="2019-04-05"><creator>Ines Okoro</creator>'
        '<description>pilot of May</description></meta><graph defaultedgetype="undirected" mode="dynamic"><attributes class="node"><attribute id="0" title="langs" type="liststring"/>'
        '<attribute id="1" title="age" type="integer"/></attributes><nodes>' + "".join(
            f'<node id="u{n}" label="Okoro {n}" start="2019-04-0{n}"><attvalues><attvalue for="0" value="[de, fr]"/><attvalue for="1" value="{30 + n}"/></attvalues>'
            f'<viz:position x="812.5" y="{n}"/></node>' for n in range(1, 5))
        + '</nodes><edges><edge source="u1" target="u2" weight="8841" start="2019-04-07"/><edge source="u3" target="u4" type="mutual"/></edges></graph></gexf>')},
        {}, 4, 2, False, ["Ines", "Okoro", "pilot", "2019", "812.5", "8841", "u1", "u2", "u3", "u4"]),
    "places instead of ids in JSON": ({"a.json": (
        '{"nodes": [' + ",".join(f'{{"name": "Ines Okoro{n}", "group": {n // 2}, "x": 812.5, "index": {n}}}' for n in range(5)) + '],'
        ' "links": [{"source": 0, "target": 1, "value": 8841}, {"source": 2, "target": 3, "value": 8842}, {"source": 3, "target": 2, "value": 1}]}')},
        {}, 5, 2, False, ["Ines", "Okoro", "812.5", "8841", "8842"]),
    "relations of Pajek": ({"a.net": (
        '*Network clinic\n*Vertices 4\n1 "Ines Okoro" 0.8125 0.5 ellipse\n2 "Bo L" 0.1 0.1\n3 "Cy M" 0.2 0.2\n4 "Di N" 0.3 0.3\n'
        '*Arcs :1 "advice"\n1 2 8841\n3 4 8842\n*Arcs :2 "trust"\n1 2 1\n2 3 1\n')}, {}, 4, 3, True,
        ["Ines", "Okoro", "Bo L", "Cy M", "Di N", "0.8125", "8841", "8842", "advice", "trust", "clinic"]),
    "one relation of Pajek": ({"a.net": (
        '*Vertices 4\n1 "Ines Okoro"\n2 "Bo L"\n3 "Cy M"\n4 "Di N"\n*Arcs :1 "advice"\n1 2\n3 4\n*Arcs :2 "trust"\n1 2\n2 3\n3 1\n')},
        {"relation": "advice"}, 4, 2, True, ["Ines", "Okoro", "Bo L", "advice", "trust"]),
    "signs of comments in names": ({"a.txt": "# whom Ines Okoro calls\nxanna xbo\nward#3 xcy\nxbo #team\nxcy http://x.org/a#Ann\nxdi xanna\n"}, {}, 7, 5, False,
        ["Ines", "xanna", "xbo", "ward#3", "xcy", "#team", "x.org", "xdi"]),
    "dates and weights of contacts": ({"a.csv": "source,target,weight,date\npz1,pz2,8841,2019-04-05\npz2,pz3,1,2019-04-06\npz3,pz4,2,2019-04-07\n"}, {}, 4, 3, False,
        ["2019", "8841", "pz1", "pz2", "pz3", "pz4"]),
    "gaps between numbers": ({"a.edges": "77001 77002\n77002 77003\n77003 95000\n"}, {}, 4, 3, False, ["77001", "77002", "77003", "95000"]),
    "people without ties, in tables": ({"a.csv": "id,age,zip\nqa,31,04051\nqb,33,04051\nqc,35,04052\nqd,36,04052\nqe,71,04053\nqf,72,04053\n", "b.csv": "source,target\nqa,qb\nqc,qd\n"},
        {}, 6, 2, False, ["qa", "qb", "qc", "qd", "qe", "qf"]),
    "people without ties, in a matrix": ({"a.csv": ";qa;qb;qc;qd;qe\nqa;0;1;0;0;0\nqb;1;0;0;0;0\nqc;0;0;0;1;0\nqd;0;0;1;0;0\nqe;0;0;0;0;0\n"}, {}, 5, 2, False,
        ["qa", "qb", "qc", "qd", "qe"]),
    "repeats, both ways, to oneself": ({"a.csv": "source,target,weight\nqa,qb,2\nqb,qa,8841\nqa,qb,2\nqc,qc,5\nqc,qd,1\n"}, {"directed": True}, 4, 3, True, ["8841", "qa", "qb", "qc", "qd"]),
    "zeros, long numbers and words for nothing": ({
        "a.csv": "id,age,land\n007,31,NA\n07,33,DE\n1294030472427835393,35,NA\n1294030472427835394,36,\n", "b.csv": "source,target\n007,07\n07,1294030472427835393\n1294030472427835393,1294030472427835394\n"},
        {}, 4, 3, False, ["007", "07", "1294030472427835393", "1294030472427835394"]),
    "rows that repeat and ends that are nobody": ({"a.csv": "id,age\nqa,31\nqb,33\nqb,64\nqc,35\nqe,36\n", "b.csv": "source,target\nqa,qb\nqb,qc\nqc,qd\n"},
        {"duplicate_nodes": "first", "missing_nodes": "add"}, 5, 3, False, ["qa", "qb", "qc", "qd", "qe", "64"]),
}


def source_in(folder, files, options):
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return read(*(folder / name for name in files), options=ReadOptions(**options))


def released(folder, source, out, method=None):
    """Return a release with k = 2 and the drafted schema, file by file."""
    (folder / "draft.toml").write_text(inspect_source(source).draft_schema(), encoding="utf-8")
    schema = read_schema(folder / "draft.toml")
    reading = build(replace(source, options=source.options.as_schema_says(schema)), schema)
    run = pipeline.anonymize(reading, requirement=pipeline.requirement_of(schema, k=2), method=method, seed=3, out=folder / out, refine=False)
    assert all(finding.holds for finding in run.findings)
    return {path.relative_to(folder / out / "release").as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((folder / out / "release").rglob("*")) if path.is_file()}


def shuffled(source, chance):
    """Return the same people and ties in another order."""
    people, ties = source.people, source.ties
    if people is not None:
        order = chance.sample(range(len(people.frame)), len(people.frame))
        people = replace(people, frame=people.frame.iloc[order].reset_index(drop=True), lines=people.lines[order])
    order = chance.sample(range(len(ties.frame)), len(ties.frame))
    ties = replace(ties, frame=ties.frame.iloc[order].reset_index(drop=True), lines=ties.lines[order])
    return replace(source, people=people, ties=ties)


def table(texts, name):
    return list(csv.DictReader(io.StringIO(texts[name])))


def without_names(texts):
    """Return what is told of supernodes, with no name of one."""
    return sorted(tuple(value for name, value in row.items() if name != "supernode") for row in table(texts, "supernodes.csv"))


@pytest.mark.parametrize("kind", KINDS)
def test_what_must_hold_of_every_release(tmp_path, kind):
    files, options, people, ties, directed, hidden = KINDS[kind]
    source = source_in(tmp_path, files, options)
    seen = inspect_source(source)
    assert (seen.people, seen.ties, seen.directed) == (people, ties, directed)
    texts = released(tmp_path, source, "out")
    word = "arcs" if directed else "ties"
    sizes = [int(row["size"]) for row in table(texts, "supernodes.csv")]
    assert (min(sizes) >= 2, sum(sizes)) == (True, people)
    told = [int(row[f"{word}_inside"]) for row in table(texts, "supernodes.csv")] + [int(row[word]) for row in table(texts, "superedges.csv")]
    assert sum(told) == ties
    for file, text in texts.items():
        found = [name for name in hidden if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
        assert not found or file == "SHA256SUMS", (file, found)
    again = released(tmp_path, shuffled(source, Random(5)), "again")
    assert without_names(again) == without_names(texts)


def test_a_small_number_in_a_release_is_a_count_and_no_id(tmp_path):
    """Ids such as 1 and 2 occur in any release by chance: they must be there too if the people are named otherwise."""
    words = {}
    for number, names in enumerate([["1", "2", "3", "4", "5", "6"], ["a", "b", "c", "d", "e", "f"], ["qqa", "qqb", "qqc", "qqd", "qqe", "qqf"]]):
        folder = tmp_path / str(number)
        folder.mkdir()
        rows = "".join(f"{name},{age},{job}\n" for name, age, job in zip(names, (30, 30, 40, 40, 50, 50), "xxyyzz", strict=True))
        pairs = "".join(f"{names[place]},{names[place + 1]}\n" for place in (0, 2, 4, 1))
        source = source_in(folder, {"people.csv": f"id,age,job\n{rows}", "ties.csv": f"source,target\n{pairs}"}, {})
        texts = released(folder, source, "out", method="sangreea")
        assert len(table(texts, "supernodes.csv")) == 3
        # supernodes are named and ordered by chance
        words[number] = {file: sorted(re.findall(r"\w+", re.sub(r"\bS\d\b", "S", text))) for file, text in texts.items() if file != "SHA256SUMS"}
    assert words[0] == words[1] == words[2]
