"""Refinement in a run: on unless asked not to, told in run.json, and never told in the release."""

import json

import pytest

from graphanon import pipeline
from graphanon.cli.job import Job, job_text, read_job
from graphanon.datasets import load
from graphanon.errors import InputProblem
from graphanon.refine import Objective


def run(folder, **more):
    reading = load("m1")
    asked = pipeline.requirement_of(reading.graph.schema, k=5)
    return pipeline.anonymize(reading, requirement=asked, method="sangreea", seed=1, out=folder / "out", **more)


def record(folder) -> dict:
    return json.loads((folder / "out" / "private" / "run.json").read_text(encoding="utf-8"))


def test_a_run_is_refined_and_tells_the_losses_before_and_after(tmp_path):
    run(tmp_path)
    told = record(tmp_path)
    assert told["refined"]["objective"] == {"attributes": "ngil", "ties": "nsil", "w_attr": 0.5, "w_tie": 0.5}
    assert told["losses"]["total"] < 0.9 * told["refined"]["before"]["total"]
    assert told["seconds"]["refine"] > 0
    assert "refine" not in (tmp_path / "out" / "release" / "release.json").read_text(encoding="utf-8")


def test_what_is_not_refined_is_the_method_s_own(tmp_path):
    done = run(tmp_path, refine=False)
    told = record(tmp_path)
    assert told["refined"] is None
    assert told["seconds"]["refine"] == 0
    assert done.unrefined["total"] == told["losses"]["total"]


def test_another_objective_is_lowered_where_it_is_asked_for(tmp_path):
    ties = Objective(ties="tie_loss", w_attr=0.0, w_tie=1.0)
    run(tmp_path, objective=ties)
    told = record(tmp_path)
    assert told["losses"]["tie_loss"] < told["refined"]["before"]["tie_loss"]


def test_a_job_keeps_how_it_is_to_be_refined(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = Job(ties="-", out="there", objective="ngil=0.5,tie_loss=0.5", refine_seconds=3.0)
    (tmp_path / "job.toml").write_text(job_text(job), encoding="utf-8")
    again = read_job(tmp_path / "job.toml")
    assert (again.objective, again.refine_seconds, again.refine) == (job.objective, 3.0, True)


def test_a_job_cannot_be_refined_for_less_than_no_time(tmp_path):
    (tmp_path / "job.toml").write_text('ties = "-"\nrefine_seconds = -1.0\n', encoding="utf-8")
    with pytest.raises(InputProblem, match="refine_seconds"):
        read_job(tmp_path / "job.toml")
