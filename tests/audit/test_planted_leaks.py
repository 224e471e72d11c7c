"""Every leak and every false word that is planted in a release is found: one test each.

Except where the checksum itself is the plant, checksums are made anew after planting, so that only the
check that is meant can find it.
"""

import gzip
import json
import os
import re
import shutil

import pytest
from releases import edit_json, grouping, put_rows, rows, sum_again, town, written

from graphanon.audit import audit_release, audit_truth

ID = "user-0037"  # the second of the town's people


@pytest.fixture(scope="module")
def graph_case(tmp_path_factory):
    return written(tmp_path_factory.mktemp("graph") / "out", grouping(town()), k=4, tie_confidence=0.9)


@pytest.fixture(scope="module")
def table_case(tmp_path_factory):
    return written(tmp_path_factory.mktemp("table") / "out", grouping(town(has_ties=False)), k=4)


def broken(findings):
    return {finding.promise for finding in findings if not finding.holds}


def change_cell(file, line, column, value, separator=","):
    def plant(folder):
        lines = rows(folder / file, separator)
        lines[line][column if isinstance(column, int) else lines[0].index(column)] = value
        put_rows(folder / file, lines, separator)

    return plant


def add_column(file, name, value):
    def plant(folder):
        head, *lines = rows(folder / file)
        put_rows(folder / file, [[*head, name], *([*line, value] for line in lines)])

    return plant


def change_lines(file, change, separator=","):
    def plant(folder):
        head, *lines = rows(folder / file, separator)
        put_rows(folder / file, [head, *change(lines)], separator)

    return plant


def say(*path, value):
    def plant(folder):
        def change(told):
            for key in path[:-1]:
                told = told[key]
            told[path[-1]] = value(told.get(path[-1])) if callable(value) else value

        edit_json(folder, change)

    return plant


def unsay(*path):
    def plant(folder):
        def change(told):
            for key in path[:-1]:
                told = told[key]
            del told[path[-1]]

        edit_json(folder, change)

    return plant


def replace_text(file, old, new, count=1):
    def plant(folder):
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, count), encoding="utf-8")

    return plant


def replace_pattern(file, pattern, new):
    def plant(folder):
        text = (folder / file).read_text(encoding="utf-8")
        changed = re.sub(pattern, new, text, count=1)
        assert changed != text
        (folder / file).write_text(changed, encoding="utf-8")

    return plant


def add_file(name, content):
    def plant(folder):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)

    return plant


def encoded(file, encoding):
    def plant(folder):
        text = (folder / file).read_text(encoding="utf-8")
        (folder / file).write_bytes(text.encode(encoding))

    return plant


def link(folder):
    (folder / "link.csv").symlink_to(folder / "supernodes.csv")


def rename(old, new):
    def plant(folder):
        (folder / old).rename(folder / new)
        edit_json(folder, lambda told: told["columns"]["job"].update(hierarchy=new.split("/")[-1]))

    return plant


def swap_sizes(folder):
    """Take two people out of the first supernode and put them into the second."""
    lines = rows(folder / "supernodes.csv")
    lines[1][1], lines[2][1] = str(int(lines[1][1]) - 3), str(int(lines[2][1]) + 3)
    put_rows(folder / "supernodes.csv", lines)


def name_by_input(folder):
    """Name supernodes S1, S2 … anew in every file by `folder`'s own naming file."""
    order = json.loads((folder / "order.json").read_text(encoding="utf-8"))
    (folder / "order.json").unlink()
    for file, columns in (("supernodes.csv", (0,)), ("superedges.csv", (0, 1)), ("sensitive.csv", (0,))):
        head, *lines = rows(folder / file)
        for line in lines:
            for column in columns:
                line[column] = order[line[column]]
            if file == "superedges.csv":
                line[:2] = sorted(line[:2])
        put_rows(folder / file, [head, *sorted(lines)])


