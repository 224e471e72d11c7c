"""The audit of releases that claim a budget: declared mechanisms recomputed, answers held against them."""

from __future__ import annotations

__all__: list[str] = []
