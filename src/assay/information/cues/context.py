"""Does the rest of a text predict a word? It predicts a topic word, but not a word that was added to texts."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.statistics import Interval, roc_auc
from assay.text import Corpus

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MAX_TEXTS = 2_000
MIN_TEXTS = 20
N_FOLDS = 5


def measure_word_context(texts: Sequence[str] | Corpus, words: Collection[str], random_state: int = 0) -> Interval:
    """Return how well the other words tell texts with these words from those without (area under the curve).

    Of several words a text must have all. Logistic regression on TF-IDF, cross-validated over five folds of at most
    2,000 texts; 0.5 is guessing. Interval by Hanley and McNeil; nan if fewer than 20 texts have the words or lack
    them.
    """
    rows = np.random.default_rng(random_state).permutation(len(texts))[:MAX_TEXTS]
    counts, has_words = _cut_out_words(_take_texts(texts, rows), words)
    if min(int(has_words.sum()), int((~has_words).sum())) < MIN_TEXTS:
        return Interval(math.nan, math.nan, math.nan, method="hanley-mcneil")
    return roc_auc(_predict_words(counts, has_words), has_words)


def _cut_out_words(corpus: Corpus, words: Collection[str]) -> tuple[csr_matrix, Array]:
    """Return which other words texts have, and which texts have all of these."""
    is_searched = np.array([word in words for word in corpus.vocabulary], dtype=bool)
    counts = corpus.counts().astype(bool).astype(float).tocsc()
    has_words = np.asarray(counts[:, is_searched].sum(axis=1)).ravel() >= max(1, len(words))
    return counts[:, ~is_searched].tocsr(), has_words


def _take_texts(texts: Sequence[str] | Corpus, rows: Array) -> Corpus:
    """Return the words of some texts, numbered in the order they first come, as if the texts were cut into words."""
    if not isinstance(texts, Corpus):
        return Corpus.from_texts([texts[row] for row in rows.tolist()])
    taken = texts.take(rows)
    used, firsts, codes = np.unique(taken.ids, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    numbers = np.empty(len(used), np.int32)
    numbers[order] = np.arange(len(used), dtype=np.int32)
    vocabulary = [taken.vocabulary[word] for word in used[order].tolist()]
    return Corpus(taken.offsets, numbers[codes], vocabulary)


def _predict_words(counts: object, has_words: Array) -> Array:
    """Return the held-out probabilities of a logistic regression; rows are in random order already."""
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.linear_model import LogisticRegression

    weighted = TfidfTransformer().fit_transform(counts)
    folds = np.arange(len(has_words)) % N_FOLDS
    scores = np.zeros(len(has_words))
    for fold in range(N_FOLDS):
        is_train = folds != fold
        model = LogisticRegression(solver="liblinear", random_state=0)
        model.fit(weighted[is_train], has_words[is_train])
        scores[~is_train] = model.predict_proba(weighted[~is_train])[:, 1]
    return scores
