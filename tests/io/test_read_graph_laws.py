"""Laws of graph files: a graph written in any of the formats comes back, and a damaged file is read or refused."""

import html
import json
import tempfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read

QUIET = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
# what XML can carry at all, without the white space that it evens out
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1, max_size=6)


def as_gml(ids, jobs, ends):
    def quoted(text):
        return '"' + html.escape(text) + '"'

    nodes = "".join(f"node [ id {quoted(name)} {'' if job is None else 'job ' + quoted(job)} ]\n" for name, job in zip(ids, jobs, strict=True))
    edges = "".join(f"edge [ source {quoted(source)} target {quoted(target)} ]\n" for source, target in ends)
    return f"graph [ directed 1\n{nodes}{edges}]"


def as_gexf(ids, jobs, ends):
    values = ["" if job is None else f'<attvalues><attvalue for="0" value={quoteattr(job)}/></attvalues>' for job in jobs]
    nodes = "".join(f"<node id={quoteattr(name)}>{value}</node>\n" for name, value in zip(ids, values, strict=True))
    edges = "".join(f"<edge source={quoteattr(source)} target={quoteattr(target)}/>\n" for source, target in ends)
    return ('<gexf><graph defaultedgetype="directed"><attributes class="node"><attribute id="0" title="job" type="string"/></attributes>'
            f"<nodes>{nodes}</nodes><edges>{edges}</edges></graph></gexf>")


def as_json(ids, jobs, ends):
    nodes = [{"id": name} | ({} if job is None else {"job": job}) for name, job in zip(ids, jobs, strict=True)]
    links = [{"source": source, "target": target} for source, target in ends]
    return json.dumps({"directed": True, "nodes": nodes, "links": links}, indent=1)


WRITERS = {"gml": as_gml, "gexf": as_gexf, "json": as_json}


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@st.composite
def graphs(draw):
    ids = draw(st.lists(TEXT, min_size=1, max_size=5, unique=True))
    jobs = [draw(st.none() | TEXT) for _ in ids]
    ends = draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=6))
    return ids, jobs, ends


@pytest.mark.parametrize("ending", WRITERS)
@QUIET
@given(made=graphs())
def test_what_was_written_comes_back(folder, ending, made):
    ids, jobs, ends = made
    path = folder / f"graph.{ending}"
    path.write_text(WRITERS[ending](*made), encoding="utf-8")
    source = read(path, options=ReadOptions(encoding="utf-8", ends="id"))
    assert source.people.frame["id"].tolist() == ids
    told = source.people.frame["job"].tolist() if "job" in source.people.frame else [None] * len(ids)
    assert told == jobs
    assert list(zip(source.ties.frame["source"], source.ties.frame["target"], strict=True)) == ends
    assert source.ties.directed is True


def outcome(path):
    try:
        return read(path).people, ()
    except InputProblem as error:
        return None, error.problems


SAMPLE = (["a", "b"], ["x", None], [("a", "b")])
PIECES = [b'"', b"[", b"]", b"{", b"}", b"\\u0000", b"\\ud800", b"&#0;", b"&x;", b"\0", b"id ", b"node [", b"1e999", b"null", b"NaN",
          b"<nodes>", b"</node>", b' pid="a" ', b"#", b"\xff", b'"id":', b",", b":", b' start="1" ', b"graph [", b"-"]


@pytest.mark.parametrize("ending", WRITERS)
@QUIET
@given(cuts=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(PIECES)), min_size=1, max_size=4))
def test_a_damaged_file_is_read_or_refused(folder, ending, cuts):
    data = WRITERS[ending](*SAMPLE).encode()
    for place, length, piece in cuts:
        at = int(place * len(data))
        data = data[:at] + piece + data[at + length:]
    path = folder / f"damaged.{ending}"
    path.write_bytes(data)
    people, problems = outcome(path)
    assert people is None or len(people.frame) == len(people.lines)
    assert all(problem.what for problem in problems)
