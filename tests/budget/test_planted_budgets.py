"""Releases that claim a budget: honest ones pass the audit, and every false word or unperturbed answer is found."""

import json
import shutil
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from releases import edit_json, put_rows, rows, sum_again

from graphanon.audit import audit_answers, audit_release
from graphanon.audit.private.declared import declared
from graphanon.audit.private.ledger import logarithm
from graphanon.datasets import load
from graphanon.errors import BrokenPromise, InputProblem
from graphanon.perturbing import (
    _declared,
    centre_people,
    client_schema,
    cluster_release,
    coins_of,
    perturb_people,
)
from graphanon.release import publish_reports, read_any, write
from graphanon.tabular.ldp.bits import Bits, encode_grid
from graphanon.tabular.ldp.catalog import MAKERS
from graphanon.tabular.ldp.client import cells_of, lines_of, perturb_cells
from graphanon.tabular.ldp.exact import WHOLE
from graphanon.tabular.ldp.grr import Grr
from graphanon.tabular.ldp.planning import plan_columns
from graphanon.tabular.odpc import Odpc
from graphanon.tabular.servers import server_of

MECHANISMS = ("bits", "grr", "oue", "olh", "duchi", "piecewise", "hybrid", "square-wave")
PEOPLE = load("heart")
SCHEMA = PEOPLE.graph.schema
LINES = lines_of(SCHEMA)
CELLS = cells_of(PEOPLE.graph, LINES)


def plan_with(mechanism, epsilon=4.0, **more):
    """Ask for every column by the mechanism, or where it is for numbers alone by randomized response."""
    numeric = mechanism not in ("bits", "grr", "oue", "olh")
    names = {line.name: mechanism if line.ordered or not numeric else "grr" for line in LINES}
    return plan_columns(LINES, epsilon, names, **more)


def broken(findings):
    return {finding.promise for finding in findings if not finding.holds}


def original():
    frame = PEOPLE.table.frame
    return {str(name): frame[name].tolist() for name in frame}


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers") / "out"
    perturb_people(PEOPLE, plan_with("bits"), schema=SCHEMA, coins=coins_of(1), out=folder)
    return folder / "release"


@pytest.fixture(scope="module")
def centred(tmp_path_factory):
    folder = tmp_path_factory.mktemp("centres") / "out"
    centre_people(PEOPLE, Odpc(epsilon=1.0), schema=SCHEMA, coins=coins_of(1), out=folder)
    return folder / "release"


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("asked", [None, 2])
def test_answers_by_every_mechanism_pass_and_read_back(mechanism, asked, tmp_path):
    run = perturb_people(PEOPLE, plan_with(mechanism, asked=asked), schema=SCHEMA, coins=coins_of(2), out=tmp_path / "out")
    assert not broken(run.findings)
    assert read_any(tmp_path / "out" / "release") == run.release
    assert run.release.statement["epsilon"]["record"] <= 4.0


@settings(max_examples=15)
@given(st.sampled_from([name for name in MECHANISMS if name not in ("bits", "olh")]), st.integers(2, 4), st.floats(0.05, 5.0))
def test_the_audit_finds_the_ratio_that_enumeration_finds(name, inputs, epsilon):
    mechanism = MAKERS[name](inputs, Fraction(epsilon))
    own = declared(mechanism.as_json(), inputs)
    assert mechanism.worst_ratio() == own.ratio
    assert logarithm(own.ratio) <= Fraction(epsilon)


@given(st.integers(2, 9), st.floats(0.05, 3.0))
def test_the_ratio_of_hashing_is_that_of_its_response(inputs, epsilon):
    mechanism = MAKERS["olh"](inputs, Fraction(epsilon))
    assert declared(mechanism.as_json(), inputs).ratio == mechanism.response.worst_ratio()


@given(st.integers(2, 12), st.floats(0.05, 5.0))
def test_the_ratio_of_bits_is_that_of_all_bits_differing(cells, epsilon):
    mechanism = Bits.of(tuple(encode_grid(cells, 3).tolist()), 3, epsilon=Fraction(epsilon))
    # first and last cell of a grid differ in every bit
    assert declared(mechanism.as_json(), cells).ratio == mechanism.worst_ratio()