GRAPH_LEAKS = {
    "an id in a category": (change_cell("supernodes.csv", 1, "job", ID), "cells"),
    "an id in a number": (change_cell("supernodes.csv", 1, "age_low", ID), "cells"),
    "an id as a supernode's name": (change_cell("supernodes.csv", 1, 0, ID), "order"),
    "an id as a file name": (add_file(f"{ID}.csv", b"x\n"), "files"),
    "an id as the name of a hierarchy": (rename("hierarchies/job.csv", f"hierarchies/{ID}.csv"), "statement"),
    "an id as a sensitive column": (change_cell("sensitive.csv", 1, "attribute", ID), "sums"),
    "an id in UTF-16": (encoded("sensitive.csv", "utf-16"), "format"),
    "an id behind a byte order mark": (encoded("supernodes.csv", "utf-8-sig"), "format"),
    "an id in a packed file": (add_file("notes.gz", gzip.compress(ID.encode())), "files"),
    "an id in GraphML data": (replace_pattern("supernodes.graphml", '<data key="d4">[^<]*', f'<data key="d4">{ID}'),
                              "graphml"),
    "an id in the name of a GraphML key": (replace_text("supernodes.graphml", 'attr.name="job"', f'attr.name="{ID}"'),
                                           "graphml"),
    "an id in a GraphML comment": (replace_text("supernodes.graphml", "<graph ", f"<!-- {ID} --><graph "), "graphml"),
    "an id in a GraphML instruction": (replace_text("supernodes.graphml", "<graph ", f"<?who {ID}?><graph "),
                                       "graphml"),
    "an id in a GraphML document type": (
        replace_text("supernodes.graphml", "<graphml ", f'<!DOCTYPE graphml [<!ENTITY a "{ID}">]><graphml '),
        "graphml"),
    "an id in GraphML text": (replace_text("supernodes.graphml", "    <node", f"{ID}    <node"), "graphml"),
    "an id in a further GraphML attribute": (
        replace_text("supernodes.graphml", '<node id="S1"', f'<node label="{ID}" id="S1"'), "graphml"),
    "a further GraphML node": (
        replace_text("supernodes.graphml", "  </graph>", f'    <node id="{ID}"></node>\n  </graph>'), "graphml"),
    "an id in the letter": (replace_text("README.txt", "FILES", f"FILES {ID}"), "readme"),
    "another number in the letter": (replace_text("README.txt", "60 people", "61 people"), "readme"),
    "an id in the codebook": (change_cell("codebook.csv", 1, "description", ID), "codebook"),
    "a raw column": (add_column("supernodes.csv", "age", "31"), "format"),
    "a raw column in the codebook": (change_lines("codebook.csv", lambda ls: [*ls, ["ssn", *ls[0][1:]]]), "codebook"),
    "a column of row numbers": (add_column("superedges.csv", "row", "1"), "format"),
    "a seed": (say("seed", value=4711), "statement"),
    "the parameters of the method": (say("parameters", value={"beta": 0.5}), "statement"),
    "a parameter in the name of the method": (say("method", value="by-hand(beta=0.5)"), "statement"),
    "the floors of classes": (say("floors", value=[4, 4, 5]), "statement"),
    "a floor beside k": (say("promises", "floor", value=4), "statement"),
    "a path": (say("source", value="data/people.csv"), "statement"),
    "a path in the software": (say("software", value="graphanon 0.1 (data/people.csv)"), "statement"),
    "a time": (say("created", value="2024-05-01T10:11:12"), "statement"),
    "a time in the letter": (replace_text("README.txt", "FILES", "2024-05-01T10:11:12 FILES"), "readme"),
    "a limit of a column": (say("columns", "job", "limit", value=2), "statement"),
    "leaves that nobody gave": (say("columns", "town", "hierarchy", value="town.csv"), "files"),
    "a range of sensitive values": (say("columns", "illness", "range", value=[1, 9]), "statement"),
    "a class of k - 1": (swap_sizes, "k"),
    "a wrong sum of ties": (say("ties", value=lambda ties: ties + 1), "sums"),
    "a wrong count of ties inside": (change_cell("supernodes.csv", 1, "ties_inside", "9"), "sums"),
    "more ties inside than pairs": (change_cell("supernodes.csv", 1, "ties_inside", "999"), "sums"),
    "a wrong sum of sizes": (say("people", value=61), "sums"),
    "a wrong number of supernodes": (say("supernodes", value=11), "sums"),
    "more ties than pairs": (change_cell("superedges.csv", 1, "ties", "9999"), "sums"),
    "an extra file": (add_file("people.csv", b"id\n"), "files"),
    "an extra folder": (add_file("raw/people.csv", b"id\n"), "files"),
    "a hidden file": (add_file(".cache", b""), "files"),
    "a link": (link, "files"),
    "a missing file": (lambda folder: (folder / "superedges.csv").unlink(), "files"),
    "a missing statement": (lambda folder: (folder / "release.json").unlink(), "files"),
    "an interval off the grid": (change_cell("supernodes.csv", 1, "age_low", "18.5"), "cells"),
    "an interval outside the range": (change_cell("supernodes.csv", 1, "age_low", "3"), "cells"),
    "an interval upside down": (change_cell("supernodes.csv", 1, "age_low", "90"), "cells"),
    "half an interval": (change_cell("supernodes.csv", 1, "age_low", "*"), "cells"),
    "a category that is no node": (change_cell("supernodes.csv", 1, "job", "sailor"), "cells"),
    "ranks upside down": (change_cell("supernodes.csv", 1, "rank_high", "unheard"), "cells"),
    "sensitive counts that do not add up": (change_cell("sensitive.csv", 1, "count", "17"), "sums"),
    "sensitive values of nobody": (change_cell("sensitive.csv", 1, "supernode", "S999"), "sums"),
    "a tie confidence that is overstated": (say("found", "tie_confidence", value=0.01), "found"),
    "a k that is overstated": (say("found", "k", value=5000), "found"),
    "an alpha that is overstated": (say("found", "alpha", "illness", "hiv", value=0.0), "found"),
    "an l that is overstated": (say("found", "l", "illness", value=4), "found"),
    "a t that is overstated": (say("found", "t", "illness", value=0.0), "found"),
    "no tie confidence": (unsay("found", "tie_confidence"), "statement"),
    "a promise that was dropped": (unsay("promises", "k"), "statement"),
    "a promise that is not kept": (say("promises", "tie_confidence", value=0.001), "tie_confidence"),
    "an alpha that is not kept": (say("promises", "alpha", "illness", "hiv", value=0.01), "alpha.illness.hiv"),
    "an l that is not kept": (say("promises", "l", "illness", value=9), "l.illness"),
    "a t that is not kept": (say("promises", "t", "illness", value=0.001), "t.illness"),
    "a k that is not kept": (say("promises", "k", value=50), "k"),
    "a loss that is misstated": (say("losses", "ncp", value=lambda loss: loss / 2), "losses"),
    "a loss that is left out": (unsay("losses", "nsil"), "losses"),
    "a loss that is nobody's": (say("losses", "seed", value=4711), "statement"),
    "a pair of supernodes twice": (change_lines("superedges.csv", lambda ls: [ls[0], *ls]), "sums"),
    "a pair of supernodes both ways": (
        change_lines("superedges.csv", lambda ls: [*ls, [ls[0][1], ls[0][0], ls[0][2]]]), "sums"),
    "a tie to no supernode": (change_cell("superedges.csv", 1, "target", "S999"), "sums"),
    "a pair without ties": (change_cell("superedges.csv", 1, "ties", "0"), "format"),
    "supernodes out of order": (change_lines("supernodes.csv", lambda ls: ls[::-1]), "order"),
    "superedges out of order": (change_lines("superedges.csv", lambda ls: ls[::-1]), "order"),
    "values out of order": (change_lines("sensitive.csv", lambda ls: ls[::-1]), "order"),
    "leaves out of order": (
        lambda folder: put_rows(folder / "hierarchies" / "job.csv", rows(folder / "hierarchies" / "job.csv", ";")[::-1],
                                ";"), "hierarchies"),
    "a leaf that stands twice": (
        lambda folder: put_rows(folder / "hierarchies" / "job.csv",
                                [rows(folder / "hierarchies" / "job.csv", ";")[0],
                                 *rows(folder / "hierarchies" / "job.csv", ";")], ";"), "hierarchies"),
    "GraphML with another tie count": (
        replace_pattern("supernodes.graphml", r'(<edge [^>]*><data key="d8">)\d+', r"\g<1>77"), "graphml"),
    "a size that is not written as a count": (change_cell("supernodes.csv", 1, "size", "06"), "format"),
    "a key that stands twice": (replace_text("release.json", '"format": 1,', '"format": 1, "format": 1,'), "format"),
    "no number for a loss": (replace_pattern("release.json", r'"ncp": [0-9.]+', '"ncp": NaN'), "format"),
    "line ends of another system": (
        lambda folder: (folder / "superedges.csv").write_bytes(
            (folder / "superedges.csv").read_bytes().replace(b"\n", b"\r\n")), "format"),
}


