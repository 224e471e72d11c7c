"""What a page is about: the files of a release, read and recounted by the audit, not by those who made them.

A page is drawn only of a release that holds what it says, so that nothing on it is better than the files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphanon.audit import Finding, audit_release
from graphanon.audit.files import load
from graphanon.audit.groups import Group, Groups, read_groups
from graphanon.audit.statement import Attribute, Statement, read_statement
from graphanon.audit.values import Cover, ValueLine, value_lines
from graphanon.errors import BrokenPromise, InputProblem, Problem

__all__ = ["GROUPED", "Subject", "checked", "look", "stated"]

GROUPED = ("supernode-graph", "table")
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Subject:
    """An audited release of supernodes or of a table; `classes` numbers the classes for everything drawn of it."""

    folder: Path
    told: Mapping[str, Any]
    statement: Statement
    groups: Groups
    lines: Mapping[str, ValueLine]
    findings: tuple[Finding, ...]
    files: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Subject({len(self.classes)} {self.word}s)"

    @property
    def classes(self) -> tuple[Group, ...]:
        """The classes in the order of the files."""
        return tuple(self.groups.by_name.values())

    @property
    def word(self) -> str:
        """What the release calls a class."""
        return "supernode" if self.statement.graph else "class"

    @property
    def unit(self) -> str:
        """What the release calls a tie."""
        return "arcs" if self.statement.directed else "ties"

    @property
    def sizes(self) -> Ints:
        """People in each class, int64[K]."""
        return np.array([group.size for group in self.classes], dtype=np.int64)

    @property
    def inside(self) -> Ints:
        """Ties inside each class, int64[K]."""
        return np.array([group.inside for group in self.classes], dtype=np.int64)

    @property
    def superedges(self) -> tuple[Ints, Ints]:
        """The two ends, int64[m, 2], and the ties of each listed pair of classes, int64[m]."""
        number = {name: i for i, name in enumerate(self.groups.by_name)}
        ends = np.array([(number[a], number[b]) for a, b in self.groups.ties], dtype=np.int64).reshape(-1, 2)
        return ends, np.array(list(self.groups.ties.values()), dtype=np.int64)

    @property
    def quasi(self) -> tuple[Attribute, ...]:
        """The attributes that are generalized."""
        return self.statement.of_role("quasi")

    @property
    def payload(self) -> tuple[Attribute, ...]:
        """The attributes whose values are counted inside the classes."""
        return self.statement.of_role("sensitive", "open")

    def covers(self, place: int) -> tuple[Cover, ...]:
        """Return what the cells of the quasi attribute at this place cover, one a class."""
        return tuple(group.covers[place] for group in self.classes)

    def lost(self) -> Floats:
        """Return float64[K, q], the share 0 to 1 of its meaning that each cell has lost, by values covered."""
        costs = np.zeros((len(self.classes), len(self.quasi)))
        for j, attribute in enumerate(self.quasi):
            line = self.lines[attribute.name]
            costs[:, j] = [line.cost(cover, "leaves") for cover in self.covers(j)]
        return costs


def stated(folder: Path) -> dict[str, Any]:
    """Return what release.json of a release folder says.

    Raises
    ------
    InputProblem
        If the folder is no release.
    """
    file = folder / "release.json"
    if not file.is_file():
        raise InputProblem(Problem(what="is no release folder: it has no release.json", file=str(folder),
                                   allowed="the folder OUT of a run, or its OUT/release"))
    try:
        told = json.loads(file.read_bytes())
    except ValueError as error:
        what = "is no statement of a release: it is not valid JSON"
        raise InputProblem(Problem(what=what, file=str(file), fix=f"graphanon audit {folder}")) from error
    if not isinstance(told, dict) or not isinstance(told.get("kind"), str):
        raise InputProblem(Problem(what="is no statement of a release", file=str(file), fix=f"graphanon audit {folder}"))
    return told


def look(folder: Path) -> Subject:
    """Return a release of supernodes or of a table, recounted.

    Raises
    ------
    InputProblem
        If the folder is no release.
    BrokenPromise
        If the audit finds anything in it that does not hold.
    """
    told, findings = stated(folder), checked(folder)
    contents, _ = load(folder)
    statement, _ = read_statement(contents)
    assert statement is not None
    lines, _ = value_lines(contents, statement)
    groups, _ = read_groups(contents, statement, lines)
    return Subject(folder=folder, told=told, statement=statement, groups=groups, lines=lines, findings=findings,
                   files=tuple(sorted(contents)))


def checked(folder: Path) -> tuple[Finding, ...]:
    """Return what the audit finds of a release folder.

    Raises
    ------
    BrokenPromise
        If anything of it does not hold.
    """
    findings = audit_release(folder)
    wrong = [finding for finding in findings if not finding.holds]
    if wrong:
        what = "does not hold what it says, and a page would repeat it"
        raise BrokenPromise(
            [Problem(what=what, file=str(folder), fix=f"graphanon audit {folder}"),
             *(Problem(what=str(finding)) for finding in wrong[:5])],
            findings=[finding.as_json() for finding in findings],
        )
    return findings