def test_nobody_is_dropped_or_invented_and_no_line_keeps_its_place(answered):
    lines = rows(answered / "reports.csv")[1:]
    assert len(lines) == PEOPLE.graph.n
    again = publish_reports(plan_with("bits"), perturb_cells(plan_with("bits"), CELLS, coins_of(1)), schema=SCHEMA,
                            method="ldp", reproducible=True)
    assert sorted(again.tables["reports.csv"][1:]) == sorted(map(tuple, lines))
    assert list(again.tables["reports.csv"][1:]) != list(map(tuple, lines))


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_column_that_leaves_as_it_was_is_found_from_the_files_or_with_the_people(mechanism, tmp_path):
    plan = plan_with(mechanism, 1.0)
    reports = perturb_cells(plan, CELLS, coins_of(3))
    certain = plan_with(mechanism, 1000.0)
    sure = perturb_cells(certain, CELLS, coins_of(3))
    j = next(j for j, line in enumerate(LINES) if line.name == "Cholesterol")
    if mechanism in ("piecewise", "square-wave", "hybrid", "olh", "duchi"):
        # their outputs depend on the budget, so the true cell is planted in the declared one's own words
        answers = _sure(plan.questions[j].mechanism, CELLS[:, j])
    else:
        answers = sure.answers[j]
    planted = type(reports)(n=reports.n, rows=reports.rows, answers=tuple(
        answers if i == j else own for i, own in enumerate(reports.answers)))
    write(publish_reports(plan, planted, schema=SCHEMA, method="ldp", reproducible=False), tmp_path / "release")
    findings = [*audit_release(tmp_path / "release"), *audit_answers(tmp_path / "release", people=original(), **_said())]
    assert broken(findings) & {"chance", "truth.answers"}


def _sure(mechanism, cells):
    """Give everyone the most likely answer of the mechanism, as a client without chance would."""
    texts = {}
    for cell in np.unique(cells).tolist():
        texts[cell] = max(mechanism.outputs(), key=lambda answer: mechanism.probability(cell, answer))
    return np.array([texts[cell] for cell in cells.tolist()])




def _said():
    return _declared(SCHEMA)


def test_a_doubled_epsilon_is_found(tmp_path):
    plan = plan_with("grr", 1.0)
    reports = perturb_cells(plan_with("grr", 2.0), CELLS, coins_of(4))
    release = publish_reports(plan_with("grr", 2.0), reports, schema=SCHEMA, method="ldp", reproducible=False)
    write(release, tmp_path / "release")
    edit_json(tmp_path / "release", lambda told: told.update(epsilon=plan.epsilon()))
    sum_again(tmp_path / "release")
    assert {"epsilon.record", "epsilon.feature.Age"} <= broken(audit_release(tmp_path / "release"))


def test_a_domain_read_off_the_data_is_found_with_the_schema(tmp_path):
    narrow = replace(SCHEMA, columns=tuple(
        replace(c, declared=(28.0, 77.0), domain=None) if c.name == "Age" else c for c in SCHEMA.columns))
    lines = lines_of(narrow)
    plan = plan_columns(lines, 1.0, "grr")
    cells = CELLS.copy()
    cells[:, 0] = np.clip(cells[:, 0] - 8, 0, lines[0].size - 1)
    release = publish_reports(plan, perturb_cells(plan, cells, coins_of(5)), schema=narrow, method="ldp", reproducible=False)
    write(release, tmp_path / "release")
    assert not broken(audit_release(tmp_path / "release"))
    assert "truth.domain" in broken(audit_answers(tmp_path / "release", people=original(), **_said()))


def _edit(change):
    def plant(folder):
        edit_json(folder, lambda told: told.update(change(told)))

    return plant


def _weight(name, value):
    def change(told):
        told["plan"]["questions"][0][name] = value
        return told

    return _edit(change)


def _line(file, change):
    def plant(folder):
        head, *lines = rows(folder / file)
        put_rows(folder / file, [head, *change(lines)])

    return plant


