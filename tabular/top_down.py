"""Top-down local recoding: begin with everything told as ``*`` and say more wherever it can be said.

R. Wong, J. Li, A. Fu and K. Wang, *(alpha, k)-Anonymity: An Enhanced k-Anonymity Model for Privacy-Preserving Data
Publishing*, KDD 2006. A class is pushed one level down along one attribute. Parts that do not keep what is asked go
back up; if those who went back do not keep it either, others join them, of parts that can spare them. Those
who stay behind are told on the level of the class; the parts are pushed on. Of several attributes the one is taken
that moves most people down, of equals the one with fewer branches. Who joins is open in the paper: here whoever
brings those behind nearest to what is asked, of equals one whose own values are rare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphanon.floors import needs
from graphanon.graph import AttributedGraph
from graphanon.grouping import Boxes
from graphanon.kernels.descent import fall
from graphanon.kernels.rules import complies, excess
from graphanon.method import About, RecodeFirst, parameter
from graphanon.progress import advance
from graphanon.requirement import Requirement
from graphanon.tabular.ladders import Ladders, ladders_of
from graphanon.tabular.lattice import weigh_node
from graphanon.tabular.limits import blocked

__all__ = ["TopDown"]

Ints = NDArray[np.int64]
_STAGE = "say more"


@dataclass(frozen=True, kw_only=True)
class TopDown(RecodeFirst):
    """Say more of each class as long as its parts keep what is asked.

    ======  ======  ==========  =================
    ties    numbers categories  sensitive values
    ======  ======  ==========  =================
    no      yes     yes         promises are kept
    ======  ======  ==========  =================

    Source: R. Wong, J. Li, A. Fu and K. Wang, (alpha, k)-Anonymity, 2006 (local recoding).

    Examples
    --------
    >>> TopDown(top_up=False)
    TopDown(top_up=False)
    """

    about: ClassVar[About] = About(
        name="top-down",
        paper="Wong, Li, Fu and Wang, (alpha, k)-Anonymity, 2006 (local recoding)",
        guarantee="every class has at least k people and keeps what is promised of sensitive values",
        ties=False,
        sensitive=True,
    )

    top_up: bool = parameter(
        default=True, text="let single people join those who stay behind; else whole parts go back, the smallest first"
    )

    def recode(self, graph: AttributedGraph, requirement: Requirement, rng: Generator) -> Boxes:
        """Return everyone's box where nothing more could be said."""
        del rng
        ladders = ladders_of(graph, requirement)
        tops = tuple(ladders.tops.tolist())
        if weigh_node(ladders, tops)[0] > int(requirement.withhold * graph.n + 1e-9):
            raise blocked(graph, ladders, requirement)
        descent = _Descent(ladders, needs(graph, requirement), top_up=self.top_up)
        return ladders.boxes(descent.levels())


class _Push(NamedTuple):
    """One attribute told finer: the parts that go down, and who stays behind."""

    attribute: int
    parts: list[Ints]
    behind: Ints


