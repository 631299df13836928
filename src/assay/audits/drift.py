"""Do train and test differ in length or in labels more than chance would have it."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.data import Dataset
from assay.data.hold_out import choose_parts, select_part_rows
from assay.text import Corpus


def sides(data: Dataset) -> tuple[Array, Array] | None:
    """Return the rows of train and of test, or of what stands in for them, or None."""
    names = choose_parts(data.part_names)
    if names is None or data.parts is None:
        return None
    rows = select_part_rows(data.parts, train=names[0], test=names[1])
    return rows.train, rows.test


def length_drift(data: Dataset) -> dict[str, Any] | None:
    """Return P(a test text is longer than a training text), with the interval and p of Mann and Whitney's test."""
    from scipy.stats import mannwhitneyu

    found = sides(data)
    if found is None or min(map(len, found)) < 2:
        return None
    lengths = np.asarray(Corpus.from_texts(data.texts).lengths, dtype=float)
    train, test = (lengths[rows] for rows in found)
    tested = mannwhitneyu(test, train)
    share = float(tested.statistic) / (len(train) * len(test))
    # Hanley and McNeil's error of the area under the curve.
    q1, q2 = share / (2 - share), 2 * share**2 / (1 + share)
    spread = share * (1 - share) + (len(test) - 1) * (q1 - share**2) + (len(train) - 1) * (q2 - share**2)
    half = 1.96 * float(np.sqrt(max(spread, 0.0) / (len(train) * len(test))))
    return {
        "longer": share,
        "low": max(0.0, share - half),
        "high": min(1.0, share + half),
        "p": float(tested.pvalue),
        "mean_train": float(train.mean()),
        "mean_test": float(test.mean()),
        "n_train": len(train),
        "n_test": len(test),
        "parts": choose_parts(data.part_names),
    }


def label_drift(data: Dataset) -> dict[str, Any] | None:
    """Return the total variation distance of the labels of train and test, and p of the chi-square test."""
    from scipy.stats import chi2_contingency

    found = sides(data)
    if found is None or data.labels is None:
        return None
    counts = np.array([_counts(data, rows) for rows in found], dtype=float)
    known = counts.sum(axis=0) > 0
    counts, names = counts[:, known], np.array(data.label_names, dtype=object)[known]
    if counts.shape[1] < 2 or (counts.sum(axis=1) == 0).any():
        return None
    shares = counts / counts.sum(axis=1, keepdims=True)
    distance = float(np.abs(shares[0] - shares[1]).sum() / 2)
    p = float(chi2_contingency(counts).pvalue)
    most = int(np.abs(shares[0] - shares[1]).argmax())
    told = {"label": names[most], "train": float(shares[0, most]), "test": float(shares[1, most])}
    sizes = {"n_train": int(counts[0].sum()), "n_test": int(counts[1].sum())}
    return {"distance": distance, "p": p, **sizes, "most": told, "parts": choose_parts(data.part_names)}


def _counts(data: Dataset, rows: Array) -> list[int]:
    assert data.labels is not None
    found = dict(data.labels.gather(rows).value_counts().iter_rows())
    return [int(found.get(name, 0)) for name in data.label_names]
