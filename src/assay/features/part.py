"""What features see of a part of the data: texts, words and labels, each counted once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.features.word_labels import WordLabels, word_labels
from assay.text import Corpus

NO_LABEL = -1


@dataclass(frozen=True)
class Part:
    """Texts with their words and, where there are any, labels as codes into `label_names` (-1 where missing)."""

    texts: Any
    corpus: Corpus
    labels: NDArray[np.int64]
    label_names: tuple[str, ...]
    random_state: int = 0
    settings: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        texts: Any,
        labels: Any = None,
        tokenizer: str = "words",
        random_state: int = 0,
        **settings: Any,
    ) -> Part:
        """Tokenise texts and code labels; None is a missing label."""
        codes, names = label_codes(labels, len(texts))
        return cls(texts, Corpus.from_texts(texts, tokenizer), codes, names, random_state, settings)

    def __len__(self) -> int:
        return len(self.corpus)

    @cached_property
    def word_labels(self) -> WordLabels:
        """Count words by label, over the rows that have one."""
        return word_labels(self.corpus, self.labels, len(self.label_names))

    @cached_property
    def word_ids(self) -> dict[str, int]:
        """Find words in the vocabulary."""
        return {word: number for number, word in enumerate(self.corpus.vocabulary)}

    def marked(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Mark, with 1, the words of the vocabulary that are among the given ones."""
        marks = np.zeros(len(self.corpus.vocabulary), np.int64)
        marks[[self.word_ids[word] for word in words if word in self.word_ids]] = 1
        return marks

    @cached_property
    def english(self) -> bool:
        """Tell whether the part reads as English."""
        from assay.features.english import is_english

        return is_english(self)

    @cached_property
    def flesch(self) -> NDArray[np.float64]:
        """Score the reading ease of every text, nan where there are no words."""
        from assay.features.flesch import reading_ease

        return reading_ease(self)

    def take(self, rows: NDArray[np.int64]) -> Part:
        """Return some rows as a part of their own; only the labels that occur there count."""
        kept, codes = np.unique(self.labels[rows], return_inverse=True)
        names = tuple(self.label_names[code] for code in kept if code != NO_LABEL)
        shift = 1 if len(kept) and kept[0] == NO_LABEL else 0
        corpus = self.corpus.take(rows)
        return Part(taken(self.texts, rows), corpus, codes - shift, names, self.random_state, self.settings)

    def sample(self, n: int) -> list[str]:
        """Draw at most n texts that hold at least one word."""
        rows = np.flatnonzero(self.corpus.lengths)
        if len(rows) > n:
            rows = np.sort(np.random.default_rng(self.random_state).choice(rows, n, replace=False))
        return [str(text) for text in as_list(taken(self.texts, rows))]


def label_codes(labels: Any, n: int) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Code labels by their sorted names.

    >>> label_codes(["b", None, "a"], 3)
    (array([ 1, -1,  0]), ('a', 'b'))
    """
    if labels is None:
        return np.full(n, NO_LABEL), ()
    if hasattr(labels, "to_physical"):  # a polars column: no Python loop over the rows
        names = tuple(labels.drop_nulls().unique().sort().to_list())
        coded = labels.replace_strict(list(names), list(range(len(names))), default=NO_LABEL, return_dtype=int)
        return coded.to_numpy().astype(np.int64), names
    names = tuple(sorted({label for label in labels if label is not None}))
    codes = {name: code for code, name in enumerate(names)}
    return np.array([NO_LABEL if label is None else codes[label] for label in labels], dtype=np.int64), names


def taken(texts: Any, rows: NDArray[np.int64]) -> Any:
    """Take rows of a list, an array, a polars or an Arrow column."""
    if hasattr(texts, "gather"):
        return texts.gather(rows)
    if hasattr(texts, "take"):
        return texts.take(rows)
    return [texts[row] for row in rows]


def as_list(texts: Any) -> list[Any]:
    """Turn a column into a list of Python values."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(texts, method):
            values = getattr(texts, method)()
            assert isinstance(values, list)
            return values
    return list(texts)
