from __future__ import annotations

import math

import pytest

from assay.base.numbers import choose_digits, format_interval, format_number


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.8137, 0.0214, "0.81 ± 0.02"),
        (math.nan, None, "n/a"),
        (None, None, "n/a"),
        (True, None, "True"),
        (12345, None, "12,345"),
    ],
)
def test_a_value_is_written_for_people(value, error, text):
    assert format_number(value, error) == text


def test_an_interval_decides_the_digits():
    assert format_interval(0.81372, 0.771, 0.852) == "0.81 [0.77, 0.85]"
    assert format_interval(-0.01844, -0.0353, -0.0017) == "−0.018 [−0.035, −0.002]"
    assert format_interval(0.5, 0.48, 0.52, percent=True) == "50% [48, 52]"


def test_zero_is_never_negative_and_a_missing_interval_is_left_out():
    assert format_interval(-0.00195, -0.1, 0.09) == "0.00 [−0.10, 0.09]"
    assert format_interval(0.25, None, math.nan) == "0.25"
    assert format_interval(math.nan, 0.1, 0.2) == "n/a"


def test_wider_intervals_show_fewer_digits():
    digits = [choose_digits(width) for width in (1e-9, 0.001, 0.1, 1, 100)]
    assert digits == sorted(digits, reverse=True)
    assert choose_digits(math.inf) == 3
