"""BM25: documents ranked by the words they share with a query, the baseline of retrieval (Robertson et al. 1994)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import polars as pl

K1, B = 0.9, 0.4  # the values of Anserini, on which published baselines rest
DEPTH = 100
MAX_DOCUMENTS = 500_000


def rank_documents(corpus: pl.DataFrame, queries: Sequence[str], depth: int = DEPTH) -> list[str | None]:
    """Return the best documents of every query as a JSON list; None if no document shares a word."""
    from sklearn.feature_extraction.text import CountVectorizer

    if not 0 < corpus.height <= MAX_DOCUMENTS:
        return [None] * len(queries)
    vectorizer = CountVectorizer(token_pattern=r"\w+")
    try:
        counts = vectorizer.fit_transform(corpus["text"].fill_null("").to_list()).tocsc().astype(np.float64)
    except ValueError:  # no document has a word
        return [None] * len(queries)
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    frequencies = np.diff(counts.indptr)
    weights = np.log(1 + (corpus.height - frequencies + 0.5) / (frequencies + 0.5))
    norms = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-9))
    columns = np.repeat(np.arange(counts.shape[1]), frequencies)
    counts.data = weights[columns] * counts.data * (K1 + 1) / (counts.data + norms[counts.indices])
    names = np.array(corpus["id"].to_list(), dtype=object)
    words = vectorizer.transform(queries).tocsr()
    rankings: list[str | None] = []
    for row in range(len(queries)):
        scores = np.asarray((counts @ words[row].T).todense()).ravel()
        found = np.flatnonzero(scores > 0)
        order = found[np.lexsort([found, -scores[found]])][:depth]
        rankings.append(json.dumps(names[order].tolist(), ensure_ascii=False) if len(order) else None)
    return rankings
