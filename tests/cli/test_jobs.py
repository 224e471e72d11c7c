import json
from dataclasses import fields
from pathlib import Path

import pytest

from graphanon.cli.job import Job, job_text, read_job, schema_command
from graphanon.cli.options import READING
from graphanon.errors import InputProblem
from graphanon.io.source import ReadOptions


def test_a_printed_job_reads_back_to_the_same_job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = Job(
        people='people "x".csv', ties="-", schema="s.toml", method="sangreea", settings={"beta": "0.25", "a b": "true"},
        k=7, tie_confidence=0.5, withhold=0.02, seed=3, out="there", force=True, refine=False, split_payload=True,
        reading={"delimiter": "\t", "na_values": ["NA", "?"], "directed": False, "unlisted": "drop"},
    )
    (tmp_path / "job.toml").write_text(job_text(job), encoding="utf-8")
    assert read_job(Path("job.toml")) == job


def test_paths_of_a_job_are_relative_to_its_file(tmp_path):
    (tmp_path / "job.toml").write_text('people = "people.csv"\nties = "-"\n')
    job = read_job(tmp_path / "job.toml")
    assert job.people == str(tmp_path / "people.csv")
    assert job.out == str(tmp_path / "graphanon-out")
    assert job.ties == "-"


def test_every_problem_of_a_job_is_told_at_once(tmp_path):
    (tmp_path / "job.toml").write_text(
        'poeple = "x"\nseed = "one"\npromises = 3\n[read]\nunlisted = "keep"\nna_values = [1]\n[set]\nbeta = 1\n'
    )
    with pytest.raises(InputProblem) as refused:
        read_job(tmp_path / "job.toml")
    told = str(refused.value)
    assert all(word in told for word in ("poeple", "seed", "promises", "unlisted", "na_values"))
    assert "beta" not in told
    assert all(problem.file == str(tmp_path / "job.toml") for problem in refused.value.problems)


def test_broken_toml_is_told_with_its_line(tmp_path):
    (tmp_path / "job.toml").write_text('people = "a"\nties = \n')
    with pytest.raises(InputProblem) as refused:
        read_job(tmp_path / "job.toml")
    assert refused.value.problems[0].line == 2


def test_the_command_that_drafts_a_schema_can_be_pasted():
    job = Job(people="my people.csv", ties="ties.csv", reading={"na_values": ["NA", "?"], "directed": True, "header": False,
                                                               "drop_incomplete_ties": True})
    assert schema_command(job) == (
        "graphanon inspect 'my people.csv' --ties ties.csv --na-values 'NA,?' --directed --no-header --drop-incomplete-ties "
        "--write-schema schema.toml"
    )


def test_a_job_does_what_the_command_line_does(desk):
    asked = ("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--method", "sangreea",
             "--set", "beta=0.25", "-k", "4", "--seed", "9", "-o", "from-job")
    printed = desk(*asked, "--print-job")
    assert printed.returncode == 0
    assert not (desk.folder / "from-job").exists()
    assert json.loads(desk(*asked, "--print-job", "--json").stdout) == {"job": printed.stdout}
    folder = desk.folder / "jobs"
    folder.mkdir()
    (folder / "job.toml").write_text(printed.stdout)
    for name in ("people.csv", "ties.csv", "schema.toml", "job.csv"):
        (desk.folder / name).rename(folder / name)
    done = desk("run", "jobs/job.toml", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["release"] == "jobs/from-job/release"
    assert (told["method"], told["promises"]["k"], told["seed"]) == ("sangreea", 4, 9)
    again = desk("run", "jobs/job.toml", "-o", "elsewhere", "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["losses"] == told["losses"]
    assert (desk.folder / "elsewhere" / "release" / "release.json").is_file()


def test_every_option_of_reading_can_be_given_on_the_command_line_and_in_a_job(tmp_path):
    names = {field.name for field in fields(ReadOptions)}
    assert {parameter.name for parameter in READING} == names
    (tmp_path / "job.toml").write_text("[read]\nnothing = 1\n")
    with pytest.raises(InputProblem) as refused:
        read_job(tmp_path / "job.toml")
    assert set(refused.value.problems[0].allowed.split(", ")) == names
