"""Wecker et al. 2020 (ClusterDataSplit): scores by fold."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from assay.evaluation import evaluate

TOY = "oracles/clusterdatasplit_toy"


def test_the_toy_folds_give_the_expected_scores_and_lengths(shared):
    names = ["distribution_sensitive_kmeans", "randomized"]
    expected = json.loads(shared(f"{TOY}/expected.json").read_text())
    predictions = [shared(f"{TOY}/predictions_{name}.tsv") for name in names]
    folds = [shared(f"{TOY}/datasplits_{name}.tsv") for name in names]
    data = shared(f"{TOY}/input_data.tsv")
    tables = evaluate(data, predictions, by="fold", folds=folds, positive="Positive").by.fold
    assert len(tables) == 2
    for name, table in zip(names, tables, strict=True):
        published = expected[name]
        assert [fold.value for fold in table.folds] == pytest.approx(published["binary_f1_pos_Positive"], abs=1e-6)
        assert (table.mean, table.std_ddof0) == pytest.approx((published["mean"], published["std_ddof0"]), abs=1e-6)
        lengths = {fold.fold: fold.mean_length for fold in table.folds}
        assert lengths == pytest.approx(published["mean_text_length_by_fold"], abs=1e-6)


def test_the_command_tells_the_same(shared, run):
    done = run(
        "evaluate", shared(f"{TOY}/input_data.tsv"), "--positive", "Positive", "--by", "fold", "--json", "-",
        "--predictions", shared(f"{TOY}/predictions_distribution_sensitive_kmeans.tsv"),
        "--folds", shared(f"{TOY}/datasplits_distribution_sensitive_kmeans.tsv"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)["result"]["by"]["fold"][0]
    assert [fold["value"] for fold in table["folds"]] == pytest.approx([0.75, 0.4, 0.8, 1.0, 0.8])
    assert table["std_ddof0"] == pytest.approx(0.194936, abs=1e-6)


def test_the_shipped_patent_predictions_give_the_macro_f1_that_was_recomputed(shared):
    known = {
        "distribution_sensitive_kmeans": ([60.14, 79.20, 54.87, 64.80, 73.38], 66.48, 8.80),
        "randomized": ([81.09, 73.57, 76.78, 80.86, 82.07], 78.87, 3.21),
    }
    for name, (values, mean, std) in known.items():
        predictions, folds = shared(f"patents/predictions_{name}.tsv"), shared(f"patents/datasplits_{name}.tsv")
        table = evaluate(None, predictions, by="fold", folds=folds, compare=False).by.fold[0]
        assert [100 * fold.value for fold in table.folds] == pytest.approx(values, abs=0.0055)
        assert (100 * table.mean, 100 * table.std_ddof0) == pytest.approx((mean, std), abs=0.0055)


def test_the_printed_standard_deviations_are_ours(shared):
    rows = pl.read_csv(shared("oracles/seed001_tables1_3.csv")).to_dicts()
    for row in rows:
        folds = [row[f"cv{number}"] for number in range(1, 6)]
        assert round(float(np.std(folds, ddof=0)), 1) == pytest.approx(row["printed_std"])
        assert float(np.mean(folds)) == pytest.approx(row["printed_mean"], abs=0.051)


def test_fold_3_of_the_patents_is_concentrated_and_fold_4_wide(shared):
    """Section 5.3."""
    table = pl.read_csv(shared("patents/analysis_distribution_sensitive_kmeans.tsv"), separator="\t")
    spreads = {}
    for fold in range(1, 6):
        points = table.filter(pl.col("clustering_labels") == fold).select("PC1", "PC2").to_numpy()
        spreads[fold] = float(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean())
    assert (min(spreads, key=spreads.get), max(spreads, key=spreads.get)) == (3, 4)
    assert (spreads[3], spreads[4]) == pytest.approx((22.8, 37.9), abs=0.05)


def test_the_printed_label_shares_of_sst_are_those_of_other_phrases(shared):
    """Section 5.1 prints 44.28% and 55.72% of 61,398."""
    labels = pl.read_csv(shared("sst2_phrases/sst2_phrases.tsv.gz"), separator="\t", quote_char=None)["label"]
    negative = (labels == "negative").mean()
    assert len(labels) == 80_309
    assert negative == pytest.approx(0.4518, abs=5e-5)
    assert 0.005 < negative - 0.4428 < 0.01