@pytest.mark.parametrize("leak", GRAPH_LEAKS)
def test_the_audit_refuses(tmp_path, graph_case, leak):
    folder = tmp_path / "release"
    shutil.copytree(graph_case.folder, folder)
    assert not broken(audit_release(folder))
    plant, promise = GRAPH_LEAKS[leak]
    plant(folder)
    sum_again(folder)
    findings = audit_release(folder)
    assert promise in broken(findings), [str(finding) for finding in findings]
    assert all(finding.detail or finding.asked is not None for finding in findings if not finding.holds)


SUMS = {
    "a stale checksum": lambda folder: (folder / "README.txt").write_text("hello\n"),
    "a missing checksum": replace_pattern("SHA256SUMS", r".*README.txt\n", ""),
    "a checksum of nothing": replace_text("SHA256SUMS", "README.txt", "README.md"),
    "no checksums": lambda folder: (folder / "SHA256SUMS").unlink(),
    "a note among the checksums": replace_pattern("SHA256SUMS", r"\A", f"# {ID}\n"),
}


@pytest.mark.parametrize("leak", SUMS)
def test_the_audit_refuses_checksums(tmp_path, graph_case, leak):
    folder = tmp_path / "release"
    shutil.copytree(graph_case.folder, folder)
    SUMS[leak](folder)
    assert "checksums" in broken(audit_release(folder))


