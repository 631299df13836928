"""Summaries of text lengths."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.data.columns.shared_strings import share_strings
from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import exact_mean
from assay.views.results import Result
from assay.views.values import Bin, Interval

N_BINS = 20


@dataclass(frozen=True)
class LengthSummary(Result):
    """Words per text: mean, standard deviation (ddof = 1) and quartiles (linear interpolation); nan without texts."""

    mean: float
    std: float
    min: float
    q25: float
    median: float
    q75: float
    max: float
    n: int

    @property
    def mean_interval(self) -> Interval:
        """The mean with its normal interval (95%)."""
        half = 1.96 * self.std / math.sqrt(self.n) if self.n else math.nan
        return Interval(self.mean, self.mean - half, self.mean + half, method="normal")


def summarise_lengths(lengths: NDArray[np.int64]) -> LengthSummary:
    """Summarise the numbers of words of some texts.

    >>> summarise_lengths(np.array([1, 2, 3, 4])).median
    2.5
    """
    if not len(lengths):
        return LengthSummary(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, 0)
    mean = exact_mean(lengths)
    std = math.sqrt(math.fsum((lengths - mean) ** 2) / (len(lengths) - 1)) if len(lengths) > 1 else math.nan
    smallest, q25, median, q75, largest = np.quantile(lengths, [0, 0.25, 0.5, 0.75, 1]).tolist()
    return LengthSummary(mean, std, smallest, q25, median, q75, largest, len(lengths))


def summarise_lengths_by_label(data: LabelledTexts) -> dict[str, LengthSummary]:
    """Summarise the lengths of the texts under each described label."""
    lengths, labels, names = data.corpus.lengths, data.labels, data.label_names
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(len(names) + 1))
    return {
        names[code]: summarise_lengths(lengths[order[bounds[code] : bounds[code + 1]]])
        for code in data.described_labels
    }


def bin_lengths(lengths: NDArray[np.int64], labels: pl.Series | None, names: Sequence[str]) -> Iterator[Bin]:
    """Count texts by length and label; the last bin holds everything beyond the 99th percentile."""
    top = max(1, int(np.ceil(np.quantile(lengths, 0.99)))) if len(lengths) else 1
    edges = np.unique(np.linspace(0, top + 1, N_BINS + 1).round().astype(int))
    of_rows = np.full(len(lengths), "") if labels is None else share_strings(labels.fill_null(""))
    for label in names or [""]:
        counts = np.histogram(np.minimum(lengths[of_rows == label], top), bins=edges)[0]
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True):
            yield Bin(label, float(low), float(high), count)
