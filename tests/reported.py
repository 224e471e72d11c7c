"""Run folders with their pages: of a town whose labels try to break out of them, of one with many supernodes."""

import gzip
import json
from base64 import b64decode
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import releases

from graphanon.domain import Range, Tree
from graphanon.graph import AttributedGraph, Nominal, symmetric_ties
from graphanon.grouping import Grouping, Partition, hull
from graphanon.report import write_reports
from graphanon.schema import Column, Role, Schema

EVIL = ('</script><b id="evil">', '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}", "<!--", "&lt;b&gt;")
NAME = "<i>lives</i> & 'works'"


@dataclass(frozen=True, kw_only=True)
class Reported:
    """A run folder with its pages."""

    case: releases.Case
    public: Path
    internal: Path

    @property
    def facts(self):
        return json.loads(self.public.with_suffix(".json").read_text(encoding="utf-8"))


def reported(folder, case):
    """Return a case with the pages drawn of it; the record of the run says a little of everything."""
    record = {
        "method": "by-hand", "parameters": {"beta": 0.5}, "seed": 987654321, "requirement": {"k": 2}, "seconds": {"read": 0.25},
        "read": {"counts": {"people": 60}, "notes": ["a note"], "warnings": ["a warning"]},
        "losses": {"entropy": 12.5}, "findings": [{"promise": "truth.people", "asked": None, "found": None, "holds": True}],
        "refined": None,
    }
    (folder / "private" / "run.json").write_text(json.dumps(record), encoding="utf-8")
    pages = write_reports(folder)
    return Reported(case=case, public=pages.public, internal=pages.internal)


def evil_town(labels=EVIL):
    """Return forty people whose cells and columns are written in markup, or have other labels."""
    rng = np.random.default_rng(3)
    people = 40
    schema = Schema(columns=(
        Column(name="age", role=Role.QUASI, domain=Range(18, 90)),
        Column(name=NAME, role=Role.QUASI, domain=Tree.flat(labels[:3])),
        Column(name="illness", role=Role.SENSITIVE, l=2),
        Column(name="city", role=Role.OPEN),
    ))
    values = np.stack([rng.integers(18, 91, people), np.arange(people) * 3 // people], axis=1).astype(float)
    payload = {"illness": Nominal(np.arange(people) % len(labels), labels), "city": Nominal(np.arange(people) % 2, labels[:2])}
    ties = symmetric_ties(people, rng.integers(0, people, 120), rng.integers(0, people, 120))
    return AttributedGraph(schema=schema, values=values, ties=ties, payload=payload)


def paired(graph, size):
    """Return people in classes of `size`, in the order of their numbers."""
    partition = Partition(np.arange(graph.n) // size)
    return Grouping(graph, partition, hull(graph, partition))


def crowd():
    """Return nine hundred people, of whom everyone is tied to a few near them."""
    people, rng = 900, np.random.default_rng(5)
    schema = Schema(columns=(Column(name="age", role=Role.QUASI, domain=Range(18, 90)),))
    source = np.repeat(np.arange(people), 3)
    near = (source + rng.integers(1, 40, len(source))) % people
    return AttributedGraph(schema=schema, values=rng.integers(18, 91, (people, 1)).astype(float),
                           ties=symmetric_ties(people, source, near))


class Text(HTMLParser):
    """The text of a page as it is read, without scripts and styles; what describes pictures stands apart."""

    def __init__(self, page):
        super().__init__()
        self.parts, self.alts, self.hidden, self.scripts = [], [], 0, {}
        self.id = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in {"script", "style"}
        self.alts += [dict(attrs)["alt"]] if tag == "img" else []
        self.id = dict(attrs).get("id") if tag == "script" else None

    def handle_endtag(self, tag):
        self.hidden -= tag in {"script", "style"}

    def handle_data(self, data):
        if not self.hidden:
            self.parts.append(data)
        elif self.id:
            self.scripts[self.id] = data


def text_of(page):
    return Text(page.read_text(encoding="utf-8"))


def explored(page):
    return json.loads(gzip.decompress(b64decode(text_of(page).scripts["explorer-data"])))


def unpacked(data):
    """Return the superedges of the explorer by the names of their ends."""
    found, at = Counter(), 0
    for a, count in enumerate(data["edges"]["counts"]):
        b = 0
        for _ in range(count):
            b += data["edges"]["steps"][at]
            found[frozenset((data["names"][a], data["names"][b]))] += data["edges"]["ties"][at]
            at += 1
    return found


def bare(people, ties, size):
    """Return people of whom nothing is known but a few ties, in classes of `size`."""
    ends = np.arange(ties)
    graph = AttributedGraph(schema=Schema(columns=()), values=np.empty((people, 0)),
                            ties=symmetric_ties(people, ends, (ends + size) % people))
    return paired(graph, size)
