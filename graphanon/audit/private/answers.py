"""The answers of a release held against the questions: who answered what, and whether chance could have given it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import combinations

from graphanon.audit.files import Lines, csv_lines
from graphanon.audit.finding import Finding, broken
from graphanon.audit.private.ledger import Asked, Line
from graphanon.audit.private.statement import Told

__all__ = ["Answered", "centre_faults", "chance_faults", "read_answers", "record_faults"]

REPORTS, RECORDS, CENTRES = "reports.csv", "records.csv", "centres.csv"

_LOOKED = 50_000
_USUAL, _FEW = 2, 20
_EXACT = 1e-4  # shares are rounded

Answered = list[list[str]]


def read_answers(
    contents: Mapping[str, bytes], told: Told, questions: Sequence[Asked], asked: int
) -> tuple[Answered, list[Finding]]:
    """Return the texts that answer each question, and what is wrong with the lines that hold them."""
    table = csv_lines(contents, REPORTS)
    faults = list(table.faults)
    single = asked == 1 and len(questions) > 1
    titles = [" & ".join(told.lines[j].name for j in question.attributes) for question in questions]
    header = ("question", "answer") if single else tuple(titles)
    if table.header != header:
        return [[] for _ in questions], [*faults, broken("cells", "the header is not what the questions make it", REPORTS, 1)]
    if len(table.lines) != told.rows:
        faults.append(broken("sums", f"{len(table.lines)} lines, not one for each of {told.rows} people", REPORTS))
    answers: Answered = [[] for _ in questions]
    for line in table.lines:
        own = _own(line.cells, len(questions), single=single)
        if own is None or len(own) != asked or not all(questions[i].mechanism.is_answer(text) for i, text in own):
            what = f"is not the answer to {asked} of the questions as their mechanisms give it"
            faults.append(broken("cells", what, REPORTS, line.number))
            continue
        for i, text in own:
            answers[i].append(text)
    return answers, faults


def _own(cells: Sequence[str], count: int, *, single: bool) -> list[tuple[int, str]] | None:
    if not single:
        return [(i, text) for i, text in enumerate(cells) if text]
    number, text = cells
    known = number.isascii() and number.isdigit() and str(int(number)) == number and int(number) < count
    return [(int(number), text)] if known else None


def chance_faults(answers: Answered, told: Told, questions: Sequence[Asked], asked: int) -> Iterator[Finding]:
    """Find answers that the declared mechanisms would not have given, whatever the records were."""
    total = sum(question.chance for question in questions)
    for question, texts in zip(questions, answers, strict=True):
        title = " & ".join(told.lines[j].name for j in question.attributes)
        each = told.rows * asked * question.chance / total
        wide = 6 * max(each, 1) ** 0.5 + 6
        if asked < len(questions) and abs(len(texts) - each) > wide:
            yield broken("chance", f"'{title}' was asked of {len(texts)} people, where chance gives about {each:.0f}", REPORTS)
        strange = [group.what for group in question.mechanism.groups(Counter(texts)) if not group.possible()]
        if strange:
            what = f"the answers to '{title}' were not drawn as declared: {', '.join(strange[:3])}"
            yield broken("chance", what, REPORTS)
    if asked == len(questions):
        yield from _joint_faults(answers, told, questions)


def _joint_faults(answers: Answered, told: Told, questions: Sequence[Asked]) -> Iterator[Finding]:
    """Find answers that go together more than those drawn apart can, such as columns that left as they were.

    Among people who said the same to one question, answers to another have the chances that they have anywhere.
    """
    titles = [" & ".join(told.lines[j].name for j in question.attributes) for question in questions]
    for i, j in combinations(range(len(questions)), 2):
        first, second = answers[i][:_LOOKED], answers[j][:_LOOKED]
        for text, count in Counter(first).most_common(_USUAL):
            own = Counter(other for said, other in zip(first, second, strict=True) if said == text)
            if count >= _FEW and not all(group.possible() for group in questions[j].mechanism.groups(own)):
                what = f"the answers to '{titles[j]}' go with those to '{titles[i]}' as none that are drawn apart"
                yield broken("chance", what, REPORTS)


def record_faults(
    contents: Mapping[str, bytes], told: Told, questions: Sequence[Asked], answers: Answered, asked: int
) -> Iterator[Finding]:
    """Find records that are not the answers decoded; records may only be there where every answer decodes."""
    plain = asked == len(questions) == len(told.lines) and all(
        question.attributes == (j,) and question.whole and question.mechanism.cell
        for j, question in enumerate(questions))
    if RECORDS not in contents or not plain:
        if (RECORDS in contents) != plain:
            yield broken("files", "is there exactly where every answer is a value of its column", RECORDS)
        return
    table = csv_lines(contents, RECORDS)
    yield from table.faults
    if table.header != tuple(line.name for line in told.lines) or len(table.lines) != told.rows:
        yield broken("cells", "does not have the columns and people of the release", RECORDS)
        return
    for j, question in enumerate(questions):
        yield from _decoded_faults(table, j, told.lines[j], question, answers[j])


def _decoded_faults(table: Lines, j: int, line: Line, question: Asked, answers: Sequence[str]) -> Iterator[Finding]:
    cell = question.mechanism.cell
    assert cell is not None
    decoded = {text: line.texts[cell(text)] for text in set(answers)}
    for row, text in zip(table.lines, answers, strict=False):
        if row.cells[j] != decoded[text]:
            yield broken("cells", f"'{line.name}' is not what was answered", RECORDS, row.number)


def centre_faults(contents: Mapping[str, bytes], told: Told) -> Iterator[Finding]:
    """Find centres that are not named C1 …, or lie outside the domains."""
    table = csv_lines(contents, CENTRES)
    yield from table.faults
    own = tuple(line.name for line in told.lines)
    if table.header not in (("centre", *own), ("centre", "share", *own)) or len(table.lines) != told.rows:
        yield broken("cells", "does not have the columns and as many centres as release.json says", CENTRES)
        return
    before = len(table.header) - len(own)
    for number, row in enumerate(table.lines, start=1):
        good = row.cells[0] == f"C{number}" and (before == 1 or _is_share(row.cells[1]))
        good = good and all(_in_domain(text, line) for text, line in zip(row.cells[before:], told.lines, strict=True))
        if not good:
            yield broken("cells", "is not a centre named in order whose values lie in their domains", CENTRES, row.number)
            return
    if before == 2 and abs(sum(float(row.cells[1]) for row in table.lines) - 1) > _EXACT:
        yield broken("sums", "the shares of the centres do not add up to 1", CENTRES)


def _is_share(text: str) -> bool:
    return _between(text, "0", "1") and text == f"{float(text):.6g}"


def _in_domain(text: str, line: Line) -> bool:
    """Return whether a centre may have this value: of numbers an end, or a mean with six digits."""
    if not line.numeric:
        return text in line.texts
    low, high = line.texts[0], line.texts[-1] or line.texts[-2]
    return text in (low, high) or (_between(text, low, high) and text == f"{float(f'{float(text):.6g}'):.12g}")


def _between(text: str, low: str, high: str) -> bool:
    try:
        # NaN compares with nothing
        return len(text) <= 24 and Decimal(low) <= Decimal(text) <= Decimal(high)
    except InvalidOperation:
        return False
