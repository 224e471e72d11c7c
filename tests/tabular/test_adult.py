"""What recoding loses on Adult with the hierarchies that come along: a search that gets worse is noticed."""

import numpy as np
import pytest

from graphanon.datasets import load_adult
from graphanon.requirement import Requirement
from graphanon.tabular.general_alpha_k import GeneralAlphaK
from graphanon.tabular.metrics import gcp
from graphanon.tabular.recursive import Recursive


@pytest.fixture(scope="module")
def adult():
    return load_adult().graph


def test_recursive_recoding_of_adult_loses_little_before_refinement(adult):
    grouping = Recursive().group(adult, Requirement(k=10), np.random.default_rng(1))
    assert gcp(grouping) < 0.0415
    assert grouping.partition.sizes.min() >= 10


@pytest.mark.parametrize(("withhold", "most"), [(0.0, 0.5405), (0.01, 0.3474), (0.05, 0.2029)])
def test_the_best_recoding_of_all_alike_is_found(adult, withhold, most):
    grouping = GeneralAlphaK().group(adult, Requirement(k=10, withhold=withhold), np.random.default_rng(1))
    assert gcp(grouping) < most
    assert grouping.partition.withheld <= withhold * adult.n
