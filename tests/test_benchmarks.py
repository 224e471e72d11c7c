"""The benchmark runs with one command and measures graphs of exactly the size asked for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from graphanon.datasets import export

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("method", ["sangreea", "pas-caa"])
def test_one_measurement_names_size_time_and_memory(method):
    command = [sys.executable, "-m", "benchmarks", "--method", method, "--people", "80", "--ties", "200",
               "-k", "4", "--repeat", "1", "--json"]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    assert (found["method"], found["people"], found["ties"], found["k"]) == (method, 80, 200, 4)
    assert found["seconds"] > 0
    assert 10 < found["peak_mb"] < 1500
    assert 1 <= found["supernodes"] <= 20


def test_reading_is_measured_side_by_side():
    command = [sys.executable, "-m", "benchmarks", "reading", "--part", "500", "--json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    found = [json.loads(text) for text in lines]
    assert [(entry["file"], entry["reader"]) for entry in found] == [
        ("graphml", "graphanon"), ("graphml", "igraph"), ("graphml", "networkx"), ("csv", "graphanon"), ("csv", "built")]
    assert {entry["ties"] for entry in found[:2]} == {2000}
    assert all(entry["peak_mb"] > 10 and entry["seconds"] > 0 for entry in found)


def test_damaged_files_of_every_format_end_read_or_refused():
    command = [sys.executable, "-m", "benchmarks", "fuzz", "--inputs", "340", "--seed", "11", "--json"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    found = [json.loads(text) for text in done.stdout.splitlines()]
    assert (done.returncode, [entry["exceptions"] for entry in found if entry["exceptions"]]) == (0, []), done.stderr
    assert sum(entry["inputs"] for entry in found) == 340
    assert len(found) == 18
    assert any(entry["read"] for entry in found)
    assert all(entry["slowest_seconds"] < 5 for entry in found)


def test_prototypes_are_measured_on_as_many_people_as_asked():
    command = [sys.executable, "-m", "benchmarks", "prototypes", "--alone", "--people", "300", "--clusters", "2", "3",
               "--seeds", "2", "--json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    two, three = (json.loads(text) for text in lines)
    assert (two["people"], two["clusters"], three["clusters"]) == (300, 2, 3)
    assert 0 < three["graphanon_cost"] <= three["graphanon_cost_dearest"] < two["graphanon_cost"]
    assert two["graphanon_seconds"] > 0
    assert "kmodes_cost" not in two


def test_losses_are_told_beside_what_no_class_can_go_below():
    command = [sys.executable, "-m", "benchmarks", "losses", "--data", "m1", "-k", "20", "--seeds", "1", "--method", "sangreea",
               "--markdown"]
    shown = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert "no refined cell is above 1" in shown
    table = [line.split("|") for line in shown.splitlines() if line.startswith("| ")]
    plain, refined, least = (float(cells[2]) for cells in table[-3:])
    assert plain >= refined >= least > 0


def test_growth_is_measured_for_the_method_and_for_refinement_apart():
    command = [sys.executable, "-m", "benchmarks", "growth", "--people", "80", "-k", "4", "--json"]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    assert (found["people"], found["ties"]) == (80, 640)
    assert found["processor"] > found["refining"] > 0


def test_tables_are_measured_with_hierarchies_of_ones_own(tmp_path):
    export("adult", tmp_path / "adult")
    command = [sys.executable, "-m", "benchmarks", "tables", "--part", "million", "--rows", "400", "--json",
               "--hierarchies", str(tmp_path / "adult" / "hierarchies")]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    assert (found["people"], found["withheld"], found["most_mb"]) == (400, 0, 2000)
    assert 0 < found["loss"] < 1
    assert 0 < found["width"] < 1
    assert 1 <= found["classes"] <= 40
