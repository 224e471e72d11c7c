"""Losses and found promises of release.json, recomputed with csv and json alone."""

import csv
import json
from collections import Counter, defaultdict
from dataclasses import replace
from math import exp, fsum, log

import pytest
from releases import grouping, town, written


def lines(path, delimiter=","):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def tree(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))


def cost(folder, told, name, cells, measure):  # noqa: PLR0911  one return a kind of cell
    """Return what a cell has lost: 0 for a value, 1 for everything."""
    facts = told["columns"][name]
    low, high = cells
    if low == "*":
        return 1.0
    if "range" in facts:
        least, most = facts["range"]
        return min((float(high) - float(low)) / (most - least), 1.0)
    if "order" in facts:
        labels = facts["order"]
        return (labels.index(high) - labels.index(low)) / (len(labels) - 1)
    if "hierarchy" not in facts or low == "":
        return 0.0
    rows = tree(folder / "hierarchies" / facts["hierarchy"])
    level = min(row.index(low) for row in rows if low in row)
    if level == 0:
        return 0.0
    if measure == "height":
        return level / (len(rows[0]) - 1)
    return sum(low in row for row in rows) / len(rows)


def ends(told, line, name):
    if f"{name}_low" in line:
        return line[f"{name}_low"], line[f"{name}_high"]
    text = line[name]
    if text.startswith("[") and ("range" in told["columns"][name] or "order" in told["columns"][name]):
        return tuple(text[1:-1].split(", "))
    return text, text


def quasi(folder):
    return [line["column"] for line in lines(folder / "codebook.csv") if line["role"] == "quasi"]


def mean_cost(folder, told, sized, measure):
    names = quasi(folder)
    lost = fsum(
        size * cost(folder, told, name, ends(told, line, name), measure) for line, size in sized for name in names
    )
    return (lost + told["withheld"] * len(names)) / (told["people"] * len(names))


def size_losses(told, sizes):
    return {
        "discernibility": sum(size**2 for size in sizes) + told["withheld"] * told["people"],
        "average_class_size": sum(sizes) / len(sizes),
    }


def values_found(tallies):
    """Return alpha, l and t of the illnesses, from how often each occurs in each class."""
    whole = Counter()
    for tally in tallies:
        whole.update(tally)
    shares = [{v: tally[v] / sum(tally.values()) for v in whole} for tally in tallies]
    overall = {v: whole[v] / sum(whole.values()) for v in whole}
    return {
        "alpha": {"illness": {"hiv": max(share["hiv"] for share in shares)}},
        "l": {"illness": min(sum(count > 0 for count in tally.values()) for tally in tallies)},
        "t": {"illness": max(sum(abs(share[v] - overall[v]) for v in whole) / 2 for share in shares)},
    }


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("withheld", [0, 5])
def test_a_supernode_graph_says_what_its_files_give(tmp_path, directed, withheld):
    folder = written(tmp_path / "out", grouping(town(directed=directed), withheld=withheld)).folder
    told = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    nodes, edges = lines(folder / "supernodes.csv"), lines(folder / "superedges.csv")
    size = {line["supernode"]: int(line["size"]) for line in nodes}
    count = "arcs" if directed else "ties"
    halves = 1 if directed else 2
    blocks = [(int(line[f"{count}_inside"]), int(line["size"]) * (int(line["size"]) - 1) / halves) for line in nodes]
    blocks += [(int(line[count]), size[line["source"]] * size[line["target"]]) for line in edges]
    people, ties = sum(size.values()), sum(e for e, _ in blocks)
    wrong = sum(halves * e * (1 - e / pairs) for e, pairs in blocks if pairs)
    sized = [(line, int(line["size"])) for line in nodes]
    expected = {
        "ncp": mean_cost(folder, told, sized, "leaves"),
        "ngil": mean_cost(folder, told, sized, "height"),
        "nsil": wrong / (people * (people - 1) / 4),
        "tie_loss": wrong / (halves * ties),
    }
    expected["total"] = (expected["ngil"] + expected["nsil"]) / 2
    assert told["losses"] == pytest.approx(expected | size_losses(told, list(size.values())), rel=1e-12)
    tallies = defaultdict(Counter)
    for line in lines(folder / "sensitive.csv"):
        if line["attribute"] == "illness":
            tallies[line["supernode"]][line["value"]] += int(line["count"])
    found = values_found(list(tallies.values())) | {
        "k": min(size.values()), "tie_confidence": max(e / pairs for e, pairs in blocks if pairs),
    }
    assert set(told["found"]) == set(found)
    for key, value in found.items():
        assert flat(told["found"][key]) == pytest.approx(flat(value), rel=1e-12)
    assert (told["people"] - told["withheld"], told["ties"], told["supernodes"]) == (people, ties, len(size))


def flat(told):
    """Return the numbers in nested objects by their path."""
    if not isinstance(told, dict):
        return {"": told}
    return {f"{key}.{rest}": number for key, inner in told.items() for rest, number in flat(inner).items()}


@pytest.mark.parametrize("withheld", [0, 5])
def test_a_table_says_what_its_files_give(tmp_path, withheld):
    folder = written(tmp_path / "out", grouping(town(has_ties=False), withheld=withheld)).folder
    told = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    records = lines(folder / "records.csv")
    classes = defaultdict(list)
    for line in records:
        classes[tuple(line[name] for name in quasi(folder))].append(line)
    expected = {
        measure: mean_cost(folder, told, [(line, 1) for line in records], kind)
        for measure, kind in (("ncp", "leaves"), ("ngil", "height"))
    }
    sizes = [len(members) for members in classes.values()]
    assert told["losses"] == pytest.approx(expected | size_losses(told, sizes), rel=1e-12)
    tallies = [Counter(line["illness"] for line in members) for members in classes.values()]
    found = values_found(tallies) | {"k": min(sizes)}
    assert {key: flat(value) for key, value in told["found"].items()} == {
        key: pytest.approx(flat(value), rel=1e-12) for key, value in found.items()
    }


def test_entropy_and_recursive_diversity_are_those_of_their_definitions(tmp_path):
    for kind, more in (("entropy", {}), ("recursive", {"c": 2.0})):
        graph = town()
        columns = tuple(
            replace(column, diversity=kind, l=1.5, **more) if column.name == "illness" else column
            for column in graph.schema.columns
        )
        graph = replace(graph, schema=replace(graph.schema, columns=columns))
        folder = written(tmp_path / kind, grouping(graph)).folder
        told = json.loads((folder / "release.json").read_text(encoding="utf-8"))
        tallies = defaultdict(Counter)
        for line in lines(folder / "sensitive.csv"):
            if line["attribute"] == "illness":
                tallies[line["supernode"]][line["value"]] += int(line["count"])
        if kind == "entropy":
            each = [exp(-sum(c / t.total() * log(c / t.total()) for c in t.values())) for t in tallies.values()]
        else:
            each = []
            for tally in tallies.values():
                counts = sorted(tally.values(), reverse=True)
                tails = [sum(counts[place:]) for place in range(len(counts))]
                each.append(max((place for place, tail in enumerate(tails, 1) if counts[0] < 2.0 * tail), default=0))
        assert told["promises"]["l"]["illness"] == {"l": 1.5, "diversity": kind, **more}
        assert told["found"]["l"]["illness"] == pytest.approx(min(each), rel=1e-9)
