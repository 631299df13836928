"""The correction of a share for known errors."""

import math

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.statistics import rogan_gladen


def test_without_errors_nothing_changes():
    assert rogan_gladen(30, 100, 50, 50, 50, 50).value == pytest.approx(0.3)


def test_the_correction_undoes_the_errors():
    share = 0.3 * 0.9 + 0.7 * 0.2
    assert rogan_gladen(1000 * share, 1000, 90, 100, 80, 100).value == pytest.approx(0.3)


def test_a_guess_cannot_be_corrected():
    assert math.isnan(rogan_gladen(50, 100, 25, 50, 25, 50).value)
    assert math.isnan(rogan_gladen(50, 100, 0, 0, 25, 50).value)


def test_counts_beyond_their_number_are_refused():
    with pytest.raises(UsageError):
        rogan_gladen(5, 4, 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("n", "share", "sensitivity", "specificity", "n_positive", "n_negative"),
    [
        (500, 0.6, 0.9, 0.8, 100, 100),
        (300, 0.9, 0.9, 0.7, 90, 10),
        (1000, 0.5, 0.7, 0.7, 50, 50),
        (300, 0.3, 0.7, 0.8, 40, 40),
    ],
)
def test_the_interval_covers(n, share, sensitivity, specificity, n_positive, n_negative):
    generator = np.random.default_rng(0)
    rate = share * sensitivity + (1 - share) * (1 - specificity)
    covered = 0
    for _ in range(1500):
        hits = generator.binomial(n_positive, sensitivity)
        spared = generator.binomial(n_negative, specificity)
        interval = rogan_gladen(generator.binomial(n, rate), n, hits, n_positive, spared, n_negative)
        covered += interval.low <= share <= interval.high
    assert 0.93 <= covered / 1500 <= 0.97
