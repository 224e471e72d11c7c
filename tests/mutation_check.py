"""Plants bugs in a copy of the package, one at a time, and runs the laws that must notice.

A test suite is itself a claim: that what is wrong would be seen. Each mutant below replaces one piece
of source text, of the kind that a tired programmer gets wrong, and names the tests that should fail. A
mutant whose tests all pass has survived, and the laws have a hole; one whose text is no longer in the source
has to be written again. Run ``python tests/mutation_check.py`` for the whole list.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from house import FOLDERS, ROOT

LINES, GROUPINGS, RELEASES = (f"tests/laws/test_{name}.py" for name in ("lines", "groupings", "releases"))
RECODINGS, CONTRACTION, LOSSES = (f"tests/laws/test_{name}.py" for name in ("recodings", "contraction", "losses"))
CLUSTERINGS, DATAFLY = "tests/golden/test_clustering_numbers.py", "tests/tabular/test_datafly.py"
BUDGETS, CENTRES = "tests/ldp/test_plans.py", "tests/tabular/test_private_centres.py"
FAILED = 1  # pytest's exit code for "tests ran and some failed"; anything else is not a catch


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One planted bug: what it is, where, the text that it replaces, and the law that must see it.

    `tests` is a file, `law` what the names of the tests in it that are run have in common.
    """

    what: str
    file: str
    old: str
    new: str
    tests: str
    law: str

    def __str__(self) -> str:
        return self.what


