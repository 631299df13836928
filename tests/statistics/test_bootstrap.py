"""Bootstrap draws and sums."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.statistics import bootstrap_sums, bootstrap_weights, cell_sums, distinct_rows, distinct_sums


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


def test_no_items_are_an_error():
    with pytest.raises(UsageError, match="A bootstrap needs items and resamples; there are 0 and 5"):
        bootstrap_weights(0, 5)


def test_cell_sums_are_the_weights_times_the_statistics_of_each_item():
    generator = np.random.default_rng(0)
    systems = [(generator.integers(7, size=50), generator.normal(size=(7, 3))) for _ in range(2)]
    weights = bootstrap_weights(50, 20, random_state=5)
    for (cells, table), ours in zip(systems, cell_sums(systems, 20, random_state=5), strict=True):
        assert np.allclose(ours, weights @ table[cells])


def test_items_without_a_cell_do_not_count():
    cells, table = np.array([0, -1, 0, -1]), np.array([[1.0]])
    weights = bootstrap_weights(4, 30)
    assert np.array_equal(cell_sums([(cells, table)], 30)[0][:, 0], weights[:, [0, 2]].sum(axis=1))


def test_no_systems_have_no_sums():
    assert cell_sums([]) == []


def make_flags(n=2000, seed=0):
    return np.random.default_rng(seed).integers(2, size=(n, 4))


def test_distinct_rows_and_counts_make_up_the_table():
    table = make_flags()
    rows, counts = distinct_rows(table)
    assert sorted(map(tuple, np.repeat(rows, counts, axis=0))) == sorted(map(tuple, table))
    assert len({tuple(row) for row in rows}) == len(rows)


def test_distinct_sums_have_the_distribution_of_the_plain_bootstrap():
    table = make_flags()
    ours, plain = distinct_sums(table, n_resamples=4000), bootstrap_sums(table, 4000)
    assert ours.mean(axis=0) == pytest.approx(plain.mean(axis=0), rel=0.005)
    assert np.cov(ours.T) == pytest.approx(np.cov(plain.T), rel=0.1, abs=20)


def test_distinct_sums_do_not_depend_on_the_order_of_rows():
    table = make_flags()
    order = np.random.default_rng(1).permutation(len(table))
    assert np.array_equal(distinct_sums(table, n_resamples=50), distinct_sums(table[order], n_resamples=50))


def test_counted_rows_give_the_sums_of_repeated_rows():
    table = make_flags()
    rows, counts = distinct_rows(table)
    assert np.array_equal(distinct_sums(rows, counts, 50), distinct_sums(table, n_resamples=50))


def test_rows_that_all_differ_are_drawn_one_by_one():
    table = np.random.default_rng(0).normal(size=(30, 2))
    rows, _ = distinct_rows(table)
    ours = distinct_sums(table, n_resamples=20, random_state=3)
    assert np.array_equal(ours, bootstrap_sums(rows, 20, random_state=3))
