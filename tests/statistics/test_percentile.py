from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.base.errors import UsageError
from assay.statistics import bootstrap_sums, percentile


def test_it_agrees_with_scipy_on_the_mean():
    sample = np.random.default_rng(3).exponential(size=80)
    theirs = stats.bootstrap((sample,), np.mean, n_resamples=9999, method="percentile", rng=np.random.default_rng(0))
    ours = percentile(bootstrap_sums(sample, 9999)[:, 0] / 80, value=sample.mean())
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.015)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.015)


def test_undefined_resamples_are_left_out():
    assert percentile([1.0, 2.0, 3.0, np.nan], 0.5).low == 1.5
    assert np.isnan(percentile([np.nan]).low)


def test_a_confidence_beyond_one_is_an_error():
    with pytest.raises(UsageError, match="confidence is 95; it must lie between 0 and 1"):
        percentile([1.0], confidence=95)
