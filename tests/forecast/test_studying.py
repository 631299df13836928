"""The tables of paper 000 on evidence."""

from __future__ import annotations

import numpy as np
import pytest

from assay.forecast import studying
from assay.forecast.importance import importance
from assay.forecast.protocols import folds
from assay.forecast.ranking import ranked
from assay.forecast.studying import family_folds, ranking_row, regression_row, shipped_row, single_row

pytest.importorskip("lightgbm")
FEW = {"train": 100, "dev": 30, "test": 40}


def test_a_row_of_table_2_holds_both_protocols(evidence, monkeypatch):
    monkeypatch.setattr(studying, "RANDOM_CUTS", 1)
    row = regression_row(evidence, "linear", "lambda_var", "light")
    assert row["random_spearman"] > 0.7
    assert row["families_low"] <= row["families_spearman"] <= row["families_high"]
    assert row["random_rmse"] > 0 < row["families_rmse"]


def test_the_best_feature_has_a_rank_but_no_error(evidence):
    row = single_row(evidence, "lambda_var", "light")
    assert row["families_spearman"] > 0.9
    assert np.isnan(row["families_rmse"])


def test_a_row_of_table_3_holds_both_protocols(evidence, monkeypatch):
    monkeypatch.setattr(studying, "RANDOM_CUTS", 1)
    row = ranking_row(evidence, "lightgbm", "lambda_sva", 5, "light", FEW)
    assert row["random_ndcg"] > row["random_random_ndcg"]
    assert row["families_ndcg"] > row["families_random_ndcg"]


def test_the_random_protocol_is_the_mean_of_the_cuts(evidence, monkeypatch):
    monkeypatch.setattr(studying, "RANDOM_CUTS", 2)
    cuts = [list(folds(evidence, "random", seed)) for seed in (0, 1)]
    found = [ranked(evidence, "extra-trees", "lambda_var", 5, cut, "probes", FEW).ndcg for cut in cuts]
    row = ranking_row(evidence, "extra-trees", "lambda_var", 5, "probes", FEW)
    assert row["random_ndcg"] == pytest.approx(np.mean(found))
    assert found[0] != found[1]


def test_folds_of_families_hold_several_each(evidence):
    found = family_folds(evidence)
    assert len(found) == 4
    for train, test in found:
        assert set(evidence.families[train]).isdisjoint(evidence.families[test])
        assert len(set(evidence.families[test])) == 2


def test_the_shipped_kind_of_predictor_is_tested_on_held_out_families(evidence):
    row = shipped_row(evidence, "lambda_var")
    assert row["spearman"] > 0.8
    assert 0.6 < row["coverage"] <= 1
    assert set(row["by_family"]) == set(evidence.families)


def test_the_feature_that_matters_comes_first(evidence):
    found = importance(evidence, "lambda_var", "probes", n_repeats=2)
    assert found[0].feature == "probe.error"
    assert found[0].splits == max(one.splits for one in found)
