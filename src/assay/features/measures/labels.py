"""Features of labels: their number and balance (Xiao et al. 2022)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FEATURES, FeatureValue, undefined_value


@FEATURES.add("n_labels")
def n_labels(data: LabelledTexts) -> FeatureValue:
    """Return the number of distinct labels.

    >>> n_labels(LabelledTexts.from_texts(["x", "y", "z"], ["a", "b", "a"])).value
    2.0
    """
    if not data.label_names:
        return undefined_value("the data has no labels")
    return FeatureValue(float(len(data.label_names)), n=int(data.label_counts.sum()))


@FEATURES.add("label_balance")
def label_balance(data: LabelledTexts) -> FeatureValue:
    """Return (H − log k) / log k for k labels of entropy H: 0 when all are equally frequent, down to −1.

    >>> label_balance(LabelledTexts.from_texts(["x", "y"], ["a", "b"])).value
    0.0
    """
    counts = data.label_counts
    if len(counts) < 2:
        return undefined_value("needs at least two labels")
    if counts.min() == counts.max():
        return FeatureValue(0.0, n=int(counts.sum()))
    max_entropy = math.log(len(counts))
    return FeatureValue((compute_entropy(counts) - max_entropy) / max_entropy, n=int(counts.sum()))


def compute_entropy(counts: NDArray[np.int64]) -> float:
    """Return the entropy of a distribution of counts, in nats.

    >>> round(compute_entropy(np.array([1, 1])), 4)
    0.6931
    """
    shares = np.sort(counts[counts > 0]) / counts.sum()
    return -math.fsum(shares * np.log(shares)) if len(shares) > 1 else 0.0
