import pytest

from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem
from graphanon.io.schema_file import read_schema, schema_text
from graphanon.schema import Column, Promises, Role, Schema, TieColumns

FULL = """
[people]
id = "id"
missing = "value"

[ties]
source = "a"
target = "b"
directed = true
weight = "sum"
relation = "friendship"

[columns]
age     = { role = "quasi", range = [17, 90], steps = [5, 10, 20, 40] }
income  = { role = "quasi", range = [0, 500000], grid = 1000 }
job     = { role = "quasi", hierarchy = "trees/job.csv", limit = 2 }
rank    = { role = "quasi", order = ["low", "mid", "high"] }
town    = { role = "quasi" }
height  = { role = "quasi", range = "observed", grid = 0.5 }
illness = { role = "sensitive", alpha = { hiv = 0.2 }, l = 2, t = 0.3, diversity = "recursive", c = 3 }
wish    = { role = "k" }
city    = { role = "open" }
name    = { role = "identifier" }
"two words" = { role = "drop" }

[promises]
k = 5
tie_confidence = 0.8
withhold = 0.02
"""


def written(folder, text, **files):
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content)
    path = folder / "schema.toml"
    path.write_text(text)
    return path


def problems(folder, text, **files):
    with pytest.raises(InputProblem) as caught:
        read_schema(written(folder, text, **files))
    return caught.value.problems


@pytest.fixture
def full(tmp_path):
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "job.csv").write_text("nurse;care;*\ncook;trade;*\n")
    return read_schema(written(tmp_path, FULL))


def test_every_setting_of_the_contract_is_read(full):
    assert (full.id, full.missing) == ("id", "value")
    assert full.ties == TieColumns(source="a", target="b", directed=True, weight="sum", relation="friendship")
    assert full.promises == Promises(k=5, tie_confidence=0.8, withhold=0.02)
    assert full["age"] == Column(
        name="age", role=Role.QUASI, numeric=True, declared=(17, 90), steps=(5, 10, 20, 40))
    assert full["income"].grid == 1000
    assert full["rank"].domain == Order(("low", "mid", "high"))
    assert full["town"].domain is None
    assert full["height"].numeric
    assert full["height"].declared is None
    illness = full["illness"]
    assert (dict(illness.alpha), illness.l, illness.t, illness.diversity, illness.c) == (
        {"hiv": 0.2}, 2, 0.3, "recursive", 3)
    assert [column.role for column in full.columns[-4:]] == [Role.K, Role.OPEN, Role.IDENTIFIER, Role.DROP]


def test_a_hierarchy_lies_relative_to_the_schema_file(full):
    assert full["job"].domain == Tree((("nurse", "care", "*"), ("cook", "trade", "*")))
    assert full["job"].limit == 2


def test_a_written_schema_reads_back_the_same(full, tmp_path):
    path = tmp_path / "again.toml"
    path.write_text(schema_text(full))
    assert read_schema(path) == full


def test_a_schema_built_in_python_is_written_with_its_closed_domains(tmp_path):
    schema = Schema(columns=(
        Column(name='odd "name"', role=Role.QUASI, domain=Range(0, 10, 0.5, (1.0, 5.0))),
        Column(name="job", role=Role.QUASI, domain=Tree((("a;b", "x", "*"), ("c", "y", "*")))),
        Column(name="flat", role=Role.QUASI, domain=Tree.flat(["u", "v"])),
    ))
    path = written(tmp_path, schema_text(schema, {"job": "job.csv"}), job='"a;b";x;*\nc;y;*\n')
    again = read_schema(path)
    first = again.columns[0]
    assert (first.name, first.declared, first.grid, first.steps) == ('odd "name"', (0, 10), 0.5, (1, 5))
    assert again["job"].domain == schema["job"].domain
    assert again["flat"] == Column(name="flat", role=Role.QUASI)


