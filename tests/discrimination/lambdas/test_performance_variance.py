import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.base.errors import UsageError
from assay.discrimination import measure_performance_variance

SCORES = st.lists(st.floats(0, 100), min_size=2, max_size=20)


def test_the_example_of_xiao_et_al_2022():
    assert measure_performance_variance([88, 92, 93]).lambda_var == pytest.approx(2.65, abs=0.005)


@given(SCORES, st.floats(-50, 50))
def test_a_shift_of_all_scores_changes_nothing(scores, shift):
    moved = measure_performance_variance([score + shift for score in scores]).lambda_var
    assert moved == pytest.approx(measure_performance_variance(scores).lambda_var, abs=1e-6)


def test_one_system_has_no_spread_and_a_reason():
    result = measure_performance_variance([90.0])
    assert math.isnan(result.lambda_var)
    assert "at least 2 systems" in result.reason


def test_constant_scores_give_zero():
    assert measure_performance_variance([90.0, 90.0, 90.0]).lambda_var == 0


def test_missing_scores_are_left_out():
    assert measure_performance_variance([88, math.nan, 92, 93]).n_systems == 3


def test_a_score_table_alone_has_no_interval():
    result = measure_performance_variance([88, 92, 93])
    assert math.isnan(result.low)
    assert "a bootstrap over a handful of systems does not cover" in result.reason


def test_items_give_an_interval_around_the_value():
    outcomes = (np.random.default_rng(0).random((5, 400)) < np.linspace(0.5, 0.9, 5)[:, None]).astype(float)
    result = measure_performance_variance(100 * outcomes.mean(axis=1), outcomes=outcomes)
    assert result.low < result.lambda_var < result.high
    assert result.method == "bootstrap test inversion"


def test_the_number_of_items_gives_an_approximate_interval():
    few, many = (measure_performance_variance([60, 70, 80], n_items=n) for n in (50, 5000))
    assert few.method == "binomial test inversion"
    assert few.high - few.low > many.high - many.low > 0


def test_the_interval_over_items_covers_the_true_spread():
    generator, truth = np.random.default_rng(1), np.linspace(0.70, 0.73, 4)
    expected = 100 * np.std(truth, ddof=1)
    covered = 0
    for seed in range(100):
        outcomes = (generator.random((4, 400)) < truth[:, None]).astype(float)
        result = measure_performance_variance(
            100 * outcomes.mean(axis=1), outcomes=outcomes, n_resamples=400, random_state=seed
        )
        covered += result.low <= expected <= result.high
    assert covered >= 90


def test_equal_systems_are_compatible_with_no_spread():
    outcomes = (np.random.default_rng(3).random((4, 200)) < 0.7).astype(float)
    assert measure_performance_variance(100 * outcomes.mean(axis=1), outcomes=outcomes).low == 0


def test_scores_must_be_a_plain_list():
    with pytest.raises(UsageError, match="one score per system"):
        measure_performance_variance([[1, 2], [3, 4]])
