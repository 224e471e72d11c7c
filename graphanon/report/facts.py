"""What a page says, as data: the JSON twin that stands beside it.

`public` is counted from the files of a release and from nothing else. `internal` adds what only the custodian
may know: the record of the run, and which classes come closest to telling something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from graphanon.audit import Finding
from graphanon.audit.groups import Group
from graphanon.audit.statement import Attribute
from graphanon.report.subject import Subject
from graphanon.report.words import FILES, MEASURES, loss_words, promise_words

__all__ = ["internal", "public"]

VALUES = 12  # values of an attribute that a page lists; the files list all
WORST = 5
GROUPED_PROMISES = ("k", "alpha", "l", "t", "tie_confidence")


def public(subject: Subject) -> dict[str, Any]:
    """Return what the page for recipients says of a release."""
    statement = subject.statement
    kept = statement.people - statement.withheld
    return {
        "report": 1,
        "audience": "public",
        "kind": subject.told["kind"],
        "word": subject.word,
        "unit": subject.unit,
        "software": subject.told["software"],
        "method": statement.method,
        "people": statement.people,
        "withheld": statement.withheld,
        "kept": kept,
        "groups": len(subject.classes),
        "k": statement.promises["k"],
        **(_ties(subject) if statement.graph else {}),
        "checks": len(subject.findings),
        "promises": [_promise(finding, subject) for finding in subject.findings if _of_groups(finding)],
        "losses": [_loss(name, value) for name, value in statement.losses.items()],
        "sizes": [{"people": size, "groups": number} for size, number in sorted(Counter(subject.sizes.tolist()).items())],
        "attributes": list(_attributes(subject)),
        "values": [_values(subject, attribute) for attribute in subject.payload],
        "files": [{"name": name, "says": FILES.get(name, "A hierarchy: each value and the groups above it.")}
                  for name in subject.files],
    }


def _of_groups(finding: Finding) -> bool:
    return finding.promise.partition(".")[0] in GROUPED_PROMISES


def _promise(finding: Finding, subject: Subject) -> dict[str, Any]:
    title, meaning = promise_words(finding.promise, [attribute.name for attribute in subject.payload])
    told = {"promise": finding.promise, "title": title, "meaning": meaning, "asked": finding.asked, "found": finding.found}
    return told | {"holds": finding.holds}


def _loss(name: str, value: float) -> dict[str, Any]:
    title, meaning, scaled = loss_words(name)
    return {"loss": name, "title": title, "meaning": meaning, "value": value, "scaled": scaled}


def _ties(subject: Subject) -> dict[str, Any]:
    inside = int(subject.inside.sum())
    return {
        "ties": subject.statement.ties,
        "ties_inside": inside,
        "ties_between": subject.statement.ties - inside,
        "superedges": len(subject.groups.ties),
        "directed": subject.statement.directed,
    }


def _attributes(subject: Subject) -> Iterator[dict[str, Any]]:
    """Yield each generalized attribute with what is left of it, as shares of the people who are told of."""
    lost, sizes = subject.lost(), subject.sizes
    people = max(int(sizes.sum()), 1)
    for j, attribute in enumerate(subject.quasi):
        covers = subject.covers(j)
        nothing = np.array([cover.any for cover in covers], dtype=bool)
        exact = np.array([not c.any and cost == 0 for c, cost in zip(covers, lost[:, j].tolist(), strict=True)], dtype=bool)
        yield {
            "name": attribute.name,
            "type": attribute.type,
            "told_as": _told_as(attribute),
            "lost": float(sizes @ lost[:, j]) / people,
            "exact": float(sizes[exact].sum()) / people,
            "any": float(sizes[nothing].sum()) / people,
        }


def _told_as(attribute: Attribute) -> str:
    """Return how the cells of an attribute are to be read."""
    if attribute.type == "number":
        low, high = attribute.facts["range"]
        return f"lowest and highest number, within {low} to {high}"
    if attribute.type == "order":
        return "first and last rank"
    return "a value, or the group of values above it" if "hierarchy" in attribute.facts else "a value, or any"


def _values(subject: Subject, attribute: Attribute) -> dict[str, Any]:
    tallies = [group.tallies[attribute.name] for group in subject.classes]
    whole: Counter[str] = sum(tallies, Counter())
    people = max(whole.total(), 1)
    listed = sorted(whole.items(), key=lambda item: (-item[1], item[0]))
    return {
        "name": attribute.name,
        "role": attribute.role,
        "distinct": len(whole),
        "values": [{"value": value, "people": count, "share": count / people} for value, count in listed[:VALUES]],
    }


def internal(subject: Subject, run: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the custodian's page says: the public facts, the record of the run, and the worst classes."""
    told = public(subject) | {"audience": "internal"}
    return told | {
        "run": {name: run.get(name) for name in ("method", "parameters", "seed", "requirement", "seconds", "refined")},
        "read": run.get("read", {}),
        "original": run.get("original"),
        "private_losses": _private(run.get("losses", {}), subject.statement.losses),
        "measures": [{"measure": name, "title": title, "meaning": meaning, "value": run["losses"][name]}
                     for name, (title, meaning) in MEASURES.items() if name in run.get("losses", {})],
        "utility": run.get("utility") or {},
        "alike": [_alike(subject, attribute.name) for attribute in subject.statement.of_role("sensitive")],
        "findings": run.get("findings", []),
        "worst": list(_worst(subject)),
    }


