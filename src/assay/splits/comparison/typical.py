"""The words that are typical of a part: more frequent there than in the rest, beyond chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def typical_words(here: np.ndarray, total: np.ndarray, vocabulary: Sequence[str], n_words: int = 10) -> list[str]:
    """Return the words with the highest z-score of the log odds ratio between a part and the rest.

    Counts are smoothed by the word's share of the whole (an informative Dirichlet prior). Ties go by alphabet.

    >>> typical_words(np.array([9.0, 1.0, 5.0]), np.array([10.0, 10.0, 10.0]), ["sea", "land", "the"], n_words=1)
    ['sea']
    """
    there, prior = total - here, total / max(total.sum(), 1.0) * len(total)
    z = (_log_odds(here, prior) - _log_odds(there, prior)) / np.sqrt(
        1 / (here + prior + 1e-9) + 1 / (there + prior + 1e-9)
    )
    z[here == 0] = -np.inf
    best = np.argsort(-z, kind="stable")[: 4 * n_words]
    ranked = sorted(best[z[best] > 0].tolist(), key=lambda word: (-round(float(z[word]), 9), vocabulary[word]))
    return [vocabulary[word] for word in ranked[:n_words]]


def _log_odds(counts: np.ndarray, prior: np.ndarray) -> np.ndarray:
    mass = counts.sum() + prior.sum()
    return np.asarray(np.log((counts + prior + 1e-9) / (mass - counts - prior + 1e-9)))
