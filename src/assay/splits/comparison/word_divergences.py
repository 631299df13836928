"""Words of two parts: unseen words, Jensen–Shannon divergence, shared vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.splits.comparison.pairs import PartPairs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WORD_MEASURES = ("oov", "jsd", "overlap")
MAX_CELLS = 1 << 22  # words × pairs held at a time


def measure_words(counts: csr_matrix, pairs: PartPairs) -> dict[str, Array]:
    """Measure every pair by `oov`, `jsd` and `overlap`, one array each; nan if a part has no words.

    oov is the share of the words of the part, counted as often as they occur, that the reference never has; jsd is
    the Jensen–Shannon divergence (bits, 0–1) of the word distributions; overlap is |A ∩ B| / |A ∪ B|.
    """
    block = max(1, MAX_CELLS // max(1, counts.shape[1]))
    pieces = [
        _measure_block(counts, pairs.parts[start : start + block], pairs.references[start : start + block])
        for start in range(0, len(pairs.names), block)
    ]
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in WORD_MEASURES}


def sum_counts(counts: csr_matrix, rows: Array) -> Array:
    """Return how often each word occurs in each row set (row sets × words)."""
    return np.asarray(counts.T @ rows.T.astype(np.float64)).T


def _measure_block(counts: csr_matrix, parts: Array, references: Array) -> dict[str, Array]:
    b = sum_counts(counts, parts)
    # A reference that is all the rest needs no second product.
    covers_all = (parts | references).all()
    a = np.asarray(counts.sum(axis=0)).ravel() - b if covers_all else sum_counts(counts, references)
    with np.errstate(invalid="ignore", divide="ignore"):
        unseen = np.where(a == 0, b, 0.0).sum(axis=1) / b.sum(axis=1)
        overlap = ((a > 0) & (b > 0)).sum(axis=1) / ((a > 0) | (b > 0)).sum(axis=1)
        return {"oov": unseen, "jsd": compute_jensen_shannon(a, b), "overlap": overlap}


def compute_jensen_shannon(a: Array, b: Array) -> Array:
    """Return the divergence in bits of the distributions in each line of two tables of counts.

    >>> compute_jensen_shannon(np.array([[1.0, 0.0], [2.0, 2.0]]), np.array([[0.0, 3.0], [1.0, 1.0]])).tolist()
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
