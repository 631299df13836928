"""The tables of Xiao et al. (2022) on evidence."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.studies.forecast import tables
from benchmarks.studies.forecast.importance import measure_importance
from benchmarks.studies.forecast.protocols import make_folds
from benchmarks.studies.forecast.ranking import evaluate_ranker
from benchmarks.studies.forecast.tables import (
    evaluate_best_feature,
    evaluate_ranker_by_protocol,
    evaluate_regressor,
    evaluate_shipped,
    group_families,
)

pytest.importorskip("lightgbm")
FEW = {"train": 100, "dev": 30, "test": 40}


def test_a_row_of_table_2_holds_both_protocols(evidence, monkeypatch):
    monkeypatch.setattr(tables, "N_RANDOM_SPLITS", 1)
    row = evaluate_regressor(evidence, "linear", "lambda_var", "light")
    assert row.random_spearman > 0.7
    assert row.families_low <= row.families_spearman <= row.families_high
    assert row.random_rmse > 0 < row.families_rmse


def test_the_best_feature_has_a_rank_but_no_error(evidence):
    row = evaluate_best_feature(evidence, "lambda_var", "light")
    assert row.families_spearman > 0.9
    assert np.isnan(row.families_rmse)


def test_a_row_of_table_3_holds_both_protocols(evidence, monkeypatch):
    monkeypatch.setattr(tables, "N_RANDOM_SPLITS", 1)
    row = evaluate_ranker_by_protocol(evidence, "lightgbm", "lambda_sva", 5, "light", FEW)
    assert row.random_ndcg > row.random_random_ndcg
    assert row.families_ndcg > row.families_random_ndcg


def test_the_random_protocol_is_the_mean_of_the_splits(evidence, monkeypatch):
    monkeypatch.setattr(tables, "N_RANDOM_SPLITS", 2)
    cuts = [list(make_folds(evidence, "random", seed)) for seed in (0, 1)]
    found = [evaluate_ranker(evidence, "extra-trees", "lambda_var", 5, cut, "probes", FEW).ndcg for cut in cuts]
    row = evaluate_ranker_by_protocol(evidence, "extra-trees", "lambda_var", 5, "probes", FEW)
    assert row.random_ndcg == pytest.approx(np.mean(found))
    assert found[0] != found[1]


def test_folds_of_families_hold_several_each(evidence):
    found = group_families(evidence)
    assert len(found) == 4
    for train, test in found:
        assert set(evidence.families[train]).isdisjoint(evidence.families[test])
        assert len(set(evidence.families[test])) == 2


def test_the_shipped_kind_of_predictor_is_tested_on_held_out_families(evidence):
    row = evaluate_shipped(evidence, "lambda_var")
    assert row.spearman > 0.8
    assert 0.6 < row.coverage <= 1
    assert set(row.by_family) == set(evidence.families)


def test_the_feature_that_matters_comes_first(evidence):
    found = measure_importance(evidence, "lambda_var", "probes", n_repeats=2)
    assert found[0].feature == "probe.error"
    assert found[0].splits == max(feature.splits for feature in found)
