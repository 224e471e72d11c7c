"""Bad and rare input through the Python interface: a clear refusal, or the result that is defined for it.

Every refusal names what is wrong and where; nothing that was there is touched, and nothing half-made is left.
"""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphanon.errors import InfeasiblePromise, InputProblem
from graphanon.pipeline import Run, anonymize, read
from graphanon.progress import listening
from graphanon.requirement import Requirement

SCHEMA = """
[people]
id = "id"
{missing}
[columns]
age = {{ role = "quasi", range = [0, 99] }}
job = {{ role = "quasi", hierarchy = "job.csv" }}
"""
JOBS = "nurse;health;*\nclerk;office;*\nboss;office;*\n"
PEOPLE = [("p1", "31", "nurse"), ("p2", "33", "clerk"), ("p3", "47", "boss"), ("p4", "52", "nurse"),
          ("p5", "38", "clerk"), ("p6", "61", "boss")]
TIES = [("p1", "p2"), ("p2", "p3"), ("p4", "p5"), ("p5", "p6")]


class Input:
    """A folder of input files that a test may spoil, one piece at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        self.people("id,age,job", *(",".join(row) for row in PEOPLE))
        self.ties("source,target", *(",".join(row) for row in TIES))
        self.write("job.csv", JOBS)
        self.schema()

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def people(self, *lines: str) -> None:
        self.write("people.csv", "".join(f"{line}\n" for line in lines))

    def ties(self, *lines: str) -> None:
        self.write("ties.csv", "".join(f"{line}\n" for line in lines))

    def schema(self, missing: str = "") -> None:
        self.write("schema.toml", SCHEMA.format(missing=missing))

    def read(self, **options):
        return read(self.folder / "people.csv", self.folder / "ties.csv", schema=self.folder / "schema.toml", **options)

    def release(self, k: int = 2, **more) -> Run:
        return anonymize(self.read(), requirement=Requirement(k=k), seed=1, out=self.out, **more)

    def refused(self) -> InputProblem:
        with pytest.raises(InputProblem) as caught:
            self.read()
        return caught.value

    def left_behind(self) -> set[str]:
        """Return whatever stands beside the input files."""
        return {path.name for path in self.folder.iterdir()} - {"people.csv", "ties.csv", "job.csv", "schema.toml"}


@pytest.fixture
def given(tmp_path) -> Input:
    return Input(tmp_path)


def one_problem(error: InputProblem, *words: str):
    """Return the only problem of a refusal, after looking for words in its text."""
    assert len(error.problems) == 1, str(error)
    assert all(word in str(error) for word in words), str(error)
    return error.problems[0]


def sizes(run: Run) -> list[int]:
    return sorted(run.release.sizes.tolist())


def test_the_input_as_it_should_be_is_released(given):
    run = given.release()
    assert sum(sizes(run)) == 6
    assert all(finding.holds for finding in run.findings)
    assert given.left_behind() == {"out"}


def test_fewer_people_than_k_are_refused_with_both_numbers(given):
    with pytest.raises(InfeasiblePromise, match=r"k = 7.*only 6 people"):
        given.release(k=7)
    assert given.left_behind() == set()


def test_a_k_below_1_is_refused(given):
    with pytest.raises(InputProblem, match="k is 0"):
        given.release(k=0)
    assert given.left_behind() == set()


@pytest.mark.parametrize("text", ["", "\n", "\n\n \n"])
def test_an_empty_file_of_people_is_refused_by_name(given, text):
    given.write("people.csv", text)
    assert "people.csv" in str(given.refused())


def test_a_file_with_a_header_and_no_people_is_refused(given):
    given.people("id,age,job")
    assert "people.csv" in str(given.refused())


def test_an_empty_file_of_ties_is_refused_by_name(given):
    given.write("ties.csv", "")
    assert "ties.csv" in str(given.refused())


def test_a_file_that_is_not_there_is_refused_by_name(given):
    (given.folder / "people.csv").unlink()
    assert "people.csv" in str(given.refused())


def test_without_a_file_of_ties_people_are_a_table(given):
    reading = read(given.folder / "people.csv", schema=given.folder / "schema.toml")
    assert not reading.graph.has_ties
    run = anonymize(reading, requirement=Requirement(k=2), method="sangreea", seed=1, out=given.out)
    assert json.loads((given.out / "release" / "release.json").read_text(encoding="utf-8"))["kind"] == "table"
    assert "nsil" not in run.release.statement["losses"]


def test_one_person_can_hide_behind_nobody(given):
    given.people("id,age,job", "p1,31,nurse")
    given.ties("source,target", "p1,p1")
    with pytest.raises((InfeasiblePromise, InputProblem)):
        given.release()
    assert given.left_behind() == set()


def test_people_with_identical_attributes_lose_nothing(given):
    given.people("id,age,job", *(f"p{i},40,nurse" for i in range(1, 7)))
    run = given.release()
    assert run.release.statement["losses"]["ncp"] == 0
    assert set(run.release.cells) == {("40", "40", "nurse")}


def test_a_column_of_one_value_is_published_as_it_is(given):
    given.people("id,age,job", *(f"p{i},{30 + i},nurse" for i in range(1, 7)))
    assert {cells[-1] for cells in given.release().release.cells} == {"nurse"}


def test_a_range_of_one_number_costs_nothing(given):
    given.write("schema.toml", SCHEMA.format(missing="").replace("[0, 99]", "[40, 40]"))
    given.people("id,age,job", *(f"p{i},40,nurse" for i in range(1, 7)))
    assert given.release().release.statement["losses"]["ngil"] == 0


def test_isolated_people_are_counted_and_released(given):
    given.ties("source,target", "p1,p2")
    reading = given.read()
    assert reading.report.counts["isolated"] == 4
    assert sum(sizes(given.release())) == 6


def test_self_ties_are_dropped_and_counted(given):
    given.ties("source,target", "p1,p2", "p3,p3", "p4,p4")
    reading = given.read()
    assert reading.graph.n_ties == 1
    assert reading.report.counts["loops_dropped"] == 2


def test_repeated_ties_are_one_tie_in_either_direction(given):
    given.ties("source,target", "p1,p2", "p2,p1", "p1,p2", "p3,p4")
    reading = given.read()
    assert reading.graph.n_ties == 2
    assert reading.report.counts["repeats_merged"] == 2


def test_a_tie_to_nobody_is_refused_with_its_line_and_the_way_out(given):
    given.ties("source,target", "p1,p2", "p1,p9")
    problem = one_problem(given.refused(), "p9", "ties.csv")
    assert problem.line == 3
    assert problem.fix


def test_an_id_that_repeats_is_refused_with_its_line(given):
    given.people("id,age,job", *(",".join(row) for row in PEOPLE), "p2,20,boss")
    problem = one_problem(given.refused(), "p2", "people.csv")
    assert problem.line == 8


@pytest.mark.parametrize(("row", "column"), [("p7,,nurse", "age"), ("p7,40,", "job")])
def test_a_missing_cell_is_refused_unless_the_schema_has_a_policy(given, row, column):
    given.people("id,age,job", *(",".join(row) for row in PEOPLE), row)
    problem = one_problem(given.refused(), "missing")
    assert (problem.line, problem.column) == (8, column)


def test_people_with_missing_cells_can_be_dropped_and_are_counted(given):
    given.schema(missing='missing = "drop"')
    given.people("id,age,job", *(",".join(row) for row in PEOPLE), "p7,,nurse", "p8,40,")
    reading = given.read()
    assert reading.graph.n == 6
    assert reading.report.counts["people_dropped"] == 2


def test_missing_cells_can_be_values_and_nobody_is_lost(given):
    given.schema(missing='missing = "value"')
    given.people("id,age,job", *(",".join(row) for row in PEOPLE), "p7,,nurse", "p8,40,")
    run = given.release()
    assert sum(sizes(run)) == 8
    assert any("*" in cells for cells in run.release.cells)


def test_a_value_without_a_line_in_its_hierarchy_is_refused_with_its_place(given):
    given.people("id,age,job", *(",".join(row) for row in PEOPLE), "p7,20,pilot")
    problem = one_problem(given.refused(), "pilot", "people.csv")
    assert (problem.line, problem.column) == (8, "job")


def test_an_uneven_hierarchy_is_refused_with_the_value_that_differs(given):
    given.write("job.csv", "nurse;health;*\nclerk;*\nboss;office;*\n")
    assert "clerk" in str(given.refused())
    assert "job.csv" in str(given.refused())


def test_a_leaf_under_two_parents_is_refused_by_name(given):
    given.write("job.csv", JOBS + "nurse;office;*\n")
    assert "nurse" in str(given.refused())


def test_a_group_under_two_parents_is_refused_by_name(given):
    given.write("job.csv", "nurse;care;health;*\nclerk;care;office;*\nboss;desk;office;*\n")
    assert "care" in str(given.refused())


@pytest.mark.parametrize("cell", ["nan", "NaN", "inf", "-inf", "1e999", "old", "12,5", "0x1F"])
def test_what_is_no_finite_number_is_refused_with_its_place(given, cell):
    given.people("id,age,job", *(",".join(row) for row in PEOPLE), f'p7,"{cell}",nurse')
    problem = given.refused().problems[0]
    assert (problem.line, problem.column) == (8, "age")


def test_a_number_outside_its_range_is_refused_with_its_place(given):
    given.people("id,age,job", *(",".join(row) for row in PEOPLE), "p7,120,nurse")
    problem = one_problem(given.refused(), "people.csv")
    assert (problem.line, problem.column) == (8, "age")


def test_a_column_that_the_schema_does_not_list_is_refused_by_name(given):
    given.people("id,age,job,name", *(f"{','.join(row)},Ann" for row in PEOPLE))
    problem = one_problem(given.refused(), "name", "--unlisted drop")
    assert "Ann" not in str(problem)


def test_all_problems_of_a_file_are_told_at_once(given):
    given.people("id,age,job", "p1,31,nurse", "p2,old,clerk", "p3,47,pilot", "p4,200,boss", "p5,38,clerk", "p6,61,boss")
    assert {(problem.line, problem.column) for problem in given.refused().problems} == \
        {(3, "age"), (4, "job"), (5, "age")}


def test_an_output_folder_that_exists_is_refused_and_left_as_it_was(given):
    given.out.mkdir()
    (given.out / "mine.txt").write_text("keep me", encoding="utf-8")
    with pytest.raises(InputProblem, match="exists already") as caught:
        given.release()
    assert "--force" in str(caught.value)
    assert (given.out / "mine.txt").read_text(encoding="utf-8") == "keep me"
    assert given.left_behind() == {"out"}


def test_an_output_folder_that_exists_is_replaced_when_asked(given):
    given.release()
    before = (given.out / "release" / "SHA256SUMS").read_text(encoding="utf-8")
    given.release(k=3, force=True)
    assert (given.out / "release" / "SHA256SUMS").read_text(encoding="utf-8") != before
    assert given.left_behind() == {"out"}


def test_a_place_that_cannot_be_written_is_refused_by_name(given):
    given.write("file", "")
    with pytest.raises(InputProblem, match="cannot be written") as caught:
        anonymize(given.read(), requirement=Requirement(k=2), seed=1, out=given.folder / "file" / "out")
    assert "out" in str(caught.value)
    assert given.left_behind() == {"file"}


def test_a_full_disk_leaves_nothing_and_says_so(given, monkeypatch):
    real = os.fsync

    def full(descriptor: int) -> None:
        if os.fstat(descriptor).st_size > 200:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputProblem, match="No space left"):
        given.release()
    assert given.left_behind() == set()


LIMITED = """
import resource, sys
from graphanon.errors import InputProblem
from graphanon.pipeline import anonymize, read
from graphanon.requirement import Requirement
reading = read("people.csv", "ties.csv", schema="schema.toml")
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
try:
    anonymize(reading, requirement=Requirement(k=2), seed=1, out="out")
