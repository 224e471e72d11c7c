"""What leaves the house: publish a grouping, write it whole or not at all, read it back."""

from __future__ import annotations

from graphanon.release.model import Count, PublicColumn, Records, Release, SuperTies
from graphanon.release.perturbed import PerturbedRelease, described, publish_centres, publish_reports
from graphanon.release.publishing import Published, publish, publish_with_key
from graphanon.release.reading import read, read_any
from graphanon.release.rendering import render
from graphanon.release.workspace import Workspace, write

__all__ = [
    "Count",
    "PerturbedRelease",
    "PublicColumn",
    "Published",
    "Records",
    "Release",
    "SuperTies",
    "Workspace",
    "described",
    "publish",
    "publish_centres",
    "publish_reports",
    "publish_with_key",
    "read",
    "read_any",
    "render",
    "write",
]
