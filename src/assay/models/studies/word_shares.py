"""Words whose share of texts changed between two samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.results import Result


@dataclass(frozen=True)
class WordChange(Result):
    """A word, the share of texts that hold it then and now, and the p of the change, corrected (Benjamini–Hochberg)."""

    word: str
    share_before: float
    share_after: float
    p: float


def word_changes(
    before: list[str], after: list[str], n_words: int = 20, min_count: int = 5, level: float = 0.05
) -> list[WordChange]:
    """Return the words whose share changed most surely, by a two-sided test of two shares.

    >>> [change.word for change in word_changes(["old news"] * 30, ["new news"] * 30)]
    ['new', 'old']
    """
    from scipy.stats import norm
    from sklearn.feature_extraction.text import CountVectorizer

    from assay.statistics import benjamini_hochberg

    counted = CountVectorizer(binary=True, token_pattern=r"(?u)\b\w+\b", min_df=min_count)
    try:
        held = counted.fit_transform(before + after)
    except ValueError:  # no word is frequent enough
        return []
    first = np.asarray(held[: len(before)].sum(axis=0)).ravel() / len(before)
    second = np.asarray(held[len(before) :].sum(axis=0)).ravel() / len(after)
    pooled = np.minimum(np.asarray(held.mean(axis=0)).ravel(), 1.0)  # a mean of ones can round above 1
    error = np.sqrt(pooled * (1 - pooled) * (1 / len(before) + 1 / len(after)))
    z = np.divide(second - first, error, out=np.zeros_like(error), where=error > 0)
    p = np.asarray(benjamini_hochberg(2 * norm.sf(np.abs(z))))
    words = counted.get_feature_names_out()
    order = [place for place in np.lexsort((words, -np.abs(z))) if p[place] < level][:n_words]
    return [WordChange(str(words[i]), float(first[i]), float(second[i]), float(p[i])) for i in order]
