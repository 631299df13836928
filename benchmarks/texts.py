"""Made texts whose words follow Zipf's law, as real ones do."""

from __future__ import annotations

import numpy as np


def made_texts(n: int, n_words: int = 20, n_types: int = 50_000, seed: int = 0) -> list[str]:
    """Return n English-looking texts of about n_words words."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfw"))
    function = "the of and to in is that it for was on are as with his they at be this have from or one had by".split()
    rare = ["".join(rng.choice(letters, rng.integers(3, 10))) for _ in range(n_types)]
    types = np.array(function + rare)
    weights = 1 / np.arange(2, len(types) + 2)
    lengths = np.maximum(3, rng.poisson(n_words, n))
    words = rng.choice(types, lengths.sum(), p=weights / weights.sum())
    texts, start = [], 0
    for length in lengths.tolist():
        texts.append(" ".join(words[start : start + length]).capitalize() + ".")
        start += length
    return texts