except InputProblem as problem:
    sys.exit(0 if "cannot be written" in str(problem) else 9)
"""


def test_files_that_may_not_grow_leave_nothing(given):
    # kernels run as plain Python: a compiler's cache would meet the limit first
    run = subprocess.run([sys.executable, "-c", LIMITED], cwd=given.folder, capture_output=True, text=True,
                         env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert run.returncode == 0, run.stderr
    assert given.left_behind() == set()


def test_an_interrupt_leaves_nothing_and_the_old_release_as_it_was(given):
    given.release()
    before = {path: path.read_bytes() for path in given.out.rglob("*") if path.is_file()}

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with listening(interrupt), pytest.raises(KeyboardInterrupt):
        given.release(force=True)
    assert {path: path.read_bytes() for path in given.out.rglob("*") if path.is_file()} == before
    assert given.left_behind() == {"out"}


def test_the_same_people_in_another_file_order_give_the_same_classes(given):
    first = given.release().release
    given.people("id,age,job", *(",".join(row) for row in reversed(PEOPLE)))
    given.ties("target,source", *(",".join(row) for row in reversed(TIES)))
    second = given.release(force=True).release
    assert sorted(zip(first.cells, first.sizes.tolist(), first.superties.inside.tolist(), strict=True)) == \
        sorted(zip(second.cells, second.sizes.tolist(), second.superties.inside.tolist(), strict=True))
    assert first.statement["losses"] == second.statement["losses"]


def test_ties_alone_make_their_ends_people(given):
    given.write("schema.toml", "[columns]\n")
    reading = read(ties=given.folder / "ties.csv", schema=given.folder / "schema.toml")
    assert reading.graph.n == 6
    assert reading.graph.q == 0
    run = anonymize(reading, requirement=Requirement(k=2), seed=1, out=given.out)
    assert not {"ncp", "ngil", "total"} & set(run.release.statement["losses"])


def test_a_label_that_is_a_number_stays_as_it_is_written(given):
    given.write("job.csv", "007;spies;*\n7;spies;*\n07;clerks;*\n")
    given.people("id,age,job", "p1,31,007", "p2,33,007", "p3,47,07", "p4,52,07", "p5,38,7", "p6,61,7")
    run = given.release()
    assert {cells[-1] for cells in run.release.cells} <= {"007", "07", "7", "spies", "clerks", "*"}


def test_the_files_that_were_read_are_left_as_they_were(given):
    names = ("people.csv", "ties.csv", "job.csv", "schema.toml")
    before = {name: (given.folder / name).read_bytes() for name in names}
    given.release()
    assert {name: (given.folder / name).read_bytes() for name in names} == before
