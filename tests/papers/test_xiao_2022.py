"""Xiao et al. 2022, Table 1: discrimination of nine text classification datasets, from the scores of four systems."""

import csv

import pytest

from assay.discrimination import measure_performance_variance, measure_scaled_variance
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