PLANTS = {
    "a flip that never happens": (_weight("flip", "0"), "questions"),
    "a flip of another weight": (_weight("flip", str(WHOLE // 1000)), "epsilon.record"),
    "a mechanism nobody knows": (_weight("mechanism", "identity"), "questions"),
    "a parameter nobody knows": (_weight("seed", 7), "questions"),
    "a ledger of nothing": (_edit(lambda told: told | {"epsilon": told["epsilon"] | {"record": 0.0}}), "epsilon.record"),
    "a ledger that is no number": (_edit(lambda told: told | {"epsilon": told["epsilon"] | {"record": None}}), "epsilon.record"),
    "a seed": (_edit(lambda told: told | {"seed": 1}), "statement"),
    "a seeded run that is called fit": (_edit(lambda told: told | {"for_release": True}), "statement"),
    "other neighbours": (_edit(lambda told: told | {"epsilon": told["epsilon"] | {"neighbours": "one bit"}}), "statement"),
    "fewer people": (_line("reports.csv", lambda lines: lines[:-1]), "sums"),
    "an answer that is none": (_line("reports.csv", lambda lines: [["2", *lines[0][1:]], *lines[1:]]), "cells"),
    "no answer": (_line("reports.csv", lambda lines: [["", *lines[0][1:]], *lines[1:]]), "cells"),
    "a record that was not answered": (_line("records.csv", lambda lines: [lines[1], lines[0], *lines[2:]]), "cells"),
    "a file that does not belong": (lambda folder: (folder / "people.csv").write_text("id\n"), "files"),
    "a letter of other words": (lambda folder: (folder / "README.txt").write_text("trust us\n"), "readme"),
    "a hierarchy of other values": (_line("hierarchies/Sex.csv", lambda lines: [["X;*"] for _ in lines]), "domain"),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_plant_among_answers_is_found(name, answered, tmp_path):
    plant, promise = PLANTS[name]
    folder = tmp_path / "release"
    shutil.copytree(answered, folder)
    plant(folder)
    sum_again(folder)
    found = broken(audit_release(folder))
    assert promise in found, found


CENTRE_PLANTS = {
    "a value outside": (_line("centres.csv", lambda lines: [[lines[0][0], "1e9", *lines[0][2:]], *lines[1:]]), "cells"),
    "a label of no domain": (_line("centres.csv", lambda lines: [[lines[0][0], lines[0][1], "X", *lines[0][3:]], *lines[1:]]), "cells"),
    "one centre fewer": (_line("centres.csv", lambda lines: lines[:-1]), "cells"),
    "more rounds": (_edit(lambda told: told | {"plan": told["plan"] | {"rounds": told["plan"]["rounds"] + 1}}), "epsilon.record"),
    "less reach": (_edit(lambda told: _noise(told, 1, "sensitivity", 1)), "questions"),
    "less noise": (_edit(lambda told: _noise(told, 1, "rate", "1/2")), "epsilon.record"),
    "no noise on people": (_edit(lambda told: _noise(told, 0, "rate", "0")), "questions"),
}


def _noise(told, place, name, value):
    told["plan"]["noise"][place][name] = value
    return told


@pytest.mark.parametrize("name", CENTRE_PLANTS)
def test_a_plant_among_centres_is_found(name, centred, tmp_path):
    plant, promise = CENTRE_PLANTS[name]
    folder = tmp_path / "release"
    shutil.copytree(centred, folder)
    plant(folder)
    sum_again(folder)
    found = broken(audit_release(folder))
    assert promise in found, found


def test_centres_hold_the_same_budget_as_the_answers_they_are_from(answered, tmp_path):
    plan = plan_with("bits")
    name, server = server_of(plan, "ldpk-prototypes")
    run = cluster_release(answered, clusters=2, server=server, method=name, coins=coins_of(1), out=tmp_path / "out")
    told = json.loads((answered / "release.json").read_text())
    assert run.release.statement["epsilon"] == told["epsilon"]
    assert run.release.statement["for_release"] is False
    assert not broken(audit_release(tmp_path / "out" / "release"))


def test_a_release_of_groups_is_not_clustered(tmp_path, answered):
    folder = tmp_path / "release"
    shutil.copytree(answered, folder)
    (folder / "reports.csv").write_text("Age\n")
    with pytest.raises(InputProblem, match="audit fails"):
        cluster_release(folder, clusters=2, server=server_of(plan_with("bits"))[1], method="x", coins=coins_of(1),
                        out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_noise_on_means_claims_nothing_and_leaves_nothing(tmp_path):
    with pytest.raises(InputProblem, match="bounds nothing"):
        centre_people(PEOPLE, Odpc(noise_on="mean"), schema=SCHEMA, coins=coins_of(None), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_client_that_does_not_randomize_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(Grr, "perturb", lambda *given: given[1].astype(np.int64))
    with pytest.raises(BrokenPromise):
        perturb_people(PEOPLE, plan_with("grr", 1.0), schema=SCHEMA, coins=coins_of(None), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_sensitive_columns_are_perturbed_like_the_others():
    assert {c.role.value for c in client_schema(SCHEMA).columns} <= {"quasi", "identifier", "drop"}
    assert "HeartDisease" in {line.name for line in LINES}
