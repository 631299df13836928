"""Scores on slices of the items: by part, label, length or any column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.results import Result
from assay.evaluation.metrics import METRICS, Metric
from assay.evaluation.scoring import Scored

if TYPE_CHECKING:
    from assay.data import Dataset

_MOST_SLICES = 20
_N_BINS = 4


@dataclass(frozen=True)
class SliceScore(Result):
    """A system's score on one slice, its interval, the items scored (n) and the items in the slice (size)."""

    slice: str
    system: str
    metric: str
    value: float
    low: float
    high: float
    n: int
    size: int
    share: float
    reason: str | None = None


def by_slices(scored: Scored, metrics: Sequence[Metric], names: Array) -> list[SliceScore]:
    """Score every system on every slice; `names` gives the slice of each item, None for none."""
    ordered = [name for name in dict.fromkeys(names.tolist()) if name is not None]
    rows = []
    for name in ordered if _in_order(ordered) else sorted(ordered):
        here = np.array([given == name for given in names.tolist()], dtype=bool)
        part, size = scored.take(here), int(here.sum())
        for metric in metrics:
            for system, score in part.scores(metric).items():
                told = (score.value, score.low, score.high, score.n)
                rows.append(SliceScore(name, system, metric.name, *told, size, size / len(names), score.reason))
    return rows


def slice_names(scored: Scored, by: str, tokenizer: str = "words") -> Array:
    """Name the slice of each item: `part`, `label`, `length` (quarters), or a column of the data."""
    if by == "label":
        if scored.predictions.gold is None:
            raise AssayError("--by label: these predictions have no gold labels.")
        return scored.predictions.gold
    data = _data(scored, by)
    if by == "part":
        if data.parts is None:
            raise AssayError(f"--by part: {data.name} has no parts. Name the column with --split.")
        return _texts(data.parts.to_list())
    if by == "length":
        return quarters(word_counts(data, tokenizer), "words")
    return _column(data.column(by).to_list(), by)


def slice_metrics(by: str, metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics for slices: within one label only accuracy means anything."""
    labelled = any("predicted" in metric.needs for metric in metrics)
    return [METRICS["accuracy"]] if by == "label" and labelled else list(metrics)


def word_counts(data: Dataset, tokenizer: str = "words") -> Array:
    """Return the number of words of each item, both sides of a pair together."""
    from assay.text import Corpus

    return np.asarray(Corpus.from_texts(data.texts, tokenizer=tokenizer).lengths)


def quarters(values: Array, unit: str = "") -> Array:
    """Cut numbers into at most four slices of about equal size; equal numbers stay together.

    >>> quarters(np.array([1.0, 2, 3, 4, 5, 6, 7, 8]), "words").tolist()[::2]
    ['1 to 2 words', '3 to 4 words', '5 to 6 words', '7 to 8 words']
    """
    found = np.full(len(values), None, dtype=object)
    finite = np.isfinite(values)
    if not finite.any():
        return found
    cuts = np.unique(np.quantile(values[finite], np.arange(1, _N_BINS) / _N_BINS, method="inverted_cdf"))
    numbers = np.searchsorted(cuts, values[finite], side="left")
    inside, named = values[finite], np.empty(int(finite.sum()), dtype=object)
    for number in np.unique(numbers):
        chosen = inside[numbers == number]
        low, high = f"{chosen.min():g}", f"{chosen.max():g}"
        named[numbers == number] = f"{low} {unit}".strip() if low == high else f"{low} to {high} {unit}".strip()
    found[finite] = named
    return found


def _column(values: list[str | None], by: str) -> Array:
    counts = Counter(value for value in values if value not in (None, ""))
    if len(counts) <= _MOST_SLICES:
        return _texts(values)
    try:
        return quarters(np.array([np.nan if value in (None, "") else float(value) for value in values]))
    except ValueError:
        kept = {value for value, _ in counts.most_common(_MOST_SLICES)}
        if counts.most_common(1)[0][1] < 2:
            raise UsageError(f"--by {by}: all {len(counts)} values differ; slices need values that repeat.") from None
        return _texts([value if value in kept else "(other)" for value in values])


def _texts(values: Sequence[str | None]) -> Array:
    found = np.empty(len(values), dtype=object)
    found[:] = [None if value in (None, "") else str(value) for value in values]
    return found


def _data(scored: Scored, by: str) -> Dataset:
    if scored.predictions.data is None:
        raise UsageError(f"--by {by} needs DATA: the predictions alone do not tell it.")
    return scored.predictions.data


def _in_order(names: Sequence[str]) -> bool:
    return set(names) <= {"train", "dev", "test"}
