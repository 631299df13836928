"""Drift: the score against the time that lies between training and test (paper 004, A.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.errors import AssayError, UsageError
from assay.evaluation.metrics import Metric
from assay.evaluation.predictions import Array
from assay.evaluation.scoring import Scored
from assay.results import Result
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


def by_time(scored: Scored, metric: Metric) -> list[Drift]:
    """Cut the items into at most ten stretches of time of about equal size and score each.

    The gap counts from the end of the training part, or from the first item where there is none.
    """
    times, start, told = _times(scored)
    gaps = (times - start) / _DAY
    numbers = _stretches(times)
    right = scored.predictions.outcomes()
    drifts = []
    for row, system in enumerate(scored.predictions.names):
        one = scored.only([system])
        slices = [_slice(one, metric, numbers == number, times, gaps) for number in np.unique(numbers[numbers >= 0])]
        trend = spearman([part.gap_days for part in slices], [part.value for part in slices])
        drifts.append(
            Drift(system, metric.name, trend, spearman(gaps, right[row]), told, int(np.isnan(times).sum()), slices)
        )
    return drifts


def _times(scored: Scored) -> tuple[Array, float, str]:
    from assay.splits import parse_times

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
    ends = (_date(times[here].min()), _date(times[here].max()))
    return TimeSlice(*ends, float(gaps[here].mean()), score.value, score.low, score.high, score.n)


def _date(seconds: float) -> str:
    return str(np.datetime64(round(seconds), "s"))[:10]
