"""The words that are typical of a part: more frequent there than in the rest, beyond chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.base.arrays import Array


def find_typical_words(counts: Array, totals: Array, vocabulary: Sequence[str], n_words: int = 10) -> list[str]:
    """Return the words with the highest z-score of the log odds ratio between a part and the rest.

    Counts are smoothed by the word's share of the whole (an informative Dirichlet prior). Ties are in alphabetical
    order.

    >>> find_typical_words(np.array([9.0, 1.0, 5.0]), np.array([10.0, 10.0, 10.0]), ["sea", "land", "the"], n_words=1)
    ['sea']
    """
    rest, prior = totals - counts, totals / max(totals.sum(), 1.0) * len(totals)
    z = (_compute_log_odds(counts, prior) - _compute_log_odds(rest, prior)) / np.sqrt(
        1 / (counts + prior + 1e-9) + 1 / (rest + prior + 1e-9)
    )
    z[counts == 0] = -np.inf
    best = np.argsort(-z, kind="stable")[: 4 * n_words]
    ranked = sorted(best[z[best] > 0].tolist(), key=lambda word: (-round(float(z[word]), 9), vocabulary[word]))
    return [vocabulary[word] for word in ranked[:n_words]]


def _compute_log_odds(counts: Array, prior: Array) -> Array:
    mass = counts.sum() + prior.sum()
    return np.asarray(np.log((counts + prior + 1e-9) / (mass - counts - prior + 1e-9)))
