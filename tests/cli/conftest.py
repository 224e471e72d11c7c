"""The command line as a process in a folder, and one finished run that the tests look at."""

import json
from dataclasses import dataclass

import pytest
from desk import Desk
from toy_files import write_files


@dataclass(frozen=True)
class Finished(Desk):
    """A desk with input files, the run folder OUT that came of them, and what was told of it."""

    told: dict
    ties: int

    @property
    def release(self):
        return self.folder / "OUT" / "release"


@pytest.fixture
def empty(tmp_path):
    """A desk without files."""
    return Desk(tmp_path)


@pytest.fixture
def desk(tmp_path):
    """A desk with people.csv, ties.csv, schema.toml and job.csv."""
    write_files(tmp_path)
    return Desk(tmp_path)


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """One release of forty people, made once; the kernels are compiled when it is there."""
    folder = tmp_path_factory.mktemp("finished")
    ties = write_files(folder)
    done = Desk(folder)("anonymize", "people.csv", "--ties", "ties.csv", "--schema", "schema.toml", "--seed", "1",
                        "-o", "OUT", "--json")
    assert done.returncode == 0, done.stderr
    return Finished(folder, json.loads(done.stdout), ties)
