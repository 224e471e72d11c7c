"""Pages about a release: one for its recipients, one for its custodian, each with an explorer."""

from __future__ import annotations

from graphanon.report.pages import Reports, write_reports

__all__ = ["Reports", "write_reports"]
