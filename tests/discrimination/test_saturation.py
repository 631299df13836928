import math

import pytest

from assay.discrimination.saturation import measure_saturation


def test_headroom_and_compression_by_hand():
    result = measure_saturation([98, 97.5, 97, 96.5, 96, 50])
    assert (result.headroom, result.top_range, result.n_within_one) == (2, 2, 3)
    assert result.compression == pytest.approx(1 - 2 / 48)


def test_lower_is_better_is_mirrored():
    result = measure_saturation([2, 2.5, 3, 3.5, 4, 50], upper=0, lower_is_better=True)
    assert (result.best, result.headroom, result.top_range) == (2, 2, 2)


def test_constant_scores_have_no_compression():
    assert math.isnan(measure_saturation([90.0] * 8).compression)


def test_no_score_is_undefined():
    assert math.isnan(measure_saturation([]).headroom)
