"""Reading people, ties and schemas as people have them."""

from graphanon.io.readers import FORMATS, read
from graphanon.io.source import Reading, ReadOptions, ReadReport, Source, Table, Ties

__all__ = ["FORMATS", "ReadOptions", "ReadReport", "Reading", "Source", "Table", "Ties", "read"]
