"""Intervals for families nobody has seen."""

from __future__ import annotations

import numpy as np
import pytest

from assay.forecast.conformal import coverage, held_out_residuals, margins


def world(n_families=30, n=40, seed=0):
    """λ of families that each lie off by an amount of their own."""
    draw = np.random.default_rng(seed)
    families = np.repeat(np.arange(n_families), n)
    X = draw.normal(size=(n_families * n, 1))
    logs = 2 + 0.5 * X[:, 0] + draw.normal(0, 0.4, n_families)[families] + draw.normal(0, 0.2, len(families))
    return X, np.expm1(np.maximum(logs, 0)), families


def by_slope(X, y, asked):
    slope, start = np.polyfit(X[:, 0], np.log1p(y), 1)
    return np.expm1(start + slope * asked[:, 0])


def test_intervals_cover_what_they_promise_on_new_families():
    found = [coverage(*world(seed=seed), by_slope).coverage for seed in range(4)]
    assert np.mean(found) == pytest.approx(0.8, abs=0.05)


def test_a_family_s_own_rows_do_not_calibrate_its_interval():
    X, y, families = world()
    off = np.where(families == 0, 20 * (1 + y), y)
    found = coverage(X, off, families, by_slope)
    assert found.by_family["0"] == 0


def test_residuals_come_from_models_that_saw_no_row_of_the_family():
    X, y, families = world(5, 10)
    asked = []

    def predict(train, labels, rows):
        asked.append((len(train), len(rows)))
        return by_slope(train, labels, rows)

    held_out_residuals(X, y, families, predict)
    assert asked == [(40, 10)] * 5


def test_every_family_weighs_the_same():
    residuals = np.concatenate([np.zeros(1000), np.linspace(-1, 1, 11)])
    assert margins(residuals, np.repeat([0, 1], [1000, 11])).high > 0.5


def test_an_interval_never_goes_below_zero():
    low, high = margins(np.linspace(-3, 3, 50), np.arange(50) % 5).interval(np.array([0.1]))
    assert low[0] == 0 < 0.1 < high[0]
