"""Number the words of a column of texts: blocks are scanned apart and their words merged in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assay.text.characters import CONTEXTUAL, word_table
from assay.text.columns import Block, blocks

Numbered = tuple[NDArray[np.int64], NDArray[np.int32], list[str]]


def scan_words(texts: pa.ChunkedArray, lower: bool = True) -> Numbered:
    """Return offsets, ids and vocabulary; words are numbered in the order they first come."""
    letters = word_table(lower)
    scanned = (_scanned(block, letters) for block in blocks(_context_lowered(texts) if lower else texts))
    return _merged(scanned)


def _scanned(block: Block, letters: NDArray[np.uint32]) -> Any:
    from assay.text.scanner import scan
    from assay.text.word_table import empty_table

    n_bytes = int(block.bounds[-1] - block.bounds[0])
    # Lower-casing may lengthen a character's UTF-8, from two bytes to three at worst.
    return scan(*block, letters, empty_table(n_bytes // 2 + len(block.bounds), 2 * n_bytes + 4))


def _merged(scanned: Iterable[Any]) -> Numbered:
    from assay.text.word_table import empty_table, merge

    table, n_words = empty_table(1 << 12, 1 << 16), 0
    ids, lengths = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)]
    for block_ids, ends, spelled, word_ends in scanned:
        table = _with_room(table, n_words, len(word_ends), len(spelled))
        table, n_words, numbers = merge(table, n_words, spelled, word_ends)
        ids.append(numbers[block_ids])
        lengths.append(np.diff(ends))
    words = _strings(table.spelled, table.ends[: n_words + 1])
    return np.cumsum(np.concatenate(lengths)), np.concatenate(ids), words


def _with_room(table: Any, n_words: int, more_words: int, more_bytes: int) -> Any:
    from assay.text.word_table import WordTable

    n_bytes = table.ends[n_words]
    spelled = _enlarged(table.spelled, n_bytes, n_bytes + more_bytes)
    return WordTable(table.slots, spelled, _enlarged(table.ends, n_words + 1, n_words + 1 + more_words))


def _enlarged(array: NDArray[Any], used: int, needed: int) -> NDArray[Any]:
    if needed <= len(array):
        return array
    larger = np.empty(2 * needed, array.dtype)
    larger[:used] = array[:used]
    return larger


def _strings(spelled: NDArray[np.uint8], ends: NDArray[np.int64]) -> list[str]:
    array = pa.LargeStringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(spelled))
    words: list[str] = array.to_pylist()
    return words


def _context_lowered(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Lower texts with a letter whose lower case depends on its context in Python; scanning leaves them as they are."""
    from assay.text.scanner import texts_with

    pairs = np.array([list(letter.encode()) for letter in CONTEXTUAL], np.uint8)
    found = [texts_with(*block, pairs) for block in blocks(texts)]
    if not any(block.any() for block in found):
        return texts
    mask = pa.array(np.concatenate(found))
    lowered = pa.array([text.lower() for text in texts.filter(mask).to_pylist()], pa.large_string())
    return pc.replace_with_mask(texts, mask, lowered)
