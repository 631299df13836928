"""Punctuation marks per token."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.information.item_texts import ItemTexts
from assay.information.shortcuts.registry import SHORTCUTS


@SHORTCUTS.add("punctuation")
def measure_punctuation(items: ItemTexts) -> Array:
    """Return punctuation marks / tokens (words and marks) of each item, its sides taken together.

    >>> pair = ["You have access to the facts."], ["The facts are accessible to you."]
    >>> measure_punctuation(ItemTexts(pair)).round(4).tolist()
    [[0.1429]]
    """
    marks = np.asarray(sum(items.punctuation))
    return np.asarray(marks / np.maximum(items.count_tokens(), 1), dtype=np.float64)[:, None]
