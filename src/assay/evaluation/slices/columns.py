"""Scores on slices of the items: by part, label, length or any column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.marks import NAME, OWN
from assay.data import Dataset
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.metrics import METRICS, Metric
from assay.views.results import Result

MAX_SLICES = 20  # numbers with more values are cut into quarters
MAX_NAMES = 100  # of the values of a column; MMLU has 57 subjects
N_BINS = 4
PARTS = {"train", "dev", "test"}


@dataclass(frozen=True)
class SliceScore(Result):
    """A system's score on one slice, its interval, the items scored (n) and the items in the slice (size)."""

    slice: str = field(metadata=NAME)
    system: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    value: float
    low: float
    high: float
    n: int
    size: int
    share: float
    reason: str | None = field(default=None, metadata=OWN)


def score_slices(prepared: PreparedPredictions, by: str, metrics: Sequence[Metric]) -> list[SliceScore]:
    """Score every system on every slice by `part`, `label`, `length` (quarters), or a column of the data.

    Within one label only accuracy means anything: it replaces the other metrics.
    """
    names = name_slices(prepared, by)
    if by == "label" and any("labels" in metric.needs for metric in metrics):
        metrics = [METRICS["accuracy"]]
    ordered = [name for name in dict.fromkeys(names.tolist()) if name is not None]
    rows = []
    for name in ordered if set(ordered) <= PARTS else sorted(ordered):
        mask = np.array([other == name for other in names.tolist()], dtype=bool)
        part, size = prepared.take(mask), int(mask.sum())
        for metric in metrics:
            for system, score in part.compute_scores(metric).items():
                interval = (score.value, score.low, score.high, score.n)
                rows.append(SliceScore(name, system, metric.name, *interval, size, size / len(names), score.reason))
    return rows


def name_slices(prepared: PreparedPredictions, by: str) -> Array:
    """Name the slice of each item, None for none."""
    if by == "label":
        if prepared.predictions.gold is None:
            raise AssayError("label needs gold labels, and these predictions have none.", option="by")
        return prepared.predictions.gold
    data = prepared.predictions.data
    if data is None:
        raise UsageError(f"{by} needs the data of the items.", option="by", hint="Give {data}.")
    if by == "part":
        return _name_parts(data)
    if by == "length":
        assert prepared.word_counts is not None
        return cut_quarters(prepared.word_counts, "words")
    return _name_values(data.column(by).to_list(), by)


def cut_quarters(values: Array, unit: str = "") -> Array:
    """Cut numbers into at most four slices of about equal size; equal numbers stay together.

    >>> cut_quarters(np.array([1.0, 2, 3, 4, 5, 6, 7, 8]), "words").tolist()[::2]
    ['1 to 2 words', '3 to 4 words', '5 to 6 words', '7 to 8 words']
    """
    slices = np.full(len(values), None, dtype=object)
    finite = np.isfinite(values)
    if not finite.any():
        return slices
    numbers = values[finite]
    edges = np.unique(np.quantile(numbers, np.arange(1, N_BINS) / N_BINS, method="inverted_cdf"))
    bins = np.searchsorted(edges, numbers, side="left")
    names = np.empty(len(numbers), dtype=object)
    for number in np.unique(bins):
        inside = numbers[bins == number]
        low, high = f"{inside.min():g}", f"{inside.max():g}"
        names[bins == number] = f"{low} {unit}".strip() if low == high else f"{low} to {high} {unit}".strip()
    slices[finite] = names
    return slices


def _name_parts(data: Dataset) -> Array:
    if data.parts is None:
        fact = "part needs a column that names the part of each row."
        raise AssayError(fact, place=data.name, option="by", hint="Name it with {split}.")
    return _to_names(data.parts.to_list())


def _name_values(values: list[str | None], by: str) -> Array:
    counts = Counter(value for value in values if value not in (None, ""))
    if len(counts) <= MAX_SLICES:
        return _to_names(values)
    try:
        return cut_quarters(np.array([np.nan if value in (None, "") else float(value) for value in values]))
    except ValueError:
        if counts.most_common(1)[0][1] < 2:
            fact = f"{by}: all {len(counts)} values differ; slices need values that repeat."
            raise UsageError(fact, option="by") from None
        frequent = {value for value, _ in counts.most_common(MAX_NAMES)}
        return _to_names([value if value in frequent or not value else "(other)" for value in values])


def _to_names(values: Sequence[str | None]) -> Array:
    names = np.empty(len(values), dtype=object)
    names[:] = [None if value in (None, "") else str(value) for value in values]
    return names
