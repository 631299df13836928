"""Words whose share of a text changed between two samples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import WORD
from assay.statistics import benjamini_hochberg
from assay.text.characters import plain_word_pattern
from assay.views.results import Result


@dataclass(frozen=True)
class WordChange(Result):
    """A word, its mean share of a text's words before and after, and the p of the change (Benjamini–Hochberg)."""

    word: str = field(metadata=WORD)
    share_before: float
    share_after: float
    p: float


def find_word_changes(
    before: list[str], after: list[str], n_words: int = 20, min_count: int = 5, level: float = 0.05
) -> list[WordChange]:
    """Return the words whose share of a text changed, the most significant first, by Welch's test over the texts.

    >>> [change.word for change in find_word_changes(["old news"] * 30, ["new news"] * 30)]
    ['new', 'old']
    """
    from scipy.stats import norm
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = CountVectorizer(token_pattern=plain_word_pattern())
    try:
        shares = normalize(vectorizer.fit_transform(before + after).astype(float), norm="l1")
    except ValueError:  # no text holds a word
        return []
    frequent = np.flatnonzero(np.asarray((shares > 0).sum(axis=0)).ravel() >= min_count)
    first, second = _moments(shares[: len(before), frequent]), _moments(shares[len(before) :, frequent])
    error = np.sqrt(first[1] / len(before) + second[1] / len(after))
    z = (second[0] - first[0]) / np.maximum(error, 1e-12)  # a word in every text of one side alone has no error
    p = np.asarray(benjamini_hochberg(2 * norm.sf(np.abs(z))))
    words = vectorizer.get_feature_names_out()[frequent]
    order = [number for number in np.lexsort((words, -np.abs(z))) if p[number] < level][:n_words]
    return [WordChange(str(words[i]), float(first[0][i]), float(second[0][i]), float(p[i])) for i in order]


def _moments(shares: Any) -> tuple[Array, Array]:
    mean = np.asarray(shares.mean(axis=0)).ravel()
    squares = np.asarray(shares.multiply(shares).mean(axis=0)).ravel()
    return mean, np.maximum(squares - mean**2, 0.0)
