"""Length in words."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.information.item_texts import ItemTexts
from assay.information.shortcuts.registry import SHORTCUTS


@SHORTCUTS.add("length")
def measure_length(items: ItemTexts) -> Array:
    """Return the logarithm of one plus the number of words, one column per side.

    >>> measure_length(ItemTexts([["one two three"]])).round(3).tolist()
    [[1.386]]
    """
    return np.column_stack([np.log1p(corpus.lengths) for corpus in items.corpora])
