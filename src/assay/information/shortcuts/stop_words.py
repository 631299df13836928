"""Stop words per token."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.information.item_texts import ItemTexts
from assay.information.shortcuts.registry import SHORTCUTS
from assay.text.languages import LanguageGuess, identify_language


@SHORTCUTS.add("stop-words")
def measure_stop_words(items: ItemTexts, words: frozenset[str] | None = None) -> Array:
    """Return stop words / tokens (words and punctuation marks) of each item, its sides taken together.

    The words are in the language of the items. Negations are not in the English list, since they carry meaning.

    >>> pair = ["You have access to the facts."], ["The facts are accessible to you."]
    >>> measure_stop_words(ItemTexts(pair)).round(4).tolist()
    [[0.5714]]
    """
    stop_words = words if words is not None else find_language(items).function_words
    counts = np.zeros(len(items))
    for corpus in items.corpora:
        is_stop = np.fromiter((word in stop_words for word in corpus.vocabulary), np.float64, len(corpus.vocabulary))
        counts = counts + corpus.counts() @ is_stop
    return np.asarray(counts / np.maximum(items.count_tokens(), 1), dtype=np.float64)[:, None]


def find_language(items: ItemTexts) -> LanguageGuess:
    """Return the language of the items, by their first side."""
    return identify_language(items.corpora[0])


def read_stop_words(path: str | Path) -> frozenset[str]:
    """Read a list for another language: one word per line, lower-cased."""
    try:
        return frozenset(Path(path).read_text(encoding="utf-8").lower().split())
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"the list of stop words cannot be read: {error}", place=path) from error
