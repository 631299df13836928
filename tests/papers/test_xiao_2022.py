"""Xiao et al. 2022, Table 1 and Figure 2: discrimination of datasets, from the scores of systems."""

import csv

import polars as pl
import pytest

from assay.discrimination import (
    DiscriminationSettings,
    discriminate_scores,
    measure_performance_variance,
    measure_scaled_variance,
    read_scores,
)
from assay.statistics import spearman

SYSTEMS = ("BERT", "LSTMAtt", "LSTM", "CNN")


@pytest.fixture
def table(shared):
    with shared("oracles/seed000_table1.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def accuracies(row):
    return [float(row[name]) for name in SYSTEMS]


def test_both_lambdas_of_table_1_follow_from_its_accuracies(table):
    for row in table:
        var, sva = measure_performance_variance(accuracies(row)), measure_scaled_variance(accuracies(row))
        assert var.lambda_var == pytest.approx(float(row["recomputed_lambda_var_ddof1"]), abs=1e-6)
        assert sva.lambda_sva == pytest.approx(float(row["recomputed_lambda_sva"]), abs=1e-6)


def test_fourteen_of_eighteen_printed_cells_are_these_numbers_rounded(table):
    exact = 0
    for row in table:
        var, sva = (
            measure_performance_variance(accuracies(row)).lambda_var,
            measure_scaled_variance(accuracies(row)).lambda_sva,
        )
        exact += round(var, 2) == float(row["printed_lambda_var"])
        exact += round(sva, 2) == float(row["printed_lambda_sva"])
        assert var == pytest.approx(float(row["printed_lambda_var"]), abs=0.011)
        assert sva == pytest.approx(float(row["printed_lambda_sva"]), abs=0.05)
    assert exact == 14


def test_the_printed_correlations_do_not_follow_from_the_printed_columns(table):
    hits = [float(row["printed_lambda_hit"]) for row in table]
    var = spearman([float(row["printed_lambda_var"]) for row in table], hits).value
    sva = spearman([float(row["printed_lambda_sva"]) for row in table], hits).value
    assert (var, sva) == pytest.approx((0.862, 0.795), abs=0.0005)
    assert (round(var, 2), round(sva, 2)) != (0.83, 0.73)


def test_the_example_in_the_text():
    assert measure_performance_variance([88, 92, 93]).lambda_var == pytest.approx(2.65, abs=0.005)
    assert measure_scaled_variance([88, 92, 93]).lambda_sva == pytest.approx(23.81, abs=0.005)


def measure_lists(shared, benchmark):
    """λ_sva of the top five of each dataset in NLP-progress."""
    table = pl.read_csv(
        shared("leaderboards/nlp_progress.tsv.gz"), separator="\t", quote_char=None, infer_schema_length=0
    )
    scores = read_scores(table.filter(pl.col("benchmark") == benchmark))
    found = discriminate_scores(scores, DiscriminationSettings(top=5, top_by="dataset")).datasets
    return {(row.dataset, row.metric): row.lambda_sva.value for row in found if row.n_systems >= 5}


def test_conll_2003_discriminates_least_of_the_ner_lists(shared):
    values = measure_lists(shared, "english: Named entity recognition")
    assert min(values, key=values.__getitem__)[0].startswith("CoNLL 2003")
    assert min(values.values()) == pytest.approx(2.18, abs=0.005)


def test_only_msr_of_the_segmentation_lists_is_below_one(shared):
    values = measure_lists(shared, "chinese: Chinese Word Segmentation")
    assert [name for (name, _), value in values.items() if value < 1] == ["MSR"]
