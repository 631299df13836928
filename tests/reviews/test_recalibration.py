"""Suspicion fitted to verdicts keeps its order and adds up to the estimate."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.reviews.recalibration import recalibrate


@pytest.mark.parametrize("seed", range(5))
def test_the_order_stays_and_the_total_is_that_of_the_review(seed):
    rng = np.random.default_rng(seed)
    suspicion = rng.random(200)
    rows = rng.choice(200, 40, replace=False)
    bad = (rng.random(40) < rng.random()).astype(float)  # verdicts may contradict the suspicion
    fitted = recalibrate(suspicion, rows, bad, 25.0).suspicion
    unseen = np.setdiff1d(np.arange(200), rows)
    assert fitted[unseen].sum() == pytest.approx(25, abs=0.01)
    assert (np.diff(fitted[np.argsort(suspicion)]) > 0).all()


def test_a_suspicion_that_is_not_a_probability_keeps_its_order():
    fitted = recalibrate(np.linspace(-1, 0.5, 50), np.array([49, 0]), np.array([1.0, 0.0]), 5.0).suspicion
    assert (np.diff(fitted) > 0).all()


def test_items_without_suspicion_stay_without():
    fitted = recalibrate(np.array([0.2, np.nan, 0.4]), np.array([0]), np.array([1.0]), 0.5).suspicion
    assert np.isnan(fitted).tolist() == [False, True, False]
    assert np.isnan(recalibrate(np.full(3, np.nan), np.array([0]), np.array([1.0]), 1.0).suspicion).all()


def test_groups_count_only_if_they_differ():
    rng = np.random.default_rng(0)
    suspicion, groups = rng.random(400), pl.Series(["a", "b"] * 200)
    rows = np.arange(120)
    alike = (rng.random(120) < 0.2).astype(float)
    assert recalibrate(suspicion, rows, alike, 50.0, groups).groups == []
    only_a = np.where(rows % 2 == 0, rng.random(120) < 0.5, False).astype(float)
    fitted = recalibrate(suspicion, rows, only_a, 60.0, groups)
    factors = {group.group: group.factor for group in fitted.groups}
    assert factors["a"] > 1 > factors["b"]
    unseen = np.arange(120, 400)
    assert fitted.suspicion[unseen[unseen % 2 == 0]].mean() > 2 * fitted.suspicion[unseen[unseen % 2 == 1]].mean()
