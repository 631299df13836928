"""Words on two sides of a cut: unseen words, shared vocabulary, Jensen–Shannon divergence."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.splits.comparison.cuts import Cuts

_CELLS = 1 << 22  # words × cuts held at a time


def word_divergences(counts: Any, cuts: Cuts) -> dict[str, np.ndarray]:
    """Measure every cut: `oov`, `jsd` and `overlap`, an array each; nan where a side has no words.

    oov is the share of the words of one side, counted as often as they occur, that the other side never has; jsd
    is the Jensen–Shannon divergence (bits, 0–1) of the word distributions; overlap is |A ∩ B| / |A ∪ B|.
    """
    block = max(1, _CELLS // max(1, counts.shape[1]))
    pieces = [
        _measured(counts, cuts.here[start : start + block], cuts.there[start : start + block])
        for start in range(0, len(cuts.names), block)
    ]
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in ("oov", "jsd", "overlap")}


def side_counts(counts: Any, sides: np.ndarray) -> np.ndarray:
    """Return how often each word occurs on each side (sides × words)."""
    return np.asarray(counts.T @ sides.T.astype(np.float64)).T


def _measured(counts: Any, here: np.ndarray, there: np.ndarray) -> dict[str, np.ndarray]:
    b = side_counts(counts, here)
    # A side that is all the rest needs no second product.
    a = np.asarray(counts.sum(axis=0)).ravel() - b if (here | there).all() else side_counts(counts, there)
    with np.errstate(invalid="ignore", divide="ignore"):
        unseen = np.where(a == 0, b, 0.0).sum(axis=1) / b.sum(axis=1)
        overlap = ((a > 0) & (b > 0)).sum(axis=1) / ((a > 0) | (b > 0)).sum(axis=1)
        return {"oov": unseen, "jsd": jensen_shannon(a, b), "overlap": overlap}


def jensen_shannon(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the divergence in bits of the distributions in each line of two tables of counts.

    >>> jensen_shannon(np.array([[1.0, 0.0], [2.0, 2.0]]), np.array([[0.0, 3.0], [1.0, 1.0]])).tolist()
    [1.0, 0.0]
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        p, q = a / a.sum(axis=1, keepdims=True), b / b.sum(axis=1, keepdims=True)
        both = (p > 0) & (q > 0)
        m = np.where(both, (p + q) / 2, 1.0)
        logs = np.where(both, p * np.log2(p / m) + q * np.log2(q / m), 0.0).sum(axis=1) / 2
    shared = np.where(both, p + q, 0.0).sum(axis=1) / 2
    defined = (a.sum(axis=1) > 0) & (b.sum(axis=1) > 0)
    return np.where(defined, np.clip(logs + 1 - shared, 0.0, 1.0), np.nan)
