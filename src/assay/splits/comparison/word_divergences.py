"""Words of two parts: unseen words, Jensen–Shannon divergence, shared vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.splits.comparison.pairs import PartPairs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WORD_MEASURES = ("oov", "jsd", "overlap")


def measure_words(counts: csr_matrix, pairs: PartPairs) -> dict[str, Array]:
    """Measure every pair by `oov`, `jsd` and `overlap`, one array each; nan if a part has no words.

    oov is the share of the words of the part, counted as often as they occur, that the reference never has; jsd is
    the Jensen–Shannon divergence (bits, 0–1) of the word distributions; overlap is |A ∩ B| / |A ∪ B|.
    """
    from assay.splits.comparison.word_kernels import compare_words

    totals = np.asarray(counts.sum(axis=0), np.float64).ravel()
    words, numbers = np.asarray(counts.indices, np.int32), np.asarray(counts.data, np.float64)
    ends = np.asarray(counts.indptr, np.int64)
    parts, references = np.ascontiguousarray(pairs.parts), np.ascontiguousarray(pairs.references)
    measured = compare_words(ends, words, numbers, totals, parts, references)
    return dict(zip(WORD_MEASURES, measured, strict=True))


def sum_counts(counts: csr_matrix, rows: Array) -> Array:
    """Return how often each word occurs in each row set (row sets × words)."""
    return np.asarray(counts.T @ rows.T.astype(np.float64)).T
