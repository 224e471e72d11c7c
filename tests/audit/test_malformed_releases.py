"""Whatever is done to the files of a release, the audit answers with findings and never falls over."""

import json
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from releases import grouping, sum_again, town, written

from graphanon.audit import Finding, audit_release, audit_truth
from graphanon.errors import InputProblem


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    return {
        "graph": written(tmp_path_factory.mktemp("graph") / "out", grouping(town())),
        "table": written(tmp_path_factory.mktemp("table") / "out", grouping(town(has_ties=False))),
    }


def audited(case, folder):
    findings = audit_release(folder) + audit_truth(folder, key_path=case.key, **case.originals)
    assert all(isinstance(finding, Finding) and json.dumps(finding.as_json()) for finding in findings)
    return [finding for finding in findings if not finding.holds]


FILES = ["supernodes.csv", "superedges.csv", "sensitive.csv", "records.csv", "codebook.csv", "release.json",
         "README.txt", "SHA256SUMS", "supernodes.graphml", "hierarchies/job.csv"]
CONTENTS = {
    "nothing": b"", "a line end": b"\n", "NULs": b"\0\0\0\n", "bytes": b"\xff\xfe\x00\xd8", "a quote": b'"\n',
    "an open quote": b'a,b\n"c', "an empty object": b"{}\n", "a list": b"[]\n", "null": b"null\n",
    "a deep list": b"[" * 100_000, "a huge number": b'{"kind": "table", "people": 1e999}',
    "a long cell": b"a," + b"x" * 200_000 + b"\n", "many digits": b'{"people": ' + b"9" * 5000 + b"}",
    "an entity": b'<!DOCTYPE a [<!ENTITY a "b">]><a>&a;</a>', "half a tag": b"<graphml", "comma": b",\n,\n",
    "another kind": b'{"kind": "centres"}', "kind of another type": b'{"kind": ["table"]}',
}


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("kind", ["graph", "table"])
def test_a_file_of_anything_is_a_finding(tmp_path, cases, kind, content):
    for number, file in enumerate(FILES):
        if not (cases[kind].folder / file).exists():
            continue
        folder = tmp_path / str(number)
        shutil.copytree(cases[kind].folder, folder)
        (folder / file).write_bytes(CONTENTS[content])
        if file != "SHA256SUMS":
            sum_again(folder)
        found = audited(cases[kind], folder)
        assert found, file
        assert not any("cannot be audited" in finding.detail for finding in found), [str(f) for f in found]


@pytest.mark.parametrize("kind", ["graph", "table"])
def test_a_value_of_any_type_in_the_statement_is_a_finding_or_of_no_matter(tmp_path, cases, kind):
    path = tmp_path / "release" / "release.json"
    shutil.copytree(cases[kind].folder, path.parent)
    told = json.loads(path.read_text(encoding="utf-8"))
    for place in _places(told):
        for value in (None, True, -1, 1.5, "x", [], {}, [1], {"x": 1}, 10**400):
            changed = json.loads(json.dumps(told))
            inner = changed
            for key in place[:-1]:
                inner = inner[key]
            if inner[place[-1]] == value:
                continue
            inner[place[-1]] = value
            text = json.dumps(changed, indent=2, ensure_ascii=False)
            path.write_text(text + "\n", encoding="utf-8")
            findings = audit_release(path.parent)
            broken = [finding for finding in findings if not finding.holds and finding.promise != "checksums"]
            assert broken or _bound(place), (place, value)
            assert not any("cannot be audited" in finding.detail for finding in broken), [str(f) for f in broken]


def _bound(place):
    """Return whether any value may stand here: steps and ranges only have to fit, bounds only to
    hold, a method only to be a word."""
    return place[0] in ("promises", "method") or place[-1] in ("steps", "grid", "range") or isinstance(place[-1], int)


def _places(told, place=()):
    items = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, value in items:
        yield (*place, key)
        yield from _places(value, (*place, key))


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
          deadline=None)
@given(data=st.data())
def test_bytes_changed_anywhere_never_make_the_audit_fall_over(tmp_path_factory, cases, data):
    case = cases[data.draw(st.sampled_from(["graph", "table"]))]
    folder = tmp_path_factory.mktemp("bytes") / "release"
    shutil.copytree(case.folder, folder)
    file = data.draw(st.sampled_from([file for file in FILES if (folder / file).exists()]))
    content = bytearray((folder / file).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, max(len(content) - 1, 0)))
        piece = data.draw(st.binary(max_size=3) | st.sampled_from([b",", b'"', b"\n", b"1", b"*", b"S1", b"\xc3\xa9"]))
        content[place : place + data.draw(st.integers(0, 3))] = piece
    changed = bytes(content) != (folder / file).read_bytes()
    (folder / file).write_bytes(bytes(content))
    assert ("checksums" in {f.promise for f in audited(case, folder)}) >= (changed and file != "SHA256SUMS")
    sum_again(folder)
    found = audited(case, folder)
    assert not any("cannot be" in finding.detail and "Error" in finding.detail for finding in found), found


def test_a_finding_says_file_and_line(tmp_path, cases):
    folder = tmp_path / "release"
    shutil.copytree(cases["graph"].folder, folder)
    lines = (folder / "supernodes.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    lines[4] = lines[4].replace("\n", ",more\n")
    (folder / "supernodes.csv").write_text("".join(lines), encoding="utf-8")
    sum_again(folder)
    places = {(finding.file, finding.line) for finding in audit_release(folder) if not finding.holds}
    assert ("supernodes.csv", 5) in places


def test_a_folder_or_a_key_that_is_not_there_is_wrong_use(tmp_path, cases):
    with pytest.raises(InputProblem, match="no such folder"):
        audit_release(tmp_path / "nowhere")
    with pytest.raises(InputProblem, match="key"):
        audit_truth(cases["graph"].folder, key_path=tmp_path / "nowhere.csv", **cases["graph"].originals)


def test_the_audit_reads_the_schema_file_on_its_own(tmp_path, cases):
    case = cases["graph"]
    (tmp_path / "job.csv").write_text(
        "baker;crafts;*\nsmith;crafts;*\nnurse;care;*\nteacher;care;*\n", encoding="utf-8")
    (tmp_path / "schema.toml").write_text("""
        [people]
        missing = "value"
        [columns]
        age = { role = "quasi", range = [18, 90], steps = [5, 10] }
        job = { role = "quasi", hierarchy = "job.csv" }
        rank = { role = "quasi", order = ["low", "mid", "high"] }
        town = { role = "quasi" }
        illness = { role = "sensitive", alpha = { hiv = 0.9 }, l = 2, t = 0.9 }
        city = { role = "open" }
    """, encoding="utf-8")
    given_ = {key: case.originals[key] for key in ("people", "ids", "ties")}
    findings = audit_truth(case.folder, key_path=case.key, schema_path=tmp_path / "schema.toml", **given_)
    assert [str(finding) for finding in findings if not finding.holds] == []
    (tmp_path / "job.csv").write_text("baker;crafts;*\nsmith;crafts;*\n", encoding="utf-8")
    findings = audit_truth(case.folder, key_path=case.key, schema_path=tmp_path / "schema.toml", **given_)
    assert {finding.promise for finding in findings if not finding.holds} == {"leaks", "truth.schema"}
    (tmp_path / "schema.toml").write_text("[columns", encoding="utf-8")
    with pytest.raises(InputProblem, match="not a schema"):
        audit_truth(case.folder, key_path=case.key, schema_path=tmp_path / "schema.toml", **given_)
