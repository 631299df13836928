"""Does the rest of a text foretell a word: a word of the topic is, one that was put there is not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.statistics import Interval, roc_auc
from assay.text import Corpus

MOST_TEXTS = 2_000
LEAST = 20
N_FOLDS = 5


def foretold(texts: list[str], words: set[str], random_state: int = 0) -> Interval:
    """Return how well the other words tell the texts with these words from those without (area under the curve).

    Several words must all be there. Cross-validated over five folds with logistic regression on TF-IDF; one half is
    guessing. Hanley and McNeil's interval. nan where fewer than 20 texts have the words or lack them.
    """
    rng = np.random.default_rng(random_state)
    rows = rng.permutation(len(texts))[:MOST_TEXTS]
    corpus = Corpus.from_texts([texts[row] for row in rows.tolist()])
    mine = np.array([word in words for word in corpus.vocabulary], dtype=bool)
    counts = corpus.counts().astype(bool).astype(float).tocsc()
    has = np.asarray(counts[:, mine].sum(axis=1)).ravel() >= max(1, len(words))
    if min(int(has.sum()), int((~has).sum())) < LEAST:
        return Interval(math.nan, math.nan, math.nan, method="hanley-mcneil")
    return roc_auc(_scores(counts[:, ~mine].tocsr(), has), has)


def _scores(counts: Any, has: Array) -> Array:
    """Return the held-out probabilities of a logistic regression; rows are in random order already."""
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.linear_model import LogisticRegression

    weighted = TfidfTransformer().fit_transform(counts)
    folds = np.arange(len(has)) % N_FOLDS
    scores = np.zeros(len(has))
    for fold in range(N_FOLDS):
        train = folds != fold
        model = LogisticRegression(solver="liblinear", random_state=0).fit(weighted[train], has[train])
        scores[~train] = model.predict_proba(weighted[~train])[:, 1]
    return scores
