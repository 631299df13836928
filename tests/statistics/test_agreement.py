"""Kappas against statsmodels and scikit-learn, and the coverage of their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_by_statsmodels

from assay.base.errors import UsageError
from assay.statistics import cohen_kappa, fleiss_kappa

pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=60)
tables = st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=3), min_size=2, max_size=20)


@given(pairs)
def test_cohen_kappa_equals_statsmodels_and_scikit_learn(ratings):
    first, second = zip(*ratings, strict=True)
    assume(len(set(first)) > 1 and len(set(second)) > 1)
    counts = [[ratings.count((a, b)) for b in "abc"] for a in "abc"]
    with np.errstate(invalid="ignore"):  # statsmodels takes the root of a variance just below 0
        theirs = cohens_kappa(np.array(counts, dtype=float))
    ours = cohen_kappa(first, second, method="fleiss")
    assert ours.value == pytest.approx(theirs.kappa)
    assert ours.value == pytest.approx(cohen_kappa_score(first, second))
    if not math.isnan(theirs.kappa_low):
        assert (ours.low, ours.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=1e-6)


@given(pairs)
def test_the_score_interval_contains_kappa_and_is_symmetric_in_the_raters(ratings):
    first, second = zip(*ratings, strict=True)
    ours, swapped = cohen_kappa(first, second), cohen_kappa(second, first)
    assume(not math.isnan(ours.value))
    assert -1 <= ours.low <= ours.value <= ours.high <= 1
    assert (swapped.low, swapped.high) == pytest.approx((ours.low, ours.high), abs=1e-6)


def test_each_end_of_the_score_interval_is_a_quantile_of_its_own_error_away():
    # Both raters say yes in half of 100 items and agree on 80: kappa is 0.6. With these shares a table of kappa k has
    # (1 + k) / 4 in each agreeing cell, and its standard error is √((1 − k²) / 100).
    first = ["yes"] * 50 + ["no"] * 50
    second = ["yes"] * 40 + ["no"] * 50 + ["yes"] * 10
    ours = cohen_kappa(first, second)
    assert ours.value == pytest.approx(0.6)
    for end in (ours.low, ours.high):
        assert abs(0.6 - end) == pytest.approx(1.959964 * math.sqrt((1 - end**2) / 100), abs=1e-5)


def test_perfect_agreement_still_has_a_lower_end():
    few, many = (cohen_kappa(["a", "b"] * n, ["a", "b"] * n) for n in (10, 1000))
    assert few.value == few.high == many.high == 1
    assert few.low < 0.75 < 0.99 < many.low < 1


@pytest.mark.parametrize("method", ["score", "fleiss"])
def test_one_label_or_one_item_has_no_kappa(method):
    for first, second in ((["a", "a"], ["a", "a"]), (["a"], ["b"]), ([], [])):
        assert math.isnan(cohen_kappa(first, second, method=method).value)


def test_raters_of_different_numbers_of_items_are_an_error():
    with pytest.raises(UsageError, match="there are 2 and 1 labels"):
        cohen_kappa(["a", "b"], ["a"])
    with pytest.raises(UsageError, match=r"No interval of kappa 'wald'\. Known: fleiss, score"):
        cohen_kappa(["a", "b"], ["a", "b"], method="wald")


def simulate_raters(shares, kappa, n, generator):
    """Draw two raters with the same label shares; with probability kappa the second copies the first."""
    first, second = generator.choice(len(shares), p=shares, size=(2, n))
    return first, np.where(generator.random(n) < kappa, first, second)


@pytest.mark.parametrize(
    ("shares", "kappa"),
    [((0.5, 0.5), 0.9), ((0.9, 0.1), 0.3), ((0.95, 0.05), 0.0), ((0.95, 0.05), 0.9), ((0.6, 0.35, 0.05), 0.0)],
)
def test_the_score_interval_covers_kappa_also_for_rare_labels(shares, kappa):
    # `python -m benchmarks.kappa_coverage` does the same with more draws over a larger grid.
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        interval = cohen_kappa(*simulate_raters(shares, kappa, 200, generator))
        covered += math.isnan(interval.value) or interval.low - 1e-9 <= kappa <= interval.high + 1e-9
    assert 0.93 <= covered / 400 <= 0.97


def test_the_large_sample_interval_misses_rare_labels():
    generator = np.random.default_rng(1)
    intervals = [cohen_kappa(*simulate_raters((0.95, 0.05), 0.0, 200, generator), method="fleiss") for _ in range(200)]
    assert np.mean([interval.low <= 0 <= interval.high for interval in intervals]) < 0.6


@given(tables)
def test_fleiss_kappa_equals_statsmodels(ratings):
    if len({rating for row in ratings for rating in row}) < 2:
        assert np.isnan(fleiss_kappa(ratings).value)
        return
    theirs = fleiss_by_statsmodels(aggregate_raters(np.array(ratings))[0])
    assert fleiss_kappa(ratings).value == pytest.approx(theirs)


def test_missing_ratings_do_not_change_the_others():
    full = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]]
    assert fleiss_kappa([*full, ["a", None, None], [None] * 3]) == fleiss_kappa(full)
    # two of three agree: 1/3 of the pairs; then 1, 1; labels 4 a and 4 b
    ratings = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", None]]
    assert fleiss_kappa(ratings).value == pytest.approx((7 / 9 - 0.5) / 0.5)


@pytest.mark.parametrize(("kappa", "n_raters"), [(0.2, 3), (0.6, 5), (0.9, 3)])
def test_the_interval_of_fleiss_kappa_covers_it(kappa, n_raters):
    generator = np.random.default_rng(2)
    covered = 0
    for _ in range(400):
        # A rater gives the item's own label with probability √kappa, else any label: two agree beyond chance by kappa.
        own = generator.choice(3, p=(0.5, 0.3, 0.2), size=(150, 1))
        other = generator.choice(3, p=(0.5, 0.3, 0.2), size=(150, n_raters))
        ratings = np.where(generator.random((150, n_raters)) < math.sqrt(kappa), own, other)
        interval = fleiss_kappa(ratings.tolist())
        covered += interval.low <= kappa <= interval.high
    assert 0.92 <= covered / 400 <= 0.98
