"""From a source to files of another format: fitted, written aside, read back, compared, and only then in place.

A file that was cut off, or that says something else than was meant, must not look like a result. So nothing
appears under the name asked for until our own reader has read the same network out of what was written.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from graphanon.errors import InputProblem, Problem
from graphanon.io.declared import Declared
from graphanon.io.faults import refuse_any, shown
from graphanon.io.formats import CARRIES, Carries, by_name, by_path
from graphanon.io.numbers import parse_number
from graphanon.io.source import ReadOptions, Source
from graphanon.io.writers import dl, dot, gexf, gml, graphml, matrix_market, node_link, pajek, tables, text
from graphanon.io.writers.fitting import Fitted, fitted
from graphanon.io.writers.network import BIPARTITE, Network, network_of

__all__ = ["Saved", "save"]

Render = Callable[[Network], bytes]

_GRAPHS: Mapping[str, Render] = {
    "GraphML": graphml.render, "GML": gml.render, "GEXF": gexf.render, "JSON": node_link.render, "Pajek": pajek.render,
    "Pajek project": pajek.project,
    "UCINET DL": dl.render, "DOT": dot.render, "Matrix Market": matrix_market.render,
    "adjacency list": text.adjacency_list, "edge list": text.edge_list, "adjacency matrix": text.adjacency_matrix,
}
_PAIRS: Mapping[str, tuple[Render, Render]] = {
    "CSV": (lambda network: text.people_table(network, ","), lambda network: text.tie_table(network, ",")),
    "TSV": (lambda network: text.people_table(network, "\t"), lambda network: text.tie_table(network, "\t")),
    "Excel": (tables.excel_people, tables.excel_ties),
    "Parquet": (tables.parquet_people, tables.parquet_ties),
}


@dataclass(frozen=True, kw_only=True)
class Saved:
    """What was written: the files, the format, the numbers, and whatever differs from what was read."""

    files: tuple[Path, ...]
    format: str
    people: int
    ties: int
    lost: tuple[str, ...]
    renamed: Mapping[str, str]
    notes: tuple[str, ...]


def save(
    source: Source, out: Path, *, to: str | None = None, ties_out: Path | None = None, drop_uncarried: bool = False,
    force: bool = False,
) -> Saved:
    """Write people and ties in the format that the ending of `out` or the name `to` means.

    Formats of two files put the ties into `ties_out`, or beside the people as ``NAME-ties``.

    Raises
    ------
    InputProblem
        If the format cannot carry something and `drop_uncarried` is not set, if a file is there already and
        `force` is not set, or if what was written does not come back equal; nothing is written then.
    """
    carries = _chosen(out, to)
    network = network_of(source)
    places = _places(out, ties_out, carries, network)
    refuse_any(Problem(what="exists already", file=str(place), fix="--force replaces it")
               for place in places if place.exists() and not force)
    fit = fitted(network, carries)
    if fit.lost and not drop_uncarried:
        raise InputProblem([
            *(Problem(what=f"{carries.name} cannot carry {what}", file=str(out)) for what in fit.lost[:-1]),
            Problem(what=f"{carries.name} cannot carry {fit.lost[-1]}", file=str(out),
                    fix="--drop-uncarried leaves such things out, or choose another format: graphanon convert --formats")])
    _write(fit.network, carries, places)
    return Saved(files=tuple(places), format=carries.name, people=len(fit.network.ids), ties=len(fit.network.source),
                 lost=fit.lost, renamed=fit.renamed, notes=(*network.notes, *fit.notes, *_advice(fit, carries)))


def _chosen(out: Path, to: str | None) -> Carries:
    found = by_path(out.name) if to is None else by_name(to)
    if found is None:
        what = f"the ending of '{out.name}' names no format" if to is None else f"there is no format '{to}'"
        raise InputProblem(Problem(what=what, allowed=shown([carries.name for carries in CARRIES], most=99), fix="--to FORMAT"))
    return found


def _places(out: Path, ties_out: Path | None, carries: Carries, network: Network) -> list[Path]:
    if not carries.pair:
        if ties_out is not None:
            raise InputProblem(Problem(what=f"{carries.name} is one file", fix="leave out --ties-out"))
        return [out]
    beside = ties_out or out.with_name(f"{out.stem}-ties{out.suffix}")
    return [out, beside] if network.has_ties else [out]


def _advice(fit: Fitted, carries: Carries) -> tuple[str, ...]:
    if carries.name == "GML" and not gml.numbered(fit.network):
        return ("nodes of GML are numbers: the ids are their labels, which --id label reads",)
    if carries.name == "UCINET DL" and not fit.network.directed:
        return ("UCINET DL takes every line for an arc: read it with --undirected",)
    return ()


def _write(network: Network, carries: Carries, places: list[Path]) -> None:
    """Write files aside, read them back, and put them in place together if nothing has changed."""
    renders = [_GRAPHS[carries.name]] if not carries.pair else list(_PAIRS[carries.name])
    folder = places[0].parent
    try:
        with tempfile.TemporaryDirectory(prefix=".graphanon-", dir=folder) as aside:
            # an archive of the same name is read by the ending that belongs to the format
            drafts = [Path(aside) / f"{number}{carries.suffixes[0]}" for number in range(len(places))]
            for draft, render in zip(drafts, renders, strict=False):
                with draft.open("xb") as stream:
                    stream.write(render(network))
                    stream.flush()
                    os.fsync(stream.fileno())
            refuse_any(_changed(network, _read_back(network, carries, drafts), carries, places[0]))
            for draft, place in zip(drafts, places, strict=True):
                draft.replace(place)
    except OSError as error:
        raise InputProblem(Problem(what=f"cannot be written ({error.strerror})", file=str(places[0]))) from error


def _read_back(network: Network, carries: Carries, drafts: list[Path]) -> Network:
    from graphanon.io.readers import read

    options = ReadOptions()
    # an adjacency list shows by itself that ties have none
    if carries.direction == "order" and (network.directed or carries.name != "adjacency list"):
        options = replace(options, directed=network.directed)
    if carries.name == "GML" and not gml.numbered(network):
        options = replace(options, id="label")
    if carries.name == "edge list":
        options = replace(options, header=False, delimiter="whitespace")
        return network_of(read(None, drafts[0], options=options))
    if carries.pair:
        delimiter = {"CSV": ",", "TSV": "\t"}.get(carries.name)
        options = replace(options, header=True, id="id", source="source", target="target", delimiter=delimiter)
        if network.weight in network.tie_attributes:
            options = replace(options, weight=network.weight)
    back = network_of(read(drafts[0], *drafts[1:], options=options))
    if options.id == "label":
        # the numbers of the nodes are the writer's own
        back = replace(back, attributes={name: column for name, column in back.attributes.items() if name != "id"})
    return back


def _changed(network: Network, back: Network, carries: Carries, place: Path) -> list[Problem]:
    """Return how the network that was read back differs from the one that was meant."""
    found = []
    if Counter(network.ids.tolist()) != Counter(back.ids.tolist()):
        found.append(f"{len(network.ids):,} people came back as {len(back.ids):,}, or under other ids")
    elif _people(network, network) != _people(back, network):
        found.append(f"attributes of people came back otherwise: {shown(_differing(network, back)) or 'their names'}")
    elif changed := [*_retyped(network.types, back.types, carries), *_retyped(network.tie_types, back.tie_types, carries)]:
        found.append(f"the types of attributes came back otherwise: {shown(changed)}")
    if len(network.source) != len(back.source):
        found.append(f"{len(network.source):,} ties came back as {len(back.source):,}")
    elif len(network.source) and network.directed != back.directed:
        found.append("the direction of ties came back otherwise")
    elif _ties(network, network) != _ties(back, network):
        found.append("ties came back with other ends or attributes")
    return [Problem(what=f"what was written could not be read back equal, so nothing was kept: {what}", file=str(place),
                    fix="choose another format") for what in found]


def _retyped(types: Mapping[str, Declared], back: Mapping[str, Declared], carries: Carries) -> list[str]:
    """Return the attributes whose type did not come back; a column of whole numbers may be all that a column of numbers is."""
    alike = {"whole": "number"}
    return [name for name, kind in types.items() if kind in carries.kinds and name in back
            and alike.get(kind, kind) != alike.get(back[name], back[name])]


def _same(cells: Iterable[str | None], kind: Declared | None) -> list[object]:
    """Return cells for comparing: numbers by what they mean, others by their spelling."""
    return [cell if cell is None or kind != "number" or parse_number(cell) is None else Decimal(cell.strip()) for cell in cells]


def _people(network: Network, meant: Network) -> dict[str, tuple[tuple[str, object], ...]]:
    named = sorted((name, _same(column.tolist(), meant.types.get(name)))
                   for name, column in network.attributes.items() if name != BIPARTITE)
    return {id_: tuple((name, cells[place]) for name, cells in named if cells[place] is not None)
            for place, id_ in enumerate(network.ids.tolist())}


def _differing(network: Network, back: Network) -> list[str]:
    before, after = _people(network, network), _people(back, network)
    changed = [set(before[id_]) ^ set(after[id_]) for id_ in before]
    return sorted({name for pairs in changed for name, _ in pairs})


def _ties(network: Network, meant: Network) -> Counter[tuple[object, ...]]:
    ids = network.ids
    ends = zip(ids[network.source].tolist(), ids[network.target].tolist(), strict=True)
    named = sorted((name, _same(column.tolist(), meant.tie_types.get(name))) for name, column in network.tie_attributes.items())
    return Counter(
        ((a, b) if network.directed else tuple(sorted((a, b))),
         *((name, cells[row]) for name, cells in named if cells[row] is not None))
        for row, (a, b) in enumerate(ends))
