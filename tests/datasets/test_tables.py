"""The tables are the published ones, to the byte, and their schemas and hierarchies fit them."""

import gzip
import hashlib
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from graphanon.datasets import cards, load, load_adult, load_heart
from graphanon.datasets.bundled import DATA, lines_of, table
from graphanon.domain import Order, Range, Tree
from graphanon.errors import InputProblem
from graphanon.io.hierarchy_file import read_hierarchy
from graphanon.schema import Role

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_datasets.py"
HIERARCHIES = sorted(DATA.glob("*.csv"))
TREES = {
    "adult": ["workclass", "education", "marital-status", "occupation", "relationship", "race", "sex",
              "native-country", "income"],
    "heart": ["Sex", "ChestPainType", "FastingBS", "RestingECG", "ExerciseAngina", "ST_Slope", "HeartDisease"],
}


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("build_datasets", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def csv_of(name):
    return gzip.decompress((DATA / f"{name}.csv.gz").read_bytes())


def original_adult(csv, *, head, tail):
    rows = [line.split(",") for line in csv.decode().splitlines()[1:]]
    lines = [", ".join(cell or "?" for cell in row) + tail for row in rows]
    return "\n".join([*head, *lines, "", ""]).encode()


@pytest.mark.parametrize("name", ["adult", "adult-test", "heart"])
def test_a_table_is_what_the_script_made(script, name):
    assert hashlib.sha256(csv_of(name)).hexdigest() == script.TABLES[name].csv_sha256


def test_the_tables_turn_back_into_the_bytes_they_were_made_from(script):
    originals = {
        "adult": original_adult(csv_of("adult"), head=[], tail=""),
        "adult-test": original_adult(csv_of("adult-test"), head=["|1x3 Cross validator"], tail="."),
        "heart": csv_of("heart"),
    }
    for name, original in originals.items():
        assert hashlib.sha256(original).hexdigest() == script.TABLES[name].member_sha256
        assert script.TABLES[name].make(original) == csv_of(name)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.csv.gz")), ids=lambda path: path.name)
def test_a_packed_file_holds_neither_time_nor_name(path):
    head = path.read_bytes()[:10]
    assert head[3] == 0  # no flag: no name, no comment
    assert head[4:8] == bytes(4)


def test_packing_the_same_bytes_gives_the_same_file(script):
    assert script.packed(b"a,b\n") == script.packed(b"a,b\n")
    assert gzip.decompress(script.packed(b"a,b\n")) == b"a,b\n"


def test_a_wrong_checksum_stops_the_script(script):
    with pytest.raises(SystemExit, match="sha256"):
        script._checked(b"other bytes", "0" * 64, "adult.data")


@pytest.mark.parametrize(("part", "every", "complete"), [("train", 32_561, 30_162), ("test", 16_281, 15_060)])
def test_adult_has_the_published_numbers_of_persons(part, every, complete):
    whole, known = load_adult(part, complete=False), load_adult(part)
    assert (whole.graph.n, known.graph.n) == (every, complete)
    assert known.table.frame.notna().all(axis=None)
    assert whole.table.frame["occupation"].isna().sum() == {"train": 1_843, "test": 966}[part]


def test_adult_has_the_published_share_of_high_incomes():
    income = load_adult().graph.payload["income"]
    assert income.labels == ("<=50K", ">50K")
    assert np.bincount(income.codes).tolist() == [22_654, 7_508]


def test_unknown_values_of_adult_are_values_of_their_own():
    whole = load_adult(complete=False)
    work = next(i for i, c in enumerate(whole.graph.schema.quasi) if c.name == "workclass")
    domain = whole.graph.domains[work]
    assert domain.missing
    assert (whole.graph.values[:, work] == domain.missing_address).sum() == 1_836


def test_heart_has_918_patients_of_whom_508_are_ill():
    heart = load_heart()
    illness = heart.graph.payload["HeartDisease"]
    assert heart.graph.n == 918
    assert illness.codes[[illness.labels[code] == "1" for code in illness.codes]].size == 508
    assert (heart.table.frame["Cholesterol"] == "0").sum() == 172


def test_a_table_keeps_the_line_of_each_person_in_its_file():
    known, whole = load_adult(), table("adult")
    assert known.table.lines[-1] == 32_562  # the header is line 1, and the last person is complete
    assert known.table.frame.to_numpy().tolist() == whole.frame.iloc[known.table.lines - 2].to_numpy().tolist()


def test_the_default_roles_of_adult_are_those_of_its_card():
    text = cards()["adult"].text
    for column in load_adult().graph.schema.columns:
        line = next(line for line in text.splitlines() if line.startswith(f"| {column.name} |"))
        word = {"quasi": "quasi", "sensitive": "sensitive", "drop": "dropped"}[column.role]
        assert line.split("|")[4].strip().startswith(word)


def test_any_column_of_adult_can_be_given_a_role():
    names = ["age", "education-num", "capital-gain", "hours-per-week", "workclass", "relationship", "fnlwgt",
             "capital-loss"]
    reading = load_adult("test", quasi=names, sensitive=["income"])
    assert {column.name for column in reading.graph.schema.quasi} == set(names)
    assert list(reading.graph.payload) == ["income"]
    assert reading.graph.schema["sex"].role is Role.DROP


def test_any_column_of_heart_can_be_given_a_role():
    names = [column.name for column in lines_of("heart").columns]
    assert load_heart(quasi=names, sensitive=()).graph.q == 12


@pytest.mark.parametrize("roles", [{"quasi": ["wages"]}, {"quasi": ["age"], "sensitive": ["age"]}])
def test_a_role_for_no_column_or_a_second_role_is_refused(roles):
    with pytest.raises(InputProblem) as caught:
        load_adult("test", **roles)
    assert caught.value.problems[0].column in ("wages", "age")


@pytest.mark.parametrize("path", HIERARCHIES, ids=lambda path: path.stem)
def test_a_hierarchy_is_an_even_tree_under_one_root(path):
    tree = read_hierarchy(path)
    assert tree.root == "*"
    assert {len(row) for row in tree.rows} == {tree.height + 1}


def test_every_category_has_a_hierarchy_and_every_hierarchy_a_category():
    wanted = {f"{name}-{column}" for name, columns in TREES.items() for column in columns}
    assert {path.stem for path in HIERARCHIES} == wanted


@pytest.mark.parametrize("name", ["adult", "adult-test", "heart"])
def test_every_value_lies_on_the_line_of_its_column(name):
    frame = table(name).frame
    schema = lines_of(name.removesuffix("-test"))
    assert [column.name for column in schema.columns] == frame.columns.tolist()
    for column in schema.columns:
        cells = frame[column.name].dropna()
        if isinstance(column.domain, Tree):
            assert set(cells) <= set(column.domain.leaves)
        else:
            low, high = column.declared
            assert cells.astype(float).between(low, high).all()


@pytest.mark.parametrize("name", ["adult", "heart"])
def test_hierarchies_have_no_value_that_never_occurs_but_what_the_source_lists(name):
    frame = table(name).frame
    for column in lines_of(name).columns:
        if isinstance(column.domain, Tree):
            assert set(column.domain.leaves) == set(frame[column.name].dropna())


def test_ages_have_steps_of_5_10_20_and_40_years():
    assert load_adult("test").graph.domains[0] == Range(17, 90, steps=(5, 10, 20, 40))
    assert load_heart().graph.domains[0] == Range(20, 80, steps=(5, 10, 20, 40))


def test_bins_of_every_number_lie_within_each_other():
    for name in ("adult", "heart"):
        for column in lines_of(name).columns:
            steps = np.array(column.steps)
            if len(steps) > 1 and column.name != "fnlwgt":
                assert (steps[1:] / steps[:-1] == 2).all() or np.allclose(steps[1:] % steps[:-1], 0)


@pytest.mark.parametrize("name", ["adult", "adult-test", "heart", "m1", "m2"])
def test_a_card_counts_what_is_loaded(name):
    card, graph = cards()[name], load(name).graph
    assert (card.people, card.ties) == (graph.n, graph.n_ties)
    assert all((card.title, card.licence, card.source, card.citation))
    assert not any(isinstance(domain, Order) for domain in graph.domains)
