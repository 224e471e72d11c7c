"""Promises recounted from the written files, by code that took no part in making them."""

from __future__ import annotations

from graphanon.audit.finding import Finding, Findings
from graphanon.audit.whole import audit_answers, audit_release, audit_truth, claims_a_budget

__all__ = ["Finding", "Findings", "audit_answers", "audit_release", "audit_truth", "claims_a_budget"]
