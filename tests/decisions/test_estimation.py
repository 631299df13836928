"""Intervals of paired differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.decisions.estimation import estimate_difference
from assay.decisions.needs import Design, count_items, count_repeats, split_components
from assay.decisions.results import Components
from assay.statistics import confidence_sequence, log_capital, mcnemar, tango
from assay.statistics.paired_proportions import _compute_score


def draw_differences(n: int, win: float, loss: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice([1.0, 0.0, -1.0], n, p=[win, 1 - win - loss, loss])


def test_the_limits_of_tango_solve_its_equation():
    interval = tango(12, 2, 50)
    ends = [
        _compute_score(np.array(12.0), np.array(2.0), np.array(50.0), np.array(end))
        for end in (interval.low, interval.high)
    ]
    assert [float(score) for score in ends] == pytest.approx([1.959964, -1.959964], abs=1e-4)


def test_items_that_all_agree_leave_the_rule_of_z():
    z2 = 1.959964**2
    assert tango(0, 0, 100).high == pytest.approx(z2 / (100 + z2), abs=1e-6)
    assert estimate_difference(np.zeros(100)).low == pytest.approx(-z2 / (100 + z2), abs=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_few_items_that_all_win_are_not_certainty(n):
    for differences, groups in (
        (np.ones(n), None),
        (np.full(n, 0.5), None),
        (np.ones(3 * n), np.repeat(np.arange(n), 3)),
    ):
        interval = estimate_difference(differences, groups=groups)
        assert interval.low <= 0
    assert estimate_difference(np.ones(3)).low < -0.1
    assert estimate_difference(np.ones(60), groups=np.repeat(np.arange(3), 20)).low < -0.1


def test_a_claim_needs_the_exact_test():
    for wins in range(12):
        for losses in range(wins):
            interval = estimate_difference(np.array([1.0] * wins + [-1.0] * losses + [0.0] * 20))
            assert (interval.low > 0) <= (mcnemar(wins, losses).p <= 0.05)


@pytest.mark.parametrize(("win", "loss", "n"), [(0.1, 0.1, 40), (0.02, 0.02, 100), (0.3, 0.2, 60), (0.05, 0.01, 300)])
def test_intervals_cover_the_difference_and_equal_systems_are_rarely_told_apart(win, loss, n):
    intervals = [estimate_difference(draw_differences(n, win, loss, seed)) for seed in range(400)]
    covered = np.mean([interval.low <= win - loss <= interval.high for interval in intervals])
    assert covered > 0.93
    if win == loss:
        assert np.mean([interval.low > 0 or interval.high < 0 for interval in intervals]) <= 0.05 + 0.015


def test_groups_widen_the_interval():
    generator = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 10)
    differences = np.repeat(generator.choice([1.0, 0.0, -1.0], 30), 10)
    alone, grouped = estimate_difference(differences), estimate_difference(differences, groups=groups)
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)
    assert grouped.value == pytest.approx(alone.value)


def test_groups_of_one_item_change_little():
    differences = draw_differences(400, 0.2, 0.1, 0)
    alone, grouped = estimate_difference(differences), estimate_difference(differences, groups=np.arange(400))
    assert grouped.low == pytest.approx(alone.low, abs=0.004)
    assert grouped.high == pytest.approx(alone.high, abs=0.004)


def test_grouped_intervals_equal_cluster_robust_errors():
    regression = pytest.importorskip("statsmodels.api")
    from scipy.special import stdtrit

    generator = np.random.default_rng(1)
    groups = np.repeat(np.arange(100), 20)
    differences = generator.normal(0.05, 0.3, 2000) + np.repeat(generator.normal(0, 0.2, 100), 20)
    fit = regression.OLS(differences, np.ones(2000)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    ours = estimate_difference(differences, groups=groups, span=1.0)
    half = float(stdtrit(99, 0.975)) * float(fit.bse[0])
    assert (ours.high - ours.low) / 2 == pytest.approx(half, rel=0.03)


def test_repeats_and_items_are_separate_components():
    generator = np.random.default_rng(0)
    ability = generator.uniform(size=(2, 3000))
    tables = [(generator.uniform(size=(4, 3000)) < share).astype(float) for share in ability]
    result = split_components(*tables)
    assert result.sd_items == pytest.approx(np.std(ability[1] - ability[0]), abs=0.02)
    assert result.sd_repeats == pytest.approx(np.sqrt(2 / 6), abs=0.02)


def test_needs_follow_the_formula_of_miller():
    components = Components(40.0, 30.0)
    fixed, followed = Design(0.05), Design(0.05, is_sequential=True)
    n = count_items(components, 5.0, 1, fixed, 100.0)
    assert n == int(np.ceil((1.959964 + 0.841621) ** 2 * (40**2 + 30**2) / 25))
    assert count_items(components, 0.0, 1, fixed, 100.0) is None
    assert count_repeats(components, 5.0, 600, fixed) == 3
    assert count_repeats(components, 5.0, 100, fixed) is None
    assert count_repeats(Components(40.0, float("nan")), 5.0, 600, fixed) is None
    assert count_items(components, 5.0, 1, followed, 100.0) > 2 * n


@pytest.mark.parametrize("is_sequential", [False, True])
def test_items_needed_settle_the_difference_with_the_power_that_is_said(is_sequential):
    design = Design(0.05, is_sequential)
    shares = [0.12, 0.82, 0.06]  # of items won, tied and lost
    sd = math.sqrt(0.18 - 0.06**2)
    n = count_items(Components(sd, math.nan), 0.06, 1, design, 1.0)
    generator = np.random.default_rng(0)
    settled = 0
    for _ in range(200):
        values = generator.choice([1.0, 0.0, -1.0], n, p=shares)
        if is_sequential:
            counts = np.cumsum(values[:, None] == [1.0, 0.0, -1.0], axis=0)[24::25]
            settled += bool((log_capital([1.0, 0.0, -1.0], 0.0, -1.0, counts) >= math.log(40)).any())
        else:
            settled += estimate_difference(values).low > 0
    assert 0.7 <= settled / 200 <= 0.92


def test_items_that_all_agree_need_as_many_as_their_interval():
    """Without any difference no variance is known; the number is the one with which the interval is narrow enough."""
    n = count_items(Components(0.0, math.nan), 1.0, 1, Design(0.05), 100.0)
    assert estimate_difference(np.zeros(n)).low > -0.01 >= estimate_difference(np.zeros(n - 2)).low
    n = count_items(Components(0.0, math.nan), 1.0, 1, Design(0.05, is_sequential=True), 100.0)
    assert (
        confidence_sequence([0.0], -1, 1, counts=[n]).low
        > -0.01
        > confidence_sequence([0.0], -1, 1, counts=[n // 2]).low
    )
