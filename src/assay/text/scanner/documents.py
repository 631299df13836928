"""Loops over the word numbers of texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Array
from assay.base.loops import compile_loop


@compile_loop
def count_documents(offsets: NDArray[np.int64], ids: NDArray[np.int32], n_words: int) -> NDArray[np.int64]:
    """Count the texts in which each word occurs."""
    counts = np.zeros(n_words, np.int64)
    last_text = np.full(n_words, -1, np.int64)
    for text in range(offsets.size - 1):
        for word in ids[offsets[text] : offsets[text + 1]]:
            counts[word] += last_text[word] != text
            last_text[word] = text
    return counts


@compile_loop
def gather_texts(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], rows: NDArray[np.integer], new_offsets: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Copy the words of some texts one after the other."""
    gathered = np.empty(new_offsets[-1], np.int32)
    for number in range(rows.size):
        row = rows[number]
        gathered[new_offsets[number] : new_offsets[number + 1]] = ids[offsets[row] : offsets[row + 1]]
    return gathered


@compile_loop
def count_by_row(
    offsets: NDArray[np.int64], ids: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32], Array]:
    """Count each word in each text: row ends, words (ascending within a row) and counts, as in a CSR matrix."""
    ends = np.zeros(offsets.size, np.int64)
    words = np.empty(ids.size, np.int32)
    counts = np.empty(ids.size, np.int64)
    filled = 0
    for text in range(offsets.size - 1):
        start = filled
        for word in np.sort(ids[offsets[text] : offsets[text + 1]]):
            if filled > start and words[filled - 1] == word:
                counts[filled - 1] += 1
            else:
                words[filled] = word
                counts[filled] = 1
                filled += 1
        ends[text + 1] = filled
    return ends, words[:filled].copy(), counts[:filled].copy()
