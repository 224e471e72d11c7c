"""The file in which budgets add up over runs about the same people: one run at a time adds to it, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphanon.errors import InputProblem, Problem

__all__ = ["Before", "Commit", "held_ledger"]

Before = dict[str, Any] | None
Commit = Callable[[Mapping[str, Any]], None]


@contextmanager
def held_ledger(ledger: Path | None) -> Iterator[tuple[Before, Commit]]:
    """Yield the runs so far, None if there are none, and what writes the ledger anew; meanwhile no other run may.

    That it can be written shows before anything is drawn. Without a file nothing is read, and nothing written.

    Raises
    ------
    InputProblem
        If the file is no ledger, cannot be written, or another run is adding to it.
    """
    if ledger is None:
        yield None, lambda _: None
        return
    own = ledger.resolve()
    fresh = own.with_name(own.name + ".partial")
    _begin(ledger, fresh)
    written = False

    def commit(told: Mapping[str, Any]) -> None:
        nonlocal written
        fresh.write_text(json.dumps(told, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        fresh.replace(own)
        written = True

    try:
        yield _runs_of(own, ledger), commit
    finally:
        # once it is written, what has this name is another run's
        if not written:
            fresh.unlink(missing_ok=True)


def _begin(ledger: Path, fresh: Path) -> None:
    """Make the file that becomes the ledger; whoever makes it holds the ledger."""
    try:
        fresh.open("x").close()
    except FileExistsError as error:
        raise InputProblem(Problem(what="another run is adding to this ledger", file=str(ledger), allowed="one run at a time",
                                   fix=f"run again when it has ended; if none is under way, delete {fresh.name}")) from error
    except OSError as error:
        raise InputProblem(Problem(what=f"the ledger cannot be written: {error.strerror}", file=str(ledger),
                                   allowed="a file in a folder that is there and may be written",
                                   fix="--ledger with another file")) from error


def _runs_of(own: Path, ledger: Path) -> Before:
    from graphanon.tabular.ldp.ledger import with_run

    if not own.exists():
        return None
    try:
        told = json.loads(own.read_text(encoding="utf-8"))
        with_run(told, {})
    except (OSError, ValueError, OverflowError, RecursionError, InputProblem) as error:
        raise InputProblem(Problem(what="is no ledger of earlier runs, or it is damaged", file=str(ledger),
                                   allowed="the ledger.json of a run, or a file that is not there yet")) from error
    return dict(told)
