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


def test_the_next_command_reads_as_this_one_did(desk):
    (desk.folder / "odd").write_text("a b c\nb a\nc a d\nd c\n")
    done = desk("inspect", "odd", "--format", "adjacency list", "--undirected", "--na-values", "?,x")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 people and 3 undirected ties")
    next_ = "graphanon inspect odd --undirected --format 'adjacency list' --na-values '?,x' --write-schema schema.toml"
    assert done.stdout.splitlines()[-1].strip() == next_
    piped = desk("inspect", "-", "--format", "adjlist", stdin="a b c\nb a\nc a d\nd c\n")
    assert piped.stdout.startswith("4 people and 3 undirected ties")


def test_two_modes_are_told_as_nodes_with_what_anonymize_will_say_and_how_to_project(desk):
    (desk.folder / "events.net").write_text('*Vertices 6 4\n1 "w1"\n2 "w2"\n3 "w3"\n4 "w4"\n5 "party"\n6 "strike"\n*Edges\n1 5\n2 5\n3 6\n4 6\n')
    done = desk("inspect", "events.net", "--write-schema", "draft.toml")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("6 nodes of two modes, 4 of mode '1' and 2 of mode '2', and 4 undirected ties")
    assert "anonymize refuses this as it is: events.net: is a two-mode network" in done.stdout
    assert "one of 2 events" in done.stdout
    next_ = done.stdout.splitlines()[-1].split()
    assert next_ == ["graphanon", "inspect", "events.net", "--project", "1", "--write-schema", "schema.toml"]
    refused = desk("anonymize", "events.net", "--schema", "draft.toml", "-k", "3", "-o", "out")
    assert refused.returncode == 2
    assert "two-mode" in refused.stderr
    projected = desk(*next_[1:-1], "projected.toml")
    assert projected.stdout.startswith("4 people and 2 undirected ties")
    run = desk(*projected.stdout.splitlines()[-1].split()[1:-1], "2", "-o", "out")
    assert run.returncode == 0, run.stderr
