"""Krippendorff's alpha against his own example, and as the law of chance."""

import math

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.statistics import krippendorff_alpha

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section D: four observers, twelve units.
_ = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
UNITS = list(zip(*OBSERVERS, strict=True))


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_published_example(level, published):
    assert round(krippendorff_alpha(UNITS, level).value, 3) == published


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_perfect_and_random_ratings(level):
    generator = np.random.default_rng(0)
    truth = generator.integers(4, size=500)
    assert krippendorff_alpha([[value] * 3 for value in truth], level).value == pytest.approx(1)
    chance = krippendorff_alpha(generator.integers(4, size=(500, 3)).tolist(), level)
    assert chance.low < 0 < chance.high


def test_nothing_to_compare_is_undefined():
    assert math.isnan(krippendorff_alpha([["a"], ["b"]]).value)
    assert math.isnan(krippendorff_alpha([["a", "a"], ["a", "a"]]).value)


def test_an_unknown_level_is_refused():
    with pytest.raises(UsageError, match="ordinal"):
        krippendorff_alpha([["a", "a"]], "rational")


def test_the_interval_covers():
    generator = np.random.default_rng(1)

    def draw(n_items):
        truth = generator.choice(3, p=[0.6, 0.3, 0.1], size=n_items)
        noise = generator.choice(3, p=[0.6, 0.3, 0.1], size=(n_items, 3))
        return np.where(generator.random((n_items, 3)) < 0.8, truth[:, None], noise).tolist()

    value = krippendorff_alpha(draw(30_000), n_resamples=2).value
    intervals = [krippendorff_alpha(draw(80), n_resamples=200) for _ in range(150)]
    assert 0.9 <= np.mean([interval.low <= value <= interval.high for interval in intervals]) <= 0.99


def test_the_ratio_level_is_that_of_krippendorff():
    """The table of Krippendorff (2011), whose alpha is 0.797 at the ratio level."""
    assert round(krippendorff_alpha(UNITS, "ratio").value, 3) == 0.797
    with pytest.raises(UsageError, match="not negative"):
        krippendorff_alpha([[-1, 2], [1, 2]], "ratio")


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_arrays_lists_and_names_give_the_same_alpha(level):
    rng = np.random.default_rng(3)
    table = rng.integers(0, 4, (60, 3)).astype(float)
    table[rng.random(table.shape) < 0.2] = np.nan
    lists = [[None if value != value else int(value) for value in row] for row in table]
    mixed = [[*row[:2], None if row[2] is None else np.int64(row[2])] for row in lists]
    values = [krippendorff_alpha(ratings, level, n_resamples=20) for ratings in (table, lists, mixed)]
    assert values[0] == values[1] == values[2]
    alone = krippendorff_alpha(table, level, n_resamples=0)
    assert alone.value == pytest.approx(values[0].value)
    assert math.isnan(alone.low)


def test_ratings_far_apart_and_rows_of_unlike_length_are_read():
    far = [[1, 1], [10**9, 10**9], [1, 10**9], [2**60, 2**60], [2**60 + 1, 2**60 + 1]]
    assert krippendorff_alpha(far, n_resamples=0).value == pytest.approx(
        krippendorff_alpha([list(map(str, row)) for row in far], n_resamples=0).value
    )
    assert (
        krippendorff_alpha([[1, 1, 2], [2, 2]], n_resamples=0).value
        == krippendorff_alpha([[1, 1, 2], [2, 2, None]], n_resamples=0).value
    )
