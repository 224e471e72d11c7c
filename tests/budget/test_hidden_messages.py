"""What a release of answers or centres could say besides its answers: every choice that is left to it is none."""

import json
import shutil

import numpy as np
import pytest
from releases import edit_json, put_rows, rows, sum_again

from graphanon.audit import audit_answers, audit_release
from graphanon.datasets import load
from graphanon.perturbing import _declared, centre_people, cluster_release, coins_of, perturb_people
from graphanon.release import publish_reports, write
from graphanon.tabular.ldp.client import cells_of, lines_of, perturb_cells
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.pairs import plan_pairs
from graphanon.tabular.ldp.planning import plan_columns
from graphanon.tabular.ldp.reports import Reports
from graphanon.tabular.odpc import Odpc
from graphanon.tabular.servers import server_of

PEOPLE = load("heart")
SCHEMA = PEOPLE.graph.schema
LINES = lines_of(SCHEMA)
CELLS = cells_of(PEOPLE.graph, LINES)
MIXED = {line.name: "bits" for line in LINES} | {"Age": "hybrid", "MaxHR": "square-wave", "Sex": "grr"}


def broken(findings):
    return {finding.promise for finding in findings if not finding.holds}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Honest releases: by bits, by several mechanisms, by pairs, and centres of both kinds."""
    folder = tmp_path_factory.mktemp("honest")
    for name, plan in {"bits": plan_columns(LINES, 4.0, "bits"), "mixed": plan_columns(LINES, 4.0, MIXED),
                       "pairs": plan_pairs(LINES, 2.0)}.items():
        perturb_people(PEOPLE, plan, schema=SCHEMA, coins=coins_of(1), out=folder / name)
    centre_people(PEOPLE, Odpc(epsilon=1.0), schema=SCHEMA, coins=coins_of(1), out=folder / "odpc")
    method, server = server_of(plan_pairs(LINES, 2.0))
    cluster_release(folder / "pairs" / "release", clusters=2, server=server, method=method, coins=coins_of(1), out=folder / "groups")
    return folder


def _told(change):
    return lambda folder: edit_json(folder, change)


def _line(place, name, value):
    return _told(lambda told: told["plan"]["lines"][place].update({name: value}))


def _question(place, name, value):
    return _told(lambda told: told["plan"]["questions"][place].update({name: value}))


def _turned(told):
    told["plan"]["questions"][0] = dict(reversed(told["plan"]["questions"][0].items()))


def _inner(told):
    own = next(entry for entry in told["plan"]["questions"] if entry["mechanism"] == "hybrid")
    own["duchi"]["chance"] = 123456


def _twice(told):
    told["plan"]["questions"].append(dict(told["plan"]["questions"][0]))


def _another(told):
    told["plan"]["questions"][0], told["plan"]["questions"][1] = told["plan"]["questions"][1], told["plan"]["questions"][0]


def _features(told):
    told["epsilon"]["feature"] = dict(reversed(told["epsilon"]["feature"].items()))


def _budget(change):
    return _told(lambda told: told["epsilon"].update(record=change(told["epsilon"]["record"])))


def _cell(file, column, text):
    def plant(folder):
        head, first, *lines = rows(folder / file)
        j = head.index(column)
        put_rows(folder / file, [head, [*first[:j], text, *first[j + 1:]], *lines])

    return plant


def _tree(change):
    def plant(folder):
        file = folder / "hierarchies" / "ChestPainType.csv"
        put_rows(file, change(rows(file, ";")), ";")

    return plant


PLANTS = {
    "keys of a question in another order": ("bits", _told(_turned)),
    "a word inside a mechanism of two": ("mixed", _told(_inner)),
    "a question that is asked twice": ("pairs", _told(_twice)),
    "questions in another order": ("pairs", _told(_another)),
    "features in another order": ("bits", _told(_features)),
    "a budget with digits of its own": ("bits", _budget(lambda value: value + 1e-7)),
    "a budget that is spelled another way": ("bits", _budget(int)),
    "a budget of a bit where there is none": ("pairs", _told(lambda told: told["epsilon"].update(bit=0.5))),
    "a missing cell that is a number": ("bits", _line(0, "missing", 0)),
    "a range that is spelled another way": ("bits", _line(0, "range", [20, 80.0])),
    "a grid that is spelled another way": ("bits", _told(lambda told: told["columns"]["Age"].update(grid=1.0))),
    "a method nobody knows": ("bits", _told(lambda told: told.update(method="the-third-one-is-ill"))),
    "a method of centres for answers": ("bits", _told(lambda told: told.update(method="odpc"))),
    "a rate of many digits": ("odpc", _told(lambda told: told["plan"]["noise"][0].update(rate="1" * 40 + "/" + "7" * 42))),
    "a mean of many digits": ("odpc", _cell("centres.csv", "Age", "50.123456789")),
    "a mean that is spelled another way": ("odpc", _cell("centres.csv", "Age", "5e1")),
    "a mean with a space": ("groups", _cell("centres.csv", "Age", " 50")),
    "a share of many digits": ("groups", _cell("centres.csv", "share", "0.123456789")),
    "shares that do not add up": ("groups", _cell("centres.csv", "share", "0.9")),
    "a hierarchy in another order": ("bits", _tree(lambda lines: lines[::-1])),
    "a hierarchy with a value twice": ("bits", _tree(lambda lines: [lines[0], *lines])),
    "a hierarchy that ends elsewhere": ("bits", _tree(lambda lines: [[*line[:-1], "somebody"] for line in lines])),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_choice_that_could_carry_a_message_is_found(name, folders, tmp_path):
    base, plant = PLANTS[name]
    folder = tmp_path / "release"
    shutil.copytree(folders / base / "release", folder)
    assert not broken(audit_release(folder))
    plant(folder)
    sum_again(folder)
    assert broken(audit_release(folder)) - {"checksums"}


def test_records_may_not_choose_among_cells_that_share_a_pattern(folders, tmp_path):
    """The patterns of a fine grid are shared; a record that says which cell would say more than its answer."""
    folder = tmp_path / "release"
    shutil.copytree(folders / "bits" / "release", folder)
    told = json.loads((folder / "release.json").read_text())
    patterns = next(entry["patterns"] for entry in told["plan"]["questions"] if entry["attributes"] == ["RestingBP"])
    head, *lines = rows(folder / "records.csv")
    j = head.index("RestingBP")
    shared = next(line for line in lines if patterns.count(patterns[int(line[j])]) > 1)
    cell = int(shared[j])
    shared[j] = str(next(other for other, own in enumerate(patterns) if own == patterns[cell] and other != cell))
    put_rows(folder / "records.csv", [head, *lines])
    sum_again(folder)
    assert "cells" in broken(audit_release(folder))


def test_columns_that_leave_together_as_they_were_are_found_even_where_each_alone_looks_drawn(tmp_path):
    """Half of the people are one thing and half the other, as a small budget would have it; but both columns agree."""
    lines = [Line.of_labels("left", "ab"), Line.of_labels("right", "cd")]
    plan = plan_columns(lines, 0.2, "grr")
    halves = np.repeat([0, 1], 300)
    everyone = np.arange(600)
    planted = Reports(n=600, rows=(everyone, everyone), answers=(halves, halves))
    honest = perturb_cells(plan, np.stack([halves, halves], axis=1), coins_of(None))
    for reports, found in ((honest, set()), (planted, {"chance"})):
        folder = tmp_path / ("planted" if found else "honest")
        write(publish_reports(plan, reports, schema=_two(), method="ldp", reproducible=False), folder)
        assert broken(audit_release(folder)) == found


def _two():
    from graphanon.domain import Tree
    from graphanon.schema import Column, Role, Schema

    return Schema(columns=tuple(
        Column(name=name, role=Role.QUASI, domain=Tree(tuple((label, "*") for label in labels)))
        for name, labels in (("left", "ab"), ("right", "cd"))))


def test_what_a_hierarchy_says_above_its_values_is_held_against_the_schema(folders, tmp_path):
    folder = tmp_path / "release"
    shutil.copytree(folders / "bits" / "release", folder)
    _tree(lambda lines: [[line[0], "somebody", *line[1:]] for line in lines])(folder)
    sum_again(folder)
    frame = PEOPLE.table.frame
    found = audit_answers(folder, people={str(name): frame[name].tolist() for name in frame}, **_declared(SCHEMA))
    assert "truth.domain" in broken(found)
