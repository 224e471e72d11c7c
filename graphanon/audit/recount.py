"""The promises and losses of a release, recounted from its classes as an outsider would.

A bound on shares is compared as a count with ``floor(bound * size + 1e-9)``. Where a sensitive column
has no promise, what is the case is found all the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphanon.audit.finding import Finding, broken
from graphanon.audit.groups import Group, Groups
from graphanon.audit.statement import JSON, Attribute, Statement
from graphanon.audit.values import NOTHING, Tree, ValueLine

# numbers that are counted, or one count by another, are the same whoever counts; a sum of fractions
# depends on the order of its terms, and what entropy amounts to is told with twelve digits
_SLACK = {"losses": 1e-12, "t": 1e-12, "l": 1e-11}
COUNTS = ("discernibility", "average_class_size")

__all__ = ["found_faults", "loss_faults", "promise_findings", "sum_faults", "tree_faults"]


def sum_faults(statement: Statement, groups: Groups) -> Iterator[Finding]:
    """Find totals that the files do not add up to."""
    sizes = sum(group.size for group in groups.by_name.values())
    if sizes != statement.people - statement.withheld:
        what = f"sizes add up to {sizes}, not to {statement.people} people less {statement.withheld} withheld"
        yield broken("sums", what, JSON)
    if len(groups.by_name) != statement.groups:
        yield broken("sums", f"{len(groups.by_name)} classes, not {statement.groups}", JSON)
    if not statement.graph:
        return
    ties = sum(group.inside for group in groups.by_name.values()) + sum(groups.ties.values())
    if ties != statement.ties:
        yield broken("sums", f"ties add up to {ties}, not to {statement.ties}", JSON)
    for group in groups.by_name.values():
        if group.inside > _pairs(group.size, directed=statement.directed):
            yield broken("sums", "more ties inside than there are pairs of people", "supernodes.csv", group.line)


def _pairs(size: int, *, directed: bool) -> int:
    return size * (size - 1) // (1 if directed else 2)


def tree_faults(statement: Statement, groups: Groups, lines: Mapping[str, ValueLine]) -> Iterator[Finding]:
    """Find sensitive values that are no leaf of the hierarchy released with them."""
    for attribute in statement.of_role("sensitive"):
        tree = lines.get(attribute.name)
        if isinstance(tree, Tree) and tree.rows is not None:
            known = {row[0] for row in tree.rows} | {""}
            strange = {value for group in groups.by_name.values() for value in group.tallies[attribute.name]} - known
            if strange:
                yield broken("hierarchies", f"{len(strange)} values of '{attribute.name}' are not in its hierarchy")


def promise_findings(
    statement: Statement, groups: Groups, lines: Mapping[str, ValueLine]
) -> Iterator[Finding]:
    """Return every promise, asked or not, with what the files make of it."""
    classes = list(groups.by_name.values())
    asked = statement.promises
    least = min(classes, key=lambda group: group.size, default=None)
    yield Finding(promise="k", asked=asked["k"], found=least.size if least else 0,
                  holds=least is not None and least.size >= asked["k"])
    for attribute in statement.of_role("sensitive"):
        yield from _alpha(attribute, asked.get("alpha", {}).get(attribute.name), classes)
        yield _diversity(attribute, asked.get("l", {}).get(attribute.name), classes)
        tree = lines.get(attribute.name)
        rows = tree.rows if isinstance(tree, Tree) else None
        yield _closeness(attribute, asked.get("t", {}).get(attribute.name), classes, rows)
    if statement.graph:
        yield _confidence(statement, groups)


def _alpha(attribute: Attribute, bounds: Mapping[str, float] | None, classes: Sequence[Group]) -> Iterator[Finding]:
    name = f"alpha.{attribute.name}"
    if not bounds:
        most = max((_most(group.tallies[attribute.name]) for group in classes), default=0.0)
        yield Finding(promise=name, found=most, holds=True, detail="the largest share of any value in a class")
        return
    for value, bound in bounds.items():
        shares = [(group.tallies[attribute.name][value], group.size) for group in classes]
        holds = all(count <= math.floor(bound * size + 1e-9) for count, size in shares)
        found = max((count / size for count, size in shares), default=0.0)
        yield Finding(promise=f"{name}.{value}", asked=bound, found=found, holds=holds)


def _most(tally: Counter[str]) -> float:
    return max(tally.values(), default=0) / max(tally.total(), 1)


def _diversity(attribute: Attribute, bound: Any, classes: Sequence[Group]) -> Finding:
    name = f"l.{attribute.name}"
    found = min((_diverse(group.tallies[attribute.name], bound) for group in classes), default=0)
    if bound is None:
        return Finding(promise=name, found=found, holds=True, detail="distinct values in the least diverse class")
    asked = bound["l"] if isinstance(bound, dict) else bound
    detail = ", ".join(f"{key} {bound[key]}" for key in ("diversity", "c") if key in bound) if asked is not bound else ""
    return Finding(promise=name, asked=asked, found=found, holds=found >= asked - 1e-9, detail=detail)


def _diverse(tally: Counter[str], bound: Any) -> float:
    """Return distinct values, the exponential of their entropy, or the largest l that is recursive with c."""
    kind = bound["diversity"] if isinstance(bound, dict) else "distinct"
    counts = np.sort(np.array([count for count in tally.values() if count > 0], dtype=float))[::-1]
    if kind == "entropy" and len(counts):
        share = counts / counts.sum()
        return float(np.exp(-(share * np.log(share)).sum()))
    if kind == "recursive":
        tails = np.cumsum(counts[::-1])[::-1]
        return int((counts[0] < bound["c"] * tails).sum()) if len(counts) else 0
    return len(counts)


def _closeness(
    attribute: Attribute, bound: float | None, classes: Sequence[Group], rows: Sequence[tuple[str, ...]] | None
) -> Finding:
    whole: Counter[str] = Counter()
    for group in classes:
        whole.update(group.tallies[attribute.name])
    line = list(attribute.facts.get("order", ()))
    line += sorted(set(whole) - set(line), key=_by_number if attribute.type == "number" else None)
    place = {value: i for i, value in enumerate(line)}
    overall = _shares(whole, place)
    ordered = attribute.type in ("number", "order")
    gaps = [_shares(group.tallies[attribute.name], place) - overall for group in classes]
    if rows:
        far = max((_uphill(dict(zip(line, gap.tolist(), strict=True)), rows) for gap in gaps), default=0.0)
    else:
        far = max((_far(gap, ordered=ordered) for gap in gaps), default=0.0)
    if bound is None:
        return Finding(promise=f"t.{attribute.name}", found=far, holds=True,
                       detail="the largest distance of a class from the whole")
    return Finding(promise=f"t.{attribute.name}", asked=bound, found=far, holds=far <= bound + 1e-9)


def _by_number(text: str) -> tuple[int, float, str]:
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text


def _shares(tally: Counter[str], place: Mapping[str, int]) -> NDArray[np.float64]:
    shares = np.zeros(len(place))
    for value, count in tally.items():
        shares[place[value]] = count
    return np.asarray(shares / max(shares.sum(), 1.0))


def _uphill(gap: Mapping[str, float], rows: Sequence[tuple[str, ...]]) -> float:
    """Return the earth mover's distance over a hierarchy: what cannot be settled below climbs to the next node.

    At each node what its branches have too much meets what others have too little, at the height of the
    node. A missing value is a branch of the root.
    """
    height = len(rows[0]) - 1
    left = {row: gap.get(row[0], 0.0) for row in rows}
    far = 0.0
    for level in range(1, height + 1):
        branches: dict[tuple[str, ...], list[float]] = {}
        for path, extra in left.items():
            branches.setdefault(path[1:], []).append(extra)
        if level == height:
            branches[rows[0][-1:]].append(gap.get("", 0.0))
        for extras in branches.values():
            far += level / height * min(sum(e for e in extras if e > 0), -sum(e for e in extras if e < 0))
        left = {path: sum(extras) for path, extras in branches.items()}
    return far


def _far(gap: NDArray[np.float64], *, ordered: bool) -> float:
    """Return the earth mover's distance: over ranks, or over values that all lie equally far apart."""
    if not ordered:
        return float(np.abs(gap).sum()) / 2
    return float(np.abs(np.cumsum(gap)).sum()) / (len(gap) - 1) if len(gap) > 1 else 0.0


