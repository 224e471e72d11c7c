"""Laws of one line of values: snapping is a closure, levels are nested, costs and texts follow the intervals."""

from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from publishable import publishable, smallest
from strategies import addresses, domains, intervals, ranges, trees

from graphanon.domain import Domain, Order, Range, Tree, pack

SIZE = 6


@st.composite
def line_and_intervals(draw):
    domain = draw(domains())
    return domain, *draw(intervals(domain, SIZE))


@st.composite
def line_and_values(draw):
    domain = draw(domains())
    return domain, draw(addresses(domain, SIZE))


@given(line_and_intervals())
def test_snapping_only_widens(case):
    domain, lo, hi = case
    out_lo, out_hi = domain.snap(lo, hi)
    assert (out_lo <= lo + 1e-9).all()
    assert (hi - 1e-9 <= out_hi).all()


@given(line_and_intervals())
def test_snapping_twice_is_snapping_once(case):
    domain, lo, hi = case
    once = domain.snap(lo, hi)
    assert np.array_equal(np.stack(domain.snap(*once)), np.stack(once))


@given(line_and_intervals())
def test_snapping_keeps_inclusion(case):
    domain, lo, hi = case
    wide_lo, wide_hi = np.minimum.accumulate(lo), np.maximum.accumulate(hi)
    inner, outer = domain.snap(lo, hi), domain.snap(wide_lo, wide_hi)
    assert (outer[0] <= inner[0]).all()
    assert (inner[1] <= outer[1]).all()


@given(line_and_intervals())
def test_a_snapped_interval_is_the_least_publishable_one(case):
    domain, lo, hi = case
    found = np.stack(domain.snap(lo, hi), axis=1)
    wanted = [smallest(domain, a, b) for a, b in zip(lo.tolist(), hi.tolist(), strict=True)]
    assert np.allclose(found, wanted, rtol=0, atol=1e-9)


@given(line_and_values())
def test_every_level_is_publishable_and_holds_its_value(case):
    domain, values = case
    allowed = np.array(publishable(domain))
    for level in range(domain.height + 1):
        lo, hi = domain.at_level(values, level)
        assert (lo <= values + 1e-9).all()
        assert (values - 1e-9 <= hi).all()
        assert all(np.isclose(allowed, pair, rtol=0, atol=1e-9).all(axis=1).any() for pair in zip(lo, hi, strict=True))


@given(line_and_values())
def test_the_lowest_level_is_the_value_itself(case):
    domain, values = case
    assert np.array_equal(np.stack(domain.at_level(values, 0)), np.stack(domain.snap(values, values)))


@given(line_and_values())
def test_the_highest_level_is_alike_for_all(case):
    domain, values = case
    for level in (domain.height, domain.height + 3):
        lo, hi = domain.at_level(values, level)
        assert len({*zip(lo.tolist(), hi.tolist(), strict=True)}) == 1


@given(trees(), st.data())
def test_levels_of_a_tree_are_nested(tree, data):
    values = data.draw(addresses(tree, SIZE))
    boxes = [tree.at_level(values, level) for level in range(tree.height + 1)]
    for (inner_lo, inner_hi), (outer_lo, outer_hi) in pairwise(boxes):
        assert (outer_lo <= inner_lo).all()
        assert (inner_hi <= outer_hi).all()


@given(ranges(missing=False), st.data())
def test_bins_are_whole_steps_of_the_range(domain, data):
    values = np.round(data.draw(addresses(domain, SIZE)) / domain.grid) * domain.grid
    values = np.clip(values, domain.low, domain.high)
    start = domain.snap(np.array([domain.low]), np.array([domain.low]))[0][0]
    for level, width in enumerate(domain.steps, start=1):
        lo, hi = domain.at_level(values, level)
        assert np.allclose((lo - start) / width, np.round((lo - start) / width), atol=1e-6)
        assert (hi - lo <= width - domain.grid + 1e-6 * domain.grid).all() or _between_marks(domain)


def _between_marks(domain):
    """Whether an end of the range lies between two multiples of the grid, where a bin may reach one further."""
    ends = np.array([domain.low, domain.high]) / domain.grid
    return not np.allclose(ends, np.round(ends), atol=1e-6)


@given(line_and_intervals(), st.sampled_from(["leaves", "height"]))
def test_costs_lie_between_nothing_and_everything(case, measure):
    domain, lo, hi = case
    costs = domain.cost(*domain.snap(lo, hi), measure)
    assert ((costs >= 0) & (costs <= 1)).all()


@given(line_and_intervals(), st.sampled_from(["leaves", "height"]))
def test_a_wider_interval_never_costs_less(case, measure):
    domain, lo, hi = case
    inner = domain.snap(lo, hi)
    outer = domain.snap(np.minimum.accumulate(lo), np.maximum.accumulate(hi))
    assert (domain.cost(*inner, measure) <= domain.cost(*outer, measure) + 1e-12).all()


