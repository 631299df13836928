"""Weighted correlations equal those of scipy on the copied values, cluster by cluster."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.statistics import bootstrap_weights, correlate_rows, weighted_kendall, weighted_pearson, weighted_spearman

THEIRS = {"spearman": stats.spearmanr, "kendall": stats.kendalltau, "pearson": stats.pearsonr}


def draw(seed, n=60, ties=6):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, ties, n).astype(float)
    return x, x + rng.normal(size=n).round(1), rng.integers(0, 12, n)


@pytest.mark.parametrize("method", THEIRS)
@pytest.mark.parametrize("seed", range(3))
def test_weights_are_copies(method, seed):
    x, y, clusters = draw(seed)
    weights = bootstrap_weights(12, 20, seed)
    ours = {
        "spearman": lambda: weighted_spearman(x, y, weights[:, clusters]),
        "kendall": lambda: weighted_kendall(x, y, clusters, weights),
        "pearson": lambda: weighted_pearson(x, y, weights[:, clusters]),
    }[method]()
    copies = [np.repeat(np.arange(len(x)), row[clusters]) for row in weights]
    assert ours == pytest.approx([THEIRS[method](x[rows], y[rows])[0] for rows in copies])


@pytest.mark.parametrize("method", THEIRS)
def test_rows_are_correlated_one_by_one(method):
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, (30, 8)), rng.integers(0, 5, (30, 8))
    assert correlate_rows(x, y, method) == pytest.approx([THEIRS[method](*row)[0] for row in zip(x, y, strict=True)])


def test_constant_values_have_no_correlation():
    once = np.ones((1, 4))
    constant, other = np.full(4, 0.1), np.arange(4.0)
    assert np.isnan(weighted_pearson(constant, other, once))
    assert np.isnan(weighted_spearman(constant, other, once))
    assert np.isnan(weighted_kendall(constant, other, np.arange(4), once))
    assert np.isnan(correlate_rows(constant, other, "pearson"))
