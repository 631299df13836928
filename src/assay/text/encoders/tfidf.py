"""TF-IDF vectors reduced to a few dimensions; nothing but the texts is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.base.errors import UsageError
from assay.text.corpus import Corpus
from assay.text.encoders.base import ENCODERS, Encoder
from assay.text.encoders.counts import count_vocabulary
from assay.text.encoders.projection import fix_signs
from assay.text.tokenizers import Tokenizer

_BLOCK_ROWS = 65_536  # multiplied at a time: bounds the memory next to the result
_OVERSAMPLING = 14
_N_ITERATIONS = 7
_MIN_RATIO = 1e-6  # of the smallest to the largest pivot in Cholesky-QR, which squares the condition


@ENCODERS.add("tfidf")
@dataclass(kw_only=True, eq=False)
class TfidfEncoder(Encoder):
    """Weighted word counts reduced to a few dense dimensions (TF-IDF + truncated SVD).

    Weights are (1 + ln count) × (1 + ln((1 + n) / (1 + texts with the word))), rows of length 1 before the reduction.
    There are always `n_components` columns; unused ones are 0, as is the row of a text without known words.

    >>> TfidfEncoder(n_components=2).fit_transform(["a b", "a c", ""]).shape
    (3, 2)
    """

    n_components: int = 50
    tokenizer: str | Tokenizer = "words"
    max_words: int = 100_000

    def _learn(self, texts: object) -> NDArray[np.float32]:
        if self.n_components < 1:
            raise UsageError(f"must be at least 1, not {self.n_components}.", option="n_components")
        corpus = Corpus.from_texts(texts, self.tokenizer)
        frequencies = corpus.document_frequencies()
        chosen = _choose_frequent(corpus.vocabulary, frequencies, self.max_words)
        rarity = 1 + np.log((1 + len(corpus)) / (1 + frequencies[chosen]))
        self._learned.update(vocabulary=[corpus.vocabulary[word] for word in chosen], rarity=rarity)
        weighted = self._weigh(corpus)
        directions = main_directions(_sort_rows(weighted), self.n_components, self.random_state)
        self._learned["directions"] = directions
        return _project(weighted, directions, self.n_components)

    def _encode(self, texts: object) -> NDArray[np.float32]:
        weighted = self._weigh(Corpus.from_texts(texts, self.tokenizer))
        return _project(weighted, self._learned["directions"], self.n_components)

    def _weigh(self, corpus: Corpus) -> sparse.csr_array:
        counts = count_vocabulary(corpus, self._learned["vocabulary"])
        weights = (1 + np.log(counts.data)) * self._learned["rarity"][counts.indices]
        weighted = sparse.csr_array((weights, counts.indices, counts.indptr), shape=counts.shape)
        lengths = np.sqrt(weighted.multiply(weighted).sum(axis=1))
        weighted.data /= np.repeat(lengths, np.diff(weighted.indptr))
        return weighted


def _choose_frequent(vocabulary: list[str], frequencies: NDArray[np.int64], n_words: int) -> list[int]:
    """Choose the words of the most texts (ties by alphabet), in alphabetical order, whatever the order of the rows."""
    alphabetical = sorted(np.flatnonzero(frequencies).tolist(), key=vocabulary.__getitem__)
    if len(alphabetical) <= n_words:
        return alphabetical
    kept = np.sort(np.argsort(-frequencies[alphabetical], kind="stable")[:n_words])
    return [alphabetical[place] for place in kept]


def _sort_rows(matrix: sparse.csr_array) -> sparse.csr_array:
    """Sort rows by a random projection: directions of equal weight depend on rounding, hence on the order of rows."""
    return matrix[np.argsort(matrix @ np.random.default_rng(0).standard_normal(matrix.shape[1]), kind="stable")]


def main_directions(matrix: sparse.csr_array, n_components: int, random_state: int) -> NDArray[np.float64]:
    """Return the first right singular vectors as columns, by seeded subspace iteration."""
    n_kept = min(n_components, *matrix.shape)
    size = min(n_kept + _OVERSAMPLING, matrix.shape[1])
    basis = np.random.default_rng(random_state).standard_normal((matrix.shape[1], size))
    for number in range(_N_ITERATIONS if size else 0):
        basis = _multiply_gram(matrix, basis)
        # Between iterations only the space counts; the last basis is orthonormal to the last digit.
        basis = orthonormalise(basis) if number < _N_ITERATIONS - 1 else np.linalg.qr(basis)[0]
    products = basis.T @ _multiply_gram(matrix, basis)
    _, rotation = np.linalg.eigh((products + products.T) / 2)
    return fix_signs(basis @ rotation[:, ::-1][:, :n_kept])


def orthonormalise(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an orthonormal basis of the same space by Cholesky-QR, or by QR if columns are nearly dependent.

    >>> basis = orthonormalise(np.array([[2.0, 1.0], [0.0, 3.0], [0.0, 4.0]]))
    >>> np.round(basis.T @ basis, 12).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    from scipy.linalg import solve_triangular

    products = columns.T @ columns
    try:
        factor = np.linalg.cholesky(products)
    except np.linalg.LinAlgError:
        return np.linalg.qr(columns)[0]
    sizes = factor.diagonal()
    if not sizes.min() > _MIN_RATIO * sizes.max():
        return np.linalg.qr(columns)[0]
    return np.asarray(solve_triangular(factor, columns.T, lower=True, check_finite=False).T)


def _multiply_gram(matrix: sparse.csr_array, basis: NDArray[np.float64]) -> NDArray[np.float64]:
    product = np.zeros(basis.shape)
    for start in range(0, matrix.shape[0], _BLOCK_ROWS):
        rows = matrix[start : start + _BLOCK_ROWS]
        product += rows.T @ (rows @ basis)
    return product


def _project(matrix: sparse.csr_array, directions: NDArray[np.float64], n_components: int) -> NDArray[np.float32]:
    vectors = np.zeros((matrix.shape[0], n_components), np.float32)
    for start in range(0, matrix.shape[0], _BLOCK_ROWS):
        vectors[start : start + _BLOCK_ROWS, : directions.shape[1]] = matrix[start : start + _BLOCK_ROWS] @ directions
    return vectors
