"""How much each attribute should count, by the entropy of its values.

The entropy weight method, as Zhang, Chen, Wang, Zhai and Ma (*K-Prototypes clustering method for local differential
privacy*, 2022, in Chinese) use it for mixed records: an attribute whose values are spread over few people has a low entropy E,
and counts more, w = (1 - E) / (k - sum of E) for k attributes. The paper's formulas are those of a recipe that has
been copied often; its words say the reverse, that a higher entropy means a greater weight. ``wording="text"`` follows the
words, w = E / sum of E.

For a number, p is a person's share of the sum of the column, put on [0, 1] by its least and greatest value. Codes of
categories are addresses, not magnitudes, so the entropy of a category is that of how often its values occur, over the
logarithm of how many do; with ``codes="label"`` the codes are taken for numbers, as the paper seems to do. A column of one
value tells nothing and has E = 1.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphanon.domain import Floats
from graphanon.tabular.centre_choice import Codes
from graphanon.tabular.prototypes import Records, Weights

__all__ = ["Wording", "entropies", "entropy_weights"]

Ints = NDArray[np.int64]
Wording = Literal["method", "text"]


def entropies(records: Records, *, codes: Codes = "names", shift: float = 0.0) -> Floats:
    """Return the entropy, 0 to 1, of each number and then of each category.

    `shift` is added to numbers on [0, 1] ("non-negative handling"; 0.0001 where it is used at all).

    Examples
    --------
    >>> from graphanon.tabular.prototypes import records_from
    >>> entropies(records_from([[0, 1], [0, 2], [0, 3], [1, 4]])).round(6)
    array([0.      , 0.729574])
    """
    found = [_of_numbers(column, records.weight, shift) for column in records.numbers.T]
    for column, size in zip(records.codes.T, records.sizes, strict=True):
        if codes == "label":
            found.append(_of_numbers(column.astype(float), records.weight, shift))
        else:
            found.append(_of_values(np.bincount(column, weights=records.weight, minlength=size).astype(float)))
    return np.array(found, dtype=float)


def _of_numbers(column: Floats, weight: Ints, shift: float) -> float:
    low, high, n = column.min(initial=np.inf), column.max(initial=-np.inf), int(weight.sum())
    if n < 2 or high <= low:
        return 1.0
    scaled = (column - low) / (high - low) + shift
    return _entropy(scaled / (weight @ scaled), weight.astype(float)) / float(np.log(n))


def _of_values(counts: Floats) -> float:
    present = counts[counts > 0]
    if len(present) < 2:
        return 1.0
    return _entropy(present / present.sum(), np.ones(len(present))) / float(np.log(len(present)))


def _entropy(share: Floats, times: Floats) -> float:
    some = share > 0
    return max(float((times[some] * share[some] * -np.log(share[some])).sum()), 0.0)


def entropy_weights(
    records: Records, *, wording: Wording = "method", codes: Codes = "names", shift: float = 0.0
) -> Weights:
    """Return what each attribute counts, in all 1; alike, where entropies do not tell them apart.

    Examples
    --------
    >>> from graphanon.tabular.prototypes import records_from
    >>> entropy_weights(records_from([[0, 1], [0, 2], [0, 3], [1, 4]])).numbers.round(6)
    array([0.787138, 0.212862])
    """
    entropy = entropies(records, codes=codes, shift=shift)
    pull = 1 - entropy if wording == "method" else entropy
    total = float(pull.sum())
    alike = records.n < 2 or total <= 1e-12
    weights = np.full(len(entropy), 1 / max(len(entropy), 1)) if alike else pull / total
    p = records.numbers.shape[1]
    return Weights(weights[:p], weights[p:])
