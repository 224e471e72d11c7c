"""PAS-CAA worked out by hand on the toy graph; people are numbered from 1 in the comments.

Traces are those of the literal form unless they say that they are not.
"""

import numpy as np
import pytest
from toy import g6

from graphanon.closeness import describe
from graphanon.density import clustering, local_density, nearest_others
from graphanon.kernels.rows import room_for, row
from graphanon.kernels.supernodes import MEAN, within
from graphanon.loss import paper_losses
from graphanon.requirement import Requirement
from graphanon.social.pas_caa import PasCaa, least_sizes
from graphanon.social.starts import centres

HALF = 0.5
CROWD = describe(g6())


def similarities(v, beta=HALF, **reading):
    """Return S(v, .) with people numbered from 1, as the comments have them."""
    crowd = describe(g6(), **reading)
    room = room_for(crowd)
    row(crowd, beta, v - 1, np.arange(6, dtype=np.int32), 6, room)
    return dict(enumerate(room.out.tolist(), start=1))


def test_similarity_of_1_and_2():
    # friends {2,3} and {1,3}; ages 25 and 27 of 25, sexes differ, Fed and Local meet half way up
    friends = 1 / 3
    attributes = (1 - 2 / 25 + 0 + 1 / 2) / 3
    assert attributes == pytest.approx(71 / 150)
    assert similarities(1, beta=1.0)[2] == pytest.approx(friends)
    assert similarities(1, beta=0.0)[2] == pytest.approx(attributes)
    assert similarities(1)[2] == pytest.approx((friends + attributes) / 2)
    assert similarities(1)[2] == pytest.approx(121 / 300)


def test_similarity_to_a_supernode_is_the_mean_over_its_members():
    to_4, to_3 = similarities(4), similarities(3)
    assert (to_4[1] + to_4[2] + to_4[3]) / 3 == pytest.approx(0.276667, abs=5e-7)
    assert (to_3[4] + to_3[5] + to_3[6]) / 3 == pytest.approx(0.316667, abs=5e-7)


def test_a_member_does_not_count_for_itself():
    members, score = np.array([0, 1, 2], dtype=np.int32), np.zeros(3)
    within(CROWD, HALF, MEAN, members, 0, 3, 0, room_for(CROWD), score, np.zeros(3, dtype=np.int32))
    s = similarities(1)
    assert score[0] == pytest.approx(s[2] + s[3])


def test_closed_neighbourhoods_make_friends_alike():
    # {1,2,3} and {1,2,3}; open they share 3 of 1, 2, 3
    assert similarities(1, beta=1.0, closed=True)[2] == 1
    assert similarities(1, beta=1.0)[2] == 1 / 3


def test_categories_by_equality_and_by_path():
    age, sex = 1 - 2 / 25, 0
    assert similarities(1, beta=0.0, categorical="exact")[2] == pytest.approx((age + sex + 0) / 3)
    # Fed - Gov - Local is 2 edges of the longest, 4
    assert similarities(1, beta=0.0, categorical="path")[2] == pytest.approx((age + sex + 1 - 2 / 4) / 3)


def test_local_densities():
    near = nearest_others(CROWD, HALF, 3)
    assert local_density(near) == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2 / 3, 5 / 6, 5 / 6])
    assert local_density(near, "jaccard") == pytest.approx([5 / 9, 5 / 9, 23 / 45, 23 / 45, 11 / 15, 11 / 15])
    assert local_density(near, "count") == pytest.approx(4 * local_density(near))


def test_1_and_3_share_two_of_four():
    near = nearest_others(CROWD, HALF, 3)
    around = [{v, *near.who[v].tolist()} for v in range(6)]
    assert len(around[0] & around[2]) / 4 == 1 / 2


def test_squared_counts_over_distances():
    near = nearest_others(CROWD, HALF, 3)
    s1, s3 = similarities(1), similarities(3)
    # 1 and 3 have each other near, and nobody else both: 2^2 over the distances 0 + d and d + 0
    assert {0, *near.who[0].tolist()} & {2, *near.who[2].tolist()} == {0, 2}
    sim_1_3 = 2**2 / ((1 - s1[3]) + (1 - s3[1]))
    assert sim_1_3 == pytest.approx(3.478261, abs=5e-7)
    assert local_density(near, "snndpc")[0] >= sim_1_3


def test_without_themselves_nobody_shares_two_nearest():
    assert local_density(nearest_others(CROWD, HALF, 2), include_self=False).tolist() == [0.0] * 6


def test_clustering_coefficients():
    assert clustering(g6()) == pytest.approx([1, 1, 1 / 3, 1 / 3, 1, 1])


def test_the_starts_are_5_and_1():
    merit = 1 + local_density(nearest_others(CROWD, HALF, 3)) * clustering(g6())
    assert merit == pytest.approx([5 / 3, 5 / 3, 11 / 9, 11 / 9, 11 / 6, 11 / 6])
    assert merit.mean() == pytest.approx(1.5741, abs=5e-5)
    high = np.flatnonzero(merit >= merit.mean())
    assert (high + 1).tolist() == [1, 2, 5, 6]
    assert (centres(CROWD, merit, high, count=2) + 1).tolist() == [5, 1]
    assert similarities(5)[1] == pytest.approx(0.0333, abs=5e-5)


