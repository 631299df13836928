"""λ from answers."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.studies.forecast.measured_lambdas import compute_spreads, measure_lambdas

from assay.discrimination import measure_hit_rate


def draw_answers(shares, n=500, seed=0):  # far from the seed of the resamples
    rng = np.random.default_rng(seed + 1000)
    return rng.random((len(shares), n)) < np.array(shares)[:, None]


def test_lambda_equals_its_definition():
    right = draw_answers([0.7, 0.8, 0.9])
    found, scores = measure_lambdas(right[None]), 100 * right.mean(axis=1)
    assert found.lambda_var == pytest.approx(scores.std(ddof=1))
    assert found.lambda_sva == pytest.approx(scores.std(ddof=1) * (100 - scores.mean()))
    assert found.lambda_hit == pytest.approx(measure_hit_rate(right.astype(float)).lambda_hit)


def test_the_paper_s_example_comes_out():
    right = np.zeros((1, 3, 100), dtype=bool)
    for system, score in enumerate((88, 92, 93)):
        right[0, system, :score] = True
    (var,), (sva,) = compute_spreads(right, np.ones((1, 100), dtype=int))
    assert (round(var, 2), round(sva, 2)) == (2.65, 23.81)


def test_several_trainings_count_with_their_mean():
    one, two = draw_answers([0.7, 0.9]), draw_answers([0.6, 0.8], seed=1)
    scores = 100 * (one.mean(axis=1) + two.mean(axis=1)) / 2
    assert measure_lambdas(np.array([one, two])).lambda_var == pytest.approx(scores.std(ddof=1))


def test_measurements_apart_share_neither_items_nor_training():
    one, two = draw_answers([0.7, 0.9], 400), draw_answers([0.7, 0.9], 400, seed=1)
    both, first = measure_lambdas(np.array([one, two])), measure_lambdas(np.array([one, one]))
    assert both.apart_var_1 == pytest.approx(first.half_var_1)
    assert both.apart_sva_1 == pytest.approx(first.half_sva_1)
    assert both.apart_var_2 == pytest.approx(measure_lambdas(np.array([two, two])).half_var_2)
    assert both.apart_var_2 != pytest.approx(first.half_var_2)


def test_one_training_has_nothing_apart():
    assert np.isnan(measure_lambdas(draw_answers([0.7, 0.9])[None]).apart_var_1)


def test_the_standard_error_falls_with_more_items():
    few, many = (measure_lambdas(draw_answers([0.7, 0.8, 0.9], n)[None]).lambda_var_se for n in (200, 3200))
    assert many < few / 2


def test_the_standard_error_agrees_with_fresh_samples():
    samples = [draw_answers([0.7, 0.8, 0.9], 400, seed)[None] for seed in range(150)]
    values = [measure_lambdas(sample, n_resamples=2).lambda_var for sample in samples]
    found = measure_lambdas(draw_answers([0.7, 0.8, 0.9], 400, 999)[None])
    assert found.lambda_var_se == pytest.approx(np.std(values), rel=0.35)
