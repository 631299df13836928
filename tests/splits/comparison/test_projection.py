"""The rows on a plane."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from assay.splits.comparison.projection import compute_plane, draw_rows


def test_it_is_the_principal_plane():
    X = np.random.default_rng(0).normal(size=(50, 6)) * [5, 3, 1, 1, 1, 1]
    assert np.abs(compute_plane(X)) == pytest.approx(np.abs(PCA(2).fit_transform(X)))


def test_one_dimension_becomes_a_line():
    assert compute_plane(np.array([[1.0], [3.0]])).shape == (2, 2)


def test_at_most_two_thousand_rows_are_shown():
    rows = draw_rows(5000, np.random.default_rng(0))
    assert len(rows) == len(set(rows.tolist())) == 2000