@given(line_and_intervals())
def test_costs_of_leaves_are_counted_from_the_declaration(case):
    domain, lo, hi = case
    box = domain.snap(lo, hi)
    wanted = [_share(domain, a, b) for a, b in zip(*(side.tolist() for side in box), strict=True)]
    assert np.allclose(domain.cost(*box, "leaves"), wanted, rtol=0, atol=1e-9)


def _share(domain: Domain, lo: float, hi: float) -> float:
    if isinstance(domain, Tree):
        declared = len(domain.leaves)
        covered = sum(lo <= rank <= hi for rank in range(declared))
        return 0.0 if lo == hi else covered / declared
    if hi >= domain.missing_address:
        return 1.0
    span = domain.high - domain.low if isinstance(domain, Range) else len(domain.labels) - 1
    return min(1.0, (hi - lo) / span) if span else 0.0


@given(trees(), st.data())
def test_costs_of_height_are_counted_from_the_rows(tree, data):
    lo, hi = data.draw(intervals(tree, SIZE))
    paths = {rank: row for row in tree.rows for rank in (tree.leaves.index(row[0]),)}
    paths[len(tree.leaves)] = ("",) * tree.height + (tree.rows[0][-1],)
    climbed = [
        next(level for level in range(tree.height + 1) if paths[int(a)][level:] == paths[int(b)][level:])
        for a, b in zip(lo, hi, strict=True)
    ]
    assert np.allclose(tree.cost(*tree.snap(lo, hi), "height"), np.array(climbed) / tree.height)


@given(line_and_intervals())
def test_texts_name_the_interval(case):
    domain, lo, hi = case
    box = domain.snap(lo, hi)
    low, high = domain.bounds(*box)
    for a, b, *ends in zip(low, high, *(side.tolist() for side in box), strict=True):
        assert (a, b) == _texts(domain, *ends)


def _texts(domain: Domain, lo: float, hi: float) -> tuple[str, str]:
    if isinstance(domain, Tree):
        label = _label(domain, lo, hi)
        return label, label
    if hi >= domain.missing_address:
        return "*", "*"
    if isinstance(domain, Order):
        return domain.labels[int(lo)], domain.labels[int(hi)]
    return f"{lo:.{domain.decimals}f}", f"{hi:.{domain.decimals}f}"


def _label(tree: Tree, lo: float, hi: float) -> str:
    """Return the lowest label whose declared leaves are exactly the ranks of the interval."""
    if lo == hi == len(tree.leaves):
        return ""
    if hi == len(tree.leaves):
        return tree.rows[0][-1]
    covered = {tree.leaves[int(rank)] for rank in np.arange(lo, hi + 1)}
    for level in range(tree.height + 1):
        for label in sorted({row[level] for row in tree.rows}):
            if {row[0] for row in tree.rows if row[level] == label} == covered:
                return label
    msg = "no node of the tree has these leaves"
    raise AssertionError(msg)


@given(trees())
def test_leaves_of_a_node_lie_side_by_side(tree):
    for level in range(tree.height + 1):
        for tail in {row[level:] for row in tree.rows}:
            ranks = sorted(tree.leaves.index(row[0]) for row in tree.rows if row[level:] == tail)
            assert ranks == list(range(ranks[0], ranks[-1] + 1))


@given(trees(), st.randoms(use_true_random=False))
def test_the_order_of_the_lines_of_a_hierarchy_does_not_matter(tree, chance):
    rows = list(tree.rows)
    chance.shuffle(rows)
    assert Tree(tuple(rows), missing=tree.missing).leaves == tree.leaves


@given(st.lists(domains(), max_size=4), st.sampled_from(["leaves", "height"]), st.data())
def test_packed_lines_cost_what_the_lines_cost(lines, measure, data):
    packed = pack(lines, measure)
    for j, domain in enumerate(lines):
        box = domain.snap(*data.draw(intervals(domain, SIZE)))
        found = [_packed_cost(packed, j, a, b) for a, b in zip(*box, strict=True)]
        assert np.allclose(found, domain.cost(*box, measure), rtol=0, atol=1e-12)


def _packed_cost(packed, j: int, lo: float, hi: float) -> float:
    """Return the cost as a kernel computes it: a division on a line, a search for the common node in a tree."""
    if not packed.is_tree[j]:
        if hi >= packed.past[j]:
            return 1.0
        return min(1.0, (hi - lo) / packed.span[j]) if packed.span[j] > 0 else 0.0
    a, b = packed.nodes[packed.offset[j] + int(lo)], packed.nodes[packed.offset[j] + int(hi)]
    level = next(level for level in range(packed.height[j] + 1) if a[level] == b[level])
    return float(packed.node_cost[a[level]])


@pytest.mark.parametrize("missing", [False, True])
def test_a_flat_tree_of_nothing_still_has_a_root(missing):
    assert Tree.flat([], missing=missing).height == 1
