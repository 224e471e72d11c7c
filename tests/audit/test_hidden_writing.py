"""What reads back alike but is written otherwise has room for a message, so the audit refuses it.

Each kind of writing is tried wherever it can stand. Checksums are made anew after each change.
"""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from releases import edit_json, grouping, put_rows, rows, sum_again, town, written
from toy import graph_of

from graphanon.audit import audit_release, audit_truth
from graphanon.domain import Range
from graphanon.grouping import Grouping, Partition, hull

ID = "user-0037"
TABLES = ["supernodes.csv", "superedges.csv", "sensitive.csv", "records.csv", "codebook.csv", "hierarchies/job.csv"]


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    kinds = {
        "graph": town(), "weighted": town(weight="sum"), "directed": town(directed=True), "table": town(has_ties=False),
    }
    return {
        kind: written(tmp_path_factory.mktemp(kind) / "out", grouping(graph), method="pas-caa",
                      tie_confidence=1 if graph.has_ties else None)
        for kind, graph in kinds.items()
    }


def refused(case, place: Path, file: str, change):
    """Return the broken promises of the release with that file's text changed."""
    folder = place / "release"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(case.folder, folder)
    text = (folder / file).read_bytes().decode("utf-8")
    changed = change(text)
    assert changed != text
    (folder / file).write_bytes(changed.encode("utf-8", "surrogatepass"))
    sum_again(folder)
    return {finding.promise for finding in audit_release(folder) if not finding.holds}


def swap(old, new, count=1):
    return lambda text: text.replace(old, new, count)


def sub(pattern, new):
    return lambda text: re.sub(pattern, new, text, count=1, flags=re.MULTILINE)


GRAPHML = {
    "a prefix": swap("<graphml ", f'<graphml xmlns:p="urn:{ID}" '),
    "a prefix of a node": swap("<node ", f'<node xmlns:p="urn:{ID}" '),
    "a prefix of data": swap("<data ", f'<data xmlns:{ID}="urn:x" '),
    "a name with its prefix": lambda text: text.replace('xmlns="http', 'xmlns:g="http').replace("</", "</g:").replace(
        "<g", "<g:g").replace("<key", "<g:key").replace("<node", "<g:node").replace("<edge", "<g:edge").replace(
        "<data", "<g:data"),
    "a language": swap("<graph ", '<graph xml:lang="sv" '),
    "an attribute": swap("<graph ", f'<graph label="{ID}" '),
    "attributes in another order": sub(r'<edge (source="\w+") (target="\w+")>', r"<edge \2 \1>"),
    "a comment": swap("<graph ", f"<!--{ID}--><graph "),
    "a comment in front": swap("<graphml", f"<!--{ID}-->\n<graphml"),
    "a comment behind": lambda text: text + f"<!--{ID}-->\n",
    "a comment inside a value": sub(r">([0-9])</data>", rf"><!--{ID}-->\1</data>"),
    "an instruction": swap("<graph ", f"<?{ID}?><graph "),
    "an instruction behind": lambda text: text + f"<?a {ID}?>\n",
    "a document type": swap("<graphml", f"<!DOCTYPE graphml SYSTEM '{ID}'>\n<graphml"),
    "an entity": lambda text: text.replace("<graphml", '<!DOCTYPE graphml [<!ENTITY a "6">]>\n<graphml').replace(
        ">6</data>", ">&a;</data>"),
    "a character by its number": sub(r">([0-9])</data>", r">&#5\1;</data>"),
    "a letter by its number": swap(">low<", ">&#108;ow<"),
    "a letter by its hexadecimal number": swap(">low<", ">&#x6C;ow<"),
    "a letter of an attribute by its number": swap('attr.name="job"', 'attr.name="&#106;ob"'),
    "CDATA": sub(r">([0-9])</data>", r"><![CDATA[\1]]></data>"),
    "single quotes": sub(r'<node id="(\w+)"', r"<node id='\1'"),
    "blanks inside a tag": swap("<node id", "<node  id"),
    "a blank before the end of a tag": sub(r"<edge ([^>]*)>", r"<edge \1 >"),
    "a blank in an end tag": swap("</node>", "</node >"),
    "a blank around a sign": swap("id=", "id = "),
    "an empty element in one tag": swap("</graph>", "</graph\n>"),
    "a blank in front of a number": sub(r">([0-9]+)</data>", r"> \1</data>"),
    "a zero in front of a number": sub(r">([0-9]+)</data>", r">0\1</data>"),
    "a blank at the end of a line": swap(">\n", "> \n"),
    "a tab at the start of a line": swap("    <node", "\t<node"),
    "an empty line": swap("\n", "\n\n"),
    "an empty line at the end": lambda text: text + "\n",
    "no line end at the end": lambda text: text[:-1],
    "line ends of another system": lambda text: text.replace("\n", "\r\n"),
    "another declaration": swap("?>", ' standalone="yes"?>'),
    "an encoding in small letters": swap("UTF-8", "utf-8"),
    "no declaration": lambda text: text.split("\n", 1)[1],
    "two lines as one": swap("</node>\n", "</node>"),
    "lines in another order": sub(r"(\s*<edge .*\n)(\s*<edge .*\n)", r"\2\1"),
    "data in another order": sub(r'(<data key="d0">\d+</data>)(<data key="d1">\d+</data>)', r"\2\1"),
}


