import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination.ranks.deviations import compute_deviations

TABLE = np.random.default_rng(0).random((4, 60))


def test_over_items_the_covariance_is_that_of_the_means():
    _, deviations, n = compute_deviations(TABLE, "items", None, None)
    assert n == 60
    assert deviations @ deviations.T == pytest.approx(np.cov(TABLE) / 60)


def test_over_datasets_the_covariance_is_that_of_the_dataset_means():
    datasets = np.repeat(np.arange(6), 10)
    scores, deviations, n = compute_deviations(TABLE, "datasets", datasets, None)
    means = TABLE.reshape(4, 6, 10).mean(axis=2)
    assert n == 6
    assert scores == pytest.approx(means.mean(axis=1))
    assert deviations @ deviations.T == pytest.approx(np.cov(means) / 6)


def test_over_both_the_variances_add():
    datasets = np.repeat(np.arange(6), 10)
    parts = [compute_deviations(TABLE, over, datasets, None)[1] for over in ("datasets", "items", "both")]
    squares = [part @ part.T for part in parts]
    assert squares[2] == pytest.approx(squares[0] + squares[1])


def test_copies_in_one_group_do_not_lower_the_error():
    groups = np.repeat(np.arange(60), 3)
    _, deviations, n = compute_deviations(np.repeat(TABLE, 3, axis=1), "items", None, groups)
    assert n == 60
    assert deviations @ deviations.T == pytest.approx(np.cov(TABLE) / 60)


def test_every_item_needs_a_dataset():
    with pytest.raises(UsageError, match="have 3 names for 60 items"):
        compute_deviations(TABLE, "items", [1, 2, 3], None)
