"""TF-IDF features of texts and of pairs, from n-gram counts that several models share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from assay.base.arrays import Array
from assay.models.counted_texts import CountedTexts

if TYPE_CHECKING:
    from assay.models.linear.tfidf_kernels import Weights
    from assay.text.ngram_vocabulary import NgramVocabulary


@dataclass(frozen=True, eq=False)
class Terms:
    """The n-grams of one kind that are features, with their inverse document frequencies.

    `columns` are their columns in the counts of vocabulary `source`, from which they were chosen.
    """

    unit: str
    ngrams: tuple[int, int]
    vocabulary: NgramVocabulary
    idf: Array
    columns: Array
    source: NgramVocabulary

    @classmethod
    def choose(cls, texts: CountedTexts, unit: str, ngrams: tuple[int, int], min_count: int) -> Terms:
        """Choose the n-grams that occur in at least `min_count` of the texts; idf is 1 + ln((1 + n) / (1 + df))."""
        from assay.models.linear.tfidf_kernels import count_documents

        counts = texts.count_ngrams(unit, ngrams)
        rows = np.concatenate(texts.side_rows)
        multiplicity = np.bincount(rows, minlength=counts.matrix.shape[0])
        frequencies = count_documents(counts.matrix.indptr, counts.matrix.indices, multiplicity)
        columns = np.flatnonzero(frequencies >= max(min_count, 1))
        idf = np.log((1 + len(rows)) / (1 + frequencies[columns])) + 1
        return cls(unit, ngrams, counts.vocabulary.take(columns), idf, columns, counts.vocabulary)

    @classmethod
    def restore(cls, unit: str, ngrams: tuple[int, int], strings: list[str], idf: Array) -> Terms:
        """Make the terms of a saved model."""
        from assay.text.ngram_vocabulary import NgramVocabulary

        vocabulary = NgramVocabulary.from_strings(strings, " " if unit == "words" else "")
        return cls(unit, ngrams, vocabulary, idf, np.arange(len(idf)), vocabulary)

    def __len__(self) -> int:
        return len(self.idf)

    def weigh(self, texts: CountedTexts) -> list[Weights]:
        """Return the features of items, as matrices side by side: TF-IDF of a text, or for pairs of both sides.

        A pair has side a, side b, their products (shared n-grams), their absolute differences, and their cosine. Rows
        must ascend.
        """
        from assay.models.linear.tfidf_kernels import Weights, compare_sides

        counts, columns = texts.count_ngrams(self.unit, self.ngrams), self.columns
        if counts.vocabulary is not self.source:
            counts, columns = counts.match(self.vocabulary), np.arange(len(self))
        sides = [self._weigh_rows(counts.matrix, columns, rows) for rows in texts.side_rows]
        if len(sides) == 1:
            return sides
        shared, different, cosines = compare_sides(sides[0], sides[1], len(texts))
        rows = np.arange(len(texts), dtype=np.int32)
        cosine = Weights(np.array([0, len(texts)]), rows, cosines)
        return [*sides, shared, different, cosine]

    def _weigh_rows(self, matrix: sparse.csc_array, columns: Array, rows: Array) -> Weights:
        from assay.models.linear.tfidf_kernels import weigh_columns

        places = np.full(matrix.shape[0], -1, np.int32)
        places[rows] = np.arange(len(rows))
        return weigh_columns(matrix.indptr, matrix.indices, matrix.data, columns, self.idf, places, len(rows))


def weigh_items(terms: list[Terms], texts: CountedTexts) -> sparse.csc_array:
    """Return the features of all terms side by side, one row per item; rows may come in any order and repeat."""
    _, firsts, places = np.unique(texts.rows, return_index=True, return_inverse=True)
    distinct = texts.take(firsts)
    features = _join([part for one in terms for part in one.weigh(distinct)], len(distinct))
    return features if np.array_equal(places, np.arange(len(texts))) else sparse.csc_array(features.tocsr()[places])


def _join(parts: Sequence[Weights], n_rows: int) -> sparse.csc_array:
    """Put matrices side by side."""
    sizes = np.concatenate([np.diff(part.ends) for part in parts])
    values, rows = (
        np.concatenate(arrays) for arrays in zip(*((part.values, part.rows) for part in parts), strict=True)
    )
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return sparse.csc_array((values, rows, ends), shape=(n_rows, len(sizes)))
