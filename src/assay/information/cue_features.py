"""Cheap features of texts: words and word pairs of each side, and a few numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.text import Corpus


@dataclass(frozen=True)
class CueTable:
    """Which items (rows) hold which words (columns), for one kind of feature."""

    kind: str
    words: list[str]
    matrix: sparse.csr_array


def cue_tables(sides: Sequence[Any], least: int) -> Iterator[CueTable]:
    """Yield words and word pairs of each side and, for pairs, words that only one side has; rare ones are left out."""
    corpora = Corpus.from_sides(*sides) if len(sides) == 2 else (Corpus.from_texts(sides[0]),)
    names = ("a", "b") if len(sides) == 2 else ("text",)
    present = [held(corpus) for corpus in corpora]
    for name, corpus, matrix in zip(names, corpora, present, strict=True):
        yield frequent(f"word in {name}", corpus.vocabulary, matrix, least)
        yield frequent(f"word pair in {name}", *word_pairs(corpus, least), least)
    if len(sides) == 2:
        both = present[0].multiply(present[1]).tocsr()
        for name, other, matrix in (("a", "b", present[0]), ("b", "a", present[1])):
            yield frequent(f"word in {name} but not in {other}", corpora[0].vocabulary, matrix - both, least)


def held(corpus: Corpus) -> sparse.csr_array:
    """Return the matrix of which text holds which word, as ones."""
    matrix = sparse.csr_array(corpus.counts(), dtype=np.float64)
    matrix.data[:] = 1.0
    return matrix


def frequent(kind: str, words: Sequence[str], matrix: Any, least: int) -> CueTable:
    """Keep the features that enough items, but not all, have."""
    totals = np.asarray(matrix.sum(axis=0)).ravel()
    kept = np.flatnonzero((totals >= least) & (totals < matrix.shape[0]))
    return CueTable(kind, [words[column] for column in kept.tolist()], sparse.csr_array(matrix[:, kept]))


def word_pairs(corpus: Corpus, least: int) -> tuple[list[str], sparse.csr_array]:
    """Return neighbouring word pairs that occur often enough, and which text holds which."""
    ids, offsets = corpus.ids.astype(np.int64), corpus.offsets
    rows = np.repeat(np.arange(len(corpus)), np.diff(offsets))
    inside = rows[1:] == rows[:-1] if len(ids) else np.zeros(0, bool)
    keys = (ids[:-1] * len(corpus.vocabulary) + ids[1:])[inside]
    unique, codes, counts = np.unique(keys, return_inverse=True, return_counts=True)
    kept = np.flatnonzero(counts >= least)
    place = np.full(len(unique), -1)
    place[kept] = np.arange(len(kept))
    columns, text_rows = place[codes], rows[1:][inside]
    used = columns >= 0
    matrix = sparse.csr_array((np.ones(used.sum()), (text_rows[used], columns[used])), shape=(len(corpus), len(kept)))
    matrix.sum_duplicates()
    matrix.data[:] = 1.0
    n, vocabulary = len(corpus.vocabulary), corpus.vocabulary
    return [f"{vocabulary[key // n]} {vocabulary[key % n]}" for key in unique[kept].tolist()], matrix


def numeric_features(sides: Sequence[Any]) -> dict[str, NDArray[np.float64]]:
    """Return length, punctuation and, for pairs, difference of length and overlap, one number an item."""
    from assay.information.shortcuts import SHORTCUTS

    found = {"punctuation": SHORTCUTS["punctuation"](*sides)[:, 0]}
    lengths = SHORTCUTS["length"](*sides)
    if len(sides) == 1:
        return {"length": lengths[:, 0], **found}
    shared = SHORTCUTS["overlap"](*sides)
    found |= {f"length of {name}": lengths[:, column] for column, name in enumerate("ab")}
    found |= {f"overlap of {name}": shared[:, column] for column, name in enumerate("ab")}
    return {**found, "difference of length": lengths[:, 0] - lengths[:, 1]}