def _confidence(statement: Statement, groups: Groups) -> Finding:
    blocks = [(g.inside, _pairs(g.size, directed=statement.directed)) for g in groups.by_name.values()]
    blocks += [
        (count, groups.by_name[source].size * groups.by_name[target].size)
        for (source, target), count in groups.ties.items()
    ]
    found = max((ties / pairs for ties, pairs in blocks if pairs), default=0.0)
    asked = statement.promises.get("tie_confidence")
    holds = asked is None or all(ties <= math.floor(asked * pairs + 1e-9) for ties, pairs in blocks)
    return Finding(promise="tie_confidence", asked=asked, found=found, holds=holds)


def found_faults(statement: Statement, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Find statements under `found` that the recount does not share."""
    counted = {finding.promise: finding.found for finding in findings}
    stated: dict[str, Any] = {}
    for key, value in statement.found.items():
        if key == "alpha" and isinstance(value, dict):
            stated |= {
                f"alpha.{name}.{label}": share
                for name, shares in value.items() if isinstance(shares, dict) for label, share in shares.items()
            }
        elif key in ("l", "t") and isinstance(value, dict):
            stated |= {f"{key}.{name}": number for name, number in value.items()}
        else:
            stated[key] = value
    wanted = {finding.promise for finding in findings if finding.asked is not None}
    wanted |= {"tie_confidence"} & set(counted)
    for name in sorted(wanted | set(stated)):
        if name not in stated or name not in wanted:
            yield broken("found", f"'found' does not list exactly what was promised: {name}", JSON)
        elif not _equal(stated[name], counted[name], _SLACK.get(name.split(".")[0], 0.0)):
            yield broken("found", f"states {stated[name]!r} of {name}, counted {counted[name]!r}", JSON)


def _equal(stated: Any, counted: Any, slack: float) -> bool:
    if isinstance(stated, bool) or not isinstance(stated, (int, float)) or abs(stated) > 1e308:
        return False
    return bool(stated == counted) or math.isclose(stated, counted, rel_tol=slack, abs_tol=slack / 1000)


def loss_faults(statement: Statement, groups: Groups, lines: Mapping[str, ValueLine]) -> Iterator[Finding]:
    """Find stated losses that the files do not give."""
    told = statement.losses
    counted = losses(statement, groups, lines)
    for name in sorted(set(counted) | set(told)):
        if name not in counted:
            yield broken("losses", f"'{name}' does not apply to this release", JSON)
        elif name not in told:
            yield broken("losses", f"'{name}' is missing", JSON)
        elif not _equal(told[name], counted[name], 0.0 if name in COUNTS else _SLACK["losses"]):
            yield broken("losses", f"states {told[name]!r} of {name}, counted {counted[name]!r}", JSON)
    if "total" in told and {"ngil", "nsil"} <= set(told) and told["total"] != (told["ngil"] + told["nsil"]) / 2:
        yield broken("losses", "'total' is not half of the sum of 'ngil' and 'nsil'", JSON)


def losses(statement: Statement, groups: Groups, lines: Mapping[str, ValueLine]) -> dict[str, float]:
    """Return every loss that can be recomputed from the files."""
    classes = list(groups.by_name.values())
    quasi = [lines[attribute.name] for attribute in statement.of_role("quasi")]
    told: dict[str, float] = {}
    if statement.people and quasi:
        for name, measure in (("ncp", "leaves"), ("ngil", "height")):
            lost = math.fsum(
                group.size * (1.0 if cover is NOTHING else line.cost(cover, measure))
                for group in classes for line, cover in zip(quasi, group.covers, strict=True)
            )
            told[name] = (lost + statement.withheld * len(quasi)) / (statement.people * len(quasi))
    people = sum(group.size for group in classes)
    lost, ties = _structure(statement, groups)
    if ties:
        told["nsil"] = lost / (people * (people - 1) / 4)
        told["tie_loss"] = lost / (ties if statement.directed else 2 * ties)
        if "ngil" in told:
            told["total"] = (told["ngil"] + told["nsil"]) / 2
    told["discernibility"] = float(sum(group.size**2 for group in classes) + statement.withheld * statement.people)
    if classes:
        told["average_class_size"] = people / len(classes)
    return told


def _structure(statement: Statement, groups: Groups) -> tuple[float, int]:
    """Return the expected number of wrongly guessed pairs, an undirected one counted twice, and the ties."""
    by_name, directed = groups.by_name, statement.directed
    blocks = [(g.inside, _pairs(g.size, directed=directed)) for g in by_name.values()]
    blocks += [(ties, by_name[a].size * by_name[b].size) for (a, b), ties in groups.ties.items()]
    wrong = math.fsum(ties * (1 - ties / pairs) for ties, pairs in blocks if pairs)
    return wrong * (1 if directed else 2), sum(ties for ties, _ in blocks)
