"""Number the words of a column of texts: blocks are scanned apart and their words merged in order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assay.text.characters import CONTEXTUAL, word_table
from assay.text.columns import Block, block_of, blocks, strings
from assay.text.threads import in_threads

Numbered = tuple[NDArray[np.int64], NDArray[np.int32], list[str]]


def scan_words(texts: pa.ChunkedArray, lower: bool = True) -> Numbered:
    """Return offsets, ids and vocabulary; words are numbered in the order they first come, whatever the threads."""
    return _merged(in_threads(partial(_scanned, lower=lower), blocks(texts)))


def _scanned(block: Block, lower: bool) -> Any:
    from assay.text.scanner import scan
    from assay.text.word_table import empty_table

    block = _context_lowered(block) if lower else block
    n_bytes = int(block.bounds[-1] - block.bounds[0])
    n_words = n_bytes // 2 + len(block.bounds)
    # Lower-casing lengthens some characters from two bytes to three; each word then fills up its last cell.
    return scan(*block, word_table(lower), empty_table(n_words, n_bytes // 4 + n_words))


def _merged(scanned: Iterable[Any]) -> Numbered:
    from assay.text.word_table import empty_table, merge, spelled

    table, n_words = empty_table(1 << 12, 1 << 12), 0
    ids, lengths = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)]
    for block_ids, ends, words, n_more in scanned:
        table = _with_room(table, n_words, n_more, words.starts[n_more])
        n_words, numbers = merge(table, n_words, words, n_more)
        ids.append(numbers[block_ids])
        lengths.append(np.diff(ends))
    return np.cumsum(np.concatenate(lengths)), np.concatenate(ids), strings(*spelled(table, n_words)).to_pylist()


def _with_room(table: Any, n_words: int, more_words: int, more_cells: int) -> Any:
    from assay.text.word_table import with_slots

    n_cells = table.starts[n_words]
    roomy = table._replace(
        cells=_enlarged(table.cells, n_cells, n_cells + more_cells),
        starts=_enlarged(table.starts, n_words + 1, n_words + more_words + 1),
        lengths=_enlarged(table.lengths, n_words, n_words + more_words),
    )
    return with_slots(roomy, n_words + more_words)


def _enlarged(array: NDArray[Any], used: int, needed: int) -> NDArray[Any]:
    if needed <= len(array):
        return array
    larger = np.empty(2 * needed, array.dtype)
    larger[:used] = array[:used]
    return larger


def _context_lowered(block: Block) -> Block:
    """Lower texts with a letter whose lower case depends on its context in Python; scanning leaves them as they are."""
    from assay.text.scanner import texts_with

    if block.data[block.bounds[0] : block.bounds[-1]].max(initial=0) < 0x80:
        return block
    found = texts_with(*block, np.array([list(letter.encode()) for letter in CONTEXTUAL], np.uint8))
    if not found.any():
        return block
    texts, mask = strings(*block), pa.array(found)
    lowered = pa.array([text.lower() for text in texts.filter(mask).to_pylist()], pa.large_string())
    return block_of(pc.replace_with_mask(texts, mask, lowered))
