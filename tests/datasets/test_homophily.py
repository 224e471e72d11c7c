"""The kernel that draws ties, against a twin in plain Python, and the pieces around it."""

import math
from bisect import bisect_right

import numpy as np
import pytest

from graphanon.datasets import load_heart
from graphanon.datasets.chance import draws, shuffled, substream
from graphanon.datasets.homophily import PATIENCE, Liking, initiatives, popularity, scales, tie_people, wire
from graphanon.domain import Order, Range, Tree, pack

MASK = 2**64 - 1
DOMAINS = (
    Range(0, 50, missing=True),
    Tree((("a", "A", "*"), ("b", "A", "*"), ("c", "C", "*"), ("d", "C", "*")), missing=True),
    Order(("low", "mid", "high"), missing=True),
    Tree((("x", "*"), ("y", "*"))),
)


def splitmix(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        x = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        yield x ^ (x >> 31)


def crowd(n, seed):
    chance = np.random.default_rng(seed)
    columns = [chance.integers(0, int(domain.missing_address) + 1, n) for domain in DOMAINS[1:3]]
    ages = np.append(np.arange(51), DOMAINS[0].missing_address)[chance.integers(0, 52, n)]
    return np.column_stack([ages, *columns, chance.integers(0, 2, n)]).astype(float)


def distance(values, scale, i, j):
    total = 0.0
    for a, domain in enumerate(DOMAINS):
        x, y = values[i, a], values[j, a]
        if x != y:
            box = domain.snap(np.array([min(x, y)]), np.array([max(x, y)]))
            total += scale[a] * float(domain.cost(*box, "height")[0])
    return total


class Twin:
    """The model in plain Python: lists of friends, distances from the domains themselves."""

    def __init__(self, values, scale, strength, cumulated, seed):
        self.values, self.scale, self.strength, self.cumulated = values, scale, strength, cumulated
        self.numbers = splitmix(seed)
        self.friends = [[] for _ in values]

    def uniform(self):
        return (next(self.numbers) >> 11) / 2**53

    def bound(self):
        drawn = -math.log(1 - self.uniform())
        return drawn / self.strength if self.strength else math.inf

    def apart(self, i, j):
        return distance(self.values, self.scale, i, j)

    def friend_of_friend(self, i):
        own = self.friends[i]
        for _ in range(PATIENCE // 4 if own else 0):
            j = own[int(self.uniform() * len(own))]
            k = self.friends[j][int(self.uniform() * len(self.friends[j]))]
            limit = self.bound()
            if k != i and k not in own and self.apart(i, k) <= limit:
                return k
        return None

    def stranger(self, i):
        in_vain = []
        for _ in range(PATIENCE):
            j = bisect_right(self.cumulated, self.uniform() * self.cumulated[-1])
            limit = self.bound()
            if j in (i, len(self.cumulated)) or j in self.friends[i]:
                continue
            if self.apart(i, j) <= limit:
                return j
            in_vain.append((self.apart(i, j), len(in_vain), j))
        return min(in_vain)[2] if in_vain else None

    def free_pair(self, start):
        n = len(self.values)
        pairs = ((i % n, j) for i in range(start, start + n) for j in range(n))
        return next((i, j) for i, j in pairs if i != j and j not in self.friends[i])

    def tie(self, i, *, closing):
        j = self.friend_of_friend(i) if closing else None
        j = self.stranger(i) if j is None else j
        i, j = (i, j) if j is not None else self.free_pair(i)
        self.friends[i].append(j)
        self.friends[j].append(i)
        return i, j


@pytest.mark.parametrize(("n", "m", "strength"), [(30, 60, 0.0), (30, 60, 3.0), (40, 50, 12.0), (9, 36, 3.0)])
def test_the_kernel_draws_the_ties_that_its_twin_draws(n, m, strength):
    values = crowd(n, seed=n + m)
    fame = popularity(n, mean_degree=2 * m / n, tail=3.0, seed=1)
    begins = initiatives(fame, m, seed=2)
    scale = scales(values, DOMAINS, None, seed=3)
    cumulated = np.cumsum(fame)
    like = Liking(values, pack(DOMAINS, "height"), scale, strength)
    drawn = wire(like, cumulated, begins, m // 2, np.uint64(4))
    twin = Twin(values, scale, strength, cumulated.tolist(), seed=4)
    expected = [twin.tie(i, closing=t >= m // 2) for t, i in enumerate(begins.tolist())]
    assert list(zip(*(ends.tolist() for ends in drawn), strict=True)) == expected


def test_draws_are_those_of_splitmix():
    numbers = splitmix(99)
    assert draws(99, 20).tolist() == [next(numbers) for _ in range(20)]


def test_draws_of_two_purposes_and_two_seeds_differ():
    streams = {substream(seed, purpose) for seed in range(5) for purpose in ("people", "ties")}
    assert len(streams) == 10
    assert sorted(shuffled(substream(1, "people"), 50).tolist()) == list(range(50))


def test_everybody_begins_their_share_of_the_ties_rounded():
    fame = popularity(301, mean_degree=6.0, tail=2.5, seed=5)
    counts = np.bincount(initiatives(fame, 903, seed=6), minlength=301)
    share = fame / fame.sum() * 903
    assert counts.sum() == 903
    assert (counts >= np.floor(share) - 1e-6).all()
    assert (counts <= np.ceil(share) + 1e-6).all()


def test_popularity_follows_its_law_up_to_the_cut():
    fame = np.sort(popularity(10_000, mean_degree=6.0, tail=3.0, seed=1))
    assert fame[5_000] / fame[0] == pytest.approx(math.sqrt(2), rel=0.01)
    assert fame[-1] / fame.mean() * 6 <= math.sqrt(10_000 * 6) * 1.01
    assert (popularity(10, mean_degree=2.0, tail=math.inf, seed=1) == 1).all()


def test_strangers_are_at_distance_one_on_average():
    values = crowd(400, seed=8)
    scale = scales(values, DOMAINS, None, seed=9)
    chance = np.random.default_rng(1)
    pairs = chance.integers(0, 400, (3_000, 2))
    mean = np.mean([distance(values, scale, i, j) for i, j in pairs.tolist() if i != j])
    assert mean == pytest.approx(1.0, rel=0.05)


def test_attributes_in_which_all_are_alike_do_not_count():
    values = crowd(50, seed=8)
    values[:, 1] = 0.0
    scale = scales(values, DOMAINS, None, seed=9)
    assert scale[1] == 0.0
    assert (scale[[0, 2, 3]] > 0).all()
    assert (scales(np.zeros((5, 4)), DOMAINS, None, seed=9) == 0).all()


def test_people_without_attributes_are_tied_too():
    source, target = tie_people(np.empty((20, 0)), (), mean_degree=4, strength=3, tail=3, closure=0.5, seed=1)
    assert len(source) == len(target) == 40


def test_ties_are_drawn_between_people_whose_arrays_are_read_only():
    graph = load_heart().graph
    values = graph.values[:60].copy()
    values.flags.writeable = False
    ends = tie_people(values, graph.domains, mean_degree=4, strength=3, tail=3, closure=0.5, seed=1)
    assert len(ends[0]) == 120
