from __future__ import annotations

import numpy as np
import pytest

from assay.statistics import bootstrap_sums, distinct_sums
from assay.statistics.distinct import distinct_rows


def table(n=2000, seed=0):
    return np.random.default_rng(seed).integers(2, size=(n, 4))


def test_rows_and_counts_make_up_the_table():
    given = table()
    rows, counts = distinct_rows(given)
    assert sorted(map(tuple, np.repeat(rows, counts, axis=0))) == sorted(map(tuple, given))
    assert len({tuple(row) for row in rows}) == len(rows)


def test_sums_have_the_distribution_of_the_plain_bootstrap():
    given = table()
    ours, plain = distinct_sums(given, n_resamples=4000), bootstrap_sums(given, 4000)
    assert ours.mean(axis=0) == pytest.approx(plain.mean(axis=0), rel=0.005)
    assert np.cov(ours.T) == pytest.approx(np.cov(plain.T), rel=0.1, abs=20)


def test_the_order_of_rows_does_not_matter():
    given = table()
    order = np.random.default_rng(1).permutation(len(given))
    assert np.array_equal(distinct_sums(given, n_resamples=50), distinct_sums(given[order], n_resamples=50))


def test_counted_rows_are_the_same_as_repeated_ones():
    given = table()
    rows, counts = distinct_rows(given)
    assert np.array_equal(distinct_sums(rows, counts, 50), distinct_sums(given, n_resamples=50))


def test_rows_that_all_differ_are_drawn_one_by_one():
    given = np.random.default_rng(0).normal(size=(30, 2))
    rows, _ = distinct_rows(given)
    ours = distinct_sums(given, n_resamples=20, random_state=3)
    assert np.array_equal(ours, bootstrap_sums(rows, 20, random_state=3))
