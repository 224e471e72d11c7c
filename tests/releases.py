"""Releases to look at: a small town whose people have every kind of column, and originals of any graph."""

import csv
import io
import json
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
from scipy import sparse

from graphanon.domain import Domain, Order, Range, Tree
from graphanon.graph import AttributedGraph, Nominal, no_ties, symmetric_ties
from graphanon.grouping import Grouping, Partition, hull
from graphanon.release import publish_with_key
from graphanon.release.workspace import Workspace
from graphanon.requirement import Requirement
from graphanon.schema import Column, Role, Schema, TieColumns

JOBS = Tree((
    ("baker", "crafts", "*"), ("smith", "crafts", "*"), ("nurse", "care", "*"), ("teacher", "care", "*"),
), missing=True)
RANKS = Order(("low", "mid", "high"))
AGES = Range(18, 90, steps=(5, 10), missing=True)
TOWNS = Tree.flat(["Lund", "Malmo"])
ILLS = ("", "asthma", "flu", "hiv")
CITIES = ("=1+1", "Lund, north")
PEOPLE = 60
CLASSES = 10


@dataclass(frozen=True, kw_only=True)
class Case:
    """A written release with all that its custodian knows."""

    folder: Path
    key: Path
    grouping: Grouping
    release: object
    originals: dict

    @property
    def ids(self):
        return self.originals["ids"]


def schema(*, directed: bool = False, weight: str = "drop") -> Schema:
    """Return the town's schema."""
    return Schema(
        columns=(
            Column(name="age", role=Role.QUASI, domain=AGES),
            Column(name="job", role=Role.QUASI, domain=JOBS),
            Column(name="rank", role=Role.QUASI, domain=RANKS),
            Column(name="town", role=Role.QUASI, domain=TOWNS),
            Column(name="illness", role=Role.SENSITIVE, alpha={"hiv": 0.9}, l=2, t=0.9),
            Column(name="city", role=Role.OPEN),
        ),
        ties=TieColumns(directed=directed, weight=weight),
    )


def town(*, directed: bool = False, weight: str = "drop", has_ties: bool = True) -> AttributedGraph:
    """Return sixty people, some of them with missing cells, and their ties."""
    rng = np.random.default_rng(7)
    values = np.stack([
        rng.integers(18, 91, PEOPLE), rng.integers(0, 4, PEOPLE), rng.integers(0, 3, PEOPLE),
        rng.integers(0, 2, PEOPLE),
    ], axis=1).astype(float)
    values[3, 0], values[4, 1] = AGES.missing_address, JOBS.missing_address
    source, target = rng.integers(0, PEOPLE, 150), rng.integers(0, PEOPLE, 150)
    ties = symmetric_ties(PEOPLE, source, target)
    arcs = sparse.csr_array(sparse.triu(ties)) if directed else None
    weights = (ties if arcs is None else arcs).astype(float) * 2.5
    payload = {
        "illness": Nominal(np.arange(PEOPLE) * 7 // 3 % 4, ILLS),
        "city": Nominal(rng.integers(0, 2, PEOPLE), CITIES),
    }
    graph = AttributedGraph(
        schema=schema(directed=directed, weight=weight), values=values, ties=ties, payload=payload, arcs=arcs,
        weights=sparse.csr_array(weights) if weight == "sum" else None,
    )
    return graph if has_ties else replace(graph, ties=no_ties(PEOPLE), has_ties=False)


def grouping(graph: AttributedGraph, *, withheld: int = 0) -> Grouping:
    """Return the town in ten classes of six or fewer, the first few people withheld."""
    order = np.argsort(graph.values[:, 0], kind="stable")
    labels = np.empty(graph.n, dtype=np.int64)
    labels[order] = np.arange(graph.n) * CLASSES // graph.n
    labels[:withheld] = -1
    partition = Partition(labels)
    return Grouping(graph, partition, hull(graph, partition))


def people_of(graph: AttributedGraph) -> dict[str, list[str | None]]:
    """Return the cells as text, None where missing, as a file would hold them."""
    columns = {
        column.name: [_text(column.domain, value) for value in graph.values[:, j].tolist()]
        for j, column in enumerate(graph.schema.quasi)
    }
    return columns | {
        name: [column.labels[code] or None for code in column.codes] for name, column in graph.payload.items()
    }


def _text(domain: Domain, value: float) -> str | None:
    if value >= domain.missing_address:
        return None
    if isinstance(domain, Range):
        return repr(value)
    return (domain.labels if isinstance(domain, Order) else domain.leaves)[int(value)]


def originals_of(graph: AttributedGraph, ids: list[str]) -> dict:
    """Return what an audit of the truth wants to know."""
    matrix = (graph.ties if graph.arcs is None else graph.arcs).tocoo()
    pairs = zip(matrix.row.tolist(), matrix.col.tolist(), strict=True)
    weights = {} if graph.weights is None else {
        (i, j): w for i, j, w in zip(*(x.tolist() for x in _entries(graph.weights)), strict=True)
    }
    ties = [
        (ids[i], ids[j], weights.get((i, j), 1.0)) for i, j in pairs if graph.directed or i < j
    ]
    return {
        "roles": {column.name: column.role.value for column in graph.schema.columns},
        "people": people_of(graph),
        "ids": ids if graph.has_ties else None,
        "ties": ties if graph.has_ties else None,
        "directed": graph.directed,
        "missing": "value",
        "labels": {
            column.name: _labels(column.domain) for column in graph.schema.columns
            if isinstance(column.domain, Order) or (isinstance(column.domain, Tree) and column.domain.given)
        },
    }


def _labels(domain: Domain) -> set[str]:
    return set(domain.labels) if isinstance(domain, Order) else {label for row in domain.rows for label in row}


def _entries(matrix):
    entries = matrix.tocoo()
    return entries.row, entries.col, entries.data


def written(
    folder: Path,
    group: Grouping,
    *,
    k: int = 2,
    ids: list[str] | None = None,
    seed: int = 1,
    split: bool = False,
    tie_confidence: float | None = None,
    method: str = "by-hand",
) -> Case:
    """Write a run folder of the grouping and return it with what its custodian knows."""
    graph = group.source
    names = ids or [f"user-{i * 37 % 1009:04d}" for i in range(graph.n)]
    requirement = Requirement(k=k, tie_confidence=tie_confidence)
    published = publish_with_key(
        group, requirement=requirement, method=method, chance=Random(seed), split_payload=split
    )
    with Workspace(folder) as work:
        work.write_release(published.release)
        work.write_key(published.membership, ids=names if graph.has_ties else None)
        work.write_run({"seed": 4711})
        work.appear()
    withheld = group.partition.withheld / max(graph.n, 1)
    return Case(
        folder=folder / "release", key=folder / "private" / "key.csv", grouping=group, release=published.release,
        originals=originals_of(graph, names) | {"withhold": withheld},
    )


def rows(path: Path, separator: str = ",") -> list[list[str]]:
    """Return the cells of a CSV file."""
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""), delimiter=separator))


def put_rows(path: Path, lines: list[list[str]], separator: str = ",") -> None:
    """Write cells as a CSV file."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(lines)
    path.write_text(out.getvalue(), encoding="utf-8", newline="")


def edit_json(folder: Path, change) -> None:
    """Let `change` alter what release.json says."""
    path = folder / "release.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    change(told)
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def sum_again(folder: Path) -> None:
    """Make the checksums those of the files that are there, as someone who hides a change would."""
    names = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS"
    )
    sums = "".join(f"{sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
