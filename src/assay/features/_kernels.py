"""Compiled loops over a corpus."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop


@compile_loop
def distinct_words(offsets: Array, ids: Array, n_words: int) -> Any:
    """Count the distinct words of every text."""
    last_seen = np.full(n_words, -1, np.int64)
    counts = np.zeros(offsets.size - 1, np.int64)
    for text in range(offsets.size - 1):
        for position in range(offsets[text], offsets[text + 1]):
            word = ids[position]
            if last_seen[word] != text:
                last_seen[word] = text
                counts[text] += 1
    return counts


@compile_loop
def sum_word_values(offsets: Array, ids: Array, values: Array) -> Any:
    """Add up, for every text, a value that each word has."""
    total = np.zeros(offsets.size - 1, values.dtype)
    for text in range(offsets.size - 1):
        for position in range(offsets[text], offsets[text + 1]):
            total[text] += values[ids[position]]
    return total


@compile_loop
def _distinct_per_label(offsets: Array, ids: Array, order: Array, bounds: Array, n_words: int) -> Any:
    starts = np.zeros(bounds.size, np.int64)
    last_seen = np.full(n_words, -1, np.int32)
    for label in range(bounds.size - 1):
        starts[label + 1] = starts[label]
        for row in range(bounds[label], bounds[label + 1]):
            for position in range(offsets[order[row]], offsets[order[row] + 1]):
                if last_seen[ids[position]] != label:
                    last_seen[ids[position]] = label
                    starts[label + 1] += 1
    return starts


@compile_loop
def count_by_label(offsets: Array, ids: Array, order: Array, bounds: Array, n_words: int) -> Any:
    """Count tokens and texts of every observed (label, word) pair; rows order[bounds[c]:bounds[c + 1]] have label c."""
    starts = _distinct_per_label(offsets, ids, order, bounds, n_words)
    words = np.empty(starts[-1], np.int32)
    tokens = np.zeros(starts[-1], np.int64)
    texts = np.zeros(starts[-1], np.int64)
    pair = np.full(n_words, -1, np.int64)  # row of the word's pair with the current label
    last_text = np.full(n_words, -1, np.int64)
    for label in range(bounds.size - 1):
        free = starts[label]
        for row in range(bounds[label], bounds[label + 1]):
            text = order[row]
            for position in range(offsets[text], offsets[text + 1]):
                word = ids[position]
                if pair[word] < starts[label]:
                    pair[word] = free
                    words[free] = word
                    free += 1
                tokens[pair[word]] += 1
                if last_text[word] != text:
                    last_text[word] = text
                    texts[pair[word]] += 1
    return starts, words, tokens, texts
