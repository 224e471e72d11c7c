"""What a release must not tell whatever its counts say: ids, raw columns, the order of the input.

An id that happens to be a number or a word of the release's own vocabulary proves nothing: counts are
recounted from other evidence, and every file is checked word by word against what it may hold. So an id
is a leak where it stands in a name or text that is no declared label of that column: in a file that
does not belong, in a cell of text, among the labels of a hierarchy or an order. Which labels are
declared, the originals and the schema say.
"""

from __future__ import annotations

import gzip
import io
import math
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from graphanon.audit.files import csv_lines
from graphanon.audit.finding import Finding, broken
from graphanon.audit.groups import Groups
from graphanon.audit.statement import JSON, Statement
from graphanon.audit.truth import Originals

__all__ = ["id_faults", "leak_faults", "order_faults"]

RARE = math.log(1e6)
READ_AT_MOST = 50_000_000
METHODS = frozenset((
    "pas-caa", "sangreea", "caa-vs", "adaptive-dense-cfs", "sequential", "greedy", "recursive", "coaa", "kaca", "gaa-cp",
    "semi-alpha-k", "general-alpha-k", "top-down", "datafly", "datafly-fixed", "datafly-multi", "datafly-improved",
    "k-prototypes", "ekpca", "odpc", "ldpk-prototypes",
))
_NO_LETTER = re.compile(r"[^a-z]+")


def id_faults(contents: Mapping[str, bytes], expected: Collection[str], ids: Collection[str]) -> Iterator[Finding]:
    """Find ids in the names and, however encoded, in the text of files that do not belong to a release."""
    known = {person for person in ids if person}
    for name, raw in contents.items():
        if name in expected and _is_plain(raw):
            continue
        if name not in expected and known & set(_words(name)):
            yield broken("leaks", "an id is part of a file's name", name)
        for text in _texts(raw):
            line = next((i for i, part in enumerate(text.split("\n"), 1) if known & set(_words(part))), None)
            if line is not None:
                yield broken("leaks", "holds an id", name, line)
                break


def _is_plain(raw: bytes) -> bool:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return "\0" not in text and not text.startswith("\ufeff")


def _words(text: str) -> Iterator[str]:
    yield text.strip()
    for pattern in (r"[^\s,;:|\"'()\[\]{}<>=/\\]+", r"\w+", r"[^/]+", r"[\w.@+-]+(?=\.\w+$)"):
        yield from re.findall(pattern, text)


