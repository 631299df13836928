import numpy as np
import pytest

from assay.discrimination.lambdas.resampling import RESAMPLINGS, divide_sums, score_resamples, sum_outcomes


@pytest.mark.parametrize("name", RESAMPLINGS)
def test_every_resample_has_the_requested_number_of_units(name):
    weights = RESAMPLINGS[name](10, 10 if name == "bootstrap" else 7, 20, 0)
    assert weights.shape == (20, 10)
    assert set(weights.sum(axis=1).tolist()) == {10 if name == "bootstrap" else 7}


def test_a_subsample_contains_no_unit_twice():
    assert RESAMPLINGS["subsample"](10, 8, 50, 0).max() == 1


def test_all_units_drawn_once_give_the_full_scores():
    table = np.random.default_rng(0).random((3, 12))
    scores, full = score_resamples(table, None, None, 12, "subsample", None, 5, 0)
    assert scores == pytest.approx(np.tile(full, (5, 1)))
    assert full == pytest.approx(table.mean(axis=1))


def test_sums_of_a_mean_leave_missing_outcomes_out():
    sums = sum_outcomes(np.array([[1.0, np.nan, 0.0]])).sum(axis=1)
    assert divide_sums(sums).tolist() == [0.5]
