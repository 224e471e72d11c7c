"""The whole audit of a release that claims a budget, from its files alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from graphanon.audit.finding import Finding, broken, settled
from graphanon.audit.letter import private_letter_faults
from graphanon.audit.private.answers import centre_faults, chance_faults, read_answers, record_faults
from graphanon.audit.private.ledger import Asked, epsilon_findings, read_questions
from graphanon.audit.private.noise import noise_findings
from graphanon.audit.private.statement import Told, read_told
from graphanon.audit.private.ties import tie_findings, tie_truth_faults
from graphanon.audit.private.truth import answer_faults, domain_faults, people_of, row_faults
from graphanon.audit.statement import JSON
from graphanon.audit.wording import Wording

__all__ = ["private_findings", "private_truth"]

FORM = ("files", "format", "statement", "codebook", "readme", "domain", "questions", "cells", "sums", "chance")
UNSEEN = {
    "perturbed-table": "what people's own devices really did cannot be seen from files: this recounts what the release declares",
    "centres": "what devices and servers really did cannot be seen from files: this recounts what the release declares",
}
PLAN = ("kind", "scope", "asked", "lines", "questions")


def private_findings(contents: Mapping[str, bytes]) -> list[Finding]:
    """Return what an outsider finds of every budget of a release, and of its form."""
    told, faults = read_told(contents)
    if told is None:
        return [broken("epsilon.record", "cannot be recounted: the files cannot be understood"),
                *settled(("files",), faults)]
    promises, more = _recounted(contents, told)
    faults += [*more, *_extra_files(contents, told), *private_letter_faults(contents, told.kind, told.rows)]
    return [*promises, _purpose(told), Finding(promise="clients", holds=True, detail=UNSEEN[told.kind]), *settled(FORM, faults)]


def _recounted(contents: Mapping[str, bytes], told: Told) -> tuple[list[Finding], list[Finding]]:
    if told.kind == "centres" and "questions" not in told.plan:
        promises = list(noise_findings(told))
        return [p for p in promises if p.promise.startswith("epsilon")], [
            *(p for p in promises if not p.promise.startswith("epsilon")), *centre_faults(contents, told)]
    try:
        questions, asked = _questions(told.plan, told)
    except ValueError as error:
        return [broken("epsilon.record", "cannot be recounted")], [broken("questions", str(error), JSON)]
    promises = list(epsilon_findings(told.epsilon, questions, told.lines, asked))
    if told.kind == "centres":
        return promises, list(centre_faults(contents, told))
    more = list(tie_findings(contents, told)) if told.ties is not None else []
    promises += [finding for finding in more if finding.promise.startswith("epsilon")]
    answers, faults = read_answers(contents, told, questions, asked)
    faults += [finding for finding in more if not finding.promise.startswith("epsilon")]
    if not faults:
        faults += chance_faults(answers, told, questions, asked)
        faults += record_faults(contents, told, questions, answers, asked)
    return promises, faults


def private_truth(
    contents: Mapping[str, bytes], people: Mapping[str, Sequence[str | None]], said: Wording, ties: int | None = None
) -> list[Finding]:
    """Return how randomized answers compare with the people they are from and with the schema's domains.

    `ties` is how many distinct ties they have, None if nobody says.
    """
    told, _ = read_told(contents)
    if told is None:
        return [broken("truth.people", "the release cannot be understood; audit its files first")]
    faults = list(domain_faults(contents, told, said))
    if told.kind == "centres":
        return settled(("truth.columns", "truth.domain"), faults)
    own = people_of(people, told, said.missing)
    faults += row_faults(told, own)
    try:
        questions, asked = _questions(told.plan, told)
        answers, _ = read_answers(contents, told, questions, asked)
        faults += answer_faults(told, own, questions, answers)
    except ValueError as error:
        faults.append(broken("truth.answers", f"cannot be compared: {error}", JSON))
    compare = ties is not None and told.ties is not None
    faults += tie_truth_faults(contents, told, ties) if ties is not None and compare else ()
    more = ("truth.ties",) if compare else ()
    return settled(("truth.people", "truth.columns", "truth.domain", "truth.answers", *more), faults)


def _questions(plan: Mapping[str, Any], told: Told) -> tuple[list[Asked], int]:
    entries, asked = plan.get("questions"), plan.get("asked")
    if tuple(plan) != PLAN or plan["scope"] not in ("record", "feature", "bit") or plan["kind"] not in ("columns", "pairs"):
        raise ValueError("'plan' does not say what is asked in the words of a release")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError("'plan.questions' is not a list of questions")
    if type(asked) is not int or not 1 <= asked <= len(entries):
        raise ValueError("'plan.asked' is not how many of the questions a person answers")
    questions = read_questions(entries, told.lines)
    columns = [(j,) for j in range(len(told.lines))]
    wanted = columns if plan["kind"] == "columns" else list(combinations(range(len(told.lines)), 2)) or columns
    if [question.attributes for question in questions] != wanted:
        raise ValueError("not every column, or every pair of them, is asked for once, in their order")
    if asked > 1 and len({question.chance for question in questions}) > 1:
        raise ValueError("questions have chances of their own although a person answers several")
    return questions, asked


def _purpose(told: Told) -> Finding:
    detail = "" if told.for_release else "made with a seed, which undoes the chance for whoever knows it: not to be handed out"
    return Finding(promise="for_release", found=told.for_release, holds=True, detail=detail)


def _extra_files(contents: Mapping[str, bytes], told: Told) -> Iterator[Finding]:
    expected = {"codebook.csv", "release.json", "README.txt", "SHA256SUMS"}
    expected |= {"tie_reports.csv", "tie_estimates.csv"} if told.ties is not None else set()
    expected |= {"reports.csv", "records.csv"} if told.kind == "perturbed-table" else {"centres.csv"}
    expected |= {f"hierarchies/{c.facts['hierarchy']}" for c in told.columns if "hierarchy" in c.facts}
    yield from (broken("files", "is not part of a release", name) for name in sorted(set(contents) - expected))
    missing = expected - set(contents) - {"records.csv"}
    yield from (broken("files", "is missing", name) for name in sorted(missing))
