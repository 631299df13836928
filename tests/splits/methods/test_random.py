"""The random split."""

import numpy as np
import pytest

from assay.splits import RandomSplit

TEXTS = [f"text {number}" for number in range(23)]


@pytest.mark.parametrize("k", range(2, 12))
def test_fold_sizes_differ_by_at_most_one(k):
    sizes = np.bincount(RandomSplit(n_splits=k).assign(TEXTS).folds)[1:]
    assert sizes.max() - sizes.min() <= 1


def test_requested_sizes_are_met_as_shares_and_as_numbers():
    assert RandomSplit(test_size=0.2, dev_size=3).partition(TEXTS).sizes == {"train": 15, "dev": 3, "test": 5}


def test_every_row_is_drawn_about_equally_often():
    tests = [fold.test for fold in RandomSplit(test_size=0.25, n_repeats=2000).split([f"t{n}" for n in range(8)])]
    counts = np.bincount(np.concatenate(tests))
    assert abs(counts - 500).max() < 5 * np.sqrt(2000 * 0.25 * 0.75)  # five standard deviations
