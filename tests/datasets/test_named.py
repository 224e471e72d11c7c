"""The data sets by name, and their files as a start for the command line."""

import csv

import numpy as np
import pytest

from graphanon.datasets import NAMES, cards, export, load, load_adult, save, social
from graphanon.datasets.named import RECIPES
from graphanon.domain import Tree
from graphanon.errors import InputProblem
from graphanon.io import read
from graphanon.io.build import build
from graphanon.io.schema_file import read_schema


def line(domain):
    """Return a domain without the order in which a tree's lines were written."""
    return (sorted(domain.rows), domain.missing, domain.given) if isinstance(domain, Tree) else domain


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_a_stored_graph_is_the_one_that_its_recipe_draws(name):
    stored, drawn = load(name), RECIPES[name].drawn()
    assert stored.ids == drawn.ids
    assert stored.table.frame.astype(object).equals(drawn.table.frame.astype(object))
    assert (stored.graph.ties != drawn.graph.ties).nnz == 0
    assert np.array_equal(stored.graph.values, drawn.graph.values)
    assert stored.graph.schema == drawn.graph.schema


def test_m1_has_500_persons_and_m2_700_with_mean_degree_6():
    for name, n in (("m1", 500), ("m2", 700)):
        graph = load(name).graph
        assert (graph.n, 2 * graph.n_ties / n) == (n, 6.0)
        assert graph.has_ties
        assert not graph.directed


def test_names_of_persons_say_nothing_but_their_place():
    reading = load("m1")
    assert reading.ids[0] == "p001"
    assert reading.ids[499] == "p500"
    assert len(set(reading.ids)) == 500


def test_every_name_loads_and_has_a_card():
    assert set(NAMES) == set(cards()) == {"adult", "adult-test", "heart", "m1", "m2"}
    assert all(load(name).graph.n == cards()[name].people for name in NAMES)


def test_an_unknown_name_is_told_with_the_names_there_are():
    with pytest.raises(InputProblem) as caught:
        load("census")
    assert caught.value.problems[0].allowed == ", ".join(NAMES)


@pytest.mark.parametrize("name", ["m1", "heart"])
def test_an_export_reads_back_as_the_same_graph(tmp_path, name):
    files = {path.relative_to(tmp_path / "out").as_posix() for path in export(name, tmp_path / "out")}
    original = load(name)
    ties = tmp_path / "out" / "ties.csv" if original.graph.has_ties else None
    again = build(read(tmp_path / "out" / "people.csv", ties), read_schema(tmp_path / "out" / "schema.toml"))
    assert again.ids == original.ids
    assert np.array_equal(again.graph.values, original.graph.values)
    assert (again.graph.ties != original.graph.ties).nnz == 0
    assert [line(domain) for domain in again.graph.domains] == [line(domain) for domain in original.graph.domains]
    assert ("ties.csv" in files) == original.graph.has_ties
    assert {"people.csv", "schema.toml"} < files


def test_an_export_has_one_line_a_person_and_one_a_tie(tmp_path):
    export("m2", tmp_path / "out")
    with (tmp_path / "out" / "people.csv").open(newline="") as file:
        people = list(csv.DictReader(file))
    with (tmp_path / "out" / "ties.csv").open(newline="") as file:
        ties = [frozenset(row.values()) for row in csv.DictReader(file)]
    assert len(people) == 700
    assert len(ties) == len(set(ties)) == 2_100
    assert set().union(*ties) <= {person["id"] for person in people}


def test_a_graph_of_persons_with_unknown_values_is_written_and_read_back(tmp_path):
    reading = social(load_adult("test", complete=False), n=400, seed=1)
    save(reading, tmp_path / "out")
    again = build(read(tmp_path / "out" / "people.csv", tmp_path / "out" / "ties.csv"),
                  read_schema(tmp_path / "out" / "schema.toml"))
    assert np.array_equal(again.graph.values, reading.graph.values)


def test_an_export_does_not_touch_a_folder_that_holds_something(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputProblem, match="not an empty folder"):
        export("heart", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_an_export_below_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputProblem, match="cannot be written"):
        export("heart", tmp_path / "file" / "out")