def _texts(raw: bytes) -> Iterator[str]:
    """Return the bytes as text in each way in which they could be meant."""
    if raw[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
                raw = file.read(READ_AT_MOST)
        except (OSError, EOFError, zlib.error):
            return
    yield raw.decode("utf-8-sig", "replace")
    if b"\0" in raw or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        for encoding in ("utf-16-le", "utf-16-be", "utf-32-le"):
            yield raw.decode(encoding, "replace").removeprefix("\ufeff")


def leak_faults(
    contents: Mapping[str, bytes],
    statement: Statement,
    originals: Originals,
    labels: Mapping[str, Collection[str]] | None,
) -> Iterator[Finding]:
    """Find raw columns, undeclared labels that are ids, and columns that repeat the ids."""
    told = {attribute.name: attribute.role for attribute in statement.attributes}
    allowed = {name: role for name, role in originals.roles.items() if role in ("quasi", "sensitive", "open")}
    for name in sorted(set(told) | set(allowed)):
        if told.get(name) != allowed.get(name):
            yield broken("leaks", f"column '{name}' is released as {told.get(name)}, its role is {allowed.get(name)}",
                         "codebook.csv")
    ids = {person for person in originals.row if person}
    yield from _method_faults(statement, ids)
    yield from _label_faults(contents, statement, originals, labels, ids)
    for attribute in statement.of_role("sensitive", "open"):
        if attribute.name in allowed and _repeats_ids(originals, attribute.name):
            file = "sensitive.csv" if statement.graph else "records.csv"
            yield broken("leaks", f"column '{attribute.name}' repeats what identifies people", file)


def _method_faults(statement: Statement, ids: Collection[str]) -> Iterator[Finding]:
    """Find a method that is none of those known here and is, or holds, somebody's id."""
    if statement.method in METHODS:
        return
    words = {statement.method, statement.method.replace("-", ""), *statement.method.split("-")}
    folded = (person.casefold() for person in ids)
    if any(person in words or _NO_LETTER.sub("", person) in words for person in folded):
        yield broken("leaks", "the method is none that is known and is called like an id", JSON)


def _label_faults(
    contents: Mapping[str, bytes],
    statement: Statement,
    originals: Originals,
    labels: Mapping[str, Collection[str]] | None,
    ids: Collection[str],
) -> Iterator[Finding]:
    for attribute in statement.attributes:
        values = {value or "" for value in originals.columns.get(attribute.name, ())}
        known = labels is not None and (attribute.name in labels or "hierarchy" in attribute.facts)
        declared = values | set((labels or {}).get(attribute.name, ())) | {"*", ""}
        places: list[tuple[str, int | None, str]] = []
        if "hierarchy" in attribute.facts:
            file = f"hierarchies/{attribute.facts['hierarchy']}"
            if labels is not None and attribute.name not in labels:
                yield broken("leaks", f"a hierarchy of '{attribute.name}' that nobody gave shows rare values", file)
            places += [(file, line.number, cell) for line in csv_lines(contents, file, ";", header=False).lines
                       for cell in line.cells]
        places += [(JSON, None, label) for label in attribute.facts.get("order", ())]
        alpha = statement.promises.get("alpha", {}).get(attribute.name, {})
        places += [(JSON, None, value) for value in alpha]
        for file, line, label in places:
            # without the schema's labels only an id that is no mere number can be told from a label
            telling = known or not label.isdigit()
            if label in ids and label not in declared and telling:
                yield broken("leaks", f"an id stands among the labels of '{attribute.name}'", file, line)
            elif known and label not in declared:
                yield broken("leaks", f"'{attribute.name}' has a label that the schema does not declare", file, line)


def _repeats_ids(originals: Originals, column: str) -> bool:
    """Return whether most people's cell is their own id, or the cell of a column that identifies them."""
    people = [person for person, row in originals.row.items() if row >= 0]
    cells = [originals.cell(column, person) for person in people]
    witnesses = [[originals.cell(name, person) for person in people] for name in originals.of_role("identifier")]
    identities: list[Sequence[str | None]] = [people, *witnesses]
    for identity in identities:
        telling = len(people) > 3 and len(set(identity)) > len(people) / 2
        same = sum(a is not None and a == b for a, b in zip(cells, identity, strict=True))
        if telling and same > len(people) / 2:
            return True
    return False


def order_faults(
    statement: Statement, groups: Groups, originals: Originals, key: Mapping[str, str]
) -> Iterator[Finding]:
    """Find names, lines or values that follow the order of the input.

    Chance does so too, but not once in a million releases where there are ten supernodes or more, or
    as many arrangements of lines and values; below that nothing can be said.
    """
    kept = sorted((row, key[person]) for person, row in originals.row.items() if key.get(person) and row >= 0)
    if statement.graph:
        first: dict[str, int] = {}
        for row, name in kept:
            first.setdefault(name, row)
        rows = [first[name] for name in sorted(first, key=lambda name: int(name[1:]))]
        if len(rows) >= 10 and rows in (sorted(rows), sorted(rows, reverse=True)):
            yield broken("leaks", "supernodes are named in the order of the input", "supernodes.csv")
        return
    classes = [name for _, name in kept]
    if groups.sequence in (tuple(classes), tuple(reversed(classes))) and _log_arrangements(classes) > RARE:
        yield broken("leaks", "lines stand in the order of the input", "records.csv")
    yield from _shuffle_faults(statement, groups, originals, kept)


def _shuffle_faults(
    statement: Statement, groups: Groups, originals: Originals, kept: Sequence[tuple[int, str]]
) -> Iterator[Finding]:
    person = {row: name for name, row in originals.row.items()}
    for place, attribute in enumerate(statement.of_role("sensitive", "open")):
        original: dict[str, list[str]] = {}
        for row, name in kept:
            original.setdefault(name, []).append(originals.cell(attribute.name, person[row]) or "")
        published: dict[str, list[str]] = {}
        for name, values in zip(groups.sequence, groups.payload, strict=True):
            published.setdefault(name, []).append(values[place])
        backwards = {name: values[::-1] for name, values in original.items()}
        if published in (original, backwards) and sum(map(_log_arrangements, original.values())) > RARE:
            what = f"the values of '{attribute.name}' stand in the order of the input inside every class"
            yield broken("leaks", what, "records.csv")


def _log_arrangements(values: Sequence[str]) -> float:
    """Return the logarithm of how many orders of these values can be told apart."""
    return math.lgamma(len(values) + 1) - sum(math.lgamma(count + 1) for count in Counter(values).values())
