"""Words that the two sides of a pair share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import UsageError
from assay.text import Corpus


def overlap(*sides: Any) -> NDArray[np.float64]:
    """Return, for each side, the share of its words that the other side has too (paper 003); 0 for an empty side.

    >>> overlap(["what is it"], ["it is what it is"]).tolist()
    [[1.0, 1.0]]
    """
    if len(sides) != 2:
        raise UsageError("The shortcut 'overlap' compares the two sides of a pair; these are single texts.")
    first, second = Corpus.from_sides(*sides)
    return np.column_stack([shared_share(first, second), shared_share(second, first)])


def shared_share(corpus: Corpus, other: Corpus) -> NDArray[np.float64]:
    """Return the share of the words of each text that its counterpart holds."""
    counts = corpus.counts()
    held = other.counts()
    held.data = np.ones_like(held.data)
    shared = np.asarray(counts.multiply(held).sum(axis=1)).ravel()
    return np.asarray(shared / np.maximum(corpus.lengths, 1), dtype=np.float64)
