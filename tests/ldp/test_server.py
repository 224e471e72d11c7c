"""The server: it sees answers and a plan alone, and learns the clusters from them."""

import ast
import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from house import ROOT, modules

from graphanon.errors import InputProblem
from graphanon.tabular.ldp.centres import Centres, centres_from_pairs, distances, nearest_centre
from graphanon.tabular.ldp.client import perturb_cells
from graphanon.tabular.ldp.coins import seeded
from graphanon.tabular.ldp.evidence import evidence_of, margins_of, on_simplex, table_of
from graphanon.tabular.ldp.interactive import assisted_lloyd, moved_centres, plan_round
from graphanon.tabular.ldp.latent import Profiles, _step, climb, drawn_together, spectral_start
from graphanon.tabular.ldp.line import Line
from graphanon.tabular.ldp.pairs import plan_pairs
from graphanon.tabular.ldp.planning import plan_columns
from graphanon.tabular.ldp.reports import reports_table
from graphanon.tabular.ldp.server import estimate

HOME = "graphanon.tabular.ldp"
SERVER = [f"{HOME}.{name}" for name in ("server", "centres", "latent", "evidence", "plan", "reports", "ties", "ledger")]
LINES = (Line.numbers("age", 0, 99), Line.of_labels("a", "xyz"), Line.of_labels("b", "pqrst"), Line.of_labels("c", "FM"))


def two_kinds(n=6000, seed=0):
    """Return people of two kinds, old x p F and young z t M, one cell in five at random."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, n)
    typical = np.array([[80, 0, 0, 0], [20, 2, 4, 1]])[kind]
    other = np.column_stack([rng.integers(0, line.size, n) for line in LINES])
    return np.where(rng.random((n, 4)) < 0.2, other, typical)


KNOWN = modules()


def imported(path):
    """Return every module of ours that a file names in an import."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names & set(KNOWN)


def reach(name, planted=None):
    """Return every module of ours that a module imports, directly or not; `planted` stands in for its file."""
    found, open_ = set(), [planted or KNOWN[name]]
    while open_:
        new = imported(open_.pop()) - found
        found |= new
        open_ += [KNOWN[other] for other in new]
    return found


@pytest.mark.parametrize("name", SERVER)
def test_the_server_imports_nothing_that_could_read_an_original(name):
    outside = {other for other in reach(name) if not other.startswith(f"{HOME}.")}
    assert outside <= {"graphanon.errors", HOME}
    assert not reach(name) & {f"{HOME}.client", f"{HOME}.interactive"}


def test_the_wall_sees_an_import_that_is_planted(tmp_path):
    planted = tmp_path / "server.py"
    planted.write_text("from graphanon.tabular.ldp.client import cells_of\n", encoding="utf-8")
    assert {f"{HOME}.client", "graphanon.graph", "graphanon.schema"} <= reach(f"{HOME}.server", planted)


