"""Tables of text: every cell as written, every doubt told with its line."""

import io

import pytest

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read


@pytest.fixture
def written(tmp_path):
    def write(content, name="people.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def people(path, **options):
    return read(path, options=ReadOptions(**options))


def cells(source, column):
    return source.people.frame[column].tolist()


def problems(path, **options):
    with pytest.raises(InputProblem) as caught:
        people(path, **options)
    return caught.value.problems


def test_cells_stay_as_they_are_written(written):
    source = people(written("id,zip,height,diag\n007,02116,1.50,NA\n07,2116,1e3,None\n7, 2,,null\n"))
    assert cells(source, "id") == ["007", "07", "7"]
    assert cells(source, "zip") == ["02116", "2116", " 2"]
    assert cells(source, "height") == ["1.50", "1e3", None]
    assert cells(source, "diag") == ["NA", "None", "null"]
    assert source.people.lines.tolist() == [2, 3, 4]
    assert source.id == "id"


def test_long_ids_beside_an_empty_cell_keep_every_digit(written):
    source = people(written("user_id,age\n1294030472427835393,31\n1294030472427835394,\n"))
    assert cells(source, "user_id") == ["1294030472427835393", "1294030472427835394"]
    assert cells(source, "age") == ["31", None]


def test_further_words_for_missing_are_asked_for(written):
    path = written("id,diag\na,NA\nb,?\nc,flu\n")
    assert cells(people(path, na_values=("NA", "?")), "diag") == [None, None, "flu"]


@pytest.mark.parametrize(("sign", "name"), [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar")])
def test_the_delimiter_is_found_and_told(written, sign, name):
    source = people(written(f"id{sign}age\na{sign}31\nb{sign}33\n"))
    assert list(source.people.frame.columns) == ["id", "age"]
    assert any(f"{name}-separated (guessed)" in note for note in source.report.notes)


def test_a_decimal_comma_does_not_hide_the_semicolon(written):
    source = people(written("id;height\na;1,5\nb;1,7\n"))
    assert cells(source, "height") == ["1,5", "1,7"]


def test_a_delimiter_that_is_asked_for_is_used(written):
    source = people(written("id:age\na:31\n"), delimiter=":")
    assert cells(source, "age") == ["31"]
    assert not any("guessed" in note for note in source.report.notes)


def test_a_delimiter_of_two_characters_is_refused(written):
    assert problems(written("id::age\na::1\n"), delimiter="::")[0].fix == "--delimiter"


def test_a_blank_after_every_delimiter_belongs_to_it(written):
    source = people(written("id, job\na, State-gov\nb, Private\n"))
    assert cells(source, "job") == ["State-gov", "Private"]


def test_blanks_at_the_rim_of_cells_are_kept_and_told(written):
    source = people(written("id,job\na ,nurse\nb,clerk\n"))
    assert cells(source, "id") == ["a ", "b"]
    assert any("begin or end with a blank" in warning for warning in source.report.warnings)


@pytest.mark.parametrize(
    ("mark", "encoding"), [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_a_byte_order_mark_is_believed(written, mark, encoding):
    source = people(written(mark + "id,town\na,Zürich\n".encode(encoding)))
    assert list(source.people.frame.columns) == ["id", "town"]
    assert cells(source, "town") == ["Zürich"]
    assert any("byte order mark" in note for note in source.report.notes)


def test_utf16_without_a_mark_is_found(written):
    assert cells(people(written("id,town\na,Bern\n".encode("utf-16-le"))), "town") == ["Bern"]


def test_western_letters_outside_utf8_are_guessed_with_a_warning(written):
    source = people(written("id,town\na,Genève\nb,Zürich\n".encode("cp1252")))
    assert cells(source, "town") == ["Genève", "Zürich"]
    assert any("Windows-1252" in warning and "--encoding" in warning for warning in source.report.warnings)


@pytest.mark.parametrize("junk", [b"\xff", b"\xa3\xf3d\xbc", b"caf\xc3\xa9 caf\xe9", b"\xcf\xf0\xe8\xe2\xe5\xf2"])
def test_bytes_that_may_be_anything_are_refused_with_their_line(written, junk):
    found = problems(written(b"id,town\na,Bern\nb," + junk + b"\n"))
    assert [problem.line for problem in found] == [3]
    assert "--encoding" in found[0].fix


def test_an_encoding_that_is_asked_for_is_used(written):
    source = people(written("id,town\na,Łódź\n".encode("iso-8859-2")), encoding="iso-8859-2")
    assert cells(source, "town") == ["Łódź"]


def test_an_encoding_that_does_not_exist_is_refused(written):
    assert "no encoding 'utf-nine'" in problems(written("id\na\n"), encoding="utf-nine")[0].what


def test_a_byte_outside_the_encoding_asked_for_is_told_with_its_line(written):
    assert problems(written(b"id\na\n\xe9\n"), encoding="ascii")[0].line == 3


def test_zero_bytes_are_refused_with_their_lines(written):
    found = problems(written(b"id,age\na,3\x001\nb,33\nc,\x00\n"))
    assert [problem.line for problem in found] == [2, 4]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"  \n"])
def test_an_empty_file_is_refused(written, content):
    assert "empty" in problems(written(content))[0].what


def test_all_ragged_lines_are_told_at_once(written):
    found = problems(written("id,age\na,31\nb\nc,33,x\nd,4\n"))
    assert [(problem.line, problem.what) for problem in found] == [(3, "has 1 cells"), (4, "has 3 cells")]


def test_ragged_lines_are_counted_by_file_lines_where_cells_span_lines(written):
    found = problems(written('id,note\na,"two\nlines"\nb\n'))
    assert [problem.line for problem in found] == [4]


def test_a_long_listing_is_cut_with_the_number_of_the_rest(written):
    found = problems(written("id,age\n" + "a,1\n" * 40 + "a\n" * 30))
    assert len(found) == 21
    assert "10 more" in found[-1].what


def test_a_first_line_of_another_width_is_told_once(written):
    found = problems(written("id,age\n1,a,31\n2,b,33\n3,c,35\n"))
    assert len(found) == 1
    assert found[0].line == 1


def test_quoted_cells_hold_delimiters_quotes_and_lines(written):
    source = people(written('id,note\na,"x, y"\nb,"say ""hi"""\nc,"two\nlines"\nd,plain\n'))
    assert cells(source, "note") == ["x, y", 'say "hi"', "two\nlines", "plain"]
    assert source.people.lines.tolist() == [2, 3, 4, 6]


def test_a_quotation_mark_that_is_never_closed_is_told_where_it_opens(written):
    found = problems(written('id,note\na,"x\nb,y\nc,z\n'))
    assert found[0].line == 2
    assert "quotation mark" in found[0].what


def test_a_quotation_mark_inside_a_cell_is_a_character(written):
    assert cells(people(written('id,pipe\na,5" wide\nb,none\n')), "pipe") == ['5" wide', "none"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_one(written, end):
    source = people(written(f"id,age{end}a,31{end}b,33"))
    assert cells(source, "age") == ["31", "33"]


def test_other_separators_of_unicode_stay_inside_the_cell(written):
    assert cells(people(written("id,note\na,x\u2028y\x85z\x0cw\n")), "note") == ["x\u2028y\x85z\x0cw"]


def test_comments_and_blank_lines_are_passed_over_and_counted(written):
    source = people(written("# made by hand\nid,age\n\na,31\n% done\nb,33\n\n"))
    assert cells(source, "id") == ["a", "b"]
    assert source.people.lines.tolist() == [4, 6]
    assert source.report.counts["comment_lines"] == 2
    assert source.report.counts["blank_lines"] == 2
    assert source.report.counts["lines_read"] == 7


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_comment_that_may_be_a_person_is_asked_about(written, quote):
    path = written(f"id,job\na,{quote}nurse{quote}\n#b,clerk\n")
    found = problems(path)
    assert found[0].line == 3
    assert "--comment none" in found[0].fix
    assert cells(people(path, comment="none"), "id") == ["a", "#b"]


def test_a_file_of_comments_alone_is_refused(written):
    assert "comment" in problems(written("# a, b, c\n# d\n"))[0].what


def test_a_person_without_a_value_in_a_single_column_is_not_lost(written):
    assert cells(people(written("age\n31\n\n33\n\n")), "age") == ["31", None, "33"]


def test_column_names_that_come_again_are_told_with_their_lines(written):
    found = problems(written("id,age\na,31\nid,age\nb,33\n"))
    assert [(problem.line, problem.what) for problem in found] == [(3, "repeats the column names")]


def test_two_columns_of_one_name_are_refused(written):
    assert problems(written("id,age,age\na,1,2\n"))[0].column == "age"


def test_a_first_line_that_is_a_person_is_not_eaten(written):
    path = written("39,Private\n50,Private\n38,State-gov\n39,State-gov\n")
    assert problems(path)[0].line == 1
    assert cells(people(path, header=False), "column_1") == ["39", "50", "38", "39"]
    assert list(people(path, header=True).people.frame.columns) == ["39", "Private"]


def test_a_column_without_a_name_gets_a_number_and_a_warning(written):
    source = people(written(",id,age\n0,a,31\n1,b,33\n"))
    assert list(source.people.frame.columns) == ["column_1", "id", "age"]
    assert any("has no name" in warning for warning in source.report.warnings)


def test_a_number_for_a_name_never_meets_another_column(written):
    source = people(written(",column_1\na,b\nc,d\n"))
    assert [cells(source, name) for name in ("column_1_", "column_1")] == [["a", "c"], ["b", "d"]]


def test_a_delimiter_at_the_end_of_every_line_makes_no_column(written):
    source = people(written("id,age,\na,31,\nb,33,\n"))
    assert list(source.people.frame.columns) == ["id", "age"]


@pytest.mark.parametrize("quoted", [False, True])
def test_both_ways_of_splitting_agree(written, quoted):
    mark = '"' if quoted else ""
    rows = "\n".join(f"{mark}{i}{mark},{'' if i % 3 else i}, x{i % 2}" for i in range(300))
    source = people(written(f"# c\nid,a,b\n{rows}\n"))
    assert cells(source, "id") == [str(i) for i in range(300)]
    assert cells(source, "a") == [None if i % 3 else str(i) for i in range(300)]
    assert source.people.lines.tolist() == list(range(3, 303))


def test_a_very_long_cell_is_read(written):
    long = "x" * 300_000
    assert cells(people(written(f"id,note\na,{long}\nb,y\n")), "note") == [long, "y"]
    assert cells(people(written(f'id,note\na,"{long}"\nb,y\n')), "note") == [long, "y"]


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"id,age\na,31\n")))
    source = read("-")
    assert cells(source, "age") == ["31"]
    assert source.people.file == "standard input"
