"""The smallest difference that shows: that of the first two systems, by the metric that ranks them."""

from __future__ import annotations

import math

from assay.evaluation import evaluate_arrays
from assay.evaluation.comparison.smallest_difference import SmallestDifference
from assay.evaluation.view import write_smallest_difference

GOLD = ["a", "b"] * 20
WRONG = ["b", "a"] * 20


def test_it_is_that_of_the_pair_on_the_items_that_both_answered():
    part = [gold if row % 5 else None for row, gold in enumerate(GOLD)]
    most = [gold if row > 3 else wrong for row, (gold, wrong) in enumerate(zip(GOLD, WRONG, strict=True))]
    result = evaluate_arrays(GOLD, {"part": part, "most": most, "bad": WRONG}, metrics="accuracy")
    pair = next(row for row in result.comparisons if {row.first, row.second} == {"part", "most"})
    smallest = result.smallest_difference
    assert (smallest.n_items, smallest.value, smallest.metric) == (32, pair.detectable, "accuracy")
    assert {smallest.first, smallest.second} == {"part", "most"}
    assert smallest.gap == abs(pair.difference.value)


def test_it_is_undefined_if_two_systems_differ_by_the_same_amount_on_every_item():
    smallest = evaluate_arrays(GOLD, {"x": GOLD, "y": WRONG}, metrics="accuracy").smallest_difference
    assert math.isnan(smallest.value)
    assert smallest.reason == "the first two systems differ by the same amount on every item"


def test_an_effect_in_units_of_a_rounding_error_is_undefined():
    # Scores that differ by 0.1 on every item, up to the last digits.
    first = [0.1 * row + 0.1 for row in range(40)]
    (pair,) = evaluate_arrays(None, {"x": first, "y": [0.1 * row for row in range(40)]}).comparisons
    assert math.isnan(pair.effect)
    assert math.isnan(pair.detectable)


def test_a_smaller_difference_that_shows_all_the_same_is_not_denied():
    pair = SmallestDifference(0.05, 0.037, 400, first="x", second="y", p=0.03)
    text = write_smallest_difference(pair)
    assert text.endswith(
        "They are 3.7 points apart. Compared by themselves they differ beyond chance (p = 0.03), but another sample may "
        "miss it."
    )
    equal = SmallestDifference(0.05, 0.02, 400, first="x", second="y", p=0.3)
    assert write_smallest_difference(equal).endswith("They are 2.0 points apart.")
