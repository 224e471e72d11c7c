"""Files of text that were damaged, by whomever: read, or refused in our own words, never anything else."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphanon.errors import InputProblem
from graphanon.io import read

WHOLE = {
    "a.net": '*Network x\n*Vertices 4 2\n1 "a b" 0.1 0.2 box ic Red [1-2]\n2 b\n*Arcs :1 "like"\n1 2 3 l "x"\n1: 2 3\n*Edgeslist\n1 3 4\n*Matrix\n0 1\n1 0\n*Partition p.clu\n*Vertices 4\n1\n2\n3\n4\n',
    "b.dl": 'dl n=3, nm=2 format=fullmatrix diagonal=absent\nlabels:\na,"b c" d\nmatrix labels: x y\ndata:\n0 1\n1 0\n0 0\n2 1\n0 0\n1 NA\n',
    "c.dl": "dl nr=2 nc=2 format=edgelist2 labels embedded data:\na x 2\nb y\n!\n",
    "d.mtx": "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 0.5\n3 3 -1\n",
    "e.mtx": "%%MatrixMarket matrix array integer general\n2 2\n0\n1\n2\n0\n",
    "f.dot": 'strict digraph x { node [a=1] a:p -> "b\\"" -> {c; d} [weight=2]; subgraph s { <e<f>> } /* c */ -1.5 -> subgraph s // x\n}\n',
    "g.adjlist": "# c\na b c\nb a\n#d a\n",
    "h.txt": "* c\n1one:2 3\n2two:1 \\\n 3\n3three:\n",
    "i.csv": ";a;b;c\na;0;1;0\nb;1;0;2\nc;0;2;\n",
    "j.txt": "0 1 0\n1 0 1\n0 1 0\n",
}
PIECES = st.sampled_from(["\n", " ", '"', "*", ":", "[", "]", "{", "}", "->", "--", "=", "\\", "#", "%", "0", "-1", "99", "1e9", "\t",
                          ",", ";", "<", ">", "/*", "*Vertices 3\n", "*Matrix\n", "data:", "labels:", "é", "\x00", "x", "nan", "1:"])


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused(tmp_path, name, data):
    text = WHOLE[name]
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(text)))
        end = min(len(text), begin + data.draw(st.integers(0, 6)))
        text = text[:begin] + "".join(data.draw(st.lists(PIECES, max_size=3))) + text[end:]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    try:
        source = read(path)
    except InputProblem:
        return
    if source.people is None:
        # what is left of the file is a plain list of ties, which tells of no people
        assert name == "j.txt"
        assert len(source.ties.frame) > 0
        return
    ids = source.people.frame[source.id].tolist() if source.id else []
    if source.ties is not None:
        ends = set(source.ties.frame["source"]) | set(source.ties.frame["target"])
        assert ends <= set(ids)
        assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("name", "people", "ties"), [
    ("d.mtx", 3, 2), ("e.mtx", 2, 2), ("f.dot", 6, 4), ("h.txt", 3, 4), ("j.txt", 3, 2),
])
def test_an_undamaged_file_is_understood(tmp_path, name, people, ties):
    path = tmp_path / name
    path.write_text(WHOLE[name], encoding="utf-8")
    source = read(path)
    assert (len(source.people.frame), len(source.ties.frame)) == (people, ties)
