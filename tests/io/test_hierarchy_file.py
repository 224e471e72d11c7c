import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphanon.domain import Tree
from graphanon.errors import InputProblem
from graphanon.io.hierarchy_file import hierarchy_text, read_hierarchy


def read(folder, content):
    path = folder / "job.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_hierarchy(path)


def problems(folder, content):
    with pytest.raises(InputProblem) as caught:
        read(folder, content)
    assert all(problem.file.endswith("job.csv") for problem in caught.value.problems)
    return caught.value.problems


JOBS = (("nurse", "care", "*"), ("cook", "trade", "*"))


@pytest.mark.parametrize("text", [
    "nurse;care;*\ncook;trade;*\n",
    "nurse,care,*\ncook,trade,*\n",
    "nurse\tcare\t*\r\ncook\ttrade\t*\r\n",
    "nurse|care|*\ncook|trade|*",
    "nurse; care; *\n\ncook; trade; *\n",
    "nurse;care;*;\ncook;trade;*;\n",
    '"nurse";"care";"*"\n"cook";"trade";"*"\n',
    "\ufeffnurse;care;*\ncook;trade;*\n",
])
def test_separator_quotes_blanks_and_line_ends_are_the_writers_choice(tmp_path, text):
    assert read(tmp_path, text).rows == JOBS


def test_quoted_values_may_hold_separators_and_lines(tmp_path):
    tree = read(tmp_path, '"a;b";"x, ""y""";*\n"two\nlines";z;*\nc;z;*\n')
    assert tree.leaves == ("a;b", "c", "two\nlines")


def test_commas_inside_labels_do_not_mislead(tmp_path):
    assert read(tmp_path, "Smith, J;x, y;*\nDoe, A;z, w;*\n").leaves == ("Smith, J", "Doe, A")


def test_a_flat_hierarchy_is_one(tmp_path):
    assert read(tmp_path, "a;*\nb;*\n").height == 1


@pytest.mark.parametrize(("text", "line", "told"), [
    ("a;x;*\nb;*\n", 2, "uneven hierarchy: value 'b' has 2 levels"),
    ("a;x;*\n\nb;x;y;*\nc;x;*\n", 3, "uneven hierarchy: value 'b'"),
    ("a;x;*\na;y;*\n", 2, "value 'a' stands under two parents"),
    ("a;x;*\na;x;*\n", 2, "value 'a' stands in two lines"),
    ("value;group;all\na;x;*\nb;x;*\n", 1, "value 'value' ends in 'all'"),
    ("a;x;Any\nb;x;Any\n", 1, "not in '*'"),
])
def test_what_is_wrong_is_told_with_value_and_line(tmp_path, text, line, told):
    found = problems(tmp_path, text)
    assert any(told in problem.what and problem.line == line for problem in found), found


@pytest.mark.parametrize(("text", "told"), [
    ("", "empty"),
    ("\n \n", "empty"),
    ("a;x;p;*\nb;x;q;*\n", "label 'x' stands under two parents"),
    ("a;b;*\nb;c;*\n", "'b' stands for two different sets"),
    (";x;*\na;x;*\n", "label in line 1 is empty"),
    ("a;;*\nb;;*\n", "label in line 1 is empty"),
    ("a;x;*\nb; ;*\n", "label in line 2 is empty"),
])
def test_labels_that_contradict_each_other_are_refused(tmp_path, text, told):
    assert any(told in problem.what for problem in problems(tmp_path, text))


def test_all_problems_are_told_at_once_and_a_flood_is_cut(tmp_path):
    found = problems(tmp_path, "a;x;*\na;y;*\n" + "".join(f"v{i};x;y;z;*\n" for i in range(3)) + "b;x;+\n")
    assert len([p for p in found if "uneven" in p.what]) == 3
    assert any("two parents" in p.what for p in found)
    flood = problems(tmp_path, "".join(f"v{i};x;Any\n" for i in range(90)))
    assert "and 85 more" in flood[-1].what


def test_a_missing_file_and_bytes_that_are_no_text_are_refused(tmp_path):
    with pytest.raises(InputProblem, match="does not exist"):
        read_hierarchy(tmp_path / "none.csv")
    assert "UTF-8" in problems(tmp_path, b"\xff\xfea;*\n")[0].what


label = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=6).filter(lambda t: t != "*")


@given(st.lists(label, min_size=1, max_size=8, unique=True), st.integers(1, 3))
def test_a_written_hierarchy_reads_back_the_same(tmp_path_factory, leaves, groups):
    rows = tuple((leaf, f"group; {i % groups}", "*") for i, leaf in enumerate(leaves)
                 if not leaf.startswith("group"))
    if rows:
        path = tmp_path_factory.getbasetemp() / "again.csv"
        path.write_text(hierarchy_text(Tree(rows)), encoding="utf-8", newline="")
        assert sorted(read_hierarchy(path).rows) == sorted(rows)
