import math

import numpy as np
import pytest

from assay.discrimination import measure_scaled_variance


def test_the_example_of_xiao_et_al_2022():
    assert measure_scaled_variance([88, 92, 93]).lambda_sva == pytest.approx(23.81, abs=0.005)


def test_it_is_negative_below_an_oracle_bound():
    assert measure_scaled_variance([88, 92, 93], upper=80).lambda_sva < 0


def test_no_headroom_gives_zero():
    assert measure_scaled_variance([99, 100, 101]).lambda_sva == 0


def test_one_system_is_undefined():
    result = measure_scaled_variance([90.0])
    assert math.isnan(result.lambda_sva)
    assert "at least 2 systems" in result.reason


def test_items_give_an_interval():
    outcomes = (np.random.default_rng(0).random((4, 300)) < 0.7).astype(float)
    result = measure_scaled_variance(100 * outcomes.mean(axis=1), outcomes=outcomes)
    assert result.low <= result.lambda_sva <= result.high
