"""Summaries of text lengths."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.features.registry import exact_mean
from assay.views.results import Result


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


def summarise_lengths_by_label(
    lengths: NDArray[np.int64], labels: NDArray[np.int64], names: tuple[str, ...]
) -> dict[str, LengthSummary]:
    """Summarise the lengths of the texts under each label."""
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(len(names) + 1))
    return {name: summarise_lengths(lengths[order[bounds[code] : bounds[code + 1]]]) for code, name in enumerate(names)}
