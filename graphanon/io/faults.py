"""All problems of a file at once, as one refusal that stays readable.

A steward who mends line 7 only to be told of line 8 loses an afternoon. Readers gather every problem
that they can see before they refuse; a file with thousands of them is cut after the first twenty,
with the number of the rest.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphanon.errors import InputProblem, Problem

__all__ = ["refusal", "refuse_any", "shown"]

_LISTED = 20


def refusal(problems: Iterable[Problem]) -> InputProblem:
    """Return every problem as one error to raise, cut after the first twenty."""
    found = list(problems)
    listed = found[:_LISTED]
    if len(found) > _LISTED:
        listed.append(Problem(what=f"and {len(found) - _LISTED:,} more", file=found[0].file))
    return InputProblem(listed)


def refuse_any(problems: Iterable[Problem]) -> None:
    """Raise every problem at once, if there is one.

    Raises
    ------
    InputProblem
        If there is a problem.
    """
    found = list(problems)
    if found:
        raise refusal(found)


def shown(names: Iterable[object], most: int = 8) -> str:
    """Return names in quotes for a message, cut after `most`.

    Examples
    --------
    >>> shown(["age", "town", "job"], most=2)
    "'age', 'town' and 1 more"
    """
    listed = [f"'{name}'" for name in names]
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more
