"""Boosted trees as plain arrays."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np
import pytest

from assay.forecast.trees import Trees

# x0 <= 1 ? (x1 <= 2 ? 10 : 20) : (x0 <= 5 ? 30 : 40), with 2, 3, 4 and 1 training rows in the leaves.
TREE = Trees(
    roots=np.array([0]),
    feature=np.array([0, 1, 0, -1, -1, -1, -1]),
    threshold=np.array([1.0, 2.0, 5.0, 0.0, 0.0, 0.0, 0.0]),
    missing=np.zeros(7, int),
    default_left=np.ones(7, bool),
    left=np.array([1, 3, 5, 3, 4, 5, 6]),
    right=np.array([2, 4, 6, 3, 4, 5, 6]),
    value=np.array([0.0, 0.0, 0.0, 10.0, 20.0, 30.0, 40.0]),
    count=np.array([10, 5, 5, 2, 3, 4, 1]),
)


def test_a_row_reaches_its_leaf():
    X = np.array([[1.0, 2.0], [0.0, 3.0], [5.0, 0.0], [6.0, 9.0], [np.nan, np.nan]])
    assert TREE.predict(X).tolist() == [10.0, 20.0, 30.0, 40.0, 10.0]  # a missing value counts as 0


def test_the_expected_value_is_the_mean_over_training_rows():
    assert TREE.expected_value == pytest.approx((2 * 10 + 3 * 20 + 4 * 30 + 1 * 40) / 10)


def average_over(node: int, x: np.ndarray, known: set[int]) -> float:
    """Follow the known features of x down the tree, and both branches of the others."""
    feature = int(TREE.feature[node])
    if feature < 0:
        return float(TREE.value[node])
    left, right = int(TREE.left[node]), int(TREE.right[node])
    if feature in known:
        return average_over(left if x[feature] <= TREE.threshold[node] else right, x, known)
    shares = TREE.count[[left, right]] / TREE.count[node]
    return float(shares[0] * average_over(left, x, known) + shares[1] * average_over(right, x, known))


@pytest.mark.parametrize("x", [[1.0, 2.0], [0.0, 3.0], [5.0, 0.0], [6.0, 9.0]])
def test_shap_values_equal_their_definition(x):
    row = np.array([*x, 7.0])
    expected = []
    for feature in range(3):
        others = [other for other in range(3) if other != feature]
        expected.append(
            sum(
                factorial(size) * factorial(2 - size) / factorial(3)
                * (average_over(0, row, {*known, feature}) - average_over(0, row, set(known)))
                for size in range(3)
                for known in combinations(others, size)
            )
        )  # fmt: skip
    assert TREE.explain(row) == pytest.approx(expected)
    assert TREE.explain(row).sum() + TREE.expected_value == pytest.approx(TREE.predict(row[None, :])[0])
