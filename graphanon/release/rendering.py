"""Every file of a release as bytes: the one place where a release becomes text.

Files are UTF-8 with LF line ends, lines sorted by name and then by value, cells quoted only where CSV
needs it, and nothing in them tells when or where they were made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain

from graphanon.release.graphml import graphml_text
from graphanon.release.model import PublicColumn, Release
from graphanon.release.perturbed import PerturbedRelease
from graphanon.release.readme import readme_text

__all__ = ["csv_text", "render", "weight_text"]

DESCRIPTIONS = {
    ("supernode-graph", "quasi", "number"): "lowest and highest value in the supernode, on the grid; * is any",
    ("supernode-graph", "quasi", "order"): "first and last label in the supernode; * is any",
    ("supernode-graph", "quasi", "category"): "the value, or the group of values, that covers everyone in the supernode; * is any",
    ("table", "quasi", "number"): "the value, or the closed interval that covers everyone in the class; * is any",
    ("table", "quasi", "order"): "the label, or the first and last label in the class; * is any",
    ("table", "quasi", "category"): "the value, or the group of values, that covers everyone in the class; * is any",
    ("supernode-graph", "sensitive"): "how often each value occurs in each supernode",
    ("supernode-graph", "open"): "how often each value occurs in each supernode",
    ("table", "sensitive"): "a value as it was given, shuffled inside the class",
    ("table", "open"): "a value as it was given, shuffled inside the class",
}
PERTURBED_DESCRIPTIONS = {
    ("perturbed-table", "number"): "a number of the grid from the low to the high end, randomized",
    ("perturbed-table", "order"): "a label of the order, randomized",
    ("perturbed-table", "category"): "a value of the hierarchy, randomized",
    ("centres", "number"): "the mean of the centre, between the low and the high end",
    ("centres", "order"): "the most typical label of the centre",
    ("centres", "category"): "the most frequent value of the centre",
}
# cells with a mark of the format in them, or with blanks at an end, which some readers trim
_SPECIAL = {
    ",": re.compile(r'[,"\r\n]|^\s|\s$').search,
    ";": re.compile(r'[,;\t|"\r\n]|^\s|\s$').search,
}


def render(release: Release | PerturbedRelease) -> dict[str, bytes]:
    """Return the bytes of every file by its path inside the release folder, SHA256SUMS last."""
    texts = _own_files(release)
    texts |= {
        f"hierarchies/{name}": csv_text(rows, separator=";") for name, rows in release.hierarchies.items()
    }
    texts |= {
        "codebook.csv": _codebook(release),
        "release.json": json.dumps(dict(release.statement), ensure_ascii=False, indent=2, allow_nan=False) + "\n",
        "README.txt": readme_text(release),
    }
    files = {name: text.encode("utf-8") for name, text in sorted(texts.items())}
    sums = "".join(f"{sha256(content).hexdigest()}  {name}\n" for name, content in files.items())
    return files | {"SHA256SUMS": sums.encode("ascii")}


def _own_files(release: Release | PerturbedRelease) -> dict[str, str]:
    if isinstance(release, PerturbedRelease):
        return {name: csv_text(lines) for name, lines in release.tables.items()}
    return _graph_files(release) if release.kind == "supernode-graph" else _table_files(release)


def csv_text(rows: Iterable[Sequence[str]], separator: str = ",") -> str:
    """Return lines of cells, quoted where a cell would otherwise not read back as it is.

    Examples
    --------
    >>> print(csv_text([("a", "b,c"), ("", "=1+1")]), end="")
    a,"b,c"
    ,=1+1
    """
    special = _SPECIAL[separator]
    return "".join(
        separator.join([_quoted(cell) if special(cell) else cell for cell in row]) + "\n"
        # a lone empty cell would read back as no line at all
        if len(row) != 1 or row[0] else '""\n'
        for row in rows
    )


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def weight_text(value: float) -> str:
    """Return a sum of weights, without decimals where it has none."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _graph_files(release: Release) -> dict[str, str]:
    texts = {
        "supernodes.csv": csv_text(_supernodes(release)),
        "superedges.csv": _superedges(release),
        "supernodes.graphml": graphml_text(release),
    }
    if release.payload:
        head = ("supernode", "attribute", "value", "count")
        lines = ((c.supernode, c.attribute, c.value, str(c.people)) for c in release.counts)
        texts["sensitive.csv"] = csv_text([head, *lines])
    return texts


def _supernodes(release: Release) -> Iterable[Sequence[str]]:
    ties = release.superties
    assert ties is not None
    weighed = () if ties.weight_inside is None else ("weight_inside",)
    yield "supernode", "size", "arcs_inside" if ties.directed else "ties_inside", *weighed, *release.header
    weights = [()] * len(release.names) if ties.weight_inside is None else [
        (weight_text(w),) for w in ties.weight_inside.tolist()
    ]
    rows = zip(release.names, release.sizes.tolist(), ties.inside.tolist(), weights, release.cells, strict=True)
    for name, size, inside, weight, cells in rows:
        yield name, str(size), str(inside), *weight, *cells


def _superedges(release: Release) -> str:
    """Return the lines; names and counts never need quotes, and there may be millions of them."""
    ties = release.superties
    assert ties is not None
    head = "source,target," + ("arcs" if ties.directed else "ties") + ("" if ties.weight is None else ",weight")
    names = release.names
    weights = [""] * len(ties.ties) if ties.weight is None else [f",{weight_text(w)}" for w in ties.weight.tolist()]
    lines = zip(ties.source.tolist(), ties.target.tolist(), ties.ties.tolist(), weights, strict=True)
    return f"{head}\n" + "".join(
        f"{names[source]},{names[target]},{count}{weight}\n" for source, target, count, weight in lines
    )


def _table_files(release: Release) -> dict[str, str]:
    records = release.records
    assert records is not None
    head = (*release.header, *(column.name for column in release.payload))
    payload = zip(*records.payload, strict=True) if records.payload else [()] * len(records.classes)
    lines = (
        (*release.cells[place], *own) for place, own in zip(records.classes.tolist(), payload, strict=True)
    )
    return {"records.csv": csv_text(chain([head], lines))}


def _codebook(release: Release | PerturbedRelease) -> str:
    head = ("column", "role", "type", "description")
    return csv_text([head, *((c.name, c.role, c.type, _description(release, c)) for c in release.columns)])


def _description(release: Release | PerturbedRelease, column: PublicColumn) -> str:
    if isinstance(release, PerturbedRelease):
        return PERTURBED_DESCRIPTIONS[release.kind, column.type]
    if column.role == "quasi":
        return DESCRIPTIONS[release.kind, column.role, column.type]
    return DESCRIPTIONS[release.kind, column.role]