def test_the_audit_of_a_fresh_release_refuses_times_finer_than_a_day(tmp_path, graph_case):
    folder = tmp_path / "release"
    shutil.copytree(graph_case.folder, folder)
    assert not broken(audit_release(folder, fresh=True))
    os.utime(folder / "supernodes.csv", (1_700_000_001, 1_700_000_001))
    assert broken(audit_release(folder, fresh=True)) == {"times"}
    assert not broken(audit_release(folder))


TABLE_LEAKS = {
    "an id in a cell": (change_cell("records.csv", 1, "job", ID), "cells"),
    "a raw column": (add_column("records.csv", "id", ID), "format"),
    "an exact number off the grid": (change_cell("records.csv", 1, "age", "33.5"), "cells"),
    "an interval of one value": (change_cell("records.csv", 1, "age", "[33, 33]"), "cells"),
    "a class of one": (change_cell("records.csv", 1, "age", "33"), "k"),
    "a line too few": (change_lines("records.csv", lambda ls: ls[1:]), "sums"),
    "a seed": (say("seed", value=1), "statement"),
    "a tie confidence where there are no ties": (say("found", "tie_confidence", value=0.0), "statement"),
    "a misstated loss": (say("losses", "discernibility", value=1), "losses"),
    "a graph's file": (add_file("supernodes.csv", b"x\n"), "files"),
    "ranks in no order": (change_cell("records.csv", 1, "rank", "[high, low]"), "cells"),
}


@pytest.mark.parametrize("leak", TABLE_LEAKS)
def test_the_audit_of_a_table_refuses(tmp_path, table_case, leak):
    folder = tmp_path / "release"
    shutil.copytree(table_case.folder, folder)
    assert not broken(audit_release(folder))
    plant, promise = TABLE_LEAKS[leak]
    plant(folder)
    sum_again(folder)
    assert promise in broken(audit_release(folder))


def swap_values(folder):
    """Give two supernodes each other's value where their counts are alike."""
    head, *lines = rows(folder / "sensitive.csv")
    for line in lines:
        if line[1] == "illness" and line[2] in ("flu", "hiv"):
            line[2] = {"flu": "hiv", "hiv": "flu"}[line[2]]
    put_rows(folder / "sensitive.csv", [head, *sorted(lines)])


def add_leaf(folder):
    path = folder / "hierarchies" / "job.csv"
    put_rows(path, sorted([*rows(path, ";"), [ID, "care", "*"]]), ";")


def add_hierarchy(folder):
    put_rows(folder / "hierarchies" / "town.csv", [["Lund", "*"], ["Malmo", "*"]], ";")
    edit_json(folder, lambda told: told["columns"]["town"].update(hierarchy="town.csv"))


def move_tie(folder):
    lines = rows(folder / "superedges.csv")
    lines[1][2], lines[2][2] = str(int(lines[1][2]) + 1), str(int(lines[2][2]) - 1)
    put_rows(folder / "superedges.csv", lines)


