import math

import pytest

from assay.discrimination import saturation


def test_room_and_compression_by_hand():
    found = saturation([98, 97.5, 97, 96.5, 96, 50])
    assert (found.headroom, found.top_range, found.n_within_one) == (2, 2, 3)
    assert found.compression == pytest.approx(1 - 2 / 48)


def test_lower_is_better_is_mirrored():
    found = saturation([2, 2.5, 3, 3.5, 4, 50], upper=0, lower_is_better=True)
    assert (found.best, found.headroom, found.top_range) == (2, 2, 2)


def test_constant_scores_have_no_compression():
    assert math.isnan(saturation([90.0] * 8).compression)


def test_no_score_is_undefined():
    assert math.isnan(saturation([]).headroom)
