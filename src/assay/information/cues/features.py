"""Cheap features of texts: words and word pairs of each side, and a few numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from assay.base.arrays import Array
from assay.information.item_texts import ItemTexts, Sides, to_item_texts
from assay.information.shortcuts import SHORTCUTS
from assay.text import Corpus

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class CueTable:
    """Which items (rows) hold which words (columns), for one kind of feature."""

    kind: str
    words: list[str] = field(repr=False)
    matrix: sparse.csr_array = field(repr=False)

    def take(self, rows: Array, min_items: int) -> CueTable:
        """Return the table of some items, with the words that enough of them hold."""
        return _keep_frequent(self.kind, self.words, self.matrix[rows], min_items)


@dataclass(frozen=True)
class CueFeatures:
    """All features of some items: tables of words, and numbers by name. Words of fewer items are left out."""

    tables: tuple[CueTable, ...]
    numbers: dict[str, Array] = field(repr=False)
    min_items: int

    def take(self, rows: Array) -> CueFeatures:
        """Return the features of some items; what few of these hold is left out again."""
        tables = tuple(table.take(rows, self.min_items) for table in self.tables)
        return CueFeatures(tables, {name: values[rows] for name, values in self.numbers.items()}, self.min_items)


def build_cue_features(sides: ItemTexts | Sides, min_items: int = 10) -> CueFeatures:
    """Return the features of texts or pairs that at least `min_items` items have, and not all."""
    items = to_item_texts(sides)
    return CueFeatures(tuple(_build_tables(items, min_items)), _measure_numbers(items), min_items)


def _build_tables(items: ItemTexts, min_items: int) -> Iterator[CueTable]:
    """Yield words and word pairs of each side and, for pairs, words that are on one side only."""
    names = ("a", "b") if items.n_sides == 2 else ("text",)
    present = [_mark_words(corpus) for corpus in items.corpora]
    for name, corpus, matrix in zip(names, items.corpora, present, strict=True):
        yield _keep_frequent(f"word in {name}", corpus.vocabulary, matrix, min_items)
        yield _keep_frequent(f"word pair in {name}", *_mark_word_pairs(corpus, min_items), min_items)
    if items.n_sides == 2:
        both = present[0].multiply(present[1]).tocsr()
        vocabulary = items.corpora[0].vocabulary
        for name, other, matrix in (("a", "b", present[0]), ("b", "a", present[1])):
            yield _keep_frequent(f"word in {name} but not in {other}", vocabulary, matrix - both, min_items)


def _mark_words(corpus: Corpus) -> sparse.csr_array:
    matrix = sparse.csr_array(corpus.counts(), dtype=np.float64)
    matrix.data[:] = 1.0
    return matrix


def _mark_word_pairs(corpus: Corpus, min_count: int) -> tuple[list[str], sparse.csr_array]:
    """Return neighbouring word pairs that occur often enough, and which text holds which."""
    ids, offsets = corpus.ids.astype(np.int64), corpus.offsets
    rows = np.repeat(np.arange(len(corpus)), np.diff(offsets))
    is_inside = rows[1:] == rows[:-1] if len(ids) else np.zeros(0, bool)
    keys = (ids[:-1] * len(corpus.vocabulary) + ids[1:])[is_inside]
    unique, codes, counts = np.unique(keys, return_inverse=True, return_counts=True)
    frequent = np.flatnonzero(counts >= min_count)
    columns_of = np.full(len(unique), -1)
    columns_of[frequent] = np.arange(len(frequent))
    columns, text_rows = columns_of[codes], rows[1:][is_inside]
    used = columns >= 0
    shape = (len(corpus), len(frequent))
    matrix = sparse.csr_array((np.ones(used.sum()), (text_rows[used], columns[used])), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1.0
    n, vocabulary = len(corpus.vocabulary), corpus.vocabulary
    return [f"{vocabulary[key // n]} {vocabulary[key % n]}" for key in unique[frequent].tolist()], matrix


def _keep_frequent(kind: str, words: Sequence[str], matrix: csr_matrix, min_items: int) -> CueTable:
    """Keep the features that enough items, but not all, have."""
    totals = np.asarray(matrix.sum(axis=0)).ravel()
    kept = np.flatnonzero((totals >= min_items) & (totals < matrix.shape[0]))
    return CueTable(kind, [words[column] for column in kept.tolist()], sparse.csr_array(matrix[:, kept]))


def _measure_numbers(items: ItemTexts) -> dict[str, Array]:
    """Return length, punctuation and, for pairs, difference of length and overlap, one number per item.

    Punctuation is left out if only the words of the texts are known.
    """
    lengths = SHORTCUTS["length"](items)
    marks = {"punctuation": SHORTCUTS["punctuation"](items)[:, 0]} if items.has_texts else {}
    if items.n_sides == 1:
        return {"length": lengths[:, 0], **marks}
    overlap = SHORTCUTS["overlap"](items)
    numbers = {**marks, **{f"length of {name}": lengths[:, column] for column, name in enumerate("ab")}}
    numbers |= {f"overlap of {name}": overlap[:, column] for column, name in enumerate("ab")}
    return {**numbers, "difference of length": lengths[:, 0] - lengths[:, 1]}
