"""Scores that can be compared between test sets: the error reduction over guessing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array

if TYPE_CHECKING:
    from assay.data import Dataset


def expected_accuracy(train: Array, test: Array) -> float:
    """Return the expected accuracy of guessing labels by their shares in training.

    >>> expected_accuracy(np.array(["a", "a", "b", "b"]), np.array(["a", "b"]))
    0.5
    """
    return float(sum(np.mean(train == label) * np.mean(test == label) for label in set(train.tolist())))


def compute_error_reduction(score: float, baseline: float) -> float:
    """Return the share of the baseline's errors that are avoided; nan for a perfect baseline.

    >>> compute_error_reduction(0.9, 0.5)
    0.8
    """
    return (score - baseline) / (1 - baseline) if baseline < 1 else float("nan")


def get_labels(data: Dataset) -> list[str]:
    """Return the labels of data in which every row has one."""
    assert data.labels is not None
    return data.labels.to_list()