def _private(losses: Mapping[str, Any], public_: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in losses.items() if name not in public_}


def _alike(subject: Subject, attribute: str) -> dict[str, Any]:
    """Return in how many classes everyone has the same value, and how many people that are."""
    alike = [group.size for group in subject.classes if len(group.tallies[attribute]) == 1]
    return {"name": attribute, "groups": len(alike), "people": sum(alike)}


def _worst(subject: Subject) -> Iterator[dict[str, Any]]:
    """Yield the classes that come closest to telling something, a few for each way in which they could."""
    classes = subject.classes
    name = "{}" if subject.statement.graph else "class {}"
    small = sorted(classes, key=lambda group: group.size)[:WORST]
    yield {"risk": f"the smallest {_plural(subject.word)}", "why": "the fewest people that one is hidden among",
           "classes": [{"name": name.format(g.name), "people": g.size, "told": f"{g.size} people"} for g in small]}
    for attribute in subject.statement.of_role("sensitive"):
        yield {"risk": f"the most telling of {attribute.name}",
               "why": "the largest share of one value: the surer one can be of everyone in it",
               "classes": [_most_telling(group, attribute.name, name) for group in _telling(classes, attribute.name)]}
    if subject.statement.graph:
        yield {"risk": f"the densest {subject.unit}", "why": "the pairs of people that one can be surest are tied",
               "classes": list(_densest(subject))}
    lost = subject.lost()
    if lost.shape[1]:
        mean = lost.mean(axis=1)
        order = np.argsort(-mean, kind="stable")[:WORST].tolist()
        yield {"risk": f"the {_plural(subject.word)} that lost most detail", "why": "the average share of each attribute's values that is possible there",
               "classes": [{"name": name.format(classes[i].name), "people": classes[i].size, "told": f"{_percent(mean[i])} lost"} for i in order]}


def _plural(word: str) -> str:
    return "classes" if word == "class" else word + "s"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _telling(classes: Sequence[Group], attribute: str) -> list[Group]:
    return sorted(classes, key=lambda group: (-_top(group, attribute)[1] / group.size, -group.size))[:WORST]


def _top(group: Group, attribute: str) -> tuple[str, int]:
    tally = group.tallies[attribute]
    return max(tally.items(), key=lambda item: (item[1], item[0]), default=("", 0))


def _most_telling(group: Group, attribute: str, name: str) -> dict[str, Any]:
    value, count = _top(group, attribute)
    told = f"{value or '(missing)'}: {count} of {group.size}, {_percent(count / group.size)}"
    return {"name": name.format(group.name), "people": group.size, "told": told}


def _densest(subject: Subject) -> Iterator[dict[str, Any]]:
    """Yield the blocks, inside a supernode or between two, with the largest share of possible ties."""
    by_name, directed = subject.groups.by_name, subject.statement.directed
    blocks = [(g.inside, g.size * (g.size - 1) // (1 if directed else 2), f"inside {g.name}", g.size) for g in by_name.values()]
    blocks += [(ties, by_name[a].size * by_name[b].size, f"{a} {'to' if directed else 'with'} {b}", by_name[a].size + by_name[b].size)
               for (a, b), ties in subject.groups.ties.items()]
    densest = sorted((block for block in blocks if block[1]), key=lambda block: -block[0] / block[1])[:WORST]
    for ties, pairs, name, people in densest:
        yield {"name": name, "people": people, "told": f"{ties} of {pairs} pairs, {_percent(ties / pairs)}"}
