"""Count word n-grams, and character n-grams within words, in every text at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from assay.base.errors import UsageError
from assay.text.characters import plain_word_letters, visible_letters
from assay.text.columns import Texts, to_column
from assay.text.corpus import Corpus
from assay.text.ngram_vocabulary import Ints, Level, NgramVocabulary, number_ngrams
from assay.text.tokenization import scan_words, tokenize_column
from assay.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from assay.text.scanner.ngrams import CountColumns

_N_CODES = 0x110000


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """How often each n-gram occurs in each text: a sparse matrix, texts × n-grams, and the n-grams of its columns.

    >>> counts = count_word_ngrams(["a b a", "b c"], (1, 2))
    >>> counts.vocabulary.spell()
    ['a', 'b', 'c', 'a b', 'b a', 'b c']
    >>> counts.matrix.toarray().tolist()
    [[2, 1, 0, 1, 1, 0], [0, 1, 1, 0, 0, 1]]
    """

    matrix: sparse.csc_array
    vocabulary: NgramVocabulary

    def match(self, vocabulary: NgramVocabulary) -> NgramCounts:
        """Return the counts of another vocabulary's n-grams, in the order of that vocabulary."""
        columns = vocabulary.find(self.vocabulary)
        known = np.flatnonzero(columns >= 0)
        known = known[np.argsort(columns[known])]
        taken = self.matrix[:, known]
        ends = np.zeros(len(vocabulary) + 1, np.int64)
        ends[columns[known] + 1] = np.diff(taken.indptr)
        shape = (taken.shape[0], len(vocabulary))
        return NgramCounts(sparse.csc_array((taken.data, taken.indices, np.cumsum(ends)), shape=shape), vocabulary)


def count_word_ngrams(
    texts: Texts, ngrams: tuple[int, int] = (1, 2), tokenizer: str | Tokenizer = "words"
) -> NgramCounts:
    """Count runs of `ngrams[0]` to `ngrams[1]` words in each text. `texts` may be a `Corpus`.

    Columns are ordered by length, then by alphabet, so their order does not depend on the texts.
    """
    from assay.text.scanner.ngrams import count_by_column

    _check_range(ngrams)
    corpus = _sort_vocabulary(Corpus.from_texts(texts, tokenizer))
    builder = _CountBuilder(len(corpus))
    for length, level in enumerate(number_ngrams(corpus, ngrams[1]), start=1):
        builder.add_level(level)
        if length >= ngrams[0]:
            builder.add_columns(count_by_column(corpus.offsets, level.numbers, level.size))
    return builder.build(corpus.vocabulary, " ")


def count_character_ngrams(texts: Texts, ngrams: tuple[int, int] = (2, 4)) -> NgramCounts:
    """Count runs of `ngrams[0]` to `ngrams[1]` lower-cased characters within the words of each text.

    Words are separated by white space and padded with a space on both sides; a padded word shorter than `ngrams[0]`
    counts as a whole. `texts` may be a corpus made by `split_at_spaces`.

    >>> count_character_ngrams(["ab a"], (2, 3)).vocabulary.spell()
    [' a', 'a ', 'ab', 'b ', ' a ', ' ab', 'ab ']
    """
    from assay.text.scanner.ngrams import count_by_column, multiply_counts

    _check_range(ngrams)
    words = texts if isinstance(texts, Corpus) else split_at_spaces(texts)
    spelling = _number_characters(words.vocabulary)
    texts_of_words = count_by_column(words.offsets, words.ids, len(words.vocabulary))
    builder = _CountBuilder(len(words))
    for length, level in enumerate(number_ngrams(spelling, ngrams[1]), start=1):
        builder.add_level(level)
        numbers = level.numbers if length >= ngrams[0] else _keep_whole(level.numbers, spelling, length)
        words_of_ngrams = count_by_column(spelling.offsets, numbers, level.size)
        builder.add_columns(multiply_counts(texts_of_words, words_of_ngrams, len(words)))
    return builder.build(spelling.vocabulary, "")