def test_the_server_works_where_nothing_can_hold_an_original():
    plan = plan_pairs(LINES, 3.0)
    reports = perturb_cells(plan, two_kinds(2000), seeded(1))
    told = json.dumps({"plan": plan.as_json(), "reports": reports_table(plan, reports)})
    code = """
import json, sys
for name in ("graph", "schema", "io", "domain", "tabular.ldp.client"):
    sys.modules["graphanon." + name] = None
import numpy as np
from graphanon.tabular.ldp.centres import centres_from_pairs
from graphanon.tabular.ldp.plan import Plan
from graphanon.tabular.ldp.reports import read_reports
told = json.load(sys.stdin)
plan = Plan.from_json(told["plan"])
centres = centres_from_pairs(plan, read_reports(plan, told["reports"]), 2, np.random.default_rng(0))
print(json.dumps(centres.texts()))
"""
    done = subprocess.run([sys.executable, "-c", code], input=told, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    here = centres_from_pairs(plan, reports, 2, np.random.default_rng(0)).texts()
    assert json.loads(done.stdout) == here


def test_two_kinds_of_people_are_found_from_one_pair_a_person():
    cells = two_kinds()
    plan = plan_pairs(LINES, 2.0)
    centres = centres_from_pairs(plan, perturb_cells(plan, cells, seeded(1)), 2, np.random.default_rng(0))
    labels = {tuple(row) for row in centres.points[:, 1:].astype(int).tolist()}
    assert labels == {(0, 0, 0), (2, 4, 1)}
    old = centres.points[:, 1] == 0
    assert centres.points[old, 0] == pytest.approx(0.8 * 80 + 0.2 * 49.5, abs=8)
    assert centres.points[~old, 0] == pytest.approx(0.8 * 20 + 0.2 * 49.5, abs=8)
    assert centres.shares == pytest.approx([0.5, 0.5], abs=0.1)
    assert (nearest_centre(centres, cells)[:, None] == np.argmin(distances(centres, cells), axis=1)[:, None]).all()


@pytest.mark.parametrize("k", [1, 3, 5])
def test_any_number_of_clusters_gives_centres_of_the_domain(k):
    plan = plan_pairs(LINES, 2.0)
    reports = perturb_cells(plan, two_kinds(1500), seeded(1))
    centres = centres_from_pairs(plan, reports, k, np.random.default_rng(0), starts=2)
    assert centres.points.shape == (k, 4)
    assert ((centres.points[:, 0] >= 0) & (centres.points[:, 0] <= 99)).all()
    assert all(set(column) <= set(line.labels) for line, column in zip(LINES[1:], list(centres.texts().values())[1:], strict=True))
    assert (np.diff(centres.shares) <= 1e-12).all()
    again = centres_from_pairs(plan, reports, k, np.random.default_rng(0), starts=2)
    assert (again.points == centres.points).all()


@pytest.mark.parametrize("k", [0, 41])
def test_clusters_are_from_one_to_the_number_of_people(k):
    plan = plan_pairs(LINES, 2.0)
    reports = perturb_cells(plan, two_kinds(40), seeded(1))
    with pytest.raises(InputProblem, match="clusters"):
        centres_from_pairs(plan, reports, k, np.random.default_rng(0))


def test_pairs_that_nobody_was_asked_about_count_as_independent():
    plan = plan_pairs(LINES, 2.0)
    reports = perturb_cells(plan, two_kinds(3), seeded(1))
    centres = centres_from_pairs(plan, reports, 2, np.random.default_rng(0), starts=1)
    assert np.isfinite(centres.points).all()


def test_reports_of_another_kind_are_refused():
    plan = plan_columns(LINES, 2.0)
    with pytest.raises(InputProblem, match="not about pairs"):
        centres_from_pairs(plan, perturb_cells(plan, two_kinds(40), seeded(1)), 2, np.random.default_rng(0))


def test_a_single_attribute_has_centres_too():
    rng = np.random.default_rng(0)
    plan = plan_pairs(LINES[:1], 4.0)
    cells = np.concatenate([rng.integers(10, 20, 4000), rng.integers(70, 80, 4000)])[:, None]
    centres = centres_from_pairs(plan, perturb_cells(plan, cells, seeded(1)), 2, rng)
    assert np.sort(centres.points.ravel()) == pytest.approx([14.5, 74.5], abs=4)
    plan = plan_pairs(LINES[1:2], 4.0)
    centres = centres_from_pairs(plan, perturb_cells(plan, np.repeat([[0], [2]], [300, 500], axis=0), seeded(1)), 2, rng)
    assert centres.texts() == {"a": ["z", "x"]}


def test_missing_values_take_part():
    lines = tuple(replace(line, missing=True) for line in LINES)
    cells = two_kinds(3000)
    cells[::7, 0], cells[::5, 1] = lines[0].known, lines[1].known
    plan = plan_pairs(lines, 3.0)
    centres = centres_from_pairs(plan, perturb_cells(plan, cells, seeded(1)), 2, np.random.default_rng(0))
    assert {tuple(row) for row in centres.points[:, 2:].astype(int).tolist()} == {(0, 0), (4, 1)}
    assert distances(centres, cells).shape == (3000, 2)


class TestFit:
    """The parts of the fit: each step climbs, tables are tables, and starts are profiles."""

    def pieces(self, n=1500, epsilon=1.0):
        plan = plan_pairs(LINES, epsilon)
        evidence = evidence_of(plan, perturb_cells(plan, two_kinds(n), seeded(1)))
        margins = margins_of(evidence, [4, 3, 5, 2])
        covariance, embeddings = np.eye(14), [np.eye(len(margin)) for margin in margins]
        return evidence, margins, spectral_start(covariance, margins, embeddings, 2, np.random.default_rng(0))

    def test_the_counts_of_grr_say_what_its_answers_say(self):
        plan = plan_pairs(LINES[1:3], 3.0)
        reports = perturb_cells(plan, two_kinds(500)[:, 1:3], seeded(1))
        piece = evidence_of(plan, reports)[0]
        joint = np.random.default_rng(0).dirichlet(np.ones(15))
        chance = piece.floor + piece.gain * joint[reports.answers[0]]
        likelihood, factor = piece.expected(joint)
        assert likelihood == pytest.approx(np.log(chance).sum())
        assert (joint * factor).sum() == pytest.approx(500)

    def test_hashed_answers_count_everyone_once(self):
        evidence, _, _ = self.pieces()
        for piece in evidence:
            joint = np.full(piece.shape[0] * piece.shape[1], 1 / (piece.shape[0] * piece.shape[1]))
            likelihood, factor = piece.expected(joint)
            assert np.isfinite(likelihood)
            # hashing supports a quarter of the cells on average, not exactly: the floor makes up for the rest
            assert (joint * factor).sum() == pytest.approx(piece.n, rel=1e-4)

    def test_no_step_lowers_the_likelihood(self):
        evidence, margins, now = self.pieces()
        found = []
        for _ in range(12):
            now = _step(evidence, margins, now)
            found.append(now.likelihood)
        assert (np.diff(found) > -1e-6).all()

    def test_leaps_end_no_lower_than_plain_steps(self):
        evidence, margins, start = self.pieces()
        plain = start
        for _ in range(181):
            plain = _step(evidence, margins, plain)
        assert climb(evidence, margins, start, 90).likelihood >= plain.likelihood - 1e-3

    def test_tables_and_margins_are_distributions(self):
        evidence, margins, start = self.pieces(400, 0.3)
        for piece in evidence:
            table = table_of(piece, margins)
            assert table.sum() == pytest.approx(1)
            assert (table >= 0).all()
        for shares in (*margins, start.shares, *start.profiles):
            assert shares.sum(axis=-1) == pytest.approx(np.ones(shares.shape[:-1]))
            assert (shares > 0).all()

    def test_profiles_are_drawn_together_by_what_noise_alone_would_do(self):
        evidence, _, _ = self.pieces()
        apart = Profiles(shares=np.array([0.5, 0.5]), profiles=tuple(
            np.stack([np.eye(size)[0], np.eye(size)[1]]) for size in (4, 3, 5, 2)))
        for j, profile in enumerate(drawn_together(evidence, apart).profiles):
            noise = profile.shape[1] / sum(piece.se**-2 for piece in evidence if j in {piece.a, piece.b})
            # each stands (1/2)^2 + (1/2)^2 off the mean
            kept = max(0, 1 - noise / 0.5)
            assert profile[0, 0] - profile[1, 0] == pytest.approx(kept)
            assert profile.sum(axis=1) == pytest.approx([1, 1])
        same = Profiles(shares=np.array([1.0]), profiles=tuple(np.full((1, size), 1 / size) for size in (4, 3, 5, 2)))
        for before, after in zip(same.profiles, drawn_together(evidence, same).profiles, strict=True):
            assert (after == before).all()

    def test_the_nearest_shares_are_none_nearer(self):
        rng = np.random.default_rng(0)
        for _ in range(20):
            point = rng.normal(size=5)
            found = on_simplex(point)
            assert found.sum() == pytest.approx(1)
            assert all(np.linalg.norm(point - found) <= np.linalg.norm(point - other) + 1e-12
                       for other in rng.dirichlet(np.ones(5), 50))


class TestAssisted:
    """Lloyd's algorithm with the help of disjoint groups of people."""

    def test_the_centres_of_two_kinds_are_found(self):
        centres = assisted_lloyd(LINES, two_kinds(), 2.0, 2, seeded(1), rng=np.random.default_rng(0))
        assert {tuple(row) for row in centres.points[:, 1:].astype(int).tolist()} == {(0, 0, 0), (2, 4, 1)}

    def test_a_round_moves_centres_to_what_their_people_say(self):
        cells = two_kinds(20_000)
        begin = Centres(lines=LINES, points=np.array([[60.0, 0, 0, 1], [40.0, 2, 4, 1]]), shares=np.array([0.5, 0.5]))
        plan = plan_round(LINES, 2, 4.0)
        reports = perturb_cells(plan, np.column_stack([cells, nearest_centre(begin, cells)]), seeded(1))
        after = moved_centres(plan, reports, begin)
        assert after.points[:, 1:].tolist() == [[0, 0, 0], [2, 4, 1]]
        for k in (0, 1):
            own = cells[nearest_centre(begin, cells) == k, 0]
            assert after.points[k, 0] == pytest.approx(own.mean(), abs=4)

    def test_a_record_spends_its_budget_once(self):
        assert plan_round(LINES, 2, 0.7).epsilon()["record"] <= 0.7

    @pytest.mark.parametrize(("rounds", "first"), [(0, 0.5), (2, 0.0), (2, 1.0), (50, 0.5)])
    def test_groups_must_hold_people(self, rounds, first):
        with pytest.raises(InputProblem, match="rounds"):
            assisted_lloyd(LINES, two_kinds(40), 1.0, 2, seeded(1), rng=np.random.default_rng(0), rounds=rounds, first=first)


def test_one_pair_a_person_closes_most_of_the_gap_on_adult():
    command = [sys.executable, "-m", "benchmarks", "ldp", "--people", "1000", "--mechanism", "auto", "--data", "adult",
               "--runs", "1", "--epsilon", "2", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    speed, found = (json.loads(line) for line in done.stdout.splitlines())
    assert (speed["people"], speed["attributes"]) == (1000, 10)
    assert (found["people"], round(found["one_centre"], 3), round(found["non_private"], 3)) == (30_162, 2.794, 2.085)
    assert found["worst"] > 0.75


def test_estimates_of_pairs_know_labels_and_numbers():
    plan = plan_pairs(LINES, 3.0)
    age, a, *_ = estimate(plan, perturb_cells(plan, two_kinds(4000), seeded(1)))
    assert age.frequencies is None
    assert age.mean is not None
    assert a.frequencies.value.sum() == pytest.approx(1, abs=0.3)