TRUTH_LEAKS = {
    "values that are not its people's": (swap_values, "truth.values"),
    "an id among the leaves": (add_leaf, "leaks"),
    "leaves that nobody gave": (add_hierarchy, "leaks"),
    "ties that were moved": (move_tie, "truth.ties"),
    "cells that do not cover": (change_cell("supernodes.csv", 1, "town", "Kiruna"), "truth.cells"),
    "a narrower interval": (change_cell("supernodes.csv", 2, "age_high", "19"), "truth.cells"),
    "an id in a file name": (add_file(f"{ID}.txt", b"x\n"), "leaks"),
    "an id in a further file": (add_file("notes.txt", f"see {ID}\n".encode()), "leaks"),
    "an id in UTF-16": (add_file("notes.txt", f"see {ID}\n".encode("utf-16")), "leaks"),
    "an id in UTF-16 without a mark": (add_file("notes.txt", f"see {ID}\n".encode("utf-16-be")), "leaks"),
    "an id behind a byte order mark": (add_file("notes.txt", f"{ID}\n".encode("utf-8-sig")), "leaks"),
    "an id in a packed file": (add_file("notes.gz", gzip.compress(f"see {ID}\n".encode())), "leaks"),
    "an id in an order": (say("columns", "rank", "order", value=["low", "mid", "high", ID]), "leaks"),
    "an id in a bound": (say("promises", "alpha", "illness", value={"hiv": 0.9, ID: 0.9}), "leaks"),
    "an unreadable release": (lambda folder: (folder / "release.json").write_text("{"), "truth.people"),
}


@pytest.mark.parametrize("leak", TRUTH_LEAKS)
def test_the_audit_of_the_truth_refuses(tmp_path, graph_case, leak):
    folder = tmp_path / "release"
    shutil.copytree(graph_case.folder, folder)
    plant, promise = TRUTH_LEAKS[leak]
    plant(folder)
    if leak == "an id in a bound":
        say("found", "alpha", "illness", value={"hiv": 0.5, ID: 0.0})(folder)
    sum_again(folder)
    findings = audit_truth(folder, key_path=graph_case.key, **graph_case.originals)
    assert promise in broken(findings), [str(finding) for finding in findings]


@pytest.mark.parametrize("split", [False, True])
def test_values_of_a_table_that_stand_together_are_one_person_s(tmp_path, split):
    case = written(tmp_path / "out", grouping(town(has_ties=False)), split=split)
    head, *lines = rows(case.folder / "records.csv")
    one, other = next((a, b) for a in lines for b in lines if a[:4] == b[:4] and a[4] != b[4] and a[5] != b[5])
    one[5], other[5] = other[5], one[5]
    put_rows(case.folder / "records.csv", [head, *lines])
    found = audit_truth(case.folder, key_path=case.key, **case.originals)
    assert broken(found) == (set() if split else {"truth.values"})


def key_lines(case):
    return rows(case.key)


KEYS = {
    "a person twice": (lambda ls: [*ls, ls[1]], "truth.people"),
    "a person in another supernode": (lambda ls: [ls[0], [ls[1][0], ls[9][1]], *ls[2:]], "truth.people"),
    "a person who is nobody": (lambda ls: [*ls[:-1], ["nobody", ls[-1][1]]], "truth.people"),
    "a person left out": (lambda ls: ls[:-1], "truth.people"),
    "more people withheld than may be": (lambda ls: [*ls[:-1], [ls[-1][0], ""]], "withhold"),
    "a supernode that is not there": (lambda ls: [*ls[:-1], [ls[-1][0], "S999"]], "truth.people"),
    "another header": (lambda ls: [["person", "group"], *ls[1:]], "truth.people"),
}


@pytest.mark.parametrize("change", KEYS)
def test_the_audit_of_the_truth_refuses_a_key_with(tmp_path, graph_case, change):
    alter, promise = KEYS[change]
    key = tmp_path / "key.csv"
    put_rows(key, alter(key_lines(graph_case)))
    findings = audit_truth(graph_case.folder, key_path=key, **graph_case.originals)
    assert promise in broken(findings), [str(finding) for finding in findings]


