"""Drift: the score against the time that lies between training and test (paper 004, A.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.results import Result
from assay.evaluation.by_fold import Cut, cuts_of
from assay.evaluation.metrics import Metric
from assay.evaluation.scoring import Scored
from assay.splits import Folds, parse_times
from assay.statistics import Correlation, spearman

_DAY = 86_400.0
_N_SLICES = 10


@dataclass(frozen=True)
class TimeSlice(Result):
    """A stretch of time: its gap to the reference in days (mean), the score with interval, and n."""

    start: str
    end: str
    gap_days: float
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Drift(Result):
    """A system's score against the temporal gap; Spearman over the slices and over single items."""

    system: str
    metric: str
    correlation: Correlation
    item_correlation: Correlation
    gap_from: str
    n_undated: int
    slices: list[TimeSlice]


def by_time(scored: Scored, metric: Metric, folds: Sequence[Folds] = ()) -> list[Drift]:
    """Score stretches of time, or with runs on the windows of a temporal split every window.

    Without such runs the items are cut into at most ten stretches of about equal size, and the gap counts
    from the end of the training part, or from the first item where there is none. With them the gap is that
    between the middle (median) of a window's training part and of its test part, as in the paper.
    """
    windows = [split for split in folds if split.kind == "part" and split.n_repeats > 1]
    if windows and scored.predictions.repeats:
        return [_windows(scored, metric, cut, split) for split in windows for cut in cuts_of(scored, [split])]
    times, start, told = _times(scored)
    gaps = (times - start) / _DAY
    numbers = _stretches(times)
    right = scored.predictions.outcomes()
    drifts = []
    for row, system in enumerate(scored.predictions.names):
        one = scored.only([system])
        slices = [_slice(one, metric, numbers == number, times, gaps) for number in np.unique(numbers[numbers >= 0])]
        trend = spearman([part.gap_days for part in slices], [part.value for part in slices])
        n_undated = int(np.isnan(times).sum())
        drifts.append(Drift(system, metric.name, trend, spearman(gaps, right[row]), told, n_undated, slices))
    return drifts


def _windows(scored: Scored, metric: Metric, cut: Cut, split: Folds) -> Drift:
    whole = scored.predictions.whole
    times, _, _ = _times(scored)
    assert whole is not None
    moments = dict(zip(whole.ids.to_list(), parse_times(whole.times).tolist(), strict=True))
    slices, gaps, right = [], [], []
    for piece in cut.pieces:
        rows = split.frame.filter((pl.col("repeat") == int(piece.name)) & (pl.col("part") == "train"))
        trained = np.nanmedian([moments.get(identity, np.nan) for identity in rows["id"]])
        one = scored.only([piece.run])
        gap = np.full(len(times), (np.nanmedian(times[piece.rows]) - trained) / _DAY)
        slices.append(_slice(one, metric, piece.rows, times, gap))
        gaps.append(gap[piece.rows])
        right.append(one.predictions.outcomes()[0][piece.rows])
    trend = spearman([part.gap_days for part in slices], [part.value for part in slices])
    items = spearman(np.concatenate(gaps), np.concatenate(right))
    told = "the middle of each window's training part"
    return Drift(cut.system, metric.name, trend, items, told, int(np.isnan(times).sum()), slices)


def _times(scored: Scored) -> tuple[Array, float, str]:
    data, whole = scored.predictions.data, scored.predictions.whole
    if data is None or whole is None:
        raise UsageError("--by time needs DATA with a column of dates.")
    if data.times is None or whole.times is None:
        raise AssayError(f"--by time: {data.name} has no column of dates. Name one with --time.")
    times = np.asarray(parse_times(data.times))
    if not np.isfinite(times).any():
        raise AssayError(f"--by time: no predicted item of {data.name} has a date.")
    if whole.parts is not None:
        train = np.asarray(parse_times(whole.times.filter(whole.parts == "train")), dtype=float)
        if np.isfinite(train).any():
            return times, float(np.nanmax(train)), "the last training item"
    return times, float(np.nanmin(times)), "the first item"


def _stretches(times: Array) -> Array:
    """Number stretches of about equal size; items of one moment stay together, undated ones are −1."""
    numbers = np.full(len(times), -1)
    dated = np.isfinite(times)
    n = int(np.clip(dated.sum() // 10, 2, _N_SLICES))
    cuts = np.unique(np.quantile(times[dated], np.arange(1, n) / n, method="inverted_cdf"))
    numbers[dated] = np.searchsorted(cuts, times[dated], side="left")
    return numbers


def _slice(scored: Scored, metric: Metric, here: Array, times: Array, gaps: Array) -> TimeSlice:
    score = next(iter(scored.take(here).scores(metric).values()))
    ends = (_date(np.nanmin(times[here])), _date(np.nanmax(times[here])))
    return TimeSlice(*ends, float(gaps[here].mean()), score.value, score.low, score.high, score.n)


def _date(seconds: float) -> str:
    return str(np.datetime64(round(seconds), "s"))[:10]
