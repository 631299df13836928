"""Calibration of graded verdicts: what a judge's score means on the scale of gold, or of the other judges."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.judges.systems import average_verdicts
from assay.judges.verdicts import Verdicts
from assay.statistics import Interval, normal_quantile
from assay.views.results import Result

MAX_BINS = 10
MIN_VALUES = 3  # different scores, for a curve
MIN_ITEMS = 20
N_FOLDS = 5


@dataclass(frozen=True)
class CalibrationBin(Result):
    """Items with similar scores: the judge's mean score, and the mean of the reference with its interval."""

    score: float
    reference: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class JudgeCalibration(Result):
    """How a judge's scores relate to gold (`reference` gold) or to the mean of the other judges.

    `bias` is the mean of score − reference, `slope` that of the regression of the reference on the score: 1 if a
    point of the judge is a point of the reference, less where its scores are spread too far. `ece` is the mean distance
    of the curve from the diagonal (expected calibration error), `error` the mean absolute difference, and
    `error_after` the same after an isotonic recalibration by other items (five folds of items).
    """

    judge: str = field(metadata=NAME)
    reference: str = field(metadata=OWN)
    n: int
    bias: Interval
    slope: Interval
    ece: float
    error: float
    error_after: float
    bins: tuple[CalibrationBin, ...]


def measure_calibration(
    verdicts: Verdicts, confidence: float = 0.95, random_state: int = 0
) -> tuple[JudgeCalibration, ...]:
    """Measure the calibration of every judge that gives at least three different scores.

    Scores between two answers are the share that goes to the second. Bins hold one score each, or equal numbers of
    verdicts if there are more than ten scores. Intervals are over items.
    """
    rows = []
    for judge in verdicts.judges:
        table = _pair_with_reference(verdicts, judge)
        if table is None or table.height < MIN_ITEMS or table["value"].n_unique() < MIN_VALUES:
            continue
        rows.append(_describe(judge, verdicts, table, confidence, random_state))
    return tuple(rows)


def _pair_with_reference(verdicts: Verdicts, judge: str) -> pl.DataFrame | None:
    """Return the judge's values next to gold, or next to the mean of the other judges if there is no gold."""
    own = verdicts.take_judge(judge).filter(pl.col("value").is_not_null())
    if verdicts.frame["gold_value"].is_not_null().any():
        return own.with_columns(pl.col("gold_value").alias("reference")).filter(pl.col("reference").is_not_null())
    others = verdicts.frame.filter((pl.col("judge") != judge) & pl.col("value").is_not_null())
    if not others.height:
        return None
    means = others.group_by("unit").agg(pl.col("value").mean().alias("reference"))
    return own.join(means, on="unit", how="inner")


def _describe(
    judge: str, verdicts: Verdicts, table: pl.DataFrame, confidence: float, random_state: int
) -> JudgeCalibration:
    score, reference = table["value"].to_numpy().astype(float), table["reference"].to_numpy().astype(float)
    items = table["id"].to_numpy()
    bins = _make_bins(score, reference, items, confidence)
    n = len(score)
    has_gold = verdicts.frame["gold_value"].is_not_null().any()
    return JudgeCalibration(
        judge=judge,
        reference="gold" if has_gold else "other judges",
        n=n,
        bias=average_verdicts(score - reference, items, confidence, is_share=False),
        slope=_fit_slope(score, reference, items, confidence),
        ece=sum(row.n * abs(row.score - row.reference) for row in bins) / n,
        error=float(np.abs(score - reference).mean()),
        error_after=_recalibrate(score, reference, items, random_state),
        bins=bins,
    )


def _make_bins(score: Array, reference: Array, items: Array, confidence: float) -> tuple[CalibrationBin, ...]:
    values = np.unique(score)
    if len(values) <= MAX_BINS:
        codes = np.searchsorted(values, score)
    else:
        edges = np.unique(np.quantile(score, np.linspace(0, 1, MAX_BINS + 1)[1:-1]))
        codes = np.searchsorted(edges, score, side="left")
    rows = []
    for code in np.unique(codes):
        chosen = codes == code
        mean = average_verdicts(reference[chosen], items[chosen], confidence, is_share=False)
        rows.append(CalibrationBin(float(score[chosen].mean()), mean.value, mean.low, mean.high, int(chosen.sum())))
    return tuple(rows)


def _fit_slope(score: Array, reference: Array, items: Array, confidence: float) -> Interval:
    """Return the slope of the reference on the score, with an interval that allows for several verdicts per item."""
    x = score - score.mean()
    spread = float((x**2).sum())
    slope = float((x * reference).sum()) / spread
    residual = reference - reference.mean() - slope * x
    _, codes = np.unique(items.astype(str), return_inverse=True)
    sums = np.bincount(codes, weights=x * residual)
    m = len(sums)
    error = math.sqrt(float((sums**2).sum()) * m / max(m - 1, 1)) / spread
    half = normal_quantile(confidence) * error
    return Interval(slope, slope - half, slope + half, confidence, "clustered by item")


def _recalibrate(score: Array, reference: Array, items: Array, random_state: int) -> float:
    """Return the mean absolute error after an isotonic regression that did not see the item."""
    from sklearn.isotonic import IsotonicRegression

    _, codes = np.unique(items.astype(str), return_inverse=True)
    folds = (np.random.default_rng(random_state).permutation(codes.max() + 1) % N_FOLDS)[codes]
    predicted = np.full(len(score), np.nan)
    for fold in range(N_FOLDS):
        held_out = folds == fold
        if held_out.any() and not held_out.all():
            model = IsotonicRegression(out_of_bounds="clip").fit(score[~held_out], reference[~held_out])
            predicted[held_out] = model.predict(score[held_out])
    return float(np.nanmean(np.abs(predicted - reference)))
