from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.statistics import bootstrap_sums, bootstrap_weights


def test_every_resample_draws_as_many_items_as_there_are():
    weights = bootstrap_weights(17, 50)
    assert weights.shape == (50, 17)
    assert (weights.sum(axis=1) == 17).all()


def test_weights_are_multinomial():
    weights = bootstrap_weights(10, 20_000)
    assert np.allclose(weights.mean(axis=0), 1, atol=0.03)
    assert np.allclose(weights.var(axis=0), 0.9, atol=0.04)


def test_sums_are_the_weights_times_the_statistics():
    statistics = np.random.default_rng(1).normal(size=(40, 3))
    expected = bootstrap_weights(40, 30, random_state=5) @ statistics
    assert np.allclose(bootstrap_sums(statistics, 30, random_state=5), expected)


def test_counts_are_summed_exactly_in_single_precision():
    statistics = np.random.default_rng(1).integers(2, size=(3000, 4))
    expected = bootstrap_weights(3000, 20) @ statistics
    assert np.array_equal(bootstrap_sums(statistics, 20), expected)


def test_groups_are_drawn_whole():
    groups = ["a", "a", "b", "c", "c", "c"]
    weights = bootstrap_weights(6, 100, groups=groups)
    assert (weights[:, 0] == weights[:, 1]).all()
    assert (weights[:, [0, 2, 3]].sum(axis=1) == 3).all()
    statistics = np.arange(12.0).reshape(6, 2)
    assert np.allclose(bootstrap_sums(statistics, 100, groups=groups), weights @ statistics)


def test_the_same_seed_gives_the_same_draws_whatever_the_block():
    many = bootstrap_weights(1_500_000, 2)
    assert np.array_equal(many[:1], bootstrap_weights(1_500_000, 1))


def test_no_items_is_an_error():
    with pytest.raises(UsageError, match="0 items with 5 resamples; both must be at least 1"):
        bootstrap_weights(0, 5)
