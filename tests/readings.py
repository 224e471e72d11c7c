"""What a test looks at when a file was read: people, ties, and what was said of them."""

import pytest

from graphanon.errors import InputProblem
from graphanon.io import ReadOptions, read
from graphanon.io.build import build
from graphanon.schema import Column, Role, Schema, TieColumns


def graph(path, **options):
    return read(path, options=ReadOptions(**options))


def cells(source, column="id"):
    return source.people.frame[column].tolist()


def pairs(source, *more):
    return [tuple(row) for row in source.ties.frame[["source", "target", *more]].to_numpy(dtype=object).tolist()]


def problems(path, **options):
    with pytest.raises(InputProblem) as caught:
        graph(path, **options)
    return caught.value.problems


def said(source):
    return " | ".join((*source.report.notes, *source.report.warnings))


def built(source, relation=None):
    """Return the graph of a source whose every column but the id is left out."""
    columns = tuple(Column(name=name, role=Role.DROP) for name in source.people.frame.columns if name != source.id)
    return build(source, Schema(columns=columns, ties=TieColumns(relation=relation))).graph
