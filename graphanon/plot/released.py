"""A release folder as a picture sees it: supernodes, superedges and what is said of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphanon.errors import InputProblem, Problem

__all__ = ["Released", "read_released"]

Rows = tuple[Mapping[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Released:
    """The tables of a supernode release, as text; the order of `supernodes` numbers them."""

    about: Mapping[str, Any]
    supernodes: Rows
    superedges: Rows
    sensitive: Rows = ()

    def __repr__(self) -> str:
        return f"Released({len(self.supernodes)} supernodes, {len(self.superedges)} superedges)"

    @property
    def numbers(self) -> tuple[str, ...]:
        """Attributes that are published as a low and a high number."""
        facts = self.about.get("columns", {})
        low = [name.removesuffix("_low") for name in self._attributes() if name.endswith("_low")]
        return tuple(name for name in low if "order" not in facts.get(name, {}) and self._all_numbers(f"{name}_low"))

    @property
    def labels(self) -> tuple[str, ...]:
        """Attributes that are published as a label, or as a low and a high label."""
        numbers = self.numbers
        found = []
        for name in self._attributes():
            attribute = name.removesuffix("_low").removesuffix("_high")
            if attribute not in numbers and attribute not in found:
                found.append(attribute)
        return tuple(found)

    @property
    def inside(self) -> tuple[str, ...]:
        """Attributes whose values are counted inside the supernodes."""
        return tuple(sorted({row["attribute"] for row in self.sensitive}))

    def _attributes(self) -> list[str]:
        fixed = ("supernode", "size", "ties_inside", "arcs_inside", "weight_inside")
        return [name for name in (self.supernodes[0] if self.supernodes else ()) if name not in fixed]

    def _all_numbers(self, name: str) -> bool:
        try:
            return all(float(row[name]) == float(row[name]) for row in self.supernodes if row[name] != "*")
        except ValueError:
            return False


def read_released(folder: Path) -> Released:
    """Return the tables of a release folder.

    Raises
    ------
    InputProblem
        If the folder is no release, or no release of supernodes.
    """
    file = folder / "release.json"
    if not file.is_file():
        inner = folder / "release"
        fix = str(inner) if (inner / "release.json").is_file() else None
        raise InputProblem(Problem(what="is no release folder: it has no release.json", file=str(folder),
                                   allowed="the folder OUT/release of a run", fix=fix))
    about = json.loads(file.read_text(encoding="utf-8"))
    if about.get("kind") != "supernode-graph":
        what = f"is a release of kind '{about.get('kind')}', and the picture is one of supernodes"
        raise InputProblem(Problem(what=what, file=str(folder), allowed="a release of a graph"))
    counted = folder / "sensitive.csv"
    return Released(
        about=about,
        supernodes=_rows(folder / "supernodes.csv"),
        superedges=_rows(folder / "superedges.csv"),
        sensitive=_rows(counted) if counted.exists() else (),
    )


def _rows(file: Path) -> Rows:
    with file.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))
