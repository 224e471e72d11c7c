"""What recoding does not do is told before it is done, and a way out is named where there is one."""

from dataclasses import replace

import numpy as np
import pytest
from toy import graph_of

from graphanon.domain import Range, Tree
from graphanon.errors import InfeasiblePromise
from graphanon.graph import AttributedGraph
from graphanon.progress import hearing
from graphanon.requirement import Requirement
from graphanon.tabular.general_alpha_k import GeneralAlphaK
from graphanon.tabular.recursive import Recursive


def town(alpha: dict[str, float]) -> AttributedGraph:
    """Return twelve people of whom one is ill and eight are well."""
    ill = ["ill", *["well"] * 8, *["tired"] * 3]
    graph = graph_of([], 12, lines=(Range(0, 11, steps=(2, 4)),), values=[range(12)], payload={"health": ill},
                     has_ties=False)
    columns = [replace(column, alpha=alpha) if column.name == "health" else column
               for column in graph.schema.columns]
    return replace(graph, schema=replace(graph.schema, columns=tuple(columns)))


def test_a_frequent_value_that_is_held_to_the_share_of_a_rare_one_names_the_way_out():
    graph = town({"ill": 0.5})
    with pytest.raises(InfeasiblePromise, match="general=false"):
        GeneralAlphaK().group(graph, Requirement(k=2), np.random.default_rng(0))
    simple = GeneralAlphaK(general=False).group(graph, Requirement(k=2), np.random.default_rng(0))
    assert simple.partition.withheld == 0


@pytest.mark.parametrize("alpha", [{"ill": 0.01}, {"ill": 0.5, "well": 0.1, "tired": 0.5}])
def test_no_way_out_is_named_that_is_none(alpha):
    with pytest.raises(InfeasiblePromise) as caught:
        GeneralAlphaK().group(town(alpha), Requirement(k=2), np.random.default_rng(0))
    assert "general=false" not in str(caught.value)


def test_a_lattice_that_is_too_large_is_drawn_from_and_it_is_said():
    rng = np.random.default_rng(2)
    tree = Tree(tuple((f"v{i}", f"g{i // 2}", "*") for i in range(6)))
    graph = graph_of([], 60, lines=(tree,) * 11, values=rng.integers(0, 6, (11, 60)).astype(float), has_ties=False)
    said: list[str] = []
    with hearing(said.append):
        grouping = Recursive(nodes=50).group(graph, Requirement(k=4), np.random.default_rng(0))
    assert grouping.partition.sizes.min() >= 4
    assert "of the 177,147 combinations of levels 50 are looked at" in said[0]
