"""Totals from a sample: a case counted by hand, laws, and coverage in a small simulation."""

from __future__ import annotations

import numpy as np
import pytest

from assay.reviews.samples import ReviewSample
from assay.reviews.weighted_counts import find_limits


def make_sample(strata, sizes, batches=None) -> ReviewSample:
    strata, sizes = np.array(strata), np.array(sizes, dtype=float)
    counts = np.bincount(strata, minlength=len(sizes)).astype(float)
    return ReviewSample(strata, sizes, counts, np.zeros(len(sizes), int) if batches is None else np.array(batches))


def count(sample: ReviewSample, values: list[float]):
    return sample.estimate(np.array(values, dtype=float)[:, None], np.ones(1))


def test_a_total_counted_by_hand():
    # Two of two items of a certain stratum are bad, and one of four that stand for 100: 2 + 25.
    sample = make_sample([0, 0, 1, 1, 1, 1], [2, 100])
    totals = count(sample, [1, 1, 1, 0, 0, 0])
    assert totals.value[0] == pytest.approx(27)
    assert 3 <= totals.low[0] < 27 < totals.high[0]


def test_a_complete_review_has_no_error():
    totals = count(make_sample([0, 0, 0, 0], [4]), [1, 0, 1, 0])
    assert (totals.low[0], totals.value[0], totals.high[0]) == (2, 2, 2)


def test_nothing_found_gives_the_rule_of_three():
    totals = count(make_sample([0] * 100, [10_000]), [0] * 100)
    assert totals.low[0] == pytest.approx(0, abs=1e-6)
    assert totals.high[0] == pytest.approx(300, rel=0.02)


def test_all_bad_items_may_have_been_found():
    # One item is bad, in a stratum of which half was drawn: no other one has to be.
    sample = make_sample([0] * 10 + [1] * 10, [20, 1000])
    assert count(sample, [1] + [0] * 19).low[0] == 1
    # That five of five were drawn happens 1 in 32 times, and one of a hundred times 1 in 100.
    assert count(sample, [1] * 5 + [0] * 15).low[0] > 5
    assert count(sample, [0] * 10 + [1] + [0] * 9).low[0] > 1


def test_limits_rise_with_every_bad_item():
    sample = make_sample([0] * 30, [600])
    highs = [count(sample, [1] * n + [0] * (30 - n)).high[0] for n in range(15)]
    assert all(np.diff(highs) > 0)


def test_batches_are_averaged_without_bias():
    # A batch of 10 of 100, then one of 10 of the other 90: both estimates are unbiased for every population.
    rng = np.random.default_rng(0)
    bad = np.zeros(100)
    bad[:20] = 1
    values = []
    for _ in range(3000):
        order = rng.permutation(100)
        sample = make_sample([0] * 10 + [1] * 10, [100, 90], [0, 1])
        values.append(count(sample, bad[order[:20]].tolist()).value[0])
    assert np.mean(values) == pytest.approx(20, abs=0.4)


def test_a_batch_that_covers_the_rest_decides_alone():
    sample = make_sample([0, 0, 1, 1], [4, 2], [0, 1])
    totals = count(sample, [1, 0, 0, 0])
    assert (totals.low[0], totals.value[0], totals.high[0]) == (1, 1, 1)


def test_signed_totals_are_the_difference_of_gains_and_losses():
    sample = make_sample([0] * 10, [100])
    values = np.array([1.0, -0.5, 0, 0, 0, 0, 0, 0, 0, 0])[:, None]
    totals = sample.estimate_signed(values, (np.ones(1), np.ones(1)))
    mirrored = sample.estimate_signed(-values, (np.ones(1), np.ones(1)))
    assert totals.value[0] == pytest.approx(5)
    assert totals.low[0] == pytest.approx(-mirrored.high[0])
    assert totals.low[0] < 5 < totals.high[0]


def test_an_item_stands_for_no_more_than_may_be_like_it():
    sample = make_sample([0] * 50, [1000])
    values = np.zeros((50, 1))
    wide = sample.estimate(values, np.ones(1))
    narrow = sample.estimate(values, np.ones(1), eligible=np.array([[4.0]]))
    assert wide.high[0] == pytest.approx(60, rel=0.1)
    assert narrow.high[0] < 15


@pytest.mark.parametrize("n_bad", [(0, 40), (10, 10), (15, 60), (60, 0)])
def test_intervals_hold_whatever_the_strata_are_worth(n_bad):
    """The first stratum is drawn ten times as often as the second; either may have the bad items."""
    rng = np.random.default_rng(1)
    sizes, draws = np.array([60, 1000]), np.array([30, 50])
    found = rng.hypergeometric(n_bad, sizes - n_bad, draws, size=(1000, 2))
    weights = sizes / draws - 1
    variance = (found * weights * (weights + 1) * (1 - found / (draws + 1))).sum(axis=1)
    largest = np.full(1000, weights.max())
    low, high = find_limits(found @ weights, variance, largest, largest * (largest + 1))
    known = found.sum(axis=1)
    covered = (known + low <= sum(n_bad)) & (sum(n_bad) <= known + high)
    assert covered.mean() >= 0.925
