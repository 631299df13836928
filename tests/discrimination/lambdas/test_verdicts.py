import math

import pytest

from assay.discrimination import judge_lambda


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (3.0, math.nan, math.nan, "discriminates"),
        (2.9, math.nan, math.nan, "does not discriminate"),
        (3.5, 3.0, 4.0, "discriminates"),
        (3.5, 2.9, 4.0, "cannot tell"),
        (2.0, 1.0, 2.9, "does not discriminate"),
        (math.nan, math.nan, math.nan, "cannot tell"),
    ],
)
def test_the_threshold_belongs_to_the_better_side(value, low, high, expected):
    assert judge_lambda(value, low, high, 3.0) == expected
