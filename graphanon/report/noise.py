"""What a page says of answers that were randomized, or of centres made from them: a budget, and no company.

Such a release promises epsilon alone, so the page has no classes and no k; it shows the ledger and how each
column was asked, as the statement tells them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

__all__ = ["NOISE_TERMS", "noise_facts"]

NOISE_TERMS = (
    ("epsilon (ε)", ("How much an answer can tell: whatever someone's true value is, no answer is more than e to the power ε times as"
     " likely as it would be with any other value. 0 tells nothing, and the larger it is the more an answer tells.")),
    ("mechanism", "The rule by which chance changed an answer before it was given."),
    ("ledger", "What all answers of one person spend together. Repeated runs about the same people add up."),
    ("centre", "A typical person of many, as far as the noise shows one. Nobody needs to be like it."),
)
_TITLES = {"perturbed-table": "Randomized answers", "centres": "Centres under a privacy budget"}
_FILES = {
    "reports.csv": "What each person answered, randomized.", "records.csv": "The same answers, as records.",
    "tie_reports.csv": "What people answered about their ties, randomized.", "centres.csv": "One line a centre.",
    "tie_estimates.csv": "Estimated ties, which may be negative or fractions.",
    "codebook.csv": "What each column is.", "release.json": "Plan, budget and domains for programs.",
    "README.txt": "A letter to whoever receives the release.", "SHA256SUMS": "Checksums of the files.",
}


def noise_facts(folder: Path, told: Mapping[str, Any], *, checks: int) -> dict[str, Any]:
    """Return what the page says of a release that promises epsilon."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {
        "report": 1,
        "audience": "public",
        "kind": told["kind"],
        "title": _TITLES.get(told["kind"], f"A release of kind {told['kind']}"),
        "software": told.get("software", "graphanon"),
        "method": told.get("method"),
        "local": bool((told.get("plan") or {}).get("questions")),
        "count": told.get("people", told.get("clusters")),
        "counted": "people answered" if "people" in told else "centres",
        "checks": checks,
        "for_release": bool(told.get("for_release", True)),
        "epsilon": dict(told.get("epsilon") or {}),
        "columns": list(_columns(told)),
        "files": [{"name": name, "says": _FILES.get(name, "A hierarchy: each value and the groups above it.")} for name in names],
    }


def _columns(told: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each column with its budget and the questions about it."""
    spent = (told.get("epsilon") or {}).get("feature") or {}
    questions = (told.get("plan") or {}).get("questions") or ()
    for name in told.get("columns", {}):
        asked = [q for q in questions if name in q.get("attributes", ())]
        yield {
            "name": name,
            "mechanisms": sorted({str(q.get("mechanism", q.get("name", ""))) for q in asked} - {""}),
            "epsilon": spent.get(name),
        }
