"""Columns as codes say the same as cells one by one, whatever their numbers look like."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphanon.io import ReadOptions, read
from graphanon.io.coded import coded_columns, distinct, positions
from graphanon.progress import hearing, listening

ODD = ["7", "007", "+7", "-7", "-0", "0", "00", "0x1F", "0XFF", "1_000", "9223372036854775807", "-9223372036854775808",
       "9223372036854775808", "1e3", "1.0", "٣", " 7", "NA", "null", "a"]


def cells(column):
    return [None if cell is None or cell != cell else cell for cell in list(column)]  # noqa: PLR0124  NaN


@given(st.lists(st.tuples(st.sampled_from(ODD), st.sampled_from(ODD), st.sampled_from([*ODD, ""])), min_size=1, max_size=12))
def test_every_cell_stays_as_it_is_written(rows):
    body = "".join(",".join(row) + "\n" for row in rows).encode()
    columns = coded_columns(body, ",", 3, 1 << 16, [""])
    assert [cells(column) for column in columns] == [[cell or None for cell in column] for column in zip(*rows, strict=True)]


@given(st.lists(st.tuples(st.integers(-(10**18), 10**18), st.integers(0, 99)), min_size=1, max_size=40), st.booleans())
def test_plain_numbers_become_codes_that_spell_them(rows, named):
    lines = [("from", "to")] * named + [(str(a), str(b)) for a, b in rows]
    body = "".join(",".join(line) + "\n" for line in lines).encode()
    columns = coded_columns(body, ",", 2, 1 << 16, [""])
    assert all(isinstance(column, pd.Categorical) for column in columns)
    assert [list(column) for column in columns] == [list(column) for column in zip(*lines, strict=True)]


@pytest.mark.parametrize("odd", ["0x1F", "007", "+7", "-0", "99999999999999999999", "7 "])
def test_one_cell_that_is_no_plain_number_keeps_its_spelling_among_many(tmp_path, odd):
    file = tmp_path / "ties.csv"
    file.write_text("source,target\n" + "1,2\n" * 50 + f"{odd},3\n" + "4,5\n" * 50)
    source = read(None, file)
    assert list(source.ties.frame["source"]) == ["1"] * 50 + [odd] + ["4"] * 50


def test_a_word_for_missing_is_missing_among_numbers(tmp_path):
    file = tmp_path / "ties.csv"
    file.write_text("source,target\n1,2\n99,3\n4,5\n")
    frame = read(None, file, options=ReadOptions(na_values=("99",))).ties.frame
    assert frame["source"].tolist() == ["1", None, "4"]


@given(st.lists(st.one_of(st.none(), st.sampled_from("abcd")), max_size=20))
def test_lookups_agree_on_codes_and_on_objects(values):
    plain = pd.Series(values, dtype=object)
    index = pd.Index(["c", "a"], dtype=object)
    expected = [["c", "a"].index(value) if value in ("c", "a") else -1 for value in values]
    for column in (plain, plain.astype("category")):
        assert positions(column, index).tolist() == expected
        assert distinct(column).tolist() == list(dict.fromkeys(value for value in values if value is not None))


def test_a_large_file_is_announced_before_it_is_read_and_noted(tmp_path, monkeypatch):
    monkeypatch.setattr("graphanon.io.sizes.LARGE", 1000)
    file = tmp_path / "ties.csv"
    file.write_text("source,target\n" + "".join(f"{a},{a + 1}\n" for a in range(500)))
    heard, steps = [], []
    with hearing(heard.append), listening(lambda stage, done, total: steps.append((stage, done, total))):
        source = read(None, file)
    assert len(heard) == 1
    assert "reading takes about" in heard[0]
    assert source.report.notes[0] == heard[0]
    assert ("read", file.stat().st_size, file.stat().st_size) in steps


def test_a_file_too_large_for_the_machine_is_a_warning(tmp_path, monkeypatch):
    monkeypatch.setattr("graphanon.io.sizes.LARGE", 10)
    monkeypatch.setattr("graphanon.io.sizes._free", lambda: 1000)
    file = tmp_path / "ties.csv"
    file.write_text("source,target\na,b\nb,c\n")
    assert "0 MB are free" in read(None, file).report.warnings[0]


def test_the_matrix_of_ties_is_symmetric_whatever_the_numbers():
    from graphanon.graph import symmetric_ties

    rng = np.random.default_rng(3)
    source, target = rng.integers(0, 50, 4000), rng.integers(0, 50, 4000)
    dense = np.zeros((50, 50), dtype=np.int64)
    dense[source, target] = dense[target, source] = 1
    np.fill_diagonal(dense, 0)
    ties = symmetric_ties(50, source, target)
    assert (ties.toarray() == dense).all()
    assert ties.dtype == np.int64
