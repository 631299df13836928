"""Words that the two sides of a pair share."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.information.item_texts import ItemTexts
from assay.information.shortcuts.registry import SHORTCUTS
from assay.text import Corpus


@SHORTCUTS.add("overlap")
def measure_overlap(items: ItemTexts) -> Array:
    """Return, for each side, the share of its words that are also on the other side; 0 for an empty side.

    >>> measure_overlap(ItemTexts([["what is it"], ["it is what it is"]])).tolist()
    [[1.0, 1.0]]
    """
    if items.n_sides != 2:
        raise UsageError("The shortcut 'overlap' compares the two sides of a pair; these are single texts.")
    first, second = items.corpora
    return np.column_stack([_shared_share(first, second), _shared_share(second, first)])


def _shared_share(corpus: Corpus, other: Corpus) -> Array:
    counts = corpus.counts()
    present = other.counts()
    present.data = np.ones_like(present.data)
    shared = np.asarray(counts.multiply(present).sum(axis=1)).ravel()
    return np.asarray(shared / np.maximum(corpus.lengths, 1), dtype=np.float64)
