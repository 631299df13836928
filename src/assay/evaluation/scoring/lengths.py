"""The length of texts in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.base.arrays import Array
from assay.text import Corpus


def count_words(texts: Sequence[str | None] | Corpus, tokenizer: str = "words") -> Array:
    """Return the number of words of each text.

    >>> count_words(["a good film", ""]).tolist()
    [3, 0]
    """
    corpus = texts if isinstance(texts, Corpus) else Corpus.from_texts(texts, tokenizer=tokenizer)
    return np.asarray(corpus.lengths)
