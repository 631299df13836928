"""Which items are near copies of a training item itself, not only of another near copy."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.text import Corpus

THRESHOLD = 0.8


def near_train(corpus: Corpus, groups: Array, train: Array, threshold: float = THRESHOLD) -> Array:
    """Mark the items whose words and word pairs overlap with those of a training item (Jaccard from `threshold`).

    `groups` numbers chains of near copies; an item may stand in a chain with training items and be near to none.

    >>> corpus = Corpus.from_texts(["a b c d e f g h", "a b c d e f g i", "a b c d e f j i"])
    >>> near_train(corpus, np.zeros(3, np.int64), np.array([True, False, False]), 0.7).tolist()
    [False, True, False]
    """
    from assay.audits.near_kernel import has_near

    found = np.zeros(len(groups), bool)
    asked = np.flatnonzero(np.isin(groups, groups[train]) & ~train)
    beside = np.flatnonzero(np.isin(groups, groups[asked]) & train)
    if len(asked):
        offsets, parts = rarest_first(corpus.take(np.r_[asked, beside]))
        found[asked] = has_near(offsets, parts, len(asked), int(parts.max(initial=0)) + 1, threshold)
    return found


def rarest_first(corpus: Corpus) -> tuple[Array, Array]:
    """Number the different words and neighbouring word pairs of each text from the rarest on; with the texts' bounds.

    >>> offsets, parts = rarest_first(Corpus.from_texts(["a b", "a"]))
    >>> offsets.tolist(), parts.tolist()
    ([0, 3, 4], [0, 1, 2, 2])
    """
    words = corpus.ids.astype(np.int64)
    owners = np.repeat(np.arange(len(corpus)), corpus.lengths)
    inside = owners[1:] == owners[:-1]
    pairs = ((words[:-1] + 1) * len(corpus.vocabulary) + words[1:])[inside]
    keys, owners = np.r_[words, pairs], np.r_[owners, owners[1:][inside]]
    _, codes, counts = np.unique(keys, return_inverse=True, return_counts=True)
    rank = np.empty(len(counts), np.int64)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    each = np.unique(owners * max(1, len(counts)) + rank[codes])
    texts, parts = np.divmod(each, max(1, len(counts)))
    return np.searchsorted(texts, np.arange(len(corpus) + 1)), parts
