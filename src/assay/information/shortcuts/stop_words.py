"""Stop words per token."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.text import Corpus, punctuation_counts


def stop_words(*sides: Any, words: frozenset[str] | None = None) -> NDArray[np.float64]:
    """Return stop words / tokens (words and punctuation marks) of each item, its sides together (paper 003).

    Negations are not in the list: they carry meaning.

    >>> stop_words(["You have access to the facts."], ["The facts are accessible to you."]).round(4).tolist()
    [[0.5714]]
    """
    known = words if words is not None else english_stop_words()
    found, tokens = np.zeros(len(sides[0])), np.zeros(len(sides[0]))
    for side in sides:
        corpus = Corpus.from_texts(side)
        hits = np.fromiter((word in known for word in corpus.vocabulary), np.float64, len(corpus.vocabulary))
        found = found + corpus.counts() @ hits
        tokens = tokens + corpus.lengths + punctuation_counts(side)
    return np.asarray(found / np.maximum(tokens, 1), dtype=np.float64)[:, None]


@cache
def english_stop_words() -> frozenset[str]:
    """Read the English list that ships with the package."""
    text = resources.files("assay.information").joinpath("stop_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def read_stop_words(path: str | Path) -> frozenset[str]:
    """Read a list for another language: one word a line, lower-cased."""
    try:
        return frozenset(Path(path).read_text(encoding="utf-8").lower().split())
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"{path}: the stop-word list cannot be read: {error}.") from error
