"""Drift: the score against the time between training and test (Søgaard et al. 2021, A.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.marks import NAME, OWN
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.evaluation.slices.folds import SystemFolds, assign_folds
from assay.metrics import Metric
from assay.splits import Folds, parse_times
from assay.statistics import Correlation, spearman
from assay.views.results import Result

SECONDS_PER_DAY = 86_400.0
MAX_PERIODS = 10
MIN_PERIOD_ITEMS = 10


@dataclass(frozen=True)
class TimeSlice(Result):
    """A period: its mean gap to the reference in days, the score with interval, and n."""

    start: str = field(metadata=OWN)
    end: str = field(metadata=OWN)
    gap_days: float
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Drift(Result):
    """A system's score against the temporal gap, with Spearman's correlation over periods and over single items."""

    _table: ClassVar[str] = "slices"
    system: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    correlation: Correlation
    item_correlation: Correlation
    gap_from: str = field(metadata=OWN)
    n_undated: int
    slices: list[TimeSlice]


def score_periods(prepared: PreparedPredictions, metric: Metric, splits: Sequence[Folds] = ()) -> list[Drift]:
    """Score periods of time, or with runs on the windows of a temporal split every window.

    Without such runs the items are cut into at most ten periods of about equal size, and the gap counts from the end
    of the training part, or from the first item if there is none. With them the gap is that between the medians of
    a window's training part and of its test part, as in Søgaard et al. (2021).
    """
    predictions = prepared.predictions
    windows = [split for split in splits if split.kind == "part" and split.n_repeats > 1]
    if windows and any(run.repeat is not None for run in predictions.runs.values()):
        return [
            _score_windows(prepared, metric, folds, split)
            for split in windows
            for folds in assign_folds(prepared, [split])
        ]
    times, start, reference = _find_times(prepared)
    gaps = (times - start) / SECONDS_PER_DAY
    periods = _cut_periods(times)
    outcomes = predictions.outcomes()
    drifts = []
    for row, system in enumerate(predictions.names):
        single = prepared.select([system])
        masks = [periods == number for number in np.unique(periods[periods >= 0])]
        slices = [_score_period(single, metric, mask, times, gaps) for mask in masks]
        item_trend = spearman(gaps, outcomes[row])
        n_undated = int(np.isnan(times).sum())
        drifts.append(Drift(system, metric.name, _correlate(slices), item_trend, reference, n_undated, slices))
    return drifts


def _score_windows(prepared: PreparedPredictions, metric: Metric, system: SystemFolds, split: Folds) -> Drift:
    times, _, _ = _find_times(prepared)
    whole = prepared.predictions.whole
    assert whole is not None
    assert whole.times is not None
    moments = dict(zip(whole.ids.to_list(), parse_times(whole.times).tolist(), strict=True))
    slices, gaps, outcomes = [], [], []
    for fold in system.folds:
        rows = split.frame.filter((pl.col("repeat") == int(fold.name)) & (pl.col("part") == "train"))
        trained = np.nanmedian([moments.get(identity, np.nan) for identity in rows["id"]])
        single = prepared.select([fold.run])
        gap = np.full(len(times), (np.nanmedian(times[fold.mask]) - trained) / SECONDS_PER_DAY)
        slices.append(_score_period(single, metric, fold.mask, times, gap))
        gaps.append(gap[fold.mask])
        outcomes.append(single.predictions.outcomes()[0][fold.mask])
    item_trend = spearman(np.concatenate(gaps), np.concatenate(outcomes))
    reference, n_undated = "the middle of each window's training part", int(np.isnan(times).sum())
    return Drift(system.system, metric.name, _correlate(slices), item_trend, reference, n_undated, slices)


def _correlate(slices: Sequence[TimeSlice]) -> Correlation:
    return spearman([period.gap_days for period in slices], [period.value for period in slices])


def _find_times(prepared: PreparedPredictions) -> tuple[Array, float, str]:
    """Return the time of each item in seconds, the time that gaps count from, and what that is."""
    data, whole = prepared.predictions.data, prepared.predictions.whole
    if data is None or whole is None:
        raise UsageError("time needs a column of dates.", option="by", hint="Give {data} that has one.")
    if data.times is None or whole.times is None:
        fact = "time needs a column of dates."
        raise AssayError(fact, place=data.name, option="by", hint="Name one with {time}.")
    times = np.asarray(parse_times(data.times))
    if not np.isfinite(times).any():
        raise AssayError("time needs dates, and no predicted item has one.", place=data.name, option="by")
    if whole.parts is not None:
        train = parse_times(whole.times.filter(whole.parts == "train"))
        if np.isfinite(train).any():
            return times, float(np.nanmax(train)), "the last training item"
    return times, float(np.nanmin(times)), "the first item"


def _cut_periods(times: Array) -> Array:
    """Number periods of about equal size; items of one moment stay together, undated ones are −1."""
    periods = np.full(len(times), -1)
    dated = np.isfinite(times)
    n = int(np.clip(dated.sum() // MIN_PERIOD_ITEMS, 2, MAX_PERIODS))
    edges = np.unique(np.quantile(times[dated], np.arange(1, n) / n, method="inverted_cdf"))
    periods[dated] = np.searchsorted(edges, times[dated], side="left")
    return periods


def _score_period(prepared: PreparedPredictions, metric: Metric, mask: Array, times: Array, gaps: Array) -> TimeSlice:
    (score,) = prepared.take(mask).compute_scores(metric).values()
    ends = (_format_date(np.nanmin(times[mask])), _format_date(np.nanmax(times[mask])))
    return TimeSlice(*ends, float(gaps[mask].mean()), score.value, score.low, score.high, score.n)


def _format_date(seconds: float) -> str:
    return str(np.datetime64(round(seconds), "s"))[:10]