@pytest.mark.parametrize("writing", GRAPHML)
@pytest.mark.parametrize("kind", ["graph", "weighted", "directed"])
def test_graphml_has_one_way_to_be_written(tmp_path, cases, writing, kind):
    assert "graphml" in refused(cases[kind], tmp_path, "supernodes.graphml", GRAPHML[writing])


def quoted(line_number, cell):
    def change(text):
        lines = text.split("\n")
        separator = ";" if ";" in lines[0] else ","
        cells = lines[line_number].split(separator)
        cells[cell] = f'"{cells[cell]}"'
        lines[line_number] = separator.join(cells)
        return "\n".join(lines)

    return change


CSV = {
    "a quoted first cell": quoted(1, 0),
    "a quoted last cell": quoted(0, -1),
    "quotes at both ends": lambda text: quoted(0, 0)(quoted(2, -1)(text)),
    "everything quoted": lambda text: "\n".join(
        ('"' + re.sub(r"[,;]", r'"\g<0>"', line) + '"') if '"' not in line and line else line for line in text.split("\n")),
    "an empty line": lambda text: text + "\n",
    "an empty line between": swap("\n", "\n\n"),
    "no line end": lambda text: text[:-1],
    "line ends of another system": lambda text: text.replace("\n", "\r\n"),
    "one line end of another system": swap("\n", "\r\n"),
    "a line end of an old system": swap("\n", "\r"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "a blank at the end of the header": swap("\n", " \n"),
    "a tab at the start": lambda text: "\t" + text,
}


@pytest.mark.parametrize("writing", CSV)
@pytest.mark.parametrize("file", TABLES)
def test_csv_has_one_way_to_be_written(tmp_path, cases, writing, file):
    for case in cases.values():
        if (case.folder / file).exists():
            # the labels at the top of a hierarchy are nobody's but the schema's
            found = refused(case, tmp_path, file, CSV[writing])
            assert found & {"format", "hierarchies", "codebook", "order"}, (file, found)


def every_object(told, place=()):
    if isinstance(told, dict):
        yield place
        for key, value in told.items():
            yield from every_object(value, (*place, key))


def at(told, place):
    for key in place:
        told = told[key]
    return told


def test_keys_of_the_statement_have_one_order_at_every_level(tmp_path, cases):
    for case in cases.values():
        told = json.loads((case.folder / "release.json").read_text(encoding="utf-8"))
        for place in every_object(told):
            if len(at(told, place)) < 2:
                continue

            def reverse(text, place=place):
                changed = json.loads(text)
                one = at(changed, place)
                first = next(iter(one))
                one[first] = one.pop(first)
                return json.dumps(changed, indent=2, ensure_ascii=False) + "\n"

            assert refused(case, tmp_path, "release.json", reverse) & {"format", "codebook"}, place


def test_no_key_of_the_statement_stands_twice_at_any_level(tmp_path, cases):
    for case in (cases["graph"], cases["table"]):
        text = (case.folder / "release.json").read_text(encoding="utf-8")
        for match in re.finditer(r'^ *("[^"]+"): .*$', text, re.MULTILINE):
            twice = text[: match.start()] + f'{match[1]}: "{ID}",\n' + text[match.start() :]
            assert "format" in refused(case, tmp_path, "release.json", lambda _, twice=twice: twice), match[1]


JSON = {
    "a blank at the end": lambda text: text + " ",
    "a tab at the end": lambda text: text + "\t",
    "a line end at the end": lambda text: text + "\n",
    "many blanks at the end": lambda text: text + " \t\n" * 40,
    "a line end at the start": lambda text: "\n" + text,
    "no line end": lambda text: text[:-1],
    "a blank at the end of a line": swap(",\n", ", \n"),
    "a blank before a colon": swap('":', '" :'),
    "no blank after a colon": swap('": ', '":'),
    "another indent": lambda text: json.dumps(json.loads(text), indent=4, ensure_ascii=False) + "\n",
    "no indent": lambda text: json.dumps(json.loads(text), ensure_ascii=False) + "\n",
    "tabs as indent": lambda text: json.dumps(json.loads(text), indent="\t", ensure_ascii=False) + "\n",
    "line ends of another system": lambda text: text.replace("\n", "\r\n"),
    "an escape in a key": swap('"people"', '"p\\u0065ople"'),
    "an escape in a value": swap('"pas-caa"', '"pas\\u002dcaa"'),
    "an escaped slash": swap('"pas-caa"', '"pas-c\\u0061a"'),
    "a count with decimals": swap('"people": 60', '"people": 60.0'),
    "a count with an exponent": swap('"people": 60', '"people": 6e1'),
    "a whole end of a range with decimals": sub(r"^ +18,", "        18.0,"),
    "a whole grid with decimals": swap('"grid": 1', '"grid": 1.0'),
    "a whole step with decimals": sub(r"^ +10$", "        10.0"),
    "a share with a zero": swap('"hiv": 0.9', '"hiv": 0.90'),
    "a share with an exponent": swap('"hiv": 0.9', '"hiv": 9e-1'),
    "a share with more digits": swap('"hiv": 0.9', '"hiv": 0.90000000000000001'),
    "a whole loss without decimals": sub(r'"discernibility": (\d+)\.0', r'"discernibility": \1'),
    "a whole l with decimals": swap('"illness": 2', '"illness": 2.0'),
}


@pytest.mark.parametrize("writing", JSON)
def test_the_statement_has_one_way_to_be_written(tmp_path, cases, writing):
    for case in cases.values():
        assert refused(case, tmp_path, "release.json", JSON[writing]) & {"format", "statement"}


def test_a_whole_share_is_written_with_decimals(tmp_path, cases):
    case = cases["graph"]
    assert '"tie_confidence": 1.0' in (case.folder / "release.json").read_text(encoding="utf-8")
    assert "format" in refused(case, tmp_path, "release.json", swap('"tie_confidence": 1.0', '"tie_confidence": 1'))


@pytest.mark.parametrize("weight", ["{}0", "+{}", "0{}", " {}", "{}e0", "{}0000000000001", "1_0", "\u0665"])
def test_a_weight_has_one_way_to_be_written(tmp_path, cases, weight):
    for file in ("supernodes.csv", "superedges.csv"):
        def change(text):
            head, line, rest = text.split("\n", 2)
            cells = line.split(",")
            assert float(cells[3]) % 1
            cells[3] = weight.format(cells[3])
            return "\n".join([head, ",".join(cells), rest])

        assert "format" in refused(cases["weighted"], tmp_path, file, change)


def test_zero_has_no_sign(tmp_path):
    for grid, zero in ((1.0, "0"), (0.1, "0.0")):
        graph = graph_of([(0, 1)], 2, lines=(Range(0, 9, grid=grid),), values=[[0.0, 0.0]])
        partition = Partition(np.array([0, 0]))
        case = written(tmp_path / f"out{grid}", Grouping(graph, partition, hull(graph, partition)))
        assert rows(case.folder / "supernodes.csv")[1][3] == zero
        assert "cells" in refused(case, tmp_path, "supernodes.csv", swap(f",{zero},", f",-{zero},"))


@pytest.mark.parametrize("change", [
    swap("60 people", "060 people"), swap("60 people", "60  people"), lambda text: text + "\n", lambda text: text[:-1],
    swap("FILES", "FILES "), swap("\n", "\r\n"),
])
def test_the_letter_has_one_way_to_be_written(tmp_path, cases, change):
    for case in cases.values():
        assert refused(case, tmp_path, "README.txt", change) & {"readme", "format"}


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
          deadline=None)
