"""Ties that were reported under a budget: the flip recomputed, the estimates recounted from the reports."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from graphanon.audit.files import csv_lines, whole
from graphanon.audit.finding import Finding, broken
from graphanon.audit.private.ledger import compared, logarithm
from graphanon.audit.private.statement import Told
from graphanon.audit.statement import JSON

__all__ = ["tie_findings", "tie_truth_faults"]

WHOLE = 2**64
KEYS = ("mechanism", "flip", "reported_by", "report", "classes_by", "classes", "sizes")
FIXED = {"mechanism": "symmetric-response", "reported_by": "the smaller number of both"}
REPORTS, ESTIMATES = "tie_reports.csv", "tie_estimates.csv"
TIES = "ties"
_SIGMAS = 6


class _Ties(NamedTuple):
    flip: int
    single: bool
    by: str
    names: list[str]
    sizes: list[int]

    @property
    def chance(self) -> float:
        return self.flip / WHOLE

    def pairs(self, a: int, b: int) -> int:
        return self.sizes[a] * (self.sizes[a] - 1) // 2 if a == b else self.sizes[a] * self.sizes[b]


def tie_findings(contents: Mapping[str, bytes], told: Told) -> Iterator[Finding]:
    """Yield what a tie spends and what is wrong with the reports of ties and the estimates from them."""
    try:
        ties = _read(told)
        _check_classes(contents, told, ties)
        reported = list(_reported(contents, told, ties))
        expected = [
            (ties.names[a], ties.names[b], count, ties.pairs(a, b)) for (a, b), count in zip(_upper(ties), reported, strict=True)]
    except (ValueError, KeyError, TypeError) as error:
        yield broken(TIES, f"the reports of ties cannot be recounted: {error}", JSON)
        yield broken("epsilon.tie", "cannot be recounted")
        return
    yield compared("epsilon.tie", told.epsilon.get("tie"), logarithm(Fraction(WHOLE - ties.flip, ties.flip)))
    yield from _estimate_faults(contents, ties, expected)
    whole = (sum(count for _, _, count, _ in expected), sum(pairs for *_, pairs in expected))
    parts = [whole, *((count, pairs) for _, _, count, pairs in expected)]
    if not all(_possible(seen, pairs * ties.chance, pairs * (1 - ties.chance), pairs, ties.chance) for seen, pairs in parts):
        yield broken("chance", "ties were not reported as declared: chance alone would report another number", REPORTS)


def _read(told: Told) -> _Ties:
    said = told.ties
    if said is None or tuple(said) != KEYS or any(said[key] != value for key, value in FIXED.items()):
        raise ValueError("'ties' does not say how they were reported in the words of a release")
    flip = int(said["flip"])
    if str(flip) != said["flip"] or not 0 < flip < WHOLE // 2 or said["report"] not in ("pairs", "counts"):
        raise ValueError("the flip is no weight below one half")
    names, sizes = said["classes"], said["sizes"]
    good = isinstance(names, list) and isinstance(sizes, list) and len(names) == len(sizes) and len(set(names)) == len(names)
    if not good or not all(type(size) is int and size >= 0 for size in sizes) or sum(sizes) != told.rows:
        raise ValueError("the classes do not have sizes that add up to the people")
    return _Ties(flip, said["report"] == "pairs", said["classes_by"], names, sizes)


def _check_classes(contents: Mapping[str, bytes], told: Told, ties: _Ties) -> None:
    """Raise ValueError if the classes are none that chance or an answer would make: they could come from the ties."""
    if ties.single or ties.by == "everyone":
        good = ties.single and ties.by == "everyone" and ties.names == ["everyone"]
    elif ties.by == "chance":
        good = ties.names == [f"G{i + 1}" for i in range(len(ties.names))] and max(ties.sizes) - min(ties.sizes) <= 1
    else:
        line = next((line for line in told.lines if line.name == ties.by), None)
        table = csv_lines(contents, "records.csv")
        good = line is not None and ties.by in table.header
        if line is not None and good:
            place = table.header.index(ties.by)
            seen = Counter(row.cells[place] for row in table.lines)
            good = ties.names == list(line.texts) and ties.sizes == [seen[name] for name in line.texts]
    if not good:
        raise ValueError("the classes are not those of chance, of a column of records.csv, or everyone")


def _upper(ties: _Ties) -> Iterator[tuple[int, int]]:
    return ((a, b) for a in range(len(ties.names)) for b in range(a, len(ties.names)))


def _reported(contents: Mapping[str, bytes], told: Told, ties: _Ties) -> Iterator[int]:
    table = csv_lines(contents, REPORTS)
    if table.faults or table.header != (("source", "target") if ties.single else ("source", "target", "reported")):
        raise ValueError("the reports are no table of pairs")
    if ties.single:
        pairs = [(whole(line.cells[0]) or 0, whole(line.cells[1]) or 0) for line in table.lines]
        if pairs != sorted(set(pairs)) or not all(0 < a < b <= told.rows for a, b in pairs):
            raise ValueError("a pair is not two rows of reports.csv, smaller first, once and in order")
        yield len(pairs)
        return
    expected = [(ties.names[a], ties.names[b]) for a, b in _upper(ties)]
    if [line.cells[:2] for line in table.lines] != expected:
        raise ValueError("not one line for each pair of classes, in order")
    for line, (a, b) in zip(table.lines, _upper(ties), strict=True):
        count = whole(line.cells[2])
        if count is None or count > ties.pairs(a, b):
            raise ValueError("more pairs are reported than there are")
        yield count


def _estimate_faults(
    contents: Mapping[str, bytes], ties: _Ties, expected: Sequence[tuple[str, str, int, int]]
) -> Iterator[Finding]:
    table = csv_lines(contents, ESTIMATES)
    yield from table.faults
    if table.header != ("source", "target", "ties_estimate", "se") or len(table.lines) != len(expected):
        yield broken(TIES, "does not have one estimate for each pair of classes", ESTIMATES)
        return
    gain = (WHOLE - 2 * ties.flip) / WHOLE
    for line, (a, b, count, pairs) in zip(table.lines, expected, strict=True):
        value = (count - pairs * ties.chance) / gain
        spread = math.sqrt(pairs * ties.chance * (1 - ties.chance)) / gain
        if line.cells[:2] != (a, b) or not (_near(line.cells[2], value) and _near(line.cells[3], spread)):
            yield broken(TIES, "is not the estimate that the reports give", ESTIMATES, line.number)


def _near(text: str, value: float) -> bool:
    try:
        return len(text) <= 24 and math.isclose(float(text), value, rel_tol=1e-9, abs_tol=1e-6)
    except ValueError:
        return False


def _possible(seen: int, low: float, high: float, pairs: int, chance: float) -> bool:
    spread = _SIGMAS * math.sqrt(pairs * chance * (1 - chance)) + _SIGMAS
    return low - spread <= seen <= high + spread


def tie_truth_faults(contents: Mapping[str, bytes], told: Told, ties: int) -> Iterator[Finding]:
    """Find a number of reported pairs that the declared flip would not have given for so many true ties."""
    try:
        own = _read(told)
        seen = sum(_reported(contents, told, own))
    except (ValueError, KeyError, TypeError):
        yield broken("truth.ties", "cannot be compared", REPORTS)
        return
    pairs = told.rows * (told.rows - 1) // 2
    mean = ties * (1 - own.chance) + (pairs - ties) * own.chance
    if not _possible(seen, mean, mean, pairs, own.chance):
        yield broken("truth.ties", "the number of reported pairs is not what the flip makes of these ties", REPORTS)

