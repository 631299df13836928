from __future__ import annotations

import math

import pytest

from assay.views.values import Interval
from assay.wording.numbers import choose_digits, format_interval, format_number, format_percent


def estimate(value: float, low: float = math.nan, high: float = math.nan) -> Interval:
    return Interval(value, low, high)


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (math.nan, "number", "n/a"),
        (None, "percent", "n/a"),
        (True, "number", "True"),
        (12345, "number", "12,345"),
        (0.0512, "percent", "5.1%"),
        (-0.0512, "points", "−5.1 points"),
        (0.00123, "p", "0.0012"),
    ],
)
def test_a_value_is_written_for_people(value, form, text):
    assert format_number(value, form) == text


def test_an_interval_decides_the_digits():
    assert format_interval(estimate(0.81372, 0.771, 0.852)) == "0.81 [0.77, 0.85]"
    assert format_interval(estimate(-0.01844, -0.0353, -0.0017)) == "−0.018 [−0.035, −0.002]"
    assert format_interval(estimate(0.5, 0.48, 0.52), "percent") == "50% [48, 52]"
    assert format_interval(estimate(0.057, 0.038, 0.074), "points") == "5.7 points [3.8, 7.4]"
    assert format_interval(estimate(0.5, 0.4, 0.6), "rounded:3") == "0.500 [0.400, 0.600]"


@pytest.mark.parametrize("share", [0.0004, 0.026, 0.5, 0.9996])
def test_a_share_has_the_digits_that_it_has_without_an_interval(share):
    number, _, _ = format_interval(estimate(share, share / 2, (1 + share) / 2), "percent").partition(" ")
    assert number == format_percent(share)


def test_zero_is_never_negative_and_a_missing_interval_is_left_out():
    assert format_interval(estimate(-0.00195, -0.1, 0.09)) == "0.00 [−0.10, 0.09]"
    assert format_interval(estimate(0.25)) == "0.25"
    assert format_interval(estimate(0.25), "points") == "25.0 points"
    assert format_interval(estimate(math.nan, 0.1, 0.2)) == "n/a"


def test_wider_intervals_show_fewer_digits():
    digits = [choose_digits(width) for width in (1e-5, 0.001, 0.1, 1, 100)]
    assert digits == sorted(digits, reverse=True)
    assert choose_digits(math.inf) == choose_digits(1e-9) == 3
