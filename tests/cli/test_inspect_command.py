import json
import tomllib

COLUMN = {"name", "type", "distinct", "missing", "suggested_role", "why"}


def test_json_holds_what_was_read_and_what_each_column_is(desk):
    done = desk("inspect", "people.csv", "--ties", "ties.csv", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {"people", "ties", "directed", "loops_dropped", "repeats_merged", "isolated", "columns",
            "warnings"} <= set(told)
    assert told["people"] == 40
    assert [column["name"] for column in told["columns"]] == ["id", "age", "job", "illness"]
    assert all(set(column) >= COLUMN for column in told["columns"])
    assert told["columns"][0]["suggested_role"] == "identifier"


def test_a_person_reads_columns_and_the_next_command(desk):
    done = desk("inspect", "people.csv", "--ties", "ties.csv")
    assert done.returncode == 0, done.stderr
    assert "40 people" in done.stdout
    assert "identifier" in done.stdout
    assert "graphanon inspect people.csv --ties ties.csv --write-schema schema.toml" in done.stdout


def test_a_drafted_schema_runs_at_once(desk):
    done = desk("inspect", "people.csv", "--ties", "ties.csv", "--write-schema", "draft.toml", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["schema"] == "draft.toml"
    draft = tomllib.loads((desk.folder / "draft.toml").read_text())
    assert set(draft["columns"]) == {"id", "age", "job", "illness"}
    run = desk("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "draft.toml", "-k", "3")
    assert run.returncode == 0, run.stderr


def test_a_schema_is_not_overwritten_without_force(desk):
    before = (desk.folder / "schema.toml").read_text()
    done = desk("inspect", "people.csv", "--write-schema", "schema.toml")
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert (desk.folder / "schema.toml").read_text() == before
    assert desk("inspect", "people.csv", "--write-schema", "schema.toml", "--force").returncode == 0
    assert (desk.folder / "schema.toml").read_text() != before


def test_ties_alone_can_be_inspected(desk):
    told = json.loads(desk("inspect", "--ties", "ties.csv", "--json").stdout)
    assert told["ties"] > 0
    assert told["columns"] == []
