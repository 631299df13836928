"""TF-IDF vectors, reduced: needs nothing but the texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.base.errors import UsageError
from assay.text.corpus import Corpus
from assay.text.encoders.base import Encoder
from assay.text.encoders.counts import counts_of
from assay.text.encoders.projection import signs_fixed
from assay.text.tokenizers import Tokenizer

_BLOCK = 65_536  # rows multiplied at a time: bounds the memory beside the result
_OVERSAMPLING = 14
_ITERATIONS = 7


@dataclass(frozen=True, kw_only=True, eq=False)
class TfidfEncoder(Encoder):
    """Weighted word counts reduced to a few dense dimensions (TF-IDF + truncated SVD).

    Weights are (1 + ln count) × (1 + ln((1 + n) / (1 + texts with the word))), rows of length 1 before the reduction.
    Always `n_components` columns: those the texts do not fill are 0, as is the row of a text without known words.

    >>> TfidfEncoder(n_components=2).fit_transform(["a b", "a c", ""]).shape
    (3, 2)
    """

    n_components: int = 50
    tokenizer: str | Tokenizer = "words"
    max_words: int = 100_000

    def _learn(self, texts: Any) -> NDArray[np.float32]:
        if self.n_components < 1:
            raise UsageError(f"n_components must be at least 1, not {self.n_components}.")
        corpus = Corpus.from_texts(texts, self.tokenizer)
        frequencies = corpus.document_frequencies()
        chosen = _commonest(corpus.vocabulary, frequencies, self.max_words)
        rarity = 1 + np.log((1 + len(corpus)) / (1 + frequencies[chosen]))
        self._learned.update(vocabulary=[corpus.vocabulary[word] for word in chosen], rarity=rarity)
        weighted = self._weighted(corpus)
        directions = main_directions(_ordered(weighted), self.n_components, self.random_state)
        self._learned["directions"] = directions
        return _projected(weighted, directions, self.n_components)

    def _encode(self, texts: Any) -> NDArray[np.float32]:
        weighted = self._weighted(Corpus.from_texts(texts, self.tokenizer))
        return _projected(weighted, self._learned["directions"], self.n_components)

    def _weighted(self, corpus: Corpus) -> sparse.csr_array:
        counts = counts_of(corpus, self._learned["vocabulary"])
        weights = (1 + np.log(counts.data)) * self._learned["rarity"][counts.indices]
        weighted = sparse.csr_array((weights, counts.indices, counts.indptr), shape=counts.shape)
        lengths = np.sqrt(weighted.multiply(weighted).sum(axis=1))
        weighted.data /= np.repeat(lengths, np.diff(weighted.indptr))
        return weighted


def _commonest(vocabulary: list[str], frequencies: NDArray[np.int64], n_words: int) -> list[int]:
    """Choose the words in the most texts (ties by alphabet), in alphabetical order, whatever the order of the rows."""
    alphabetical = sorted(range(len(vocabulary)), key=vocabulary.__getitem__)
    if len(alphabetical) <= n_words:
        return alphabetical
    kept = np.sort(np.argsort(-frequencies[alphabetical], kind="stable")[:n_words])
    return [alphabetical[place] for place in kept]


def _ordered(matrix: sparse.csr_array) -> sparse.csr_array:
    """Sort rows by a number each has of its own: directions of equal weight are told apart by rounding alone."""
    return matrix[np.argsort(matrix @ np.random.default_rng(0).standard_normal(matrix.shape[1]), kind="stable")]


def main_directions(matrix: sparse.csr_array, n_components: int, random_state: int) -> NDArray[np.float64]:
    """Return the first right singular vectors as columns, by seeded subspace iteration on the side of the columns."""
    n_kept = min(n_components, *matrix.shape)
    size = min(n_kept + _OVERSAMPLING, matrix.shape[1])
    basis = np.random.default_rng(random_state).standard_normal((matrix.shape[1], size))
    for _ in range(_ITERATIONS if size else 0):
        basis, _ = np.linalg.qr(_times_its_transpose(matrix, basis))
    products = basis.T @ _times_its_transpose(matrix, basis)
    _, rotation = np.linalg.eigh((products + products.T) / 2)
    return signs_fixed(basis @ rotation[:, ::-1][:, :n_kept])


def _times_its_transpose(matrix: sparse.csr_array, basis: NDArray[np.float64]) -> NDArray[np.float64]:
    product = np.zeros(basis.shape)
    for start in range(0, matrix.shape[0], _BLOCK):
        rows = matrix[start : start + _BLOCK]
        product += rows.T @ (rows @ basis)
    return product


def _projected(matrix: sparse.csr_array, directions: NDArray[np.float64], n_components: int) -> NDArray[np.float32]:
    vectors = np.zeros((matrix.shape[0], n_components), np.float32)
    for start in range(0, matrix.shape[0], _BLOCK):
        vectors[start : start + _BLOCK, : directions.shape[1]] = matrix[start : start + _BLOCK] @ directions
    return vectors
