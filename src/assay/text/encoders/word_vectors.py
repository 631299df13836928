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
from assay.text.encoders.base import Encoder
from assay.text.encoders.counts import columns_in
from assay.text.encoders.vector_files import WordVectors, read_vectors
from assay.text.tokenizers import Tokenizer

Found = tuple[NDArray[np.int32], NDArray[np.float32]]  # each word's row, -1 where it has none, and the rows
Lookup = Callable[[list[str]], Found]


@dataclass(frozen=True, kw_only=True, eq=False)
class WordVectorsEncoder(Encoder):
    """Mean of word vectors from a file (word2vec, GloVe) or the wordllama package.

    Words without a vector are skipped; a text with none known is the zero vector (paper 001). A capitalised entry of
    the file serves a lower-cased word where the file has no lower-cased one.
    """

    vectors: str | Path | WordVectors = "wordllama"
    tokenizer: str | Tokenizer = "words"

    def _learn(self, texts: Any) -> NDArray[np.float32]:
        if "lookup" not in self._learned:
            self._learned["lookup"] = self._lookup()
        return self._encode(texts)

    def _lookup(self) -> Lookup:
        if isinstance(self.vectors, WordVectors):
            return partial(_from_table, self.vectors)
        if str(self.vectors) == "wordllama":
            return partial(_from_pieces, _wordllama())
        return partial(_from_table, _with_lower_case(read_vectors(self.vectors)))

    def _encode(self, texts: Any) -> NDArray[np.float32]:
        from assay.text.encoders.mean_kernel import means

        corpus = Corpus.from_texts(texts, self.tokenizer)
        return means(corpus.offsets, corpus.ids, *self._learned["lookup"](corpus.vocabulary))


def _from_table(known: WordVectors, words: list[str]) -> Found:
    return columns_in(known.words, words), known.vectors


def _from_pieces(model: Any, words: list[str]) -> Found:
    """Give each word the mean of the vectors of its pieces."""
    from assay.text.encoders.mean_kernel import means

    pieces = [encoding.ids for encoding in model.tokenizer.encode_batch(words, add_special_tokens=False)]
    offsets = np.concatenate([[0], np.cumsum([len(each) for each in pieces], dtype=np.int64)])
    ids = np.array([piece for each in pieces for piece in each], np.int32)
    table = np.ascontiguousarray(model.embedding, np.float32)
    return np.arange(len(words), dtype=np.int32), means(offsets, ids, np.arange(len(table), dtype=np.int32), table)


def _wordllama() -> Any:
    package = import_extra("wordllama", "embeddings", "The encoder 'word-vectors' without a file")
    folder = Path(str(package.__file__)).parent  # the package carries its vectors: nothing is downloaded
    model = package.WordLlama.load(cache_dir=folder, disable_download=True)
    model.tokenizer.no_padding()
    return model


def _with_lower_case(found: WordVectors) -> WordVectors:
    """Add the lower case of each word that has no entry of its own; the first in the file serves."""
    places = {word: place for place, word in reversed(list(enumerate(found.words)))}
    for place, word in enumerate(found.words):
        places.setdefault(word.lower(), place)
    if len(places) == len(found.words):
        return found
    return WordVectors(list(places), found.vectors[list(places.values())])
