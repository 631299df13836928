"""The mean of a text's word vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import import_extra
from assay.text.corpus import Corpus
from assay.text.encoders.base import ENCODERS, Encoder
from assay.text.encoders.counts import find_words
from assay.text.encoders.vector_files import WordVectors, read_vectors
from assay.text.tokenizers import Tokenizer

FoundVectors = tuple[NDArray[np.int32], NDArray[np.float32]]  # each word's row, -1 if it has none, and the rows
Lookup = Callable[[list[str]], FoundVectors]


@ENCODERS.add("word-vectors")
@dataclass(kw_only=True, eq=False)
class WordVectorsEncoder(Encoder):
    """Mean of word vectors from a file (word2vec, GloVe) or the wordllama package.

    Words without a vector are skipped; a text without known words is the zero vector (Wecker et al. 2020). A
    capitalised entry of the file is used for a lower-cased word that the file does not have.
    """

    vectors: str | Path | WordVectors = "wordllama"
    tokenizer: str | Tokenizer = "words"

    def _learn(self, texts: object) -> NDArray[np.float32]:
        if "lookup" not in self._learned:
            self._learned["lookup"] = self._make_lookup()
        return self._encode(texts)

    def _make_lookup(self) -> Lookup:
        if isinstance(self.vectors, WordVectors):
            return partial(_find_in_table, self.vectors)
        if str(self.vectors) == "wordllama":
            return partial(_average_pieces, _load_wordllama())
        return partial(_find_in_table, _add_lower_case(read_vectors(self.vectors)))

    def _encode(self, texts: object) -> NDArray[np.float32]:
        from assay.text.encoders.mean_kernels import average_vectors

        corpus = Corpus.from_texts(texts, self.tokenizer)
        return average_vectors(corpus.offsets, corpus.ids, *self._learned["lookup"](corpus.vocabulary))


def _find_in_table(known: WordVectors, words: list[str]) -> FoundVectors:
    return find_words(known.words, words), known.vectors


def _average_pieces(model: Any, words: list[str]) -> FoundVectors:
    """Return for each word the mean of the vectors of its pieces."""
    from assay.text.encoders.mean_kernels import average_vectors

    pieces = [encoding.ids for encoding in model.tokenizer.encode_batch(words, add_special_tokens=False)]
    offsets = np.concatenate([[0], np.cumsum([len(each) for each in pieces], dtype=np.int64)])
    ids = np.array([piece for each in pieces for piece in each], np.int32)
    table = np.ascontiguousarray(model.embedding, np.float32)
    vectors = average_vectors(offsets, ids, np.arange(len(table), dtype=np.int32), table)
    return np.arange(len(words), dtype=np.int32), vectors


def _load_wordllama() -> Any:
    package = import_extra("wordllama", "embeddings", "The encoder 'word-vectors' without a file")
    folder = Path(str(package.__file__)).parent  # the package contains its vectors: nothing is downloaded
    model = package.WordLlama.load(cache_dir=folder, disable_download=True)
    model.tokenizer.no_padding()
    return model


def _add_lower_case(table: WordVectors) -> WordVectors:
    """Add the lower case of each word that has no entry of its own; the first in the file counts."""
    places = {word: place for place, word in reversed(list(enumerate(table.words)))}
    for place, word in enumerate(table.words):
        places.setdefault(word.lower(), place)
    if len(places) == len(table.words):
        return table
    return WordVectors(list(places), table.vectors[list(places.values())])
