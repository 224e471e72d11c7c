"""The examples for tables run, say what their prose says, and draw their pictures; so does the page on tables."""

import re
import runpy
import sys

import pytest
from house import ROOT


@pytest.fixture
def ran(tmp_path, monkeypatch, capsys):
    """Return a function that runs an example on few people and returns what it printed."""
    def run(name, people):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [name, str(people)])
        runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        return capsys.readouterr().out

    return run


def test_a_table_is_anonymized_and_judged(ran):
    said = ran("plot_table", 210)
    losses = [float(loss) for loss in re.findall(r"loss ([\d.]+)", said)]
    assert len(losses) == 4
    assert losses == sorted(losses)
    assert said.count("told rightly from the release") == 4
    # at k = 100 of 210 people little is left to be learned
    assert re.search(r"k = 100: +[12] classes", said)


def test_shares_of_a_sensitive_column_are_promised_and_cost(ran):
    said = ran("plot_alpha_k", 120)
    assert "k = 5 alone: in some class" in said
    assert "alpha promises that at most" in said
    pairs = [tuple(map(float, found)) for found in re.findall(r"recursive ([\d.]+), general-alpha-k ([\d.]+)", said)]
    assert len(pairs) == 4
    assert all(recursive <= general for recursive, general in pairs)


def test_the_snippets_of_the_page_on_tables_run():
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    snippets = re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    assert snippets
    for snippet in snippets:
        exec(compile(snippet, "docs/tables.md", "exec"), {})


def test_the_page_on_tables_names_what_there_is():
    from graphanon.catalog import make

    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([\w-]+) --set (\w+)=([\w-]+)`", page, flags=re.MULTILINE)
    assert len(named) >= 5
    for name, parameter, value in named:
        assert getattr(make(name, {parameter: value}), parameter) != getattr(make(name), parameter)
    links = re.findall(r"\]\(([^)#]+)\)", page) + re.findall(r"\]\(([^)#]+)#", page)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