MUTANTS = (
    Mutant(
        what="the noise on a sum is made for less than a person changes",
        file="graphanon/tabular/odpc.py",
        old="sensitivity=reach)",
        new="sensitivity=1)",
        tests=CENTRES,
        law="noise_that_is_drawn",
    ),
    Mutant(
        what="a snapped number moves on when snapped again",
        file="graphanon/domain.py",
        old="self._up(np.asarray(hi, dtype=float))),",
        new="self._up(np.asarray(hi, dtype=float)) + self.grid),",
        tests=LINES,
        law="snapping_twice",
    ),
    Mutant(
        what="the low end is snapped inwards",
        file="graphanon/domain.py",
        old="least, self._down(np.asarray(lo, dtype=float))),",
        new="least, self._up(np.asarray(lo, dtype=float))),",
        tests=LINES,
        law="only_widens",
    ),
    Mutant(
        what="a missing number is an ordinary number",
        file="graphanon/domain.py",
        old="        unknown = np.asarray(hi) >= self.missing_address\n        least",
        new="        unknown = np.asarray(hi) > self.missing_address\n        least",
        tests=LINES,
        law="least_publishable",
    ),
    Mutant(
        what="bins are one step off",
        file="graphanon/domain.py",
        old="width, start = self.steps[level - 1],",
        new="width, start = self.steps[level - 2],",
        tests=LINES,
        law="bins_are_whole",
    ),
    Mutant(
        what="the bin above is closed at its upper end",
        file="graphanon/domain.py",
        old="np.minimum(lo + width - self.grid, self.high)",
        new="np.minimum(lo + width, self.high)",
        tests=LINES,
        law="bins_are_whole",
    ),
    Mutant(
        what="the common node of a tree is one level too high",
        file="graphanon/domain.py",
        old="level = np.argmax(a == b, axis=-1)",
        new="level = np.minimum(np.argmax(a == b, axis=-1) + 1, self.height)",
        tests=LINES,
        law="least_publishable",
    ),
    Mutant(
        what="leaves lie in the order of their labels",
        file="graphanon/domain.py",
        old="sorted(self.rows, key=lambda row: row[::-1])",
        new="sorted(self.rows)",
        tests=LINES,
        law="side_by_side",
    ),
    Mutant(
        what="a value's ancestors are counted from one edge up",
        file="graphanon/domain.py",
        old="min(level, self.height)]",
        new="min(level + 1, self.height)]",
        tests=LINES,
        law="lowest_level",
    ),
    Mutant(
        what="the lowest and the highest leaf of a node are swapped",
        file="graphanon/domain.py",
        old="        node = self.common_node(lo, hi)\n        return self.first[node].astype(float), self.last[node].astype(float)",
        new="        node = self.common_node(lo, hi)\n        return self.last[node].astype(float), self.first[node].astype(float)",
        tests=LINES,
        law="only_widens",
    ),
    Mutant(
        what="the leaf of a missing value counts as a declared one",
        file="graphanon/domain.py",
        old="np.minimum(self.last + 1, len(self.leaves))",
        new="(self.last + 1)",
        tests=LINES,
        law="counted_from_the_declaration",
    ),
    Mutant(
        what="kernels look at the leaves of the tree before",
        file="graphanon/domain.py",
        old="offset.append(sum(map(len, nodes)))",
        new="offset.append(sum(map(len, nodes[:-1])))",
        tests=LINES,
        law="packed_lines",
    ),
    Mutant(
        what="a class gets a box that may not be published",
        file="graphanon/grouping.py",
        old="    return snap(graph.domains, lo, hi)\n",
        new="    return Boxes(lo, hi)\n",
        tests=GROUPINGS,
        law="publishable",
    ),
    Mutant(
        what="the lower and upper sides of a box are swapped",
        file="graphanon/grouping.py",
        old="    return Boxes(out_lo, out_hi)\n",
        new="    return Boxes(out_hi, out_lo)\n",
        tests=GROUPINGS,
        law="members_lie",
    ),
    Mutant(
        what="classes look at the lower sides alone",
        file="graphanon/grouping.py",
        old="rows = np.concatenate([boxes.lo, boxes.hi], axis=1)",
        new="rows = boxes.lo",
        tests=GROUPINGS,
        law="only_their_upper",
    ),
    Mutant(
        what="withheld people count in the first class",
        file="graphanon/grouping.py",
        old="np.bincount(self.labels[self.labels >= 0],",
        new="np.bincount(np.maximum(self.labels, 0),",
        tests=GROUPINGS,
        law="add_up_to_the_people",
    ),
    Mutant(
        what="members may lie outside their box",
        file="graphanon/grouping.py",
        old="        if not inside.all():",
        new="        if not inside.any():",
        tests=GROUPINGS,
        law="single_member",
    ),
    Mutant(
        what="a class of one below k is let through",
        file="graphanon/method.py",
        old="good = kept_classes(graph, partition, requirement)",
        new="good = partition.sizes >= requirement.k - 1",
        tests=RECODINGS,
        law="one_below_k",
    ),
    Mutant(
        what="the k that a person asks for is forgotten",
        file="graphanon/method.py",
        old="good = kept_classes(graph, partition, requirement)",
        new="good = partition.sizes >= requirement.k",
        tests=RECODINGS,
        law="asks_for_more",
    ),
    Mutant(
        what="the floor of a class is lost",
        file="graphanon/method.py",
        old="Partition(number[partition.labels], least[good])",
        new="Partition(number[partition.labels])",
        tests=RECODINGS,
        law="least_size",
    ),
    Mutant(
        what="one person more than allowed is withheld",
        file="graphanon/requirement.py",
        old="allowed = int(self.withhold * people + 1e-9)",
        new="allowed = int(self.withhold * people + 1e-9) + 1",
        tests=RECODINGS,
        law="withheld or withholding",
    ),
    Mutant(
        what="contraction drops the ties inside a class",
        file="graphanon/loss.py",
        old="members.T @ arcs.astype(np.int64) @ members)",
        new="sparse.triu(c := members.T @ arcs.astype(np.int64) @ members, 1) + sparse.tril(c, -1))",
        tests=CONTRACTION,
        law="contraction",
    ),
    Mutant(
        what="contraction counts every tie twice",
        file="graphanon/loss.py",
        old="members.T @ arcs.astype(np.int64) @ members)",
        new="members.T @ (arcs + arcs.T).astype(np.int64) @ members)",
        tests=CONTRACTION,
        law="contraction",
    ),
    Mutant(
        what="the arcs of a directed graph are read as ties",
        file="graphanon/loss.py",
        old="arcs = graph.ties if graph.arcs is None else graph.arcs\n    kept",
        new="arcs = graph.ties\n    kept",
        tests=CONTRACTION,
        law="contraction",
    ),
    Mutant(
        what="withheld people cost nothing",
        file="graphanon/loss.py",
        old=" + partition.withheld * graph.q\n",
        new="\n",
        tests=LOSSES,
        law="definitions",
    ),
    Mutant(
        what="a person could be tied to themselves",
        file="graphanon/loss.py",
        old="(sizes[block.col] - (block.row == block.col))",
        new="sizes[block.col]",
        tests=LOSSES,
        law="definitions",
    ),
    Mutant(
        what="sensitive values go to the next person's class",
        file="graphanon/release/publishing.py",
        old="pairs = np.stack([place[kept], column.codes[kept]], axis=1)",
        new="pairs = np.stack([place[kept], np.roll(column.codes[kept], 1)], axis=1)",
        tests=RELEASES,
        law="values_of_a_class",
    ),
    Mutant(
        what="values of a table are shuffled across classes",
        file="graphanon/release/publishing.py",
        old="[column.labels[code] for code in column.codes[kept].tolist()]",
        new="[column.labels[code] for code in column.codes[kept[::-1]].tolist()]",
        tests=RELEASES,
        law="values_of_a_class",
    ),
    Mutant(
        what="ties inside a supernode are told from both ends",
        file="graphanon/release/publishing.py",
        old="inside=(block.diagonal() // halves)",
        new="inside=(block.diagonal())",
        tests=RELEASES,
        law="among_the_kept",
    ),
    Mutant(
        what="names are drawn for the sizes alone",
        file="graphanon/release/publishing.py",
        old='"sizes": grouping.partition.sizes[order],',
        new='"sizes": grouping.partition.sizes,',
        tests=RELEASES,
        law="size_of_each_class",
    ),
    Mutant(
        what="the audit lets a class of one below k pass",
        file="graphanon/audit/recount.py",
        old='least.size >= asked["k"])',
        new='least.size >= asked["k"] - 1)',
        tests=RELEASES,
        law="kept_or_broken",
    ),
    Mutant(
        what="the audit looks at ties between supernodes alone",
        file="graphanon/audit/recount.py",
        old="blocks = [(g.inside, _pairs(g.size, directed=statement.directed)) for g in groups.by_name.values()]",
        new="blocks = [(0, 1)]",
        tests=RELEASES,
        law="everyone_inside",
    ),
    Mutant(
        what="two merged classes keep the smaller floor",
        file="graphanon/floors.py",
        old="floors[into] = max(floors[into], floors[gone])",
        new="floors[into] = min(floors[into], floors[gone])",
        tests="tests/laws/test_requirements.py",
        law="merging",
    ),
    Mutant(
        what="someone who left a supernode still draws its members",
        file="graphanon/kernels/supernodes.py",
        old="                score[i] -= room.out[i]",
        new="                score[i] += room.out[i]",
        tests="tests/laws/test_increments.py",
        law="members_leave",
    ),
    Mutant(
        what="a tie between two people counts for their distance",
        file="graphanon/kernels/greedy.py",
        old="            n_seen += 1\n        weight[y] += 1\n",
        new="            n_seen += 1\n",
        tests="tests/laws/test_increments.py",
        law="common_neighbours",
    ),
    Mutant(
        what="a class keeps the box of a member who leaves",
        file="graphanon/kernels/refine_state.py",
        old="            if gone == low:\n                low = ends[c, j, 1]\n",
        new="",
        tests="tests/laws/test_increments.py",
        law="reported_for_a_move",
    ),
    Mutant(
        what="a class that grows forgets the ties that both ends have with the same people",
        file="graphanon/kernels/growth.py",
        old="squares - lone - 2.0 * m * cross",
        new="squares - lone",
        tests="tests/kernels/test_growth.py",
        law="raises_the_loss_least",
    ),
    Mutant(
        what="the ties inside a class that someone leaves are not counted again",
        file="graphanon/kernels/relocate.py",
        old=" + _within(inside_c - both(here), size_c - 1)",
        new=" + _within(inside_c, size_c - 1)",
        tests="tests/kernels/test_growth.py",
        law="all_moves",
    ),
    Mutant(
        what="PAS-CAA promises its dense supernodes no more than k",
        file="graphanon/social/pas_caa.py",
        old="            floors[found.sensitive] = found.targets",
        new="            floors[found.sensitive] = requirement.k",
        tests="tests/golden/test_pas_caa_numbers.py",
        law="floor_of_its_supernode",
    ),
    Mutant(
        what="COAA lets a side of one below k stand",
        file="graphanon/tabular/coaa.py",
        old="int(side.people.sum()) >= self._least(side) for",
        new="int(side.people.sum()) >= self._least(side) - 1 for",
        tests=CLUSTERINGS,
        law="freezes_its_class",
    ),
    Mutant(
        what="KACA's steps weigh the more the nearer they are to the leaves",
        file="graphanon/tabular/kaca.py",
        old="np.arange(height, 0, -1) ** power",
        new="np.arange(1, height + 1) ** power",
        tests=CLUSTERINGS,
        law="near_the_root",
    ),
    Mutant(
        what="SemiAnony bounds no value that half of a class may have",
        file="graphanon/tabular/semi_alpha_k.py",
        old="bounded = share < 1\n",
        new="bounded = share < 0.5\n",
        tests="tests/golden/test_semi_alpha_k_numbers.py",
        law="passes_over_whoever",
    ),
    Mutant(
        what="Datafly withholds one fewer than k where k is enforced",
        file="graphanon/tabular/datafly.py",
        old="lacking = requirement.k - partition.withheld if",
        new="lacking = requirement.k - partition.withheld - 1 if",
        tests=DATAFLY,
        law="can_be_made_k",
    ),
    Mutant(
        what="recoding climbs above the limits of levels",
        file="graphanon/tabular/ladders.py",
        old="column.limit if limits and column.limit is not None else deepest for",
        new="deepest for",
        tests=DATAFLY,
        law="fail_or_withhold",
    ),
    Mutant(
        what="a ledger counts the dearest answer of a person alone",
        file="graphanon/tabular/ldp/plan.py",
        old="sorted(budgets, reverse=True)[: self.asked]",
        new="sorted(budgets, reverse=True)[:1]",
        tests=BUDGETS,
        law="spend_together",
    ),
    Mutant(
        what="a domain of local privacy is read off the data where the schema has none",
        file="graphanon/tabular/ldp/client.py",
        old="for column in wanted if not _declared(column)]",
        new="for column in wanted if column.domain is None]",
        tests=BUDGETS,
        law="read_off_the_data",
    ),
    Mutant(
        what="randomized response always tells the truth",
        file="graphanon/tabular/ldp/grr.py",
        old="lies = np.flatnonzero(word >= own)",
        new="lies = np.flatnonzero(word >= own)[:0]",
        tests=BUDGETS,
        law="near_the_truth",
    ),
)


