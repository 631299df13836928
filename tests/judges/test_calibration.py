"""Calibration of graded verdicts."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LinearRegression

from assay.judges import audit_judges, read_verdicts
from assay.judges.calibration import measure_calibration


def test_calibration_by_hand():
    gold = [1, 2, 3, 4] * 10
    table = {"id": list(range(40)), "gold": gold, "x": [2 * value + 1 for value in gold]}
    (row,) = audit_judges(table, judges=["x"]).calibration
    assert row.reference == "gold"
    assert row.bias.value == pytest.approx(3.5)  # 2, 3, 4 and 5 too high
    assert row.ece == pytest.approx(3.5)
    assert row.slope.value == pytest.approx(0.5)
    assert row.error == pytest.approx(3.5)
    assert row.error_after == pytest.approx(0)
    assert [(entry.score, entry.reference, entry.n) for entry in row.bins] == [
        (3, 1, 10),
        (5, 2, 10),
        (7, 3, 10),
        (9, 4, 10),
    ]


def test_slope_matches_a_regression_and_a_fair_judge_has_slope_one():
    generator = np.random.default_rng(0)
    score = generator.integers(1, 11, 3000).astype(float)
    gold = np.round(score + generator.normal(0, 1, 3000), 3)
    (row,) = measure_calibration(read_verdicts({"id": list(range(3000)), "gold": gold, "x": score}, judges=["x"]))
    model = LinearRegression().fit(score[:, None], gold)
    assert row.slope.value == pytest.approx(model.coef_[0])
    assert row.slope.low < 1 < row.slope.high
    assert row.bias.low < 0 < row.bias.high
    assert row.ece < 0.15


def test_intervals_of_bias_cover():
    generator = np.random.default_rng(1)
    hits = 0
    for _ in range(150):
        gold = generator.normal(5, 2, 100)
        score = gold + 0.5 + generator.normal(0, 1, 100)
        table = {"id": list(range(100)), "gold": gold.round(6), "x": score.round(6)}
        (row,) = measure_calibration(read_verdicts(table, judges=["x"]))
        hits += row.bias.low <= 0.5 <= row.bias.high
    assert 0.9 <= hits / 150 <= 0.99


def test_two_judges_of_wildbench_differ_by_half_a_point(shared):
    table = pl.read_csv(shared("wildbench_scores/scores.tsv.gz"), separator="\t", infer_schema=False)
    long = table.unpivot(index="id", variable_name="column", value_name="score").with_columns(
        pl.col("column").str.split_exact("|", 2).struct.rename_fields(["release", "judge", "model"]).alias("parts")
    )
    long = long.unnest("parts").filter(pl.col("release") == "v2.0522").select("id", "judge", "model", "score")
    rows = {row.judge: row for row in audit_judges(long, n_resamples=10).calibration}
    turbo, omni = rows["gpt-4-turbo-2024-04-09"], rows["gpt-4o-2024-05-13"]
    both = (
        long.with_columns(pl.col("score").cast(float))
        .drop_nulls()
        .pivot(on="judge", index=["id", "model"], values="score")
    )
    gap = (both["gpt-4-turbo-2024-04-09"] - both["gpt-4o-2024-05-13"]).drop_nulls()
    assert turbo.n == omni.n == len(gap)
    assert turbo.bias.value == pytest.approx(gap.mean())
    assert turbo.bias.value == pytest.approx(-omni.bias.value)
    assert 0.4 < turbo.bias.low < turbo.bias.high < 0.8
    assert turbo.reference == "other judges"
    assert turbo.error_after < turbo.error
    assert turbo.slope.high < 1  # a point of one judge is less than a point of the other


def test_plain_choices_have_no_calibration():
    assert audit_judges({"id": [1, 2, 3, 4], "gold": list("abab"), "x": list("abbb")}).calibration == ()
