"""Heart: 918 patients of five hospitals, 508 of them with a heart disease.

The default schema takes the four numbers and the four categories that clustering studies use as
quasi-identifiers and the diagnosis as sensitive; fasting blood sugar, ST depression and ST slope are
dropped. Any column can be given another role.
"""

from __future__ import annotations

from collections.abc import Collection

from graphanon.datasets.bundled import schema_with, table
from graphanon.io.build import build
from graphanon.io.source import Reading, ReadReport, Source

__all__ = ["QUASI", "SENSITIVE", "load_heart"]

QUASI = (
    "Age", "Sex", "ChestPainType", "RestingBP", "Cholesterol", "RestingECG", "MaxHR", "ExerciseAngina",
)
SENSITIVE = ("HeartDisease",)


def load_heart(*, quasi: Collection[str] = QUASI, sensitive: Collection[str] = SENSITIVE) -> Reading:
    """Return the patients of Heart, without ties.

    A cholesterol (172 patients) or a blood pressure (1 patient) of 0 was not measured; it stands as in the
    source. `quasi` and `sensitive` name columns, all others are dropped.

    Raises
    ------
    InputProblem
        If a named column is not in Heart or has two roles.

    Examples
    --------
    >>> load_heart().graph
    AttributedGraph(918 people, 0 ties, 8 quasi-identifiers)
    """
    schema = schema_with("heart", quasi=quasi, sensitive=sensitive)
    return build(Source(people=table("heart"), ties=None, id=None, report=ReadReport()), schema)