@given(data=st.data())
def test_nothing_can_be_put_in_anywhere(tmp_path_factory, cases, data):
    case = cases[data.draw(st.sampled_from(sorted(cases)))]
    folder = tmp_path_factory.mktemp("any") / "release"
    shutil.copytree(case.folder, folder)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    file = data.draw(st.sampled_from(files))
    content = (folder / file).read_bytes()
    place = data.draw(st.integers(0, len(content)))
    piece = data.draw(st.sampled_from([b" ", b"\t", b"\n", b"\r", b'"', b"'", b"0", b"\\", b"&#32;", b"\xc2\xa0", b"\0",
                                       b"\xe2\x80\x8b"]))
    (folder / file).write_bytes(content[:place] + piece + content[place:])
    if file != "SHA256SUMS":
        sum_again(folder)
    findings = audit_release(folder) + audit_truth(folder, key_path=case.key, **case.originals)
    assert {finding.promise for finding in findings if not finding.holds}
    assert not any("Error" in finding.detail for finding in findings)


METHODS = ["", "Pas-caa", "pas_caa", "pas-caa ", "pas--caa", "-pas", "pas-caa-", "k7", "caa\n", "\u0440as-caa", "pas caa",
           "p\u00e9s", "a" * 41, "pas-caa;beta", "../caa"]


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_made_of_the_letters_of_the_catalog(tmp_path, cases, method):
    folder = tmp_path / "release"
    shutil.copytree(cases["graph"].folder, folder)
    edit_json(folder, lambda told: told.update(method=method))
    sum_again(folder)
    assert "statement" in {finding.promise for finding in audit_release(folder) if not finding.holds}


