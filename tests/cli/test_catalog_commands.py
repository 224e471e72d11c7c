import json
from dataclasses import fields

import pytest

from graphanon.catalog import methods, private_methods


def test_methods_are_listed_with_their_guarantee(empty):
    done = empty("methods")
    assert done.returncode == 0
    assert all(name in done.stdout for name in methods())
    told = json.loads(empty("methods", "--json").stdout)["methods"]
    assert [entry["name"] for entry in told] == sorted([*methods(), *private_methods()])
    assert all(entry["guarantee"] and entry["paper"] for entry in told)


@pytest.mark.parametrize("name", methods())
def test_a_method_is_shown_with_every_parameter(empty, name):
    done = empty("methods", name)
    assert done.returncode == 0
    cls = methods()[name]
    assert cls.about.paper in done.stdout
    assert all(f"\n  {field.name} " in done.stdout for field in fields(cls))
    told = json.loads(empty("methods", name, "--json").stdout)
    assert set(told) == {"name", "paper", "guarantee", "ties", "numbers", "categories", "sensitive", "parameters"}
    assert [parameter["name"] for parameter in told["parameters"]] == [field.name for field in fields(cls)]
    assert all(parameter["meaning"] for parameter in told["parameters"])


@pytest.mark.parametrize("command", ["methods", "datasets"])
def test_an_unknown_name_says_what_there_is(empty, command):
    done = empty(command, "nothing", "--json")
    assert done.returncode == 2
    assert "nothing" in json.loads(done.stdout)["error"]["what"]
    assert json.loads(done.stdout)["error"]["allowed"]


def test_datasets_are_listed(empty):
    told = json.loads(empty("datasets", "--json").stdout)["datasets"]
    assert {"adult", "adult-test", "heart", "m1", "m2"} <= {entry["name"] for entry in told}
    said = empty("datasets")
    assert said.returncode == 0
    assert "heart" in said.stdout


def test_a_data_set_is_shown_with_its_licence(empty):
    told = json.loads(empty("datasets", "heart", "--json").stdout)
    assert told["people"] == 918
    assert told["licence"]
    assert told["licence"] in empty("datasets", "heart").stdout


def test_a_data_set_written_as_files_can_be_anonymized(empty):
    done = empty("datasets", "m1", "-o", "m1", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {"people.csv", "ties.csv", "schema.toml"} <= set(told["files"])
    assert empty("datasets", "m1", "-o", "m1").returncode == 2
    run = empty("anonymize", "m1/people.csv", "--ties", "m1/ties.csv", "--schema", "m1/schema.toml", "-k", "5", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["people"] == 500


def test_an_output_without_a_name_is_wrong_use(empty):
    assert empty("datasets", "-o", "there").returncode == 2