class _Descent:
    """Everyone's levels in the making."""

    def __init__(self, ladders: Ladders, need: Ints, *, top_up: bool) -> None:
        self.ladders, self.rules, self.need, self.top_up = ladders, ladders.rules, need, top_up
        self.place = np.ascontiguousarray(ladders.points.base[ladders.inverse].T)
        self.rarity = ladders.points.weight[ladders.inverse]
        self.level = np.repeat(ladders.tops[None], ladders.people, axis=0)

    def levels(self) -> Ints:
        """Return int64[n, q], the level on which each cell is told."""
        waiting = [part for part in self._roots() if self._good(part)]
        settled = 0
        while waiting:
            members = waiting.pop()
            push = self._best_push(members)
            if push is None:
                settled += len(members)
                advance(_STAGE, settled, self.ladders.people)
                continue
            settled += len(push.behind)
            for part in push.parts:
                self.level[part, push.attribute] -= 1
            waiting += push.parts[::-1]
        return self.level

    def _roots(self) -> list[Ints]:
        boxes = self.ladders.boxes(self.ladders.tops)
        rows = np.concatenate([boxes.lo, boxes.hi], axis=1)
        if not rows.shape[1]:
            return [np.arange(len(rows))]
        return _parts(np.arange(len(rows)), np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1))

    def _code(self, members: Ints, j: int) -> NDArray[np.int32]:
        """Return int32[members], the value of attribute j one level below the class."""
        return np.asarray(self.ladders.scale.code[self.level[members[0], j] - 1, self.place[j, members]])

    def _best_push(self, members: Ints) -> _Push | None:
        """Return the attribute that moves most people down; None if none moves anybody."""
        trials = []
        for j in np.flatnonzero(self.level[members[0]] > 0).tolist():
            code = self._code(members, j)
            most, _, branches = fall(members, code, self.need, self.rules, int(code.max()) + 1)
            if most:
                trials.append((-most, branches, j))
        best: tuple[int, int, int] | None = None
        chosen: _Push | None = None
        for bound, branches, j in sorted(trials):
            if best is not None and (bound, branches, j) > best:
                break
            push = self._push(members, j)
            found = (-sum(map(len, push.parts)), branches, j)
            if found[0] and (best is None or found < best):
                best, chosen = found, push
        return chosen

    def _push(self, members: Ints, j: int) -> _Push:
        parts = _parts(members, self._code(members, j))
        good = [self._good(part) for part in parts]
        behind = np.concatenate([members[:0], *(part for part, is_good in zip(parts, good, strict=True) if not is_good)])
        parts = [part for part, is_good in zip(parts, good, strict=True) if is_good]
        while len(behind) and not self._good(behind):
            joining = self._spare(parts, behind) if self.top_up else None
            if joining is None:
                smallest = min(range(len(parts)), key=lambda i: len(parts[i]))
                behind = np.concatenate([behind, parts.pop(smallest)])
            else:
                at, v = joining
                parts[at] = parts[at][parts[at] != v]
                behind = np.append(behind, v)
        return _Push(j, parts, behind)

    def _spare(self, parts: list[Ints], behind: Ints) -> tuple[int, int] | None:
        """Return the part, and the person of it, who brings those behind nearest to what is asked."""
        choices = [
            (self._lacks(np.append(behind, v)), int(self.rarity[v]), v, at)
            for at, part in enumerate(parts)
            for v in self._candidates(part)
            if self._good(part[part != v])
        ]
        if not choices:
            return None
        _, _, v, at = min(choices)
        return at, v

    def _candidates(self, part: Ints) -> Iterator[int]:
        """Yield of each combination of sensitive values one person, whose own values are rarest."""
        if len(part) <= self.need[part].min():
            return
        order = part[np.lexsort([part, self.rarity[part]])]
        seen = self.rules.codes[order]
        first = np.unique(seen, axis=0, return_index=True)[1] if seen.shape[1] else np.zeros(1, dtype=np.int64)
        yield from order[first].tolist()

    def _tally(self, members: Ints) -> NDArray[np.int32]:
        found = np.bincount(self.rules.codes[members].ravel(), minlength=len(self.rules.cap))
        return found.astype(np.int32)

    def _good(self, members: Ints) -> bool:
        if len(members) < self.need[members].max(initial=1):
            return False
        return bool(complies(self.rules, self._tally(members)[None], np.array([len(members)]), 0))

    def _lacks(self, members: Ints) -> float:
        least = int(self.need[members].max())
        return float(excess(self.rules, self._tally(members), len(members), least))


def _parts(members: Ints, code: NDArray[np.int32] | Ints) -> list[Ints]:
    """Return the members with equal codes together, in the order of codes."""
    order = np.argsort(code, kind="stable")
    cuts = np.flatnonzero(np.diff(code[order])) + 1
    return np.split(members[order], cuts)
