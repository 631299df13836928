"""Classifiers that read words: a vocabulary learnt from the training texts, and word vectors to start from."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.models.batches import Ragged
from assay.models.inputs import Sides
from assay.models.neural import NeuralClassifier
from assay.models.vectors import known_vectors

if TYPE_CHECKING:
    import torch

_WORD = re.compile(r"\w+|[^\w\s]")
UNKNOWN = 1  # 0 pads


def words_of(text: str) -> list[str]:
    """Return lower-cased words and single marks.

    >>> words_of("Don't stop!")
    ['don', "'", 't', 'stop', '!']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class WordItems:
    """Texts, or both sides of pairs, as word numbers."""

    sides: tuple[Ragged, ...]

    @property
    def lengths(self) -> np.ndarray:
        """Return the words of an item, both sides together."""
        return np.asarray(sum(side.lengths for side in self.sides))

    def batch(self, rows: np.ndarray) -> tuple[torch.Tensor, ...]:
        """Return a padded matrix of word numbers for each side."""
        import torch

        return tuple(torch.from_numpy(side.padded(rows)[0]) for side in self.sides)


@dataclass(eq=False, repr=False)
class WordClassifier(NeuralClassifier):
    """The base of CNN and LSTMs.

    `vectors` starts the embeddings: None (random), a file of word2vec or GloVe vectors (text or binary), an `.npz` with
    `words` and `vectors`, or the name of a package the text room knows (`wordllama`). Words of the file that training
    lacks are kept as they are, so that they mean something at test time. `max_words` cuts longer texts, and says so.
    """

    vectors: str | None = None
    vector_size: int = 300
    min_count: int = 1
    max_words: int = 512
    dropout: float = 0.5

    vector_size_ = 0

    def _prepare(self, sides: Sides) -> None:
        counts = Counter(word for side in sides for text in side for word in words_of(text))
        kept = [word for word, count in counts.items() if count >= self.min_count]
        seen = sorted(kept, key=lambda word: (-counts[word], word))
        words, matrix = known_vectors(self.vectors, seen, self.vector_size, self.random_state)
        self.vocabulary_ = {word: number for number, word in enumerate(words, start=UNKNOWN + 1)}
        self.n_seen_ = len(seen)
        self._start = matrix

    def _items(self, sides: Sides) -> WordItems:
        return WordItems(tuple(Ragged.of([self._numbers(text) for text in side]) for side in sides))

    def _numbers(self, text: str) -> list[int]:
        words = words_of(text)
        if len(words) > self.max_words:
            self.note(f"{type(self).__name__}: texts of more than {self.max_words} words were cut (max_words).")
            words = words[: self.max_words]
        # An empty text still needs a word to read.
        return [self.vocabulary_.get(word, UNKNOWN) for word in words] or [UNKNOWN]

    def _embedding(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the starting vectors of padding, unknown and seen words (trained) and of other words (kept)."""
        matrix = self.__dict__.pop("_start", None)
        if matrix is None:  # being loaded: the weights on disk replace it
            matrix = np.zeros((len(self.vocabulary_), self.vector_size_), dtype=np.float32)
        self.vector_size_ = int(matrix.shape[1])
        first = np.zeros((UNKNOWN + 1, self.vector_size_), dtype=np.float32)
        return np.vstack([first, matrix[: self.n_seen_]]), np.ascontiguousarray(matrix[self.n_seen_ :])

    def _state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        values = {"vocabulary": list(self.vocabulary_), "n_seen": self.n_seen_, "vector_size": self.vector_size_}
        return values, {}

    def _restore(self, values: dict[str, Any], arrays: dict[str, np.ndarray], folder: Path) -> None:  # noqa: ARG002
        self.vocabulary_ = {word: number for number, word in enumerate(values["vocabulary"], start=UNKNOWN + 1)}
        self.n_seen_, self.vector_size_ = values["n_seen"], values["vector_size"]
        self._load_weights(folder)
