"""What every page owes: it stands alone, can be read aloud, holds nobody's markup, and appears whole or not at all."""

import errno
import hashlib
import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import releases
from desk import Desk
from releases import edit_json, sum_again
from reported import EVIL, NAME, bare, explored, reported, unpacked
from toy_files import write_files

import graphanon
from graphanon.cli.signals import Ended
from graphanon.errors import BrokenPromise, InputProblem
from graphanon.report import explorer, write_reports
from graphanon.report.layout import communities, places
from graphanon.report.recorded import record
from graphanon.report.writing import write_together

PAGES = [(name, page) for name in ("town", "evil", "table", "directed", "many") for page in ("public", "internal")]
VOID = {"meta", "link", "br", "input", "img"}


class Tree(HTMLParser):
    """Every element with its attributes and the text inside, in order; unbalanced tags are kept apart."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.open, self.wrong = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", "inside": [e["tag"] for e in self.open], **dict(attrs)}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1]["tag"] != tag:
            self.wrong.append(tag)
            return
        self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def of(self, *tags):
        return [element for element in self.elements if element["tag"] in tags]


@pytest.fixture(params=PAGES, ids=" ".join)
def page(request):
    name, which = request.param
    return getattr(request.getfixturevalue(name), which)


def test_a_page_stands_alone_and_is_small(page):
    assert page.stat().st_size < 3_000_000
    tree = Tree(page.read_text(encoding="utf-8"))
    for element in tree.elements:
        for name in ("src", "href", "srcset", "action", "data", "poster"):
            assert re.match(r"(data:|#|$)", element.get(name) or ""), (element["tag"], name)
    style = tree.of("style")[0]["text"]
    assert "url(" not in style
    assert "@import" not in style


def test_only_the_pages_own_scripts_may_run(page):
    tree = Tree(page.read_text(encoding="utf-8"))
    policy = next(e["content"] for e in tree.of("meta") if e.get("http-equiv") == "Content-Security-Policy")
    scripts = [e["text"] for e in tree.of("script") if "type" not in e]
    digests = {f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts}
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert set(rules["script-src"].split()) == digests
    assert rules["img-src"] == "data:"
    assert not [name for e in tree.elements for name in e if name.startswith("on")]


def test_a_page_can_be_read_aloud(page):
    tree = Tree(page.read_text(encoding="utf-8"))
    assert not tree.wrong
    assert not tree.open
    assert tree.of("html")[0]["lang"] == "en"
    assert tree.of("title")[0]["text"].strip()
    levels = [int(e["tag"][1]) for e in tree.of("h1", "h2", "h3", "h4", "h5")]
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all((e.get("alt") or "").strip() for e in tree.of("img"))
    assert all(e.get("scope") in {"col", "row"} for e in tree.of("th"))
    assert all("label" in e["inside"] or e.get("aria-label") for e in tree.of("input", "select"))
    ids = [e["id"] for e in tree.elements if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {e["href"][1:] for e in tree.of("a")} <= set(ids)
    assert tree.of("a")[0]["class"] == "skip"
    assert all(e["aria-labelledby"] in ids for e in tree.of("section"))


def test_colours_of_text_stand_out_from_what_is_behind_them(town):
    style = Tree(town.public.read_text(encoding="utf-8")).of("style")[0]["text"]
    for block in re.findall(r":root \{([^}]*)\}", style)[:2]:
        colour = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", block))
        for ink in ("ink", "soft", "accent", "good", "warn"):
            for ground in ("paper", "card"):
                assert contrast(colour[ink], colour[ground]) >= 4.5, (ink, ground)


def contrast(one, other):
    """Return the contrast of two colours as the Web Content Accessibility Guidelines 2 define it."""
    high, low = sorted(map(luminance, (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_markup_in_cells_and_names_stays_text(evil):
    for page in (evil.public, evil.internal):
        tree = Tree(page.read_text(encoding="utf-8"))
        assert not [e for e in tree.elements if e.get("id") == "evil" or e.get("src") == "x"]
        assert len(tree.of("script")) == 4
        text = tree.of("main")[0]["text"]
        assert NAME in text
        assert all(label in text for label in EVIL)
        assert "49" not in re.findall(r"\d+", next(e["text"] for e in tree.of("table") if EVIL[2] in e["text"]))


@pytest.mark.parametrize("which", ["public", "internal"])
def test_the_twin_says_what_the_page_says(town, which):
    page = getattr(town, which)
    told = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    assert told["audience"] == which
    text = " ".join(Tree(page.read_text(encoding="utf-8")).of("main")[0]["text"].split())
    for promise in told["promises"]:
        assert promise["title"] in text
    for loss in told["losses"]:
        assert loss["title"] in text
    assert page.with_suffix(".json").name in Tree(page.read_text(encoding="utf-8")).of("footer")[0]["text"]


def files(folder):
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def copied(case, folder):
    subprocess.run(["cp", "-a", str(case.folder.parent), str(folder)], check=True)
    for name in ("report.html", "report.json", "private/report-internal.html", "private/report-internal.json"):
        (folder / name).unlink()
    return folder


def test_the_command_draws_both_pages_and_leaves_the_release_as_it_is(town, tmp_path):
    out = copied(town.case, tmp_path / "OUT")
    before = files(out / "release")
    desk = Desk(tmp_path)
    done = desk("report", "OUT", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "report": "OUT/report.html", "report_json": "OUT/report.json",
        "internal": "OUT/private/report-internal.html", "internal_json": "OUT/private/report-internal.json",
    }
    assert files(out / "release") == before
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in (out / "private").iterdir()} == dict.fromkeys(("key.csv", "run.json", "report-internal.html", "report-internal.json"), "0o600")
    # another process draws the same bytes
    for mine, drawn in ((town.public, "report"), (town.internal, "private/report-internal")):
        assert (out / f"{drawn}.html").read_bytes() == mine.read_bytes()
    again = desk("report", "OUT")
    assert again.returncode == 2
    assert again.stderr.count("exists already") == 4
    assert "--force" in again.stderr
    assert desk("report", "OUT", "--force").returncode == 0
    assert sorted(path.name for path in out.iterdir()) == ["private", "release", "report.html", "report.json"]


def test_a_release_on_its_own_gets_a_page_elsewhere(town, tmp_path):
    desk = Desk(tmp_path)
    refused = desk("report", town.case.folder)
    assert refused.returncode == 2
    assert "-o DIR" in refused.stderr
    inside = desk("report", town.case.folder, "-o", town.case.folder / "pages")
    assert inside.returncode == 2
    assert "inside a release" in inside.stderr
    done = desk("report", town.case.folder, "-o", "pages")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["report.html", "report.json"]
    nothing = desk("report", tmp_path / "pages")
    assert nothing.returncode == 2
    assert "no run folder" in nothing.stderr


def test_a_release_that_does_not_hold_what_it_says_gets_no_page(town, tmp_path):
    out = copied(town.case, tmp_path / "OUT")
    edit_json(out / "release", lambda told: told["promises"].update(k=7))
    sum_again(out / "release")
    done = Desk(tmp_path)("report", "OUT", "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert "does not hold" in told["error"]["what"]
    assert any(not finding["holds"] for finding in told["findings"])
    assert not list(tmp_path.rglob("report*"))


def test_without_the_record_of_the_run_it_says_what_can_be_done(town, tmp_path):
    out = copied(town.case, tmp_path / "OUT")
    for text in ("{", "[]"):
        (out / "private" / "run.json").write_text(text)
        with pytest.raises(InputProblem, match="record of a run"):
            write_reports(out)
    assert not list(tmp_path.rglob("report*"))


DAMAGED = [
    '{"losses": {"entropy": NaN}}', "[" * 100_000, *(json.dumps({part: damage}) for part, damages in {
        "parameters": [5, [1]], "seconds": ["x"], "read": [[1], {"notes": "a"}, {"counts": 3}], "losses": [[], {"attributes": {"age": {}}}],
        "original": [{}, 7, {"kinds": 1, "alone": 1}], "utility": [1, {"marginals": {"age": "x"}}, {"classifiers": {"a": {"release": 1}}}],
        "findings": [5, [1], [{"promise": "k"}]], "refined": [True, {"before": {"ncp": "x"}}],
    }.items() for damage in damages),
]


@pytest.mark.parametrize("text", DAMAGED, ids=lambda text: text[:40])
def test_a_record_of_another_shape_is_refused_whatever_part_of_it(tmp_path, text):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputProblem, match="graphanon report") as refused:
        record(tmp_path, graph=True)
    assert "run.json" in str(refused.value)


def test_a_record_that_says_little_gives_a_page_that_says_little(town, tmp_path):
    out = copied(town.case, tmp_path / "OUT")
    (out / "private" / "run.json").write_text('{"losses": null, "findings": null, "later": [1]}')
    assert not Tree(write_reports(out).internal.read_text(encoding="utf-8")).wrong


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), Ended(143), OSError(errno.ENOSPC, "No space left on device")], ids=repr)
@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("at", [0, 2])
def test_whatever_ends_the_writing_nothing_of_it_is_left(tmp_path, monkeypatch, problem, call, at):
    owner, real, calls = (os, os.fsync, []) if call == "fsync" else (Path, Path.replace, [])

    def broken(*args):
        calls.append(args)
        if len(calls) > at:
            raise problem
        return real(*args)

    monkeypatch.setattr(owner, call, broken)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "c.html").write_text("old")
    texts = {tmp_path / "old" / "c.html": "c", tmp_path / "new" / "a.html": "a", tmp_path / "new" / "private" / "b.html": "b"}
    with pytest.raises(InputProblem if isinstance(problem, OSError) else type(problem)):
        write_together(texts, dict.fromkeys(texts, False))
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["old", "c.html"]
    assert (tmp_path / "old" / "c.html").read_text() in ("old", "c")


def test_two_who_write_the_same_pages_do_not_mix_them(tmp_path, monkeypatch):
    texts = [{tmp_path / name: who * 9 for name in ("a.html", "b.html")} for who in "xy"]
    real, inner = os.fsync, []

    def meanwhile(descriptor):
        real(descriptor)
        if not inner:
            inner.append(True)
            write_together(texts[1], dict.fromkeys(texts[1], False))

    monkeypatch.setattr(os, "fsync", meanwhile)
    write_together(texts[0], dict.fromkeys(texts[0], False))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.html": "x" * 9, "b.html": "x" * 9}


def test_pages_appear_together_or_not_at_all(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    texts = {tmp_path / "new" / "a.html": "a", tmp_path / "file" / "b.html": "b"}
    with pytest.raises(InputProblem, match="cannot be written"):
        write_together(texts, dict.fromkeys(texts, False))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_broken_release_is_a_broken_promise(town, tmp_path):
    out = copied(town.case, tmp_path / "OUT")
    (out / "release" / "README.txt").unlink()
    with pytest.raises(BrokenPromise):
        write_reports(out)


def test_what_would_make_a_page_too_large_is_left_out_and_told(town, tmp_path, monkeypatch):
    monkeypatch.setattr(explorer, "ROOM", 1500)
    monkeypatch.setattr(explorer, "MOST_CLASSES", 6)
    out = copied(town.case, tmp_path / "OUT")
    data = explored(write_reports(out).public)
    whole = explored(town.public)
    assert (len(data["names"]), data["left_out"]) == (6, 4)
    assert min(data["sizes"]) >= max(s for n, s in zip(whole["names"], whole["sizes"], strict=True) if n not in data["names"])
    kept, all_ = unpacked(data), unpacked(whole)
    assert all(all_[pair] == ties for pair, ties in kept.items())
    left = [ties for pair, ties in all_.items() if pair not in kept and pair <= set(data["names"])]
    assert not left or max(left) <= min(kept.values(), default=max(left))


@pytest.mark.parametrize("n", [1, 2, 7, 430])
def test_every_supernode_has_a_place_and_communities_do_not_overlap(n):
    rng = np.random.default_rng(n)
    ends = np.unique(np.sort(rng.integers(0, n, (3 * n, 2)), axis=1), axis=0)
    ends = ends[ends[:, 0] < ends[:, 1]]
    ties, sizes = rng.integers(1, 5, len(ends)), rng.integers(2, 9, n)
    labels = communities(n, ends, ties, sizes)
    people = np.bincount(labels, weights=sizes)
    assert (np.diff(people[:-1]) <= 0).all()
    place = places(ends, ties, sizes, labels)
    assert place.shape == (n, 2)
    assert np.isfinite(place).all()
    assert np.array_equal(place, places(ends, ties, sizes, communities(n, ends, ties, sizes)))
    if n > 400:
        centres = np.array([place[labels == c].mean(axis=0) for c in range(len(people))])
        own = np.linalg.norm(place[:, None] - centres[None], axis=2).argmin(axis=1)
        assert (own == labels).mean() > 0.9
    if n > 1:
        assert len(np.unique(place.round(9), axis=0)) == n


@pytest.mark.parametrize(("people", "ties", "size"), [(4, 0, 4), (4, 2, 2), (12, 0, 3), (860, 0, 2)])
def test_people_of_whom_little_is_known_get_a_page_too(tmp_path, people, ties, size):
    pages = reported(tmp_path / "run", releases.written(tmp_path / "run", bare(people, ties, size)))
    data = explored(pages.public)
    assert sum(data["sizes"]) == people
    assert sum(unpacked(data).values()) + sum(data["inside"]) == ties
    assert not Tree(pages.internal.read_text(encoding="utf-8")).wrong


def test_nothing_heavy_is_loaded_before_a_page_is_drawn():
    code = "import sys, graphanon.report, graphanon.cli.app; print(sorted({'bokeh', 'jinja2', 'matplotlib'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_templates_go_along_with_the_package():
    folder = Path(explorer.__file__).parent / "templates"
    assert {"page.html", "report.css", "explorer.js"} <= {path.name for path in folder.iterdir()}


def test_randomized_answers_get_a_page_of_their_budget(tmp_path):
    (tmp_path / "s.toml").write_text('[columns]\nage = { role = "quasi", range = [18, 70], grid = 4 }\n')
    (tmp_path / "p.csv").write_text("age\n" + "".join(f"{18 + i % 50}\n" for i in range(40)))
    desk = Desk(tmp_path)
    made = desk("ldp", "perturb", "p.csv", "--schema", "s.toml", "--epsilon", "1.5", "--mechanism", "grr", "-o", "OUT")
    assert made.returncode == 0, made.stderr
    before = files(tmp_path / "OUT" / "release")
    done = desk("report", "OUT", "--json")
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)) == {"report", "report_json"}
    assert files(tmp_path / "OUT" / "release") == before
    told = json.loads((tmp_path / "OUT" / "report.json").read_text())
    assert (told["count"], told["epsilon"]["record"], told["columns"][0]["mechanisms"]) == (40, 1.5, ["grr"])
    page = Tree((tmp_path / "OUT" / "report.html").read_text(encoding="utf-8"))
    assert not page.wrong
    assert "1.5" in page.of("main")[0]["text"]
    assert "claim no k" in " ".join(page.of("main")[0]["text"].split())
    assert not page.of("script")


def test_people_as_they_were_are_drawn_for_the_custodian_alone(tmp_path):
    write_files(tmp_path)
    reading = graphanon.read(tmp_path / "people.csv", tmp_path / "ties.csv", schema=tmp_path / "schema.toml")
    run = graphanon.anonymize(reading, requirement=graphanon.Requirement(k=3), method="sangreea", seed=1, refine=False,
                              out=tmp_path / "out")
    pages = graphanon.write_reports(run.folder, run=run)
    public, internal = (Tree(page.read_text(encoding="utf-8")) for page in (pages.public, pages.internal))
    told = [[image["alt"] for image in page.of("img")] for page in (public, internal)]
    assert len(told[1]) == len(told[0]) + 1
    assert sum("private" in alt for alt in told[1]) == 2
    assert not any("private" in alt or "People and ties" in alt for alt in told[0])
    text = " ".join(internal.of("main")[0]["text"].split())
    degrees = np.diff(reading.graph.ties.indptr)
    for number in (f"{reading.graph.n_ties} ties between them", f"{degrees.max()} is the largest number of ties",
                   f"{(degrees == 0).sum()} people without any tie"):
        assert number in text
    assert not re.search(r"p0\d\d\b", pages.internal.read_text(encoding="utf-8").split('id="explorer-data"')[0])
