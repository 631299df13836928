import math

import numpy as np
import pytest

from assay.discrimination import items_needed, reliability


def test_kr20_by_hand():
    table = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    shares = table.mean(axis=0)
    by_hand = 4 / 3 * (1 - (shares * (1 - shares)).sum() / table.sum(axis=1).var())
    assert reliability(table).alpha == pytest.approx(by_hand)


def test_equal_items_are_perfectly_reliable():
    found = reliability(np.tile([[1.0], [0.0], [1.0]], (1, 5)))
    assert found.alpha == pytest.approx(1)
    assert found.smallest_real_gap == pytest.approx(0, abs=1e-6)


def test_numbers_are_called_alpha():
    assert reliability(np.random.default_rng(0).random((5, 8))).method == "alpha"


def test_equal_systems_have_no_alpha():
    found = reliability([[1, 0], [0, 1]])
    assert math.isnan(found.alpha)
    assert "same score" in found.reason


def test_items_needed_give_the_power_asked_for():
    generator = np.random.default_rng(0)
    pool_a, pool_b = generator.random(200_000) < 0.70, generator.random(200_000) < 0.65
    n = items_needed(pool_a.astype(float), pool_b.astype(float))
    wins = 0
    for _ in range(400):
        rows = generator.integers(200_000, size=int(n))
        gap = pool_a[rows].astype(float) - pool_b[rows]
        wins += abs(gap.mean()) > 1.96 * gap.std(ddof=1) / math.sqrt(n)
    assert 0.73 < wins / 400 < 0.87


def test_equal_systems_never_separate():
    assert math.isinf(items_needed([1, 0, 1], [0, 1, 1]))