def split_at_spaces(texts: Texts) -> Corpus:
    """Cut texts at white space and lower-case them: the words whose character n-grams are counted."""
    return Corpus(*tokenize_column(to_column(texts), visible_letters()))


def split_into_plain_words(chunks: Corpus) -> Corpus:
    """Cut the corpus of `split_at_spaces` further into words, without reading a text again.

    >>> corpus = split_into_plain_words(split_at_spaces(["Don't!", "don't stop"]))
    >>> corpus.vocabulary, corpus.ids.tolist()
    (['don', 't', 'stop'], [0, 1, 0, 1, 2])
    """
    from assay.text.scanner.documents import gather_texts

    inner = Corpus(*scan_words(to_column(chunks.vocabulary), plain_word_letters()))
    ends = np.concatenate([[0], np.cumsum(inner.lengths[chunks.ids])])
    ids = gather_texts(inner.offsets, inner.ids, chunks.ids, ends)
    return Corpus(ends[chunks.offsets], ids, inner.vocabulary)


class _CountBuilder:
    """Collects the levels of a prefix tree and the columns of the n-grams that are counted."""

    def __init__(self, n_texts: int) -> None:
        self.n_texts = n_texts
        self.levels: list[Level] = []
        self.n_nodes = 0  # before the last level
        self.parts: list[tuple[NDArray[Any], ...]] = []  # nodes, column sizes, rows, counts

    def add_level(self, level: Level) -> None:
        self.n_nodes += self.levels[-1].size if self.levels else 0
        self.levels.append(level)

    def add_columns(self, columns: CountColumns) -> None:
        """Add the columns of the last level; n-grams that do not occur get none."""
        sizes = np.diff(columns.ends)
        used = np.flatnonzero(sizes)
        self.parts.append((used.astype(np.int32) + np.int32(self.n_nodes), sizes[used], columns.rows, columns.counts))

    def build(self, units: list[str], separator: str) -> NgramCounts:
        nodes, sizes, rows, counts = (np.concatenate(arrays) for arrays in zip(*self.parts, strict=True))
        ends = np.concatenate([[0], np.cumsum(sizes)])
        matrix = sparse.csc_array((counts, rows, ends), shape=(self.n_texts, len(nodes)))
        return NgramCounts(matrix, NgramVocabulary.from_levels(units, self.levels, nodes, separator))


def _sort_vocabulary(corpus: Corpus) -> Corpus:
    """Number the words of a corpus by alphabet."""
    order = pc.sort_indices(pa.array(corpus.vocabulary, pa.large_string())).to_numpy()
    numbers = np.empty(len(order), np.int32)
    numbers[order] = np.arange(len(order))
    return Corpus(corpus.offsets, numbers[corpus.ids], [corpus.vocabulary[word] for word in order])


def _number_characters(words: list[str]) -> Corpus:
    """Return the characters of words, each word between two spaces."""
    codes = np.frombuffer("".join([f" {word} " for word in words]).encode("utf-32-le"), "<u4")
    occurs = np.zeros(_N_CODES, np.bool_)
    occurs[codes] = True
    numbers = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
    offsets = np.concatenate([[0], np.cumsum([len(word) + 2 for word in words], dtype=np.int64)])
    return Corpus(offsets, numbers[codes], [chr(code) for code in np.flatnonzero(occurs)])


def _keep_whole(numbers: Ints, words: Corpus, length: int) -> Ints:
    """Keep the n-grams that are a whole word; -1 elsewhere."""
    kept = np.full(len(numbers), -1, np.int32)
    starts = words.offsets[:-1][words.lengths == length]
    kept[starts] = numbers[starts]
    return kept


def _check_range(ngrams: tuple[int, int]) -> None:
    if not 1 <= ngrams[0] <= ngrams[1]:
        raise UsageError(f"There are no n-grams from {ngrams[0]} to {ngrams[1]} units; use for example (1, 2).")
