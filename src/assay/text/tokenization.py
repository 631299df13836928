"""Number the words of a column of texts: blocks are scanned separately and their words merged in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assay.base.arrays import Array
from assay.text.characters import CONTEXTUAL
from assay.text.columns import TextBlock, Texts, cut_texts, to_block, to_strings
from assay.text.threads import map_in_threads

if TYPE_CHECKING:
    from assay.text.scanner.word_table import WordTable

NumberedWords = tuple[NDArray[np.int64], NDArray[np.int32], list[str]]  # offsets, ids, vocabulary


@dataclass
class TokenizationCount:
    """How often columns of texts were tokenized in this process; tests read it."""

    calls: int = 0
    texts: int = 0

    def add(self, n_texts: int) -> None:
        """Count one more column of texts."""
        self.calls += 1
        self.texts += n_texts


TOKENIZATIONS = TokenizationCount()


def tokenize_column(texts: Texts, letters: NDArray[np.uint32]) -> NumberedWords:
    """Return offsets, ids and vocabulary of a column of texts, and count the tokenization."""
    offsets, ids, vocabulary = scan_words(texts, letters)
    TOKENIZATIONS.add(len(offsets) - 1)
    return offsets, ids, vocabulary


def scan_words(texts: Texts, letters: NDArray[np.uint32]) -> NumberedWords:
    """Return offsets, ids and vocabulary of the runs of letters; words are numbered by first occurrence.

    `letters` maps a code point to the letter it counts as, 0 for what separates words (see `assay.text.characters`).
    """
    return _merge_blocks(map_in_threads(partial(_scan_block, letters=letters), cut_texts(texts)))


def call_tokenizer(texts: pa.ChunkedArray, tokenizer: Any) -> NumberedWords:
    """Return offsets, ids and vocabulary from a function of a text, called once per distinct text."""
    TOKENIZATIONS.add(len(texts))
    distinct = pa.chunked_array([texts.combine_chunks()]).dictionary_encode().combine_chunks()
    distinct = distinct.chunk(0) if isinstance(distinct, pa.ChunkedArray) else distinct
    numbers: dict[str, int] = {}
    parts = [
        np.array([numbers.setdefault(word, len(numbers)) for word in tokenizer(text)], np.int32)
        for text in distinct.dictionary.to_pylist()
    ]
    rows = distinct.indices.to_numpy()
    offsets = np.concatenate([[0], np.cumsum([len(parts[row]) for row in rows], dtype=np.int64)])
    ids = np.concatenate([np.zeros(0, np.int32), *(parts[row] for row in rows)])
    return offsets, ids, list(numbers)


# The words of a block of texts: their numbers, where each text ends, the table of words, and their count.
ScannedBlock: TypeAlias = "tuple[NDArray[np.int32], NDArray[np.int64], WordTable, int]"


def _scan_block(block: TextBlock, letters: NDArray[np.uint32]) -> ScannedBlock:
    from assay.text.scanner.word_table import make_table
    from assay.text.scanner.words import scan_texts

    block = _lower_contextual(block) if letters[ord("A")] == ord("a") else block
    n_bytes = int(block.bounds[-1] - block.bounds[0])
    n_words = n_bytes // 2 + len(block.bounds)
    # Lower-casing lengthens some characters from two bytes to three; each word then pads its last cell.
    return scan_texts(*block, letters, make_table(n_words, n_bytes // 4 + n_words))


def _merge_blocks(scanned_blocks: Iterable[ScannedBlock]) -> NumberedWords:
    from assay.text.scanner.word_table import make_table, merge_tables, spell_words

    table, n_words = make_table(1 << 12, 1 << 12), 0
    ids, lengths = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)]
    for block_ids, ends, words, n_more in scanned_blocks:
        table = _grow_table(table, n_words, n_more, words.starts[n_more])
        n_words, numbers = merge_tables(table, n_words, words, n_more)
        ids.append(numbers[block_ids])
        lengths.append(np.diff(ends))
    vocabulary = to_strings(*spell_words(table, n_words)).to_pylist()
    return np.cumsum(np.concatenate(lengths)), np.concatenate(ids), vocabulary


def _grow_table(table: WordTable, n_words: int, more_words: int, more_cells: int) -> WordTable:
    from assay.text.scanner.word_table import grow_slots

    n_cells = table.starts[n_words]
    grown = table._replace(
        cells=_grow_array(table.cells, n_cells, n_cells + more_cells),
        starts=_grow_array(table.starts, n_words + 1, n_words + more_words + 1),
        lengths=_grow_array(table.lengths, n_words, n_words + more_words),
    )
    return grow_slots(grown, n_words + more_words)


def _grow_array(array: Array, used: int, needed: int) -> Array:
    if needed <= len(array):
        return array
    larger = np.empty(2 * needed, array.dtype)
    larger[:used] = array[:used]
    return larger


def _lower_contextual(block: TextBlock) -> TextBlock:
    """Lower-case texts in Python if a letter's lower case depends on its context; scanning does not change them."""
    from assay.text.scanner.words import find_pairs

    if block.data[block.bounds[0] : block.bounds[-1]].max(initial=0) < 0x80:
        return block
    is_contextual = find_pairs(*block, np.array([list(letter.encode()) for letter in CONTEXTUAL], np.uint8))
    if not is_contextual.any():
        return block
    texts, mask = to_strings(*block), pa.array(is_contextual)
    lowered = pa.array([text.lower() for text in texts.filter(mask).to_pylist()], pa.large_string())
    return to_block(pc.replace_with_mask(texts, mask, lowered))