def test_the_sequence_stops_at_one_and_a_half_k():
    assert least_sizes(4, -1, 5).tolist() == [8, 7, 6, 6, 6]
    assert least_sizes(5, -1, 9).min() == 8
    assert least_sizes(5, -4, 2).tolist() == [10, 8]


def test_the_whole_trace():
    s4, s6, s3 = similarities(4), similarities(6), similarities(3)
    assert s4[5] == pytest.approx(0.5083, abs=5e-5)
    assert (s6[5] + s6[4]) / 2 == pytest.approx(0.3875, abs=5e-5)
    assert s3[1] == pytest.approx(0.4250, abs=5e-5)

    found = PasCaa(Nc=3, K_nn=3, literal=True).cluster(g6(), Requirement(k=2))
    # started by 5, 1 and 2; {2} was dissolved, and 2 moved on from {1,3,2}, which is not sensitive
    assert (found.seeds + 1).tolist() == [5, 1]
    assert found.density == pytest.approx([7 / 9, 2 / 3])
    assert found.density.mean() == pytest.approx(13 / 18)
    assert found.sensitive.tolist() == [0]
    assert found.targets.tolist() == [4]
    assert found.short.tolist() == []
    assert [set((np.flatnonzero(found.labels == x) + 1).tolist()) for x in (0, 1)] == [{5, 4, 6, 2}, {1, 3}]


def test_the_trace_costs_more_than_the_triangles():
    grouping = PasCaa(Nc=3, K_nn=3, literal=True).group(g6(), Requirement(k=2), np.random.default_rng(0))
    assert paper_losses(grouping) == pytest.approx({"inf": 176 / 225, "str": 9 / 10, "sum": 757 / 900})
    # sizes may fall short of targets in this form, so k is all that it promises
    assert grouping.partition.floors.tolist() == [2, 2]


@pytest.mark.parametrize("rule", ["mean", "median", "quantile", 0.7])
def test_density_thresholds_between_the_two_supernodes_agree(rule):
    # 2/3 and 7/9: the mean, the median, the middle quantile and 0.7 all lie between
    found = PasCaa(Nc=3, K_nn=3, literal=True, rho_theta=rule).cluster(g6(), Requirement(k=2))
    assert found.sensitive.tolist() == [0]


def test_a_threshold_below_everyone_makes_all_sensitive_and_short():
    found = PasCaa(Nc=3, K_nn=3, literal=True, rho_theta=0.0).cluster(g6(), Requirement(k=2))
    # nobody has anything to give: targets 4 and 3, sizes 3 and 3
    assert found.sensitive.tolist() == [0, 1]
    assert found.targets.tolist() == [4, 3]
    assert found.short.tolist() == [0]


def test_strict_targets_dissolve_what_is_not_sensitive():
    literal = PasCaa(K_nn=3, literal=True, rho_theta=0.7).cluster(g6(), Requirement(k=3))
    strict = PasCaa(K_nn=3, literal=True, rho_theta=0.7, strict_targets=True).cluster(g6(), Requirement(k=3))
    # two triangles, the second dense: its target is 6
    assert literal.short.tolist() == literal.sensitive.tolist()
    assert strict.short.tolist() == []
    assert np.bincount(strict.labels).tolist() == [6]


@pytest.mark.parametrize("theta", ["mean", "median", "quantile", "top", 1.6])
def test_the_threshold_of_starts_is_a_parameter(theta):
    found = PasCaa(Nc=2, K_nn=3, literal=True, theta_c=theta).cluster(g6(), Requirement(k=2))
    assert (found.seeds + 1).tolist() == [5, 1]


def test_a_start_may_be_compared_with_the_last_one_only():
    # after 5 and 1, 2 is least similar to the nearest of both; to 1 alone, 6 is
    assert similarities(1)[6] < similarities(1)[2]
    near = {aggregate: PasCaa(Nc=3, K_nn=3, literal=True, aggregate=aggregate) for aggregate in ("max", "last")}
    high, merit = np.array([0, 1, 4, 5]), 1 + local_density(nearest_others(CROWD, HALF, 3)) * clustering(g6())
    starts = {a: (centres(CROWD, merit, high, count=3, aggregate=m.aggregate) + 1).tolist() for a, m in near.items()}
    assert starts == {"max": [5, 1, 2], "last": [5, 1, 6]}


def test_held_sizes_leave_the_triangles_together():
    # two supernodes of 2 and a target of 4 are all six people; {5,6} lies as densely as anyone
    found = PasCaa(K_nn=3).cluster(g6(), Requirement(k=2))
    assert len(found.seeds) == 2
    assert found.targets.tolist() == [4]
    assert found.short.tolist() == []
    assert np.bincount(found.labels)[found.sensitive].tolist() == [4]
    assert sorted(np.bincount(found.labels).tolist()) == [2, 4]


def test_a_target_is_the_floor_of_its_supernode():
    partition = PasCaa(K_nn=3).partition(g6(), Requirement(k=2), np.random.default_rng(0))
    assert sorted(partition.floors.tolist()) == [2, 4]


def test_no_target_asks_for_more_people_than_there_are():
    # k = 4 of six people: one supernode, which is as dense as the mean of itself, and 2k = 8
    found = PasCaa(K_nn=3).cluster(g6(), Requirement(k=4))
    assert found.labels.tolist() == [0] * 6
    assert found.targets.tolist() == [6]
