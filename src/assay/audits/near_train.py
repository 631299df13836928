"""Which items are near copies of a training item itself, not only of another near copy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from assay.text import Corpus

Array = np.ndarray[Any, Any]
THRESHOLD = 0.8
Shingles = frozenset[Any]


def near_train(corpus: Corpus, groups: Array, train: Array, threshold: float = THRESHOLD) -> Array:
    """Mark the items whose words and word pairs overlap with those of a training item (Jaccard from `threshold`).

    `groups` numbers chains of near copies; an item may stand in a chain with training items and be near to none.

    >>> corpus = Corpus.from_texts(["a b c d e f g h", "a b c d e f g i", "a b c d e f j i"])
    >>> near_train(corpus, np.zeros(3, np.int64), np.array([True, False, False]), 0.7).tolist()
    [False, True, False]
    """
    asked = np.flatnonzero(np.isin(groups, groups[train]) & ~train)
    beside = np.flatnonzero(np.isin(groups, groups[asked]) & train)
    sets = {row: shingles(corpus, row) for row in (*asked.tolist(), *beside.tolist())}
    counts = Counter(part for parts in sets.values() for part in parts)
    index: dict[Any, list[Shingles]] = {}
    for row in beside.tolist():
        for part in rarest(sets[row], counts, threshold):
            index.setdefault(part, []).append(sets[row])
    found = np.zeros(len(groups), bool)
    found[[row for row in asked.tolist() if has_near(sets[row], index, counts, threshold)]] = True
    return found


def shingles(corpus: Corpus, row: int) -> Shingles:
    """Return the different words and neighbouring word pairs of a text."""
    words = corpus.ids[corpus.offsets[row] : corpus.offsets[row + 1]].tolist()
    return frozenset([*words, *pairwise(words)])


def rarest(parts: Shingles, counts: Counter[Any], threshold: float) -> Sequence[Any]:
    """Return the rarest shingles of a text: of two texts so alike, these have one in common (prefix filtering)."""
    n = len(parts) - math.ceil(threshold * len(parts) - 1e-9) + 1
    return sorted(parts, key=lambda part: (counts[part], str(part)))[:n]


def has_near(parts: Shingles, index: dict[Any, list[Shingles]], counts: Counter[Any], threshold: float) -> bool:
    """Tell whether one of the indexed texts is near."""
    known = (other for part in rarest(parts, counts, threshold) for other in index.get(part, ()))
    return any(len(parts & other) >= threshold * len(parts | other) - 1e-9 for other in known)
