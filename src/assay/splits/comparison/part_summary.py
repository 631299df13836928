"""A single part: its size, labels, lengths, variance and typical words."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN, WORD
from assay.splits.comparison.divergence import Divergence
from assay.views.results import Result


@dataclass(frozen=True)
class PartSummary(Result):
    """One part or fold; lengths are in words.

    `within_variance` is the mean squared distance of its vectors to their mean, nan if no vectors were needed.
    `against` holds how it differs from the train part or the other folds; it is empty for train itself.
    """

    n: int
    share: float
    labels: dict[str, float] = field(metadata=NAME)
    n_unlabelled: int
    length_mean: float
    length_median: float
    length_min: int
    length_max: int
    n_words: int
    within_variance: float
    typical_words: list[str] = field(metadata=WORD)
    against: dict[str, Divergence] = field(default_factory=dict, metadata=OWN)


def share_labels(labels: Array | None, rows: Array, names: list[str]) -> dict[str, float]:
    """Return the share of each label among the labelled rows, by the names given; empty without labels."""
    if labels is None:
        return {}
    chosen = labels[rows]
    n = max(1, sum(label is not None for label in chosen))
    return {name: float((chosen == name).sum()) / n for name in names}


def measure_variance(vectors: Array, rows: Array) -> float:
    """Return the mean squared distance of the rows to their mean."""
    chosen = vectors[rows]
    return float(((chosen - chosen.mean(axis=0)) ** 2).sum(axis=1).mean()) if len(chosen) else np.nan
