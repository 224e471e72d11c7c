"""Data sets that come with graphanon: people in tables, and social graphs drawn between them.

:func:`load` knows them by name, :func:`cards` tells where they are from, :func:`export` writes one down as
files to start from. :func:`social` draws ties between the people of any table.
"""

from graphanon.datasets.adult import load_adult
from graphanon.datasets.card import Card, cards
from graphanon.datasets.heart import load_heart
from graphanon.datasets.named import NAMES, export, load
from graphanon.datasets.social_graphs import MODELS, Model, social
from graphanon.datasets.written import save

__all__ = [
    "MODELS", "NAMES", "Card", "Model", "cards", "export", "load", "load_adult", "load_heart", "save", "social",
]