def plant(mutant: Mutant | None, folder: Path) -> None:
    """Copy the packages, joined under one name, and the tests into a folder, with the bug in it."""
    for name, source in FOLDERS.items():
        shutil.copytree(ROOT / source, folder.joinpath(*name.split(".")), dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__", "adult*.gz"))
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    if mutant is None:
        return
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        msg = f"{mutant.file} holds the text of '{mutant.what}' {text.count(mutant.old)} times"
        raise LookupError(msg)
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def run(tests: str, folder: Path, *, law: str = "", profile: str = "quick") -> subprocess.CompletedProcess[str]:
    """Run tests on the copy, quickly and the same way every time; kernels run as plain Python."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", law, *tests.split()],
        cwd=folder, capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "GRAPHANON_PROFILE": profile, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"},
    )


def survives(mutant: Mutant) -> str:
    """Return the tests' output if they did not notice the bug, and nothing if they did."""
    with tempfile.TemporaryDirectory() as folder:
        plant(mutant, Path(folder))
        result = run(mutant.tests, Path(folder), law=mutant.law)
        return "" if result.returncode == FAILED else result.stdout + result.stderr


def main() -> int:
    """Plant every bug and say which are caught."""
    alive = 0
    for mutant in MUTANTS:
        survived = bool(survives(mutant))
        alive += survived
        sys.stdout.write(f"{'SURVIVES' if survived else 'caught  '}  {mutant.what}\n")
    sys.stdout.write(f"{len(MUTANTS) - alive} of {len(MUTANTS)} planted bugs caught\n")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
