"""Classifiers that read words: a vocabulary learnt from the training texts, and word vectors to start from."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.base.parameters import Options
from assay.models.inputs import Sides
from assay.models.neural.base import NeuralClassifier
from assay.models.neural.training.batches import Ragged
from assay.models.neural.word_vectors import find_vectors

if TYPE_CHECKING:
    import torch

_TOKEN = re.compile(r"\w+|[^\w\s]")
UNKNOWN = 1  # the number of unknown words; 0 is padding


def split_words(text: str) -> list[str]:
    """Return lower-cased words and single punctuation marks.

    >>> split_words("Don't stop!")
    ['don', "'", 't', 'stop', '!']
    """
    return _TOKEN.findall(text.lower())


@dataclass(frozen=True)
class WordItems:
    """Texts, or both sides of pairs, as word numbers."""

    sides: tuple[Ragged, ...]

    @property
    def lengths(self) -> Array:
        """Return the number of words of each item, both sides together."""
        return np.asarray(sum(side.lengths for side in self.sides))

    def batch(self, rows: Array) -> tuple[torch.Tensor, ...]:
        """Return a padded matrix of word numbers for each side."""
        import torch

        return tuple(torch.from_numpy(side.pad(rows)[0]) for side in self.sides)


@dataclass(eq=False, repr=False)
class WordClassifier(NeuralClassifier):
    """The base of CNN and LSTMs.

    `vectors` starts the embeddings: None (random), a file of word2vec or GloVe vectors (text or binary), an `.npz` with
    `words` and `vectors`, or the name of a package that `assay.text` knows (`wordllama`). Words of the file that are
    not in training keep their vectors, so that they mean something at test time. `max_words` cuts longer texts.
    """

    vectors: str | None = None
    vector_size: int = 300
    min_count: int = 1
    max_words: int = 512
    dropout: float = 0.5

    vector_size_ = 0

    def _prepare(self, sides: Sides) -> None:
        counts = Counter(word for side in sides for text in side for word in split_words(text))
        frequent = [word for word, count in counts.items() if count >= self.min_count]
        trained = sorted(frequent, key=lambda word: (-counts[word], word))
        words, matrix = find_vectors(self.vectors, trained, self.vector_size, self.random_state)
        self.vocabulary_ = {word: number for number, word in enumerate(words, start=UNKNOWN + 1)}
        self.n_trained_ = len(trained)
        self._initial_vectors = matrix

    def _items(self, sides: Sides) -> WordItems:
        return WordItems(tuple(Ragged.from_rows([self._number_words(text) for text in side]) for side in sides))

    def _number_words(self, text: str) -> list[int]:
        words = split_words(text)
        if len(words) > self.max_words:
            self.note(f"{type(self).__name__}: texts of more than {self.max_words} words were cut (max_words).")
            words = words[: self.max_words]
        # An empty text still needs a word to read.
        return [self.vocabulary_.get(word, UNKNOWN) for word in words] or [UNKNOWN]

    def _embedding(self) -> tuple[Array, Array]:
        """Return the initial vectors of padding, unknown and training words (trained) and of other words (fixed)."""
        matrix = self.__dict__.pop("_initial_vectors", None)
        if matrix is None:  # being loaded: the weights on disk replace it
            matrix = np.zeros((len(self.vocabulary_), self.vector_size_), dtype=np.float32)
        self.vector_size_ = int(matrix.shape[1])
        first = np.zeros((UNKNOWN + 1, self.vector_size_), dtype=np.float32)
        return np.vstack([first, matrix[: self.n_trained_]]), np.ascontiguousarray(matrix[self.n_trained_ :])

    def _state(self) -> tuple[Options, dict[str, Array]]:
        values = {"vocabulary": list(self.vocabulary_), "n_trained": self.n_trained_, "vector_size": self.vector_size_}
        return values, {}

    def _restore(self, values: Options, arrays: dict[str, Array], folder: Path) -> None:  # noqa: ARG002
        self.vocabulary_ = {word: number for number, word in enumerate(values["vocabulary"], start=UNKNOWN + 1)}
        self.n_trained_, self.vector_size_ = values["n_trained"], values["vector_size"]
        self._load_weights(folder)
