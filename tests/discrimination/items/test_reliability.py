import math

import numpy as np
import pytest

from assay.discrimination import count_items_needed, measure_reliability


def test_kr20_by_hand():
    table = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    shares = table.mean(axis=0)
    by_hand = 4 / 3 * (1 - (shares * (1 - shares)).sum() / table.sum(axis=1).var())
    assert measure_reliability(table).alpha.value == pytest.approx(by_hand)


def test_equal_items_are_perfectly_reliable():
    result = measure_reliability(np.tile([[1.0], [0.0], [1.0]], (1, 5)))
    assert result.alpha.value == pytest.approx(1)
    assert result.smallest_real_gap == pytest.approx(0, abs=1e-6)


def test_numbers_are_called_alpha():
    assert measure_reliability(np.random.default_rng(0).random((5, 8))).method == "alpha"


def test_equal_systems_have_no_alpha():
    result = measure_reliability([[1, 0], [0, 1]])
    assert math.isnan(result.alpha.value)
    assert "same score" in result.reason


def test_the_items_needed_give_the_requested_power():
    generator = np.random.default_rng(0)
    pool_a, pool_b = generator.random(200_000) < 0.70, generator.random(200_000) < 0.65
    n = count_items_needed(pool_a.astype(float), pool_b.astype(float))
    wins = 0
    for _ in range(400):
        rows = generator.integers(200_000, size=int(n))
        gap = pool_a[rows].astype(float) - pool_b[rows]
        wins += abs(gap.mean()) > 1.96 * gap.std(ddof=1) / math.sqrt(n)
    assert 0.73 < wins / 400 < 0.87


def test_equal_systems_need_infinitely_many_items():
    assert math.isinf(count_items_needed([1, 0, 1], [0, 1, 1]))


def test_items_needed_are_undefined_if_the_difference_never_varies():
    assert math.isnan(count_items_needed([1.0] * 20, [0.0] * 20))
    assert math.isinf(count_items_needed([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]))
