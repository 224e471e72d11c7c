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


def test_a_schema_needs_a_folder_to_stand_in(desk):
    done = desk("inspect", "people.csv", "--write-schema", "nowhere/schema.toml")
    assert done.returncode == 2
    assert "nowhere/schema.toml: its folder does not exist" in done.stderr


def test_hierarchies_are_drafted_only_when_asked_for(desk):
    lines = (desk.folder / "people.csv").read_text().splitlines()
    dated = [lines[0] + ",born", *(f"{line},199{i % 5}-0{1 + i % 2}-15" for i, line in enumerate(lines[1:]))]
    (desk.folder / "people.csv").write_text("\n".join(dated) + "\n")
    assert json.loads(desk("inspect", "people.csv", "--write-schema", "a.toml", "--json").stdout)["files"] == ["a.toml"]
    told = json.loads(desk("inspect", "people.csv", "--write-schema", "b.toml", "--hierarchies", "--json").stdout)
    assert told["files"] == ["b.toml", "born.csv"]
    assert (desk.folder / "born.csv").read_text().endswith("*\n")
    again = desk("inspect", "people.csv", "--write-schema", "c.toml", "--hierarchies")
    assert again.returncode == 2
    assert "born.csv: exists already" in again.stderr
    assert not (desk.folder / "c.toml").exists()
