"""Directed, weighted and several kinds of ties, from files to a release that is recounted with csv and json alone."""

import csv
import json
import warnings
from collections import Counter
from random import Random

import pytest

PEOPLE = 24
SCHEMA = """
[people]
id = "id"
[ties]
{ties}
[columns]
age = {{ role = "quasi", range = [20, 60] }}
[promises]
k = 4
"""


def write(folder, *, ties="", rows=None):
    """Write people, ties and a schema, and return the ties as they stand in the file."""
    rng = Random(4)
    rows = rows or [(f"p{rng.randrange(PEOPLE)}", f"p{rng.randrange(PEOPLE)}", rng.choice(["1", "2.5", "0.25", "4"]),
                     rng.choice(["likes", "knows"])) for _ in range(160)]
    people = "".join(f"p{number},{20 + number}\n" for number in range(PEOPLE))
    (folder / "people.csv").write_text("id,age\n" + people)
    (folder / "ties.csv").write_text("from,to,weight,relation\n" + "".join(",".join(row) + "\n" for row in rows))
    (folder / "schema.toml").write_text(SCHEMA.format(ties=ties))
    return rows


def table(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def expected(folder, rows, *, directed):
    """Count pairs of people, and add their weights, by where the key says that their ends are."""
    where = {row["id"]: row["supernode"] for row in table(folder / "OUT" / "private" / "key.csv")}
    pairs: dict[tuple[str, str], float] = {}
    for source, target, weight, _ in rows:
        if source != target:
            ends = (source, target) if directed else tuple(sorted((source, target)))
            pairs[ends] = pairs.get(ends, 0) + float(weight)
    number, weight = Counter(), Counter()
    for (source, target), value in pairs.items():
        ends = (where[source], where[target])
        ends = ends if directed else tuple(sorted(ends))
        number[ends] += 1
        weight[ends] += value
    return number, weight


def released(folder, noun):
    """Return what the release says of the ties between supernodes and inside them, from its tables alone."""
    number, weight = Counter(), Counter()
    directed = noun == "arcs"
    for row in table(folder / "OUT" / "release" / "superedges.csv"):
        ends = (row["source"], row["target"])
        ends = ends if directed else tuple(sorted(ends))
        assert ends not in number
        number[ends], weight[ends] = int(row[noun]), float(row.get("weight", 0))
    for row in table(folder / "OUT" / "release" / "supernodes.csv"):
        ends = (row["supernode"],) * 2
        if int(row[f"{noun}_inside"]):
            number[ends], weight[ends] = int(row[f"{noun}_inside"]), float(row.get("weight_inside", 0))
    return number, weight


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("where", ["schema", "option"])
def test_arcs_and_weights_are_recounted_from_the_files(empty, directed, where):
    words = ["--directed" if directed else "--undirected"] if where == "option" else []
    said = "" if where == "option" else f"directed = {str(directed).lower()}\n"
    rows = write(empty.folder, ties=said + 'weight = "sum"')
    done = empty("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "-o", "OUT", "--json", *words)
    assert done.returncode == 0, done.stderr
    number, weight = expected(empty.folder, rows, directed=directed)
    found, heavy = released(empty.folder, "arcs" if directed else "ties")
    assert found == number
    assert heavy == {ends: pytest.approx(value, abs=1e-9) for ends, value in weight.items()}
    statement = json.loads((empty.folder / "OUT" / "release" / "release.json").read_text())
    assert statement["directed"] is directed
    assert json.loads(done.stdout)["ties"] == statement["ties"] == sum(number.values())


@pytest.mark.parametrize("directed", [True, False])
def test_the_graph_of_a_release_opens_elsewhere_without_a_word(empty, directed):
    import igraph as ig
    import networkx as nx

    write(empty.folder, ties=f'directed = {str(directed).lower()}\nweight = "sum"')
    assert empty("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "-o", "OUT").returncode == 0
    noun = "arcs" if directed else "ties"
    number, weight = released(empty.folder, noun)
    path = str(empty.folder / "OUT" / "release" / "supernodes.graphml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph, other = nx.read_graphml(path), ig.Graph.Read_GraphML(path)
    assert graph.is_directed() is other.is_directed() is directed
    across = {ends: value for ends, value in number.items() if ends[0] != ends[1]}
    order = (lambda ends: ends) if directed else (lambda ends: tuple(sorted(ends)))
    assert {order((a, b)): said[noun] for a, b, said in graph.edges(data=True)} == across
    assert {order((a, b)): said["weight"] for a, b, said in graph.edges(data=True)} == {
        ends: weight[ends] for ends in across}
    names = other.vs["id"]
    assert {order((names[edge.source], names[edge.target])): edge[noun] for edge in other.es} == across
    assert dict(zip(names, other.vs[f"{noun}_inside"], strict=True)) == {name: number[name, name] for name in names}
    assert {name: said["weight_inside"] for name, said in graph.nodes(data=True)} == {
        name: weight[name, name] for name in graph}


def test_a_graph_file_says_itself_that_ties_have_a_direction(empty):
    write(empty.folder)
    assert empty("convert", "people.csv", "net.graphml", "--ties", "ties.csv", "--directed").returncode == 0
    (empty.folder / "schema.toml").write_text(SCHEMA.format(ties=""))
    told = json.loads(empty("inspect", "net.graphml", "--json").stdout)
    assert told["directed"] is True
    done = empty("anonymize", "net.graphml", "--schema", "schema.toml", "-o", "OUT", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads((empty.folder / "OUT" / "release" / "release.json").read_text())["directed"] is True
    assert not (empty.folder / "OUT" / "release" / "superedges.csv").read_text().splitlines()[0].count("weight")


@pytest.mark.parametrize("where", ["schema", "option"])
def test_one_relation_is_chosen_or_all_are_taken_with_a_warning(empty, where):
    rows = write(empty.folder, ties='relation = "likes"\nweight = "sum"' if where == "schema" else 'weight = "sum"')
    words = ["--relation", "likes"] if where == "option" else []
    done = empty("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "-o", "OUT", *words)
    assert done.returncode == 0, done.stderr
    number, _ = expected(empty.folder, [row for row in rows if row[3] == "likes"], directed=False)
    assert released(empty.folder, "ties")[0] == number
    key = empty.folder / "OUT" / "private" / "key.csv"
    audit = empty("audit", "OUT/release", "--original", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml",
                  "--key", key, *words)
    assert audit.returncode == 0, audit.stdout
    told = json.loads(empty("inspect", "people.csv", "--ties", "ties.csv", "--json").stdout)
    numbers = Counter(row[3] for row in rows)
    said = [f"2 relations merged into one ('knows' {numbers['knows']}, 'likes' {numbers['likes']}); to choose: --relation NAME"]
    assert [warning for warning in told["warnings"] if "relation" in warning] == said


def test_an_unknown_relation_is_refused_with_those_there_are(empty):
    write(empty.folder)
    done = empty("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--relation", "hates")
    assert done.returncode == 2
    assert "'likes'" in done.stderr
    assert "--relation" in done.stderr


def test_a_two_mode_network_is_refused_with_advice_and_projected_on_request(empty):
    visits = [(f"w{person}", f"e{event}") for person in range(12) for event in (person // 3, 10 + person % 2)]
    people = [f"w{number}" for number in range(12)]
    events = sorted({event for _, event in visits})
    place = {name: number for number, name in enumerate([*people, *events], start=1)}
    text = f"*Vertices {len(place)} {len(people)}\n" + "".join(f'{number} "{name}"\n' for name, number in place.items())
    text += "*Edges\n" + "".join(f"{place[a]} {place[b]}\n" for a, b in visits)
    (empty.folder / "events.net").write_text(text)
    (empty.folder / "schema.toml").write_text('[ties]\nweight = "sum"\n[columns]\n[promises]\nk = 3\n')
    refused = empty("anonymize", "events.net", "--schema", "schema.toml")
    assert refused.returncode == 2
    assert f"two-mode network, 12 of mode '1' and {len(events)} of mode '2'" in refused.stderr
    assert "--project 1 or --project 2" in refused.stderr
    told = json.loads(empty("inspect", "events.net", "--json").stdout)
    assert (told["people"], told["ties"], told["modes"]) == (12 + len(events), 24, {"1": 12, "2": len(events)})
    done = empty("anonymize", "events.net", "--schema", "schema.toml", "--project", "1", "-o", "OUT")
    assert done.returncode == 0, done.stderr
    of = {person: {event for name, event in visits if name == person} for person in people}
    shared = [(a, b, str(len(of[a] & of[b])), "") for a in people for b in people if a < b and of[a] & of[b]]
    assert released(empty.folder, "ties") == expected(empty.folder, shared, directed=False)


@pytest.mark.parametrize(("mode", "fix"), [("3", "'1', '2'"), ("source", "'1', '2'")])
def test_a_mode_that_is_not_there_is_refused(empty, mode, fix):
    (empty.folder / "events.net").write_text("*Vertices 3 2\n*Edges\n1 3\n2 3\n")
    done = empty("inspect", "events.net", "--project", mode)
    assert done.returncode == 2
    assert fix in done.stderr


def test_columns_of_two_kinds_of_things_are_projected(empty):
    (empty.folder / "boards.csv").write_text("person,board\nann,x\nbob,x\ncat,y\nann,y\ndan,z\n")
    told = json.loads(empty("inspect", "--ties", "boards.csv", "--source", "person", "--target", "board",
                            "--project", "source", "--json").stdout)
    assert (told["people"], told["ties"], told["isolated"]) == (4, 2, 1)


def test_formats_are_told_and_what_they_cannot_carry_is_refused(empty):
    write(empty.folder)
    told = json.loads(empty("convert", "--formats", "--json").stdout)["formats"]
    assert {"GraphML", "Pajek", "Parquet"} <= {entry["name"] for entry in told}
    refused = empty("convert", "people.csv", "net.edges", "--ties", "ties.csv", "--json")
    assert refused.returncode == 2
    assert "cannot carry 1 attribute of people: 'age'" in json.loads(refused.stdout)["error"]["what"]
    assert not (empty.folder / "net.edges").exists()
    done = empty("convert", "people.csv", "net.edges", "--ties", "ties.csv", "--drop-uncarried", "--json")
    assert json.loads(done.stdout)["dropped"][0] == "1 attribute of people: 'age'"
    assert done.returncode == 0
    again = empty("convert", "--ties", "net.edges", "net.gml", "--json", "--no-header")
    assert json.loads(again.stdout)["ties"] == 160