@pytest.mark.parametrize(("line", "told"), [
    ('age = { role = "quazi" }', "quazi"),
    ("age = {}", "no role"),
    ('age = "quasi"', "no role"),
    ('age = { role = "quasi", rnage = [1, 2] }', "unknown key 'rnage'"),
    ('age = { role = "open", l = 2 }', "unknown key 'l'"),
    ('age = { role = "quasi", l = 2 }', "unknown key 'l'"),
    ('age = { role = "quasi", range = [9, 1] }', "range is [9, 1]"),
    ('age = { role = "quasi", range = [1, inf] }', "range is"),
    ('age = { role = "quasi", range = [1, nan] }', "range is"),
    ('age = { role = "quasi", range = 3 }', "range is 3"),
    ('age = { role = "quasi", grid = 0 }', "grid is 0"),
    ('age = { role = "quasi", grid = true }', "grid is true"),
    ('age = { role = "quasi", steps = [5, 5] }', "steps are positive widths that grow"),
    ('age = { role = "quasi", grid = 2, steps = [5] }', "multiples of the grid"),
    ('age = { role = "quasi", order = [] }', "an order lists each label once"),
    ('age = { role = "quasi", order = ["a", "a"] }', "an order lists each label once"),
    ('age = { role = "quasi", order = [1, 2] }', "order is [1, 2]"),
    ('age = { role = "quasi", order = ["a", "b"], grid = 1 }', "more than one line of values"),
    ('age = { role = "quasi", hierarchy = "none.csv" }', "does not exist"),
    ('age = { role = "quasi", range = [0, 9], limit = 2 }', "limit is 2"),
    ('age = { role = "quasi", limit = -1 }', "limit is -1"),
    ('age = { role = "sensitive", alpha = 0.5 }', "alpha is 0.5"),
    ('age = { role = "sensitive", alpha = { hiv = 0 } }', "alpha is"),
    ('age = { role = "sensitive", alpha = { hiv = 1.5 } }', "alpha is"),
    ('age = { role = "sensitive", l = 0 }', "l is 0"),
    ('age = { role = "sensitive", l = 2.5 }', "l is 2.5"),
    ('age = { role = "sensitive", t = 2 }', "t is 2"),
    ('age = { role = "sensitive", l = 2, diversity = "much" }', "diversity is"),
    ('age = { role = "sensitive", diversity = "entropy" }', "entropy diversity without l"),
    ('age = { role = "sensitive", l = 2, diversity = "recursive" }', "c goes with recursive"),
    ('age = { role = "sensitive", l = 2, c = 3 }', "c goes with recursive"),
])
def test_a_wrong_column_is_refused_with_its_name_line_and_what_is_allowed(tmp_path, line, told):
    found = problems(tmp_path, f"[columns]\n{line}\n")
    assert any(told in problem.what for problem in found), found
    assert all(problem.column == "age" for problem in found)
    assert {problem.line for problem in found} <= {2, None}


@pytest.mark.parametrize(("text", "told"), [
    ("[peoples]\n", "unknown key 'peoples'"),
    ('[people]\nmissing = "skip"\n', "[people] missing"),
    ("[people]\nid = 3\n", "[people] id"),
    ("people = 3\n", "[people] is not a table"),
    ('[ties]\nsrc = "a"\n', "unknown key 'src' in [ties]"),
    ('[ties]\ndirected = "yes"\n', "[ties] directed"),
    ('[ties]\nweight = "mean"\n', "[ties] weight"),
    ("[promises]\nk = 0\n", "[promises] k is 0"),
    ("[promises]\nk = 2.5\n", "[promises] k is 2.5"),
    ("[promises]\nk = true\n", "[promises] k is true"),
    ("[promises]\ntie_confidence = 1.5\n", "[promises] tie_confidence"),
    ("[promises]\nwithhold = 1\n", "[promises] withhold"),
    ('[people]\nid = "a"\n[columns]\na = { role = "quasi" }\n', "cannot be quasi"),
    ('[columns]\na = { role = "k" }\nb = { role = "k" }\n', "several columns have the role k: a, b"),
    ('[columns]\n"" = { role = "quasi" }\n', "empty name"),
])
def test_a_wrong_setting_is_refused(tmp_path, text, told):
    found = problems(tmp_path, text)
    assert any(told in problem.what for problem in found), found


def test_all_problems_are_told_at_once(tmp_path):
    text = '[people]\nmissing = "skip"\n[columns]\na = { role = "x" }\nb = { role = "quasi", hierarchy = "b.csv" }\n'
    found = problems(tmp_path, text, b="v;g;*\nw;*\n")
    assert [problem.column for problem in found] == ["a", "b", None]
    assert "uneven" in found[1].what
    assert found[1].file.endswith("b.csv")
    assert found[1].line == 2


def test_broken_toml_names_its_line(tmp_path):
    found = problems(tmp_path, "[people]\nid = \n")
    assert "not valid TOML" in found[0].what
    assert found[0].line == 2


def test_a_missing_schema_names_the_command_that_drafts_one(tmp_path):
    with pytest.raises(InputProblem, match="--write-schema"):
        read_schema(tmp_path / "none.toml")


def test_a_folder_or_another_encoding_is_no_schema(tmp_path):
    with pytest.raises(InputProblem, match="cannot be read"):
        read_schema(tmp_path)
    (tmp_path / "latin.toml").write_bytes('[columns]\n"gr\xf6\xdfe" = { role = "drop" }\n'.encode("latin-1"))
    with pytest.raises(InputProblem, match="UTF-8"):
        read_schema(tmp_path / "latin.toml")


def test_a_byte_order_mark_is_no_problem(tmp_path):
    (tmp_path / "bom.toml").write_bytes(b'\xef\xbb\xbf[people]\nid = "x"\n')
    assert read_schema(tmp_path / "bom.toml").id == "x"