def test_a_person_s_own_k_is_recounted(graph_case):
    wishes = ["2"] * 59 + ["40"]
    originals = graph_case.originals | {
        "people": graph_case.originals["people"] | {"wish": wishes},
        "roles": graph_case.originals["roles"] | {"wish": "k"},
    }
    assert broken(audit_truth(graph_case.folder, key_path=graph_case.key, **originals)) == {"truth.k"}


def test_a_column_that_should_have_been_dropped_is_a_leak(graph_case):
    originals = graph_case.originals | {"roles": graph_case.originals["roles"] | {"city": "drop"}}
    assert "leaks" in broken(audit_truth(graph_case.folder, key_path=graph_case.key, **originals))


def test_an_open_column_that_repeats_the_ids_is_a_leak(tmp_path):
    ids = [("=1+1", "Lund, north")[code] for code in town().payload["city"].codes]
    names = [f"{name} {i}" for i, name in enumerate(ids)]
    case = written(tmp_path / "out", grouping(town()), ids=names)
    people = dict(case.originals["people"])
    people["city"] = names
    assert "leaks" in broken(audit_truth(case.folder, key_path=case.key, **case.originals | {"people": people}))


@pytest.mark.parametrize("slip", [1e-9, -1e-9, 1e-10])
def test_a_weight_that_was_not_added_up_is_found(tmp_path, slip):
    case = written(tmp_path / "out", grouping(town(weight="sum")))
    for file in ("supernodes.csv", "superedges.csv"):
        lines = rows(case.folder / file)
        before = lines[1][3]
        lines[1][3] = f"{float(before) * (1 + slip):.12g}"
        put_rows(case.folder / file, lines)
        assert broken(audit_truth(case.folder, key_path=case.key, **case.originals)) == {"truth.ties"}
        lines[1][3] = before
        put_rows(case.folder / file, lines)
        assert not broken(audit_truth(case.folder, key_path=case.key, **case.originals))


def test_a_hierarchy_has_one_name_for_its_file(tmp_path, graph_case):
    for name in ("job-d62bf05a.csv", "Job.csv", "job.CSV"):
        folder = tmp_path / name
        shutil.copytree(graph_case.folder, folder)
        rename("hierarchies/job.csv", f"hierarchies/{name}")(folder)
        sum_again(folder)
        assert "statement" in broken(audit_release(folder))


def test_supernodes_named_in_the_order_of_the_input_are_a_leak(tmp_path):
    case = written(tmp_path / "out", grouping(town()))
    head, *lines = rows(case.key)
    first = list(dict.fromkeys(name for _, name in lines))
    new = {old: f"S{i + 1}" for i, old in enumerate(first)}
    (case.folder / "order.json").write_text(json.dumps(new), encoding="utf-8")
    name_by_input(case.folder)
    put_rows(case.key, [head, *([person, new[name]] for person, name in lines)])
    assert broken(audit_truth(case.folder, key_path=case.key, **case.originals)) == {"leaks"}


def test_a_hidden_node_of_the_graph_is_found_with_its_line(tmp_path, graph_case):
    folder = tmp_path / "release"
    shutil.copytree(graph_case.folder, folder)
    replace_pattern("supernodes.graphml", r'(<node id="S1"><data key="d0">)\d+', r"\g<1>77")(folder)
    sum_again(folder)
    places = {(f.file, f.line) for f in audit_release(folder) if not f.holds}
    text = (folder / "supernodes.graphml").read_text(encoding="utf-8").splitlines()
    assert places == {("supernodes.graphml", 1 + next(i for i, line in enumerate(text) if 'id="S1"' in line))}


class NoShuffle:
    """A generator that leaves everything where it was."""

    def shuffle(self, items):
        """Do nothing."""


@pytest.mark.parametrize("split", [False, True])
def test_a_table_in_the_order_of_the_input_is_a_leak(tmp_path, monkeypatch, split):
    monkeypatch.setattr("releases.Random", lambda _: NoShuffle())
    case = written(tmp_path / "out", grouping(town(has_ties=False)), split=split)
    findings = audit_truth(case.folder, key_path=case.key, **case.originals)
    assert broken(findings) == {"leaks"}
    assert {"lines", "values"} <= {word for f in findings if not f.holds for word in f.detail.split()}


def test_there_are_enough_planted_leaks():
    assert len(GRAPH_LEAKS) + len(TABLE_LEAKS) + len(TRUTH_LEAKS) + len(KEYS) + len(SUMS) > 100
