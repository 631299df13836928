"""Punctuation marks per token."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.text import Corpus, punctuation_counts


def punctuation(*sides: Any) -> NDArray[np.float64]:
    """Return punctuation marks / tokens (words and marks) of each item, its sides taken together (paper 003).

    >>> punctuation(["You have access to the facts."], ["The facts are accessible to you."]).round(4).tolist()
    [[0.1429]]
    """
    marks = sum(punctuation_counts(side) for side in sides)
    words = sum(Corpus.from_texts(side).lengths for side in sides)
    return np.asarray(marks / np.maximum(marks + words, 1), dtype=np.float64)[:, None]
