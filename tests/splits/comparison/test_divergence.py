"""A value next to those of random splits."""

import numpy as np
import pytest

from assay.splits.comparison.divergence import compare_with_null


def test_p_counts_random_splits_at_least_as_far_apart():
    null = np.arange(1, 100) / 100
    assert compare_with_null(0.99, null).p == pytest.approx(2 / 100)
    assert compare_with_null(0.01, null, low_is_far=True).p == pytest.approx(2 / 100)
    assert compare_with_null(0.5, null).null.low == pytest.approx(np.percentile(null, 2.5))


def test_undefined_values_stay_undefined():
    assert np.isnan(compare_with_null(np.nan, np.array([0.1])).p)
    assert np.isnan(compare_with_null(0.3, np.array([])).null.low)
