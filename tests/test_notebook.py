"""In a notebook, values show what there is of them, and nothing that anybody is."""

import re
from html.parser import HTMLParser

import pytest
from reported import EVIL, NAME, evil_town, paired
from toy_files import write_files

import graphanon
from graphanon.audit import Finding, Findings, audit_release
from graphanon.release import publish
from graphanon.requirement import Requirement


class Cells(HTMLParser):
    """The tags and the cells of a table."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.cells = [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, _attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.cells.append(data)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Everything of one run that a notebook might show, and the cells of the people in it."""
    folder = tmp_path_factory.mktemp("shown")
    write_files(folder)
    reading = graphanon.read(folder / "people.csv", folder / "ties.csv", schema=folder / "schema.toml")
    run = graphanon.anonymize(reading, requirement=Requirement(k=3), method="sangreea", seed=1, refine=False, out=folder / "out")
    personal = {cell for line in (folder / "people.csv").read_text().splitlines()[1:] for cell in line.split(",")[:1]}
    personal |= {"flu", "nurse", "doctor", "teacher", "tutor"}
    values = [reading, reading.graph, run, run.release, run.grouping.partition, run.findings, audit_release(folder / "out" / "release")]
    return values, personal


def test_every_value_of_a_run_shows_itself_as_a_small_table(shown):
    values, _ = shown
    for value in values[1:]:
        page = Cells(value._repr_html_())
        assert page.tags[0] == "table"
        assert {"caption", "th", "td"} <= set(page.tags)
        assert len(value._repr_html_()) < 8_000
    graph, run, release, partition, findings = (Cells(value._repr_html_()).cells for value in values[1:6])
    assert graph[:3] == ["People and ties", "people", "40"]
    assert run[:3] == ["Run", "method", "sangreea"]
    assert release[:3] == ["Release", "people", "40"]
    assert partition[:3] == ["Partition", "people", "40"]
    assert findings[0] == f"{len(values[5])} checks, every one holds"


def test_nothing_that_anybody_is_stands_in_it(shown):
    values, personal = shown
    for value in values:
        for text in (repr(value), getattr(value, "_repr_html_", str)()):
            assert not personal & set(re.findall(r"\w+", text))


def test_names_that_are_markup_stay_text():
    group = paired(evil_town(), 5)
    release = publish(group, requirement=Requirement(k=2), method="by-hand")
    findings = Findings([Finding(promise=f"alpha.illness.{EVIL[0]}", asked=0.5, found=0.25, holds=True),
                         Finding(promise="k", asked=5, found=4, holds=False)])
    for value in (group.source, release, group.partition, findings):
        page = Cells(value._repr_html_())
        assert set(page.tags) <= {"table", "caption", "b", "thead", "tbody", "tr", "th", "td"}
    assert NAME in Cells(group.source._repr_html_()).cells
    assert Cells(findings._repr_html_()).cells[0] == "1 of 2 checks FAILED"
