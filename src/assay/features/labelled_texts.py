"""The input of all features: texts with their words and labels, each counted once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.arrays import Values
from assay.features.word_label_counts import WordLabelCounts, count_words_by_label
from assay.text import Corpus
from assay.text.columns import Texts
from assay.text.languages import LanguageGuess, identify_language

NO_LABEL = -1
MAX_DESCRIBED_LABELS = 1000  # the most frequent labels, whose words and lengths are described


@dataclass(frozen=True)
class LabelledTexts:
    """Texts with their words and, if there are any, labels as codes into `label_names` (−1 if missing)."""

    texts: Any
    corpus: Corpus
    labels: NDArray[np.int64]
    label_names: tuple[str, ...]
    random_state: int = 0
    perplexity_model: str | None = None

    @classmethod
    def from_texts(
        cls,
        texts: Texts,
        labels: pl.Series | Values | None = None,
        tokenizer: str = "words",
        random_state: int = 0,
        *,
        corpus: Corpus | None = None,
        perplexity_model: str | None = None,
    ) -> LabelledTexts:
        """Code labels (None is a missing one) and tokenise texts; a ready `corpus` of the texts is used as it is."""
        words = Corpus.from_texts(texts, tokenizer) if corpus is None else corpus
        codes, names = code_labels(labels, len(words))
        return cls(texts, words, codes, names, random_state, perplexity_model)

    def __len__(self) -> int:
        return len(self.corpus)

    @cached_property
    def word_label_counts(self) -> WordLabelCounts:
        """Count words by label, over the rows that have one."""
        return count_words_by_label(self.corpus, self.labels, len(self.label_names))

    @cached_property
    def label_counts(self) -> NDArray[np.int64]:
        """Count the texts of each label."""
        return np.bincount(self.labels[self.labels >= 0], minlength=len(self.label_names))

    @cached_property
    def described_labels(self) -> list[int]:
        """Return the labels whose words and lengths are described, ascending: the most frequent of very many."""
        counts, names = self.label_counts.tolist(), self.label_names
        return sorted(sorted(range(len(names)), key=lambda code: (-counts[code], names[code]))[:MAX_DESCRIBED_LABELS])

    @cached_property
    def word_ids(self) -> dict[str, int]:
        """Map the words of the vocabulary to their numbers."""
        return {word: number for number, word in enumerate(self.corpus.vocabulary)}

    def flag_words(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Return 1 for each word of the vocabulary that is in `words`, else 0."""
        flags = np.zeros(len(self.corpus.vocabulary), np.int64)
        flags[[self.word_ids[word] for word in words if word in self.word_ids]] = 1
        return flags

    @cached_property
    def language(self) -> LanguageGuess:
        """The language of the texts, by scripts and function words."""
        return identify_language(self.corpus)

    @cached_property
    def reading_ease(self) -> NDArray[np.float64]:
        """Return the Flesch reading ease of every text, nan if it has no words."""
        from assay.features.measures.readability import score_reading_ease

        return score_reading_ease(self)

    def take(self, rows: NDArray[np.int64]) -> LabelledTexts:
        """Return some rows; only the labels that occur there count."""
        kept, codes = np.unique(self.labels[rows], return_inverse=True)
        names = tuple(self.label_names[code] for code in kept if code != NO_LABEL)
        shift = 1 if len(kept) and kept[0] == NO_LABEL else 0
        texts, corpus = _take_rows(self.texts, rows), self.corpus.take(rows)
        return LabelledTexts(texts, corpus, codes - shift, names, self.random_state, self.perplexity_model)

    def sample(self, n: int) -> list[str]:
        """Draw at most n texts that have at least one word."""
        from assay.features.text_draws import draw_texts, find_lowest, rank_texts

        rows = np.flatnonzero(self.corpus.lengths)
        if len(rows) <= n:
            return [str(text) for text in _to_list(_take_rows(self.texts, rows))]
        ranks = rank_texts(_take_rows(self.texts, rows), self.random_state)
        lowest = find_lowest(ranks, n)
        return draw_texts([str(text) for text in _to_list(_take_rows(self.texts, rows[lowest]))], ranks[lowest], n)


def code_labels(labels: pl.Series | Values | None, n: int) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Code n labels by their sorted names; None is a missing label.

    >>> code_labels(["b", None, "a"], 3)
    (array([ 1, -1,  0]), ('a', 'b'))
    """
    if labels is None:
        return np.full(n, NO_LABEL), ()
    if isinstance(labels, pl.Series):  # a polars column: no Python loop over the rows
        names = tuple(labels.drop_nulls().unique().sort().to_list())
        codes = labels.replace_strict(list(names), list(range(len(names))), default=NO_LABEL, return_dtype=pl.Int64)
        return codes.to_numpy().astype(np.int64), names
    names = tuple(sorted({label for label in labels if label is not None}))
    numbers = {name: code for code, name in enumerate(names)}
    return np.array([NO_LABEL if label is None else numbers[label] for label in labels], dtype=np.int64), names


def _take_rows(texts: Values, rows: NDArray[np.int64]) -> Any:
    """Take rows of a list, an array, a polars or an Arrow column."""
    if hasattr(texts, "gather"):
        return texts.gather(rows)
    if hasattr(texts, "take"):
        return texts.take(rows)
    return [texts[row] for row in rows]


def _to_list(texts: Values) -> list[object]:
    """Turn a column into a list of Python values."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(texts, method):
            values = getattr(texts, method)()
            assert isinstance(values, list)
            return values
    return list(texts)
