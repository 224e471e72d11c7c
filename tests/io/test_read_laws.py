"""Laws of reading: what a writer wrote comes back cell by cell, and any bytes are read or refused."""

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read

CELL = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\x00", exclude_categories=["Cs"]), min_size=0, max_size=6)
NAMES = ["id", "first job", "x"]
QUIET = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def content(rows, delimiter):
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([NAMES, *rows])
    return text.getvalue().encode()


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@QUIET
@given(rows=st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=6), delimiter=st.sampled_from(",;\t|"))
def test_what_a_writer_wrote_comes_back(folder, rows, delimiter):
    path = folder / "people.csv"
    path.write_bytes(content(rows, delimiter))
    options = ReadOptions(delimiter=delimiter, comment="none", header=True, encoding="utf-8")
    if any(row == NAMES for row in rows):
        with pytest.raises(InputProblem, match="repeats the column names"):
            read(path, options=options)
        return
    frame = read(path, options=options).people.frame
    assert frame.to_numpy().tolist() == [[cell or None for cell in row] for row in rows]


def problems_of(people, ties):
    try:
        read(people, ties)
    except InputProblem as error:
        return error.problems
    return ()


JUNK = st.one_of(
    st.binary(max_size=60),
    st.text(st.sampled_from('ab1,;\t "#\n\r|<>&é'), max_size=60).map(str.encode),
    st.text(st.sampled_from('<graphml><node id="a"/></edge key data!DOCTYPE[]'), max_size=80).map(
        lambda text: b"<graphml>" + text.encode()),
)


@QUIET
@given(junk=JUNK, head=st.sampled_from([b"", b"PAR1", b"PK\x03\x04", b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\x00", b"\xff\xfe"]))
def test_any_bytes_are_read_or_refused(folder, junk, head):
    path = folder / "something"
    path.write_bytes(head + junk)
    for places in ((path, None), (None, path)):
        found = problems_of(*places)
        assert all(problem.what for problem in found)
