"""A part by itself: its size, labels, lengths, spread and typical words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.results import Result


@dataclass(frozen=True)
class Portrait(Result):
    """What one part or fold looks like; lengths are in words.

    `within_variance` is the mean squared distance of its vectors to their mean.
    `against` holds how it differs from the train part or the other folds; it is empty for train itself.
    """

    n: int
    share: float
    labels: dict[str, float]
    n_unlabelled: int
    length_mean: float
    length_median: float
    length_min: int
    length_max: int
    n_words: int
    within_variance: float
    typical_words: list[str]
    against: dict[str, Any] = field(default_factory=dict)


def label_shares(labels: np.ndarray | None, rows: np.ndarray, names: list[str]) -> dict[str, float]:
    """Return each label's share of the labelled rows, labels of the whole dataset in order; empty without labels."""
    if labels is None:
        return {}
    here = labels[rows]
    n = max(1, sum(label is not None for label in here))
    return {name: float((here == name).sum()) / n for name in names}


def spread(vectors: np.ndarray, rows: np.ndarray) -> float:
    """Return the mean squared distance of the rows to their mean."""
    here = vectors[rows]
    return float(((here - here.mean(axis=0)) ** 2).sum(axis=1).mean()) if len(here) else np.nan