@pytest.mark.parametrize(("method", "person"), [
    ("anna", "anna"), ("by-anna", "Anna"), ("anna-lena", "Anna Lena"), ("anna", "anna-17"), ("annalena", "anna.lena"),
])
def test_a_method_that_nobody_knows_and_that_is_called_like_a_person_is_a_leak(tmp_path, method, person):
    ids = [f"{i:03d}" for i in range(59)] + [person]
    case = written(tmp_path / "out", grouping(town()), ids=ids, method=method)
    found = audit_truth(case.folder, key_path=case.key, **case.originals)
    assert {finding.promise for finding in found if not finding.holds} == {"leaks"}
    other = written(tmp_path / "other", grouping(town()), ids=ids, method="nobody")
    assert all(finding.holds for finding in audit_truth(other.folder, key_path=other.key, **other.originals))


@pytest.mark.parametrize("slip", [1e-10, -1e-10, 1e-11])
def test_a_loss_is_the_one_that_the_files_give_to_its_last_digits(tmp_path, cases, slip):
    for kind, case in cases.items():
        losses = json.loads((case.folder / "release.json").read_text(encoding="utf-8"))["losses"]
        assert len(losses) == (4 if kind == "table" else 7)
        for name in losses:
            def change(text, name=name):
                told = json.loads(text)
                told["losses"][name] *= 1 + slip
                return json.dumps(told, indent=2, ensure_ascii=False) + "\n"

            assert refused(case, tmp_path, "release.json", change) == {"losses"}, name


def test_the_least_digit_of_what_was_counted_is_checked(tmp_path, cases):
    places = [("losses", "discernibility"), ("losses", "average_class_size"), ("losses", "total"),
              ("found", "tie_confidence"), ("found", "alpha", "illness", "hiv")]
    for place in places:
        def change(text, place=place):
            told = json.loads(text)
            at(told, place[:-1])[place[-1]] = float(np.nextafter(at(told, place), 0))
            return json.dumps(told, indent=2, ensure_ascii=False) + "\n"

        assert refused(cases["graph"], tmp_path, "release.json", change) == {place[0]}, place


def test_an_empty_label_of_a_hierarchy_is_refused(tmp_path, cases):
    folder = tmp_path / "release"
    shutil.copytree(cases["graph"].folder, folder)
    path = folder / "hierarchies" / "job.csv"
    put_rows(path, [[cell if cell != "crafts" else "" for cell in row] for row in rows(path, ";")], ";")
    sum_again(folder)
    assert "hierarchies" in {finding.promise for finding in audit_release(folder) if not finding.holds}
