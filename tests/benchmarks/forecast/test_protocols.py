"""Random splits and held-out families."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from benchmarks.studies.forecast.protocols import (
    Reliability,
    make_folds,
    measure_reliability,
    predict_by_best_feature,
    predict_held_out,
    resample_families,
    score_predictions,
)
from benchmarks.studies.forecast.regressors import REGRESSORS, fit_tuned
from scipy.stats import spearmanr

from assay.forecast.evidence import Evidence


def test_the_random_split_has_the_shares_of_the_paper(evidence):
    ((train, test),) = make_folds(evidence, "random")
    assert len(test) == round(287 / 987 * len(evidence))
    assert sorted([*train, *test]) == list(range(len(evidence)))


def test_no_family_is_on_both_sides(evidence):
    tested = []
    for train, test in make_folds(evidence, "families"):
        assert set(evidence.families[train]).isdisjoint(evidence.families[test])
        tested += test.tolist()
    assert sorted(tested) == list(range(len(evidence)))


@pytest.mark.parametrize("name", [name for name in REGRESSORS if name != "mean"])
def test_every_predictor_finds_a_signal(name, evidence):
    if name == "lightgbm":
        pytest.importorskip("lightgbm")
    found = score_predictions(
        evidence, *predict_held_out(evidence, name, "lambda_var", "random"), "lambda_var", "random"
    )
    assert found.spearman > (0.4 if name == "knn" else 0.7)
    assert found.low < found.spearman < found.high
    assert found.p < 0.001


def test_the_mean_has_no_correlation_but_an_error(evidence):
    found = score_predictions(
        evidence, *predict_held_out(evidence, "mean", "lambda_var", "random"), "lambda_var", "random"
    )
    assert np.isnan(found.spearman)
    assert found.rmse == pytest.approx(evidence.target("lambda_var").std(), rel=0.3)


def test_the_best_feature_is_chosen_without_the_rows_it_is_tested_on(evidence):
    rows, values = predict_by_best_feature(evidence, "lambda_sva", "families")
    value_by_row = dict(zip(rows.tolist(), values.tolist(), strict=True))
    error = evidence.table["probe.error"].to_numpy()
    for train, test in make_folds(evidence, "families"):
        assert [value_by_row[row] for row in test.tolist()] == [
            np.mean(error[train] < error[row]) for row in test.tolist()
        ]
    assert score_predictions(evidence, rows, values, "lambda_sva", "families").spearman > 0.9


def test_features_of_other_units_and_signs_do_not_spoil_the_best_one(evidence):
    # An accuracy ranks λ exactly where the first family is held out, and worse than the error does elsewhere.
    factor = pl.when(pl.col("family") == "family 0").then(1.5).otherwise(1.0)
    accuracy = (1000 - factor * pl.col("lambda_sva")).alias("probe.best")
    found = predict_by_best_feature(Evidence(evidence.table.with_columns(accuracy)), "lambda_sva", "families")
    assert score_predictions(evidence, *found, "lambda_sva", "families").spearman > 0.9


def test_the_interval_over_families_holds_the_value(evidence):
    rows, values = predict_by_best_feature(evidence, "lambda_sva", "families")
    truth, families = evidence.target("lambda_sva")[rows], evidence.families[rows]
    low, high = resample_families(truth, values, families, 200)
    assert low < score_predictions(evidence, rows, values, "lambda_sva", "families").spearman < high


def test_reliability_is_stepped_up_to_the_whole_test_set(evidence):
    found = measure_reliability(evidence, "lambda_var")
    assert found.whole == pytest.approx(2 * found.half / (1 + found.half))
    assert found.half < found.whole < found.ceiling <= 1


def test_noise_of_training_lowers_the_ceiling(evidence):
    found = measure_reliability(evidence, "lambda_sva")
    halves = [evidence.target(f"apart_sva_{number}") for number in (1, 2)]
    half = spearmanr(*halves).statistic
    assert found.ceiling_trained == pytest.approx(np.sqrt(2 * half / (1 + half)))
    assert found.ceiling_trained < found.ceiling


def test_rows_with_one_training_do_not_count_for_the_noise_of_training(evidence):
    once = np.arange(len(evidence)) < 100
    columns = [f"apart_var_{number}" for number in (1, 2)]
    held = [pl.when(pl.Series(once)).then(np.nan).otherwise(pl.col(name)).alias(name) for name in columns]
    found = measure_reliability(Evidence(evidence.table.with_columns(held)), "lambda_var")
    whole = measure_reliability(evidence, "lambda_var")
    twice = measure_reliability(evidence.take(np.flatnonzero(~once)), "lambda_var")
    assert found == Reliability(whole.half, whole.whole, whole.ceiling, twice.ceiling_trained)


def test_predictions_are_never_negative(evidence):
    X, y = evidence.features("light"), evidence.target("lambda_var")
    assert (fit_tuned("linear", X, y).predict(X * 50) >= 0).all()
