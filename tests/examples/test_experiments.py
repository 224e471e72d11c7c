"""The experiments of the papers run in small settings, and hand over what they say they do."""

import csv
import importlib
import re
import runpy
import sys

import pytest
from house import ROOT

FOLDER = ROOT / "examples" / "experiments"
NAMES = sorted(path.stem for path in FOLDER.glob("seed_*.py") if "from account import" in path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=NAMES)
def told(request, tmp_path_factory):
    """Return the name of an experiment, its rows and its account, after a quick run."""
    name, out = request.param, tmp_path_factory.mktemp("experiment")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        patch.setattr(sys, "argv", [name, "--quick", "-o", str(out)])
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert {path.name for path in out.iterdir()} == {f"{name}.{kind}" for kind in ("csv", "md", "png")}
    assert (out / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    with (out / f"{name}.csv").open(newline="") as lines:
        return name, list(csv.DictReader(lines)), (out / f"{name}.md").read_text(encoding="utf-8")


def test_every_row_has_its_numbers(told):
    name, rows, _ = told
    assert len(rows) >= 4
    assert len({row["method"] for row in rows}) >= 2
    loss = {"seed_000": "loss", "seed_003": "nicv", "seed_004": "total"}.get(name, "ncp")
    assert all(float(row[loss]) > 0 and float(row["seconds"]) >= 0 for row in rows)


def test_what_reproduces_is_said_with_what_was_measured(told):
    _, _, text = told
    verdicts = re.findall(r"^\| (.+) \| (yes|\*\*no\*\*) \| (.+) \|$", text, flags=re.MULTILINE)
    assert len(verdicts) >= 5
    assert all(re.search(r"\d|none", measured) for _, _, measured in verdicts)


def test_verdicts_follow_from_the_rows(told):
    name, rows, text = told
    verdict = {says: holds == "yes" for says, holds in re.findall(r"^\| (.+) \| (yes|\*\*no\*\*) \|", text, flags=re.MULTILINE)}
    asked = {
        "seed_000": ("GAA-CP loses less than KACA", "GAA-CP", "KACA", "loss", ("people", "attributes", "k")),
        "seed_001": ("SemiAnony loses less than GeneAnony", "SemiAnony", "GeneAnony", "loss", ("attributes", "k")),
        "seed_002": ("Datafly, Sweeney is less precise than improved", "Datafly, Sweeney", "improved", "precision", ("k",)),
        "seed_003": ("one pair a person has a lower NICV than LDPK, epsilon of a record", "one pair a person", "ldpk (record)",
                     "nicv", ("data", "epsilon")),
        "seed_004": ("greedy loses less than SaNGreeA", "greedy", "sangreea", "total", ("data", "k")),
    }
    assert name in asked
    says, one, other, of, by = asked[name]
    plain = [row for row in rows if row.get("refined", "False") == "False"]
    value = {(row["method"], *(row[key] for key in by)): float(row[of]) for row in plain}
    places = {key[1:] for key in value}
    assert verdict[says] == all(value[one, *place] < value[other, *place] for place in places)


def test_refinement_loses_no_more_than_it_began_with(told):
    name, rows, _ = told
    if name == "seed_004":
        total = {(row["data"], row["k"], row["method"], row["refined"]): float(row["total"]) for row in rows}
        assert all(value <= total[*key[:3], "False"] for key, value in total.items())


def test_steps_and_comparisons_are_counted(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    account = importlib.import_module("account")
    claim = account.steps("rises", [[1, 2, 3], [1, 1]])
    assert (claim.holds, claim.measured) == (True, "of 3 steps 2 rise, 0 fall and 1 stay")
    assert not account.steps("rises", [[1, 2, 1]]).holds
    assert not account.steps("rises", [[1, 1]]).holds
    assert account.steps("falls", [[3, 2]], falls=True).holds
    claim = account.below("less", [(1, 2), (3, 2)])
    assert (claim.holds, claim.measured) == (False, "in 1 of 2 cases, 0.50 to 1.50 times the other")


@pytest.mark.parametrize("name", NAMES)
def test_the_account_of_a_whole_run_is_kept(name):
    kept = ROOT / "docs" / "experiments"
    text = (kept / f"{name}.md").read_text(encoding="utf-8")
    assert f"({name}.png)" in text
    assert (kept / f"{name}.png").is_file()
    with (kept / f"{name}.csv").open(newline="") as lines:
        assert len(list(csv.DictReader(lines))) >= 20
