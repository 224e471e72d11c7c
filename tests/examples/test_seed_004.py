"""The experiment of PAS-CAA's paper runs, and says of each claim whether it holds."""

import subprocess
import sys

from house import ROOT

SCRIPT = ROOT / "examples" / "experiments" / "seed_004.py"
METHODS = ("pas-caa as printed", "sangreea", "caa-vs", "adaptive-dense-cfs", "sequential", "greedy", "pas-caa sound",
           "sangreea at 2k")


def test_the_experiment_prints_a_table_and_draws_a_figure(tmp_path):
    figure = tmp_path / "figure.png"
    run = subprocess.run([sys.executable, str(SCRIPT), "--quick", "-o", str(figure)], cwd=tmp_path,
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert figure.read_bytes().startswith(b"\x89PNG")
    lines = run.stdout.splitlines()
    for method in METHODS:
        plain, refined = ([line for line in lines if line.startswith(f"{method:<20}{which:<9}")] for which in ("", "refined"))
        assert len(plain) == len(refined) == 2
        assert all(total(after) <= total(before) for before, after in zip(plain, refined, strict=True))
    assert "NOT reproduced  PAS-CAA as printed loses least of the four" in lines
    assert "reproduced      the total loss rises with each step of k" in lines


def total(line: str) -> float:
    return float(line[29:37])
