"""DOT: every name is one person, wherever and however it is written."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from readings import cells, graph, pairs, problems, said

from graphanon.errors import InputProblem
from graphanon.io import read


@pytest.fixture
def written(tmp_path):
    def write(text, name="people.dot"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_nodes_and_edges_come_with_their_lines(written):
    source = graph(written("graph {\n a [age=31]\n b;\n c\n a -- b [weight=2];\n}\n"))
    assert (cells(source), cells(source, "age")) == (["a", "b", "c"], ["31", None, None])
    assert pairs(source, "weight") == [("a", "b", "2")]
    assert (source.people.lines.tolist(), source.ties.lines.tolist()) == ([2, 3, 4], [5])
    assert (source.ties.directed, source.ties.weight) == (False, "weight")
    assert graph(written("digraph{a->b}")).ties.directed is True


def test_a_chain_ties_neighbours_and_a_block_ties_all_its_nodes(written):
    source = graph(written("digraph { a -> b -> {c d} -> subgraph s { e; f } }"))
    assert cells(source) == list("abcdef")
    assert pairs(source) == [("a", "b"), ("b", "c"), ("b", "d"), ("c", "e"), ("c", "f"), ("d", "e"), ("d", "f")]


def test_a_subgraph_named_again_is_the_same_subgraph(written):
    source = graph(written("graph { subgraph s {a} subgraph s {b} c -- subgraph s }"))
    assert pairs(source) == [("c", "a"), ("c", "b")]
    assert "1 named subgraph is not kept" in said(source)


def test_names_are_text_whatever_signs_they_hold(written):
    text = 'graph { "Ann \\"A\\" Lee" -- "two\nlines"; "split \\\nhere"; "a" + "b"; "a\\nb"; <i<b>x</b>>; -1.5; .5; 007; 7; "7"; é_1; "->" }'
    assert cells(graph(written(text))) == ['Ann "A" Lee', "two\nlines", "split here", "ab", "a\\nb", "<i<b>x</b>>", "-1.5", ".5",
                                           "007", "7", "é_1", "->"]


def test_words_of_the_language_in_quotation_marks_are_names(written):
    assert cells(graph(written('STRICT Graph "graph" { "node" -- "edge"; NODE [age=3]; x }'))) == ["node", "edge", "x"]


def test_comments_hide_nothing_but_themselves(written):
    text = '// one\n/* two\n*/ # no\ngraph /* { */ {\n# three -- four\na--b // c--d\n /* e -- f */ g; "http://x#y" -- h\n}\n'
    assert cells(graph(written(text.replace(" # no", "")))) == ["a", "b", "g", "http://x#y", "h"]


def test_defaults_hold_for_what_is_made_after_them(written):
    source = graph(written('graph { a; node [town=Riga, age=30]; b; c [age=40]; {node [town=""]; d; b} e -- f; edge [weight=5]; f -- a [weight=2]; a -- b }'))
    assert cells(source) == list("abcdef")
    assert cells(source, "town") == [None, "Riga", "Riga", None, "Riga", "Riga"]
    assert cells(source, "age") == [None, "30", "40", "30", "30", "30"]
    assert source.ties.frame["weight"].tolist() == [None, "2", "5"]


def test_ports_are_no_people(written):
    source = graph(written('digraph { a:p1:n -> "b":"p 2"; a:x }'))
    assert (cells(source), pairs(source)) == (["a", "b"], [("a", "b")])
    assert "3 ports dropped" in said(source)


def test_parallel_edges_stay_unless_the_graph_is_strict(written):
    body = "{ a -- b [weight=1]; b -- a [weight=3]; a -- a }"
    assert pairs(graph(written("graph " + body)), "weight") == [("a", "b", "1"), ("b", "a", "3"), ("a", "a", None)]
    strict = graph(written("strict graph " + body))
    assert pairs(strict, "weight") == [("a", "b", "3"), ("a", "a", None)]
    assert "1 repeated edge is the edge before" in said(strict)
    assert len(pairs(graph(written("strict digraph " + body.replace("--", "->"))))) == 3


def test_how_things_are_drawn_is_dropped_and_told_but_not_what_they_are(written):
    source = graph(written('graph x { size="7,5"; graph [bgcolor=white]; a [shape=box, color="#ff0000", height=180, label="Ann"]; a -- b [style=bold, since=1999] }'))
    assert source.people.frame.columns.tolist() == ["id", "height", "label"]
    assert source.ties.frame.columns.tolist() == ["source", "target", "since"]
    for told in ("color (1), shape (1), style (1)", "2 attributes of the graph itself", "since dropped"):
        assert told in said(source)


def test_sizes_in_a_file_that_was_laid_out_are_no_attributes_of_people(written):
    source = graph(written('graph { a [pos="1,2", width=0.75, height=0.5, label="\\N"]; b }'))
    assert source.people.frame.columns.tolist() == ["id"]


def test_an_attribute_without_a_value_is_true(written):
    assert cells(graph(written("graph { a [member; age=3]; b }")), "member") == ["true", None]


@pytest.mark.parametrize(("text", "line", "what"), [
    ("digraph {\n a -- b }", 2, "'--' stands in a digraph"),
    ("graph {\n a -> b }", 2, "'->' stands in a graph"),
    ("graph {\n a -- }", 2, "'}' stands where it cannot"),
    ("graph {\n a [x=", 2, "the end of the file stands where it cannot"),
    ("graph {\n a [x=1", 2, "'[' is opened here and never closed"),
    ("graph {\n a -- b", 1, "'{' is opened here and never closed"),
    ('graph {\n "a', 2, "a quotation mark is opened here and never closed"),
    ("graph {\n <a", 2, "'<' is opened here and never closed"),
    ("graph {\n /* a", 2, "a comment is opened here and never closed"),
    ("graph {\n 1a }", 2, "a name begins with the number 1"),
    ("graph {\n a & b }", 2, "'&' stands where it cannot"),
    ("graph { a }\ngraph { b }", 2, "holds several graphs"),
    ("graph { a }\nb", 2, "'b' stands after the end of the graph"),
    ('graph {\n "" -- a }', 2, "a node has an empty name"),
    ('graph {\n <b> -- "<b>" }', 2, "two nodes are named <b>, one of them as HTML"),
    ("graph " + "{" * 101 + "}" * 101, 1, "more than 100 blocks stand one inside another"),
])
def test_what_the_grammar_does_not_allow_is_told_with_its_line(written, text, line, what):
    (problem,) = problems(written(text))
    assert (problem.line, problem.what) == (line, what)


def test_a_few_words_cannot_tie_millions(written):
    many = "{" + " ".join(f"n{i}" for i in range(2000)) + "}"
    (problem,) = problems(written(f"graph {{ subgraph s {many} {many} -- {many} }}"))
    assert "more than a file of this size can mean" in problem.what


def test_a_few_words_cannot_make_a_table_of_millions(written):
    nodes = ";".join(f"n{i}" for i in range(60_000))
    defaults = ",".join(f"a{i}=1" for i in range(900))
    (problem,) = problems(written(f"graph {{ node [{defaults}]; {nodes} }}"))
    assert "900 attributes of 60,000 things" in problem.what
    (problem,) = problems(written(f"graph {{ node [{defaults}]; node [{defaults.replace('a', 'b')}]; x }}"))
    assert "more than 1,000 defaults" in problem.what


STATEMENTS = ["a", "b;", "c1", "é", "3", "-2.5;", '"a b"', '"q\\"x"', '"a" + "b"', "a -- b", "a--b;", '"a" -- c1;', "a -- b -- c", "a:p -- b:q:n", "a=b", "a = b;",
              "node [k=v]", "edge [w=3];", "subgraph s {a; c}", "a -- {b c}", "{a b} -- c;", "a [x=1]", 'b -- c [x="y z", w=2;];', "a -- c [w]", "a [ x = <b> ];",
              "\n# c\n", "// c\n", "/* c */", ";;", "a -- b // c\n", "a\n--\nb"]
JUNK = ['""', "<a>", "Edge", "graph", "subgraph", "strict", "--", "->", "=", ",", ":", "[", "]", "{", "}", "5a", "1.2.3", "[x=1]", '"']


def both(path):
    """Return what is read, or the first thing that is told."""
    try:
        source = read(path)
    except InputProblem as error:
        return error.problems
    return (source.people.frame.to_dict("list"), source.ties.frame.to_dict("list"), source.people.lines.tolist(), source.ties.lines.tolist(),
            source.report)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(pieces=st.lists(st.one_of(*[st.sampled_from(STATEMENTS)] * 12, st.sampled_from(JUNK)), max_size=12), kind=st.sampled_from(["graph", "strict graph"]),
       glue=st.sampled_from([" ", "\n", " ", ""]))
def test_taking_plain_statements_at_once_changes_nothing(tmp_path, pieces, kind, glue):
    path = tmp_path / "g.dot"
    path.write_text(f"{kind} {{ {glue.join(pieces)} }}", encoding="utf-8")
    at_once = both(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphanon.io.dot._PLAIN", re.compile(r"(?!)"))
        one_by_one = both(path)
    assert at_once == one_by_one
